"""A stand-in for the four search providers, on a real socket: each takes the parameters that its reference lists, and nothing else.

    async with SearchStandIn(found=35) as server:
        ...                              # a client of server.url("brave")
        assert server.log == ["brave > 200"]

Where the shapes come from, looked up in November 2026:
- searxng: https://docs.searxng.org/dev/search_api.html, and searx/webutils.py of its source for the body
- brave: https://api-dashboard.search.brave.com/app/documentation/web-search, and the types of brave/brave-search-mcp-server
- tavily: https://docs.tavily.com/documentation/api-reference/endpoint/search
- google: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list and .../v1/Search
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any, Self

from aiohttp import web

KEY = "key-canary-0123456789"
ENGINE = "017576662512468239146:omuauf_lfve"

SEARXNG_PAGE = 12
"""How many results an instance gives to a page: whoever asks has no say in it."""

Params = Mapping[str, str]


class Refused(Exception):
    """A request that the provider would refuse: with this status and body."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class SearchStandIn:
    """The providers. `script` says how the first requests fail; each of its entries is used up by one request."""

    def __init__(
        self, found: int = 35, script: list[web.Response] | None = None, repeats: bool = False
    ) -> None:
        """`found`: how many pages of the web match every query; `repeats`: a page of results begins with the last of the one before."""
        self.found, self.script, self.repeats = found, script or [], repeats
        self.log: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._port = 0

    def url(self, provider: str) -> str:
        return f"http://127.0.0.1:{self._port}/{provider}"

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_get("/searxng/search", self._handler("searxng", self._searxng))
        app.router.add_get("/brave", self._handler("brave", self._brave))
        app.router.add_post("/tavily", self._handler("tavily", self._tavily))
        app.router.add_get("/google", self._handler("google", self._google))
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    def _handler(self, name: str, answer: Callable[[Mapping[str, Any]], Any]) -> Callable[[web.Request], Any]:
        async def handled(request: web.Request) -> web.Response:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            await asyncio.sleep(0)  # whoever else asks at the same time comes in
            asked = await request.json() if request.method == "POST" else dict(request.query)
            self.asked.append(asked)
            self.headers.append(dict(request.headers))
            try:
                response = self._answer(name, request, asked, answer)
            finally:
                self._at_once -= 1
            self.log.append(f"{name} > {response.status}")
            return response

        return handled

    def _answer(
        self,
        name: str,
        request: web.Request,
        asked: Mapping[str, Any],
        answer: Callable[[Mapping[str, Any]], Any],
    ) -> web.Response:
        if self.script:
            return self.script.pop(0)
        try:
            _check_key(name, request)
            return web.json_response(answer(asked))
        except Refused as refused:
            return web.json_response(refused.body, status=refused.status)

    def _numbers(self, begin: int, count: int) -> range:
        first = max(begin - 1, 0) if self.repeats else begin
        return range(first, min(begin + count, self.found))

    def _searxng(self, asked: Params) -> Any:
        _check(asked, {"q", "format", "pageno", "language", "safesearch"}, _searxng_refusal)
        if asked.get("format") != "json" or asked.get("safesearch", "0") not in ("0", "1", "2"):
            raise _searxng_refusal("format or safesearch")
        if not re.fullmatch(r"[a-z]{2,3}(-[a-zA-Z]{2})?", asked.get("language", "en")):
            raise _searxng_refusal("language")
        begin = (int(asked.get("pageno", "1")) - 1) * SEARXNG_PAGE
        results = [
            {
                "url": f"https://example.org/{number}",
                "title": f"Title {number}",
                "content": f"Text\n {number} of {asked['q']}",
                "thumbnail": None,
                "engine": "duckduckgo",
                "parsed_url": ["https", "example.org", f"/{number}", "", "", ""],
                "template": "default.html",
                "engines": ["duckduckgo"],
                "positions": [number + 1],
                "score": 1.0,
                "category": "general",
            }
            for number in self._numbers(begin, SEARXNG_PAGE)
        ]
        return {
            "query": asked["q"],
            "number_of_results": 0,
            "results": results,
            "answers": [],
            "corrections": [],
            "infoboxes": [],
            "suggestions": [],
            "unresponsive_engines": [["qwant", "timeout"]],
        }

    def _brave(self, asked: Params) -> Any:
        known = {
            "q",
            "country",
            "search_lang",
            "count",
            "offset",
            "safesearch",
            "text_decorations",
            "result_filter",
        }
        _check(asked, known, _brave_refusal)
        count, offset = int(asked.get("count", "20")), int(asked.get("offset", "0"))
        if not 1 <= count <= 20 or not 0 <= offset <= 9:
            raise _brave_refusal("count or offset")
        if asked.get("safesearch", "moderate") not in ("off", "moderate", "strict"):
            raise _brave_refusal("safesearch")
        if not re.fullmatch(r"[A-Z]{2}|ALL", asked.get("country", "US")):
            raise _brave_refusal("country")
        if not re.fullmatch(r"[a-z]{2}(-[a-z]{2,4})?", asked.get("search_lang", "en")):
            raise _brave_refusal("search_lang")
        numbers = self._numbers(offset * count, count)
        results = [
            {
                "type": "search_result",
                "subtype": "generic",
                "title": f"Title {number} &amp; more",
                "url": f"https://example.org/{number}",
                "description": f"Text {number} of {asked['q']}",
                "is_source_local": False,
                "is_source_both": False,
                "is_live": False,
                "language": "en",
                "family_friendly": True,
            }
            for number in numbers
        ]
        more = numbers.stop < self.found
        told = {"original": asked["q"], "more_results_available": more, "show_strict_warning": False}
        answer: dict[str, Any] = {"type": "search", "query": told}
        if results:
            answer["web"] = {"type": "search", "results": results, "family_friendly": True}
        return answer

    def _tavily(self, asked: Mapping[str, Any]) -> Any:
        known = {"query", "topic", "search_depth", "max_results", "country", "safe_search"}
        _check(asked, known, _tavily_refusal)
        if not 0 <= asked.get("max_results", 5) <= 20 or asked.get("search_depth") not in (
            "basic",
            "advanced",
        ):
            raise _tavily_refusal("max_results or search_depth")
        # "country: available only if topic is general"; names such as `afghanistan`.
        if not re.fullmatch(r"[a-z ]{3,}", asked.get("country", "germany")):
            raise _tavily_refusal("country")
        results = [
            {
                "title": f"Title {number}",
                "url": f"https://example.org/{number}",
                "content": f"Text {number} of {asked['query']}",
                "score": 0.81,
                "raw_content": None,
                "favicon": None,
            }
            for number in self._numbers(0, asked.get("max_results", 5))
        ]
        return {
            "query": asked["query"],
            "follow_up_questions": None,
            "answer": None,
            "images": [],
            "results": results,
            "response_time": 1.31,
            "request_id": "123e4567-e89b-12d3-a456-426614174111",
        }

    def _google(self, asked: Params) -> Any:
        _check(asked, {"q", "cx", "num", "start", "safe", "gl", "lr", "hl"}, _google_refusal)
        start, num = int(asked.get("start", "1")), int(asked.get("num", "10"))
        if asked.get("cx") != ENGINE or not 1 <= num <= 10 or not 1 <= start <= 101 - num:
            raise _google_refusal("cx, num or start")
        if asked.get("safe", "off") not in ("off", "active"):
            raise _google_refusal("safe")
        if not re.fullmatch(r"lang_[a-z]{2}(-[A-Z]{2})?", asked.get("lr", "lang_en")):
            raise _google_refusal("lr")
        items = [
            {
                "kind": "customsearch#result",
                "title": f"Title {number}",
                "htmlTitle": f"<b>Title</b> {number}",
                "link": f"https://example.org/{number}",
                "displayLink": "example.org",
                "snippet": f"Text {number} of {asked['q']}",
                "htmlSnippet": f"Text {number} of <b>{asked['q']}</b>",
                "formattedUrl": f"https://example.org/{number}",
            }
            for number in self._numbers(start - 1, num)
        ]
        this = {
            "title": "Google Custom Search",
            "totalResults": str(self.found),
            "count": num,
            "startIndex": start,
        }
        queries: dict[str, Any] = {"request": [this]}
        if start - 1 + num < self.found:
            queries["nextPage"] = [{**this, "startIndex": start + num}]
        answer: dict[str, Any] = {"kind": "customsearch#search", "queries": queries}
        # Without results the field is not there at all.
        return {**answer, "items": items} if items else answer


def _check_key(name: str, request: web.Request) -> None:
    """Refuse a request without the key, as the provider does."""
    headers = request.headers
    if name == "brave" and headers.get("X-Subscription-Token") != KEY:
        raise Refused(
            422,
            {
                "type": "ErrorResponse",
                "error": {
                    "code": "SUBSCRIPTION_TOKEN_INVALID",
                    "detail": "The provided subscription token is invalid.",
                    "status": 422,
                },
            },
        )
    if name == "tavily" and headers.get("Authorization") != f"Bearer {KEY}":
        raise Refused(401, {"detail": {"error": "Unauthorized: missing or invalid API key."}})
    if name == "google" and headers.get("X-Goog-Api-Key") != KEY:
        told = "API key not valid. Please pass a valid API key."
        raise Refused(400, {"error": {"code": 400, "message": told, "status": "INVALID_ARGUMENT"}})


def _check(asked: Mapping[str, Any], known: set[str], refusal: Callable[[str], Refused]) -> None:
    """Refuse what the reference does not list, and what is empty."""
    strange = [name for name, value in asked.items() if name not in known or value == ""]
    if strange:
        raise refusal(", ".join(strange))


def _searxng_refusal(what: str) -> Refused:
    return Refused(400, {"error": f"Invalid value of {what}"})


def _brave_refusal(what: str) -> Refused:
    error = {
        "code": "VALIDATION",
        "detail": f"Unable to validate request parameter(s): {what}",
        "status": 422,
    }
    return Refused(422, {"type": "ErrorResponse", "error": error})


def _tavily_refusal(what: str) -> Refused:
    return Refused(400, {"detail": {"error": f"Invalid {what}."}})


def _google_refusal(what: str) -> Refused:
    told = f"Request contains an invalid argument: {what}"
    return Refused(400, {"error": {"code": 400, "message": told, "status": "INVALID_ARGUMENT"}})
