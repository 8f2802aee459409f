"""`subscriptions/listen`: streams that a client holds open to hear of changes, and the hub that tells them.

MCP 2026-07-28, Subscriptions. A stream hears what it asked for and the server can deliver, nothing else; every frame carries
the id of the request that opened it. No I/O: a stream is a `notify` of its transport.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from protocol.messages import (
    INVALID_PARAMS,
    META_SUBSCRIPTION,
    Message,
    Notify,
    RpcError,
    RpcRequest,
    json_type,
    notification,
    object_param,
)

# What can be listened to, and how each is told; the filter's member is true for a kind, and a list for named things.
LIST_CHANGES = {
    "toolsListChanged": "notifications/tools/list_changed",
    "promptsListChanged": "notifications/prompts/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
}
NAMED = {"resourceSubscriptions": "notifications/resources/updated", "taskIds": "notifications/tasks"}

# Nobody follows more at once; it bounds what one stream can make us keep.
MAX_NAMED = 1024


@dataclass(frozen=True)
class Filter:
    """What one stream hears: kinds of changes, and ids or URIs by their member of the filter."""

    kinds: frozenset[str]
    named: Mapping[str, frozenset[str]]

    @classmethod
    def read(cls, wanted: Message) -> "Filter":
        """Read `params.notifications`; unknown members are ignored. Raises RpcError INVALID_PARAMS."""
        for name in LIST_CHANGES:
            if not isinstance(wanted.get(name), bool | None):
                raise _bad(name, "true or false", wanted[name])
        named = {}
        for name in NAMED:
            values = [] if wanted.get(name) is None else wanted[name]
            if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
                raise _bad(name, "an array of strings", wanted[name])
            if len(values) > MAX_NAMED:
                raise RpcError(INVALID_PARAMS, f"Invalid params: notifications.{name}: at most {MAX_NAMED}")
            named[name] = frozenset(values)
        return cls(frozenset(name for name in LIST_CHANGES if wanted.get(name)), named)

    def within(self, announced: Iterable[str], tasks: Iterable[str]) -> "Filter":
        """Return what of it can be delivered: of what the server announces, and of the tasks that are the caller's."""
        announced = set(announced)
        named = {"taskIds": self.named["taskIds"] & set(tasks)}
        if "resourceSubscriptions" in announced:
            named["resourceSubscriptions"] = self.named["resourceSubscriptions"]
        return Filter(self.kinds & announced, named)

    def as_json(self) -> Message:
        """Return it as the acknowledgement tells it: nothing of what is not delivered."""
        kinds: Message = dict.fromkeys(sorted(self.kinds), True)
        return kinds | {name: sorted(values) for name, values in sorted(self.named.items()) if values}

    def wants(self, member: str, name: str | None) -> bool:
        """Whether a change is to be told."""
        return member in self.kinds if name is None else name in self.named.get(member, ())


def _bad(name: str, expected: str, given: Any) -> RpcError:
    return RpcError(
        INVALID_PARAMS, f"Invalid params: notifications.{name}: expected {expected}, got {json_type(given)}"
    )


@dataclass(eq=False)
class _Stream:
    subscription: str | int
    filter: Filter
    notify: Notify
    ended: asyncio.Future[None]

    def tell(self, method: str, params: Message) -> None:
        meta = {**params.get("_meta", {}), META_SUBSCRIPTION: self.subscription}
        self.notify(notification(method, {**params, "_meta": meta}))


class Hub:
    """The open streams. `publish` tells those that want to know; `close` ends all of them in an orderly way."""

    def __init__(self) -> None:
        self._streams: set[_Stream] = set()
        self._heard: Counter[tuple[str, str]] = Counter()
        self._closed = False

    @property
    def open_streams(self) -> int:
        return len(self._streams)

    def publish(self, member: str, params: Message | None = None, name: str | None = None) -> None:
        """Tell a change: `member` is that of the filter, `name` the task or resource it is about."""
        method = LIST_CHANGES.get(member) or NAMED[member]
        for stream in self._streams:
            if stream.filter.wants(member, name):
                stream.tell(method, params or {})

    def is_heard(self, member: str, name: str) -> bool:
        """Whether anybody listens to a task or resource."""
        return self._heard[member, name] > 0

    async def listen(
        self, request: RpcRequest, wanted: Filter, notify: Notify, tasks: Iterable[Message] = ()
    ) -> Message:
        """Acknowledge, tell how these tasks stand, then tell changes until `close`; returns the result that ends the stream."""
        stream = _Stream(request.id, wanted, notify, asyncio.get_running_loop().create_future())
        # Before the acknowledgement: whoever reads it has missed nothing since.
        self._streams.add(stream)
        names = [(member, name) for member, listed in wanted.named.items() for name in listed]
        self._heard.update(names)
        try:
            stream.tell("notifications/subscriptions/acknowledged", {"notifications": wanted.as_json()})
            for task in tasks:  # one may have ended before anybody listened
                stream.tell(NAMED["taskIds"], task)
            if not self._closed:
                await stream.ended
        finally:
            self._streams.discard(stream)
            self._heard.subtract(names)
            for each in names:
                if not self._heard[each]:
                    del self._heard[each]
        return {"_meta": {META_SUBSCRIPTION: request.id}}

    def close(self) -> None:
        """End every stream, those to come as well."""
        self._closed = True
        for stream in self._streams:
            if not stream.ended.done():
                stream.ended.set_result(None)


def read_filter(request: RpcRequest) -> Filter:
    """Return what a client wants to hear. Raises RpcError INVALID_PARAMS."""
    if not isinstance(request.params.get("notifications"), dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: subscriptions/listen needs an object notifications")
    return Filter.read(object_param(request, "notifications"))
