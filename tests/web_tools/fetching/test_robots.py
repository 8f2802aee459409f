"""What a robots.txt allows (RFC 9309), and that it is asked only where that is wanted."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from tests.support.timing import is_linear
from tests.support.web_site import Page, WebSite, fails, redirects, says, sends_and_closes
from tests.web_tools.fetching.fetching import Names, fetching
from web_tools.fetching.robots import KEEP_SECONDS, RobotsRefused, Rule, is_allowed, parse_rules
from web_tools.pages import WebError

ALL = "User-agent: *\n"


def robots(text: str) -> Page:
    return says(text, "text/plain")


# --- The rules -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, path, allowed",
    [
        ("", "/a", True),
        (ALL + "Disallow: /", "/a", False),
        (ALL + "Disallow:", "/a", True),
        (ALL + "Disallow: /a", "/b", True),
        (ALL + "Disallow: /a", "/about", False),
        (ALL + "Disallow: /", "/robots.txt", True),
        (ALL + "disallow : /a # why not", "/a", False),
        ("\ufeff" + ALL + "Disallow: /a", "/a", False),
        ("Disallow: /a", "/a", True),  # in no group
        # "the most specific match found MUST be used [...] the allow rule SHOULD be used" where they are equal
        (ALL + "Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        (ALL + "Allow: /a/b\nDisallow: /a", "/a/c", False),
        (ALL + "Disallow: /a\nAllow: /a", "/a", True),
        (ALL + "Allow: /p\nDisallow: /", "/page", True),
        (ALL + "Allow: /page\nDisallow: /*.htm", "/page.htm", False),
        # wildcards
        (ALL + "Disallow: /*.php", "/index.php", False),
        (ALL + "Disallow: /*.php", "/index.php?a", False),
        (ALL + "Disallow: /*.php$", "/index.php?a", True),
        (ALL + "Disallow: /*.php$", "/a.php.php", False),
        (ALL + "Disallow: /fish*.php", "/fishheads/catfish.php?parameters", False),
        (ALL + "Disallow: /fish*.php", "/Fish.PHP", True),
        (ALL + "Disallow: /a$", "/a", False),
        (ALL + "Disallow: /a$", "/ab", True),
        (ALL + "Disallow: /*a*b*c", "/xaxbxc", False),
        (ALL + "Disallow: /*a*b*c", "/xcxbxa", True),
        (ALL + "Disallow: *", "/", False),
        (ALL + "Disallow: /*?s=", "/find?s=x", False),
        # characters that are percent-encoded in a request
        (ALL + "Disallow: /ü b", "/%C3%BC%20b", False),
        (ALL + "Disallow: /%C3%BC", "/%C3%BC", False),
        # groups
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: MCP-Summarizer\nDisallow: /a\n\n" + ALL + "Disallow: /b", "/a", False),
        ("User-agent: MCP-Summarizer\nDisallow: /a\n\n" + ALL + "Disallow: /b", "/b", True),
        ("User-agent: mcp-summarizer\n\n" + ALL + "Disallow: /b", "/b", False),
        ("User-agent: other\nUser-agent: mcp-summarizer\nDisallow: /a", "/a", False),
        ("User-agent: mcp-summarizer\nDisallow: /a\nUser-agent: x\nAllow: /\nUser-agent: mcp-summarizer\nDisallow: /b", "/b", False),
        (ALL + "Crawl-delay: 5\nDisallow: /a", "/a", False),
        (ALL + "Sitemap: http://example.com/map.xml\nDisallow: /a", "/a", False),
        ("<html><body>404</body></html>", "/a", True),
    ],
)  # fmt: skip
def test_a_path_is_allowed_as_the_standard_says(text: str, path: str, allowed: bool) -> None:
    assert is_allowed(parse_rules(text, "mcp-summarizer"), path) is allowed


@examples(300)
@given(
    pattern=st.text("ab*$", max_size=8).map(lambda text: "/" + text.replace("$", "")),
    ends=st.booleans(),
    path=st.text("ab", max_size=8).map(lambda text: "/" + text),
)
def test_a_pattern_matches_as_its_meaning_spelled_out(pattern: str, ends: bool, path: str) -> None:
    def matches(pattern: str, path: str) -> bool:
        if not pattern:
            return not ends or not path
        if pattern[0] == "*":
            return any(matches(pattern[1:], path[start:]) for start in range(len(path) + 1))
        return bool(path) and path[0] == pattern[0] and matches(pattern[1:], path[1:])

    assert Rule(True, pattern + "$" * ends).matches(path) == matches(pattern, path)


def test_any_text_is_read_as_rules() -> None:
    for text in ("\0" * 1000, "user-agent\n" * 1000, ":" * 1000, "allow:/\n" * 1000, "\u2028".join("abc")):
        assert is_allowed(parse_rules(text, "mcp-summarizer"), "/")


# --- Asked for -------------------------------------------------------------------------------------------------


async def test_robots_txt_is_not_asked_for_unless_it_is_to_be_obeyed() -> None:
    async with WebSite({"/robots.txt": robots(ALL + "Disallow: /"), "/": says("hello")}) as site:
        async with fetching() as fetcher:
            assert (await fetcher.fetch(site.url())).body == b"hello"
        assert site.paths == ["/"]


async def test_a_page_that_robots_txt_does_not_allow_is_not_asked_for() -> None:
    pages = {
        "/robots.txt": robots(ALL + "Disallow: /private"),
        "/": says("hello"),
        "/private": says("secret"),
    }
    async with WebSite(pages) as site, fetching(obey_robots=True) as fetcher:
        with pytest.raises(RobotsRefused, match=r"robots\.txt does not allow it"):
            await fetcher.fetch(site.url("/private"))
        assert (await fetcher.fetch(site.url())).body == b"hello"
        assert site.paths == ["/robots.txt", "/"]


async def test_a_redirect_to_a_page_that_is_not_allowed_is_not_followed() -> None:
    pages = {"/robots.txt": robots(ALL + "Disallow: /private"), "/": redirects("/private")}
    async with WebSite(pages) as site, fetching(obey_robots=True) as fetcher:
        with pytest.raises(RobotsRefused):
            await fetcher.fetch(site.url())
        assert site.paths == ["/robots.txt", "/"]


@pytest.mark.parametrize("status", [401, 403, 404, 410, 429])
async def test_a_robots_txt_that_is_not_there_allows_everything(status: int) -> None:
    pages = {"/robots.txt": fails(status), "/": says("hello")}
    async with WebSite(pages) as site, fetching(obey_robots=True) as fetcher:
        assert (await fetcher.fetch(site.url())).body == b"hello"


@pytest.mark.parametrize("broken", [fails(503), sends_and_closes(b""), redirects("file:///etc/passwd")])
async def test_a_robots_txt_that_cannot_be_read_allows_nothing_until_it_can(broken: Page) -> None:
    page = {"/": says("hello")}
    async with WebSite({"/robots.txt": broken, **page}) as site, fetching(obey_robots=True) as fetcher:
        with pytest.raises(RobotsRefused, match="could not be read"):
            await fetcher.fetch(site.url())
        assert "/" not in site.paths
        site.pages = {"/robots.txt": robots(""), **page}
        assert (await fetcher.fetch(site.url())).body == b"hello"


async def test_a_robots_txt_may_stand_elsewhere() -> None:
    pages = {"/robots.txt": redirects("/r"), "/r": robots(ALL + "Disallow: /"), "/": says("hello")}
    async with WebSite(pages) as site, fetching(obey_robots=True) as fetcher:
        with pytest.raises(RobotsRefused):
            await fetcher.fetch(site.url())


async def test_a_robots_txt_is_kept_for_a_day() -> None:
    now = 1000.0
    pages = {"/robots.txt": robots(""), "/": says("hello")}
    async with WebSite(pages) as site, fetching(obey_robots=True, clock=lambda: now) as fetcher:
        for _ in range(3):
            await fetcher.fetch(site.url())
        assert site.paths.count("/robots.txt") == 1
        now += KEEP_SECONDS + 1
        await fetcher.fetch(site.url())
        assert site.paths.count("/robots.txt") == 2


async def test_the_rules_of_the_sites_that_were_asked_first_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web_tools.fetching.robots.MAX_SITES", 2)
    pages = {"/robots.txt": robots(""), "/": says("hello")}
    names = Names({f"{name}.example": [["127.0.0.1"]] for name in "abc"})
    async with WebSite(pages) as site, fetching(obey_robots=True, resolve=names) as fetcher:
        for name in "abcbca":
            await fetcher.fetch(site.url(host=f"{name}.example"))
    fetched = [asked.headers["host"][0] for asked in site.asked if asked.path == "/robots.txt"]
    assert "".join(fetched) == "abca"


async def test_of_sites_with_very_many_rules_fewer_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web_tools.fetching.robots.MAX_RULES", 5)
    pages = {
        "/robots.txt": robots(ALL + "".join(f"Disallow: /{number}\n" for number in range(4))),
        "/": says("hello"),
    }
    names = Names({f"{name}.example": [["127.0.0.1"]] for name in "ab"})
    async with WebSite(pages) as site, fetching(obey_robots=True, resolve=names) as fetcher:
        for name in "abba":
            await fetcher.fetch(site.url(host=f"{name}.example"))
    fetched = [asked.headers["host"][0] for asked in site.asked if asked.path == "/robots.txt"]
    assert "".join(fetched) == "aba"


async def test_a_robots_txt_at_an_internal_address_is_not_read() -> None:
    async with WebSite({"/robots.txt": robots("")}) as site:
        async with fetching(obey_robots=True, allowed_networks=()) as fetcher:
            with pytest.raises(WebError):
                await fetcher.fetch(site.url())
        assert site.connections == 0


async def test_pages_of_a_site_that_are_asked_for_at_once_share_its_robots_txt() -> None:
    pages = {"/robots.txt": robots(""), "/a": says("a"), "/b": says("b")}
    async with WebSite(pages) as site, fetching(obey_robots=True) as fetcher:
        both = await asyncio.gather(*(fetcher.fetch(site.url(path)) for path in ("/a", "/b")))
        assert [each.body for each in both] == [b"a", b"b"]
        assert site.paths.count("/robots.txt") == 1


@pytest.mark.timed
def test_a_large_robots_txt_takes_time_as_its_length() -> None:
    def judge(lines: int) -> None:
        is_allowed(parse_rules(ALL + "Disallow: /*a*a*b\n" * lines, "mcp-summarizer"), "/" + "a" * 100)

    assert is_linear(judge, 5000)


@pytest.mark.timed
def test_a_group_for_many_agents_takes_time_as_their_number() -> None:
    def read(agents: int) -> None:
        parse_rules("".join(f"User-agent: {number}\n" for number in range(agents)), "mcp-summarizer")

    assert is_linear(read, 5000)
