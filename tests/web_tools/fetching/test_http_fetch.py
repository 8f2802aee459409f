"""A page over HTTP, from a site that behaves and from one that does not, on a real socket."""

from __future__ import annotations

import asyncio
import gzip
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace

import brotli  # type: ignore[import-untyped]
import pytest

from tests.support.manual_time import LetPass
from tests.support.web_site import (
    Endless,
    WebSite,
    drips,
    fails,
    hangs,
    head,
    in_turn,
    redirects,
    says,
    says_if_changed,
    sends_and_closes,
)
from tests.web_tools.fetching.fetching import LIMITS, Names, fetching
from web_tools.fetching.http_fetch import UnexpectedStatus
from web_tools.pages import PageProtected, Validators, WebError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

A_DATE = "Tue, 24 Nov 2026 04:00:00 GMT"


async def test_a_page_comes_with_what_its_headers_say_of_it() -> None:
    page = says(
        "<h1>Hé</h1>", "Text/HTML; Charset=ISO-8859-1", headers={"ETag": '"1"', "Last-Modified": A_DATE}
    )
    async with WebSite({"/a?b=c": page}) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(site.url("/a?b=c#d"))
    assert fetched.url == site.url("/a?b=c")
    assert (fetched.content_type, fetched.charset.lower()) == ("text/html", "iso-8859-1")
    assert fetched.body == "<h1>Hé</h1>".encode()
    assert fetched.validators == Validators('"1"', A_DATE)
    assert not fetched.not_modified


@pytest.mark.parametrize(
    "given, content_type, charset",
    [
        ("", "", ""),
        ("text/html", "text/html", ""),
        ("text/html;charset=", "text/html", ""),
        ('application/json; charset="utf-8"', "application/json", "utf-8"),
    ],
)
async def test_what_a_header_does_not_say_is_empty(given: str, content_type: str, charset: str) -> None:
    async with WebSite({"/": says("x", given)}) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(site.url())
    assert (fetched.content_type, fetched.charset) == (content_type, charset)
    assert fetched.validators == Validators()


async def test_a_page_without_content_is_an_empty_one() -> None:
    async with WebSite({"/": says("", status=204)}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).body == b""


# --- Conditional requests --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stored, header",
    [(Validators('W/"7"', ""), "if-none-match"), (Validators("", A_DATE), "if-modified-since")],
)
async def test_a_page_that_has_not_changed_is_not_sent_again(stored: Validators, header: str) -> None:
    page = says_if_changed("old", etag=stored.etag, last_modified=stored.last_modified)
    async with WebSite({"/": page}) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(site.url(), stored)
        assert site.asked[0].headers[header] == (stored.etag or stored.last_modified)
    assert (fetched.not_modified, fetched.body, fetched.validators) == (True, b"", stored)


async def test_a_page_that_has_changed_comes_with_its_new_validators() -> None:
    async with WebSite({"/": says_if_changed("new", etag='"2"')}) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(site.url(), Validators('"1"', A_DATE))
    assert (fetched.not_modified, fetched.body, fetched.validators) == (False, b"new", Validators('"2"'))


@pytest.mark.parametrize(
    "headers, kept",
    [
        ({}, Validators('"1"', A_DATE)),
        ({"ETag": '"1b"'}, Validators('"1b"', A_DATE)),
        ({"Last-Modified": "later"}, Validators('"1"', "later")),
    ],
)
async def test_validators_that_an_unchanged_page_does_not_repeat_stay(
    headers: dict[str, str], kept: Validators
) -> None:
    async with WebSite({"/": sends_and_closes(head(304, headers))}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url(), Validators('"1"', A_DATE))).validators == kept


@pytest.mark.parametrize("value", [b'"\xff"', '"ü"'.encode(), b'"' + b"x" * 1001 + b'"'])
async def test_what_cannot_be_stored_and_sent_again_is_no_validator(value: bytes) -> None:
    lines = (b"ETag: ", b"Last-Modified: ", b"Content-Type: text/html; charset=")
    data = b"HTTP/1.1 200 OK\r\n" + b"".join(line + value + b"\r\n" for line in lines) + b"\r\nhello"
    async with WebSite({"/": sends_and_closes(data)}) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(site.url())
    assert (fetched.validators, fetched.charset, fetched.body) == (Validators(), "", b"hello")


async def test_not_modified_without_having_been_asked_is_an_error() -> None:
    async with WebSite({"/": sends_and_closes(head(304, {}))}) as site, fetching() as fetcher:
        with pytest.raises(UnexpectedStatus, match="HTTP 304"):
            await fetcher.fetch(site.url())


# --- Redirects -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed(status: int) -> None:
    pages = {"/a": redirects("b/c", status), "/b/c": says("there")}
    async with WebSite(pages) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(site.url("/a"))
        assert site.paths == ["/a", "/b/c"]
    assert (fetched.url, fetched.body) == (site.url("/b/c"), b"there")


@pytest.mark.parametrize(
    "location, path",
    [("/ü", "/%C3%BC"), ("/%C3%BC", "/%C3%BC"), ("/%c3%bc#top", "/%C3%BC"), (b"/\xfc", "/%FC")],
)
async def test_a_redirect_may_be_written_in_other_letters(location: str | bytes, path: str) -> None:
    to = location.encode() if isinstance(location, str) else location
    raw = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + to + b"\r\n\r\n"
    async with WebSite({"/": sends_and_closes(raw), path: says("there")}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).body == b"there"


async def test_redirects_are_counted() -> None:
    chain = {f"/{step}": redirects(f"/{step + 1}") for step in range(10)}
    async with WebSite({**chain, "/10": says("there")}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url("/0"))).body == b"there"
        site.pages = {**chain, "/10": redirects("/11"), "/11": says("too far")}
        with pytest.raises(WebError, match=r"more than 10 redirects, the last to .*/11"):
            await fetcher.fetch(site.url("/0"))
        assert "/11" not in site.paths


async def test_a_loop_of_redirects_ends() -> None:
    async with WebSite({"/": redirects("/a"), "/a": redirects("/")}) as site, fetching() as fetcher:
        with pytest.raises(WebError, match="more than 10 redirects"):
            await fetcher.fetch(site.url())
        assert len(site.asked) == 11


@pytest.mark.parametrize("status", [300, 304, 305])
async def test_other_statuses_of_their_class_are_no_redirects(status: int) -> None:
    pages = {"/": sends_and_closes(head(status, {"Location": "/a", "Content-Length": 0}))}
    async with WebSite(pages) as site, fetching() as fetcher:
        with pytest.raises(UnexpectedStatus, match=f"HTTP {status}"):
            await fetcher.fetch(site.url())
        assert site.paths == ["/"]


# --- Statuses and the retry ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [401, 402, 403, 407])
async def test_protected_content_is_an_error_of_its_own_and_asked_for_once(status: int) -> None:
    async with WebSite({"/": fails(status)}) as site, fetching() as fetcher:
        with pytest.raises(PageProtected, match=f"HTTP {status} .*: content protected"):
            await fetcher.fetch(site.url())
        assert len(site.asked) == 1


@pytest.mark.parametrize(
    "status, phrase", [(400, "Bad Request"), (404, "Not Found"), (410, "Gone"), (451, "Unav")]
)
async def test_a_status_of_the_client_is_an_error_with_its_phrase_and_not_retried(
    status: int, phrase: str
) -> None:
    async with WebSite({"/": fails(status)}) as site, fetching() as fetcher:
        with pytest.raises(UnexpectedStatus, match=rf"HTTP {status} \({phrase}") as failed:
            await fetcher.fetch(site.url())
        assert failed.value.status == status
        assert len(site.asked) == 1


async def test_a_status_that_nobody_registered_is_an_error() -> None:
    async with WebSite({"/": sends_and_closes(b"HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\nok")}) as site:
        site.pages = {**site.pages, "/599": sends_and_closes(b"HTTP/1.1 499 \r\nContent-Length: 0\r\n\r\n")}
        async with fetching() as fetcher:
            assert (await fetcher.fetch(site.url())).body == b"ok"
            with pytest.raises(UnexpectedStatus, match=r"HTTP 499 \(unknown status\)"):
                await fetcher.fetch(site.url("/599"))


async def test_too_many_requests_are_not_repeated_and_the_wait_is_told() -> None:
    async with WebSite({"/": fails(429, {"Retry-After": "120"})}) as site, fetching() as fetcher:
        with pytest.raises(UnexpectedStatus, match=r"HTTP 429 .*: the server asks to wait 120 seconds"):
            await fetcher.fetch(site.url())
        assert len(site.asked) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_failure_of_the_server_is_retried_once_after_a_random_wait(status: int) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with (
        WebSite({"/": in_turn(fails(status), says("back"))}) as site,
        fetching(sleep=sleep, uniform=lambda low, high: low + (high - low) / 4) as fetcher,
    ):
        assert (await fetcher.fetch(site.url())).body == b"back"
        assert waits == [0.25 + 0.25 / 4]


async def test_a_second_failure_of_the_server_is_the_answer() -> None:
    async with WebSite({"/": in_turn(fails(503), fails(502), says("back"))}) as site, fetching() as fetcher:
        with pytest.raises(UnexpectedStatus, match="HTTP 502"):
            await fetcher.fetch(site.url())
        assert len(site.asked) == 2


async def test_an_answer_after_a_retry_may_be_a_redirect() -> None:
    pages = {"/": in_turn(fails(503), redirects("/a")), "/a": says("there")}
    async with WebSite(pages) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).body == b"there"
        assert site.paths == ["/", "/", "/a"]


# --- Sizes -----------------------------------------------------------------------------------------------------

SMALL = replace(LIMITS, max_page_bytes=100_000)


async def test_a_page_as_large_as_allowed_is_read_and_no_larger_one() -> None:
    pages = {"/most": says("x" * 100_000), "/more": says("x" * 100_001)}
    async with WebSite(pages) as site, fetching(SMALL) as fetcher:
        assert len((await fetcher.fetch(site.url("/most"))).body) == 100_000
        with pytest.raises(WebError, match="more than 100000 bytes"):
            await fetcher.fetch(site.url("/more"))


async def test_of_a_page_that_says_it_has_100_mb_nothing_is_read() -> None:
    says_so = hangs(head(200, {"Content-Type": "text/html", "Content-Length": 100_000_000}))
    async with WebSite({"/": says_so}) as site, fetching(SMALL) as fetcher:
        with pytest.raises(WebError, match="more than 100000 bytes"):
            await fetcher.fetch(site.url())


async def test_of_a_page_that_does_not_end_little_more_is_read_than_allowed() -> None:
    page = Endless()
    async with WebSite({"/": page}) as site, fetching(SMALL) as fetcher:
        with pytest.raises(WebError, match="more than 100000 bytes"):
            await fetcher.fetch(site.url())
    # What the system buffers on both sides comes on top.
    assert page.sent < 20_000_000


@pytest.mark.parametrize(
    "coding, pack", [("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstd.compress)]
)
async def test_a_decompression_bomb_is_refused(coding: str, pack: Callable[[bytes], bytes]) -> None:
    bomb = says(pack(bytes(10_000_000)), headers={"Content-Encoding": coding})
    async with WebSite({"/": bomb}) as site, fetching(SMALL) as fetcher:
        with pytest.raises(WebError, match=f"more than 100000 bytes when unpacked .{coding}"):
            await fetcher.fetch(site.url())


@pytest.mark.parametrize(
    "coding, pack",
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli.compress), ("zstd", zstd.compress)],
)
async def test_content_is_unpacked(coding: str, pack: Callable[[bytes], bytes]) -> None:
    packed = says(pack(b"<p>hello</p>" * 1000), headers={"Content-Encoding": coding})
    async with WebSite({"/": packed}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).body == b"<p>hello</p>" * 1000
        assert coding in site.asked[0].headers["accept-encoding"]


async def test_content_packed_twice_is_unpacked_twice() -> None:
    body = brotli.compress(gzip.compress(b"hello"))
    data = (
        head(200, {"Content-Encoding": "gzip", "content-encoding": "br", "Content-Length": len(body)}) + body
    )
    async with WebSite({"/": sends_and_closes(data)}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).body == b"hello"


@pytest.mark.parametrize("coding, said", [("gzip", "not valid gzip"), ("lzma", "expected some of gzip")])
async def test_content_that_cannot_be_unpacked_is_an_error(coding: str, said: str) -> None:
    async with (
        WebSite({"/": says("plain", headers={"Content-Encoding": coding})}) as site,
        fetching() as fetcher,
    ):
        with pytest.raises(WebError, match=said) as failed:
            await fetcher.fetch(site.url())
        assert site.url() in str(failed.value)


async def test_a_long_header_is_read_and_a_header_without_end_is_not() -> None:
    long = says("hello", headers={"Content-Security-Policy": "x" * 40_000})
    async with (
        WebSite(
            {"/": long, "/endless": sends_and_closes(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 500_000)}
        ) as site,
        fetching() as fetcher,
    ):
        assert (await fetcher.fetch(site.url())).body == b"hello"
        with pytest.raises(WebError, match="not valid HTTP"):
            await fetcher.fetch(site.url("/endless"))


# --- Broken answers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, said",
    [
        (head(200, {"Content-Length": 1000}) + b"x" * 10, "ended before the whole answer"),
        (head(200, {"Transfer-Encoding": "chunked"}) + b"5\r\nhello\r\n", "ended before the whole answer"),
        (b"", "ended before the whole answer"),
        (b"HTTP/1.1 200", "ended before the whole answer|not valid HTTP"),
        (b"SSH-2.0-OpenSSH_9.7\r\n", "not valid HTTP"),
        (head(200, {"Content-Length": "ten"}) + b"x" * 10, "not valid HTTP"),
        (head(200, {"Content-Length": -1}) + b"x" * 10, "not valid HTTP"),
        (
            head(200, {"Transfer-Encoding": "chunked"}) + b"zz\r\nhello\r\n",
            "ended before the whole|not valid HTTP",
        ),
    ],
)
async def test_an_answer_that_is_broken_is_an_error_and_no_half_page(data: bytes, said: str) -> None:
    async with WebSite({"/": sends_and_closes(data)}) as site, fetching() as fetcher:
        with pytest.raises(WebError, match=said):
            await fetcher.fetch(site.url())


async def test_an_answer_longer_than_it_says_is_an_error_and_spoils_no_other() -> None:
    longer = sends_and_closes(head(200, {"Content-Length": 5}) + b"hello, and HTTP/1.1 200 OK\r\n\r\n")
    async with WebSite({"/": longer, "/next": says("next")}) as site, fetching() as fetcher:
        with pytest.raises(WebError, match="not valid HTTP"):
            await fetcher.fetch(site.url())
        assert (await fetcher.fetch(site.url("/next"))).body == b"next"


async def test_a_body_that_ends_with_its_connection_is_whole() -> None:
    async with WebSite({"/": sends_and_closes(head(200, {}) + b"to the end")}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).body == b"to the end"


async def test_a_server_that_does_not_listen_is_an_error_that_says_so() -> None:
    async with WebSite({}) as site:
        url = site.url()
    async with fetching() as fetcher:
        with pytest.raises(WebError, match="no connection"):
            await fetcher.fetch(url)


# --- Time ------------------------------------------------------------------------------------------------------


async def failing(fetch: asyncio.Task[object]) -> str:
    with pytest.raises(WebError) as failed:
        await fetch
    return str(failed.value)


async def test_a_name_that_is_not_resolved_in_time_is_no_connection(let_only_this_pass: LetPass) -> None:
    asked = asyncio.Event()

    async def never(host: str) -> list[str]:
        asked.set()
        await asyncio.Event().wait()
        return []

    async with fetching(resolve=never) as fetcher:
        task = asyncio.create_task(fetcher.fetch("http://slow.example/"))
        await asked.wait()
        let_only_this_pass(11)
        assert "no connection within 10000 ms (REQUEST_TIMEOUT_MS is 20000)" in await failing(task)


async def test_a_server_that_does_not_answer_is_given_up(let_only_this_pass: LetPass) -> None:
    async with WebSite({"/": hangs()}) as site, fetching() as fetcher:
        task = asyncio.create_task(fetcher.fetch(site.url()))
        await site.was_asked(1)
        let_only_this_pass(16)
        assert "no answer within 15000 ms (REQUEST_TIMEOUT_MS is 20000)" in await failing(task)


async def test_a_header_that_never_ends_is_given_up(let_only_this_pass: LetPass) -> None:
    async with WebSite({"/": hangs(b"HTTP/1.1 200 OK\r\nContent-")}) as site, fetching() as fetcher:
        task = asyncio.create_task(fetcher.fetch(site.url()))
        await site.was_asked(1)
        let_only_this_pass(16)
        assert "no answer within" in await failing(task)


async def test_a_slow_drip_is_given_up_when_the_time_is_over(let_only_this_pass: LetPass) -> None:
    async with WebSite({"/": drips(let_only_this_pass)}) as site, fetching() as fetcher:
        with pytest.raises(WebError, match="no whole answer within 20000 ms"):
            await fetcher.fetch(site.url())


async def test_redirects_and_the_retry_share_one_time(let_only_this_pass: LetPass) -> None:
    async def takes_nine_seconds(seconds: float) -> None:
        let_only_this_pass(9)
        await asyncio.sleep(0)

    failing_once = {f"/{step}": in_turn(fails(503), redirects(f"/{step + 1}")) for step in range(9)}
    async with WebSite(failing_once) as site, fetching(sleep=takes_nine_seconds) as fetcher:
        with pytest.raises(WebError, match="no whole answer within 20000 ms"):
            await fetcher.fetch(site.url("/0"))
        assert len(site.asked) < 8


async def test_the_time_of_the_setting_is_the_time_it_takes(let_only_this_pass: LetPass) -> None:
    async with (
        WebSite({"/": hangs(head(200, {}))}) as site,
        fetching(replace(LIMITS, timeout_ms=3000)) as fetcher,
    ):
        task = asyncio.create_task(fetcher.fetch(site.url()))
        await site.was_asked(1)
        let_only_this_pass(3.1)
        assert "no whole answer within 3000 ms (REQUEST_TIMEOUT_MS is 3000)" in await failing(task)


async def test_the_connection_of_a_page_that_was_given_up_is_closed() -> None:
    page = Endless()
    async with WebSite({"/": page}) as site, fetching(SMALL) as fetcher:
        for _ in range(3):
            with pytest.raises(WebError):
                await fetcher.fetch(site.url())
        assert site.connections == 3


async def test_the_pages_of_a_site_come_over_one_connection() -> None:
    pages = {"/a": redirects("/b"), "/b": says("b"), "/c": in_turn(fails(503), says("c"))}
    async with WebSite(pages) as site, fetching() as fetcher:
        for path in ("/a", "/b", "/b"):
            await fetcher.fetch(site.url(path))
        assert len(site.asked) == 4
        # An answer that is no page is not read to its end: its connection is closed.
        assert site.connections <= 2


async def test_names_are_resolved_for_connections_and_not_for_requests() -> None:
    names = Names({"site.example": [["127.0.0.1"]]})
    async with WebSite({"/": says("hello")}) as site, fetching(resolve=names) as fetcher:
        for _ in range(3):
            await fetcher.fetch(site.url(host="site.example"))
        assert len(names.resolved) == site.connections == 1


def test_the_limits_leave_time_for_what_comes_later() -> None:
    for ms in (10, 1000, 20_000, 60_001):
        limits = replace(LIMITS, timeout_ms=ms)
        assert 0 < limits.connect_ms < limits.first_byte_ms < limits.timeout_ms
