"""The page in a real browser, before a gateway: sessions and their calls, live, each with an address of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import LONG, Client, gateway
from tests.gateway.timeline.test_timeline_api import Watcher, call_as
from tests.support.breaking_proxy import breaking_proxy
from tests.support.browser import BrowserPage, open_browser
from tests.support.service import PATIENCE_S, Service
from tests.support.upstream_http import HttpStandIn, Says
from tests.support.upstream_stand_in import a_tool, text_result

KEY = "a-key-that-nobody-guesses"
OTHER_KEY = "another-that-nobody-guesses"


@pytest.fixture
async def page() -> AsyncIterator[BrowserPage]:
    async with open_browser() as opened:
        yield opened


@asynccontextmanager
async def watched(
    tokenizer: Tokenizer, results: Sequence[Any], settings: dict[str, str] | None = None
) -> AsyncIterator[tuple[Service, Client]]:
    script = {"tools/call": [Says(result) for result in results]}
    async with (
        HttpStandIn(script=script, tools=(a_tool("pods"), a_tool("logs"))) as server,
        gateway(tokenizer, {"k8s": {"url": server.url}}, settings) as service,
    ):
        yield service, Client(service)


async def texts(page: BrowserPage, selector: str) -> list[str]:
    found: list[str] = await page.run(
        f"[...document.querySelectorAll({json.dumps(selector)})].map(each => each.textContent)"
    )
    return found


async def test_a_call_appears_while_its_session_is_watched(page: BrowserPage, tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, [text_result("fine"), text_result(LONG)]) as (service, client):
        await call_as(client, "incident-42", "k8s__pods", namespace="all")
        await page.open(f"{service.origin}/#/sessions")
        await page.until("document.querySelector('.session')")
        assert "incident-42" in (await texts(page, ".session .name"))
        await page.run("document.querySelector('.session').click()")
        await page.until("document.querySelectorAll('.call').length === 1")
        await call_as(client, "incident-42", "k8s__logs")
        await page.until("document.querySelectorAll('.call.completed').length === 2")
        await page.until("document.querySelectorAll('.call .state')[1].textContent === 'summarized'")
        assert await texts(page, ".call .tool") == ["k8s.pods", "k8s.logs"]
        assert "kept out of the context" in (await texts(page, "figcaption"))[0]
        assert page.complaints == []


async def test_a_row_names_the_arguments_of_its_call_and_of_long_ones_both_ends(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with watched(tokenizer, [text_result("fine")] * 3) as (service, client):
        path = "/srv/data/of/many/folders/reports/2026/pods.txt"
        await call_as(client, "incident-42", "k8s__pods", path=path, all=True)
        await call_as(client, "incident-42", "k8s__pods", labels={"app": "shop"})
        await call_as(client, "incident-42", "k8s__pods", script="x" * 600)
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelectorAll('.call.completed').length === 3")
        first, second, third = await texts(page, ".call .arguments")
        assert first == "path: /srv/dat…s/reports/2026/pods.txt, all: true"
        assert second == 'labels: {"app":"shop"}'
        assert third.startswith("script: xxxxxxxx…")


async def test_after_a_broken_connection_the_page_catches_up_with_each_call_once(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with (
        watched(tokenizer, [text_result("fine")] * 3) as (service, client),
        breaking_proxy(httpx.URL(service.origin).port or 0) as proxy,
    ):
        await call_as(client, "incident-42", "k8s__pods")
        await Watcher(service).until("/sessions/incident-42", lambda session: session["sums"]["calls"] > 0)
        await page.open(f"http://127.0.0.1:{proxy.port}/#/sessions/incident-42")
        await page.until("document.querySelectorAll('.call.completed').length === 1")
        proxy.break_off()
        await call_as(client, "incident-42", "k8s__logs")
        async with asyncio.timeout(PATIENCE_S):
            await proxy.refused.wait()
        await Watcher(service).until("/sessions/incident-42", lambda session: session["sums"]["calls"] > 1)
        assert await texts(page, ".call .tool") == ["k8s.pods"]
        proxy.mend()
        await page.until("document.querySelectorAll('.call.completed').length === 2")
        await call_as(client, "incident-42", "k8s__pods")
        await page.until("document.querySelectorAll('.call.completed').length === 3")
        assert await texts(page, ".call .tool") == ["k8s.pods", "k8s.logs", "k8s.pods"]


async def test_a_call_has_an_address_with_its_details_side_by_side(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with watched(tokenizer, [text_result(LONG)]) as (service, client):
        await call_as(client, "incident-42", "k8s__pods", namespace="all")
        await Watcher(service).until("/sessions/incident-42", lambda session: session["sums"]["calls"] > 0)
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelector('.call .state')?.textContent === 'summarized'")
        await page.run("document.querySelector('.call').click()")
        await page.until("document.querySelectorAll('.details section').length === 3")
        address = await page.run("location.href")
        await page.open(address.replace("/#", "/?anew#"))
        await page.until("document.querySelectorAll('.details section').length === 3")
        arguments, original, summary = await texts(page, ".details section > pre:not([hidden])")
        assert json.loads(arguments) == {"namespace": "all"}
        assert original[:50] == LONG[:50]
        assert "summarized; result_id=" in summary
        assert page.complaints == []


async def test_the_time_of_a_call_is_shown_whole_of_24_hours(page: BrowserPage, tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, [text_result("fine")]) as (service, client):
        await call_as(client, "incident-42", "k8s__pods", namespace="all")
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelectorAll('.call').length === 1")
        late = json.dumps("2026-12-28T12:58:55")
        shown = await page.run(
            f"import('{service.origin}/page/elements.js').then(({{timeOf}}) => {{"
            "const cell = document.querySelector('.call .time');"
            f"cell.textContent = timeOf({late});"
            "return [cell.textContent, cell.scrollWidth <= cell.clientWidth]; })"
        )
        assert "12:58:55" in shown[0]
        assert "PM" not in shown[0]
        assert shown[1]


async def test_in_a_narrow_window_a_row_still_shows_what_became_of_its_call(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with watched(tokenizer, [text_result(LONG)]) as (service, client):
        await call_as(client, "incident-42", "k8s__pods", namespace="all")
        await page.resize(600, 900)
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelector('.call .state')?.textContent === 'summarized'")
        fits = "(cell => cell.clientWidth > 0 && cell.scrollWidth <= cell.clientWidth)"
        assert await page.run(
            f"['.state', '.tokens', '.tool'].every(name => {fits}(document.querySelector('.call ' + name)))"
        )


async def test_on_a_telephone_a_row_has_its_tool_and_what_became_of_its_call(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with watched(tokenizer, [text_result(LONG)]) as (service, client):
        await call_as(client, "incident-42", "k8s__pods", namespace="all")
        await page.resize(360, 700)
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelector('.call .state')?.textContent === 'summarized'")
        inside = "(cell => cell.scrollWidth <= cell.clientWidth && cell.getBoundingClientRect().right <= 360)"
        assert await page.run(
            f"['.state', '.tool'].every(name => {inside}(document.querySelector('.call ' + name)))"
        )
        assert await page.run("document.querySelector('.legend.of-bars').getClientRects().length") == 0


async def test_the_list_is_no_higher_than_its_calls(page: BrowserPage, tokenizer: Tokenizer) -> None:
    async with watched(tokenizer, [text_result("fine")]) as (service, client):
        await call_as(client, "incident-42", "k8s__pods")
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelector('.call')")
        assert await page.run("document.querySelector('.calls').clientHeight") == 36


async def test_failed_calls_and_those_of_a_tool_can_be_looked_for(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    results = [text_result("fine"), text_result("no such namespace") | {"isError": True}, text_result("fine")]
    async with watched(tokenizer, results) as (service, client):
        for name in ("k8s__pods", "k8s__pods", "k8s__logs"):
            await call_as(client, "incident-42", name)
        await Watcher(service).until("/sessions/incident-42", lambda session: session["sums"]["calls"] > 0)
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelectorAll('.call .state').length === 3")
        await page.run("document.querySelector('.filter input[type=checkbox]').click()")
        assert await texts(page, ".call.failed .state") == ["failed"]
        assert await texts(page, ".call .tool") == ["k8s.pods"]
        await page.run("document.querySelector('.filter input[type=checkbox]').click()")
        await page.run(
            "{ const tool = document.querySelector('.filter select'); tool.value = 'k8s.logs';"
            "tool.dispatchEvent(new Event('input', {bubbles: true})) }"
        )
        assert await texts(page, ".call .tool") == ["k8s.logs"]


async def test_of_a_thousand_events_only_the_calls_that_are_seen_are_drawn(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with watched(tokenizer, [text_result("fine")] * 500) as (service, client):
        for number in range(500):
            await call_as(client, "incident-42", "k8s__pods", number=number)
        await Watcher(service).until("/sessions/incident-42", lambda session: session["sums"]["calls"] > 0)
        await page.open(f"{service.origin}/#/sessions/incident-42")
        await page.until("document.querySelector('.sheet')?.style.height === '18000px'")
        assert await page.run("document.querySelectorAll('.call').length") < 60
        await page.run("document.querySelector('.calls').scrollTop = 18000")
        await page.until("[...document.querySelectorAll('.call')].at(-1).title.includes('499')")


async def test_a_script_in_a_result_is_text(page: BrowserPage, tokenizer: Tokenizer) -> None:
    hostile = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    async with watched(tokenizer, [text_result(hostile)]) as (service, client):
        await call_as(client, hostile[:100], "k8s__pods", namespace=hostile)
        await page.open(f"{service.origin}/#/sessions")
        await page.until("document.querySelector('.session')")
        await page.run("document.querySelector('.session').click()")
        await page.until("document.querySelector('.call')")
        await page.run("document.querySelector('.call').click()")
        await page.until("document.querySelectorAll('.details section').length === 2")
        assert hostile in await texts(page, ".details pre")
        assert await page.run("document.title") == "mcp-summarizer"
        assert page.complaints == []


@pytest.mark.parametrize("key, seen", [(KEY, ["incident-42"]), (OTHER_KEY, [])])
async def test_with_keys_each_sees_its_own_sessions(
    page: BrowserPage, tokenizer: Tokenizer, key: str, seen: list[str]
) -> None:
    settings = {"MCP_SUMMARIZER_API_KEYS": f"{KEY},{OTHER_KEY}"}
    async with watched(tokenizer, [text_result("fine")], settings) as (service, _):
        caller = Client(service, headers={"Authorization": f"Bearer {KEY}"})
        await call_as(caller, "incident-42", "k8s__pods")
        await Watcher(service, KEY).until(
            "/sessions/incident-42", lambda session: session["sums"]["calls"] > 0
        )
        await page.open(f"{service.origin}/#/sessions")
        await page.until("!document.getElementById('key').hidden")
        assert await texts(page, ".session .name") == []
        await page.run(
            f"{{ const form = document.getElementById('key'); form.key.value = '{key}'; form.requestSubmit() }}"
        )
        await page.until("document.querySelector('.sessions')?.textContent")
        assert await texts(page, ".session .name") == seen


async def test_the_sessions_are_there_where_a_gateway_is(
    page: BrowserPage, tokenizer: Tokenizer, service: Service
) -> None:
    await page.open(f"{service.origin}/")
    assert "Sessions" not in await texts(page, "nav a")
    async with watched(tokenizer, []) as (with_gateway, _):
        await page.open(f"{with_gateway.origin}/")
        assert "Sessions" in await texts(page, "nav a")
        assert f"{with_gateway.origin}/gateway/mcp" in await texts(page, "#about code")


async def test_what_the_service_says_of_its_timeline_is_shown(
    page: BrowserPage, tokenizer: Tokenizer
) -> None:
    async with watched(tokenizer, [], {"MAX_TIMELINE_BYTES": "0"}) as (service, _):
        await page.open(f"{service.origin}/#/sessions")
        await page.until("!document.getElementById('trouble').hidden")
        assert "MAX_TIMELINE_BYTES" in (await texts(page, "#trouble"))[0]


@pytest.mark.parametrize("name", ["none", "%zz"])
async def test_a_session_that_is_not_there_is_said_not_to_be(
    page: BrowserPage, tokenizer: Tokenizer, name: str
) -> None:
    async with watched(tokenizer, []) as (service, _):
        await page.open(f"{service.origin}/#/sessions/{name}")
        await page.until("!document.getElementById('trouble').hidden")
        assert "nothing of that name" in (await texts(page, "#trouble"))[0]
        await page.run("location.hash = '#/about'")
        await page.until("!document.getElementById('about').hidden")
        assert await page.run("document.getElementById('trouble').hidden")


async def test_work_that_is_asked_for_while_it_runs_runs_once_more_after_it(
    page: BrowserPage, service: Service
) -> None:
    await page.open(f"{service.origin}/")
    runs, most_at_once = await page.run(
        """import('/page/coalesce.js').then(async ({coalesced}) => {
            let runs = 0, running = 0, mostAtOnce = 0, end;
            const work = coalesced(async () => {
                runs += 1;
                mostAtOnce = Math.max(mostAtOnce, running += 1);
                await new Promise(done => { end = done });
                running -= 1;
            });
            const asked = [work(), work(), work()];
            while (runs < 2 || running) { end(); await null }
            await Promise.all(asked);
            return [runs, mostAtOnce];
        })"""
    )
    assert (runs, most_at_once) == (2, 1)


async def test_a_file_that_is_no_text_is_refused_and_a_text_is_taken(
    page: BrowserPage, service: Service
) -> None:
    async def drop(name: str, content: bytes) -> None:
        await page.run(
            f"""(() => {{
                const files = new DataTransfer();
                files.items.add(new File([new Uint8Array({[*content]})], {json.dumps(name)}));
                document.getElementById('try').dispatchEvent(new DragEvent('drop', {{dataTransfer: files, cancelable: true}}));
            }})()"""
        )

    await page.open(f"{service.origin}/#/try")
    for name, content in (("true", b"\x7fELF\x02\xff"), ("utf-16.txt", "text".encode("utf-16"))):
        await drop(name, content)
        await page.until("!document.getElementById('trouble').hidden")
        assert (await texts(page, "#trouble"))[0].startswith(f"{name}: expected a text in UTF-8")
        await page.run("document.getElementById('trouble').hidden = true")
    await drop("notes.txt", "Zürich\n".encode())
    await page.until("document.querySelector('#try form').content.value === 'Zürich\\n'")
    assert await page.run("document.getElementById('trouble').hidden")
