"""Every regular expression of the service, put to runs of signs: its time is linear in the text, its memory flat.

Whoever sends a text or answers as a model chooses what is in it, and a pattern holds the interpreter while it runs. The
patterns are found by recording.py, in a process of its own; none is listed here, so that a new one is held to this as well.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice, permutations
from re import _constants as opcodes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pytest

from tests.support.laws import scaled
from tests.support.recording import METHODS, ROOT, Recorded

# --- The texts -------------------------------------------------------------------------------------------------

SIGNS = [chr(code) for code in (*range(9, 14), *range(32, 127))] + list("中あéß٣。…\u00a0")

MOTIFS = [
    *("1) ", "12:", "1, ", "1.", "1/", "1-", "12 ", "+1 ", "a ", "a.", "a-", "a@", "a:", "a=", "a,", "a_", "a/", "Aa", "Aa ", "A."),
    *("- ", "> ", "* ", "| ", "|-", "#\n", "*\n", "- a\n", " \n", "\n\n", "\r\n", "``", '"a', '\\"', "a1", "ab12-", "中。", "中 "),
    *("<!--", "<a ", "</a>", "](", "[a](", "![a](", "http://a.", "a=1 ", "{[", '{"a":', "&amp;", "$1", "a@b.c "),
]  # fmt: skip

# Of so many runs the profile takes some, and of these as many again: each takes long.
EVERY = 100

# What a run ends with: it fits no class of characters but those that shut others out.
END = "\0"

# So many of a pattern's own characters are combined in pairs.
MAX_OWN = 12

_OF_CATEGORY = {
    opcodes.CATEGORY_DIGIT: "1",
    opcodes.CATEGORY_SPACE: " ",
    opcodes.CATEGORY_WORD: "a",
    opcodes.CATEGORY_NOT_DIGIT: "a",
    opcodes.CATEGORY_NOT_SPACE: "a",
    opcodes.CATEGORY_NOT_WORD: "!",
}


def own_characters(parsed: Iterable[Any]) -> Iterator[str]:
    """Yield a character of each literal and class in a pattern, as `re` parses it."""
    for operator, argument in parsed:
        if operator in (opcodes.LITERAL, opcodes.NOT_LITERAL):
            yield chr(argument)
        elif operator is opcodes.RANGE:
            yield chr(argument[0])
        elif operator is opcodes.CATEGORY:
            yield _OF_CATEGORY[argument]
        elif operator is opcodes.IN:
            yield from own_characters(argument)
        elif operator is opcodes.BRANCH:
            yield from chain.from_iterable(map(own_characters, argument[1]))
        elif operator is opcodes.ATOMIC_GROUP:
            yield from own_characters(argument)
        elif isinstance(argument, tuple) and isinstance(argument[-1], parser.SubPattern):
            yield from own_characters(argument[-1])  # a group, a repeat, a look ahead


def motifs(pattern: re.Pattern[Any]) -> list[str]:
    """Return what runs are made of: every sign, what texts repeat, and pairs of what the pattern itself looks for."""
    own = list(dict.fromkeys(own_characters(parser.parse(pattern.pattern, pattern.flags))))
    pairs = map("".join, permutations(own[:MAX_OWN], 2))
    return list(dict.fromkeys((*SIGNS, *MOTIFS, *own, *pairs)))


class Run(NamedTuple):
    """A text of one motif."""

    motif: str

    def text(self, length: int, kind: type) -> Any:
        text = (self.motif * length)[:length] + END
        return text if kind is str else text.encode()


def runs(pattern: re.Pattern[Any]) -> Iterator[Run]:
    return map(Run, motifs(pattern))


def some_runs(number: int, pattern: re.Pattern[Any]) -> Iterator[Run]:
    """Return as many runs as the profile tries; the patterns, which are numbered, share them out among themselves."""
    step = (EVERY // scaled(EVERY)) ** 2
    return islice(runs(pattern), number % step, None, step)


# --- The judgement ---------------------------------------------------------------------------------------------

# Characters of a first try. What takes less than this for one of them is linear, or as good as: a quadratic pattern takes
# some nanoseconds for each pair of them.
TRIED = 4_000
QUICK_SECONDS_PER_CHAR = 0.5e-6

# Nor is what takes less than this many times as long as half of it.
MOST_DOUBLING = 3.0

# What was slow and is not clearly linear is measured at n, 2n and 4n; of linear work the last takes 4 times as long as the first,
# of quadratic 16.
TIMED = 2_000
MOST_GROWTH = 8.0
TIMES = 3

# A pattern that takes longer for TIMED characters is not waited for: it is quadratic at least.
PATIENCE_SECONDS = 2.0

# What the engine takes for a text of TRIED characters when it remembers nothing of each repeat: some objects.
FEW_BYTES = 8_192
# What took more is measured at n, 2n and 4n.
MEASURED = 4_000
MOST_BYTES_PER_CHAR = 1.0


class Endless(Exception):
    """A search was not over in time."""


def _stop(number: int, frame: object) -> None:
    raise Endless


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """End what takes so much of the processor with Endless; the engine looks for signals now and then."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def use(pattern: re.Pattern[Any], methods: Iterable[str], text: Any) -> None:
    """Put a pattern to a text as the source does: at its start, or all over it."""
    if not {"match", "fullmatch"}.isdisjoint(methods):
        pattern.match(text)
    if "fullmatch" in methods:
        pattern.fullmatch(text)
    if not {"match", "fullmatch"}.issuperset(methods):
        for _ in pattern.finditer(on_a_line(text)):
            pass


def on_a_line(text: Any) -> Any:
    """Return a text behind a line feed, where many a search begins."""
    return b"\n" + text if isinstance(text, bytes) else "\n" + text


def seconds(pattern: re.Pattern[Any], methods: Iterable[str], text: Any) -> float:
    """Return how long the processor is at work; the rest of the machine does not count."""
    start = time.thread_time()
    use(pattern, methods, text)
    return time.thread_time() - start


def is_linear(pattern: re.Pattern[Any], methods: Iterable[str], run: Run) -> bool:
    kind = type(pattern.pattern)
    try:
        with patience(PATIENCE_SECONDS):
            took = seconds(pattern, methods, run.text(TRIED, kind))
            if took < TRIED * QUICK_SECONDS_PER_CHAR:
                return True
            if took < MOST_DOUBLING * seconds(pattern, methods, run.text(TRIED // 2, kind)):
                return True
        # Other work on the machine may disturb one measurement, not each.
        return any(_grows_linearly(pattern, methods, run) for _ in range(TIMES))
    except Endless:
        return False


def _grows_linearly(pattern: re.Pattern[Any], methods: Iterable[str], run: Run) -> bool:
    kind = type(pattern.pattern)
    with patience(7 * PATIENCE_SECONDS):
        first, _, last = (seconds(pattern, methods, run.text(n * TIMED, kind)) for n in (1, 2, 4))
    return last < MOST_GROWTH * first or last < 4 * TIMED * QUICK_SECONDS_PER_CHAR


def bytes_taken(pattern: re.Pattern[Any], methods: Iterable[str], text: Any) -> int:
    """Return the most that the engine holds at a time; once for the text, as each further search has the same stack."""
    is_search = not {"match", "fullmatch"}.issuperset(methods)
    look, text = (pattern.search, on_a_line(text)) if is_search else (pattern.match, text)
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    look(text)
    return tracemalloc.get_traced_memory()[1] - before


def is_flat(pattern: re.Pattern[Any], methods: Iterable[str], run: Run) -> bool:
    """Whether the memory of a search is the same for any length of the text; tracemalloc sees the engine's own stack."""
    kind = type(pattern.pattern)
    try:
        with patience(PATIENCE_SECONDS):
            if bytes_taken(pattern, methods, run.text(TRIED, kind)) < FEW_BYTES:
                return True
            first, _, last = (bytes_taken(pattern, methods, run.text(n * MEASURED, kind)) for n in (1, 2, 4))
    except Endless:
        return True  # its time says enough
    return last - first < 3 * MEASURED * MOST_BYTES_PER_CHAR


@contextmanager
def traced() -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def compiled(pattern: Recorded) -> re.Pattern[Any]:
    with warnings.catch_warnings(action="ignore"):
        if pattern.is_bytes:
            return re.compile(pattern.pattern.encode("latin-1"), pattern.flags)
        return re.compile(pattern.pattern, pattern.flags)


# --- The tests -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.recording"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def patterns(recorded: dict[str, Any]) -> list[Recorded]:
    return [Recorded(**each) for each in recorded["patterns"]]


def test_every_call_of_re_in_the_source_is_recorded(recorded: dict[str, Any]) -> None:
    # A call that none of the texts reaches is one more to put into recording.py's page.
    assert recorded["missed"] == []
    # `re` under another name, which the reading of the source does not see.
    assert recorded["unknown"] == []


@pytest.mark.thorough
def test_the_time_of_every_pattern_is_linear_in_a_run_of_anything(patterns: list[Recorded]) -> None:
    slow = {}
    for number, each in enumerate(patterns):
        pattern = compiled(each)
        linear = partial(is_linear, pattern, each.methods)
        if found := next((run for run in some_runs(number, pattern) if not linear(run)), None):
            slow[each.pattern] = (each.places, found)
    assert slow == {}


@pytest.mark.thorough
def test_the_memory_of_every_pattern_is_the_same_for_a_run_of_any_length(patterns: list[Recorded]) -> None:
    large = {}
    with traced():
        for number, each in enumerate(patterns):
            pattern = compiled(each)
            flat = partial(is_flat, pattern, each.methods)
            if found := next((run for run in some_runs(number, pattern) if not flat(run)), None):
                large[each.pattern] = (each.places, found)
    assert large == {}


# Patterns that this service had, and what they cost it: the judgement must find them.

QUADRATIC = [
    # An answer of 20,000 exclamation marks kept the process silent for seconds.
    r"(?<![\w/:@.-])(?=\S*\d)(?=\S*[^\W\d])\w++(?:[/:@.-]++\w++){3,}+",
    r"[ \t]+$",
    # A run of blanks costs so little for each pair of them that it was seen by chance while 1,000 characters were tried.
    r" *+\t[ \t]*+",
    r"(?:a|b)*?x",
]
HOARDING = [
    # 16 MB of asterisks took 2.4 GB.
    r"\n(?P<indent>[ \t]*+)(?P<rule>(?:\*[ \t]*+){3,}|(?:_[ \t]*+){3,})(?=\r?\n|\Z)",
    # 8 MB of blank lines took 1.4 GB.
    r"\n[ \t]*(?:\r?\n[ \t]*)+",
]


@pytest.mark.parametrize("source", QUADRATIC)
def test_a_quadratic_pattern_is_found(source: str) -> None:
    pattern = re.compile(source)
    assert not all(is_linear(pattern, METHODS, run) for run in runs(pattern))


@pytest.mark.parametrize("source", HOARDING)
def test_a_pattern_that_remembers_each_repeat_is_found(source: str) -> None:
    pattern = re.compile(source)
    with traced():
        assert not all(is_flat(pattern, METHODS, run) for run in runs(pattern))


@pytest.mark.thorough
@pytest.mark.parametrize("source", [r"\n[ \t]*+\w++", r"\n(?:\*[ \t]*+){3,}+(?=\r?\n|\Z)", r"[^\n]{2,1000}x"])
def test_a_linear_pattern_that_remembers_nothing_is_none_of_them(source: str) -> None:
    pattern = re.compile(source)
    assert all(is_linear(pattern, METHODS, run) for run in some_runs(0, pattern))
    with traced():
        assert all(is_flat(pattern, METHODS, run) for run in some_runs(0, pattern))
