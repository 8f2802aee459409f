"""The headers of a client that may be sent on to servers, during its request. Which server gets which is its own `forward_headers`.

They stand in a context variable, as the current trace does: what runs a call knows nothing of HTTP.
"""

from collections.abc import Collection, Mapping
from contextvars import ContextVar

_CURRENT: ContextVar[Mapping[str, str]] = ContextVar("forwarded_headers", default={})  # noqa: B039 - never changed

Headers = Mapping[str, str]


def take_headers(headers: Headers, allowed: Collection[str]) -> None:
    """Remember those of a request's headers that some server may get, in lower case, for the rest of this task and those it begins."""
    given: dict[str, str] = {}
    for name, value in headers.items() if allowed else ():
        lower = name.lower()
        if lower in allowed and value.isascii() and value.isprintable():
            # RFC 9110, 5.2: lines of one name are one list.
            given[lower] = f"{given[lower]}, {value}" if lower in given else value
    _CURRENT.set(given)


def current_headers() -> Headers:
    """Return what was remembered of the request that is served."""
    return _CURRENT.get()
