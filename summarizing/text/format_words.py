"""Words that formats of data give a meaning: keys that name records, levels of logs, classes of generated pages. Data with its
sources: format_words.toml.

Decides nothing: the modules that read these formats use the words.
"""

from functools import cache
from typing import NamedTuple

from summarizing.text.data_files import table


class FormatWords(NamedTuple):
    """The words of each kind; format_words.toml says what they are."""

    naming_keys: tuple[str, ...]
    log_levels: tuple[str, ...]
    people: tuple[str, ...]
    tables: tuple[str, ...]
    cells: tuple[str, ...]
    first_cells: tuple[str, ...]
    head_cells: tuple[str, ...]
    chat_notices: tuple[str, ...]
    chat_replies: tuple[str, ...]
    image_instructions: tuple[str, ...]
    lisp_forms: tuple[str, ...]


@cache
def format_words() -> FormatWords:
    """Return the words; read when the first text needs them."""
    words = table("text/format_words.toml")
    return FormatWords(
        **{kind: tuple(found.split() if isinstance(found, str) else found) for kind, found in words.items()}
    )
