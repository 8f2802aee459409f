"""What becomes of a tool's result on its way to the caller: masked, counted, and summarized if it is too long; the original is kept.

The order is fixed: nothing is counted, kept or summarized before it is masked. Errors are never paraphrased; images, audio and links
pass as they are. Calls no server: tools.py does.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from gateway.call_context import query_of, read_call, without_material
from gateway.catalogue import OfferedTool
from gateway.compaction.short_form import ShortForm, short_form
from gateway.head_and_tail import head_and_tail
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
from tools import result_notes
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
from tools.original_pages import OriginalAccess

T = TypeVar("T")


class MaskingFailed(Exception):
    """A result could not be masked: it must not be handed over. The message is for the caller, and quotes nothing of it."""


class Masking(Protocol):
    """Masks the secrets in what a server has sent."""

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        """Return a JSON value with its secrets masked. Raises MaskingFailed."""
        ...


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call that a server has answered, and what the caller needs from the answer."""

    server: GatewayServer
    tool: OfferedTool
    focus: str
    context: Context
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
class ToolResults:
    """Makes the results of all servers fit."""

    summarizer: Summarizer
    originals: OriginalAccess
    masking: Masking
    tokenizer: Tokenizer
    offload: Offload
    now: Callable[[], datetime]

    async def fitted(self, call: FinishedCall, result: Message) -> Message:
        """Return what the caller gets of a CallToolResult."""
        try:
            result = await self.masking.masked(result, call.server)
        except MaskingFailed as problem:
            return self._withheld(call, problem)
        masked = await self._measured(call, result)
        result = masked.result
        call.record.result(result, masked.text, masked.tokens)
        if result.get("isError"):
            return await self._shortened_error(call, masked)
        if not call.rules.enabled or masked.tokens <= call.rules.most_passing_tokens:
            return result
        if call.server.observes:
            call.record.observed()
            return with_meta(result, {"would_summarize": not call.is_exact, **_sizes(call, masked)})
        short = await self._short_form(call, masked)
        if short.tokens is None:
            return await self._summarized(call, masked, short)
        return await self._compacted(call, masked, short)

    async def _measured(self, call: FinishedCall, result: Message) -> MaskedResult:
        given = result, self.tokenizer, call.server.may_rewrite
        if is_small(result):
            return measured(*given)
        return await self._in_worker(call, chars_of(result), measured, *given)

    async def masked_request(self, call: FinishedCall, result: Message) -> Message:
        """Return a result that asks the client for input, with its secrets masked."""
        try:
            masked = await self.masking.masked(
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
        call.record.result(result, said, self.tokenizer.count(said))
        return result

    async def _short_form(self, call: FinishedCall, masked: MaskedResult) -> ShortForm:
        texts, tokens = texts_of(masked.result), call.rules.size_threshold_tokens
        return await self._in_worker(
            call, len(masked.text), short_form, texts, tokens, self.tokenizer, call.is_exact, call.focus
        )

    async def _compacted(self, call: FinishedCall, masked: MaskedResult, short: ShortForm) -> Message:
        """Return a result that code has made short enough, below a note that says how and names the original."""
        kept = await result_notes.keep(self.originals, masked.text, call.context.owner)
        note = f"[{call.tool.name}: {masked.tokens:,} tokens, compacted to {short.tokens:,}: {short.done}; {kept.note}]\n\n"
        await self._note_handed_over(call, note + short.text, "compacted", kept.note)
        outcome = {"status": "compacted", "reason": short.done, "compacted_tokens": short.tokens}
        about = {**_sizes(call, masked), **kept.outcome}
        return with_meta(with_text(masked.result, note + short.text), {**outcome, **about})

    async def _summarized(self, call: FinishedCall, masked: MaskedResult, short: ShortForm) -> Message:
        """Return a result with a summary of a form of its texts in place of its texts, below a note that says so and names the original."""
        call.record.summarizing(masked.tokens)
        kept = await result_notes.keep(self.originals, masked.text, call.context.owner)
        note = result_notes.note_over(call.tool.name, masked.tokens, kept.note, short.read)
        target = result_notes.tokens_below(note, call.rules.summary_max_token_limit, self.tokenizer)
        query, about = await self._query(call)
        summary = await self._summarize(call, short.text, query, target)
        if summary.outcome.status == "unsummarized":
            text = await self._text_without_summary(call, masked, summary, kept.note)
        else:
            text = note + summary.text
        await self._note_handed_over(call, text, summary.outcome.status, kept.note, summary.outcome)
        result = with_text(masked.result, text)
        if summary.outcome.status == "unsummarized" and call.rules.on_failure == "error":
            result["isError"] = True
        about |= {**kept.outcome, "summarized_at": self.now().isoformat(timespec="milliseconds")}
        return with_meta(result, {**_outcome(summary.outcome, short), **_sizes(call, masked), **about})

    async def _query(self, call: FinishedCall) -> tuple[Query, Message]:
        """Return what is to be kept of a result, and what the outcome says about the call."""
        given = (call.context.meta, call.arguments, call.focus)
        known = await self._in_worker(call, chars_of(list(given)), read_call, *given)
        try:
            known = known._replace(material=await self.masking.masked(known.material, call.server))
        except MaskingFailed as problem:
            known = without_material(known, str(problem))
        tokens = conversation_tokens(self.summarizer.context_tokens)
        chars = chars_of(known.material)
        query = await self._in_worker(
            call, chars, query_of, known.material, call.tool.id, tokens, self.tokenizer
        )
        return query, {**known.ids, **({"ignored": list(known.ignored)} if known.ignored else {})}

    async def _summarize(self, call: FinishedCall, text: str, query: Query, target: int) -> Summary:
        context, rules = call.context, call.rules
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
            observe=call.record.model_call,
        )
        try:
            return await self.summarizer.summarize(request, context.progress)
        except OutOfTime as late:
            backend = self.summarizer.backend
            return Summary(text, Outcome("unsummarized", request.strategy, backend, reason=str(late)))

    async def _text_without_summary(
        self, call: FinishedCall, masked: MaskedResult, summary: Summary, kept: str
    ) -> str:
        """Return what the caller gets where the model gave nothing: the text, shortened if it is very long, or an error."""
        reason = summary.outcome.reason or "the model gave nothing"
        failed = f"{call.tool.name}: {masked.tokens:,} tokens, not summarized: {reason}"
        if call.rules.on_failure == "error":
            return f"{failed}; {kept}"
        if masked.tokens <= call.rules.raw_max_tokens:
            return f"[{failed}]\n\n{masked.text}"
        return f"[{failed}; beginning and end; {kept}]\n\n{await self._cut(call, masked.text)}"

    async def _shortened_error(self, call: FinishedCall, masked: MaskedResult) -> Message:
        """Return an error as it is; the beginning and the end of a very long one."""
        if masked.tokens <= call.rules.raw_max_tokens:
            return masked.result
        kept = await result_notes.keep(self.originals, masked.text, call.context.owner)
        note = f"[{call.tool.name}: an error of {masked.tokens:,} tokens; beginning and end; {kept.note}]\n\n"
        text = note + await self._cut(call, masked.text)
        await self._note_handed_over(call, text, "shortened", kept.note)
        return with_text(masked.result, text)

    async def _note_handed_over(
        self, call: FinishedCall, text: str, form: str, kept: str, outcome: Outcome | None = None
    ) -> None:
        tokens = await self._in_worker(call, len(text), self.tokenizer.count, text)
        call.record.handed_over(HandedOver(text, tokens, form, kept), outcome)

    async def _cut(self, call: FinishedCall, text: str) -> str:
        return await self._in_worker(
            call, len(text), head_and_tail, text, call.rules.raw_max_tokens, self.tokenizer
        )

    async def _in_worker(
        self, call: FinishedCall, chars: int, function: Callable[..., T], *arguments: Any
    ) -> T:
        return await self.offload.threads_for(call.context.owner, chars).run(function, *arguments)


# --- Results ---------------------------------------------------------------------------------------------------


def measured(result: Message, tokenizer: Tokenizer, may_rewrite: bool) -> MaskedResult:  # noqa: FBT001 - a worker takes no names
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


def _sizes(call: FinishedCall, masked: MaskedResult) -> Message:
    return {
        "server": call.tool.id.server,
        "tool": call.tool.id.tool,
        "original_tokens": masked.tokens,
        "threshold_tokens": call.rules.size_threshold_tokens,
    }
