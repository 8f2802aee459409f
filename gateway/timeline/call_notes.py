"""The record of one call as notes: what happens on its way becomes entries to keep and messages to tell, once its notes are worked through (recorder.py)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, NamedTuple

from gateway.server_rules import GatewayServer
from gateway.timeline.call_record import CallRecord, HandedOver
from gateway.timeline.event_json import timestamp
from gateway.timeline.shown_texts import SHOWN_CHARS, ShownTexts
from gateway.timeline.timeline import (
    STREAM_CHUNK,
    SUMMARIZING,
    Entry,
    EventType,
    SessionKey,
    Status,
)
from summarizing.model_calls import CANCELLED, ModelCall
from summarizing.outcome import Outcome

# Of the arguments, in the list of events.
LISTED_CHARS = 500

# Of a summary in many parts, the model's calls with their prompts; of later ones what they cost.
MAX_PROMPTS = 20

# Of the types of a result's blocks, in the list of events: MCP has five, and a server may send any.
MAX_KINDS, MAX_KIND_CHARS = 10, 40

# What of a summary's metadata its session sums up.
SUMMED = ("interactions", "failed_attempts", "prompt_tokens", "completion_tokens", "cost_usd")


class Transient(NamedTuple):
    """What is sent to listeners, and not stored."""

    session: SessionKey
    kind: str
    data: dict[str, Any]


Told = Entry | Transient

Note = Callable[[], Awaitable[Sequence[Told]]]
"""One step of a call, to be worked through: masks and cuts what is shown of it, and returns what is kept and told."""


class CallNotes(CallRecord):
    """The record of one call, which leaves a note of each step."""

    def __init__(
        self,
        texts: ShownTexts,
        notes: "asyncio.Queue[Note] | None",
        server: GatewayServer,
        tool: str,
        session: SessionKey,
        *,
        stage: str | None,
        execution: str | None,
    ) -> None:
        """`notes`: where it leaves them, for `CallRecorder._work_for` (recorder.py); None: the call is counted alone."""
        self._parts, self._texts, self._notes = texts.parts, texts, notes
        self._server = server
        self._names = {"server_name": server.spec.name, "tool_name": tool}
        self._session = session
        self._began = self._parts.clock()
        self._call_id = self._parts.of_timeline.new_id()
        self._about = {"stage_id": stage, "execution_id": execution}
        self._call = self._entry("mcp_tool_call", "streaming", dict(self._names), sums={"calls": 1})
        self._summary: Entry | None = None
        self._summary_began = 0.0
        self._interactions: list[ModelCall] = []
        self._status: Status | None = None
        self._tokens = self._handed = 0
        self._form = "passthrough"
        self._result_id: str | None = None
        self._would_have: Mapping[str, int] = {}
        self._duration = 0.0
        self._is_end_noted = False
        self._result_note: Note | None = None

    # --- What the call tells -----------------------------------------------------------------------------------

    def begin(self, arguments: Mapping[str, Any]) -> None:
        """Note the call itself."""

        async def note() -> Sequence[Told]:
            text, is_cut = await self._texts.masked_json(arguments, self._server)
            self._call = replace(self._call, metadata={**self._names, "arguments": text[:LISTED_CHARS]})
            return [replace(self._call, details={"arguments": text, "arguments_truncated": is_cut})]

        self._note(note)

    def result(self, result: Mapping[str, Any], text: str, tokens: int) -> None:
        """Note a masked result: the call is over, and a summary may follow."""
        is_error = bool(result.get("isError"))
        self._tokens = self._handed = tokens
        self._end_call("failed" if is_error else "completed")
        content = result.get("content")
        blocks = content if isinstance(content, list) else []
        kinds = {str(block.get("type"))[:MAX_KIND_CHARS] for block in blocks if isinstance(block, dict)}
        metadata = {
            **self._names,
            "is_error": is_error,
            "tokens": tokens,
            "content_types": sorted(kinds)[:MAX_KINDS],
        }
        if result.get("resultType") == "input_required":
            metadata["input_required"] = True
        entry = self._entry("tool_result", "failed" if is_error else "completed", metadata)
        # Not all of 100 MB until its turn comes.
        head, size = text[:SHOWN_CHARS], len(text)

        async def note() -> Sequence[Told]:
            shown, is_cut = await self._texts.shown(head)
            truncated = is_cut or size > len(head)
            details = {"content": shown, "content_truncated": truncated}
            return [replace(entry, details=details)]

        self._result_note = note

    def observed(self, tokens: int) -> None:
        """Note that the result passes, and would have been made shorter: how many tokens it would have had, at most."""
        self._form = "observed"
        self._would_have = {"would_have_tokens": tokens}

    def summarizing(self, tokens: int) -> None:
        """Note that a summary has begun."""
        self._note_end({})
        self._summary_began = self._parts.clock()
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
            delta, _ = await self._texts.masked_text(text, self._server)
            return [Transient(self._session, STREAM_CHUNK, {**data, "delta": delta})]

        self._note(note)

    def handed_over(self, given: HandedOver, outcome: Outcome | None = None) -> None:
        """Note what the caller gets in place of the result."""
        self._handed, self._form = given.tokens, given.form
        self._result_id = given.result_id
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
        parts = self._parts.of_timeline
        status = "cancelled" if cancelled else str(self._status)
        seconds = self._parts.clock() - self._began
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
            self._parts.of_timeline.now(),
        )
        result_note, self._result_note = self._result_note, None
        is_first, self._is_end_noted = not self._is_end_noted, True
        given = {"handed_over": self._form, "result_id": self._result_id, **self._would_have}
        told = {**sizes, **given} if sizes else {}
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
        duration, at = self._ms_since(self._summary_began), self._parts.of_timeline.now()
        calls = tuple(self._interactions)

        async def note() -> Sequence[Told]:
            told = await self._texts.masked(dict(about), self._server)
            told = told if isinstance(told, dict) else {"reason": told}
            shown, is_cut = await self._texts.masked_text(text, self._server)
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
        shown = {name: (await self._texts.masked_text(text, self._server))[0] for name, text in texts.items()}
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

    def _note(self, note: Note) -> None:
        if self._notes is not None:
            self._notes.put_nowait(note)

    def _entry(
        self,
        kind: EventType,
        status: Status,
        metadata: Mapping[str, Any],
        sums: Mapping[str, float] | None = None,
    ) -> Entry:
        parts = self._parts.of_timeline
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
            "timestamp": timestamp(self._parts.of_timeline.now()),
        }

    def _ms_since(self, began: float) -> float:
        return round(1_000 * (self._parts.clock() - began), 1)
