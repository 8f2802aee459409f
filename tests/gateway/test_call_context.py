"""What is known of a call: read from its `_meta` and arguments, cut to size, and made a query once it is masked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gateway.call_context import (
    MAX_ARGUMENTS_CHARS,
    MAX_MANIFEST_CHARS,
    MAX_MEMBERS,
    MAX_STRING_CHARS,
    query_of,
    read_call,
    shortened,
    without_material,
)
from gateway.masking.masker import KnownSecrets, Masker
from gateway.masking.secret_shapes import GENERATED, generated_rules
from gateway.names import ToolId
from tests.support.parts import count, the_tokenizer

CANARY = "hunter2canary"
TOOL = ToolId("k8s", "pods")
TALK = [{"role": "user", "content": "Why does payments fail?"}]
META = {
    "mcp-summarizer/conversation": TALK,
    "mcp-summarizer/session_id": "s1",
    "mcp-summarizer/stage_id": "t1",
    "mcp-summarizer/execution_id": "e1",
    "progressToken": 1,
}


def test_everything_that_is_known_of_a_call_is_in_its_query() -> None:
    known = read_call(META, {"namespace": "prod"}, "restarts")
    assert known.ids == {"session_id": "s1", "stage_id": "t1", "execution_id": "e1"}
    assert known.ignored == []
    query = query_of(known.material, TOOL, 1_000, the_tokenizer())
    assert query.focus_areas == "restarts"
    call = query.tool_call
    assert call is not None
    assert (call.server, call.tool, call.arguments) == ("k8s", "pods", '{"namespace": "prod"}')
    assert call.conversation == "[user]: Why does payments fail?"
    assert call.last_request == "Why does payments fail?"
    assert call.tokens == count(call.arguments) + count(call.conversation)


def test_nothing_need_be_known() -> None:
    known = read_call({}, {}, "")
    assert (known.ids, known.ignored) == ({}, [])
    query = query_of(known.material, TOOL, 1_000, the_tokenizer())
    assert query.words == ""


@pytest.mark.parametrize(
    "meta, ignored",
    [
        ({"mcp-summarizer/conversation": "hi"}, "conversation: expected an array of messages, got a string"),
        (
            {"mcp-summarizer/session_id": 5},
            "session_id: expected a string of at most 200 characters, got a number",
        ),
        (
            {"mcp-summarizer/stage_id": "x" * 201},
            "stage_id: expected a string of at most 200 characters, got 201 characters",
        ),
    ],
)
def test_what_cannot_be_read_is_ignored_and_named(meta: dict[str, Any], ignored: str) -> None:
    known = read_call({**META, **meta}, {}, "restarts")
    assert known.ignored == [f"mcp-summarizer/{ignored}"]
    assert known.material["focus"] == "restarts"


def test_what_could_not_be_masked_is_left_out_and_named() -> None:
    known = without_material(read_call(META, {"a": 1}, "restarts"), "too slow")
    assert known.ignored == ["arguments, focus and conversation: too slow"]
    assert known.ids["session_id"] == "s1"
    query = query_of(known.material, TOOL, 1_000, the_tokenizer())
    assert "1" not in json.dumps([query.focus_areas, query.tool_call and query.tool_call.conversation])


def test_long_arguments_are_cut() -> None:
    given = {"content": "x" * 100_000, "rows": list(range(100_000)), "deep": [[[[[[[[1]]]]]]]], "n": None}
    known = read_call({}, given, "")
    query = query_of(known.material, TOOL, 1_000, the_tokenizer())
    assert query.tool_call is not None
    assert len(query.tool_call.arguments) <= MAX_ARGUMENTS_CHARS
    assert query.tool_call.arguments.startswith(f'{{"content": "{"x" * MAX_STRING_CHARS}…", "rows": [0, 1, 2')
    assert shortened(dict.fromkeys(map(str, range(100)), 1), str)["…"] == 100 - MAX_MEMBERS


def manifest(values: int) -> dict[str, Any]:
    """Return a Secret as kubectl prints it: in the order of the alphabet, its kind after its values."""
    data = {"field": CANARY, **{f"key-{number}": "dmFsdWU=" for number in range(values)}}
    return {"apiVersion": "v1", "data": data, "kind": "Secret"}


def as_yaml(given: dict[str, Any]) -> str:
    values = "".join(f"  {name}: {value}\n" for name, value in given["data"].items())
    return f"apiVersion: v1\ndata:\n{values}kind: Secret\n"


PADDING = {f"member-{number}": number for number in range(MAX_MEMBERS)}
TOO_LONG = as_yaml(manifest(MAX_MANIFEST_CHARS // 20))


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({"manifest": as_yaml(manifest(400))}, ""),
        ({"manifest": json.dumps(manifest(400))}, ""),
        ({"data": {"field": CANARY}, **PADDING, "kind": "Secret"}, ""),
        ({"value": CANARY, **PADDING, "name": "DB_PASSWORD"}, ""),
        ({"manifest": TOO_LONG}, ""),
        ({}, as_yaml(manifest(2_000))),
    ],
)
def test_what_says_that_values_are_secret_may_stand_after_what_is_shown(
    arguments: dict[str, Any], said: str
) -> None:
    known = read_call({"mcp-summarizer/conversation": [{"role": "user", "content": said}]}, arguments, "")
    assert CANARY in json.dumps(known.material) or arguments.get("manifest") == TOO_LONG
    masked = Masker(generated_rules(GENERATED.read_text("utf-8"))).mask_json(known.material)
    query = query_of(masked, TOOL, 4_000, the_tokenizer())
    assert query.tool_call is not None
    assert len(query.tool_call.arguments) <= MAX_ARGUMENTS_CHARS
    assert CANARY not in query.tool_call.arguments + query.tool_call.conversation


# Each part of it is another one, so that a part that is known is found.
LONG_SECRET = "".join(f"{number:x}-" for number in range(0x1000, 0x1700))
PARTS = [LONG_SECRET[at : at + 20] for at in range(0, len(LONG_SECRET), 20)]


def in_arguments(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {}, {"text": [text]}


def in_a_name(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {}, {"names": {text: 1}}


def in_conversation(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"mcp-summarizer/conversation": [{"role": "user", "content": text}]}, {}


@pytest.mark.parametrize("place", [in_arguments, in_a_name, in_conversation])
@pytest.mark.parametrize("chars", [700, 4_100, len(LONG_SECRET)])
def test_of_a_configured_secret_no_part_is_known_wherever_a_text_is_cut(
    place: Callable[[str], tuple[dict[str, Any], dict[str, Any]]], chars: int
) -> None:
    secret = LONG_SECRET[:chars]
    masker = KnownSecrets([secret])
    for before in range(MAX_STRING_CHARS):
        meta, arguments = place("x" * before + secret * (2 + 30_000 // chars))
        known = read_call(meta, arguments, "", masker.longest_known_chars)
        masked = known.masked_as(masker.mask_json(known.material), masker.longest_known_chars)
        query = query_of(masked.material, TOOL, 4_000, the_tokenizer())
        assert query.tool_call is not None
        said = query.tool_call.arguments + query.tool_call.conversation
        assert not [part for part in PARTS if part in said], before


@pytest.mark.parametrize(
    "arguments, shown",
    [
        ({CANARY: 1, KnownSecrets([CANARY]).mask(CANARY): 2}, "…"),
        (
            {"type": "image", "data": "A" * 40_000, "mimeType": "image/png"},
            {"type": "image", "data": "A" * MAX_STRING_CHARS + "…", "mimeType": "image/png"},
        ),
    ],
)
def test_texts_that_were_cut_are_found_again_among_those_that_are_masked(
    arguments: dict[str, Any], shown: Any
) -> None:
    masker = KnownSecrets([CANARY])
    known = read_call({}, arguments, "", masker.longest_known_chars)
    masked = known.masked_as(masker.mask_json(known.material), masker.longest_known_chars)
    call = query_of(masked.material, TOOL, 1_000, the_tokenizer()).tool_call
    assert call is not None
    assert json.loads(call.arguments) == shown


def test_behind_a_long_secret_as_much_is_shown_as_of_any_text() -> None:
    masker = KnownSecrets([LONG_SECRET])
    known = read_call({}, {"text": LONG_SECRET + "x" * 30_000}, "", masker.longest_known_chars)
    masked = known.masked_as(masker.mask_json(known.material), masker.longest_known_chars)
    call = query_of(masked.material, TOOL, 1_000, the_tokenizer()).tool_call
    assert call is not None
    assert len(json.loads(call.arguments)["text"]) == MAX_STRING_CHARS + 1
