"""In which order the slices of a long text are read for a query: each once where that can be, with the same result in any order."""

import json
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest

from summarizing import fact_recovery, slicing, work_in_slices
from summarizing.extractive import extractive_summary
from summarizing.fact_recovery import SliceSurveys
from summarizing.facts.text_reading import Reading
from summarizing.faithfulness.lost_facts import Survey
from summarizing.offload import OutOfTime
from summarizing.query import Query
from summarizing.relevance.first_places import FirstPlaces
from summarizing.slice_readings import READ_AHEAD, SliceReadings
from summarizing.text.tokenizer import Tokenizer
from summarizing.work_in_slices import SlicesSummary
from tests.summarizing.test_work_in_slices import ANIMALS, RECORDS, SLICE, ledger, sightings, work
from tests.support.parts import the_tokenizer


@pytest.fixture(autouse=True)
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every text a long one."""
    monkeypatch.setattr(slicing.slices_of, "__defaults__", (SLICE, SLICE))


LATE = f"{ledger(40)}A zebra, a gazelle, a walrus and an otter came to the quay.\n"
LATE_RECORDS = json.dumps([*RECORDS, {"name": "zebra", "seen": "gazelle, walrus, otter"}])
COMMON_AND_LATE = Query("keepers and parts with zebras, gazelles, walruses, otters")


async def summary_and_steps(text: str, query: Query) -> tuple[SlicesSummary, list[tuple[int, int]]]:
    """Return the summary of a text, and what is said of its slices meanwhile."""
    heard = list[tuple[int, int]]()
    summary = await work_in_slices.summarize(
        text, query, 400, work(), until=None, on_slice=lambda done, of: heard.append((done, of))
    )
    return summary, heard


async def said(text: str, query: Query) -> tuple[Any, ...]:
    """Return what a summary says, and what it says of the query."""
    summary, _ = await summary_and_steps(text, query)
    return summary.text, summary.facts, summary.found.names, summary.found.is_unrelated


@pytest.mark.parametrize("text", [LATE, LATE_RECORDS], ids=["prose", "JSON"])
async def test_a_text_that_has_most_of_a_query_at_its_end_is_read_once(text: str) -> None:
    summary, heard = await summary_and_steps(text, COMMON_AND_LATE)
    assert summary.slices > 5
    assert heard == [(number + 1, summary.slices) for number in range(summary.slices)]
    assert not summary.found.is_unrelated
    assert all(animal in summary.text for animal in ANIMALS)


@pytest.mark.parametrize(
    "query",
    [COMMON_AND_LATE, Query(" ".join(ANIMALS)), Query("keepers, parts, gnus, apples, pears"), Query()],
    ids=["late", "in single places", "unrelated", "none"],
)
@pytest.mark.parametrize("text", [LATE, sightings(), LATE_RECORDS], ids=["prose", "sightings", "JSON"])
async def test_in_whatever_order_slices_are_read_the_summary_is_the_same(
    text: str, query: Query, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        work_in_slices, "MOST_OFFERED_TOKENS", 0
    )  # what a slice offers has no room for all of it
    expected = await said(text, query)
    orders: list[Callable[[int], list[int]]] = [
        lambda count: list(range(count)),
        lambda count: list(reversed(range(count))),
        lambda count: Random(0).sample(range(count), count),
    ]
    for order in orders:
        monkeypatch.setattr(FirstPlaces, "order", lambda _, count, order=order: order(count))
        assert await said(text, query) == expected


async def test_slices_that_are_read_again_are_steps_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FirstPlaces, "order", lambda _, count: list(range(count)))
    summary, heard = await summary_and_steps(LATE, COMMON_AND_LATE)
    steps = 2 * summary.slices - 1
    assert [done for done, _ in heard] == list(range(1, steps + 1))
    assert [of for _, of in heard] == [summary.slices] * (summary.slices - 1) + [steps] * summary.slices


async def test_of_the_slices_that_are_not_surveyed_ahead_only_the_one_with_late_words_is_surveyed_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    surveyed = list[str]()

    def survey(reading: Reading, query: str, tokenizer: Tokenizer) -> Survey:
        surveyed.append(reading.document.text)
        return Survey(reading, query, tokenizer)

    monkeypatch.setattr(fact_recovery, "Survey", survey)
    surveys = SliceSurveys(SliceReadings(LATE, work()), COMMON_AND_LATE, work())
    await surveys.begin()
    restored, found = await surveys.put_back(the_tokenizer().counted("The sea was calm."), 400, 1.0, ())
    assert not found.is_unrelated
    assert "zebra" in restored.text
    slices = len(slicing.slices_of(LATE))
    assert slices > READ_AHEAD + 1
    assert len(surveyed) == slices + 1
    assert surveyed.count(surveyed[-1]) == 2


async def test_without_time_to_look_for_words_slices_are_read_in_their_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(places: FirstPlaces, text: str) -> None:
        raise OutOfTime

    monkeypatch.setattr(FirstPlaces, "look", late)
    slices = slicing.slices_of(LATE)
    order = await work_in_slices.reading_order(LATE, slices, COMMON_AND_LATE, work())
    assert order == list(range(len(slices)))


async def test_of_json_that_is_read_in_part_everything_stands_where_it_stood(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = {kind: [{"name": f"{kind}-{number}"} for number in range(400)] for kind in "abcde"}
    kinds["e"].append({"name": "zebra, gazelle"})
    real, calls = extractive_summary.offer, count()

    def late(*arguments: Any, **options: Any) -> extractive_summary.Offer:
        if next(calls) == 3:
            raise OutOfTime
        return real(*arguments, **options)

    monkeypatch.setattr(extractive_summary, "offer", late)
    summary, _ = await summary_and_steps(json.dumps({"all": kinds}), Query("name of gazelle and zebra"))
    assert 0 < summary.slices_read < 4 < summary.slices
    for kind, items in json.loads(summary.text)["all"].items():
        assert all(isinstance(item, str) or item in kinds[kind] for item in items)
