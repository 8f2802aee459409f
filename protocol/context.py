"""The context of a call: how a tool reports progress, sends log messages, and asks the client for input.

A call that needs input ends with its questions, and the client calls again with the answers (MCP 2026-07-28, "Multi
round-trip requests"); a task waits for them instead (protocol/tasks.py). The tool does not see the difference. No I/O.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from protocol.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    LOG_LEVELS,
    META_LOG_LEVEL,
    Era,
    Message,
    MissingCapability,
    Notify,
    RpcError,
    RpcRequest,
    json_type,
    notification,
)

logger = logging.getLogger(__name__)

# The client capability that each kind of input request needs.
INPUT_CAPABILITIES = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


class InputRequired(Exception):
    """Ends a call that needs input; carries the questions."""

    def __init__(self, requests: Mapping[str, Message], state: str | None) -> None:
        if not requests and state is None:  # MCP 2026-07-28: at least one of the two MUST be there
            raise ValueError("input required: expected input requests or a state, got neither")
        super().__init__("input required")
        self.requests = requests
        self.state = state

    def as_result(self) -> Message:
        """Return the questions as the result of the call."""
        result: Message = {"resultType": "input_required"}
        if self.requests:
            result["inputRequests"] = dict(self.requests)
        return result if self.state is None else {**result, "requestState": self.state}


class Context(ABC):
    """What a tool may use during one call: `CallContext` below or, in a task, that of protocol/tasks.py."""

    is_awaited = True
    """Whether the client is waiting for the result on an open connection; a task's is not."""

    def __init__(self, request: RpcRequest) -> None:
        """Raises RpcError INVALID_PARAMS if the client's answers to the questions of an earlier call are malformed."""
        self.owner = request.owner
        self.arrived = request.arrived
        self.capabilities = request.capabilities
        self.meta = request.meta
        self.headers = request.headers
        self.responses = read_responses(request.params)
        self.state = _read_state(request)

    def deadline(self, seconds: float) -> float | None:
        """Return when a call that may take so many seconds from its arrival must be done, on the clock that says when it arrived.

        None: it has no limit. `seconds` is 0 where no call has one; nor has a task, which nobody waits for.
        """
        return self.arrived + seconds if seconds and self.is_awaited and self.arrived is not None else None

    @abstractmethod
    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report the progress of the call."""

    @abstractmethod
    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log message to the client, if it wants any."""

    @abstractmethod
    async def ask(self, requests: Mapping[str, Message], state: str | None = None) -> Mapping[str, Message]:
        """Return the client's answers to input requests, by their keys.

        Raises MissingCapability for input that the client did not declare, and InputRequired, which ends the call.
        """

    def check_may_ask(self, requests: Mapping[str, Message]) -> None:
        """Raise MissingCapability for a kind of input that the client did not declare."""
        for request in requests.values():
            capability = INPUT_CAPABILITIES[request["method"]]
            if capability not in self.capabilities:
                raise MissingCapability({capability: {}}, request["method"])


class CallContext(Context):
    """The context of a call that is answered on its own connection, in contrast to a task."""

    def __init__(self, request: RpcRequest, notify: Notify | None, *, logs: bool = False) -> None:
        """`notify` is None where the transport cannot carry notifications; `logs`: the server sends log messages."""
        super().__init__(request)
        self._request = request
        self._notify = notify
        self._logs = logs
        self._last_progress = float("-inf")

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        token = self._request.meta.get("progressToken")
        # MCP, Progress: "The progress value MUST increase with each notification".
        if token is None or self._notify is None or done <= self._last_progress:
            return
        self._last_progress = done
        optional = {"total": total, "message": message}
        params = {"progressToken": token, "progress": done} | _without_none(optional)
        self._notify(notification("notifications/progress", params))

    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        if self._notify is not None and self._logs and self._wants_log(level):
            params = {"level": level, "data": data} | _without_none({"logger": logger})
            self._notify(notification("notifications/message", params))

    def _wants_log(self, level: str) -> bool:
        if self._request.era is Era.LEGACY:
            return True  # without sessions, the level of an earlier logging/setLevel is not known
        # MCP 2026-07-28: without a logLevel in the request, the server MUST NOT send any.
        least = self._request.meta.get(META_LOG_LEVEL)
        return least in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(least)

    async def ask(self, requests: Mapping[str, Message], state: str | None = None) -> Mapping[str, Message]:
        # Without requests there is nothing to wait for, unless the client must come back with a state.
        if all(key in self.responses for key in requests) and (requests or state is None):
            return {key: self.responses[key] for key in requests}
        if self._request.era is Era.LEGACY:
            raise RpcError(
                INVALID_PARAMS, "This call needs input from the client: call with revision 2026-07-28"
            )
        self.check_may_ask(requests)
        raise InputRequired(requests, state)


def read_responses(params: Mapping[str, Any]) -> Mapping[str, Message]:
    """Return the client's answers, by their keys; {} where there are none. Raises RpcError INVALID_PARAMS."""
    responses = params.get("inputResponses", {})
    if not isinstance(responses, dict):
        raise RpcError(
            INVALID_PARAMS,
            f"Invalid params: expected inputResponses to be an object, got {json_type(responses)}",
        )
    for key, response in responses.items():
        if not isinstance(response, dict):
            raise RpcError(
                INVALID_PARAMS,
                f"Invalid params: inputResponses: expected an object for {key[:100]!r}, got {json_type(response)}",
            )
    return responses


def _read_state(request: RpcRequest) -> str | None:
    state = request.params.get("requestState")
    if not isinstance(state, str | None):
        raise RpcError(
            INVALID_PARAMS, f"Invalid params: expected a string requestState, got {json_type(state)}"
        )
    return state


def _without_none(members: Message) -> Message:
    return {name: value for name, value in members.items() if value is not None}


class internal_errors:  # noqa: N801 - used like a function; a generator-based one takes three times as long, in every request
    """Inside, an unexpected exception is logged, and becomes an RpcError without its details."""

    __slots__ = ()

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, problem: BaseException | None, traceback: object) -> None:
        # The edge of a request, and of a task, which outlives its request: no exception of its handling gets past this.
        if isinstance(problem, Exception) and not isinstance(problem, RpcError | InputRequired):
            logger.error("internal_error", exc_info=problem)
            raise RpcError(INTERNAL_ERROR, "Internal error: the service failed; its log says why") from None
