"""Access control: the Host and Origin of a request, its API key, and the CORS headers for browsers.

Rules are quoted from RFC 6750 (bearer tokens), RFC 9110 and 9112 (HTTP), and the Fetch standard (CORS). No I/O here. Of each
header all values are looked at, so that none can hide behind another.
"""

import hashlib
import hmac
import ipaddress
import re
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multidict import MultiMapping

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
LOOPBACK_HOSTS = tuple(f"{name}:*" for name in LOOPBACK_NAMES)

# RFC 9110, 4.2: what a URL of the scheme means where it names no port. Browsers leave these out of Host and Origin.
DEFAULT_PORTS = {"http": "80", "https": "443"}

REALM = "mcp-summarizer"

# The request header that carries the key.
KEY_HEADER = "Authorization"

# 64 bits: a few hundred keys do not collide, and the key cannot be recovered from them.
OWNER_HEX_DIGITS = 16

# The request headers that web pages may send, besides those that CORS always allows; "*" would not cover Authorization.
ALLOWED_HEADERS = (
    "Content-Type",
    "Accept",
    KEY_HEADER,
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Last-Event-ID",
    "traceparent",
    "tracestate",
)
# Response headers that say why a call was refused and when to retry: unless exposed, pages cannot read them.
EXPOSED_HEADERS = ("WWW-Authenticate", "Retry-After")

# Chromium caches the answer to a preflight for two hours at most.
PREFLIGHT_SECONDS = 7_200

# MCP 2026-07-28: arguments repeated as headers. The prefix is followed by a token (RFC 9110, 5.6.2).
_PARAM_HEADER = re.compile(r"mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Access:
    """The Host and Origin values that are allowed; `hosts` None allows any Host."""

    hosts: tuple[str, ...] | None
    origins: tuple[str, ...]

    @classmethod
    def for_address(cls, address: str, hosts: tuple[str, ...], origins: tuple[str, ...]) -> "Access":
        """Return the rules for a service that listens on an address.

        On a loopback address only loopback names are served, so that a web page whose host name was pointed at 127.0.0.1 (DNS
        rebinding) gets no answer. On other addresses the Host is checked only if ALLOWED_HOSTS is set.
        """
        own = (in_url(address),) if is_loopback(address) else ()  # 127.0.0.2 is a loopback address too
        loopback = (*LOOPBACK_HOSTS, *(f"{name}:*" for name in own))
        if not is_loopback(address):
            return cls((*hosts, *loopback) if hosts else None, origins)
        return cls((*hosts, *loopback), (*origins, *(f"http://{host}" for host in loopback)))

    def admits_hosts(self, values: Sequence[str]) -> bool:
        """Whether a request with these Host headers may call.

        RFC 9112, 3.2: a server MUST refuse a request with more than one, and one of HTTP/1.1 without any.
        """
        return len(values) == 1 and (self.hosts is None or _is_one_of(values[0], self.hosts))

    def admits_origins(self, values: Sequence[str], hosts: Sequence[str] = ()) -> bool:
        """Whether a request with these Origin headers may call, and these Host headers, which are admitted already.

        Programs send no Origin; `null` is a value like any other.
        """
        if not values:
            return True
        return len(values) == 1 and (_is_one_of(values[0], self.origins) or self._is_own(values[0], hosts))

    def _is_own(self, origin: str, hosts: Sequence[str]) -> bool:
        """Whether it is the service's own page that calls.

        Where any Host is admitted, its being the Origin's proves nothing: both may be another page's, whose name was pointed here.
        """
        checked = LOOPBACK_HOSTS if self.hosts is None else self.hosts
        own = len(hosts) == 1 and origin.lower() in {
            f"{scheme}://{hosts[0].lower()}" for scheme in DEFAULT_PORTS
        }
        return own and _is_one_of(hosts[0], checked)


def is_loopback(address: str) -> bool:
    """Whether only the machine itself can reach an address."""
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address.lower().rstrip(".") == "localhost"
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


def in_url(address: str) -> str:
    """Return an address as URLs and Host headers write it: IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


# Each request names a host, and few different ones come.
@lru_cache(64)
def _is_one_of(value: str, known: tuple[str, ...]) -> bool:
    if not value.isascii():  # lower() turns the Kelvin sign into k, DNS does not
        return False
    return any(_matches(value.lower(), each.lower()) for each in known)


def _matches(value: str, known: str) -> bool:
    """Compare Hosts or Origins; `*` as the port matches any port, and none."""
    if not known.endswith(":*"):
        return value in _spellings(known)
    name = known.removesuffix(":*")
    return value == name or (value.startswith(name) and _PORT.fullmatch(value, len(name)) is not None)


def _spellings(known: str) -> set[str]:
    """Return a Host or Origin with its default port and without.

    A Host names no scheme, and a proxy may terminate TLS: either default port may be meant.
    """
    scheme, separator, _ = known.rpartition("://")
    ports = [f":{port}" for each, port in DEFAULT_PORTS.items() if each == scheme or not separator]
    for port in ports:
        if known.endswith(port):
            return {known, known.removesuffix(port)}
    return {known, *(known + port for port in ports if not _ENDS_WITH_PORT.search(known))}


_PORT = re.compile(r":[0-9]+")
_ENDS_WITH_PORT = re.compile(r":[0-9]+\Z")


# --- Keys ------------------------------------------------------------------------------------------------------


class Unauthorized(Exception):
    """The caller has no valid key. The message says what was expected, never what was sent."""

    def __init__(self, message: str, challenge: str) -> None:
        super().__init__(message)
        self.challenge = challenge
        """The value of WWW-Authenticate."""


@dataclass(frozen=True)
class Keys:
    """The API keys of the service, kept as digests only."""

    keys: InitVar[tuple[str, ...]]
    _digests: tuple[bytes, ...] = field(init=False, repr=False)

    def __post_init__(self, keys: tuple[str, ...]) -> None:
        object.__setattr__(self, "_digests", tuple(_digest(key) for key in keys))

    @property
    def required(self) -> bool:
        """Whether calls need a key."""
        return bool(self._digests)

    def owner_of(self, headers: "MultiMapping[str]") -> str:
        """Return the owner id of a request with these headers; "" where no key is required.

        It is the same for every call with the same key, and reveals nothing of the key. Raises Unauthorized.
        """
        if not self.required:
            return ""
        given = _digest(_bearer_token(headers.getall(KEY_HEADER, [])))
        # Compare with every key, each in constant time: the duration must reveal nothing.
        found = [known for known in self._digests if hmac.compare_digest(known, given)]
        if not found:
            raise _refused("the key is none of the service's", "The key is not known")
        return found[0].hex()[:OWNER_HEX_DIGITS]

    def owner_if_known(self, headers: "MultiMapping[str]") -> str:
        """Return the owner id of a request with these headers; "" also for one that has no key of the service's."""
        try:
            return self.owner_of(headers)
        except Unauthorized:
            return ""


def _digest(key: str) -> bytes:
    return hashlib.sha256(
        key.encode("utf-8", "surrogatepass")
    ).digest()  # bytes of a header that are not UTF-8 come as surrogates


def _bearer_token(authorization: Sequence[str]) -> str:
    if not authorization:
        raise _unknown("got none")
    if len(authorization) > 1:
        raise _refused(f"got {len(authorization)} of them", "More than one Authorization header")
    scheme, _, token = authorization[0].strip().partition(" ")  # RFC 9110, 11.4: 1*SP between them
    if scheme.lower() != "bearer":
        raise _unknown("got another scheme")
    if not token.strip():
        raise _refused("got no key after Bearer", "The key is missing")
    return token.strip()


_EXPECTED = "Authorization: expected one header, Bearer and a key of MCP_SUMMARIZER_API_KEYS"


def _unknown(got: str) -> Unauthorized:
    """RFC 6750, 3.1: without authentication, or with an unsupported scheme, the challenge SHOULD NOT have an error code."""
    return Unauthorized(f"{_EXPECTED}; {got}", f'Bearer realm="{REALM}"')


def _refused(got: str, description: str) -> Unauthorized:
    challenge = f'Bearer realm="{REALM}", error="invalid_token", error_description="{description}"'
    return Unauthorized(f"{_EXPECTED}; {got}", challenge)


# --- CORS ------------------------------------------------------------------------------------------------------


def cors_headers(origin: str) -> dict[str, str]:
    """Return the headers that let a page of an allowed Origin read a response, be it a refusal."""
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": ", ".join(EXPOSED_HEADERS),
        "Vary": "Origin",
    }


def preflight_headers(origin: str, requested: Sequence[str] = ()) -> dict[str, str]:
    """Return the headers that answer a preflight (OPTIONS) from an allowed Origin.

    `requested` are the values of Access-Control-Request-Headers. Browsers send no key with a preflight.
    """
    names = [name.strip() for value in requested for name in value.split(",")]
    params = [name for name in dict.fromkeys(names) if _PARAM_HEADER.fullmatch(name)]
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": ", ".join((*ALLOWED_HEADERS, *params)),
        "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        "Vary": "Origin, Access-Control-Request-Headers",
    }
