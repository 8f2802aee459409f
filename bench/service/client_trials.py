"""Trials of clients that misbehave: a thousand that send half a request, some that never read their answer."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.service.processes import Result, Service, a_service, request_body
from bench.service.trials import MILLISECONDS, MOST_HEALTH_S, Row, Stage, documents, row, told
from bench.service.watching import resident_mb, watched

# What goes on beside them: calls of about 8 KB that are counted and passed through.
BESIDE_CALLS, BESIDE_EVERY_S, BESIDE_FACTS = 100, 0.04, 7
BESIDE_MOST_S = 1.0

# --- Half a request --------------------------------------------------------------------------------------------

HALF_CLIENTS = 1_000
PROMISED_BYTES, SENT_BYTES = 8_192, 4_096


async def half_requests(stage: Stage) -> Row:
    """Open many connections that stop in the middle: half of them in the head, half in the body."""
    clients = stage.of(HALF_CLIENTS)
    async with a_service({}) as service:
        idle = resident_mb(service.running.pid)
        async with halves(service, clients), watched(service) as watch:
            results = await beside(service)
            most = resident_mb(service.running.pid)
    slowest = max(result.seconds for result in results)
    return row(
        f"{clients} clients that send half a request and stop",
        f"/health p99 ≤ {MOST_HEALTH_S * MILLISECONDS:g} ms, every other call answered within {BESIDE_MOST_S:g} s",
        [
            f"{told(result.status for result in results)}, slowest {slowest * MILLISECONDS:.0f} ms",
            f"memory {idle:.0f} to {most:.0f} MB",
        ],
        met={result.status for result in results} == {"passthrough"}
        and slowest <= BESIDE_MOST_S
        and watch.health_p99_s <= MOST_HEALTH_S,
        watch=watch,
    )


@asynccontextmanager
async def halves(service: Service, clients: int) -> AsyncIterator[None]:
    """Hold connections that have sent half of a request."""
    loop = asyncio.get_running_loop()
    connections = []
    try:
        for number in range(clients):
            connections.append(await connected(loop, service))
            await loop.sock_sendall(connections[-1], half_a_head() if number % 2 else half_a_body())
        yield
    finally:
        for connection in connections:
            connection.close()


async def connected(loop: asyncio.AbstractEventLoop, service: Service, room: int = 0) -> socket.socket:
    """Connect; `room` bytes of an answer are taken from the network before anybody reads, where it is given."""
    connection = socket.socket()
    connection.setblocking(False)  # noqa: FBT003, its only argument
    if room:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    await loop.sock_connect(connection, service.address)
    return connection


def half_a_head() -> bytes:
    """Return a request's head without its end."""
    return b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Ty"


def half_a_body() -> bytes:
    """Return a request with half of the body that its head promises."""
    return head(PROMISED_BYTES) + b'{"jsonrpc": "2.0", "id": 1, "method": "'.ljust(SENT_BYTES, b"x")


def head(length: int) -> bytes:
    """Return the head of a POST."""
    fields = [
        "POST /mcp HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {length}",
    ]
    return "\r\n".join([*fields, "Accept: application/json", "", ""]).encode()


async def beside(service: Service) -> list[Result]:
    """Make ordinary calls, one after another begun."""
    contents = documents(BESIDE_CALLS, BESIDE_FACTS)

    async def one(number: int, text: str) -> Result:
        await asyncio.sleep(number * BESIDE_EVERY_S)
        return await service.call("summarize", {"content": text, "max_output_tokens": 50_000})

    return await asyncio.gather(*(one(number, text) for number, text in enumerate(contents)))


# --- An answer that nobody reads -------------------------------------------------------------------------------

DEAF_CLIENTS = 8
# The system takes some megabytes of an answer without anybody reading: the answer must be larger.
DEAF_BYTES = 8_000_000
DEAF_ROOM = 4_096
SEND_TIMEOUT_S = 3.0
"""SEND_TIMEOUT_SECONDS for this trial: by default it is a minute."""


async def deaf_clients(stage: Stage) -> Row:
    """Ask for large answers, and read none of them."""
    clients = stage.of(DEAF_CLIENTS)
    loop = asyncio.get_running_loop()
    content = documents(1, BESIDE_FACTS)[0]
    large = content * (DEAF_BYTES // len(content))
    body = request_body("summarize", {"content": large, "max_output_tokens": DEAF_BYTES})
    async with a_service({"SEND_TIMEOUT_SECONDS": f"{SEND_TIMEOUT_S:g}"}) as service:
        idle = resident_mb(service.running.pid)
        async with watched(service) as watch:
            deaf = [await connected(loop, service, DEAF_ROOM) for _ in range(clients)]
            for one in deaf:
                await loop.sock_sendall(one, head(len(body)) + body)
                # Its answer has begun: what was to be worked on for it is done.
                await loop.sock_recv(one, 1)
            results = await beside(service)
            await asyncio.sleep(SEND_TIMEOUT_S + 1)
        given_up = [await is_cut_off(loop, one, len(large)) for one in deaf]
        after = resident_mb(service.running.pid)
    slowest = max(result.seconds for result in results)
    return row(
        f"{clients} clients that never read their answer of {DEAF_BYTES // 1_000_000} MB",
        f"each is given up after SEND_TIMEOUT_SECONDS; every other call answered within {BESIDE_MOST_S:g} s",
        [
            f"{sum(given_up)} given up",
            f"{told(result.status for result in results)}, slowest {slowest * MILLISECONDS:.0f} ms",
            f"memory {idle:.0f} MB before, {after:.0f} MB after",
        ],
        met=all(given_up)
        and {result.status for result in results} == {"passthrough"}
        and slowest <= BESIDE_MOST_S,
        watch=watch,
    )


async def is_cut_off(loop: asyncio.AbstractEventLoop, connection: socket.socket, whole: int) -> bool:
    """Read what there is; whether the connection ends before the whole answer."""
    read = 0
    try:
        async with asyncio.timeout(SEND_TIMEOUT_S):
            while part := await loop.sock_recv(connection, 1 << 20):
                read += len(part)
    except (TimeoutError, ConnectionError) as end:
        return isinstance(end, ConnectionError)
    finally:
        connection.close()
    return read < whole
