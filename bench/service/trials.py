"""What every trial has in common: how it is reported, its load, the texts of it.

A trial makes one fault happen to a service that runs as it is run, and says what was promised and what was seen.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from bench.fidelity.grammar import read_rules
from bench.fidelity.prose import Plan, compose
from bench.service.processes import Result, Service, Simulated
from bench.service.texts import SEED, WORDS
from bench.service.watching import Watched
from bench.verdict import Verdict

# What a service that is well answers within, at the 99th percentile, seen from outside.
MOST_HEALTH_S = 0.1

MILLISECONDS = 1_000


@dataclass(frozen=True, slots=True)
class Row:
    """A trial as the table has it. `met` None: it could not be measured, `seen` says why."""

    fault: str
    promised: str
    seen: str
    met: bool | None
    health_p99_ms: float | None = None
    lag_p99_ms: float | None = None
    figures: tuple[Verdict, ...] = ()
    """What of it is a bar of its own."""

    @property
    def word(self) -> str:
        """The verdict in a word."""
        return "not measured" if self.met is None else "as promised" if self.met else "MISSED"


def row(
    fault: str,
    promised: str,
    seen: Sequence[str],
    *,
    met: bool,
    watch: Watched | None = None,
    figures: Sequence[Verdict] = (),
) -> Row:
    """Return a trial's row; it is met where its figures are, too."""
    health = watch.health_p99_s * MILLISECONDS if watch and watch.health else None
    lag = watch.lag_s * MILLISECONDS if watch and watch.lag_s is not None else None
    met = met and all(figure.is_met for figure in figures)
    return Row(fault, promised, "; ".join(filter(None, seen)), met, health, lag, tuple(figures))


def health_figure(what: str, watch: Watched) -> Verdict:
    """Return the bar of /health while something else goes on; nobody who looked counts as silence."""
    seen = watch.health_p99_s * MILLISECONDS if watch.health else math.inf
    return Verdict(f"{what}: /health p99", MOST_HEALTH_S * MILLISECONDS, seen, unit=" ms")


@dataclass(frozen=True)
class Stage:
    """What a trial needs."""

    model: Simulated
    scale: float = 1.0
    """Of the load: 1 in the report, less where somebody only looks whether it runs."""

    def of(self, number: int) -> int:
        """Return a number of jobs or clients, at least two."""
        return max(2, round(number * self.scale))


def documents(count: int, facts: int) -> list[str]:
    """Return texts of which no two are the same, of about 270 tokens for each fact; always the same."""
    rules = read_rules("english", WORDS)
    plan = Plan(WORDS, WORDS, facts)
    return [
        compose(plan, rules, Random(f"{SEED} trial {number}")).text  # noqa: S311, texts to try a service on
        for number in range(count)
    ]


async def all_at_once(service: Service, contents: Iterable[str], target: int) -> list[Result]:
    """Have every text summarized at the same time."""
    return await asyncio.gather(
        *(service.call("summarize", {"content": text, "max_output_tokens": target}) for text in contents)
    )


async def at_a_rate(
    service: Service, contents: Sequence[str], target: int, every_s: float
) -> list[tuple[float, Result]]:
    """Have texts summarized, one begun every so many seconds; returns when each was asked, from the first, and its result."""
    began = time.monotonic()

    async def one(number: int, text: str) -> tuple[float, Result]:
        await asyncio.sleep(number * every_s)
        asked = time.monotonic() - began
        return asked, await service.call("summarize", {"content": text, "max_output_tokens": target})

    return await asyncio.gather(*(one(number, text) for number, text in enumerate(contents)))


def told(statuses: Iterable[str]) -> str:
    """Return how many ended how."""
    counted = Counter(statuses)
    return ", ".join(f"{number} {status}" for status, number in counted.most_common())
