"""Chooses segments within a budget of tokens: lazy greedy maximization of a monotone submodular value.

After Lin and Bilmes, "A Class of Submodular Functions for Document Summarization" (2011): the value of a choice is the relevance with
which it covers distinct concepts (facts, words), and a concave reward for each section that it draws from; next comes what adds most
for its cost. Lazy after Minoux, "Accelerated greedy algorithms for maximizing submodular set functions" (1978), and content
with what is nearly the best, as in Badanidiyuru and Vondrak, "Fast algorithms for maximizing submodular functions" (2014). Does not
render.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import sqrt

from summarizing.extractive.number_lists import NumberLists
from summarizing.text.document import NO_SEGMENT, Document

# The share of a heading's or head row's cost that a segment under it is charged with: later ones use it too.
SHARE_OF_REQUIREMENTS = 0.25

# Where something is asked for, up to this share of a budget goes to what answers best, whatever it costs; of that, what has at least
# a quarter of the best relevance. Otherwise one long sentence that has most of a query's words gives
# way to many short lines that have one.
SHARE_OF_ANSWERS = 1 / 3
LEAST_OF_ANSWERS = 0.25

# No segment that says anything is shorter than this.
LEAST_ROOM_TOKENS = 4

# After this many candidates in a row that do not fit, the room stays empty.
MAX_MISSES = 300

# A candidate is taken that adds at least this share of the most that any other can add: where thousands are alike, all of them would
# be re-evaluated for each choice.
NEARLY_BEST = 0.98

# After this many re-evaluations in a row the next candidate is taken without one: bounds the work where thousands are alike.
MAX_REWEIGHED = 50


@dataclass(frozen=True, slots=True)
class Candidates:
    """What there is to choose from: a relevance, concepts and a section for each segment, and a weight for each concept."""

    relevance: Sequence[float]
    concepts: NumberLists
    weights: Sequence[float]
    diversity: float
    """The weight of spreading over sections, beside that of covering concepts."""
    texts: Sequence[int] = ()
    """The concept that each segment's own text is, 0 for those that are never chosen; empty where that is not asked."""

    def worthy(self, among: Iterable[int]) -> list[int]:
        """Return those of some segments that may add anything."""
        return [index for index in among if self.relevance[index] > 0 and self.concepts[index]]


def longest_fitting(
    order: Sequence[int], room: int, tokens: Callable[[Sequence[int]], int], known: int = 0
) -> Sequence[int]:
    """Return the first of an order, as many as have at most `room` tokens together; `known`: so many are known to fit.

    `tokens` is that of a `ChosenText` (rendering.py).

    A search by false position with the Illinois rule (Dowell and Jarratt 1971), since to render a choice costs most; where that does not end
    soon, it goes on by halves.
    """
    count = len(order)
    if count <= known or (most := tokens(order)) <= room:
        return order
    low, high, side = known, count, 0
    # Half a token more, so that neither is 0.
    free, over = max(room - most * known / count, 0) + 0.5, most - room - 0.5
    tries = count.bit_length()
    while (left := high - low) > 1:
        step = round(left * free / (free + over)) if tries > 0 else left // 2
        at = low + min(max(step, 1), left - 1)
        size, tries = tokens(order[:at]), tries - 1
        if size <= room:
            low, free = at, room - size + 0.5
            over, side = over / 2 if side < 0 else over, -1
        else:
            high, over = at, size - room - 0.5
            free, side = free / 2 if side > 0 else free, 1
    return order[:low]


def requirements_of(document: Document, among: Iterable[int]) -> dict[int, Sequence[int]]:
    """Return what must be kept with each of some segments; one sequence for all that need the same since they hang on the same."""
    below: dict[int, Sequence[int]] = {NO_SEGMENT: ()}
    required: dict[int, Sequence[int]] = {}
    for index in among:
        segment = document.segments[index]
        if segment.follows or segment.anchor != NO_SEGMENT:
            required[index] = document.requirements(index)
            continue
        if segment.parent not in below:
            below[segment.parent] = [segment.parent, *document.requirements(segment.parent)]
        required[index] = below[segment.parent]
    return required


def parts_of(required: Mapping[int, Iterable[int]]) -> Iterable[int]:
    """Return segments and what each requires, each once."""
    return dict.fromkeys(part for index, needed in required.items() for part in (index, *needed))


class Chooser:
    """Fills a budget with what adds most for its tokens."""

    def __init__(
        self,
        document: Document,
        candidates: Candidates,
        required: Mapping[int, Collection[int]],
        costs: Mapping[int, int] | Sequence[int],
    ) -> None:
        """`required`: each segment that may be chosen, and what must be kept with it; `costs`: the tokens of all these, as rendered."""
        self._candidates = candidates
        self._required = required
        self.costs = costs
        # The concepts of a segment that are not covered yet, where these are not all: once covered, a concept stays covered, up to a restart.
        self._open: list[Sequence[int] | None] = [None] * len(document.segments)
        # How many tokens keeping what a segment requires would add, by the identity of that collection; true while `_known_with` segments are kept.
        self._known: dict[int, int] = {}
        self._known_with = 0
        self._queue: list[tuple[float, int]] = []
        # Candidates that add nothing to what is kept.
        self._idle: list[tuple[float, int]] = []
        self._sections = document.sections()
        self._reward: dict[int, float] = {}
        self._covered = [0.0] * len(candidates.weights)
        self.kept: set[int] = set()
        self.tokens = 0

    def choose(self, budget: int, among: Iterable[int], answers: int = 0) -> list[int]:
        """Keep segments in at most `budget` tokens with what they require; return those chosen, the best first.

        `answers`: in so many of the tokens first what is most relevant, whatever it costs.
        """
        self._queue = [(-self._first_worth(index), index) for index in among]
        heapify(self._queue)
        return self.fill(budget, answers)

    def fill(self, budget: int, answers: int = 0) -> list[int]:
        """Keep more of the same segments, in a larger budget; return those chosen, the best first. `answers`: as in `choose`."""
        queue = self._queue
        order = self._keep_answers(answers)
        missed: list[tuple[float, int]] = []
        misses = reweighed = 0
        while queue and budget - self.tokens >= LEAST_ROOM_TOKENS and misses < MAX_MISSES:
            stale, index = heappop(queue)
            if index in self.kept:
                self._idle.append((stale, index))
                continue
            needed = self._tokens_needed(index)
            if self.tokens + needed > budget:
                missed.append((stale, index))
                misses += 1
                continue
            worth = self._worth(index, needed)
            if worth <= 0:
                self._idle.append((stale, index))
                continue
            if queue and worth < -queue[0][0] * NEARLY_BEST and worth < -stale and reweighed < MAX_REWEIGHED:
                heappush(queue, (-worth, index))
                reweighed += 1
                continue
            misses = reweighed = 0
            self._keep(index, needed)
            order.append(index)
        for entry in missed:
            heappush(queue, entry)
        return order

    def _keep_answers(self, budget: int) -> list[int]:
        """Keep what is most relevant, up to the first that does not fit; return those chosen."""
        relevance = self._candidates.relevance
        least = LEAST_OF_ANSWERS * max((relevance[index] for _, index in self._queue), default=0.0)
        answers = [index for _, index in self._queue if relevance[index] >= least] if budget else []
        order: list[int] = []
        for index in sorted(answers, key=lambda index: (-relevance[index], index)):
            needed = self._tokens_needed(index)
            if index in self.kept or self._worth(index, needed) <= 0 or self._is_said(index):
                continue
            if self.tokens + needed > budget:
                break
            self._keep(index, needed)
            order.append(index)
        return order

    def _is_said(self, index: int) -> bool:
        """Whether what is kept says the same already, as the line of a log does that comes again."""
        texts = self._candidates.texts
        return bool(texts) and self._covered[texts[index]] >= self._candidates.relevance[index]

    def restart(self, chosen: Iterable[int]) -> None:
        """Keep only these segments of those chosen so far, with what they require.

        What is given up is no candidate any more; what says something new without it is one again. Others stay in the order that they had.
        """
        covered = self._covered
        self._reward.clear()
        self._covered = [0.0] * len(covered)
        self.kept.clear()
        self._known.clear()
        self.tokens = 0
        self.keep(chosen)
        freed = {at for at, (was, now) in enumerate(zip(covered, self._covered, strict=True)) if now < was}
        self._open = [None] * len(self._open)
        still_idle: list[tuple[float, int]] = []
        for entry in self._idle:
            is_idle = freed.isdisjoint(self._candidates.concepts[entry[1]])
            (still_idle if is_idle else self._queue).append(entry)
        self._idle = still_idle
        heapify(self._queue)

    def keep(self, chosen: Iterable[int]) -> None:
        """Keep these segments, with what they require, before any other is chosen."""
        for index in chosen:
            self._keep(index, self._tokens_needed(index))

    def _tokens_needed(self, index: int) -> int:
        """Return the tokens of a segment and of what it requires, as far as that is not kept yet."""
        costs, kept, required = self.costs, self.kept, self._required[index]
        if not required:
            return costs[index]
        if self._known_with != len(kept):
            self._known.clear()
            self._known_with = len(kept)
        tokens = self._known.get(id(required))
        if tokens is None:
            tokens = self._known[id(required)] = sum([costs[part] for part in required if part not in kept])
        return costs[index] + tokens

    def _first_worth(self, index: int) -> float:
        """Return what a segment adds while nothing is kept: later it adds more only once others paid for what it requires.

        Its own cost alone would be a true upper bound; with that, summaries of a tenth or a twentieth of a text kept a little less.
        """
        candidates = self._candidates
        relevance = candidates.relevance[index]
        gain = relevance * sum(map(candidates.weights.__getitem__, candidates.concepts[index]))
        price = self._price(index, self._tokens_needed(index))
        return float((gain + candidates.diversity * sqrt(relevance)) / price)

    def _worth(self, index: int, needed: int) -> float:
        """Return what a segment adds now for each token; `needed`: its tokens and those of what it requires."""
        covered, weights = self._covered, self._candidates.weights
        relevance = self._candidates.relevance[index]
        still_open = self._open[index]
        if still_open is None:
            still_open = self._candidates.concepts[index]
        news = [concept for concept in still_open if covered[concept] < relevance]
        if len(news) < len(still_open):
            self._open[index] = array("I", news)
        if not news:
            return 0.0
        gain = sum([weights[concept] * (relevance - covered[concept]) for concept in news])
        if gain <= 0:
            return 0.0
        before = self._reward.get(self._sections[index], 0.0)
        gain += self._candidates.diversity * (sqrt(before + relevance) - sqrt(before))
        return float(gain / self._price(index, needed))

    def _price(self, index: int, needed: int) -> float:
        own = self.costs[index]
        return own + SHARE_OF_REQUIREMENTS * (needed - own)

    def _keep(self, index: int, tokens: int) -> None:
        parts = [index, *(part for part in self._required[index] if part not in self.kept)]
        self.tokens += tokens
        self.kept.update(parts)
        relevance, covered = self._candidates.relevance, self._covered
        for part in parts:
            for concept in self._candidates.concepts[part]:
                covered[concept] = max(covered[concept], relevance[part])
            section = self._sections[part]
            self._reward[section] = self._reward.get(section, 0.0) + relevance[part]
