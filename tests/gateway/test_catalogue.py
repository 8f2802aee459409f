"""The tools that are offered: chosen, renamed and described as configured, in one order, with what their results need."""

from typing import Any

import pytest

from gateway.catalogue import FOCUS, MAX_FOCUS_CHARS, Catalogue
from gateway.names import ToolId
from gateway.server_rules import GatewayServer, MaskingRules, SummarizationRules, ToolRules
from gateway.server_selection import Selection, select_all
from gateway.server_spec import ServerSpec
from tools.schema_validator import Mismatch


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
        **more,
    }


def server(name: str, **more: Any) -> GatewayServer:
    return GatewayServer(ServerSpec(name, command="x"), **more)


def catalogue(
    servers: list[GatewayServer], tools: dict[str, list[dict[str, Any]]], selection: Selection | None = None
) -> Catalogue:
    by_name = {each.spec.name: each for each in servers}
    return Catalogue(by_name, tools, selection or select_all(by_name))


def test_tools_come_in_the_order_of_the_file_then_of_their_names() -> None:
    made = catalogue([server("b"), server("a")], {"a": [tool("z"), tool("y")], "b": [tool("x")]})
    assert [each.name for each in made.tools] == ["b__x", "a__y", "a__z"]


def test_a_server_that_is_down_has_no_tools_and_takes_no_others_away() -> None:
    assert [each.name for each in catalogue([server("a"), server("b")], {"b": [tool("x")]}).tools] == ["b__x"]


def test_the_choice_of_a_connection_and_the_configured_rules_both_hold() -> None:
    rules = ToolRules(deny=frozenset({"delete"}))
    tools = {"a": [tool("get"), tool("delete"), tool("list")], "b": [tool("get")]}
    made = catalogue(
        [server("a", tools=rules), server("b")], tools, Selection({"a": frozenset({"get", "delete"})})
    )
    assert [each.name for each in made.tools] == ["a__get"]
    assert made.find("a__delete") is None
    assert made.find("b__get") is None
    assert made.find("a.get") is made.tools[0]


def test_a_tool_has_the_same_name_in_every_choice() -> None:
    tools = {"a": [tool("x.y"), tool("x_y")]}
    everything = catalogue([server("a")], tools)
    one = catalogue([server("a")], tools, Selection({"a": frozenset({"x.y"})}))
    names = {each.id: each.name for each in everything.tools}
    assert one.tools[0].name == names[ToolId("a", "x.y")]


def test_a_tool_is_renamed_and_described_anew() -> None:
    rules = ToolRules(rename={"get": "pods"}, description={"get": "Lists pods."}, pin=frozenset({"get"}))
    (made,) = catalogue([server("a", tools=rules)], {"a": [tool("get", title="T", description="old")]}).tools
    assert (made.name, made.definition["description"], made.definition["title"]) == (
        "a__pods",
        "Lists pods.",
        "T",
    )
    assert made.is_pinned
    assert made.original["name"] == "get"


def test_what_may_be_summarized_takes_a_focus_and_promises_no_output_schema() -> None:
    definition = tool("get", outputSchema={"type": "object"})
    (made,) = catalogue([server("a")], {"a": [definition]}).tools
    assert "outputSchema" not in made.definition
    assert set(made.definition["inputSchema"]["properties"]) == {"path", FOCUS}
    assert set(definition["inputSchema"]["properties"]) == {"path"}
    assert made.split_arguments({"path": "/", FOCUS: "errors"}) == ({"path": "/"}, "errors")


def test_a_tool_with_an_argument_of_that_name_keeps_it() -> None:
    definition = {
        "name": "get",
        "inputSchema": {"type": "object", "properties": {FOCUS: {"type": "integer"}}},
    }
    (made,) = catalogue([server("a")], {"a": [definition]}).tools
    assert made.split_arguments({FOCUS: 5, made.focus_argument: "errors"}) == ({FOCUS: 5}, "errors")


@pytest.mark.parametrize("passes", [{"summarization": SummarizationRules(enabled=False)}, {"observes": True}])
def test_what_is_only_masked_takes_no_focus_and_promises_no_output_schema(passes: dict[str, Any]) -> None:
    definition = tool("get")
    (made,) = catalogue([server("a", **passes)], {"a": [{**definition, "outputSchema": {}}]}).tools
    assert made.definition == {**definition, "name": "a__get"}


def test_what_is_never_rewritten_is_offered_as_it_is() -> None:
    definition = tool("get", outputSchema={"type": "object"})
    masking = MaskingRules(enabled=False)
    off = server("a", masking=masking, summarization=SummarizationRules(enabled=False))
    for rules in (off, server("a", masking=masking, observes=True)):
        (made,) = catalogue([rules], {"a": [definition]}).tools
        assert made.definition == {**definition, "name": "a__get"}
        assert made.split_arguments({FOCUS: "mine"}) == ({FOCUS: "mine"}, "")


def test_an_exact_tool_takes_no_focus_and_promises_no_output_schema() -> None:
    rules = ToolRules(exact=frozenset({"get"}))
    (made,) = catalogue([server("a", tools=rules)], {"a": [tool("get", outputSchema={})]}).tools
    assert made.definition == {**tool("get"), "name": "a__get"}


def test_a_tool_without_a_schema_gets_one_for_its_focus() -> None:
    (made,) = catalogue([server("a")], {"a": [{"name": "get"}]}).tools
    assert made.definition["inputSchema"]["type"] == "object"


@pytest.mark.parametrize("focus, got", [(7, "7"), (["a"], "an array of 1"), (True, "true")])
def test_a_focus_that_is_no_text_is_refused(focus: Any, got: str) -> None:
    (made,) = catalogue([server("a")], {"a": [tool("get")]}).tools
    with pytest.raises(Mismatch, match=f"^{FOCUS}: expected a string, got {got}$"):
        made.split_arguments({FOCUS: focus})


def test_null_is_no_focus_and_a_long_one_is_cut() -> None:
    (made,) = catalogue([server("a")], {"a": [tool("get")]}).tools
    assert made.split_arguments({FOCUS: None, "path": "/"}) == ({"path": "/"}, "")
    assert made.split_arguments({FOCUS: "a" * 2_000}) == ({}, "a" * MAX_FOCUS_CHARS)
