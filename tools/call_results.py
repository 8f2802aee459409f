"""The parts of a CallToolResult: what of it is text, what is a copy, and a new one with another text. Pure.

Knows nothing of where a result comes from, and does not shorten it.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from protocol.messages import Message
from summarizing.offload import SHORT_CHARS
from summarizing.outcome import Outcome

OUTCOME_KEY = "mcp-summarizer/outcome"

# Comparing JSON holds the interpreter: a hundredth of a second for this much.
MAX_COMPARED_CHARS = 1_000_000

# What a member of a JSON value adds to its text at least, quotation marks and commas among it.
LEAST_MEMBER_CHARS = 4

# Masking so much, or counting its tokens, takes about a millisecond: less than it takes to hand it to a thread and back. A text of
# every word that may introduce a secret takes five.
SMALL_CHARS = 4_000
# What each text takes beside its characters, as many as could be masked meanwhile.
CHARS_FOR_A_TEXT = 64


def outcome_fields(outcome: Outcome) -> Message:
    """Return an outcome as JSON; unknown fields are left out."""
    return {name: value for name, value in outcome.members().items() if value is not None}


def chars_of(value: Any, enough: int = SHORT_CHARS) -> int:
    """Return about how many characters a JSON value has; of a long one, more than `enough`, without looking at the rest."""
    chars, waiting = 0, [value]
    while waiting and chars <= enough:
        current = waiting.pop()
        match current:
            case str():
                chars += len(current)
            case list() | dict():
                chars += LEAST_MEMBER_CHARS * len(current)
                if chars <= enough:
                    waiting += current if isinstance(current, list) else current.values()
    return chars


def is_small(value: Any) -> bool:
    """Whether a JSON value, names of members among it, is masked and counted so quickly that the event loop can do it."""
    left, waiting = SMALL_CHARS, [value]
    while waiting and left >= 0:
        current = waiting.pop()
        match current:
            case str():
                left -= CHARS_FOR_A_TEXT + len(current)
            case list() | dict():
                left -= LEAST_MEMBER_CHARS * len(current)
                if left >= 0:
                    waiting += current if isinstance(current, list) else chain(current, current.values())
    return left >= 0


def without_copy(result: Message) -> Message:
    """Return a result without its structured content if its texts say the same: as JSON, or each member as a text.

    MCP 2025-06-18, "Structured Content": a tool that returns it "SHOULD also return the serialized JSON in a TextContent block".
    Servers for files return {"content": the same text}.
    """
    structured = result.get("structuredContent")
    texts = [text for block in _blocks(result) if (text := _text_in(block)) is not None]
    if structured is None or not (_has_each_member(texts, structured) or _has_json(texts, structured)):
        return result
    return {name: value for name, value in result.items() if name != "structuredContent"}


def text_of(result: Mapping[str, Any]) -> str:
    """Return what a reader gets of a result: its text blocks, embedded texts and structured content."""
    return "\n\n".join(texts_of(result))


def texts_of(result: Mapping[str, Any]) -> list[str]:
    """Return the texts of a result one by one, in their order; the structured content last, as JSON."""
    parts = [part for block in _blocks(result) if (part := _text_in(block)) is not None]
    if result.get("structuredContent") is not None:
        parts.append(json_of(result["structuredContent"]))
    return parts


def json_of(value: Any, levels: int = 4) -> str:
    """Return a value as json.dumps writes it, a member of its upper levels at a time: one call would hold the interpreter for long."""
    if levels and isinstance(value, list):
        return f"[{', '.join(json_of(each, levels - 1) for each in value)}]"
    if levels and isinstance(value, dict):
        members = (
            f"{json.dumps(name, ensure_ascii=False)}: {json_of(inner, levels - 1)}"
            for name, inner in value.items()
        )
        return f"{{{', '.join(members)}}}"
    return json.dumps(value, ensure_ascii=False)


def with_text(result: Mapping[str, Any], text: str) -> Message:
    """Return a result with one text block in place of all its texts, before what else it has; without structured content."""
    others = [block for block in _blocks(result) if _text_in(block) is None]
    kept = {name: value for name, value in result.items() if name not in ("content", "structuredContent")}
    return {**kept, "content": [{"type": "text", "text": text}, *others]}


def with_meta(result: Mapping[str, Any], outcome: Mapping[str, Any]) -> Message:
    """Return a result that says in `_meta` what happened."""
    given = result.get("_meta")
    return {**result, "_meta": {**(given if isinstance(given, dict) else {}), OUTCOME_KEY: dict(outcome)}}


def error_result(message: str) -> Message:
    """Return an error that the caller's model can act on."""
    return {"content": [{"type": "text", "text": message}], "isError": True}


def _blocks(result: Mapping[str, Any]) -> list[Any]:
    content = result.get("content")
    return content if isinstance(content, list) else []


def _has_each_member(texts: Sequence[str], value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(member in texts for member in value.values())


def _has_json(texts: Sequence[str], value: Any) -> bool:
    return any(_is_json_of(text, value) for text in texts)


def _is_json_of(text: str, value: Any) -> bool:
    if len(text) > MAX_COMPARED_CHARS or not text.lstrip().startswith(("{", "[")):
        return False
    try:
        return bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def _text_in(block: Any) -> str | None:
    """Return the text of a text block or an embedded text resource; None of anything else."""
    if not isinstance(block, dict):
        return None
    if block.get("type") == "resource":
        block = block.get("resource")
    text = block.get("text") if isinstance(block, dict) else None
    return text if isinstance(text, str) else None
