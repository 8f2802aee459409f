"""How bytes become a message: every JSON value within the limits, and nothing that would hold up the other requests."""

from __future__ import annotations

import json
import re
import sys
from math import isfinite
from types import FrameType
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import json_parsing
from protocol.json_parsing import (
    DEFAULT_MAX_DEPTH,
    MAX_SKELETON_BYTES,
    memory_of,
    parse_json,
    parse_records,
)
from protocol.messages import Era, MissingCapability, Reply, RpcError, RpcRequest, json_type
from settings.http_settings import MAX_JSON_DEPTH
from tests.support.lock_holds import longest_calls

PARSE_ERROR = -32700

# What Python says of itself where a caller wants to hear of JSON.
PYTHONS_WORDS = re.compile(
    r"set_int_max_str_digits|utf-8-sig|codec|surrogate|recursion|Exceeds|sys\.|python|<|None|True",
    re.IGNORECASE,
)

# Texts made to be mistaken for structure.
tricky = st.text(st.sampled_from('[]{}",:\\\n /ué日\ud800'), max_size=12)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    scalars | tricky | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(tricky, inner, max_size=4),
    max_leaves=20,
)


def refusal(body: bytes, max_depth: int = DEFAULT_MAX_DEPTH) -> str:
    """Return why a body is refused."""
    with pytest.raises(RpcError) as error:
        parse_json(body, max_depth)
    assert error.value.code == PARSE_ERROR
    return str(error.value)


def read_strictly(text: str) -> Any:
    """Read JSON as Python does, without the constants that are none, and without numbers that it reads as infinity."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    def finite(digits: str) -> float:
        number = float(digits)
        return number if isfinite(number) else refuse(digits)

    return json.loads(text, parse_constant=refuse, parse_float=finite)


# What is read.


@given(values, st.booleans(), st.sampled_from([None, 0, 1, "\t"]))
def test_every_json_value_is_read_as_it_is(value: Any, ascii_only: bool, indent: int | str | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    try:
        body = text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can carry
        body = json.dumps(value, indent=indent).encode()
    assert parse_json(body) == value


@given(st.text(st.sampled_from('[]{}",:\\ \n0-1.eE+truefalsnNaIiy/ub\x00\ufeff'), max_size=24))
def test_what_python_reads_as_json_is_read_and_nothing_else_is(text: str) -> None:
    try:
        expected = read_strictly(text)
    except ValueError:
        assert PYTHONS_WORDS.search(refusal(text.encode())) is None
    else:
        assert parse_json(text.encode()) == expected


@given(st.binary(max_size=40))
def test_whatever_bytes_come_no_words_of_python_go_out(body: bytes) -> None:
    try:
        parse_json(body, 4)
    except RpcError as error:
        assert error.code == PARSE_ERROR  # noqa: PT017 - both outcomes are right, this one only with this code
        assert PYTHONS_WORDS.search(str(error)) is None  # noqa: PT017 - as above


@pytest.mark.parametrize(
    "body, said",
    [
        (b"", "expected a JSON value, got nothing"),
        (b" \n", "expected a JSON value, got nothing"),
        (b"x", "Expecting value at character 0"),
        (b'{"a": 1,}', "Expecting property name enclosed in double quotes at character 8"),
        (b'"abc', "Unterminated string starting at character 0"),
        (b'"a\nb"', "Invalid control character at character 2"),
        (b"[1] 2", "Extra data at character 4"),
        (b"\xef\xbb\xbf{}", "Unexpected UTF-8 BOM at character 0"),
        (b'"\xff"', "the body is not UTF-8 (byte 1)"),
        (b"[NaN]", "NaN is not JSON"),
        (b"-Infinity", "-Infinity is not JSON"),
        (b"[-1e999]", "the number -1e999 is beyond the range of 64 bits"),
        (b"9" * 400 + b".0", f"the number {'9' * 100} is beyond the range of 64 bits"),
        (b"9" * 5_000, "a number with too many digits, or too deep a nesting"),
    ],
)
def test_a_refusal_says_what_is_wrong_with_the_json(body: bytes, said: str) -> None:
    assert refusal(body) == f"Parse error: {said}"


def test_an_integer_may_have_as_many_digits_as_python_reads() -> None:
    assert parse_json(b"-" + b"9" * 4_300) == -(10**4_300) + 1
    assert "too many digits" in refusal(b"9" * 4_301)


def test_a_depth_that_the_interpreter_cannot_bear_is_refused_as_well() -> None:
    assert "too deep a nesting" in refusal(b"[" * 100_000, max_depth=1_000_000)


# How much memory.


@given(values)
def test_the_memory_of_a_value_is_that_of_each_thing_in_it(value: Any) -> None:
    inside: list[Any] = []
    if isinstance(value, dict):
        inside = [*value, *value.values()]
    elif isinstance(value, list):
        inside = value
    assert memory_of(value) == sys.getsizeof(value) + sum(map(memory_of, inside))


def test_the_memory_of_the_deepest_json_that_a_setting_allows_is_counted() -> None:
    deepest = parse_json(b'{"":' * MAX_JSON_DEPTH + b"0" + b"}" * MAX_JSON_DEPTH, MAX_JSON_DEPTH)
    assert memory_of(deepest) > MAX_JSON_DEPTH * sys.getsizeof({"": 0})


def test_the_memory_of_json_that_is_nested_deeper_than_python_may_call_is_counted() -> None:
    deepest: list[Any] = []
    for _ in range(2 * sys.getrecursionlimit()):
        deepest = [deepest]
    assert memory_of(deepest) > 2 * sys.getrecursionlimit() * sys.getsizeof([])


# How deep.


def nested(layers: list[tuple[str, str]]) -> bytes:
    """Nest a value in so many layers, each an array or an object, with a text beside it."""
    value: Any = 0
    for shape, text in layers:
        value = [text, value] if shape == "[" else {text: value}
    return json.dumps(value).encode()


layers = st.lists(st.tuples(st.sampled_from("[{"), tricky), min_size=1, max_size=70)


@given(layers)
def test_the_depth_limit_counts_what_nests_and_not_what_strings_hold(layers: list[tuple[str, str]]) -> None:
    body = nested(layers)
    assert parse_json(body, len(layers)) == json.loads(body)
    assert (
        refusal(body, len(layers) - 1)
        == f"Parse error: the JSON is nested more than {len(layers) - 1} deep (MAX_JSON_DEPTH)"
    )


@pytest.mark.parametrize("opening, closing", [(b"[", b"]"), (b'{"a":', b"}")])
def test_the_default_depth_is_64(opening: bytes, closing: bytes) -> None:
    assert parse_json(opening * 64 + b"1" + closing * 64) is not None
    assert "nested more than 64 deep" in refusal(opening * 65 + b"1" + closing * 65)


def test_any_number_of_neighbours_is_no_depth() -> None:
    assert parse_json(b"[" + b"[]," * 1_000 + b"{}]", 2) == [*[[]] * 1_000, {}]


def test_any_number_of_brackets_in_a_string_is_no_depth() -> None:
    text = '[{"\\' * 100_000
    assert parse_json(json.dumps([text]).encode(), 1) == [text]


def test_a_string_without_an_end_hides_no_depth_before_it() -> None:
    assert "nested more than 3 deep" in refusal(b'[[[["[[', 3)
    assert "Unterminated string" in refusal(b'[[["]]][[[[[', 3)
    assert "Unterminated string" in refusal(b'[[["[[[[[[[[\\', 3)


# How much beside the strings.


def test_outside_of_its_strings_a_message_has_at_most_so_many_bytes() -> None:
    body = b"[" + b"0," * (MAX_SKELETON_BYTES // 2 - 1) + b"1]"
    assert len(body) == MAX_SKELETON_BYTES + 1
    assert (
        refusal(body) == f"Parse error: more than {MAX_SKELETON_BYTES} bytes of JSON outside of its strings"
    )
    assert len(parse_json(body.replace(b"0,", b"", 1))) == MAX_SKELETON_BYTES // 2 - 1


def test_a_string_counts_as_one_byte_of_them_whatever_it_holds() -> None:
    most = (MAX_SKELETON_BYTES - 1) // 2  # two brackets, a comma between two and one byte for each
    assert len(parse_json(json.dumps([""] * most, separators=(",", ":")).encode())) == most
    assert "outside of its strings" in refusal(json.dumps([""] * (most + 1), separators=(",", ":")).encode())


def test_the_text_of_a_message_may_be_as_long_as_it_likes() -> None:
    text = '"\\]}' * (MAX_SKELETON_BYTES + 1)
    assert parse_json(json.dumps({"content": text}).encode()) == {"content": text}


@pytest.mark.unmeasured
def test_who_allows_more_of_it_reads_more_of_it() -> None:
    records = [{"id": number, "name": f"record {number}", "tags": []} for number in range(40_000)]
    body = json.dumps({"records": records, "text": "x" * 100_000}).encode()
    assert "outside of its strings" in refusal(body)
    assert parse_json(body, max_skeleton_bytes=len(body)) == {"records": records, "text": "x" * 100_000}


@pytest.mark.unmeasured
def test_other_threads_run_while_a_large_structure_is_decoded() -> None:
    body = json.dumps([{"id": number, "parts": [1, 2]} for number in range(60_000)]).encode()
    assert len(body) > json_parsing.WHOLE_BYTES
    called = []

    def observe(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)

    sys.setprofile(observe)
    try:
        parse_json(body, max_skeleton_bytes=len(body))
    finally:
        sys.setprofile(None)
    # Python code gives up the lock on request, C code does not: it is called for each object.
    assert called.count("_let_threads_run") == 60_000


@given(values, st.integers(0, 6))
def test_records_are_read_as_any_json_is(value: Any, max_depth: int) -> None:
    body = json.dumps(value).encode()
    try:
        expected = parse_json(body, max_depth)
    except RpcError as error:
        with pytest.raises(RpcError, match=re.escape(str(error))):
            parse_records(body, max_depth)
    else:
        assert parse_records(body, max_depth) == expected


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[NaN]", b"[1e999]", b"\xff", b"9" * 5_000, b"[" * 100_000, b"\xef\xbb\xbf1"]
)
def test_records_that_are_no_json_are_refused(body: bytes) -> None:
    with pytest.raises(RpcError, match="Parse error: "):
        parse_records(body)


def test_white_space_counts_too() -> None:
    assert parse_json(b" " * (MAX_SKELETON_BYTES - 1) + b"1") == 1
    assert "outside of its strings" in refusal(b" " * MAX_SKELETON_BYTES + b"1")


@given(values, st.integers(2, 9))
def test_a_long_string_is_passed_in_slices_wherever_they_end(value: Any, slice_bytes: int) -> None:
    body = json.dumps(value).encode()
    whole = json_parsing._skeleton(body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_parsing, "SLICE_BYTES", slice_bytes)
        assert json_parsing._skeleton(body) == whole
    assert whole == re.sub(rb'"(?:[^"\\]|\\.)*"', b"", body)


# Words about messages.


@pytest.mark.parametrize(
    "value, said",
    [
        (None, "null"),
        (True, "a boolean"),
        (1, "a number"),
        (1.5, "a number"),
        ("", "a string"),
        ([], "an array"),
        ({}, "an object"),
    ],
)
def test_values_are_named_in_the_words_of_json(value: Any, said: str) -> None:
    assert json_type(value) == said


@pytest.mark.parametrize(
    "required, names",
    [
        ({"sampling": {}}, "sampling"),
        ({"extensions": {"io.modelcontextprotocol/tasks": {}}}, "io.modelcontextprotocol/tasks"),
        ({"roots": {}, "extensions": {"a/b": {}}}, "roots, a/b"),
    ],
)
def test_a_missing_capability_names_it_to_people_and_to_programs(
    required: dict[str, Any], names: str
) -> None:
    assert MissingCapability(required, "this").as_json() == {
        "code": -32021,
        "message": f"Missing required client capability: this needs {names} "
        "in _meta io.modelcontextprotocol/clientCapabilities",
        "data": {"requiredCapabilities": required},
    }


@pytest.mark.parametrize("body", [None, [], [{"error": {"code": 1}}], {"result": {}}])
def test_only_a_single_error_has_an_error_code(body: Any) -> None:
    assert Reply(body, Era.LEGACY).error_code is None


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"extensions": None},
        {"extensions": ["io.modelcontextprotocol/tasks"]},
        {"extensions": {"io.modelcontextprotocol/tasks": None}},
        {"tasks": {}},
    ],
)
def test_tasks_are_declared_as_an_extension_with_an_object(declared: dict[str, Any]) -> None:
    meta = {"io.modelcontextprotocol/clientCapabilities": declared}
    assert not RpcRequest(1, "x", {"_meta": meta}, Era.MODERN, meta).declares_tasks


def test_a_legacy_request_declares_nothing_whatever_its_meta_says() -> None:
    meta: dict[str, Any] = {
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}}
    }
    assert RpcRequest(1, "x", {"_meta": meta}, Era.MODERN, meta).declares_tasks
    assert not RpcRequest(1, "x", {"_meta": meta}, Era.LEGACY, meta).declares_tasks
    assert RpcRequest(1, "x", {"_meta": meta}, Era.LEGACY, meta).capabilities == {}


# Long strings, slice by slice.

awkward = st.lists(
    st.sampled_from([*'a\\"\n\tué漢😀/', "\\\\", "\\u", "\ud83d", "\ude00", "x" * 40, "漢" * 30]), min_size=1
).map("".join)


def in_slices(patch: pytest.MonkeyPatch, size: int) -> None:
    """Read every body as one that is too large to be decoded at one go."""
    patch.setattr(json_parsing, "WHOLE_BYTES", 0)
    patch.setattr(json_parsing, "SLICE_BYTES", size)


@given(
    st.lists(awkward.map(lambda text: text * 40), min_size=1, max_size=4), st.booleans(), st.integers(65, 200)
)
def test_a_long_string_is_the_same_wherever_it_is_cut(
    texts: list[str], escaped: bool, slice_bytes: int
) -> None:
    body = json.dumps({"a": texts, "b": 1, "c": "short"}, ensure_ascii=escaped).encode("utf-8", "replace")
    with pytest.MonkeyPatch.context() as patch:
        in_slices(patch, slice_bytes)
        assert json_parsing.parse_json(body) == json.loads(body)
        assert json_parsing.parse_json(bytearray(body)) == json.loads(body)


@pytest.mark.parametrize(
    "escape", [r"\ud83d\ude00", r"\ud83d", r"\ude00", r"\\", r"\"", r"\n", r"\u6f22", "漢", "😀", "x"]
)
@pytest.mark.parametrize("shift", range(13))
def test_no_cut_falls_into_an_escape(escape: str, shift: int) -> None:
    body = ('["' + "y" * shift + escape * 200 + '"]').encode()
    with pytest.MonkeyPatch.context() as patch:
        in_slices(patch, 80)
        assert json_parsing.parse_json(body) == json.loads(body)


@pytest.mark.parametrize(
    "broken",
    [
        rb'["%s\x"]',
        rb'["%s\u12"]',
        rb'["%s',
        b'["%s\x01"]',
        b'["%s\xff"]',
        b'["%s\xe6"]',
        rb'["%s", NaN]',
        rb'["%s", 1e999]',
        rb'["%s", Infinity]',
        rb'[Infinity, "%s"]',
        rb'[-Infinity, "%s"]',
        rb'["%s" "%s"]',
        rb'[-"%s"]',
        rb'"%s',
        rb'["%s"]]',
    ],
)
def test_what_is_no_json_is_none_in_slices_either(broken: bytes) -> None:
    body = broken.replace(b"%s", b"z" * 1_000)
    with pytest.MonkeyPatch.context() as patch:
        in_slices(patch, 80)
        with pytest.raises(RpcError) as refused:
            json_parsing.parse_json(body)
    assert refused.value.code == PARSE_ERROR


def test_a_long_name_of_a_member_is_refused_by_name_where_strings_are_read_in_slices() -> None:
    body = json.dumps({"z" * 1_000: 1, "a": "z" * 1_000}, separators=(",", " \n:")).encode()
    assert parse_json(body) == json.loads(body)
    with pytest.MonkeyPatch.context() as patch:
        in_slices(patch, 80)
        assert refusal(body) == "Parse error: a member's name of more than 80 bytes"


# Of the time that a body of 4 MB takes; a part of 1 MB takes 11 to 18 %.
MOST_OF_ALL = 0.06
TRIES = 3


@pytest.mark.unmeasured
@pytest.mark.parametrize("inside", [r"\n", "word ", r"\u00e4", r"\"", "漢"])
def test_no_part_of_a_large_body_holds_the_interpreter_for_long(inside: str) -> None:
    """The event loop would wait for it, several times for each request."""
    size = 4 * json_parsing.WHOLE_BYTES
    body = bytearray(f'["{inside * (size // len(inside.encode()))}"]'.encode())
    shares: list[float] = []
    while len(shares) < TRIES and min(shares, default=1.0) >= MOST_OF_ALL:
        longest, whole = longest_calls(lambda: parse_json(body))
        del longest["join"]  # the parts are copied once: most of that is the system's, which gives the memory
        shares.append(max(longest.values()) / whole)
    assert min(shares) < MOST_OF_ALL, shares
