"""Finds what a summary of JSON says wrongly: it must be JSON, and the source with some of its members left out."""

import json
from typing import Any

from bench.real_texts.checks import GAP, ONLY_MARK, Faults
from bench.real_texts.whole_sentences import is_sentence_end


def json_faults(source: Any, summary: str) -> Faults:
    """Return what a summary of JSON says wrongly."""
    found = Faults()
    try:
        value = json.loads(summary)
    except ValueError:
        found.broken.append("not JSON")
        return found
    if not _is_part(value, source):
        found.attributions.append("a member that the source does not have there")
    return found


def _is_mark(value: Any) -> bool:
    return isinstance(value, str) and bool(ONLY_MARK.match(value))


def _is_part(value: Any, source: Any) -> bool:
    """Whether a value is another one with members left out, in the same order."""
    if isinstance(value, dict) and isinstance(source, dict):
        members = [(key, member) for key, member in value.items() if not _is_mark(key)]
        return all(
            key in source and (_is_mark(member) or _is_part(member, source[key])) for key, member in members
        )
    if isinstance(value, list) and isinstance(source, list):
        rest = iter(source)
        return all(
            any(_is_part(member, candidate) for candidate in rest) for member in value if not _is_mark(member)
        )
    if isinstance(value, str) and isinstance(source, str) and GAP in value:
        return _is_part_of_text(value, source)
    return type(value) is type(source) and bool(value == source)


def _is_part_of_text(value: str, source: str) -> bool:
    """Whether the text between the marks of a string is whole sentences or lines of the source, in the same order."""
    at = 0
    for part in filter(None, map(str.strip, value.split(GAP))):
        at = source.find(part, at)
        if at < 0 or not _is_edge(source[:at], part[:1]):
            return False
        at += len(part)
        behind = source[at:].lstrip()
        if not _is_edge(source[: len(source) - len(behind)], behind[:1]):
            return False
    return True


def _is_edge(before: str, behind: str) -> bool:
    """Whether a sentence or a line ends here."""
    gap = before[len(before.rstrip()) :]
    return not before.strip() or not behind or "\n" in gap or is_sentence_end(before, behind)
