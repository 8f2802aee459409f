"""Which kinds of value a query names: "when" asks for dates, "how much" for amounts.

The words are data: asked_values.toml. What else a query asks for is learnt from the document itself.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from summarizing.relevance.exclusions import split_query
from summarizing.text.language_words import languages
from summarizing.text.stemming import stem_of, words_of

WORDS = Path(__file__).with_name("asked_values.toml")

_CURRENCY = "num currency"
_IN_CAPITALS = "*_*"


@cache
def asked_by() -> Mapping[str, frozenset[str]]:
    """Return the stems of the words that ask for facts whose signatures begin so."""
    table = tomllib.loads(WORDS.read_text("utf-8"))
    stems = {beginning: frozenset(map(stem_of, words.split())) for beginning, words in table.items()}
    money = stems.pop(_CURRENCY)
    return stems | {f"num {unit}": money for unit in languages()["units"] if unit != "%"}


def asked_beginnings(query: str) -> tuple[str, ...]:
    """Return the beginnings of the signatures that a query names."""
    words = {stem_of(word) for word in words_of(split_query(query).wanted)}
    return tuple(beginning for beginning, asking in asked_by().items() if not words.isdisjoint(asking))


def is_asked(signature: str, beginning: str) -> bool:
    """Whether a signature begins with these words: "id CVE-#" with "id", "ident camel" not; "ERR_*", like all in capitals, with "*_*"."""
    if beginning == _IN_CAPITALS:
        return signature.endswith("_*")
    return signature.startswith(beginning) and not signature[len(beginning) :][:1].isalnum()
