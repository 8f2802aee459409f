"""An HTTP client that is never the bottleneck: requests come as bytes, answers are cut out of the stream and little more.

It reads what the contestants send and nothing else: answers with a Content-Length, or in chunks, on connections that stay open.
"""

import asyncio
import re
from dataclasses import dataclass, field
from typing import cast

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked\r\n", re.IGNORECASE)
_RETRY_AFTER = re.compile(rb"\r\nretry-after: *\d+\r\n", re.IGNORECASE)
_LAST_CHUNK = b"\r\n0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    retries: bool
    """Whether it says when to come again."""


class Connection(asyncio.Protocol):
    """One connection: a request at a time. `ask` waits for its answer."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self._read = bytearray()
        self._answered: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Add to what was read; hand a whole answer out."""
        self._read += data
        answer = _whole(self._read)
        if answer is not None and self._answered is not None:
            self._read.clear()
            answered, self._answered = self._answered, None
            if not answered.done():
                answered.set_result(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell who waits."""
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(ConnectionResetError("the connection ended before its answer"))

    def send(self, data: bytes) -> "asyncio.Future[Answer]":
        """Send a request; return what will be its answer. Raises ConnectionResetError."""
        if self.transport is None or self.transport.is_closing():
            raise ConnectionResetError("the connection has ended")
        self._answered = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        return self._answered

    def close(self) -> None:
        """Close it."""
        if self.transport is not None:
            self.transport.abort()


async def connect(port: int) -> Connection:
    """Return a connection to a port of this machine."""
    _, connection = await asyncio.get_running_loop().create_connection(Connection, "127.0.0.1", port)
    return connection


def _whole(read: bytearray) -> Answer | None:
    """Return the answer that was read, None where a part of it is missing."""
    end = read.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(read[: end + 2])
    length = _LENGTH.search(head)
    if length:
        if len(read) < end + 4 + int(length[1]):
            return None
    elif _CHUNKED.search(head) and not read.endswith(_LAST_CHUNK):
        return None
    retries = _RETRY_AFTER.search(head) is not None
    return Answer(int(head[9:12]), bytes(read[end + 4 :]), retries)


@dataclass(slots=True)
class Load:
    """What one burst of requests came to."""

    answered: int = 0
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


# Of so many answers one is looked into, and the first of each connection.
LOOKED_INTO = 64


async def burst(port: int, data: bytes, expected: bytes, connections: int, seconds: float) -> Load:
    """Ask the same on some connections for so long; count the answers, and look into some of them."""
    loop = asyncio.get_running_loop()
    load = Load()
    opened = [await connect(port) for _ in range(connections)]
    began = loop.time()
    until = began + seconds

    async def ask(connection: Connection) -> None:
        number = 0
        while loop.time() < until:
            answer = await connection.send(data)
            load.answered += 1
            if answer.status != 200 or (number % LOOKED_INTO == 0 and expected not in answer.body):
                load.wrong.append(f"{answer.status} {answer.body[:200]!r}")
            number += 1

    await asyncio.gather(*map(ask, opened))
    load.seconds = loop.time() - began
    for connection in opened:
        connection.close()
    return load
