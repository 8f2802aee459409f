"""The levels of log lines, and which of them a brief asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive import selection
from summarizing.relevance.log_levels import asked_levels, level_of
from tests.support.parts import count, the_tokenizer


@pytest.mark.parametrize(
    "line, level",
    [
        ("2026-05-20T09:01:44.928 ERROR [webhooks] template is missing (HTTP-41910)", "error"),
        ("2026-05-20T09:01:26.267 WARN  [favourites] queue depth 537, consumers 3", "warning"),
        ("May 20 09:01:26 host-3 app[77]: FATAL out of memory", "error"),
        ("INFO:uvicorn.access:GET /health 200", "info"),
        ('{"time": "2026-05-20T09:01:26Z", "level": "warn", "msg": "ERROR is a word here"}', "warning"),
        ('{"severity":"Error","message":"x"}', "error"),
        ("level=debug msg=ready", "debug"),
        ("[TRACE] enter", "debug"),
    ],
)
def test_a_log_line_has_the_level_that_its_logger_gave_it(line: str, level: str) -> None:
    assert level_of(line) == level


@pytest.mark.parametrize(
    "line",
    [
        "The error was found on Monday.",
        "No warning was given, and no information.",
        "level 12, next to the lamp hall",
        '"level": 12, "name": "ERRORS"',
        "PRE-ALERT-7 is a code",
        "",
    ],
)
def test_what_is_no_log_line_has_none(line: str) -> None:
    assert level_of(line) is None


@pytest.mark.parametrize(
    "brief, levels",
    [
        ("error messages with the component and the reference", {"error"}),
        ("Errors and warnings, with the time", {"error", "warning"}),
        ("Fehlermeldungen je Dienst", {"error"}),
        ("critical and fatal ones", {"error"}),
        ("the trace id of each request that failed", set()),
        ("information on the fine print, and the notice period", set()),
        ("people and their roles", set()),
        ("", set()),
    ],
)
def test_a_brief_asks_for_the_levels_that_it_names(brief: str, levels: set[str]) -> None:
    assert asked_levels(brief) == levels


@given(st.text())
def test_any_text_has_a_level_that_can_be_asked_for_or_none(text: str) -> None:
    level = level_of(text)
    assert level is None or asked_levels(level) == {level}


def log(errors: int, warnings: int) -> str:
    """Return a log in which only the warnings have another word of the brief, "messages"."""
    lines = [f"09:{n:02}:01 ERROR [exports] lease {n} was lost" for n in range(errors)]
    lines += [f"09:{n:02}:31 WARN  [favourites] messages in the queue: {n}7" for n in range(warnings)]
    return "\n".join(sorted(lines))


def test_who_asks_for_errors_gets_them_before_warnings_that_have_more_of_its_words() -> None:
    text = log(12, 48)
    errors = [line for line in text.splitlines() if "ERROR" in line]
    target = count("\n".join(errors)) + 10
    summary = selection.summarize(text, target, "error messages with the component", the_tokenizer())
    assert [line for line in summary.splitlines() if "ERROR" in line] == errors


def test_where_a_log_has_nothing_of_the_level_asked_for_the_others_stand_as_they_are() -> None:
    summary = selection.summarize(log(0, 48), 300, "error messages", the_tokenizer())
    assert "WARN" in summary
