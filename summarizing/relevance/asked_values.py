"""Which kinds of value a query names: "when" asks for dates, "how much" for amounts.

The words are data: asked_values.toml. What else a query asks for is learnt from the document itself.
"""

import re
from collections.abc import Mapping
from functools import cache

from summarizing.relevance.exclusions import split_query
from summarizing.text.data_files import table
from summarizing.text.language.language_words import languages
from summarizing.text.language.stemming import stem_of, stems_of

WORDS = "relevance/asked_values.toml"

_CURRENCY = "num currency"
_DURATION = "num duration"
_IN_CAPITALS = "*_*"
_FLAG = "flag"
_OPTION = re.compile(r"(?<![^\s\"'`(,])--?+[^\W\d_]")


@cache
def asked_by() -> Mapping[str, frozenset[frozenset[str]]]:
    """Return what asks for facts whose signatures begin so: words and phrases, each as the stems of its words."""
    asked = {
        beginning: frozenset(map(stems_of, words.split()))
        for beginning, words in table(WORDS)["asked_by"].items()
    }
    money = asked.pop(_CURRENCY)
    return asked | {f"num {unit}": money for unit in languages()["units"] if unit != "%"}


def asked_values(query: str) -> Mapping[str, frozenset[str]]:
    """Return the beginnings of the signatures that a query names, each with the stems of the words that name it.

    With an option in it, "options" and "flag" ask for no others: "--retry options" asks what that one does.
    """
    words = stems_of(split_query(query).wanted)
    naming = {
        beginning: frozenset[str]().union(*(phrase for phrase in phrases if phrase <= words))
        for beginning, phrases in asked_by().items()
    }
    if _OPTION.search(query):
        del naming[_FLAG]
    return {beginning: stems for beginning, stems in naming.items() if stems}


def is_asked(signature: str, beginning: str) -> bool:
    """Whether a signature begins with these words: "id CVE-#" with "id", "ident camel" not.

    "num duration" stands for a number with any unit of time, "*_*" for all in capitals ("ERR_*").
    """
    if beginning == _DURATION:
        return signature.startswith("num ") and signature.removeprefix("num ") in _units_of_time()
    if beginning == _IN_CAPITALS:
        return signature.endswith("_*")
    return signature.startswith(beginning) and not signature[len(beginning) :][:1].isalnum()


@cache
def _units_of_time() -> frozenset[str]:
    return frozenset(map(stem_of, table(WORDS)["units_of_time"].split()))
