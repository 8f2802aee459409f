"""Requests that are refused with an HTTP status rather than by an MCP method, and the log line of these and of protocol errors.

Knows no check: those of HTTP are in transport/http_checks.py, hosts, origins and keys in transport/access_checks.py.
"""

import logging
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus

from aiohttp import hdrs, web

from protocol import messages
from protocol.messages import RETRY_AFTER_SECONDS, SHOWN_CHARS, Era, RpcError

logger = logging.getLogger(__name__)

# A log line takes about 12 microseconds: so few cost next to nothing in a flood of refusals, and its first ones are seen.
REFUSALS_LOGGED_A_SECOND = 10


class Refusal(Exception):
    """A request that is refused before any MCP method has seen it."""

    def __init__(self, status: HTTPStatus, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def unavailable(what: str) -> Refusal:
    """Return the refusal of a request that may be sent again in a moment."""
    return Refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        f"{what}; call again in {RETRY_AFTER_SECONDS} s",
        {str(hdrs.RETRY_AFTER): str(RETRY_AFTER_SECONDS)},
    )


def stopping() -> Refusal:
    """Return the refusal of a request for which there is no time before the end of the service."""
    return unavailable("the service is stopping")


def too_many_requests(what: str) -> Refusal:
    """Return the refusal of a request whose caller has its full share already.

    Not 503: the service is healthy, and a load balancer must not count this as its failure or try another replica.
    """
    return Refusal(
        HTTPStatus.TOO_MANY_REQUESTS,
        f"too many {what} (MAX_CONCURRENT_REQUESTS_PER_KEY); call again in {RETRY_AFTER_SECONDS} s",
        {str(hdrs.RETRY_AFTER): str(RETRY_AFTER_SECONDS)},
    )


def too_large(request: web.Request) -> Refusal:
    """Return the refusal of a body over the limit."""
    length, limit = request.content_length or 0, request.client_max_size
    got = length if length > limit else "more"  # a chunked body does not announce its length
    return Refusal(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"body: expected at most {limit} bytes, got {got}; send less or raise MAX_BODY_BYTES",
    )


# The connection is closed after these: the service is stopping or overloaded, or the body was not read to its end, so that the
# start of the next request cannot be found.
CLOSING = (
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.BAD_REQUEST,
)


def refusal_response(refusal: Refusal) -> web.Response:
    """Return a refusal as a response: its status, and its message as a JSON-RPC error. The id is null, also where it is known."""
    error = RpcError(messages.INVALID_REQUEST, f"{refusal.status.phrase}: {refusal}")
    body = messages.error_reply(error, None, Era.LEGACY).body
    response = web.json_response(body, status=refusal.status, headers=refusal.headers)
    if refusal.status in CLOSING:
        response.force_close()
    return response


def fault_response() -> web.Response:
    """Return the response to a failure of the service outside of any MCP method."""
    error = RpcError(messages.INTERNAL_ERROR, "Internal error")
    body = messages.error_reply(error, None, Era.LEGACY).body
    response = web.json_response(body, status=HTTPStatus.INTERNAL_SERVER_ERROR)
    response.force_close()
    return response


class RefusalLog:
    """One log line per refusal; in a flood, the first ones of each second and the number of the others.

    JSON-RPC errors share the allowance, those that older revisions get with status 200 as well: any of them may come in a flood. The
    metrics count each one, by its status.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` counts seconds."""
        self._clock = clock
        self._began = clock()
        self._logged = 0
        self._left_out = 0

    def note(self, status: int, what: str, method: str, path: str) -> None:
        """Log what was refused and why. `path` is without its query, which may hold a key."""
        now = self._clock()
        if now >= self._began + 1.0:
            self.tell_left_out()
            self._began, self._logged = now, 0
        if self._logged >= REFUSALS_LOGGED_A_SECOND:
            self._left_out += 1
            return
        self._logged += 1
        shown = {"method": method[:SHOWN_CHARS], "path": path[:SHOWN_CHARS]}
        logger.info("request_refused", extra={"status": status, "reason": what, **shown})

    def tell_left_out(self) -> None:
        """Log how many refusals were left out."""
        if self._left_out:
            logger.info("refusals_not_logged", extra={"refusals": self._left_out})
        self._left_out = 0
