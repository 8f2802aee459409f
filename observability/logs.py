"""Structured log lines: one JSON object each, or plain text for a terminal.

Every keyword given as `extra=` is written; there is no list of allowed names. Sizes, counts, names and times are logged,
content and keys never: the callers pass neither.
"""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from io import TextIOBase
from typing import Any, TextIO

SERVICE_ID = "mcp_summarizer"

# The attributes that every LogRecord has; all others came as an extra.
_OWN_ATTRIBUTES = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _OWN_ATTRIBUTES}


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    # Created once: json.dumps with a default creates one per call.
    _encoder = json.JSONEncoder(default=str)

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its extras as JSON; values that JSON cannot express are written as text."""
        entry = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "service_id": SERVICE_ID,
            "event": record.getMessage(),
            "logger": record.name,
            **_extras(record),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return self._encoder.encode(entry)


class TextFormatter(logging.Formatter):
    """`12:34:56 info    event name=value ...`, for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its extras as one readable line, with the traceback, if any, below it."""
        time = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        extras = "".join(
            f" {name}={_printable(value)}" for name, value in _extras(record).items() if value is not None
        )
        line = f"{time} {record.levelname.lower():<7} {_printable(record.getMessage())}{extras}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _printable(value: Any) -> str:
    """Return a value as text that is safe in a terminal: without line ends and control characters."""
    text = str(value)
    return text if text.isprintable() else repr(text)


def _has_no_client_data(record: logging.LogRecord) -> bool:
    """Return whether a record may be logged: aiohttp's errors quote malformed HTTP, with keys and content.

    A request body that the client broke off is not logged either: it is no fault of the service.
    """
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not (
        kind.__module__ == "aiohttp.http_exceptions" or kind.__name__ == "RequestPayloadError"
    )


def configure(
    log_format: str, level: str, stream: TextIOBase | TextIO, fields: Callable[[], Mapping[str, str]] = dict
) -> None:
    """Send every log line of this process to a stream, in the given format.

    `fields` is called for each line and returns further fields of the current call, such as its trace.
    """

    def add_fields(record: logging.LogRecord) -> bool:
        vars(record).update(fields())
        return True

    # No line names its thread, file or line number: finding them takes a sixth of the time of a line
    # (Python's Logging HOWTO, "Optimization").
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001, as the HOWTO says
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextFormatter() if log_format == "text" else JsonFormatter())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    # These libraries log each call's URL and size, which our own lines say better.
    for library in ("httpx", "httpcore", "asyncio"):
        logging.getLogger(library).setLevel(logging.WARNING)
    handler.addFilter(_has_no_client_data)
    handler.addFilter(add_fields)
