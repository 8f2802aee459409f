"""Four published methods to compare ours with, given the same units of a text, the same hint and the same room.

BM25 picks the lines that score best for the hint: Okapi BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
and Beyond", 2009, section 3.4, with its usual parameters and the weight of a rare word that is never negative. Lead takes a text's start.
LexRank: Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization", 2004 (continuous, damping .85).
TextRank: Mihalcea and Tarau, "TextRank: Bringing Order into Texts", 2004. Neither lead, LexRank nor TextRank knows the hint.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

K1, B = 1.5, 0.75

DAMPING = 0.85
STEPS = 40

# The graph methods see at most this many units of a text: their cost is quadratic.
MOST_UNITS = 6_000

STEMMERS = {"de": "german", "fr": "french", "es": "spanish"}
UNSTEMMED = frozenset({"ja"})

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

Words = Callable[[str], list[str]]
Order = Sequence[int]
"""The places of a text's units, the best first."""


def words_of(language: str) -> Words:
    """Return what cuts a text of a language into the stems of its words; in Chinese and Japanese, pairs of characters."""
    stem = _stemmer(language)

    def words(text: str) -> list[str]:
        found: list[str] = []
        for word in _WORD.findall(text.casefold()):
            if _UNSPACED.search(word):
                found += [word[at : at + 2] for at in range(len(word) - 1)]
            else:
                found.append(stem(word))
        return found

    return words


def _stemmer(language: str) -> Callable[[str], str]:
    if language in UNSTEMMED:
        return str
    snowball = import_module("nltk.stem.snowball").SnowballStemmer(STEMMERS.get(language, "english"))
    return cache(snowball.stem)


def bm25(units: Sequence[str], query: str, words: Words) -> Order:
    """Order units by how well they answer a query."""
    scored = scores(words(query), list(map(words, units)))
    return sorted(range(len(units)), key=lambda place: -scored[place])


def scores(query: Sequence[str], units: Sequence[Sequence[str]]) -> list[float]:
    """Return how well each unit, a list of words, answers a query."""
    counts = list(map(Counter, units))
    mean = sum(map(len, units)) / max(len(units), 1) or 1.0
    found = Counter(word for count in counts for word in count)
    rarity = {
        word: math.log(1 + (len(units) - found[word] + 0.5) / (found[word] + 0.5)) for word in set(query)
    }

    def score(count: Counter[str], length: int) -> float:
        damped = K1 * (1 - B + B * length / mean)
        return sum(
            weight * count[word] * (K1 + 1) / (count[word] + damped) for word, weight in rarity.items()
        )

    return [score(count, len(unit)) for count, unit in zip(counts, units, strict=True)]


def lead(units: Sequence[str], query: str, words: Words) -> Order:
    """Order units as the text has them."""
    return range(len(units))


def lexrank(units: Sequence[str], query: str, words: Words) -> Order:
    """Order units by their centrality: similar to many that are similar to many, by the cosine of tf-idf."""
    numpy = import_module("numpy")
    counts = [Counter(words(unit)) for unit in units[:MOST_UNITS]]
    matrix = _matrix(numpy, counts)
    found = (matrix > 0).sum(axis=0)
    matrix *= numpy.log(len(counts) / numpy.maximum(found, 1)) + 1e-9
    matrix /= numpy.maximum(numpy.sqrt((matrix * matrix).sum(axis=1, keepdims=True)), 1e-9)
    return _ranked(numpy, matrix @ matrix.T, len(units))


def textrank(units: Sequence[str], query: str, words: Words) -> Order:
    """Order units by their centrality: shared words, by the logarithms of their lengths."""
    numpy = import_module("numpy")
    counts = [Counter(words(unit)) for unit in units[:MOST_UNITS]]
    present = (_matrix(numpy, counts) > 0).astype("float32")
    lengths = numpy.array([math.log(1 + sum(count.values())) for count in counts], dtype="float32")
    similar = present @ present.T
    similar /= numpy.maximum(lengths[:, None] + lengths[None, :], 1e-9)
    numpy.fill_diagonal(similar, 0)
    return _ranked(numpy, similar, len(units))


def _matrix(numpy: Any, counts: Sequence[Counter[str]]) -> Any:
    columns = {word: at for at, word in enumerate(dict.fromkeys(word for count in counts for word in count))}
    matrix = numpy.zeros((len(counts), max(len(columns), 1)), dtype="float32")
    for row, count in enumerate(counts):
        for word, times in count.items():
            matrix[row, columns[word]] = times
    return matrix


def _ranked(numpy: Any, similar: Any, units: int) -> Order:
    sums = similar.sum(axis=1, keepdims=True)
    similar /= numpy.maximum(sums, 1e-9)
    rank = numpy.full(len(similar), 1 / max(len(similar), 1), dtype="float32")
    for _ in range(STEPS):
        rank = (1 - DAMPING) / len(similar) + DAMPING * (similar.T @ rank)
    order = numpy.argsort(-rank, kind="stable").tolist()
    return [*order, *range(len(order), units)]


METHODS: dict[str, Callable[[Sequence[str], str, Words], Order]] = {
    "BM25": bm25,
    "lead": lead,
    "LexRank": lexrank,
    "TextRank": textrank,
}


def fill(units: Sequence[str], sizes: Sequence[int], order: Order, target: int) -> str:
    """Return the best units that fit a target together, in the order of the text; what is too long is passed over."""
    chosen: list[int] = []
    room = target
    for place in order:
        # One more for the line end between two.
        if sizes[place] + 1 <= room:
            chosen.append(place)
            room -= sizes[place] + 1
        if room < 2:
            break
    return "\n".join(units[place] for place in sorted(chosen))
