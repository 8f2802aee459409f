"""Which slices of a long text have words of a query that stand in none before them, as far as a quick look shows.

To have these read first tells early, and without reading anything twice, whether a text has enough of a query. By the letters of the words
alone: a word may be overlooked that is written otherwise (a synonym, a number with marks between its thousands). Does not judge; what was
read is judged in words_found.py.
"""

from collections.abc import Callable
from functools import cached_property

from summarizing.relevance.query_terms import QueryTerms
from summarizing.relevance.words_found import AskedWords, nothing_found
from summarizing.text.language.stemming import SIGNS, blanked, blanks_for, is_unspaced

# Of a long hint only the first terms are looked for: each takes half a millisecond a MB.
MAX_SOUGHT = 50

# A shorter stem is looked for at the beginning of words alone: it is a part of too many others.
MIN_PART_CHARS = 5

_BLANKS = blanks_for(SIGNS)


class FirstPlaces:
    """Looks through the slices of a text, from the first on, for words of a query."""

    def __init__(self, query: str, rarity_of: Callable[[str], float]) -> None:
        """`rarity_of`: how seldom a word is used anywhere."""
        self._query = query
        self._rarity_of = rarity_of
        self._rarity: list[float] = []

    @cached_property
    def _sought(self) -> dict[str, float]:
        """The letters to look for, each with the rarity of its word; made on demand, since of a long query that takes 10 ms."""
        terms = QueryTerms(self._query)
        asked = AskedWords(terms, self._rarity_of)
        if not nothing_found(asked).is_unrelated:
            return {}  # as of one word: whatever a text has, it is not about something else
        words = zip(terms.terms[:MAX_SOUGHT], terms.in_words, strict=False)
        return {_letters(stem): asked.rarity[word] for stem, word in words}

    def __bool__(self) -> bool:
        """Whether there is anything left to look for."""
        return bool(self._sought)

    def look(self, text: str) -> None:
        """Look through the next slice."""
        shown = f" {blanked(text, _BLANKS).lower()}"
        found = [letters for letters in self._sought if letters in shown]
        self._rarity.append(sum(map(self._sought.pop, found)))

    def order(self, count: int) -> list[int]:
        """Return the numbers of `count` slices: first those with the most of such words, the rarer the more they count."""
        rarity = [*self._rarity, *[0.0] * (count - len(self._rarity))]
        return sorted(range(count), key=lambda number: -rarity[number])


def _letters(stem: str) -> str:
    """Return what words of a stem have in common, as it stands in a text without signs."""
    if is_unspaced(stem[0]):
        return stem
    beginning = stem.removesuffix("y")  # "city", "cities"
    return beginning if len(stem) >= MIN_PART_CHARS else f" {beginning}"
