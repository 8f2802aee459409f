"""HTTP checks: what a request's headers must be before its body is read; each check returns, or raises a Refusal.

Knows nothing of access and keys (transport/auth.py), nor of how a refusal is answered and logged (transport/refusals.py).
"""

import re
from functools import lru_cache
from http import HTTPStatus

from aiohttp import hdrs, web
from aiohttp.http import HttpVersion11

from protocol.messages import SHOWN_CHARS
from transport.connection import CONTINUE
from transport.refusals import Refusal, too_large

EVENT_STREAM = "text/event-stream"

# A longer Accept header is read anew each time: up to 128 lines of 16 KiB may come.
MAX_REMEMBERED_CHARS = 256


# --- Checks, in their order -----------------------------------------------------------------------------------


def _check_method(request: web.Request) -> None:
    if request.method != hdrs.METH_POST:
        allow = {str(hdrs.ALLOW): hdrs.METH_POST}
        raise Refusal(
            HTTPStatus.METHOD_NOT_ALLOWED, f"expected POST, got {request.method[:SHOWN_CHARS]}", allow
        )


def _check_content_type(request: web.Request) -> None:
    if request.content_type != "application/json":
        raise Refusal(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"Content-Type: expected application/json, got {header_text(request, hdrs.CONTENT_TYPE)}",
        )


def _check_accept(request: web.Request) -> None:
    if not accepts(request, "application/json"):
        raise Refusal(
            HTTPStatus.NOT_ACCEPTABLE,
            f"Accept: expected application/json, alone or with {EVENT_STREAM}, got {header_text(request, hdrs.ACCEPT)}",
        )


def _check_encoding(request: web.Request) -> None:
    # A few megabytes can decompress to gigabytes, and no MCP client compresses its requests.
    # RFC 9110, 5.3: several lines of a header are one list.
    encodings = request.headers.getall(hdrs.CONTENT_ENCODING, [])
    if any(encoding.lower() != "identity" for encoding in encodings):
        raise Refusal(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
            f"Content-Encoding: expected none, got {header_text(request, hdrs.CONTENT_ENCODING)}",
            {str(hdrs.ACCEPT_ENCODING): "identity"},  # RFC 9110, 15.5.16
        )


def _check_expect(request: web.Request) -> None:
    # RFC 9110, 10.1.1: "A server that receives a 100-continue expectation in an HTTP/1.0 request MUST ignore that expectation."
    if request.version >= HttpVersion11 and not expects_continue(request) and hdrs.EXPECT in request.headers:
        raise Refusal(
            HTTPStatus.EXPECTATION_FAILED,
            f"Expect: expected none or 100-continue, got {header_text(request, hdrs.EXPECT)}",
        )


def _check_length(request: web.Request) -> None:
    if (request.content_length or 0) > request.client_max_size:
        raise too_large(request)


HTTP_CHECKS = (
    _check_method,
    _check_content_type,
    _check_encoding,
    _check_accept,
    _check_expect,
    _check_length,
)


def expects_continue(request: web.Request) -> bool:
    """Whether the client sends its body only after "100 Continue"."""
    return request.headers.get(hdrs.EXPECT, "").lower() == "100-continue"


async def send_continue(request: web.Request) -> None:
    """Send "100 Continue" to a client that waits for it before it sends its body.

    Replaces aiohttp's handler, which refuses other expectations in plain text; here `_check_expect` refuses them as JSON.
    """
    if request.version >= HttpVersion11 and expects_continue(request):
        await request.writer.write(CONTINUE)
        request.writer.output_size = 0  # the response itself has not begun


def accepts(request: web.Request, media_type: str) -> bool:
    """Whether the Accept header admits a media type; without the header, any is (RFC 9110, 12.5.1)."""
    return asks_for(request, media_type) or "*/*" in _media_ranges(request)


def asks_for(request: web.Request, media_type: str) -> bool:
    """Whether the Accept header names a media type or its group (`text/*`), rather than only `*/*`."""
    return not {media_type, media_type.partition("/")[0] + "/*"}.isdisjoint(_media_ranges(request))


def _media_ranges(request: web.Request) -> frozenset[str]:
    accept = ",".join(request.headers.getall(hdrs.ACCEPT, ["*/*"]))
    return _known_ranges(accept) if len(accept) <= MAX_REMEMBERED_CHARS else _ranges_in(accept)


# Clients send few different ones.
@lru_cache(8)
def _known_ranges(accept: str) -> frozenset[str]:
    return _ranges_in(accept)


def _ranges_in(accept: str) -> frozenset[str]:
    parts = (part for part in accept.split(",") if not _REFUSED.search(part))
    return frozenset(part.partition(";")[0].strip().lower() for part in parts)


# RFC 9110, 12.4.2: a weight of 0 means "not acceptable".
_REFUSED = re.compile(r";\s*q=0(\.0*)?\s*(;|$)", re.IGNORECASE)


def header_text(request: web.Request, name: str) -> str:
    """Return a header's values for a message, cut to a length that is enough to recognise them; of empty ones that they are."""
    return ", ".join(value or "an empty value" for value in request.headers.getall(name, ["none"]))[
        :SHOWN_CHARS
    ]
