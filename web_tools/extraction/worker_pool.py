"""The extraction processes: started when the first page comes, kept for the next ones, killed when a page takes too long.

A process that has been asked and has not answered is never used again: a call that stops waiting for it, for any reason, kills it.
Knows nothing of formats.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from web_tools.extraction.messages import MAX_HEAD_BYTES, ReadReply, ReadRequest, decoded_reply, encoded
from web_tools.pages import WebError

ROOT = Path(__file__).parents[2]
PROGRAM = "web_tools.extraction.worker"


@dataclass(frozen=True)
class WorkerLimits:
    """What the reading of one page may take, and how many may be read at the same time."""

    seconds: float = 10.0
    memory_bytes: int = 1024 * 1024 * 1024
    """Of address space (RLIMIT_AS), libraries included."""
    processes: int = 2


class WorkerPool:
    """Processes that read pages."""

    def __init__(self, limits: WorkerLimits, environment: Mapping[str, str]) -> None:
        """`environment`: the processes'; they need none of ours."""
        self._limits = limits
        self._environment = environment
        self._free = asyncio.Semaphore(limits.processes)
        self._running: set[Process] = set()
        self._idle: list[Process] = []

    async def read(self, request: ReadRequest, body: bytes) -> tuple[ReadReply, str]:
        """Return what a process read of a page, and the text. Raises WebError."""
        async with self._free:
            process = await self._take()
            is_usable = False
            try:
                async with asyncio.timeout(self._limits.seconds):
                    reply, text = await _asked(process, request, body)
                is_usable = not reply.is_at_end
            except TimeoutError:
                raise WebError(
                    f"{request.url}: no text was found in it within {self._limits.seconds:g} seconds, the most that the reading of a "
                    "page may take; look for another page with this content"
                ) from None
            except (ConnectionError, asyncio.IncompleteReadError):
                raise WebError(await self._of_death(process, request.url)) from None
            finally:
                if is_usable:
                    self._idle.append(process)
                else:
                    await self._end(process)
        return reply, text

    async def _take(self) -> Process:
        """Return a process that waits for a page; the one that waited last, so that the second is only started where two are needed."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            await self._end(process)  # something else ended it
        return await self._start()

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-X", "utf8", "-m", PROGRAM),
            *(str(self._limits.memory_bytes), str(self._limits.seconds)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            cwd=ROOT,
            env=self._environment,
            limit=MAX_HEAD_BYTES,
        )
        self._running.add(process)
        return process

    async def _of_death(self, process: Process, url: str) -> str:
        """Return the message for a process that ended without an answer."""
        status = await process.wait()
        megabytes = self._limits.memory_bytes // 1024 // 1024
        return (
            f"{url}: the process that reads pages ended over it (status {status}), most likely because it needs more than "
            f"{megabytes} MB; look for another page with this content"
        )

    async def _end(self, process: Process) -> None:
        """Kill a process, and wait for its end."""
        self._running.discard(process)
        with suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.communicate()

    async def close(self) -> None:
        """Kill every process, those at work too."""
        self._idle.clear()
        for process in list(self._running):
            await self._end(process)


async def _asked(process: Process, request: ReadRequest, body: bytes) -> tuple[ReadReply, str]:
    """Send a page to a process and return its answer. Raises ConnectionError and IncompleteReadError where the process ends before that."""
    requests, replies = process.stdin, process.stdout
    if requests is None or replies is None:
        raise ConnectionError
    for part in encoded(request, body):
        requests.write(part)
    await requests.drain()
    reply, size = decoded_reply(await replies.readuntil())
    return reply, (await replies.readexactly(size)).decode()


@asynccontextmanager
async def open_worker_pool(limits: WorkerLimits, environment: Mapping[str, str]) -> AsyncIterator[WorkerPool]:
    """Open a pool without a process; after the block none is left."""
    pool = WorkerPool(limits, environment)
    try:
        yield pool
    finally:
        await pool.close()
