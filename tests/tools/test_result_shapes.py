"""The shapes of other tools' results: what is summarized of one, and what comes back around the summary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.parts import prose, the_tokenizer
from tools.result_shapes import ResultShape, shape_of

LONG = prose(20)
IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
DONE = {"original_tokens": 9}


def shape(result: Any, limit: int = 100) -> ResultShape:
    return shape_of(result, limit, the_tokenizer())


def shortened(result: Any, limit: int = 100) -> Any:
    return json.loads(shape(result, limit).with_summary("short", DONE))


def test_a_text_is_replaced_by_its_summary() -> None:
    of_text = shape(LONG)
    assert (of_text.given, of_text.whole, of_text.long) == (LONG, LONG, LONG)
    assert of_text.tokens == the_tokenizer().count(LONG)
    assert of_text.with_summary("short", DONE) == "short"


def test_the_long_member_of_an_object_is_replaced_and_the_others_stay_where_they_were() -> None:
    given = {"ok": True, "result": LONG, "code": 0}
    assert shape(given).long == LONG
    assert json.loads(shape(given).given) == given
    assert list(shortened(given).items()) == [
        ("ok", True),
        ("result", "short"),
        ("code", 0),
        ("_summarized", DONE),
    ]


def test_a_member_that_is_no_text_is_summarized_as_json() -> None:
    pods = [{"pod": number} for number in range(200)]
    assert json.loads(shape({"items": pods, "next": "x"}).long) == pods
    assert shortened({"items": pods, "next": "x"}) == {"items": "short", "next": "x", "_summarized": DONE}


def test_several_long_members_become_one() -> None:
    given = {"stdout": LONG, "code": 1, "stderr": LONG}
    assert json.loads(shape(given).long) == {"stdout": LONG, "stderr": LONG}
    assert shortened(given) == {"code": 1, "result": "short", "_summarized": DONE}
    assert shortened({**given, "result": "ok"}) == {
        "code": 1,
        "result": "ok",
        "_result": "short",
        "_summarized": DONE,
    }


def test_members_that_are_short_but_many_become_one_too() -> None:
    given = {f"pod-{number}": "Running" for number in range(500)}
    found = shortened(given)
    assert found["result"] == "short"
    assert len(found) < 20
    assert len(json.loads(shape(given).long)) + len(found) - 2 == 500


def test_a_result_as_mcp_has_it_keeps_its_other_blocks() -> None:
    given = {
        "content": [{"type": "text", "text": LONG}, IMAGE, {"type": "text", "text": "two"}],
        "structuredContent": {"rows": 5},
        "_meta": {"a": 1},
    }
    of_mcp = shape(given)
    assert of_mcp.long == of_mcp.whole == f'{LONG}\n\ntwo\n\n{{"rows": 5}}'
    assert json.loads(of_mcp.given) == given
    assert shortened(given) == {"content": [{"type": "text", "text": "short"}, IMAGE], "_meta": {"a": 1}}
    assert shortened(given["content"]) == [{"type": "text", "text": "short"}, IMAGE]


def test_an_error_as_mcp_has_it_is_never_summarized() -> None:
    given = {"content": [{"type": "text", "text": LONG}], "isError": True}
    assert not shape(given).may_be_summarized
    assert shape({**given, "isError": False}).may_be_summarized


@pytest.mark.parametrize("given", [[1, "two", {"three": 3}], [], [{"type": "pod"}]])
def test_an_array_has_a_text_as_its_summary(given: list[Any]) -> None:
    assert json.loads(shape(given).long) == given
    assert shape(given).with_summary("short", DONE) == "short"


def test_an_empty_object_is_empty() -> None:
    assert shape({}).given == "{}"
