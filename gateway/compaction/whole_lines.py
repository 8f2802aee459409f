"""The first and the last lines of a text that is too long, each of them whole, with a mark that counts what is missing. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from summarizing.text.tokenizer import LONGEST_TOKEN_CHARS, Tokenizer

# Of what is shown, the part that comes from the beginning: what the lines are stands there.
HEAD_SHARE = 0.6

# For the mark, and for tokens that are counted a line at a time and together may be a few more.
MARK_TOKENS = 24


class WholeLines(NamedTuple):
    """Lines of a text, and how many of it are not among them."""

    text: str
    left_out: int


def whole_lines(text: str, tokens: int, tokenizer: Tokenizer) -> WholeLines:
    """Return the first and the last lines of a text that have at most `tokens` tokens together with a mark; the mark alone if none fits."""
    room = max(tokens - MARK_TOKENS, 0)
    # A line has a token at least, its end.
    first = text.split("\n", room + 1)[: room + 1]
    head = _fitting(first, int(room * HEAD_SHARE), tokenizer)
    lines = text.count("\n") + 1
    if len(head) == lines:
        return WholeLines(text, 0)
    rest = text[sum(len(line) + 1 for line in head) :]
    last = rest.rsplit("\n", room + 1)[-room - 1 :]
    tail = _fitting(reversed(last), room - _count(head, tokenizer), tokenizer)[::-1]
    left_out = lines - len(head) - len(tail)
    if not left_out:
        return WholeLines(text, 0)
    return WholeLines("\n".join([*head, mark(left_out), *tail]), left_out)


def mark(lines: int) -> str:
    """Return the line that stands for lines that were left out."""
    return f"[{lines:,} line{'s' * (lines != 1)} left out]"


def _fitting(lines: Iterable[str], tokens: int, tokenizer: Tokenizer) -> list[str]:
    """Return the first of the lines that have at most so many tokens."""
    fitting: list[str] = []
    room = tokens
    for line in lines:
        if len(line) > room * LONGEST_TOKEN_CHARS:  # too long to be worth counting
            break
        room -= tokenizer.count(f"{line}\n")
        if room < 0:
            break
        fitting.append(line)
    return fitting


def _count(lines: Iterable[str], tokenizer: Tokenizer) -> int:
    return sum(tokenizer.count(f"{line}\n") for line in lines)
