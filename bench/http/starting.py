"""From `python app.py` to the first answered `tools/list`, with everything in the disk's cache."""

import asyncio
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench.http.client import connect
from bench.http.contestants import SERVICE
from bench.http.memory import ALL_CORES
from bench.http.processes import PATIENCE_SECONDS, ROOT, DidNotStart, environment, on_core
from bench.http.rates import WrongAnswer
from bench.http.requests import MODERN, list_tools

# How often a service that does not listen yet is asked.
KNOCK_SECONDS = 0.002


async def measure_start(environments: Path, rounds: int) -> list[float]:
    """Return the seconds of each start; one before them fills the caches, and Python's of bytecode."""
    return [await _start(SERVICE.command(environments)) for _ in range(rounds + 1)][1:]


async def _start(command: list[str]) -> float:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    settings = environment({"MCP_SUMMARIZER_PORT": str(port)})
    began = time.perf_counter()
    with on_core(ALL_CORES):
        process = subprocess.Popen(command, cwd=ROOT, env=settings, stdout=subprocess.DEVNULL)  # noqa: ASYNC220, S603, ours
    try:
        await _first_answer(port)
        return time.perf_counter() - began
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


def start_table(starts: Sequence[float]) -> str:
    """Return the starts as a table in Markdown."""
    return (
        "| start to first answer, warm | s |\n|---|---:|\n"
        f"| median of {len(starts)} | {median(starts):.3f} |\n| slowest | {max(starts):.3f} |\n"
    )
