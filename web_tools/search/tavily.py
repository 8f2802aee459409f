"""Tavily.

Follows https://docs.tavily.com/documentation/api-reference/endpoint/search.
"""

from web_tools.search.json_client import Api, JsonClient
from web_tools.search.provider import JsonObject, SafeSearch, SearchAnswer, SearchHit, SearchOptions
from web_tools.search.result_pages import objects, text_of

URL = "https://api.tavily.com/search"

# "max_results: 0 <= x <= 20", and there are no further pages.
MOST_RESULTS = 20

_ADVICE = {
    401: "check TAVILY_API_KEY",
    429: "more requests than the plan of TAVILY_API_KEY allows; try again later",
    432: "the plan of TAVILY_API_KEY is used up",
    433: "the limit of pay-as-you-go of TAVILY_API_KEY is reached",
}


def tavily_api(key: str, url: str = URL) -> Api:
    """Return how the API is reached."""
    return Api("tavily", url, {"Authorization": f"Bearer {key}"}, key, _ADVICE)


class Tavily:
    """The search of the API."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    async def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        """Return what was found. Raises WebError."""
        body: JsonObject = {
            "query": query,
            "topic": "general",
            "search_depth": "basic",
            "max_results": min(options.count, MOST_RESULTS),
        }
        # It wants a country's English name ("boost search results from a specific country"), and has no codes.
        if len(options.region) > 2:
            body["country"] = options.region.lower()
        if options.safe_search is not SafeSearch.OFF:
            body["safe_search"] = True
        raw = await self._client.post(body)
        hits = (
            SearchHit(text_of(each, "title"), text_of(each, "url"), text_of(each, "content"))
            for each in objects(raw.get("results"))
        )
        return SearchAnswer((raw,), tuple(hits), "; ".join(_lacks(options)))


def _lacks(options: SearchOptions) -> list[str]:
    lacks = []
    if options.count > MOST_RESULTS:
        lacks.append(f"tavily: at most {MOST_RESULTS} results")
    if options.language:
        lacks.append("tavily: no choice of a language; not used")
    if len(options.region) == 2:
        lacks.append("tavily: expected a country's English name as region, got a code; not used")
    return lacks
