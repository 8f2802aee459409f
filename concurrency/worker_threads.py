"""Worker threads: where CPU work and disk access run while the event loop serves, and how a process ends that has some left.

Work runs in the order of its arrival; summarizing/offload.py orders work on texts.
"""

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import Any

Worker = Callable[..., Awaitable[Any]]
"""`await worker(function, *arguments)` runs a function off the event loop and returns its result."""

# An idle thread ends in far less time.
THREAD_EXIT_SECONDS = 0.5


class WorkerThreads:
    """A Worker over a pool of threads; functions run in the caller's context (contextvars)."""

    def __init__(
        self, pool: ThreadPoolExecutor, helpers: ThreadPoolExecutor | None, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._pool = pool
        self._loop = loop
        self.helpers = helpers
        """A pool for shares of work that runs in the other one; None where no core would be idle for it."""

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
        return self._loop.run_in_executor(self._pool, copy_context().run, _run, function, *arguments)


def _run(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return a function's result. Raises RuntimeError in place of StopIteration: no asyncio.Future takes that, and whoever waits would wait for ever."""
    try:
        return function(*arguments)
    except StopIteration as stopped:
        raise RuntimeError("a function in a worker thread raised StopIteration") from stopped


@asynccontextmanager
async def open_worker(threads: int, cores: int | None = None) -> AsyncIterator[WorkerThreads]:
    """Open a worker of this many threads; at the end of the block, work that has not begun is cancelled.

    `cores` are those that this process may use. The helper has a thread of its own: a share of a large text must not take the
    thread that a short one waits for.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix="worker")
    is_shared = (usable_cores() if cores is None else cores) > 1
    helpers = ThreadPoolExecutor(1, thread_name_prefix="helper") if is_shared else None
    try:
        yield WorkerThreads(pool, helpers, asyncio.get_running_loop())
    finally:
        for each in filter(None, (pool, helpers)):
            each.shutdown(wait=False, cancel_futures=True)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def leave_unfinished_work(status: int) -> None:
    """End the process although a thread is in the middle of a large text: a thread cannot be cancelled.

    The call that it works for was cancelled already; an ordinary exit would wait for the thread.
    """
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    for thread in others:
        thread.join(THREAD_EXIT_SECONDS)
    if any(thread.is_alive() and not thread.daemon for thread in others):
        logging.shutdown()
        os._exit(status)
