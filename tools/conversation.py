"""The conversation that a tool was called in, as its caller sends it along: read, cut and written for a prompt. Pure.

Taken are the usual forms: a list of messages, or an object that has it under `messages`; a message's text in `content` or `text`, as a
string or in blocks of which those with a `text` count. What instructs a model (`system`, `developer`) is left out.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from protocol.messages import json_type
from summarizing.text.tokenizer import Tokenizer

# A message counts up to here.
MAX_MESSAGE_CHARS = 10_000

# Every request to the model repeats the conversation: with chunks of 8,000 tokens, half as much again.
MAX_CONVERSATION_TOKENS = 4_000
# Of the model's window, where that is small.
MAX_SHARE_OF_WINDOW = 0.1

# Of older messages nothing is read. English has four characters a token.
MAX_CONVERSATION_CHARS = 10 * MAX_CONVERSATION_TOKENS

# The last request stands in for focus areas: it is read up to here.
MAX_REQUEST_CHARS = 1_000

MAX_ROLE_CHARS = 40
INSTRUCTING = frozenset({"system", "developer"})


class MalformedConversation(ValueError):
    """A conversation that cannot be read: the message says what was expected."""


class SaidMessage(NamedTuple):
    """What one side said."""

    role: str
    text: str


def _beginning(text: str) -> str:
    return text[:MAX_MESSAGE_CHARS]


def read_conversation(given: Any, cut_text: Callable[[str], str] = _beginning) -> list[SaidMessage]:
    """Return the newest messages, the newest first, the text of each cut by `cut_text`. Raises MalformedConversation.

    None is no conversation. All are checked, and no more are returned than may be of use.
    """
    messages = given.get("messages") if isinstance(given, dict) else given
    if messages is None:
        return []
    if not isinstance(messages, list):
        raise MalformedConversation(f"expected an array of messages, got {json_type(messages)}")
    said = [_read(message, position) for position, message in enumerate(messages)]
    found, chars = [], 0
    for message in reversed(said):
        if message.role in INSTRUCTING or not message.text:
            continue
        if chars >= MAX_CONVERSATION_CHARS:
            break
        found.append(message._replace(text=cut_text(message.text)))
        chars += min(len(message.text), MAX_MESSAGE_CHARS)
    return found


def written(messages: Sequence[SaidMessage], tokens: int, tokenizer: Tokenizer) -> str:
    """Return messages as a prompt has them, in at most `tokens` tokens: the last of them may be cut, and those after it missing."""
    text = "\n\n".join(f"[{role}]: {text[:MAX_MESSAGE_CHARS]}" for role, text in messages)
    return tokenizer.cut(text, tokens)


def last_request(messages: Sequence[SaidMessage]) -> str:
    """Return the user's newest message, "" where there is none."""
    return next((text for role, text in messages if role == "user"), "")[:MAX_REQUEST_CHARS]


def conversation_tokens(window: int) -> int:
    """Return how many tokens a conversation may have in the prompts of a model with this context window."""
    return min(MAX_CONVERSATION_TOKENS, int(window * MAX_SHARE_OF_WINDOW))


def _read(message: Any, position: int) -> SaidMessage:
    if not isinstance(message, dict):
        raise MalformedConversation(
            f"[{position}]: expected an object with role and content, got {json_type(message)}"
        )
    role, content = message.get("role"), message.get("content", message.get("text"))
    if not isinstance(role, str):
        raise MalformedConversation(f"[{position}].role: expected a string, got {json_type(role)}")
    if not isinstance(content, str | list | dict | None):
        raise MalformedConversation(
            f"[{position}].content: expected a string or blocks with a text, got {json_type(content)}"
        )
    return SaidMessage(role[:MAX_ROLE_CHARS].lower(), "\n".join(_texts(content)))


def _texts(content: str | list[Any] | dict[str, Any] | None) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for block in content if isinstance(content, list) else [content]:
        text = block if isinstance(block, str) else block.get("text") if isinstance(block, dict) else None
        if isinstance(text, str):
            yield text
