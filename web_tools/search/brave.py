"""Brave Search.

Follows https://api-dashboard.search.brave.com/app/documentation/web-search/query and .../responses.
"""

import html

from web_tools.search.json_client import Api, JsonClient
from web_tools.search.language_tag import parsed
from web_tools.search.provider import JsonObject, SearchAnswer, SearchHit, SearchOptions
from web_tools.search.result_pages import ResultPage, all_results, objects, text_of

URL = "https://api.search.brave.com/res/v1/web/search"

# "count: the maximum is 20"; "offset: the maximum is 9".
MOST_PER_PAGE = 20
MOST_PAGES = 10

# Its own codes, where they are not those of BCP 47.
_LANGUAGES = {"ja": "jp", "no": "nb", "nn": "nb"}
_LANGUAGES_OF_COUNTRIES = {("en", "GB"): "en-gb", ("pt", "PT"): "pt-pt"}

_ADVICE = {
    401: "check BRAVE_API_KEY",
    403: "check BRAVE_API_KEY",
    402: "the plan of BRAVE_API_KEY is used up",
    429: "more requests than the plan of BRAVE_API_KEY allows; try again later",
}


def brave_api(key: str, url: str = URL) -> Api:
    """Return how the API is reached."""
    return Api("brave", url, {"X-Subscription-Token": key}, key, _ADVICE)


class Brave:
    """The web search of the API."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    async def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        """Return what was found. Raises WebError."""
        # The page number counts in pages of this size, so it stays the same from page to page.
        size = min(options.count, MOST_PER_PAGE)
        params: dict[str, str | int] = {
            "q": query,
            "count": size,
            "safesearch": options.safe_search.value,
            "text_decorations": "false",
            "result_filter": "web,query",
        }
        if options.region:
            params["country"] = options.region.upper()
        if options.language:
            params["search_lang"] = search_lang(options.language)

        async def page(number: int) -> ResultPage:
            raw = await self._client.get({**params, "offset": number})
            web, told = raw.get("web"), raw.get("query")
            entries = objects(web.get("results") if isinstance(web, dict) else None)
            more = told.get("more_results_available") if isinstance(told, dict) else None
            return ResultPage(raw, entries, is_last=len(entries) < size if more is None else not more)

        found = await all_results(page, "url", options.count, MOST_PAGES)
        return SearchAnswer(found.raw, tuple(_hit(each) for each in found.entries), found.note)


def search_lang(tag: str) -> str:
    """Return a language as Brave names it."""
    language = parsed(tag)
    if language.language == "zh":
        return "zh-hant" if language.is_traditional else "zh-hans"
    if language.language == "pt" and language.country != "PT":
        return "pt-br"
    own = _LANGUAGES_OF_COUNTRIES.get((language.language, language.country))
    return own or _LANGUAGES.get(language.language, language.language)


def _hit(entry: JsonObject) -> SearchHit:
    # Its texts are HTML: without the decorations no elements, but still entities.
    title, snippet = (html.unescape(text_of(entry, name)) for name in ("title", "description"))
    return SearchHit(title, text_of(entry, "url"), snippet)
