"""The shapes in which other tools' results come, and how one goes back with a summary in place of what is long. Pure.

A text is a text. Of MCP's result, or a list of its blocks, the texts become one. Of another object the short members stay, and the
long one is replaced, so that a program finds everything where it was; several long ones become one member. Another list has no place
for a summary: the summary stands for it.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from protocol.messages import Message
from summarizing.text.tokenizer import Tokenizer
from tools.call_results import json_of, text_of, with_text, without_copy

# The member for a summary of several.
SUMMARY_MEMBER = "result"
# In an object: what was done.
MARK = "_summarized"

# Members that stay may have this share of the tokens of the summary, together.
KEPT_SHARE = 0.25


class ResultShape(NamedTuple):
    """A result to shorten."""

    given: str
    """As it came; what is no text, as JSON."""
    whole: str
    """What of it is kept, and can be read."""
    tokens: int
    """Of what is kept."""
    long: str
    """What a summary is made of."""
    with_summary: Callable[[str, Mapping[str, Any]], str]
    """Returns the result with a summary, and for an object with what was done, as a text."""
    may_be_summarized: bool = True
    """Whether it is no error, which must never be paraphrased."""


def shape_of(result: Any, limit: int, tokenizer: Tokenizer) -> ResultShape:
    """Return the shape of a result; `limit`: of the summary, in tokens."""
    if isinstance(result, str):
        return _of_text(result, tokenizer)
    if _are_blocks(result):
        return _of_mcp(
            {"content": result}, json_of(result), tokenizer, lambda shortened: shortened["content"]
        )
    if isinstance(result, dict) and _are_blocks(result.get("content")):
        return _of_mcp(without_copy(result), json_of(result), tokenizer, lambda shortened: shortened)
    if isinstance(result, list):
        return _of_text(json_of(result), tokenizer)
    return _of_object(result, limit, tokenizer)


def _of_text(text: str, tokenizer: Tokenizer) -> ResultShape:
    return ResultShape(text, text, tokenizer.count(text), text, lambda summary, done: summary)


def _are_blocks(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and all(map(_is_block, content))


def _is_block(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") in (
        "text",
        "image",
        "audio",
        "resource",
        "resource_link",
    )


def _of_mcp(
    result: Message, given: str, tokenizer: Tokenizer, shown: Callable[[Message], Any]
) -> ResultShape:
    text = text_of(result)
    return ResultShape(
        given,
        text,
        tokenizer.count(text),
        text,
        lambda summary, done: _json(shown(with_text(result, summary))),
        may_be_summarized=not result.get("isError"),
    )


def _of_object(result: Message, limit: int, tokenizer: Tokenizer) -> ResultShape:
    texts = {name: value if isinstance(value, str) else json_of(value) for name, value in result.items()}
    sizes = dict(zip(texts, tokenizer.count_each(list(texts.values())), strict=True))
    long, room = set(texts), int(limit * KEPT_SHARE)
    for name in sorted(texts, key=lambda name: sizes[name]):
        room -= sizes[name] + tokenizer.count(name)
        if room < 0 or len(long) == 1:
            break
        long.remove(name)
    (only, *others) = [name for name in texts if name in long] or [SUMMARY_MEMBER]
    place = _unused(SUMMARY_MEMBER, texts.keys() - long) if others else only

    def with_summary(summary: str, done: Mapping[str, Any]) -> str:
        kept = {name: value for name, value in result.items() if name not in long or name == place}
        return _json(kept | {place: summary, MARK: dict(done)})

    given = json_of(result)
    of_several = json_of({name: value for name, value in result.items() if name in long})
    text = of_several if others else texts.get(only, "")
    return ResultShape(given, given, tokenizer.count(given), text, with_summary)


def _unused(name: str, taken: Any) -> str:
    while name in taken:
        name = f"_{name}"
    return name


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
