"""JSON that nests deep: what comes of it is JSON, keeps records, and marks what it lacks in JSON's own form."""

import json
from typing import Any

import pytest

from summarizing.job import Request
from summarizing.outcome import Summary
from summarizing.slicing import WHOLE_BYTES
from summarizing.text.json.reader import MAX_NESTING
from tests.support.parts import a_summarizer

TARGET = 1_500
FEW, MANY = 3_000, 60_000
BRACKETS = pytest.mark.parametrize(
    "opening, closing", [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"]
)
RECORDS = pytest.mark.parametrize("records", [FEW, MANY], ids=["one slice", "slices"])


def nested(opening: str, closing: str, depth: int, records: int) -> str:
    items = ",".join(f'{{"id":{number}}}' for number in range(records))
    text = f"{opening * depth}[{items}]{closing * depth}"
    assert (len(text) > WHOLE_BYTES) == (records == MANY)
    return text


async def summary_of(text: str) -> Summary:
    async with a_summarizer(None) as summarizer:
        return await summarizer.summarize(Request(text, TARGET))


def innermost(value: Any, depth: int) -> Any:
    for _ in range(depth):
        (value,) = value.values() if isinstance(value, dict) else value
    return value


@BRACKETS
@RECORDS
@pytest.mark.parametrize("depth", [40, 60, MAX_NESTING - 1])
async def test_records_that_are_nested_deep_are_kept_in_their_place(
    opening: str, closing: str, depth: int, records: int
) -> None:
    summary = await summary_of(nested(opening, closing, depth, records))
    *kept, mark = innermost(json.loads(summary.text), depth)
    assert len(kept) > 50
    assert all(set(record) == {"id"} for record in kept)
    assert mark == f"[{records - len(kept)} items left out]"
    assert summary.outcome.reason is None


@BRACKETS
@RECORDS
@pytest.mark.parametrize("depth", [MAX_NESTING * 3, 5_000])
async def test_of_json_that_nests_too_deep_the_outcome_says_that_nothing_is_kept(
    opening: str, closing: str, depth: int, records: int
) -> None:
    summary = await summary_of(nested(opening, closing, depth, records))
    json.loads(summary.text)
    assert summary.outcome.reason is not None
    assert "nested too deep" in summary.outcome.reason


async def test_what_stands_above_and_below_what_nests_too_deep_is_kept() -> None:
    deep = "[" * 400 + ",".join(f'"{number}"' for number in range(100_000)) + "]" * 400
    summary = await summary_of(f'{{"first":"of all","deep":{deep},"last":"of all"}}')
    assert json.loads(summary.text) == {"first": "of all", "last": "of all", "[1 member left out]": True}
