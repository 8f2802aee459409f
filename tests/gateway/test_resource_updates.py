"""Clients who listen for single resources are told of their updates, whatever era their server speaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

import pytest

from gateway.resource_updates import ResourceUpdates
from protocol.messages import Era, RpcRequest
from protocol.subscriptions import MAX_NAMED, Filter, Hub
from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import Client, gateway, until_ready
from tests.support.manual_time import LetPass, until
from tests.support.messages import Message, modern, routing
from tests.support.service import Service
from tests.support.upstream_http import Answer, Hangs, HttpStandIn, Says
from tests.support.upstream_stand_in import event, note

SUBSCRIBE: dict[str, Message] = {"resources": {"subscribe": True}}
NOTES, PLAN = "files+file:///notes.md", "files+file:///plan"


class Told:
    """Streams that tell what a test puts in."""

    def __init__(self) -> None:
        self.streams: list[asyncio.Queue[Message | None]] = []

    async def give(self, request: Any, message: Message, server: HttpStandIn) -> Any:
        from aiohttp import web  # noqa: PLC0415 - as the stand-in

        queue: asyncio.Queue[Message | None] = asyncio.Queue()
        self.streams.append(queue)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while (told := await queue.get()) is not None:
            await response.write(event(told))
        return response

    def tell(self, uri: str) -> None:
        self.streams[-1].put_nowait(note("notifications/resources/updated", {"uri": uri}))

    def end(self) -> None:
        self.streams[-1].put_nowait(None)


def modern_server(told: Told) -> HttpStandIn:
    # The first stream is that of changed lists.
    script: dict[str, list[Answer]] = {"subscriptions/listen": [Hangs(), *[told] * 5]}
    return HttpStandIn(script, capabilities=SUBSCRIBE)


def legacy_server(told: Told) -> HttpStandIn:
    fine: list[Answer] = [Says({})] * 9
    script: dict[str, list[Answer]] = {
        "GET": [told] * 3,
        "resources/subscribe": fine,
        "resources/unsubscribe": list(fine),
    }
    return HttpStandIn(script, era="legacy", capabilities=SUBSCRIBE)


async def told_of(told: Told, server: HttpStandIn, *uris: str) -> None:
    """Wait until these are followed at a server, and the stream is there on which it tells of them."""
    await until(lambda: sorted(followed(server)) == sorted(uris), "resources to be followed")
    streams = len(server.sent("subscriptions/listen")) - 1 if server.era == "modern" else 1
    await until(lambda: len(told.streams) == streams, "a stream of notifications")


def followed(server: HttpStandIn) -> list[str]:
    """Return what is followed at a server now."""
    if server.era == "modern":
        filters = [each["params"]["notifications"] for each in server.sent("subscriptions/listen")]
        asked = [list(each["resourceSubscriptions"]) for each in filters if "resourceSubscriptions" in each]
        open_streams = len(asked) - server.log.count("subscriptions/listen > cancelled")
        return asked[-1] if open_streams > 0 else []
    begun = [each["params"]["uri"] for each in server.sent("resources/subscribe")]
    ended = [each["params"]["uri"] for each in server.sent("resources/unsubscribe")]
    return sorted(uri for uri in set(begun) if begun.count(uri) > ended.count(uri))


@asynccontextmanager
async def listening(service: Service, *uris: str, query: str = "") -> AsyncIterator[AsyncIterator[Message]]:
    """Listen for resources; yield what comes."""
    listen = modern("subscriptions/listen", {"notifications": {"resourceSubscriptions": list(uris)}})
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
    url = f"{service.origin}/gateway/mcp{query}"
    async with service.http.stream(
        "POST", url, content=json.dumps(listen), headers={**headers, **routing(listen)}
    ) as response:
        yield _messages(response.aiter_lines())


async def _messages(lines: AsyncIterator[str]) -> AsyncIterator[Message]:
    async for line in lines:
        if line.startswith("data: {"):
            yield json.loads(line.removeprefix("data: "))


async def next_of(messages: AsyncIterator[Message]) -> Message:
    async with asyncio.timeout(20):
        message = await anext(messages)
    return {name: value for name, value in message["params"].items() if name != "_meta"}


async def acknowledged(messages: AsyncIterator[Message]) -> list[str]:
    return list((await next_of(messages))["notifications"].get("resourceSubscriptions", []))


@pytest.fixture(params=[modern_server, legacy_server], ids=["modern", "legacy"])
def make_server(request: pytest.FixtureRequest) -> Callable[[Told], HttpStandIn]:
    made: Callable[[Told], HttpStandIn] = request.param
    return made


async def ready(service: Service, server: HttpStandIn) -> None:
    """Wait until the gateway knows what a server declares."""
    await until_ready(service, "files")
    if server.era == "legacy":
        await server.until(lambda: server.messages.count({}) > 0)  # the GET


async def test_an_update_is_told_to_those_who_listen_for_the_resource(
    tokenizer: Tokenizer, make_server: Callable[[Told], HttpStandIn]
) -> None:
    told = Told()
    async with (
        make_server(told) as server,
        gateway(tokenizer, {"files": {"url": server.url}}) as service,
    ):
        await ready(service, server)
        async with listening(service, NOTES) as one, listening(service, NOTES.upper(), PLAN) as other:
            assert await acknowledged(one) == [NOTES]
            await acknowledged(other)
            async with listening(service, PLAN) as third:
                assert await acknowledged(third) == [PLAN]
                await told_of(told, server, "file:///notes.md", "file:///plan", "FILE:///NOTES.MD")
                told.tell("file:///notes.md")
                told.tell("file:///other")
                told.tell("file:///plan/part/one")
                assert await next_of(one) == {"uri": NOTES}
                assert await next_of(third) == {"uri": PLAN}
                assert await next_of(other) == {"uri": PLAN}
        await until(lambda: followed(server) == [], "nothing to be followed")


async def test_what_is_followed_is_followed_again_after_a_break(
    tokenizer: Tokenizer, make_server: Callable[[Told], HttpStandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream.session.RESUBSCRIBE_SECONDS", 0.01)
    told = Told()
    async with (
        make_server(told) as server,
        gateway(tokenizer, {"files": {"url": server.url}}) as service,
    ):
        await ready(service, server)
        async with listening(service, NOTES) as messages:
            await acknowledged(messages)
            await told_of(told, server, "file:///notes.md")
            asked = "resources/subscribe" if server.era == "legacy" else "subscriptions/listen"
            before = len(server.sent(asked))
            if server.era == "legacy":
                server.forget_sessions()
                await Client(service).call("files__echo")
            else:
                told.end()
            # It may have changed meanwhile.
            assert await next_of(messages) == {"uri": NOTES}
            await until(lambda: len(server.sent(asked)) > before, "another subscription")


@pytest.mark.parametrize(
    "query, servers",
    [("?servers=other", {}), ("?servers=files:echo", {}), ("", {"isolation": "session"})],
)
async def test_what_cannot_be_told_is_not_acknowledged(
    tokenizer: Tokenizer, query: str, servers: Message
) -> None:
    async with (
        modern_server(Told()) as server,
        HttpStandIn() as other,
        gateway(tokenizer, {"files": {"url": server.url, **servers}, "other": {"url": other.url}}) as service,
    ):
        await ready(service, server)
        async with listening(service, NOTES, "other+file:///x", query=query) as messages:
            assert await acknowledged(messages) == []
        assert followed(server) == []


async def test_a_server_is_asked_to_tell_of_few_resources_at_once(tokenizer: Tokenizer) -> None:
    told = Told()
    async with (
        modern_server(told) as server,
        gateway(tokenizer, {"files": {"url": server.url}}) as service,
    ):
        await ready(service, server)
        many = [f"files+file:///{number}" for number in range(MAX_NAMED)]
        async with listening(service, *many) as one, listening(service, NOTES) as other:
            assert len(await acknowledged(one)) == MAX_NAMED
            await acknowledged(other)
            await until(lambda: len(told.streams) == 2, "two streams")
        filters = [each["params"]["notifications"] for each in server.sent("subscriptions/listen")]
        asked = [each["resourceSubscriptions"] for each in filters if "resourceSubscriptions" in each]
        assert [len(each) for each in asked] == [MAX_NAMED, 1]


async def test_a_legacy_server_that_does_not_answer_holds_up_no_other_resource(
    tokenizer: Tokenizer, let_pass: LetPass
) -> None:
    told = Told()
    async with legacy_server(told) as server:
        server.script["resources/subscribe"].insert(0, Hangs())
        async with gateway(tokenizer, {"files": {"url": server.url, "timeout_seconds": 20}}) as service:
            await ready(service, server)
            async with listening(service, NOTES) as one:
                await acknowledged(one)
                await server.until(lambda: len(server.sent("resources/subscribe")) == 1)
                async with listening(service, PLAN) as other:
                    await acknowledged(other)
                    let_pass(20)
                    await server.until(lambda: len(server.sent("resources/subscribe")) == 3)
        asked = [each["params"]["uri"] for each in server.sent("resources/subscribe")]
        assert asked == ["file:///notes.md", "file:///plan", "file:///notes.md"]


class NotedChanges:
    """Notes what is to be followed, as an Upstream gets it."""

    def __init__(self) -> None:
        self.changes: list[tuple[list[str], list[str]]] = []

    def follow_resources(self, added: Collection[str], removed: Collection[str]) -> None:
        if added or removed:
            self.changes.append((sorted(added), sorted(removed)))


async def test_a_stream_that_opens_or_ends_changes_what_is_followed_by_its_own_resources_alone() -> None:
    hub, upstream = Hub(), NotedChanges()
    updates = ResourceUpdates(hub)
    updates.follow_at({"files": upstream})  # type: ignore[dict-item]
    streams = []
    for names in ((NOTES, PLAN), (NOTES,), ("other+file:///x",)):
        request = RpcRequest(1, "subscriptions/listen", {}, Era.MODERN)
        wanted = Filter(frozenset(), {"resourceSubscriptions": frozenset(names)})
        streams.append(asyncio.create_task(hub.listen(request, wanted, lambda message: None)))
        await asyncio.sleep(0)
    for each in streams:
        each.cancel()
        await asyncio.wait({each})
    both = ["file:///notes.md", "file:///plan"]
    assert upstream.changes == [(both, []), ([], both[1:]), ([], both[:1])]


async def test_with_other_servers_each_follows_what_is_its_own_then() -> None:
    hub, before, after = Hub(), NotedChanges(), NotedChanges()
    updates = ResourceUpdates(hub)
    updates.follow_at({"files": before})  # type: ignore[dict-item]
    request = RpcRequest(1, "subscriptions/listen", {}, Era.MODERN)
    wanted = Filter(frozenset(), {"resourceSubscriptions": frozenset([NOTES])})
    stream = asyncio.create_task(hub.listen(request, wanted, lambda message: None))
    await asyncio.sleep(0)
    # Of names that are the same but for their letters, the first has the address without a number.
    updates.follow_at({"Files": after, "files": before})  # type: ignore[dict-item]
    hub.close()
    await stream
    uri = "file:///notes.md"
    assert before.changes == [([uri], []), ([], [uri])]
    assert after.changes == [([uri], []), ([], [uri])]
