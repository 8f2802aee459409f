"""Hands updates of resources from the servers to the clients who listen for them: who listens decides what is followed at the servers.

An update is sent under the address by which the client listens, and says nothing of the content.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from gateway.resources import owner_of, prefixes_of
from gateway.upstream.upstream_server import Upstream
from protocol.subscriptions import Hub

MEMBER = "resourceSubscriptions"

# By server and its own address of a resource, the addresses by which clients listen.
Listened = defaultdict[str, dict[str, set[str]]]


class ResourceUpdates:
    """What clients listen for, by server."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._upstreams: Mapping[str, Upstream] = {}
        self._prefixes: Mapping[str, str] = {}
        self._listened: Listened = defaultdict(dict)
        hub.watch_names(MEMBER, self._change)

    def follow_at(self, upstreams: Mapping[str, Upstream]) -> None:
        """Follow resources at these servers from now on."""
        before, self._listened = self._listened, defaultdict(dict)
        self._upstreams = upstreams
        self._prefixes = prefixes_of(upstreams)
        for server, uri, name in self._owned(self._hub.names(MEMBER)):
            self._listened[server].setdefault(uri, set()).add(name)
        for server, upstream in upstreams.items():
            uris = self._listened[server].keys()
            upstream.follow_resources(uris, before[server].keys() - uris)

    def _change(self, added: Collection[str], removed: Collection[str]) -> None:
        """Follow what clients begin to listen for, and no longer what none listens for any more."""
        new, gone = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for server, uri, name in self._owned(added):
            self._listened[server].setdefault(uri, set()).add(name)
            new[server].add(uri)
        for server, uri, name in self._owned(removed):
            names = self._listened[server].get(uri, set())
            names.discard(name)
            if not names:
                self._listened[server].pop(uri, None)
                gone[server].add(uri)
        for server in new.keys() | gone.keys():
            if upstream := self._upstreams.get(server):  # it may just be taken out
                upstream.follow_resources(new[server], gone[server])

    def _owned(self, names: Iterable[str]) -> Iterable[tuple[str, str, str]]:
        """Yield for each address the server that has it, and the address there."""
        for name in names:
            if found := owner_of(name, self._prefixes):
                yield *found, name

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
