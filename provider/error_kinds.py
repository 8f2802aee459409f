"""What an error of a model's API means: which HTTP statuses a retry may mend, and which every call will meet.

Follows the OpenAI-compatible API as OpenRouter serves it (https://openrouter.ai/docs/api/reference). Decides what an error is;
whether and when to retry is decided in llm.py and backoff.py, and how long a provider asks to wait is read in retry_after.py.
"""

import re
from typing import Any

from provider.model import ModelError, PermanentError, TransientError
from provider.usage import Failure

# Request Timeout, Conflict, Too Early, Too Many Requests; and every 5xx.
RETRYABLE = frozenset({408, 409, 425, 429})

# Statuses that the next call will meet too, and what an operator can do about it.
REFUSES_EVERY_CALL = {
    401: "check OPENROUTER_API_KEY",
    402: "the account has no credit left",
    404: "check the model's name (LLM_MODEL) and OPENROUTER_BASE_URL",
}

# Any other status counts as a server error from 500 on, else as refused.
FAILURES = {
    408: Failure.TIMEOUT,
    429: Failure.RATE_LIMITED,
    503: Failure.OVERLOADED,
    504: Failure.TIMEOUT,
    529: Failure.OVERLOADED,
}


def error_of_status(status: int, message: str, retry_after: float | None = None) -> ModelError:
    """Return the error for an HTTP status: whether a retry may help, and whether other calls will meet it too."""
    kind = f"the model's API answered {status}"
    failure = FAILURES.get(status, Failure.SERVER_ERROR if status >= 500 else Failure.REFUSED)
    if status in RETRYABLE or status >= 500:
        return TransientError(kind, message, failure, retry_after=retry_after)
    if status in REFUSES_EVERY_CALL:
        return PermanentError(f"{kind} ({REFUSES_EVERY_CALL[status]})", message, failure, every_call=True)
    return PermanentError(kind, message, failure)


def error_message(body: Any) -> str:
    """Return what the body of an error says, in one line; empty where it says nothing."""
    error = body.get("error") if isinstance(body, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return printable(message) if isinstance(message, str) else ""


def printable(text: str) -> str:
    """Return a text as one line that is safe to show: no terminal escapes, control characters or direction marks."""
    text = _TERMINAL_ESCAPE.sub("", text)
    return " ".join("".join(char for char in text if char.isprintable() or char.isspace()).split())


# ECMA-48, 5.4: a control sequence and its parameters.
_TERMINAL_ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?")


def error_in_200(body: dict[str, Any]) -> ModelError:
    """Return the error in a body with status 200: OpenRouter answers 200 before it knows whether the provider succeeds."""
    error = body["error"]
    code = str(error.get("code")) if isinstance(error, dict) else ""
    status = int(code) if _ERROR_STATUS.fullmatch(code) else 502
    return error_of_status(status, error_message(body))


_ERROR_STATUS = re.compile(r"[45][0-9][0-9]")
