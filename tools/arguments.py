"""The arguments of a call: checked against the tool's schema, with what models write instead of it taken where it is as clear.

Taken beyond the schema: null for an optional argument, a string of digits for an integer, "true" and "false" for a boolean, an
array of strings for focus_areas, and a strategy that nobody knows, which the summarizer replaces and names in its outcome.
Refuses to know what an argument is for.
"""

import re
from collections.abc import Mapping
from typing import Any

from tools.definitions import FOCUS_AREAS_AS_ARRAY, MAX_BRIEF_CHARS, MIN_TARGET_TOKENS
from tools.schema import Mismatch, Schema, check, shown

# No number that is meant has more digits, and int() takes long for very many.
_DIGITS = re.compile(r"[0-9]{1,20}")
_BOOLEANS = {"true": True, "false": False}


class BadArguments(Exception):
    """The arguments do not fit: the message names the argument, what was expected and what was given."""

    def __init__(self, message: str, expected: str = "") -> None:
        """`expected` is the message's part for the log: nothing in it comes from the caller."""
        super().__init__(message)
        self.expected = expected or message.partition(", got ")[0]


def checked(arguments: Mapping[str, Any], tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments in the form that the tool's schema asks for. Raises BadArguments."""
    schema = tool["inputSchema"]
    properties = schema["properties"]
    optional = properties.keys() - schema["required"]
    given = {
        name: _taken(name, value, properties.get(name, {}))
        for name, value in arguments.items()
        # Some clients write every optional member.
        if value is not None or name not in optional
    }
    # An unknown strategy is no reason to refuse a call: the default serves, and the outcome says so.
    known = properties.get("strategy", {}).get("enum")
    as_known = {"strategy": known[0]} if known and isinstance(given.get("strategy"), str) else {}
    try:
        check(schema, {**given, **as_known})
    except Mismatch as problem:
        is_named = given.keys() <= properties.keys()
        raise BadArguments(str(problem), "" if is_named else "no argument of that name") from problem
    return given


def size_in_tokens(given: Mapping[str, Any], name: str) -> int:
    """Return a size in tokens; 0 is the default. Raises BadArguments."""
    size = int(given.get(name, 0))  # it may be written 800.0
    # Not in the schema, where it would take an anyOf that models misread.
    if 0 < size < MIN_TARGET_TOKENS:
        raise BadArguments(
            f"{name}: expected 0 (the default) or a whole number of at least {MIN_TARGET_TOKENS}, "
            f"got {shown(given[name])}"
        )
    return size


def _taken(name: str, value: Any, schema: Schema) -> Any:
    """Return what a value that does not fit its schema to the letter clearly means; else the value."""
    kind = schema.get("type")
    if kind == "integer" and isinstance(value, str) and _DIGITS.fullmatch(value):
        return int(value)
    if kind == "boolean" and isinstance(value, str):
        return _BOOLEANS.get(value, value)
    if name == "focus_areas" and schema and isinstance(value, list):
        return _joined(value)
    return value


def _joined(areas: list[Any]) -> str:
    """Return an array of focus areas as the string that the schema asks for. Raises BadArguments."""
    try:
        check(FOCUS_AREAS_AS_ARRAY, areas, "focus_areas")
    except Mismatch as problem:
        raise BadArguments(str(problem)) from problem
    text = ", ".join(area.strip() for area in areas if area.strip())
    if len(text) > MAX_BRIEF_CHARS:
        raise BadArguments(
            f"focus_areas: expected at most {MAX_BRIEF_CHARS} characters in all, got {len(text)}; "
            "name only what matters"
        )
    return text
