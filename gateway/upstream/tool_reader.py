"""Reads a server's tools when it has started, and again when they have changed or run out; knows until then what was kept of them.

Calls none of them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from gateway.server_spec import ServerSpec
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.session import Session
from gateway.upstream.tool_list import ToolList, read_tools
from protocol.messages import Message

logger = logging.getLogger(__name__)

OnToolsChanged = Callable[[], None]
MaskTools = Callable[[tuple[Message, ...]], Awaitable[tuple[Message, ...]]]
"""Masks the secrets in definitions. Raises UpstreamError."""
KeptTools = Callable[[], Awaitable[tuple[Message, ...]]]
"""Returns the masked tools that a server had when the service ran before."""

# However short a list holds: between two readings of it, which every request of a client may start.
LEAST_TTL_SECONDS = 5.0


class ToolReader:
    """The tools of one server."""

    def __init__(
        self,
        spec: ServerSpec,
        *,
        clock: Callable[[], float],
        redaction: Redaction,
        mask: MaskTools,
        kept: KeptTools,
        on_changed: OnToolsChanged,
    ) -> None:
        self._spec = spec
        self._clock = clock
        self._redaction = redaction
        self._mask = mask
        self._kept = kept
        self._on_changed = on_changed
        self._session: Session | None = None
        self._is_stale = False
        self._expires: float | None = None
        self._last_read = 0.0
        self._reading: asyncio.Task[None] | None = None
        self.known = ToolList()
        """The tools when they were last read."""

    async def restore(self) -> None:
        """Know the tools that were kept, until they are read."""
        self.known = ToolList(await self._kept())

    def begin(self, session: Session) -> None:
        """Follow the changes that are announced in a session, whose tools have been read."""
        self._session = session
        if self._is_stale:  # they changed while they were read for the first time
            self._rereading(session)

    def end(self) -> None:
        """The session is over."""
        self._session = None

    def note_change(self) -> None:
        """Read the tools again: the server says that they have changed."""
        self._is_stale = True
        if self._session is not None:
            self._rereading(self._session)

    def renew(self) -> None:
        """Begin to read the tools again if they have run out or could not be read; wait for nothing."""
        if self._session is not None and self._clock() >= self._last_read + LEAST_TTL_SECONDS:
            self._note_age()
            if self._is_stale:
                self._rereading(self._session)

    async def refresh(self, session: Session) -> None:
        """Read the tools again if they have changed or run out. Raises UpstreamError."""
        self._note_age()
        if self._is_stale:
            await asyncio.shield(self._rereading(session))

    def _note_age(self) -> None:
        if self._expires is not None and self._clock() >= self._expires:
            self._is_stale = True

    async def read(self, session: Session) -> None:
        """Read the tools. Raises UpstreamError."""
        self._is_stale = False
        self._last_read = self._clock()
        try:
            tools, ttl_seconds = await read_tools(session)
            shown = self._redaction.shown
            tools = replace(
                tools,
                tools=await self._mask(tools.tools),
                left_out={shown(name): shown(why) for name, why in tools.left_out.items()},
            )
        except BaseException:
            self._is_stale = True
            raise
        has_changed = tools != self.known
        self.known = tools
        self._expires = None if ttl_seconds is None else self._clock() + ttl_seconds
        if has_changed:
            self._on_changed()

    async def close(self) -> None:
        """End a reading that goes on."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})

    def _rereading(self, session: Session) -> asyncio.Task[None]:
        """Return the task that reads the tools, for all who wait for them."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._reread(session))
            self._reading.add_done_callback(self._log_failed_reading)
        return self._reading

    async def _reread(self, session: Session) -> None:
        seconds = self._spec.timeout_seconds
        # However many changes are announced meanwhile, one more reading covers them.
        while self._is_stale and session is self._session:
            try:
                async with asyncio.timeout(seconds):
                    await self.read(session)
            except TimeoutError:
                why = f"did not list its tools within {seconds:g} seconds (timeout_seconds)"
                raise UpstreamError(UpstreamFault.TIMEOUT, why) from None

    def _log_failed_reading(self, reading: asyncio.Task[None]) -> None:
        if not reading.cancelled() and (error := reading.exception()):
            logger.warning(
                "upstream_tools_not_read",
                extra={"upstream": self._spec.name, "error": self._redaction.shown(str(error))},
            )
