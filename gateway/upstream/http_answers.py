"""Reads what a server answers with over HTTP: a body of JSON, or the messages of a stream of events. Sends nothing."""

import asyncio
from typing import Any, Self

import httpx

from concurrency.worker_threads import Worker
from gateway.server_spec import ServerSpec
from gateway.upstream.errors import UpstreamError, UpstreamFault, too_large
from gateway.upstream.parsing import parse_message
from protocol.messages import RpcError
from provider.sse import EndlessEvent, EventDecoder

# Between the reply and the end of its stream; a connection can be used again only after its stream was read to the end.
END_OF_STREAM_SECONDS = 1.0


def media_type(response: httpx.Response) -> str:
    """Return the type of a body without its parameters."""
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()


def content_coding(response: httpx.Response) -> str:
    """Return how a body is compressed, though no compression was asked for; "" for not at all."""
    coding = str(response.headers.get("content-encoding", "")).strip().lower()
    return "" if coding == "identity" else coding


def is_event_stream(response: httpx.Response) -> bool:
    """Whether this is a stream of events that can be read."""
    is_events = response.status_code == 200 and media_type(response) == "text/event-stream"
    return is_events and not content_coding(response)


async def parsed(data: bytearray, worker: Worker) -> Any:
    """Return a message. Raises UpstreamError INVALID."""
    try:
        return await parse_message(data, worker)
    except RpcError as error:
        raise UpstreamError(UpstreamFault.INVALID, f"answers with what is not JSON: {error}") from None


async def whole_body(response: httpx.Response, most: int) -> bytearray | None:
    """Return a body; None if it is longer than `most` bytes. Raises httpx.TransportError where it breaks off."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > most:
            return None
    return body


async def close_response(response: httpx.Response) -> None:
    """Close a response, and break the cycle with its stream, or both stay until the garbage collector runs."""
    await response.aclose()
    response.stream = httpx.ByteStream(b"")


class EventStream:
    """The messages of one stream of events."""

    def __init__(self, response: httpx.Response, spec: ServerSpec, worker: Worker) -> None:
        self._response = response
        self._chunks = response.aiter_raw()
        self._decoder = EventDecoder(spec.max_result_bytes)
        self._waiting: list[bytearray] = []
        self._spec = spec
        self._worker = worker

    @property
    def last_event_id(self) -> str:
        """The id after which another stream can go on; "" for none."""
        return self._decoder.last_event_id

    @property
    def retry_seconds(self) -> float | None:
        """How long the server asked to wait before that."""
        return self._decoder.retry_seconds

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        """Return the next message; StopAsyncIteration where the stream ends or breaks."""
        while True:
            while self._waiting:
                # An event without data only tells an id, from which to go on.
                if event := self._waiting.pop(0):
                    return await parsed(event, self._worker)
            try:
                self._waiting = self._decoder.feed(await anext(self._chunks))
            except EndlessEvent:
                raise too_large(self._spec) from None
            except httpx.TransportError:
                raise StopAsyncIteration from None

    async def drain(self) -> None:
        """Read on to the end, which should come at once, and close."""
        try:
            async with asyncio.timeout(END_OF_STREAM_SECONDS):
                async for _ in self._chunks:
                    pass
        except (TimeoutError, httpx.TransportError):
            pass
        finally:
            await self.close()

    async def close(self) -> None:
        """Close the stream."""
        await close_response(self._response)
