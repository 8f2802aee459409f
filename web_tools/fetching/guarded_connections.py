"""Connections that go to guarded addresses alone: aiohttp's client with a resolver and sockets of its own.

A name is resolved once for each connection, its first four addresses of each family are checked, and the connection goes to one of
these: each socket checks once more the address that it is about to connect to, so that nothing that aiohttp does on the way can lead
around the guard. Uses no proxy, no cookie and nothing of the environment.
"""

import socket
from collections.abc import Awaitable, Callable, Sequence

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import Connection

from concurrency.worker_threads import Worker
from web_tools.fetching.address_guard import AddressGuard, AddressRefused

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the addresses of a name, as the system writes them. Raises OSError where it has none."""

# Policies of what a page may load are the longest headers there are: some sites send more than aiohttp's 8 KB.
MAX_HEADER_BYTES = 64 * 1024

# Most come with a page's first requests; some servers keep an idle connection no longer than 5 seconds.
KEEP_ALIVE_SECONDS = 4.0


# Of a name, IPv4 and IPv6 each; the others are neither checked nor tried. Where none answers, aiohttp tries some of them repeatedly.
MAX_ADDRESSES = 4


class Response(aiohttp.ClientResponse):
    """A response that knows from which address it came; empty where its connection broke at once."""

    peer: str = ""

    async def start(self, connection: Connection) -> aiohttp.ClientResponse:
        """Note the address while the connection is still this response's own."""
        if connection.transport and (peer := connection.transport.get_extra_info("peername")):
            self.peer = str(peer[0])
        return await super().start(connection)


class SocketRefused(OSError):
    """The guard refused the address that a socket was to connect to."""


def system_names(worker: Worker) -> Resolve:
    """Return what resolves names as the system does, in these threads: each is held for as long as the name's servers are silent."""

    async def resolve(host: str) -> list[str]:
        found = await worker(socket.getaddrinfo, host, None, socket.AF_UNSPEC, socket.SOCK_STREAM)
        return [str(address[0]) for *_, address in found]

    return resolve


def open_session(
    guard: AddressGuard, resolve: Resolve, *, user_agent: str, connect_seconds: float
) -> aiohttp.ClientSession:
    """Open a client; its connections are closed with it. It undoes no content coding: content_decoding.py does, within bounds."""
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=0,
            use_dns_cache=False,
            resolver=_GuardedResolver(guard, resolve),
            socket_factory=_guarded_sockets(guard),
            keepalive_timeout=KEEP_ALIVE_SECONDS,
        ),
        headers={"User-Agent": user_agent},
        response_class=Response,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, connect=connect_seconds),
        auto_decompress=False,
        trust_env=False,
        max_line_size=MAX_HEADER_BYTES,
        max_field_size=MAX_HEADER_BYTES,
    )


class _GuardedResolver(AbstractResolver):
    def __init__(self, guard: AddressGuard, resolve: Resolve) -> None:
        self._guard = guard
        self._resolve = resolve

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return a name's addresses. Raises AddressRefused if one of them is refused: a name with internal addresses among others is
        a sign of DNS rebinding.
        """
        addresses = _first_addresses(await self._resolve(host))
        if not addresses:
            raise OSError("the name has no address")
        for address in addresses:
            if refusal := self._guard.refusal(address):
                raise refused(host, refusal)
        return [
            ResolveResult(hostname=host, host=address, port=port, family=family, proto=0, flags=0)
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing is held."""


def _first_addresses(addresses: Sequence[str]) -> list[str]:
    """Return the first MAX_ADDRESSES of each family, in the order of all."""
    unique = list(dict.fromkeys(addresses))
    ipv6 = [address for address in unique if ":" in address][:MAX_ADDRESSES]
    ipv4 = [address for address in unique if ":" not in address][:MAX_ADDRESSES]
    return [address for address in unique if address in (*ipv4, *ipv6)]


def refused(host: str, refusal: str) -> AddressRefused:
    """Return the error for a host whose address the guard refuses. It does not tell the address, which may be an internal one."""
    return AddressRefused(
        f"{host}: its address is not a public one ({refusal}), and not read from; "
        "whoever runs this service can allow a network in WEB_ALLOWED_NETWORKS"
    )


def _guarded_sockets(guard: AddressGuard) -> Callable[[aiohttp.AddrInfoType], socket.socket]:
    def open_socket(info: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, protocol, _, address = info
        if refusal := guard.refusal(str(address[0])):
            raise SocketRefused(refusal)
        return socket.socket(family, kind, protocol)

    return open_socket
