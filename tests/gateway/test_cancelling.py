"""A client's cancellation goes up to the server: its notification, or, in the modern era, the end of its connection."""

from __future__ import annotations

import asyncio

import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import Client, gateway
from tests.support.messages import call, legacy
from tests.support.upstream_http import Hangs, HttpStandIn


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_cancelled_notification_of_a_client_reaches_the_server(
    tokenizer: Tokenizer, era: str
) -> None:
    async with (
        HttpStandIn(script={"tools/call": [Hangs()]}, era=era) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        client = Client(service)
        posting = asyncio.create_task(client.post(legacy("tools/call", call("k8s__echo"), request_id=7)))
        await server.until(lambda: bool(server.sent("tools/call")))
        notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        assert (await client.post(notice)).status_code == 202
        answer = await posting
        assert (answer.status_code, answer.text) == (202, "")
        if era == "modern":
            await server.seen("tools/call > cancelled")
        else:
            await server.seen("notifications/cancelled")
            (sent,), (told,) = server.sent("tools/call"), server.sent("notifications/cancelled")
            assert told["params"]["requestId"] == sent["id"]
