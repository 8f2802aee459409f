"""What form lines have that are data or code as a whole: a diff, CSV, a log, configuration, source code.

Pure; judges a sample of evenly spread lines by the share that look so. How each form is read stands in the module of that form.
"""

import re
from collections.abc import Callable, Sequence

from summarizing.text import listings, tables, trees
from summarizing.text.building import Builder
from summarizing.text.config_trees import is_config, put_config
from summarizing.text.diffs import is_diff, put_diff
from summarizing.text.lines import SAMPLE_LINES, Line, item_mark, looks_like_code, looks_like_prose, share

# In XML at least this share of the lines are elements.
MIN_TAGS = 0.7

_COMMENT = re.compile(r"[#;]|//|/\*|\*")

Put = Callable[[Builder, Sequence[Line], int], None]


def is_code(lines: Sequence[Line]) -> bool:
    """Whether more lines look like code than like prose; comments count as neither."""
    plain = [line for line in lines[:SAMPLE_LINES] if not (_COMMENT.match(line.text) or item_mark(line.text))]
    code = share(looks_like_code, plain)
    return code >= 0.25 and code > share(lambda text: looks_like_prose(text) or text[-1] == ".", plain)


def form_of(text: str, lines: Sequence[Line]) -> Put | None:
    """Return how lines that are data or code as a whole are read; None where they are text."""
    if is_diff(lines):
        return put_diff
    if tables.delimiter_of(text, lines):
        return tables.put_csv
    sample = lines[:: max(1, len(lines) // SAMPLE_LINES)]
    if not sample:
        return None
    outer = [line for line in sample if line.indent == 0]
    if len(outer) >= 2 and share(listings.is_stamped, outer) >= 0.4 and not _is_change_log(sample):
        return listings.put_log
    if is_config(sample):
        return put_config
    return trees.put_code if is_code(sample) or share(_is_tag, sample) >= MIN_TAGS else None


def _is_tag(text: str) -> bool:
    return text[0] == "<" and text[-1] == ">"


# In a change log at least this share of the indented lines is prose or items, and more where they are few; in a log indented lines are traces.
_MIN_PROSE = 0.25
_MIN_PROSE_OF_FEW = 0.5


def _is_change_log(lines: Sequence[Line]) -> bool:
    """Whether the indented lines below dates are prose or items."""
    inner = [line for line in lines if line.indent]
    least = _MIN_PROSE if len(inner) * 2 > len(lines) else _MIN_PROSE_OF_FEW
    return (
        len(inner) * 10 > len(lines)
        and share(lambda text: looks_like_prose(text) or item_mark(text), inner) >= least
    )
