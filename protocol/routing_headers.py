"""The routing headers of the modern era: headers that a proxy may route by must agree with the body.

MCP 2026-07-28, Streamable HTTP: `MCP-Protocol-Version`, `Mcp-Method` and, for what names something, `Mcp-Name` are required
and must equal the body; `Mcp-Param-*` mirror the arguments that a tool marks with `x-mcp-header`. No HTTP here: headers come
as a mapping.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protocol.messages import (
    HEADER_METHOD,
    HEADER_MISMATCH,
    HEADER_NAME,
    HEADER_PARAM_PREFIX,
    HEADER_VERSION,
    ROUTING_HEADERS,
    SHOWN_CHARS,
    Headers,
    Message,
    RpcError,
)

# Which parameter Mcp-Name mirrors.
NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}


ANNOTATION = "x-mcp-header"

# Types of arguments that x-mcp-header may mark.
MIRRORED_TYPES = ("string", "integer", "boolean")

# Schema keywords whose values are no schemas.
_HOLD_VALUES = ("const", "enum", "default", "examples")

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")
# RFC 9110, 5.5, without the obsolete characters.
_PLAIN = re.compile(r"[\t\x20-\x7e]*")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")

ArgumentPath = tuple[str, ...]


def check_no_header_twice(headers: Headers) -> None:
    """Refuse a routing header sent twice: a proxy may route by the first copy what the server answers by the last."""
    for name in ROUTING_HEADERS:
        _check_once(name, headers.get(name, ()))


def _check_once(name: str, values: Sequence[str]) -> None:
    if len(values) > 1:
        raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} was sent {len(values)} times")


def check_headers_match(headers: Headers, version: str, method: str, params: Mapping[str, Any]) -> None:
    """Refuse routing headers that are missing or differ from the body's version, method and name."""
    _check_header(headers, HEADER_VERSION, version)
    _check_header(headers, HEADER_METHOD, method)
    named = params.get(NAMED_BY[method]) if method in NAMED_BY else None
    if isinstance(named, str):
        _check_header(headers, HEADER_NAME, named)


def _check_header(headers: Headers, name: str, expected: str) -> None:
    values = headers.get(name, ())
    if not values:
        raise RpcError(
            HEADER_MISMATCH,
            f"Header mismatch: {name} is missing; expected {expected[:SHOWN_CHARS]!r}, as in the body",
        )
    _check_characters(name, values[0])
    given = _decoded(name, values[0]) if name == HEADER_NAME else values[0]
    if given != expected:
        raise _differs(name, expected, given)


def _check_characters(name: str, value: str) -> None:
    if not _PLAIN.fullmatch(value):
        raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} has characters that only base64 may carry")


def _differs(name: str, expected: str, given: str) -> RpcError:
    return RpcError(
        HEADER_MISMATCH,
        f"Header mismatch: {name}: expected {expected[:SHOWN_CHARS]!r} as in the body, got {given[:SHOWN_CHARS]!r}",
    )


def _decoded(name: str, value: str) -> str:
    """Return a header's value; one that is not plain ASCII is sent as `=?base64?...?=`."""
    sentinel = _SENTINEL.fullmatch(value)
    if sentinel is None:
        return value
    try:
        decoded = base64.b64decode(sentinel[1], validate=True)
        # A name with two encodings could be routed in two ways: only the canonical one is valid.
        if base64.b64encode(decoded).decode() == sentinel[1]:
            return decoded.decode("utf-8")
    except (binascii.Error, ValueError):
        pass
    raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} is not valid base64 of UTF-8")


def header_value(value: Any) -> str:
    """Return a value as a header carries it: in base64 what is not plain ASCII, or would be read as something else."""
    text = _written(value)
    if _PLAIN.fullmatch(text) and text == text.strip() and not _SENTINEL.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode(errors='surrogatepass')).decode()}?="


# --- Arguments as headers --------------------------------------------------------------------------------------


def mirrored_arguments(tool: Message) -> dict[ArgumentPath, str]:
    """Return the header (lower case) that mirrors each marked argument of a tool, by the argument's path.

    Raises ValueError if an annotation breaks the rules: such a tool must not be offered.
    """
    if strays := _strays(tool["inputSchema"]):
        raise ValueError(f"{tool['name']}: {ANNOTATION} must not stand {' or '.join(strays)}")
    mirrored: dict[ArgumentPath, str] = {}
    for path, name, kind in _annotations(tool["inputSchema"], ()):
        where = f"{tool['name']}: {ANNOTATION} at {'.'.join(path)}"
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            raise ValueError(f"{where}: expected a header name, got {name!r}")
        if kind not in MIRRORED_TYPES:
            raise ValueError(f"{where}: expected it on one of {', '.join(MIRRORED_TYPES)}, got {kind!r}")
        header = HEADER_PARAM_PREFIX + name.lower()
        if header in mirrored.values():
            raise ValueError(f"{where}: {name} is used twice")
        mirrored[path] = header
    return mirrored


def _annotations(schema: Mapping[str, Any], path: ArgumentPath) -> Iterator[tuple[ArgumentPath, Any, Any]]:
    for name, member in schema.get("properties", {}).items():
        if not isinstance(member, dict):  # `true` and `false` are schemas as well
            continue
        if ANNOTATION in member:
            yield (*path, name), member[ANNOTATION], member.get("type")
        yield from _annotations(member, (*path, name))


def _strays(schema: Mapping[str, Any]) -> list[str]:
    """Return where annotations stand outside of nested `properties`: no client could find their arguments."""
    return ["at the root"] * (ANNOTATION in schema) + [f"under {keyword}" for keyword in _astray(schema)]


def _astray(schema: Mapping[str, Any]) -> Iterator[str]:
    for keyword, value in schema.items():
        if keyword == "properties":
            for member in value.values():
                yield from _astray(member) if isinstance(member, dict) else ()
        elif keyword not in _HOLD_VALUES and _is_annotated(value):
            yield keyword


def _is_annotated(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_annotated(item) for item in value)
    return isinstance(value, dict) and (
        ANNOTATION in value
        or any(_is_annotated(member) for keyword, member in value.items() if keyword not in _HOLD_VALUES)
    )


def check_mirrored(
    mirrored: Mapping[ArgumentPath, str], arguments: Mapping[str, Any], headers: Headers
) -> None:
    """Refuse a header that is missing, differs from its argument, or was sent without the argument."""
    for path, name in mirrored.items():
        value = _at(arguments, path)
        values = headers.get(name, ())
        _check_once(name, values)
        if value is None and values:
            raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} was sent, but {'.'.join(path)} was not")
        if value is not None and not values:
            raise RpcError(HEADER_MISMATCH, f"Header mismatch: {name} is missing")
        if value is not None:
            _check_characters(name, values[0])
            if not _mirrors(_decoded(name, values[0]), value):
                raise _differs(name, _written(value), values[0])


def mirroring_headers(mirrored: Mapping[ArgumentPath, str], arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers that a client sends with these arguments."""
    values = {name: _at(arguments, path) for path, name in mirrored.items()}
    return {name: header_value(value) for name, value in values.items() if value is not None}


def _at(arguments: Mapping[str, Any], path: ArgumentPath) -> Any:
    value: Any = arguments
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _mirrors(header: str, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return header == _written(value)
    from decimal import Decimal  # noqa: PLC0415 - half a megabyte, which no tool of ours needs

    # MCP: "42" and "42.0" are the same integer. Not as floats: 2**53 and 2**53 + 1 would be equal.
    return bool(_NUMBER.fullmatch(header)) and Decimal(header) == Decimal(_written(value))


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
