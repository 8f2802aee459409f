"""The process around the application: listening, stopping on a signal, the interpreter's settings.

Knows nothing of what is served.
"""

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from aiohttp import web

from transport.connection import Connection, OwnerOf, anonymous
from transport.read_turns import ReadTurns
from transport.refusals import RefusalLog

# New connections that the system queues: past aiohttp's 128, clients would have to retry after a second.
BACKLOG = 2_048

# After the grace time: for responses that are still being written.
SENDING_SECONDS = 1.0

# A full garbage collection visits every object of the texts at work and stops everything meanwhile: 0.2 s for 16 MiB cut into
# sentences. Python's own value, 10, lets it happen several times per text; this makes it rare, since reference counting frees
# such texts. Reference cycles are collected when transport/garbage_collection.py decides so.
YOUNGER_COLLECTIONS_PER_FULL = 10_000

# Turns of the event loop from the arrival of a connection and its request to the request's handler: six, and some to spare.
TURNS_TO_A_HANDLER = 10

# How long a thread may keep the interpreter while others wait for it. The event loop must wait for it again after each system
# call: with Python's own 5 ms, /health under full load took 48 ms at the 99th percentile; with this 23, for 3 % more CPU time.
SWITCH_SECONDS = 0.001

# Of a size that only large texts have: to take a block from the system and to give it back costs a page fault for each 4 KB.
LARGE_BLOCK_BYTES = 1024 * 1024

# Why an address cannot be used, and what to do about it.
WHY_NOT: dict[int | None, str] = {
    errno.EADDRINUSE: "it is in use; stop what listens there or set another port (0 takes a free one)",
    errno.EADDRNOTAVAIL: "this machine has no such address; 127.0.0.1 is for this machine alone, 0.0.0.0 for every network",
    errno.EACCES: "this user may not listen there; set a port over 1023",
}

logger = logging.getLogger(__name__)

CANCELLED: web.AppKey[Counter[str]] = web.AppKey("cancelled", Counter)
"""How much of each kind an application cancelled at its shutdown: for the last log line."""


OWNER_OF: web.AppKey[OwnerOf] = web.AppKey("owner_of")
"""Whose requests an application tells apart: their bodies are read in turns. Without it, all are of one owner."""


@dataclass(frozen=True)
class Listening:
    """Where to listen, and the limits of a connection before it has sent a request."""

    host: str
    port: int
    header_bytes: int
    """Longest header line."""
    idle_seconds: float
    """Time for a complete request head: the first one, and each after that."""


class CannotListen(Exception):
    """The address is in use, or not one of this machine. The message names the settings."""


@asynccontextmanager
async def open_listener(app: web.Application, listening: Listening) -> AsyncIterator[int]:
    """Listen, and yield the port; at the end of the block, let the application finish its work. Raises CannotListen."""
    # aiohttp waits for its own shutdown_timeout twice: the grace time for calls is spent in the application's on_shutdown.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=SENDING_SECONDS)
    await runner.setup()
    try:
        server = await _start_server(runner, listening, app.get(OWNER_OF, lambda headers: ""))
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
        # Now, not in cleanup(), which drops unfinished uploads before it shuts the application down.
        closing = asyncio.create_task(_close_idle_connections(runner))
        await _shut_down(app)
        await closing
    finally:
        await runner.cleanup()


async def _shut_down(app: web.Application) -> None:
    began = time.monotonic()
    logger.info("service_stopping")
    await app.shutdown()
    cancelled = app[CANCELLED] if CANCELLED in app else Counter[str]()
    logger.info("service_stopped", extra={"seconds": round(time.monotonic() - began, 3), **cancelled})


async def _start_server(runner: web.AppRunner, listening: Listening, owner_of: OwnerOf) -> asyncio.Server:
    manager, loop = cast("web.Server", runner.server), asyncio.get_running_loop()
    manager.request_factory = anonymous(manager.request_factory)
    connection = partial(
        Connection,
        manager,
        RefusalLog(),
        ReadTurns(loop.call_soon),
        owner_of,
        loop=loop,
        access_log=None,
        keepalive_timeout=listening.idle_seconds,
        max_line_size=listening.header_bytes,
        max_field_size=listening.header_bytes,
        auto_decompress=False,  # compressed bodies are refused, and aiohttp would decompress them on the event loop
    )
    try:
        return await loop.create_server(connection, listening.host, listening.port, backlog=BACKLOG)
    except (OSError, UnicodeError) as problem:  # UnicodeError: a host name that cannot be encoded
        raise CannotListen(
            f"cannot listen on MCP_SUMMARIZER_HOST {listening.host}, "
            f"MCP_SUMMARIZER_PORT {listening.port}{_without_address(problem)}"
        ) from problem


async def _close_idle_connections(runner: web.AppRunner) -> None:
    """Close idle keep-alive connections, so that clients send their next request elsewhere instead of being refused here.

    A request that has already arrived still gets its handler, which closes the connection after its answer.
    """
    for _ in range(TURNS_TO_A_HANDLER):
        _close_idle(runner)
        await asyncio.sleep(0)


def _close_idle(runner: web.AppRunner) -> None:
    for connection in runner.server.connections if runner.server else ():
        # aiohttp has no public way to do this: its pre_shutdown() closes all connections, and loses unfinished uploads.
        waits = connection._waiter  # noqa: SLF001
        if waits is not None and not waits.done():
            connection.force_close()


async def serve(app: web.Application, listening: Listening, announce: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT; `announce` is called with the port once the service listens. Raises CannotListen."""
    stopped = stop_signals()
    async with open_listener(app, listening) as port:
        announce(port)
        await stopped


def _without_address(problem: OSError | UnicodeError) -> str:
    """Say briefly what is wrong; the system's own message repeats the address."""
    if isinstance(problem, socket.gaierror):
        return f": expected an address or the name of this machine: {problem.strerror}"
    number = problem.errno if isinstance(problem, OSError) else None
    return f": {WHY_NOT.get(number, problem)}"


def stop_signals() -> asyncio.Future[None]:
    """Return a future that is done at the first SIGTERM or SIGINT; a second one ends the process at once."""
    loop = asyncio.get_running_loop()
    stopped = loop.create_future()

    def stop() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
            # Python's own SIGINT handler would raise in the event loop, and the clean-up would take its grace time all the same.
            signal.signal(number, signal.SIG_DFL)
        if not stopped.done():  # two signals may arrive before the first is handled
            stopped.set_result(None)

    with suppress(NotImplementedError):  # on Windows, Ctrl-C ends asyncio.run
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)
    return stopped


def prepare_process() -> None:
    """Set up the interpreter, the C library and the limits of the system for a service."""
    calm_garbage_collector()
    return_freed_memory()
    shorten_thread_switches()
    allow_connections()


def allow_connections() -> None:
    """Raise the limit of open files, and so of connections, to the hard limit; shells start with 1024."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit; a system may refuse
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def calm_garbage_collector() -> None:
    """Exclude the objects made at start from later collections, and make full collections rare."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], YOUNGER_COLLECTIONS_PER_FULL)


def shorten_thread_switches() -> None:
    """Let the event loop run more often between the turns of the worker threads."""
    sys.setswitchinterval(SWITCH_SECONDS)


def return_freed_memory() -> None:
    """Let the C library return memory to the system once it is freed: that of the start now, that of large texts from now on.

    By itself glibc keeps blocks of up to 32 MB for later, since it counts a size as usual once one block of it was freed, and keeps
    what is freed in each thread for that thread: what parsing a text took is of no use to summarizing it.
    """
    with suppress(ImportError, OSError, AttributeError):  # other systems have no such functions
        library = _c_library()
        library.mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES)
        library.mallopt(_M_ARENA_MAX, 1)
        library.malloc_trim(0)


def collect_garbage() -> None:
    """Run a full garbage collection, and return to the system what is free between the blocks in use: glibc itself returns the end alone."""
    gc.collect()
    with suppress(ImportError, OSError, AttributeError):  # as above
        _c_library().malloc_trim(0)


def _c_library() -> Any:
    import ctypes  # noqa: PLC0415 - not part of every Python

    return ctypes.CDLL(None)


# malloc.h of glibc: blocks of at least this size come from the system and go back to it, one by one;
_M_MMAP_THRESHOLD = -3
# and so many heaps serve all threads.
_M_ARENA_MAX = -8
