"""Access tokens: one for all who wait, renewed before they run out and where they are refused; in no message."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import pytest
from aiohttp import web

from concurrency.worker_threads import open_worker
from gateway.refresh_tokens import FILE_NAME, RefreshTokens
from gateway.server_spec import OAuthGrant, ServerSpec
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import UpstreamError
from gateway.upstream.oauth import EARLY_SECONDS, MAX_ANSWER_BYTES, open_tokens
from gateway.upstream.upstream_server import Upstream
from summarizing.text.tokenizer import Tokenizer
from tests.gateway.test_gateway import Client, gateway
from tests.support.upstream_http import HttpStandIn, Status
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


def refreshing(tokens: TokenServer, first: str = FIRST) -> OAuthGrant:
    return OAuthGrant("refresh_token", tokens.url, "me", refresh_token=first)


async def called_anew(server: HttpStandIn, grant: OAuthGrant, kept: RefreshTokens) -> None:
    """Call a server as after a start."""
    async with open_worker(1) as worker:
        spec, clock = ServerSpec("test", url=server.url, auth=grant), asyncio.get_running_loop().time
        of_server = kept.of("test", grant, worker)
        async with (
            open_tokens(grant, Redaction(spec), clock, of_server) as source,
            opened(spec, tokens=source) as upstream,
        ):
            await upstream.call("echo", {})


@pytest.mark.parametrize("lifetime", ["1e999", "9" * 400, "-1", "true", '"3600"', "NaN"])
async def test_a_token_with_a_lifetime_that_is_none_is_used_until_it_is_refused(lifetime: str) -> None:
    body = f'{{"access_token": "first-canary", "token_type": "bearer", "expires_in": {lifetime}}}'
    async with (
        TokenServer(script=[web.Response(text=body, content_type="application/json")]) as tokens,
        HttpStandIn() as server,
        with_tokens(server, tokens) as upstream,
    ):
        await upstream.call("echo", {})
        server.script["tools/call"] = [Status(401)]
        await upstream.call("echo", {})
        assert sent_tokens(server) == ["first-canary"] * 2 + ["token-2-canary"]


def modes_in(directory: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in directory.iterdir()}


async def test_a_new_refresh_token_is_kept_over_a_restart_for_its_user_only(tmp_path: Path) -> None:
    async with TokenServer() as tokens, HttpStandIn() as server:
        for _ in range(3):
            await called_anew(server, refreshing(tokens), RefreshTokens(str(tmp_path)))
        asked = [each["refresh_token"] for each in tokens.asked]
        assert asked == [FIRST, f"{FIRST}-1", f"{FIRST}-2"]
        assert modes_in(tmp_path) == {FILE_NAME: 0o600}
        # Another one in the configuration counts at once.
        await called_anew(server, refreshing(tokens, "another"), RefreshTokens(str(tmp_path)))
        assert tokens.asked[-1]["refresh_token"] == "another"


async def test_without_a_directory_a_new_refresh_token_is_known_until_the_process_ends(
    tmp_path: Path,
) -> None:
    async with TokenServer() as tokens, HttpStandIn() as server:
        kept = RefreshTokens("")
        for _ in range(2):
            await called_anew(server, refreshing(tokens), kept)
        assert [each["refresh_token"] for each in tokens.asked] == [FIRST, f"{FIRST}-1"]


@pytest.mark.parametrize("content", ["no JSON canary", "[]", '{"test": 1}', '{"test": {"configured": "x"}}'])
async def test_a_file_that_cannot_be_used_is_told_and_the_configured_token_counts(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE_NAME).write_text(content, "utf-8")
    async with TokenServer() as tokens, HttpStandIn() as server:
        await called_anew(server, refreshing(tokens), RefreshTokens(str(tmp_path)))
        assert tokens.asked[0]["refresh_token"] == FIRST
    assert "refresh_token_not_kept" in caplog.messages
    assert "canary" not in str([vars(each) for each in caplog.records if each.name.startswith("gateway")])
    assert (tmp_path / FILE_NAME).read_text("utf-8") == content


async def test_the_gateway_keeps_refresh_tokens_in_its_storage_directory(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    settings = {"STORAGE_DIRECTORY": str(tmp_path)}
    async with TokenServer() as tokens, HttpStandIn() as server:
        auth = {"grant": "refresh_token", "token_url": tokens.url, "client_id": "me", "refresh_token": FIRST}
        for _ in range(2):
            async with gateway(tokenizer, {"x": {"url": server.url, "auth": auth}}, settings) as service:
                await Client(service).call("x__echo")
        assert [each["refresh_token"] for each in tokens.asked] == [FIRST, f"{FIRST}-1"]


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
        (web.Response(text="[" * 100_000), "HTTP 200, not JSON"),
        (web.Response(text=" " * (MAX_ANSWER_BYTES + 1)), "HTTP 200, an answer of more than 1000000 bytes"),
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
                async with running.connection("test", "", session) as upstream:
                    await upstream.call("echo", {})
        assert len(tokens.asked) == 1
        assert set(sent_tokens(server)) == {"token-1-canary"}
