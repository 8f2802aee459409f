"""What can go wrong with a call to an upstream server, named by what a caller can do about it. Decides nothing."""

from enum import StrEnum
from pathlib import Path
from traceback import extract_tb
from typing import Any

from gateway.server_spec import ServerSpec


class UpstreamFault(StrEnum):
    """The kinds of failure."""

    DOWN = "down"
    """It is not reachable, has ended, or is about to start again; nothing was done."""
    TIMEOUT = "timeout"
    OUTCOME_UNKNOWN = "outcome unknown"
    """The call was sent and no answer came: it may have been carried out."""
    TOO_LARGE = "too large"
    INVALID = "invalid answer"
    """The answer is not MCP."""
    UNAUTHORIZED = "unauthorized"
    INCOMPATIBLE = "incompatible"
    """No revision of MCP is common to both sides."""
    REFUSED = "refused"
    """It answered with an error."""
    INPUT_REQUIRED = "input required"
    """It asks for input that the caller has not declared that it can give."""


class UpstreamError(Exception):
    """A call failed. The message is written for the caller, and names the server. It may quote what the server has sent, whole: mask it, then cut it.

    `code` and `data` are those of a JSON-RPC error, where the server answered with one.
    """

    def __init__(self, fault: UpstreamFault, message: str, code: int | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.code = code
        self.data = data


class AnswerLost(UpstreamError):
    """A request was sent, and its answer will never come: whether it was carried out is not known."""

    def __init__(self, message: str) -> None:
        super().__init__(UpstreamFault.OUTCOME_UNKNOWN, message)


def too_large(spec: ServerSpec) -> UpstreamError:
    """Return the error of an answer over the server's limit."""
    return UpstreamError(
        UpstreamFault.TOO_LARGE,
        f"the answer is larger than {spec.max_result_bytes} bytes (max_result_bytes of this server)",
    )


def kind_and_place(error: Exception) -> str:
    """Return the kind of an error and where it was raised: its message could quote what a server has sent."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    places = [f"{Path(each.filename).name}:{each.lineno}" for each in extract_tb(error.__traceback__)]
    return " at ".join([type(error).__name__, *places[-1:]])
