"""The table of methods: which revision of MCP has which, and what a transport must know of each; and which revisions have batches.

What a method does is in protocol/methods.py, how a message is checked in mcp_protocol.py.
"""

from dataclasses import dataclass
from enum import Enum

from protocol import methods
from protocol.methods import MethodHandler, Server

# MCP 2025-03-26 requires batches, JSON-RPC allowed them before, and MCP 2025-06-18 removed them.
BATCH_VERSIONS = ("2025-03-26", "2024-11-05")


class Duration(Enum):
    """How long the answer to a message may take: a transport queues long ones, and answers short ones at once."""

    SHORT = "short"
    LONG = "long"
    OPEN_ENDED = "open-ended"
    """A stream: open until one side closes it."""


@dataclass(frozen=True)
class Method:
    """A method, as a revision has it."""

    handler: MethodHandler
    needs: str = ""
    """The part of the server that it needs: without it, the method is not found."""
    duration: Duration = Duration.SHORT
    cacheable: bool = False
    """MCP 2026-07-28, Caching: the result says how long, and in whose cache, it may be kept."""

    def is_served_by(self, server: Server) -> bool:
        """Whether a server has what it needs."""
        return not self.needs or bool(getattr(server, self.needs))


_LISTS = {
    "tools/list": Method(methods.list_tools, cacheable=True),
    "resources/list": Method(methods.list_resources, "resources", cacheable=True),
    "resources/templates/list": Method(methods.list_templates, "resources", cacheable=True),
    "prompts/list": Method(methods.list_prompts, "prompts", cacheable=True),
}
_WORK = {
    "tools/call": Method(methods.call_tool, duration=Duration.LONG),
    "resources/read": Method(methods.read_resource, "resources", Duration.LONG, cacheable=True),
    "prompts/get": Method(methods.get_prompt, "prompts", Duration.LONG),
    "completion/complete": Method(methods.complete, "completions", Duration.LONG),
}
_HANDSHAKE = {
    "initialize": Method(methods.initialize),
    "ping": Method(methods.ping),
    "logging/setLevel": Method(methods.set_log_level, "logging"),
    "resources/subscribe": Method(methods.acknowledge, "acknowledges"),
    "resources/unsubscribe": Method(methods.acknowledge, "acknowledges"),
}
_STATELESS = {
    "server/discover": Method(methods.discover, cacheable=True),
    "subscriptions/listen": Method(methods.listen, "hub", Duration.OPEN_ENDED),
    "tasks/get": Method(methods.get_task, "tasks"),
    "tasks/update": Method(methods.update_task, "tasks"),
    "tasks/cancel": Method(methods.cancel_task, "tasks"),
}

METHODS: dict[str, dict[str, Method]] = {
    "2026-07-28": {**_STATELESS, **_LISTS, **_WORK},
    "2025-11-25": {**_HANDSHAKE, **_LISTS, **_WORK},
    "2025-06-18": {**_HANDSHAKE, **_LISTS, **_WORK},
    "2025-03-26": {**_HANDSHAKE, **_LISTS, **_WORK},
    "2024-11-05": {**_HANDSHAKE, **_LISTS, **_WORK},
}
