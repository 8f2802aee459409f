"""Bodies that have come and are read late: it is the service that was busy, and their senders are not told that they stalled."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack

import pytest

from tests.support.manual_time import LetPass, until
from tests.support.messages import Message, legacy
from tests.support.wire import Connection, Report, connected, endpoint_of, head, serving, until_over
from transport.endpoint import Endpoint
from transport.http_limits import HttpLimits
from transport.request_body import SMALL_BODY_BYTES
from transport.uploads import PART_BYTES

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")

# All of the rest comes at once.
REST_BYTES = PART_BYTES // 2
SIZES = {"small": 2 * PART_BYTES, "large": SMALL_BODY_BYTES + 2 * PART_BYTES}

# More than are read in one turn of the event loop.
SENDERS = 12
SENT_BYTES = SMALL_BODY_BYTES


async def done(report: Report) -> Message:
    return {}


def a_body(size: int) -> bytes:
    """Write a ping with so many bytes."""
    body = json.dumps({**legacy("ping"), "padding": ""}).encode()
    return body.replace(b'""}', b'"%s"}' % (b"x" * (size - len(body))))


async def begin_body(connection: Connection, endpoint: Endpoint, size: int) -> bytes:
    """Send all of a body but the rest, which is returned, and wait until this was received."""
    body = a_body(size)
    connection.send(head(f"Content-Length: {size}") + body[:-REST_BYTES])

    def received() -> int:
        return endpoint.load.bytes_under_way + endpoint._bodies.small_bodies.used

    await until(lambda: received() == size - REST_BYTES, "the beginning of a body to be received")
    return body[-REST_BYTES:]


@pytest.mark.parametrize("kind", SIZES)
async def test_a_body_that_came_while_the_service_stood_still_is_read(let_pass: LetPass, kind: str) -> None:
    endpoint = endpoint_of(done)
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(await begin_body(connection, endpoint, SIZES[kind]))
        let_pass(endpoint.limits.stall_seconds)
        assert (await connection.answer())[0] == 200


@pytest.mark.parametrize("kind", SIZES)
async def test_a_body_that_is_read_too_late_is_told_to_come_again(let_pass: LetPass, kind: str) -> None:
    endpoint = endpoint_of(done)
    async with serving(endpoint) as service, connected(service) as connection:
        connection.send(await begin_body(connection, endpoint, SIZES[kind]))
        let_pass(endpoint.limits.body_seconds)
        status, headers, answer = await connection.answer()
        assert (status, "retry-after" in headers) == (503, True)
        assert "BODY_TIMEOUT_SECONDS" in json.loads(answer)["error"]["message"]
        await until_over(endpoint)
        assert endpoint.load.bytes_under_way == endpoint._bodies.small_bodies.used == 0


async def test_a_sender_that_stalls_after_the_service_was_late_is_told_so(let_pass: LetPass) -> None:
    endpoint = endpoint_of(done)
    async with serving(endpoint) as service, connected(service) as connection:
        rest = await begin_body(connection, endpoint, SIZES["large"])
        connection.send(rest[:-1])
        let_pass(endpoint.limits.stall_seconds)
        await until(
            lambda: endpoint.load.bytes_under_way == SIZES["large"] - 1, "what came meanwhile to be received"
        )
        let_pass(endpoint.limits.stall_seconds)
        status, _, answer = await connection.answer()
        assert status == 408
        assert "BODY_STALL_SECONDS" in json.loads(answer)["error"]["message"]


async def test_bodies_that_wait_long_for_their_turn_are_read(let_pass: LetPass) -> None:
    endpoint = endpoint_of(done, HttpLimits(body_seconds=1_000.0))
    async with serving(endpoint) as service, AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(connected(service)) for _ in range(SENDERS)]
        body = a_body(SENT_BYTES)
        for connection in opened:
            connection.send(head(f"Content-Length: {len(body)}") + body)
        answers = asyncio.gather(*(connection.answer() for connection in opened))
        while not answers.done():
            let_pass(0.4 * endpoint.limits.stall_seconds)
            await asyncio.sleep(0)
        assert [status for status, _, _ in answers.result()] == [200] * SENDERS
