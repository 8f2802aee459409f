"""Parsers for the values of settings, one per format; each raises ValueError with what was expected.

Knows no setting by its name.
"""

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from urllib.parse import SplitResult, urlsplit

# More than any setting needs, and few enough for int() to be quick.
MAX_DIGITS = 12

MAX_PORT = 65_535

MAX_SECONDS = 86_400  # a day: a longer time is a mistake in the unit

# Sixteen random characters cannot be guessed over a network; shorter keys are mostly words.
MIN_KEY_CHARS = 16
# A header with a key of this length passes every server and proxy.
MAX_KEY_CHARS = 512


class SecretValueError(ValueError):
    """A wrong value that must not be quoted in a message."""


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a parser for whole numbers within limits."""
    expected = f"a whole number of at least {low}" if high is None else f"a whole number from {low} to {high}"

    def parse(raw: str) -> int:
        if not (raw.isascii() and raw.isdecimal()) or len(raw) > MAX_DIGITS:
            raise ValueError(expected)
        value = int(raw)
        if value < low:
            raise ValueError(expected)
        if high is not None and value > high:
            raise ValueError(expected)
        return value

    return parse


def seconds_or_none(raw: str) -> float:
    """Parse a time; 0 stands for none."""
    try:
        is_zero = float(raw) == 0
    except ValueError:
        is_zero = False
    try:
        return 0.0 if is_zero else seconds(raw)
    except ValueError as expected:
        raise ValueError(f"0 or {expected}") from None


def seconds(raw: str) -> float:
    """Parse a time above 0."""
    expected = f"a number of seconds over 0 and at most {MAX_SECONDS}"
    try:
        value = float(raw)
    except ValueError:
        raise ValueError(expected) from None
    if not 0 < value <= MAX_SECONDS:
        raise ValueError(expected)
    return value


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a parser for one of the choices, in either case."""

    def parse(raw: str) -> str:
        if raw.lower() not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return raw.lower()

    return parse


def switch(raw: str) -> bool:
    """Parse whether something is on."""
    return one_of("true", "false")(raw) == "true"


def share(raw: str) -> float:
    """Parse a number from 0 to 1."""
    expected = "a number from 0 to 1"
    try:
        value = float(raw)
    except ValueError:
        raise ValueError(expected) from None
    if not 0 <= value <= 1:
        raise ValueError(expected)
    return value


def secret(raw: str) -> str:
    """Parse one key that can be sent in a header."""
    # h11 would refuse any other later, with a message that quotes the key; one with a blank is two keys, or a key with a word around it.
    if not _printable(raw) or " " in raw:
        raise SecretValueError("printable ASCII characters without spaces and line breaks")
    return raw


def keys(raw: str) -> tuple[str, ...]:
    """Parse the callers' keys, at least one, separated by commas or line ends."""
    found = tuple(part.strip() for part in re.split(r"[,\r\n]", raw) if part.strip())
    if not found:  # `,` must not turn authentication off
        raise SecretValueError("at least one key")
    for position, key in enumerate(found, 1):
        if not (MIN_KEY_CHARS <= len(key) <= MAX_KEY_CHARS and _printable(key)) or " " in key:
            raise SecretValueError(
                f"{MIN_KEY_CHARS} to {MAX_KEY_CHARS} printable ASCII characters without spaces "
                f"as key {position} of {len(found)}"
            )
    return found


def _printable(raw: str) -> bool:
    return raw.isascii() and raw.isprintable()


def http_url(raw: str) -> str:
    """Parse the URL of an API; a slash at its end is dropped."""
    expected = "a URL that starts with http:// or https://"
    try:
        parts = urlsplit(raw)
        usable = names_http_server(parts)
    except UnusableHost:
        raise ValueError(f"{expected}, with {EXPECTED_HOST}") from None
    except ValueError:  # an unclosed bracket, a port over 65535
        raise ValueError(expected) from None
    if parts.username is not None or parts.password is not None:
        raise SecretValueError(expected + ", without user and password: a key has a setting of its own")
    if not usable or parts.query or parts.fragment or not raw.isprintable() or " " in raw:
        raise ValueError(expected + ", without spaces, ? and #")
    return raw.rstrip("/")


class UnusableHost(ValueError):
    """A host that httpx refuses to call."""


EXPECTED_HOST = (
    "a host that is an address or a valid name (RFC 5891 where it begins with xn-- or is not ASCII)"
)

_FOUR_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+){3}")


def names_http_server(url: SplitResult) -> bool:
    """Whether the parts of a URL name a server of HTTP. Raises ValueError for a port or an address that no server has, UnusableHost."""
    if "[" in url.netloc:
        # RFC 3986 has addresses "[v1.x]", too, for versions to come.
        IPv6Address(url.hostname or "")
    _check_host(url.hostname or "")
    return url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0


def _check_host(host: str) -> None:
    """Raise UnusableHost for what httpx refuses with an error of its own at each request."""
    try:
        if _FOUR_NUMBERS.fullmatch(host):
            IPv4Address(host)
        elif not host.isascii() or host.startswith("xn--"):
            import idna  # noqa: PLC0415 - a megabyte of tables, for few hosts; httpx requires it

            (idna.decode if host.isascii() else idna.encode)(host)
    except ValueError:
        raise UnusableHost from None


def _comma_separated(raw: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in raw.split(",") if part.strip())


# A Host header's value: a name, an IPv4 address, or an IPv6 address in brackets; then a port. `*` is any port.
_HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?:(?P<port>[0-9]{1,5})|(?P<any>\*)))?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


def _host(raw: str) -> re.Match[str] | None:
    host = _HOST.fullmatch(raw)
    if host and host["port"] and not 0 < int(host["port"]) <= MAX_PORT:
        return None
    return host


def hosts(raw: str) -> tuple[str, ...]:
    """Parse Host values; a name without a port means any port."""
    found = []
    for part in _comma_separated(raw):
        host = _host(part)
        if host is None:
            raise ValueError("host:port, host:* or host, separated by commas, each without scheme and path")
        found.append(part if host["port"] or host["any"] else f"{part}:*")
    return tuple(found)


def origins(raw: str) -> tuple[str, ...]:
    """Parse Origin values as browsers write them: without a slash at the end."""
    for part in _comma_separated(raw):
        scheme, _, host = part.partition("://")
        if not _SCHEME.fullmatch(scheme) or not _host(host):
            raise ValueError("scheme://host or scheme://host:port, separated by commas, each without a path")
    return _comma_separated(raw)


def networks(raw: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Parse networks in CIDR notation, or single addresses."""
    try:
        return tuple(ip_network(part) for part in _comma_separated(raw))
    except ValueError:
        raise ValueError(
            "networks (10.1.0.0/16, fd12::/48) or addresses, separated by commas, no names"
        ) from None
