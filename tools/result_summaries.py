"""Summaries of other tools' results, for a caller that has called the tool itself: `summarize_tool_result`.

A short result comes back as it is, a long one with a summary, made for the conversation that it was called in, in the shape that it
had. Masks nothing: that is done by whoever calls the tool, or by the gateway.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocol.context import Context
from summarizer import SummarizationFailed, Summarizer
from summarizing.job import STRATEGIES, Request
from summarizing.offload import Offload
from summarizing.outcome import Outcome
from summarizing.query import Query, ToolCall
from summarizing.text.tokenizer import Tokenizer
from tools.arguments import InvalidArguments, validated
from tools.call_results import OUTCOME_KEY, chars_of, outcome_fields
from tools.conversation import (
    MalformedConversation,
    SaidMessage,
    conversation_tokens,
    last_request,
    read_conversation,
    written,
)
from tools.definitions import DEFAULT_SUMMARY_TOKENS, DEFAULT_THRESHOLD_TOKENS, SUMMARIZE_TOOL_RESULT
from tools.original_pages import OriginalAccess
from tools.result_notes import note_within
from tools.result_shapes import ResultShape, shape_of


@dataclass(frozen=True, slots=True)
class ResultSummaries:
    """Makes results fit that others have got."""

    summarizer: Summarizer
    originals: OriginalAccess
    tokenizer: Tokenizer
    offload: Offload
    seconds: float
    """How long a call may take from its arrival; 0: no limit."""

    async def handle(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Return the result of a call. Raises InvalidArguments, SummarizationFailed and OutOfTime."""
        given = validated(arguments, SUMMARIZE_TOOL_RESULT)
        try:
            conversation = read_conversation(given.get("conversation"))
        except MalformedConversation as problem:
            raise InvalidArguments(f"conversation: {problem}") from None
        result, limit = given["result"], int(given.get("max_summary_tokens", DEFAULT_SUMMARY_TOKENS))
        threshold = max(limit, int(given.get("size_threshold_tokens", DEFAULT_THRESHOLD_TOKENS)))
        threads = self.offload.threads_for(context.owner, chars_of(result), context.deadline(self.seconds))
        shape = await threads.run(shape_of, result, limit, self.tokenizer)
        about = {
            "server": given["server_name"],
            "tool": given["tool_name"],
            "original_tokens": shape.tokens,
            "threshold_tokens": threshold,
            **{name: given[name] for name in ("session_id", "stage_execution_id") if given.get(name)},
        }
        if shape.tokens <= threshold or not shape.may_be_summarized:
            size = shape.tokens
            passed = Outcome("passthrough", STRATEGIES[0], self.summarizer.backend, size, size)
            return _result([shape.given], {**outcome_fields(passed), **about})
        query = await threads.run(self._query, given, conversation)
        return await self._summarized(shape, query, limit, about, context)

    def _query(self, given: Mapping[str, Any], conversation: list[SaidMessage]) -> Query:
        tokens = conversation_tokens(self.summarizer.context_tokens)
        said = written(conversation, tokens, self.tokenizer)
        server, tool, request = given["server_name"], given["tool_name"], last_request(conversation)
        size = self.tokenizer.count(said)
        return Query(tool_call=ToolCall(server, tool, conversation=said, last_request=request, tokens=size))

    async def _summarized(
        self, shape: ResultShape, query: Query, limit: int, about: Mapping[str, Any], context: Context
    ) -> dict[str, Any]:
        kept = await self.originals.keep_if_possible(shape.whole, context.owner)
        name = f"{about['server']}.{about['tool']}"
        note = note_within(limit, self.tokenizer, name, shape.tokens, kept, query=query)
        request = Request(
            shape.long,
            target=note.room,
            query=query,
            owner=context.owner,
            has_deadline=context.is_awaited,
            arrived=context.arrived,
            most_answer_tokens=limit,
        )
        try:
            summary = await self.summarizer.summarize(request, context.progress)
        except SummarizationFailed as problem:
            raise SummarizationFailed(f"{problem}; {kept.note}") from None
        outcome = {**outcome_fields(summary.outcome), **about, **kept.outcome}
        if summary.outcome.status == "passthrough":  # without the short members, the rest fits
            return _result([shape.given], outcome)
        if summary.outcome.status == "unsummarized":
            why = " ".join(f"Not summarized: {summary.outcome.reason}; {kept.note}".split())
            return _result([shape.given, why], outcome)
        done = {name: about[name] for name in ("original_tokens", "threshold_tokens")}
        return _result([shape.with_summary(note.over(summary), done)], outcome)


def _result(texts: list[str], outcome: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": text} for text in texts],
        "_meta": {OUTCOME_KEY: dict(outcome)},
    }
