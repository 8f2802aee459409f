"""Words that formats of data give a meaning: keys that name records, levels of logs, classes of generated pages. Data with its
sources: format_words.toml.

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
    people: tuple[str, ...]
    tables: tuple[str, ...]
    cells: tuple[str, ...]
    first_cells: tuple[str, ...]
    head_cells: tuple[str, ...]


@cache
def format_words() -> FormatWords:
    """Return the words; read when the first text needs them."""
    words = tomllib.loads(WORDS.read_text("utf-8"))
    return FormatWords(**{kind: tuple(text.split()) for kind, text in words.items()})
