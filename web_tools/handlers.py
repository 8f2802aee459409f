"""The web tools' handlers: arguments to a search or the reading of a page, and what that gives to a tool result.

The result is structured, and the same stands as JSON in its text. What a page cannot give is an error that the caller's model can act
on. Knows nothing of HTTP, of storing or of ranking; the tools' texts are in tool_definitions.py.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from protocol.context import Context
from protocol.messages import Message
from protocol.methods import TaskUse, ToolSource
from tools.arguments import InvalidArguments, validated
from tools.call_results import chars_of, error_result
from tools.definitions import MAX_QUERY_CHARS
from tools.schema_validator import check_schema
from tools.web_tool_names import DOTTED, UNDERSCORES, Names
from web_tools.pages import PageAnswer, ScoredPassage, WebError
from web_tools.request_slots import requests_of
from web_tools.search.provider import SafeSearch, SearchHit, SearchOptions, SearchProvider
from web_tools.search.web_search import QueryResult, search_all
from web_tools.suspicious_marks import MarksInJson, marks_in_fields, marks_in_json, marks_in_passages
from web_tools.text_work import TextWork
from web_tools.tool_definitions import DEFAULT_RESULTS, DEFAULT_SEARCH_RESULTS, web_tools

logger = logging.getLogger(__name__)

T = TypeVar("T")
M = TypeVar("M")

IN_PLACE = "the summary stands in place of passages: with maxResults, these come beside it"
UNMATCHED = "no passage matches a query without results: try other words, as the page may have them"

# Of a call that summarizes a page: the rest of its time is for the summary.
READING_SHARE_OF_TIME = 0.5


class PassageReader(Protocol):
    """Reads pages; implemented by web_tools/page_reading.py."""

    async def read(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool = False,
        max_results: int = 8,
        until: float | None = None,
    ) -> PageAnswer:
        """Return the passages of a page that answer each query, and what is there at the deadline `until`. Raises WebError."""
        ...


@dataclass(frozen=True)
class WebParts:
    """What the tools work with."""

    reader: PassageReader
    search: SearchProvider | None
    """None: no provider is set."""
    work: TextWork
    """Runs what takes the processor."""


class _SummaryCall(NamedTuple):
    """A call of a tool that summarizes, but for its content."""

    tool: str
    arguments: dict[str, Any]


class WebTools:
    """The tools, as a ToolSource."""

    def __init__(
        self,
        parts: WebParts,
        summarizing_tools: ToolSource,
        *,
        names: Names,
        safe_search: str,
        seconds: float,
    ) -> None:
        """`summarizing_tools` has `summarize` and `summarize_for_extraction`; `safe_search`: of calls that do not say.

        `seconds`: how long a call may take from its arrival, 0 for no limit.

        Raises Mismatch for a schema that could not be checked.
        """
        self._parts = parts
        self._summarizing_tools = summarizing_tools
        self._safe_search = safe_search
        self._seconds = seconds
        self._names = names
        self._search_tool, self._read_tool = web_tools(names)
        for tool in self.describe():
            check_schema(tool["inputSchema"], tool["name"])
        self._handlers: dict[str, Callable[[Mapping[str, Any], Context], Awaitable[Message]]] = {
            names.search: self._search,
            names.read: self._read,
        }

    @property
    def aliases(self) -> dict[str, str]:
        """The names that are not listed, each with the listed one."""
        others = UNDERSCORES if self._names == DOTTED else DOTTED
        return dict(zip(others, self._names, strict=True))

    def describe(self) -> list[Message]:
        """Return the definitions for `tools/list`."""
        return [self._search_tool, self._read_tool]

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether a call may run as a task: where a page is summarized."""
        return TaskUse.PREFERRED if isinstance(arguments.get("summarize"), dict) else TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return the CallToolResult of a tool that is listed; what becomes of other names, JoinedTools knows."""
        try:
            with requests_of(context.owner):
                return await self._handlers[name](arguments, context)
        except InvalidArguments as problem:
            _log_error(name, "bad_arguments", problem.expected)
            return error_result(str(problem))
        except WebError as problem:
            _log_error(name, "web_error", type(problem).__name__)
            return error_result(str(problem))

    async def _search(self, arguments: Mapping[str, Any], context: Context) -> Message:
        given = validated(arguments, self._search_tool)
        queries = _queries(given)
        if self._parts.search is None:
            raise WebError(
                "no search provider is set: whoever runs this service sets SEARCH_PROVIDER with its URL or key; a page whose address "
                f"you have can be read with {self._names.read}"
            )
        options = SearchOptions(
            count=int(given.get("resultsPerQuery", DEFAULT_SEARCH_RESULTS)),
            region=given.get("region", "").strip(),
            language=given.get("language", "").strip(),
            safe_search=SafeSearch(given.get("safeSearch", self._safe_search)),
        )
        found = await search_all(self._parts.search, queries, options, context.deadline(self._seconds))
        if all(each.answer is None for each in found):
            raise WebError("; ".join(dict.fromkeys(each.error for each in found)))
        return await self._result({"queries": [await self._searched(each) for each in found]})

    async def _read(self, arguments: Mapping[str, Any], context: Context) -> Message:
        given = validated(arguments, self._read_tool)
        queries = _queries(given)
        summary = _summary_call(given["summarize"], queries) if "summarize" in given else None
        answer = await self._parts.reader.read(
            given["url"],
            queries,
            force_refresh=given.get("forceRefresh", False),
            max_results=int(given.get("maxResults", DEFAULT_RESULTS)),
            until=context.deadline(self._seconds * (READING_SHARE_OF_TIME if summary else 1.0)),
        )
        if summary and answer.text:
            return await self._summarized(answer, summary, given, context)
        return await self._result(await self._answered(answer, given, with_passages=True))

    async def _searched(self, found: QueryResult) -> Message:
        """Return what the result says of a query, with marks of what looks like instructions to a model."""
        answer = found.answer
        if answer is None:
            return {"query": found.query, "result": None, "results": [], "error": found.error}
        texts = [{"title": hit.title, "snippet": hit.snippet} for hit in answer.hits]
        marks_of_hits = await self._work_on(texts, marks_in_fields)
        first, *further = answer.raw
        given = {"result": first, **({"furtherResults": further} if further else {})}
        found_in_json = await self._work_on(given, marks_in_json)
        notes = "; ".join(filter(None, (answer.note, _left_out(found_in_json))))
        return {
            "query": found.query,
            **given,
            "results": [_hit(*each) for each in zip(answer.hits, marks_of_hits, strict=True)],
            **({"suspicious": found_in_json.marks} if found_in_json.marks else {}),
            **({"note": notes} if notes else {}),
        }

    async def _work_on(self, value: T, function: Callable[[T], M]) -> M:
        """Return what a function makes of a JSON value, off the event loop."""
        return await self._parts.work(chars_of(value), function, value)

    async def _answered(
        self, answer: PageAnswer, given: Mapping[str, Any], *, with_passages: bool
    ) -> Message:
        """Return what the result says of a page; where there are no passages, each query has an empty list."""
        has_metadata = given.get("includeMetadata", False)
        page: Message = {
            "url": answer.url,
            "lastCrawled": timestamp(answer.last_crawled),
            "queries": [
                {
                    "query": each.query,
                    "results": await self._passages(
                        each.results if with_passages else (), with_tokens=has_metadata
                    ),
                }
                for each in answer.queries
            ],
        }
        if answer.title:
            page["title"] = answer.title
            (marks,) = await self._work_on([{"title": answer.title}], marks_in_fields)
            if marks:
                page["suspicious"] = marks
        if has_metadata:
            page["metadata"] = {"contentHash": answer.content_hash, "characters": len(answer.text)}
        is_unmatched = answer.text and not all(each.results for each in answer.queries)
        of_passages = IN_PLACE if not with_passages else UNMATCHED if is_unmatched else ""
        if note := "; ".join(filter(None, (answer.note, of_passages))):
            page["note"] = note
        return page

    async def _passages(self, results: Sequence[ScoredPassage], *, with_tokens: bool) -> list[Message]:
        """Return what the result says of passages, with marks of what looks like instructions to a model."""
        passages = [found.passage for found in results]
        chars = sum(len(passage.text) for passage in passages)
        marked = await self._parts.work(chars, marks_in_passages, passages)
        return [
            _passage(found, marks, with_tokens=with_tokens)
            for found, marks in zip(results, marked, strict=True)
        ]

    async def _summarized(
        self, answer: PageAnswer, call: _SummaryCall, given: Mapping[str, Any], context: Context
    ) -> Message:
        """Have the page's text summarized by the tools for that: with their outcome, and with what else they say in blocks of text."""
        arguments = {**call.arguments, "content": answer.text}
        result = await self._summarizing_tools.call(call.tool, arguments, context)
        if result.get("isError"):
            return result
        summary, *remarks = result["content"]
        page = await self._answered(answer, given, with_passages="maxResults" in given)
        with_summary = await self._result({**page, "summary": summary["text"]})
        content = [*with_summary["content"], *remarks]
        return {**with_summary, "content": content, "_meta": result["_meta"]}

    async def _result(self, structured: Message) -> Message:
        # MCP 2025-06-18, "Structured Content": the tool "SHOULD also return the serialized JSON in a TextContent block".
        # The last that a call needs: it goes before other work.
        text = await self._parts.work(0, _as_json, structured)
        return {"content": [{"type": "text", "text": text}], "structuredContent": structured}


def _summary_call(wanted: Mapping[str, Any], queries: Sequence[str]) -> _SummaryCall:
    """Return the call that gives the summary that is wanted of a page. Raises InvalidArguments."""
    blank = {name for name in ("focus_areas", "schema_hint") if not wanted.get(name, "").strip()}
    arguments = {name: value for name, value in wanted.items() if name not in blank}
    if not blank:
        raise InvalidArguments(
            "summarize: expected focus_areas or schema_hint, got both; leave one of them out"
        )
    if "schema_hint" not in blank:
        return _SummaryCall("summarize_for_extraction", arguments)
    return _SummaryCall("summarize", {"focus_areas": ", ".join(queries)[:MAX_QUERY_CHARS], **arguments})


def _queries(given: Mapping[str, Any]) -> list[str]:
    """Return the queries of a call. Raises InvalidArguments."""
    queries = [given["query"]] if isinstance(given["query"], str) else given["query"]
    if not all(query.strip() for query in queries):
        raise InvalidArguments("query: expected what to look for, got only white space")
    return queries


def _hit(hit: SearchHit, marks: list[Message]) -> Message:
    shown: Message = {"title": hit.title, "url": hit.url, "snippet": hit.snippet}
    return {**shown, "suspicious": marks} if marks else shown


def _left_out(found: MarksInJson) -> str:
    if not found.left_out:
        return ""
    return f"passages that look like instructions to a model, not listed since their JSON Pointers are too long: {found.left_out}"


def _passage(found: ScoredPassage, marks: list[Message], *, with_tokens: bool) -> Message:
    passage = found.passage
    shown: Message = {"id": passage.id, "text": passage.text, "score": round(found.score, 4)}
    if passage.section_path:
        shown["sectionPath"] = list(passage.section_path)
    if with_tokens:
        shown["tokens"] = passage.tokens
    if marks:
        shown["suspicious"] = marks
    return shown


def _as_json(value: Message) -> str:
    return json.dumps(value, ensure_ascii=False)


def timestamp(moment: datetime) -> str:
    """Return a moment in UTC as ISO 8601 writes it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _log_error(tool: str, kind: str, error: str) -> None:
    logger.info("tool_error", extra={"tool": tool, "kind": kind, "error": error})
