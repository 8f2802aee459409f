"""Log lines: one JSON object each, or plain text for people.

Every keyword given as `extra=` comes through; there is no list of allowed names. What is logged is sizes, counts,
names and times. Content and keys never are: whoever logs passes neither.
"""

import json
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from io import TextIOBase
from typing import Any, TextIO

SERVICE_ID = "mcp_summarizer"

# What a LogRecord has of its own; everything else in it came as an extra.
_OWN_ATTRIBUTES = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _OWN_ATTRIBUTES}


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    # Once: json.dumps makes one a line.
    _encoder = json.JSONEncoder(default=str)

    def format(self, record: logging.LogRecord) -> str:
        """Return the record with its extras as JSON; values JSON has no form for are written as text."""
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
        """Return the record with its extras as one readable line, and a traceback below where there is one."""
        time = datetime.fromtimestamp(record.created, UTC).astimezone().strftime("%H:%M:%S")
        extras = "".join(
            f" {name}={_printable(value)}" for name, value in _extras(record).items() if value is not None
        )
        line = f"{time} {record.levelname.lower():<7} {_printable(record.getMessage())}{extras}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _printable(value: Any) -> str:
    """Return a value as text that stays on its line and does nothing to the terminal."""
    text = str(value)
    return text if text.isprintable() else repr(text)


def _does_not_quote_the_wire(record: logging.LogRecord) -> bool:
    """Tell whether a record may be logged: what aiohttp cannot read as HTTP it quotes, keys and content included.

    Nor is a body that its client has broken a fault of the service.
    """
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not (
        kind.__module__ == "aiohttp.http_exceptions" or kind.__name__ == "RequestPayloadError"
    )


def set_up(
    log_format: str, level: str, stream: TextIOBase | TextIO, fields: Callable[[], Mapping[str, str]] = dict
) -> None:
    """Send every log line of this process to a stream, in the given format.

    `fields` says, where a line is written, what else it is to carry: on whose behalf that is.
    """

    def add_fields(record: logging.LogRecord) -> bool:
        vars(record).update(fields())
        return True

    # No line says which thread or which line of which file it comes from: looking for that takes a sixth of its time
    # (Python's Logging HOWTO, "Optimization").
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # noqa: SLF001, as the HOWTO says
    handler = logging.StreamHandler(stream)
    handler.setFormatter(TextFormatter() if log_format == "text" else JsonFormatter())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    # Their lines name URLs and sizes of every call: ours say the same with more sense.
    for library in ("httpx", "httpcore", "asyncio"):
        logging.getLogger(library).setLevel(logging.WARNING)
    handler.addFilter(_does_not_quote_the_wire)
    handler.addFilter(add_fields)
