"""URLs of pages: which are taken, what a redirect leads to, how one is shown in an error.

yarl parses them, as aiohttp does, which connects: two parsers could see two hosts in one URL. What address a host has is for
address_guard.py to judge.
"""

import re
from ipaddress import AddressValueError, IPv4Address

from yarl import URL

from web_tools.pages import WebError

# "It is RECOMMENDED that all senders and recipients support, at a minimum, URIs with lengths of 8000 octets" (RFC 9110, 4.1).
MAX_URL_CHARACTERS = 8000

# What an error shows of a URL.
MAX_SHOWN_CHARACTERS = 200

_QUERY = re.compile(r"[?#]")
_SPACE = re.compile(r"(\s)")


def page_url(text: str) -> URL:
    """Return a URL as it is fetched: without its fragment. Raises WebError for one that is not fetched."""
    if len(text) > MAX_URL_CHARACTERS:
        raise WebError(f"a URL of {len(text)} characters: expected at most {MAX_URL_CHARACTERS}")
    url = _fetchable(_parsed(text.strip()))
    if url.raw_user is not None or url.raw_password is not None:
        raise WebError(f"{shown(url)}: the URL has a user name or password; none is sent, leave them out")
    return url


def redirect_target(url: URL, location: str) -> URL:
    """Return where a redirect leads, without a user name or password. Raises WebError for what is not fetched."""
    if not location or len(location) > MAX_URL_CHARACTERS:
        raise WebError(f"{shown(url)}: a redirect with {'too long a' if location else 'no'} Location header")
    try:
        target = url.join(_parsed(_without_raw_bytes(location)))
        return _fetchable(target).with_user(None)
    except WebError as error:
        raise WebError(f"{shown(url)}: a redirect to what is not read: {error}") from None


def _without_raw_bytes(location: str) -> str:
    """Return a header's text with the bytes that are not UTF-8 percent-encoded; aiohttp gives them as surrogates."""
    return "".join(
        f"%{ord(each) - 0xDC00:02X}" if "\udc80" <= each <= "\udcff" else each for each in location
    )


def shown(url: URL) -> str:
    """Return a URL for an error: without what may be secret in it."""
    text = str(url.with_user(None).with_query(None).with_fragment(None)) if url.raw_host else str(url)
    return text if len(text) <= MAX_SHOWN_CHARACTERS else text[:MAX_SHOWN_CHARACTERS] + "…"


def shown_url(text: str) -> str:
    """Return the URL of a fetched page for an error: without what may be secret in it."""
    return shown(URL(text))


def without_queries(message: str) -> str:
    """Return a message with the URLs in it cut before their queries and fragments; what follows them up to a space goes too."""
    return "".join(map(_without_query, _SPACE.split(message)))


def _without_query(word: str) -> str:
    scheme, mark, rest = word.partition("://")
    return scheme + mark + _QUERY.split(rest, maxsplit=1)[0] if mark else word


def origin_of(text: str) -> str:
    """Return the origin of a page's URL as browsers write it (RFC 6454, 6.2): scheme, host, and a port that is not the usual one."""
    url = URL(text)
    port = "" if url.is_default_port() else f":{url.port}"
    return f"{url.scheme}://{url.host_subcomponent}{port}"


def _parsed(text: str) -> URL:
    try:
        return URL(text)
    except (ValueError, IndexError) as error:  # IndexError: "http://[a]@/"
        raise WebError(f"not a URL ({error}): expected one such as https://example.com/page") from None


def _fetchable(url: URL) -> URL:
    if url.scheme not in ("http", "https"):
        given = f"with the scheme {url.scheme[:MAX_SHOWN_CHARACTERS]}" if url.scheme else "without a scheme"
        raise WebError(f"a URL {given}: expected one that begins with http:// or https://")
    host = url.raw_host
    if not host:
        raise WebError("a URL without a host: expected one such as https://example.com/page")
    if "%" in host:
        raise WebError(
            f"{shown(url)}: a host with a percent sign; expected a name or an address without a zone"
        )
    if _is_number(host) and not _is_dotted_quad(host):
        raise WebError(
            f"{shown(url)}: not the usual spelling of an address; expected one such as 203.0.113.7"
        )
    # One page has one spelling: with a path, without a fragment.
    return url.with_path(url.raw_path, encoded=True, keep_query=True)


def _is_number(host: str) -> bool:
    """Whether some systems take this for an address: its last part is a number (URL Standard, "ends in a number checker")."""
    last = host.rstrip(".").rpartition(".")[2]
    return last.isdecimal() or last.startswith("0x")


def _is_dotted_quad(host: str) -> bool:
    try:
        IPv4Address(host)
    except AddressValueError:
        return False
    return True
