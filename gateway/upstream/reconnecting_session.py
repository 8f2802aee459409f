"""The session with one upstream server, begun in the background, and again after each end; the server's state. Takes nothing else down.

How one session is opened, and what is sent over it, is upstream_server.py's part.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Literal

from gateway.server_spec import ServerSpec
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import UpstreamError, UpstreamFault, kind_and_place
from gateway.upstream.session import Session
from protocol.messages import Era
from provider.backoff import backoff

logger = logging.getLogger(__name__)

# Before a server is started, or connected to, again: doubled each time, up to the maximum.
FIRST_WAIT_SECONDS = 0.5
MAX_WAIT_SECONDS = 60.0
# After a server was ready for so long, the waits begin anew.
STABLE_SECONDS = 60.0

Sleep = Callable[[float], Coroutine[Any, Any, None]]

OpenSession = Callable[[Era | None], AbstractAsyncContextManager[Session]]
"""Begins a session in this era, or in the one that is found. Raises UpstreamError."""


@dataclass(frozen=True)
class UpstreamState:
    """What /health and the check command say of a server."""

    status: Literal["starting", "ready", "down"]
    era: Era | None = None
    version: str = ""
    started_seconds: float | None = None
    """How long its last start took."""
    error: str = ""
    """Why it is down."""
    left_out: Mapping[str, str] | None = None
    """Tools that cannot be offered, with the reason."""


class ReconnectingSession:
    """The session with one server, as long as it is open."""

    def __init__(
        self,
        spec: ServerSpec,
        open_session: OpenSession,
        redaction: Redaction,
        *,
        clock: Callable[[], float],
        sleep: Sleep,
        uniform: Callable[[float, float], float],
    ) -> None:
        self._spec = spec
        self._open_session = open_session
        self._redaction = redaction
        self._clock, self._sleep, self._uniform = clock, sleep, uniform
        self.state = UpstreamState("starting")
        """How the server is."""
        self._changed = asyncio.Event()
        self._era: Era | None = None
        self._ready_since: float | None = None
        self._is_closed = False
        self.current: Session | None = None
        """The session that goes on; None while the server is starting or down."""

    async def ready(self) -> Session:
        """Wait for a start that goes on. Raises UpstreamError DOWN if it has failed."""
        while self.current is None:
            if self.state.status == "down":
                raise UpstreamError(
                    UpstreamFault.DOWN, f"is down and is tried again in the background: {self.state.error}"
                )
            await self._changed.wait()
        return self.current

    async def after(self, former: Session) -> Session:
        """Return the session that goes on, or the one that follows it, however often it must be tried."""
        while self.current is None or (self.current is former and former.is_over):
            if self._is_closed:
                raise UpstreamError(UpstreamFault.DOWN, "was closed")
            await self._changed.wait()
        return self.current

    async def run(self) -> None:
        """Connect, and connect again after each end, until cancelled."""
        waits = backoff(self._uniform, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS)
        while True:
            self._ready_since = None
            error = await self._connected_once()
            if self._was_stable():
                waits = backoff(self._uniform, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS)
            self.current = None
            self._set(replace(self.state, status="down", error=error))
            logger.warning("upstream_down", extra={"upstream": self._spec.name, "error": error})
            await self._sleep(next(waits))
            self._set(replace(self.state, status="starting"))

    async def _connected_once(self) -> str:
        """Connect and stay so; return what ended it."""
        try:
            return await self._served_in_its_era(self._clock())
        except UpstreamError as error:
            return self._redaction.shown(str(error))
        except Exception as fault:  # noqa: BLE001 - whatever it is: one server must not take the others down
            extra = {"upstream": self._spec.name, "error": kind_and_place(fault)}
            logger.error("upstream_failed", extra=extra)  # noqa: TRY400 - the traceback may show what was sent
            return "failed for a reason that the log tells"

    async def _served_in_its_era(self, begun: float) -> str:
        """Serve in the era that is known or found. Raises UpstreamError."""
        try:
            return await self._served(begun, self._era)
        except UpstreamError as error:
            # A server of the legacy era may end when it is asked what it does not know: its new process is not asked.
            has_ended = error.fault in (UpstreamFault.DOWN, UpstreamFault.OUTCOME_UNKNOWN)
            if not (has_ended and self._spec.command and self._era is None):
                raise
        return await self._served(begun, Era.LEGACY)

    async def _served(self, begun: float, era: Era | None) -> str:
        async with self._open_session(era) as session:
            agreement = session.agreement
            self._era = agreement.era
            self._ready_since = self._clock()
            self.current = session
            self._set(
                replace(
                    self.state,
                    status="ready",
                    era=agreement.era,
                    version=agreement.version,
                    started_seconds=self._ready_since - begun,
                    error="",
                )
            )
            try:
                return await session.ended()
            finally:
                self.current = None

    def _was_stable(self) -> bool:
        return self._ready_since is not None and self._clock() - self._ready_since >= STABLE_SECONDS

    def _set(self, state: UpstreamState) -> None:
        self.state = state
        self._changed.set()
        self._changed = asyncio.Event()

    def close(self) -> None:
        """End what waits for it."""
        self._is_closed = True
        self._set(UpstreamState("down", error="was closed"))
