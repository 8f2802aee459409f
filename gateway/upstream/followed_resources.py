"""Follows single resources of one server, in each of its sessions anew: by one subscription (modern), or a request for each (legacy).

What it is told of updates goes another way: Session takes the notifications. Knows no client.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from gateway.upstream.errors import UpstreamError
from gateway.upstream.session import MAX_RESUBSCRIBE_SECONDS, RESUBSCRIBE_SECONDS, Session
from protocol.messages import METHOD_NOT_FOUND, Era

logger = logging.getLogger(__name__)


class FollowedResources:
    """The resources that are followed at a server."""

    def __init__(
        self, sleep: Callable[[float], Coroutine[Any, Any, None]], on_updated: Callable[[str], None]
    ) -> None:
        """`on_updated` is told of resources that may have changed while nobody was told."""
        self._sleep = sleep
        self._on_updated = on_updated
        self._wanted: frozenset[str] = frozenset()
        self._changed = asyncio.Event()
        self._has_followed = False
        self._is_renewed = False

    def follow(self, uris: frozenset[str]) -> None:
        """Follow these resources from now on, and no others."""
        if uris != self._wanted:
            self._wanted = uris
            self._changed.set()

    def note_renewal(self) -> None:
        """Note that the server has forgotten its session: what was followed there is not any more."""
        self._is_renewed = True
        self._changed.set()

    async def keep(self, session: Session) -> None:
        """Follow what is wanted in a session, until cancelled."""
        if self._has_followed:  # in the session before: what has changed since then was not told
            self._tell_all()
        is_modern = session.agreement.era is Era.MODERN
        await (self._subscribe(session) if is_modern else self._request_each(session))

    def _tell_all(self) -> None:
        for uri in sorted(self._wanted):
            self._on_updated(uri)

    async def _next_change(self) -> None:
        await self._changed.wait()
        self._changed.clear()

    # --- Modern ------------------------------------------------------------------------------------------------

    async def _subscribe(self, session: Session) -> None:
        listening: asyncio.Task[None] | None = None
        self._changed.set()
        try:
            while True:
                await self._next_change()
                former, listening = listening, None
                if self._wanted:
                    self._has_followed = True
                    listening = asyncio.create_task(self._listen(session, self._wanted))
                    await asyncio.sleep(0)  # the new one is on its way before the former one ends
                if former is not None:
                    await _ended(former)
        finally:
            if listening is not None:
                await _ended(listening)

    async def _listen(self, session: Session, uris: frozenset[str]) -> None:
        """Hold a subscription open."""
        wait = RESUBSCRIBE_SECONDS
        while True:
            try:
                asked = {"notifications": {"resourceSubscriptions": sorted(uris)}}
                await session.request("subscriptions/listen", asked)
            except UpstreamError as error:
                _log(error)
                if error.code == METHOD_NOT_FOUND:
                    return
            await self._sleep(wait)
            wait = min(2 * wait, MAX_RESUBSCRIBE_SECONDS)
            self._tell_all()

    # --- Legacy ------------------------------------------------------------------------------------------------

    async def _request_each(self, session: Session) -> None:
        followed: set[str] = set()
        self._changed.set()
        while True:
            await self._next_change()
            if self._is_renewed:
                self._is_renewed = False
                followed.clear()
                self._tell_all()
            wanted = self._wanted
            for uri in sorted(wanted - followed):
                self._has_followed = True
                followed.add(uri)
                await _asked(session, "resources/subscribe", uri)
            for uri in sorted(followed - wanted):
                followed.discard(uri)
                await _asked(session, "resources/unsubscribe", uri)


async def _asked(session: Session, method: str, uri: str) -> None:
    try:
        await session.request(method, {"uri": uri})
    except UpstreamError as error:
        _log(error)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def _log(error: UpstreamError) -> None:
    logger.info("upstream_subscription_ended", extra={"fault": error.fault.value, "code": error.code})
