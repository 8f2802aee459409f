"""Log lines: the JSON and the text format, and what must never be logged."""

import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from observability import logs
from summarizing.query import Query
from tests.support.parts import KEY, prose, summarize
from tests.support.stand_in import Answer, Payload
from tests.support.stand_in_answers import CutAtLimit, ErrorIn200, Fails, Summarizes

log = logging.getLogger("mcp-summarizer.test")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Give the handlers back that the test runner has: configure takes all of them away."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers = []
    yield
    root.handlers = handlers
    root.setLevel(level)


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def set_up(log_format: str = "json", level: str = "debug") -> io.StringIO:
    stream = io.StringIO()
    logs.configure(log_format, level, stream)
    return stream


def test_every_extra_is_written_with_service_level_and_time() -> None:
    stream = set_up()
    log.info("done", extra={"chunks": 3, "ratio": 2.5, "model": None, "names": ["a"], "path": Path("x")})
    (line,) = lines_of(stream)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("timestamp"))
    assert line == {
        "level": "info",
        "service_id": "mcp_summarizer",
        "event": "done",
        "logger": "mcp-summarizer.test",
        "chunks": 3,
        "ratio": 2.5,
        "model": None,
        "names": ["a"],
        "path": "x",
    }


def test_a_record_is_one_line_whatever_is_in_it() -> None:
    stream = set_up()
    try:
        int("first\nsecond")
    except ValueError:
        log.exception("a\nb\r\nc\u2028d", extra={"e": "f\ng", "h": "\udc80"})
    assert stream.getvalue().count("\n") == 1
    (line,) = lines_of(stream)
    assert (line["event"], line["e"], line["h"]) == ("a\nb\r\nc\u2028d", "f\ng", "\udc80")
    assert line["exception"].endswith("with base 10: 'first\\nsecond'")


def test_the_text_format_is_one_readable_line() -> None:
    stream = set_up("text")
    log.warning("slow", extra={"seconds": 7, "error": "a\nb \x1b[31m"})
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d warning slow seconds=7 error='a\\nb \\x1b\[31m'\n", stream.getvalue()
    )


def test_the_text_format_has_the_traceback_below_the_line() -> None:
    stream = set_up("text")
    try:
        int("why")
    except ValueError:
        log.exception("broken")
    first, second, *_, last = stream.getvalue().splitlines()
    assert first.endswith("error   broken")
    assert second == "Traceback (most recent call last):"
    assert last.startswith("ValueError: ")


def test_records_below_the_level_are_not_logged() -> None:
    stream = set_up(level="warning")
    log.info("no")
    log.warning("yes")
    assert [line["event"] for line in lines_of(stream)] == ["yes"]


@pytest.mark.parametrize("library", ["httpx", "httpcore", "asyncio"])
def test_the_libraries_do_not_log_every_call(library: str) -> None:
    stream = set_up()
    logging.getLogger(library).info("HTTP Request: POST http://x")
    assert stream.getvalue() == ""


@pytest.mark.unmeasured
@pytest.mark.parametrize("log_format", ["json", "text"])
@pytest.mark.parametrize("query", [Query(focus_areas="barrels"), Query(schema_hint="barrels")])
async def test_a_full_run_logs_no_content_no_prompt_no_key(log_format: str, query: Query) -> None:
    """Retries, a refusal that quotes the key, a filter, a cut answer and a merge: all that is logged on the way."""

    def script(number: int, _: Payload) -> Answer:
        answers: dict[int, Answer] = {
            1: Fails(503),
            2: ErrorIn200(400, f"bad key {KEY}, or bad prompt: the keeper counts barrels"),
            3: CutAtLimit(),
            4: Fails(429, headers={"Retry-After": "1"}),
        }
        return answers.get(number, Summarizes(words=300))

    stream = set_up(log_format)
    run = await summarize(script, prose(48), target=300, query=query, chunk_size=400)
    assert run.summary.outcome.passes > 0
    logged = stream.getvalue()
    for event in (
        "map_phase_started",
        "llm_retry",
        "llm_call_failed",
        "reduce_pass",
        "summarization_complete",
    ):
        assert event in logged
    for word in ("barrels", "Emberwick", "keeper", "You condense", "and so on", KEY[:10]):
        assert word not in logged


@pytest.mark.parametrize("query", ["keeper, pears, plums, gluons", "keepers of Ruritania"])
async def test_words_of_a_query_are_not_logged(query: str) -> None:
    stream = set_up()
    outcome = (await summarize(Summarizes(), prose(48), target=300, query=Query(query))).summary.outcome
    named = outcome.found_words or outcome.missing_words
    assert named
    logged = stream.getvalue()
    assert "summarization_complete" in logged
    for word in named:
        assert word not in logged


async def test_the_end_of_a_run_is_logged_with_its_numbers() -> None:
    stream = set_up()
    run = await summarize(Summarizes(), prose(12))
    outcome = run.summary.outcome
    line = next(line for line in lines_of(stream) if line["event"] == "summarization_complete")
    assert (line["status"], line["num_chunks"], line["llm_calls"]) == (
        "summarized",
        outcome.chunks,
        outcome.chunks,
    )
    assert (line["input_tokens"], line["output_tokens"]) == (outcome.input_tokens, outcome.output_tokens)
    assert (line["model"], line["backend"]) == ("test/model", "openrouter")


@pytest.mark.parametrize("level, logged", [("info", []), ("debug", ["passthrough"])])
async def test_a_text_that_already_fits_is_logged_at_debug_level_only(level: str, logged: list[str]) -> None:
    stream = set_up(level=level)
    await summarize(Summarizes(), "Already short.")
    lines = [line for line in lines_of(stream) if line["event"] == "summarization_complete"]
    assert [line["status"] for line in lines] == logged


def test_records_do_not_look_up_their_source_line() -> None:
    stream = set_up()
    logging.getLogger().handlers[0].setFormatter(logging.Formatter("%(lineno)s %(process)s %(message)s"))
    log.warning("slow")
    assert stream.getvalue() == "0 None slow\n"


def test_any_other_fault_that_the_web_server_meets_is_logged() -> None:
    stream = set_up()
    fault = RuntimeError("a fault of ours")
    logging.getLogger("aiohttp.server").error("Error handling request", exc_info=fault)
    assert [line["event"] for line in lines_of(stream)] == ["Error handling request"]


def test_the_text_format_leaves_out_unknown_values() -> None:
    stream = set_up("text")
    log.info("done", extra={"model": None, "chunks": 0})
    assert stream.getvalue().rstrip().endswith("done chunks=0")
