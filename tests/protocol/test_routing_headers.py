"""The headers that repeat the body: what a proxy routes by must say the same, character for character."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcp_protocol
from mcp_protocol import Incoming
from protocol.context import Context
from protocol.messages import Headers, Reply, RpcError
from protocol.methods import Server, TaskUse, Unknown
from protocol.routing_headers import (
    ArgumentPath,
    check_mirrored,
    header_value,
    mirrored_arguments,
    mirroring_headers,
)
from protocol.subscriptions import Hub
from protocol.tasks import TaskStore
from tests.support.messages import Message, legacy, modern

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020

TASKS: Message = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


def string(header: str) -> Message:
    return {"type": "string", "x-mcp-header": header}


# A tool with an argument of every kind that a header may repeat.
PROPERTIES: Message = {
    "region": string("Region"),
    "count": {"type": "integer", "x-mcp-header": "Count"},
    "dry": {"type": "boolean", "x-mcp-header": "Dry"},
    "options": {"type": "object", "properties": {"limit": {"type": "integer", "x-mcp-header": "Limit"}}},
    "text": {"type": "string"},
}


def a_tool(properties: Message, **schema: Any) -> Message:
    return {"name": "t", "inputSchema": {"type": "object", "properties": properties, **schema}}


class Everything:
    """A tool, a resource and a prompt of whatever name."""

    def __init__(self) -> None:
        self.tool = a_tool(PROPERTIES)

    def describe(self) -> list[Message]:
        return [self.tool]

    async def resources(self) -> list[Message]:
        return []

    async def prompts(self) -> list[Message]:
        return []

    async def templates(self) -> list[Message]:
        return []

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        if name != "t":
            raise Unknown(f"Unknown tool: {name}")
        return {"content": [], "structuredContent": dict(arguments)}

    async def read(self, uri: str, context: Context) -> list[Message]:
        return [{"uri": uri, "text": ""}]

    async def get(self, name: str, arguments: Mapping[str, str], context: Context) -> Message:
        return {"messages": []}


def a_server() -> Server:
    everything, hub = Everything(), Hub()
    tasks = TaskStore(1, 60, hub)
    return Server("x", "1", "", everything, resources=everything, prompts=everything, tasks=tasks, hub=hub)


async def ask(message: Message, headers: Mapping[str, list[str]]) -> Reply:
    routing = {"mcp-protocol-version": ["2026-07-28"], "mcp-method": [message["method"]]}
    return await mcp_protocol.answer(Incoming.of(message, {**routing, **headers}), a_server())


async def refusal(message: Message, headers: Mapping[str, list[str]]) -> str:
    reply = await ask(message, headers)
    assert isinstance(reply.body, dict)
    assert reply.body["error"]["code"] == HEADER_MISMATCH
    said: str = reply.body["error"]["message"]
    assert said.startswith("Header mismatch: ")
    return said.removeprefix("Header mismatch: ")


def sentinel(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


# What is named.

NAMED = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/update", "taskId"),
    ("tasks/cancel", "taskId"),
]
METHODS = [method for method, _ in NAMED]


def naming(method: str, name: Any) -> Message:
    message = modern(method, {dict(NAMED)[method]: name})
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = TASKS
    return message


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["t", "test://a/b?c=d", "with space", "=?base64?", ""])
async def test_a_plain_name_stands_in_the_header_as_it_is(method: str, name: str) -> None:
    reply = await ask(naming(method, name), {"mcp-name": [name]})
    assert reply.error_code in (None, INVALID_PARAMS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["t", "größe", "test://日本", " padded ", "=?base64?dA==?=", "a\nb"])
async def test_any_name_may_stand_there_in_base64(method: str, name: str) -> None:
    reply = await ask(naming(method, name), {"mcp-name": [sentinel(name)]})
    assert reply.error_code in (None, INVALID_PARAMS)


@pytest.mark.parametrize("method", METHODS)
async def test_what_names_something_needs_the_header(method: str) -> None:
    assert await refusal(naming(method, "t"), {}) == "mcp-name is missing; expected 't', as in the body"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("given", ["T", "", "t ", sentinel("T"), "other"])
async def test_a_header_that_names_something_else_is_a_mismatch(method: str, given: str) -> None:
    said = await refusal(naming(method, "t"), {"mcp-name": [given]})
    assert said.startswith("mcp-name: expected 't' as in the body, got ")


@pytest.mark.parametrize("method", METHODS)
async def test_a_header_sent_twice_is_a_mismatch_even_if_both_agree(method: str) -> None:
    assert await refusal(naming(method, "t"), {"mcp-name": ["t", "t"]}) == "mcp-name was sent 2 times"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["größe", "日本", "a\nb", "\x7f", "\x00"])
async def test_characters_that_no_header_may_carry_are_refused_though_they_agree(
    method: str, name: str
) -> None:
    said = await refusal(naming(method, name), {"mcp-name": [name]})
    assert said == "mcp-name has characters that only base64 may carry"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "given", ["=?base64?dA=?=", "=?base64?dB==?=", "=?base64?d A==?=", "=?base64?/w==?="]
)
async def test_base64_that_is_not_canonical_is_a_mismatch(method: str, given: str) -> None:
    said = await refusal(naming(method, "t"), {"mcp-name": [given]})
    assert said == "mcp-name is not valid base64 of UTF-8"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", [None, 7, ["t"], {}])
async def test_a_name_that_is_no_string_is_left_to_the_method(method: str, name: Any) -> None:
    assert (await ask(naming(method, name), {"mcp-name": ["t"]})).error_code == INVALID_PARAMS


@pytest.mark.parametrize("method", ["tools/list", "server/discover", "prompts/list", "resources/list"])
@pytest.mark.parametrize("params", [{"name": "x"}, {"uri": "x"}, {"taskId": "x"}, {"": "x"}])
async def test_a_method_that_names_nothing_needs_no_name(method: str, params: Message) -> None:
    assert (await ask(modern(method, params), {})).error_code is None


@given(st.text(), st.text())
def test_base64_carries_every_name_and_no_other(name: str, other: str) -> None:
    tool: dict[ArgumentPath, str] = {("region",): "mcp-param-region"}
    check_mirrored(tool, {"region": name}, {"mcp-param-region": [sentinel(name)]})
    if name != other:
        with pytest.raises(RpcError):
            check_mirrored(tool, {"region": name}, {"mcp-param-region": [sentinel(other)]})


# Tools that mark their arguments.


def test_marked_arguments_are_found_by_their_path() -> None:
    assert mirrored_arguments(a_tool(PROPERTIES)) == {
        ("region",): "mcp-param-region",
        ("count",): "mcp-param-count",
        ("dry",): "mcp-param-dry",
        ("options", "limit"): "mcp-param-limit",
    }


@pytest.mark.parametrize(
    "tool",
    [
        {"name": "t", "inputSchema": {"type": "object"}},
        a_tool({}),
        a_tool({"a": True, "b": False}),
        a_tool({"x-mcp-header": {"type": "string"}}),
        a_tool({"a": {"type": "object", "default": {"x-mcp-header": "A"}}}),
        a_tool({"a": {"enum": [{"x-mcp-header": "A"}]}}),
        a_tool({"a": {"const": {"x-mcp-header": "A"}}}),
        a_tool({"a": {"items": {"examples": [{"x-mcp-header": "A"}]}}}),
        a_tool({}, allOf=[{"anyOf": [{"required": ["x-mcp-header"]}]}]),
    ],
)
def test_what_only_looks_like_a_mark_is_none(tool: Message) -> None:
    assert mirrored_arguments(tool) == {}


@pytest.mark.parametrize("name", ["", " ", "A B", "a:b", "é", "a\r\nb", "A\n", "(", None, 7, ["A"], True])
def test_a_mark_that_is_no_header_name_is_refused(name: Any) -> None:
    with pytest.raises(ValueError, match=r"^t: x-mcp-header at a: expected a header name, got "):
        mirrored_arguments(a_tool({"a": {"type": "string", "x-mcp-header": name}}))


@pytest.mark.parametrize("name", ["A", "a-b", "X_1", "!#$%&'*+.^_`|~-", "0"])
def test_every_token_is_a_header_name(name: str) -> None:
    assert mirrored_arguments(a_tool({"a": string(name)})) == {("a",): f"mcp-param-{name.lower()}"}


@pytest.mark.parametrize("kind", ["number", "object", "array", "null", None, ["string", "null"], ["integer"]])
def test_a_mark_on_anything_but_a_string_an_integer_or_a_boolean_is_refused(kind: Any) -> None:
    tool = a_tool({"o": {"type": "object", "properties": {"a": {"type": kind, "x-mcp-header": "A"}}}})
    with pytest.raises(
        ValueError, match=r"^t: x-mcp-header at o\.a: expected it on one of string, integer, boo"
    ):
        mirrored_arguments(tool)


def test_two_marks_with_one_name_are_refused_whatever_their_case() -> None:
    with pytest.raises(ValueError, match=r"^t: x-mcp-header at b\.c: REGION is used twice$"):
        mirrored_arguments(a_tool({"a": string("Region"), "b": {"properties": {"c": string("REGION")}}}))


MARKED = {"type": "object", "properties": {"a": string("A")}}


@pytest.mark.parametrize(
    "keyword", ["items", "not", "if", "then", "else", "contains", "additionalProperties"]
)
def test_a_mark_that_properties_alone_do_not_lead_to_is_refused(keyword: str) -> None:
    for schema in (MARKED, string("A"), {"anyOf": [MARKED]}):
        with pytest.raises(ValueError, match=rf"^t: x-mcp-header must not stand under {keyword}$"):
            mirrored_arguments(a_tool({}, **{keyword: schema}))
        with pytest.raises(ValueError, match=rf"must not stand under {keyword}$"):
            mirrored_arguments(a_tool({"o": {"type": "object", keyword: schema}}))


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf", "prefixItems"])
def test_a_mark_in_a_choice_of_schemas_is_refused(keyword: str) -> None:
    with pytest.raises(ValueError, match=rf"must not stand under {keyword}$"):
        mirrored_arguments(a_tool({}, **{keyword: [True, MARKED]}))


@pytest.mark.parametrize("keyword", ["$defs", "patternProperties", "dependentSchemas"])
def test_a_mark_in_a_collection_of_schemas_is_refused(keyword: str) -> None:
    with pytest.raises(ValueError, match=rf"must not stand under {keyword.replace('$', '.')}$"):
        mirrored_arguments(a_tool({}, **{keyword: {"some": MARKED}}))


def test_a_mark_on_the_arguments_as_a_whole_is_refused() -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "x-mcp-header": "A", "items": string("B")}}
    with pytest.raises(ValueError, match=r"^t: x-mcp-header must not stand at the root or under items$"):
        mirrored_arguments(tool)


def test_a_server_with_a_tool_that_breaks_the_rules_does_not_start() -> None:
    everything = Everything()
    everything.tool = a_tool({"a": string("no token")})
    with pytest.raises(ValueError, match="expected a header name, got 'no token'"):
        Server("x", "1", "", everything)


# Calls of such tools.


def calling(arguments: Any) -> Message:
    return modern("tools/call", {"name": "t", "arguments": arguments})


def params(**values: str | list[str]) -> dict[str, list[str]]:
    sent = {f"mcp-param-{name}": [v] if isinstance(v, str) else v for name, v in values.items()}
    return {"mcp-name": ["t"], **sent}


BIG = 2**53 + 1


@pytest.mark.parametrize(
    "arguments, headers",
    [
        ({}, {}),
        ({"text": "not marked"}, {}),
        ({"region": None, "count": None, "options": {"limit": None}}, {}),
        ({"options": None}, {}),
        ({"options": "no object"}, {}),
        ({"region": "eu"}, {"region": "eu"}),
        ({"region": ""}, {"region": ""}),
        ({"region": "true"}, {"region": "true"}),
        ({"region": "größe"}, {"region": sentinel("größe")}),
        ({"region": " padded "}, {"region": sentinel(" padded ")}),
        ({"region": "eu"}, {"region": sentinel("eu")}),
        ({"count": 42}, {"count": "42"}),
        ({"count": 42}, {"count": "42.0"}),
        ({"count": 42.0}, {"count": "42"}),
        ({"count": -7}, {"count": "-7"}),
        ({"count": 0}, {"count": "-0"}),
        ({"count": 10**22}, {"count": "1e+22"}),
        ({"count": BIG}, {"count": str(BIG)}),
        ({"count": 42}, {"count": sentinel("42")}),
        ({"dry": True}, {"dry": "true"}),
        ({"dry": False}, {"dry": "false"}),
        ({"options": {"limit": 3}}, {"limit": "3"}),
        ({"region": "eu", "count": 0, "dry": False}, {"region": "eu", "count": "0", "dry": "false"}),
        ({"region": "eu"}, {"region": "eu", "other": ["a", "b"]}),
        ({}, {"text": "nobody marked it"}),
        # What is no string, integer or boolean is the tool's to refuse.
        ({"region": ["eu"]}, {"region": '["eu"]'}),
        ({"count": 1.5}, {"count": "1.5"}),
    ],
)
async def test_a_call_whose_headers_agree_is_answered(arguments: Message, headers: Any) -> None:
    reply = await ask(calling(arguments), params(**headers))
    assert isinstance(reply.body, dict)
    assert reply.body["result"]["structuredContent"] == arguments


@pytest.mark.parametrize(
    "arguments, headers, said",
    [
        ({"region": "eu"}, {}, "mcp-param-region is missing"),
        ({"options": {"limit": 0}}, {}, "mcp-param-limit is missing"),
        ({"dry": False}, {}, "mcp-param-dry is missing"),
        ({"region": ""}, {}, "mcp-param-region is missing"),
        ({}, {"region": "eu"}, "mcp-param-region was sent, but region was not"),
        ({}, {"region": ""}, "mcp-param-region was sent, but region was not"),
        ({"region": None}, {"region": "null"}, "mcp-param-region was sent, but region was not"),
        ({"options": {}}, {"limit": "3"}, "mcp-param-limit was sent, but options.limit was not"),
        ({"options": 7}, {"limit": "7"}, "mcp-param-limit was sent, but options.limit was not"),
        ({"region": "eu"}, {"region": ["eu", "eu"]}, "mcp-param-region was sent 2 times"),
        ({}, {"region": ["eu", "us"]}, "mcp-param-region was sent 2 times"),
        (
            {"region": "größe"},
            {"region": "größe"},
            "mcp-param-region has characters that only base64 may carry",
        ),
        ({"region": "eu"}, {"region": "=?base64?ZXU?="}, "mcp-param-region is not valid base64 of UTF-8"),
        ({"region": "eu"}, {"region": "EU"}, "mcp-param-region: expected 'eu' as in the body, got 'EU'"),
        ({"region": "1"}, {"region": "1.0"}, "mcp-param-region: expected '1' as in the body, got '1.0'"),
        ({"dry": True}, {"dry": "True"}, "mcp-param-dry: expected 'true' as in the body, got 'True'"),
        ({"dry": True}, {"dry": "1"}, "mcp-param-dry: expected 'true' as in the body, got '1'"),
        ({"count": 1}, {"count": "true"}, "mcp-param-count: expected '1' as in the body, got 'true'"),
        (
            {"region": {"a": None}},
            {"region": "x"},
            "mcp-param-region: expected '{\"a\": null}' as in the body, got 'x'",
        ),
    ],
)
async def test_a_call_whose_headers_do_not_agree_is_a_mismatch(
    arguments: Message, headers: Any, said: str
) -> None:
    assert await refusal(calling(arguments), params(**headers)) == said


@pytest.mark.parametrize(
    "given",
    ["43", "", "forty-two", "4_2", " 42", "42 ", "+42", "42.", ".42e2", "0x2a", "nan", "inf", "42e9999"],
)
async def test_an_integer_is_compared_as_a_number_that_json_could_write(given: str) -> None:
    said = await refusal(calling({"count": 42}), params(count=given))
    assert said == f"mcp-param-count: expected '42' as in the body, got {given!r}"


async def test_integers_that_a_float_cannot_tell_apart_are_told_apart() -> None:
    assert float(BIG) == float(BIG - 1)
    assert "expected" in await refusal(calling({"count": BIG}), params(count=str(BIG - 1)))


async def test_a_number_beyond_every_float_is_compared_too() -> None:
    said = await refusal(calling({"count": 10**400}), params(count="1e4"))
    assert len(said) < 300
    assert (await ask(calling({"count": 10**400}), params(count="1e400"))).error_code is None


@given(st.integers(), st.integers())
def test_a_number_mirrors_itself_alone(value: int, other: int) -> None:
    tool: dict[ArgumentPath, str] = {("n",): "h"}
    arguments = {"n": value}
    check_mirrored(tool, arguments, {"h": [str(value)]})
    check_mirrored(tool, arguments, {"h": [f"{value}.0"]})
    if value != other:
        with pytest.raises(RpcError):
            check_mirrored(tool, arguments, {"h": [str(other)]})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(json_values, st.lists(st.text(max_size=8) | st.sampled_from(["1", "1e5", "=?base64??="]), max_size=2))
def test_whatever_is_sent_it_agrees_or_it_is_a_mismatch(value: Any, sent: list[str]) -> None:
    headers: Headers = {"h": sent, "g": sent}
    try:
        check_mirrored({("a",): "h", ("a", "b"): "g"}, {"a": value}, headers)
    except RpcError as error:
        assert error.code == HEADER_MISMATCH  # noqa: PT017 - both outcomes are right, this one only with this code


async def test_a_mismatch_repeats_no_long_values() -> None:
    said = await refusal(calling({"region": "a" * 5_000}), params(region="b" * 5_000))
    assert len(said) < 300


@pytest.mark.parametrize("arguments", [[], "x", 7])
async def test_arguments_that_are_no_object_are_left_to_the_method(arguments: Any) -> None:
    assert (await ask(calling(arguments), params(region="eu"))).error_code == INVALID_PARAMS


@pytest.mark.parametrize("arguments", [None, {}])
async def test_a_call_without_arguments_has_nothing_to_repeat(arguments: Any) -> None:
    assert (await ask(calling(arguments), params())).error_code is None
    assert (await ask(calling(arguments), params(region="eu"))).error_code == HEADER_MISMATCH


async def test_an_unknown_tool_is_unknown_whatever_its_headers_say() -> None:
    message = modern("tools/call", {"name": "u", "arguments": {"region": "eu"}})
    reply = await ask(message, {"mcp-name": ["u"], "mcp-param-region": ["us"]})
    assert reply.error_code == INVALID_PARAMS


async def test_a_method_that_is_unknown_comes_before_what_its_headers_repeat() -> None:
    message = modern("tools/burn", {"name": "t", "arguments": {"region": "eu"}})
    assert (await ask(message, params(region="us"))).error_code == METHOD_NOT_FOUND


async def test_the_legacy_era_has_no_such_headers() -> None:
    message = legacy("tools/call", {"name": "t", "arguments": {"region": "eu"}})
    headers = {"mcp-name": ["x", "y"], "mcp-param-region": ["us"], "mcp-param-count": ["1", "2"]}
    assert (await mcp_protocol.answer(Incoming.of(message, headers), a_server())).error_code is None


@given(st.text(st.characters(codec="utf-8")) | st.integers(-(2**53), 2**53) | st.booleans())
def test_what_a_client_sends_for_an_argument_is_what_a_server_expects(value: Any) -> None:
    mirrored: dict[ArgumentPath, str] = {("options", "value"): "mcp-param-value"}
    arguments = {"options": {"value": value}}
    sent = mirroring_headers(mirrored, arguments)
    assert sent["mcp-param-value"].isascii()
    check_mirrored(mirrored, arguments, {name: [text.strip()] for name, text in sent.items()})


def test_an_argument_that_is_not_there_is_in_no_header() -> None:
    assert mirroring_headers({("a",): "mcp-param-a", ("b", "c"): "mcp-param-c"}, {"a": None}) == {}


@pytest.mark.parametrize("name", ["=?base64?eA==?=", " x", "x ", "ü", "a\nb", ""])
def test_a_name_that_a_header_would_change_is_sent_in_base64(name: str) -> None:
    assert header_value(name).startswith("=?base64?") or not name
