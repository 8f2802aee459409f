"""Lines and sentences that speak to a language model instead of a reader: found by what they say, and taken out.

Pure: a text in, spans out. Text that only reports such orders (in quotation marks, in a code fence, "they told it to")
stays. Refuses to understand: an order in words that no rule knows passes.

The story: `find` goes through the text in sections and asks of each whether any rule matches at all, which nearly always
is no. Where one does, `Paragraph` finds out which sentences it meant and what belongs to them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from summarizing.sanitizing.injection_folding import readings
from summarizing.sanitizing.injection_index import BY_NEED, CJK, FOLLOWING, KEYS, UNSPACED_NEEDS, WORD
from summarizing.sanitizing.injection_marks import hidden_orders, signs, stray_tags
from summarizing.sanitizing.injection_paragraphs import MAX_PAYLOAD_CHARS, Paragraph
from summarizing.sanitizing.injection_reports import REPORT_CHARS, SHOWS, is_quoted
from summarizing.sanitizing.injection_wording import Kind, Rule, Span

# Asked of one section at a time; about what the processor keeps near, and most have nothing.
SECTION_CHARS = 8_000

# A paragraph without an end is looked at in stretches of this length: a search holds the interpreter until it is over.
LONGEST_SECTION_CHARS = 64_000

# No rule reaches farther from the word that it needs.
BEFORE_CHARS = 200
AFTER_CHARS = 300

# So short a sign is a whole word: "ai" is none of "again".
MAX_SHORT_SIGN = 3

# Words remembered of one text; more are not a language's.
MAX_WORDS = 100_000

# In a fence stands code: what announces something there announces code.
_IN_FENCES = frozenset(Kind) - {Kind.WEAK, Kind.FRAME}

_BLANK_LINES = re.compile(r"\n[ \t]*+(?:\r?\n[ \t]*+)++")
_RULE = re.compile(r"\W*")
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[^`\n]*$", re.MULTILINE)


def find(text: str) -> list[Span]:
    """Return the stretches of a text that give a language model orders, in order; none overlap."""
    strays = stray_tags(text)
    watch = _Watch()
    fences: list[Span] | None = None
    spans: list[Span] = []
    for start, end in _sections(text):
        section = text[start:end]
        marks = [(start + a, start + b) for a, b in (*signs(section), *hidden_orders(section))]
        marks += strays[bisect_left(strays, (start, 0)) : bisect_left(strays, (end, 0))]
        rules = watch.matching(section)
        if rules or marks:
            fences = _fences(text) if fences is None else fences
            spans += _in_section(text, (start, end), rules, sorted(marks), fences)
    return _joined(spans)


def _joined(spans: list[Span]) -> list[Span]:
    """Return spans in order, those that overlap as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        overlaps = joined and span[0] < joined[-1][1]
        last = joined.pop() if overlaps else span
        joined.append((last[0], max(last[1], span[1])))
    return joined


def without(text: str, spans: Sequence[Span] | None = None) -> str:
    """Return a text without the stretches that `find` finds, or has found; a line that is left empty goes with them."""
    kept: list[str] = []
    at = 0
    for start, end in find(text) if spans is None else spans:
        kept.append(text[at:start])
        at = end
        while text[at : at + 1] in (" ", "\t"):
            at += 1
        is_whole_line = start == 0 or text[start - 1] == "\n"
        at += is_whole_line and text[at : at + 1] == "\n"
    return "".join(kept) + text[at:] if at else text


def _sections(text: str) -> Iterator[Span]:
    """Yield stretches of whole paragraphs, each about SECTION_CHARS long; parts of one that is far longer overlap."""
    at = 0
    while at < len(text):
        longest = min(at + LONGEST_SECTION_CHARS, len(text))
        blank = _BLANK_LINES.search(text, at + SECTION_CHARS, longest)
        end = blank.end() if blank else longest
        yield at, end
        at = end if blank or end == len(text) else end - BEFORE_CHARS - AFTER_CHARS


class _Watch:
    """Looks out for the signs of rules; remembers the words of a text, since most come again."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._telling: dict[str, list[str]] = {}

    def matching(self, section: str) -> tuple[Rule, ...]:
        """Return the rules of which one may match in a section, and those that count beside others where there is any."""
        found: dict[int, Rule] = {}
        for reading in readings([section], ()):
            if reading.rules:  # letters that stood apart: few, and each asked for
                found |= {id(rule): rule for rule in reading.rules if rule.pattern.search(reading.text)}
                continue
            for need in self._needs(reading.text):
                windows = _windows(reading.text, need)
                found |= {
                    id(rule): rule
                    for rule in BY_NEED[need]
                    if id(rule) not in found and any(rule.pattern.search(reading.text, *at) for at in windows)
                }
        return (*found.values(), *FOLLOWING) if found else ()

    def _needs(self, folded: str) -> list[str]:
        """Return the signs that a text has."""
        words = set(WORD.findall(folded))
        for word in words - self._seen:
            if needs := [
                need
                for key, need in (*KEYS.get(word[:3], ()), *KEYS.get(word[:2], ()))
                if word.startswith(key)
            ]:
                self._telling[word] = needs
        if len(self._seen) > MAX_WORDS:
            self._seen.clear()
        self._seen |= words
        told = {need for word in words & self._telling.keys() for need in self._telling[word]}
        told |= set(UNSPACED_NEEDS) if CJK.search(folded) else set()
        return [need for need in told if need in folded]


def _windows(text: str, need: str) -> list[Span]:
    """Return the stretches around each place of a sign; those that touch are one."""
    windows: list[Span] = []
    for at in _places(text, need):
        start, end = max(at - BEFORE_CHARS, 0), at + AFTER_CHARS
        if windows and windows[-1][1] >= start:
            start = windows.pop()[0]
        windows.append((start, end))
    return windows


def _places(text: str, need: str) -> Iterator[int]:
    """Yield where a sign stands; a short one as a word."""
    is_word = len(need) <= MAX_SHORT_SIGN and need.isalpha() and not CJK.search(need)
    # Searching for a word's beginning stops at every word of the text; searching for its letters stops at few.
    as_word = re.compile(rf"\b{need}\b") if is_word else None
    at = text.find(need)
    while at >= 0:
        if as_word is None or as_word.match(text, at):
            yield at
        at = text.find(need, at + len(need))


def _in_section(
    text: str, section: Span, rules: tuple[Rule, ...], marks: list[Span], fences: list[Span]
) -> Iterator[Span]:
    """Yield what goes of one section."""
    orders = tuple(rule for rule in rules if rule.kind in _IN_FENCES and not rule.announces)
    for start, end, is_fence in _paragraphs(text, section, fences):
        if is_fence and (not orders or SHOWS.search(text[max(start - REPORT_CHARS, 0) : start].lower())):
            continue
        paragraph = Paragraph(text, start, end)
        paragraph.read(orders if is_fence else rules)
        inside = marks[bisect_left(marks, (start, 0)) : bisect_left(marks, (end, 0))]
        for a, b in [] if is_fence else inside:
            if not is_quoted(
                text, max(text.rfind("\n", max(a - REPORT_CHARS, 0), a) + 1, a - REPORT_CHARS), a, b
            ):
                paragraph.mark(a, min(b, end), announces=True)
        yield from paragraph.spans()
        if not is_fence and paragraph.announces_the_next():
            yield from _announced(text, end)


def _announced(text: str, start: int) -> Iterator[Span]:
    """Yield the paragraph that begins at a place or, behind a rule, after it; not one that is longer than an answer, nor code."""
    end = start
    while start < len(text) and _RULE.fullmatch(text, start, end):
        start = end
        blank = _BLANK_LINES.search(text, start)
        end = blank.end() if blank else len(text)
    if end - start <= MAX_PAYLOAD_CHARS and not _FENCE.match(text, start):
        yield start, start + len(text[start:end].rstrip())


def _fences(text: str) -> list[Span]:
    """Return the inside of each code fence that is closed."""
    fences: list[Span] = []
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opening is None:
            opening = line
        elif line[1].startswith(opening[1]) and line[0].strip(" \t>\r") == line[1]:
            fences.append((opening.end(), line.start()))
            opening = None
    return fences


def _paragraphs(text: str, section: Span, fences: list[Span]) -> Iterator[tuple[int, int, bool]]:
    """Yield the paragraphs of a section, parted where fences begin and end; True for what is in one."""
    start, end = section
    while start < end:
        blank = _BLANK_LINES.search(text, start, end)
        stop = blank.end() if blank else end
        number = bisect_right(fences, (start, len(text)))
        is_fence = number > 0 and start < fences[number - 1][1]
        if is_fence:
            stop = min(stop, fences[number - 1][1])
        elif number < len(fences):
            stop = min(stop, fences[number][0])
        yield start, stop, is_fence
        start = stop
