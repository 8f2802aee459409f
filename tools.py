"""The tools we offer: what an agent's model reads about them, the check of its arguments, and outcome to result.

Knows nothing of HTTP or of JSON-RPC envelopes. Arguments that do not fit give a result with `isError` and a text that
the caller's model can act on; only an unknown tool is an error of the protocol.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from job import Outcome, Progress, Summary, Task
from mcp_protocol import UnknownTool
from prompting import Brief
from summarizer import STRATEGIES, SummarizationFailed, Summarizer

OUTCOME_KEY = "mcp-summarizer/outcome"

# Under this not even one sentence fits, so no promise about a summary could be kept.
MIN_TARGET_TOKENS = 16

# About a page: a brief goes into every prompt, and one the size of a chunk would leave no room for the chunk.
MAX_BRIEF_CHARS = 4_000

# Of a value that does not fit: enough to recognise it.
MAX_SHOWN_CHARS = 60

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
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
    "default": "",
    "description": "Topics to give most room to, comma-separated or as a list, for example "
    '"NPCs, factions, lore events". Empty: everything alike.',
}
_SCHEMA_HINT = {
    "type": "string",
    "minLength": 1,
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

SUMMARIZE = {
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

SUMMARIZE_FOR_EXTRACTION = {
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

    def __init__(self, summarizer: Summarizer) -> None:
        self._summarizer = summarizer
        self._readers = {"summarize": _read_summarize, "summarize_for_extraction": _read_extraction}

    def describe(self) -> list[dict[str, Any]]:
        """Return the definitions that `tools/list` shows, always in the same order."""
        return [SUMMARIZE, SUMMARIZE_FOR_EXTRACTION]

    async def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> dict[str, Any]:
        """Return a CallToolResult. `progress(done, total, message)` hears of each finished part.

        Raises UnknownTool.
        """
        read = self._readers.get(name)
        if read is None:
            raise UnknownTool(f"Unknown tool: {name[:100]}; known are {', '.join(self._readers)}")
        try:
            summary = await self._summarizer.summarize(read(arguments), progress)
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
    arguments = _given(arguments, SUMMARIZE)
    return Task(
        content=_string(arguments, "content"),
        target=_target(arguments),
        brief=Brief(focus_areas=_focus_areas(arguments)),
        strategy=_string(arguments, "strategy", STRATEGIES[0]),
    )


def _read_extraction(arguments: Mapping[str, Any]) -> Task:
    arguments = _given(arguments, SUMMARIZE_FOR_EXTRACTION)
    hint = _string(arguments, "schema_hint").strip()
    if not hint:
        raise BadArguments(
            'schema_hint: expected the facts you need in plain words, such as "people and their roles", got ""'
        )
    return Task(
        content=_string(arguments, "content"),
        target=_target(arguments),
        brief=Brief(schema_hint=_within_limit("schema_hint", hint)),
        strategy=_string(arguments, "strategy", STRATEGIES[0]),
    )


def _given(arguments: Mapping[str, Any], tool: dict[str, Any]) -> dict[str, Any]:
    """Check the names, and leave out what is null and need not be there: some clients write every optional member."""
    schema = tool["inputSchema"]
    known = ", ".join(schema["properties"])
    for name in arguments:
        if name not in schema["properties"]:
            raise BadArguments(f"{name[:100]}: {tool['name']} has no such argument; it takes {known}")
    for name in schema["required"]:
        if name not in arguments:
            raise BadArguments(
                f"{name}: {tool['name']} needs this argument and it is missing; call again with it"
            )
    required = schema["required"]
    return {name: value for name, value in arguments.items() if value is not None or name in required}


def _string(arguments: Mapping[str, Any], name: str, default: str = "") -> str:
    value = arguments.get(name, default)
    if not isinstance(value, str):
        raise BadArguments(f"{name}: expected a string, got {_shown(value)}")
    return value


def _target(arguments: Mapping[str, Any]) -> int:
    value = arguments.get("max_output_tokens", 0)
    # JSON Schema 2020-12, 4.2.3 (validation): 800.0 is an integer; in Python True is one too, here it is not.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0 or 0 < value < MIN_TARGET_TOKENS:
        raise BadArguments(
            f"max_output_tokens: expected 0 (the default) or a whole number of at least {MIN_TARGET_TOKENS}, "
            f"got {_shown(arguments['max_output_tokens'])}"
        )
    return value


def _focus_areas(arguments: Mapping[str, Any]) -> str:
    value = arguments.get("focus_areas", "")
    if isinstance(value, list) and len(value) > MAX_BRIEF_CHARS:
        raise BadArguments(f"focus_areas: expected a few topics, got {len(value)}; name only what matters")
    if isinstance(value, list) and all(isinstance(area, str) for area in value):
        value = ", ".join(area.strip() for area in value if area.strip())
    if not isinstance(value, str):
        raise BadArguments(
            f"focus_areas: expected a comma-separated string or an array of strings, got {_shown(value)}"
        )
    return _within_limit("focus_areas", value.strip())


def _within_limit(name: str, text: str) -> str:
    if len(text) > MAX_BRIEF_CHARS:
        raise BadArguments(
            f"{name}: expected at most {MAX_BRIEF_CHARS} characters, got {len(text)}; name only what matters"
        )
    return text


def _shown(value: Any) -> str:
    """Show a value that does not fit, in JSON's words and without repeating a document back."""
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    if isinstance(value, str) and len(value) > MAX_SHOWN_CHARS:
        return f"a string of {len(value)} characters"
    text = json.dumps(value)
    return text if len(text) <= MAX_SHOWN_CHARS else f"a number of {len(text)} digits"
