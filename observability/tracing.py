"""W3C Trace Context: which trace a call belongs to, what log lines say of it, and what goes on to the model's provider.

Follows https://www.w3.org/TR/trace-context-2/. The trace is the caller's: none is begun here, and no span is reported
anywhere. What is not valid is ignored, as the recommendation asks. Randomness is an argument.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

TRACEPARENT, TRACESTATE = "traceparent", "tracestate"
HEADERS = (TRACEPARENT, TRACESTATE)

SPAN_ID_BYTES = 8

# sampled, and random-trace-id. "The behavior of other flags is not defined ... vendors MUST set those to zero."
KNOWN_FLAGS = 0b11

# "There can be a maximum of 32 list-members in a list."
MAX_STATE_MEMBERS = 32
# So many of the longest members, "key=value" of 256 characters each side, and the commas between: what is longer is not
# looked at. A body may carry megabytes of it, and all requests wait while they are searched.
MOST_STATE_CHARS = MAX_STATE_MEMBERS * (256 + 1 + 256) + MAX_STATE_MEMBERS - 1
# "Vendors SHOULD propagate at least 512 characters of a combined header." No more: a provider may refuse long headers.
MAX_STATE_CHARS = 512
# "Entries larger than 128 characters long SHOULD be removed first."
LARGE_MEMBER_CHARS = 128

# Of version 00; a later one may have more behind it, after a dash.
_PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.DOTALL)

_KEY = r"[a-z0-9][a-z0-9_\-*/@]{0,255}"
_VALUE = r"[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
_MEMBER = re.compile(f"({_KEY})={_VALUE}")


@dataclass(frozen=True, slots=True)
class Trace:
    """A call's place in its caller's trace."""

    trace_id: str
    parent_id: str
    """The caller's own span."""
    span_id: str
    """What this call is, for whoever it asks: the span that log lines name, and that the provider is told."""
    flags: int
    state: str

    def headers(self) -> dict[str, str]:
        """Return what goes on to whoever is asked on the call's behalf."""
        sent = {TRACEPARENT: f"00-{self.trace_id}-{self.span_id}-{self.flags:02x}"}
        return {**sent, TRACESTATE: self.state} if self.state else sent

    def fields(self) -> dict[str, str]:
        """Return what a log line says of it."""
        return {"trace_id": self.trace_id, "span_id": self.span_id, "parent_span_id": self.parent_id}


NewSpanId = Callable[[], str]


def new_span_id() -> str:
    """Return a random span id."""
    return secrets.token_hex(SPAN_ID_BYTES)


# --- What came ----------------------------------------------------------------------------------------------------


def find(
    meta: Mapping[str, Any], headers: Mapping[str, Sequence[str]], new_id: NewSpanId = new_span_id
) -> Trace | None:
    """Return the trace of a request, by its `_meta` (MCP 2026-07-28) or else its HTTP headers; None where there is none."""
    if TRACEPARENT in meta:
        found = _trace([meta[TRACEPARENT]], [meta.get(TRACESTATE)], new_id)
        if found:
            return found
    parents = headers.get(TRACEPARENT)
    return _trace(parents, headers.get(TRACESTATE, ()), new_id) if parents else None


def _trace(parents: Sequence[Any], states: Sequence[Any], new_id: NewSpanId) -> Trace | None:
    # Of two there is no telling which is the caller's: the recommendation's own tests expect that neither is used.
    if len(parents) != 1 or not isinstance(parents[0], str):
        return None
    parts = _PARENT.fullmatch(parents[0])
    if parts is None:
        return None
    version, trace_id, parent_id, flags, more = parts.groups()
    if version == "ff" or (version == "00" and more is not None):
        return None
    if not trace_id.strip("0") or not parent_id.strip("0"):
        return None
    text = ",".join(state for state in states if isinstance(state, str))
    return Trace(trace_id, parent_id, new_id(), int(flags, 16) & KNOWN_FLAGS, _state(text))


def _state(text: str) -> str:
    """Return what is carried on of a tracestate: "" where it is not valid, less where it is very long."""
    if len(text) > MOST_STATE_CHARS:
        return ""
    members = [member.strip(" \t") for member in text.split(",")]
    members = [member for member in members if member]  # "empty list members are allowed"
    keys = {found[1] for member in members if (found := _MEMBER.fullmatch(member))}
    if len(keys) < len(members) or len(members) > MAX_STATE_MEMBERS:  # not a member at all, or one key twice
        return ""
    if len(",".join(members)) > MAX_STATE_CHARS:
        members = [member for member in members if len(member) <= LARGE_MEMBER_CHARS]
    while len(",".join(members)) > MAX_STATE_CHARS:
        members.pop()  # the rightmost is the one that was changed longest ago
    return ",".join(members)


# --- What goes on -------------------------------------------------------------------------------------------------

# No state of the module's: each call has its own, and the tasks it begins inherit it.
_CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)


class following:  # noqa: N801 - it is used as a function; one with a generator takes three times as long, in every request
    """Be on behalf of a trace, or of none, for as long as the block lasts, and in the tasks that begin in it."""

    __slots__ = ("_before", "_trace")

    def __init__(self, trace: Trace | None) -> None:
        self._trace = trace

    def __enter__(self) -> None:
        self._before = _CURRENT.set(self._trace)

    def __exit__(self, *problem: object) -> None:
        _CURRENT.reset(self._before)


def outgoing_headers() -> dict[str, str]:
    """Return the headers of a request on behalf of the current call; none where the caller sent no trace."""
    trace = _CURRENT.get()
    return trace.headers() if trace else {}


def log_fields() -> dict[str, str]:
    """Return what a log line on behalf of the current call says of its trace; nothing where there is none."""
    trace = _CURRENT.get()
    return trace.fields() if trace else {}
