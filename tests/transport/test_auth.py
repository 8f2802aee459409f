"""Who may call: every way to write a Host, an Origin and a key, and what the refused are told."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from settings.value_parsers import hosts, origins
from tests.support.laws import examples
from transport.auth import Access, Keys, Unauthorized, cors_headers, in_url, is_loopback, preflight_headers

KEY = "sixteen-or-more-characters"
OTHER_KEY = "another-key-of-some-length"
PAGE = "https://page.example"

law = examples(200)


def elsewhere(allowed_hosts: str = "", allowed_origins: str = "") -> Access:
    """Return the rules of a service for every network, with its settings as they are written."""
    return Access.for_address("0.0.0.0", hosts(allowed_hosts), origins(allowed_origins))


def at_home(allowed_hosts: str = "", allowed_origins: str = "", address: str = "127.0.0.1") -> Access:
    return Access.for_address(address, hosts(allowed_hosts), origins(allowed_origins))


# --- Host ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "allowed, host",
    [
        ("sum:8007", "sum:8007"),
        ("sum:8007", "SUM:8007"),
        ("Sum:8007", "sum:8007"),
        ("sum", "sum"),
        ("sum", "sum:1"),
        ("sum:*", "sum:65535"),
        ("sum:80", "sum"),
        ("sum:443", "sum"),
        ("sum:80", "sum:80"),
        ("[fe80::1]:80", "[fe80::1]"),
        ("[fe80::1]", "[FE80::1]:8007"),
        ("[fe80::80]:443", "[fe80::80]"),
        ("sum", "localhost:8007"),
    ],
)
def test_a_host_is_admitted_however_it_is_written(allowed: str, host: str) -> None:
    assert elsewhere(allowed).admits_hosts([host])


@pytest.mark.parametrize(
    "allowed, host",
    [
        ("sum:8007", "sum"),
        ("sum:8007", "sum:80070"),
        ("sum:80", "sum:443"),
        ("sum:443", "sum:80"),
        ("sum:80", "sum:8080"),
        ("sum", "sum:"),
        ("sum", "sum:*"),
        ("sum", "sum:8007x"),
        ("sum", "sum:٨٠"),
        ("sum", "sum:80\n"),
        ("sum", "sum.evil.example"),
        ("sum", "summer"),
        ("desk", "des\u212a"),
        ("sum", "sum:80@evil.example"),
        ("sum", "sum:80, evil.example"),
        ("sum", "http://sum:80"),
        ("sum", ""),
        ("[fe80::1]", "fe80::1"),
        ("[fe80::1]", "[fe80::1"),
    ],
)
def test_what_only_resembles_a_host_is_not_admitted(allowed: str, host: str) -> None:
    assert not elsewhere(allowed).admits_hosts([host])


def test_a_bare_host_in_the_rules_is_its_default_ports() -> None:
    rules = Access(("sum",), ())
    assert [rules.admits_hosts([host]) for host in ("sum", "sum:80", "sum:443", "sum:8007")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("rules", [at_home(), elsewhere(), elsewhere("sum")])
@pytest.mark.parametrize("values", [[], ["localhost", "localhost"], ["localhost", "evil.example"]])
def test_no_host_and_two_hosts_are_refused_even_where_any_would_do(rules: Access, values: list[str]) -> None:
    assert rules.admits_hosts(["localhost"])
    assert not rules.admits_hosts(values)


def test_elsewhere_any_host_will_do_until_some_are_named() -> None:
    assert elsewhere().admits_hosts(["whatever.example:1"])
    assert not elsewhere("sum").admits_hosts(["whatever.example:1"])


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "localhost", "127.0.0.2"])
def test_on_loopback_its_names_are_served_and_nothing_else(address: str) -> None:
    rules = at_home(address=address)
    for name in ("127.0.0.1", "localhost", "[::1]", in_url(address)):
        assert rules.admits_hosts([f"{name}:8007"])
        assert rules.admits_origins([f"http://{name}:3000"])
    assert not rules.admits_hosts(["rebound.example:8007"])
    assert not rules.admits_origins(["http://rebound.example:8007"])


@pytest.mark.parametrize(
    "address, loopback",
    [
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("sum.example", False),
    ],
)
def test_loopback_is_what_only_this_machine_reaches(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


@pytest.mark.parametrize("address, written", [("::1", "[::1]"), ("127.0.0.1", "127.0.0.1"), ("a.b", "a.b")])
def test_urls_have_ipv6_in_brackets(address: str, written: str) -> None:
    assert in_url(address) == written


# --- Origin ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "allowed, origin",
    [
        (PAGE, PAGE),
        ("https://page.example:443", PAGE),
        (PAGE, "https://page.example:443"),
        ("http://page.example:80", "http://page.example"),
        ("HTTPS://Page.Example:443", PAGE),
        ("https://page.example:*", "https://page.example:8443"),
        ("https://page.example:*", PAGE),
        ("http://[::1]:80", "http://[::1]"),
        ("chrome-extension://abc", "chrome-extension://abc"),
        (f"http://other.example, {PAGE}", PAGE),
    ],
)
def test_an_origin_is_admitted_as_browsers_write_it(allowed: str, origin: str) -> None:
    assert elsewhere("", allowed).admits_origins([origin])


@pytest.mark.parametrize(
    "allowed, origin",
    [
        (PAGE, "http://page.example"),
        (PAGE, "https://page.example:80"),
        ("https://page.example:80", PAGE),
        ("http://page.example:443", "http://page.example"),
        (PAGE, "https://page.example:8443"),
        (PAGE, "https://page.example/"),
        (PAGE, "https://page.example.evil.example"),
        (PAGE, f"{PAGE} {PAGE}"),
        (PAGE, f"{PAGE}, {PAGE}"),
        (PAGE, "page.example"),
        (PAGE, "null"),
        (PAGE, ""),
        ("chrome-extension://abc", "chrome-extension://abc:443"),
        ("https://page.example:*", "https://page.example:"),
        ("https://page.example:*", "https://page.example:1.evil.example"),
        ("https://page.example:*", "https://page.example:*"),
    ],
)
def test_another_scheme_name_or_port_is_another_origin(allowed: str, origin: str) -> None:
    assert not elsewhere("", allowed).admits_origins([origin])


def test_programs_send_no_origin_and_may_call() -> None:
    assert elsewhere().admits_origins([])
    assert not elsewhere().admits_origins([PAGE])


@pytest.mark.parametrize(
    "rules, host",
    [
        (elsewhere("page.example"), "page.example"),
        (elsewhere("page.example:*"), "page.example:8007"),
        (elsewhere(), "localhost:8007"),
        (elsewhere(), "127.0.0.1:8007"),
    ],
)
def test_the_services_own_page_may_call_under_a_name_that_is_known(rules: Access, host: str) -> None:
    for scheme in ("http", "https"):
        assert rules.admits_origins([f"{scheme}://{host}"], [host])
        assert not rules.admits_origins([f"{scheme}://{host}"], ["other.example"])
        assert not rules.admits_origins([f"{scheme}://other.example"], [host])
    assert not rules.admits_origins([f"ftp://{host}"], [host])


def test_where_any_host_will_do_a_page_of_the_same_name_proves_nothing() -> None:
    assert not elsewhere().admits_origins(["http://rebound.example:8007"], ["rebound.example:8007"])


@pytest.mark.parametrize("values", [[PAGE, PAGE], [PAGE, "https://evil.example"], ["", PAGE]])
def test_two_origins_are_refused_whatever_they_are(values: list[str]) -> None:
    assert not elsewhere("", PAGE).admits_origins(values)


@law
@given(st.text(max_size=30))
def test_no_text_behind_an_allowed_origin_makes_it_another_allowed_one(more: str) -> None:
    admitted = elsewhere("", "https://page.example:*").admits_origins([PAGE + more])
    assert admitted == (not more or re.fullmatch(":[0-9]+", more) is not None)


# --- Keys ------------------------------------------------------------------------------------------------------


def with_key(*authorization: str) -> CIMultiDict[str]:
    """Return the headers of a request with these values of the one that carries the key."""
    return CIMultiDict([("host", "sum:8007"), *(("authorization", value) for value in authorization)])


def refusal(*authorization: str, keys: tuple[str, ...] = (KEY, OTHER_KEY)) -> Unauthorized:
    with pytest.raises(Unauthorized) as caught:
        Keys(keys).owner_of(with_key(*authorization))
    return caught.value


@pytest.mark.parametrize("authorization", [[], [f"Bearer {KEY}"], ["a", "b"], ["\udcff"]])
def test_without_keys_everybody_is_the_same_owner(authorization: list[str]) -> None:
    assert not Keys(()).required
    assert Keys(()).owner_of(with_key(*authorization)) == ""


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "Bearer  ", " Bearer"])
def test_a_key_opens_however_the_scheme_is_written(scheme: str) -> None:
    keys = Keys((KEY, OTHER_KEY))
    assert keys.required
    assert keys.owner_of(with_key(f"{scheme} {KEY} ")) == hashlib.sha256(KEY.encode()).hexdigest()[:16]


def test_each_key_has_its_owner_whatever_the_other_keys_are() -> None:
    owners = {key: Keys((KEY, OTHER_KEY)).owner_of(with_key(f"Bearer {key}")) for key in (KEY, OTHER_KEY)}
    assert owners[KEY] != owners[OTHER_KEY]
    assert Keys((OTHER_KEY, KEY)).owner_of(with_key(f"Bearer {KEY}")) == owners[KEY]


@pytest.mark.parametrize("authorization", [(), (f"Basic {KEY}",), (KEY,), ("",), (f"Bearer:{KEY}",)])
def test_a_caller_without_a_bearer_key_is_asked_for_one_and_told_of_no_error(
    authorization: tuple[str, ...],
) -> None:
    assert refusal(*authorization).challenge == 'Bearer realm="mcp-summarizer"'


@pytest.mark.parametrize(
    "authorization, description",
    [
        ((f"Bearer {KEY}x",), "The key is not known"),
        ((f"Bearer {KEY[:-1]}",), "The key is not known"),
        ((f"Bearer {KEY.upper()}",), "The key is not known"),
        ((f"Bearer {KEY},{OTHER_KEY}",), "The key is not known"),
        (("Bearer schl\u00fcssel",), "The key is not known"),
        (("Bearer \udcff\ud800",), "The key is not known"),
        (("Bearer",), "The key is missing"),
        (("Bearer  ",), "The key is missing"),
        ((f"Bearer {KEY}", f"Bearer {KEY}"), "More than one Authorization header"),
        ((f"Bearer {KEY}", "Basic x"), "More than one Authorization header"),
    ],
)
def test_a_wrong_key_is_an_invalid_token(authorization: tuple[str, ...], description: str) -> None:
    assert refusal(*authorization).challenge == (
        f'Bearer realm="mcp-summarizer", error="invalid_token", error_description="{description}"'
    )


@pytest.mark.parametrize(
    "authorization, got",
    [
        ((), "got none"),
        ((f"Basic {KEY}",), "got another scheme"),
        (("Bearer",), "got no key after Bearer"),
        ((f"Bearer {KEY}x",), "the key is none of the service's"),
        ((f"Bearer {KEY}",) * 3, "got 3 of them"),
    ],
)
def test_the_message_names_what_was_expected_and_never_the_key(
    authorization: tuple[str, ...], got: str
) -> None:
    refused = refusal(*authorization)
    assert str(refused) == (
        f"Authorization: expected one header, Bearer and a key of MCP_SUMMARIZER_API_KEYS; {got}"
    )
    assert KEY not in str(refused) + refused.challenge


def test_every_key_is_compared_even_after_one_has_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, compared = Keys((KEY, OTHER_KEY)), []
    compare = hmac.compare_digest

    def count(known: bytes, given: bytes) -> bool:
        compared.append(known)
        return compare(known, given)

    monkeypatch.setattr(hmac, "compare_digest", count)
    keys.owner_of(with_key(f"Bearer {KEY}"))
    assert len(compared) == 2


def test_no_key_is_kept() -> None:
    keys = Keys((KEY,))
    assert KEY not in repr(vars(keys)) + repr(keys)
    assert KEY.encode().hex() not in repr(keys)
    with pytest.raises(FrozenInstanceError):
        keys._digests = ()  # type: ignore[misc]


@law
@given(st.text(max_size=40))
def test_only_the_key_itself_opens(text: str) -> None:
    if text.strip() == KEY:
        assert Keys((KEY,)).owner_of(with_key(f"Bearer {text}"))
    else:
        # RFC 6750, 3: the characters that a challenge may have.
        assert re.fullmatch(r"[\x20-\x7e]+", refusal(f"Bearer {text}", keys=(KEY,)).challenge)


# --- CORS ------------------------------------------------------------------------------------------------------


def test_a_page_may_read_the_answer_why_it_was_refused_and_when_to_come_again() -> None:
    assert cors_headers(PAGE) == {
        "Access-Control-Allow-Origin": PAGE,
        "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After",
        "Vary": "Origin",
    }


def test_a_preflight_is_told_the_method_the_headers_and_for_how_long() -> None:
    assert preflight_headers(PAGE) == {
        "Access-Control-Allow-Origin": PAGE,
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
        "Mcp-Session-Id, Last-Event-ID, traceparent, tracestate",
        "Access-Control-Max-Age": "7200",
        "Vary": "Origin, Access-Control-Request-Headers",
    }


@pytest.mark.parametrize(
    "requested, more",
    [
        (["content-type,mcp-param-region"], ["mcp-param-region"]),
        (["Mcp-Param-A, mcp-param-b ,x-other", "Mcp-Param-A"], ["Mcp-Param-A", "mcp-param-b"]),
        (["mcp-param-", "mcp-param", "x-mcp-param-a", "cookie", ""], []),
        (
            ["mcp-param-a b", "mcp-param-a:b", "mcp-param-\u00e9", "mcp-param-\u212a", "mcp-param-a\r\nX: y"],
            [],
        ),
    ],
)
def test_a_preflight_may_ask_for_arguments_as_headers_and_nothing_else(
    requested: list[str], more: list[str]
) -> None:
    allowed = preflight_headers(PAGE, requested)["Access-Control-Allow-Headers"].split(", ")
    assert allowed == [*preflight_headers(PAGE)["Access-Control-Allow-Headers"].split(", "), *more]


@law
@given(st.lists(st.text(max_size=30).map("mcp-param-".__add__), max_size=3))
def test_nothing_that_is_asked_for_breaks_out_of_a_header(requested: list[str]) -> None:
    value = preflight_headers(PAGE, requested)["Access-Control-Allow-Headers"]
    assert re.fullmatch(r"[!-~]+(?:, [!-~]+)*", value)
