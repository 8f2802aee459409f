"""Which runs of capitalised words are names, and what of them only begins a sentence or is a German noun.

`Names` reads one text: what may only begin a sentence waits until all of the text has been read. Refuses to find the
runs (summarizing/facts/finding.py), and to know who or what a name stands for.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from summarizing.facts.normalizing import literal
from summarizing.facts.patterns import CAPITALS, LETTER, SMALL, any_of
from summarizing.facts.vocabulary import DETERMINERS, GERMAN, NO_NAMES, STARTERS

# A longer run of capitalised words is a title in capitals, not a name.
MAX_NAME_WORDS = 6

# How much of a text is looked at to learn whether its nouns are capitalised.
LANGUAGE_SAMPLE_CHARS = 200_000

# Rarer than one of its common words in so many characters, a text is not German.
_GERMAN_CHARS_PER_WORD = 150
_GERMAN_NOUN = re.compile(r"(?:ung|heit|keit|schaft|tion|tät|nis|ment|tum|ling|e|en|er|ern|ungen|ungs)\Z")
_GERMAN_ADJECTIVE = ("e", "en", "er", "es", "em")
_DETERMINER = any_of([*DETERMINERS, *map(str.capitalize, DETERMINERS)])
_AFTER_DETERMINER = re.compile(rf"\b(?:{_DETERMINER}) (?:{SMALL}++ )?([{CAPITALS}]{LETTER}++)")
_BEFORE_GERMAN = re.compile(rf"({LETTER}{{1,24}}+) \Z")
_BEFORE_CHARS = 24

# A name at the start of a sentence is one where this follows: "Emberwick's", "Ann and Bert", "Ann said".
_AFTER_NAME = re.compile(
    rf"['’]s\b| (?:and|und|et|&) [{CAPITALS}]| (?:said|says|asked|wrote|replied|agreed|will)\b"
)
_SENTENCE_ENDS = frozenset(".!?:…\n>#*-+•\"'“„«»(")
_CAMEL = re.compile(rf"{SMALL}[{CAPITALS}]")


class Run(NamedTuple):
    """What a run of capitalised words is, wherever it stands."""

    skip: int  # so many characters of its start are no part of it: "When Marla"
    chars: int
    key: str  # empty where it is nothing
    is_term: bool  # like camelCase
    may_begin: bool  # a sentence may just begin so


def is_german(text: str) -> bool:
    """Whether a text's nouns are capitalised and its commas decimal."""
    sample = text[:LANGUAGE_SAMPLE_CHARS]
    return sum(map(sample.count, GERMAN)) * _GERMAN_CHARS_PER_WORD > len(sample)


def read_run(raw: str, stems_of: Callable[[str], str]) -> Run:
    """Return what a run of capitalised words is without the words that only begin a sentence."""
    words = raw.split(" ")
    first = next((index for index, word in enumerate(words) if word.casefold() not in STARTERS), len(words))
    if all(map(NO_NAMES.__contains__, words[first:])):
        first = len(words)
    run = " ".join(words[first:])
    skip = len(raw) - len(run)
    if run[-2:] in ("'s", "’s"):
        run = run[:-2]
    is_single = len(words) - first == 1
    if is_single and _CAMEL.search(run):
        return Run(skip, len(run), literal(run), is_term=True, may_begin=False)
    is_name = len(run) > 2 - run.isalpha() and len(words) - first <= MAX_NAME_WORDS
    may_begin = not first and not (is_single and run.isupper())
    return Run(skip, len(run), stems_of(run) if is_name else "", is_term=False, may_begin=may_begin)


def is_sentence_start(text: str, start: int) -> bool:
    """Whether what comes before a place ends a sentence, or opens a line or a quotation."""
    at = start - 1
    while text[at] in " \t" and at > start - 4:
        at -= 1
    return text[at] in _SENTENCE_ENDS


class German:
    """The nouns of a German text: capitalised, and no names."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nouns = set(_AFTER_DETERMINER.findall(text))

    def is_name(self, start: int, word: str) -> bool:
        """Whether a capitalised word is no common noun: no ending of one, no article or adjective before it."""
        if word in self._nouns or _GERMAN_NOUN.search(word):
            return False
        before = _BEFORE_GERMAN.search(self._text, max(start - _BEFORE_CHARS, 0), start)
        return before is None or not (
            before[1].casefold() in DETERMINERS or before[1].endswith(_GERMAN_ADJECTIVE)
        )


def counted_word(before: str, after: str) -> str:
    """Return the word that a number counts: a title before it ("Port 8007"), what follows ("12 apples"), or what leads to it."""
    word = before if before.isalpha() and len(before) > 2 and before.casefold() not in STARTERS else ""
    if not word[:1].isupper() and len(after) > 2 and after.islower() and after not in STARTERS:
        return after
    return word


def plain_beginnings(text: str, spans: Sequence[tuple[int, int]], names: set[str]) -> Iterator[int]:
    """Yield how much of each run at a sentence's start is no name: 0 of a name, all where nothing shows that it is one.

    A name is what stands inside a sentence too (`names`); no name is what stands somewhere in lower case.
    """
    firsts = [text[start:end].partition(" ")[0] for start, end in spans]
    lower = set(map(str.casefold, firsts)).intersection(text.split())
    for first, (start, end) in zip(firsts, spans, strict=True):
        is_lower = first.casefold() in lower
        if first in names:
            yield 0
        elif len(first) < end - start:
            yield len(first) + 1 if is_lower else 0
        else:
            yield 0 if not is_lower and _AFTER_NAME.match(text, end) else end - start
