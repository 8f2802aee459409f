"""The baseline that knows the hint: lines or sentences by their BM25 score for it, the best first, as many as fit.

Okapi BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.4, with its usual
parameters and the weight of a rare word that is never negative (as in Apache Lucene). Words are compared by their stems, which finds
more of the facts here than words as they stand. No model, nothing of this service. Not here: measuring.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

from bench.evaluation.ranking import LANGUAGES, Sentences, fill

K1, B = 1.5, 0.75

Words = Callable[[str], Sequence[str]]

_WORD = re.compile(r"[^\W_]+")


def stems(language: str) -> Words:
    """Return what cuts a text of a language into the stems of its words, with the stemmer that sumy's methods get, too."""
    stem = cache(import_module("sumy.nlp.stemmers").Stemmer(LANGUAGES.get(language, "english")))
    return lambda text: [stem(word) for word in _WORD.findall(text.casefold())]


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


def summarize(
    text: str,
    hint: str,
    targets: Sequence[int],
    count_each: Callable[[Sequence[str]], list[int]],
    words: Words,
    *,
    lines: bool,
) -> list[str]:
    """Return for each target, in tokens, the best lines or sentences that fit it, in the order of the text."""
    cut = Sentences()
    whole = [line for line in text.splitlines() if line.strip()]
    units = whole if lines else [sentence for line in whole for sentence in cut.to_sentences(line)]
    scored = scores(words(hint), list(map(words, units)))
    order = sorted(range(len(units)), key=lambda place: -scored[place])
    ranked = [units[place] for place in order]
    sizes = count_each(ranked)
    chosen = (sorted(order[place] for place in fill(ranked, sizes, target)) for target in targets)
    return ["\n".join(units[place] for place in places) for places in chosen]
