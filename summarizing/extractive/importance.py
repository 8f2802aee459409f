"""How much each segment of a text matters by itself, where nothing is asked for. Pure."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from summarizing.extractive.concepts import FACT_WEIGHT
from summarizing.extractive.line_kinds import LineKinds
from summarizing.text.document import FRAMES, NO_SEGMENT, SENTENCES, Document, Segment, SegmentKind
from summarizing.text.language.language_words import language_words
from summarizing.text.language.stemming import words_of

# The opening of a text sums up much of the rest (lead, a baseline that is hard to beat), as does that of a section; front matter and
# navigation say nothing where something else does.
LEAD_SEGMENTS = 3
LEAD_IMPORTANCE = 3.0
FIRST_IMPORTANCE = 1.5
# The end of what programs print, which sums it up: it comes before facts of the opening.
TOTAL_IMPORTANCE = FACT_WEIGHT * LEAD_IMPORTANCE
HEADING_IMPORTANCE = 0.2
# What a larger share of a text has tells nothing of it apart.
MOST_DECISIONS = 0.3

# A title that tells how a thing is installed or used says little else: "Basic usage".
MIN_SHARE_OF_TITLE = 0.5

_STATEMENTS = (*SENTENCES, SegmentKind.ITEM, SegmentKind.LINE)
_TAG = re.compile(r"<[^<>]{1,200}+>")


class _Openings:
    """Where a text opens, as its segments come, but for its headings."""

    def __init__(self) -> None:
        self._left = LEAD_SEGMENTS
        self._plain = self._marginal = 0
        self._has_sentences = False

    def skip(self) -> None:
        """Note a marginal segment."""
        self._marginal += 1

    def take(self, segment: Segment) -> bool:
        """Return whether another segment belongs to an opening, and note it."""
        is_first_sentence = segment.kind is SegmentKind.SENTENCE and not self._has_sentences
        if is_first_sentence or self._marginal > self._plain:
            self._left = LEAD_SEGMENTS
        self._has_sentences |= is_first_sentence
        self._plain, self._marginal = self._plain + 1, 0
        self._left -= 1
        return self._left >= 0


def importance(document: Document, kinds: LineKinds) -> list[float]:
    """Return how much each segment matters: the opening of the text and of each section more, marginal ones only where all are.

    A text opens again at its first sentence, if lines stand before it, as fields do, and behind front matter, such as a table of contents, that is
    longer than what stands before that. What stands directly below a title such as "Summary" matters as the opening does, and so does what was
    decided in a meeting. `kinds`: of the lines of a log, a listing or a table.
    """
    found = _of_kinds(document, kinds)
    all_marginal = all(each.is_marginal or each.kind in FRAMES for each in document.segments)
    summaries = _titles_with(document, language_words().summarizing)
    examples = _first_examples(document)
    decisions = _decisions(document)
    openings, opened = _Openings(), set[int]()
    for index, segment in enumerate(document.segments):
        if found[index] is not None:
            continue
        is_heading = segment.kind is SegmentKind.HEADING
        if segment.is_marginal and (is_heading or not all_marginal):
            openings.skip()
            found[index] = 0.0
        elif is_heading:
            found[index] = HEADING_IMPORTANCE
        else:
            is_lead = (
                openings.take(segment)
                or segment.parent in summaries
                or index in examples
                or index in decisions
            )
            is_first = segment.parent not in opened
            opened.add(segment.parent)
            own = LEAD_IMPORTANCE if is_lead else FIRST_IMPORTANCE if is_first else 1.0
            found[index] = max(own, kinds.exceptions.get(index, 0) * FIRST_IMPORTANCE)
    return [own or 0.0 for own in found]


def _decisions(document: Document) -> set[int]:
    """Return what tells what was decided in a meeting, if its minutes say at their beginning that they are such; none where much of the text does."""
    known = language_words()
    head = document.segments[: LEAD_SEGMENTS + 1]
    opening = words_of(document.text[: head[-1].end if head else 0].lower())
    if known.meeting.isdisjoint(opening):
        return set()
    statements = [index for index, one in enumerate(document.segments) if one.kind in _STATEMENTS]
    found = {index for index in statements if known.deciding.search(document.of(index))}
    return found if len(found) <= MOST_DECISIONS * len(statements) else set()


def _of_kinds(document: Document, kinds: LineKinds) -> list[float | None]:
    """Return the importance of lines whose kinds are known: rare ones matter, with what hangs on them, the first and last, and the end of the text."""
    rarest = max(kinds.rarity.values(), default=0.0)
    found: list[float | None] = []
    for index, segment in enumerate(document.segments):
        own = rarest if index in kinds.ends else kinds.rarity.get(index)
        if index == kinds.total:
            own = TOTAL_IMPORTANCE
        if own is None and segment.parent != NO_SEGMENT:
            own = found[segment.parent]
        found.append(own)
    return found


def _words_of_title(document: Document, index: int) -> list[str]:
    """Return a title's words, without HTML's tag for what is folded away."""
    return words_of(_TAG.sub("", document.of(index)).lower())


def _titles_with(document: Document, known: AbstractSet[str]) -> set[int]:
    """Return the titles that have one of some words."""
    titles = (index for index, segment in enumerate(document.segments) if segment.kind is SegmentKind.HEADING)
    return {index for index in titles if not known.isdisjoint(_words_of_title(document, index))}


def _first_examples(document: Document) -> set[int]:
    """Return the first code that says how a thing is got, and the first that says how it is used, as the titles above them tell."""
    sections, first = document.sections(), dict[int, int]()
    for index, segment in enumerate(document.segments):
        if segment.kind is SegmentKind.CODE and sections[index] != NO_SEGMENT:
            first.setdefault(sections[index], index)
    known = language_words()
    plainest = (_plainest(document, first, words) for words in (known.installing, known.using))
    return {first[title] for title in plainest if title is not None}


def _plainest(document: Document, titles: Iterable[int], known: AbstractSet[str]) -> int | None:
    """Return the title that says hardly anything but one of some words: "Usage" rather than "Terms of use"."""
    shares: dict[int, float] = {}
    for title in titles:
        words = [word for word in _words_of_title(document, title) if word not in language_words().grammar]
        shares[title] = sum(word in known for word in words) / max(len(words), 1)
    best = max(shares, key=shares.__getitem__, default=None)
    return None if best is None or shares[best] < MIN_SHARE_OF_TITLE else best
