"""The parts of the measurement, one after the other, and all that they gave."""

from dataclasses import dataclass, replace
from pathlib import Path

from bench.http.contestants import CONTESTANTS, FEWER
from bench.http.memory import Memory, measure_memory
from bench.http.overload import Overload, measure_overload
from bench.http.processes import ROOT
from bench.http.rates import Rates, measure_rates
from bench.http.size import Package, measure_size
from bench.http.starting import Start, measure_start

PARTS = ("size", "start", "rates", "memory", "overload")


# More than fits the default target: what is to be shortened must not be passed through.
LEAST_BYTES = 40_000


@dataclass(frozen=True, slots=True)
class Options:
    """How much is measured. By default, what the bars speak of."""

    environments: Path = ROOT
    """Where the environments of the service and of its peers are."""
    parts: tuple[str, ...] = PARTS
    rounds: int = 35
    turn_seconds: float = 0.2
    starts: int = 7
    large_calls: int = 50
    large_bytes: int = 1_000_000
    mixed_calls: int = 20_000
    overload_calls: int = 500
    overload_bytes: int = 200_000
    all_names: bool = True
    """Whether every contestant is asked in every era that it knows; otherwise in its own alone."""

    def at(self, scale: float, environments: Path) -> "Options":
        """Return the same with environments elsewhere and, below 1, with less of what takes long: only to try it."""
        if scale >= 1:
            return replace(self, environments=environments)
        return replace(
            self,
            environments=environments,
            rounds=1,
            starts=1,
            turn_seconds=0.3,
            large_bytes=max(LEAST_BYTES, round(self.large_bytes * scale)),
            mixed_calls=max(800, round(self.mixed_calls * scale)),
            overload_bytes=max(LEAST_BYTES, round(self.overload_bytes * scale)),
        )


QUICK = Options(
    rounds=9,
    turn_seconds=0.2,
    starts=3,
    large_calls=5,
    mixed_calls=2_000,
    overload_calls=400,
    overload_bytes=20_000,
)


@dataclass(slots=True)
class Results:
    """What was measured; None where a part was left out."""

    rates: Rates | None = None
    memory: Memory | None = None
    starts: list[Start] | None = None
    packages: list[Package] | None = None
    overload: Overload | None = None


async def measure(options: Options) -> Results:
    """Measure the parts asked for. Raises DidNotStart and WrongAnswer: then nothing that was measured means a thing."""
    results, where = Results(), options.environments
    if "size" in options.parts:
        results.packages = measure_size(where)
    if "start" in options.parts:
        results.starts = await measure_start(where, options.starts)
    if "rates" in options.parts:
        contestants = CONTESTANTS if options.all_names else FEWER
        results.rates = await measure_rates(where, options.rounds, options.turn_seconds, contestants)
    if "memory" in options.parts:
        results.memory = await measure_memory(
            where, options.large_calls, options.large_bytes, options.mixed_calls
        )
    if "overload" in options.parts:
        results.overload = await measure_overload(where, options.overload_calls, options.overload_bytes)
    return results
