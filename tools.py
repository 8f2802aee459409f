"""The tools we offer: the check of their arguments, what they do, and outcome to result. Their texts stand in definitions.py.

Knows nothing of HTTP or of JSON-RPC envelopes. Arguments that do not fit give a result with `isError` and a text that
the caller's model can act on; only an unknown tool is an error of the protocol.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from definitions import (
    DEFAULT_RESULTS,
    MAX_BRIEF_CHARS,
    MIN_TARGET_TOKENS,
    READ_ORIGINAL,
    SEARCH_ORIGINAL,
    SUMMARIZE,
    SUMMARIZE_FOR_EXTRACTION,
    SUMMARIZE_ORIGINAL,
    TOOLS,
)
from job import Outcome, Summary, Task
from mcp_context import Context
from mcp_messages import Lasting
from mcp_methods import TaskUse, Unknown
from originals import NoOriginal, NotKept
from prompting import Brief
from recalling import Page, Recall
from schema import Mismatch, check, check_schema, shown
from searching import Found, Place
from summarizer import STRATEGIES, SummarizationFailed, Summarizer

OUTCOME_KEY = "mcp-summarizer/outcome"
ORIGINAL_KEY = "mcp-summarizer/original"


class BadArguments(Exception):
    """The arguments do not fit: the message names the argument, what was expected and what was given."""


Handler = Callable[[Mapping[str, Any], Context], Awaitable[dict[str, Any]]]


class Tools:
    """The tools, over one summarizer and what is kept of its originals."""

    def __init__(self, summarizer: Summarizer, recall: Recall, task_content_chars: int) -> None:
        """Content of so many characters or more is work expected to be long, which may go on as a task.

        Raises Mismatch for a tool whose schema says what could not be checked: such a one must not be offered.
        """
        self._described = [Lasting(tool) for tool in TOOLS]
        for tool in self.describe():
            check_schema(tool["inputSchema"], tool["name"])
        self._summarizer = summarizer
        self._recall = recall
        self._task_content_chars = task_content_chars
        self._handlers: dict[str, Handler] = {
            "summarize": partial(self._summarize, _read_summarize),
            "summarize_for_extraction": partial(self._summarize, _read_extraction),
            "read_original": self._read_original,
            "search_original": self._search_original,
            "summarize_original": self._summarize_original,
        }

    def describe(self) -> list[dict[str, Any]]:
        """Return the definitions that `tools/list` shows, always in the same order."""
        return [*self._described]

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether a call may go on as a task: where its content is long, and an original is kept because it is."""
        content = arguments.get("content")
        long = isinstance(content, str) and len(content) >= self._task_content_chars
        is_long = (long and name in ("summarize", "summarize_for_extraction")) or name == "summarize_original"
        return TaskUse.PREFERRED if is_long else TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Return a CallToolResult; the context hears of each finished part. Raises Unknown."""
        handler = self._handlers.get(name)
        if handler is None:
            raise Unknown(f"Unknown tool: {name[:100]}; known are {', '.join(self._handlers)}")
        try:
            return await handler(arguments, context)
        except (BadArguments, SummarizationFailed, NoOriginal) as problem:
            return {"content": [_text(str(problem))], "isError": True}

    async def _summarize(
        self, read: Callable[[Mapping[str, Any]], Task], arguments: Mapping[str, Any], context: Context
    ) -> dict[str, Any]:
        task = replace(read(arguments), **_caller(context))
        keeps = bool(arguments.get("keep_original") and task.content)
        try:
            result = result_of(await self._summarizer.summarize(task, context.progress))
        except SummarizationFailed as problem:
            if not keeps:
                raise
            result = {"content": [_text(str(problem))], "isError": True}
        return await self._with_original(result, task.content, context.owner) if keeps else result

    async def _with_original(self, result: dict[str, Any], content: str, owner: str) -> dict[str, Any]:
        """Keep the content, and say so where models see it: most clients do not show them the outcome."""
        outcome = result.get("_meta", {}).get(OUTCOME_KEY, {})
        try:
            result_id = await self._recall.keep(content, owner)
        except NotKept as problem:
            why = f"the original was not kept: {problem}"
            outcome["reason"] = "; ".join(filter(None, (outcome.get("reason"), why)))
            said = f"Original not kept: {problem}"
        else:
            outcome["result_id"] = result_id
            said = (
                f'Original kept: result_id="{result_id}" (read_original, search_original, summarize_original)'
            )
        result["content"].append(_text(said))
        return result

    async def _read_original(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        given = _checked(arguments, READ_ORIGINAL)
        offset, max_tokens = int(given.get("offset", 0)), _size(given, "max_tokens")
        content = await self._recall.text(given["result_id"], context.owner)
        if offset > len(content):
            raise BadArguments(
                f"offset: expected at most {len(content)}, the number of characters of this original, got {shown(offset)}"
            )
        return _page_result(await self._recall.page(content, offset, max_tokens))

    async def _search_original(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        given = _checked(arguments, SEARCH_ORIGINAL)
        if not given["query"].strip():
            raise BadArguments("query: expected the words to look for, got only white space")
        content = await self._recall.text(given["result_id"], context.owner)
        limit = int(given.get("max_results", DEFAULT_RESULTS))
        return _search_result(content, await self._recall.search(content, given["query"], limit))

    async def _summarize_original(self, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        given = _checked(arguments, SUMMARIZE_ORIGINAL)
        hint, areas = given.get("schema_hint", "").strip(), _areas(given)
        if hint and areas:
            raise BadArguments(
                "focus_areas and schema_hint: expected one of them, got both; schema_hint returns only the facts that match, "
                "focus_areas a summary that gives most room to them"
            )
        brief = Brief(focus_areas=areas, schema_hint=hint)
        target, strategy = _size(given, "max_output_tokens"), given.get("strategy", STRATEGIES[0])
        content = await self._recall.text(given["result_id"], context.owner)
        task = Task(content, target, brief, strategy, **_caller(context))
        summary = await self._summarizer.summarize(task, context.progress)
        return result_of(Summary(summary.text, replace(summary.outcome, result_id=given["result_id"])))


# --- Results ---------------------------------------------------------------------------------------------------


def result_of(summary: Summary) -> dict[str, Any]:
    """Return the result that carries a summary: its text alone, and the outcome beside it."""
    return {"content": [_text(summary.text)], "_meta": {OUTCOME_KEY: outcome_fields(summary.outcome)}}


def outcome_fields(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON; what is not known is left out."""
    return {name: value for name, value in outcome.members().items() if value is not None}


def _page_result(page: Page) -> dict[str, Any]:
    """Return the text of a page alone, and its place behind it."""
    place = {"offset": page.start, "total_chars": page.total}
    said = f"characters {page.start}-{page.end} of {page.total}"
    if page.end < page.total:
        place["next_offset"] = page.end
        said += f"; next offset {page.end}"
    else:
        said += "; this is the end"
    return {"content": [_text(page.text), _text(said)], "_meta": {ORIGINAL_KEY: place}}


def _search_result(content: str, found: Found) -> dict[str, Any]:
    """Return each passage in a block of its own under a line that says its place, and a line about all of them."""
    blocks = [_text(f"{_place_line(place)}\n{content[place.start : place.end]}") for place in found.places]
    count = len(found.places)
    said = f"{count} place{'s' * (count != 1)} found in {len(content)} characters; read_original with an offset shows what is around one"
    if not found.places:
        said = f"nothing found in {len(content)} characters; try other words, as the text may have them"
    elif found.missing:
        said += f". Nowhere in the text: {', '.join(found.missing)}"
    places = [
        {"offset": place.start, "end": place.end, "headings": list(place.headings)} for place in found.places
    ]
    meta = {"total_chars": len(content), "places": places}
    return {"content": [*blocks, _text(said)], "_meta": {ORIGINAL_KEY: meta}}


def _place_line(place: Place) -> str:
    under = f", under {' > '.join(place.headings)}" if place.headings else ""
    return f"characters {place.start}-{place.end}{under}:"


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


# --- Arguments -------------------------------------------------------------------------------------------------


def _read_summarize(arguments: Mapping[str, Any]) -> Task:
    given = _checked(arguments, SUMMARIZE)
    return _task(given, Brief(focus_areas=_areas(given)))


def _areas(given: dict[str, Any]) -> str:
    """Return the focus areas in the one form that goes into prompts."""
    areas = given.get("focus_areas", "")
    if isinstance(areas, list):
        areas = ", ".join(area.strip() for area in areas if area.strip())
    if len(areas) > MAX_BRIEF_CHARS:
        raise BadArguments(
            f"focus_areas: expected at most {MAX_BRIEF_CHARS} characters in all, got {len(areas)}; "
            "name only what matters"
        )
    stripped: str = areas.strip()
    return stripped


def _read_extraction(arguments: Mapping[str, Any]) -> Task:
    given = _checked(arguments, SUMMARIZE_FOR_EXTRACTION)
    hint = given["schema_hint"].strip()
    if not hint:
        raise BadArguments(
            "schema_hint: expected the facts you need in plain words, "
            'such as "people and their roles", got only white space'
        )
    return _task(given, Brief(schema_hint=hint))


def _checked(arguments: Mapping[str, Any], tool: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that fit the tool's own schema.

    Null for one that need not be there counts as absent: some clients write every optional member.
    """
    schema = tool["inputSchema"]
    optional = schema["properties"].keys() - schema["required"]
    given = {name: value for name, value in arguments.items() if value is not None or name not in optional}
    try:
        check(schema, given)
    except Mismatch as problem:
        raise BadArguments(str(problem)) from problem
    return given


def _caller(context: Context) -> dict[str, Any]:
    """Return what a task knows of whoever waits for it."""
    return {"owner": context.owner, "has_deadline": context.is_awaited, "arrived": context.arrived}


def _task(given: dict[str, Any], brief: Brief) -> Task:
    target, strategy = _size(given, "max_output_tokens"), given.get("strategy", STRATEGIES[0])
    return Task(content=given["content"], target=target, brief=brief, strategy=strategy)


def _size(given: dict[str, Any], name: str) -> int:
    """Return a size in tokens; 0 is the default."""
    size = int(given.get(name, 0))  # it may be written 800.0
    # Not in the schema, where it would take an anyOf that models misread.
    if 0 < size < MIN_TARGET_TOKENS:
        raise BadArguments(
            f"{name}: expected 0 (the default) or a whole number of at least {MIN_TARGET_TOKENS}, "
            f"got {shown(given[name])}"
        )
    return size
