"""JSON of which only some is kept: still JSON, each value where it stood, and what is missing is told."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.json_rendering import render_json
from summarizing.text.document import Document, SegmentKind
from summarizing.text.json.records import parse_json, parse_nearly_json
from summarizing.text.tokenizer import Tokenizer
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear, least_seconds, takes_less

MARK = re.compile(r"\[(?:(\d+) items?)?(?: and )?(?:(\d+) members?)? left out\]")

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=70)
VALUES = st.recursive(
    SCALARS | st.text(min_size=50, max_size=90),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.text(max_size=8) | st.sampled_from(["name", "id"]), inner, max_size=6)
    ),
    max_leaves=50,
)
CONTAINERS = st.lists(VALUES) | st.dictionaries(st.text(max_size=12), VALUES)


def read(value: Any, indent: int | None = None) -> Document:
    document = parse_json(json.dumps(value, indent=indent))
    assert document is not None
    return document


def is_mark(value: Any) -> bool:
    return isinstance(value, str) and MARK.fullmatch(value) is not None


def scalars(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each scalar with the keys above it, but for marks; an item's place in its array is no part of the path."""
    if isinstance(value, dict):
        for key, member in value.items():
            if not is_mark(key):
                yield from scalars(member, (*path, key))
    elif isinstance(value, list):
        for item in value:
            if not is_mark(item):
                yield from scalars(item, (*path, "[]"))
    else:
        yield path, repr(value)


def marks(value: Any) -> Iterator[tuple[int, int]]:
    """Yield how many items and members each mark tells of."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from marks(member if not is_mark(key) else key)
    elif isinstance(value, list):
        for item in value:
            yield from marks(item)
    elif is_mark(value) and (found := MARK.fullmatch(value)):
        yield int(found[1] or 0), int(found[2] or 0)


@st.composite
def choices(draw: st.DrawFn) -> tuple[Any, Document, list[int]]:
    """Draw a value, its document and some of its segments."""
    value = draw(CONTAINERS)
    document = read(value, draw(st.sampled_from([None, 0, 2])))
    kept = draw(st.lists(st.integers(0, len(document.segments) - 1), unique=True, max_size=12))
    return value, document, kept


@given(choice=choices())
def test_what_comes_out_is_json_and_each_value_stands_where_it_stood(
    choice: tuple[Any, Document, list[int]],
) -> None:
    value, document, kept = choice
    shown = Counter(scalars(json.loads(render_json(document, kept))))
    assert not shown - Counter(scalars(value))
    assert not sum((Counter(kept_scalars(document, number)) for number in kept), Counter()) - shown


def kept_scalars(document: Document, number: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what one segment says, with the keys above it."""
    above = [document.of(each) for each in document.above(number)]
    part = document.of(number)
    if document.segments[number].kind is SegmentKind.FRAME:
        return
    if above:
        part = f"[{part}]" if above[0][-1] == "[" else f"{{{part}}}"
    for frame, over in zip(above, [*above[1:], ""], strict=True):
        keyed = frame[:-1] + part if over.endswith("{") or not over else part
        part = (f"{{{keyed}}}" if over.endswith("{") else f"[{part}]") if over else part
    yield from scalars(json.loads(part))


@given(value=CONTAINERS, indent=st.sampled_from([None, 3]))
def test_where_all_is_kept_it_is_the_same_value_without_a_mark(value: Any, indent: int | None) -> None:
    document = read(value, indent)
    rendered = render_json(document, range(len(document.segments)))
    assert json.loads(rendered) == value
    assert list(marks(json.loads(rendered))) == []


@given(choice=choices())
def test_a_record_comes_with_what_names_it(choice: tuple[Any, Document, list[int]]) -> None:
    _, document, kept = choice
    rendered = render_json(document, kept)
    needed = {each for number in kept for each in document.requirements(number)}
    assert render_json(document, [*needed, *kept]) == rendered


@given(value=CONTAINERS)
def test_of_nothing_kept_the_mark_tells_how_much_there_was(value: Any) -> None:
    rendered = json.loads(render_json(read(value), []))
    assert list(scalars(rendered)) == []
    assert sum(map(sum, marks(rendered))) == len(value)


@given(items=st.lists(st.integers() | st.text(max_size=60), min_size=1), data=st.data())
def test_items_shown_and_items_left_out_add_up(items: list[Any], data: st.DataObject) -> None:
    document = read(items)
    kept = data.draw(st.sets(st.integers(0, len(document.segments) - 1)))
    rendered = json.loads(render_json(document, kept))
    shown = [item for item in rendered if not is_mark(item)]
    assert len(shown) + sum(count for count, _ in marks(rendered)) == len(items)


def test_json_with_nan_or_infinity_comes_out_with_all_brackets_closed(tokenizer: Tokenizer) -> None:
    steps = [
        {"step": at, "loss": float("nan") if at == 50 else 1 / (at + 1), "rate": 0.001} for at in range(100)
    ]
    value = json.loads(
        extract(json.dumps({"steps": steps, "most": float("inf")}, indent=2), 120, "", tokenizer).text
    )
    assert value["steps"]


def test_records_in_part_share_one_mark() -> None:
    records = [
        {"name": f"n{number}", "version": f"1.{number}", "hash": "f" * 256, "licence": f"L{number}"}
        for number in range(12)
    ]
    document = read({"title": "all", "count": 12, "records": records}, 2)
    kept = [number for number in range(len(document.segments)) if re.search('"L[24]"', document.of(number))]
    assert render_json(document, kept) == (
        '{\n"title":"all","count":12,\n"records":[\n'
        '{"name":"n2","version":"1.2","licence":"L2"},\n'
        '{"name":"n4","version":"1.4","licence":"L4"},\n'
        '"[10 items and 2 members left out]"]}'
    )


def test_each_object_that_is_in_no_array_tells_what_it_lost() -> None:
    value = {
        "kind": "Deployment",
        "note": "n" * 90,
        "spec": {"a": "x" * 90, "b": {"c": "y" * 190, "replicas": "3" * 20, "d": "z" * 90}},
    }
    document = read(value)
    kept = [number for number in range(len(document.segments)) if "replicas" in document.of(number)]
    assert render_json(document, kept) == (
        '{\n"spec":{\n"b":{"replicas":"33333333333333333333","[2 members left out]":true},\n"[1 member left out]":true},\n'
        '"[2 members left out]":true}'
    )


def test_strings_keep_their_space_and_escapes() -> None:
    document = parse_json('{ "a" :  "b  c\\n\\u00e9 : ,"  , "d":[ ] }')
    assert document is not None
    assert render_json(document, [1, 2]) == '{\n"a":"b  c\\n\\u00e9 : ,",\n"d":[]}'


TEXT = (
    'First of all, the house is red. It has "three" doors, as Dr. Who said. A line ends here\n\n- an item of it\n- another one\n'
    + "A sentence that is wrapped over a line which has more than sixty characters\nand goes on there. " * 6
)


def test_a_long_string_comes_in_sentences_with_marks() -> None:
    document = read({"title": "t", "body": TEXT, "tail": ["x" * 300]})
    sentences = [n for n, part in enumerate(document.segments) if part.kind is SegmentKind.SENTENCE]
    assert [json.loads(f'"{document.of(n)}"') for n in sentences[:4]] == [
        "First of all, the house is red.",
        'It has "three" doors, as Dr. Who said.',
        "A line ends here\n\n- an item of it",
        "- another one\nA sentence that is wrapped over a line which has more than sixty characters\nand goes on there.",
    ]
    found = json.loads(render_json(document, [sentences[1], sentences[2], sentences[5]]))
    assert found["body"] == (
        '[...] It has "three" doors, as Dr. Who said. A line ends here\n\n- an item of it [...] '
        "A sentence that is wrapped over a line which has more than sixty characters\nand goes on there. [...]"
    )
    assert json.loads(render_json(document, range(len(document.segments)))) == {
        "title": "t",
        "body": TEXT,
        "tail": ["x" * 300],
    }


@given(
    parts=st.lists(
        st.text(max_size=30) | st.sampled_from([". ", "\n", "! ", "\\n", '" ', "。"]), max_size=60
    ),
    data=st.data(),
)
def test_of_a_long_string_each_stretch_is_the_string_s_own(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts) + "A word and another one. " * 40
    document = read([text])
    assert json.loads(render_json(document, range(len(document.segments)))) == [text]
    kept = data.draw(st.sets(st.integers(0, len(document.segments) - 1), min_size=1))
    at = 0
    for stretch in json.loads(render_json(document, kept))[0].split("[...]") if max(kept) else []:
        at = text.index(stretch.strip(), at) + len(stretch.strip())


def test_an_empty_value_stays() -> None:
    for text in ("{}", "[ ]"):
        document = parse_json(text)
        assert document is not None
        assert render_json(document, []) == text.replace(" ", "")


@pytest.mark.timed
@pytest.mark.parametrize(
    "part",
    [
        "1,",
        '{"a":1,"b":[2]},',
        '["' + "x" * 60 + '",{"name":"' + "y" * 120 + '"}],',
        "[" * 300 + "]" * 300 + ",",
    ],
)
def test_time_is_linear(part: str) -> None:
    def render(size: int) -> None:
        document = parse_json("[" + part * (size // len(part)) + "0]")
        assert document is not None
        render_json(document, range(0, len(document.segments), 3))

    assert is_linear(render, 100_000)


@pytest.mark.parametrize("share", [5, 10])
def test_what_is_extracted_of_json_is_json_and_fills_the_target(tokenizer: Tokenizer, share: int) -> None:
    records = [
        {
            "type": "library",
            "name": f"part-{number}",
            "version": f"{number}.0",
            "hashes": [{"alg": "SHA-512", "content": f"{number:0128x}"}],
            "licence": {"id": ["MIT", "ISC"][number % 2]},
        }
        for number in range(300)
    ]
    text = json.dumps({"format": "list of parts", "parts": records}, indent=4)
    target = tokenizer.count(text) // share
    found = extract(text, target, "names and versions of the parts", tokenizer).text
    assert len(json.loads(found)["parts"]) > 200 // share
    assert 0.8 * target < tokenizer.count(found) <= target


def test_where_no_member_fits_the_target_it_is_still_json(tokenizer: Tokenizer) -> None:
    text = json.dumps({"key": "no-space-" * 200, "other": ["x" * 900]})
    found = extract(text, 12, "keys", tokenizer).text
    assert json.loads(found) == {"[2 members left out]": True}


@pytest.mark.parametrize("target", [30, 40])
def test_where_no_record_fits_the_target_some_of_its_members_come(tokenizer: Tokenizer, target: int) -> None:
    records = [
        {"name": f"part-{number}", "text": "many words " * 15, "licence": "MIT"} for number in range(40)
    ]
    found = extract(json.dumps({"parts": records}), target, "licences", tokenizer).text
    assert tokenizer.count(found) <= target
    assert {"name": "part-0", "licence": "MIT"} in json.loads(found)["parts"]


DEPTH = 1_000
DEEP = {
    "arrays": "[" * DEPTH + '"a deep string"' + "]" * DEPTH,
    "objects": '{"a": ' * DEPTH + '"a deep string"' + "}" * DEPTH,
    "on lines": "[\n" * DEPTH + "1" + "\n]" * DEPTH,
    "indented": "".join(f"{' ' * at}{{\"key\":\n" for at in range(DEPTH)) + "1\n" + "}\n" * DEPTH,
    "a tree": '{"name": "node", "children": [' * DEPTH + "]}" * DEPTH,
    "beside others": '{"before": "a member", "deep": ' + "[" * DEPTH + "]" * DEPTH + ', "after": [1, 2]}',
    "far too deep to be read": "[" * 50_000 + "]" * 50_000,
}  # fmt: skip


@pytest.mark.unmeasured
@pytest.mark.parametrize("target", [10, 50, 300])
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_of_json_that_is_nested_deep_comes_json_with_a_mark(
    tokenizer: Tokenizer, text: str, target: int
) -> None:
    found = extract(text, target, "", tokenizer).text
    assert tokenizer.count(found) <= target
    assert list(marks(json.loads(found)))


@pytest.mark.parametrize("target", [6, 8])
@pytest.mark.parametrize("value", [{"items": ["one string", "two"] * 8}, ["one string", "two"] * 8])
def test_without_room_for_a_count_the_mark_has_none(tokenizer: Tokenizer, value: Any, target: int) -> None:
    found = extract(json.dumps(value), target, "", tokenizer).text
    assert tokenizer.count(found) <= target
    assert "[...]" in json.loads(found) or list(marks(json.loads(found)))


@pytest.mark.parametrize("target", [1, 2, 3])
def test_without_room_for_any_mark_the_answer_begins_with_a_word(tokenizer: Tokenizer, target: int) -> None:
    found = extract(json.dumps({"items": ["one string", "two"] * 8}), target, "", tokenizer).text
    assert found[0].isalnum()


@pytest.mark.timed
def test_json_that_says_nothing_is_not_read_in_smaller_parts(tokenizer: Tokenizer) -> None:
    text = json.dumps([""] * 20_000)
    once = least_seconds(lambda: parse_nearly_json(text))
    assert takes_less(lambda: extract(text, 20, "", tokenizer), 6 * once)


@given(value=CONTAINERS, target=st.integers(1, 200))
def test_json_comes_out_within_any_target(value: Any, target: int) -> None:
    text = json.dumps(value)
    tokenizer = the_tokenizer()
    found = extract(text, target, "", tokenizer).text
    assert tokenizer.count(found) <= target
    if target >= 10:
        assert set(scalars(json.loads(found))) <= set(scalars(value))


def read_nearly(text: str) -> Document:
    document = parse_nearly_json(text)
    assert document is not None
    return document


@given(
    records=st.lists(
        st.fixed_dictionaries({"name": st.text('ab \\"é', max_size=40), "n": st.integers()}), min_size=5
    ),
    data=st.data(),
)
def test_of_json_that_is_cut_off_comes_json_with_what_was_whole(
    records: list[Any], data: st.DataObject
) -> None:
    text = json.dumps({"records": records}, indent=1)
    cut = data.draw(st.integers(len(text) * 3 // 4, len(text) - 1))
    document = read_nearly(text[:cut])
    shown = json.loads(render_json(document, range(len(document.segments))))
    whole = text[:cut].count("}")
    assert shown["records"][:whole] == records[: min(whole, len(records))]
    assert set(scalars(shown)) <= set(scalars({"records": records}))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1,, "b": [2, 3,], "c": {"d": 4,},}',
        '{"a": 1, /* why */ "b": [2, 3], // done\n "c": {"d": 4}}',
        '{"a": 1 "b": [2, 3] "c": {"d": 4}}',
        '{"a": 1, "b": [2, 3], "c": {"d": 4 ',
        '// exported by hand\n{"a": 1, "b": [2, 3], "c": {"d": 4}}',
        '\ufeff# exported\n\n  /* in two\n  lines */ // {\n{"a": 1, "b": [2, 3], "c": {"d": 4}}',
    ],
)  # fmt: skip
def test_slips_are_no_part_of_what_comes_out(text: str) -> None:
    document = read_nearly(text)
    assert json.loads(render_json(document, range(len(document.segments)))) == {
        "a": 1,
        "b": [2, 3],
        "c": {"d": 4},
    }


@given(
    records=st.lists(st.dictionaries(st.text(max_size=9), VALUES, max_size=4), min_size=2, max_size=5),
    data=st.data(),
)
def test_of_json_lines_come_json_lines(records: list[Any], data: st.DataObject) -> None:
    document = read_nearly("".join(json.dumps(record) + "\n" for record in records))
    assert [
        json.loads(line) for line in render_json(document, range(len(document.segments))).split("\n")
    ] == records
    kept = data.draw(st.sets(st.sampled_from(range(len(document.segments)))))
    shown = [json.loads(line) for line in render_json(document, kept).split("\n")]
    assert {path for path, _ in map(tuple, scalars(shown))} <= {path for path, _ in scalars(records)}


@given(
    records=st.lists(
        st.dictionaries(st.sampled_from(["a", "}\n{", '"']), st.integers(0, 99), max_size=2), min_size=2
    ),
    between=st.sampled_from(["\n", "\r\n", " ", "\n\n"]),
    data=st.data(),
)
def test_short_json_lines_are_shown_or_counted(records: list[Any], between: str, data: st.DataObject) -> None:
    document = read_nearly(between.join(map(json.dumps, records)))
    kept = data.draw(st.sets(st.sampled_from(range(len(document.segments)))))
    shown = [json.loads(line) for line in render_json(document, kept).split("\n") if line]
    marks = [MARK.fullmatch(line) for line in shown if isinstance(line, str)]
    left_out = sum(int(mark[1] or 0) for mark in marks if mark)
    values = [line for line in shown if not isinstance(line, str)]
    assert len(values) + left_out == len(records)
    rest = iter(records)
    assert all(value in rest for value in values)


@pytest.mark.parametrize(
    "text",
    [
        "[1] A. Author, A title.",
        "# Notes\n[a link](b)",
        '# Sources of the Lund report\n\n[1] "The harbour of Lund"\n[2] "Ships and tides"\n',
        "# Levels measured in Lund in 2024\n\n[1, 2, 3, 4]\n\n[5, 6, 7, 8]\n",
        "/* {\n[1]",
        "[section]\nkey = 1",
        "{{ name }} is here.",
        "[ ] to do",
        "{}x",
        # What curl writes behind an answer, and a word that no notation has there: not JSON, and none of it is a rest that was cut off.
        '{"error": "the door is locked"}200',
        '{"name": "Ann Lee of house four", "size": 12345, "door": to the left}',
        '{"name": "Ann Lee of house four", "size": 12345, "door": to the left, "why": "it is lo',
    ],
)
def test_other_texts_are_not_nearly_json(text: str) -> None:
    assert parse_nearly_json(text) is None
