"""Conversations as callers send them: every usual form is read, the newest comes first, and none is too long."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.parts import count, the_tokenizer
from tools.conversation import (
    MAX_CONVERSATION_CHARS,
    MAX_CONVERSATION_TOKENS,
    MAX_MESSAGE_CHARS,
    MalformedConversation,
    SaidMessage,
    conversation_tokens,
    last_request,
    read_conversation,
    written,
)

ASKED = {"role": "user", "content": "Why does payments fail?"}
ANSWERED = {"role": "assistant", "content": "I look at its pods."}
TALK = [{"role": "system", "content": "You are an SRE."}, ASKED, ANSWERED]


def test_the_newest_message_comes_first_and_what_instructs_is_left_out() -> None:
    developer = {"role": "Developer", "content": "Be brief."}
    expected = [("assistant", "I look at its pods."), ("user", "Why does payments fail?")]
    assert read_conversation([*TALK, developer]) == expected
    assert written(read_conversation(TALK), 100, the_tokenizer()) == (
        "[assistant]: I look at its pods.\n\n[user]: Why does payments fail?"
    )
    assert last_request(read_conversation(TALK)) == "Why does payments fail?"


@pytest.mark.parametrize(
    "given",
    [
        [ASKED],
        {"messages": [ASKED]},
        [{"role": "USER", "text": "Why does payments fail?"}],
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "Why does payments fail?"}, {"type": "image"}],
            }
        ],
        [{"role": "user", "content": {"type": "text", "text": "Why does payments fail?"}}],
        [ASKED, {"role": "assistant", "content": None, "tool_calls": []}],
    ],
)
def test_the_usual_forms_are_read(given: Any) -> None:
    assert read_conversation(given) == [("user", "Why does payments fail?")]


@pytest.mark.parametrize("given", [None, [], {}, {"messages": []}, TALK[:1]])
def test_no_conversation_is_fine(given: Any) -> None:
    assert read_conversation(given) == []
    assert written([], 100, the_tokenizer()) == last_request([]) == ""


@pytest.mark.parametrize(
    "given, problem",
    [
        ("hello", "expected an array of messages, got a string"),
        ({"messages": 5}, "expected an array of messages, got a number"),
        (["hello"], r"\[0\]: expected an object with role and content, got a string"),
        ([ASKED, {"content": "x"}], r"\[1\]\.role: expected a string, got null"),
        (
            [{"role": "user", "content": 5}],
            r"\[0\]\.content: expected a string or blocks with a text, got a number",
        ),
    ],
)
def test_what_is_no_conversation_is_named(given: Any, problem: str) -> None:
    with pytest.raises(MalformedConversation, match=problem):
        read_conversation(given)


def test_long_messages_and_long_conversations_are_cut() -> None:
    talk = [{"role": "user", "content": f"{number} " + "word " * 5_000} for number in range(50)]
    read = read_conversation(talk)
    assert [len(message.text) for message in read] == [MAX_MESSAGE_CHARS] * 4
    assert read[0].text.startswith("49 ")
    assert sum(len(message.text) for message in read) >= MAX_CONVERSATION_CHARS
    text = written(read, MAX_CONVERSATION_TOKENS, the_tokenizer())
    assert text.startswith("[user]: 49 word")
    assert "[user]: 48 word" in text
    assert count(text) <= MAX_CONVERSATION_TOKENS


@given(st.lists(st.tuples(st.text(max_size=20), st.text())), st.integers(0, 200))
def test_a_conversation_is_never_longer_than_allowed(messages: list[tuple[str, str]], tokens: int) -> None:
    said = [SaidMessage(role, text) for role, text in messages]
    assert count(written(said, tokens, the_tokenizer())) <= tokens


def test_a_small_window_leaves_a_conversation_a_tenth() -> None:
    assert conversation_tokens(128_000) == MAX_CONVERSATION_TOKENS
    assert conversation_tokens(4_096) == 409
