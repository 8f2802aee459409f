"""Access tokens: one for all who wait, renewed before they run out and where they are refused; in no message."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Self

import pytest
from aiohttp import web

from gateway.server_spec import OAuthGrant, ServerSpec
from gateway.upstream.errors import UpstreamError
from gateway.upstream.oauth import EARLY_SECONDS
from gateway.upstream.upstream_server import Upstream
from tests.support.upstream_stand_in import HttpStandIn, Status
from tests.support.upstreams import isolated_server, opened, status

SECRET = "client-secret-canary"
FIRST = "refresh-token-canary"


class TokenServer:
    """Gives token-1, token-2, ...; a script says what else it answers first."""

    def __init__(self, lifetime: float | None = 3600.0, script: list[web.Response] | None = None) -> None:
        self.lifetime = lifetime
        self.script = script or []
        self.asked: list[Mapping[str, str]] = []
        self.authorization: list[str | None] = []
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append({name: str(value) for name, value in (await request.post()).items()})
        self.authorization.append(request.headers.get("Authorization"))
        if self.script:
            return self.script.pop(0)
        number = len(self.asked)
        body: dict[str, Any] = {"access_token": f"token-{number}-canary", "token_type": "bearer"}
        body |= {"refresh_token": f"{FIRST}-{number}"} if "refresh_token" in self.asked[-1] else {}
        body |= {} if self.lifetime is None else {"expires_in": self.lifetime}
        return web.json_response(body)

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/token", self.answer)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/token"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()


@asynccontextmanager
async def with_tokens(server: HttpStandIn, tokens: TokenServer, **options: Any) -> AsyncIterator[Upstream]:
    grant = OAuthGrant("client_credentials", tokens.url, "me", SECRET, resource=server.url)
    spec = ServerSpec("test", url=server.url, auth=options.pop("grant", grant))
    async with opened(spec, **options) as upstream:
        yield upstream


def sent_tokens(server: HttpStandIn, method: str = "tools/call") -> list[str]:
    return [sent["authorization"].removeprefix("Bearer ") for sent in server.headers_of(method)]


async def test_calls_have_a_token_that_was_asked_for_once_with_the_clients_credentials() -> None:
    async with TokenServer() as tokens, HttpStandIn() as server, with_tokens(server, tokens) as upstream:
        await asyncio.gather(*(upstream.call("echo", {}) for _ in range(5)))
        assert tokens.asked == [{"grant_type": "client_credentials", "resource": server.url}]
        assert tokens.authorization == [f"Basic {base64.b64encode(f'me:{SECRET}'.encode()).decode()}"]
        assert sent_tokens(server) == ["token-1-canary"] * 5


async def test_a_token_is_renewed_before_it_runs_out_and_once_for_all_who_wait() -> None:
    now = 0.0
    async with (
        TokenServer() as tokens,
        HttpStandIn() as server,
        with_tokens(server, tokens, clock=lambda: now) as upstream,
    ):
        await upstream.call("echo", {})
        now = 3600 - EARLY_SECONDS - 1
        await upstream.call("echo", {})
        now += 1
        await asyncio.gather(*(upstream.call("echo", {}) for _ in range(5)))
        assert sent_tokens(server) == ["token-1-canary"] * 2 + ["token-2-canary"] * 5
        assert len(tokens.asked) == 2


async def test_a_refresh_token_may_change_with_each_use() -> None:
    now = 0.0
    async with TokenServer() as tokens, HttpStandIn() as server:
        grant = OAuthGrant("refresh_token", tokens.url, "me", refresh_token=FIRST, scope="a b")
        async with with_tokens(server, tokens, grant=grant, clock=lambda: now) as upstream:
            await upstream.call("echo", {})
            now = 3600.0
            await upstream.call("echo", {})
        common = {"grant_type": "refresh_token", "scope": "a b", "client_id": "me"}
        assert tokens.asked == [
            {**common, "refresh_token": FIRST},
            {**common, "refresh_token": f"{FIRST}-1"},
        ]
        assert tokens.authorization == [None, None]


async def test_a_refused_token_is_renewed_once_and_the_call_is_sent_again() -> None:
    async with TokenServer(None) as tokens, HttpStandIn() as server, with_tokens(server, tokens) as upstream:
        await upstream.tools()
        server.script["tools/call"] = [Status(401)]
        assert "content" in await upstream.call("echo", {})
        assert sent_tokens(server) == ["token-1-canary", "token-2-canary"]
        server.script["tools/call"] = [Status(401), Status(401)]
        with pytest.raises(UpstreamError, match="answers HTTP 401"):
            await upstream.call("echo", {})
        assert len(tokens.asked) == 3


@pytest.mark.parametrize(
    "answer, said",
    [
        (
            web.json_response({"error": "invalid_client", "error_description": SECRET}, status=401),
            "HTTP 401, invalid_client",
        ),
        (web.json_response({"error": SECRET}, status=400), "HTTP 400, no error code"),
        (web.Response(text=SECRET), "HTTP 200, not JSON"),
        (web.json_response([SECRET]), "HTTP 200, no error code"),
        (web.json_response({"access_token": f"{SECRET}\n", "token_type": "bearer"}), "no access_token"),
        (web.json_response({"access_token": SECRET, "token_type": "mac"}), "expected a token of type Bearer"),
    ],
)
async def test_why_no_token_was_given_is_told_without_a_secret(
    answer: web.Response, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with TokenServer(script=[answer]) as tokens, HttpStandIn() as server:

        async def for_ever(seconds: float) -> None:
            await asyncio.Event().wait()

        async with with_tokens(server, tokens, sleep=for_ever) as upstream:
            await status(upstream, "down")
            assert upstream.state.error.startswith("no access token was given for it (auth): ")
            assert said in upstream.state.error
            assert "canary" not in upstream.state.error + caplog.text + repr(upstream.state)


async def test_a_server_that_repeats_the_token_in_an_error_shows_nothing_of_it() -> None:
    async with TokenServer() as tokens, HttpStandIn() as server, with_tokens(server, tokens) as upstream:
        await upstream.tools()
        server.script["tools/call"] = [Status(400, b"bad token token-1-canary")]
        with pytest.raises(UpstreamError, match=r"bad token \*\*\*"):
            await upstream.call("echo", {})


async def test_sessions_share_the_servers_token() -> None:
    async with TokenServer() as tokens, HttpStandIn() as server:
        auth = {
            "grant": "client_credentials",
            "token_url": tokens.url,
            "client_id": "me",
            "client_secret": SECRET,
        }
        async with isolated_server({"url": server.url, "auth": auth}) as running:
            for session in ("alice", "bob"):
                async with running.connection("test", session) as upstream:
                    await upstream.call("echo", {})
        assert len(tokens.asked) == 1
        assert set(sent_tokens(server)) == {"token-1-canary"}
