"""What the service and its extraction process say to each other, and how that is written: a line of JSON, then a body of bytes.

A body is no part of the JSON: megabytes of that would hold the event loop. Reads and writes nothing itself.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

# A head has a URL, a title and a few short texts.
MAX_HEAD_BYTES = 64 * 1024


@dataclass(frozen=True)
class ReadRequest:
    """A page as it was fetched, without its body."""

    url: str
    """As errors show it."""
    content_type: str
    charset: str
    """The one in the header; empty: it has none."""


@dataclass(frozen=True)
class ReadReply:
    """What was read of a page, without its text."""

    title: str = ""
    note: str = ""
    error: str = ""
    """Why the page has no text, for the caller; empty: it has."""
    is_main_content: bool = False
    is_skeleton: bool = False
    """Whether scripts probably build the page: without them it says next to nothing."""
    is_at_end: bool = False
    """Whether the process ends after this reply."""


def encoded(head: ReadRequest | ReadReply, body: bytes) -> tuple[bytes, bytes]:
    """Return a message as its head and its body, to be written one after the other."""
    return json.dumps({"size": len(body), **asdict(head)}).encode() + b"\n", body


def decoded_request(line: bytes) -> tuple[ReadRequest, int]:
    """Return the request that a head tells of, and how many bytes of body follow."""
    size, fields = _fields(line)
    return ReadRequest(**fields), size


def decoded_reply(line: bytes) -> tuple[ReadReply, int]:
    """Return the reply that a head tells of, and how many bytes of body follow."""
    size, fields = _fields(line)
    return ReadReply(**fields), size


def _fields(line: bytes) -> tuple[int, dict[str, Any]]:
    fields: dict[str, Any] = json.loads(line)
    return fields.pop("size"), fields
