"""JSON as a document: what is a record, what names it, and that nothing is lost or hangs on the wrong thing."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.json.brackets import brackets_of
from summarizing.text.json.reader import (
    MAX_BRACKETS,
    MAX_DEPTH,
    MAX_NESTING,
    MAX_RUN_CHARS,
    MAX_WHOLE_CHARS,
    JsonReader,
    Values,
)
from summarizing.text.json.records import parse_json, parse_nearly_json
from tests.support.timing import is_linear

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS | st.text(min_size=60, max_size=90),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=60,
)
CONTAINERS = st.lists(VALUES) | st.dictionaries(st.text(max_size=12), VALUES)
INDENTS = st.sampled_from([None, 0, 1, 4])
TRAILING = st.sampled_from(["", "\n", "]", ",", "x", "\x00", " []"])

COMPONENT = {
    "type": "library",
    "bom-ref": "pkg:npm/left-pad@1.3.0",
    "name": "left-pad",
    "version": "1.3.0",
    "hashes": [{"alg": "SHA-512", "content": "5" * 256}],
    "licenses": [{"license": {"id": "WTFPL"}}],
}


def read(value: Any, indent: int | None = None) -> Document:
    document = parse_json(json.dumps(value, indent=indent))
    assert document is not None
    return document


def find(document: Document, text: str) -> int:
    """Return the number of the one segment that has a text."""
    (number,) = [number for number in range(len(document.segments)) if text in document.of(number)]
    return number


@given(value=CONTAINERS, indent=INDENTS)
def test_segments_hold_everything_but_space_commas_and_closing_brackets(
    value: Any, indent: int | None
) -> None:
    document = read(value, indent)
    at = 0
    for segment in document.segments:
        assert at <= segment.start < segment.end
        assert not document.text[at : segment.start].strip(" \n,]}")
        at = segment.end
    assert not document.text[at:].strip(" \n,]}")


# The sentences of a long string hang on its key and opening quote.
CLOSING = {"[": "]", "{": "}", '"': '"'}


@example(value=[{"key": "One thing is said here. " * 60}], indent=None)
@given(value=CONTAINERS, indent=INDENTS)
def test_each_segment_stands_in_the_container_that_it_hangs_on(value: Any, indent: int | None) -> None:
    document = read(value, indent)
    for number, segment in enumerate(document.segments):
        part = document.of(number)
        if segment.parent == NO_SEGMENT:
            assert number == 0
            continue
        parent = document.segments[segment.parent]
        assert parent.kind is SegmentKind.FRAME
        assert segment.parent < number
        if segment.kind is SegmentKind.FRAME:
            part += CLOSING[part[-1]]
        opening = document.of(segment.parent)[-1]
        json.loads(f"{opening}{part}{CLOSING[opening]}")


@given(value=CONTAINERS, indent=INDENTS)
def test_requirements_end_and_name_the_record(value: Any, indent: int | None) -> None:
    document = read(value, indent)
    for number, segment in enumerate(document.segments):
        assert len(list(document.requirements(number))) < len(document.segments)
        assert segment.anchor != number
        if segment.anchor != NO_SEGMENT:
            assert document.segments[segment.anchor].kind is not SegmentKind.FRAME


@given(value=CONTAINERS | SCALARS, trailing=TRAILING, cut=st.integers(0, 3))
def test_it_is_json_exactly_if_a_strict_reader_says_so(value: Any, trailing: str, cut: int) -> None:
    text = json.dumps(value)
    text = text[: len(text) - cut] + trailing
    try:
        is_container = isinstance(json.loads(text), (dict, list))
    except ValueError:
        is_container = False
    assert (parse_json(text) is not None) == is_container


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "5",
        '"a"',
        "{}{}",
        '{"a": 1}\n{"a": 2}\n',
        "[1,]",
        "[,1]",
        '{"a": 1,}',
        "{1: 2}",
        "[nan]",
        "[01]",
        "[1 2]",
        '["a\n"]',
        '["\\x"]',
        "[1]]",
        "[1],",
        "[1}",
        "// note\n[1]",
        "[" + "9" * 4500 + "]",
        "[",
        "{",
        "[1,",
        '{"a": 1,',
        '{"a"',
        "[" * 10_000,
        "[" * (MAX_BRACKETS + 2) + "]" * (MAX_BRACKETS + 2),
        '{"a":' * 10_000,
    ],
)
def test_what_is_not_one_json_value_is_none(text: str) -> None:
    assert parse_json(text) is None


def test_space_and_a_byte_order_mark_may_stand_around_it() -> None:
    document = parse_json('\ufeff\n {"a": 1}\r\n ')
    assert document is not None
    assert [document.of(number) for number in range(2)] == ["{", '"a": 1']


def test_a_large_record_comes_apart_and_every_part_comes_with_its_name() -> None:
    document = read({"components": [COMPONENT, COMPONENT | {"name": "right-pad", "version": "2.0.1"}]}, 2)
    names = [find(document, '"left-pad"'), find(document, '"right-pad"')]
    licences = [number for number in range(len(document.segments)) if "WTFPL" in document.of(number)]
    assert [document.segments[number].anchor for number in licences] == names
    assert [json.loads(f"{{{document.of(name)}}}") for name in names] == [
        {"name": "left-pad", "version": "1.3.0"},
        {"name": "right-pad", "version": "2.0.1"},
    ]


def test_a_small_record_is_one_row() -> None:
    rows = [{"name": f"n{number}", "size": number, "tags": ["a", {"b": 1}]} for number in range(50)]
    document = read(rows, 4)
    kinds = [segment.kind for segment in document.segments]
    assert kinds == [SegmentKind.FRAME] + [SegmentKind.ROW] * 50
    assert json.loads(document.of(7)) == rows[6]


@pytest.mark.parametrize(
    "record, name",
    [
        ({"id": 7, "title": "t"}, "title"),
        ({"ID": "a-1", "state": "open"}, "ID"),
        ({"valid": "yes", "packageId": "p"}, "packageId"),
        ({"SPDXID": "x-1", "name": "n"}, "name"),
        ({"name": "", "key": "k"}, "key"),
    ],
)
def test_what_names_a_record(record: dict[str, Any], name: str) -> None:
    records = [record | {"text": "x" * 300}, record | {"number": 2, "text": "y" * 300}]
    document = read(records)
    anchor = document.segments[find(document, "x" * 300)].anchor
    assert f'"{name}"' in document.of(anchor)


@pytest.mark.parametrize("padding", ["", "p" * 300])
def test_a_record_without_a_name_has_that_of_an_object_in_it(padding: str) -> None:
    pods = [
        {
            "metadata": {"name": f"pod-{number}", "labels": padding},
            "spec": {"image": "i" * 200},
            "status": {"phase": f"phase-{number}", "message": "m" * 150},
        }
        for number in range(2)
    ]
    document = read({"items": pods})
    for number in range(2):
        anchor = document.segments[find(document, f'"phase-{number}"')].anchor
        assert f'"pod-{number}"' in document.of(anchor)


def test_a_name_of_its_own_comes_before_that_of_an_object_in_it() -> None:
    record = {"owner": {"name": "ann", "mail": "m" * 100}, "id": "x-1", "text": "t" * 200}
    document = read([record])
    assert '"id"' in document.of(document.segments[find(document, "ttt")].anchor)


def test_the_whole_text_has_no_name_of_an_object_in_it() -> None:
    document = read({"info": {"title": "API", "about": "a" * 200}, "paths": {"x": "p" * 200, "y": "q" * 200}})
    assert document.segments[find(document, "ppp")].anchor == NO_SEGMENT


def test_a_record_in_a_record_hangs_on_both_names() -> None:
    outer = {"name": "outer", "parts": [{"name": "inner", "note": "a" * 150, "more": "b" * 150}]}
    document = read([outer])
    needed = {document.of(number) for number in document.requirements(find(document, "b" * 150))}
    assert {'"name": "outer"', '"name": "inner"'} <= needed


def test_duplicate_keys_and_escapes_stay() -> None:
    text = '{"a\\u0020b": "\\ud800", "a\\u0020b": "' + "x" * 90 + '"}'
    document = parse_json(text)
    assert document is not None
    assert document.of(1) == '"a\\u0020b": "\\ud800"'
    assert "x" * 90 in document.of(2)


def test_short_items_share_a_segment() -> None:
    document = read(list(range(10_000)))
    assert all(segment.end - segment.start <= 2 * MAX_RUN_CHARS for segment in document.segments)
    assert len(document.segments) < 10_000 / 20
    items = [item for number in range(1, len(document.segments)) for item in document.of(number).split(", ")]
    assert items == list(map(str, range(10_000)))


@pytest.mark.parametrize("between", ["\n", "\r\n", "\n\n", " "])
def test_short_values_of_json_lines_share_a_segment(between: str) -> None:
    records = [f'{{"a":{number}}}' for number in range(10_000)]
    document = parse_nearly_json(between.join(records))
    assert document is not None
    assert all(segment.end - segment.start <= 2 * MAX_RUN_CHARS for segment in document.segments)
    assert len(document.segments) < 10_000 / 10
    found = [
        record for number in range(len(document.segments)) for record in document.of(number).split(between)
    ]
    assert [record for record in found if record] == records


class SignBySign(Values):
    """Reads no container in one step."""

    def _takes_whole(self, _start: int, _bracket: int, _key: str) -> bool:
        return False


@given(
    records=st.lists(VALUES | st.dictionaries(st.text(max_size=9), SCALARS, max_size=1), max_size=9),
    length=st.integers(MAX_WHOLE_CHARS - 12, MAX_WHOLE_CHARS + 2),
    indent=INDENTS,
)
def test_a_container_read_in_one_step_gives_the_same_segments(
    records: list[Any], length: int, indent: int | None
) -> None:
    text = json.dumps([*records, {"a": "b" * length}], indent=indent) + '\n{"a":1}\n{"b":2}, {"c":3}'
    brackets = brackets_of(text)
    reader, slow = Values(text, brackets), SignBySign(text, brackets)
    assert reader.reads()
    assert slow.reads()
    assert list(reader.segments()) == list(slow.segments())


HOSTILE = {
    "numbers": "1,",
    "one-number arrays": "[1],",
    "nested arrays": "[[1]],",
    "objects": '{"a":1},',
    "empty objects": "{},",
    "letters": '"a",',
    "mixed": '[{"a":[1,{"b":2}]}],',
    "long numbers": "1234567890.123456789e5,",
    "strings of 20 characters": f'"{"a" * 20}",',
    "strings of 41 characters": f'"{"a" * 41}",',
    "nesting": "[" * 60 + "]" * 60 + ",",
    "escapes": '"' + "\\n" * 40 + '",',
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("part", HOSTILE.values(), ids=HOSTILE.keys())
def test_segments_are_few_and_large(part: str) -> None:
    text = "[" + part * (200_000 // len(part)) + "0]"
    document = parse_json(text)
    assert document is not None
    assert len(document.segments) <= 20_000
    members = '{"k":' + ',"k":'.join([part[:-1]] * (200_000 // (len(part) + 4))) + "}"
    document = parse_json(members)
    assert document is not None
    assert len(document.segments) <= 20_000


@pytest.mark.parametrize("depth", [MAX_NESTING - 10, MAX_NESTING * 10])
def test_what_is_nested_deep_has_few_segments(depth: int) -> None:
    text = "[" * depth + '"' + "a" * (MAX_WHOLE_CHARS + 1) + '"' + "]" * depth
    document = parse_json(text)
    assert document is not None
    assert len(document.segments) <= MAX_DEPTH + len(text) // MAX_WHOLE_CHARS + 2


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("text", ["[@]", "[@, 1]", '{"a": @}', '[1, {"b": [@, @]}]', '{"a": @}\n{"a": 2}\n'])
def test_what_python_writes_for_no_number_is_a_value_like_any_other(text: str, number: str) -> None:
    string = f'"{"a" * (len(number) - 2)}"'
    document, plain = (parse_nearly_json(text.replace("@", value)) for value in (number, string))
    assert document is not None
    assert plain is not None
    assert document.segments == plain.segments


@pytest.mark.parametrize("beside", ["", '"x", ', "[1], " * 9, "[" * 150 + "]" * 150 + ", "])
@pytest.mark.parametrize("depth", [MAX_NESTING // 2 - 1, MAX_NESTING // 2, 99, 100, 101, 150, 300, 5_000])
def test_how_deep_it_nests_makes_no_json_of_what_is_none(depth: int, beside: str) -> None:
    def nested(inner: str) -> str:
        return f'[{beside}{{"a":' * depth + inner + "}]" * depth

    assert parse_json(nested('[1, {"b": 2}]')) is not None
    for inner in ("[1, x]", '["b": 2]', "[1, {2}]", "[nan]", "[1}", "[1] 2", "", "[1]]"):
        assert parse_json(nested(inner)) is None


@pytest.mark.parametrize("text", ["[1," * MAX_BRACKETS, "[1," * (MAX_BRACKETS // 2), '{"a":1,"b":[2,3]}'])
def test_no_more_than_one_reader_reads_what_is_nested_too_deep_and_what_has_no_slips(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, times = JsonReader.reads, 0

    def counted(self: JsonReader) -> bool:
        nonlocal times
        times += 1
        return reads(self)

    monkeypatch.setattr(JsonReader, "reads", counted)
    monkeypatch.setattr(Values, "reads", counted)
    parse_nearly_json(text)
    assert times == 1


@given(value=CONTAINERS, indent=INDENTS)
def test_a_reader_that_passes_over_slips_reads_json_without_any_alike(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert parse_nearly_json(text) == parse_json(text)


@pytest.mark.timed
@pytest.mark.parametrize("part", [*HOSTILE.values(), "[", '{"a":', '"', "\\", " ", '{"a":1},\n', "[1\n"])
def test_time_is_linear_and_memory_small(part: str) -> None:
    assert is_linear(lambda size: parse_json("[" + part * (size // len(part)) + "0]"), 100_000)
    text = "[" + part * (100_000 // len(part)) + "0]"
    tracemalloc.start()
    parse_json(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * len(text)
