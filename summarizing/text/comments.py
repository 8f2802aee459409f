"""Comments, and the line that each belongs to. Pure; knows no single language: the comment signs that most share are enough."""

import re
from collections.abc import Sequence

from summarizing.text.building import MAX_ITEM_CHARS
from summarizing.text.lines import Line

COMMENT = re.compile(
    r"(?:#(?!!|(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|line)\b)|//|/\*|\*(?!\*)|--[ -]|;|%|@\w|<!--|\[<?\w+\(?.*\]$)"
)
CLOSING = re.compile(r"(?:[)\]}>]++[;,)]*+|end[;.]?|fi|done|esac|\*/|\"\"\"|'''|</[\w:.-]{1,99}+>)\Z")


def end_of_comment(lines: Sequence[Line], number: int) -> int:
    """Return the line that a comment or decorator at a line belongs to: the next one as far indented, without a blank line between."""
    first = lines[number]
    at = number
    while at + 1 < len(lines) and COMMENT.match(lines[at].text):
        following = lines[at + 1]
        if following.gap or following.indent < first.indent or following.end - first.start > MAX_ITEM_CHARS:
            break
        if CLOSING.match(following.text) and not following.text.startswith("*"):
            break
        at += 1
    return at
