"""Formats two summaries of one text side by side, with a table of their outcomes, for `summarizer.py --compare`. Pure."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from summarizing.outcome import Outcome, Summary

# Narrower columns cut words.
MIN_COLUMN = 24

GAP = " | "


def side_by_side(left: Summary, right: Summary, width: int) -> str:
    """Return two summaries in columns, above a table of their outcomes.

    No line is wider than `width`, or than two columns of MIN_COLUMN and the row titles if that is more.
    """
    column = max(MIN_COLUMN, (width - len(GAP)) // 2)
    names = [_name(summary.outcome) for summary in (left, right)]
    lines = [*_rows(names, [column] * 2), "-" * column + "-+-" + "-" * column]
    lines += _rows([left.text, right.text], [column] * 2)
    table = _table(left.outcome, right.outcome, width)
    return "\n".join(line.rstrip() for line in lines) + "\n\n" + table


def _name(outcome: Outcome) -> str:
    return outcome.model or outcome.backend


def _rows(texts: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of texts in columns, each of its width."""
    columns = [_wrapped(text, width) for text, width in zip(texts, widths, strict=True)]
    for parts in zip_longest(*columns, fillvalue=""):
        yield GAP.join(part + " " * (width - _width(part)) for part, width in zip(parts, widths, strict=True))


def _width(text: str) -> int:
    """Return how many terminal columns a text takes (Unicode Standard Annex 11); combining marks take none."""
    return sum(
        0 if unicodedata.category(char) in ("Mn", "Me") else 1 + (unicodedata.east_asian_width(char) in "FW")
        for char in text
    )


def _wrapped(text: str, column: int) -> Iterator[str]:
    """Yield a text in lines of at most this many columns, wrapped at spaces if there are any."""
    for line in text.expandtabs(4).splitlines():
        visible = "".join(" " if char.isspace() else char for char in line if _is_visible(char)).rstrip()
        at = 0
        while (end := _fitting_end(visible, at, column)) < len(visible):
            space = visible.rfind(" ", at + 1, end + 1)
            cut = space if space > 0 and visible[at:space].strip() else end
            yield visible[at:cut].rstrip()
            at = len(visible) - len(visible[cut:].lstrip())
        yield visible[at:]


def _is_visible(char: str) -> bool:
    """Return whether a character is safe to show: no control character, lone surrogate or direction mark."""
    return char.isprintable() or char.isspace()


def _fitting_end(text: str, start: int, column: int) -> int:
    """Return the end of the longest part from a start that fits a column."""
    width = 0
    for index in range(start, len(text)):
        width += _width(text[index])
        if width > column:
            return index
    return len(text)


# --- The table --------------------------------------------------------------------------------------------------


def _table(left: Outcome, right: Outcome, width: int) -> str:
    head = ("", _name(left), _name(right))
    rows = [(title, read(left), read(right)) for title, read in _ROWS.items()]
    titles = max(map(_width, _ROWS))
    most = max(MIN_COLUMN, (width - titles - 2 * len(GAP) - len("|  |")) // 2)
    widths = [titles, *(min(most, max(_width(row[at]) for row in [head, *rows])) for at in (1, 2))]
    rule = "|" + "|".join("-" * (each + 2) for each in widths) + "|"
    below = (line for row in rows for line in _rows(row, widths))
    return "\n".join([*map(_boxed, _rows(head, widths)), rule, *map(_boxed, below)])


def _boxed(line: str) -> str:
    return f"| {line} |"


def _facts_kept(outcome: Outcome) -> str:
    if outcome.facts is None:
        return "not counted"
    had, kept = outcome.facts.had, outcome.facts.kept
    # Rounded down: a summary that lost one fact of a thousand did not keep 100 %.
    return f"{kept} of {had}" + (f" ({kept * 100 // had}%)" if had else "")


def _of_facts(name: str) -> Callable[[Outcome], str]:
    return lambda outcome: "-" if outcome.facts is None else str(getattr(outcome.facts, name))


def _unsupported(outcome: Outcome) -> str:
    return ", ".join(outcome.facts.unsupported) or "none" if outcome.facts else "-"


_ROWS: dict[str, Callable[[Outcome], str]] = {
    "status": lambda outcome: outcome.status,
    "facts kept": _facts_kept,
    "of these put back": _of_facts("put_back"),
    "unsupported lines dropped": _of_facts("dropped"),
    "not in the text": _unsupported,
    "tokens": lambda outcome: f"{outcome.output_tokens} of {outcome.input_tokens}",
    "model calls": lambda outcome: str(outcome.llm_calls),
    "cost in USD": lambda outcome: "-" if outcome.cost_usd is None else f"{outcome.cost_usd:.6f}",
    "because": lambda outcome: outcome.reason or "-",
    "seconds": lambda outcome: f"{outcome.duration_ms / 1_000:.1f}",
}
