"""What is configured for each server that the gateway calls. Pure: reads no file and no environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

# A result over it ends with an error. It bounds the memory that one call can take.
MAX_RESULT_BYTES = 128 * 1024 * 1024


# Headers of a client that no server gets: its keys and cookies, what belongs to its own connection, and what the gateway says itself.
NEVER_FORWARDED = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "cookie",
        "set-cookie",
        "host",
        "connection",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "content-length",
        "content-type",
        "content-encoding",
        "accept",
        "accept-encoding",
        "last-event-id",
    }
)
NEVER_FORWARDED_PREFIX = "mcp-"


def may_be_forwarded(header: str) -> bool:
    """Whether a client's header of this name may be sent on."""
    lower = header.lower()
    return lower not in NEVER_FORWARDED and not lower.startswith(NEVER_FORWARDED_PREFIX)


@dataclass(frozen=True, slots=True)
class OAuthGrant:
    """How a server's access tokens are got, without a browser (RFC 6749)."""

    grant: Literal["client_credentials", "refresh_token"]
    token_url: str = field(repr=False)
    client_id: str = field(repr=False)
    client_secret: str = field(default="", repr=False)
    refresh_token: str = field(default="", repr=False)
    """The first one; the server of tokens may give another with each token."""
    scope: str = ""
    resource: str = field(default="", repr=False)


@dataclass(frozen=True)
class ServerSpec:
    """One server: a command that is run, or a URL that is called. What may hold secrets is not in its repr."""

    name: str
    command: str | None = None
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    url: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_seconds: float = 120.0
    """How long its start may take, and each call, waiting for a place included."""
    max_concurrency: int = 16
    """How many calls of it run at once."""
    max_calls_per_minute: int | None = None
    """How many calls of it begin in any minute; None: any number."""
    max_result_bytes: int = MAX_RESULT_BYTES
    auth: OAuthGrant | None = None
    forward_headers: tuple[str, ...] = ()
    """The names of the headers of a client that are sent on to it."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What variables of the environment gave: shown nowhere."""
