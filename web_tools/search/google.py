"""Google's Custom Search JSON API, which ends on 2027-01-01.

Follows https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list.
"""

from web_tools.search.json_client import Api, JsonClient
from web_tools.search.language_tag import parsed
from web_tools.search.provider import SafeSearch, SearchAnswer, SearchHit, SearchOptions
from web_tools.search.result_pages import ResultPage, all_results, objects, text_of

URL = "https://customsearch.googleapis.com/customsearch/v1"

# "num: valid values are integers between 1 and 10, inclusive"; "the API will never return more than 100 results".
MOST_PER_PAGE = 10
MOST_PAGES = 10

# Its own codes, where they are not those of BCP 47.
_LANGUAGES = {"he": "iw", "nb": "no", "nn": "no"}

_ADVICE = {
    400: "check GOOGLE_API_KEY and GOOGLE_SEARCH_ENGINE_ID",
    403: "GOOGLE_API_KEY may not use this API, or not from here",
    429: "the daily quota of GOOGLE_API_KEY is used up",
}


def google_api(key: str, url: str = URL) -> Api:
    """Return how the API is reached; the key goes in a header, since URLs are logged on the way."""
    return Api("google", url, {"X-Goog-Api-Key": key}, key, _ADVICE)


class Google:
    """The search of one engine."""

    def __init__(self, client: JsonClient, engine_id: str) -> None:
        self._client, self._engine_id = client, engine_id

    async def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        """Return what was found. Raises WebError."""
        is_off = options.safe_search is SafeSearch.OFF
        params: dict[str, str | int] = {
            "q": query,
            "cx": self._engine_id,
            "safe": "off" if is_off else "active",
        }
        if options.region:
            params["gl"] = options.region.lower()
        if options.language:
            language = language_code(options.language)
            params |= {"lr": f"lang_{language}", "hl": language}

        async def page(number: int) -> ResultPage:
            begin = number * MOST_PER_PAGE
            wanted = min(options.count - begin, MOST_PER_PAGE)
            raw = await self._client.get({**params, "start": begin + 1, "num": wanted})
            queries = raw.get("queries")
            more = queries.get("nextPage") if isinstance(queries, dict) else None
            # Where it found nothing, there is no list at all.
            return ResultPage(raw, objects(raw.get("items")), is_last=not more)

        pages = min(-(-options.count // MOST_PER_PAGE), MOST_PAGES)
        found = await all_results(page, "link", options.count, pages)
        hits = (
            SearchHit(text_of(each, "title"), text_of(each, "link"), text_of(each, "snippet"))
            for each in found.entries
        )
        return SearchAnswer(found.raw, tuple(hits), found.note)


def language_code(tag: str) -> str:
    """Return a language as Google names it."""
    language = parsed(tag)
    if language.language == "zh":
        return "zh-TW" if language.is_traditional else "zh-CN"
    return _LANGUAGES.get(language.language, language.language)
