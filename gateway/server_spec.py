"""What the gateway is told about each server that it calls. Pure: reads no file and no environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

# A result over it ends with an error. It bounds the memory that one call can take.
MAX_RESULT_BYTES = 128 * 1024 * 1024


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
    max_result_bytes: int = MAX_RESULT_BYTES
    forward_headers: tuple[str, ...] = ()
    """The names of the headers of a client that are sent on to it."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What variables of the environment gave: shown nowhere."""
