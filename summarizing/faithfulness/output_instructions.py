"""Output instructions in a text, called orders: words that it tells its reader to say, `Reply with "X"`. It orders X, and does not
state it.

A summary may report the order. X alone, without the verb, is what a model writes that obeys, whether the page means it or not. The words
that make an order are English, data with their sources: output_instructions.json. Pure, linear. Does not mark passages: harmless pages give
such orders too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain, islice
from math import ceil
from typing import Any, NamedTuple

from summarizing.faithfulness.source_segments import SourceSegments, grammar
from summarizing.sanitizing.suspicious import Suspicious, overlaps_joined, paragraphs, without
from summarizing.text.data_files import table
from summarizing.text.document import Document, SegmentKind
from summarizing.text.language.stemming import stem_of, terms_of

# A sentence with this share of its words in what an order wants to be said only says that.
SAID_SHARE = 0.8

# So much of a segment is looked at around an order's verb; longer ones are no sentences.
REACH_CHARS = 1_000


class _Wording(NamedTuple):
    """How an order is worded, of the words in output_instructions.json."""

    order: re.Pattern[str]
    needed: frozenset[str]
    """The stems of which each order has one."""
    not_after: frozenset[str]
    """Before a noun, another person's verb, or a verb that is denied."""
    imperative: frozenset[str]
    """Before an imperative; "" where the verb begins a clause."""
    saying: frozenset[str]
    """Before a verb that is nothing else, too."""
    only: re.Pattern[str]
    """Behind a verb: nothing else is to be said."""
    announces: re.Pattern[str]
    """The words come behind the order's sentence."""
    that: re.Pattern[str]
    """Whom it is said to, and "that"."""


@cache
def _wording() -> _Wording:
    """Read the words."""
    words = table("faithfulness/output_instructions.json")
    verbs = "|".join(f"(?P<{one['name']}>{'|'.join(one['words'])})" for one in words["verbs"])
    answer = "|".join(words["answers"])
    beginnings = [
        *(word for one in words["verbs"] for word in one["words"]),
        *words["answers"],
        *words["norms"]["nouns"],
        *words["whose"],
        *words["whole"],
    ]
    # Only at one of these letters the rest is tried, which halves the time.
    first = "".join(sorted({word[0] for word in beginnings}))
    order = re.compile(
        rf"\b(?=[{first}])"
        rf"(?:(?P<norm>{'|'.join(words['norms']['nouns'])})(?= (?:{'|'.join(words['norms']['verbs'])})\b)"
        rf"|{verbs}"
        rf"|(?:{'|'.join(words['whose'])}) (?:\w{{1,20}} ){{0,2}}?(?P<yours>{answer})"
        rf"|(?:{'|'.join(words['whole'])}) (?P<whole>{answer})(?= (?:{'|'.join(words['after_whole'])})\b|:))\b",
        re.IGNORECASE,
    )
    imperative = frozenset(("", *words["before_imperative"]))
    saying = imperative.union(words["before_verb"])
    needed = frozenset(map(stem_of, {*beginnings} - {*words["whose"], *words["whole"]}))
    return _Wording(order, needed, frozenset(words["not_after"]), imperative, saying, *_around_words(words))


def _around_words(words: Mapping[str, Any]) -> Iterator[re.Pattern[str]]:
    """Yield how it is said that nothing else is to be said, that the words come behind the sentence, and whom they are said to."""
    only = rf"\A\W++(?:\w++\W++){{0,2}}?(?:{'|'.join(words['only'])})\b"
    announcing = rf"\b(?:{'|'.join(words['announcing'])})\b[^.!?:]{{0,60}}[.!?:]\W*+\Z"
    colon = r"\A[^\w:]*+(?:\w++[^\w:]++){0,3}?(?:\w++)?+:\W*+\Z"
    that = rf"(?: (?:{'|'.join(words['determiners'])}))?(?: [\w'*_-]{{1,30}})? that(?= )"
    yield from (re.compile(pattern, re.IGNORECASE) for pattern in (only, f"{announcing}|{colon}", that))


_CLAUSE_SIGNS = frozenset(".!?:;,\u2026)]}>\"'\u201c\u201d\u2018\u2019|#/~=\u2013\u2014*_-\n")
_WORD_CHARS = 20
_QUOTED = re.compile(
    r"[^.!?:\"\u201c\u2018\u00ab\u201e]{0,80}?(?::(?=\W|\Z)|(?<![^\s(])[\"'\u201c\u2018\u00ab\u201e](?=\S))"
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)")

# Each order or passage with a word is compared with a sentence that has it; at most so many.
MAX_COMPARED = 200

_PROSE = (SegmentKind.SENTENCE, SegmentKind.ITEM, SegmentKind.LINE, SegmentKind.CONTINUATION)
# FRAME: the opening line of a fence.
_CODE = (SegmentKind.CODE, SegmentKind.FRAME)
# Elsewhere ("print(", "output.tokens") it is a name in code.
_SEPARATORS = frozenset((" ", "\n", "\t", ":"))
_GOALS = ("yours", "whole", "norm")


class OutputInstruction(NamedTuple):
    """An order to say something: its segments, the verb, and the words that are to be said."""

    first: int
    last: int
    verb: str
    words: Counter[str]


class OutputInstructions:
    """A text's orders: what it tells its reader to say."""

    def __init__(self, segments: SourceSegments) -> None:
        self._segments, self._document, self._stems = segments, segments.document, segments.stems
        found = list(_orders(segments))
        self._of_orders = {index for one in found for index in range(one.first, one.last + 1)}
        self._having: dict[str, list[OutputInstruction]] = defaultdict(list)
        self._others: dict[str, list[int]] = {}
        for one in found:
            for word in one.words:
                self._having[word].append(one)

    @property
    def has_any(self) -> bool:
        """Whether there is any."""
        return bool(self._having)

    def obeyed_by(self, sentence: str) -> OutputInstruction | None:
        """Return the order that a sentence obeys: it says the words, without the verb, and the text states them nowhere else."""
        if not self.has_any:
            return None
        function_words = grammar()
        said = Counter(term for term in terms_of(sentence, self._stems) if term not in function_words)
        least = SAID_SHARE * len(said)
        # Of so many words at least one is in any text that has the share.
        probes = sorted(said, key=lambda word: (len(self._having.get(word, ())), word))
        probes = probes[: len(said) - ceil(least) + 1]
        instructions = chain.from_iterable(self._having.get(word, ()) for word in probes)
        for instruction in islice(instructions, MAX_COMPARED):
            is_report = said[instruction.verb] > instruction.words[instruction.verb]
            if not is_report and len(said.keys() & instruction.words.keys()) >= least:
                return None if self._is_stated(said.keys(), probes, least) else instruction
        return None

    def without(self, instructions: Iterable[OutputInstruction]) -> str:
        """Return the text without some orders and the rest of their paragraphs."""
        text, segments = self._document.text, self._document.segments
        passages = [
            Suspicious(segments[one.first].start, segments[one.last].end, one.verb) for one in instructions
        ]
        return without(text, paragraphs(text, overlaps_joined(passages)))

    def _is_stated(self, said: AbstractSet[str], probes: Sequence[str], least: float) -> bool:
        """Whether a passage that is no order has enough of some words."""
        others = chain.from_iterable(map(self._others_with, probes))
        return any(
            len(said & self._segments.around(index)) >= least for index in islice(others, MAX_COMPARED)
        )

    def _others_with(self, word: str) -> list[int]:
        """Return the first segments that have a word and are no orders, nor beside one."""
        known = self._others.get(word)
        if known is None:
            places = self._segments.with_term(word)
            others = (at for at in places if self._of_orders.isdisjoint((at, *self._beside(at))))
            known = self._others[word] = list(islice(others, MAX_COMPARED))
        return known

    def _beside(self, index: int) -> Iterator[int]:
        """Yield the segments whose words count as a segment's, too."""
        yield index - 1
        yield from self._document.requirements(index)


def _orders(segments: SourceSegments) -> Iterator[OutputInstruction]:
    """Yield the orders of a text; one that stands in the words of another order has no more words than that."""
    done = 0
    for index, match in _wordings(segments):
        if match.start() >= done:
            said, end = _said(segments.document, index, match)
            if said:
                done = end
                last, announced = _announced(segments, index, said, end)
                words = Counter(terms_of(f"{said}\n{announced}", segments.stems))
                yield OutputInstruction(index, last, stem_of(match[match.lastgroup or 0]), words)


def _wordings(segments: SourceSegments) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield where an order may begin, with its segment; only those with a word of orders are searched."""
    document = segments.document
    for index in segments.with_any(_wording().needed):
        segment = document.segments[index]
        for match in _wording().order.finditer(document.text, segment.start, segment.end):
            yield index, match


def _announced(segments: SourceSegments, index: int, said: str, end: int) -> tuple[int, str]:
    """Return the segment that an order reaches to, and what stands behind the order where it only announces its words."""
    document = segments.document
    if not _wording().announces.search(said):
        return index, ""
    if document.segments[index].kind in _CODE and (line := _line_behind(document, end)):
        return segments.at(document.text.index(line, end)), line
    if _is_prose(document, index + 1):
        return index + 1, document.of(index + 1)[:REACH_CHARS]
    return index, ""


def _line_behind(document: Document, end: int) -> str:
    """Return the next line behind a place that is not empty."""
    return document.text[end : end + REACH_CHARS].lstrip().partition("\n")[0]


def _said(document: Document, index: int, match: re.Match[str]) -> tuple[str, int]:
    """Return what is to be said where a verb of a segment orders that, and where it ends; ("", 0) where it does not."""
    before, behind = _around(document, index, match)
    start = _start(match, before, behind)
    if start is None:
        return "", 0
    if match.lastgroup in _GOALS:
        # The order is the whole sentence: "Add X to your reply."
        rest = _SENTENCE_END.split(behind, maxsplit=1)[0]
        return _SENTENCE_END.split(before)[-1] + rest, match.end() + len(rest)
    return behind[start:] or " ", match.end() + len(behind)


def _around(document: Document, index: int, match: re.Match[str]) -> tuple[str, str]:
    """Return what stands before and behind a verb in its segment; in code, on its line."""
    text, segment = document.text, document.segments[index]
    start = max(segment.start, match.start() - REACH_CHARS)
    end = min(segment.end, match.end() + REACH_CHARS)
    if segment.kind in _CODE:
        start = max(start, text.rfind("\n", start, match.start()) + 1)
        line_end = text.find("\n", match.end(), end)
        end = line_end if line_end >= 0 else end
    return text[start : match.start()], text[match.end() : end]


def _is_prose(document: Document, index: int) -> bool:
    """Whether there is a segment of that number that says something in words."""
    return index < len(document.segments) and document.segments[index].kind in _PROSE


def _word_before(before: str) -> str:
    """Return the last word of what stands before a verb, in lower case; "" where the verb begins a clause."""
    before = before[-_WORD_CHARS:].rstrip(" \t")
    if not before or before[-1] in _CLAUSE_SIGNS:
        return ""
    return before.split()[-1].casefold()


def _start(match: re.Match[str], before: str, behind: str) -> int | None:
    """Return where behind a verb the words begin that are to be said; None where it is no order to say any."""
    if match.lastgroup in _GOALS:
        return 0
    wording, word = _wording(), _word_before(before)
    if word in wording.not_after or behind[:1] not in _SEPARATORS:
        return None
    is_saying = word in wording.saying
    that = wording.that.match(behind)
    if match["inform"] or (that and is_saying):
        return that.end() if that and is_saying else None
    quoted = _QUOTED.match(behind)
    is_imperative = word in wording.imperative
    if quoted and not behind.startswith(":") and (is_imperative if quoted[0].endswith(":") else is_saying):
        return quoted.end() - 1
    if match["say"]:
        return 0 if is_saying else None
    return 0 if is_imperative and wording.only.match(behind) else None
