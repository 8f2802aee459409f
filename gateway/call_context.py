"""What is known of a call beside its result: its arguments, what is needed, and what the client says in `_meta` about the work it is part of.

Read and cut to size here; masked by result_masking.py before any of it goes into a prompt. Pure. A member of `_meta` that cannot be
read is no reason to fail a call: the outcome says that it was ignored.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from gateway.masking_interface import chars_to_mask, without_half_secret
from gateway.names import ToolId
from protocol.context import Context
from protocol.messages import json_type
from summarizing.query import Query, ToolCall
from summarizing.text.tokenizer import Tokenizer
from tools.conversation import (
    MAX_MESSAGE_CHARS,
    MalformedConversation,
    SaidMessage,
    last_request,
    read_conversation,
    written,
)

CONVERSATION_KEY = "mcp-summarizer/conversation"
# By their names in the outcome.
ID_KEYS = {name: f"mcp-summarizer/{name}" for name in ("session_id", "stage_id", "execution_id")}
MAX_ID_CHARS = 200

# What of a string in the arguments is shown; of messages, conversation.py says how much. More is masked, as half a secret is not recognized.
MAX_STRING_CHARS = 500

# What says that values are secret, and may stand after them. In a longer text they are not looked for: it is left out.
KIND_OF_SECRETS = "Secret"
MAX_MANIFEST_CHARS = 1_000_000
TELLING_NAMES = ("kind", "name")

# Of the arguments, in all; of a list or an object, the first ones.
MAX_ARGUMENTS_CHARS = 2_000
MAX_MEMBERS = 40
MAX_LEVELS = 6


class Beginning(str):
    """The beginning of a longer text."""

    __slots__ = ()


class GivenContext(NamedTuple):
    """What is known of a call, with its secrets in it.

    `material`: what may go into a prompt once it is masked, as JSON; texts that were cut are Beginnings. `ids`: of session, stage and
    execution, by their names; `ignored`: what in `_meta` could not be read, and why.
    """

    material: Mapping[str, Any]
    ids: Mapping[str, str]
    ignored: Sequence[str]

    def masked_as(self, masked: Mapping[str, Any], longest_known_chars: int) -> "GivenContext":
        """Return it with its material masked so, and no half of a secret where a text was cut.

        `longest_known_chars`: how long the longest secret of the configuration is.
        """
        return self._replace(material=_without_half_secrets(self.material, masked, longest_known_chars))


def _without_half_secrets(given: Any, masked: Any, longest_known_chars: int) -> Any:
    """Return a masked JSON value without the ends of those of its texts that were cut before."""
    both = partial(_without_half_secrets, longest_known_chars=longest_known_chars)
    match given, masked:
        case Beginning(), str():
            return without_half_secret(masked, longest_known_chars) + "…"
        case list(), list():
            return list(map(both, given, masked))
        case dict(), dict() if len(given) != len(masked):
            # Names that are one when they are masked: whose value was cut is not known.
            return "…"
        case dict(), dict():
            members = zip(given.items(), masked.items(), strict=True)
            return {
                both(name, masked_name): both(value, masked_value)
                for (name, value), (masked_name, masked_value) in members
            }
    return masked


def read_call(
    meta: Mapping[str, Any], arguments: Mapping[str, Any], focus: str, longest_known_chars: int = 0
) -> GivenContext:
    """Return what is known of a call. `longest_known_chars`: how long the longest secret of the configuration is."""
    ignored, conversation = [], list[SaidMessage]()
    message_chars = chars_to_mask(MAX_MESSAGE_CHARS, longest_known_chars)
    string_chars = chars_to_mask(MAX_STRING_CHARS, longest_known_chars)
    try:
        conversation = read_conversation(
            meta.get(CONVERSATION_KEY), lambda text: maskable(text, message_chars)
        )
    except MalformedConversation as problem:
        ignored.append(f"{CONVERSATION_KEY}: {problem}")
    given = {name: meta[key] for name, key in ID_KEYS.items() if meta.get(key) is not None}
    ids = {name: each for name, each in given.items() if isinstance(each, str) and len(each) <= MAX_ID_CHARS}
    ignored += [
        f"{ID_KEYS[name]}: expected a string of at most {MAX_ID_CHARS} characters, got {_kind(value)}"
        for name, value in given.items()
        if name not in ids
    ]
    shown_arguments = shortened(arguments, lambda text: maskable(text, string_chars))
    return GivenContext(_material(shown_arguments, focus, conversation), ids, ignored)


def without_material(context: GivenContext, why: str) -> GivenContext:
    """Return what is known without what could not be masked."""
    ignored = [*context.ignored, f"arguments, focus and conversation: {why}"]
    return context._replace(material=_material({}, "", ()), ignored=ignored)


def _material(arguments: Any, focus: str, conversation: Sequence[SaidMessage]) -> dict[str, Any]:
    messages = [list(message) for message in conversation]
    return {"arguments": arguments, "focus": focus, "messages": messages}


def query_of(masked: Mapping[str, Any], tool: ToolId, tokens: int, tokenizer: Tokenizer) -> Query:
    """Return the query of a result; `masked`: the material without its secrets; `tokens`: the limit of the conversation."""
    messages = [SaidMessage(role, text) for role, text in masked["messages"]]
    arguments = json.dumps(
        shortened(masked["arguments"], lambda text: cut(text, MAX_STRING_CHARS)), ensure_ascii=False
    )
    arguments = arguments[:MAX_ARGUMENTS_CHARS]
    conversation = written(messages, tokens, tokenizer)
    call = ToolCall(
        tool.server,
        tool.tool,
        arguments,
        conversation,
        last_request(messages),
        tokenizer.count(arguments) + tokenizer.count(conversation),
    )
    return Query(focus_areas=masked["focus"], tool_call=call)


def shortened(value: Any, cut_text: Callable[[str], str], levels: int = MAX_LEVELS) -> Any:
    """Return a JSON value with its strings cut, and without the later members of long lists and objects."""
    match value:
        case str():
            return cut_text(value)
        case list() | dict() if not levels:
            return "…"
        case list():
            kept = [shortened(each, cut_text, levels - 1) for each in value[:MAX_MEMBERS]]
            return kept if len(value) <= MAX_MEMBERS else [*kept, "…"]
        case dict():
            names, more = list(value), {}
            if len(value) > MAX_MEMBERS:
                # Without these it could not be known whether the others are secret.
                names = sorted(names, key=lambda name: name not in TELLING_NAMES)[:MAX_MEMBERS]
                more = {"…": len(value) - MAX_MEMBERS}
            return {cut_text(name): shortened(value[name], cut_text, levels - 1) for name in names} | more
    return value


def cut(text: str, chars: int) -> str:
    """Return the beginning of a text, with a mark if it is longer."""
    return text if len(text) <= chars else text[:chars] + "…"


def maskable(text: str, chars: int) -> str:
    """Return the beginning of a text, or all of it where what follows may say that there are secrets in it."""
    if len(text) <= chars:
        return text
    if KIND_OF_SECRETS not in text[chars:]:
        return Beginning(text[:chars])
    return text if len(text) <= MAX_MANIFEST_CHARS else "…"


def _kind(value: Any) -> str:
    return f"{len(value)} characters" if isinstance(value, str) else json_type(value)


def client_session_of(context: Context) -> str:
    """Return the session that a request is a part of, as its client calls it; "" where it names none."""
    given = context.meta.get(ID_KEYS["session_id"])
    return given if isinstance(given, str) else ""
