"""The timeline as an interface: states of events are appended, and read by session or in the order of their change.

An append-only stream of another engine can serve it too: an entry is the whole new state of an event, and the reader keeps the last one
of each. Implemented in SQLite by sqlite_timeline.py. Knows nothing of how events come about (recorder.py).
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

Message = Mapping[str, Any]

EventType = Literal["mcp_tool_call", "tool_result", "mcp_tool_summary"]
Status = Literal["streaming", "completed", "failed", "cancelled"]

STATUSES: tuple[Status, ...] = ("streaming", "completed", "failed", "cancelled")

EVENT_ID_BYTES = 12

# Told to listeners alone, and not kept.
STREAM_CHUNK = "stream.chunk"
SUMMARIZING = "mcp_tool_call.summarizing"
CREATED = "timeline_event.created"
COMPLETED = "timeline_event.completed"

# What a session sums up, each a number; `cost_usd` of US dollars, all others are counts, tokens or milliseconds.
SUMS = (
    "calls",
    "failed_calls",
    "tokens_before",
    "tokens_after",
    "summaries",
    "interactions",
    "failed_attempts",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "summary_ms",
)


class SessionKey(NamedTuple):
    """Which session an event is of."""

    id: str
    owner: str
    """The API key's id: nobody else sees the session."""
    name: str
    """What the client calls it; "" where it says nothing."""
    selection: str
    """The connection's choice of servers, as JSON."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The state of an event from now on."""

    id: str
    session: SessionKey
    call_id: str
    """The same for all events of one call."""
    type: EventType
    status: Status
    at: float
    """Calendar time in seconds."""
    metadata: Message
    """What a list of events shows."""
    stage_id: str | None = None
    execution_id: str | None = None
    duration_ms: float | None = None
    details: Message | None = None
    """What is shown of one event alone: arguments, content, interactions. None: as they were."""
    sums: Mapping[str, float] = field(default_factory=dict)
    """What it adds to the sums of its session."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it is kept."""

    id: str
    session_id: str
    owner: str
    call_id: str
    type: str
    status: str
    sequence: int
    """Its place in the order of events: lower ones began before."""
    change: int
    """Counts the changes of all events; a listener catches up from it."""
    created_at: float
    updated_at: float
    metadata: Message
    stage_id: str | None
    execution_id: str | None
    duration_ms: float | None

    @property
    def is_new(self) -> bool:
        """Whether this is its first state."""
        return self.change == self.sequence


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A session as it is kept."""

    id: str
    name: str
    selection: Message
    created_at: float
    updated_at: float
    sums: Mapping[str, float]


class SessionQuery(NamedTuple):
    """Which sessions are listed: the newest first, from those before a place in that order."""

    limit: int
    before: tuple[float, str] | None = None
    text: str = ""
    """In the name, the id, or a name of a server or tool."""
    only_failed: bool = False


class Timeline(Protocol):
    """A timeline; every reader says whose events it may see."""

    async def append(self, entries: Sequence[Entry]) -> Sequence[Event]:
        """Keep entries, in their order; return the events as they are now. Raises NotRecorded."""
        ...

    async def sessions(self, owner: str, query: SessionQuery) -> Sequence[RecordedSession]:
        """Return sessions, the newest first."""
        ...

    async def session(self, owner: str, name: str) -> RecordedSession | None:
        """Return a session by its id, or by the name that its client gave."""
        ...

    async def events(self, owner: str, session_id: str, after: int, limit: int) -> Sequence[Event]:
        """Return a session's events after a sequence number, in their order."""
        ...

    async def changes(self, owner: str, session_id: str | None, after: int, limit: int) -> Sequence[Event]:
        """Return the events that have changed after a change, in the order of their changes; None: of all sessions."""
        ...

    async def event(self, owner: str, session_id: str, event_id: str) -> tuple[Event, Message] | None:
        """Return an event with its details."""
        ...

    async def last_change(self) -> int:
        """Return the number of the last change; 0 where there is none."""
        ...

    async def expire(self) -> None:
        """Delete what is too old or too much."""
        ...


class NotRecorded(Exception):
    """Entries could not be kept: the message says why."""


@dataclass(frozen=True, slots=True)
class TimelineBounds:
    """How long, and how much."""

    max_bytes: int
    """Of all events as they are stored, with their overhead."""
    ttl_seconds: float
    """How long an event is kept after it began."""


def new_event_id() -> str:
    """Return an id of an event that cannot be guessed."""
    return secrets.token_urlsafe(EVENT_ID_BYTES)
