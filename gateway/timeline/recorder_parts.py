"""What recording works with, and what it hands on: notes, which become entries to keep and messages to tell. Does nothing itself."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from concurrency.worker_threads import Worker
from gateway.server_rules import GatewayServer
from gateway.timeline.call_record import CallMetrics
from gateway.timeline.listeners import Listeners
from gateway.timeline.timeline import Entry, SessionKey, Timeline
from gateway.tool_results import Masking
from summarizing.text.tokenizer import Tokenizer


class Transient(NamedTuple):
    """What is told to listeners, and not kept."""

    session: SessionKey
    kind: str
    data: dict[str, Any]


Told = Entry | Transient
Note = Callable[[], Awaitable[Sequence[Told]]]


@dataclass(frozen=True)
class TimelineParts:
    """Where calls are recorded and counted."""

    timeline: Timeline | None
    """`ThreadedTimeline` (threaded_timeline.py); None where there is none: calls are counted alone."""
    listeners: Listeners
    worker: Worker
    """Cuts texts."""
    metrics: CallMetrics
    now: Callable[[], float]
    """Calendar time in seconds."""
    new_id: Callable[[], str]
    """An event's, given by gateway_service.py."""


class RecordedMasking(Masking, Protocol):
    """Masks what is recorded: `ResultMasking` (gateway/result_masking.py)."""

    def text(self, text: str, server: GatewayServer) -> str:
        """Return a short text with its secrets masked."""
        ...


@dataclass(frozen=True)
class RecorderParts:
    """What a recorder works with."""

    of_timeline: TimelineParts
    masking: RecordedMasking
    tokenizer: Tokenizer
    clock: Callable[[], float]
    """Seconds, for durations."""
