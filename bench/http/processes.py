"""Contestants as processes: started on one core, while what measures them keeps to another; what they use, from the system."""

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from bench import process_tree

ROOT = Path(__file__).resolve().parent.parent.parent
MB = 1_000_000

# A contestant that says nothing for so long has failed.
PATIENCE_SECONDS = 60.0


class DidNotStart(Exception):
    """A contestant ended before it listened; the message has its last words."""


@dataclass(frozen=True)
class Running:
    """A contestant that listens."""

    name: str
    process: "subprocess.Popen[str]"
    port: int

    def cpu_seconds(self) -> float:
        """Return what it has used of a processor: a busy neighbour takes nothing from this figure."""
        return process_tree.cpu_seconds(self.process.pid)

    def memory(self) -> int:
        """Return its resident memory in bytes."""
        return process_tree.resident(self.process.pid)

    def peak_memory(self) -> int:
        """Return the most that its resident memory has been since `forget_peak`, in bytes."""
        return process_tree.peak(self.process.pid)

    def forget_peak(self) -> None:
        """Let the peak begin anew."""
        process_tree.forget_peak(self.process.pid)


@contextmanager
def on_core(cores: set[int]) -> Iterator[None]:
    """Keep this thread, and what it starts, to some cores; where there is only one, or no say in it, to any."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores & before or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def running(name: str, command: list[str], settings: Mapping[str, str], cores: set[int]) -> Iterator[Running]:
    """Run a program of the repository until the end of the block; it prints its port, or a URL with it. Raises DidNotStart."""
    # A file, not a pipe: what it logs must neither make it wait nor make us read.
    said = TemporaryFile("w+")  # noqa: SIM115, closed below
    with on_core(cores):
        process = subprocess.Popen(command, cwd=ROOT, env=environment(settings), stdout=said, text=True)  # noqa: S603, ours
    try:
        yield Running(name, process, _port(name, process, said))
    finally:
        process.kill()
        process.wait()
        said.close()


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return what a contestant gets: nothing of the caller's own, as a proxy or a key would be measured too."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
        **settings,
    }


def _port(name: str, process: "subprocess.Popen[str]", said: IO[str]) -> int:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and process.poll() is None:
        said.seek(0)
        line = said.readline()
        if line.endswith("\n"):
            told = json.loads(line)
            return int(told["port"] if "port" in told else told["url"].rpartition(":")[2].partition("/")[0])
        time.sleep(0.01)
    raise DidNotStart(f"{name}: expected a line with its port, got none; its exit status is {process.poll()}")


async def settled(contestant: Running, seconds: float = 0.3) -> None:
    """Wait until a contestant has nothing to do: it uses less than a tenth of a core for a while."""
    before = contestant.cpu_seconds()
    for _ in range(round(PATIENCE_SECONDS / seconds)):
        await asyncio.sleep(seconds)
        now = contestant.cpu_seconds()
        if now - before < 0.1 * seconds:
            return
        before = now
