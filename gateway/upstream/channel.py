"""What the two ways to reach a server have in common: a request goes out, its reply comes back. No I/O here."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from protocol.messages import Message

OnMessage = Callable[[Message], None]
"""Takes what a server sends by itself, notifications and requests of its own: `Session._take` (session.py)."""


class SessionGone(Exception):
    """The server does not know the session any more (HTTP 404): nothing was done."""

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self.session_id = session_id


class Channel(Protocol):
    """A connection to one server. Its errors are UpstreamErrors, and SessionGone."""

    @property
    def closing_cancels(self) -> bool:
        """Whether a request is cancelled by no longer waiting for its reply: then no notification is needed."""
        ...

    @property
    def session_id(self) -> str:
        """The session that the server has given; "" for none."""
        ...

    def deliver_to(self, on_message: OnMessage) -> None:
        """Give what the server sends by itself to `on_message`."""
        ...

    async def request(self, message: Message, headers: Mapping[str, str]) -> Message:
        """Send a request; return its reply, a JSON-RPC result or error."""
        ...

    async def notify(self, message: Message) -> None:
        """Send a notification, or a reply to a request of the server."""
        ...

    def begin_session(self, version: str) -> None:
        """Speak this legacy revision from now on."""
        ...

    def listen(self) -> None:
        """Receive what the server sends by itself."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the connection is of no more use."""
        ...

    async def ended(self) -> str:
        """Wait until the connection is of no more use; return why."""
        ...

    def give_up(self, why: str) -> None:
        """Say that the session cannot go on: a new connection must be made."""
        ...


def replies_and_others(message: Any, request_id: int) -> tuple[Message | None, list[Message]]:
    """Return the reply to a request, if it is among what came, and the server's own messages beside it.

    What came is one message, or a batch of them (2025-03-26).
    """
    reply, others = None, []
    for each in message if isinstance(message, list) else [message]:
        if is_reply(each):
            reply = each if each["id"] == request_id else reply
        elif isinstance(each, dict) and isinstance(each.get("method"), str):
            others.append(each)
    return reply, others


def is_reply(message: Any) -> bool:
    """Whether a message answers one of our requests, whose ids are integers."""
    if not isinstance(message, dict) or "method" in message or type(message.get("id")) is not int:
        return False
    return isinstance(message.get("result"), dict) or isinstance(message.get("error"), dict)
