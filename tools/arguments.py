"""Validates a call's arguments against the tool's schema, and coerces common mistakes of models whose meaning is clear.

Accepted beyond the schema: null for an optional argument, a string of digits for an integer, "true" and "false" for a boolean,
an array of strings for focus_areas, an object or array for result, every usual form of a conversation, and an unknown strategy, which
the summarizer replaces and names in its outcome; and the same in an object whose members the schema names. Knows nothing of what an
argument is for.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools.definitions import FOCUS_AREAS_AS_ARRAY, MAX_QUERY_CHARS, MIN_TARGET_TOKENS
from tools.schema_validator import Mismatch, Schema, check

# No meaningful number has more digits, and int() takes long for very many.
_DIGITS = re.compile(r"[0-9]{1,20}")
_BOOLEANS = {"true": True, "false": False}

_SIZES = {"max_output_tokens", "max_tokens"}
# Not in the tools' schemas: models misread an anyOf.
_SIZE: Schema = {"anyOf": [{"const": 0}, {"type": "integer", "minimum": MIN_TARGET_TOKENS}]}


class InvalidArguments(Exception):
    """The arguments do not match the schema: the message names the argument, what was expected and what was given."""

    def __init__(self, message: str, expected: str = "") -> None:
        """`expected` is the part of the message for the log: it has no text from the caller."""
        super().__init__(message)
        self.expected = expected or message.partition(", got ")[0]


def validated(arguments: Mapping[str, Any], tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments in the form of the tool's schema. Raises InvalidArguments."""
    schema = tool["inputSchema"]
    given = _members(arguments, schema)
    for name in _SIZES & given.keys() & schema["properties"].keys():
        _check_size(name, given[name])
    replaced = dict(_accepted_beyond(given, schema["properties"]))
    try:
        check(schema, {**given, **replaced})
    except Mismatch as problem:
        expected = "" if _has_known_names(given, schema) else "no argument of that name"
        raise InvalidArguments(str(problem), expected) from problem
    return given


def _members(given: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Return the members of an object, each converted if its meaning is clear."""
    properties = schema["properties"]
    optional = properties.keys() - schema.get("required", ())
    return {
        name: _coerced(name, value, properties.get(name, {}))
        for name, value in given.items()
        # Some clients send null for every absent optional argument.
        if value is not None or name not in optional
    }


def _has_known_names(given: Mapping[str, Any], schema: Schema) -> bool:
    properties = schema["properties"]
    return given.keys() <= properties.keys() and all(
        _has_known_names(given[name], properties[name]) for name in _objects(given, properties)
    )


def _objects(given: Mapping[str, Any], properties: Schema) -> list[str]:
    """Return the names of the arguments that are objects whose members the schema names."""
    return [
        name
        for name, value in given.items()
        if isinstance(value, dict) and "properties" in properties.get(name, {})
    ]


def _accepted_beyond(given: Mapping[str, Any], properties: Schema) -> Iterator[tuple[str, Any]]:
    """Yield the arguments that are taken although they do not fit, with a value that does."""
    # An unknown strategy is no reason to refuse a call: the default is used, and the outcome says so.
    strategies = properties.get("strategy", {}).get("enum")
    if strategies and isinstance(given.get("strategy"), str):
        yield "strategy", strategies[0]
    if "result" in properties and isinstance(given.get("result"), dict | list):
        yield "result", ""
    # Read by conversation.py, which knows more forms.
    if "conversation" in properties and "conversation" in given:
        yield "conversation", []
    for name in _objects(given, properties):
        yield name, {**given[name], **dict(_accepted_beyond(given[name], properties[name]["properties"]))}


def _check_size(name: str, value: Any) -> None:
    """Check a size in tokens; 0 is the default. Raises InvalidArguments."""
    try:
        check(_SIZE, value, name)
    except Mismatch as problem:
        raise InvalidArguments(f"{problem}; for the default size leave it out") from problem


def _coerced(name: str, value: Any, schema: Schema) -> Any:
    """Return a value converted to its schema's type if its meaning is clear; else the value."""
    schema_type = schema.get("type")
    if schema_type == "integer" and isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if schema_type == "boolean" and isinstance(value, str):
        return _BOOLEANS.get(value, value)
    if name == "focus_areas" and schema and not isinstance(value, str):
        return _joined(value, schema)
    if "properties" in schema and isinstance(value, dict):
        return _members(value, schema)
    return value


def _joined(areas: Any, schema: Schema) -> str:
    """Return an array of focus areas as one string, as the schema has it. Raises InvalidArguments."""
    expected = FOCUS_AREAS_AS_ARRAY if isinstance(areas, list) else {"anyOf": [schema, FOCUS_AREAS_AS_ARRAY]}
    try:
        check(expected, areas, "focus_areas")
    except Mismatch as problem:
        raise InvalidArguments(str(problem)) from problem
    text = ", ".join(area.strip() for area in areas if area.strip())
    if len(text) > MAX_QUERY_CHARS:
        raise InvalidArguments(
            f"focus_areas: expected at most {MAX_QUERY_CHARS} characters in all, got {len(text)}; "
            "name only what matters"
        )
    return text
