"""Parsing JSON within limits, without stopping other threads for long.

Python's JSON decoder cannot be interrupted and holds the interpreter lock. So a structural check comes first, which takes some
milliseconds a megabyte, lets other threads run, and refuses bodies that would keep the decoder busy for too long; long strings
are decoded in slices. No I/O here.
"""

import json
import re
import sys
from codecs import BOM_UTF8, getincrementaldecoder
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from math import isinf
from typing import Any, NoReturn

from protocol.messages import PARSE_ERROR, SHOWN_CHARS, Message, RpcError
from protocol.text_joining import joined

# The limit for everything outside of strings: brackets, numbers, commas, indentation. A call with the longest list of focus areas
# has a tenth of it, a batch of a hundred calls a fifth; 16 MiB of `{},` would take a second to decode.
MAX_SKELETON_BYTES = 128 * 1024
# Up to this size `parse_json` skips its structural check, if the brackets are too few to nest too deeply.
UNCHECKED_BODY_BYTES = MAX_SKELETON_BYTES
DEFAULT_MAX_DEPTH = 64


def parse_json(
    body: bytes | bytearray,
    max_depth: int = DEFAULT_MAX_DEPTH,
    max_skeleton_bytes: int = MAX_SKELETON_BYTES,
) -> Any:
    """Return the JSON value that a body holds, nested at most `max_depth` deep. Raises RpcError PARSE_ERROR."""
    _check_structure(body, max_depth, max_skeleton_bytes)
    if body.startswith(BOM_UTF8):  # json.loads checks for it, its decoder does not
        raise _parse_error("Unexpected UTF-8 BOM at character 0")
    try:
        if len(body) <= WHOLE_BYTES:
            return decode_strictly(body.decode("utf-8"))
        return _parse_in_slices(body, max_skeleton_bytes)
    except _DECODING_ERRORS as problem:
        raise _readable(problem, body) from None


def decode_strictly(text: str) -> Any:
    """Return the JSON value of a text. Raises ValueError, also for NaN and the infinities that Python reads, and RecursionError."""
    return _DECODER.decode(text)


def parse_records(body: bytes | bytearray, max_depth: int = DEFAULT_MAX_DEPTH) -> Any:
    """As `parse_json`, in a tenth of its time where a body is many small values: other threads run at each object only."""
    try:
        value = _RECORD_DECODER.decode(body.decode("utf-8"))
    except _DECODING_ERRORS as problem:
        raise _readable(problem, body) from None
    level = _containers([value])
    for _ in range(max_depth):
        level = _containers(chain.from_iterable(map(_children, level)))
    if level:
        raise _too_deep(max_depth)
    return value


def _containers(values: Iterable[Any]) -> list[Any]:
    return [each for each in values if isinstance(each, dict | list)]


def _children(container: Any) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _readable(problem: Exception, body: bytes | bytearray) -> RpcError:
    """Return what Python's decoders raise as PARSE_ERROR, in words about JSON."""
    match problem:
        case UnicodeDecodeError():
            return _parse_error(f"the body is not UTF-8{_place(body, f' (byte {problem.start})')}")
        case json.JSONDecodeError() if not body.strip():
            return _parse_error("expected a JSON value, got nothing")
        case json.JSONDecodeError():
            # Keep the part of the message that is about JSON, not the advice on how to call Python's decoder.
            what = problem.msg.partition(" (")[0].removesuffix(" at")
            return _parse_error(f"{what}{_place(body, f' at character {problem.pos}')}")
        case _NotJson():
            return _parse_error(str(problem))
        case _:
            return _parse_error("a number with too many digits, or too deep a nesting")


# ValueError, of which the others are: also an integer with thousands of digits. RecursionError: nesting deeper than Python's recursion limit.
_DECODING_ERRORS = (ValueError, RecursionError)


def memory_of(value: Any) -> int:
    """Return the bytes of memory that a JSON value takes; one emoji makes every character of its string take four.

    What the decoder shares (the same name of many members, small integers) is counted each time.
    """
    size = sys.getsizeof(value)
    waiting = [
        value
    ]  # not by recursion: the deepest JSON that is allowed would need more calls than Python has
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            size += sum(map(sys.getsizeof, current))
            current = list(current.values())
        if isinstance(current, list):
            # One pass over all, and one over what has members itself: a step for each number would take four times as long.
            size += sum(map(sys.getsizeof, current))
            waiting += [member for member in current if type(member) is dict or type(member) is list]
    return size


def _parse_in_slices(body: bytes | bytearray, max_skeleton_bytes: int) -> Any:
    """Parse a body, decoding its long strings slice by slice, so that other threads run in between.

    The decoder gets the body with `Infinity` in place of each long string: not JSON, so it calls back for the value.
    """
    outside, long_strings, end = [], [], 0
    for start, stop in _strings(body):
        if stop - start > SLICE_BYTES and body[stop - 1 : stop] == b'"':
            if _NAME_ENDS.match(body, stop):  # its place in an object cannot be taken by a constant
                raise _parse_error(f"a member's name of more than {SLICE_BYTES} bytes")
            outside += [body[end:start], b"Infinity"]
            long_strings.append((start + 1, stop - 1))
            end = stop
    outside.append(body[end:])
    if any(_CONSTANT.search(_skeleton(piece, max_skeleton_bytes)) for piece in outside[::2]):
        raise _NotJson("NaN or Infinity is not JSON")
    decoded = (_decode_string(body, start, stop) for start, stop in long_strings)

    def value_of(constant: str) -> str:
        # A sign before a long string makes it "-Infinity", which is refused.
        return next(decoded) if constant == "Infinity" else _refuse_constant(constant)

    reader = json.JSONDecoder(parse_constant=value_of, parse_float=_finite, object_hook=_let_threads_run)
    return reader.decode(b"".join(outside).decode("utf-8"))


def _let_threads_run(value: Message) -> Message:
    """Return an object as it is: only when Python code is called can the decoder be interrupted."""
    return value


def _strings(body: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """Yield where each string begins and ends, its quotes included."""
    end = 0
    while (start := body.find(b'"', end)) >= 0:
        end = _string_end(body, start + 1)
        yield start, end


def _decode_string(body: bytes | bytearray, start: int, stop: int) -> str:
    return joined(_decoded_slices(body, start, stop))


def _decoded_slices(body: bytes | bytearray, start: int, stop: int) -> Iterator[str]:
    utf8 = getincrementaldecoder("utf-8")()
    while start < stop:
        end = _slice_end(body, start, stop)
        yield decode_strictly(f'"{utf8.decode(body[start:end])}"')
        start = end
    utf8.decode(b"", final=True)


def _slice_end(body: bytes | bytearray, start: int, stop: int) -> int:
    """Return where a slice may end: not inside an escape, nor between the two halves of a surrogate pair."""
    limit = start + SLICE_BYTES
    if limit >= stop:
        return stop
    first = limit - _WINDOW_BYTES
    window = bytes(body[first : limit + _ESCAPE_BYTES])
    if b"\\" not in window[_WINDOW_BYTES - 2 * _ESCAPE_BYTES : _WINDOW_BYTES]:
        return limit
    cuts = [found.start() for found in _ESCAPE_BEGINS.finditer(window, 0, _WINDOW_BYTES)]
    for cut in reversed(cuts):
        if not _IN_PAIR.match(window, max(cut - _ESCAPE_BYTES, 0)):
            return first + cut
    # A run of backslashes from before the window: two of them are one escape.
    end = first + len(window) - len(window.lstrip(b"\\"))
    before = bytes(body[start:end])
    return end - (len(before) - len(before.rstrip(b"\\"))) % 2


def _place(body: bytes | bytearray, place: str) -> str:
    """Return the place of an error for its message; "" for a body read in slices, whose positions are not the body's."""
    return place if len(body) <= WHOLE_BYTES else ""


class _NotJson(ValueError):
    """NaN or an infinity, which Python's decoder would accept; the message says which."""


def _refuse_constant(name: str) -> NoReturn:
    raise _NotJson(f"{name} is not JSON")


def _finite(digits: str) -> float:
    """Return a number with a fraction or an exponent.

    RFC 8259, 6: "This specification allows implementations to set limits on the range and precision of numbers accepted." Python
    would read 1e999 as infinity, and write that as no JSON.
    """
    number = float(digits)
    if isinf(number):
        raise _NotJson(f"the number {digits[:SHOWN_CHARS]} is beyond the range of 64 bits")
    return number


# Made once: with any option, json.loads makes a new decoder for each message.
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_RECORD_DECODER = json.JSONDecoder(
    parse_constant=_refuse_constant, parse_float=_finite, object_hook=_let_threads_run
)


def _parse_error(what: str) -> RpcError:
    return RpcError(PARSE_ERROR, f"Parse error: {what}")


_STEPS = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_ALL_BUT_BRACKETS = bytes(set(range(256)) - _STEPS.keys())
_ALL_BUT_OPENING = bytes(set(range(256)) - set(b"{["))
# The inside of a string. Possessive quantifiers: there is only one way to match, so backtracking is useless.
_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)++', re.DOTALL)
_CONSTANT = re.compile(rb"NaN|Infinity")
_NAME_ENDS = re.compile(rb"[ \t\n\r]*+:")
# A backslash that follows no other backslash begins an escape.
_ESCAPE_BEGINS = re.compile(rb"(?<=[^\\])\\")
_IN_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_BACKSLASH = ord("\\")
# The length of the longest escape, \uXXXX; and the window in which the end of a slice is sought.
_ESCAPE_BYTES = 6
_WINDOW_BYTES = 64
# A body of at most this size is decoded at one go: at most five milliseconds, in which no other thread runs.
WHOLE_BYTES = 1024 * 1024
# Of a larger one, the part of a string that is read at one go: under a millisecond. The event loop needs the interpreter some ten
# times to answer one request, and may wait for such a part each time.
SLICE_BYTES = 64 * 1024


def _check_structure(body: bytes | bytearray, max_depth: int, max_skeleton_bytes: int) -> None:
    """Refuse a body that would keep the decoder busy for too long, or that is nested too deeply."""
    if len(body) <= UNCHECKED_BODY_BYTES and len(body.translate(None, delete=_ALL_BUT_OPENING)) <= max_depth:
        return
    brackets = _skeleton(body, max_skeleton_bytes).translate(None, delete=_ALL_BUT_BRACKETS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > max_depth:
        raise _too_deep(max_depth)


def _too_deep(max_depth: int) -> RpcError:
    return _parse_error(f"the JSON is nested more than {max_depth} deep (MAX_JSON_DEPTH)")


def _skeleton(body: bytes | bytearray, most: int = MAX_SKELETON_BYTES) -> bytes:
    """Return everything outside of the strings."""
    pieces, size, end = [], 0, 0
    while (start := body.find(b'"', end)) >= 0 and size <= most:
        pieces.append(body[end:start])
        size += start - end + 1  # counts the strings themselves, too: a million empty ones are too many
        end = _string_end(body, start + 1)
    pieces.append(body[end:])
    if size + len(pieces[-1]) > most:
        raise _parse_error(f"more than {most} bytes of JSON outside of its strings")
    return b"".join(pieces)


def _string_end(body: bytes | bytearray, start: int) -> int:
    """Return the end of the string that begins at `start`: after its closing quote, or at the end of the body."""
    quote = body.find(b'"', start)
    # No quote inside: found in a tenth of the time that the pattern takes.
    if quote >= start and body[quote - 1] != _BACKSLASH:
        return quote + 1
    while inside := _INSIDE.match(body, start, start + SLICE_BYTES):
        start = inside.end()
    # A closing quote; else the body ends, or ends in a lone backslash.
    return start + 1 if body[start : start + 1] == b'"' else len(body)
