"""What one whole run measured, and the runs of one bench, kept as JSON beside the report. A part that ran alone is not kept."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.service.jobs import Measured
from bench.service.trials import Row
from bench.verdict import Verdict
from bench.versions import installed

PACKAGES = ("aiohttp", "httpx", "tiktoken", "langchain-classic", "langchain-openai")

JOBS, CHUNKING, COST, HTTP, TRIALS, LOADS, SOAK = (
    "jobs",
    "chunking",
    "cost",
    "http",
    "trials",
    "loads",
    "soak",
)
PARTS = (JOBS, CHUNKING, COST, HTTP, TRIALS, LOADS, SOAK)


@dataclass(slots=True)
class Results:
    """All that one run measured. An empty part was not run."""

    jobs: list[Measured] = field(default_factory=list)
    chunking: float | None = None
    """Chunking with counting, to one pass of the tokenizer, on the clock."""
    cost: dict[str, float] = field(default_factory=dict)
    """By kind of text, seconds of a core for a MB."""
    http_bars: list[Verdict] = field(default_factory=list)
    rates: dict[str, dict[str, float]] = field(default_factory=dict)
    """Requests a second by workload and contestant."""
    trials: list[Row] = field(default_factory=list)
    loads: list[Row] = field(default_factory=list)
    soak: dict[str, Any] = field(default_factory=dict)
    said: str = ""
    """When, on what and with what it was measured, in a line."""

    def job(self, method: str, places: int) -> Measured | None:
        """Return a job."""
        return next((job for job in self.jobs if job.method == method and job.places == places), None)


@dataclass(slots=True)
class Bench:
    """The whole runs of one bench, as many as were finished of those `wanted`, and the others' jobs, measured once."""

    wanted: int
    runs: list[Results] = field(default_factory=list)
    others: list[Measured] = field(default_factory=list)

    def jobs(self, method: str, places: int) -> list[Measured]:
        """Return a job of every run, or the only one of another pipeline."""
        found = [run.job(method, places) for run in self.runs]
        ours = [job for job in found if job is not None]
        return ours or [job for job in self.others if job.method == method and job.places == places]


def circumstances(seconds: float) -> str:
    """Say when, on what and with what a run was measured that took so long and ends now."""
    known = [f"{name} {version}" for name, version in installed(PACKAGES).items()]
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {seconds / 60:.1f} minutes, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, {', '.join(known)}"
    )


def save(path: Path, bench: Bench) -> None:
    """Keep everything."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(asdict(bench), indent=1, ensure_ascii=False) + "\n", "utf-8")


def load(path: Path) -> Bench:
    """Return what was kept."""
    kept: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return Bench(kept["wanted"], [_run(run) for run in kept["runs"]], _jobs(kept["others"]))


def _run(kept: dict[str, Any]) -> Results:
    return Results(
        jobs=_jobs(kept.pop("jobs")),
        http_bars=[Verdict(**bar) for bar in kept.pop("http_bars")],
        trials=_rows(kept.pop("trials")),
        loads=_rows(kept.pop("loads")),
        **kept,
    )


def _jobs(kept: Sequence[dict[str, Any]]) -> list[Measured]:
    return [Measured(**job) for job in kept]


def _rows(kept: Sequence[dict[str, Any]]) -> list[Row]:
    return [Row(**{**row, "figures": tuple(Verdict(**one) for one in row["figures"])}) for row in kept]
