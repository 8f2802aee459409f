"""Long JSON that is read in parts: cut between values, and joined to JSON in which each value stands where it stood."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.json_excerpts import joined_json, json_excerpt
from summarizing.extractive.json_rendering import render_json
from summarizing.text.document import Document
from summarizing.text.json.cutting import MOST_SIZES, JsonPart, json_parts
from summarizing.text.json.records import parse_part
from tests.summarizing.extractive.test_json_rendering import CONTAINERS, VALUES, kept_scalars, marks, scalars
from tests.support.lock_holds import longest_calls

SIZES = st.integers(20, 400)
INDENTS = st.sampled_from([None, 0, 2])


def cut(text: str, size: int) -> list[JsonPart]:
    """Return the parts of a text; of one that has a single value longer than several parts, the whole."""
    return json_parts(text, size) or [JsonPart(0, len(text))]


def parsed(text: str, parts: list[JsonPart]) -> list[Document]:
    documents = [parse_part(text, part) for part in parts]
    found = [one for one in documents if one is not None]
    assert len(found) == len(documents)
    return found


@given(CONTAINERS, INDENTS, SIZES)
def test_parts_are_the_whole_text_in_order(value: Any, indent: int | None, size: int) -> None:
    text = json.dumps(value, indent=indent)
    parts = cut(text, size)
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert [part.open_before for part in parts] == [(), *(part.open_after for part in parts[:-1])]


PIECES = ["[", "]", "{", "}", '"', "\\", ",", ":", '"a"', "1", " ", "x" * 30, '["a", 1],', '{"b": 2},']


@given(st.lists(st.sampled_from(PIECES), max_size=80).map("".join), st.integers(5, 60))
def test_no_part_of_what_may_be_json_is_too_long(text: str, size: int) -> None:
    parts = json_parts(text, size) or []
    assert all(part.end - part.start <= MOST_SIZES * size for part in parts)


def test_json_with_a_quote_that_nothing_closes_is_not_cut_into_a_part_without_an_end() -> None:
    assert json_parts("[" + '"a",' * 500 + '"' + "b, " * 5_000, 200) is None


@pytest.mark.timed
@pytest.mark.parametrize("unit", ['\\"', "a", "\\\\n"])
def test_a_long_string_does_not_hold_the_interpreter(unit: str) -> None:
    text = f'["{unit * 4_000_000}"]'
    longest, _ = longest_calls(lambda: json_parts(text, 10_000))
    short, _ = longest_calls(lambda: json_parts(text[:400_000], 10_000))
    assert longest["match"] < 4 * short["match"] + 0.005


@given(CONTAINERS, INDENTS, SIZES)
def test_each_part_is_json_with_values_of_the_text(value: Any, indent: int | None, size: int) -> None:
    text = json.dumps(value, indent=indent)
    found = Counter[Any]()
    for part in cut(text, size):
        found += Counter(scalars(json.loads(part.text_in(text))))
    assert found == Counter(scalars(value))


@given(CONTAINERS, INDENTS, SIZES)
def test_all_of_each_part_is_the_same_value(value: Any, indent: int | None, size: int) -> None:
    text = json.dumps(value, indent=indent)
    documents = parsed(text, cut(text, size))
    whole = joined_json([json_excerpt(one, range(len(one.segments))) for one in documents])
    assert json.loads(render_json(whole, range(len(whole.segments)))) == value


@given(CONTAINERS, INDENTS, SIZES, st.data())
def test_what_is_kept_of_parts_stands_where_it_stood(
    value: Any, indent: int | None, size: int, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent)
    kept, excerpts = Counter[Any](), []
    for document in parsed(text, cut(text, size)):
        chosen = data.draw(st.lists(st.integers(0, len(document.segments) - 1), unique=True, max_size=6))
        excerpts.append(json_excerpt(document, chosen))
        for number in chosen:
            kept += Counter(kept_scalars(document, number))
    whole = joined_json(excerpts)
    shown = Counter(scalars(json.loads(render_json(whole, range(len(whole.segments))))))
    assert not shown - Counter(scalars(value))
    assert not kept - shown


@given(st.lists(st.integers() | st.text(max_size=60), min_size=1), SIZES, st.data())
def test_items_shown_and_items_left_out_of_all_parts_add_up(
    items: list[Any], size: int, data: st.DataObject
) -> None:
    text = json.dumps(items)
    excerpts = [
        json_excerpt(one, data.draw(st.lists(st.integers(0, len(one.segments) - 1), unique=True)))
        for one in parsed(text, cut(text, size))
    ]
    whole = joined_json(excerpts)
    some = data.draw(st.lists(st.integers(0, len(whole.segments) - 1), unique=True))
    rendered = json.loads(render_json(whole, some))
    missing = sum(number for number, _ in marks(rendered))
    assert len(rendered) - bool(missing) + missing == len(items)


@given(st.lists(st.integers() | st.text(max_size=60), min_size=1), SIZES, st.data())
def test_an_excerpt_of_an_excerpt_counts_what_both_left_out(
    items: list[Any], size: int, data: st.DataObject
) -> None:
    text = json.dumps(items)
    excerpts = parsed(text, cut(text, size))
    for _ in range(2):
        excerpts = [
            json_excerpt(one, data.draw(st.lists(st.integers(0, len(one.segments) - 1), unique=True)))
            for one in excerpts
        ]
    whole = joined_json(excerpts)
    rendered = json.loads(render_json(whole, range(len(whole.segments))))
    missing = sum(number for number, _ in marks(rendered))
    assert len(rendered) - bool(missing) + missing == len(items)


@given(st.lists(VALUES.filter(lambda value: isinstance(value, (dict, list))), min_size=2, max_size=12), SIZES)
def test_values_one_after_the_other_stay_values(values: list[Any], size: int) -> None:
    text = "\n".join(map(json.dumps, values))
    parts = cut(text, size)
    documents = parsed(text, parts) if len(parts) > 1 else []
    whole = joined_json([json_excerpt(one, range(len(one.segments))) for one in documents])
    rendered = render_json(whole, range(len(whole.segments))) if documents else text
    read, at = [], 0
    while at < len(rendered):
        found, at = json.JSONDecoder().raw_decode(rendered, at)
        read.append(found)
        at = len(rendered) - len(rendered[at:].lstrip())
    assert read == values


@pytest.mark.parametrize("text", ["]", '{"a": [[1], 2, 3}'])
def test_what_closes_nothing_that_is_open_is_not_cut(text: str) -> None:
    assert json_parts(text, 4) is None


def test_a_string_of_many_parts_is_not_cut() -> None:
    assert json_parts(json.dumps(["word " * 200, 1]), 100) is None


def test_a_long_string_in_sentences_tells_what_is_missing_of_it() -> None:
    said = " ".join(f"Sentence number {number} of the report says a thing." for number in range(40))
    text = json.dumps(
        [{"id": 1, "body": said}, *({"id": number, "body": "short"} for number in range(2, 60))]
    )
    documents = parsed(text, json_parts(text, 2_500) or [])
    assert len(documents) > 1
    first = documents[0]
    third = next(at for at in range(len(first.segments)) if "number 3 " in first.of(at))
    excerpts = [json_excerpt(first, [third]), *(json_excerpt(one, ()) for one in documents[1:])]
    whole = joined_json(excerpts)
    rendered = json.loads(render_json(whole, range(len(whole.segments))))
    assert rendered[0]["body"] == "[...] Sentence number 3 of the report says a thing. [...]"
    assert rendered[1:] == ["[58 items left out]"]
    again = json_excerpt(excerpts[0], range(len(excerpts[0].segments)))
    assert (again.gaps, again.cut_ends) == (excerpts[0].gaps, excerpts[0].cut_ends)
