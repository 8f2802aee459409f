"""Hands updates of resources from the servers to the clients who listen for them: who listens decides what is followed at the servers.

An update is told under the address by which the client listens, and says nothing of the content.
"""

from collections.abc import Mapping

from gateway.resources import owner_of, prefixes_of
from gateway.upstream.upstream_server import Upstream
from protocol.subscriptions import Hub

MEMBER = "resourceSubscriptions"


class ResourceUpdates:
    """What clients listen for, by server."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._upstreams: Mapping[str, Upstream] = {}
        self._listened: dict[str, dict[str, set[str]]] = {}
        """By server and its own address of a resource, the addresses by which clients listen."""
        hub.watch_names(self.follow)

    def follow_at(self, upstreams: Mapping[str, Upstream]) -> None:
        """Follow resources at these servers from now on."""
        self._upstreams = upstreams
        self.follow()

    def follow(self) -> None:
        """Follow at each server what clients listen for now."""
        self._listened = {}
        prefixes = prefixes_of(self._upstreams)
        for name in self._hub.names(MEMBER):
            if found := owner_of(name, prefixes):
                server, uri = found
                self._listened.setdefault(server, {}).setdefault(uri, set()).add(name)
        for server, upstream in self._upstreams.items():
            upstream.follow_resources(frozenset(self._listened.get(server, ())))

    def updated(self, server: str, uri: str) -> None:
        """Tell of an update.

        MCP, Resources: the updated resource may be "a sub-resource of the one that the client actually subscribed to".
        """
        for listened, names in self._listened.get(server, {}).items():
            if uri == listened or uri.startswith(
                (f"{listened.rstrip('/')}/", f"{listened}?", f"{listened}#")
            ):
                for name in sorted(names):
                    self._hub.publish(MEMBER, {"uri": name}, name)
