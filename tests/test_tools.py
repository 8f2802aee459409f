"""The tools as a caller's model meets them: definitions, arguments that do not fit, and what comes back."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import jsonschema
import pytest
from conftest import Run
from messages import Message, call, legacy
from service import Service, prose, with_model
from stand_in import Fails, StandIn, Summarizes

from job import Outcome, Summary
from tokens import Tokenizer
from tools import SUMMARIZE, SUMMARIZE_FOR_EXTRACTION, outcome_fields, result_of

TOOLS = [SUMMARIZE, SUMMARIZE_FOR_EXTRACTION]
OUTCOME = "mcp-summarizer/outcome"
LONG = prose(60)
HINT = {"schema_hint": "people and places"}
A_HINT = "a string of at least 1 and at most 4000 characters"
A_FOCUS = "a string of at most 4000 characters or an array of strings with at most 1000 items"


async def result_of_call(service: Service, name: str = "summarize", /, **arguments: Any) -> Message:
    response = await service.post(legacy("tools/call", call(name, **arguments)))
    result: Message = response.json()["result"]
    return result


def text_of(result: Message) -> str:
    (block,) = result["content"]
    assert block["type"] == "text"
    text: str = block["text"]
    return text


async def refusal(service: Service, name: str = "summarize", /, **arguments: Any) -> str:
    """Call with arguments that do not fit, and return what the caller's model is told."""
    result = await result_of_call(service, name, **arguments)
    assert result.keys() == {"content", "isError"}
    assert result["isError"] is True
    return text_of(result)


@pytest.fixture
async def failing(run: Run) -> AsyncIterator[Service]:
    """A service whose model refuses every call, where that is an error."""
    async with StandIn([Fails(401)]) as model, run(**with_model(model, ON_FAILURE="error")) as service:
        yield service


# Definitions.


async def test_there_are_two_tools_always_in_the_same_order(service: Service) -> None:
    lists = [(await service.post(legacy("tools/list"))).json()["result"]["tools"] for _ in range(2)]
    assert lists[0] == lists[1] == TOOLS
    assert [tool["name"] for tool in TOOLS] == ["summarize", "summarize_for_extraction"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
def test_a_definition_is_what_every_revision_accepts(tool: Message) -> None:
    jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
    assert re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", tool["name"])
    assert tool["inputSchema"]["type"] == "object"
    assert tool["inputSchema"]["additionalProperties"] is False
    assert tool.keys() == {"name", "title", "description", "inputSchema", "annotations"}


@pytest.mark.parametrize(
    "tool, required, optional",
    [
        (SUMMARIZE, ["content"], {"max_output_tokens", "focus_areas", "strategy"}),
        (SUMMARIZE_FOR_EXTRACTION, ["content", "schema_hint"], {"max_output_tokens", "strategy"}),
    ],
)
def test_a_tool_takes_these_arguments(tool: Message, required: list[str], optional: set[str]) -> None:
    schema = tool["inputSchema"]
    assert schema["required"] == required
    assert schema["properties"].keys() == {*required, *optional}
    assert all(len(each["description"]) > 40 for each in schema["properties"].values())


@pytest.mark.parametrize("tool, other", [TOOLS, TOOLS[::-1]])
def test_a_description_says_when_to_use_the_tool_and_when_not(tool: Message, other: Message) -> None:
    description = tool["description"]
    assert "Use it " in description
    assert "Do not use it for " in description
    assert other["name"] in description


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
def test_a_tool_only_reads(tool: Message) -> None:
    assert tool["annotations"] == {
        "title": tool["title"],
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


# Arguments that do not fit.


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
async def test_a_call_without_arguments_is_told_what_is_missing(service: Service, tool: Message) -> None:
    text = await refusal(service, tool["name"])
    assert text == "content: expected a string, got nothing; call again with this argument"


async def test_an_extraction_needs_a_hint(service: Service) -> None:
    text = await refusal(service, "summarize_for_extraction", content="x")
    assert text == f"schema_hint: expected {A_HINT}, got nothing; call again with this argument"


@pytest.mark.parametrize(
    "value, shown",
    [
        (7, "7"),
        (True, "true"),
        (["a", "b"], "an array of 2"),
        ({"a": 1}, "an object of 1"),
        (1.5, "1.5"),
    ],
)
@pytest.mark.parametrize(
    "name, expected", [("content", "a string"), ("strategy", "a string"), ("schema_hint", A_HINT)]
)
async def test_a_text_must_be_a_string(
    service: Service, name: str, expected: str, value: Any, shown: str
) -> None:
    arguments = {"content": "x", **HINT, name: value}
    text = await refusal(service, "summarize_for_extraction", **arguments)
    assert text == f"{name}: expected {expected}, got {shown}"


@pytest.mark.parametrize("name, expected", [("content", "a string"), ("schema_hint", A_HINT)])
async def test_null_for_a_required_argument_is_no_string(service: Service, name: str, expected: str) -> None:
    text = await refusal(service, "summarize_for_extraction", **{"content": "x", **HINT, name: None})
    assert text == f"{name}: expected {expected}, got null"


async def test_an_argument_nobody_knows_is_refused_as_null_too(service: Service) -> None:
    text = await refusal(service, content="x", text=None)
    assert text.startswith("text: no argument of that name; it takes content, ")


@pytest.mark.parametrize(
    "value, shown",
    [
        (True, "true"),
        (False, "false"),
        ("800", '"800"'),
        ("x" * 1_000_000, "a string of 1000000 characters"),
        (-1, "-1"),
        (0.5, "0.5"),
        (800.5, "800.5"),
        (-(10**100), "a number of more than 60 digits"),
        ([], "an array of 0"),
    ],
)
async def test_the_size_must_be_a_whole_number(service: Service, value: Any, shown: str) -> None:
    text = await refusal(service, content="x", max_output_tokens=value)
    assert text == f"max_output_tokens: expected a whole number of at least 0, got {shown}"


@pytest.mark.parametrize("tokens", [*range(1, 16), 15.0])
async def test_a_sentence_must_fit_in_the_size(service: Service, tokens: float) -> None:
    text = await refusal(service, content="x", max_output_tokens=tokens)
    assert text == (
        f"max_output_tokens: expected 0 (the default) or a whole number of at least 16, got {tokens}"
    )


async def test_a_number_too_large_for_a_float_is_refused(service: Service) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"summarize","arguments":{"content":"x","max_output_tokens":1e999}}}'
    response = await service.http.post(
        service.url, content=body, headers={"Content-Type": "application/json"}
    )
    assert "got Infinity" in text_of(response.json()["result"])


@pytest.mark.parametrize(
    "value, shown",
    [
        (7, "7"),
        ({}, "an object of 0"),
        ("x" * 4_001, "a string of 4001 characters"),
        (["x"] * 1_001, "an array of 1001"),
    ],
)
async def test_focus_areas_are_a_short_text_or_a_list(service: Service, value: Any, shown: str) -> None:
    text = await refusal(service, content="x", focus_areas=value)
    assert text == f"focus_areas: expected {A_FOCUS}, got {shown}"


@pytest.mark.parametrize(
    "value, place, shown",
    [([1], "[0]", "1"), (["a", None], "[1]", "null"), ([["a"]], "[0]", "an array of 1")],
)
async def test_each_focus_area_must_be_a_string(service: Service, value: Any, place: str, shown: str) -> None:
    text = await refusal(service, content="x", focus_areas=value)
    assert text == f"focus_areas{place}: expected a string, got {shown}"


@pytest.mark.parametrize(
    "hint, text",
    [
        ("", f'schema_hint: expected {A_HINT}, got ""'),
        ("x" * 4_001, f"schema_hint: expected {A_HINT}, got a string of 4001 characters"),
        (
            "  \n",
            'schema_hint: expected the facts you need in plain words, such as "people and their roles", got only white space',
        ),
    ],
    ids=["empty", "long", "blank"],
)
async def test_a_hint_says_something_and_is_no_document(service: Service, hint: str, text: str) -> None:
    assert await refusal(service, "summarize_for_extraction", content="x", schema_hint=hint) == text


async def test_focus_areas_are_no_document_in_pieces(service: Service) -> None:
    text = await refusal(service, content="x", focus_areas=["x" * 2_000] * 2)
    assert text == "focus_areas: expected at most 4000 characters in all, got 4002; name only what matters"


async def test_as_many_focus_areas_as_fit_may_be_named(service: Service) -> None:
    assert text_of(await result_of_call(service, content="short", focus_areas=["ab"] * 1_000)) == "short"


@pytest.mark.parametrize(
    "tool, name, known",
    [
        ("summarize", "schema_hint", "content, max_output_tokens, focus_areas, strategy"),
        ("summarize", "text", "content, max_output_tokens, focus_areas, strategy"),
        ("summarize_for_extraction", "focus_areas", "content, schema_hint, max_output_tokens, strategy"),
    ],
)
async def test_an_argument_nobody_knows_is_named_with_those_that_are(
    service: Service, tool: str, name: str, known: str
) -> None:
    text = await refusal(service, tool, **{"content": "x", **(HINT if "hint" in known else {}), name: "x"})
    assert text == f"{name}: no argument of that name; it takes {known}"


async def test_a_long_name_of_an_argument_is_not_repeated_whole(service: Service) -> None:
    assert len(await refusal(service, **{"x" * 100_000: 1})) < 300


async def test_arguments_nested_to_the_limit_are_refused_in_words(service: Service) -> None:
    # Python parses about 990 levels; whatever is just within that must not be too deep for what comes after.
    statuses = set()
    for depth in range(900, 1_000, 5):
        nested = "[" * depth + "]" * depth
        body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"summarize","arguments":{{"content":{nested}}}}}}}'
        response = await service.http.post(
            service.url, content=body, headers={"Content-Type": "application/json"}
        )
        answer = response.json()
        statuses.add(answer["error"]["code"] if "error" in answer else text_of(answer["result"]))
    assert statuses <= {-32700, "content: expected a string, got an array of 1"}


# Arguments that fit.


@pytest.mark.parametrize("size", [0, 0.0, -0.0, 16, 16.0, 800, 800.0, 1e300, 10**400])
async def test_whole_numbers_may_be_written_as_floats(service: Service, size: Any) -> None:
    result = await result_of_call(service, content="short", max_output_tokens=size)
    assert text_of(result) == "short"


@pytest.mark.parametrize(
    "areas", ["people, places", ["people", "places"], [" people ", "", "places"], "  people, places "]
)
async def test_focus_areas_reach_the_model_in_one_form(run: Run, areas: Any) -> None:
    async with StandIn([Summarizes()]) as model, run(**with_model(model)) as service:
        await result_of_call(service, content=LONG, max_output_tokens=200, focus_areas=areas)
        asked = [str(payload["messages"]) for payload in model.payloads]
    assert asked
    assert all("people, places" in messages for messages in asked)


@pytest.mark.parametrize(
    "name, more",
    [("summarize", {"focus_areas": None}), ("summarize_for_extraction", HINT)],
)
async def test_null_for_an_optional_argument_counts_as_absent(
    service: Service, name: str, more: Message
) -> None:
    result = await result_of_call(
        service, name, content="short", max_output_tokens=None, strategy=None, **more
    )
    assert text_of(result) == "short"
    assert "reason" not in result["_meta"][OUTCOME]


@pytest.mark.parametrize("areas", ["", [], ["", " "]])
async def test_no_focus_areas_are_no_error(service: Service, areas: Any) -> None:
    assert text_of(await result_of_call(service, content="short", focus_areas=areas)) == "short"


async def test_an_unknown_strategy_falls_back_and_says_so(service: Service) -> None:
    result = await result_of_call(service, content="short", strategy="magic")
    assert result["_meta"][OUTCOME]["strategy"] == "semantic"
    assert "unknown strategy 'magic': semantic was used" in result["_meta"][OUTCOME]["reason"]


@pytest.mark.parametrize("strategy", ["semantic", "token"])
async def test_the_outcome_names_the_strategy(service: Service, strategy: str) -> None:
    result = await result_of_call(service, content="short", strategy=strategy)
    assert result["_meta"][OUTCOME]["strategy"] == strategy
    assert "reason" not in result["_meta"][OUTCOME]


@pytest.mark.parametrize("name, more", [("summarize", {}), ("summarize_for_extraction", HINT)])
async def test_empty_content_is_an_empty_text(service: Service, name: str, more: Message) -> None:
    result = await result_of_call(service, name, content="", **more)
    assert text_of(result) == ""
    assert result["_meta"][OUTCOME]["status"] == "passthrough"
    assert result["_meta"][OUTCOME]["input_tokens"] == 0


# What comes back.

ALWAYS = {
    "status",
    "strategy",
    "backend",
    "input_tokens",
    "output_tokens",
    "compression_ratio",
    "chunks",
    "failed_chunks",
    "passes",
    "llm_calls",
    "duration_ms",
}


@pytest.mark.parametrize("name, more", [("summarize", {}), ("summarize_for_extraction", HINT)])
async def test_without_a_model_the_outcome_has_no_fields_of_one(
    service: Service, tokenizer: Tokenizer, name: str, more: Message
) -> None:
    result = await result_of_call(service, name, content=LONG, max_output_tokens=200, **more)
    outcome = result["_meta"][OUTCOME]
    assert result.keys() == {"content", "_meta"}
    assert result["_meta"].keys() == {OUTCOME}
    assert outcome.keys() - {"reason"} == ALWAYS
    assert (outcome["status"], outcome["backend"], outcome["llm_calls"]) == ("summarized", "extractive", 0)
    assert outcome["input_tokens"] == tokenizer.count(LONG)
    assert 0 < outcome["output_tokens"] == tokenizer.count(text_of(result)) <= 200


@pytest.mark.parametrize("cost", [None, 0.25])
async def test_with_a_model_the_outcome_says_what_it_took(run: Run, cost: float | None) -> None:
    async with StandIn([Summarizes(cost=cost)]) as model, run(**with_model(model)) as service:
        result = await result_of_call(service, content=LONG, max_output_tokens=200)
    outcome = result["_meta"][OUTCOME]
    expected = (
        ALWAYS | {"model", "prompt_tokens", "completion_tokens"} | (set() if cost is None else {"cost_usd"})
    )
    assert outcome.keys() - {"reason"} == expected
    assert (outcome["status"], outcome["backend"]) == ("summarized", "openrouter")
    assert outcome["model"] == "openai/gpt-4o-mini"
    assert outcome["llm_calls"] == len(model.payloads) >= outcome["chunks"] >= 2
    assert outcome.get("cost_usd") == (None if cost is None else cost * len(model.payloads))


async def test_content_that_fits_comes_back_untouched(service_with_model: Service, model: StandIn) -> None:
    content = " # A title\r\n\tand\u2028text  \n"
    result = await result_of_call(service_with_model, content=content)
    assert text_of(result) == content
    assert result["_meta"][OUTCOME]["status"] == "passthrough"
    assert model.payloads == []


async def test_a_summary_that_failed_is_an_error_for_the_callers_model(failing: Service) -> None:
    text = await refusal(failing, content=LONG, max_output_tokens=200)
    assert "401" in text


def test_a_result_is_one_text_and_the_outcome_beside_it() -> None:
    outcome = Outcome("summarized", "semantic", "openrouter", input_tokens=9, reason="why")
    assert result_of(Summary("text", outcome)) == {
        "content": [{"type": "text", "text": "text"}],
        "_meta": {OUTCOME: outcome_fields(outcome)},
    }


def test_what_is_not_known_is_left_out_and_zero_is_known() -> None:
    fields = outcome_fields(Outcome("partial", "token", "openrouter", cost_usd=0.0))
    assert fields.keys() == ALWAYS | {"cost_usd"}
    assert fields["cost_usd"] == 0.0
