"""Documents of many records of one shape: logs, listings, CSV, JSON. Sizes are as grammar.size has them.

Which records answer the hint is found by a pattern in the finished text, not remembered from its writing, so whatever
the writing does by accident counts as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from random import Random

from bench.fidelity.gold import Document, Gold
from bench.fidelity.grammar import Pen, Rules, size
from bench.fidelity.prose import LEAST_SHARE, MOST_SHARE

# Between two records of a log, at most.
LONGEST_PAUSE_MS = 9_000

# Where a record has its time, which is written last.
_TIME = re.compile("@iso@|@time@")

# Hits of each topic that is not asked for, for each hit that is.
OTHER_HITS = 0.5


@dataclass(frozen=True, slots=True)
class Listing:
    """What kind of a listing is to be written, and with how many records that answer the hint."""

    name: str
    kind: str
    hits: int
    language: str = "en"
    topic: str = ""
    separator: str = "\n"


def list_records(plan: Listing, rules: Rules, random: Random) -> Document:
    """Write a listing."""
    pen = Pen(rules, random)
    topics = pen.names("pattern.")
    asked = plan.topic or random.choice(topics)
    hits = [pen.fact(f"hit.{asked}").line for _ in range(plan.hits)]
    found = sum(size(fact.line) for fact in _found(rules, asked, _finished(hits, plan, random)))
    length = found / random.uniform(LEAST_SHARE, MOST_SHARE)
    rest = [topic for topic in topics if topic != asked]
    records = hits + [
        pen.fact(f"hit.{topic}").line for topic in rest for _ in range(round(plan.hits * OTHER_HITS))
    ]
    records += _noise(pen, length - sum(map(_size, records)))
    random.shuffle(records)
    if random.random() < 0.5:
        records.append(records.pop(records.index(hits[-1])))
    text = _finished([pen.write("top"), *records, pen.write("bottom")], plan, random)
    others = [fact for topic in rest for fact in _found(rules, topic, text)]
    gold = _found(rules, asked, text)
    return Document(
        plan.name, plan.kind, plan.language, text, pen.write(f"hint.{asked}"), gold, tuple(others)
    )


def _found(rules: Rules, topic: str, text: str) -> tuple[Gold, ...]:
    """Return what the pattern of a topic finds: its groups are the parts."""
    pattern = re.compile(rules[f"pattern.{topic}"][0], re.MULTILINE)
    return tuple(Gold(tuple(filter(None, match.groups())), match[0]) for match in pattern.finditer(text))


def _noise(pen: Pen, length: float) -> Iterator[str]:
    while length > 0:
        record = pen.write("noise")
        length -= _size(record)
        yield record


def _size(record: str) -> int:
    return size(_TIME.sub("2026-01-01T00:00:00.000", record))


def _finished(records: list[str], plan: Listing, random: Random) -> str:
    """Join the records, with their times in order and their columns in line."""
    text = plan.separator.join(filter(None, records)).strip("\n") + "\n"
    now = datetime(2026, random.randint(1, 12), random.randint(1, 28), random.randint(0, 23), tzinfo=UTC)

    def tick(match: re.Match[str]) -> str:
        nonlocal now
        now += timedelta(milliseconds=random.randint(1, LONGEST_PAUSE_MS))
        return now.isoformat(timespec="milliseconds").replace("+00:00", "Z" if match[0] == "@iso@" else "")

    return _aligned(_TIME.sub(tick, text))


def _aligned(text: str) -> str:
    """Return a text in which neighbouring lines with tabs have columns instead."""
    lines: list[str] = []
    for has_columns, group in groupby(text.split("\n"), lambda line: "\t" in line):
        rows = [line.split("\t") for line in group]
        if has_columns:
            widths = [max(len(row[at]) for row in rows if at < len(row)) for at in range(max(map(len, rows)))]
            lines += [
                "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
                for row in rows
            ]
        else:
            lines += [row[0] for row in rows]
    return "\n".join(lines)
