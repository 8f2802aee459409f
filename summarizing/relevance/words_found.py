"""Which words of a query a text has, and whether these are enough for it to be about that.

What is found in the parts of a text can be put together: a long text is read in slices, and may have each word in another one. Pure. Scores
no segments: bm25f.py does.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import zip_longest
from math import log1p

from summarizing.relevance.query_terms import Counts, QueryTerms
from summarizing.text.language.stemming import words_of

# A text has enough of a query with this share of its words: where some stand in one segment, where none do, and for a query of one or two words.
# The words of an unrelated query occur singly, far from one another; most of those that do are common ones ("first", "time").
LEAST_SHARE = 0.2
LEAST_SHARE_APART = 0.6
LEAST_SHARE_OF_FEW = 0.5
FEW_WORDS = 2

# With fewer of them too where those run through the text, as the words of its subject do. Spread: the mean, weighted by rarity, of
# log(1 + segments with the word), relative to a word in every segment; at least .15.
# From .15 to .2 both kinds of error are rarer than with half of the words alone, on both sets of documents that this was chosen with
# (docs/experiments.md).
LEAST_SPREAD = 0.15
# In a text of fewer segments a word that occurs once would run through it. Not measured: the documents have more.
FEW_SEGMENTS = 8

# Two words stand together only where the commoner of them is not one that any text has: "type" and "2" say nothing.
LEAST_RARITY_BESIDE = 1.5

# Of a word in katakana more than this share of its pairs of letters stand in one segment; fewer are syllables of other words.
LEAST_SHARE_OF_LETTERS = 0.5

# One word of a question that a text does not have may be said there in another: two people name a thing by the same word less than once in five
# times (Furnas, Landauer, Gomez and Dumais, "The Vocabulary Problem in Human-System Communication", 1987). So of a query of a few words two must
# be missing; of a longer one, whose other words tell more, one.
LEAST_MISSING = 2

# What stands around a word of a query, and is none of its own; and what joins the words of a hint in JSON.
EDGES = "\"'“”„«»「」()[]{}<>,;:!?。、，"
# A status, a port, a ticket: it says what a text is about even where no other word of the query does, as in a log. A year does not.
_REFERENCE = re.compile(r"(?!(?:19|20)\d\d\Z)\d{3,12}\Z")
_JSON_SIGNS = frozenset('{}[]"')


class AskedWords:
    """The words of a query, and what each counts for."""

    def __init__(self, terms: QueryTerms, rarity_of: Callable[[str], float]) -> None:
        """`rarity_of`: how seldom a word is used anywhere."""
        # Where there are no spaces two letters stand for a word.
        self.counted = {word: (pairs + 2) // 2 for word, pairs in Counter(terms.in_words).items()}
        """For how many words each counts."""
        self.rarity = {word: count * rarity_of(word) for word, count in self.counted.items()}
        """The same, and rare words for more."""
        self.as_written = tuple(zip(terms.in_words, terms.as_written, strict=True))
        """Each word with what it is of between spaces, in the query's order."""


@dataclass(frozen=True, slots=True)
class WordsFound:
    """The words of a query that a text has, or several parts of one together."""

    asked: AskedWords
    present: Mapping[str, float]
    """The words that occur, each with a weight of at most 1: which share of its parts one segment has at most, and how certainly."""
    named: frozenset[str]
    """The words that do not, but name a kind of value that does: "percentages", where there is "12 %"."""
    are_together: bool
    """Whether two of the words stand in one segment and what it hangs on."""
    having: Mapping[str, int]
    """How many segments have each of the words that occur."""
    segments: int
    """How many there are."""

    def with_those_in(self, other: "WordsFound") -> "WordsFound":
        """Return what was found here and in another part of the text; both of the same query."""
        present = dict(self.present)
        for word, share in other.present.items():
            present[word] = max(share, present.get(word, 0.0))
        named = (self.named | other.named).difference(present)
        return WordsFound(
            asked=self.asked,
            present=present,
            named=named,
            are_together=self.are_together or other.are_together,
            having=Counter(self.having) + Counter(other.having),
            segments=self.segments + other.segments,
        )

    @property
    def occur(self) -> bool:
        """Whether any word occurs, or a value in place of one."""
        return bool(self.present or self.named)

    @property
    def is_unrelated(self) -> bool:
        """Whether it can be said that the text is about something else."""
        known = self._known
        written = {run for _, run in self.asked.as_written}
        missing = written.difference(run for word, run in self.asked.as_written if word in known)
        least = 1 if self.present and len(written) > FEW_WORDS else LEAST_MISSING
        return len(missing) >= least and not self._are_enough()

    @property
    def names(self) -> tuple[str, ...]:
        """The words that occur, as they are written in the query; of one with several parts (getValue) those parts alone that do."""
        parts = defaultdict[str, list[str]](list)
        for word, run in self.asked.as_written:
            parts[run].append(word)
        whole = {run for run, words in parts.items() if self.present.keys() >= set(words)}
        found = (
            run.strip(EDGES) if run in whole and _JSON_SIGNS.isdisjoint(run.strip(EDGES)) else word
            for word, run in self.asked.as_written
            if word in self.present
        )
        return tuple(dict.fromkeys(found))

    @property
    def _known(self) -> set[str]:
        return {*self.present, *self.named}

    def _are_enough(self) -> bool:
        """Whether enough of the words occur, the rarer the more they count, and some of them together or all through the text."""
        if not self.present:
            return False
        if self._have_reference():
            return True
        if len(self.asked.counted) <= FEW_WORDS:
            return self._are_enough_of_few()
        if self.are_together:
            return self._are_enough_together()
        return self._are_enough_apart() or self._run_through_the_text()

    def _have_reference(self) -> bool:
        """Whether a number occurs that says by itself what the text is about."""
        return any(
            word in self.present and _REFERENCE.match(run.strip(EDGES)) for word, run in self.asked.as_written
        )

    def _are_enough_of_few(self) -> bool:
        counted = self.asked.counted
        weights = (counted[word] * share for word, share in self.present.items())
        return sum(weights) >= LEAST_SHARE_OF_FEW * sum(counted.values())

    def _are_enough_together(self) -> bool:
        found = sum(map(self.asked.rarity.__getitem__, self.present))
        return found >= LEAST_SHARE * self._weight_of_subject()

    def _are_enough_apart(self) -> bool:
        return sum(self._weights().values()) >= LEAST_SHARE_APART * self._weight_of_subject()

    def _run_through_the_text(self) -> bool:
        spread = sum(weight * log1p(self.having[word]) for word, weight in self._weights().items())
        in_every_segment = log1p(max(self.segments, FEW_SEGMENTS))
        return spread >= LEAST_SPREAD * self._weight_of_subject() * in_every_segment

    def _weights(self) -> dict[str, float]:
        """Return the words that occur, each with its rarity as far as it does."""
        return {word: self.asked.rarity[word] * share for word, share in self.present.items()}

    def _weight_of_subject(self) -> float:
        """Return the rarity of all words but those that name a value, as "percentages" does: they are no subject."""
        return sum(weight for word, weight in self.asked.rarity.items() if word not in self.named)


def nothing_found(asked: AskedWords) -> WordsFound:
    """Return that a text has none of the words."""
    return WordsFound(asked, {}, frozenset(), are_together=False, having={}, segments=0)


def found_together(parts: Sequence[WordsFound]) -> WordsFound:
    """Return what was found in all parts of a text, of which there is one at least."""
    return reduce(WordsFound.with_those_in, parts)


def words_found(
    asked: AskedWords,
    words_of_terms: Sequence[Collection[str]],
    own: Sequence[Counts],
    above: Sequence[Counts],
    *,
    named: Iterable[int],
    by_value: Sequence[Collection[int]],
) -> WordsFound:
    """Return which words a document has.

    `words_of_terms`: of each term, the words that it is of; `own` and `above`: of each segment, the terms that it has and those of what it
    hangs on; `named`: the terms that do not occur, but a value of the kind that they name; `by_value`: of each segment, those whose
    value it has, or nothing where there are none.
    """
    parts = Counter(word for words in words_of_terms for word in words)
    present: dict[str, float] = {}
    having = Counter[str]()
    for counts in own:
        for word, share in _shares(counts, words_of_terms, parts).items():
            present[word] = max(share, present.get(word, 0.0))
            having[word] += 1
    in_place = frozenset(word for term in named for word in words_of_terms[term])
    rarity = {word: asked.rarity[word] for word in in_place.union(present)}
    are_together = any(
        (counts or hung_on) and _have_two((*counts, *hung_on, *valued), words_of_terms, rarity)
        for counts, hung_on, valued in zip_longest(own, above, by_value, fillvalue=())
    )
    return WordsFound(asked, present, in_place.difference(present), are_together, having, len(own))


def asked_words_of(terms: QueryTerms, asked: AskedWords, written: Mapping[str, str]) -> list[Collection[str]]:
    """Return for each term of a query which words it is of as they were asked for; `written`: the numbers that the text writes otherwise."""
    if not written:
        return [(word,) for word in terms.in_words]
    numbers = defaultdict[str, list[str]](list)
    for number, in_text in written.items():
        for part in words_of(in_text):
            numbers[part] += words_of(number)
    return [
        [asked_for for asked_for in dict.fromkeys((word, *numbers[word])) if asked_for in asked.counted]
        for word in terms.in_words
    ]


def _shares(
    counts: Counts, words_of_terms: Sequence[Collection[str]], parts: Mapping[str, int]
) -> dict[str, float]:
    """Return the words that a segment has, or most of their letters, with the share of these."""
    shares: dict[str, float] = {}
    for term, count in counts.items():
        for word in words_of_terms[term]:
            shares[word] = shares.get(word, 0.0) + min(count, 1.0) / parts[word]
    return {
        word: share for word, share in shares.items() if parts[word] == 1 or share > LEAST_SHARE_OF_LETTERS
    }


def _have_two(
    terms: Sequence[int], words_of_terms: Sequence[Collection[str]], rarity: Mapping[str, float]
) -> bool:
    """Whether a segment and what it hangs on have two words, of which the commoner one is none that any text has.

    `terms`: that they have; `rarity`: of the words that the document has, or values in place of them.
    """
    if len(terms) < 2:
        return False
    words = {word for term in terms for word in words_of_terms[term]}.intersection(rarity)
    return sum(sorted(map(rarity.__getitem__, words))[:-1]) >= LEAST_RARITY_BESIDE
