"""The concepts of each segment, and their weights: a choice of segments is good if it covers heavy concepts.

With a query concepts are distinct facts, weighted by how much their kind is asked for; without one, words and facts of the document.
Pure. Does not choose: summarizing/extractive/choice.py does.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, dropwhile
from math import log
from operator import attrgetter

from summarizing.extractive.choice import Candidates
from summarizing.extractive.line_kinds import LineKinds
from summarizing.extractive.number_lists import NumberLists
from summarizing.facts.fact import FactKey
from summarizing.facts.text_reading import Reading
from summarizing.relevance.asked_values import asked_values, is_asked
from summarizing.text.blocks.logs_and_field_lists import report_of
from summarizing.text.document import FRAMES, NO_SEGMENT, SENTENCES, Document, Segment, SegmentKind
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.language.sentence_ties import is_fragment, is_question, refers_back
from summarizing.text.lines import COLONS, LOOK_CHARS, item_mark, looks_like_prose

# As many facts of the document's mean relevance are added to those of a signature, since one fact says little of its kind: an m-estimate,
# after Cestnik, "Estimating Probabilities: A Crucial Task in Machine Learning" (1990).
PRIOR_FACTS = 3

# A value of the shape that the query names.
ASKED_WEIGHT = 2.2

# The weight of what a segment says beside its facts, where each fact has 1.
WEIGHT_BESIDE_FACTS = 3.0

# The weight of a section of the text: entries of a reference or a history are asked for together, and one line says of an entry
# that it is there. Without it recall on the developing half of the real texts falls from .698, .570 and .429 (at 5:1, 10:1 and 20:1) to
# .697, .565 and .420.
SECTION_WEIGHT = 2.0

# Without a query: what a word weighs, a fact, and anything that has neither; an opening, for each unit of importance that it has above
# others; a word of more than this share of the segments weighs nothing. With a tenth of this for facts, summaries of texts that a query does not meet
# keep a fourth less of what it asks for at 5:1; without weight for openings, READMEs mostly do not say what they are about (docs/evaluation.md,
# "Without a query").
TERM_WEIGHT = 0.3
FACT_WEIGHT = 3.0
LEAST_WEIGHT = 0.05
OPENING_WEIGHT = 5.0
MOST_COMMON = 0.25

# The words of so many segments are counted in one step, for less than a millisecond: other threads wait while it runs.
COUNTED_TOGETHER = 500

# Spreading over sections matters where nothing is asked for, and little where something is.
DIVERSITY = 1.0
DIVERSITY_WITH_QUERY = 0.1


# No number of an item is longer; one that ends with a colon may be.
MAX_MARK_CHARS = 20

# An index has entries under so many letters.
MIN_LETTERS_OF_INDEX = 3

_TERMS = (SegmentKind.SENTENCE, SegmentKind.LINE)
_LEAD_INS = (*SENTENCES, SegmentKind.ITEM, SegmentKind.LINE)
_DESCRIBING = (SegmentKind.SENTENCE, SegmentKind.CODE)

_DIGIT = re.compile(r"\d")
_OPTION = re.compile(r"--?+[^\W\d_]")

_block = attrgetter("block")


class Concepts:
    """Concepts, by number: those of each segment, and the weight of each."""

    def __init__(self) -> None:
        self.of = NumberLists()
        self.weights: list[float] = []
        self._numbers: dict[object, int] = {}

    def number(self, key: object, weight: float) -> int:
        """Return a concept's number; it keeps the first weight that it is given."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.weights)
            self.weights.append(weight)
        return number

    def add(self, numbers: Iterable[int]) -> None:
        """Add the next segment's concepts."""
        self.of.add(numbers)

    def of_terms(self, terms: Sequence[Iterable[str]]) -> dict[str, int]:
        """Return the terms that occur in several segments, but not in too many, each with its number."""
        having = Counter[str]()
        total = len(terms)
        for at in range(0, total, COUNTED_TOGETHER):
            having.update(chain.from_iterable(terms[at : at + COUNTED_TOGETHER]))
        return {
            term: self.number(term, log(count) * log(total / count) * TERM_WEIGHT)
            for term, count in having.items()
            if 1 < count <= total * MOST_COMMON
        }


def concepts_with_query(
    reading: Reading,
    relevance: Sequence[float],
    frames: Collection[int],
    weights: Mapping[str, float],
    *,
    asks_when: bool,
) -> Candidates:
    """Concepts: each distinct fact with its signature's weight, each segment's own text, and each section.

    `asks_when`: a line of a log that comes again at another time says something new.
    """
    document, facts = reading.document, reading.keys_of
    concepts = Concepts()
    texts = [0] * len(document.segments)
    sections = document.sections()
    first_below = {segment.parent: index for index, segment in reversed(list(enumerate(document.segments)))}
    for index, segment in enumerate(document.segments):
        own: list[int] = []
        if index not in frames and relevance[index] > 0:
            is_named = segment.parent in frames
            named = _names_above(document, index, frames, first_below) if is_named else ()
            own = [
                concepts.number(fact, weights[fact.signature]) for at in (index, *named) for fact in facts[at]
            ]
            # The same line in another record ("default: no") is about something else.
            told = document.of(index)
            if segment.kind is SegmentKind.LINE and not asks_when:
                told = _without_stamp(told)
            texts[index] = concepts.number(_text_key(segment, told), WEIGHT_BESIDE_FACTS)
            own.append(texts[index])
            if sections[index] != NO_SEGMENT:
                own.append(concepts.number(sections[index], SECTION_WEIGHT))
        concepts.add(own)
    return Candidates(relevance, concepts.of, concepts.weights, DIVERSITY_WITH_QUERY, texts)


def _names_above(
    document: Document, index: int, frames: Collection[int], first_below: Mapping[int, int]
) -> list[int]:
    """Return the terms that a segment is the first to describe: it stands for what they say."""
    found: list[int] = []
    for at in document.above(index):
        is_term = at in frames and document.segments[at].kind in _TERMS
        if not is_term or first_below[at] != (found[-1] if found else index):
            break
        found.append(at)
    return found


def signature_weights(
    facts: Sequence[Sequence[FactKey]], relevance: Sequence[float], query: str
) -> dict[str, float]:
    """Return the weight of each signature's facts: which kind of value is asked for is learnt from the document itself."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for found, score in zip(facts, relevance, strict=True):
        for signature, _ in found:
            total = totals[signature]
            total[0] += score
            total[1] += 1
    mean = sum(relevance) / max(1, len(relevance)) or 1.0
    asked = asked_values(query)
    return {
        signature: estimate
        / mean
        * (ASKED_WEIGHT if any(is_asked(signature, beginning) for beginning in asked) else 1.0)
        for signature, (total, count) in totals.items()
        for estimate in [(total + PRIOR_FACTS * mean) / (count + PRIOR_FACTS)]
    }


def concepts_without_query(
    reading: Reading,
    relevance: Sequence[float],
    frames: Collection[int],
    kinds: LineKinds,
) -> Candidates:
    """Concepts: words that occur in several segments of the document, its facts, each opening, and of a log each kind of line in place of words.

    After Gillick and Favre, "A Scalable Global Model for Summarization" (2009): a concept's weight is the number of segments that have it.
    Of other lines that differ in their values alone the words count with the first. `kinds`: of the lines of a log, a listing or a table.
    """
    document, facts = reading.document, reading.keys_of
    # As sequences: a set or a dict for each segment takes several times as much memory.
    terms = [tuple(dict.fromkeys(each)) for each in reading.each_terms()]
    concepts = Concepts()
    known = concepts.of_terms(terms)
    told: set[int] = set()
    for index, segment in enumerate(document.segments):
        own: list[int] = []
        if index not in frames:
            template = _template(terms[index]) if segment.kind is SegmentKind.LINE else None
            if index in kinds.templates:
                own = [concepts.number(kinds.templates[index], kinds.rarity[index])]
            elif template is None or template not in told:
                own = [number for number in map(known.get, terms[index]) if number is not None]
            if weight := _weight_of_place(index, kinds, relevance[index]):
                own.append(concepts.number(index, weight))
            if template is not None:
                told.add(template)
            own += [concepts.number(fact, FACT_WEIGHT) for fact in facts[index]]
            own.append(concepts.number(_text_key(segment, document.of(index)), LEAST_WEIGHT))
        concepts.add(own)
    return Candidates(relevance, concepts.of, concepts.weights, DIVERSITY)


def _weight_of_place(index: int, kinds: LineKinds, importance: float) -> float:
    """Return what a segment weighs for where it stands: as the total, at an end of a log, as an opening; 0 elsewhere."""
    if index == kinds.total or index in kinds.ends:
        return importance
    return 0.0 if index in kinds.rarity else max(0.0, OPENING_WEIGHT * (importance - 1.0))


def _text_key(segment: Segment, text: str) -> int:
    """Return what segments have in common that say the same of the same: a hash, since the texts together are as long as the document."""
    return hash((_holder(segment), " ".join(text.split())))


def _template(terms: Iterable[str]) -> int:
    """Return a hash of what a line has in common with others of its kind: its words without digits.

    A log parser in its simplest form; He et al., "Drain: An Online Log Parsing Approach with Fixed Depth Tree" (2017), compare others.
    """
    return hash(frozenset(filter(str.isalpha, terms)))


def _without_stamp(line: str) -> str:
    """Return a line of a log without the time or address that it begins with; any other line as it is."""
    report = report_of(line)
    # Behind a date the time of day, and what else has digits, belongs to it.
    return " ".join(dropwhile(_DIGIT.search, report.split())) if report else line


def _holder(segment: Segment) -> int:
    """Return what a segment is about: the anchor of its record, or else what it hangs on."""
    return segment.anchor if segment.anchor != NO_SEGMENT else segment.parent


def frames(document: Document, facts: Sequence[Sequence[object]], asked: Iterable[int] = ()) -> set[int]:
    """Return the segments that say nothing without those under them: headings, head rows, introductory lines, terms; and lone labels, and signs.

    `asked`: the segments that a query may ask for. That may be the facts in terms (options, codes, paths) among these, as in "which error codes
    are there".
    """
    text, segments = document.text, document.segments
    parents = {segment.parent for segment in segments}
    described = {
        one.parent for one in segments if one.kind in _DESCRIBING or _is_option(text, segments, one.parent)
    }
    terms = described.difference((index for index in asked if facts[index]), (NO_SEGMENT,))
    terms |= {one.parent for one in segments if one.kind is SegmentKind.ITEM}
    sizes = Counter(map(_block, segments))
    found: set[int] = set()
    for index, segment in enumerate(segments):
        start, end, kind = segment.start, segment.end, segment.kind
        if (
            kind in FRAMES
            # Most segments end in the midst of a word, or with a full stop behind one: no sign does.
            or (not text[end - 2 : end].isalnum() and _is_sign(text[start:end]))
            or (text[end - 1] in COLONS and (kind in _LEAD_INS or index in parents))
            or (index in parents and _is_open(document, segment, is_term=index in terms))
            or (is_question(text, start, end) and _is_answered(segments, index))
            or (
                text[start].isupper()
                and not facts[index]
                and sizes[segment.block] == 1
                and _is_label(document, segment)
            )
            or (text.endswith("> ", 0, start) and _is_greeting(text[start:end]))
        ):
            found.add(index)
    return found


def _is_option(text: str, segments: Sequence[Segment], index: int) -> bool:
    """Whether a line is an option ("-v, --verbose"): what stands below it says what it does, be it a sentence or not."""
    if index == NO_SEGMENT or segments[index].kind is not SegmentKind.LINE:
        return False
    return _OPTION.match(text, segments[index].start) is not None


def _is_sign(text: str) -> bool:
    """Whether a segment says nothing by itself: no letter or digit, an item's number alone, the letters that an index jumps to."""
    if len(text) > LOOK_CHARS:
        return not any(map(str.isalnum, text))
    if len(text) > MAX_MARK_CHARS and text[-1] != ":" and text[-3:-1].isalnum():
        return False
    letters = text.rpartition(":")[2].split()
    is_index = len(letters) >= MIN_LETTERS_OF_INDEX and all(
        len(one) == 1 and one.isalpha() for one in letters
    )
    return (
        (is_index and letters == sorted(letters))
        or item_mark(text) == len(text)
        or not any(map(str.isalnum, text))
    )


def _is_open(document: Document, segment: Segment, *, is_term: bool) -> bool:
    """Whether a sentence goes on in what hangs on it (an example in the midst of it), or a line is a term that this describes, or joins it ("or even")."""
    if segment.kind is SegmentKind.LINE:
        is_term = is_term or refers_back(document.text[segment.start : segment.end])
    if segment.kind in SENTENCES or (segment.kind is SegmentKind.LINE and is_term):
        end = document.text[max(segment.start, segment.end - LOOK_CHARS) : segment.end]
        return not ends_sentence(end) or (segment.kind is SegmentKind.LINE and " " not in end)
    return False


def _is_answered(segments: Sequence[Segment], index: int) -> bool:
    """Whether a question in a paragraph has its answer behind it, which comes with it."""
    one = segments[index]
    if one.kind is not SegmentKind.SENTENCE or index + 1 == len(segments):
        return False
    other = segments[index + 1]
    return other.follows and one.block == other.block


def _is_greeting(quoted: str) -> bool:
    """Whether what stands in a quotation is two words at most without a full stop, the name of who wrote or is greeted: a project says more of itself."""
    return is_fragment(quoted) and quoted.rstrip(",").replace(" ", "").isalpha()


def _is_label(document: Document, segment: Segment) -> bool:
    """Whether a line that begins with a capital letter stands under a heading and is no sentence: a button, what stands over a column.

    A quotation is none: what a project says of itself stands as one below its name.
    """
    if segment.kind is not SegmentKind.LINE or document.text.endswith("> ", 0, segment.start):
        return False
    if segment.parent != NO_SEGMENT and document.segments[segment.parent].kind is not SegmentKind.HEADING:
        return False
    text = document.text[segment.start : min(segment.end, segment.start + LOOK_CHARS)]
    return text.replace(" ", "").isalpha() and not looks_like_prose(text)
