"""Joins the parts of a long text without holding them all beside it: that would take its size again. No I/O."""

from collections.abc import Iterable

# Of parts so much is joined before it is appended. Each time a text of some megabytes may have to be copied.
APPENDED_CHARS = 1_000_000


def joined(parts: Iterable[str]) -> str:
    """Return the parts as one text; of parts that are made one after the other, few are in memory at a time.

    CPython appends in place where a local variable alone refers to a text; elsewhere this takes a copy for each APPENDED_CHARS.
    """
    text, waiting, chars = "", list[str](), 0
    for part in parts:
        waiting.append(part)
        chars += len(part)
        if chars >= APPENDED_CHARS:
            text += "".join(waiting)
            waiting.clear()
            chars = 0
    text += "".join(waiting)
    return text
