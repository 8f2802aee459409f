"""The tools we offer: what an agent's model reads about them, the check of its arguments, and outcome to result.

Knows nothing of HTTP or of JSON-RPC envelopes. Arguments that do not fit give a result with `isError` and a text that
the caller's model can act on; only an unknown tool is an error of the protocol.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from job import Outcome, Summary, Task
from mcp_context import Context
from mcp_methods import TaskUse, Unknown
from originals import NoOriginal, NotKept
from prompting import Brief
from recalling import Page, Recall
from schema import Mismatch, check, check_schema, shown
from searching import Found, Place
from summarizer import STRATEGIES, SummarizationFailed, Summarizer

OUTCOME_KEY = "mcp-summarizer/outcome"
ORIGINAL_KEY = "mcp-summarizer/original"

# Under this not even one sentence fits, so no promise about a summary could be kept.
MIN_TARGET_TOKENS = 16

# About a page: a brief goes into every prompt, and one the size of a chunk would leave no room for the chunk.
MAX_BRIEF_CHARS = 4_000
# So many, of two letters each, fill it.
MAX_FOCUS_AREAS = 1_000

# Ours have 22 characters; a longer one is no id.
MAX_ID_CHARS = 64

# A sentence; passages for more are found no better.
MAX_QUERY_CHARS = 1_000

# Ten pages' worth of passages: whoever wants more reads the original.
MAX_RESULTS = 50
DEFAULT_RESULTS = 5

INSTRUCTIONS = (
    "Shortens large text to a size you choose, so that it fits your context. Pass the whole text: cutting it into pieces "
    "and putting the results together is done here. Use summarize_for_extraction when you know which facts you need, "
    "summarize when you need the gist. Text that already fits comes back unchanged, so calling in doubt costs nothing. "
    "With keep_original=true you can go back to the full text by its result_id: read_original, search_original, "
    "summarize_original."
)

_CONTENT = {
    "type": "string",
    "description": "The whole text to shorten, of any size and format (Markdown, plain text, code, logs, JSON). "
    "Pass it complete and unchanged; do not cut or pre-summarize it.",
}
_MAX_OUTPUT_TOKENS = {
    "type": "integer",
    "minimum": 0,
    "default": 0,
    "description": "Upper limit for the answer's size in tokens (cl100k_base), at least 16; the answer is never longer. "
    "0 or absent: the service's default, usually 5000. As a rule of thumb, a tenth to a fifth of the content.",
}
_STRATEGY = {
    "type": "string",
    "default": "semantic",
    "description": 'How the text is cut into pieces: "semantic" (default) follows headings, paragraphs, code blocks and '
    'tables; "token" cuts at fixed sizes with overlap, for text without any structure.',
}
_FOCUS_AREAS = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_BRIEF_CHARS},
        {"type": "array", "items": {"type": "string"}, "maxItems": MAX_FOCUS_AREAS},
    ],
    "default": "",
    "description": "Topics to give most room to, comma-separated or as a list, for example "
    '"NPCs, factions, lore events". Empty: everything alike.',
}
_SCHEMA_HINT = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_BRIEF_CHARS,
    "description": "The facts you need, in plain words: the fields or categories of the schema you will fill, for example "
    '"zone metadata, NPCs with faction allegiances, faction hierarchy, lore events with dates".',
}
_KEEP_ORIGINAL = {
    "type": "boolean",
    "default": False,
    "description": "true: keep the full text for a while, so that you can read, search or summarize it again without sending it "
    "again. A second text block of the result then names the result_id.",
}
_RESULT_ID = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_ID_CHARS,
    "description": "The result_id that a call with keep_original=true has returned.",
}
# Nothing of anybody's is changed (a copy that is kept is seen by its caller alone, and goes by itself), the same call gives
# the same kind of answer, and only the text given is looked at.
_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}

SUMMARIZE: dict[str, Any] = {
    "name": "summarize",
    "title": "Summarize a large text",
    "description": "Shortens a text to at most max_output_tokens and keeps what is specific: names, numbers, dates, ids, "
    "relations, decisions. Use it when a text you have fetched or been given (web pages, documents, logs, command output, "
    "transcripts) is too large to keep in context, roughly over 5,000 characters, and you need the gist. "
    "Do not use it for text that must stay exact (code you will edit, data you will parse, quotations), for text that is "
    "already short, or when you know which facts you are after: then summarize_for_extraction keeps more of them. "
    "Returns the summary and nothing else; text that already fits comes back unchanged.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "content": _CONTENT,
            "max_output_tokens": _MAX_OUTPUT_TOKENS,
            "focus_areas": _FOCUS_AREAS,
            "strategy": _STRATEGY,
            "keep_original": _KEEP_ORIGINAL,
        },
        "required": ["content"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Summarize a large text", **_ANNOTATIONS},
}

SUMMARIZE_FOR_EXTRACTION: dict[str, Any] = {
    "name": "summarize_for_extraction",
    "title": "Reduce a large text to the facts you need",
    "description": "Reduces a text to the facts that match schema_hint (names, relations, numbers, dates, ids), in at most "
    "max_output_tokens, and discards the rest: menus, cookie notices, advertisements, repetition, other topics. Use it on "
    "crawled pages and other large texts, roughly over 5,000 characters, when you are going to fill fields, answer "
    "specific questions or collect entities from them. Do not use it for a general overview (use summarize), for text "
    "that must stay exact, or for text that is already short. Returns the facts and nothing else; text that already fits "
    "comes back unchanged.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "content": _CONTENT,
            "schema_hint": _SCHEMA_HINT,
            "max_output_tokens": _MAX_OUTPUT_TOKENS,
            "strategy": _STRATEGY,
            "keep_original": _KEEP_ORIGINAL,
        },
        "required": ["content", "schema_hint"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Reduce a large text to the facts you need", **_ANNOTATIONS},
}


READ_ORIGINAL: dict[str, Any] = {
    "name": "read_original",
    "title": "Read a kept original",
    "description": "Returns the exact text of an original that was kept with keep_original=true, from character offset on, at most "
    "max_tokens of it. Use it when a summary is not enough: to quote, to check a number, to see what stands around a passage that "
    "search_original found. Do not use it for a text that you have in full already, or to find something in a long one: "
    "search_original is quicker. The first text block is the text and nothing else; the second says the place and the next "
    "offset, which reads on.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "result_id": _RESULT_ID,
            "offset": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "The character to begin at; 0 is the first. Offsets come from this tool and from search_original.",
            },
            "max_tokens": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "Upper limit for the text's size in tokens (cl100k_base), at least 16. "
                "0 or absent: the service's default, usually 5000.",
            },
        },
        "required": ["result_id"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Read a kept original", **_ANNOTATIONS},
}

SEARCH_ORIGINAL: dict[str, Any] = {
    "name": "search_original",
    "title": "Search a kept original",
    "description": "Finds passages in an original that was kept with keep_original=true and returns them word for word, the best "
    "first, each with its offset and the headings above it. Use it to look up a name, an id, an error or a fact that a summary "
    "left out or only mentions. Do not use it for an overview (use summarize_original) or to read on from a place "
    "(use read_original). Matches words and their inflections, not meanings: try another word where nothing is found.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "result_id": _RESULT_ID,
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_QUERY_CHARS,
                "description": 'The words to look for, for example "innkeeper of Emberwick"; ids, numbers, paths and what stands in '
                "quotation marks are looked for exactly.",
            },
            "max_results": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_RESULTS,
                "default": DEFAULT_RESULTS,
                "description": "How many places to return at most, each of up to about 400 tokens.",
            },
        },
        "required": ["result_id", "query"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Search a kept original", **_ANNOTATIONS},
}

SUMMARIZE_ORIGINAL: dict[str, Any] = {
    "name": "summarize_original",
    "title": "Summarize a kept original again",
    "description": "Summarizes an original that was kept with keep_original=true anew, for another question or another size, without "
    "sending the text again. Use it when the first summary was about something else: with schema_hint it returns the facts "
    "that match, as summarize_for_extraction does, otherwise the gist, as summarize does. Do not use it to look up a single "
    "fact (use search_original) or to get exact text (use read_original). Returns the summary and nothing else.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "result_id": _RESULT_ID,
            "max_output_tokens": _MAX_OUTPUT_TOKENS,
            "focus_areas": _FOCUS_AREAS,
            "schema_hint": {
                "type": "string",
                "maxLength": MAX_BRIEF_CHARS,
                "default": "",
                "description": f"{_SCHEMA_HINT['description']} Not together with focus_areas.",
            },
            "strategy": _STRATEGY,
        },
        "required": ["result_id"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Summarize a kept original again", **_ANNOTATIONS},
}

TOOLS = (SUMMARIZE, SUMMARIZE_FOR_EXTRACTION, READ_ORIGINAL, SEARCH_ORIGINAL, SUMMARIZE_ORIGINAL)


class BadArguments(Exception):
    """The arguments do not fit: the message names the argument, what was expected and what was given."""


Handler = Callable[[Mapping[str, Any], Context], Awaitable[dict[str, Any]]]


class Tools:
    """The tools, over one summarizer and what is kept of its originals."""

    def __init__(self, summarizer: Summarizer, recall: Recall, task_content_chars: int) -> None:
        """Content of so many characters or more is work expected to be long, which may go on as a task.

        Raises Mismatch for a tool whose schema says what could not be checked: such a one must not be offered.
        """
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
        return list(TOOLS)

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
        task = read(arguments)
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
        summary = await self._summarizer.summarize(Task(content, target, brief, strategy), context.progress)
        return result_of(Summary(summary.text, replace(summary.outcome, result_id=given["result_id"])))


# --- Results ---------------------------------------------------------------------------------------------------


def result_of(summary: Summary) -> dict[str, Any]:
    """Return the result that carries a summary: its text alone, and the outcome beside it."""
    return {"content": [_text(summary.text)], "_meta": {OUTCOME_KEY: outcome_fields(summary.outcome)}}


def outcome_fields(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON; what is not known is left out."""
    return {name: value for name, value in asdict(outcome).items() if value is not None}


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
