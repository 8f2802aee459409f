"""Access checks: whether a request may call at all, by its host, its origin and its key; and CORS preflights.

The checks of MCP's security section, in its order. What is allowed: transport/auth.py. What the rest of a request's headers must be:
transport/http_checks.py.
"""

from http import HTTPStatus
from urllib.parse import urlsplit

from aiohttp import hdrs, web

from protocol.messages import SHOWN_CHARS
from transport.auth import Access, Keys, Unauthorized, preflight_headers
from transport.http_checks import header_text
from transport.refusals import Refusal


def hosts_of(request: web.Request) -> list[str]:
    """Return the hosts that a request names.

    RFC 9112, 3.2.2: with a whole URL as its target, a server "MUST ignore the received Host header field (if any) and instead use
    the host information of the request-target". Exactly one Host is required all the same (3.2).
    """
    hosts = request.headers.getall(hdrs.HOST, [])
    if request.raw_path.startswith(("/", "*")) or len(hosts) != 1:
        return hosts
    return [urlsplit(request.raw_path).netloc]


def wrong_host(request: web.Request) -> str:
    """Say why a request's host is refused."""
    got = ", ".join(hosts_of(request) or ["none"])[:SHOWN_CHARS]
    return f"Host: expected a loopback name or one of ALLOWED_HOSTS, got {got}"


def check_host_and_origin(request: web.Request, access: Access) -> None:
    """Check the host that a request names, and the page that it comes from. Raises Refusal."""
    hosts = hosts_of(request)
    if not access.admits_hosts(hosts):
        raise Refusal(HTTPStatus.MISDIRECTED_REQUEST, wrong_host(request))
    if not access.admits_origins(request.headers.getall(hdrs.ORIGIN, []), hosts):
        raise Refusal(
            HTTPStatus.FORBIDDEN,
            f"Origin: expected none or one of ALLOWED_ORIGINS, got {header_text(request, hdrs.ORIGIN)}",
        )


def owner_of(request: web.Request, keys: Keys) -> str:
    """Return the owner id of a request's key. Raises Refusal."""
    try:
        return keys.owner_of(request.headers)
    except Unauthorized as unknown:
        challenge = {str(hdrs.WWW_AUTHENTICATE): unknown.challenge}
        raise Refusal(HTTPStatus.UNAUTHORIZED, str(unknown), challenge) from None


def is_preflight(request: web.Request, access: Access) -> bool:
    """Whether this is a CORS preflight from an allowed origin; browsers send no key with one. Raises Refusal."""
    if request.method != hdrs.METH_OPTIONS or hdrs.ACCESS_CONTROL_REQUEST_METHOD not in request.headers:
        return False
    check_host_and_origin(request, access)
    return hdrs.ORIGIN in request.headers


def preflight_response(request: web.Request) -> web.Response:
    """Return the answer to a CORS preflight."""
    wanted = request.headers.getall(hdrs.ACCESS_CONTROL_REQUEST_HEADERS, [])
    headers = preflight_headers(request.headers[hdrs.ORIGIN], wanted)
    return web.Response(status=HTTPStatus.NO_CONTENT, headers=headers)
