"""How the value of a setting is written: each function reads one kind, or raises ValueError with what was expected.

Knows no setting by its name.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

# More than any unit here can need, and int() stays quick.
MAX_DIGITS = 12

MAX_PORT = 65_535

MAX_SECONDS = 86_400  # a day: what is meant to last longer is a mistake in the unit

# Sixteen random characters cannot be guessed over a network; shorter keys are mostly words.
LEAST_KEY_CHARS = 16
# As a header with its name, it passes every server and proxy.
MAX_KEY_CHARS = 512


class Unspeakable(ValueError):
    """The value that was given must not be repeated in a message."""


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers within limits."""
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
    """Read a time; 0 stands for none."""
    try:
        is_zero = float(raw) == 0
    except ValueError:
        is_zero = False
    try:
        return 0.0 if is_zero else seconds(raw)
    except ValueError as expected:
        raise ValueError(f"0 or {expected}") from None


def seconds(raw: str) -> float:
    """Read a time of more than nothing."""
    expected = f"a number of seconds over 0 and at most {MAX_SECONDS}"
    try:
        value = float(raw)
    except ValueError:
        raise ValueError(expected) from None
    if not 0 < value <= MAX_SECONDS:
        raise ValueError(expected)
    return value


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a reader of words that are known, in capitals or not."""

    def parse(raw: str) -> str:
        if raw.lower() not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return raw.lower()

    return parse


def secret(raw: str) -> str:
    """Read one key, as a header can carry it."""
    # h11 refuses such a header later, with a message that would carry the key.
    if not _printable(raw):
        raise Unspeakable("printable ASCII characters only")
    return raw


def keys(raw: str) -> tuple[str, ...]:
    """Read keys that callers show, at least one, separated by commas or line ends."""
    found = tuple(part.strip() for part in re.split(r"[,\r\n]", raw) if part.strip())
    if not found:  # `,` must not mean that no key is asked for
        raise Unspeakable("at least one key")
    for position, key in enumerate(found, 1):
        if not (LEAST_KEY_CHARS <= len(key) <= MAX_KEY_CHARS and _printable(key)) or " " in key:
            raise Unspeakable(
                f"{LEAST_KEY_CHARS} to {MAX_KEY_CHARS} printable ASCII characters without spaces "
                f"as key {position} of {len(found)}"
            )
    return found


def _printable(raw: str) -> bool:
    return raw.isascii() and raw.isprintable()


def http_url(raw: str) -> str:
    """Read the address of an API; a slash at its end falls away."""
    expected = "a URL that starts with http:// or https://"
    try:
        parts = urlsplit(raw)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a bracket that does not close, a port over 65535
        raise ValueError(expected) from None
    if parts.username is not None or parts.password is not None:
        raise Unspeakable(expected + ", without user and password: the key has a setting of its own")
    if not usable or parts.query or parts.fragment or not raw.isprintable() or " " in raw:
        raise ValueError(expected + ", without spaces, ? and #")
    return raw.rstrip("/")


def _list(raw: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in raw.split(",") if part.strip())


# What a Host header can carry: a name, an IPv4 address, or an IPv6 address in brackets; then a port. `*` is any port.
_HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?:(?P<port>[0-9]{1,5})|(?P<any>\*)))?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


def _host(raw: str) -> re.Match[str] | None:
    host = _HOST.fullmatch(raw)
    if host and host["port"] and not 0 < int(host["port"]) <= MAX_PORT:
        return None
    return host


def hosts(raw: str) -> tuple[str, ...]:
    """Read Host values; a bare name is that name with any port."""
    found = []
    for part in _list(raw):
        host = _host(part)
        if host is None:
            raise ValueError("host:port, host:* or host, separated by commas, each without scheme and path")
        found.append(part if host["port"] or host["any"] else f"{part}:*")
    return tuple(found)


def origins(raw: str) -> tuple[str, ...]:
    """Read Origin values as browsers write them: without a slash at the end."""
    for part in _list(raw):
        scheme, _, host = part.partition("://")
        if not _SCHEME.fullmatch(scheme) or not _host(host):
            raise ValueError("scheme://host or scheme://host:port, separated by commas, each without a path")
    return _list(raw)
