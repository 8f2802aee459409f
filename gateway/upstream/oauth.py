"""Access tokens for a server (OAuth 2.0): asked for with the client's own credentials or a refresh token, renewed once for all who wait.

RFC 6749, 4.4 and 6; RFC 8707 for `resource`, which MCP's "Authorization" asks clients to send. No browser logins: docs/gateway.md names
bridges. Access tokens are in memory alone, and in no message.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol
from urllib.parse import quote_plus

import httpx

from gateway.server_spec import OAuthGrant
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.http_answers import whole_body

TOKEN_SECONDS = 30.0

# Before a token runs out it is renewed: a call may be under way for so long, and clocks differ.
EARLY_SECONDS = 60.0

# Ten years: what is more is no time that a token can be used for.
MAX_LIFETIME_SECONDS = 10 * 365 * 86_400.0

# Tokens have some kilobytes at most.
MAX_ANSWER_BYTES = 1_000_000

# RFC 6749, 5.2: what an error is called.
_ERROR_CODE = re.compile(r"[a-z_]{1,40}")


class KeptToken(Protocol):
    """Where the newest refresh token of a server is kept over a restart."""

    async def read(self) -> str:
        """Return it; "" where none was given but the configured one."""
        ...

    async def keep(self, token: str) -> None:
        """Keep another one."""
        ...


class TokenSource:
    """The access token of one server."""

    def __init__(
        self,
        grant: OAuthGrant,
        http: httpx.AsyncClient,
        redaction: Redaction,
        clock: Callable[[], float],
        kept: KeptToken | None = None,
    ) -> None:
        self._kept = kept
        self._is_read = False
        self._grant = grant
        self._http = http
        self._redaction = redaction
        self._clock = clock
        self._refresh_token = grant.refresh_token
        self._token = ""
        self._renew_at = 0.0
        self._renewing: asyncio.Task[None] | None = None

    async def token(self, refused: str = "") -> str:
        """Return a token that is not about to run out, and not the one that was refused. Raises UpstreamError."""
        if not self._token or self._token == refused or self._clock() >= self._renew_at:
            if self._renewing is None or self._renewing.done():
                self._renewing = asyncio.create_task(self._renew(), name="OAuth token")
                self._renewing.add_done_callback(_forget)
            # Whoever waits may be cancelled: a refresh token that was used must not be lost.
            await asyncio.shield(self._renewing)
        return self._token

    async def _renew(self) -> None:
        answer = await self._asked()
        token, kind, lifetime = (answer.get(name) for name in ("access_token", "token_type", "expires_in"))
        if not isinstance(token, str) or not token.isascii() or not token.isprintable() or not token:
            raise _not_given("its answer has no access_token")
        if not isinstance(kind, str) or kind.lower() != "bearer":
            raise _not_given("expected a token of type Bearer, got another one")
        self._redaction.hide(token)
        # RFC 6749, 6: "The authorization server MAY issue a new refresh token".
        if isinstance(renewed := answer.get("refresh_token"), str) and renewed:
            self._redaction.hide(renewed)
            if self._kept and renewed != self._refresh_token:
                await self._kept.keep(renewed)
            self._refresh_token = renewed
        seconds = _seconds(lifetime)
        # Of a token that lives shorter than twice the margin, half its time.
        self._renew_at = self._clock() + max(seconds - EARLY_SECONDS, seconds / 2)
        self._token = token

    async def _read_kept(self) -> None:
        if self._kept and not self._is_read and (newest := await self._kept.read()):
            self._redaction.hide(newest)
            self._refresh_token = newest
        self._is_read = True

    async def _asked(self) -> dict[str, Any]:
        grant = self._grant
        form = {"grant_type": grant.grant, "scope": grant.scope, "resource": grant.resource}
        if grant.grant == "refresh_token":
            await self._read_kept()
            form["refresh_token"] = self._refresh_token
        headers = {"accept": "application/json", "accept-encoding": "identity"}
        auth = httpx.Auth()  # none
        if grant.client_secret:  # RFC 6749, 2.3.1: form-encoded first
            auth = httpx.BasicAuth(quote_plus(grant.client_id), quote_plus(grant.client_secret))
        else:
            form["client_id"] = grant.client_id
        given = {name: value for name, value in form.items() if value}
        try:
            async with self._http.stream(
                "POST", grant.token_url, data=given, headers=headers, auth=auth
            ) as response:
                body = await whole_body(response, MAX_ANSWER_BYTES)
        except (httpx.HTTPError, UnicodeError) as error:  # idna's: a redirect to a host that is no name
            raise _not_given(type(error).__name__, UpstreamFault.DOWN) from None
        if body is None:
            raise _not_given(f"HTTP {response.status_code}, an answer of more than {MAX_ANSWER_BYTES} bytes")
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            raise _not_given(f"HTTP {response.status_code}, not JSON") from None
        if not response.is_success or not isinstance(answer, dict):
            code = answer.get("error") if isinstance(answer, dict) else None
            known = code if isinstance(code, str) and _ERROR_CODE.fullmatch(code) else "no error code"
            raise _not_given(f"HTTP {response.status_code}, {known}")
        return answer


class BearerAuth(httpx.Auth):
    """Sends a server's token with each request; where it is refused, a new one, once: a 401 says that nothing was done."""

    def __init__(self, tokens: TokenSource) -> None:
        self._tokens = tokens

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Yield the request with its token."""
        token = await self._tokens.token()
        response = yield _with_token(request, token)
        if response.status_code == httpx.codes.UNAUTHORIZED:
            yield _with_token(request, await self._tokens.token(refused=token))


@asynccontextmanager
async def open_tokens(
    grant: OAuthGrant | None,
    redaction: Redaction,
    clock: Callable[[], float],
    kept: KeptToken | None = None,
) -> AsyncIterator[TokenSource | None]:
    """Open what gets a server's tokens; None without a grant."""
    if grant is None:
        yield None
        return
    async with httpx.AsyncClient(timeout=TOKEN_SECONDS) as http:
        yield TokenSource(grant, http, redaction, clock, kept)


def _seconds(lifetime: object) -> float:
    """Return for how long a token can be used; of one that does not say it in a usable number, until it is refused."""
    if (
        isinstance(lifetime, int | float)
        and not isinstance(lifetime, bool)
        and 0 <= lifetime < MAX_LIFETIME_SECONDS
    ):
        return float(lifetime)
    return float("inf")


def _with_token(request: httpx.Request, token: str) -> httpx.Request:
    return httpx.Request(
        request.method,
        request.url,
        headers=[*request.headers.multi_items(), ("authorization", f"Bearer {token}")],
        stream=request.stream,
        extensions=request.extensions,
    )


def _not_given(why: str, fault: UpstreamFault = UpstreamFault.UNAUTHORIZED) -> UpstreamError:
    return UpstreamError(fault, f"no access token was given for it (auth): {why}")


def _forget(renewing: asyncio.Task[None]) -> None:
    """Look at what failed, though all who waited for it may be gone."""
    if not renewing.cancelled():
        renewing.exception()
