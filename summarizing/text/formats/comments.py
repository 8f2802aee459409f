"""Comments, and the line that each belongs to. Pure; knows no single language: the comment signs that most share are enough."""

import re
from collections.abc import Sequence

from summarizing.text.document_builder import MAX_ITEM_CHARS
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import Line

COMMENT = re.compile(
    r"(?:#(?!!|(?:include|define|undef|if|ifdef|ifndef|else|elif|endif|pragma|error|line)\b)|//|/\*|\*(?!\*)"
    r"|--(?:[ -]|\Z)|;|%|@\w|<!--|\[<?\w+\(?.*\]$)"
)

# A brace may be followed by the name of the type or variable that it ends.
CLOSING = re.compile(
    r"(?:[)\]}>]++[;,)]*+|\} ?\w{1,80}+(?:\[\w{0,40}+\])?;|end[;.]?|fi|done|esac|\*/|\"\"\"|'''|</[\w:.-]{1,99}+>)\Z"
)


# A comment that is longer than an item is cut after a sentence; one sentence is not longer than this.
MAX_COMMENT_CHARS = 3 * MAX_ITEM_CHARS


def end_of_comment(lines: Sequence[Line], number: int) -> int:
    """Return the line that a comment or decorator at a line belongs to: the next one as far indented, without a blank line between."""
    first = lines[number]
    at = _end_of_block(lines, number)
    last_sentence = -1
    while at + 1 < len(lines) and (COMMENT.match(lines[at].text) or lines[at].tail.endswith("*/")):
        following = lines[at + 1]
        if following.gap or following.indent < first.indent:
            break
        if CLOSING.match(following.text) and not following.text.startswith("*"):
            break
        if ends_sentence(lines[at].tail) or not any(map(str.isalnum, lines[at].text)):
            last_sentence = at
        length = following.end - first.start
        if length > MAX_ITEM_CHARS and (last_sentence >= 0 or length > MAX_COMMENT_CHARS):
            return last_sentence if last_sentence >= 0 else at
        at += 1
    return at


# A comment between signs is looked for in so many lines.
_MAX_BLOCK_LINES = 200


def _end_of_block(lines: Sequence[Line], number: int) -> int:
    """Return the line that closes a comment between signs; the line itself where it opens none."""
    text = lines[number].text
    if not text.startswith("/*") or "*/" in text:
        return number
    later = range(number + 1, min(number + _MAX_BLOCK_LINES, len(lines)))
    return next((at for at in later if "*/" in lines[at].text), number)


def outside_of_comments(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that stand in no comment, by signs before each line or around all of them."""
    found: list[Line] = []
    at = 0
    while at < len(lines):
        if not COMMENT.match(lines[at].text):
            found.append(lines[at])
        at = _end_of_block(lines, at) + 1
    return found
