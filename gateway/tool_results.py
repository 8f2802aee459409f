"""What becomes of a tool's result on its way to the caller: masked, counted, and summarized if it is too long; the original is kept.

The order is fixed: nothing is counted, kept or summarized before it is masked. Errors are never paraphrased; images, audio and links
pass as they are. Calls no server: tools.py does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from gateway.call_context import query_of, read_call, without_material
from gateway.call_progress import CallProgress
from gateway.catalogue import OfferedTool
from gateway.compaction.short_form import ShortForm, short_form
from gateway.head_and_tail import head_and_tail
from gateway.masking_interface import Masking, MaskingFailed
from gateway.server_rules import GatewayServer, SummarizationRules
from gateway.timeline.call_record import CallRecord, HandedOver
from protocol.context import Context
from protocol.messages import Message
from summarizer import Summarizer
from summarizing.job import Request
from summarizing.offload import Offload, OutOfTime
from summarizing.outcome import Outcome, Summary
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer
from tools.call_results import (
    chars_of,
    error_result,
    is_small,
    outcome_fields,
    text_of,
    texts_of,
    with_meta,
    with_text,
    without_copy,
)
from tools.conversation import conversation_tokens
from tools.original_pages import KeptOriginal, OriginalAccess
from tools.result_notes import note_within

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call that a server has answered, and what the caller needs from the answer."""

    server: GatewayServer
    tool: OfferedTool
    focus: str
    context: Context
    progress: CallProgress
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """As the server got them."""
    record: CallRecord = field(default_factory=CallRecord)

    @property
    def rules(self) -> SummarizationRules:
        """When its result is summarized."""
        return self.server.summarization

    @property
    def is_exact(self) -> bool:
        """Whether its result must never be paraphrased."""
        return self.tool.id.tool in self.server.tools.exact


class MaskedResult(NamedTuple):
    """A CallToolResult with its secrets masked, its text, and the tokens of that."""

    result: Message
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ResultServices:
    """What results are made to fit with."""

    summarizer: Summarizer
    originals: OriginalAccess
    masking: Masking
    tokenizer: Tokenizer
    offload: Offload
    now: Callable[[], datetime]
    """Calendar time, given by server_cache.py."""

    async def in_worker(
        self, call: FinishedCall, chars: int, function: Callable[..., T], *arguments: Any
    ) -> T:
        """Return the result of a function of texts with `chars` characters, at the turn of the call's owner."""
        return await self.offload.threads_for(call.context.owner, chars).run(function, *arguments)


@dataclass(frozen=True, slots=True)
class ToolResults:
    """Makes the results of all servers fit."""

    services: ResultServices

    async def fitted(self, call: FinishedCall, result: Message) -> Message:
        """Return what the caller gets of a CallToolResult."""
        try:
            result = await self.services.masking.masked(result, call.server)
        except MaskingFailed as problem:
            return self._withheld(call, problem)
        masked = await self._counted(call, result)
        result = masked.result
        call.record.result(result, masked.text, masked.tokens)
        long = LongResult(self.services, call, masked)
        is_error = bool(result.get("isError"))
        most = call.rules.raw_max_tokens if is_error else call.rules.most_passing_tokens
        if not call.rules.enabled or masked.tokens <= most:
            return result
        if call.server.observes:
            return await long.observed(is_error=is_error)
        return await (long.shortened_error() if is_error else long.compacted_or_summarized())

    async def masked_request(self, call: FinishedCall, result: Message) -> Message:
        """Return a result that asks the client for input, with its secrets masked."""
        try:
            masked = await self.services.masking.masked(
                {name: value for name, value in result.items() if name != "requestState"}, call.server
            )
        except MaskingFailed as problem:
            return self._withheld(call, problem)
        call.record.result(masked, "", 0)
        # The client sends it back byte for byte, and it means nothing to anybody but the server.
        state = {"requestState": result["requestState"]} if "requestState" in result else {}
        return {**masked, **state}

    def _withheld(self, call: FinishedCall, problem: MaskingFailed) -> Message:
        said = f"{call.tool.name}: the result is withheld: {problem}"
        result = error_result(said)
        call.record.result(result, said, self.services.tokenizer.count(said))
        return result

    async def _counted(self, call: FinishedCall, result: Message) -> MaskedResult:
        given = result, self.services.tokenizer, call.server.may_rewrite
        if is_small(result):
            return counted(*given)
        return await self.services.in_worker(call, chars_of(result), counted, *given)


@dataclass(frozen=True, slots=True)
class LongResult:
    """A result that may be too long for the caller, masked."""

    services: ResultServices
    call: FinishedCall
    masked: MaskedResult

    async def compacted_or_summarized(self) -> Message:
        """Return the result as code alone makes it short enough or, where that is not enough, its summary."""
        short = await self._short_form()
        return await (self._summarized(short) if short.tokens is None else self._compacted(short))

    async def observed(self, *, is_error: bool) -> Message:
        """Return the result as it is, with what would have been made of it, and of how many tokens at most."""
        short = None if is_error else await self._short_form()
        would_summarize = short is not None and short.tokens is None
        rules = self.call.rules
        would_have = rules.raw_max_tokens if is_error else rules.summary_max_token_limit
        if short is not None and short.tokens is not None:
            would_have = short.tokens
        self.call.record.observed(would_have)
        would = {"would_summarize": would_summarize, "would_have_tokens": would_have}
        return with_meta(self.masked.result, {**would, **self.sizes})

    async def shortened_error(self) -> Message:
        """Return the beginning and the end of an error that is very long."""
        kept = await self._keep()
        note = f"[{self.call.tool.name}: an error of {self.masked.tokens:,} tokens; beginning and end; {kept.note}]\n\n"
        text = note + await self._beginning_and_end()
        await self._record(text, "shortened", kept)
        outcome = {"status": "shortened", "reason": "an error: its beginning and end"}
        return with_meta(with_text(self.masked.result, text), {**outcome, **self.sizes, **kept.outcome})

    @property
    def sizes(self) -> Message:
        """What the outcome says of the result itself."""
        return {
            "server": self.call.tool.id.server,
            "tool": self.call.tool.id.tool,
            "original_tokens": self.masked.tokens,
            "threshold_tokens": self.call.rules.size_threshold_tokens,
        }

    # --- By code alone -----------------------------------------------------------------------------------------

    async def _compacted(self, short: ShortForm) -> Message:
        """Return the short form below a note that says how it was made and names the original."""
        kept = await self._keep()
        note = f"[{self.call.tool.name}: {self.masked.tokens:,} tokens, compacted to {short.tokens:,}: {short.done}; {kept.note}]\n\n"
        text = note + short.text
        await self._record(text, "compacted", kept)
        outcome = {"status": "compacted", "reason": short.done, "compacted_tokens": short.tokens}
        return with_meta(with_text(self.masked.result, text), {**outcome, **self.sizes, **kept.outcome})

    # --- By a summary ------------------------------------------------------------------------------------------

    async def _summarized(self, short: ShortForm) -> Message:
        """Return a summary of a form of the texts in place of them, below a note that says so and names the original."""
        call, masked = self.call, self.masked
        call.record.summarizing(masked.tokens)
        kept = await self._keep()
        query, about = await self._query()
        note = note_within(
            call.rules.summary_max_token_limit,
            self.services.tokenizer,
            call.tool.name,
            masked.tokens,
            kept,
            query=query,
            read=short.read,
        )
        summary = await self._summarize(short.text, query, note.room)
        if summary.outcome.status == "unsummarized":
            text = await self._text_without_summary(summary, kept)
        else:
            text = note.over(summary)
        await self._record(text, summary.outcome.status, kept, summary.outcome)
        result = with_text(masked.result, text)
        if summary.outcome.status == "unsummarized" and call.rules.on_failure == "error":
            result["isError"] = True
        about |= {**kept.outcome, "summarized_at": self.services.now().isoformat(timespec="milliseconds")}
        return with_meta(result, {**_outcome(summary.outcome, short), **self.sizes, **about})

    async def _query(self) -> tuple[Query, Message]:
        """Return what is to be kept of the result, and what the outcome says about the call."""
        call, services = self.call, self.services
        given = (call.context.meta, call.arguments, call.focus)
        longest = services.masking.longest_known_chars
        known = await self._in_worker(chars_of(list(given)), read_call, *given, longest)
        try:
            known = known.masked_as(await services.masking.masked(known.material, call.server), longest)
        except MaskingFailed as problem:
            known = without_material(known, str(problem))
        tokens = conversation_tokens(services.summarizer.context_tokens)
        query = await self._in_worker(
            chars_of(known.material), query_of, known.material, call.tool.id, tokens, services.tokenizer
        )
        return query, {**known.ids, **({"ignored": list(known.ignored)} if known.ignored else {})}

    async def _summarize(self, text: str, query: Query, target: int) -> Summary:
        context, rules, summarizer = self.call.context, self.call.rules, self.services.summarizer
        request = Request(
            text,
            target=target,
            query=query,
            owner=context.owner,
            has_deadline=context.is_awaited,
            model=rules.model or "",
            most_answer_tokens=rules.summary_max_token_limit,
            # An error of ours names the original, too.
            on_failure="original" if rules.on_failure == "error" else rules.on_failure,
            observe=self.call.record.model_call,
        )
        try:
            return await summarizer.summarize(request, self.call.progress.of_summary)
        except OutOfTime as late:
            return Summary(
                text, Outcome("unsummarized", request.strategy, summarizer.backend, reason=str(late))
            )

    async def _text_without_summary(self, summary: Summary, kept: KeptOriginal) -> str:
        """Return what the caller gets where the model gave nothing: the text, shortened if it is very long, or an error."""
        rules, masked = self.call.rules, self.masked
        reason = summary.outcome.reason or "the model gave nothing"
        failed = f"{self.call.tool.name}: {masked.tokens:,} tokens, not summarized: {reason}"
        if rules.on_failure == "error":
            return f"{failed}; {kept.note}"
        if masked.tokens <= rules.raw_max_tokens:
            return f"[{failed}]\n\n{masked.text}"
        return f"[{failed}; beginning and end; {kept.note}]\n\n{await self._beginning_and_end()}"

    # --- Steps of several ways ---------------------------------------------------------------------------------

    async def _short_form(self) -> ShortForm:
        """Return what code alone makes of the result."""
        call = self.call
        short: ShortForm = await self._in_worker(
            len(self.masked.text),
            short_form,
            texts_of(self.masked.result),
            call.rules.size_threshold_tokens,
            self.services.tokenizer,
            call.is_exact,
            call.focus,
        )
        return short

    async def _keep(self) -> KeptOriginal:
        return await self.services.originals.keep_if_possible(self.masked.text, self.call.context.owner)

    async def _beginning_and_end(self) -> str:
        text, limit = self.masked.text, self.call.rules.raw_max_tokens
        return await self._in_worker(len(text), head_and_tail, text, limit, self.services.tokenizer)

    async def _record(self, text: str, form: str, kept: KeptOriginal, outcome: Outcome | None = None) -> None:
        """Record what the caller gets."""
        tokens = await self._in_worker(len(text), self.services.tokenizer.count, text)
        self.call.record.handed_over(HandedOver(text, tokens, form, kept.result_id), outcome)

    async def _in_worker(self, chars: int, function: Callable[..., T], *arguments: Any) -> T:
        return await self.services.in_worker(self.call, chars, function, *arguments)


# --- Results ---------------------------------------------------------------------------------------------------


def counted(result: Message, tokenizer: Tokenizer, may_rewrite: bool) -> MaskedResult:  # noqa: FBT001 - a worker takes no names
    """Return a result with its text and tokens, without a copy of its structured content where it may be rewritten."""
    if may_rewrite:
        result = without_copy(result)
    text = text_of(result)
    return MaskedResult(result, text, tokenizer.count(text))


def _outcome(outcome: Outcome, short: ShortForm) -> Message:
    """Return the outcome of a summary; one of a part of the texts is partial, even where the part needed no summary."""
    fields = outcome_fields(outcome)
    if not short.read or outcome.status == "unsummarized":
        return fields
    reason = "; ".join(filter(None, (f"from {short.read}", outcome.reason)))
    return {**fields, "status": "partial", "reason": reason}
