"""The resources of the chosen servers, as `server+uri`, and their templates. Masked; not summarized, since a user has asked for them.

Not here: addresses that stand inside of tools' results, which stay the server's own. Updates of a resource: resource_updates.py.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from gateway.upstream_lists import UpstreamLists, unknown
from protocol.context import Context
from protocol.messages import Message

# RFC 3986, 3.1: "Scheme names consist of a sequence of characters beginning with a letter and followed by any combination of letters,
# digits, plus ("+"), period ("."), or hyphen ("-")"; clients that parse an address give it back in lower case.
_NOT_IN_SCHEMES = re.compile(r"[^a-z0-9.-]")


class GatewayResources:
    """A ResourceSource over the servers' lists."""

    def __init__(self, lists: UpstreamLists, configured: Collection[str]) -> None:
        """`configured`: all servers, so that one has the same prefix in every choice."""
        self._lists = lists
        self._prefixes = prefixes_of(configured)

    async def resources(self) -> list[Message]:
        """Return the resources for `resources/list`."""
        return await self._prefixed("resources/list", "resources", "uri")

    async def templates(self) -> list[Message]:
        """Return the templates for `resources/templates/list`."""
        return await self._prefixed("resources/templates/list", "resourceTemplates", "uriTemplate")

    async def read(self, uri: str, context: Context) -> list[Message]:
        """Return the contents of a resource. Raises Unknown, and RpcError."""
        found = self.find(uri)
        if found is None:
            raise unknown("resource", uri)
        server, own_uri = found
        prefix = self._prefixes[server]
        result = await self._lists.request(server, "resources/read", {"uri": own_uri}, "contents", context)
        return [_with_prefix(each, "uri", prefix) for each in result["contents"] if isinstance(each, dict)]

    def find(self, uri: str) -> tuple[str, str] | None:
        """Return the server of an address, and the address there; None where no chosen server has it."""
        return owner_of(uri, {server: self._prefixes[server] for server in self._lists.servers})

    def tells_updates(self, uri: str) -> bool:
        """Whether a client can be told of updates of a resource."""
        found = self.find(uri)
        return found is not None and self._lists.tells_updates(found[0])

    async def _prefixed(self, method: str, member: str, key: str) -> list[Message]:
        servers = self._lists.servers
        listed = await self._lists.of(servers, "resources", method, member, key)
        return [
            _with_prefix(each, key, self._prefixes[server]) for server in servers for each in listed[server]
        ]


def owner_of(uri: str, prefixes: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the server of an address, and the address there; None where no server of these prefixes has it."""
    server = next((each for each, prefix in prefixes.items() if uri[: len(prefix)].lower() == prefix), None)
    return None if server is None else (server, uri[len(prefixes[server]) :])


def prefixes_of(servers: Collection[str]) -> dict[str, str]:
    """Return what stands before the addresses of each server: its name and a plus sign, as a scheme may be written."""
    taken: dict[str, str] = {}
    for server in servers:
        name = _NOT_IN_SCHEMES.sub("-", server.lower())
        name = name if name[0].isalpha() else f"s{name}"
        number = 2
        prefix = f"{name}+"
        while prefix in taken.values():
            prefix = f"{name}-{number}+"
            number += 1
        taken[server] = prefix
    return taken


def _with_prefix(item: Message, key: str, prefix: str) -> Message:
    uri: Any = item.get(key)
    return {**item, key: f"{prefix}{uri}"} if isinstance(uri, str) else item
