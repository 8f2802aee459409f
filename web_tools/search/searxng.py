"""SearXNG: a metasearch engine that anybody can host; no key.

Follows https://docs.searxng.org/dev/search_api.html. An instance answers JSON only where its settings.yml lists it.
"""

from web_tools.search.json_client import Api, JsonClient
from web_tools.search.language_tag import parsed
from web_tools.search.provider import SafeSearch, SearchAnswer, SearchHit, SearchOptions
from web_tools.search.result_pages import ResultPage, all_results, objects, text_of

# Engines give ten results or more to a page.
MOST_PAGES = 5

_SAFE_SEARCH = {SafeSearch.OFF: 0, SafeSearch.MODERATE: 1, SafeSearch.STRICT: 2}

_ADVICE = {
    301: "set SEARXNG_URL to the address that it redirects to",
    302: "set SEARXNG_URL to the address that it redirects to",
    308: "set SEARXNG_URL to the address that it redirects to",
    401: "the SearXNG instance wants a login, which is not supported: have it, or the proxy before it, let this machine in without",
    403: "add json to search.formats in the settings.yml of the SearXNG instance",
    404: "check SEARXNG_URL",
    429: "the limiter of the SearXNG instance refuses programs; see its server.limiter",
}


def searxng_api(url: str) -> Api:
    """Return how the instance at a URL is reached."""
    return Api("searxng", f"{url.rstrip('/')}/search", advice=_ADVICE)


class SearXNG:
    """One instance."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    async def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        """Return what was found. Raises WebError."""
        tag = parsed(options.language)
        country = options.region.upper() or tag.country
        params: dict[str, str | int] = {
            "q": query,
            "format": "json",
            "safesearch": _SAFE_SEARCH[options.safe_search],
        }
        if tag.language:
            params["language"] = f"{tag.language}-{country}" if country else tag.language

        async def page(number: int) -> ResultPage:
            # It has no number of results to ask for: only whole pages.
            raw = await self._client.get({**params, "pageno": number + 1})
            return ResultPage(raw, objects(raw.get("results")), is_last=False)

        found = await all_results(page, "url", options.count, MOST_PAGES)
        hits = (
            SearchHit(text_of(each, "title"), text_of(each, "url"), text_of(each, "content"))
            for each in found.entries
        )
        lacks = (
            "" if tag.language or not country else "searxng: a region counts only with a language; not used"
        )
        return SearchAnswer(found.raw, tuple(hits), "; ".join(filter(None, (lacks, found.note))))
