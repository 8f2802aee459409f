"""A small JSON Schema validator whose errors a model can act on: a schema and a value in, the first mismatch out.

Follows JSON Schema 2020-12 (https://json-schema.org/draft/2020-12, "Core" and "Validation") for the keywords of KEYWORDS;
`check_schema` refuses all others, so that no schema promises more than is checked. Knows no tool.

Not here on purpose: $ref (so a schema is a tree, and a value is checked no deeper than it), pattern (a regular expression's
time has no bound), allOf, oneOf, not, if (what they expect cannot be said in plain words).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import NoneType
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

# How much of a wrong value an error message quotes.
MAX_QUOTED_CHARS = 60


class Mismatch(ValueError):
    """A value does not match its schema: the message names the path, what was expected and what was given."""


def check(schema: Schema, value: Any, name: str = "") -> None:
    """Raise Mismatch if a value does not match; the message calls the value itself by `name`."""
    error = next(_errors(schema, value), None)
    if error:
        path = f"{name}{error.path}" if name else error.path.removeprefix(".")
        raise Mismatch(f"{path}: {error.message()}" if path else error.message())


def check_schema(schema: Any, name: str = "schema") -> None:
    """Raise Mismatch if a schema has a keyword that `check` does not check: such a schema must not be offered."""
    check({"type": "object"}, schema, name)
    for keyword, argument in schema.items():
        if keyword.startswith("x-"):  # an extension: not checked here
            continue
        if keyword not in KEYWORDS:
            raise Mismatch(f"{name}: {keyword} cannot be checked; what can is {', '.join(KEYWORDS)}")
        check(KEYWORDS[keyword], argument, f"{name}.{keyword}")
    for member, inner in schema.get("properties", {}).items():
        check_schema(inner, f"{name}.properties.{member}")
    for position, branch in enumerate(schema.get("anyOf", ())):
        check_schema(branch, f"{name}.anyOf[{position}]")
    if "items" in schema:
        check_schema(schema["items"], f"{name}.items")


# --- Validation ------------------------------------------------------------------------------------------------


class _Error(NamedTuple):
    # From the value checked to the wrong one: `.people[3].name`, empty if they are the same.
    path: str
    # Called only for a reported error: anyOf may find one in every item of a long array that matches.
    message: Callable[[], str]


def _errors(schema: Schema, value: Any) -> Iterator[_Error]:
    """Yield errors lazily, the simplest first."""
    for keyword, argument in schema.items():
        if keyword in _ASSERTIONS and not _ASSERTIONS[keyword](argument, value):
            yield _Error("", partial(_mismatch_message, schema, value))
    if isinstance(value, dict):
        yield from _member_errors(schema, value)
    if isinstance(value, list) and "items" in schema:
        for position, item in enumerate(value):
            for error in _errors(schema["items"], item):
                yield error._replace(path=f"[{position}]{error.path}")
    branches = [next(_errors(branch, value), None) for branch in schema.get("anyOf", ())]
    if branches and None not in branches:
        # If only one branch matches the value's outer type, that branch was meant: report the error inside.
        inside = [error for error in branches if error and error.path]
        yield inside[0] if len(inside) == 1 else _Error("", partial(_mismatch_message, schema, value))


def _member_errors(schema: Schema, value: dict[str, Any]) -> Iterator[_Error]:
    properties = schema.get("properties", {})
    if schema.get("additionalProperties") is False:
        for name in value:
            if name not in properties:
                yield _Error(f".{name[:MAX_QUOTED_CHARS]}", partial(_unknown_message, properties))
    for name in schema.get("required", ()):
        if name not in value:
            yield _Error(f".{name}", partial(_missing_message, properties.get(name, {})))
    for name, inner in properties.items():
        if name in value:
            for error in _errors(inner, value[name]):
                yield error._replace(path=f".{name}{error.path}")


def _equal(one: Any, other: Any) -> bool:
    """Compare as Core 4.2.2 does: 1 is 1.0, and true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _is(python_type: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, python_type)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)  # in Python, True is an int


def _is_whole(value: Any) -> bool:
    # Validation 6.1.1: "integer" is "any number with a zero fractional part", so 800.0 is one.
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


class _Type(NamedTuple):
    accepts: Callable[[Any], bool]
    singular: str
    plural: str
    # The keywords of its limits, and their wording: "a string" + " of {at least 1} characters".
    minimum: str = ""
    maximum: str = ""
    limits: str = ""


_TYPES = {
    "null": _Type(_is(NoneType), "null", "null"),
    "boolean": _Type(_is(bool), "true or false", "true or false"),
    "integer": _Type(_is_whole, "a whole number", "whole numbers", "minimum", "maximum", " of {}"),
    "number": _Type(_is_number, "a number", "numbers", "minimum", "maximum", " of {}"),
    "string": _Type(_is(str), "a string", "strings", "minLength", "maxLength", " of {} characters"),
    "array": _Type(_is(list), "an array", "arrays", "minItems", "maxItems", " with {} items"),
    "object": _Type(_is(dict), "an object", "objects"),
}

_ASSERTIONS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda argument, value: any(_TYPES[name].accepts(value) for name in _type_names(argument)),
    "enum": lambda argument, value: any(_equal(each, value) for each in argument),
    "const": _equal,
    "minimum": lambda argument, value: not _is_number(value) or value >= argument,
    "maximum": lambda argument, value: not _is_number(value) or value <= argument,
    "minLength": lambda argument, value: not isinstance(value, str) or len(value) >= argument,
    "maxLength": lambda argument, value: not isinstance(value, str) or len(value) <= argument,
    "minItems": lambda argument, value: not isinstance(value, list) or len(value) >= argument,
    "maxItems": lambda argument, value: not isinstance(value, list) or len(value) <= argument,
}


def _type_names(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


_TYPE: Schema = {"enum": list(_TYPES)}
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer", "minimum": 0}

# The supported keywords, each with the schema of its argument; the last ones are annotations and restrict no value.
KEYWORDS: dict[str, Schema] = {
    "type": {"anyOf": [_TYPE, {"type": "array", "items": _TYPE, "minItems": 1}]},
    "properties": {"type": "object"},
    "required": {"type": "array", "items": _TEXT},
    "additionalProperties": {"type": "boolean"},
    "items": {"type": "object"},
    "anyOf": {"type": "array", "minItems": 1},
    "enum": {"type": "array", "minItems": 1},
    "const": {},
    **dict.fromkeys(("minimum", "maximum"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), _COUNT),
    **dict.fromkeys(("title", "description", "$schema"), _TEXT),
    "default": {},
    "examples": {"type": "array"},
}


# --- Messages --------------------------------------------------------------------------------------------------


def described(schema: Schema, *, plural: bool = False) -> str:
    """Describe what a schema accepts: "a string or an array of strings"; in the plural, "strings or arrays of strings"."""
    if "const" in schema:
        return _json(schema["const"])
    if "enum" in schema:
        return f"{'any' if plural else 'one'} of {', '.join(map(_json, schema['enum']))}"
    if "type" in schema:
        names = _type_names(schema["type"])
    else:  # without "type", a limit still implies one
        names = [
            name
            for name in ("number", "string", "array")
            if {_TYPES[name].minimum, _TYPES[name].maximum} & schema.keys()
        ]
    own = [_described_type(name, schema, plural=plural) for name in names]
    branches = dict.fromkeys(described(branch, plural=plural) for branch in schema.get("anyOf", ()))
    return ": ".join(filter(None, (" or ".join(own), " or ".join(branches)))) or "anything"


def _described_type(name: str, schema: Schema, *, plural: bool) -> str:
    described_type = _TYPES[name]
    words = described_type.plural if plural else described_type.singular
    if name == "array" and "items" in schema:
        words += f" of {described(schema['items'], plural=True)}"
    if name == "object" and schema.get("required"):
        words += f" with {', '.join(schema['required'])}"
    limits = (("at least", described_type.minimum), ("at most", described_type.maximum))
    amount = " and ".join(f"{bound} {schema[keyword]}" for bound, keyword in limits if keyword in schema)
    if not amount:
        return words
    limited = described_type.limits.format(amount)
    return words + (limited.removesuffix("s") if amount.endswith(" 1") else limited)


def _mismatch_message(schema: Schema, value: Any) -> str:
    return f"expected {described(schema)}, got {abbreviated(value)}"


def _missing_message(schema: Schema) -> str:
    return f"expected {described(schema)}, got nothing; call again with this argument"


def _unknown_message(properties: Schema) -> str:
    return f"no argument of that name; it takes {', '.join(properties) or 'none'}"


def abbreviated(value: Any) -> str:
    """Return a wrong value as JSON, or its type and size if it is long: a document must not be repeated back."""
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    if isinstance(value, str) and len(value) > MAX_QUOTED_CHARS:
        return f"a string of {len(value)} characters"
    if isinstance(value, int) and abs(value) >= 10**MAX_QUOTED_CHARS:
        return (
            f"a number of more than {MAX_QUOTED_CHARS} digits"  # converting it is slow in Python, or refused
        )
    return _json(value)


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Unescaped, unless that would break the line or has half of a surrogate pair.
    return text if text.isprintable() else json.dumps(value)
