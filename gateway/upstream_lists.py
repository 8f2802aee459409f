"""What servers list beside tools: prompts, resources, templates; read when a client asks, every page, masked.

A server that is down, slow or refuses has none for the moment, and takes nothing from the others.
"""

import asyncio
import logging
from typing import Any

from gateway.call_context import client_session_of
from gateway.masking_interface import MaskingFailed
from gateway.running_servers import RunningServers
from gateway.server_rules import GatewayServer
from gateway.server_selection import Selection
from gateway.upstream.errors import UpstreamError
from gateway.upstream.upstream_server import Upstream
from protocol.context import Context
from protocol.messages import INTERNAL_ERROR, Message, RpcError
from protocol.methods import Unknown

logger = logging.getLogger(__name__)

# A client waits so long for the slowest server's list.
LIST_SECONDS = 3.0

# Of an error's message.
MAX_SAID_CHARS = 2_000


class UpstreamLists:
    """The lists of the servers that a connection has chosen whole: of a server of which it has chosen tools alone, nothing else."""

    def __init__(self, running: RunningServers, selection: Selection) -> None:
        self._running = running
        self._selection = selection

    @property
    def servers(self) -> list[str]:
        """The servers, in the order of the configuration."""
        return [
            name
            for name in self._running.configured
            if self._selection.servers.get(name, frozenset()) is None
        ]

    async def of(
        self, servers: list[str], kind: str, method: str, member: str, key: str
    ) -> dict[str, list[Message]]:
        """Return what each server lists; `kind` is the capability for it, `key` the member by which a client names an item."""
        found = await asyncio.gather(*(self._listed(name, kind, method, member, key) for name in servers))
        return dict(zip(servers, found, strict=True))

    def can(self, name: str, kind: str) -> bool:
        """Whether a server declares a capability."""
        return kind in self._running.upstreams[name].capabilities

    def tells_updates(self, name: str) -> bool:
        """Whether a server tells of updates of single resources, to all clients alike."""
        resources = self._running.upstreams[name].capabilities.get("resources")
        declares = isinstance(resources, dict) and resources.get("subscribe") is True
        return declares and self._running.configured[name].isolation != "session"

    async def request(
        self, name: str, method: str, params: Message, member: str, context: Context
    ) -> Message:
        """Return a server's masked answer, which has a list as one member. Raises Unknown, and RpcError."""
        answer = await self.answer(name, method, params, context)
        if not isinstance(answer.get(member), list):
            raise RpcError(INTERNAL_ERROR, f"{name}: answers {method} without a list of {member}")
        return answer

    async def answer(self, name: str, method: str, params: Message, context: Context) -> Message:
        """Return a server's masked answer. Raises Unknown, and RpcError."""
        server = self._running.configured[name]
        try:
            async with self._running.connection(name, context.owner, client_session_of(context)) as upstream:
                result = await upstream.request(method, params)
            if result.get("resultType") == "input_required":
                raise RpcError(INTERNAL_ERROR, f"{name}: asks for input to {method}: {NOT_PASSED_ON}")
            masked: Any = await self._running.masking.masked(result, server)
        except UpstreamError as problem:
            said = self._said(problem, server)
            if problem.code is not None:  # the server itself refuses it
                raise Unknown(said) from None
            raise RpcError(INTERNAL_ERROR, said) from None
        except MaskingFailed as problem:
            raise RpcError(INTERNAL_ERROR, f"{name}: the answer is withheld: {problem}") from None
        return {each: value for each, value in masked.items() if each not in _OF_THE_MESSAGE}

    async def _listed(self, name: str, kind: str, method: str, member: str, key: str) -> list[Message]:
        if not self.can(name, kind):
            return []
        upstream = self._running.upstreams[name]
        try:
            async with asyncio.timeout(LIST_SECONDS):
                given = _named(await upstream.list_all(method, member), key)
                masked = await self._running.masking.masked(given, self._running.configured[name])
        except (TimeoutError, UpstreamError, MaskingFailed) as problem:
            self._log(upstream, method, problem)
            return []
        # One whose name has a secret could not be asked for.
        return [one for one, other in zip(masked, given, strict=True) if one.get(key) == other[key]]

    def _said(self, problem: Exception, server: GatewayServer) -> str:
        """Return an error's message, masked and then cut."""
        return self._running.masking.beginning(str(problem), MAX_SAID_CHARS, server)

    def _log(self, upstream: Upstream, method: str, problem: Exception) -> None:
        said = self._said(problem, self._running.configured[upstream.name]) or type(problem).__name__
        logger.warning(
            "upstream_list_not_read", extra={"upstream": upstream.name, "method": method, "error": said}
        )


NOT_PASSED_ON = "the gateway passes such questions on for calls of tools alone"

# Members of a result that are about its own message, not about what it holds.
_OF_THE_MESSAGE = frozenset({"resultType", "ttlMs", "cacheScope", "nextCursor"})


def _named(items: list[Message], key: str) -> list[Message]:
    """Return the items that have a name, the first of each."""
    found: dict[str, Message] = {}
    for item in items:
        name = item.get(key)
        if isinstance(name, str) and name:
            found.setdefault(name, item)
    return list(found.values())


def unknown(what: str, name: str) -> Unknown:
    """Return the error for a name that no server has."""
    return Unknown(f"Unknown {what}: {name[:100]}; it is not among those of this connection ({what}s/list)")
