"""A TCP proxy on this machine that a test can have drop its connections, and take none for a while."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class BreakingProxy:
    """Passes bytes both ways between clients and one port."""

    def __init__(self, port: int) -> None:
        """`port`: of the service behind it."""
        self.port = 0
        self.refused = asyncio.Event()
        """Set when a client has come while none is taken."""
        self._behind = port
        self._is_broken = False
        self._writers: set[asyncio.StreamWriter] = set()

    def break_off(self) -> None:
        """Drop every connection, and each that comes, until `mend`."""
        self._is_broken = True
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        """Take connections again."""
        self._is_broken = False

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client."""
        if self._is_broken:
            self.refused.set()
            writer.transport.abort()
            return
        from_service, to_service = await asyncio.open_connection("127.0.0.1", self._behind)
        both = {writer, to_service}
        self._writers |= both
        try:
            await asyncio.gather(_pass_on(reader, to_service), _pass_on(from_service, writer))
        finally:
            self._writers -= both
            for each in both:
                each.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def breaking_proxy(port: int) -> AsyncIterator[BreakingProxy]:
    """Run a proxy before a port of this machine."""
    proxy = BreakingProxy(port)
    server = await asyncio.start_server(proxy.take, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        proxy.break_off()
        server.close()
