"""What a recorder is given to work with: the timeline, its listeners, masking, metrics, clocks. Does nothing itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from concurrency.worker_threads import Worker
from gateway.masking_interface import Masking
from gateway.server_rules import GatewayServer
from gateway.timeline.call_record import CallMetrics
from gateway.timeline.listeners import Listeners
from gateway.timeline.timeline import Timeline
from summarizing.text.tokenizer import Tokenizer


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
    """An event's: `new_event_id` (timeline.py)."""


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
