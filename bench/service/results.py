"""What was measured, kept as JSON between runs: a soak of ten minutes need not be run again for the rest."""

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.service.jobs import Measured
from bench.service.trials import Row

PACKAGES = ("aiohttp", "httpx", "tiktoken", "langchain-classic", "langchain-openai")

JOBS, CHUNKING, HTTP, TRIALS, SOAK = "jobs", "chunking", "http", "trials", "soak"
PARTS = (JOBS, CHUNKING, HTTP, TRIALS, SOAK)

Series = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One bar as another bench judges it."""

    what: str
    wanted: float
    got: float
    at_least: bool = False


@dataclass(slots=True)
class Results:
    """All that was measured. An empty part was not run."""

    jobs: list[Measured] = field(default_factory=list)
    limit: dict[str, Series] = field(default_factory=dict)
    """While the limit of a provider is found: by name, seconds since the begin and calls."""
    chunking: float | None = None
    """Chunking with counting, to one pass of the tokenizer, on the clock."""
    http_bars: list[Verdict] = field(default_factory=list)
    rates: dict[str, dict[str, float]] = field(default_factory=dict)
    """Requests a second by workload and contestant."""
    http_report: str = ""
    """The tables behind these, as Markdown."""
    trials: list[Row] = field(default_factory=list)
    soak: dict[str, Any] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    """Of each part: when, on what and with what it was measured, in a line."""

    def job(self, method: str, content: int, places: int) -> Measured | None:
        """Return a job, of about so many tokens."""
        return next(
            (
                job
                for job in self.jobs
                if job.method == method
                and job.places == places
                and abs(job.content_tokens - content) <= content / 50
            ),
            None,
        )


def circumstances(seconds: float) -> str:
    """Say when, on what and with what a part was measured that took so long and ends now."""
    known = []
    for name in PACKAGES:
        try:
            known.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, in {seconds / 60:.1f} minutes, {os.cpu_count()} cores, load at its end {load}, "
        f"Python {platform.python_version()}, {', '.join(known)}"
    )


def save(path: Path, results: Results) -> None:
    """Keep everything."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(asdict(results), indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(path: Path) -> Results:
    """Return what was kept, nothing where there is none."""
    if not path.exists():
        return Results()
    kept: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return Results(
        jobs=[Measured(**job) for job in kept.pop("jobs")],
        http_bars=[Verdict(**bar) for bar in kept.pop("http_bars")],
        trials=[Row(**row) for row in kept.pop("trials")],
        limit={name: _pairs(series) for name, series in kept.pop("limit").items()},
        **kept,
    )


def _pairs(series: list[list[float]]) -> Series:
    return [(when, value) for when, value in series]
