"""Records calls beside their way: masked, cut to what is shown, kept in batches, and then told to listeners.

A call only leaves notes; a task for each server works through them, since one may have to wait for the masking of a large result. Where
too many notes are waiting, new calls are not recorded: they are counted, and nobody waits for the timeline.
"""

import asyncio
import json
import logging
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from concurrency.worker_threads import Worker
from gateway.call_context import KIND_OF_SECRETS, MAX_MANIFEST_CHARS
from gateway.server_rules import GatewayServer
from gateway.timeline.call_record import CallMetrics, CallRecord, HandedOver
from gateway.timeline.listeners import Listeners, News
from gateway.timeline.session_identity import Caller, ids_of, session_of
from gateway.timeline.timeline import (
    COMPLETED,
    CREATED,
    STREAM_CHUNK,
    SUMMARIZING,
    Entry,
    Event,
    EventType,
    NotRecorded,
    SessionKey,
    Status,
    Timeline,
)
from gateway.tool_results import Masking, MaskingFailed
from protocol.context import Context
from protocol.messages import HEADER_SESSION
from summarizing.model_calls import CANCELLED, ModelCall
from summarizing.offload import SHORT_CHARS
from summarizing.outcome import Outcome
from summarizing.text.tokenizer import Tokenizer
from tools.call_results import chars_of, json_of

logger = logging.getLogger(__name__)

# Of each text that is shown: the seeds' limit for storage.
SHOWN_TOKENS = 8_000

# What of a text is looked at for that: eight characters for each token, more than most texts have.
SHOWN_CHARS = 8 * SHOWN_TOKENS

# A private key of 4,096 bits has 3,300.
LONGEST_SECRET_CHARS = 4_000

# Of the arguments, in the list of events.
LISTED_CHARS = 500

# Of a summary in many parts, the model's calls with their prompts; of later ones what they cost.
MAX_PROMPTS = 20

# Notes that may wait: calls that begin while there are more are not recorded. Each has at most some 100 KB.
MAX_NOTES = 1_000

# Events are kept in batches: one transaction costs as much as twenty events.
BATCH_SECONDS = 0.05

# At the end of the service, for what is not kept yet.
FAREWELL_SECONDS = 2.0


class Transient(NamedTuple):
    """What is told to listeners, and not kept."""

    session: SessionKey
    kind: str
    data: dict[str, Any]


_RESULT_ID = re.compile(r'result_id="([\w-]{1,64})"')

Told = Entry | Transient
Note = Callable[[], Awaitable[Sequence[Told]]]


@dataclass(frozen=True)
class TimelineParts:
    """Where calls are recorded and counted."""

    timeline: Timeline | None
    """None where there is none: calls are counted alone."""
    listeners: Listeners
    worker: Worker
    """Cuts texts."""
    metrics: CallMetrics
    now: Callable[[], float]
    """Calendar time in seconds."""
    new_id: Callable[[], str]


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
        self.dropped = 0
        """Calls that were not recorded, and events that could not be kept."""
        self._told_dropped = 0
        self._notes: dict[str, asyncio.Queue[Note]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._kept: deque[Told] = deque()
        self._has_news = asyncio.Event()
        self._is_idle = asyncio.Event()
        self._is_idle.set()

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
        call = RecordedCall(
            self, server, tool, session, stage=ids.stage, execution=ids.execution, is_kept=is_kept
        )
        call.begin(arguments)
        return call

    @property
    def waiting(self) -> int:
        """How many notes are not worked through yet."""
        return sum(notes.qsize() for notes in self._notes.values()) + len(self._kept)

    def note(self, server: str, note: Note) -> None:
        """Add a note of a call."""
        self._is_idle.clear()
        if server not in self._notes:
            self._notes[server] = asyncio.Queue()
            self._tasks.append(asyncio.create_task(self._work_for(self._notes[server])))
        self._notes[server].put_nowait(note)

    # --- At work -----------------------------------------------------------------------------------------------

    async def _work_for(self, notes: "asyncio.Queue[Note]") -> None:
        """Work through the notes of a server's calls."""
        while True:
            note = await notes.get()
            try:
                told = await note()  # `write` may replace the queue meanwhile
                self._kept.extend(told)
            except Exception as problem:  # noqa: BLE001 - whatever it is: the calls that follow must be recorded
                # Its kind alone: its message may quote what it is about.
                logger.error("timeline_note_failed", extra={"error": type(problem).__name__})  # noqa: TRY400
                self._count_dropped(1)
            self._has_news.set()

    async def write(self) -> None:
        """Keep what was noted, in batches, and tell it."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            batch, self._kept = list(self._kept), deque()
            await self._keep_and_tell(batch)
            if not self.waiting:
                self._is_idle.set()
            await asyncio.sleep(BATCH_SECONDS)

    async def done(self) -> None:
        """Wait until all notes are worked through, and what they say is kept."""
        await self._is_idle.wait()

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

    # --- Texts -------------------------------------------------------------------------------------------------

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        """Return a JSON value with its secrets masked; in place of one that cannot be, a text that says so."""
        try:
            return await self.parts.masking.masked(value, server)
        except MaskingFailed as problem:
            return f"[withheld: {problem}]"

    async def masked_text(self, text: str, server: GatewayServer) -> tuple[str, bool]:
        """Return what is shown of a text with its secrets masked, and whether that is less than all of it."""
        is_cut = len(text) > SHOWN_CHARS
        masked = str(await self.masked(text[:SHOWN_CHARS], server))
        # The first half of a secret is not recognized.
        shown, is_short = await self.shown(masked[:-LONGEST_SECRET_CHARS] if is_cut else masked)
        return shown, is_cut or is_short

    async def shown(self, text: str) -> tuple[str, bool]:
        """Return what of a text is shown, and whether that is less than all of it."""
        # A token is at least one byte in UTF-8, and a character at most four.
        if 4 * len(text) <= SHOWN_TOKENS:
            return text, False
        shown: str = await self.parts.of_timeline.worker(
            self.parts.tokenizer.cut, text[:SHOWN_CHARS], SHOWN_TOKENS
        )
        return shown, len(shown) < len(text)


class RecordedCall(CallRecord):
    """The record of one call."""

    def __init__(
        self,
        recorder: CallRecorder,
        server: GatewayServer,
        tool: str,
        session: SessionKey,
        *,
        stage: str | None,
        execution: str | None,
        is_kept: bool,
    ) -> None:
        """`is_kept` False: it is counted alone."""
        self._recorder = recorder
        self._server = server
        self._names = {"server_name": server.spec.name, "tool_name": tool}
        self._session = session
        self._is_kept = is_kept
        self._began = recorder.parts.clock()
        self._call_id = recorder.parts.of_timeline.new_id()
        self._about = {"stage_id": stage, "execution_id": execution}
        self._call = self._entry("mcp_tool_call", "streaming", dict(self._names), sums={"calls": 1})
        self._summary: Entry | None = None
        self._summary_began = 0.0
        self._interactions: list[ModelCall] = []
        self._status: Status | None = None
        self._tokens = self._handed = 0
        self._form = "passthrough"
        self._result_id: str | None = None
        self._duration = 0.0
        self._is_end_noted = False
        self._result_note: Note | None = None

    # --- What the call tells -----------------------------------------------------------------------------------

    def begin(self, arguments: Mapping[str, Any]) -> None:
        """Note the call itself."""

        async def note() -> Sequence[Told]:
            text, is_cut = await self._masked_json(arguments)
            self._call = replace(self._call, metadata={**self._names, "arguments": text[:LISTED_CHARS]})
            return [replace(self._call, details={"arguments": text, "arguments_truncated": is_cut})]

        self._note(note)

    def result(self, result: Mapping[str, Any], text: str, tokens: int) -> None:
        """Note a masked result: the call is over, and a summary may follow."""
        is_error = bool(result.get("isError"))
        self._tokens = self._handed = tokens
        self._end_call("failed" if is_error else "completed")
        content = result.get("content")
        kinds = (
            [str(block.get("type")) for block in content if isinstance(block, dict)]
            if isinstance(content, list)
            else []
        )
        metadata = {
            **self._names,
            "is_error": is_error,
            "tokens": tokens,
            "content_types": sorted(set(kinds)),
        }
        if result.get("resultType") == "input_required":
            metadata["input_required"] = True
        entry = self._entry("tool_result", "failed" if is_error else "completed", metadata)
        # Not all of 100 MB until its turn comes.
        head, size = text[:SHOWN_CHARS], len(text)

        async def note() -> Sequence[Told]:
            shown, is_cut = await self._recorder.shown(head)
            truncated = is_cut or size > len(head)
            details = {"content": shown, "content_truncated": truncated}
            return [replace(entry, details=details)]

        self._result_note = note

    def observed(self) -> None:
        """Note that the result would have been summarized."""
        self._form = "observed"

    def summarizing(self, tokens: int) -> None:
        """Note that a summary has begun."""
        self._note_end({})
        self._summary_began = self._recorder.parts.clock()
        self._summary = entry = self._entry(
            "mcp_tool_summary", "streaming", {**self._names, "original_tokens": tokens}
        )
        data = {**self._data_of(SUMMARIZING), **self._names, "estimated_tokens": tokens}

        async def note() -> Sequence[Told]:
            return [Transient(self._session, SUMMARIZING, data), entry]

        self._note(note)

    def model_call(self, call: ModelCall) -> None:
        """Note a call of the model for the summary, and tell its answer."""
        if len(self._interactions) >= MAX_PROMPTS:
            call = call._replace(prompt=call.prompt._replace(system="", user=""))
        elif len(call.prompt.user) > SHOWN_CHARS:
            # One more shows that it is cut.
            call = call._replace(prompt=call.prompt._replace(user=call.prompt.user[: SHOWN_CHARS + 1]))
        self._interactions.append(call)
        if call.completion is None or self._summary is None:
            return
        text = call.completion.text
        data = {**self._data_of(STREAM_CHUNK), "event_id": self._summary.id, "event_type": "mcp_tool_summary"}

        async def note() -> Sequence[Told]:
            delta, _ = await self._recorder.masked_text(text, self._server)
            return [Transient(self._session, STREAM_CHUNK, {**data, "delta": delta})]

        self._note(note)

    def handed_over(self, given: HandedOver, outcome: Outcome | None = None) -> None:
        """Note what the caller gets in place of the result."""
        self._handed, self._form = given.tokens, given.form
        if found := _RESULT_ID.search(given.kept):
            self._result_id = found[1]
        if outcome is not None:
            self._end_summary(given, outcome)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Note how the call ended, and count it."""
        cancelled = kind is not None and issubclass(kind, asyncio.CancelledError)
        if self._status is None:
            self._end_call("cancelled" if cancelled else "failed")
        if self._summary is not None:
            self._note_summary(self._summary, "cancelled" if cancelled else "failed", {}, "")
        parts = self._recorder.parts.of_timeline
        status = "cancelled" if cancelled else str(self._status)
        seconds = self._recorder.parts.clock() - self._began
        parts.metrics.count_proxied_call(self._server.spec.name, status, seconds, self._tokens, self._handed)
        self._note_end({"tokens_before": self._tokens, "tokens_after": self._handed})

    # --- How it is noted ---------------------------------------------------------------------------------------

    def _end_call(self, status: Status) -> None:
        self._status = status
        self._duration = self._ms_since(self._began)

    def _note_end(self, sizes: Mapping[str, int]) -> None:
        """Note that the server has answered, and what it has answered, unless that was noted; `sizes`: in tokens, once they are known."""
        status, duration, at = (
            self._status or "failed",
            self._duration,
            self._recorder.parts.of_timeline.now(),
        )
        result_note, self._result_note = self._result_note, None
        is_first, self._is_end_noted = not self._is_end_noted, True
        told = {**sizes, "handed_over": self._form, "result_id": self._result_id} if sizes else {}
        sums = {name: float(number) for name, number in sizes.items()}
        if is_first and status == "failed":
            sums["failed_calls"] = 1.0

        async def note() -> Sequence[Told]:
            metadata = {**self._call.metadata, **told}
            ended = replace(
                self._call, status=status, at=at, duration_ms=duration, metadata=metadata, sums=sums
            )
            return [ended, *(await result_note() if result_note else ())]

        self._note(note)

    def _end_summary(self, given: HandedOver, outcome: Outcome) -> None:
        entry, self._summary = self._summary, None
        if entry is None:
            return
        answered = sum(each.completion is not None for each in self._interactions)
        fresh = answered - (outcome.reused_answers or 0)
        about = {
            "summary_status": outcome.status,
            "summary_tokens": given.tokens,
            "summarization_model": outcome.model,
            "backend": outcome.backend,
            "reason": outcome.reason,
            "result_id": self._result_id,
            "prompt_tokens": outcome.prompt_tokens,
            "completion_tokens": outcome.completion_tokens,
            "cost_usd": outcome.cost_usd,
            "interactions": len(self._interactions),
            # Retries are requests without an answer of their own, too. An answer that the response cache had took none.
            "failed_attempts": max(outcome.llm_calls - fresh, 0),
        }
        metadata = {name: value for name, value in about.items() if value is not None}
        head = given.text[: SHOWN_CHARS + 1]  # one more shows that it is cut
        self._note_summary(
            entry, "failed" if outcome.status == "unsummarized" else "completed", metadata, head
        )

    def _note_summary(self, entry: Entry, status: Status, about: Mapping[str, Any], text: str) -> None:
        duration, at = self._ms_since(self._summary_began), self._recorder.parts.of_timeline.now()
        calls = tuple(self._interactions)

        async def note() -> Sequence[Told]:
            told = await self._recorder.masked(dict(about), self._server)
            told = told if isinstance(told, dict) else {"reason": told}
            shown, is_cut = await self._recorder.masked_text(text, self._server)
            details = {
                "content": shown,
                "content_truncated": is_cut,
                "interactions": [await self._interaction(call) for call in calls],
            }
            sums = {name: float(told.get(name) or 0) for name in SUMMED}
            metadata = {**entry.metadata, **told}
            return [
                replace(
                    entry,
                    status=status,
                    at=at,
                    duration_ms=duration,
                    metadata=metadata,
                    details=details,
                    sums={"summaries": 1, "summary_ms": duration, **sums},
                )
            ]

        self._note(note)

    async def _interaction(self, call: ModelCall) -> dict[str, Any]:
        """Return a call of the model as JSON, its texts masked and cut."""
        texts = {"system": call.prompt.system, "user": call.prompt.user, "error": call.error}
        if call.completion is not None:
            texts["answer"] = call.completion.text
        shown = {
            name: (await self._recorder.masked_text(text, self._server))[0] for name, text in texts.items()
        }
        completion = call.completion
        return {
            "interaction_type": "summarization",
            "status": "completed" if completion else "cancelled" if call.error == CANCELLED else "failed",
            "model": call.model,
            "prompts": {"system": shown["system"], "user": shown["user"]},
            "answer": shown.get("answer"),
            "error": shown["error"] or None,
            "prompt_tokens": completion.prompt_tokens if completion else None,
            "completion_tokens": completion.completion_tokens if completion else None,
            "cost_usd": completion.cost_usd if completion else None,
            "reused": completion.reused if completion else False,
            "duration_ms": round(1_000 * call.seconds, 1),
        }

    async def _masked_json(self, value: Mapping[str, Any]) -> tuple[str, bool]:
        """Return what is shown of a JSON value with its secrets masked, and whether that is less than all of it."""
        if chars_of(dict(value)) > SHORT_CHARS:
            text: str = await self._recorder.parts.of_timeline.worker(json_of, dict(value))
            if KIND_OF_SECRETS not in text:
                return await self._recorder.masked_text(text, self._server)
            if len(text) > MAX_MANIFEST_CHARS:
                return f"[withheld: {len(text):,} characters that may have a Secret in them]", True
        masked = await self._recorder.masked(dict(value), self._server)
        return await self._recorder.shown(
            masked if isinstance(masked, str) else json.dumps(masked, ensure_ascii=False)
        )

    def _note(self, note: Note) -> None:
        if self._is_kept:
            self._recorder.note(self._server.spec.name, note)

    def _entry(
        self,
        kind: EventType,
        status: Status,
        metadata: Mapping[str, Any],
        sums: Mapping[str, float] | None = None,
    ) -> Entry:
        parts = self._recorder.parts.of_timeline
        event_id = self._call_id if kind == "mcp_tool_call" else parts.new_id()
        return Entry(
            event_id,
            self._session,
            self._call_id,
            kind,
            status,
            parts.now(),
            metadata,
            stage_id=self._about["stage_id"],
            execution_id=self._about["execution_id"],
            sums=sums or {},
        )

    def _data_of(self, kind: str) -> dict[str, Any]:
        return {
            "type": kind,
            "session_id": self._session.id,
            "call_id": self._call_id,
            **self._about,
            "timestamp": timestamp(self._recorder.parts.of_timeline.now()),
        }

    def _ms_since(self, began: float) -> float:
        return round(1_000 * (self._recorder.parts.clock() - began), 1)


# What of a summary's metadata its session sums up.
SUMMED = ("interactions", "failed_attempts", "prompt_tokens", "completion_tokens", "cost_usd")


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
