"""Clients of the handshake against the gateway: the TypeScript SDK 1 and Python's mcp 1.26; what they give up is cancelled if they tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import LONG, OF_ORIGINALS, gateway, result_id_in
from tests.slow.test_clients import HANDSHAKE
from tests.support.client_processes import CLIENTS, node, said, started
from tests.support.upstream_http import Answer, Hangs, HttpStandIn, Says
from tests.support.upstream_stand_in import a_tool, text_result
from tools.call_results import OUTCOME_KEY

TYPESCRIPT = (node(), CLIENTS / "node" / "gateway.mjs")
PYTHON = (HANDSHAKE[0], CLIENTS / "gateway_client.py")


@pytest.mark.parametrize(
    "command, tells", [(TYPESCRIPT, True), (PYTHON, False)], ids=["typescript", "python"]
)
async def test_a_client_gets_a_summary_and_what_it_gives_up_is_cancelled_if_it_tells(
    command: tuple[str | Path, ...], tmp_path: Path, tokenizer: Tokenizer, *, tells: bool
) -> None:
    script: dict[str, list[Answer]] = {"tools/call": [Says(text_result(LONG)), Hangs()]}
    order = '{{"url": "{}/gateway/mcp", "tool": "k8s__pods", "held": "k8s__logs"}}'
    async with (
        HttpStandIn(script=script, era="legacy", tools=(a_tool("pods"), a_tool("logs"))) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
        started(tmp_path, *command, order.format(service.origin)) as client,
    ):
        assert client.stdin is not None
        seen = await said(client)
        assert seen["tools"] == ["k8s__logs", "k8s__pods", *OF_ORIGINALS]
        assert result_id_in(seen["result"]["text"])
        assert seen["result"]["meta"][OUTCOME_KEY]["original_tokens"] == tokenizer.count(LONG)
        await server.until(lambda: len(server.sent("tools/call")) == 2)
        client.stdin.write(b"\n")
        assert await said(client) == {"given_up": True}
        if tells:
            await server.seen("notifications/cancelled")
            assert (
                server.sent("notifications/cancelled")[0]["params"]["requestId"]
                == (server.sent("tools/call")[1]["id"])
            )
        client.stdin.close()
        assert await client.wait() == 0
        assert len(server.sent("notifications/cancelled")) == tells
