"""From `python app.py` to the first answered `tools/list`, with everything in the disk's cache."""

import asyncio
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.http.client import connect
from bench.http.contestants import SERVICE
from bench.http.memory import ALL_CORES
from bench.http.processes import PATIENCE_SECONDS, ROOT, DidNotStart, environment, on_core
from bench.http.rates import WrongAnswer
from bench.http.requests import MODERN, list_tools
from bench.process_tree import cpu_seconds

# How often a service that does not listen yet is asked.
KNOCK_SECONDS = 0.002


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds to the first answer: on the clock, and of the processor, which a busy neighbour changes less."""

    seconds: float
    cpu_seconds: float


async def measure_start(environments: Path, rounds: int) -> list[Start]:
    """Return each start; one before them fills the caches, and Python's of bytecode."""
    return [await _start(SERVICE.command(environments)) for _ in range(rounds + 1)][1:]


async def _start(command: list[str]) -> Start:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    settings = environment({"MCP_SUMMARIZER_PORT": str(port)})
    began = time.perf_counter()
    with on_core(ALL_CORES):
        process = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL)  # noqa: ASYNC220, S603, ours
    try:
        await _first_answer(port)
        return Start(time.perf_counter() - began, cpu_seconds(process.pid))
    finally:
        process.kill()
        process.wait()  # killed: it takes no time


async def _first_answer(port: int) -> None:
    call = list_tools(MODERN)
    until = time.perf_counter() + PATIENCE_SECONDS
    while time.perf_counter() < until:
        try:
            connection = await connect(port)
        except ConnectionRefusedError:
            await asyncio.sleep(KNOCK_SECONDS)
            continue
        answer = await connection.send(call.data)
        connection.close()
        if call.expected not in answer.body:
            raise WrongAnswer(f"the first answer: {answer.status} {answer.body[:200]!r}")
        return
    raise DidNotStart(f"the service: expected an answer within {PATIENCE_SECONDS:g} s, got none")


def start_table(starts: Sequence[Start]) -> str:
    """Return the starts as a table in Markdown."""
    clock, cpu = [start.seconds for start in starts], [start.cpu_seconds for start in starts]
    return (
        "| start to first answer, warm | s | of a processor |\n|---|---:|---:|\n"
        f"| median of {len(starts)} | {median(clock):.3f} | {median(cpu):.3f} |\n"
        f"| quickest | {min(clock):.3f} | {min(cpu):.3f} |\n"
        f"| slowest | {max(clock):.3f} | {max(cpu):.3f} |\n"
    )
