"""What is known of languages: abbreviations, months, function words, words that refer back or announce.

Data: languages_generated.toml, languages_by_hand.toml.

Decides nothing but which language prevails: sentence_spans.py, document_builder.py and summarizing/facts use the words.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import Any

from summarizing.text.data_files import table


@dataclass(frozen=True)
class LanguageWords:
    """The words of each kind; the two files say what they are."""

    abbreviations: frozenset[str]
    """After their full stop a sentence goes on; after that of `number_abbreviations` before a number alone."""
    number_abbreviations: frozenset[str]
    referring: frozenset[str]
    referring_phrases: frozenset[str]
    referring_unspaced: tuple[str, ...]
    pronouns: frozenset[str]
    demonstratives: frozenset[str]
    denying: frozenset[str]
    pointing: frozenset[str]
    places: frozenset[str]
    announcing: frozenset[str]
    announcing_unspaced: tuple[str, ...]
    summarizing: frozenset[str]
    installing: frozenset[str]
    using: frozenset[str]
    meeting: frozenset[str]
    deciding: re.Pattern[str]
    """What a sentence of minutes has that tells what was decided."""
    function_words: Mapping[str, frozenset[str]]
    """By language."""
    only_in: Mapping[str, frozenset[str]]
    """The function words that a language has alone."""
    dotted_ordinals: frozenset[str]
    """Languages that write ordinals as numbers with a full stop."""
    months_after_ordinals: tuple[str, ...]
    """The months of these languages, with capitals."""

    @cached_property
    def grammar(self) -> frozenset[str]:
        """The function words of all languages."""
        return frozenset(chain.from_iterable(self.function_words.values()))


def languages() -> Mapping[str, Any]:
    """Return what was made from published data."""
    return table("text/language/languages_generated.toml")


@cache
def language_words() -> LanguageWords:
    """Return the words; read when the first text needs them."""
    words, made = table("text/language/languages_by_hand.toml"), languages()
    more = words["more_function_words"]
    function_words = {
        language: frozenset(f"{listed} {more.get(language, '')}".split())
        for language, listed in made["function_words"].items()
    }
    return LanguageWords(
        abbreviations=frozenset(words["abbreviations"].split()),
        number_abbreviations=frozenset(made["number_abbreviations"].split()),
        referring=frozenset(words["referring"].split()),
        referring_phrases=frozenset(words["referring_phrases"]),
        referring_unspaced=tuple(words["referring_unspaced"].split()),
        pronouns=frozenset(words["pronouns"].split()),
        demonstratives=frozenset(words["demonstratives"].split()),
        denying=frozenset(words["denying"].split()),
        pointing=frozenset(words["pointing"].split()),
        places=frozenset(words["places"].split()),
        announcing=frozenset(words["announcing"].split()),
        announcing_unspaced=tuple(words["announcing_unspaced"].split()),
        summarizing=frozenset(words["summarizing"].split()),
        installing=frozenset(words["installing"].split()),
        using=frozenset(words["using"].split()),
        meeting=frozenset(words["meeting"].split()),
        deciding=_deciding(words["deciding"], words["decision_labels"]),
        function_words=function_words,
        only_in=_told_apart(function_words),
        dotted_ordinals=frozenset(made["dotted_ordinals"].split()),
        months_after_ordinals=_months_after_ordinals(made),
    )


def _months_after_ordinals(made: Mapping[str, Any]) -> tuple[str, ...]:
    months = chain.from_iterable(made["months"][language] for language in made["dotted_ordinals"].split())
    return tuple(name.capitalize() for names in months for name in names.split())


def _deciding(words: str, labels: str) -> re.Pattern[str]:
    of_words, of_labels = ("|".join(listed.split()) for listed in (words, labels))
    return re.compile(rf"\b(?:{of_words})\b|\A[-*_> ]{{0,9}}+(?:{of_labels})[*_]{{0,3}}:", re.IGNORECASE)


def _told_apart(words: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    times = Counter(chain.from_iterable(words.values()))
    return {
        # A single letter is mostly what is left of an elided word, or no word at all.
        language: frozenset(word for word in listed if times[word] == 1 and len(word) > 1)
        for language, listed in words.items()
    }


def prevailing_language(words: Iterable[str]) -> str:
    """Return the language that most function words belong to; "" where none has more than the others."""
    times = Counter(words)
    counts = {
        language: sum(map(times.__getitem__, known)) for language, known in language_words().only_in.items()
    }
    best, next_best = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    return best if counts[best] > counts[next_best] else ""


def function_words_of(words: Iterable[str]) -> frozenset[str]:
    """Return the function words of the language that prevails among words; of all languages where none does."""
    known = language_words()
    return known.function_words.get(prevailing_language(words), known.grammar)
