"""The validator accepts what JSON Schema accepts, explains mismatches plainly, and refuses schemas that it cannot check."""

from __future__ import annotations

import gc
import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.support.laws import examples
from tools.schema_validator import KEYWORDS, Mismatch, check, check_schema, described

law = examples(300)

Schema = dict[str, Any]

PEOPLE: Schema = {
    "type": "object",
    "properties": {
        "people": {
            "type": "array",
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string", "maxLength": 5}, "age": {"type": "integer"}},
                "required": ["name"],
                "additionalProperties": False,
            },
        },
        "topics": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "order": {"enum": ["by name", "by age"]},
    },
    "required": ["people"],
    "additionalProperties": False,
}


def accepts(schema: Schema, value: Any) -> bool:
    try:
        check(schema, value)
    except Mismatch:
        return False
    return True


def refusal(schema: Any, value: Any, name: str = "it") -> str:
    with pytest.raises(Mismatch) as caught:
        check(schema, value, name)
    return str(caught.value)


# --- Laws ------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c", "a.b", ""])
SIZES = st.integers(0, 3) | st.just(2.0)
NUMBERS = st.integers(-2, 3) | st.sampled_from([0.0, -0.0, 1.0, 0.5, 1e300, 10**400, 2**53 + 1, 2.0**53])
TEXTS = st.text("a1ä😉\ud800\u0308", max_size=4) | st.sampled_from(["null", "true"])
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)

# Equal in Python and not in JSON, or the other way about.
LOOKALIKES: list[list[Any]] = [
    [0, 0.0, -0.0, False, "0", None, ""],
    [1, 1.0, True, "1"],
    [[], {}],
    [[1], [True], [1.0]],
]


def saying(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    """Make schemas of up to three keywords: of more, few would accept anything."""
    keywords = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": st.booleans(),
        "items": inner,
        "anyOf": st.lists(inner, min_size=1, max_size=3),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        **dict.fromkeys(("minimum", "maximum"), NUMBERS),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), SIZES),
        **dict.fromkeys(("title", "description"), TEXTS),
        **dict.fromkeys(("default", "x-more"), VALUES),
    }
    said = st.lists(st.sampled_from(sorted(keywords)), max_size=3, unique=True)
    objects = st.just(["properties", "required", "additionalProperties"])
    return (said | objects).flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )


SCHEMAS = st.recursive(saying(st.just({})), saying, max_leaves=4)


def near(schema: Schema) -> st.SearchStrategy[Any]:
    """Values at the edge of what a schema takes, on both sides of it."""
    found = [VALUES, *(near(branch) for branch in schema.get("anyOf", ()))]
    for wanted in [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ())]:
        alike = [value for group in LOOKALIKES if wanted in group for value in group]
        found.append(st.sampled_from([wanted, *alike, [wanted], {"a": wanted}]))
    limits = [schema[name] for name in ("minimum", "maximum") if name in schema]
    lengths = [int(schema[name]) for name in ("minLength", "maxLength") if name in schema]
    sizes = [int(schema[name]) for name in ("minItems", "maxItems") if name in schema]
    found += [st.sampled_from([limit - 1, limit, limit + 1, str(limit)[:3]]) for limit in limits]
    found += [st.text("a😉", min_size=max(0, length - 1), max_size=length + 1) for length in lengths]
    if sizes or "items" in schema:
        few, many = max(0, min(sizes, default=1) - 1), max(sizes, default=1) + 1
        found.append(st.lists(near(schema.get("items", {})), min_size=few, max_size=many))
    if "properties" in schema or "required" in schema:
        known = {name: near(inner) for name, inner in schema.get("properties", {}).items()}
        required = dict.fromkeys(schema.get("required", ()), VALUES)
        found.append(st.fixed_dictionaries({}, optional={**required, **known}))
        found.append(st.fixed_dictionaries({**required, **known}))
        found.append(st.fixed_dictionaries({"d": VALUES, **required, **known}))
    return st.one_of(found)


SCHEMAS_AND_VALUES = SCHEMAS.flatmap(lambda schema: st.tuples(st.just(schema), near(schema)))


@law
@given(SCHEMAS_AND_VALUES)
def test_values_are_accepted_exactly_as_json_schema_accepts_them(case: tuple[Schema, Any]) -> None:
    schema, value = case
    assert accepts(schema, value) == Draft202012Validator(schema).is_valid(value)


@law
@given(SCHEMAS)
def test_a_schema_of_known_keywords_is_valid_json_schema(schema: Schema) -> None:
    check_schema(schema)
    Draft202012Validator.check_schema(schema)


@law
@given(SCHEMAS_AND_VALUES)
def test_an_error_is_one_plain_sentence_with_one_path(case: tuple[Schema, Any]) -> None:
    schema, value = case
    if not accepts(schema, value):
        text = refusal(schema, value)
        assert text.startswith(("it: ", "it.", "it["))
        assert (": expected " in text and ", got " in text) or ": no argument of that name; it takes " in text
        assert text.isprintable()


META = Draft202012Validator(Draft202012Validator.META_SCHEMA)
KEYWORD_NAMES = ["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"]
KEYWORD_NAMES += ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "title", "examples"]


@law
@given(st.sampled_from(KEYWORD_NAMES), VALUES | st.dictionaries(NAMES, SCHEMAS) | st.lists(SCHEMAS))
def test_an_invalid_json_schema_is_refused(keyword: str, said: Any) -> None:
    # Twice the same name does no harm, and JSON Schema forbids it.
    twice = isinstance(said, list) and len({str(each) for each in said}) < len(said)
    if not twice and not META.is_valid({keyword: said}):
        with pytest.raises(Mismatch):
            check_schema({keyword: said})


# --- What counts as what ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, 800.0, -0.0, 1e300, 10**400])
def test_a_number_without_a_fraction_is_an_integer(value: Any) -> None:
    assert accepts({"type": "integer"}, value)


@pytest.mark.parametrize("value", [True, False, 0.5, "1", None, float("inf"), float("nan"), [1]])
def test_values_that_are_not_integers(value: Any) -> None:
    assert not accepts({"type": "integer"}, value)


@pytest.mark.parametrize("said", [{"const": 1}, {"enum": [0, 1]}, {"const": [{"a": 1}]}])
def test_one_is_one_point_zero_and_not_true(said: Schema) -> None:
    def shaped(value: Any) -> Any:
        return [{"a": value}] if said.get("const") == [{"a": 1}] else value

    assert accepts(said, shaped(1))
    assert accepts(said, shaped(1.0))
    assert not accepts(said, shaped(True))


@pytest.mark.parametrize(
    "schema, last, beyond",
    [
        ({"minimum": 2}, 2.0, 1.999),
        ({"maximum": 2}, 2, 2.001),
        ({"minLength": 2}, "ab", "a"),
        ({"maxLength": 2.0}, "ab", "abc"),
        ({"minItems": 2}, [0, 0], [0]),
        ({"maxItems": 2}, [0, 0], [0, 0, 0]),
        ({"const": {"a": 1}}, {"a": 1}, {"a": 1, "b": 1}),
        ({"const": {"a": 1, "b": 1}}, {"b": 1, "a": 1}, {"a": 1}),
    ],
)
def test_limits_are_inclusive(schema: Schema, last: Any, beyond: Any) -> None:
    assert accepts(schema, last)
    assert not accepts(schema, beyond)


def test_nan_is_within_no_limits() -> None:
    assert not accepts({"minimum": 0}, float("nan"))


@pytest.mark.parametrize("text, length", [("😉" * 4, 4), ("a\u0308", 2), ("\ud83d\ude09", 2), ("", 0)])
def test_lengths_count_code_points(text: str, length: int) -> None:
    assert accepts({"minLength": length, "maxLength": length}, text)
    assert not accepts({"minLength": length + 1}, text)


# --- In words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, text",
    [
        ([], "expected an object with people, got an array of 0"),
        ({}, "people: expected an array of objects with name with at most 3 items, got nothing; call again with this argument"),
        ({"persons": 1}, "persons: no argument of that name; it takes people, topics, order"),
        ({"people": [{}]}, "people[0].name: expected a string of at most 5 characters, got nothing; call again with this argument"),
        ({"people": [{"name": "Ann"}, {"name": 7}]}, "people[1].name: expected a string of at most 5 characters, got 7"),
        ({"people": [{"name": "Ann", "age": 1.5}]}, "people[0].age: expected a whole number, got 1.5"),
        ({"people": [{"name": "Ann", "role": "x"}]}, "people[0].role: no argument of that name; it takes name, age"),
        ({"people": [], "topics": 7}, "topics: expected a string or an array of strings, got 7"),
        ({"people": [], "topics": ["a", "b", "c", None]}, "topics[3]: expected a string, got null"),
        ({"people": [], "order": "by shoe"}, 'order: expected one of "by name", "by age", got "by shoe"'),
    ],
)  # fmt: skip
def test_an_error_names_the_path_the_expected_and_the_given(value: Any, text: str) -> None:
    assert refusal(PEOPLE, value, "") == text


def test_a_value_with_a_name_is_called_by_it() -> None:
    assert refusal(PEOPLE, {}, "answer").startswith("answer.people: expected")
    assert refusal({"items": {"type": "null"}}, [1], "answer").startswith("answer[0]: expected null")


@pytest.mark.parametrize(
    "schema, expected",
    [
        ({"type": "null"}, "null"),
        ({"type": "boolean"}, "true or false"),
        ({"type": "number"}, "a number"),
        ({"type": "integer", "minimum": 0}, "a whole number of at least 0"),
        ({"type": "integer", "maximum": 9}, "a whole number of at most 9"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "a whole number of at least 1 and at most 9"),
        ({"type": "string", "minLength": 1}, "a string of at least 1 character"),
        ({"type": "string", "maxLength": 4000}, "a string of at most 4000 characters"),
        ({"type": ["string", "null"], "maxLength": 4}, "a string of at most 4 characters or null"),
        ({"type": "string", "maxLength": 11}, "a string of at most 11 characters"),
        ({"type": "array"}, "an array"),
        ({"type": "array", "maxItems": 1}, "an array with at most 1 item"),
        ({"type": "array", "items": {}}, "an array of anything"),
        ({"type": "array", "items": {"type": "boolean"}}, "an array of true or false"),
        ({"type": "array", "items": {"enum": ["a", 1]}}, 'an array of any of "a", 1'),
        (
            {"type": "array", "items": {"type": "array", "items": {"type": ["integer", "string"]}}},
            "an array of arrays of whole numbers or strings",
        ),
        ({"type": "object", "required": []}, "an object"),
        ({"type": "object", "required": ["a", "b"]}, "an object with a, b"),
        ({"enum": ["ä", None, 1.5, True]}, 'one of "ä", null, 1.5, true'),
        ({"const": {"a": [1]}}, '{"a": [1]}'),
        ({"anyOf": [{"const": 0}, {"minimum": 16}]}, "0 or a number of at least 16"),
        ({"type": "integer", "anyOf": [{"const": 0}, {"minimum": 16}]}, "a whole number: 0 or a number of at least 16"),
        ({"anyOf": [{"type": "string"}, {"type": "string", "title": "x"}]}, "a string"),
    ],
)  # fmt: skip
def test_the_expected_is_described_in_plain_words(schema: Schema, expected: str) -> None:
    check_schema(schema)
    assert described(schema) == expected


@pytest.mark.parametrize(
    "value, got",
    [
        (None, "null"),
        (True, "true"),
        (-1.5, "-1.5"),
        (float("inf"), "Infinity"),
        (10**59, str(10**59)),
        (-(10**60), "a number of more than 60 digits"),
        (10**100_000, "a number of more than 60 digits"),
        ([1, 2], "an array of 2"),
        ({"a": "b"}, "an object of 1"),
        ("ü" * 60, '"' + "ü" * 60 + '"'),
        ("x" * 61, "a string of 61 characters"),
        ("a\nb", '"a\\nb"'),
        ("a\u2028\ud800", '"a\\u2028\\ud800"'),
    ],
    ids=lambda value: "" if isinstance(value, int) else None,  # pytest would write it out
)
def test_a_wrong_value_is_quoted_as_json_and_abbreviated(value: Any, got: str) -> None:
    assert refusal({"const": "something else"}, value) == f'it: expected "something else", got {got}'


def test_a_long_name_is_not_repeated_whole() -> None:
    assert len(refusal(PEOPLE, {"people": [], "x" * 100_000: 1})) < 150


def test_an_object_without_properties_says_so() -> None:
    text = refusal({"type": "object", "additionalProperties": False}, {"a": 1}, "")
    assert text == "a: no argument of that name; it takes none"


def test_between_two_possible_branches_none_is_guessed() -> None:
    both = {"anyOf": [{"type": "array", "items": {"type": each}} for each in ("string", "integer")]}
    assert (
        refusal(both, [None])
        == "it: expected an array of strings or an array of whole numbers, got an array of 1"
    )


# --- Schemas that cannot be kept -------------------------------------------------------------------------------

# What a validator acts on, what else the vocabularies have, and what other dialects have.
UNSUPPORTED = sorted(Draft202012Validator.VALIDATORS.keys() - KEYWORDS)
UNSUPPORTED += ["$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$vocabulary", "contentEncoding"]
UNSUPPORTED += [
    "contentMediaType",
    "contentSchema",
    "deprecated",
    "else",
    "maxContains",
    "minContains",
    "readOnly",
]
UNSUPPORTED += [
    "then",
    "writeOnly",
    "additionalItems",
    "definitions",
    "dependencies",
    "id",
    "nullable",
    "Type",
    "",
]


def test_these_keywords_are_checked_and_no_others() -> None:
    assert " ".join(KEYWORDS) == (
        "type properties required additionalProperties items anyOf enum const minimum maximum minLength maxLength "
        "minItems maxItems title description $schema default examples"
    )
    assert {"$ref", "allOf", "format", "if", "not", "oneOf", "pattern", "uniqueItems"} < {*UNSUPPORTED}


@pytest.mark.parametrize("keyword", UNSUPPORTED)
@pytest.mark.parametrize(
    "place, within",
    [
        ("tool", lambda schema: schema),
        ("tool.properties.a", lambda schema: {"type": "object", "properties": {"a": schema}}),
        ("tool.items.items", lambda schema: {"items": {"items": schema}}),
        ("tool.anyOf[1]", lambda schema: {"anyOf": [{}, schema]}),
    ],
)
def test_an_unsupported_keyword_is_refused_anywhere_in_a_schema(
    keyword: str, place: str, within: Any
) -> None:
    with pytest.raises(Mismatch) as caught:
        check_schema(within({keyword: {}}), "tool")
    assert str(caught.value).startswith(
        f"{place}: {keyword} cannot be checked; what can is type, properties, "
    )


@pytest.mark.parametrize(
    "schema, text",
    [
        (True, "tool: expected an object, got true"),
        ({"type": "text"}, 'tool.type: expected one of "null", "boolean", "integer"'),
        ({"type": ["string", "any"]}, "tool.type[1]: expected one of "),
        ({"properties": {"a": True}}, "tool.properties.a: expected an object, got true"),
        ({"items": [{}]}, "tool.items: expected an object, got an array of 1"),
        ({"anyOf": []}, "tool.anyOf: expected an array with at least 1 item, got an array of 0"),
        ({"enum": []}, "tool.enum: expected an array with at least 1 item, got an array of 0"),
        ({"anyOf": [{}, 7]}, "tool.anyOf[1]: expected an object, got 7"),
        (
            {"additionalProperties": {}},
            "tool.additionalProperties: expected true or false, got an object of 0",
        ),
        ({"required": [1]}, "tool.required[0]: expected a string, got 1"),
        ({"minLength": -1}, "tool.minLength: expected a whole number of at least 0, got -1"),
        ({"maximum": True}, "tool.maximum: expected a number, got true"),
    ],
)
def test_a_keyword_with_an_invalid_argument_is_refused(schema: Any, text: str) -> None:
    with pytest.raises(Mismatch) as caught:
        check_schema(schema, "tool")
    assert str(caught.value).startswith(text)


def test_annotations_and_extensions_are_allowed_anywhere_and_check_nothing() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A title",
        "description": "Words.",
        "default": 1,
        "examples": ["x"],
        "x-mcp-header": "Region",
    }
    check_schema(schema | {"properties": {"a": schema}, "items": schema})
    assert accepts(schema, None)


# --- Bounds ----------------------------------------------------------------------------------------------------


def steps(schema: Schema, value: Any) -> int:
    """Count the calls that a check makes; the collector, which has callbacks of its own, runs before."""
    counted = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    gc.collect()
    gc.disable()
    sys.setprofile(count)
    try:
        accepts(schema, value)
    finally:
        sys.setprofile(before)
        gc.enable()
    return counted


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


TREE: Schema = {
    "anyOf": [{"enum": [[[1]], {"a": []}]}, {"type": "array", "items": {"type": ["array", "null"]}}]
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("schema", [{"type": "string"}, {"const": [[[]]]}, TREE])
def test_a_value_is_checked_no_deeper_than_its_schema(schema: Schema) -> None:
    assert steps(schema, nested(100_000)) == steps(schema, nested(10))


@pytest.mark.unmeasured
@pytest.mark.timed
@pytest.mark.parametrize(
    "items, item",
    [
        ({"type": "string"}, "x"),
        ({"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 3}]}, "x"),
        ({"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}, {"a": "y"}),
    ],
)
def test_checking_a_valid_array_is_linear(items: Schema, item: Any) -> None:
    schema = {"type": "array", "items": items}
    one, two, thousand = (steps(schema, [item] * length) for length in (1, 2, 1000))
    assert thousand - one == 999 * (two - one)


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "items", [{"type": "string"}, {"anyOf": [{"type": "string"}, {"items": {"const": 1}}]}]
)
def test_checking_an_array_stops_at_the_first_wrong_item(items: Schema) -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": items}]}
    wrong: list[Any] = [[None]]
    assert steps(schema, wrong * 1_000_000) == steps(schema, wrong)


@pytest.mark.unmeasured
def test_checking_an_object_stops_at_the_first_unknown_name() -> None:
    unknown = {str(number): number for number in range(100_000)}
    assert steps(PEOPLE, unknown) == steps(PEOPLE, {"0": 0})


def test_branches_that_do_not_matter_format_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.schema_validator.described", pytest.fail)
    schema = {"items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    assert accepts(schema, [None] * 1000)
