"""W3C Trace Context: extracts a call's trace, adds it to log lines, and propagates it to the model's provider.

Follows https://www.w3.org/TR/trace-context-2/. Only continues a caller's trace: none is started here, and no span is exported.
Invalid values are ignored, as the recommendation asks. Randomness is an argument.
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
# 32 members of the longest kind, "key=value" with 256 characters each side, and the commas between. A longer value is ignored
# unread: a body may carry megabytes of it, and parsing them would delay all requests.
MAX_STATE_INPUT_CHARS = MAX_STATE_MEMBERS * (256 + 1 + 256) + MAX_STATE_MEMBERS - 1
# "Vendors SHOULD propagate at least 512 characters of a combined header." No more are sent: a provider may refuse long headers.
MAX_STATE_CHARS = 512
# "Entries larger than 128 characters long SHOULD be removed first."
LARGE_MEMBER_CHARS = 128

# The format of version 00; a later version may have further fields after a dash.
_PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?", re.DOTALL)

_KEY = r"[a-z0-9][a-z0-9_\-*/@]{0,255}"
_VALUE = r"[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]"
_MEMBER = re.compile(f"({_KEY})={_VALUE}")


@dataclass(frozen=True, slots=True)
class Trace:
    """A call's span in its caller's trace."""

    trace_id: str
    parent_id: str
    """The caller's own span."""
    span_id: str
    """This call's span: log lines name it, and it is the parent of the requests to the provider."""
    flags: int
    state: str

    def headers(self) -> dict[str, str]:
        """Return the headers that propagate the trace."""
        headers = {TRACEPARENT: f"00-{self.trace_id}-{self.span_id}-{self.flags:02x}"}
        return {**headers, TRACESTATE: self.state} if self.state else headers

    def fields(self) -> dict[str, str]:
        """Return the trace's fields for a log line."""
        return {"trace_id": self.trace_id, "span_id": self.span_id, "parent_span_id": self.parent_id}


NewSpanId = Callable[[], str]


def new_span_id() -> str:
    """Return a random span id."""
    return secrets.token_hex(SPAN_ID_BYTES)


# --- Incoming -----------------------------------------------------------------------------------------------------


def extract(
    meta: Mapping[str, Any], headers: Mapping[str, Sequence[str]], new_id: NewSpanId = new_span_id
) -> Trace | None:
    """Return the trace of a request, from its `_meta` (MCP 2026-07-28) or else its HTTP headers; None without one."""
    if TRACEPARENT in meta:
        found = _trace([meta[TRACEPARENT]], [meta.get(TRACESTATE)], new_id)
        if found:
            return found
    parents = headers.get(TRACEPARENT)
    return _trace(parents, headers.get(TRACESTATE, ()), new_id) if parents else None


def _trace(parents: Sequence[Any], states: Sequence[Any], new_id: NewSpanId) -> Trace | None:
    # With two traceparents neither is used, as the recommendation's own tests expect.
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
    """Return the tracestate to propagate: "" if it is invalid, shortened if it is long."""
    if len(text) > MAX_STATE_INPUT_CHARS:
        return ""
    members = [member.strip(" \t") for member in text.split(",")]
    members = [member for member in members if member]  # "empty list members are allowed"
    keys = {found[1] for member in members if (found := _MEMBER.fullmatch(member))}
    if len(keys) < len(members) or len(members) > MAX_STATE_MEMBERS:  # not a member at all, or one key twice
        return ""
    if len(",".join(members)) > MAX_STATE_CHARS:
        members = [member for member in members if len(member) <= LARGE_MEMBER_CHARS]
    while len(",".join(members)) > MAX_STATE_CHARS:
        members.pop()  # the rightmost is the least recently changed
    return ",".join(members)


# --- Propagation --------------------------------------------------------------------------------------------------

# A context variable is no shared state: each call has its own value, and the tasks it starts inherit it.
_CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)


class use_trace:  # noqa: N801 - used like a function; a generator-based one takes three times as long, in every request
    """Make a trace, or none, the current one within the block, and in the tasks that start in it."""

    __slots__ = ("_before", "_trace")

    def __init__(self, trace: Trace | None) -> None:
        self._trace = trace

    def __enter__(self) -> None:
        self._before = _CURRENT.set(self._trace)

    def __exit__(self, *problem: object) -> None:
        _CURRENT.reset(self._before)


def outgoing_headers() -> dict[str, str]:
    """Return the headers that propagate the current trace; none without a trace."""
    trace = _CURRENT.get()
    return trace.headers() if trace else {}


def log_fields() -> dict[str, str]:
    """Return the current trace's fields for a log line; none without a trace."""
    trace = _CURRENT.get()
    return trace.fields() if trace else {}
