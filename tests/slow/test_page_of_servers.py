"""The page in a real browser, before a gateway: its servers, with changed definitions of tools, the old beside the new."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import Client, gateway
from tests.slow.test_page_of_sessions import KEY, texts
from tests.support.browser import BrowserPage, open_browser
from tests.support.upstream_http import HttpStandIn
from tests.support.upstream_stand_in import a_tool

OLD = a_tool("pods")
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
NEW = {**OLD, "description": f"Does pods. {HOSTILE}"}
NOT_OFFERED = {**a_tool("logs"), "execution": {"taskSupport": "required"}}


@pytest.fixture
async def page() -> AsyncIterator[BrowserPage]:
    async with open_browser() as opened:
        yield opened


async def test_the_servers_are_shown_with_what_they_have_changed(
    page: BrowserPage, tokenizer: Tokenizer, tmp_path: Path
) -> None:
    settings = {"STORAGE_DIRECTORY": str(tmp_path)}
    async with HttpStandIn(tools=[OLD]) as server:
        servers = {
            "k8s": {"url": server.url, "on_change": "withhold"},
            "gone": {"command": "no-such-program-anywhere"},
        }
        async with gateway(tokenizer, servers, settings) as service:
            assert "k8s__pods" in await Client(service).names()
        server.tools = [NEW, NOT_OFFERED]
        async with gateway(tokenizer, servers, settings) as service:
            await Client(service).names()
            await page.open(f"{service.origin}/#/servers")
            await page.until("document.querySelectorAll('.server').length === 2")
            assert await texts(page, ".server h2") == ["k8s", "gone"]
            assert "no-such-program-anywhere" in (await texts(page, ".server.failed .error"))[0]
            assert (await texts(page, ".server .withheld"))[0].endswith(": pods")
            assert await texts(page, ".server .left-out") == [
                "Left out: logs: it can be called as a task only"
            ]
            old, new = await texts(page, ".change .beside pre")
            assert OLD["description"] in old
            assert HOSTILE.replace('"', '\\"') in new
            assert await page.run("document.querySelectorAll('#servers img, #servers script').length") == 0
            assert await page.run("document.title") == "mcp-summarizer"
            assert page.complaints == []


async def test_a_server_that_recovers_is_seen_by_looking_again(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with (
        HttpStandIn(tools=[OLD]) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}) as service,
    ):
        await Client(service).names()
        await page.open(f"{service.origin}/#/servers")
        await page.until("document.querySelector('.server .about')?.textContent.includes('tools: 1')")
        await page.run("document.querySelector('.server h2').textContent = 'old'")
        await page.run("document.querySelector('#servers button').click()")
        await page.until("document.querySelector('.server h2').textContent === 'k8s'")


async def test_with_keys_the_servers_are_told_with_a_key_alone(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    servers = {"gone": {"command": "no-such-program-anywhere"}}
    async with gateway(tokenizer, servers, {"MCP_SUMMARIZER_API_KEYS": KEY}) as service:
        await page.open(f"{service.origin}/#/servers")
        await page.until("!document.getElementById('key').hidden")
        assert await texts(page, ".server") == []
        await page.run(
            f"{{ const form = document.getElementById('key'); form.key.value = '{KEY}'; form.requestSubmit() }}"
        )
        await page.until("document.querySelector('.server')")
        assert await texts(page, ".server h2") == ["gone"]
