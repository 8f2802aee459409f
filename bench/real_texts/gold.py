"""The facts that a question asks for, found in the document by a script, and whether a summary keeps them.

A fact is one string, or several that belong together (an option and its default). `gold` in sources/*.toml is one of

  pattern                 a regular expression: its groups are the strings of a fact, without groups its whole match
  head, value             two of them: the last `head` above a `value` names what it is the value of
  json, fields, where     a path into the JSON value (`*` is every member), the fields of what it leads to, `{field = pattern}`
  csv, where              the columns of a row, `{column = pattern}`

with `after` and `before`, patterns that bound the stretch it looks at. Not here: what a summary says wrongly.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from types import NoneType
from typing import Any

from bench.real_texts.documents import Document, rows

Fact = tuple[str, ...]

# "12,345", "12.345", "12 345" and "12'345" are one number.
_GROUPED = re.compile(r"(?<=\d)[,.'’\u00a0\u202f ](?=\d{3}(?!\d))")
_SPACE = re.compile(r"\s+")
_LAYOUT = re.compile(r"^[^\w/@$-]+")

# A record's head has at most this much beside its name, such as "Version ", ": " or `"country": "`.
HEAD_EXTRA_CHARS = 24


@dataclass(frozen=True)
class Gold:
    """A document's facts, and the names that separate one record from the next."""

    facts: Sequence[Fact]
    heads: Sequence[str]
    """Everything that a fact's value could belong to, its own head among them."""


# Fewer facts say little; more do not fit into a summary.
FACTS = range(8, 61)


class GoldError(Exception):
    """A script finds too few facts, or too many: the document is not the one that it was written for."""


def checked(document: Document, text: str) -> Gold:
    """Return the facts of a document of the set. Raises GoldError."""
    gold = gold_of(document, text)
    if len(gold.facts) not in FACTS:
        raise GoldError(
            f"{document.id}: expected {FACTS[0]} to {FACTS[-1]} facts, its script finds {len(gold.facts)}"
        )
    return gold


def gold_of(document: Document, text: str) -> Gold:
    """Return the facts that a document's questions ask for, each once, in their order."""
    rule = document.gold
    if "json" in rule:
        value = json.loads(text)
        every = _once(_in_json({**rule, "where": {}, "fields": rule["fields"][:1]}, value))
        return Gold(_once(_in_json(rule, value)), _names(fact[0] for fact in every))
    if "csv" in rule:
        found = [tuple(row[name] for name in rule["csv"]) for row in rows(text) if _meets(rule, row)]
    elif "head" in rule:
        return _headed(rule, _stretch(rule, text))
    else:
        found = [
            match.groups() or (match[0],)
            for match in re.finditer(rule["pattern"], _stretch(rule, text), re.MULTILINE)
        ]
    facts = _once([tuple(map(unescape, fact)) for fact in found] if document.is_html else found)
    return Gold(facts, _names(fact[0] for fact in facts))


def _once(facts: Iterable[Sequence[Any]]) -> list[Fact]:
    cleaned = (tuple(_SPACE.sub(" ", str(part)).strip() for part in fact) for fact in facts)
    return list(dict.fromkeys(fact for fact in cleaned if all(fact)))


def _names(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(_plain(name) for name in names))


def _stretch(rule: Mapping[str, Any], text: str) -> str:
    if "after" in rule and (begins := re.search(rule["after"], text, re.MULTILINE)):
        text = text[begins.end() :]
    if "before" in rule and (ends := re.search(rule["before"], text, re.MULTILINE)):
        text = text[: ends.start()]
    return text


def _headed(rule: Mapping[str, Any], text: str) -> Gold:
    heads = [(match.start(), _first(match)) for match in re.finditer(rule["head"], text, re.MULTILINE)]
    found = []
    for match in re.finditer(rule["value"], text, re.MULTILINE):
        above = [name for at, name in heads if at <= match.start()]
        if above:
            found.append((above[-1], _first(match)))
    return Gold(_once(found), _names(name for _, name in heads))


def _first(match: re.Match[str]) -> str:
    return str(match[1] if match.re.groups else match[0])


def _in_json(rule: Mapping[str, Any], value: Any) -> Iterator[Sequence[Any]]:
    for key, record in _at(value, rule["json"].split("/") if rule["json"] else []):
        row = {name: _field(key, record, name) for name in [*rule["fields"], *rule.get("where", {})]}
        if _meets(rule, row) and not any(isinstance(part, dict | list | NoneType) for part in row.values()):
            yield [row[name] for name in rule["fields"]]


def _field(key: str, record: Any, path: str) -> Any:
    """Return what a dotted path leads to: `@key` is the record's own key, `@value` the record; None where there is nothing."""
    if path.startswith("@"):
        return key if path == "@key" else record
    for name in path.split("."):
        if isinstance(record, list) and name.isdecimal() and int(name) < len(record):
            record = record[int(name)]
        else:
            record = record.get(name) if isinstance(record, dict) else None
    return record


def _at(value: Any, path: Sequence[str], key: str = "") -> Iterator[tuple[str, Any]]:
    if not path:
        yield key, value
        return
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for name, member in members:
        if path[0] in {"*", str(name)}:
            # A number in a list names nothing: members are named by the key of the list.
            yield from _at(member, path[1:], name if isinstance(name, str) else key)


def _meets(rule: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    return all(re.search(pattern, str(row.get(name, ""))) for name, pattern in rule.get("where", {}).items())


def _plain(text: str) -> str:
    """Return a text with single spaces, no grouped digits, no signs of layout."""
    return _GROUPED.sub("", _SPACE.sub(" ", text.replace("`", "").replace("\\", "").replace("*", ""))).strip()


def kept(gold: Gold, summary: str) -> list[bool]:
    """Return, for each fact, whether a summary keeps it: all of its strings, each under its own head."""
    lines = [_plain(line) for line in summary.splitlines()]
    whole = "\n".join(lines)
    joined = _plain(summary)
    nearest = _nearest_heads(gold, lines) if any(len(fact) > 1 for fact in gold.facts) else []
    return [
        _has(joined, _plain(fact[0])) if len(fact) == 1 else _has_all(fact, lines, nearest, whole)
        for fact in gold.facts
    ]


def _has(text: str, part: str) -> bool:
    """Whether a text has a string, not as a part of a longer word or number."""
    at = text.find(part)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(part) : at + len(part) + 1]
        if not (_clings(before, part[0]) or _clings(behind, part[-1])):
            return True
        at = text.find(part, at + 1)
    return False


def _clings(outside: str, inside: str) -> bool:
    """Whether two neighbouring characters belong to one word; in scripts without spaces none do."""
    return bool(outside) and outside.isascii() and outside.isalnum() and inside.isascii() and inside.isalnum()


def _nearest_heads(gold: Gold, lines: Sequence[str]) -> list[set[str]]:
    """Return, for each line, the heads that it may belong to: those in it, or else those in the last line that has some."""
    nearest: list[set[str]] = []
    current: set[str] = set()
    for line in lines:
        current = {head for head in gold.heads if head in line and _names_record(line, head)} or current
        nearest.append(current)
    return nearest


def _names_record(line: str, head: str) -> bool:
    """Whether a line is the head of a record: it begins with the name, or has little beside it."""
    return _has(line, head) and (
        _LAYOUT.sub("", line).startswith(head) or len(line) - len(head) <= HEAD_EXTRA_CHARS
    )


def _has_all(fact: Fact, lines: Sequence[str], nearest: Sequence[set[str]], whole: str) -> bool:
    head, *values = map(_plain, fact)
    if not all(_has(whole, part) for part in (head, *values)):
        return False
    return all(
        any(
            _has(line, value) and (head in heads or _has(line, head))
            for line, heads in zip(lines, nearest, strict=True)
        )
        for value in values
    )
