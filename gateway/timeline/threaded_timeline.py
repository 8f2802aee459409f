"""The timeline for callers on the event loop: runs sqlite_timeline.py in a worker thread, and turns its errors into messages.

Where its file cannot be used, the service works without a timeline, and says so.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from concurrency.worker_threads import Worker
from gateway.timeline.sqlite_timeline import SqliteTimeline
from gateway.timeline.timeline import (
    Entry,
    Event,
    Message,
    NotRecorded,
    RecordedSession,
    SessionQuery,
    Timeline,
    TimelineBounds,
)
from storage.sqlite_file import STORAGE_ERRORS, UnusableFile, reason

logger = logging.getLogger(__name__)

# An event is kept for days; a minute more does not matter, nor do the bytes that come in one.
EXPIRE_EVERY_SECONDS = 60.0


class NotReadable(OSError):
    """The timeline cannot be read now: the message says why."""


@asynccontextmanager
async def open_timeline(
    directory: str, bounds: TimelineBounds, worker: Worker
) -> AsyncIterator[Timeline | None]:
    """Open the timeline, in memory if no directory is named; close it at the end of the block. Raises CannotOpen.

    None where `max_bytes` is 0, or its file cannot be used. `worker(function, *arguments)` must have one thread: SQLite's connection
    stays in it.
    """
    if not bounds.max_bytes:
        yield None
        return
    opened: SqliteTimeline | UnusableFile = await worker(
        _open, Path(directory) if directory else None, bounds
    )
    if isinstance(opened, UnusableFile):
        logger.warning("timeline_off", extra={"error": str(opened), "note": opened.remedy})
        yield None
        return
    timeline = ThreadedTimeline(opened, worker)
    expiring = asyncio.create_task(_expire_now_and_then(timeline))
    try:
        yield timeline
    finally:
        expiring.cancel()
        await worker(opened.close)


def _open(directory: Path | None, bounds: TimelineBounds) -> SqliteTimeline | UnusableFile:
    try:
        timeline = SqliteTimeline(directory, bounds)
    except UnusableFile as problem:
        return problem
    if mended := timeline.mend():
        logger.info("timeline_mended", extra={"timeline_events": mended})
    return timeline


async def _expire_now_and_then(timeline: Timeline) -> None:
    while True:
        await timeline.expire()
        await asyncio.sleep(EXPIRE_EVERY_SECONDS)


class ThreadedTimeline:
    """The timeline for callers on the event loop; turns SQLite's errors into NotRecorded and NotReadable."""

    def __init__(self, timeline: SqliteTimeline, worker: Worker) -> None:
        self._timeline = timeline
        self._worker = worker

    async def append(self, entries: Sequence[Entry]) -> Sequence[Event]:
        """Keep entries, in their order; return the events as they are now. Raises NotRecorded."""
        try:
            events: Sequence[Event] = await self._worker(self._timeline.append, entries)
        except STORAGE_ERRORS as problem:
            raise NotRecorded(reason(problem)) from problem
        return events

    async def sessions(self, owner: str, query: SessionQuery) -> Sequence[RecordedSession]:
        """Return sessions, the newest first. Raises NotReadable, as all that follow."""
        sessions: Sequence[RecordedSession] = await self._read(self._timeline.sessions, owner, query)
        return sessions

    async def session(self, owner: str, name: str) -> RecordedSession | None:
        """Return a session by its id, or by the name that its client gave."""
        session: RecordedSession | None = await self._read(self._timeline.session, owner, name)
        return session

    async def events(self, owner: str, session_id: str, after: int, limit: int) -> Sequence[Event]:
        """Return a session's events after a sequence number, in their order."""
        events: Sequence[Event] = await self._read(self._timeline.events, owner, session_id, after, limit)
        return events

    async def changes(self, owner: str, session_id: str | None, after: int, limit: int) -> Sequence[Event]:
        """Return the events that have changed after a change, in the order of their changes; None: of all sessions."""
        events: Sequence[Event] = await self._read(self._timeline.changes, owner, session_id, after, limit)
        return events

    async def event(self, owner: str, session_id: str, event_id: str) -> tuple[Event, Message] | None:
        """Return an event with its details."""
        found: tuple[Event, Message] | None = await self._read(
            self._timeline.event, owner, session_id, event_id
        )
        return found

    async def last_change(self) -> int:
        """Return the number of the last change; 0 where there is none."""
        number: int = await self._read(self._timeline.last_change)
        return number

    async def expire(self) -> None:
        """Delete what is too old or too much; if the file cannot be written, the next run does."""
        try:
            await self._worker(self._timeline.expire)
        except STORAGE_ERRORS as problem:
            logger.warning("timeline_not_expired", extra={"error": reason(problem)})

    async def _read(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return await self._worker(function, *arguments)
        except (*STORAGE_ERRORS, ValueError) as problem:
            logger.warning("timeline_not_read", extra={"error": reason(problem)})
            raise NotReadable(reason(problem)) from problem
