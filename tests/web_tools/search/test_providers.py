"""Each provider gets what its reference lists, and all tell alike what they found. The stand-in refuses everything else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from aiohttp import web

from tests.support.search_stand_in import ENGINE, KEY, SearchStandIn
from web_tools.pages import WebError
from web_tools.request_slots import RequestSlots
from web_tools.search.brave import Brave, brave_api, search_lang
from web_tools.search.google import Google, google_api, language_code
from web_tools.search.json_client import MAX_ANSWER_BYTES, Api, JsonClient
from web_tools.search.provider import SafeSearch, SearchAnswer, SearchHit, SearchOptions, SearchProvider
from web_tools.search.searxng import SearXNG, searxng_api
from web_tools.search.tavily import Tavily, tavily_api

ALL = ["searxng", "brave", "tavily", "google"]
SERVICE_DOWN = 503


@asynccontextmanager
async def opened(
    name: str,
    server: SearchStandIn,
    key: str = KEY,
    *,
    timeout_ms: int = 20_000,
    sleep: Callable[[float], Awaitable[None]] = lambda _: asyncio.sleep(0),
) -> AsyncIterator[SearchProvider]:
    url = server.url(name)
    apis: dict[str, Callable[[], Api]] = {
        "searxng": lambda: searxng_api(url),
        "brave": lambda: brave_api(key, url),
        "tavily": lambda: tavily_api(key, url),
        "google": lambda: google_api(key, url),
    }
    async with httpx.AsyncClient() as http:
        slots = RequestSlots(2, 20_000)
        client = JsonClient(
            http,
            apis[name](),
            slots,
            timeout_ms,
            sleep=sleep,
            uniform=lambda low, high: (low + high) / 2,
        )
        made: dict[str, Callable[[], SearchProvider]] = {
            "searxng": lambda: SearXNG(client),
            "brave": lambda: Brave(client),
            "tavily": lambda: Tavily(client),
            "google": lambda: Google(client, ENGINE),
        }
        yield made[name]()


def numbers(hits: tuple[SearchHit, ...]) -> list[int]:
    return [int(hit.url.rpartition("/")[2]) for hit in hits]


def entries(name: str, raw: dict[str, Any]) -> list[Any]:
    found = {"searxng": lambda: raw["results"], "brave": lambda: raw["web"]["results"]}
    found |= {"tavily": lambda: raw["results"], "google": lambda: raw["items"]}
    return list(found[name]())


@pytest.mark.parametrize("name", ALL)
async def test_what_was_found_is_told_alike_beside_the_providers_own_json(name: str) -> None:
    async with SearchStandIn() as server, opened(name, server) as provider:
        answer = await provider.search("blue widgets", SearchOptions(count=3))
        assert [hit.url for hit in answer.hits] == [f"https://example.org/{number}" for number in range(3)]
        title = "Title 1 & more" if name == "brave" else "Title 1"
        assert answer.hits[1] == SearchHit(title, "https://example.org/1", "Text 1 of blue widgets")
        assert len(entries(name, *answer.raw)) >= 3
        assert answer.note == ""
        assert server.log == [f"{name} > 200"]


@pytest.mark.parametrize("name", ALL)
async def test_the_providers_own_json_stays_as_it_came(name: str) -> None:
    found = [{"url": "https://example.org/1", "link": "https://example.org/1"}] * 5 + [None, 7]
    sent: dict[str, Any] = {"results": found, "items": found, "web": {"results": found}, "more": {"x": []}}
    script = [web.json_response(sent)] * 5
    async with SearchStandIn(script=script) as server, opened(name, server) as provider:
        answer = await provider.search("q", SearchOptions(count=2))
        assert answer.raw[0] == sent


@pytest.mark.parametrize("name", ["google", "brave"])
async def test_an_answer_without_results_stays_as_it_came(name: str) -> None:
    async with (
        SearchStandIn(script=[web.json_response({"a": 1})]) as server,
        opened(name, server) as provider,
    ):
        assert await provider.search("q", SearchOptions()) == SearchAnswer(({"a": 1},), ())


@pytest.mark.parametrize("name, requests", [("searxng", 3), ("brave", 2), ("google", 3)])
async def test_more_than_a_page_has_comes_from_several_pages_in_order_and_each_once(
    name: str, requests: int
) -> None:
    for repeats in (False, True):
        async with SearchStandIn(found=60, repeats=repeats) as server, opened(name, server) as provider:
            answer = await provider.search("q", SearchOptions(count=28))
            assert numbers(answer.hits)[:10] == list(range(10))
            assert sorted(set(numbers(answer.hits))) == numbers(answer.hits)
            assert len(answer.raw) == len(server.log)
            if not repeats:
                assert (len(answer.hits), len(server.log)) == (28, requests)


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ["searxng", "brave", "google"])
@pytest.mark.parametrize("found", [0, 1, 10, 20, 24])
async def test_no_page_is_asked_for_after_the_last_one(name: str, found: int) -> None:
    async with SearchStandIn(found) as server, opened(name, server) as provider:
        answer = await provider.search("q", SearchOptions(count=50))
        assert numbers(answer.hits) == list(range(found))
        # SearXNG does not say which page is the last one: an empty one does.
        pages = {
            "searxng": found // 12 + 1 + (found % 12 > 0),
            "brave": -(-found // 20),
            "google": -(-found // 10),
        }
        assert len(server.log) == max(pages[name], 1)


@pytest.mark.parametrize("count, asked", [(1, 1), (10, 1), (11, 2), (50, 5)])
async def test_google_is_asked_for_ten_at_a_time(count: int, asked: int) -> None:
    async with SearchStandIn(found=100) as server, opened("google", server) as provider:
        answer = await provider.search("q", SearchOptions(count=count))
        assert len(answer.hits) == count
        assert len(server.log) == asked
        assert [(each["start"], each["num"]) for each in server.asked][-1] == (
            str(10 * (asked - 1) + 1),
            str(count - 10 * (asked - 1)),
        )


async def test_tavily_has_one_page_of_twenty_and_the_note_says_so() -> None:
    async with SearchStandIn() as server, opened("tavily", server) as provider:
        answer = await provider.search("q", SearchOptions(count=50))
        assert (len(answer.hits), answer.note) == (20, "tavily: at most 20 results")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("level", list(SafeSearch))
async def test_region_language_and_safe_search_are_named_as_the_provider_names_them(
    name: str, level: SafeSearch
) -> None:
    options = SearchOptions(region="at", language="de", safe_search=level)
    strict = level is not SafeSearch.OFF
    wanted: dict[str, dict[str, Any]] = {
        "searxng": {"language": "de-AT", "safesearch": {"off": "0", "moderate": "1", "strict": "2"}[level]},
        "brave": {"country": "AT", "search_lang": "de", "safesearch": level.value},
        "tavily": {"safe_search": True} if strict else {},
        "google": {"gl": "at", "lr": "lang_de", "hl": "de", "safe": "active" if strict else "off"},
    }
    async with SearchStandIn() as server, opened(name, server) as provider:
        answer = await provider.search("q", options)
        assert wanted[name].items() <= server.asked[0].items()
        assert ("safe_search" in server.asked[0]) is (name == "tavily" and strict)
        assert ("not used" in answer.note) is (name == "tavily")


async def test_tavily_takes_a_countrys_name() -> None:
    async with SearchStandIn() as server, opened("tavily", server) as provider:
        answer = await provider.search("q", SearchOptions(region="Austria"))
        assert (server.asked[0]["country"], answer.note) == ("austria", "")


async def test_searxng_has_no_region_without_a_language() -> None:
    async with SearchStandIn() as server, opened("searxng", server) as provider:
        answer = await provider.search("q", SearchOptions(region="AT"))
        assert "language" not in server.asked[0]
        assert answer.note == "searxng: a region counts only with a language; not used"


@pytest.mark.parametrize(
    "tag, brave, google",
    [
        ("en", "en", "en"),
        ("en-GB", "en-gb", "en"),
        ("pt", "pt-br", "pt"),
        ("pt_PT", "pt-pt", "pt"),
        ("ja", "jp", "ja"),
        ("zh", "zh-hans", "zh-CN"),
        ("zh-TW", "zh-hant", "zh-TW"),
        ("zh-Hant", "zh-hant", "zh-TW"),
        ("zh-Hans-HK", "zh-hans", "zh-CN"),
        ("he", "he", "iw"),
        ("nn-NO", "nb", "no"),
    ],
)
def test_languages_have_each_providers_own_codes(tag: str, brave: str, google: str) -> None:
    assert (search_lang(tag), language_code(tag)) == (brave, google)


@pytest.mark.parametrize("name", ALL)
async def test_a_server_error_is_tried_once_more_after_a_random_wait(name: str) -> None:
    slept = list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    script = [web.Response(status=SERVICE_DOWN)]
    async with SearchStandIn(script=script) as server, opened(name, server, sleep=sleep) as provider:
        assert len((await provider.search("q", SearchOptions())).hits) == 10
        assert server.log == [f"{name} > 503", f"{name} > 200"]
        assert slept == [0.375]
        server.script = [web.Response(status=SERVICE_DOWN) for _ in range(2)]
        with pytest.raises(WebError, match=f"^search \\({name}\\): HTTP 503$"):
            await provider.search("q", SearchOptions())
        assert len(server.log) == 4


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("status", [302, 400, 401, 403, 429])
async def test_every_other_refusal_is_told_at_once(name: str, status: int) -> None:
    refusal = web.json_response({"detail": f"no {KEY}"}, status=status, headers={"Location": "/google"})
    async with SearchStandIn(script=[refusal]) as server, opened(name, server) as provider:
        with pytest.raises(WebError, match=f"^search \\({name}\\): HTTP {status}") as refused:
            await provider.search("q", SearchOptions())
        assert len(server.log) == 1
        assert (KEY in str(refused.value)) is (name == "searxng")  # which has no key


@pytest.mark.parametrize("name", ["brave", "tavily", "google"])
async def test_a_wrong_key_is_refused_with_what_to_check_and_is_in_no_message(name: str) -> None:
    wrong = "wrong-canary-9876543210"
    async with SearchStandIn() as server, opened(name, server, wrong) as provider:
        with pytest.raises(WebError) as refused:
            await provider.search("q", SearchOptions())
        assert "canary" not in str(refused.value)
        said = {
            "brave": "HTTP 422: The provided subscription token is invalid.",
            "tavily": "HTTP 401: check TAVILY_API_KEY: Unauthorized: missing or invalid API key.",
            "google": "HTTP 400: check GOOGLE_API_KEY and GOOGLE_SEARCH_ENGINE_ID: API key not valid. Please pass a valid API key.",
        }
        assert str(refused.value) == f"search ({name}): {said[name]}"


@pytest.mark.parametrize("name", ALL)
async def test_the_key_goes_in_a_header_and_an_answer_that_repeats_it_is_masked(name: str) -> None:
    answer = {"results": [], "items": [], "web": {"results": []}, "told": f"your key is {KEY}"}
    async with SearchStandIn(script=[web.json_response(answer)]) as server, opened(name, server) as provider:
        (raw,) = (await provider.search("q", SearchOptions())).raw
        if name != "searxng":
            assert raw["told"] == "your key is ***"
            assert KEY in " ".join(server.headers[0].values())
        assert KEY not in str(server.asked)


@pytest.mark.parametrize("end", ["", "/"])
def test_searxng_is_asked_below_its_base_url(end: str) -> None:
    assert searxng_api(f"https://search.example/sub{end}").url == "https://search.example/sub/search"


async def test_of_a_searxng_that_wants_a_login_it_is_said_that_none_is_supported() -> None:
    script = [web.Response(status=401)]
    async with SearchStandIn(script=script) as server, opened("searxng", server) as provider:
        with pytest.raises(WebError, match="wants a login, which is not supported") as refused:
            await provider.search("q", SearchOptions())
        assert "@" not in str(refused.value)


async def test_a_later_page_that_fails_leaves_what_was_found_and_a_note() -> None:
    async with SearchStandIn() as server, opened("google", server) as provider:
        first = await provider.search("q", SearchOptions(count=10))
        server.script = [
            web.json_response(first.raw[0] | {"queries": {"nextPage": [{}]}}),
            web.Response(status=429),
        ]
        answer = await provider.search("q", SearchOptions(count=20))
        assert numbers(answer.hits) == list(range(10))
        assert answer.note.startswith(
            "page 2 of the results is missing: search (google): HTTP 429: the daily quota"
        )


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b"[" * 100_000,
        b'"' + b"x" * MAX_ANSWER_BYTES + b'"',
    ],
    ids=["empty", "html", "list", "bytes", "nan", "range", "deep", "huge"],
)
async def test_what_is_no_answer_is_an_error_of_the_search(name: str, body: bytes) -> None:
    async with SearchStandIn(script=[web.Response(body=body)]) as server, opened(name, server) as provider:
        with pytest.raises(WebError, match=f"^search \\({name}\\): expected "):
            await provider.search("q", SearchOptions())


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("entry", [None, 7, [], {}, {"url": 7, "link": None, "title": []}])
async def test_results_of_a_strange_shape_are_left_out_or_empty(name: str, entry: Any) -> None:
    raw = {"results": [entry], "items": [entry], "web": {"results": [entry]}, "query": 7, "queries": 7}
    async with SearchStandIn(script=[web.json_response(raw)]) as server, opened(name, server) as provider:
        answer = await provider.search("q", SearchOptions(count=1))
        assert answer.hits in [(), (SearchHit("", "", ""),)]


async def test_silence_ends_with_the_settings_name() -> None:
    never = asyncio.Event()

    async def silent(_: web.Request) -> web.Response:
        await never.wait()
        return web.Response()

    app = web.Application()
    app.router.add_get("/", silent)
    runner = web.AppRunner(app, shutdown_timeout=0.01)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with httpx.AsyncClient() as http:
            api = Api("brave", f"http://127.0.0.1:{runner.addresses[0][1]}/")
            client = JsonClient(http, api, RequestSlots(1, 20_000), 50)
            with pytest.raises(WebError, match=r"no answer within 50 ms \(REQUEST_TIMEOUT_MS\)"):
                await client.get({})
    finally:
        never.set()
        await runner.cleanup()


async def test_a_server_that_is_not_there_is_an_error_without_the_key() -> None:
    async with httpx.AsyncClient() as http:
        client = JsonClient(http, google_api(KEY, "http://127.0.0.1:9/"), RequestSlots(1, 20_000), 20_000)
        with pytest.raises(WebError, match=r"^search \(google\): the connection failed \(ConnectError\)"):
            await client.get({})
        refused = JsonClient(
            http, google_api(f"{KEY}\nx", "http://127.0.0.1:9/"), RequestSlots(1, 20_000), 20_000
        )
        with pytest.raises(WebError) as error:
            await refused.get({})
        assert KEY not in str(error.value)
