"""The tools as a caller's model sees them: definitions, invalid arguments, results."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.methods import TaskUse
from summarizing.job import STRATEGIES
from summarizing.outcome import FactCounts, Outcome, Summary
from summarizing.text.tokenizer import Tokenizer
from tests.support.laws import examples
from tests.support.messages import Message, call, legacy
from tests.support.service import Run, Service, prose, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Fails, Summarizes
from tools.arguments import InvalidArguments, validated
from tools.call_results import outcome_fields
from tools.definitions import (
    READ_ORIGINAL,
    SEARCH_ORIGINAL,
    SUMMARIZE,
    SUMMARIZE_FOR_EXTRACTION,
    SUMMARIZE_ORIGINAL,
    SUMMARIZE_TOOL_RESULT,
)
from tools.handlers import SummarizerTools, result_of
from tools.result_summaries import ResultSummaries

OF_ORIGINALS = [READ_ORIGINAL, SEARCH_ORIGINAL, SUMMARIZE_ORIGINAL]
TOOLS = [SUMMARIZE, SUMMARIZE_FOR_EXTRACTION, *OF_ORIGINALS, SUMMARIZE_TOOL_RESULT]
OUTCOME = "mcp-summarizer/outcome"
ORIGINAL = "mcp-summarizer/original"
LONG = prose(60)
HINT = {"schema_hint": "years and boats"}
A_HINT = "a string of at least 1 and at most 4000 characters"
A_FOCUS = "a string of at most 4000 characters"
A_LIST = "an array of strings with at most 1000 items"
NO_SIZE = "{}: expected 0 or a whole number of at least 16, got {}; for the default size leave it out"


def test_an_outcome_has_all_of_its_fields() -> None:
    facts = FactCounts(3, 2, 1, 0, ("12 boats",))
    summarized = Outcome("summarized", "semantic", "x", facts=facts)
    assert summarized.members() == {**summarized._asdict(), "facts": asdict(facts)}
    passed = Outcome("passthrough", "token", "x")
    assert passed.members() == passed._asdict()


async def test_the_definitions_are_serialized_unchanged(service: Service) -> None:
    response = await service.post(legacy("tools/list"))
    assert response.json()["result"] == {"tools": TOOLS}


async def result_of_call(service: Service, name: str = "summarize", /, **arguments: Any) -> Message:
    response = await service.post(legacy("tools/call", call(name, **arguments)))
    result: Message = response.json()["result"]
    return result


def text_of(result: Message) -> str:
    # Two hosts show their model structuredContent alone where there is one.
    assert "structuredContent" not in result
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


async def test_there_are_six_tools_always_in_the_same_order(service: Service) -> None:
    lists = [(await service.post(legacy("tools/list"))).json()["result"]["tools"] for _ in range(2)]
    assert lists[0] == lists[1] == TOOLS
    assert [tool["name"] for tool in TOOLS] == [
        "summarize",
        "summarize_for_extraction",
        "read_original",
        "search_original",
        "summarize_original",
        "summarize_tool_result",
    ]


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
        (SUMMARIZE, ["content"], {"max_output_tokens", "focus_areas", "strategy", "keep_original"}),
        (
            SUMMARIZE_FOR_EXTRACTION,
            ["content", "schema_hint"],
            {"max_output_tokens", "strategy", "keep_original"},
        ),
        (READ_ORIGINAL, ["result_id"], {"offset", "max_tokens"}),
        (SEARCH_ORIGINAL, ["result_id", "query"], {"max_results"}),
        (
            SUMMARIZE_ORIGINAL,
            ["result_id"],
            {"max_output_tokens", "focus_areas", "schema_hint", "strategy"},
        ),
        (
            SUMMARIZE_TOOL_RESULT,
            ["server_name", "tool_name", "result"],
            {
                "conversation",
                "session_id",
                "stage_execution_id",
                "max_summary_tokens",
                "size_threshold_tokens",
            },
        ),
    ],
)
def test_each_tool_has_these_arguments(tool: Message, required: list[str], optional: set[str]) -> None:
    schema = tool["inputSchema"]
    assert schema["required"] == required
    assert schema["properties"].keys() == {*required, *optional}
    assert all(each["description"] for each in schema["properties"].values())


@pytest.mark.parametrize(
    "tool, other",
    [
        (SUMMARIZE, SUMMARIZE_FOR_EXTRACTION),
        (SUMMARIZE_FOR_EXTRACTION, SUMMARIZE),
        (READ_ORIGINAL, SEARCH_ORIGINAL),
        (SEARCH_ORIGINAL, READ_ORIGINAL),
        (SUMMARIZE_ORIGINAL, SEARCH_ORIGINAL),
        (SUMMARIZE_TOOL_RESULT, SUMMARIZE),
    ],
)
def test_a_description_names_the_alternative_tool(tool: Message, other: Message) -> None:
    assert other["name"] in tool["description"]


def keywords_of(schema: Any) -> set[str]:
    """Return every member's name in a schema, at any depth."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    return set(schema if isinstance(schema, dict) else ()).union(*map(keywords_of, inner))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
def test_each_argument_has_one_type_and_no_alternatives(tool: Message) -> None:
    # Gemini is reported to refuse all tools of a server where one schema has anyOf beside a description.
    assert keywords_of(tool).isdisjoint({"anyOf", "oneOf", "allOf", "not", "$ref"})
    assert all(isinstance(each["type"], str) for each in tool["inputSchema"]["properties"].values())


def test_the_strategys_schema_lists_all_strategies() -> None:
    of = [tool["inputSchema"]["properties"].get("strategy") for tool in TOOLS]
    assert [each and tuple(each["enum"]) for each in of] == [
        STRATEGIES,
        STRATEGIES,
        None,
        None,
        STRATEGIES,
        None,
    ]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
def test_the_tools_are_annotated_as_read_only(tool: Message) -> None:
    assert tool["annotations"] == {
        "title": tool["title"],
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


# Arguments that do not fit.


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool["name"]))
async def test_a_call_without_arguments_names_the_missing_one(service: Service, tool: Message) -> None:
    text = await refusal(service, tool["name"])
    needed = {
        "result_id": "result_id: expected a string of at least 1 and at most 64 characters",
        "content": "content: expected a string",
        "server_name": "server_name: expected a string of at least 1 and at most 200 characters",
    }[tool["inputSchema"]["required"][0]]
    assert text == f"{needed}, got nothing; call again with this argument"


async def test_an_extraction_needs_a_hint(service: Service) -> None:
    text = await refusal(service, "summarize_for_extraction", content="x")
    assert text == f"schema_hint: expected {A_HINT}, got nothing; call again with this argument"


@pytest.mark.unmeasured
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
    "name, expected",
    [("content", "a string"), ("strategy", 'one of "semantic", "token"'), ("schema_hint", A_HINT)],
)
async def test_content_must_be_a_string(
    service: Service, name: str, expected: str, value: Any, shown: str
) -> None:
    arguments = {"content": "x", **HINT, name: value}
    text = await refusal(service, "summarize_for_extraction", **arguments)
    assert text == f"{name}: expected {expected}, got {shown}"


@pytest.mark.parametrize("name, expected", [("content", "a string"), ("schema_hint", A_HINT)])
async def test_null_for_a_required_argument_is_refused(service: Service, name: str, expected: str) -> None:
    text = await refusal(service, "summarize_for_extraction", **{"content": "x", **HINT, name: None})
    assert text == f"{name}: expected {expected}, got null"


async def test_an_unknown_argument_is_refused_even_if_null(service: Service) -> None:
    text = await refusal(service, content="x", text=None)
    assert text.startswith("text: no argument of that name; it takes content, ")


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "value, shown",
    [
        (True, "true"),
        (False, "false"),
        ("", '""'),
        ("-800", '"-800"'),
        ("800.0", '"800.0"'),
        ("8 00", '"8 00"'),
        ("٨٠٠", '"٨٠٠"'),
        ("9" * 21, f'"{"9" * 21}"'),
        ("9" * 1_000_000, "a string of 1000000 characters"),
        (-1, "-1"),
        (0.5, "0.5"),
        (800.5, "800.5"),
        (-(10**100), "a number of more than 60 digits"),
        ([], "an array of 0"),
    ],
)
async def test_the_size_must_be_a_whole_number(service: Service, value: Any, shown: str) -> None:
    text = await refusal(service, content="x", max_output_tokens=value)
    assert text == NO_SIZE.format("max_output_tokens", shown)


@pytest.mark.unmeasured
@pytest.mark.parametrize("tokens", [*range(1, 16), 15.0])
async def test_a_size_too_small_for_a_sentence_is_refused(service: Service, tokens: float) -> None:
    text = await refusal(service, content="x", max_output_tokens=tokens)
    assert text == NO_SIZE.format("max_output_tokens", tokens)


async def test_a_number_too_large_for_a_float_is_refused(service: Service) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"summarize","arguments":{"content":"x","max_output_tokens":1e999}}}'
    response = await service.http.post(
        service.url, content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 400
    assert "the number 1e999 is beyond the range of 64 bits" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "value, expected, shown",
    [
        (7, f"{A_FOCUS} or {A_LIST}", "7"),
        ({}, f"{A_FOCUS} or {A_LIST}", "an object of 0"),
        ("x" * 4_001, A_FOCUS, "a string of 4001 characters"),
        (["x"] * 1_001, A_LIST, "an array of 1001"),
    ],
)
async def test_focus_areas_are_a_short_text_or_a_list(
    service: Service, value: Any, expected: str, shown: str
) -> None:
    text = await refusal(service, content="x", focus_areas=value)
    assert text == f"focus_areas: expected {expected}, got {shown}"


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
async def test_a_schema_hint_is_neither_empty_nor_too_long(service: Service, hint: str, text: str) -> None:
    assert await refusal(service, "summarize_for_extraction", content="x", schema_hint=hint) == text


async def test_focus_areas_in_an_array_are_limited_in_total(service: Service) -> None:
    text = await refusal(service, content="x", focus_areas=["x" * 2_000] * 2)
    assert text == "focus_areas: expected at most 4000 characters in all, got 4002; name only what matters"


async def test_any_number_of_focus_areas_that_fits_is_accepted(service: Service) -> None:
    assert text_of(await result_of_call(service, content="short", focus_areas=["ab"] * 1_000)) == "short"


@pytest.mark.parametrize(
    "tool, name, known",
    [
        ("summarize", "schema_hint", "content, max_output_tokens, focus_areas, strategy, keep_original"),
        ("summarize", "text", "content, max_output_tokens, focus_areas, strategy, keep_original"),
        (
            "summarize_for_extraction",
            "focus_areas",
            "content, schema_hint, max_output_tokens, strategy, keep_original",
        ),
    ],
)
async def test_an_unknown_argument_is_named_with_the_known_ones(
    service: Service, tool: str, name: str, known: str
) -> None:
    text = await refusal(service, tool, **{"content": "x", **(HINT if "hint" in known else {}), name: "x"})
    assert text == f"{name}: no argument of that name; it takes {known}"


async def test_a_long_name_of_an_argument_is_not_repeated_whole(service: Service) -> None:
    assert len(await refusal(service, **{"x" * 100_000: 1})) < 300


async def test_deeply_nested_arguments_are_refused_with_a_message(service: Service) -> None:
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


@pytest.mark.unmeasured
@pytest.mark.parametrize("size", [0, 0.0, -0.0, 16, 16.0, 800, 800.0, 1e300, 10**400])
async def test_whole_numbers_may_be_written_as_floats(service: Service, size: Any) -> None:
    result = await result_of_call(service, content="short", max_output_tokens=size)
    assert text_of(result) == "short"


@pytest.mark.unmeasured
@pytest.mark.parametrize("size", ["0", "16", "800", "00800", "9" * 20])
@pytest.mark.parametrize("name", ["summarize", "summarize_for_extraction", "summarize_original"])
async def test_a_size_may_be_written_as_a_string_of_digits(service: Service, name: str, size: str) -> None:
    kept_text = {"result_id": await kept(service, "short")} if name == "summarize_original" else {}
    more = kept_text or {"content": "short", **(HINT if "extraction" in name else {})}
    assert text_of(await result_of_call(service, name, max_output_tokens=size, **more)) == "short"


async def test_a_string_of_digits_is_its_number(service: Service, tokenizer: Tokenizer) -> None:
    as_string = await result_of_call(service, content=LONG, max_output_tokens="200")
    assert text_of(as_string) == text_of(await result_of_call(service, content=LONG, max_output_tokens=200))
    assert tokenizer.count(text_of(as_string)) <= 200
    text = await refusal(service, content="x", max_output_tokens="15")
    assert text == NO_SIZE.format("max_output_tokens", 15)


async def test_offsets_and_numbers_of_results_may_be_strings_of_digits(service: Service) -> None:
    result_id = await kept(service)
    read = await result_of_call(service, "read_original", result_id=result_id, offset="7", max_tokens="50")
    assert LONG[7:].startswith(page_of(read))
    found = await result_of_call(
        service, "search_original", result_id=result_id, query="boats", max_results="1"
    )
    assert len(found["_meta"][ORIGINAL]["places"]) == 1
    text = await refusal(service, "search_original", result_id=result_id, query="boats", max_results="51")
    assert text == "max_results: expected a whole number of at least 1 and at most 50, got 51"


@pytest.mark.unmeasured
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
async def test_empty_focus_areas_are_accepted(service: Service, areas: Any) -> None:
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
async def test_without_a_model_the_outcome_has_no_model_fields(
    service: Service, tokenizer: Tokenizer, name: str, more: Message
) -> None:
    result = await result_of_call(service, name, content=LONG, max_output_tokens=200, **more)
    outcome = result["_meta"][OUTCOME]
    assert result.keys() == {"content", "_meta"}
    assert result["_meta"].keys() == {OUTCOME}
    assert outcome.keys() - {"reason", "matched"} == ALWAYS | {"facts"}
    assert (outcome["status"], outcome["backend"], outcome["llm_calls"]) == ("summarized", "extractive", 0)
    assert outcome["input_tokens"] == tokenizer.count(LONG)
    assert 0 < outcome["output_tokens"] == tokenizer.count(text_of(result)) <= 200


@pytest.mark.unmeasured
@pytest.mark.parametrize("cost", [None, 0.25])
async def test_with_a_model_the_outcome_has_its_usage(run: Run, cost: float | None) -> None:
    async with StandIn([Summarizes(cost=cost)]) as model, run(**with_model(model)) as service:
        result = await result_of_call(service, content=LONG, max_output_tokens=200)
    outcome = result["_meta"][OUTCOME]
    expected = (
        ALWAYS | {"model", "prompt_tokens", "completion_tokens"} | (set() if cost is None else {"cost_usd"})
    )
    assert outcome.keys() - {"reason"} == expected | {"facts"}
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


def test_a_result_is_one_text_block_with_the_outcome_in_meta() -> None:
    outcome = Outcome("summarized", "semantic", "openrouter", input_tokens=9, reason="why")
    assert result_of(Summary("text", outcome)) == {
        "content": [{"type": "text", "text": "text"}],
        "_meta": {OUTCOME: outcome_fields(outcome)},
    }


def test_unknown_fields_are_left_out_and_zero_is_kept() -> None:
    fields = outcome_fields(Outcome("partial", "token", "openrouter", cost_usd=0.0))
    assert fields.keys() == ALWAYS | {"cost_usd"}
    assert fields["cost_usd"] == 0.0


@pytest.mark.parametrize("words", [(), ("lamps",)])
@pytest.mark.parametrize("read_in_part, read", [(None, "the text"), (True, "what was read of the text")])
def test_nothing_is_said_of_all_of_a_text_unless_all_of_it_was_read(
    words: tuple[str, ...], read: str, *, read_in_part: bool | None
) -> None:
    outcome = Outcome(
        "partial", "semantic", "openrouter", matched="none", found_words=words, read_in_part=read_in_part
    )
    assert f" {read} has " in result_of(Summary("text", outcome))["content"][1]["text"]


# Originals.

KEEPING = {"max_output_tokens": 200, "keep_original": True}


def page_of(result: Message) -> str:
    """Return the text of a page as a program finds it."""
    text: str = text_of(result)[result["_meta"][ORIGINAL]["text_start"] :]
    return text


def blocks_of(result: Message) -> list[str]:
    assert "isError" not in result, result
    assert all(block.keys() == {"type", "text"} for block in result["content"])
    return [block["text"] for block in result["content"]]


async def kept(service: Service, content: str = LONG, **more: Any) -> str:
    """Have an original kept, and return its id."""
    result = await result_of_call(service, content=content, **{**KEEPING, **more})
    result_id: str = result["_meta"][OUTCOME]["result_id"]
    return result_id


@pytest.mark.parametrize("name, more", [("summarize", {}), ("summarize_for_extraction", HINT)])
async def test_an_original_is_kept_on_request(service: Service, name: str, more: Message) -> None:
    result = await result_of_call(service, name, content=LONG, **KEEPING, **more)
    outcome = result["_meta"][OUTCOME]
    summary, said = blocks_of(result)
    assert outcome["status"] == "summarized"
    assert summary
    assert said == (
        f'Original kept: result_id="{outcome["result_id"]}" (read_original, search_original, summarize_original)'
    )


@pytest.mark.parametrize("asked", [{}, {"keep_original": False}, {"keep_original": None}])
async def test_nothing_is_kept_without_a_request(service: Service, asked: Message) -> None:
    result = await result_of_call(service, content=LONG, max_output_tokens=200, **asked)
    assert len(blocks_of(result)) == 1
    assert "result_id" not in result["_meta"][OUTCOME]


async def test_empty_content_is_not_kept(service: Service) -> None:
    result = await result_of_call(service, content="", keep_original=True)
    assert blocks_of(result) == [""]
    assert result["_meta"][OUTCOME].keys() & {"result_id", "reason"} == set()


async def test_an_original_is_kept_whatever_the_outcome_of_its_summary(run: Run) -> None:
    async with StandIn([Fails(401)]) as model, run(**with_model(model)) as service:
        for content, status in (
            ("short", "passthrough"),
            (" \n" * 9_000, "passthrough"),
            (LONG, "unsummarized"),
        ):
            result = await result_of_call(service, content=content, **KEEPING)
            assert result["_meta"][OUTCOME]["status"] == status
            read = await result_of_call(
                service, "read_original", result_id=result["_meta"][OUTCOME]["result_id"], max_tokens=50_000
            )
            assert page_of(read) == content


@pytest.mark.parametrize("value", ["True!", "1", "", 1, 0, [], "yes"])
async def test_keep_original_is_true_or_false(service: Service, value: Any) -> None:
    text = await refusal(service, content="x", keep_original=value)
    assert text.startswith("keep_original: expected true or false, got ")


@pytest.mark.parametrize("value, is_kept", [("true", True), ("false", False)])
async def test_true_and_false_may_be_strings(service: Service, value: str, *, is_kept: bool) -> None:
    result = await result_of_call(service, content="short", keep_original=value)
    assert ("result_id" in result["_meta"][OUTCOME]) is is_kept


async def test_a_text_that_came_back_unsummarized_says_so_in_a_block_of_its_own(run: Run) -> None:
    async with StandIn([Fails(401)]) as model, run(**with_model(model)) as service:
        result_id = await kept(service)
        results = [
            await result_of_call(service, content=LONG, max_output_tokens=200),
            await result_of_call(service, "summarize_for_extraction", content=LONG, **KEEPING, **HINT),
            await result_of_call(service, "summarize_original", result_id=result_id, max_output_tokens=200),
        ]
    for result in results:
        text, said, *more = blocks_of(result)
        assert text == LONG
        assert said == f"Not summarized: {result['_meta'][OUTCOME]['reason']}"
        assert said.startswith(
            "Not summarized: the content came back unchanged, since the model gave nothing: "
        )
        assert "\n" not in said
        assert [each[:13] for each in more] == ["Original kept"][: result is results[1]]


@pytest.mark.parametrize(
    "name, asked",
    [
        ("summarize", {"focus_areas": "quantum chromodynamics"}),
        ("summarize_for_extraction", {"schema_hint": "quantum chromodynamics"}),
    ],
)
async def test_where_nothing_matches_a_block_of_its_own_says_so(
    service: Service, name: str, asked: Message
) -> None:
    result = await result_of_call(service, name, content=LONG, **asked, **KEEPING)
    text, said, kept_as = blocks_of(result)
    assert result["_meta"][OUTCOME]["matched"] == "none"
    assert "Nothing matched" not in text
    assert said.startswith("Nothing matched: the text has none of the words that were asked for")
    assert "\n" not in said
    assert kept_as.startswith("Original kept")


async def test_where_too_little_matches_a_block_of_its_own_names_what_does(service: Service) -> None:
    word = next(word for word in LONG.split() if word.isalpha() and len(word) > 5)
    result = await result_of_call(
        service,
        "summarize",
        content=LONG,
        max_output_tokens=200,
        focus_areas=f"{word} of quarks, gluons, mesons",
    )
    _, said = blocks_of(result)
    outcome = result["_meta"][OUTCOME]
    assert (outcome["matched"], outcome["found_words"]) == ("none", [word])
    assert said.startswith(f"Too little matched: of what was asked for the text has only {word}, so ")


@pytest.mark.parametrize(
    "asked, missing, says",
    [
        ({"focus_areas": "{word} of Ruritania"}, ["Ruritania"], ["Nowhere in the text: Ruritania"]),
        ({"focus_areas": "{word} and quarks"}, ["quarks"], []),  # other words may say it
        ({"focus_areas": "{word} of 9876"}, ["9876"], []),  # "9,876" may say it
        (
            {"focus_areas": "quarks"},
            ["quarks"],
            ["Nowhere in the text: quarks"],
        ),  # nothing else was asked for
        ({"focus_areas": "{word}"}, None, []),
        ({}, None, []),
    ],
)
async def test_words_of_a_query_that_the_text_has_nowhere_are_named(
    service: Service, asked: Message, missing: list[str] | None, says: list[str]
) -> None:
    word = next(word for word in LONG.split() if word.isalpha() and len(word) > 5)
    named = {name: words.format(word=word) for name, words in asked.items()}
    result = await result_of_call(service, "summarize", content=LONG, max_output_tokens=200, **named)
    _, *said = blocks_of(result)
    assert said == says
    outcome = result["_meta"][OUTCOME]
    assert outcome.get("missing_words") == missing
    assert outcome.get("matched") == ("unclear" if asked == {"focus_areas": "quarks"} else None)


async def test_where_something_matches_no_block_says_that_nothing_did(service: Service) -> None:
    result = await result_of_call(service, content=LONG, max_output_tokens=200)
    assert len(blocks_of(result)) == 1


def test_the_note_that_nothing_was_summarized_is_one_line() -> None:
    outcome = Outcome("unsummarized", "semantic", "openrouter", reason="two\nlines,\r\n\tand more")
    assert blocks_of(result_of(Summary("text", outcome)))[1] == "Not summarized: two lines, and more"


async def test_an_original_is_kept_even_if_the_summary_is_an_error(
    run: Run,
) -> None:
    async with StandIn([Fails(401)]) as model, run(**with_model(model, ON_FAILURE="error")) as service:
        result = await result_of_call(service, content=LONG, **KEEPING)
        assert result["isError"] is True
        assert "401" in result["content"][0]["text"]
        found = re.search(r'result_id="([^"]+)"', result["content"][1]["text"])
        assert found is not None
        page = await result_of_call(service, "read_original", result_id=found[1], max_tokens=50)
    assert LONG.startswith(page_of(page))


async def test_a_content_that_cannot_be_kept_is_still_summarized(run: Run) -> None:
    async with run(MAX_ORIGINALS_BYTES="0") as service:
        result = await result_of_call(service, content=LONG, strategy="magic", **KEEPING)
    summary, said = blocks_of(result)
    outcome = result["_meta"][OUTCOME]
    why = r"it takes \d+ bytes, and MAX_ORIGINALS_BYTES is 0"
    assert summary
    assert outcome["status"] == "summarized"
    assert "result_id" not in outcome
    assert re.fullmatch(rf"unknown strategy .*; the original was not kept: {why}", outcome["reason"])
    assert re.fullmatch(rf"Original not kept: {why}", said)


async def test_the_pages_joined_are_the_original(service: Service) -> None:
    content = LONG[:20_000] + "\n\n" + "字典と港。" * 2_000 + "😀" * 500 + " the end"
    result_id = await kept(service, content)
    pages: list[str] = []
    offset = 0
    while True:
        result = await result_of_call(
            service, "read_original", result_id=result_id, offset=offset, max_tokens=700
        )
        line, _, page = text_of(result).partition("\n")
        place = result["_meta"][ORIGINAL]
        pages.append(page)
        assert page == page_of(result)
        assert line.isascii()
        assert place["offset"] == offset
        assert place["total_chars"] == len(content)
        if "next_offset" not in place:
            assert line == f"[characters {offset}-{len(content)} of {len(content)}; this is the end]"
            break
        offset = place["next_offset"]
        assert line == f"[characters {place['offset']}-{offset} of {len(content)}; next offset {offset}]"
    assert "".join(pages) == content
    assert len(pages) > 10


async def test_a_page_has_the_default_size(run: Run, tokenizer: Tokenizer) -> None:
    async with run(DEFAULT_MAX_OUTPUT_TOKENS="300") as service:
        page = page_of(await result_of_call(service, "read_original", result_id=await kept(service)))
    assert 200 < tokenizer.count(page) <= 300
    assert LONG.startswith(page)


async def test_an_offset_is_at_most_the_length(service: Service) -> None:
    result_id = await kept(service, "a short text")
    at_end = await result_of_call(service, "read_original", result_id=result_id, offset=12)
    assert blocks_of(at_end) == ["[characters 12-12 of 12; this is the end]\n"]
    assert page_of(at_end) == ""
    text = await refusal(service, "read_original", result_id=result_id, offset=13)
    assert text == "offset: expected at most 12, the number of characters of this original, got 13"


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"offset": -1}, "offset: expected a whole number of at least 0, got -1"),
        ({"max_tokens": 15}, NO_SIZE.format("max_tokens", 15)),
        ({"max_tokens": -1}, NO_SIZE.format("max_tokens", -1)),
        ({"result_id": ""}, 'result_id: expected a string of at least 1 and at most 64 characters, got ""'),
    ],
)
async def test_a_pages_arguments_are_whole_numbers(service: Service, arguments: Message, text: str) -> None:
    assert await refusal(service, "read_original", **{"result_id": "x", **arguments}) == text


async def test_matches_are_verbatim_with_their_offsets(service: Service) -> None:
    content = f"# Town\n\n{LONG}\n\n## Keys\n\n{prose(3)}\n\nThe spare key of the mill is number KX-77.\n\n{prose(2)}"
    result = await result_of_call(
        service, "search_original", result_id=await kept(service, content), query="spare key KX-77"
    )
    text = text_of(result)
    places = result["_meta"][ORIGINAL]["places"]
    assert result["_meta"][ORIGINAL]["total_chars"] == len(content)
    assert "KX-77" in text_at(result, 0)
    assert text.splitlines()[2] == (
        f"[characters {places[0]['offset']}-{places[0]['end']}, under Town > Keys]"
    )
    for number, place in enumerate(places):
        assert text_at(result, number) == content[place["offset"] : place["end"]]
    assert text.partition("\n")[0] == (
        f"{len(places)} place{'s' * (len(places) > 1)} found in {len(content)} characters; "
        "read_original with an offset shows what is around one"
    )


def text_at(result: Message, number: int) -> str:
    """Return the text of a place that was found, as a program finds it."""
    place = result["_meta"][ORIGINAL]["places"][number]
    length = place["end"] - place["offset"]
    text: str = text_of(result)[place["text_start"] :][:length]
    return text


async def test_each_match_can_be_located_by_its_offsets_whatever_its_text(service: Service) -> None:
    lines = [f"The boat 😀 {number}\n\n[characters 0-9, under 字]\nof Kåre." for number in range(300)]
    content = "# Båt 😀\n\n" + "\n\n".join(lines)
    result = await result_of_call(
        service, "search_original", result_id=await kept(service, content), query="boat of Kåre"
    )
    places = result["_meta"][ORIGINAL]["places"]
    assert len(places) == 5
    for number, place in enumerate(places):
        assert text_at(result, number) == content[place["offset"] : place["end"]]


async def test_a_search_names_the_missing_words(service: Service) -> None:
    result_id = await kept(service, LONG)
    nothing = await result_of_call(service, "search_original", result_id=result_id, query="zebra")
    assert text_of(nothing) == (
        f"nothing found in {len(LONG)} characters; try other words, as the text may have them"
    )
    assert nothing["_meta"][ORIGINAL]["places"] == []
    some = await result_of_call(
        service, "search_original", result_id=result_id, query="a zebra in Brackwater"
    )
    assert text_of(some).partition("\n")[0].endswith(". Nowhere in the text: zebra")
    many = f"Brackwater {'z' * 500} {' '.join(f'zebra{number}' for number in range(11))}"
    found = await result_of_call(service, "search_original", result_id=result_id, query=many)
    assert (
        text_of(found)
        .partition("\n")[0]
        .endswith("zzz…, " + "".join(f"zebra{n}, " for n in range(8)) + "zebra8 and 2 more")
    )


@pytest.mark.parametrize("count, what", [(1, "1 text in it is"), (3, "3 texts in it are")])
async def test_a_search_that_misses_a_word_says_that_masked_texts_cannot_be_found(
    service: Service, count: int, what: str
) -> None:
    result_id = await kept(service, LONG + " [masked email 0123abcd]" * count)
    for query in ("chacha20-poly1305", "chacha20-poly1305 in Brackwater"):
        found = await result_of_call(service, "search_original", result_id=result_id, query=query)
        line = text_of(found).partition("\n")[0]
        assert line.endswith(f". {what} masked ([masked ...]) and cannot be found by what stood there")


async def test_a_search_returns_at_most_max_results(service: Service) -> None:
    result_id = await kept(service, prose(600))
    for limit, expected in ((1, 1), (3.0, 3), (None, 5)):
        result = await result_of_call(
            service, "search_original", result_id=result_id, query="boats counted", max_results=limit
        )
        assert len(result["_meta"][ORIGINAL]["places"]) == expected
        assert text_of(result).count("[characters ") == expected


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"query": " \n"}, "query: expected the words to look for, got only white space"),
        ({"max_results": 0}, "max_results: expected a whole number of at least 1 and at most 50, got 0"),
        ({"max_results": 51}, "max_results: expected a whole number of at least 1 and at most 50, got 51"),
        (
            {"query": "x" * 1_001},
            "query: expected a string of at least 1 and at most 1000 characters, got a string of 1001 characters",
        ),
    ],
)
async def test_invalid_search_arguments_are_explained(
    service: Service, arguments: Message, text: str
) -> None:
    assert await refusal(service, "search_original", **{"result_id": "x", "query": "x", **arguments}) == text


@pytest.mark.parametrize(
    "more", [{}, {"focus_areas": ["Brackwater"]}, {"schema_hint": "boats in Brackwater"}]
)
async def test_summarize_original_uses_the_kept_text(
    service: Service, tokenizer: Tokenizer, more: Message
) -> None:
    result_id = await kept(service)
    again = await result_of_call(
        service, "summarize_original", result_id=result_id, max_output_tokens=100, **more
    )
    name = "summarize_for_extraction" if "schema_hint" in more else "summarize"
    direct = await result_of_call(service, name, content=LONG, max_output_tokens=100, **more)
    assert text_of(again) == text_of(direct)
    assert tokenizer.count(text_of(again)) <= 100
    assert again["_meta"][OUTCOME]["result_id"] == result_id
    assert again["_meta"][OUTCOME]["input_tokens"] == tokenizer.count(LONG)


async def test_summarize_original_takes_either_a_hint_or_focus_areas(service: Service) -> None:
    text = await refusal(service, "summarize_original", result_id="x", focus_areas="a", schema_hint="b")
    assert text.startswith("focus_areas and schema_hint: expected one of them, got both; ")
    result_id = await kept(service, "short")
    one = await result_of_call(
        service, "summarize_original", result_id=result_id, focus_areas=" ", schema_hint=""
    )
    assert text_of(one) == "short"


@pytest.mark.parametrize("tool", OF_ORIGINALS, ids=lambda tool: str(tool["name"]))
async def test_an_unknown_id_is_an_error_that_says_what_to_do(service: Service, tool: Message) -> None:
    more = {"query": "x"} if tool is SEARCH_ORIGINAL else {}
    text = await refusal(service, tool["name"], result_id="nope", **more)
    assert text.startswith(
        'no original with result_id "nope": check the id; a result names it where its original was kept'
    )


async def test_another_keys_id_is_answered_as_an_unknown_one(run: Run) -> None:
    keys = ["first-key-0123456789", "second-key-0123456789"]
    async with run(MCP_SUMMARIZER_API_KEYS=",".join(keys)) as service:

        async def ask(key: str, name: str, **arguments: Any) -> Message:
            headers = {"Authorization": f"Bearer {key}"}
            answer = await service.post(legacy("tools/call", call(name, **arguments)), headers)
            result: Message = answer.json()["result"]
            return result

        result = await ask(keys[0], "summarize", content=LONG, **KEEPING)
        result_id = result["_meta"][OUTCOME]["result_id"]
        for name, more in (
            ("read_original", {}),
            ("search_original", {"query": "boats"}),
            ("summarize_original", {}),
        ):
            stolen = await ask(keys[1], name, result_id=result_id, **more)
            unknown = await ask(keys[1], name, result_id="x" * 22, **more)
            assert stolen["isError"] is True
            assert text_of(stolen).replace(result_id, "x" * 22) == text_of(unknown)
            assert "isError" not in await ask(keys[0], name, result_id=result_id, **more)


async def test_no_log_line_holds_content_or_an_id(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    result_id = await kept(service)
    await result_of_call(service, "read_original", result_id=result_id)
    await result_of_call(service, "search_original", result_id=result_id, query="boats counted")
    assert result_id not in everything_logged(caplog)
    assert "boats" not in everything_logged(caplog)


# What is logged of errors.


def errors_logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    return [
        tuple(vars(record).get(name, "") for name in ("tool", "kind", "error"))
        for record in caplog.records
        if record.getMessage() == "tool_error"
    ]


BAD = "bad_arguments"
SECRET = "a secret of the caller"


@pytest.mark.parametrize(
    "name, arguments, error",
    [
        ("summarize", {}, "content: expected a string"),
        ("summarize", {"content": "x", SECRET: 1}, "no argument of that name"),
        (
            "summarize",
            {"content": "x", "max_output_tokens": SECRET},
            "max_output_tokens: expected 0 or a whole number of at least 16",
        ),
        ("summarize", {"content": [SECRET]}, "content: expected a string"),
        ("summarize", {"content": "x", "focus_areas": [SECRET, 1]}, "focus_areas[1]: expected a string"),
        (
            "summarize",
            {"content": SECRET, "focus_areas": [SECRET] * 900},
            "focus_areas: expected at most 4000 characters in all",
        ),
        (
            "summarize_original",
            {"result_id": SECRET, "focus_areas": SECRET, "schema_hint": SECRET},
            "focus_areas and schema_hint: expected one of them",
        ),
    ],
)
async def test_invalid_arguments_are_one_log_line_without_the_callers_words(
    service: Service, caplog: pytest.LogCaptureFixture, name: str, arguments: Message, error: str
) -> None:
    caplog.set_level("DEBUG")
    await refusal(service, name, **arguments)
    assert errors_logged(caplog) == [(name, BAD, error)]
    assert SECRET not in everything_logged(caplog)


SECRETS = st.just(SECRET) | st.text(max_size=20).map(lambda more: f"{more}{SECRET}, got {more}")
ANYTHING = st.recursive(
    SECRETS | st.integers() | st.booleans() | st.none() | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SECRETS, inner, max_size=3),
    max_leaves=5,
)
ARGUMENT_NAMES = sorted({name for tool in TOOLS for name in tool["inputSchema"]["properties"]})


def misfit_of(tool: Message, arguments: Message) -> InvalidArguments | None:
    try:
        validated(arguments, tool)
    except InvalidArguments as problem:
        return problem
    return None


@examples(300)
@given(st.sampled_from(TOOLS), st.dictionaries(st.sampled_from(ARGUMENT_NAMES) | SECRETS, ANYTHING))
def test_the_log_of_invalid_arguments_has_nothing_from_the_caller(tool: Message, arguments: Message) -> None:
    problem = misfit_of(tool, arguments)
    if problem:
        assert "secret" not in problem.expected
        assert problem.expected in str(problem)
    else:
        assert arguments.keys() <= tool["inputSchema"]["properties"].keys()


def everything_logged(caplog: pytest.LogCaptureFixture) -> str:
    return "".join(str(record.__dict__) for record in caplog.records if record.name != "httpx")


@pytest.mark.parametrize("name", ["read_original", "summarize_original"])
async def test_an_unknown_id_is_one_log_line_without_the_id(
    service: Service, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    caplog.set_level("DEBUG")
    await refusal(service, name, result_id=SECRET)
    assert errors_logged(caplog) == [(name, "no_original", "unknown")]
    assert SECRET not in everything_logged(caplog)


async def test_an_unknown_tool_is_one_log_line_without_its_name(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    await service.post(legacy("tools/call", call(SECRET)))
    assert errors_logged(caplog) == [("unknown", "unknown_tool", "")]
    assert SECRET not in everything_logged(caplog)


@pytest.mark.parametrize("more", [{}, {"keep_original": True}])
async def test_a_failed_summary_is_one_log_line(
    failing: Service, caplog: pytest.LogCaptureFixture, more: Message
) -> None:
    caplog.set_level("INFO")
    result = await result_of_call(failing, content=LONG, max_output_tokens=200, **more)
    assert result["isError"] is True
    assert errors_logged(caplog) == [("summarize", "not_summarized", "the model gave nothing")]


async def test_calls_that_succeed_log_no_error(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    result_id = await kept(service)
    await result_of_call(service, "read_original", result_id=result_id)
    assert errors_logged(caplog) == []


def test_summarize_original_may_run_as_a_task_and_reading_may_not() -> None:
    results = ResultSummaries(*[None] * 5)  # type: ignore[arg-type]  # nothing is called
    tools = SummarizerTools(None, None, results, 100)  # type: ignore[arg-type]
    uses = [
        tools.task_use(name, {"content": "x" * length}, None)  # type: ignore[arg-type]
        for name, length in (
            ("summarize", 99),
            ("summarize", 100),
            ("summarize_for_extraction", 100),
            ("read_original", 100),
            ("search_original", 100),
            ("summarize_original", 0),
            ("unknown", 100),
        )
    ]
    preferred = [use is TaskUse.PREFERRED for use in uses]
    assert preferred == [False, True, True, False, False, True, False]


@pytest.mark.parametrize(
    "result, is_long",
    [("x" * 99, False), ("x" * 100, True), ({"a": ["x" * 50, {"b": "x" * 50}]}, True), ({"a": [5]}, False)],
)
def test_a_long_result_of_another_tool_may_be_summarized_as_a_task(result: Any, is_long: bool) -> None:
    results = ResultSummaries(*[None] * 5)  # type: ignore[arg-type]  # nothing is called
    tools = SummarizerTools(None, None, results, 100)  # type: ignore[arg-type]
    use = tools.task_use("summarize_tool_result", {"result": result}, None)  # type: ignore[arg-type]
    assert (use is TaskUse.PREFERRED) == is_long


# --- Where a summary comes from --------------------------------------------------------------------------------

PROVENANCE = "mcp-summarizer/provenance"


async def provenance_of_call(service: Service, name: str, /, **arguments: Any) -> tuple[str, Any]:
    params = call(name, **arguments) | {"_meta": {PROVENANCE: True}}
    result: Message = (await service.post(legacy("tools/call", params))).json()["result"]
    return result["content"][0]["text"], result["_meta"].get(PROVENANCE)


async def test_a_caller_who_asks_is_told_where_each_line_comes_from(service: Service) -> None:
    text, said = await provenance_of_call(service, "summarize", content=LONG, max_output_tokens=100)
    assert said["lines"]
    for line in said["lines"]:
        source = LONG[line["source_start"] : line["source_end"]]
        assert text[line["start"] : line["end"]].split() == source.split()
        assert line["verbatim"] is True
    assert {fact["kept"] for fact in said["facts"]} == {True, False}


async def test_nobody_else_is_told(service: Service) -> None:
    result = await result_of_call(service, content=LONG, max_output_tokens=100)
    assert PROVENANCE not in result["_meta"]


async def test_a_content_too_large_to_trace_is_summarized_all_the_same(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("summarizer.MAX_TRACED_CHARS", 1_000)
    text, said = await provenance_of_call(service, "summarize", content=LONG, max_output_tokens=100)
    assert text
    assert said == {"error": f"provenance: expected a content of at most 1,000 characters, got {len(LONG):,}"}
