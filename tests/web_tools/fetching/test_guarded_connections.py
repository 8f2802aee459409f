"""No connection to an address that is not public, however it is spelled, named or led to: on real sockets."""

from __future__ import annotations

import asyncio
import gzip
import socket
import threading
from ipaddress import ip_network

import aiohttp
import pytest

from tests.support.manual_time import until
from tests.support.web_site import Page, WebSite, redirects, says
from tests.web_tools.fetching.fetching import LIMITS, THE_SITE, Names, fetching
from web_tools.fetching.address_guard import Address, AddressGuard, AddressRefused
from web_tools.fetching.guarded_connections import MAX_ADDRESSES, open_session
from web_tools.pages import WebError
from web_tools.request_slots import RequestSlots

# The whole of it is loopback, so that a second site can stand where only the first is allowed.
INTERNAL_HOST = "127.0.0.2"


def closing(body: str) -> Page:
    """Answer and end the connection, so that the next request needs a new one."""
    return says(body, headers={"Connection": "close"})


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "127.0.1",
        "2130706433",
        "017700000001",
        "0177.0.0.1",
        "0x7f000001",
        "0X7F000001",
        "0x7f.0.0.1",
        "00000127.0.0.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::FFFF:7F00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b:1::127.0.0.1]",
        "[2002:7f00:1::]",
        "[2002:7f00:1::1]",
        "[fe80::1%25lo]",
        "[fe80::1%lo]",
        "[::1%lo]",
        "localhost",
        "LocalHost",
        "localhost.",
        "localhost..",
        "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
        "localhoſt",
        "127。0。0。1",
        "127．0．0．1",
        "１２７.0.0.1",
        "①②⑦.⓪.⓪.①",
        "⑫7.0.0.1",
        "127.0.0.1\u200b",
        "%31%32%37.0.0.1",
        "127.0.0.1%20",
        "127.0.0.1%00.example.com",
        "example.com@127.0.0.1",
        "example.com:80@127.0.0.1",
        "example.com%40127.0.0.1",
        "example.com\\@127.0.0.1",
        "127.0.0.1\\@example.com",
        "127.0.0.1\t",
        "127.0.\n0.1",
        "224.0.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "[fd00:ec2::254]",
    ],
)
async def test_no_spelling_of_an_address_that_is_not_public_leads_there(host: str) -> None:
    names = Names({name: [["127.0.0.1"]] for name in ("localhost", "localhost.", "localhost..")})
    async with (
        WebSite({"/": says("secret")}) as site,
        fetching(allowed_networks=(), resolve=names) as fetcher,
    ):
        with pytest.raises(WebError):
            await fetcher.fetch(site.url(host=host))
        assert (site.connections, site.asked) == (0, [])


async def test_the_system_resolves_no_name_of_this_machine_to_what_is_allowed() -> None:
    async with WebSite({"/": says("secret")}) as site, fetching(allowed_networks=()) as fetcher:
        with pytest.raises(AddressRefused, match=r"localhost: its address is not a public one.*loopback"):
            await fetcher.fetch(site.url(host="localhost"))
        assert site.connections == 0


async def test_names_that_hang_hold_up_no_other_page_and_no_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    hanging: list[object] = []

    def getaddrinfo(*arguments: object) -> list[object]:
        hanging.append(arguments[0])
        over.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    packed = says(gzip.compress(b"hello"), headers={"Content-Encoding": "gzip"})
    try:
        async with (
            WebSite({"/": packed}) as site,
            fetching(slots=RequestSlots(4, LIMITS.timeout_ms)) as fetcher,
        ):
            callers = [asyncio.create_task(fetcher.fetch(f"http://{name}.example/")) for name in "abc"]
            await until(lambda: len(hanging) == 3, "lookups")
            assert (await fetcher.fetch(site.url())).body == b"hello"
        with pytest.raises(asyncio.CancelledError):
            await callers[0]
    finally:
        over.set()


async def test_an_allowed_network_is_read_by_name_and_by_address() -> None:
    names = Names({"wiki.intranet": [["127.0.0.1"]]})
    async with WebSite({"/": says("hello")}) as site, fetching(resolve=names) as fetcher:
        for host in ("127.0.0.1", "wiki.intranet", "[::ffff:127.0.0.1]"):
            assert (await fetcher.fetch(site.url(host=host))).body == b"hello"
        assert site.asked[1].headers["host"] == f"wiki.intranet:{site.port}"


async def test_a_name_is_resolved_once_for_a_connection_and_never_between_check_and_connection() -> None:
    names = Names({"rebinding.example": [["127.0.0.1"], [INTERNAL_HOST]]})
    async with (
        WebSite({"/": closing("allowed")}) as site,
        fetching(resolve=names) as fetcher,
    ):
        page = await fetcher.fetch(site.url(host="rebinding.example"))
        assert (page.body, names.resolved) == (b"allowed", ["rebinding.example"])


async def test_a_name_that_rebinds_to_an_internal_address_is_refused_from_then_on() -> None:
    names = Names({"rebinding.example": [["127.0.0.1"], [INTERNAL_HOST]]})
    async with (
        WebSite({"/": closing("allowed")}) as site,
        WebSite({"/": says("secret")}, host=INTERNAL_HOST) as internal,
        fetching(resolve=names) as fetcher,
    ):
        await fetcher.fetch(site.url(host="rebinding.example"))
        for port in (site.port, internal.port):
            with pytest.raises(AddressRefused):
                await fetcher.fetch(f"http://rebinding.example:{port}/")
        assert (site.connections, internal.connections) == (1, 0)


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1", INTERNAL_HOST],
        [INTERNAL_HOST, "127.0.0.1"],
        ["127.0.0.1", "::1"],
        ["127.0.0.1", "fe80::1%lo"],
    ],
)
async def test_a_name_with_an_internal_address_among_others_is_refused(addresses: list[str]) -> None:
    names = Names({"mixed.example": [addresses]})
    async with WebSite({"/": says("hello")}) as site, fetching(resolve=names) as fetcher:
        with pytest.raises(AddressRefused):
            await fetcher.fetch(site.url(host="mixed.example"))
        assert site.connections == 0


async def test_of_a_name_with_thousands_of_addresses_a_few_are_tried() -> None:
    closed = [f"127.{number // 256}.{number % 256}.1" for number in range(1, 5000)]
    closed_ipv6 = [f"::ffff:{address}" for address in closed]
    checked: list[str] = []

    def is_own(address: Address) -> bool:
        checked.append(str(address))
        return False

    guard = AddressGuard((), is_own=is_own)
    async with WebSite({}) as site:
        session = open_session(
            guard, Names({"many.example": [closed + closed_ipv6]}), user_agent="", connect_seconds=10
        )
        async with session:
            with pytest.raises(aiohttp.ClientConnectorError):
                await session.get(site.url(host="many.example"))
    assert set(checked) == set(closed[:MAX_ADDRESSES])
    assert len(checked) < 100


async def test_a_name_without_an_address_is_an_error_that_says_so() -> None:
    async with fetching(resolve=Names({})) as fetcher:
        with pytest.raises(WebError, match=r"no-such\.example/: the name could not be resolved"):
            await fetcher.fetch("http://no-such.example/")


async def test_the_refusal_of_a_name_does_not_tell_its_internal_address() -> None:
    async with fetching(resolve=Names({"intranet.example": [["10.17.4.9"]]})) as fetcher:
        with pytest.raises(AddressRefused, match="WEB_ALLOWED_NETWORKS") as refused:
            await fetcher.fetch("http://intranet.example/")
        assert "10.17" not in str(refused.value)


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://[fd00:ec2::254]/latest/meta-data/",
        "http://[::ffff:a9fe:a9fe]/latest/meta-data/",
        "http://2852039166/latest/meta-data/",
        "//169.254.169.254/latest/meta-data/",
        "https://169.254.169.254/",
        "http://user:secret@169.254.169.254/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_FLUSHALL",
    ],
)
async def test_no_redirect_leads_to_where_a_url_may_not_go(location: str) -> None:
    names = Names({"metadata.google.internal": [["169.254.169.254"]]})
    async with (
        WebSite({"/": redirects("/next"), "/next": redirects(location)}) as site,
        fetching(resolve=names) as fetcher,
    ):
        with pytest.raises(WebError):
            await fetcher.fetch(site.url())
        assert site.paths == ["/", "/next"]


@pytest.mark.parametrize("host", [INTERNAL_HOST, "internal.example", f"[::ffff:{INTERNAL_HOST}]"])
async def test_a_redirect_to_an_internal_site_does_not_reach_it(host: str) -> None:
    names = Names({"internal.example": [[INTERNAL_HOST]]})
    async with WebSite({"/": says("secret")}, host=INTERNAL_HOST) as internal:
        leads_there = redirects(internal.url(host=host))
        async with WebSite({"/": leads_there}) as site, fetching(resolve=names) as fetcher:
            with pytest.raises(AddressRefused):
                await fetcher.fetch(site.url())
        assert internal.connections == 0


async def test_a_redirect_between_allowed_sites_is_followed() -> None:
    allowed = (*THE_SITE, ip_network(INTERNAL_HOST))
    async with WebSite({"/": says("hello")}, host=INTERNAL_HOST) as other:
        async with (
            WebSite({"/": redirects(other.url())}) as site,
            fetching(allowed_networks=allowed) as fetcher,
        ):
            page = await fetcher.fetch(site.url())
        assert (page.body, page.url) == (b"hello", other.url())


async def test_what_may_reach_an_intranet_alone_connects_to_no_public_address() -> None:
    names = Names({"public.example": [["8.8.8.8"]], "site.example": [["127.0.0.1"]]})
    async with (
        WebSite({"/": says("hello")}) as site,
        fetching(resolve=names, reaches_public=False) as fetcher,
    ):
        assert (await fetcher.fetch(site.url(host="site.example"))).body == b"hello"
        for host in ("public.example", "8.8.8.8"):
            with pytest.raises(AddressRefused):
                await fetcher.fetch(f"http://{host}/")


async def test_a_page_of_an_allowed_network_is_not_public_over_any_connection() -> None:
    pages = {"/": says("hello"), "/closing": closing("hello"), "/old": redirects("/")}
    async with WebSite(pages) as site, fetching() as fetcher:
        for path in ("/", "/", "/closing", "/closing", "/old"):
            assert not (await fetcher.fetch(site.url(path))).is_public
        assert site.connections < len(site.asked)


async def test_a_page_is_public_if_its_address_is(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []

    def is_public(guard: AddressGuard, address: str) -> bool:
        judged.append(address)
        return True

    monkeypatch.setattr(AddressGuard, "is_public", is_public)
    async with WebSite({"/": says("hello")}) as site, fetching() as fetcher:
        assert (await fetcher.fetch(site.url())).is_public
    assert judged == ["127.0.0.1"]


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async with WebSite({}) as proxy, WebSite({"/": says("hello")}) as site:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url())
        async with fetching() as fetcher:
            assert (await fetcher.fetch(site.url())).body == b"hello"
        assert proxy.connections == 0


async def test_no_cookie_and_no_credentials_are_sent() -> None:
    # A jar would keep cookies of names alone.
    name = "site.example"
    sets_a_cookie = says("hello", headers={"Set-Cookie": "session=abc; Path=/"})
    async with WebSite({}) as site, fetching(resolve=Names({name: [["127.0.0.1"]]})) as fetcher:
        site.pages = {"/": sets_a_cookie, "/in": redirects(site.url(host=f"anna:secret@{name}"))}
        for path in ("/", "/in"):
            await fetcher.fetch(site.url(path, host=name))
        assert site.paths == ["/", "/in", "/"]
        sent = {header for asked in site.asked for header in asked.headers}
    assert sent == {"host", "user-agent", "accept", "accept-encoding"}


async def test_a_url_with_credentials_is_refused_before_anything_is_sent() -> None:
    async with WebSite({"/": says("hello")}) as site, fetching() as fetcher:
        with pytest.raises(WebError, match="user name or password") as refused:
            await fetcher.fetch(site.url(host=f"anna:secret@{site.host}"))
        assert "secret" not in str(refused.value)
        assert site.connections == 0
