"""What was measured, kept as JSON between runs: a slow part need not be run again for a report of all."""

import json
import os
import platform
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.fidelity.bars import Results
from bench.fidelity.measures import Assault, Cost, Run
from bench.versions import installed

PACKAGES = ("langchain-classic", "langchain-openai", "tiktoken")

# The part without a real model, and the part with one.
PARTS = ("fidelity", "real")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """When, with what and on what a part was measured."""

    date: str
    first_seed: int
    second_seed: int
    python: str
    cores: int
    versions: dict[str, str] = field(default_factory=dict)


def today(first_seed: int, second_seed: int) -> Circumstances:
    """Return the circumstances of a run that ends now."""
    found = installed(PACKAGES)
    date = datetime.now(UTC).date().isoformat()
    return Circumstances(date, first_seed, second_seed, platform.python_version(), os.cpu_count() or 1, found)


def save(path: Path, results: Results, circumstances: Circumstances) -> None:
    """Keep the results of one part."""
    path.parent.mkdir(exist_ok=True)
    kept = {
        "circumstances": asdict(circumstances),
        "cost": asdict(results.cost) if results.cost else None,
        "assaults": [asdict(assault) for assault in results.assaults],
        "runs": [_short(asdict(run)) for run in results.runs],
    }
    lines = [f"{json.dumps(name)}: {_listed(value)}" for name, value in kept.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def _listed(value: Any) -> str:
    """Write a list with one entry a line, so that a change shows as a line."""
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    entries = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in value)
    return f"[\n{entries}\n]" if value else "[]"


def _short(run: dict[str, Any]) -> dict[str, Any]:
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in run.items()}
    return {
        name: value for name, value in rounded.items() if value not in ("", 0, (), None) or name == "recall"
    }


def load(directory: Path) -> dict[str, tuple[Results, Circumstances]]:
    """Return the parts that were kept in a directory."""
    paths = {part: directory / f"{part}.json" for part in PARTS}
    return {part: _read(path) for part, path in paths.items() if path.exists()}


# What a run has where nothing was kept for it.
_EMPTY: dict[str, Any] = {
    "model": "", "ratio": 0, "target": 0, "tokens": 0, "unsupported": 0, "seconds": 0.0,
}  # fmt: skip


def _read(path: Path) -> tuple[Results, Circumstances]:
    kept = json.loads(path.read_text("utf-8"))
    runs = [Run(**{**_EMPTY, **run, "examples": tuple(run.get("examples", ()))}) for run in kept["runs"]]
    assaults = [Assault(**assault) for assault in kept["assaults"]]
    return Results(runs, assaults, _cost(kept["cost"])), Circumstances(**kept["circumstances"])


def _cost(kept: dict[str, Any] | None) -> Cost | None:
    """Return what was kept; None where it is of an earlier version, which measured other figures."""
    names = {one.name for one in fields(Cost)}
    return Cost(**kept) if kept and set(kept) == names else None
