"""The stream of what a server of the legacy era sends by itself over HTTP: held open, and opened again after its last event.

Sends nothing but the GET that opens it.
"""

from collections.abc import Awaitable, Callable, Iterator

import httpx

from gateway.upstream.channel import OnMessage, replies_and_others
from gateway.upstream.errors import UpstreamError
from gateway.upstream.http_answers import EventStream, close_response, is_event_stream
from provider.backoff import backoff


class NotificationStream:
    """The stream of one session."""

    def __init__(
        self,
        open_after: Callable[[str], Awaitable[httpx.Response]],
        events_of: Callable[[httpx.Response], EventStream],
        on_message: OnMessage,
        *,
        sleep: Callable[[float], Awaitable[None]],
        uniform: Callable[[float, float], float],
    ) -> None:
        """`open_after` sends the GET, with the id of the last event; "" for none."""
        self._open_after = open_after
        self._events_of = events_of
        self._on_message = on_message
        self._sleep, self._uniform = sleep, uniform

    async def follow(self) -> None:
        """Hand on what comes, until the server says that it has no such stream (405 is final)."""
        last_id = ""
        waits = self._waits()
        while True:
            wait = next(waits)
            try:
                response = await self._open_after(last_id)
            except UpstreamError:
                await self._sleep(wait)
                continue
            if is_event_stream(response):
                events = self._events_of(response)
                if await self._take_notifications(events):
                    waits = self._waits()
                last_id = events.last_event_id or last_id
                wait = max(wait, events.retry_seconds or 0.0)
            else:
                await close_response(response)
                if response.status_code < 500 and response.status_code != 429:
                    return
            await self._sleep(wait)

    async def _take_notifications(self, events: EventStream) -> bool:
        """Hand on what a stream brings; return whether it brought anything."""
        has_come = False
        try:
            async for message in events:
                has_come = True
                for each in replies_and_others(message, -1)[1]:
                    self._on_message(each)
        except UpstreamError:  # no JSON, or too large: of a notification nobody waits for
            pass
        finally:
            await events.close()
        return has_come

    def _waits(self) -> Iterator[float]:
        return backoff(self._uniform, first=1.0, cap=60.0)
