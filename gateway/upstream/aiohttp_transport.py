"""An httpx transport over aiohttp's client, which takes a fraction of the processor time of httpx's own, and leaves no connection open
when a request is cancelled.

Follows no redirect, keeps no cookie, decompresses nothing, and knows no proxy: what is above it decides that.
"""

import io
import os
import socket
import ssl
from collections.abc import AsyncIterator

import aiohttp
import httpx
from yarl import URL

CONNECT_SECONDS = 10.0

# Servers close idle connections after 5 seconds at the earliest (uvicorn, Node.js): a request on one that is just being closed would
# be lost.
KEEP_ALIVE_SECONDS = 4.0

# A stream of notifications may be silent for days: the system finds out that the other side is gone.
TCP_KEEP_ALIVE = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)] + (
    [(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60), (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 15)]
    if hasattr(socket, "TCP_KEEPIDLE")
    else []
)

# A header, or the line with the status.
MAX_LINE_BYTES = 64 * 1024

# aiohttp wants a larger body as a file, of which it writes a part at a time.
MAX_BODY_AT_ONCE = 512 * 1024

# Headers that aiohttp adds where they are missing.
_AUTO_HEADERS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")


class AiohttpTransport(httpx.AsyncBaseTransport):
    """Connections to one server."""

    def __init__(self, *, is_secure: bool) -> None:
        """`is_secure`: it is called over TLS, by the certificates that httpx trusts."""
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0,
                keepalive_timeout=KEEP_ALIVE_SECONDS,
                ssl=_tls() if is_secure else True,
                socket_factory=_kept_alive_socket,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),
            auto_decompress=False,
            skip_auto_headers=_AUTO_HEADERS,
            max_line_size=MAX_LINE_BYTES,
            max_field_size=MAX_LINE_BYTES,
        )
        # Nothing is sent a second time here. aiohttp has no public name for it.
        self._session._retry_connection = False  # noqa: SLF001

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; return the response once its headers are there."""
        body = await request.aread()
        # What the address says of a user, httpx has made a header of.
        url = URL(str(request.url.copy_with(userinfo=b"")), encoded=True)
        try:
            response = await self._session.request(
                request.method,
                url,
                headers=[
                    (name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw
                ],
                data=io.BytesIO(body) if len(body) > MAX_BODY_AT_ONCE else body or None,
                allow_redirects=False,
            )
        except (aiohttp.ClientError, ValueError, OSError) as error:
            raise _as_httpx(error, url) from error
        return httpx.Response(response.status, headers=list(response.raw_headers), stream=_Body(response))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._session.close()


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._response.content.iter_any():
                yield part
        except (aiohttp.ClientError, OSError) as error:
            raise _as_httpx(error, self._response.url) from error

    async def aclose(self) -> None:
        """Close the connection, unless all of the body was read: then it can be used again."""
        self._response.close()


def _as_httpx(error: Exception, url: URL) -> httpx.TransportError:
    """Return an error as httpx's own transport raises it."""
    match error:
        case aiohttp.ConnectionTimeoutError():
            return httpx.ConnectTimeout(_unreached(url, f"not within {CONNECT_SECONDS:g} s"))
        case aiohttp.ClientConnectorError():
            return httpx.ConnectError(_unreached(url, _reason(error)))
        case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
            return httpx.UnsupportedProtocol(str(error))
        case ValueError():  # a line break in a header
            return httpx.LocalProtocolError(str(error))
    return httpx.ReadError(str(error))


def _unreached(url: URL, reason: str) -> str:
    """Say what was tried and what to do, in place of aiohttp's words, which are written for programmers."""
    return (
        f"no connection to {url.host_subcomponent}:{url.port} ({reason}); "
        "see whether a server listens there, or set another url"
    )


def _reason(error: aiohttp.ClientConnectorError) -> str:
    """Return why there is no connection, in the system's words."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        cause: BaseException = error.certificate_error
    else:
        cause = error.os_error
    match cause:
        case ssl.SSLCertVerificationError(verify_message=str(why)):
            return f"TLS: {why}"
        case ssl.SSLError(reason=str(why)):
            return f"TLS: {why.replace('_', ' ').lower()}"
        case socket.gaierror(strerror=str(why)):
            return why
        case OSError(errno=int(number)) if number > 0:
            return os.strerror(number)
    return "no answer"


def _tls() -> ssl.SSLContext:
    context = httpx.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _kept_alive_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    for option in TCP_KEEP_ALIVE:
        made.setsockopt(*option)
    return made
