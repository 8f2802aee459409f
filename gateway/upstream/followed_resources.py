"""Follows single resources of one server, in each of its sessions anew: by few subscriptions (modern), or a request for each (legacy).

What it is told of updates goes another way: Session takes the notifications. Knows no client.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from gateway.upstream.errors import UpstreamError
from gateway.upstream.session import Session
from protocol.messages import Era
from protocol.subscriptions import MAX_NAMED

logger = logging.getLogger(__name__)


class FollowedResources:
    """The resources that are followed at a server."""

    def __init__(self, timeout_seconds: float, on_updated: Callable[[str], None]) -> None:
        """`timeout_seconds`: for a request of the legacy era; `on_updated` is told of resources that may have changed while nobody was told."""
        self._timeout_seconds = timeout_seconds
        self._on_updated = on_updated
        self._wanted: set[str] = set()
        self._unsettled: set[str] = set()
        """Those that may have to be followed, or no longer."""
        self._changed = asyncio.Event()
        self._has_followed = False
        self._is_renewed = False

    def follow(self, added: Collection[str], removed: Collection[str]) -> None:
        """Follow some resources from now on, and some no longer."""
        self._wanted.update(added)
        self._wanted.difference_update(removed)
        self._unsettled.update(added, removed)
        self._changed.set()

    def note_renewal(self) -> None:
        """Note that the server has forgotten its session: what was followed there is not any more."""
        self._is_renewed = True
        self._changed.set()

    async def keep(self, session: Session) -> None:
        """Follow what is wanted in a session, until cancelled."""
        if self._has_followed:  # in the session before: what has changed since then was not told
            self._tell(self._wanted)
        self._unsettled = set(self._wanted)
        self._changed.set()
        is_modern = session.agreement.era is Era.MODERN
        await (self._subscribe(session) if is_modern else self._request_each(session))

    def _tell(self, uris: Iterable[str]) -> None:
        for uri in sorted(uris):
            self._on_updated(uri)

    async def _next_changes(self) -> set[str]:
        await self._changed.wait()
        self._changed.clear()
        changes, self._unsettled = self._unsettled, set()
        self._has_followed = self._has_followed or bool(self._wanted)
        return changes

    # --- Modern ------------------------------------------------------------------------------------------------

    async def _subscribe(self, session: Session) -> None:
        streams = _Streams(session, self._tell)
        try:
            while True:
                changes = await self._next_changes()
                await streams.change(changes & self._wanted, changes - self._wanted)
        finally:
            await streams.close()

    # --- Legacy ------------------------------------------------------------------------------------------------

    async def _request_each(self, session: Session) -> None:
        followed: set[str] = set()
        late: set[str] = set()  # asked last: each takes as long as the server may
        while True:
            changes = await self._next_changes()
            if self._is_renewed:
                self._is_renewed = False
                followed.clear()
                self._tell(self._wanted)
                changes = set(self._wanted)
            for uri in sorted(changes & self._wanted - followed, key=lambda uri: (uri in late, uri)):
                followed.add(uri)
                if await self._is_answered(session, "resources/subscribe", uri):
                    late.discard(uri)
                else:
                    followed.discard(uri)
                    late.add(uri)
                    self._unsettled.add(uri)  # tried again with the next change
            for uri in sorted(changes & followed - self._wanted):
                followed.discard(uri)
                await self._is_answered(session, "resources/unsubscribe", uri)

    async def _is_answered(self, session: Session, method: str, uri: str) -> bool:
        """Ask the server; return whether it answered, be it with an error, in time."""
        try:
            async with asyncio.timeout(self._timeout_seconds):
                await session.request(method, {"uri": uri})
        except UpstreamError as error:
            extra = {"fault": error.fault.value, "code": error.code}
            logger.info("upstream_subscription_ended", extra=extra)
        except TimeoutError:
            logger.info("upstream_subscription_ended", extra={"fault": "timeout", "code": None})
            return False
        return True


@dataclass(frozen=True, eq=False)
class _Stream:
    """A subscription that is held open."""

    uris: frozenset[str]
    listening: asyncio.Task[None]


class _Streams:
    """The subscriptions of one session, each of at most MAX_NAMED resources: a change makes few of them anew, however many there are."""

    def __init__(self, session: Session, on_gap: Callable[[Iterable[str]], None]) -> None:
        """`on_gap` is told of resources that were not followed for a while."""
        self._session = session
        self._on_gap = on_gap
        self._open_streams: set[_Stream] = set()
        self._of: dict[str, _Stream] = {}
        """By each resource."""
        self._partial: _Stream | None = None
        """The one that has room for more."""

    async def change(self, added: Collection[str], removed: Collection[str]) -> None:
        """Follow some more resources, and some no longer."""
        new = [uri for uri in added if uri not in self._of]
        former = {self._of[uri] for uri in removed if uri in self._of}
        if not (new or former):
            return
        if self._partial is not None:
            former.add(self._partial)
        rest = {uri for each in former for uri in each.uris}.union(new).difference(removed)
        for uri in removed:
            self._of.pop(uri, None)
        self._open(sorted(rest))
        await asyncio.sleep(0)  # the new ones are on their way before the former ones end
        await self._end(former)

    def _open(self, uris: list[str]) -> None:
        self._partial = None
        for at in range(0, len(uris), MAX_NAMED):
            named = uris[at : at + MAX_NAMED]
            stream = _Stream(frozenset(named), asyncio.create_task(self._listen(named)))
            self._open_streams.add(stream)
            self._of |= dict.fromkeys(named, stream)
            if len(named) < MAX_NAMED:
                self._partial = stream

    async def _listen(self, uris: list[str]) -> None:
        await self._session.listen({"resourceSubscriptions": uris}, lambda: self._on_gap(uris))

    async def close(self) -> None:
        """End all of them."""
        await self._end(self._open_streams)

    async def _end(self, streams: Collection[_Stream]) -> None:
        ending = {each.listening for each in streams}
        for each in ending:
            each.cancel()
        if ending:
            await asyncio.wait(ending)
        self._open_streams -= {*streams}
