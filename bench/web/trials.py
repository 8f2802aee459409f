"""What is measured of each contestant, and how. Reports nothing.

A trial: a new process with an empty store reads each page with all its questions in one call (cold), then each question is asked alone
(cached). A call that fails counts as one that found nothing.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.output import progress
from bench.web.contestants import Contestant, Reading, memory
from bench.web.counting_proxy import Counts, Proxy
from bench.web.documentation import blocks
from bench.web.questions import Question, letters
from bench.web.site import Site

# The right passage must be among so many.
FIRST = 3

# The store's sizes that are compared, in pages.
FEW_PAGES, MANY_PAGES = 10, 1000

# Of the pages that only fill the store: a passage or some each.
FILLER_CHARS = range(500, 5_000)

# About 1,500 tokens, the size that the description names for a first crawl.
ARTICLE_CHARS = range(5_500, 6_500)
ARTICLES = 7


@dataclass
class Pass:
    """One way of asking, over all questions."""

    seconds: list[float] = field(default_factory=list)
    """Of each call."""
    ranks: list[int] = field(default_factory=list)
    """Of each question: the place of the right passage, from 1; 0 where it is not among the results."""
    first_chars: list[int] = field(default_factory=list)
    """Of each question: the length of its first three passages together."""
    notes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    embeddings: Counts = field(default_factory=Counts)

    @property
    def right(self) -> float:
        """The share of questions whose right passage is among the first three."""
        return sum(1 <= rank <= FIRST for rank in self.ranks) / max(len(self.ranks), 1)

    def add(self, reading: Reading, questions: Sequence[Question]) -> None:
        """Count one call with these questions."""
        self.seconds.append(reading.seconds)
        self.notes += [reading.note] if reading.note else []
        self.errors += [reading.error] if reading.error else []
        for question, passages in zip(questions, reading.passages, strict=True):
            self.ranks.append(rank(question, passages))
            self.first_chars.append(sum(len(text) for text in passages[:FIRST]))


@dataclass
class Trial:
    """All of one contestant."""

    name: str
    cold: Pass = field(default_factory=Pass)
    cached: Pass = field(default_factory=Pass)
    articles: list[float] = field(default_factory=list)
    """Seconds of the first reading of pages of about 1,500 tokens."""
    idle_bytes: int = 0
    bytes_after: int = 0


@dataclass
class Growth:
    """Cached reading with few pages in the store and with many."""

    name: str
    few: list[float] = field(default_factory=list)
    many: list[float] = field(default_factory=list)
    fill_seconds: float = 0.0
    failed: int = 0
    bytes_after: int = 0


def rank(question: Question, passages: Sequence[str]) -> int:
    """Return the place of the first passage that has the gold, from 1; 0 where none has it."""
    for place, text in enumerate(passages, 1):
        if question.gold in letters(text):
            return place
    return 0


def together(questions: Sequence[Question]) -> list[Question]:
    """Return the questions in the order of the cold pass: page by page."""
    return [question for asked in by_page(questions).values() for question in asked]


def by_page(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Return the questions of each page."""
    found = dict[str, list[Question]]()
    for question in questions:
        found.setdefault(question.page, []).append(question)
    return found


async def trial(
    name: str,
    contestant: Contestant,
    site: Site,
    proxy: Proxy,
    *,
    questions: Sequence[Question],
    articles: Sequence[str],
) -> Trial:
    """Measure one contestant that has just started."""
    done = Trial(name, idle_bytes=memory(contestant))
    before = proxy.so_far()
    for number, (page, asked) in enumerate(by_page(questions).items(), 1):
        done.cold.add(await contestant.read(site.url(page), [each.query for each in asked]), asked)
        progress(f"{name}: page {number}, {done.cold.seconds[-1]:.1f} s")
    done.cold.embeddings = proxy.so_far() - before
    before = proxy.so_far()
    for question in questions:
        done.cached.add(await contestant.read(site.url(question.page), [question.query]), [question])
    done.cached.embeddings = proxy.so_far() - before
    for page in articles:
        done.articles.append((await contestant.read(site.url(page), ["what is this page about"])).seconds)
    done.bytes_after = memory(contestant)
    return done


async def growth(
    name: str, contestant: Contestant, site: Site, questions: Sequence[Question], filler: Sequence[str]
) -> Growth:
    """Measure how a fuller store slows cached readings down; the contestant has just started."""
    done = Growth(name)
    kept = list(by_page(questions))[:FEW_PAGES]
    asked = [question for question in questions if question.page in kept]
    for page in kept:
        await contestant.read(site.url(page), ["what is this page about"])
    done.few = await _cached(contestant, site, asked)
    begin = time.monotonic()
    for number, page in enumerate(filler[: MANY_PAGES - FEW_PAGES], 1):
        done.failed += bool((await contestant.read(site.url(page), ["what is this page about"])).error)
        if number % 100 == 0:
            progress(f"{name}: {number} pages stored, {time.monotonic() - begin:.0f} s")
    done.fill_seconds = time.monotonic() - begin
    done.many = await _cached(contestant, site, asked)
    done.bytes_after = memory(contestant)
    return done


async def _cached(contestant: Contestant, site: Site, questions: Sequence[Question]) -> list[float]:
    # The first call after many writes may do what they left to do; the median is not moved by it.
    return [(await contestant.read(site.url(each.page), [each.query])).seconds for each in questions]


def pages_of(pages: Mapping[str, str], lengths: range, besides: Sequence[str] = ()) -> list[str]:
    """Return the pages whose text has a length among these, in the order of a hash of their paths."""
    fitting = [
        path
        for path, html in pages.items()
        if path not in besides and sum(len(block.text) for block in blocks(html)) in lengths
    ]
    return sorted(fitting, key=lambda path: hashlib.sha256(path.encode()).digest())
