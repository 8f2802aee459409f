"""The connections of the sessions of one server, or of the keys, where each has one of its own; idle ones are closed.

Each is an Upstream; a process of the server runs for each. Knows nothing of who a session belongs to: its name says so. The server's
own connection, over which its tools are listed, is none of these.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.reconnecting_session import Sleep
from gateway.upstream.upstream_server import Upstream

# A connection that was idle for IDLE_SECONDS is closed; idle ones are looked for every LOOK_SECONDS.
IDLE_SECONDS = 900.0
LOOK_SECONDS = 30.0
# Of one server. For one more the longest idle one is closed.
MAX_SESSIONS = 32


class _Connection:
    """One session's connection."""

    def __init__(self, upstream: Upstream, stack: AsyncExitStack, now: float) -> None:
        self.upstream = upstream
        self.stack = stack
        self.calls = 0
        self.used = now


class SessionConnections:
    """The connections of a server's sessions, by the names of these."""

    def __init__(
        self,
        name: str,
        open_one: Callable[[], AbstractAsyncContextManager[Upstream]],
        clock: Callable[[], float],
    ) -> None:
        """`name` is the server's; `open_one` opens a session's connection, at once."""
        self._name = name
        self._open_one = open_one
        self._clock = clock
        self._by_session: dict[str, _Connection] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[Upstream]:
        """Yield a session's connection, which is not closed meanwhile. Raises UpstreamError where all are in use."""
        connection = await self._connection_of(session)
        connection.calls += 1
        try:
            yield connection.upstream
        finally:
            connection.calls -= 1
            connection.used = self._clock()

    async def _connection_of(self, session: str) -> _Connection:
        if self._is_closed:
            raise UpstreamError(UpstreamFault.DOWN, f"{self._name}: was closed")
        if session not in self._by_session:
            if len(self._by_session) >= MAX_SESSIONS:
                self._close(self._longest_idle())
            # subtle: opening waits for nothing, so that two first calls of a session do not open two.
            stack = AsyncExitStack()
            upstream = await stack.enter_async_context(self._open_one())
            self._by_session[session] = _Connection(upstream, stack, self._clock())
        return self._by_session[session]

    def _longest_idle(self) -> str:
        idle = [session for session, each in self._by_session.items() if not each.calls]
        if not idle:
            raise UpstreamError(
                UpstreamFault.DOWN,
                f"{self._name}: was not called: {MAX_SESSIONS} keys or sessions use it already (isolation); try again later",
            )
        return min(idle, key=lambda session: self._by_session[session].used)

    def _close(self, session: str) -> None:
        closing = asyncio.create_task(self._by_session.pop(session).stack.aclose())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def close_idle(self, sleep: Sleep) -> None:
        """Close what was not used for IDLE_SECONDS, until cancelled."""
        while True:
            await sleep(LOOK_SECONDS)
            last = self._clock() - IDLE_SECONDS
            for session, each in list(self._by_session.items()):
                if not each.calls and each.used <= last:
                    self._close(session)

    async def close(self) -> None:
        """Close all of them, and open no more."""
        self._is_closed = True
        for session in list(self._by_session):
            self._close(session)
        if self._closing:
            await asyncio.wait(self._closing)


@asynccontextmanager
async def open_session_connections(
    name: str,
    open_one: Callable[[], AbstractAsyncContextManager[Upstream]],
    *,
    clock: Callable[[], float],
    sleep: Sleep = asyncio.sleep,
) -> AsyncIterator[SessionConnections]:
    """Open the connections of a server's sessions, of which there are none yet; close them at the end of the block."""
    connections = SessionConnections(name, open_one, clock)
    closing_idle = asyncio.create_task(connections.close_idle(sleep), name=f"idle sessions of {name}")
    try:
        yield connections
    finally:
        closing_idle.cancel()
        await asyncio.wait({closing_idle})
        await connections.close()
