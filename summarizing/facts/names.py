"""Names by their capitals: what of a run of capitalized words is a name, and which capitals only begin a sentence or mark a noun.

As in truecasing (Lita et al. 2003) the first word of a sentence counts by how it is spelled elsewhere. Knows no names.
"""

import re
from functools import cache

from summarizing.facts.fact import Fact
from summarizing.facts.script_letters import capital_inside, capitals, folded, small
from summarizing.facts.value_patterns import title_pattern
from summarizing.facts.value_words import value_words

# A longer run of capitalised words is a title in capitals.
MAX_NAME_WORDS = 6

# With at least one capitalised word inside a sentence per this many characters, capitals mark nouns (as in German) or titles.
CHARS_PER_NOUN = 60
# Fewer different capitalised words prove nothing.
MIN_NOUNS = 6
# How much of a text is looked at for that.
NOUN_SAMPLE_CHARS = 100_000

_POSSESSIVE = re.compile(r"['’]s?\Z")
# This much is split into words at a time: the words of a whole text would take many times its memory.
_BLOCK_CHARS = 65_536


def marks_nouns(text: str) -> bool:
    """Whether a text capitalizes its nouns, as German does, or all words: then a single capitalized word need not be a name."""
    # Indents and line ends have no nouns, and a wrapped line is as good as any other.
    sample = " ".join(text[:NOUN_SAMPLE_CHARS].split())
    nouns = _noun_pattern().findall(sample)
    return len(nouns) * CHARS_PER_NOUN > len(sample) and len(set(nouns)) >= MIN_NOUNS


def name_in(raw: str) -> tuple[int, int, str, str]:
    """Return the name in a run of capitalised words: what comes before it, its length, its key, its signature."""
    skip, run = 0, raw
    words_of_grammar = value_words().function_words
    while run and run.partition(" ")[0].casefold() in words_of_grammar:
        skip += len(run.split(" ")[0]) + 1
        run = raw[skip:]
    run = _POSSESSIVE.sub("", run)
    title = _titled().match(run)
    words = folded(run[title.end() :] if title else run).split()
    if len(run) < 2 or not 0 < len(words) <= MAX_NAME_WORDS:
        return skip, 0, "", ""
    signature = _single_signature(run) if len(words) == 1 else f"name {len(words)}"
    return skip, len(run), " ".join(words), f"name {title[1]}" if title else signature


def _single_signature(word: str) -> str:
    if "-" in word:
        return "ident header"
    if word.isupper():
        return "acronym"
    return "ident camel" if _camel().search(word) else "name 1"


@cache
def _camel() -> re.Pattern[str]:
    return re.compile(capital_inside())


@cache
def _titled() -> re.Pattern[str]:
    return re.compile(rf"({title_pattern()})\. ")


@cache
def _noun_pattern() -> re.Pattern[str]:
    return re.compile(rf" (?<={small()} )([{capitals()}]{small()}++)(?![ -][{capitals()}])")


class CapitalizedWords:
    """The facts of a text that are names only by their capitals, by their places in the list of facts."""

    def __init__(self) -> None:
        self._at_start: list[int] = []
        self._singles: list[int] = []

    def add_at_start(self, place: int) -> None:
        """Add a name that may only begin a sentence."""
        self._at_start.append(place)

    def add_single(self, place: int) -> None:
        """Add a single capitalized word inside a sentence."""
        self._singles.append(place)

    def without_false_names(self, facts: list[Fact], text: str) -> list[Fact]:
        """Drop single words at sentence starts that stand nowhere else as names, and all single ones where capitals mark nouns."""
        if not (self._singles or self._at_start):
            return facts
        names = {facts[place].key for place in self._singles}
        are_nouns = len(names) >= MIN_NOUNS and len(self._singles) * CHARS_PER_NOUN > len(text)
        names = set() if are_nouns else names
        lower = _in_lower_case({facts[place].key.partition(" ")[0] for place in self._at_start}, text)
        dropped = set(self._singles) if are_nouns else set()
        for place in self._at_start:
            first, _, rest = facts[place].key.partition(" ")
            is_lone = facts[place].signature == "name 1" and first not in names
            if is_lone or (first in lower and (not rest or (are_nouns and " " not in rest))):
                dropped.add(place)
            elif first in lower:
                facts[place] = _without_first_word(facts[place], rest, text)
        return [fact for place, fact in enumerate(facts) if place not in dropped] if dropped else facts


def _without_first_word(fact: Fact, rest: str, text: str) -> Fact:
    """Return a name without the first word of its sentence."""
    spelled = text[fact.start : fact.end]
    cut = len(spelled) - len(spelled.partition(" ")[2]) if " " in spelled else len(spelled)
    return Fact(fact.start + cut, fact.end, rest, f"name {rest.count(' ') + 1}")


def _in_lower_case(words: set[str], text: str) -> set[str]:
    """Return those that stand somewhere in the text without a capital."""
    found: set[str] = set()
    for at in range(0, len(text) if words else 0, _BLOCK_CHARS):
        found |= words.intersection(text[at : at + _BLOCK_CHARS].split())
    return found
