"""The store of originals that callers asked to keep, as an interface: each under an unguessable id, readable only with its owner's key.

An original expires when it was not read for its TTL, and is evicted when the store is full. Implemented by storage/threaded_store.py;
later also on another server. Knows nothing of what an original is for.
"""

from dataclasses import dataclass
from typing import Protocol

# Why an original is unavailable.
EXPIRED = "expired"
EVICTED = "made room"
UNKNOWN = "unknown"
UNREADABLE = "unreadable"
OFF = "off"


class NotStored(Exception):
    """The original could not be stored: the message says why, and is for the caller."""


class OriginalUnavailable(Exception):
    """There is no such original for this caller, or it cannot be read: the message says what to do."""

    def __init__(self, message: str, why: str) -> None:
        """`why` is for the log: one of the words above, without anything from the message."""
        super().__init__(message)
        self.why = why


@dataclass(frozen=True, slots=True)
class StoreSize:
    """How many originals a store holds, and the bytes they take."""

    originals: int = 0
    bytes: int = 0


class Originals(Protocol):
    """A store of originals: `SqliteOriginals`, or `DisabledOriginals` where none are kept (storage/threaded_store.py)."""

    @property
    def size(self) -> StoreSize:
        """The size after the last change: reading it costs nothing."""
        ...

    async def keep(self, content: str, owner: str) -> str:
        """Store content for its owner and return its id. Raises NotStored."""
        ...

    async def read(self, result_id: str, owner: str) -> str:
        """Return stored content and renew its TTL. Raises OriginalUnavailable; another owner's id counts as unknown."""
        ...

    async def expire(self) -> None:
        """Delete the originals that were not read for their TTL."""
        ...


@dataclass(frozen=True, slots=True)
class OriginalsBounds:
    """The store's size and TTL."""

    max_bytes: int
    """Of all contents as they are stored, with their overhead. 0 stores none."""
    ttl_seconds: float
    """How long an original is kept after it was last read."""
