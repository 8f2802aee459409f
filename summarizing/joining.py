"""What code does with the texts that models wrote: join them, drop what was cut off. Pure; how facts
are merged stands in summarizing/facts/records.py.
"""

import re
from collections.abc import Sequence

from summarizing.facts.records import merge
from summarizing.prompt_templates import Query
from summarizing.text.tokenizer import Tokenizer


def join(parts: Sequence[str], query: Query) -> str:
    """Put the parts together in their order; facts come together under their headings."""
    return (
        merge(parts, query.schema_hint)
        if query.is_extraction
        else "\n\n".join(part.strip() for part in parts)
    )


# An empty line between two texts, and the token that a cut may add.
SEPARATOR_TOKENS = 2

_SENTENCE_OR_LINE_END = re.compile(r"[.!?…][\"'”’)\]*_]*(?=\s|$)|[。！？｡][」』”）]*|\n")


def whole_sentences(text: str) -> str:
    """Return a text that was cut somewhere without its unfinished last sentence or line; all of it if it has but one."""
    ends = [match.end() for match in _SENTENCE_OR_LINE_END.finditer(text)]
    return text[: ends[-1]].rstrip() if ends and text[: ends[-1]].strip() else text


def within(texts: Sequence[str], target: int, tokenizer: Tokenizer) -> str:
    """Return texts as one in at most `target` tokens: where they are longer, each in its even share, up to a sentence or line end."""
    together = "\n\n".join(text.strip() for text in texts)
    if tokenizer.count(together) <= target:
        return together
    share = max(1, target // len(texts) - SEPARATOR_TOKENS)
    starts = (whole_sentences(tokenizer.cut(text.strip(), share)) for text in texts)
    cut = tokenizer.cut("\n\n".join(filter(None, starts)), target)
    stripped = cut.rstrip()
    # subtle: a sign cut off from its line end may take a token more.
    return stripped if tokenizer.count(stripped) <= target else cut


_ORNAMENT = " \t\n-*_`.\"'#"
# How models say that nothing matches: as they were asked to, or in JSON.
_NOTHING = ("", "none", "null", "[]", "{}")


def has_facts(answer: str) -> bool:
    """Whether an extraction's answer has a fact: not headings alone, nor the one word asked for where nothing matches."""
    return any(
        line.strip(_ORNAMENT).casefold() not in _NOTHING and not line.startswith("#")
        for line in merge([answer]).splitlines()
        if line.strip()
    )
