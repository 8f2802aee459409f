"""What the guard does with true and with false sentences about real texts. Not here: what a model would write.

A document's own sentences are told again, and falsified, each in one way. What the guard takes out of the true ones is a false alarm, and
what it leaves of the false ones is a miss.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from bench.real_texts import report
from bench.real_texts.documents import Document, text_of
from bench.verdict import Verdict
from summarizing.facts.fact import Fact
from summarizing.facts.text_reading import Reading
from summarizing.faithfulness.answer_check import Evidence
from summarizing.sanitizing.cleaning import clean_whole
from summarizing.text.document import SegmentKind

# What a model is given at once has about as many characters.
CHUNK_CHARS = 16_000

# A change of the parser may tell some other sentences.
SPREAD = 0.01

# Of each document, at most as many of each way.
MOST_SENTENCES = 40

SENTENCE_CHARS = range(40, 300)

VERBATIM, OPENED, JOINED = (
    "true, word for word",
    "true, behind an opening",
    "true, joined with the next sentence",
)
SWAPPED, ALTERED = "false, with a value of another sentence", "false, with a number that the text has nowhere"
TRUE_WAYS = (VERBATIM, OPENED, JOINED)

_NUMBER = re.compile(r"[0-9]{2,}")


class Told(NamedTuple):
    """Sentences told in one way, and how many of them the guard left standing."""

    way: str
    told: int
    kept: int

    @property
    def wrong(self) -> int:
        """How many it judged wrongly."""
        return self.told - self.kept if self.way in TRUE_WAYS else self.kept


def in_all(documents: Iterable[Document]) -> list[Told]:
    """Return what the guard does with the sentences of these documents, by the way in which they are told."""
    told, kept = Counter[str](), Counter[str]()
    for each in chain.from_iterable(judge(text_of(document), document.id) for document in documents):
        told[each.way] += each.told
        kept[each.way] += each.kept
    return [Told(way, told[way], kept[way]) for way in told]


def wrong_shares(told: Sequence[Told]) -> dict[str, float]:
    """Return which share of the sentences told in each way was judged wrongly."""
    return {each.way: round(each.wrong / each.told, 3) for each in told}


def table(told: Sequence[Told]) -> str:
    """Return the table for the page, in Markdown."""
    rows = [(each.way, each.told, each.kept, f"{each.wrong / max(1, each.told):.1%}") for each in told]
    return report.table(("what the guard is told", "sentences", "left standing", "judged wrongly"), rows)


def bars(told: Sequence[Told], released: report.Released) -> list[Verdict]:
    """Return the bars: no larger share of a way is judged wrongly than in the last release, but for the spread."""
    return [
        Verdict(f"guard, judged wrongly, {way}", released["guard"][way] + SPREAD, share)
        for way, share in wrong_shares(told).items()
    ]


def judge(text: str, name: str) -> list[Told]:
    """Tell a text's sentences in every way to the guard, which has read its first chunk. With the same name the same sentences are told."""
    text = _chunk(clean_whole(text, for_extraction=False).text)
    reading = Reading.of(text)
    evidence = Evidence(text, reading=reading)
    dice = random.Random(name)  # noqa: S311 - not for secrets
    lines = {way: list(told) for way, told in _told(reading, dice).items()}
    return [
        Told(way, len(chosen), sum(_stands(evidence, line) for line in chosen))
        for way, told in lines.items()
        for chosen in [dice.sample(told, min(len(told), MOST_SENTENCES))]
    ]


def _chunk(text: str) -> str:
    """Return a text's first paragraphs, about as many as a model is given at once."""
    end = text.rfind("\n\n", 0, CHUNK_CHARS)
    return text if len(text) <= CHUNK_CHARS else text[: end if end > 0 else CHUNK_CHARS]


def _stands(evidence: Evidence, line: str) -> bool:
    """Whether the guard leaves a sentence in an extraction."""
    return " ".join(line.split()) in " ".join(evidence.check(line, wants_facts=True).text.split())


def _told(reading: Reading, dice: random.Random) -> dict[str, Iterator[str]]:
    sentences = [
        at
        for at, segment in enumerate(reading.document.segments)
        if segment.kind is SegmentKind.SENTENCE and segment.end - segment.start in SENTENCE_CHARS
    ]
    written = {at: " ".join(reading.document.of(at).split()) for at in sentences}
    return {
        VERBATIM: iter(written.values()),
        OPENED: (f"The text says that {line[0].lower()}{line[1:]}" for line in written.values()),
        JOINED: (
            f"{written[one].rstrip('.')}; {written[other]}"
            for one, other in pairwise(sentences)
            if other == one + 1
        ),
        SWAPPED: _swapped(reading, sentences, dice),
        ALTERED: _altered(reading, sentences),
    }


def _swapped(reading: Reading, sentences: Sequence[int], dice: random.Random) -> Iterator[str]:
    """Yield sentences with a value that another sentence has, of the same kind, and they themselves do not."""
    text = reading.document.text
    for at in sentences:
        own = {fact.key for fact in reading.facts_of[at]}
        for fact in reading.facts_of[at]:
            others = [
                other
                for place in sentences
                for other in reading.facts_of[place]
                if other.signature == fact.signature and other.key not in own and place != at
            ]
            if others:
                other = dice.choice(others)
                yield _replaced(reading, at, fact, text[other.start : other.end])
                break


def _altered(reading: Reading, sentences: Sequence[int]) -> Iterator[str]:
    """Yield sentences with a number that the text has nowhere."""
    text = reading.document.text
    for at in sentences:
        for fact in reading.facts_of[at]:
            value = text[fact.start : fact.end]
            number = _NUMBER.search(value)
            if number is None:
                continue
            other = str(int(number[0]) + 7)
            if other not in text:
                yield _replaced(reading, at, fact, value.replace(number[0], other, 1))
                break


def _replaced(reading: Reading, at: int, fact: Fact, value: str) -> str:
    """Return a sentence with another value in the place of a fact."""
    text, segment = reading.document.text, reading.document.segments[at]
    return " ".join(f"{text[segment.start : fact.start]}{value}{text[fact.end : segment.end]}".split())
