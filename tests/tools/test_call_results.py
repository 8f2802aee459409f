"""The parts of a tool's result: what is text, what is a copy, and what stays when the text is replaced."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.offload import SHORT_CHARS
from tools.call_results import (
    OUTCOME_KEY,
    SMALL_CHARS,
    chars_of,
    is_small,
    json_of,
    text_of,
    with_meta,
    with_text,
    without_copy,
)

TEXT = {"type": "text", "text": "one"}
IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
LINK = {"type": "resource_link", "uri": "file:///a", "name": "a"}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///b", "text": "two"}}
BINARY = {"type": "resource", "resource": {"uri": "file:///c", "blob": "AAAA"}}


def test_the_text_is_that_of_text_blocks_embedded_texts_and_structured_content() -> None:
    result = {"content": [TEXT, IMAGE, EMBEDDED, BINARY], "structuredContent": {"ä": 1}}
    assert text_of(result) == 'one\n\ntwo\n\n{"ä": 1}'


@pytest.mark.parametrize("result", [{}, {"content": None}, {"content": [IMAGE, LINK]}, {"content": ["x", 5]}])
def test_what_has_no_text_has_none(result: dict[str, Any]) -> None:
    assert text_of(result) == ""


def test_a_new_text_replaces_all_texts_and_nothing_else() -> None:
    result = {"content": [TEXT, IMAGE, EMBEDDED, LINK], "structuredContent": {}, "_meta": {"a": 1}, "x": 2}
    assert with_text(result, "new") == {
        "content": [{"type": "text", "text": "new"}, IMAGE, LINK],
        "_meta": {"a": 1},
        "x": 2,
    }


def test_structured_content_that_a_text_repeats_goes() -> None:
    value = {"pods": [1, 2], "ok": True}
    copied = {"content": [{"type": "text", "text": json.dumps(value, indent=4)}], "structuredContent": value}
    assert without_copy(copied) == {"content": copied["content"]}


def test_structured_content_whose_members_are_the_texts_goes() -> None:
    copied = {"content": [TEXT, EMBEDDED], "structuredContent": {"content": "one", "more": "two"}}
    assert without_copy(copied) == {"content": copied["content"]}
    more = {"content": [TEXT], "structuredContent": {"content": "one", "count": 5}}
    assert without_copy(more) is more


@pytest.mark.parametrize("text", ["pods", '{"pods": 3}', "{", "[" * 100_000, ""])
def test_structured_content_that_says_more_stays(text: str) -> None:
    result = {"content": [{"type": "text", "text": text}], "structuredContent": {"pods": 2}}
    assert without_copy(result) is result


def test_the_outcome_stands_beside_what_the_server_has_in_meta() -> None:
    assert with_meta({"_meta": {"a": 1}}, {"b": 2})["_meta"] == {"a": 1, OUTCOME_KEY: {"b": 2}}
    assert with_meta({"_meta": "odd"}, {})["_meta"] == {OUTCOME_KEY: {}}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON, st.integers(0, 3))
def test_json_written_a_member_at_a_time_is_the_same(value: Any, levels: int) -> None:
    assert json_of(value, levels) == json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize(
    "value", ["x" * (SHORT_CHARS + 1), ["x" * 1000] * 100, [[0] * 100] * 1000, {"a": {"b": ["xx"] * 50_000}}]
)
def test_a_long_value_is_known_for_one(value: Any) -> None:
    assert chars_of(value) > SHORT_CHARS


def test_a_short_value_is_known_for_one() -> None:
    assert chars_of({"content": [{"type": "text", "text": "x" * 1000}], "isError": False}) < 1200


@pytest.mark.parametrize(
    "value",
    [
        "x" * SMALL_CHARS,
        [""] * 100,
        [0] * 2000,
        {"x" * SMALL_CHARS: 0},
        {"a": {"b": [{"c": "xx" * SMALL_CHARS}]}},
    ],
)
def test_what_takes_the_event_loop_too_long_is_not_small(value: Any) -> None:
    assert not is_small(value)


def test_a_result_of_a_page_is_small() -> None:
    assert is_small({"content": [{"type": "text", "text": "x" * 3000}], "isError": False})
