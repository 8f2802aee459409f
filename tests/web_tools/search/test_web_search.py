"""Several queries at once: in their order, no more at a time than there are places, and one that fails alone."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from settings.web_settings import NEEDED_TO_SEARCH
from tests.support.search_stand_in import SearchStandIn
from web_tools.pages import WebError
from web_tools.request_slots import RequestSlots
from web_tools.search.provider import SearchAnswer, SearchOptions
from web_tools.search.web_search import QueryResult, SearchSettings, open_search, search_all


class Recorder:
    """A provider that fails for some queries."""

    def __init__(self, *, fails: tuple[str, ...] = ()) -> None:
        self.fails = fails
        self.asked: list[str] = []

    async def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        self.asked.append(query)
        await asyncio.sleep(0)
        if query in self.fails:
            raise WebError(f"no {query}")
        return SearchAnswer(({"query": query},), ())


async def test_answers_come_in_the_order_of_the_queries_and_a_query_that_fails_takes_no_other_with_it() -> (
    None
):
    provider = Recorder(fails=("b",))
    results = await search_all(provider, ["a", "b", "c", "a"], SearchOptions())
    a, c = SearchAnswer(({"query": "a"},), ()), SearchAnswer(({"query": "c"},), ())
    assert results == [
        QueryResult("a", a),
        QueryResult("b", None, "no b"),
        QueryResult("c", c),
        QueryResult("a", a),
    ]
    assert provider.asked == ["a", "b", "c"]


@pytest.mark.parametrize("places", [1, 2, 5])
async def test_requests_run_at_once_as_far_as_there_are_places(places: int) -> None:
    async with SearchStandIn() as server:
        settings = SearchSettings("searxng", searxng_url=server.url("searxng"), timeout_ms=20_000)
        async with open_search(settings, RequestSlots(places, 20_000)) as provider:
            results = await search_all(provider, [f"q{number}" for number in range(10)], SearchOptions())
        assert all(result.answer and len(result.answer.hits) == 10 for result in results)
        assert server.most_at_once <= places
        assert (server.most_at_once > 1) is (places > 1)


async def test_a_query_that_the_provider_refuses_leaves_the_others_their_results() -> None:
    async with SearchStandIn(script=[web.Response(status=429)]) as server:
        settings = SearchSettings("searxng", searxng_url=server.url("searxng"), timeout_ms=20_000)
        async with open_search(settings, RequestSlots(1, 20_000)) as provider:
            results = await search_all(provider, ["a", "b"], SearchOptions())
        assert [result.answer is None for result in results] == [True, False]
        assert results[0].error.startswith("search (searxng): HTTP 429: ")


@pytest.mark.parametrize("name", NEEDED_TO_SEARCH)
async def test_every_provider_can_be_chosen(name: str) -> None:
    settings = SearchSettings(name, "http://127.0.0.1:9", "key", "key", "key", "engine", timeout_ms=20_000)
    async with open_search(settings, RequestSlots(1, 20_000)) as provider:
        assert type(provider).__name__.lower() == name
