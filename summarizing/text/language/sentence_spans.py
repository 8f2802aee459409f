"""A paragraph to its sentences, across line breaks; a run without sentence ends is cut where it can be.

A sentence does not end at abbreviations, initials, decimal points, ordinals, or before a lower-case letter (but at "。"), dots or a
closing parenthesis. Abbreviations are those of a published list (languages_generated.toml). Pure; does not know what a paragraph is.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import islice

from summarizing.text.language.language_words import language_words, prevailing_language
from summarizing.text.language.record_spans import records_in

# Longer than any sentence that is meant to be read. A run without sentence ends is cut into pieces of at most this many characters,
MAX_RUN_CHARS = 1_500
# but a sentence may be longer, as in laws and patents.
MAX_SENTENCE_CHARS = 6_000
# In a stretch longer than that, sentences shorter than this are joined to the next one: they are not prose.
MIN_SENTENCE_CHARS = 30
# A piece of a run is at least so long, so that the pieces are few.
MIN_RUN_CHARS = 500
# Fewer signs alone are no sentence: "~?" is a term, and what it means stands behind it.
MAX_SIGNS = 4
# So much of a text is looked at to learn its language.
SAMPLE_CHARS = 50_000

_ENDS = ".!?\u2026\u3002\uff01\uff1f\uff61\u0964\u0965\u061f\u06d4\u0589\u1362\u17d4\u104b"
_EACH_END = tuple(_ENDS)
_OPENERS = "([\u201c\u201e\u00ab\u2018\uff08\u300c\u300e\u3010"
_CLOSERS = "\"'\u201d\u2019\u00bb\u201c\u203a)\\]*_`\u300d\u300f\uff09\u3011\u300b"
_EMPHASIS = "*_`"
_END = re.compile(
    rf"(?<![.!?\u2026\u061f\u06d4\u0589\u0964\u0965\u1362])[.!?\u2026\u061f\u06d4\u0589\u0964\u0965\u1362]++[{_CLOSERS}]*+(?=\s|\Z)"
    rf"|[\u3002\uff01\uff1f\uff61\u17d4\u104b]++[{_CLOSERS}]*+"
)
# What such an end begins with: to look for this alone takes a tenth of the time.
_MAY_BE_END = re.compile(
    rf"[{_ENDS}](?:(?=[\s{_ENDS}{_CLOSERS}]|\Z)|(?<=[\u3002\uff01\uff1f\uff61\u17d4\u104b]))"
)
# The first letter, digit or sign of what comes next, after the signs of a quotation or comment at a line's start.
_NEXT = re.compile(
    r"\s{1,200}+(?:[>|#*/;]{1,3}+\s{1,9}+)?[\"'\u201c\u201e\u00ab\u2018(\[\u00bf\u00a1*_`]{0,4}+(\S)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'\u201c\u201e\u00ab\u2018]{1,24}\Z")
# What stands before the number of a caption or a chapter, at the beginning: "Table 2. Exit causes", "**Example 5.** Filters".
_LABEL = re.compile(r"[*_(\[]{0,3}([^\W\d_])[^\W\d_]{2,19}+\s{1,9}+")
_GUTTER = re.compile(r"(?:[>|][ \t]{1,20}+){1,9}+")
_BREAKS = (
    re.compile(r".*[;\u3001\uff1b](?=\s|[^\x00-\u02ff])", re.DOTALL),
    re.compile(r".*[,\uff0c\u3001:](?=\s|[^\x00-\u02ff])", re.DOTALL),
    re.compile(r".*\S(?=\s)", re.DOTALL),
)


class SentenceFinder:
    """Finds the sentences of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def spans(self, start: int, end: int, *, has_gutters: bool = False) -> Iterator[tuple[int, int]]:
        """Yield the spans of the sentences of a stretch, without the white space between them.

        `has_gutters`: signs of a quotation or a margin may stand before its lines.
        """
        found = self._units(start, end)
        return self._without_gutters(found, start) if has_gutters else found

    def _without_gutters(self, found: Iterator[tuple[int, int]], start: int) -> Iterator[tuple[int, int]]:
        for first, last in found:
            gutter = _GUTTER.match(self._text, first, last) if first > start else None
            begin = gutter.end() if gutter else first
            if begin < last:
                yield begin, last

    def _units(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the sentences of a stretch; of records that have sentences, or are many, the whole records."""
        at = start
        for starts, ends in records_in(self._text, start, end):
            if ends[-1] - starts[0] > MAX_RUN_CHARS or any(map(self._has_sentences, starts, ends)):
                before = list(self._spans(at, starts[0]))
                if before and not ends_sentence(self._text[at : starts[0]]):
                    starts[0], _ = before.pop()
                at = ends[-1] = self._end_around(ends[-1], end)
                yield from before
                for first, last in zip(starts, ends, strict=True):
                    yield from self._record(first, last)
        yield from self._spans(at, end)

    def _end_around(self, at: int, end: int) -> int:
        """Return where the sentence ends in which records stand that end at a place."""
        if mark := _END.match(self._text, at, end):
            return mark.end()
        following = self._text[at : min(end, at + 9)].lstrip()[:1]
        goes_on = following.islower() or following in tuple(",;:")
        return next(self._spans(at, end))[1] if goes_on else at

    def _has_sentences(self, start: int, end: int) -> bool:
        """Whether a sentence ends within a stretch."""
        return len(list(islice(self._spans(start, end), 2))) > 1

    def _record(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield a record, without the white space around it; one that is too long for a unit in sentences."""
        if end - start > MAX_SENTENCE_CHARS:
            yield from self._spans(start, end)
            return
        record = self._text[start:end]
        yield start + len(record) - len(record.lstrip()), start + len(record.rstrip())

    def _spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        at = look_at = start
        skipped = MIN_SENTENCE_CHARS - 1 if end - start > MAX_SENTENCE_CHARS else 0
        while (mark := _next_end(self._text, look_at + skipped, end)) and mark.end() < end:
            look_at = mark.end()
            if not self._is_term(at, mark) and self._is_end(mark, at):
                yield from _pieces(self._text, at, look_at)
                at = look_at
        yield from _pieces(self._text, at, end)

    def _is_term(self, start: int, mark: re.Match[str]) -> bool:
        """Whether signs end nothing: they are all there is, or one of them is spoken of: "the full stop (.)"."""
        text, end = self._text, mark.start()
        if end > start and text[end - 1] in _OPENERS and len(mark[0]) > 1 and mark[0][1] not in _ENDS:
            return True
        return end - start < MAX_SIGNS and not any(map(str.isalnum, text[start:end]))

    def _is_end(self, mark: re.Match[str], start: int) -> bool:
        text, at = self._text, mark.start()
        if text[at] > "\u2fff" and mark.end() - at > 1 and text[mark.end() - 1] not in _ENDS:
            # The quotation ends, and the sentence around it continues.
            return text[mark.end()].isspace()
        following = _NEXT.match(text, mark.end())
        upcoming = following[1] if following else ""
        # A name or a command may begin a Chinese or Japanese sentence.
        is_inside = upcoming.islower() and text[at] < "\u2fff"
        if is_inside or (following and text.startswith((")", ".."), following.start(1))):
            return False
        if text[at] == "\u2026" or text[at : at + 2] == "..":
            return upcoming.isupper() and following is not None and text[following.start(1) - 1] not in "[(<"
        if text[at] != ".":
            return True
        word = _LAST_WORD.search(text, max(start, at - 24), at)
        return word is None or not (
            self._numbers_entry(start, word) or self._is_inside(word, start, mark.end(), upcoming)
        )

    def _is_inside(self, word: re.Match[str], start: int, behind: int, upcoming: str) -> bool:
        """Whether a full stop behind a word, or a number, ends nothing: it is that of a label, an ordinal, an abbreviation."""
        if word[0].replace(".", "").isdecimal():
            return self._is_label(start, word.start()) or self._is_ordinal(word[0], behind)
        return self._is_abbreviated(word[0].lstrip(_EMPHASIS), upcoming)

    def _numbers_entry(self, start: int, word: re.Match[str]) -> bool:
        """Whether a word is the number of an entry: "R7. What to do"."""
        is_first = not self._text[start : word.start()].strip()
        return is_first and any(map(str.isdigit, word[0]))

    def _is_label(self, start: int, number: int) -> bool:
        """Whether one word with a capital letter stands before a sentence's number."""
        label = _LABEL.fullmatch(self._text, start, number)
        return label is not None and label[1].isupper()

    def _is_ordinal(self, number: str, behind: int) -> bool:
        return len(number) <= 2 and (
            self._has_ordinals or _ordinal_date().match(self._text, behind) is not None
        )

    def _is_abbreviated(self, word: str, upcoming: str) -> bool:
        """Whether a full stop after a word that is no number belongs to the word."""
        folded = word.lower()
        # "e.g", "z.B", "U.S", an initial, no sign as in "5 %."; an address on the web has longer parts.
        if word[-1:].isalpha() and max(map(len, word.split("."))) <= ("." in word) + 1:
            return word != "I" or upcoming.isdigit()
        if upcoming.isdigit() and word.isalpha() and len(word) <= 4 and word.istitle():
            return True
        if upcoming.isdigit():
            return folded in language_words().number_abbreviations
        return folded in language_words().abbreviations

    @cached_property
    def _has_ordinals(self) -> bool:
        """Whether the text's language writes ordinals as numbers with a full stop."""
        return (
            prevailing_language(self._text[:SAMPLE_CHARS].lower().split()) in language_words().dotted_ordinals
        )


@cache
def _ordinal_date() -> re.Pattern[str]:
    # After a day's number with a full stop: a month, or any word with a year.
    months = "|".join(language_words().months_after_ordinals)
    return re.compile(rf"\s{{1,9}}+(?:(?:{months})(?!\w)|[^\W\d_]{{3,15}}+\.?\s{{1,9}}+\d{{4}}(?!\w))")


def _next_end(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return what may end the first sentence of a stretch."""
    while sign := _MAY_BE_END.search(text, start, end):
        if mark := _END.match(text, sign.start(), end):
            return mark
        start = sign.end()
    return None


def ends_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return text.rstrip(_CLOSERS).endswith(_EACH_END)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a stretch without the white space around it; a run too long for a sentence in pieces."""
    while start < end:
        stop = end
        if end - start > MAX_RUN_CHARS:
            is_sentence = end - start <= MAX_SENTENCE_CHARS and text[end - 1] in _ENDS + _CLOSERS
            stop = end if is_sentence else _break(text, start)
        piece = text[start:stop]
        stripped = piece.strip()
        if stripped:
            first = start + len(piece) - len(piece.lstrip())
            yield first, first + len(stripped)
        start = stop


def _break(text: str, start: int) -> int:
    """Return where a run is cut: after a semicolon, a comma, a word, or inside one."""
    low, high = start + MIN_RUN_CHARS, start + MAX_RUN_CHARS
    found = (pattern.match(text, low, high) for pattern in _BREAKS)
    return next((match.end() for match in found if match), high)
