"""What code does with the texts that models wrote: join them, merge their facts, drop what was cut off. Pure."""

import re
from collections.abc import Sequence

from prompting import Brief


def join(parts: Sequence[str], brief: Brief) -> str:
    """Put the parts together in their order; facts come together under their headings."""
    return merge_facts(parts) if brief.is_extraction else "\n\n".join(part.strip() for part in parts)


def merge_facts(parts: Sequence[str]) -> str:
    """Merge lists of facts: the lines of one heading together, in the order they first came, exact repeats once."""
    under: dict[str, tuple[str, dict[str, str]]] = {"": ("", {})}
    for part in parts:
        facts = under[""][1]
        for line in filter(str.strip, part.splitlines()):
            if title := _title_of(line):
                facts = under.setdefault(title.casefold(), (title, {}))[1]
            else:
                facts.setdefault(" ".join(line.casefold().split()), line.rstrip())
    sections = [
        (f"## {title}\n" if title else "") + "\n".join(facts.values())
        for title, facts in under.values()
        if facts
    ]
    return "\n\n".join(sections)


def _title_of(line: str) -> str:
    """Return the words of a heading, "" of any other line."""
    line = line.strip()
    words = line.lstrip("#")
    return words.strip(" \t:#") if 1 <= len(line) - len(words) <= 6 and words[:1] in (" ", "\t") else ""


_SENTENCE_OR_LINE_END = re.compile(r"[.!?…][\"'”’)\]*_]*(?=\s|$)|[。！？｡][」』”）]*|\n")


def whole_sentences(text: str) -> str:
    """Return a text that was cut somewhere without its unfinished last sentence or line; all of it if it has but one."""
    ends = [match.end() for match in _SENTENCE_OR_LINE_END.finditer(text)]
    return text[: ends[-1]].rstrip() if ends and text[: ends[-1]].strip() else text


_ORNAMENT = " \t\n-*_`.\"'#"


def has_facts(answer: str) -> bool:
    """Whether an extraction's answer has a fact: not headings alone, nor the one word asked for where nothing matches."""
    return answer.strip(_ORNAMENT).casefold() != "none" and bool(merge_facts([answer]))
