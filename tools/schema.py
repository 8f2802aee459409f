"""A small JSON Schema checker: a schema and a value in; out comes nothing, or words for the first thing that does not fit.

Follows JSON Schema 2020-12 (https://json-schema.org/draft/2020-12, "Core" and "Validation") in the keywords of KEYWORDS;
`check_schema` refuses every other one, so that nothing is promised that is not kept. Knows of no tool.

Not here on purpose: $ref (so a schema is a tree, and no value is followed deeper than that), pattern (the time of a regular
expression has no bound), allOf, oneOf, not, if (there are no plain words for what they expect).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import NoneType
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

# Of a value that does not fit: enough to recognise it.
MAX_SHOWN_CHARS = 60


class Mismatch(ValueError):
    """Something does not fit: the message names the place, what was expected and what was given."""


def check(schema: Schema, value: Any, name: str = "") -> None:
    """Raise Mismatch where a value does not fit; the message calls the value itself by `name`."""
    fault = next(_faults(schema, value), None)
    if fault:
        place = f"{name}{fault.place}" if name else fault.place.removeprefix(".")
        raise Mismatch(f"{place}: {fault.in_words()}" if place else fault.in_words())


def check_schema(schema: Any, name: str = "schema") -> None:
    """Raise Mismatch where a schema says something that `check` would not keep: such a one must not be offered."""
    check({"type": "object"}, schema, name)
    for keyword, said in schema.items():
        if keyword.startswith("x-"):  # an extension is for others to read
            continue
        if keyword not in KEYWORDS:
            raise Mismatch(f"{name}: {keyword} cannot be checked; what can is {', '.join(KEYWORDS)}")
        check(KEYWORDS[keyword], said, f"{name}.{keyword}")
    for member, inner in schema.get("properties", {}).items():
        check_schema(inner, f"{name}.properties.{member}")
    for position, branch in enumerate(schema.get("anyOf", ())):
        check_schema(branch, f"{name}.anyOf[{position}]")
    if "items" in schema:
        check_schema(schema["items"], f"{name}.items")


# --- What fits -------------------------------------------------------------------------------------------------


class _Fault(NamedTuple):
    # From the value checked to the one at fault: `.people[3].name`, nothing where they are the same.
    place: str
    # Called for a fault that is reported: anyOf may find one in every item of a long array that fits.
    in_words: Callable[[], str]


def _faults(schema: Schema, value: Any) -> Iterator[_Fault]:
    """Yield faults, the plainest first; whoever takes one and stops pays for no more."""
    for keyword, said in schema.items():
        if keyword in _ASSERTIONS and not _ASSERTIONS[keyword](said, value):
            yield _Fault("", partial(_misfit, schema, value))
    if isinstance(value, dict):
        yield from _faults_of_members(schema, value)
    if isinstance(value, list) and "items" in schema:
        for position, item in enumerate(value):
            for fault in _faults(schema["items"], item):
                yield fault._replace(place=f"[{position}]{fault.place}")
    branches = [next(_faults(branch, value), None) for branch in schema.get("anyOf", ())]
    if branches and None not in branches:
        # Where the value is right on the outside for one branch alone, that is the one that was meant.
        inside = [fault for fault in branches if fault and fault.place]
        yield inside[0] if len(inside) == 1 else _Fault("", partial(_misfit, schema, value))


def _faults_of_members(schema: Schema, value: dict[str, Any]) -> Iterator[_Fault]:
    properties = schema.get("properties", {})
    if schema.get("additionalProperties") is False:
        for name in value:
            if name not in properties:
                yield _Fault(f".{name[:MAX_SHOWN_CHARS]}", partial(_unknown, properties))
    for name in schema.get("required", ()):
        if name not in value:
            yield _Fault(f".{name}", partial(_missing, properties.get(name, {})))
    for name, inner in properties.items():
        if name in value:
            for fault in _faults(inner, value[name]):
                yield fault._replace(place=f".{name}{fault.place}")


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
    return isinstance(value, int | float) and not isinstance(value, bool)  # in Python True is an int


def _is_whole(value: Any) -> bool:
    # Validation 6.1.1: "integer" is "any number with a zero fractional part", so 800.0 is one.
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


class _Kind(NamedTuple):
    holds: Callable[[Any], bool]
    one: str
    many: str
    # The keywords that limit it, and how that is said: "a string" + " of {at least 1} characters".
    least: str = ""
    most: str = ""
    limits: str = ""


_KINDS = {
    "null": _Kind(_is(NoneType), "null", "null"),
    "boolean": _Kind(_is(bool), "true or false", "true or false"),
    "integer": _Kind(_is_whole, "a whole number", "whole numbers", "minimum", "maximum", " of {}"),
    "number": _Kind(_is_number, "a number", "numbers", "minimum", "maximum", " of {}"),
    "string": _Kind(_is(str), "a string", "strings", "minLength", "maxLength", " of {} characters"),
    "array": _Kind(_is(list), "an array", "arrays", "minItems", "maxItems", " with {} items"),
    "object": _Kind(_is(dict), "an object", "objects"),
}

_ASSERTIONS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda said, value: any(_KINDS[kind].holds(value) for kind in _types(said)),
    "enum": lambda said, value: any(_equal(each, value) for each in said),
    "const": _equal,
    "minimum": lambda said, value: not _is_number(value) or value >= said,
    "maximum": lambda said, value: not _is_number(value) or value <= said,
    "minLength": lambda said, value: not isinstance(value, str) or len(value) >= said,
    "maxLength": lambda said, value: not isinstance(value, str) or len(value) <= said,
    "minItems": lambda said, value: not isinstance(value, list) or len(value) >= said,
    "maxItems": lambda said, value: not isinstance(value, list) or len(value) <= said,
}


def _types(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


_TYPE: Schema = {"enum": list(_KINDS)}
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer", "minimum": 0}

# What a schema may say, each with a schema of its own; the last are for people and models, and say nothing of values.
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


# --- In words --------------------------------------------------------------------------------------------------


def in_words(schema: Schema, *, many: bool = False) -> str:
    """Say what a schema takes: "a string or an array of strings"; of many, "strings or arrays of strings"."""
    if "const" in schema:
        return _json(schema["const"])
    if "enum" in schema:
        return f"{'any' if many else 'one'} of {', '.join(map(_json, schema['enum']))}"
    if "type" in schema:
        kinds = _types(schema["type"])
    else:  # a limit speaks of one kind alone
        kinds = [
            name
            for name in ("number", "string", "array")
            if {_KINDS[name].least, _KINDS[name].most} & schema.keys()
        ]
    own = [_of_kind(kind, schema, many=many) for kind in kinds]
    branches = dict.fromkeys(in_words(branch, many=many) for branch in schema.get("anyOf", ()))
    return ": ".join(filter(None, (" or ".join(own), " or ".join(branches)))) or "anything"


def _of_kind(name: str, schema: Schema, *, many: bool) -> str:
    kind = _KINDS[name]
    words = kind.many if many else kind.one
    if name == "array" and "items" in schema:
        words += f" of {in_words(schema['items'], many=True)}"
    if name == "object" and schema.get("required"):
        words += f" with {', '.join(schema['required'])}"
    limits = (("at least", kind.least), ("at most", kind.most))
    amount = " and ".join(f"{at} {schema[keyword]}" for at, keyword in limits if keyword in schema)
    if not amount:
        return words
    limited = kind.limits.format(amount)
    return words + (limited.removesuffix("s") if amount.endswith(" 1") else limited)


def _misfit(schema: Schema, value: Any) -> str:
    return f"expected {in_words(schema)}, got {shown(value)}"


def _missing(schema: Schema) -> str:
    return f"expected {in_words(schema)}, got nothing; call again with this argument"


def _unknown(properties: Schema) -> str:
    return f"no argument of that name; it takes {', '.join(properties) or 'none'}"


def shown(value: Any) -> str:
    """Show a value that does not fit, in JSON's words and without repeating a document back."""
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    if isinstance(value, str) and len(value) > MAX_SHOWN_CHARS:
        return f"a string of {len(value)} characters"
    if isinstance(value, int) and abs(value) >= 10**MAX_SHOWN_CHARS:
        return f"a number of more than {MAX_SHOWN_CHARS} digits"  # how many takes Python time, or is refused
    return _json(value)


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # As it is written, but for what would break the line or is half of a character.
    return text if text.isprintable() else json.dumps(value)
