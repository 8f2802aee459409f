"""Those who follow the timeline live: each has a bounded queue, and is cut off when it is full, to catch up from what is kept.

Knows nothing of HTTP, nor of what is sent.
"""

import asyncio
from collections import Counter, deque
from contextlib import suppress
from typing import Any, NamedTuple

# About a minute of a busy session; of a listener that does not read, at most some hundred kilobytes are kept.
MAX_WAITING = 256

# An open page each; more are refused, but to a key that has fewer of them than another one.
MAX_LISTENERS = 64


class TooManyListeners(LookupError):
    """No more listeners are taken now."""


class News(NamedTuple):
    """One message to listeners."""

    kind: str
    data: dict[str, Any]
    change: int | None
    """The number of the change; None for what is not kept."""


class Listener:
    """Follows one session, or all of its owner's."""

    def __init__(self, owner: str, session_id: str | None) -> None:
        self.owner = owner
        self.session_id = session_id
        self._waiting: deque[News] = deque()
        self._changed = asyncio.Event()
        self._closed = False

    def hears(self, owner: str, session_id: str) -> bool:
        """Whether it follows this session."""
        return owner == self.owner and self.session_id in (None, session_id)

    def put(self, news: News) -> None:
        """Add a message; with too many, no more are taken, and the listener ends."""
        if len(self._waiting) >= MAX_WAITING:
            self._waiting.clear()
            self.close()
        if not self._closed:
            self._waiting.append(news)
            self._changed.set()

    def close(self) -> None:
        """Say that no more will come."""
        self._closed = True
        self._changed.set()

    async def get(self, within: float) -> News | None:
        """Return the next message, None once there are no more. Raises TimeoutError if none comes within so many seconds."""
        if not self._waiting and not self._closed:
            self._changed.clear()
            async with asyncio.timeout(within):
                await self._changed.wait()
        return self._waiting.popleft() if self._waiting else None


class Listeners:
    """All who follow."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, None] = {}  # the oldest first
        self._left = asyncio.Event()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._listeners)

    def open(self, owner: str, session_id: str | None) -> Listener:
        """Return a new listener. Raises TooManyListeners."""
        if len(self._listeners) >= MAX_LISTENERS:
            self._make_room(owner)
        listener = Listener(owner, session_id)
        self._listeners[listener] = None
        return listener

    def _make_room(self, owner: str) -> None:
        """End the oldest listener of the owner who has the most, so that no key keeps the others out. Raises TooManyListeners."""
        counts = Counter(each.owner for each in self._listeners)
        ((crowd, most),) = counts.most_common(1)
        # With one less, that owner must still have as many as this one with one more: else they would end each other's for ever.
        if most - 1 < counts[owner] + 1:
            raise TooManyListeners(f"{MAX_LISTENERS} streams of the timeline are open already")
        oldest = next(each for each in self._listeners if each.owner == crowd)
        oldest.close()
        self.leave(oldest)

    def leave(self, listener: Listener) -> None:
        """Forget a listener."""
        self._listeners.pop(listener, None)
        self._left.set()

    def tell(self, owner: str, session_id: str, news: News) -> None:
        """Give a message to those who follow this session."""
        for listener in self._listeners:
            if listener.hears(owner, session_id):
                listener.put(news)

    async def end(self, seconds: float) -> None:
        """End all of them, and give them time to hear that."""
        for listener in self._listeners:
            listener.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._listeners:
                    self._left.clear()
                    await self._left.wait()
