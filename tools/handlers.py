"""The tools' handlers: arguments to a summarizer's request, its outcome to a tool result.

Knows nothing of HTTP or of JSON-RPC envelopes; the tools' texts are in tools/definitions.py. Invalid arguments give a result
with `isError` and a text that the caller's model can act on; only an unknown tool, and no time left, are protocol errors.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from protocol.context import Context
from protocol.messages import RETRY_AFTER_SECONDS, PreEncodedList, TooBusy
from protocol.methods import TaskUse, Unknown
from storage.originals import NotStored, OriginalUnavailable
from summarizer import SummarizationFailed, Summarizer, TooLargeToTrace
from summarizing.job import STRATEGIES, MainContent, Request
from summarizing.offload import OutOfTime
from summarizing.outcome import MOST_WORDS, Outcome, Summary, first_of, read_of_text, shortened
from summarizing.query import Query
from tools.arguments import InvalidArguments, validated
from tools.call_results import OUTCOME_KEY, chars_of, outcome_fields
from tools.definitions import (
    DEFAULT_RESULTS,
    EXPECTED_HINT,
    READ_ORIGINAL,
    SEARCH_ORIGINAL,
    SUMMARIZE,
    SUMMARIZE_FOR_EXTRACTION,
    SUMMARIZE_ORIGINAL,
    SUMMARIZE_TOOL_RESULT,
    TOOLS,
)
from tools.original_pages import OriginalAccess, OriginalPage
from tools.original_search import FoundPassage, SearchResult
from tools.result_notes import words_to_name
from tools.result_summaries import ResultSummaries
from tools.schema_validator import abbreviated, check_schema
from tools.similar_names import did_you_mean
from tools.web_tool_names import DOTTED, UNDERSCORES

# In the `_meta` of a request: true, to learn where the summary comes from; in that of its result: where.
PROVENANCE_KEY = "mcp-summarizer/provenance"
ORIGINAL_KEY = "mcp-summarizer/original"

NOTHING_MATCHED = "Nothing matched: {read} has none of the words that were asked for"
LITTLE_MATCHED = "Too little matched: of what was asked for {read} has only {words}"
IF_UNMATCHED = "so what is above may be about something else; other words may match"

# Logs and metrics use this name for an unknown tool: the caller's own name for it is not logged.
UNKNOWN_TOOL = "unknown"

# Where they are on, they are called before these tools are.
WEB_TOOLS = {*UNDERSCORES, *DOTTED}
SWITCHED_OFF = (
    "the web tools are switched off here; whoever runs this service switches them on with WEB_ENABLED=true"
)

logger = logging.getLogger(__name__)


Handler = Callable[[Mapping[str, Any], Context], Awaitable[dict[str, Any]]]


class SummarizerTools:
    """The tools, over one summarizer and the store of originals."""

    def __init__(
        self,
        summarizer: Summarizer,
        originals: OriginalAccess,
        results: ResultSummaries,
        task_content_chars: int,
        main_content: MainContent | None = None,
    ) -> None:
        """A call with at least `task_content_chars` characters of content is expected to be long, and may run as a task.

        Raises Mismatch for a tool whose schema has a keyword that could not be checked: such a tool must not be offered.
        """
        self._described = PreEncodedList(TOOLS)
        for tool in self.describe():
            check_schema(tool["inputSchema"], tool["name"])
        self._summarizer = summarizer
        self._originals = originals
        self._task_content_chars = task_content_chars
        self._main_content = main_content
        self._handlers: dict[str, Handler] = {
            "summarize": partial(self._summarize, SUMMARIZE),
            "summarize_for_extraction": partial(self._summarize, SUMMARIZE_FOR_EXTRACTION),
            "read_original": self._read_original,
            "search_original": self._search_original,
            "summarize_original": self._summarize_original,
            SUMMARIZE_TOOL_RESULT["name"]: results.handle,
        }

    def describe(self) -> list[dict[str, Any]]:
        """Return the definitions for `tools/list`, always in the same order."""
        return self._described

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether a call may run as a task: if its content is long, or an original, which was kept for being long."""
        holder = {
            "summarize": "content",
            "summarize_for_extraction": "content",
            SUMMARIZE_TOOL_RESULT["name"]: "result",
        }
        content = arguments.get(holder.get(name, ""), "")
        chars = chars_of(content, self._task_content_chars)
        is_long = (name in holder and chars >= self._task_content_chars) or name == "summarize_original"
        return TaskUse.PREFERRED if is_long else TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Return a CallToolResult; report progress to the context. Raises Unknown, and TooBusy."""
        handler = self._handlers.get(name)
        if handler is None:
            _log_error(UNKNOWN_TOOL, "unknown_tool")
            known = f"known are {', '.join(self._handlers)}{did_you_mean(name, self._handlers)}"
            raise Unknown(f"Unknown tool: {name[:100]}; {SWITCHED_OFF if name in WEB_TOOLS else known}")
        try:
            return await handler(arguments, context)
        except (InvalidArguments, SummarizationFailed, OriginalUnavailable) as problem:
            return _error_result(name, problem)
        except OutOfTime:
            _log_error(name, "too_busy")
            raise TooBusy(
                f"{name}: the service has too much to do, and the time for this call was over before anything was finished "
                f"(SUMMARIZE_DEADLINE_SECONDS); call again in {RETRY_AFTER_SECONDS} s"
            ) from None

    async def _summarize(
        self, tool: Mapping[str, Any], arguments: Mapping[str, Any], context: Context
    ) -> dict[str, Any]:
        """Handle `summarize` and `summarize_for_extraction`. Raises InvalidArguments, and OutOfTime."""
        given = validated(arguments, tool)
        request = _request(given, context, self._main_content)
        try:
            summary = await self._summarizer.summarize(request, context.progress)
        except SummarizationFailed as problem:
            result = _error_result(tool["name"], problem)
        else:
            result = await self._with_provenance(result_of(summary), request, summary, context)
        keeps = given.get("keep_original") and request.content
        return await self._with_original(result, request.content, context.owner) if keeps else result

    async def _with_provenance(
        self, result: dict[str, Any], request: Request, summary: Summary, context: Context
    ) -> dict[str, Any]:
        """Say where the summary comes from, if the caller asked for it. A summary that is there is not lost for want of that."""
        if context.meta.get(PROVENANCE_KEY) is not True:
            return result
        try:
            provenance = (await self._summarizer.trace(request, summary.text)).members()
        except TooLargeToTrace as problem:
            provenance = {"error": str(problem)}
        except OutOfTime:
            provenance = {"error": "there was no time to find where the summary comes from"}
        result["_meta"][PROVENANCE_KEY] = provenance
        return result

    async def _with_original(self, result: dict[str, Any], content: str, owner: str) -> dict[str, Any]:
        """Store the content, and say so in a text block: most clients do not show their model the outcome."""
        outcome = result.get("_meta", {}).get(OUTCOME_KEY, {})
        try:
            result_id = await self._originals.keep(content, owner)
        except NotStored as problem:
            why = f"the original was not kept: {problem}"
            outcome["reason"] = "; ".join(filter(None, (outcome.get("reason"), why)))
            note = f"Original not kept: {problem}"
        else:
            outcome["result_id"] = result_id
            note = (
                f'Original kept: result_id="{result_id}" (read_original, search_original, summarize_original)'
            )
        result["content"].append(_text(note))
        return result

    async def _read_original(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        given = validated(arguments, READ_ORIGINAL)
        offset, max_tokens = int(given.get("offset", 0)), int(given.get("max_tokens", 0))
        content = await self._originals.text(given["result_id"], context.owner)
        if offset > len(content):
            raise InvalidArguments(
                f"offset: expected at most {len(content)}, the number of characters of this original, got {abbreviated(offset)}"
            )
        return _page_result(await self._originals.page(content, offset, max_tokens, context))

    async def _search_original(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        given = validated(arguments, SEARCH_ORIGINAL)
        if not given["query"].strip():
            raise InvalidArguments("query: expected the words to look for, got only white space")
        content = await self._originals.text(given["result_id"], context.owner)
        limit = int(given.get("max_results", DEFAULT_RESULTS))
        found = await self._originals.search(content, given["query"], limit, context)
        return _search_result(content, found)

    async def _summarize_original(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        given = validated(arguments, SUMMARIZE_ORIGINAL)
        hint, areas = given.get("schema_hint", "").strip(), given.get("focus_areas", "").strip()
        if hint and areas:
            raise InvalidArguments(
                "focus_areas and schema_hint: expected one of them, got both; schema_hint returns only the facts that match, "
                "focus_areas a summary that gives most room to them"
            )
        query = Query(focus_areas=areas, schema_hint=hint)
        wanted = _size_and_strategy(given)
        content = await self._originals.text(given["result_id"], context.owner)
        request = Request(content, query=query, **wanted, **_caller_fields(context))
        summary = await self._summarizer.summarize(request, context.progress)
        result = result_of(Summary(summary.text, summary.outcome._replace(result_id=given["result_id"])))
        return await self._with_provenance(result, request, summary, context)


# --- Results ---------------------------------------------------------------------------------------------------


def result_of(summary: Summary) -> dict[str, Any]:
    """Return the tool result of a summary: its text alone, and the outcome in `_meta`.

    If the text came back unsummarized, nothing or too little in it matched, or it has no word or not a name that was asked for, a second block says
    so, since most clients do not show `_meta` to their model.
    """
    outcome = outcome_fields(summary.outcome)
    blocks = [_text(summary.text)]
    if summary.outcome.status == "unsummarized":
        blocks.append(_text(" ".join(f"Not summarized: {summary.outcome.reason}".split())))
    elif summary.outcome.matched == "none":
        blocks.append(_text(f"{_unmatched(summary.outcome)}, {IF_UNMATCHED}"))
    elif words := words_to_name(summary.outcome):
        blocks.append(_text(f"Nowhere in the text: {', '.join(words)}"))
    return {"content": blocks, "_meta": {OUTCOME_KEY: outcome}}


def _unmatched(outcome: Outcome) -> str:
    read = read_of_text(in_part=bool(outcome.read_in_part))
    if not outcome.found_words:
        return NOTHING_MATCHED.format(read=read)
    return LITTLE_MATCHED.format(read=read, words=first_of(outcome.found_words, MOST_WORDS))


def _page_result(page: OriginalPage) -> dict[str, Any]:
    """Return a page under a line with its offsets, in one block: some clients keep only the first block.

    The line comes first and is ASCII, so that `text_start` is the same index in every language's string units.
    """
    is_last = page.end == page.total
    continuation = "this is the end" if is_last else f"next offset {page.end}"
    line = f"[characters {page.start}-{page.end} of {page.total}; {continuation}]\n"
    meta = {"offset": page.start, "total_chars": page.total, "text_start": len(line)}
    if not is_last:
        meta["next_offset"] = page.end
    return {"content": [_text(line + page.text)], "_meta": {ORIGINAL_KEY: meta}}


def _search_result(content: str, found: SearchResult) -> dict[str, Any]:
    """Return the matches of a search in one block: a line about the whole, then each match under a line with its offsets."""
    text = _summary_line(found, len(content))
    places = []
    for match in found.matches:
        text += f"\n\n{_match_line(match)}\n"
        places.append(
            {
                "offset": match.start,
                "end": match.end,
                "headings": list(match.headings),
                "text_start": len(text),
            }
        )
        text += content[match.start : match.end]
    meta = {"total_chars": len(content), "places": places}
    return {"content": [_text(text)], "_meta": {ORIGINAL_KEY: meta}}


def _summary_line(found: SearchResult, total_chars: int) -> str:
    masked = _masked_note(found.masked)
    if not found.matches:
        return (
            f"nothing found in {total_chars} characters; try other words, as the text may have them{masked}"
        )
    count = len(found.matches)
    words = first_of(shortened(found.missing), MOST_WORDS)
    missing = f". Nowhere in the text: {words}" if words else ""
    return (
        f"{count} place{'s' * (count != 1)} found in {total_chars} characters; "
        f"read_original with an offset shows what is around one{missing}{masked}"
    )


def _masked_note(masked: int) -> str:
    if not masked:
        return ""
    what = "1 text in it is" if masked == 1 else f"{masked} texts in it are"
    return f". {what} masked ([masked ...]) and cannot be found by what stood there"


def _match_line(match: FoundPassage) -> str:
    under = f", under {' > '.join(match.headings)}" if match.headings else ""
    return f"[characters {match.start}-{match.end}{under}]"


def _error_result(
    tool: str, problem: InvalidArguments | SummarizationFailed | OriginalUnavailable
) -> dict[str, Any]:
    """Return an error as a result for the caller's model, and log it without any text from the caller."""
    match problem:
        case InvalidArguments():
            _log_error(tool, "bad_arguments", problem.expected)
        case OriginalUnavailable():
            _log_error(tool, "no_original", problem.why)
        case SummarizationFailed():
            _log_error(tool, "not_summarized", "the model gave nothing")
    return {"content": [_text(str(problem))], "isError": True}


def _log_error(tool: str, kind: str, error: str = "") -> None:
    logger.info("tool_error", extra={"tool": tool, "kind": kind, **({"error": error} if error else {})})


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


# --- Arguments -------------------------------------------------------------------------------------------------


def _request(given: Mapping[str, Any], context: Context, main_content: MainContent | None) -> Request:
    """Return the request of a call of `summarize` or `summarize_for_extraction`. Raises InvalidArguments."""
    return Request(
        given["content"],
        query=Query(focus_areas=given.get("focus_areas", "").strip(), schema_hint=_schema_hint(given)),
        main_content=main_content,
        **_size_and_strategy(given),
        **_caller_fields(context),
    )


def _schema_hint(given: Mapping[str, Any]) -> str:
    hint: str = given.get("schema_hint", "").strip()
    if not hint and "schema_hint" in given:
        raise InvalidArguments(f"schema_hint: expected {EXPECTED_HINT}, got only white space")
    return hint


def _size_and_strategy(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "target": int(given.get("max_output_tokens", 0)),
        "strategy": given.get("strategy", STRATEGIES[0]),
    }


def _caller_fields(context: Context) -> dict[str, Any]:
    """Return a request's fields about its caller."""
    return {"owner": context.owner, "has_deadline": context.is_awaited, "arrived": context.arrived}
