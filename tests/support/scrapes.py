"""A reader of Prometheus' text format 0.0.4 that takes nothing else, and the metrics of a service as it reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.service import Service

Labels = frozenset[tuple[str, str]]

SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}

_SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|\Z)')
_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True)
class Family:
    """One metric as it was read: what its lines say, by name and labels."""

    kind: str
    meaning: str
    samples: dict[tuple[str, Labels], float]


def read(text: str) -> dict[str, Family]:
    """Read an exposition; whatever is wrong with it fails the test."""
    assert text.endswith("\n")
    families: dict[str, Family] = {}
    lines = iter(text.split("\n")[:-1])
    name = ""
    for line in lines:
        if line.startswith("# HELP "):
            name, meaning = line.removeprefix("# HELP ").split(" ", 1)
            assert name not in families, f"{name} is there twice"
            said, kind = next(lines).rsplit(" ", 1)
            assert said == f"# TYPE {name}"
            families[name] = Family(kind, meaning, {})
            continue
        sample, labels, number = parsed(line)
        own = [name + suffix for suffix in SUFFIXES.get(families[name].kind, ("",))]
        assert sample in own, f"{sample} stands under {name}"
        assert (sample, labels) not in families[name].samples, f"{line} is there twice"
        families[name].samples[sample, labels] = number
    return families


def parsed(line: str) -> tuple[str, Labels, float]:
    found = _SAMPLE.fullmatch(line)
    assert found, line
    name, labels, number = found.groups()
    return name, frozenset(_labels(labels or "")), float(number)


def _labels(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _LABEL.match(text, at)
        assert found, text
        yield found[1], _ESCAPE.sub(lambda escape: "\n" if escape[1] == "n" else escape[1], found[2])
        at = found.end()


@dataclass(frozen=True)
class Numbers:
    """All numbers of one moment."""

    families: dict[str, Family]

    def of(self, sample: str, **labels: str) -> float:
        """Return the number of one line, by its name and all its labels."""
        wanted = sample, frozenset(labels.items())
        found = [family.samples[wanted] for family in self.families.values() if wanted in family.samples]
        assert found, f"no {sample}{labels}"
        return found[0]

    def labels_of(self, name: str) -> set[Labels]:
        return {labels for _, labels in self.families[name].samples}


async def scrape(service: Service) -> Numbers:
    """Ask a service for its numbers."""
    answer = await service.http.get(f"{service.origin}/metrics")
    assert answer.status_code == 200, answer.text
    return Numbers(read(answer.text))
