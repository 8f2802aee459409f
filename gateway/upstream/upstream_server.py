"""One upstream server: its tools, calls of them and other requests, over a session that is begun again after each end.

What a server answers is handed on as it is: masking, summaries and names are other rooms'. A call is sent again only if no answer came
and the tool says that this does no harm.
"""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from concurrency.worker_threads import Worker
from gateway.server_spec import ServerSpec, may_be_forwarded
from gateway.upstream.call_rate import CallRate
from gateway.upstream.call_result import INPUT_CAPABILITIES, checked_result
from gateway.upstream.call_share import CallShare, CallShares
from gateway.upstream.channel import Channel
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import AnswerLost, UpstreamError, UpstreamFault
from gateway.upstream.followed_resources import FollowedResources
from gateway.upstream.http_connection import open_http
from gateway.upstream.oauth import TokenSource, open_tokens
from gateway.upstream.reconnecting_session import ReconnectingSession, Sleep, UpstreamState
from gateway.upstream.session import OnProgress, Session
from gateway.upstream.stdio_connection import open_stdio
from gateway.upstream.tool_list import listed
from gateway.upstream.tool_reader import KeptTools, MaskTools, OnToolsChanged, ToolReader
from protocol.messages import Era, Headers, Message
from protocol.routing_headers import mirroring_headers

OnOthersChanged = Callable[[str], None]
"""Is told "prompts" or "resources" when that list has changed."""

OnResourceUpdated = Callable[[str], None]
"""Is told the URI of a resource that was updated."""


class Upstream:
    """One server. Safe for any number of calls at once."""

    def __init__(
        self,
        spec: ServerSpec,
        *,
        session: ReconnectingSession,
        reader: ToolReader,
        followed: FollowedResources,
        rate: CallRate,
        share: CallShare,
    ) -> None:
        self.name = spec.name
        self._spec = spec
        self._session = session
        self._reader = reader
        self._followed = followed
        self._places = asyncio.Semaphore(spec.max_concurrency)
        self._rate = rate
        self._share = share

    @property
    def state(self) -> UpstreamState:
        """How it is."""
        return replace(self._session.state, left_out=self._reader.known.left_out)

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
        session = self._session.current
        return session.agreement.capabilities if session else {}

    async def tools(self) -> tuple[Message, ...]:
        """Return its own definitions of its tools, read anew if they have changed or run out. Raises UpstreamError."""
        async with self._limited():
            await self._reader.refresh(await self._session.ready())
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
            items, _ = await listed(await self._session.ready(), method, member)
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

    async def _send_with_retry(
        self, send: Callable[[Session], Awaitable[Message]], *, may_repeat: Callable[[], bool]
    ) -> Message:
        """Send a request; once more where its answer was lost and it may be repeated. Raises UpstreamError."""
        session = await self._session.ready()
        try:
            return await send(session)
        except AnswerLost as lost:
            if not may_repeat():
                raise UpstreamError(
                    UpstreamFault.OUTCOME_UNKNOWN,
                    f"the outcome is unknown: the call was sent, and {lost}. It was not sent again, since the tool does not say that "
                    "this does no harm (readOnlyHint, idempotentHint): check whether it was carried out",
                ) from None
        return await send(await self._session.after(session))

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
        session = self._session.current
        is_modern = session is not None and session.agreement.era is Era.MODERN
        return mirroring_headers(self._reader.known.mirrored.get(name, {}), arguments) if is_modern else {}


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
        reader = ToolReader(
            spec, clock=clock, redaction=shown, mask=mask_tools, kept=kept_tools, on_changed=on_tools_changed
        )
        followed = FollowedResources(spec.timeout_seconds, on_resource_updated)

        def note_change(kind: str) -> None:
            """Note that one of the server's lists has changed."""
            if kind == "tools":
                reader.note_change()
            else:
                on_others_changed(kind)

        @asynccontextmanager
        async def open_session(era: Era | None) -> AsyncIterator[Session]:
            async with (
                connect() as channel,
                Session(
                    channel,
                    client_info,
                    on_list_changed=note_change,
                    on_resource_updated=on_resource_updated,
                    on_renewed=followed.note_renewal,
                    sleep=sleep,
                ) as session,
                _begun(session, era, reader, followed, spec.timeout_seconds),
            ):
                yield session

        session = ReconnectingSession(spec, open_session, shown, clock=clock, sleep=sleep, uniform=uniform)
        running = asyncio.create_task(_restored_and_run(reader, session), name=f"upstream {spec.name}")
        try:
            yield Upstream(
                spec,
                session=session,
                reader=reader,
                followed=followed,
                rate=rate or CallRate(spec.max_calls_per_minute, clock),
                share=share or CallShare(CallShares(sys.maxsize)),
            )
        finally:
            running.cancel()
            await asyncio.wait({running})
            session.close()
            await reader.close()


async def _restored_and_run(reader: ToolReader, session: ReconnectingSession) -> None:
    await reader.restore()
    await session.run()


@asynccontextmanager
async def _begun(
    session: Session, era: Era | None, reader: ToolReader, followed: FollowedResources, seconds: float
) -> AsyncIterator[None]:
    """Begin a session and read the server's tools; they are kept up to date, and resources followed, up to the end of the block. Raises UpstreamError."""
    await _begin(session, era, reader, seconds)
    reader.begin(session)
    following = asyncio.create_task(followed.keep(session))
    try:
        yield
    finally:
        reader.end()
        following.cancel()
        await asyncio.wait({following})


async def _begin(session: Session, era: Era | None, reader: ToolReader, seconds: float) -> None:
    """Begin a session, and read the server's tools. Raises UpstreamError."""
    try:
        async with asyncio.timeout(seconds):
            await session.begin(era)
            await reader.read(session)
    except TimeoutError:
        why = f"did not start within {seconds:g} seconds (timeout_seconds)"
        raise UpstreamError(UpstreamFault.TIMEOUT, why) from None
