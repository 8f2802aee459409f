"""`subscriptions/listen`: streams that clients hold open to get notifications of changes, and the hub that sends them.

MCP 2026-07-28, Subscriptions. A stream gets the notifications that it asked for and the server can deliver, no others; each
carries the id of the request that opened the stream. No I/O: a stream is its transport's `notify` function.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
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

# The members of a filter and their notifications: true for a kind of change; for tasks and resources, a list of names.
LIST_CHANGES = {
    "toolsListChanged": "notifications/tools/list_changed",
    "promptsListChanged": "notifications/prompts/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
}
NAMED = {"resourceSubscriptions": "notifications/resources/updated", "taskIds": "notifications/tasks"}

# No client follows more at once; it bounds the memory of one stream.
MAX_NAMED = 1024


@dataclass(frozen=True)
class Filter:
    """The notifications that one stream gets: kinds of changes, and task ids or URIs by their member of the filter."""

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

    def within(
        self,
        announced: Iterable[str],
        tasks: Iterable[str],
        tells_updates: Callable[[str], bool] = lambda uri: True,
    ) -> "Filter":
        """Return the part that can be delivered: what the server announces, of tasks the caller's own, of resources those of which it tells."""
        announced = set(announced)
        named = {"taskIds": self.named["taskIds"] & set(tasks)}
        if "resourceSubscriptions" in announced:
            followed = filter(tells_updates, self.named["resourceSubscriptions"])
            named["resourceSubscriptions"] = frozenset(followed)
        return Filter(self.kinds & announced, named)

    def as_json(self) -> Message:
        """Return it as JSON for the acknowledgement."""
        kinds: Message = dict.fromkeys(sorted(self.kinds), True)
        return kinds | {name: sorted(values) for name, values in sorted(self.named.items()) if values}

    def wants(self, member: str, name: str | None) -> bool:
        """Whether the filter includes a change."""
        return member in self.kinds if name is None else name in self.named.get(member, ())


def _bad(name: str, expected: str, given: Any) -> RpcError:
    return RpcError(
        INVALID_PARAMS, f"Invalid params: notifications.{name}: expected {expected}, got {json_type(given)}"
    )


OnNamesChanged = Callable[[Collection[str], Collection[str]], None]
"""Takes the names that streams begin to listen to, and those that none listens to any more."""


@dataclass(eq=False)
class _Stream:
    subscription: str | int
    filter: Filter
    notify: Notify
    ended: asyncio.Future[None]

    def send(self, method: str, params: Message) -> None:
        meta = {**params.get("_meta", {}), META_SUBSCRIPTION: self.subscription}
        self.notify(notification(method, {**params, "_meta": meta}))


class Hub:
    """The open streams. `publish` notifies those whose filter includes a change; `close` ends all of them with a result."""

    def __init__(self) -> None:
        self._streams: set[_Stream] = set()
        self._listeners: Counter[tuple[str, str]] = Counter()
        self._closed = False
        self._watchers: dict[str, OnNamesChanged] = {}

    def watch_names(self, member: str, on_changed: OnNamesChanged) -> None:
        """Tell a function which tasks or resources streams begin to listen to, and which none listens to any more."""
        self._watchers[member] = on_changed

    @property
    def open_streams(self) -> int:
        return len(self._streams)

    def publish(self, member: str, params: Message | None = None, name: str | None = None) -> None:
        """Send a notification: `member` is that of the filter, `name` the task or resource that has changed."""
        method = LIST_CHANGES.get(member) or NAMED[member]
        for stream in self._streams:
            if stream.filter.wants(member, name):
                stream.send(method, params or {})

    def names(self, member: str) -> list[str]:
        """Return the tasks or resources that streams listen to."""
        return [name for kind, name in self._listeners if kind == member]

    def has_listener(self, member: str, name: str) -> bool:
        """Whether any stream listens to a task or resource."""
        return self._listeners[member, name] > 0

    async def listen(
        self, request: RpcRequest, wanted: Filter, notify: Notify, tasks: Iterable[Message] = ()
    ) -> Message:
        """Acknowledge, send the state of these tasks, then changes until `close`; return the result that ends the stream."""
        stream = _Stream(request.id, wanted, notify, asyncio.get_running_loop().create_future())
        # Before the acknowledgement, so that no change after it is missed.
        self._streams.add(stream)
        self._count_names(wanted)
        try:
            stream.send("notifications/subscriptions/acknowledged", {"notifications": wanted.as_json()})
            for task in tasks:  # a task may have ended before the stream was opened
                stream.send(NAMED["taskIds"], task)
            if not self._closed:
                await stream.ended
        finally:
            self._streams.discard(stream)
            self._uncount_names(wanted)
        return {"_meta": {META_SUBSCRIPTION: request.id}}

    def _count_names(self, wanted: Filter) -> None:
        for member, names in wanted.named.items():
            new = [name for name in names if not self._listeners[member, name]]
            self._listeners.update((member, name) for name in names)
            if new and member in self._watchers:
                self._watchers[member](new, ())

    def _uncount_names(self, wanted: Filter) -> None:
        for member, names in wanted.named.items():
            self._listeners.subtract((member, name) for name in names)
            gone = [name for name in names if not self._listeners[member, name]]
            for name in gone:
                del self._listeners[member, name]
            if gone and member in self._watchers:
                self._watchers[member]((), gone)

    def close(self) -> None:
        """End every stream, and at once each that is opened later."""
        self._closed = True
        for stream in self._streams:
            if not stream.ended.done():
                stream.ended.set_result(None)


def read_filter(request: RpcRequest) -> Filter:
    """Return the filter of a request. Raises RpcError INVALID_PARAMS."""
    if not isinstance(request.params.get("notifications"), dict):
        raise RpcError(INVALID_PARAMS, "Invalid params: subscriptions/listen needs an object notifications")
    return Filter.read(object_param(request, "notifications"))
