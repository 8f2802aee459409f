"""One upstream server: its state, its tools, calls of them. Connects in the background, again and again, and takes nothing else down.

What a server answers is handed on as it is: masking, summaries and names are other rooms'. A call is sent again only if no answer came
and the tool says that this does no harm.
"""

import asyncio
import logging
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from concurrency.worker_threads import Worker
from gateway.server_spec import ServerSpec, may_be_forwarded
from gateway.upstream.call_rate import CallRate
from gateway.upstream.call_result import INPUT_CAPABILITIES, checked_result
from gateway.upstream.call_share import CallShare, CallShares
from gateway.upstream.channel import Channel
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import AnswerLost, UpstreamError, UpstreamFault, kind_and_place
from gateway.upstream.followed_resources import FollowedResources
from gateway.upstream.http_connection import open_http
from gateway.upstream.oauth import TokenSource, open_tokens
from gateway.upstream.session import OnProgress, Session
from gateway.upstream.stdio_connection import open_stdio
from gateway.upstream.tool_list import listed
from gateway.upstream.tool_reader import KeptTools, MaskTools, OnToolsChanged, ToolReader
from protocol.messages import Era, Headers, Message
from protocol.routing_headers import mirroring_headers
from provider.backoff import backoff

logger = logging.getLogger(__name__)

# Before a server is started, or connected to, again; and how long it must have been up for the next failure to be a first one.
FIRST_WAIT_SECONDS = 0.5
MAX_WAIT_SECONDS = 60.0
STABLE_SECONDS = 60.0

Sleep = Callable[[float], Coroutine[Any, Any, None]]
OnOthersChanged = Callable[[str], None]
"""Is told "prompts" or "resources" when that list has changed."""

OnResourceUpdated = Callable[[str], None]
"""Is told the URI of a resource that was updated."""


@dataclass(frozen=True)
class UpstreamState:
    """What /health and the check command say of a server."""

    status: Literal["starting", "ready", "down"]
    era: Era | None = None
    version: str = ""
    started_seconds: float | None = None
    """How long its last start took."""
    error: str = ""
    """Why it is down."""
    left_out: Mapping[str, str] | None = None
    """Tools that cannot be offered, with the reason."""


class Upstream:
    """One server. Safe for any number of calls at once."""

    def __init__(
        self,
        spec: ServerSpec,
        *,
        connect: Callable[[], AbstractAsyncContextManager[Channel]],
        client_info: Message,
        clock: Callable[[], float],
        sleep: Sleep,
        uniform: Callable[[float, float], float],
        on_tools_changed: OnToolsChanged,
        on_others_changed: OnOthersChanged,
        on_resource_updated: OnResourceUpdated,
        redaction: Redaction,
        mask_tools: MaskTools,
        kept_tools: KeptTools,
        rate: CallRate,
        share: CallShare,
    ) -> None:
        self.name = spec.name
        self._spec = spec
        self._connect = connect
        self._client_info = client_info
        self._clock, self._sleep, self._uniform = clock, sleep, uniform
        self._on_others_changed = on_others_changed
        self._on_resource_updated = on_resource_updated
        self._followed = FollowedResources(spec.timeout_seconds, on_resource_updated)
        self._redaction = redaction
        self._reader = ToolReader(
            spec,
            clock=clock,
            redaction=redaction,
            mask=mask_tools,
            kept=kept_tools,
            on_changed=on_tools_changed,
        )
        self._state = UpstreamState("starting")
        self._changed = asyncio.Event()
        self._session: Session | None = None
        self._era: Era | None = None
        self._is_closed = False
        self._places = asyncio.Semaphore(spec.max_concurrency)
        self._rate = rate
        self._share = share

    @property
    def state(self) -> UpstreamState:
        """How it is."""
        return replace(self._state, left_out=self._reader.known.left_out)

    @property
    def known_tools(self) -> tuple[Message, ...]:
        """The tools that it had when they were last read, even if it is down or still starting."""
        return self._reader.known.tools

    def renew_tools(self) -> None:
        """Begin to read its tools again if they have run out; wait for nothing."""
        self._reader.renew()

    @property
    def capabilities(self) -> Message:
        """What the server declares that it can do."""
        return self._session.agreement.capabilities if self._session else {}

    async def tools(self) -> tuple[Message, ...]:
        """Return its own definitions of its tools, read anew if they have changed or run out. Raises UpstreamError."""
        async with self._limited():
            await self._reader.refresh(await self._ready())
        return self._reader.known.tools

    async def call(
        self,
        name: str,
        arguments: Message,
        *,
        meta: Message | None = None,
        capabilities: Message | None = None,
        input_responses: Message | None = None,
        request_state: str | None = None,
        headers: Headers | None = None,
        on_progress: OnProgress | None = None,
    ) -> Message:
        """Call a tool; return its CallToolResult, or a result that asks for input. Raises UpstreamError.

        `capabilities` are those of the client behind the call, `input_responses` and `request_state` what it answers to a result
        that asked for input; `headers` those it sent, of which the configured ones are sent on.
        """
        params: Message = {"name": name, "arguments": arguments}
        if meta:
            params["_meta"] = {key: value for key, value in meta.items() if key != "progressToken"}
        if input_responses is not None:
            params["inputResponses"] = input_responses
        if request_state is not None:
            params["requestState"] = request_state
        offered = {
            kind: (capabilities or {})[kind]
            for kind in INPUT_CAPABILITIES.values()
            if kind in (capabilities or {})
        }

        async def send(session: Session) -> Message:
            return await session.request(
                "tools/call",
                params,
                capabilities=offered,
                headers={**self._forwarded(headers or {}), **self._mirroring(name, arguments)},
                on_progress=on_progress,
            )

        async with self._limited():
            with self._share.held():
                self._rate.count()
                async with self._places:
                    result = await self._send_with_retry(
                        send, may_repeat=lambda: self._reader.known.may_repeat(name)
                    )
            return checked_result(result, offered)

    async def request(self, method: str, params: Message, *, capabilities: Message | None = None) -> Message:
        """Send a request that changes nothing, such as prompts/get and resources/read; return its result. Raises UpstreamError."""

        async def send(session: Session) -> Message:
            return await session.request(method, params, capabilities=capabilities)

        async with self._limited():
            with self._share.held():
                async with self._places:
                    return await self._send_with_retry(send, may_repeat=lambda: True)

    def follow_resources(self, added: Collection[str], removed: Collection[str]) -> None:
        """Have the server tell of updates of some more resources from now on, and of some no longer."""
        self._followed.follow(added, removed)

    async def list_all(self, method: str, member: str) -> list[Message]:
        """Return every page of a list, such as prompts/list; [] if the server has none. Raises UpstreamError."""
        async with self._limited():
            items, _ = await listed(await self._ready(), method, member)
            return items

    # --- Calls -------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _limited(self) -> AsyncIterator[None]:
        """Bound the time of what is done in the block; name the server in its errors."""
        seconds = self._spec.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise UpstreamError(
                UpstreamFault.TIMEOUT, f"{self.name}: no answer within {seconds:g} seconds (timeout_seconds)"
            ) from None
        except UpstreamError as error:
            raise UpstreamError(error.fault, f"{self.name}: {error}", error.code, error.data) from None

    async def _ready(self) -> Session:
        """Wait for a start that goes on. Raises UpstreamError DOWN if it has failed."""
        while self._session is None:
            if self._state.status == "down":
                raise UpstreamError(
                    UpstreamFault.DOWN, f"is down and is tried again in the background: {self._state.error}"
                )
            await self._changed.wait()
        return self._session

    async def _next_session(self, former: Session) -> Session:
        """Return the session that goes on, or the one that follows it, however often it must be tried."""
        while self._session is None or (self._session is former and former.is_over):
            if self._is_closed:
                raise UpstreamError(UpstreamFault.DOWN, "was closed")
            await self._changed.wait()
        return self._session

    async def _send_with_retry(
        self, send: Callable[[Session], Awaitable[Message]], *, may_repeat: Callable[[], bool]
    ) -> Message:
        """Send a request; once more where its answer was lost and it may be repeated. Raises UpstreamError."""
        session = await self._ready()
        try:
            return await send(session)
        except AnswerLost as lost:
            if not may_repeat():
                raise UpstreamError(
                    UpstreamFault.OUTCOME_UNKNOWN,
                    f"the outcome is unknown: the call was sent, and {lost}. It was not sent again, since the tool does not say that "
                    "this does no harm (readOnlyHint, idempotentHint): check whether it was carried out",
                ) from None
        return await send(await self._next_session(session))

    def _forwarded(self, headers: Headers) -> dict[str, str]:
        """Return the client's headers that this server gets (`forward_headers`), of each the values that can be sent."""
        names = {name.lower() for name in self._spec.forward_headers if may_be_forwarded(name)}
        sendable = {
            name: [value for value in headers.get(name, ()) if value.isascii() and value.isprintable()]
            for name in names
        }
        # RFC 9110, 5.2: lines of one name are one list.
        return {name: ", ".join(values) for name, values in sendable.items() if values}

    def _mirroring(self, name: str, arguments: Message) -> dict[str, str]:
        is_modern = self._session is not None and self._session.agreement.era is Era.MODERN
        return mirroring_headers(self._reader.known.mirrored.get(name, {}), arguments) if is_modern else {}

    def _note_change(self, kind: str) -> None:
        """Note that one of the server's lists has changed."""
        if kind == "tools":
            self._reader.note_change()
        else:
            self._on_others_changed(kind)

    # --- Connection --------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Connect, and connect again after each end, until cancelled."""
        waits = backoff(self._uniform, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS)
        await self._reader.restore()
        while True:
            begun = self._clock()
            error = await self._connected_once()
            if self._clock() - begun >= STABLE_SECONDS:
                waits = backoff(self._uniform, FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS)
            self._session = None
            self._set(replace(self._state, status="down", error=error))
            logger.warning("upstream_down", extra={"upstream": self.name, "error": error})
            await self._sleep(next(waits))
            self._set(replace(self._state, status="starting"))

    async def _connected_once(self) -> str:
        """Connect and stay so; return what ended it."""
        begun = self._clock()
        try:
            try:
                return await self._served(begun, self._era)
            except UpstreamError as error:
                # A server of the legacy era may end when it is asked what it does not know: its new process is not asked.
                has_ended = error.fault in (UpstreamFault.DOWN, UpstreamFault.OUTCOME_UNKNOWN)
                if not (has_ended and self._spec.command and self._era is None):
                    raise
            return await self._served(begun, Era.LEGACY)
        except UpstreamError as error:
            return self._redaction.shown(str(error))
        except Exception as fault:  # noqa: BLE001 - whatever it is: one server must not take the others down
            logger.error("upstream_failed", extra={"upstream": self.name, "error": kind_and_place(fault)})  # noqa: TRY400
            return "failed for a reason that the log tells"

    async def _served(self, begun: float, era: Era | None) -> str:
        async with self._connect() as channel:
            session = Session(
                channel,
                self._client_info,
                on_list_changed=self._note_change,
                on_resource_updated=self._on_resource_updated,
                on_renewed=self._followed.note_renewal,
                sleep=self._sleep,
            )
            async with session:
                try:
                    async with asyncio.timeout(self._spec.timeout_seconds):
                        await session.begin(era)
                        await self._reader.read(session)
                except TimeoutError:
                    seconds = self._spec.timeout_seconds
                    return f"did not start within {seconds:g} seconds (timeout_seconds)"
                agreement = session.agreement
                self._era = agreement.era
                self._session = session
                self._set(
                    replace(
                        self._state,
                        status="ready",
                        era=agreement.era,
                        version=agreement.version,
                        started_seconds=self._clock() - begun,
                        error="",
                    )
                )
                self._reader.begin(session)
                following = asyncio.create_task(self._followed.keep(session))
                try:
                    return await session.ended()
                finally:
                    self._session = None
                    self._reader.end()
                    following.cancel()
                    await asyncio.wait({following})

    def _set(self, state: UpstreamState) -> None:
        self._state = state
        self._changed.set()
        self._changed = asyncio.Event()

    async def close(self) -> None:
        """End what waits for it."""
        self._is_closed = True
        self._set(UpstreamState("down", error="was closed"))
        await self._reader.close()


async def _as_they_are(tools: tuple[Message, ...]) -> tuple[Message, ...]:
    return tools


async def _none_kept() -> tuple[Message, ...]:
    return ()


@asynccontextmanager
async def open_upstream(
    spec: ServerSpec,
    *,
    environment: Mapping[str, str],
    worker: Worker,
    client_info: Message,
    clock: Callable[[], float] = time.monotonic,
    sleep: Sleep = asyncio.sleep,
    uniform: Callable[[float, float], float] = random.uniform,
    on_tools_changed: OnToolsChanged = lambda: None,
    on_others_changed: OnOthersChanged = lambda kind: None,
    on_resource_updated: OnResourceUpdated = lambda uri: None,
    mask_tools: MaskTools = _as_they_are,
    kept_tools: KeptTools = _none_kept,
    redaction: Redaction | None = None,
    tokens: TokenSource | None = None,
    rate: CallRate | None = None,
    share: CallShare | None = None,
) -> AsyncIterator[Upstream]:
    """Open a server at once; it starts in the background. At the end of the block its connection and its process are ended.

    `environment` is ours, of which its process gets a few harmless variables; `client_info` our name and version. `redaction`, `tokens`,
    `rate` and `share` are those of all connections of the server; without them, this one has its own, and any share.
    """
    shown = redaction or Redaction(spec)

    def connect() -> AbstractAsyncContextManager[Channel]:
        if spec.command is not None:
            return open_stdio(spec, environment, worker, shown)
        return open_http(spec, worker, shown, sleep=sleep, uniform=uniform, tokens=tokens or own_tokens)

    async with open_tokens(None if tokens else spec.auth, shown, clock) as own_tokens:
        upstream = Upstream(
            spec,
            connect=connect,
            client_info=client_info,
            clock=clock,
            sleep=sleep,
            uniform=uniform,
            on_tools_changed=on_tools_changed,
            on_others_changed=on_others_changed,
            on_resource_updated=on_resource_updated,
            redaction=shown,
            mask_tools=mask_tools,
            kept_tools=kept_tools,
            rate=rate or CallRate(spec.max_calls_per_minute, clock),
            share=share or CallShare(CallShares(sys.maxsize)),
        )
        running = asyncio.create_task(upstream.run(), name=f"upstream {spec.name}")
        try:
            yield upstream
        finally:
            running.cancel()
            await asyncio.wait({running})
            await upstream.close()
