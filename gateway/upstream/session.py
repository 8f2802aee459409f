"""Requests and replies in the era that a server speaks: ids, `_meta`, progress, cancellation, notifications.

Knows no transport: a Channel sends. Sends nothing a second time but what the server has refused because it had forgotten the session.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from itertools import count
from types import TracebackType
from typing import Any, Self

from gateway.upstream.channel import Channel, SessionGone
from gateway.upstream.era import Agreement, agree, judged_handshake
from gateway.upstream.errors import UpstreamError, UpstreamFault
from protocol.messages import (
    HEADER_METHOD,
    HEADER_NAME,
    HEADER_VERSION,
    META_CAPABILITIES,
    META_CLIENT_INFO,
    META_VERSION,
    METHOD_NOT_FOUND,
    Era,
    Message,
    notification,
)
from protocol.routing_headers import NAMED_BY, header_value
from protocol.subscriptions import LIST_CHANGES, NAMED

logger = logging.getLogger(__name__)

OnProgress = Callable[[Message], None]
"""Takes the params of each progress notification of a call."""

# A cancellation, or a reply to a request of the server: whoever does not take it in that time does not get it.
NOTIFY_SECONDS = 5.0

# Before a subscription that the server has ended is made again: doubled each time, since one that does not keep them may never do.
RESUBSCRIBE_SECONDS = 5.0
MAX_RESUBSCRIBE_SECONDS = 300.0

# A server that sends more requests of its own at once, all of which are refused, gets no answer.
MAX_BACKGROUND = 100


class Session:
    """A conversation with one server. `async with` ends what runs in the background."""

    def __init__(
        self,
        channel: Channel,
        client_info: Message,
        *,
        on_list_changed: Callable[[str], None],
        on_resource_updated: Callable[[str], None] = lambda uri: None,
        on_renewed: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
    ) -> None:
        """`on_list_changed` is told "tools", "prompts" or "resources", `on_renewed` that the server had forgotten the session."""
        self._on_resource_updated = on_resource_updated
        self._on_renewed = on_renewed
        self._channel = channel
        self._client_info = client_info
        self._on_list_changed = on_list_changed
        self._sleep = sleep
        self._ids = count(1)
        self._progress: dict[int, OnProgress] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._renewing = asyncio.Lock()
        self._is_closed = False
        self._agreement = Agreement(Era.LEGACY, "")
        channel.deliver_to(self._take)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_closed = True
        for task in self._background:
            task.cancel()
        if self._background:
            await asyncio.wait(self._background)

    @property
    def agreement(self) -> Agreement:
        """What both sides speak."""
        return self._agreement

    @property
    def is_over(self) -> bool:
        """Whether the connection is of no more use."""
        return self._channel.is_over

    async def ended(self) -> str:
        """Wait until the connection is of no more use; return why."""
        return await self._channel.ended()

    async def begin(self, remembered: Era | None) -> None:
        """Find out what the server speaks and begin to speak it. Raises UpstreamError."""
        self._agreement = await agree(self, remembered)
        if self._agreement.era is Era.LEGACY:
            await self._begin_legacy(self._agreement)
        elif wanted := [name for name, method in LIST_CHANGES.items() if self._announces(method)]:
            kinds = [_kind(LIST_CHANGES[name]) for name in wanted]
            self._in_background(self.listen(dict.fromkeys(wanted, True), lambda: self._note_changes(kinds)))

    async def discover(self, version: str) -> Message:
        """Ask a server of the modern era for its versions; return its reply."""
        return await self._answer_to("server/discover", lambda: self._modern("server/discover", {}, version))

    async def initialize(self, version: str) -> Message:
        """Shake hands with a server of the legacy era; return its reply."""
        # No sampling, elicitation or roots are offered: the client who could give them is not on this connection.
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": self._client_info}
        return await self._answer_to("initialize", lambda: self._numbered("initialize", params))

    async def request(
        self,
        method: str,
        params: Message,
        *,
        capabilities: Message | None = None,
        headers: Mapping[str, str] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Message:
        """Send a request; return its result. A cancelled request is cancelled at the server. Raises UpstreamError.

        `capabilities` are those of the client behind the request, which only the modern era can tell a server.
        """
        message = self._message(method, params, capabilities or {}, has_progress=on_progress is not None)
        if on_progress is not None:
            self._progress[message["id"]] = on_progress
        try:
            reply = await self._exchange(message, headers or {})
        except asyncio.CancelledError:
            if not self._channel.closing_cancels and not self._is_closed:
                self._notify("notifications/cancelled", {"requestId": message["id"], "reason": "cancelled"})
            raise
        finally:
            self._progress.pop(message["id"], None)
        return _result(reply)

    # --- Messages ----------------------------------------------------------------------------------------------

    def _numbered(self, method: str, params: Message) -> Message:
        return {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}

    def _modern(
        self, method: str, params: Message, version: str, capabilities: Message | None = None
    ) -> Message:
        ours = {
            META_VERSION: version,
            META_CAPABILITIES: capabilities or {},
            META_CLIENT_INFO: self._client_info,
        }
        return self._numbered(method, {**params, "_meta": {**params.get("_meta", {}), **ours}})

    def _message(self, method: str, params: Message, capabilities: Message, *, has_progress: bool) -> Message:
        if self._agreement.era is Era.MODERN:
            message = self._modern(method, params, self._agreement.version, capabilities)
        else:
            message = self._numbered(method, params)
        if has_progress:
            meta = {**message["params"].get("_meta", {}), "progressToken": message["id"]}
            message["params"] = {**message["params"], "_meta": meta}
        return message

    def _routing_headers(self, message: Message) -> dict[str, str]:
        """Return the headers that repeat a modern message's version, method and name."""
        method, params = message["method"], message["params"]
        version = params.get("_meta", {}).get(META_VERSION)
        if version is None:
            return {}
        headers = {HEADER_VERSION: version, HEADER_METHOD: method}
        named = params.get(NAMED_BY.get(method, ""))
        return headers if named is None else {**headers, HEADER_NAME: header_value(named)}

    # --- Requests ----------------------------------------------------------------------------------------------

    async def _answer_to(self, method: str, message: Callable[[], Message]) -> Message:
        """Return the reply to a first request; a refusal by HTTP alone is an error like another."""
        asked = message()
        try:
            return await self._channel.request(asked, self._routing_headers(asked))
        except UpstreamError as error:
            if error.fault not in (UpstreamFault.REFUSED, UpstreamFault.INVALID):
                raise
            return {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": 0, "message": str(error)}}

    async def _exchange(self, message: Message, headers: Mapping[str, str]) -> Message:
        all_headers = {**headers, **self._routing_headers(message)}
        try:
            return await self._channel.request(message, all_headers)
        except SessionGone as gone:
            await self._renew(gone.session_id)
        try:
            return await self._channel.request(message, all_headers)
        except SessionGone:
            raise UpstreamError(UpstreamFault.DOWN, "forgets its session at once") from None

    async def _renew(self, forgotten: str) -> None:
        """Begin a new session, unless another request has done so."""
        async with self._renewing:
            if self._channel.session_id != forgotten:
                return
            agreement = judged_handshake(await self.initialize(self._agreement.version))
            if agreement is None:
                why = "has forgotten its session and refuses a new one"
                self._channel.give_up(why)
                raise UpstreamError(UpstreamFault.DOWN, why)
            self._agreement = agreement
            await self._begin_legacy(agreement)
        self._on_list_changed("tools")  # it may have been restarted with others
        self._on_renewed()

    async def _begin_legacy(self, agreement: Agreement) -> None:
        self._channel.begin_session(agreement.version)
        await self._channel.notify(notification("notifications/initialized", {}))
        # Whatever it announces: servers of Python's SDK 1.x send the progress of calls there.
        self._channel.listen()

    # --- What the server sends by itself -----------------------------------------------------------------------

    def _announces(self, method: str) -> bool:
        return self._agreement.announces(_kind(method))

    def _take(self, message: Message) -> None:
        method, params = message["method"], message.get("params")
        if "id" in message:
            self._answer(message)
        elif method == "notifications/progress" and isinstance(params, dict):
            token = params.get("progressToken")
            on_progress = self._progress.get(token) if type(token) is int else None
            if on_progress is not None:
                on_progress(params)
        elif method in LIST_CHANGES.values():
            self._on_list_changed(_kind(method))
        elif method == NAMED["resourceSubscriptions"] and isinstance(params, dict):
            uri = params.get("uri")
            if isinstance(uri, str):
                self._on_resource_updated(uri)

    def _answer(self, request: Message) -> None:
        """Answer a request of the server: nothing but `ping` is offered."""
        if request["method"] == "ping":
            outcome: Message = {"result": {}}
        else:
            outcome = {
                "error": {"code": METHOD_NOT_FOUND, "message": f"Method not found: {request['method']}"}
            }
        if len(self._background) < MAX_BACKGROUND:
            self._in_background(self._send_or_log({"jsonrpc": "2.0", "id": request["id"], **outcome}))

    async def listen(self, wanted: Message, on_gap: Callable[[], None]) -> None:
        """Hold a subscription open (modern), until the server says that it has none; `on_gap`: what changed meanwhile was not announced."""
        params: Message = {"notifications": wanted}
        wait = RESUBSCRIBE_SECONDS
        while True:
            try:
                await self.request("subscriptions/listen", params)
            except UpstreamError as error:
                logger.info(
                    "upstream_subscription_ended", extra={"fault": error.fault.value, "code": error.code}
                )
                if error.code == METHOD_NOT_FOUND:
                    return
            await self._sleep(wait)
            wait = min(2 * wait, MAX_RESUBSCRIBE_SECONDS)
            on_gap()

    def _note_changes(self, kinds: list[str]) -> None:
        for kind in kinds:
            self._on_list_changed(kind)

    # --- Background --------------------------------------------------------------------------------------------

    def _notify(self, method: str, params: Message) -> None:
        self._in_background(self._send_or_log(notification(method, params)))

    async def _send_or_log(self, message: Message) -> None:
        """Send what no reply comes to; log why it was not sent."""
        try:
            async with asyncio.timeout(NOTIFY_SECONDS):
                await self._channel.notify(message)
        except (TimeoutError, UpstreamError) as error:
            logger.info("upstream_notification_not_sent", extra={"error": str(error)})

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)


def _kind(method: str) -> str:
    """Return what a notification like `notifications/tools/list_changed` is about."""
    return method.split("/")[1]


def _result(reply: Message) -> Message:
    """Return the result of a reply; raise its error."""
    result = reply.get("result")
    if isinstance(result, dict):
        return result
    error = reply["error"]
    code = error.get("code")
    raise UpstreamError(
        UpstreamFault.REFUSED,
        str(error.get("message")),
        code if type(code) is int else None,
        error.get("data"),
    )
