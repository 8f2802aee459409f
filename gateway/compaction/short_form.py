"""What code alone makes of a result that is too long: a compact form that fits, else what a summary is made of. Pure.

Of an exact result whole lines are left out, with a mark, where no form fits: it is never summarized.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gateway.compaction.condensed_lines import Condensed, condensed, stretches
from gateway.compaction.lossless_form import lossless_form, self_contained
from gateway.compaction.whole_lines import whole_lines
from summarizing.text.tokenizer import Tokenizer


class ShortForm(NamedTuple):
    """A result's texts, made shorter."""

    text: str
    tokens: int | None = None
    """None: it has too many, and is to be summarized."""
    done: str = ""
    """What was done, for a note."""
    read: str = ""
    """How much of the texts it is, where that is not all; for a note."""


# Of a longer text that is made of rows, a few of each kind are summarized: a model reads so much in a hundred requests.
MAX_ROWS_CHARS = 4_000_000
# Read without a model in about ten seconds; of any longer text, parts are summarized.
MAX_SUMMARIZED_CHARS = 16_000_000


def short_form(
    texts: Sequence[str],
    tokens: int,
    tokenizer: Tokenizer,
    is_exact: bool,  # noqa: FBT001 - a worker takes no names
    asked: str = "",
) -> ShortForm:
    """Return texts in at most `tokens` tokens if code can do that; an exact result always. `asked`: what is needed from them."""
    form = lossless_form(texts, keeps_nulls=is_exact)
    if form is not None and (count := tokenizer.count(form.text)) <= tokens:
        return ShortForm(form.text, count, ", ".join(form.done))
    # Not the compact form: its header would be far from most lines, or left out.
    text = self_contained(texts, keeps_nulls=is_exact)
    if not is_exact:
        part = _part(text, asked)
        return ShortForm(part.text, read=part.share) if part else ShortForm(text)
    lines = whole_lines(text, tokens, tokenizer)
    done = f"{lines.left_out:,} of its lines left out" if lines.left_out else "without white space"
    return ShortForm(lines.text, tokenizer.count(lines.text), done)


def _part(text: str, asked: str) -> Condensed | None:
    """Return what is summarized of a text that is too long; None if it is not."""
    part = condensed(text, MAX_ROWS_CHARS, asked) if len(text) > MAX_ROWS_CHARS else None
    return part or (stretches(text, MAX_ROWS_CHARS) if len(text) > MAX_SUMMARIZED_CHARS else None)
