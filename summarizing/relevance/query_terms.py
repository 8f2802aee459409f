"""A query's words as terms, and which words of a text match them.

Words match by equal stems, as parts of identifiers (`ERR_STREAM_X`, `maxRetryPolicy`), by a long common beginning, as words of
one family have it in any inflected language, or as synonyms.txt says. Does not weigh segments.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from summarizing.relevance.exclusions import split_query
from summarizing.relevance.synonyms import said_instead
from summarizing.relevance.unspaced_queries import is_one_word, unspaced_words
from summarizing.text.data_files import lines
from summarizing.text.language.language_words import language_words, prevailing_language
from summarizing.text.language.stemming import (
    UNSPACED,
    Stems,
    camel_parts,
    is_unspaced,
    stem_of,
    stems_of,
    words_of,
)

# A long hint (a JSON schema) repeats itself: further terms cost time and add no meaning.
MAX_TERMS = 200

# Two words of one family share this many letters at least, and all but a few at their ends: "security", "secure". What they share is
# most of the longer one: "recipe" and "recipient" are no family.
MIN_FAMILY_CHARS = 5
MIN_FAMILY_SHARE = 0.6
MAX_ENDING_CHARS = 4

# What stands between the words of a query as they are written; a comma before a digit may be within a number. A change of script ends
# one: "Redis和Kafka" has two.
_BETWEEN_WORDS = re.compile(
    rf"[\s、，；。]|[,;](?!\d)|(?<=[{UNSPACED}])(?=[^{UNSPACED}])|(?<=[^{UNSPACED}])(?=[{UNSPACED}])"
)

_CAMEL_HUMP = re.compile("[a-z][A-Z]")

# A number of so few digits within something longer (HTTP/2, 3.0.11) says nothing without what it stands beside there.
MAX_SHORT_DIGITS = 2
_LAST_DIGITS = re.compile(r"(?<!\d)\d++\Z")

# Names and abbreviations ("SQLite", "CVEs") say more of what is asked for than the words around them.
NAME_BOOST = 1.6

# The pairs of letters of a word in katakana are syllables: together they weigh no more than so many words.
MOST_OF_SYLLABLES = 2.0

# The weight of a match by family or inside a compound, where one by stem has 1.
FAMILY_WEIGHT = 0.6


# What joins words to the name of a package or a path; what an underscore joins is a name of the text's own.
_JOINTS = frozenset("-/@")
# A version ends a name ("minimatch@10.2.5").
_BEHIND_NAME = re.compile(r"@[\^~]?\d")


Counts = Mapping[int, float]
"""How often a stretch of a text has each term, by the term's number."""


class Match(NamedTuple):
    """A word of a text matches a term of the query: which term, and how certainly (0 to 1)."""

    term: int
    weight: float


class _Term(NamedTuple):
    """A term of a query."""

    word: str
    """What stands in the query for it: a word, a part of a name, or two letters of a script without spaces."""
    in_word: str
    """The word that it is of: where there are no spaces several terms are of one; elsewhere each has its own."""
    as_written: str
    """What it is of between spaces: several are of getValue, v1.2.3 and 2,024; where there are no spaces, its word."""
    boost: float
    """Its weight."""


class QueryTerms:
    """The distinct terms of a query, numbered, and a lookup from words of a text to them."""

    def __init__(self, query: str) -> None:
        wanted, excluded = split_query(query)
        found = [(word, run) for run in _BETWEEN_WORDS.split(wanted) for word in words_of(run)]
        known = _terms_of(found, _asking_for_nothing(query), is_in_capitals=wanted.isupper())
        terms = list(known.values())[:MAX_TERMS]
        self.terms = tuple(known)[:MAX_TERMS]
        """The stems, at most MAX_TERMS."""
        self.words = tuple(term.word for term in terms)
        """What stands in the query for each term."""
        self.in_words = tuple(term.in_word for term in terms)
        """The word that each term is of."""
        self.as_written = tuple(term.as_written for term in terms)
        """What each term is of between spaces."""
        self.boosts = tuple(term.boost for term in terms)
        """The weight of each term."""
        self.in_names = frozenset(
            number for number, word in enumerate(self.words) if not _stands_alone(query, word)
        )
        """The terms that the query itself has in names alone ("KX-77")."""
        self.excluded = frozenset(map(stem_of, excluded)).difference(known)
        """The stems of what is not asked for: "other than MIT"."""
        self._keywords = {
            stem: Match(number, 1.0) for number, stem in enumerate(self.terms) if _is_capital(stem)
        }
        """Words such as MUST and WHERE, which ask for nothing in small letters: they match capitals alone."""
        self._number = _numbers(self.terms, wanted)
        self.within = _short_numbers(self._number, found)
        """Of the terms that are short numbers within something longer, where they are found: "2" of HTTP/2 beside "HTTP"."""
        self._joined = _joined(self._number, found)
        self._single = frozenset(stem for stem in self.terms if len(stem) == 1 and is_unspaced(stem))
        self._families = _families(self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def excludes(self, word: str) -> bool:
        """Whether a word of a text is one that the query excludes."""
        return any(stem_of(part) in self.excluded for part in _parts(word))

    def matches(self, words: Collection[str], stems: Stems | None = None) -> dict[str, tuple[Match, ...]]:
        """Return those of the words that match a term, each with the terms that it matches; `stems`: those that are known already."""
        known = stems.known if stems else {}
        numbers, families, has_more = self._number, self._families, bool(self._joined or self._single)
        found: dict[str, tuple[Match, ...]] = {}
        for word in words:
            stem = known.get(word) or stem_of(word)
            is_likely = stem in numbers or stem[:MIN_FAMILY_CHARS] in families
            # Most words are in small letters and match nothing: looking here saves the call.
            may_match = is_likely or (not word.islower() and _may_have_parts(word))
            if may_match or (has_more and self._has_more(word)):
                best = self._of_word(word, known)
                if best:
                    found[word] = tuple(Match(*item) for item in best.items())
        return found | {word: (match,) for word, match in self._keywords.items() if word in words}

    def _has_more(self, word: str) -> bool:
        """Whether a word is one that texts write for two of the query, or has a single letter that it asks for."""
        is_joined = bool(self._joined) and word.casefold() in self._joined
        return is_joined or (bool(self._single) and not self._single.isdisjoint(word))

    def _of_word(self, word: str, known: Mapping[str, str]) -> dict[int, float]:
        """Return the terms that a word matches, each with how certainly."""
        best: dict[int, float] = {}
        for part in _parts(word):
            stem = known.get(part) or stem_of(part)
            number = self._number.get(stem)
            if number is not None:
                best[number] = 1.0
                continue
            for other in self._families.get(stem[:MIN_FAMILY_CHARS], ()):
                if _is_family(stem, self.terms[other]):
                    best.setdefault(other, FAMILY_WEIGHT)
        best |= dict.fromkeys(self._joined.get(word.casefold(), ()), 1.0)
        for letter in self._single.intersection(word):
            best.setdefault(self._number[letter], FAMILY_WEIGHT)
        return best


def _asking_for_nothing(query: str) -> frozenset[str]:
    """Return the words that ask for nothing in a query."""
    stop_words = query_stop_words(prevailing_language(map(str.casefold, words_of(query))))
    return stop_words | json_schema_words() if "{" in query else stop_words


def _terms_of(
    found: Iterable[tuple[str, str]], asks_for_nothing: frozenset[str], *, is_in_capitals: bool
) -> dict[str, _Term]:
    """Return the terms of a query by their stems.

    `found`: its words, each with what it is of between spaces. A word that asks for nothing is a term in capitals, unless all are.
    """
    terms: dict[str, _Term] = {}
    unspaced = [word for word, _ in found if is_unspaced(word[0])]
    spaced = [(word, run) for word, run in found if not is_unspaced(word[0])]
    for word, run in [*spaced, *((word, "") for word in unspaced_words(unspaced, asks_for_nothing))]:
        for part in _parts(word):
            is_keyword = part.casefold() in asks_for_nothing
            if not is_keyword or (_is_capital(part) and not is_in_capitals):
                stem = part if is_keyword else stem_of(part)
                in_word = word if is_one_word(word) else part
                terms.setdefault(stem, _Term(part, in_word, run or in_word, _boost(part, word)))
    return terms


@cache
def query_stop_words(language: str = "") -> frozenset[str]:
    """Return the words of a query that ask for nothing by themselves: function words, and those of query_stop_words.txt.

    `language`: the query's, if it is known: the German for "was" is what another query asks for ("the war").
    """
    words = language_words()
    return _words_of_file("relevance/query_stop_words.txt") | words.function_words.get(
        language, words.grammar
    )


@cache
def json_schema_words() -> frozenset[str]:
    """Return the words that any JSON Schema has; a query in plain words asks for them ("packages with priority required")."""
    return _words_of_file("relevance/json_schema_words.txt")


def _words_of_file(name: str) -> frozenset[str]:
    return frozenset(word for line in lines(name) for word in line.split())


def _may_have_parts(word: str) -> bool:
    """Whether a word with letters that are not small may be a compound name, or longer than a pair of letters of a script without spaces."""
    if word.isascii() and (word.isdecimal() or word.isupper()):
        return False
    return len(word) > 2 and (is_unspaced(word[0]) or _CAMEL_HUMP.search(word) is not None)


def _parts(word: str) -> list[str]:
    """Return a word and, of a compound name like maxRetryPolicy, its parts too; of a script without spaces pairs of letters."""
    # Most words are in small letters, or digits: the cheap tests first.
    if word.islower() or (word.isascii() and (word.isdecimal() or word.isupper())):
        return [word]
    if _CAMEL_HUMP.search(word):
        return [word, *camel_parts(word)]
    if len(word) > 2 and not word.isascii() and is_unspaced(word[0]):
        return [word[at : at + 2] for at in range(len(word) - 1)]
    return [word]


def _boost(part: str, word: str) -> float:
    """Return the weight of a part of a word as a term."""
    if _is_name(part):
        return NAME_BOOST
    return min(1.0, MOST_OF_SYLLABLES / (len(word) - 1)) if is_one_word(word) and len(word) > 1 else 1.0


def _is_name(word: str) -> bool:
    """Whether a word is written as a name or an abbreviation."""
    return not word.islower() and word.isascii()


def _is_capital(word: str) -> bool:
    """Whether a word is of two capital letters or more."""
    return len(word) > 1 and word.isalpha() and word.isupper()


def _is_family(one: str, other: str) -> bool:
    """Whether two stems share all but a few letters at their ends."""
    short, long = sorted((one, other), key=len)
    common = MIN_FAMILY_CHARS
    while common < len(short) and short[common] == long[common]:
        common += 1
    endings = len(short) - common <= MAX_ENDING_CHARS // 2 and len(long) - common <= MAX_ENDING_CHARS
    return endings and common >= MIN_FAMILY_SHARE * len(long)


def _numbers(stems: Sequence[str], query: str) -> dict[str, int]:
    """Return the numbers of terms by their stems, and by those of what texts say in place of the query's words."""
    numbers = {stem: number for number, stem in enumerate(stems)}
    for stem, asking in said_instead(stems_of(query)).items():
        if standing := [numbers[word] for word in asking if word in stems]:
            numbers.setdefault(stem, min(standing))
    return numbers


def _families(stems: Iterable[str]) -> dict[str, list[int]]:
    """Return the numbers of terms by the letters that words of their family begin with."""
    families: dict[str, list[int]] = defaultdict(list)
    for number, stem in enumerate(stems):
        if len(stem) >= MIN_FAMILY_CHARS:
            families[stem[:MIN_FAMILY_CHARS]].append(number)
    return families


def _short_numbers(
    numbers: Mapping[str, int], found: Iterable[tuple[str, str]]
) -> dict[int, re.Pattern[str]]:
    """Return for each term that is a short number, and nowhere by itself in the query, what is found in its place.

    `numbers`: of the terms; `found`: the words of the query, each with what it is of between spaces.
    """
    places: dict[str, set[str]] = defaultdict(set)
    alone: set[str] = set()
    for run in dict.fromkeys(run for _, run in found):
        words = words_of(run)
        for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
            if not word.isdecimal() or len(word) > MAX_SHORT_DIGITS:
                continue
            if len(words) == 1:
                alone.add(word)
            if before:
                digits = _LAST_DIGITS.search(before)
                places[word].add(rf"{re.escape(digits[0] if digits else before)}\W{{0,2}}{word}")
            if after:
                places[word].add(rf"{word}\W{{0,2}}{re.escape(after)}")
    return {
        numbers[word]: re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(beside))})(?![^\W_])", re.IGNORECASE)
        for word, beside in places.items()
        if word in numbers and word not in alone
    }


def _joined(numbers: Mapping[str, int], found: Iterable[tuple[str, str]]) -> dict[str, tuple[int, ...]]:
    """Return names of a word and a number as texts also write them, in one word (sha256 for SHA-256), each with its terms."""
    joined: dict[str, tuple[int, ...]] = {}
    for run in dict.fromkeys(run for _, run in found):
        match words_of(run):
            case [word, number] if word.isalpha() and number.isdecimal():
                terms = [numbers[stem] for stem in map(stem_of, (word, number)) if stem in numbers]
                joined[f"{word}{number}".casefold()] = tuple(terms)
    return joined


def counted(
    text: str, words: Iterable[str], matches: Mapping[str, tuple[Match, ...]], terms: QueryTerms
) -> dict[int, float]:
    """Return how often a text's words match each term of a query; one that stands only in names there counts as one of its family.

    Terms that were asked for as parts of names count whole; short numbers only in their places.
    """
    in_names, within = terms.in_names, terms.within
    counts: dict[int, float] = {}
    shares: dict[str, float] = {}
    for word in words:
        if word not in matches:
            continue
        if word not in shares:  # each word is looked for once, however often it stands there
            shares[word] = 1.0 if _stands_alone(text, word) else FAMILY_WEIGHT
        for term, weight in matches[word]:
            if term in within and not within[term].search(text):
                continue
            counts[term] = counts.get(term, 0.0) + weight * (1.0 if term in in_names else shares[word])
    return counts


def _stands_alone(text: str, word: str) -> bool:
    """Whether a word stands anywhere in a text by itself, not in the name of a package or a path ("http-errors")."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        begins = text[max(0, at - 1) : at] not in _JOINTS
        if begins and (text[end : end + 1] not in _JOINTS or _BEHIND_NAME.match(text, end)):
            return True
        at = text.find(word, end)
    return False
