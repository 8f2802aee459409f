"""Several queries at once through the provider that was chosen. Reads no settings: they are arguments."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from web_tools.api_client import open_http
from web_tools.call_deadline import in_time
from web_tools.pages import WebError
from web_tools.request_slots import RequestSlots
from web_tools.search.brave import Brave, brave_api
from web_tools.search.google import Google, google_api
from web_tools.search.json_client import Api, JsonClient
from web_tools.search.provider import SearchAnswer, SearchOptions, SearchProvider
from web_tools.search.searxng import SearXNG, searxng_api
from web_tools.search.tavily import Tavily, tavily_api


@dataclass(frozen=True)
class SearchSettings:
    """Which provider is asked, and with what; of the others' fields none is read."""

    provider: str
    """One of those of SEARCH_PROVIDER (settings/web_settings.py)."""
    searxng_url: str = ""
    brave_api_key: str = ""
    tavily_api_key: str = ""
    google_api_key: str = ""
    google_search_engine_id: str = ""
    timeout_ms: int = field(kw_only=True)
    """REQUEST_TIMEOUT_MS."""


@dataclass(frozen=True)
class QueryResult:
    """What became of one query: an answer, or an error."""

    query: str
    answer: SearchAnswer | None
    error: str = ""


async def search_all(
    provider: SearchProvider, queries: Sequence[str], options: SearchOptions, until: float | None = None
) -> list[QueryResult]:
    """Search for each query, in parallel as far as the provider's client lets; one that fails does not disturb the others.

    `until`: the deadline on the event loop's clock, None for none; a query without an answer by then fails.
    """
    async with asyncio.TaskGroup() as tasks:
        # A query that was given twice is asked once.
        asked = {
            query: tasks.create_task(_result(provider, query, options, until))
            for query in dict.fromkeys(queries)
        }
    return [asked[query].result() for query in queries]


async def _result(
    provider: SearchProvider, query: str, options: SearchOptions, until: float | None
) -> QueryResult:
    try:
        async with in_time(until):
            return QueryResult(query, await provider.search(query, options))
    except WebError as error:
        return QueryResult(query, None, str(error))


@asynccontextmanager
async def open_search(settings: SearchSettings, slots: RequestSlots) -> AsyncIterator[SearchProvider]:
    """Open the provider; close its connections at the end of the block. `slots`: those of all requests of the web tools."""
    async with open_http() as http:

        def client(api: Api) -> JsonClient:
            return JsonClient(http, api, slots, settings.timeout_ms)

        yield _PROVIDERS[settings.provider](settings, client)


_PROVIDERS: Mapping[str, Callable[[SearchSettings, Callable[[Api], JsonClient]], SearchProvider]] = {
    "searxng": lambda settings, client: SearXNG(client(searxng_api(settings.searxng_url))),
    "brave": lambda settings, client: Brave(client(brave_api(settings.brave_api_key))),
    "tavily": lambda settings, client: Tavily(client(tavily_api(settings.tavily_api_key))),
    "google": lambda settings, client: Google(
        client(google_api(settings.google_api_key)), settings.google_search_engine_id
    ),
}
