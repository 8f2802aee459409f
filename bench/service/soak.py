"""The soak: calls at a steady rate for minutes on three services; does their memory stay flat?

One has a model, one has none, and one has a model that fails every call.

python -m bench.service.soak --seconds 60
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from statistics import median
from typing import Any

from bench.output import progress
from bench.service.processes import Service, Simulated, a_service, a_simulated_model, on_a_model
from bench.service.provider import Behaviour
from bench.service.trials import MILLISECONDS, documents, told
from bench.service.watching import Watched, memory_of, watched

RATE = 50
SECONDS = 75.0

WITH_MODEL, WITHOUT, FAILING = "with a model", "without a model", "with a model that fails"

# Of every second's calls: service, facts of its text (270 tokens, about 1,300 characters each), target, calls.
SMALL, EIGHT_KB, HUNDRED_KB, A_JOB = 1, 6, 76, 30
PASSES, SHORTENED = 50_000, 500
MIX = (
    (WITHOUT, SMALL, PASSES, 22),
    (WITHOUT, EIGHT_KB, PASSES, 10),
    (WITHOUT, HUNDRED_KB, SHORTENED, 1),
    (WITH_MODEL, SMALL, PASSES, 11),
    (WITH_MODEL, EIGHT_KB, PASSES, 3),
    (WITH_MODEL, A_JOB, SHORTENED, 1),
    (FAILING, A_JOB, SHORTENED, 2),
)

# Texts of each size; every call changes the first line of one, so that none has come before.
TEXTS = 12

# Answers are kept for ten seconds, not ten minutes: what keeps them is as full after these as it ever gets.
SETTINGS = {"ANSWER_CACHE_SECONDS": "10"}

# Its breaker opens as late as it can: calls fail by their own requests, retries and all.
FAILING_SETTINGS = {**SETTINGS, "LLM_BREAKER_FAILURES": "1000"}

# How every call there must end, and is counted.
FAILED_AS_IT_MUST = f"unsummarized {FAILING}"

# Memory is compared between the middle fifth and the last one: a first half may fill caches.
FIFTHS = 5


@dataclass(slots=True)
class Soak:
    """What was seen: how many calls ended how, and of each service the memory over time, in MB."""

    seconds: float
    statuses: Counter[str] = field(default_factory=Counter)
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    slowest_s: float = 0.0
    health_p99_s: float = 0.0
    lag_p99_s: float | None = None

    @property
    def calls(self) -> int:
        """All of them."""
        return self.statuses.total()

    @property
    def lost(self) -> int:
        """Calls that ended otherwise than they must."""
        return self.calls - sum(
            self.statuses[one] for one in ("passthrough", "summarized", FAILED_AS_IT_MUST)
        )


def growth(memory: Sequence[tuple[float, float]]) -> float:
    """Return the median of the last fifth of a series as a multiple of that of the middle fifth."""
    fifth = max(1, len(memory) // FIFTHS)
    middle = memory[2 * fifth : 3 * fifth] or memory
    return median(value for _, value in memory[-fifth:]) / median(value for _, value in middle)


def kept(seen: Soak) -> dict[str, Any]:
    """Return what is kept of a soak between runs."""
    return {
        "seconds": seen.seconds,
        "calls": seen.calls,
        "lost": seen.lost,
        "told": told(seen.statuses.elements()),
        "slowest_s": round(seen.slowest_s, 2),
        "health_p99_ms": round(MILLISECONDS * seen.health_p99_s, 1),
        "lag_p99_ms": None if seen.lag_p99_s is None else round(MILLISECONDS * seen.lag_p99_s, 1),
        "growth": {name: round(growth(memory), 4) for name, memory in seen.memory.items()},
        "memory": seen.memory,
    }


async def soak(model: Simulated, seconds: float) -> Soak:
    """Call for so long, and say every minute how it goes."""
    await model.behave(Behaviour(allow=32))
    seen = Soak(seconds)
    async with (
        a_service(on_a_model(model.url, **SETTINGS)) as with_model,
        a_service({}) as without,
        a_simulated_model() as broken,
        a_service(on_a_model(broken.url, **FAILING_SETTINGS)) as failing,
        memory_of(with_model.running.pid) as seen.memory[WITH_MODEL],
        memory_of(without.running.pid) as seen.memory[WITHOUT],
        memory_of(failing.running.pid) as seen.memory[FAILING],
    ):
        await broken.behave(Behaviour(rates={"500": 1.0}))
        services = {WITH_MODEL: with_model, WITHOUT: without, FAILING: failing}
        async with watched(with_model) as one, watched(without) as other:
            await _calls(services, seen)
    seen.health_p99_s = max(one.health_p99_s, other.health_p99_s)
    seen.lag_p99_s = _worse(one, other)
    return seen


def _worse(*watches: Watched) -> float | None:
    return max((watch.lag_s for watch in watches if watch.lag_s is not None), default=None)


async def _calls(services: dict[str, Service], seen: Soak) -> None:
    texts = {facts: documents(TEXTS, facts) for facts in (SMALL, EIGHT_KB, HUNDRED_KB, A_JOB)}
    every = [one for one in MIX for _ in range(one[-1])]
    # The large ones are spread over each second as chance has it, the same in every run.
    Random(1).shuffle(every)  # noqa: S311, an order to make calls in
    numbers = count()

    async def call(where: str, facts: int, target: int) -> None:
        number = next(numbers)
        content = f"Call {number}.\n\n{texts[facts][number % TEXTS]}"
        result = await services[where].call("summarize", {"content": content, "max_output_tokens": target})
        seen.statuses[f"{result.status} {where}" if where == FAILING else result.status] += 1
        seen.slowest_s = max(seen.slowest_s, result.seconds)

    began = time.monotonic()
    async with asyncio.TaskGroup() as calls:
        for number in range(round(seen.seconds * RATE)):
            await asyncio.sleep(max(0.0, began + number / RATE - time.monotonic()))
            where, facts, target, _ = every[number % len(every)]
            calls.create_task(call(where, facts, target))
            if number % (60 * RATE) == 0:
                progress(f"soak: {number // RATE} s, {told(seen.statuses.elements())}")


async def _main(seconds: float) -> None:
    async with a_simulated_model() as model:
        seen = await soak(model, seconds)
    for name, memory in seen.memory.items():
        sys.stdout.write(f"{name}: {memory[0][1]} to {memory[-1][1]} MB, grown {growth(memory):.3f} times\n")
    sys.stdout.write(f"{told(seen.statuses.elements())}; slowest {seen.slowest_s:.2f} s; ")
    sys.stdout.write(f"/health p99 {seen.health_p99_s:.3f} s; lag p99 {seen.lag_p99_s} s\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=SECONDS)
    asyncio.run(_main(parser.parse_args().seconds))
