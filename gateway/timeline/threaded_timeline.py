"""The timeline for callers on the event loop: runs sqlite_timeline.py in a worker thread, and turns its errors into messages.

Where its file cannot be used, the service works without a timeline, and says so.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from concurrency.worker_threads import Worker
from gateway.timeline.sqlite_timeline import SqliteTimeline
from gateway.timeline.timeline import (
    Entry,
    Event,
    NotRecorded,
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


Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


def _reading(
    read: Callable[Concatenate[SqliteTimeline, Arguments], Found],
) -> Callable[Concatenate["ThreadedTimeline", Arguments], Coroutine[Any, Any, Found]]:
    """Return a method that reads in the worker thread, by one of SqliteTimeline that has the same arguments. It raises NotReadable."""

    async def method(
        self: "ThreadedTimeline", /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Found:
        try:
            found: Found = await self.worker(partial(read, self.timeline, *arguments, **named))
        except (*STORAGE_ERRORS, ValueError) as problem:
            logger.warning("timeline_not_read", extra={"error": reason(problem)})
            raise NotReadable(reason(problem)) from problem
        return found

    return method


class ThreadedTimeline:
    """The timeline for callers on the event loop; turns SQLite's errors into NotRecorded and NotReadable."""

    def __init__(self, timeline: SqliteTimeline, worker: Worker) -> None:
        self.timeline = timeline
        self.worker = worker

    async def append(self, entries: Sequence[Entry]) -> Sequence[Event]:
        """Keep entries, in their order; return the events as they are now. Raises NotRecorded."""
        try:
            events: Sequence[Event] = await self.worker(self.timeline.append, entries)
        except STORAGE_ERRORS as problem:
            raise NotRecorded(reason(problem)) from problem
        return events

    sessions = _reading(SqliteTimeline.sessions)
    session = _reading(SqliteTimeline.session)
    events = _reading(SqliteTimeline.events)
    changes = _reading(SqliteTimeline.changes)
    event = _reading(SqliteTimeline.event)
    last_change = _reading(SqliteTimeline.last_change)

    async def expire(self) -> None:
        """Delete what is too old or too much; if the file cannot be written, the next run does."""
        try:
            await self.worker(self.timeline.expire)
        except STORAGE_ERRORS as problem:
            logger.warning("timeline_not_expired", extra={"error": reason(problem)})
