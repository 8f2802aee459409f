"""Events as readers and listeners get them: JSON without details. Pure."""

from datetime import UTC, datetime
from typing import Any

from gateway.timeline.listeners import News
from gateway.timeline.timeline import COMPLETED, CREATED, Event


def news_of(event: Event) -> News:
    """Return what listeners get of an event."""
    return News(CREATED if event.is_new else COMPLETED, event_json(event), event.change)


def event_json(event: Event) -> dict[str, Any]:
    """Return an event as readers get it, without its details."""
    return {
        "id": event.id,
        "session_id": event.session_id,
        "call_id": event.call_id,
        "stage_id": event.stage_id,
        "execution_id": event.execution_id,
        "event_type": event.type,
        "status": event.status,
        "sequence": event.sequence,
        "change": event.change,
        "created_at": timestamp(event.created_at),
        "updated_at": timestamp(event.updated_at),
        "duration_ms": event.duration_ms,
        "metadata": dict(event.metadata),
    }


def timestamp(seconds: float) -> str:
    """Return calendar time as JSON has it (RFC 3339)."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
