"""Worker threads: where CPU work runs while the event loop serves, and how a process ends that still has some of it."""

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import Any

# An idle thread that was told to end needs far less.
THREAD_EXIT_SECONDS = 0.5


class Threads:
    """The threads that CPU work runs on: `await threads(function, *arguments)`, in the context of who asks."""

    def __init__(self, pool: ThreadPoolExecutor, loop: asyncio.AbstractEventLoop, cores: int) -> None:
        """`cores` are those that this process may use."""
        self._pool = pool
        self._loop = loop
        self._cores = cores

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
        return self._loop.run_in_executor(self._pool, copy_context().run, function, *arguments)

    @property
    def helpers(self) -> ThreadPoolExecutor | None:
        """The threads as those that take a share of what one of them does; None where no core could be idle for it."""
        return self._pool if self._cores > 1 else None


@asynccontextmanager
async def open_worker(threads: int, cores: int | None = None) -> AsyncIterator[Threads]:
    """Open the threads that CPU work runs on, for as many cores as this process may use."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="worker")
    try:
        yield Threads(pool, asyncio.get_running_loop(), usable_cores() if cores is None else cores)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def leave_unfinished_work(status: int) -> None:
    """End the process where a thread is still in the middle of a large text: a thread cannot be cancelled.

    The call it worked for was cancelled, and nobody waits for it any more; without this the exit would.
    """
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    for thread in others:
        thread.join(THREAD_EXIT_SECONDS)
    if any(thread.is_alive() and not thread.daemon for thread in others):
        logging.shutdown()
        os._exit(status)
