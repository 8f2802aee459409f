"""Results of tests in the Test Anything Protocol (TAP 14, testanything.org): a line for each test, and below it what is known of it.

A result's diagnostics, and the results of its own tests, hang on the line that they are indented below. Where it was in the code weighs
little beside what went wrong. Pure; linear in the lines.
Refuses lines with results among which none says the version of the protocol or how many tests there are.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from summarizing.text.blocks.logs_and_field_lists import put_each
from summarizing.text.document_builder import MAX_ITEM_CHARS, Builder
from summarizing.text.formats.config_scalars import end_of_scalar
from summarizing.text.lines import Line, share

_VERSION = re.compile(r"TAP version \d")
_PLAN = re.compile(r"1\.\.\d{1,9}(?:\s|\Z)")
_RESULT = re.compile(r"((?:not )?ok)\b(?: \d{1,9}\b)?(?:\s?-)?\s?")
# TAP has two directives; others write how long the test took in place of one.
_BEHIND_NAME = re.compile(r"(?<!\S)#\s?(?:(skip|todo)|time=)", re.IGNORECASE)
_SUBTEST = "# Subtest: "
# Below the results, in a comment: "# fail 1" of node, "# fail  4" of tape, "# failed 1 of 22 tests" of node-tap.
FAILURES_SIGN = "# fail"
_FAILURES = re.compile(rf"{FAILURES_SIGN}(?:ed)? {{1,9}}\d")
# What is between these is YAML.
_DIAGNOSTICS = ("---", "...")
# The end of a line of a stack trace: "(/srv/shop/test/test.js:27:16)".
_PLACE = re.compile(r"[^\s\d]:\d{1,7}:\d{1,7}\)?\Z")
_MAX_PLACE_CHARS = 18

# At least this share of the lines at the margin are results where no version is told.
_MIN_RESULTS = 0.4


def is_tap(lines: Sequence[Line]) -> bool:
    """Whether lines begin with the version of the protocol; or have a plan, and many of those at the margin, comments aside, are results."""
    if _VERSION.match(lines[0].text):
        return True
    outer = [line for line in lines if not (line.indent or line.text.startswith("#"))]
    has_plan = any(_PLAN.match(line.text) for line in outer)
    return has_plan and share([_RESULT.match(line.text) for line in outer]) >= _MIN_RESULTS


def result_of(text: str) -> str | None:
    """Return how a test went, without its number and its name: "ok", "not ok", "ok SKIP"; None for any other line."""
    result = _RESULT.match(text)
    if result is None:
        return None
    behind = _BEHIND_NAME.search(text, result.end())
    return f"{result[1]} {behind[1].upper()}" if behind and behind[1] else result[1]


def counts_failures(text: str) -> bool:
    """Whether a line says how many tests failed."""
    return _FAILURES.match(text) is not None


def put_tap(builder: Builder, lines: Sequence[Line], parent: int) -> None:
    """Add the lines, but for the marks of diagnostics, and for the name of a test where its result is the next line."""
    builder.begin_block()
    told = [
        line
        for line, following in zip_longest(lines, lines[1:])
        if line.text not in _DIAGNOSTICS and not (following and _names_result(line, following))
    ]
    first = len(builder.segments)
    put_each(builder, list(_with_values(told)), parent)
    for index, segment in enumerate(builder.segments[first:], first):
        if _PLACE.search(builder.text, max(segment.start, segment.end - _MAX_PLACE_CHARS), segment.end):
            builder.mark_marginal(index)


def _with_values(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines; a key with the block scalar that is its value, or with the first line of a long one, which says most."""
    at = 0
    while at < len(lines):
        last = end_of_scalar(lines, at)
        if lines[last].end - lines[at].start > MAX_ITEM_CHARS:
            last = min(last, at + 1)
        yield lines[at]._replace(end=lines[last].end, tail=lines[last].tail)
        at = last + 1


def _names_result(line: Line, following: Line) -> bool:
    if not line.text.startswith(_SUBTEST) or line.length > len(line.text):
        return False
    result = _RESULT.match(following.text)
    if result is None:
        return False
    behind = _BEHIND_NAME.search(following.text, result.end())
    name = following.text[result.end() : behind.start() if behind else None]
    return name.strip() == line.text[len(_SUBTEST) :]
