"""The command line: `python summarizer.py page.md --max-output-tokens 800 --focus "NPCs, factions"`.

Only the summary goes to standard output; the outcome is one JSON line on standard error, and a terminal shows progress there
too. Exit status: 0, 1 if the content came back unsummarized, 2 if the call was wrong.
"""

import argparse
import asyncio
import json
import logging
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from command_line.input_decoding import DECODING_ERRORS, NotText, decoded
from command_line.summary_comparison import side_by_side
from command_line.web_page import PageUnreadable, is_url, page_text
from concurrency.worker_threads import leave_unfinished_work, open_worker
from config import NAME, VERSION, Config, ineffective_settings
from llm import open_model
from settings import sources
from settings.env_file import EnvFileError
from settings.setting import ConfigError
from settings.value_parsers import seconds_or_none
from summarizer import SummarizationFailed, open_summarizer
from summarizing.cleaned_content import notes_of
from summarizing.job import STRATEGIES, Request
from summarizing.offload import THREADS, Offload, OutOfTime
from summarizing.outcome import Summary
from summarizing.query import Query
from summarizing.text.tokenizer import VocabularyError, load_tokenizer, read_vocabulary
from tools.call_results import outcome_fields
from tools.definitions import EXPECTED_HINT, MAX_QUERY_CHARS, MIN_TARGET_TOKENS

# Nine digits are more tokens than any text has, and int() refuses thousands of digits.
MAX_TARGET_TOKENS = 999_999_999

# Return to the start of the line, and erase it (ECMA-48, CR and EL).
CLEAR_LINE = "\r\x1b[K"

# The setting that the option --deadline is given in place of.
DEADLINE_SETTING = "SUMMARIZE_DEADLINE_SECONDS"

# The width if the output is not a terminal: two readable columns, in a line that most viewers show whole.
DEFAULT_WIDTH = 160


def _warn_about_settings(config: Config, unset: Sequence[str], err: TextIO) -> None:
    """Name settings without effect, on a terminal only: programs expect nothing but the outcome on standard error."""
    if not err.isatty():
        return
    for name, note in ineffective_settings(config).items():
        print(f"summarizer: {name}: {note}", file=err)
    if unset:
        print(f"summarizer: {', '.join(unset)}: {sources.UNSET_NAMES}", file=err)


def main() -> int:
    """Run as a program: bind the process's arguments, environment and streams."""
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        return 2  # closed by the caller (`>&-`): neither the summary nor the reason can be written
    sys.stdout.reconfigure(encoding="utf-8", errors=DECODING_ERRORS)  # type: ignore[union-attr]
    logging.disable()  # standard error has the outcome alone, for programs to parse
    try:
        streams = sys.stdin.buffer.read, sys.stdout, sys.stderr
        return run(sys.argv[1:], os.environ, *streams, env_file=sources.ENV_FILE)
    except KeyboardInterrupt:
        leave_unfinished_work(130)
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`); at its exit Python would try to flush the rest to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def run(
    arguments: Sequence[str],
    env: Mapping[str, str],
    read_stdin: Callable[[], bytes],
    out: TextIO,
    err: TextIO,
    *,
    env_file: Path | None = None,
) -> int:
    """Summarize one file or standard input; return the exit status.

    Settings that `env` does not have are read from `env_file`, unless the arguments name another file.
    """
    options = _options(arguments)
    try:
        settings, file = sources.with_env_file(env, options.env_file, env_file)
        config = Config.from_env(settings, reads_pages=is_url(options.file), from_file=file.values)
        # That of the service is for a client that waits: a terminal shows the progress, and Ctrl-C ends it.
        config = replace(config, summarize_deadline_seconds=options.deadline)
        request = _request(options, *_content(options.file, config, read_stdin))
        _warn_about_settings(config, file.unset, err)
        table, summary = (
            _run_comparison(config, request, err)
            if options.compare
            else ("", _run_summary(config, request, err))
        )
    except OSError as problem:
        reason = problem.strerror or problem
        print(f"summarizer: {options.file}: expected a file that can be read: {reason}", file=err)
        return 2
    except (NotText, PageUnreadable) as problem:
        named = "" if str(problem).startswith(options.file) else f"{options.file}: "
        print(f"summarizer: {named}{problem}", file=err)
        return 2
    except (EnvFileError, ConfigError, VocabularyError) as problem:
        print(f"summarizer: {problem}", file=err)
        return 2
    except SummarizationFailed as problem:
        print(f"summarizer: {_naming_option(str(problem))}", file=err)
        return 1
    try:
        _write(out, summary, table)
    except BrokenPipeError:
        raise
    except OSError as problem:
        print(f"summarizer: the summary could not be written: {problem}", file=err)
        return 2
    if not table:
        print(json.dumps(outcome_fields(summary.outcome)), file=err)
    return 1 if summary.outcome.status == "unsummarized" else 0


def _content(file: str, config: Config, read_stdin: Callable[[], bytes]) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file, of standard input, or of a page on the web, and what must be known of how it was read.

    Raises OSError, NotText and PageUnreadable.
    """
    if is_url(file):
        page = page_text(file, config, f"{NAME}/{VERSION}")
        return page.text, notes_of(page)
    return decoded(read_stdin() if file == "-" else Path(file).read_bytes())


def _run_summary(config: Config, request: Request, err: TextIO) -> Summary:
    try:
        summary = asyncio.run(_summarize(config, request, err))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except OutOfTime:
        seconds = config.summarize_deadline_seconds
        raise SummarizationFailed(f"--deadline: nothing was finished in {seconds:g} s") from None
    outcome = summary.outcome
    return replace(summary, outcome=outcome._replace(reason=_naming_option(outcome.reason or "") or None))


def _naming_option(reason: str) -> str:
    """Return a reason with the option that the caller gave in place of the service's setting."""
    return reason.replace(DEADLINE_SETTING, "--deadline")


def _run_comparison(config: Config, request: Request, err: TextIO) -> tuple[str, Summary]:
    """Return the extractive and the model's summary side by side, and the model's summary. Raises ConfigError."""
    if not config.openrouter_api_key:
        raise ConfigError("--compare: expected a model to compare with, but OPENROUTER_API_KEY is not set")
    left = _run_summary(replace(config, openrouter_api_key=""), request, err)
    right = _run_summary(config, request, err)
    width = shutil.get_terminal_size((DEFAULT_WIDTH, 0)).columns
    return side_by_side(left, right, width), right


def _write(out: TextIO, summary: Summary, table: str) -> None:
    """Write the result: a summary or a comparison with a line end, an unchanged text byte for byte."""
    out.write(table or summary.text)
    if table or summary.outcome.status not in ("passthrough", "unsummarized"):
        out.write("\n")
    out.flush()


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments; --help, --version and a mistake end the program."""
    parser = _parser()
    options, others = parser.parse_known_args(arguments)
    if others and not any(each.startswith("-") for each in others):
        files = [options.file, *others]
        named = ", ".join(map(repr, files))
        parser.error(
            f"file: expected one, got {len(files)} ({named}); to have them as one text: cat FILES | {parser.prog} -"
        )
    if others:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="summarizer.py",
        description="Shorten a text to a size in tokens: with a model where OPENROUTER_API_KEY is set, else without.",
        epilog="Summary on standard output, outcome as one JSON line on standard error. Exit status: 0 summarized or "
        "already small enough, 1 came back unsummarized, 2 wrong call. docs/settings.md lists the settings.",
    )
    parser.add_argument("--version", action="version", version=f"{NAME} {VERSION}")
    parser.add_argument(
        "file",
        type=_file,
        help="the text, UTF-8, or UTF-16 with a byte order mark; - for standard input; a page on the web by its http or https address",
    )
    parser.add_argument(
        "--max-output-tokens",
        type=_target,
        default=0,
        metavar="N",
        help="upper limit for the summary in cl100k_base tokens (default: DEFAULT_MAX_OUTPUT_TOKENS, 5000)",
    )
    query = parser.add_mutually_exclusive_group()
    query.add_argument(
        "--focus",
        type=_query_text,
        default="",
        metavar="AREAS",
        help="topics to give most room to, comma-separated",
    )
    query.add_argument(
        "--schema-hint",
        type=_hint,
        metavar="HINT",
        help="extract the facts that this describes instead",
    )
    parser.add_argument(
        "--strategy", choices=STRATEGIES, default=STRATEGIES[0], help="how the text is cut into pieces"
    )
    parser.add_argument(
        "--deadline",
        type=_deadline,
        default=0.0,
        metavar="SECONDS",
        help="time for one summary; what is not read by then is left out, and the outcome says so (default: none)",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="print the extractive and the model's summary side by side, with the facts that each kept",
    )
    parser.add_argument("--env-file", type=Path, metavar="FILE", help=sources.ENV_FILE_HELP)
    return parser


def _file(raw: str) -> str:
    if not raw or ("://" in raw and not is_url(raw)):
        raise argparse.ArgumentTypeError(
            f"expected a file, - for standard input, or an http or https address, got {raw!r}"
        )
    return raw


def _target(raw: str) -> int:
    is_number = raw.isascii() and raw.isdecimal() and len(raw) <= len(str(MAX_TARGET_TOKENS))
    if not is_number or 0 < int(raw) < MIN_TARGET_TOKENS:
        raise argparse.ArgumentTypeError(
            f"expected 0 (the default) or a whole number from {MIN_TARGET_TOKENS} to {MAX_TARGET_TOKENS}, got {raw[:40]!r}"
        )
    return int(raw)


def _deadline(raw: str) -> float:
    try:
        return seconds_or_none(raw)
    except ValueError as expected:
        raise argparse.ArgumentTypeError(f"expected {expected}, got {raw[:40]!r}") from None


def _query_text(raw: str) -> str:
    if len(raw) > MAX_QUERY_CHARS:
        raise argparse.ArgumentTypeError(f"expected at most {MAX_QUERY_CHARS} characters, got {len(raw)}")
    return raw.strip()


def _hint(raw: str) -> str:
    hint = _query_text(raw)
    if not hint:
        raise argparse.ArgumentTypeError(f"expected {EXPECTED_HINT}, got {raw[:40]!r}")
    return hint


def _request(options: argparse.Namespace, content: str, notes: tuple[str, ...]) -> Request:
    query = Query(focus_areas=options.focus, schema_hint=options.schema_hint or "")
    return Request(content, options.max_output_tokens, query, options.strategy, content_notes=notes)


async def _summarize(config: Config, request: Request, err: TextIO) -> Summary:
    _stop_at_interrupt()
    tokenizer = load_tokenizer(read_vocabulary())

    def progress(done: int, total: int, message: str) -> None:
        if err.isatty():
            print(f"{CLEAR_LINE}{message}", end="", file=err, flush=True)

    async with (
        open_worker(THREADS) as worker,
        open_model(config) as model,
        open_summarizer(config, model, Offload(worker), tokenizer.with_helpers(worker.helpers)) as summarizer,
    ):
        try:
            return await summarizer.summarize(request, progress)
        finally:
            if err.isatty():
                print(CLEAR_LINE, end="", file=err, flush=True)


def _stop_at_interrupt() -> None:
    """Cancel this task at the first SIGINT; a second one raises KeyboardInterrupt.

    The handler of asyncio.run does not wake an event loop that is about to wait, so some interrupts would be missed.
    """
    loop, this = asyncio.get_running_loop(), asyncio.current_task()

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        if this:
            this.cancel()

    with suppress(
        NotImplementedError, RuntimeError, ValueError
    ):  # Windows; a thread that is not the main one
        loop.add_signal_handler(signal.SIGINT, stop)
