"""Parses what upstream servers send, off the event loop unless it is small. The parser is protocol/json_parsing.py."""

from typing import Any

from concurrency.worker_threads import Worker
from protocol import json_parsing

# Both parse within a millisecond.
INLINE_BYTES = json_parsing.UNCHECKED_BODY_BYTES
FEW_BRACKETS = 2_000

# Answers hold data where calls hold a text: lists of records have half of their bytes outside of strings. Up to this size they are
# decoded at one go, during which other threads run at each object.
MAX_SKELETON_BYTES = 16 * 1024 * 1024
# With longer strings than this on the average, most of a body is in few strings, which are better decoded in slices.
RECORD_STRING_BYTES = 1024

MAX_DEPTH = 200


async def parse_message(data: bytes | bytearray, worker: Worker) -> Any:
    """Return the JSON value of a message. Raises RpcError PARSE_ERROR."""
    if len(data) <= INLINE_BYTES and data.count(b"{") + data.count(b"[") <= FEW_BRACKETS:
        return json_parsing.parse_json(data, MAX_DEPTH)
    return await worker(_parse, data)


def _parse(data: bytes | bytearray) -> Any:
    if len(data) <= MAX_SKELETON_BYTES and _quotation_marks(data) > len(data) // RECORD_STRING_BYTES:
        return json_parsing.parse_records(data, MAX_DEPTH)
    return json_parsing.parse_json(data, MAX_DEPTH, MAX_SKELETON_BYTES)


def _quotation_marks(data: bytes | bytearray) -> int:
    """Return about how many begin or end a string; a log may have millions of others within one."""
    return data.count(b'"') - data.count(b'\\"')
