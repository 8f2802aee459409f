"""A server of which each session has a connection of its own, as a browser needs it, closed when it is idle. One more is for its tools.

Each is an Upstream; a process of the server runs for each. Knows nothing of who a session belongs to: its name says so.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from gateway.server_spec import ServerSpec
from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.oauth import open_tokens
from gateway.upstream.redaction import Redaction
from gateway.upstream.upstream_server import Sleep, Upstream, open_upstream
from protocol.messages import Message

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


class SessionUpstream(Upstream):
    """A server whose calls, and requests, go over connections of their sessions; lists come over its own."""

    def __init__(
        self, *arguments: Any, open_one: Callable[[], AbstractAsyncContextManager[Upstream]], **options: Any
    ) -> None:
        """`open_one` opens a session's connection, at once; the others are those of Upstream."""
        super().__init__(*arguments, **options)
        self._open_one = open_one
        self._by_session: dict[str, _Connection] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def call(self, name: str, arguments: Message, *, session: str = "", **options: Any) -> Message:
        """Call a tool over a session's connection; as Upstream.call."""
        self.count_call()
        async with self._used(session) as upstream:
            return await upstream.call(name, arguments, **options)

    async def request(
        self, method: str, params: Message, *, capabilities: Message | None = None, session: str = ""
    ) -> Message:
        """Send a request over a session's connection; as Upstream.request."""
        async with self._used(session) as upstream:
            return await upstream.request(method, params, capabilities=capabilities)

    @asynccontextmanager
    async def _used(self, session: str) -> AsyncIterator[Upstream]:
        """Yield a session's connection, which is not closed meanwhile."""
        connection = await self._connection_of(session)
        connection.calls += 1
        try:
            yield connection.upstream
        finally:
            connection.calls -= 1
            connection.used = self._clock()

    async def _connection_of(self, session: str) -> _Connection:
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
                f"{self.name}: was not called: {MAX_SESSIONS} sessions use it already (isolation); try again later",
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
        """Close all connections."""
        await super().close()
        for session in list(self._by_session):
            self._close(session)
        if self._closing:
            await asyncio.wait(self._closing)


@asynccontextmanager
async def open_session_upstream(
    spec: ServerSpec, *, sleep: Sleep = asyncio.sleep, **options: Any
) -> AsyncIterator[Upstream]:
    """Open a server of which each session has a connection of its own; the options are those of open_upstream."""
    redaction = Redaction(spec, options.get("mask", str))
    # `SessionUpstream.call` counts the calls of all sessions together, so their connections have no limit of their own. Changed lists are
    # announced by the server's own connection alone.
    of_sessions = replace(spec, max_calls_per_minute=None)
    own = {
        name: value
        for name, value in options.items()
        if name not in ("on_tools_changed", "on_others_changed")
    }
    async with open_tokens(spec.auth, redaction, options["clock"]) as tokens:
        shared: dict[str, Any] = {"sleep": sleep, "redaction": redaction, "tokens": tokens}

        def open_one() -> AbstractAsyncContextManager[Upstream]:
            return open_upstream(of_sessions, **own, **shared)

        def make(*arguments: Any, **more: Any) -> SessionUpstream:
            return SessionUpstream(*arguments, open_one=open_one, **more)

        async with open_upstream(spec, make=make, **options, **shared) as upstream:
            looking = asyncio.create_task(_close_idle(upstream, sleep), name=f"idle sessions of {spec.name}")
            try:
                yield upstream
            finally:
                looking.cancel()
                await asyncio.wait({looking})


async def _close_idle(upstream: Upstream, sleep: Sleep) -> None:
    if isinstance(upstream, SessionUpstream):
        await upstream.close_idle(sleep)
