"""The words of a query in a script without spaces, as far as they can be told without a dictionary.

A run is divided at the words that ask for nothing (query_stop_words.txt), and in Japanese where the script changes: words that mean
something are written in kanji or katakana, grammar in hiragana. Does not divide texts: there any two letters stand for a word.
"""

import re
from collections.abc import Sequence
from functools import cache

from summarizing.text.language.stemming import is_unspaced

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
# Behind a single kanji a letter of hiragana is the ending of a verb or an adjective, unless it is a particle.
_PARTICLES = "はをがのにでともへやか"
_WORD = re.compile(
    rf"[{_HAN}]{{2,}}|[{_HAN}](?![{_PARTICLES}])[{_HIRAGANA}]|[{_HAN}]|[{_KATAKANA}]{{2,}}|[^{_HAN}{_HIRAGANA}{_KATAKANA}]{{2,}}"
)
_KATAKANA_RUN = re.compile(rf"[{_KATAKANA}]+")
_HIRAGANA_WORD = re.compile(rf"[{_HIRAGANA}]{{2,}}")


def unspaced_words(runs: Sequence[str], stop_words: frozenset[str]) -> list[str]:
    """Return the words of a query's runs of a script without spaces; those in hiragana where there are no others.

    `stop_words`: those that ask for nothing, of any script.
    """
    if not runs:
        return []
    parts = [part for run in runs for part in _divider(stop_words).split(run)]
    for pattern in (_WORD, _HIRAGANA_WORD):
        if found := [word for part in parts for word in pattern.findall(part)]:
            return found
    return []


def is_one_word(word: str) -> bool:
    """Whether a word is one as a whole, since its letters are syllables (katakana); in others most pairs of letters are words."""
    return _KATAKANA_RUN.fullmatch(word) is not None


@cache
def _divider(stop_words: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of those stop words that are in a script without spaces, the longest first."""
    words = sorted((word for word in stop_words if is_unspaced(word[0])), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))
