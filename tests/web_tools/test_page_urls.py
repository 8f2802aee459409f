"""Which URLs are fetched, and what is shown of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from tests.support.timing import is_linear
from web_tools.page_urls import (
    MAX_URL_CHARACTERS,
    origin_of,
    page_url,
    redirect_target,
    shown,
    without_queries,
)
from web_tools.pages import WebError


@pytest.mark.parametrize(
    "text, fetched",
    [
        ("https://example.com", "https://example.com/"),
        (" https://example.com/a?b=c#d\n", "https://example.com/a?b=c"),
        ("HTTP://EXAMPLE.com:80/A", "http://example.com/A"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("http://93.184.215.14/", "http://93.184.215.14/"),
        ("http://[2606:4700::1111]:8080/", "http://[2606:4700::1111]:8080/"),
        ("http://1.example.com/", "http://1.example.com/"),
    ],
)
def test_a_url_is_fetched_without_its_fragment(text: str, fetched: str) -> None:
    assert str(page_url(text)) == fetched


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "without a scheme"),
        ("example.com/page", "without a scheme"),
        ("//example.com/page", "without a scheme"),
        ("file:///etc/passwd", "scheme file"),
        ("ftp://example.com/", "scheme ftp"),
        ("gopher://127.0.0.1:6379/_FLUSHALL", "scheme gopher"),
        ("javascript:alert(1)", "scheme javascript"),
        ("data:text/html,hi", "scheme data"),
        ("unix:///var/run/docker.sock", "scheme unix"),
        ("http:///path", "without a host"),
        ("http://", "without a host"),
        ("http://[::1", "not a URL"),
        ("http://[a]@", "not a URL"),
        ("http://example.com:99999/", "not a URL"),
        (r"http://example.com\@127.0.0.1/", "not a URL"),
        ("http://127.0.0.1[::1]/", "not a URL"),
        ("http://user@example.com/", "user name or password"),
        ("http://:secret@example.com/", "user name or password"),
        ("http://[fe80::1%25eth0]/", "percent sign"),
        ("http://%31%32%37.0.0.1/", "percent sign"),
        ("http://2130706433/", "usual spelling"),
        ("http://0x7f000001/", "usual spelling"),
        ("http://0x7f.1/", "usual spelling"),
        ("http://017700000001/", "usual spelling"),
        ("http://0177.0.0.1/", "usual spelling"),
        ("http://127.1/", "usual spelling"),
        ("http://127.0.0.1./", "usual spelling"),
        ("http://127.0.0.256/", "usual spelling"),
        ("http://example.0x7f/", "usual spelling"),
        ("http://1.2.3.4.5/", "usual spelling"),
        ("http://example.com/" + "a" * MAX_URL_CHARACTERS, "characters"),
    ],
)
def test_a_url_that_is_not_fetched_is_refused_with_its_reason(text: str, said: str) -> None:
    with pytest.raises(WebError, match=said):
        page_url(text)


@pytest.mark.parametrize(
    "location, target",
    [
        ("/b", "http://example.com/b"),
        ("c?d", "http://example.com/a/c?d"),
        ("//other.example/e", "http://other.example/e"),
        ("https://example.com/#top", "https://example.com/"),
        ("http://user:secret@example.com/f", "http://example.com/f"),
        ("?page=2", "http://example.com/a/?page=2"),
    ],
)
def test_a_redirect_leads_where_its_location_says_without_credentials(location: str, target: str) -> None:
    assert str(redirect_target(page_url("http://example.com/a/"), location)) == target


@pytest.mark.parametrize(
    "location, said",
    [
        ("", "no Location"),
        ("/" + "a" * MAX_URL_CHARACTERS, "too long"),
        ("file:///etc/passwd", "scheme file"),
        ("http://2130706433/", "usual spelling"),
        ("http://[::1", "not a URL"),
    ],
)
def test_a_redirect_to_what_is_not_fetched_is_refused(location: str, said: str) -> None:
    with pytest.raises(WebError, match=said):
        redirect_target(page_url("http://example.com/"), location)


# What a URL's parts are told apart by, what addresses are written with, and characters that are changed into such ones.
SIGNS = (
    *("127.0.0.1", "[::1]", "[", "]", "@", ":", "/", "\\", "?", "#", "%", "%25", ".", "..", "xn--", "0x7f", "256", "a", "[v1.a]"),
    *("é", "ß", "。", "①", "١", "ﷺ", "℀", "⒈", "\u200b", "\u202e", "\ud800", "\x00", "\t", "\n", " ", "fe80::1%eth0", ";", "|"),
)  # fmt: skip
HOSTS = st.lists(st.sampled_from(SIGNS), max_size=6).map("".join) | st.text(max_size=12)


@examples(1000)
@given(text=HOSTS.map(lambda host: f"http://{host}") | HOSTS)
def test_any_text_is_a_url_of_one_host_or_refused(text: str) -> None:
    try:
        url = page_url(text)
    except WebError:
        return
    assert url.scheme in ("http", "https")
    assert url.raw_host
    assert page_url(str(url)).origin() == url.origin()


@examples(1000)
@given(location=HOSTS.map(lambda host: f"//{host}") | HOSTS)
def test_any_location_is_a_url_that_is_fetched_or_refused(location: str) -> None:
    try:
        target = redirect_target(page_url("http://example.com/a"), location)
    except WebError:
        return
    assert page_url(str(target)).origin() == target.origin()


def test_an_error_shows_no_secret_of_a_url() -> None:
    with pytest.raises(WebError) as failed:
        page_url("http://anna:pass-phrase@example.com/a?token=abc#frag")
    assert "http://example.com/a" in str(failed.value)
    assert not any(secret in str(failed.value) for secret in ("anna", "pass-phrase", "abc", "frag"))
    assert len(shown(page_url("http://example.com/" + "a" * 5000))) < 250


@pytest.mark.parametrize(
    "url, origin",
    [
        ("http://tea.example/a?b#c", "http://tea.example"),
        ("http://tea.example:80/", "http://tea.example"),
        ("https://tea.example:443/", "https://tea.example"),
        ("https://tea.example:80/", "https://tea.example:80"),
        ("http://127.0.0.1:8007/", "http://127.0.0.1:8007"),
        ("http://[::1]:8007/", "http://[::1]:8007"),
        ("http://münchen.example/", "http://xn--mnchen-3ya.example"),
    ],
)
def test_an_origin_is_written_as_browsers_do(url: str, origin: str) -> None:
    assert origin_of(url) == origin


@pytest.mark.parametrize(
    "message, shown",
    [
        ("at http://a.example/b?c=d\nCall log", "at http://a.example/b\nCall log"),
        ("http://a.example/#b, https://c.example/?d", "http://a.example/ https://c.example/"),
        ('"https://a.example/b?c"', '"https://a.example/b'),
        ("why? http://a.example/b", "why? http://a.example/b"),
        ("http://?a http://", "http:// http://"),
    ],
)
def test_a_message_is_shown_without_the_queries_of_its_urls(message: str, shown: str) -> None:
    assert without_queries(message) == shown


@pytest.mark.timed
@pytest.mark.parametrize("message", ["http://", "http://a", "http://a?", "a"])
def test_a_message_is_read_in_linear_time(message: str) -> None:
    assert is_linear(lambda times: without_queries(message * times), 20_000)
