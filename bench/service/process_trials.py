"""Trials of the service's own process: told to end under load, a full disk, a clock that jumps."""

import asyncio
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.service.model_trials import ALLOW, TARGET
from bench.service.processes import Result, Service, a_service, on_a_model
from bench.service.provider import Behaviour
from bench.service.trials import Row, Stage, all_at_once, at_a_rate, documents, row, told
from bench.service.watching import watched

# --- Told to end under load ------------------------------------------------------------------------------------

TERM_JOBS, TERM_FACTS = 60, 33
TERM_AFTER_S, GRACE_S = 3.0, 5.0

# After the grace time the answers that are being written are finished, and the process ends.
EXIT_SPARE_S = 2.0


async def told_to_end(stage: Stage) -> Row:
    """Send SIGTERM while calls are in flight and others wait."""
    contents = documents(stage.of(TERM_JOBS), TERM_FACTS)
    await stage.model.behave(Behaviour(allow=ALLOW))
    settings = on_a_model(stage.model.url, SHUTDOWN_GRACE_SECONDS=f"{GRACE_S:g}")
    async with a_service(settings) as service:
        jobs = asyncio.create_task(all_at_once(service, contents, TARGET))
        await asyncio.sleep(TERM_AFTER_S)
        status, seconds = await service.running.stop(signal.SIGTERM)
        results = await jobs
    errors = sorted({result.error for result in results if result.error})
    silent = [result for result in results if not result.http_status]
    return row(
        f"SIGTERM under {len(contents)} jobs at once",
        f"each is finished or told why not; the process ends within {GRACE_S:g} s of grace",
        [
            told(result.status for result in results),
            f"told {errors[0]!r}" if errors else "",
            f"exit status {status} after {seconds:.1f} s",
        ],
        met=not silent and status == 0 and seconds <= GRACE_S + EXIT_SPARE_S,
    )


# --- A full disk -----------------------------------------------------------------------------------------------

# The largest file that the process may write, in blocks of 512 bytes: room for a few originals, compressed.
FILE_BLOCKS = 600
KEPT_TEXTS, KEPT_FACTS = 16, 150


async def full_disk(stage: Stage) -> Row:
    """Ask to keep more originals than a file may grow to hold."""
    contents = documents(KEPT_TEXTS, KEPT_FACTS)
    # `ulimit -f` makes the system refuse to let any file of the process grow further, as a full disk does.
    limited = ("sh", "-c", f'ulimit -f {FILE_BLOCKS}; exec "$@"', "sh")
    with tempfile.TemporaryDirectory() as directory:
        async with a_service({"STORAGE_DIRECTORY": directory}, limited) as service, watched(service) as watch:
            results = [await _keep(service, text) for text in contents]
            kept = [
                (text, result)
                for text, result in zip(contents, results, strict=True)
                if result.outcome.get("result_id")
            ]
            whole = [await _is_there(service, text, result) for text, result in kept]
    lost = [result for result in results if not result.outcome.get("result_id")]
    honest = all("kept" in str(result.outcome.get("reason")) for result in lost)
    return row(
        "the disk full for the store of originals",
        "every summary is delivered; an original that cannot be kept is named in `reason`, those that were kept stay",
        [
            told(result.status for result in results),
            f"{len(kept)} originals kept, {len(lost)} not",
            f"{sum(whole)} of those kept read back",
            f"reason: {lost[0].outcome.get('reason')!r}" if lost else "the disk was never full",
        ],
        met=bool(lost)
        and bool(kept)
        and honest
        and all(whole)
        and {result.status for result in results} == {"summarized"},
        watch=watch,
    )


async def _keep(service: Service, text: str) -> Result:
    arguments = {"content": text, "max_output_tokens": TARGET, "keep_original": True}
    return await service.call("summarize", arguments)


async def _is_there(service: Service, text: str, kept: Result) -> bool:
    """Whether an original can be read, from its first character on."""
    arguments = {"result_id": kept.outcome["result_id"], "max_tokens": 200}
    read = await service.call("read_original", arguments)
    page = read.text.partition("\n")[2]  # behind the line with its place
    return bool(page) and text.startswith(page)


# --- A clock that jumps ----------------------------------------------------------------------------------------

JUMP_S = 3_600
JUMP_JOBS, JUMP_FACTS, JUMP_EVERY_S = 24, 15, 0.5

# What a job says that it took is what its caller saw, but for the way there and back.
DURATION_SPARE_S = 0.5

# Python's own view of the wall clock, which is the service's, is replaced. libfaketime, which would do so for every library,
# was tried (0.9.10): under it a process with threads stands still for seconds whenever a thread waits with a time limit.
REPLACED = Path(__file__).parent / "clock"


@dataclass(frozen=True, slots=True)
class Clock:
    """A wall clock that a process sees and that can be set."""

    file: Path

    @property
    def settings(self) -> dict[str, str]:
        """What brings it to a process."""
        return {"PYTHONPATH": str(REPLACED), "CLOCK_OFFSET_FILE": str(self.file)}

    def set(self, seconds: int) -> None:
        """Let it be wrong by so many seconds from now on."""
        self.file.with_suffix(".new").write_text(str(seconds), "ascii")
        self.file.with_suffix(".new").replace(self.file)


@contextmanager
def a_clock() -> Iterator[Clock]:
    """Return a clock that is right as yet."""
    with tempfile.TemporaryDirectory() as directory:
        clock = Clock(Path(directory) / "offset")
        clock.set(0)
        yield clock


async def clock_jumps(stage: Stage) -> Row:
    """Set the wall clock an hour forward and then two back while jobs run."""
    contents = documents(stage.of(JUMP_JOBS), JUMP_FACTS)
    await stage.model.behave(Behaviour(allow=ALLOW))
    with a_clock() as clock:
        settings = on_a_model(stage.model.url, **clock.settings)
        async with a_service(settings) as service, watched(service) as watch:
            kept = await _keep(service, contents[0])
            asked, _ = await asyncio.gather(
                at_a_rate(service, contents[1:], TARGET, JUMP_EVERY_S),
                _jump(clock, len(contents) * JUMP_EVERY_S),
            )
            there = await _is_there(service, contents[0], kept)
            back, forth = _wrong_by(service.running.lines(), time.time())
    results = [kept, *(result for _, result in asked)]
    off = max(abs(result.seconds - result.outcome.get("duration_ms", 0) / 1_000) for result in results)
    statuses = [result.status for result in results]
    jumped = forth > JUMP_S / 2 and back < -JUMP_S / 2
    return row(
        f"the wall clock set an hour forward, then two back, a job every {JUMP_EVERY_S:g} s",
        "nothing is given up, hurried or forgotten: every job `summarized`, its duration right, the original kept",
        [
            told(statuses),
            f"durations right within {off:.2f} s",
            "the original is there" if there else "the original is lost",
            f"the log's times went from {back:+.0f} to {forth:+.0f} s"
            if jumped
            else "THE CLOCK DID NOT JUMP",
        ],
        met=jumped and set(statuses) == {"summarized"} and off <= DURATION_SPARE_S and there,
        watch=watch,
    )


async def _jump(clock: Clock, seconds: float) -> None:
    """Set the clock at a third and at two thirds of a time."""
    await asyncio.sleep(seconds / 3)
    clock.set(JUMP_S)
    await asyncio.sleep(seconds / 3)
    clock.set(-JUMP_S)


def _wrong_by(lines: Sequence[Mapping[str, Any]], now: float) -> tuple[float, float]:
    """Return by how many seconds the times of log lines differ from now, the least and the most."""
    times = [
        datetime.fromisoformat(line["timestamp"]).timestamp() - now for line in lines if "timestamp" in line
    ]
    return min(times, default=0.0), max(times, default=0.0)
