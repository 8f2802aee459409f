"""The timeline for readers: sessions, events and what listeners get, as the JSON that docs/timeline.md describes. Knows nothing of HTTP."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncGenerator, Callable, Mapping
from math import isfinite
from typing import Any

from gateway.timeline.event_json import event_json, news_of, timestamp
from gateway.timeline.listeners import Listener, Listeners, News
from gateway.timeline.timeline import SUMS, RecordedSession, SessionQuery, Timeline

# One page.
DEFAULT_SESSIONS, MAX_SESSIONS = 50, 200
DEFAULT_EVENTS, MAX_EVENTS = 200, 1_000

# Read at once for a listener that catches up.
CATCH_UP_EVENTS = 200

# SQLite's integers have 64 bits.
MAX_DIGITS = 18

# For the ends of streams to be sent.
FAREWELL_SECONDS = 1.0

COUNTS = frozenset(SUMS) - {"cost_usd", "summary_ms"}


class InvalidPage(ValueError):
    """A page that cannot be given: the message says what was expected."""


class TimelineReader:
    """Reads a timeline for the owners of its sessions."""

    def __init__(self, timeline: Timeline, listeners: Listeners, dropped: Callable[[], int]) -> None:
        """`dropped`: how many calls and events since the start are missing."""
        self._timeline = timeline
        self._listeners = listeners
        self._dropped = dropped

    async def sessions(self, owner: str, query: Mapping[str, str]) -> dict[str, Any]:
        """Return a page of sessions, the newest first. Raises InvalidPage."""
        limit = _limit(query, DEFAULT_SESSIONS, MAX_SESSIONS)
        asked = SessionQuery(
            limit + 1, _read_cursor(query.get("cursor")), query.get("text", ""), _flag(query, "failed")
        )
        found = await self._timeline.sessions(owner, asked)
        page: dict[str, Any] = {"sessions": [_session_json(each) for each in found[:limit]]}
        if len(found) > limit:
            page["next_cursor"] = _cursor(found[limit - 1])
        return {**page, "dropped": self._dropped()}

    async def session(self, owner: str, name: str) -> dict[str, Any] | None:
        """Return a session with its sums, by its id or its name; None where there is none."""
        found = await self._timeline.session(owner, name)
        return None if found is None else _session_json(found)

    async def timeline(self, owner: str, name: str, query: Mapping[str, str]) -> dict[str, Any] | None:
        """Return a page of a session's events, in their order; None where there is no such session. Raises InvalidPage."""
        limit, after = _limit(query, DEFAULT_EVENTS, MAX_EVENTS), _number(query, "after", 0)
        session = await self._timeline.session(owner, name)
        if session is None:
            return None
        # Before the events: a listener that begins there misses none of them.
        change = await self._timeline.last_change()
        events = await self._timeline.events(owner, session.id, after, limit + 1)
        page: dict[str, Any] = {
            "session_id": session.id,
            "events": [event_json(each) for each in events[:limit]],
        }
        if len(events) > limit:
            page["next_after"] = events[limit - 1].sequence
        return {**page, "last_change": change}

    async def event(self, owner: str, name: str, event_id: str) -> dict[str, Any] | None:
        """Return an event with its details; None where there is none."""
        session = await self._timeline.session(owner, name)
        found = await self._timeline.event(owner, session.id, event_id) if session else None
        if found is None:
            return None
        event, details = found
        return {**event_json(event), "details": dict(details)}

    def listen(self, owner: str, session_id: str | None) -> "LiveTimeline":
        """Return what follows a session, or all of them. Raises TooManyListeners."""
        return LiveTimeline(self._timeline, self._listeners, self._listeners.open(owner, session_id))

    async def end_listeners(self) -> None:
        """End all listeners, at the end of the service."""
        await self._listeners.end(FAREWELL_SECONDS)


class LiveTimeline:
    """A timeline as one listener follows it."""

    def __init__(self, timeline: Timeline, listeners: Listeners, listener: Listener) -> None:
        self._timeline = timeline
        self._listeners = listeners
        self._listener = listener
        self._told = 0

    async def missed(self, after: int) -> AsyncGenerator[News, None]:
        """Yield the events that have changed after a change, in the order of their changes.

        All of them where no change has that number: a timeline in memory counts anew after a restart, and its listeners come back.
        """
        self._told = after if after <= await self._timeline.last_change() else 0
        while True:
            listener = self._listener
            events = await self._timeline.changes(
                listener.owner, listener.session_id, self._told, CATCH_UP_EVENTS
            )
            for event in events:
                self._told = event.change
                yield news_of(event)
            if len(events) < CATCH_UP_EVENTS:
                return

    async def next(self, within: float) -> News | None:
        """Return the next message, None once there are no more. Raises TimeoutError if none comes within so many seconds."""
        while True:
            news = await self._listener.get(within)
            if news is None or news.change is None or news.change > self._told:
                return news

    def close(self) -> None:
        """Follow no more."""
        self._listeners.leave(self._listener)


def _session_json(session: RecordedSession) -> dict[str, Any]:
    sums = {
        name: int(number) if name in COUNTS else round(number, 9) for name, number in session.sums.items()
    }
    return {
        "id": session.id,
        "name": session.name,
        "selection": dict(session.selection),
        "created_at": timestamp(session.created_at),
        "updated_at": timestamp(session.updated_at),
        "sums": sums,
    }


# --- Pages -----------------------------------------------------------------------------------------------------


def _limit(query: Mapping[str, str], default: int, most: int) -> int:
    number = _number(query, "limit", default)
    if not 1 <= number <= most:
        raise InvalidPage(f"limit: expected 1 to {most}, got {number}")
    return number


def _number(query: Mapping[str, str], name: str, default: int) -> int:
    given = query.get(name, "")
    if not given:
        return default
    if not (given.isascii() and given.isdecimal() and len(given) <= MAX_DIGITS):
        raise InvalidPage(f"{name}: expected a whole number, got {given[:100]!r}")
    return int(given)


def _flag(query: Mapping[str, str], name: str) -> bool:
    given = query.get(name, "")
    if given not in ("", "0", "1", "false", "true"):
        raise InvalidPage(f"{name}: expected true or false, got {given[:100]!r}")
    return given in ("1", "true")


def _cursor(session: RecordedSession) -> str:
    return urlsafe_b64encode(json.dumps([session.updated_at, session.id]).encode()).decode()


def _read_cursor(given: str | None) -> tuple[float, str] | None:
    if not given:
        return None
    try:
        # An integer may be too large for a float, and a lone surrogate cannot be looked up: ValueError.
        match json.loads(urlsafe_b64decode(given), parse_int=float):
            case [float() as updated, str() as session_id] if isfinite(updated) and session_id.encode():
                return updated, session_id
    except (ValueError, RecursionError):
        pass
    raise InvalidPage("cursor: expected the next_cursor of a page before")
