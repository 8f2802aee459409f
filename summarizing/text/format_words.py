"""Words that formats of data give a meaning: keys that name records, levels of logs. Data with its sources: format_words.toml.

Decides nothing: the modules that read these formats use the words.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

WORDS = Path(__file__).with_name("format_words.toml")


class FormatWords(NamedTuple):
    """The words of each kind; format_words.toml says what they are."""

    naming_keys: tuple[str, ...]
    log_levels: tuple[str, ...]


@cache
def format_words() -> FormatWords:
    """Return the words; read when the first text needs them."""
    words = tomllib.loads(WORDS.read_text("utf-8"))
    return FormatWords(tuple(words["naming_keys"].split()), tuple(words["log_levels"].split()))
