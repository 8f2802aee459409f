"""Joins the texts that models wrote, drops sentences that were cut off, and recognizes copies. Pure.

How facts are merged is in summarizing/facts/answer_records.py.
"""

import re
from collections.abc import Sequence

from summarizing.facts.answer_records import merge
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer


def join(parts: Sequence[str], query: Query) -> str:
    """Join the parts in their order; facts are merged under their headings."""
    return (
        merge(parts, query.schema_hint) if query.wants_facts else "\n\n".join(part.strip() for part in parts)
    )


# The empty line between two texts, and one token that a cut may add.
SEPARATOR_AND_CUT_TOKENS = 2

# A full stop at the very end of a text that was cut off may be a number's ("HTTP/1." of "HTTP/1.1") or a name's.
_SENTENCE_OR_LINE_END = re.compile(r"(?!\.\Z)[.!?…][\"'”’)\]*_]*(?=\s|\Z)|[。！？｡][」』”）]*|\n")


def whole_sentences(text: str) -> str:
    """Drop the unfinished last sentence or line of a text that was cut off, unless it is the only one."""
    ends = [match.end() for match in _SENTENCE_OR_LINE_END.finditer(text)]
    return text[: ends[-1]].rstrip() if ends and text[: ends[-1]].strip() else text


# A line or two of the source, whole, are chosen: what is copied is longer. Without white space.
LEAST_COPIED_CHARS = 100

_MARKS_OF_LINES = re.compile(r"^[ \t]*+(?:(?:[-*+•>]|#{1,6}+|\d{1,3}+[.)])[ \t]++){1,8}+", re.MULTILINE)


def copies_a_stretch(answer: str, source: str) -> bool:
    """Whether at least half of an answer is one stretch of its source, apart from white space and list marks: then it chose nothing.

    Half of it in one stretch has all of the second or of the third quarter; a quarter is enough, if it has LEAST_COPIED_CHARS.
    """
    copied, whole = _bare(answer), _bare(source)
    quarter = len(copied) // 4
    return quarter >= LEAST_COPIED_CHARS and any(
        copied[at : at + quarter] in whole for at in (quarter, 2 * quarter)
    )


def _bare(text: str) -> str:
    """Return a text without white space, and without the marks of its lists, headings and quotes."""
    return "".join(_MARKS_OF_LINES.sub("", text).split())


def within(texts: Sequence[str], target: int, tokenizer: Tokenizer) -> str:
    """Join texts in at most `target` tokens; if they are longer, each is cut to an even share, at a sentence or line end."""
    together = "\n\n".join(text.strip() for text in texts)
    if tokenizer.count(together) <= target:
        return together
    share = max(1, target // len(texts) - SEPARATOR_AND_CUT_TOKENS)
    starts = (_start(text.strip(), share, tokenizer) for text in texts)
    cut = tokenizer.cut("\n\n".join(filter(None, starts)), target)
    stripped = cut.rstrip()
    # subtle: a character without the line end after it may take one token more.
    return stripped if tokenizer.count(stripped) <= target else cut


def _start(text: str, tokens: int, tokenizer: Tokenizer) -> str:
    """Return the whole sentences at the start of a text that fit in so many tokens; all of it where it fits."""
    cut = tokenizer.cut(text, tokens)
    return text if cut == text else whole_sentences(cut)
