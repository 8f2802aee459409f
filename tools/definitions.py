"""The tools as agents see them: names, descriptions and argument schemas, with the limits that they state.

Data only: tools/arguments.py validates, tools/handlers.py runs.
"""

from typing import Any

from summarizing.job import STRATEGIES

# Below this not even one sentence fits, so the promises about a summary could not be kept.
MIN_TARGET_TOKENS = 16

# For focus_areas and schema_hint. About a page: the query goes into every prompt, and must leave room for the chunk.
MAX_QUERY_CHARS = 4_000
# What errors say of an empty schema_hint.
EXPECTED_HINT = 'the facts you need in plain words, such as "people and their roles"'
# This many areas of two letters each fill MAX_QUERY_CHARS.
MAX_FOCUS_AREAS = 1_000

# A valid id has 22 characters.
MAX_ID_CHARS = 64

# For search_original. Some sentences; a longer query finds no better passages.
MAX_SEARCH_CHARS = 1_000

# Ten pages of passages: a caller that needs more can read the original.
MAX_RESULTS = 50
DEFAULT_RESULTS = 5

# For summarize_tool_result, as for a server of the gateway.
DEFAULT_THRESHOLD_TOKENS = 5_000
DEFAULT_SUMMARY_TOKENS = 1_000
LEAST_THRESHOLD_TOKENS = 100
LEAST_SUMMARY_TOKENS = 50
MAX_LABEL_CHARS = 200

INSTRUCTIONS = (
    "Shortens large text to a size you choose, so that it fits your context. Pass the whole text: cutting it into pieces "
    "and putting the results together is done here. Use summarize_for_extraction when you know which facts you need, "
    "summarize when you need the gist. Text that already fits comes back unchanged, so calling in doubt costs nothing. "
    "With keep_original=true you can go back to the full text by its result_id: read_original, search_original, "
    "summarize_original. A program that calls other tools passes their results through summarize_tool_result."
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
    "description": "Upper limit for the answer's size in tokens (cl100k_base), at least 16; a summary is never longer. "
    "0 or absent: the service's default, usually 5000. As a rule of thumb, a tenth to a fifth of the content.",
}
_STRATEGY = {
    "type": "string",
    "enum": list(STRATEGIES),
    "default": STRATEGIES[0],
    "description": 'How the text is cut into pieces: "semantic" follows headings, paragraphs, code blocks and '
    'tables; "token" cuts at fixed sizes with overlap, for text without any structure.',
}
# Declared as a string only, though an array is accepted too (tools/arguments.py): Gemini is reported to refuse all tools of a
# server if one schema has anyOf beside a description.
_FOCUS_AREAS = {
    "type": "string",
    "maxLength": MAX_QUERY_CHARS,
    "default": "",
    "description": 'Topics to give most room to, comma-separated, for example "NPCs, factions, lore events". '
    "Empty: everything alike.",
}
FOCUS_AREAS_AS_ARRAY = {"type": "array", "items": {"type": "string"}, "maxItems": MAX_FOCUS_AREAS}
_SCHEMA_HINT = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_QUERY_CHARS,
    "description": "The facts you need, in plain words: the fields or categories of the schema you will fill, for example "
    '"zone metadata, NPCs with faction allegiances, faction hierarchy, lore events with dates".',
}
_KEEP_ORIGINAL = {
    "type": "boolean",
    "default": False,
    "description": "true: keep the full text for a while, so that you can read, search or summarize it again without sending it "
    "again. The last text block of the result then names the result_id.",
}
_RESULT_ID = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_ID_CHARS,
    "description": "The result_id that a result has named: in its text, or in its outcome.",
}
# The tools change nothing (a kept original is visible to its caller alone, and expires), give the same kind of answer to the
# same call, and read only the given text.
_ANNOTATIONS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}


def _tool(
    name: str, title: str, description: str, properties: dict[str, Any], *, required: list[str]
) -> dict[str, Any]:
    """Return a tool's definition for `tools/list`; additional arguments are not allowed."""
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
        "annotations": {"title": title, **_ANNOTATIONS},
    }


SUMMARIZE = _tool(
    "summarize",
    "Summarize a large text",
    "Shortens a text to at most max_output_tokens and keeps what is specific: names, numbers, dates, ids, "
    "relations, decisions. Use it when a text you have fetched or been given (web pages, documents, logs, command output, "
    "transcripts) is too large to keep in context, roughly over 5,000 characters, and you need the gist. "
    "Do not use it for text that must stay exact (code you will edit, data you will parse, quotations), for text that is "
    "already short, or when you know which facts you are after: then summarize_for_extraction keeps more of them. "
    "Returns the summary and nothing else; text that already fits comes back unchanged.",
    {
        "content": _CONTENT,
        "max_output_tokens": _MAX_OUTPUT_TOKENS,
        "focus_areas": _FOCUS_AREAS,
        "strategy": _STRATEGY,
        "keep_original": _KEEP_ORIGINAL,
    },
    required=["content"],
)

SUMMARIZE_FOR_EXTRACTION = _tool(
    "summarize_for_extraction",
    "Reduce a large text to the facts you need",
    "Reduces a text to the facts that match schema_hint (names, relations, numbers, dates, ids), in at most "
    "max_output_tokens, and discards the rest: menus, cookie notices, advertisements, repetition, other topics. Use it on "
    "crawled pages and other large texts, roughly over 5,000 characters, when you are going to fill fields, answer "
    "specific questions or collect entities from them. Do not use it for a general overview (use summarize), for text "
    "that must stay exact, or for text that is already short. Returns the facts and nothing else; text that already fits "
    "comes back unchanged.",
    {
        "content": _CONTENT,
        "schema_hint": _SCHEMA_HINT,
        "max_output_tokens": _MAX_OUTPUT_TOKENS,
        "strategy": _STRATEGY,
        "keep_original": _KEEP_ORIGINAL,
    },
    required=["content", "schema_hint"],
)


READ_ORIGINAL = _tool(
    "read_original",
    "Read a kept original",
    "Returns the exact text of a kept original, from character offset on, at most "
    "max_tokens of it. Use it when a summary is not enough: to quote, to check a number, to see what stands around a passage that "
    "search_original found. Do not use it for a text that you have in full already, or to find something in a long one: "
    "search_original is quicker. The first line says the place and the next offset, which reads on; behind it stands the "
    "text.",
    {
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
    required=["result_id"],
)

SEARCH_ORIGINAL = _tool(
    "search_original",
    "Search a kept original",
    "Finds passages in a kept original and returns them word for word, the best "
    "first, each with its offset and the headings above it. Use it to look up a name, an id, an error or a fact that a summary "
    "left out or only mentions. Do not use it for an overview (use summarize_original) or to read on from a place "
    "(use read_original). Matches words and their inflections, not meanings: try another word where nothing is found.",
    {
        "result_id": _RESULT_ID,
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_SEARCH_CHARS,
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
    required=["result_id", "query"],
)

SUMMARIZE_ORIGINAL = _tool(
    "summarize_original",
    "Summarize a kept original again",
    "Summarizes a kept original anew, for another question or another size, without "
    "sending the text again. Use it when the first summary was about something else: with schema_hint it returns the facts "
    "that match, as summarize_for_extraction does, otherwise the gist, as summarize does. Do not use it to look up a single "
    "fact (use search_original) or to get exact text (use read_original). Returns the summary and nothing else.",
    {
        "result_id": _RESULT_ID,
        "max_output_tokens": _MAX_OUTPUT_TOKENS,
        "focus_areas": _FOCUS_AREAS,
        "schema_hint": {
            "type": "string",
            "maxLength": MAX_QUERY_CHARS,
            "default": "",
            "description": f"{_SCHEMA_HINT['description']} Not together with focus_areas.",
        },
        "strategy": _STRATEGY,
    },
    required=["result_id"],
)


def _label(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "maxLength": MAX_LABEL_CHARS, "description": description, **more}


SUMMARIZE_TOOL_RESULT = _tool(
    "summarize_tool_result",
    "Summarize another tool's result",
    "Shortens what another tool has returned to at most max_summary_tokens, for the conversation that it was called in: errors, "
    "warnings, states, metrics and timestamps stay, lists become patterns, counts and exceptions, and it says what of that which "
    "was looked for is not there. Use it in a program that calls tools, before a result goes to the agent's model. Do not use it "
    "for documents (use summarize), or for results that must stay exact. The original is kept, and the note over the summary "
    "names its result_id. A result of at most size_threshold_tokens, or an error, comes back unchanged; an object comes back as "
    "JSON in its own shape. Secrets are not masked: mask them before.",
    {
        "server_name": _label("The server that the tool belongs to.", minLength=1),
        "tool_name": _label("The tool that was called.", minLength=1),
        "result": {
            "type": "string",
            "description": "All of the result, unchanged: a text; or an object or array, which may be passed as such.",
        },
        "conversation": {
            "type": "array",
            "default": [],
            "items": {
                "type": "object",
                "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
            },
            "description": "The messages before the call, the oldest first. System messages are left out, and only the newest of a "
            "long conversation count.",
        },
        "session_id": _label("The session that the call belongs to; the outcome repeats it.", default=""),
        "stage_execution_id": _label(
            "The stage that the call belongs to; the outcome repeats it.", default=""
        ),
        "max_summary_tokens": {
            "type": "integer",
            "minimum": LEAST_SUMMARY_TOKENS,
            "default": DEFAULT_SUMMARY_TOKENS,
            "description": "Upper limit for the summary with its note, in tokens (cl100k_base).",
        },
        "size_threshold_tokens": {
            "type": "integer",
            "minimum": LEAST_THRESHOLD_TOKENS,
            "default": DEFAULT_THRESHOLD_TOKENS,
            "description": "A result with as many tokens, or fewer, comes back unchanged.",
        },
    },
    required=["server_name", "tool_name", "result"],
)

TOOLS = (
    SUMMARIZE,
    SUMMARIZE_FOR_EXTRACTION,
    READ_ORIGINAL,
    SEARCH_ORIGINAL,
    SUMMARIZE_ORIGINAL,
    SUMMARIZE_TOOL_RESULT,
)
