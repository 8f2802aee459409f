"""Records calls beside their way: what they note (call_notes.py) is kept in batches, and then told to listeners.

A call only leaves notes; a task for each server works through them, since one may have to wait for the masking of a large result. Where
too many notes are waiting, new calls are not recorded: they are counted, and nobody waits for the timeline.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from gateway.server_rules import GatewayServer
from gateway.timeline.call_notes import CallNotes, Note, Told
from gateway.timeline.call_record import CallRecord
from gateway.timeline.event_json import news_of
from gateway.timeline.listeners import News
from gateway.timeline.recorder_dependencies import RecorderParts
from gateway.timeline.session_identity import Caller, ids_of, session_of
from gateway.timeline.shown_texts import ShownTexts
from gateway.timeline.timeline import Entry, NotRecorded
from protocol.context import Context
from protocol.messages import HEADER_SESSION

logger = logging.getLogger(__name__)

# Notes that may wait: calls that begin while there are more are not recorded. Each has at most some 100 KB.
MAX_NOTES = 1_000

# Events are kept in batches: one transaction costs as much as twenty events.
BATCH_SECONDS = 0.05

# At the end of the service, for what is not kept yet.
FAREWELL_SECONDS = 2.0


@asynccontextmanager
async def open_recorder(parts: RecorderParts) -> "AsyncIterator[CallRecorder]":
    """Open a recorder; at the end of the block, keep what is waiting."""
    recorder = CallRecorder(parts)
    writing = asyncio.create_task(recorder.write())
    try:
        yield recorder
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await recorder.done()
        writing.cancel()
        recorder.close()


class CallRecorder:
    """Records the calls of all servers."""

    def __init__(self, parts: RecorderParts) -> None:
        self.parts = parts
        self._texts = ShownTexts(parts)
        self.dropped = 0
        """Calls that were not recorded, and events that could not be kept."""
        self._told_dropped = 0
        self._notes: dict[str, asyncio.Queue[Note]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._kept: deque[Told] = deque()
        self._has_news = asyncio.Event()
        self._all_written = asyncio.Event()
        self._all_written.set()

    # --- Of calls ----------------------------------------------------------------------------------------------

    def begin(
        self, context: Context, server: GatewayServer, tool: str, arguments: Mapping[str, Any], selection: str
    ) -> CallRecord:
        """Return the record of a call that begins."""
        parts = self.parts
        is_kept = parts.of_timeline.timeline is not None and self.waiting < MAX_NOTES
        if parts.of_timeline.timeline is not None and not is_kept:
            self._count_dropped(1)
        mask = partial(parts.masking.text, server=server)
        ids = ids_of(context.meta, mask)
        mcp_session = context.headers.get(HEADER_SESSION, ())
        session = session_of(
            Caller(context.owner, context.meta, mcp_session),
            ids.session,
            selection,
            parts.of_timeline.now(),
            mask,
        )
        call = CallNotes(
            self._texts,
            self._notes_of(server.spec.name) if is_kept else None,
            server,
            tool,
            session,
            stage=ids.stage,
            execution=ids.execution,
        )
        call.begin(arguments)
        return call

    @property
    def waiting(self) -> int:
        """How many notes are not worked through yet."""
        return sum(notes.qsize() for notes in self._notes.values()) + len(self._kept)

    def _notes_of(self, server: str) -> "asyncio.Queue[Note]":
        """Return the notes of a server's calls, which are worked through from now on."""
        if server not in self._notes:
            self._notes[server] = notes = asyncio.Queue[Note]()
            self._tasks.append(asyncio.create_task(self._work_for(notes)))
        return self._notes[server]

    # --- At work -----------------------------------------------------------------------------------------------

    async def _work_for(self, notes: "asyncio.Queue[Note]") -> None:
        """Work through the notes of a server's calls."""
        while True:
            note = await notes.get()
            try:
                told = await note()  # `write` may replace the queue meanwhile
                self._kept.extend(told)
                self._all_written.clear()
            except Exception as problem:  # noqa: BLE001 - whatever it is: the calls that follow must be recorded
                # Its kind alone: its message may quote what it is about.
                logger.error("timeline_note_failed", extra={"error": type(problem).__name__})  # noqa: TRY400
                self._count_dropped(1)
            finally:
                notes.task_done()
            self._has_news.set()

    async def write(self) -> None:
        """Keep what was noted, in batches, and tell it."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            batch, self._kept = list(self._kept), deque()
            await self._keep_and_tell(batch)
            if not self._kept:
                self._all_written.set()
            await asyncio.sleep(BATCH_SECONDS)

    async def done(self) -> None:
        """Wait until all notes are worked through, and what they say is kept."""
        for notes in list(self._notes.values()):
            await notes.join()
        await self._all_written.wait()

    async def _keep_and_tell(self, batch: Sequence[Told]) -> None:
        entries = [each for each in batch if isinstance(each, Entry)]
        timeline = self.parts.of_timeline.timeline
        try:
            events = iter(await timeline.append(entries) if entries and timeline else ())
        except NotRecorded as problem:
            logger.warning("timeline_not_written", extra={"error": str(problem)})
            self._count_dropped(len(entries))
            return
        for each in batch:
            if isinstance(each, Entry):
                event = next(events)
                self.parts.of_timeline.listeners.tell(event.owner, event.session_id, news_of(event))
            else:
                self.parts.of_timeline.listeners.tell(
                    each.session.owner, each.session.id, News(each.kind, each.data, None)
                )

    def _count_dropped(self, events: int) -> None:
        if not self.dropped:
            logger.warning("timeline_events_dropped", extra={"timeline_events": events})
            self._told_dropped = events
        self.dropped += events

    def close(self) -> None:
        """Work through nothing more, and log how many more were dropped since the first."""
        for task in self._tasks:
            task.cancel()
        if self.dropped > self._told_dropped:
            logger.warning(
                "timeline_events_dropped", extra={"timeline_events": self.dropped - self._told_dropped}
            )
            self._told_dropped = self.dropped
