"""The words that sentences are told apart by: abbreviations, words that refer back or announce. Data: language_words.toml.

Refuses to decide anything: sentence_spans.py and document_builder.py use the words.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WORDS = Path(__file__).with_name("language_words.toml")


@dataclass(frozen=True)
class LanguageWords:
    """The words of each kind; language_words.toml says what they are."""

    abbreviations: frozenset[str]
    referring: frozenset[str]
    referring_unspaced: tuple[str, ...]
    announcing: frozenset[str]
    announcing_unspaced: tuple[str, ...]
    german: tuple[str, ...]
    english: tuple[str, ...]


@cache
def language_words() -> LanguageWords:
    """Return the words; read when the first text needs them."""
    words = {kind: tuple(listed.split()) for kind, listed in tomllib.loads(WORDS.read_text("utf-8")).items()}
    return LanguageWords(
        abbreviations=frozenset(words["abbreviations"]),
        referring=frozenset(words["referring"]),
        referring_unspaced=words["referring_unspaced"],
        announcing=frozenset(words["announcing"]),
        announcing_unspaced=words["announcing_unspaced"],
        german=words["german"],
        english=words["english"],
    )
