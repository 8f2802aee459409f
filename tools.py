"""The tools we offer: what an agent's model reads about them, the check of its arguments, and outcome to result.

Knows nothing of HTTP or of JSON-RPC envelopes. Arguments that do not fit give a result with `isError` and a text that
the caller's model can act on; only an unknown tool is an error of the protocol.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from job import Outcome, Summary, Task
from mcp_context import Context
from mcp_methods import TaskUse, Unknown
from prompting import Brief
from schema import Mismatch, check, check_schema, shown
from summarizer import STRATEGIES, SummarizationFailed, Summarizer

OUTCOME_KEY = "mcp-summarizer/outcome"

# Under this not even one sentence fits, so no promise about a summary could be kept.
MIN_TARGET_TOKENS = 16

# About a page: a brief goes into every prompt, and one the size of a chunk would leave no room for the chunk.
MAX_BRIEF_CHARS = 4_000
# So many, of two letters each, fill it.
MAX_FOCUS_AREAS = 1_000

INSTRUCTIONS = (
    "Shortens large text to a size you choose, so that it fits your context. Pass the whole text: cutting it into pieces "
    "and putting the results together is done here. Use summarize_for_extraction when you know which facts you need, "
    "summarize when you need the gist. Text that already fits comes back unchanged, so calling in doubt costs nothing."
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
# Nothing is changed anywhere, the same call gives the same kind of answer, and only the text given is looked at.
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
        },
        "required": ["content", "schema_hint"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Reduce a large text to the facts you need", **_ANNOTATIONS},
}


class BadArguments(Exception):
    """The arguments do not fit: the message names the argument, what was expected and what was given."""


class Tools:
    """The two tools, over one summarizer."""

    def __init__(self, summarizer: Summarizer, task_content_chars: int) -> None:
        """Content of so many characters or more is work expected to be long, which may go on as a task.

        Raises Mismatch for a tool whose schema says what could not be checked: such a one must not be offered.
        """
        for tool in self.describe():
            check_schema(tool["inputSchema"], tool["name"])
        self._summarizer = summarizer
        self._task_content_chars = task_content_chars
        self._readers = {"summarize": _read_summarize, "summarize_for_extraction": _read_extraction}

    def describe(self) -> list[dict[str, Any]]:
        """Return the definitions that `tools/list` shows, always in the same order."""
        return [SUMMARIZE, SUMMARIZE_FOR_EXTRACTION]

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether a call may go on as a task: where its content is long."""
        content = arguments.get("content")
        long = isinstance(content, str) and len(content) >= self._task_content_chars
        return TaskUse.PREFERRED if long and name in self._readers else TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Return a CallToolResult; the context hears of each finished part. Raises Unknown."""
        read = self._readers.get(name)
        if read is None:
            raise Unknown(f"Unknown tool: {name[:100]}; known are {', '.join(self._readers)}")
        try:
            summary = await self._summarizer.summarize(read(arguments), context.progress)
        except (BadArguments, SummarizationFailed) as problem:
            return {"content": [_text(str(problem))], "isError": True}
        return result_of(summary)


def result_of(summary: Summary) -> dict[str, Any]:
    """Return the result that carries a summary: its text alone, and the outcome beside it."""
    return {"content": [_text(summary.text)], "_meta": {OUTCOME_KEY: outcome_fields(summary.outcome)}}


def outcome_fields(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON; what is not known is left out."""
    return {name: value for name, value in asdict(outcome).items() if value is not None}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


# --- Arguments -------------------------------------------------------------------------------------------------


def _read_summarize(arguments: Mapping[str, Any]) -> Task:
    given = _checked(arguments, SUMMARIZE)
    areas = given.get("focus_areas", "")
    if isinstance(areas, list):
        areas = ", ".join(area.strip() for area in areas if area.strip())
    if len(areas) > MAX_BRIEF_CHARS:
        raise BadArguments(
            f"focus_areas: expected at most {MAX_BRIEF_CHARS} characters in all, got {len(areas)}; "
            "name only what matters"
        )
    return _task(given, Brief(focus_areas=areas.strip()))


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
    size = int(given.get("max_output_tokens", 0))  # it may be written 800.0
    # Not in the schema, where it would take an anyOf that models misread.
    if 0 < size < MIN_TARGET_TOKENS:
        raise BadArguments(
            f"max_output_tokens: expected 0 (the default) or a whole number of at least {MIN_TARGET_TOKENS}, "
            f"got {shown(given['max_output_tokens'])}"
        )
    strategy = given.get("strategy", STRATEGIES[0])
    return Task(content=given["content"], target=size, brief=brief, strategy=strategy)
