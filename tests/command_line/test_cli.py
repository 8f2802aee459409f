"""The command line: what goes to which stream, with which exit status."""

import asyncio
import codecs
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from command_line import cli
from config import NAME, VERSION, Config
from summarizer import SummarizationFailed, open_summarizer
from summarizing.deadline import TIME_IS_OVER
from summarizing.offload import OutOfTime
from summarizing.outcome import Outcome, Summary
from tests.support.parts import KEY, count, prose
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Fails, Summarizes

BOOK = prose(24)


class Terminal(io.StringIO):
    """A stream with a person before it."""

    def isatty(self) -> bool:
        return True


@dataclass
class Ran:
    """What one run left behind."""

    status: int
    out: str
    err: str

    @property
    def outcome(self) -> dict[str, Any]:
        """Read the one JSON line that standard error must be."""
        (line,) = self.err.splitlines()
        outcome: dict[str, Any] = json.loads(line)
        return outcome


def nothing() -> bytes:
    raise AssertionError("standard input was read")


def run(
    *arguments: str,
    env: Mapping[str, str] | None = None,
    stdin: Callable[[], bytes] = nothing,
    terminal: bool = False,
) -> Ran:
    out, err = io.StringIO(), Terminal() if terminal else io.StringIO()
    status = cli.run(arguments, env or {}, stdin, out, err)
    return Ran(status, out.getvalue(), err.getvalue())


async def run_with_model(*arguments: str, answer: Answer, env: Mapping[str, str] | None = None) -> Ran:
    """Run beside a stand-in: the command line has an event loop of its own, so it gets a thread of its own."""
    async with StandIn([answer]) as server:
        setting = {"OPENROUTER_BASE_URL": server.base_url, "OPENROUTER_API_KEY": KEY, **(env or {})}
        return await asyncio.to_thread(lambda: run(*arguments, env=setting))


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "book.md"
    path.write_text(BOOK, "utf-8")
    return str(path)


# --- Streams and status ----------------------------------------------------------------------------------------


def test_standard_output_has_the_summary_and_nothing_else(book: str) -> None:
    ran = run(book, "--max-output-tokens", "300")
    assert ran.status == 0
    assert ran.out.startswith("The keeper of house 0 in Emberwick noted on day 1 that")
    assert "\n[...] The keeper of house " in ran.out
    assert ran.out.endswith(".\n")
    assert 100 < count(ran.out.removesuffix("\n")) <= 300
    assert (ran.outcome["status"], ran.outcome["backend"]) == ("summarized", "extractive")
    assert ran.outcome["output_tokens"] == count(ran.out.removesuffix("\n"))


async def test_with_a_key_the_model_is_asked(book: str) -> None:
    ran = await run_with_model(book, "--max-output-tokens", "800", answer=Summarizes(cost=0.25))
    assert ran.status == 0
    assert (ran.outcome["status"], ran.outcome["backend"]) == ("summarized", "openrouter")
    assert ran.outcome["cost_usd"] == 0.25 * ran.outcome["llm_calls"]
    assert KEY not in ran.out + ran.err


async def test_a_content_that_came_back_unsummarized_is_status_1_and_unchanged(book: str) -> None:
    ran = await run_with_model(book, "--max-output-tokens", "800", answer=Fails(401))
    assert (ran.status, ran.out, ran.outcome["status"]) == (1, BOOK, "unsummarized")
    assert "401" in ran.outcome["reason"]


async def test_on_failure_error_is_status_1_with_the_reason_and_no_output(book: str) -> None:
    ran = await run_with_model(
        book, "--max-output-tokens", "800", answer=Fails(401), env={"ON_FAILURE": "error"}
    )
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "summarizer: the model gave nothing: the model's API answered 401 (check OPENROUTER_API_KEY): stand-in failure 401\n"
    )


def test_a_text_that_fits_comes_out_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    data = b"\xef\xbb\xbfcaf\xe9 \xff\xfe \xf0\x9f\x98\x89\r\nno line end"
    path.write_bytes(data)
    ran = run(str(path))
    assert ran.out.encode("utf-8", "surrogateescape") == data
    assert (ran.status, ran.outcome["status"]) == (0, "passthrough")


def test_stray_bytes_survive_a_summary_and_are_counted_in_its_outcome(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(
        b"Number \xff opens at noon in Zurich.\n\n"
        + b"".join(b"Number %d opens at %d in Zurich.\n\n" % (n, n) for n in range(200))
    )
    ran = run(str(path), "--max-output-tokens", "60", "--focus", "noon")
    assert b"Number \xff opens" in ran.out.encode("utf-8", "surrogateescape")
    assert ran.outcome["reason"].startswith(
        "1 byte that is not UTF-8 is passed through, the first at offset 7"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("dash", [True, False])
def test_a_byte_order_mark_names_the_encoding(encoding: str, dash: bool, tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    text = "Käse für Zürich 😉.\n"
    path.write_bytes(text.encode(encoding))
    ran = run("-", stdin=path.read_bytes) if dash else run(str(path))
    assert (ran.status, ran.out, ran.outcome["input_tokens"]) == (0, text, count(text))


@pytest.mark.parametrize(
    "data, says",
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "got a NUL byte at offset 8: this is binary data"),
        ("Hello.".encode("utf-16-le"), "got a NUL byte at offset 1: this is binary data, or UTF-16"),
        (codecs.BOM_UTF16_LE + b"Hello", "got a UTF-16 byte order mark and"),
        (codecs.BOM_UTF16_LE + b"H\0\0\0", "got a NUL character at offset 1 of UTF-16"),
        (b"x" * 1_000_000 + b"\0", "got a NUL byte at offset 1000000"),
        (
            bytes(range(1, 256)),
            "got 128 other bytes of 255: this is binary data, or text in another encoding",
        ),
        ("Привет, мир. ".encode("koi8-r"), "got 9 other bytes of 13"),
        (
            "Käse, Brötchen, Öl für Zürich.".encode("latin-1"),
            "got 5 other bytes of 30: this is binary data, or text in another encoding (see offset 1)",
        ),
    ],
)
@pytest.mark.parametrize("dash", [True, False])
def test_binary_input_is_refused(data: bytes, says: str, dash: bool, tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(data)
    ran = run("-", stdin=lambda: data) if dash else run(str(path))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"summarizer: {'-' if dash else path}: expected a text in UTF-8, {says}")
    assert ran.err.count("\n") == 1
    assert "iconv" in ran.err  # what to do


@pytest.mark.parametrize("level", [0, 1, 9])
@pytest.mark.parametrize("text", ["", "One.", prose(40)])
def test_a_compressed_file_is_named_as_such(level: int, text: str) -> None:
    ran = run("-", stdin=lambda: gzip.compress(text.encode(), level))
    assert (ran.status, ran.out) == (2, "")
    assert (
        ran.err
        == "summarizer: -: expected a text in UTF-8, got data compressed by gzip: decompress it first (zcat, gunzip)\n"
    )


def test_utf_8_with_some_undecodable_bytes_is_accepted() -> None:
    data = "Käse, Brötchen, Öl für Zürich.".encode() + b" \xff"
    ran = run("-", stdin=lambda: data)
    assert (ran.status, ran.out.encode("utf-8", "surrogateescape")) == (0, data)


def test_a_dash_reads_standard_input() -> None:
    ran = run("-", stdin=lambda: b"Hello.")
    assert (ran.status, ran.out, ran.outcome["input_tokens"]) == (0, "Hello.", count("Hello."))


def test_empty_input_gives_empty_output() -> None:
    assert run("-", stdin=lambda: b"").out == ""


# --- Wrong calls -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deadline, seconds", [((), 0.0), (("--deadline", "0"), 0.0), (("--deadline", "8"), 8.0)]
)
def test_a_summary_has_the_deadline_that_is_asked_for_and_none_by_default(
    deadline: Sequence[str], seconds: float, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def open_noted(config: Config, *parts: Any) -> Any:
        given.append(config.summarize_deadline_seconds)
        return open_summarizer(config, *parts)

    monkeypatch.setattr(cli, "open_summarizer", open_noted)
    ran = run(book, "--max-output-tokens", "300", *deadline, env={"SUMMARIZE_DEADLINE_SECONDS": "5"})
    assert (ran.outcome["status"], given) == ("summarized", [seconds])


def test_where_nothing_is_finished_in_time_the_status_is_1(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "_summarize", AsyncMock(side_effect=OutOfTime))
    ran = run(book, "--max-output-tokens", "300", "--deadline", "0.5")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "summarizer: --deadline: nothing was finished in 0.5 s\n"


def test_a_reason_names_the_option_in_place_of_the_setting(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Summary(
        "Cut.", Outcome("partial", "semantic", "extractive", reason=f"not read, since {TIME_IS_OVER}")
    )
    monkeypatch.setattr(cli, "_summarize", AsyncMock(return_value=late))
    ran = run(book, "--max-output-tokens", "300", "--deadline", "0.5")
    assert ran.outcome["reason"] == "not read, since the time for the call was over (--deadline)"
    monkeypatch.setattr(cli, "_summarize", AsyncMock(side_effect=SummarizationFailed(TIME_IS_OVER)))
    assert run(book, "--deadline", "0.5").err == "summarizer: the time for the call was over (--deadline)\n"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    ran = run(str(tmp_path / "none.md"))
    assert (ran.status, ran.out) == (2, "")
    assert (
        ran.err
        == f"summarizer: {tmp_path / 'none.md'}: expected a file that can be read: No such file or directory\n"
    )


def test_a_directory_is_refused(tmp_path: Path) -> None:
    ran = run(str(tmp_path))
    assert (ran.status, ran.out) == (2, "")


def test_a_wrong_setting_is_one_line_with_its_name(book: str) -> None:
    ran = run(book, env={"LLM_CONTEXT_TOKENS": "many"})
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "summarizer: LLM_CONTEXT_TOKENS: expected a whole number of at least 2048, got 'many'\n"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "file"),
        (
            ["a", "b"],
            "file: expected one, got 2 ('a', 'b'); to have them as one text: cat FILES | summarizer.py -",
        ),
        (["a", "--hint", "b"], "unrecognized arguments: --hint b"),
        (
            ["a", "--max-output-tokens", "15"],
            "expected 0 (the default) or a whole number from 16 to 999999999, got '15'",
        ),
        (["a", "--max-output-tokens", "-1"], "--max-output-tokens"),
        (["a", "--max-output-tokens", "many"], "got 'many'"),
        (["a", "--deadline", "soon"], "expected 0 or a number of seconds over 0 and at most"),
        (["a", "--max-output-tokens", "٣٣٣"], "got '٣٣٣'"),
        (["a", "--max-output-tokens", "9" * 5_000], "--max-output-tokens"),
        (["a", "--strategy", "smart"], "invalid choice: 'smart'"),
        (["a", "--focus", "x", "--schema-hint", "y"], "not allowed with argument --focus"),
        (["a", "--focus", "x" * 4_001], "expected at most 4000 characters, got 4001"),
        (
            ["a", "--schema-hint", " "],
            '--schema-hint: expected the facts you need in plain words, such as "people',
        ),
        ([""], "file: expected a file, - for standard input, or an http or https address, got ''"),
        (["ftp://a.example/b"], "or an http or https address, got 'ftp://a.example/b'"),
    ],
)
def test_wrong_options_are_status_2_with_a_usage(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run(*arguments)
    said = capsys.readouterr()
    assert left.value.code == 2
    assert said.out == ""
    assert said.err.startswith("usage: summarizer.py ")
    assert words in said.err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run("--version")
    assert left.value.code == 0
    assert capsys.readouterr().out == f"{NAME} {VERSION}\n"


# --- Options ---------------------------------------------------------------------------------------------------


async def asked(*arguments: str) -> list[str]:
    """Return the prompts that a run with a model sends."""
    async with StandIn([Summarizes()]) as server:
        env = {"OPENROUTER_BASE_URL": server.base_url, "OPENROUTER_API_KEY": KEY}
        await asyncio.to_thread(lambda: run(*arguments, "--max-output-tokens", "800", env=env))
        return ["".join(message["content"] for message in payload["messages"]) for payload in server.payloads]


@pytest.mark.unmeasured
async def test_the_focus_and_the_schema_hint_reach_the_model(book: str) -> None:
    assert "lamp oil, piers" in (await asked(book, "--focus", "lamp oil, piers"))[0]
    assert "who keeps what" in (await asked(book, "--schema-hint", " who keeps what "))[0]


def test_the_strategy_is_in_the_outcome(book: str) -> None:
    assert run(book, "--strategy", "token").outcome["strategy"] == "token"


# --- Side by side ----------------------------------------------------------------------------------------------


def test_compare_without_a_key_is_refused(book: str) -> None:
    ran = run(book, "--compare", "--max-output-tokens", "300")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "summarizer: --compare: expected a model to compare with, but OPENROUTER_API_KEY is not set\n"
    )


@pytest.mark.unmeasured
async def test_both_summaries_come_out_side_by_side_with_the_figures_of_each(book: str) -> None:
    target = ("--max-output-tokens", "800")
    ran = await run_with_model(book, "--compare", *target, answer=Summarizes(cost=0.25))
    alone = await asyncio.to_thread(lambda: run(book, *target))
    asked = await run_with_model(book, *target, answer=Summarizes(cost=0.25))
    assert (ran.status, ran.err) == (0, "")
    names, _, first = ran.out.splitlines()[:3]
    assert [name.strip() for name in names.split(" | ")] == ["extractive", asked.outcome["model"]]
    # Half of what is the width where nobody looks: the first words of each.
    assert alone.out.startswith(first.split(" | ")[0].strip())
    assert asked.out.startswith(first.split(" | ")[1].strip())
    table = [line for line in ran.out.splitlines() if line.startswith("| ")]
    rows = {title.strip(): figures for title, *figures in (line.strip("|").split(" | ") for line in table)}
    for at, outcome in enumerate((alone.outcome, asked.outcome)):
        facts = outcome["facts"]
        assert rows["status"][at].strip() == outcome["status"]
        assert rows["facts kept"][at].strip().startswith(f"{facts['kept']} of {facts['had']}")
        assert rows["of these put back"][at].strip() == str(facts["put_back"])
        assert rows["unsupported lines dropped"][at].strip() == str(facts["dropped"])
        assert rows["tokens"][at].strip() == f"{outcome['output_tokens']} of {outcome['input_tokens']}"
        assert rows["model calls"][at].strip() == str(outcome["llm_calls"])
    assert [cost.strip() for cost in rows["cost in USD"]] == ["-", f"{asked.outcome['cost_usd']:.6f}"]


async def test_a_model_that_fails_is_compared_too_and_is_status_1(book: str) -> None:
    ran = await run_with_model(book, "--compare", "--max-output-tokens", "300", answer=Fails(401))
    assert ran.status == 1
    assert "unsummarized" in ran.out


# --- Progress --------------------------------------------------------------------------------------------------


def test_a_terminal_sees_progress_on_a_line_that_is_cleared_for_the_outcome(book: str) -> None:
    ran = run(book, "--max-output-tokens", "300", terminal=True)
    progress, _, rest = ran.err.rpartition(cli.CLEAR_LINE)
    assert "1 of 1 chunks" in progress
    assert json.loads(rest)["status"] == "summarized"


def test_settings_without_effect_are_named_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("LLM_MODEL=$provider/model\n", "utf-8")
    arguments = ("-", "--env-file", str(path))
    ran = run(*arguments, stdin=lambda: b"Hello.", terminal=True)
    assert "summarizer: LLM_MODEL: it has no effect without OPENROUTER_API_KEY" in ran.err
    assert "summarizer: provider: values in .env use these, nothing sets them" in ran.err
    assert run(*arguments, stdin=lambda: b"Hello.").outcome["status"] == "passthrough"


def test_a_program_sees_no_progress(book: str) -> None:
    assert run(book, "--max-output-tokens", "300").outcome["chunks"] == 1


def test_a_number_of_thousands_of_digits_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.run(["-", "--max-output-tokens", "9" * 5_000], {}, lambda: b"", io.StringIO(), io.StringIO())
    assert len(capsys.readouterr().err) < 1_000
