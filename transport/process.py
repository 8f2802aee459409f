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
from typing import cast

from aiohttp import web

from transport.connection import Connection, anonymous
from transport.http_checks import RefusalLog

# Connections that come while others are accepted: past aiohttp's 128 the system lets them try again after a second.
BACKLOG = 2_048

# After the grace time, for answers that are still being written.
SENDING_SECONDS = 1.0

# A full garbage collection visits every object of the texts at work, and nothing else runs meanwhile: 0.2 s for 16 MiB
# cut into sentences. Such texts die by their reference counts; this makes it rare, where Python's own 10 lets it happen several times a text.
# What does not is collected when transport/garbage_collection.py says so.
YOUNGER_COLLECTIONS_PER_FULL = 10_000

# Turns of the event loop from a connection's arrival, its request behind it, to the request's handler: six, and some to spare.
TURNS_TO_A_HANDLER = 10

# A thread of Python code keeps the interpreter for so long from others that want it. The event loop asks for it anew behind each
# system call; Python's own 5 ms made /health under full load take 48 ms at the 99th percentile, this 23, for 3 % more work.
SWITCH_SECONDS = 0.001

# Why an address cannot be listened on, and what to do: the system's own words repeat the address.
WHY_NOT: dict[int | None, str] = {
    errno.EADDRINUSE: "it is in use; stop what listens there or set another port (0 takes a free one)",
    errno.EADDRNOTAVAIL: "this machine has no such address; 127.0.0.1 is for this machine alone, 0.0.0.0 for every network",
    errno.EACCES: "this user may not listen there; set a port over 1023",
}

logger = logging.getLogger(__name__)

CANCELLED: web.AppKey[Counter[str]] = web.AppKey("cancelled", Counter)
"""What an application has had to cancel at its shutdown, by its kind: for the last log line."""


@dataclass(frozen=True)
class Listening:
    """Where to listen, and what a connection may cost before it is a request."""

    host: str
    port: int
    header_bytes: int
    """Longest line of a request's head."""
    idle_seconds: float
    """Time for a complete request's head, the first and each next."""


class CannotListen(Exception):
    """The address is taken, or is none of this machine: the message names the settings."""


@asynccontextmanager
async def open_listener(app: web.Application, listening: Listening) -> AsyncIterator[int]:
    """Listen, and yield the port; at the end of the block let the application finish what it does. Raises CannotListen."""
    # aiohttp spends its own shutdown_timeout twice: the grace time for calls is the application's, on its shutdown.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=SENDING_SECONDS)
    await runner.setup()
    try:
        server = await _start_server(runner, listening)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
        # Now, not in cleanup(): that drops what is still being uploaded before it shuts the application down.
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


async def _start_server(runner: web.AppRunner, listening: Listening) -> asyncio.Server:
    manager, loop = cast("web.Server", runner.server), asyncio.get_running_loop()
    manager.request_factory = anonymous(manager.request_factory)
    connection = partial(
        Connection,
        manager,
        RefusalLog(),
        loop=loop,
        access_log=None,
        keepalive_timeout=listening.idle_seconds,
        max_line_size=listening.header_bytes,
        max_field_size=listening.header_bytes,
        auto_decompress=False,  # nobody asked for it, and aiohttp would inflate on the event loop
    )
    try:
        return await loop.create_server(connection, listening.host, listening.port, backlog=BACKLOG)
    except (OSError, UnicodeError) as problem:  # a host name may be no host name
        raise CannotListen(
            f"cannot listen on MCP_SUMMARIZER_HOST {listening.host}, "
            f"MCP_SUMMARIZER_PORT {listening.port}{_without_address(problem)}"
        ) from problem


async def _close_idle_connections(runner: web.AppRunner) -> None:
    """Close the connections that are kept for a next request: it goes elsewhere at once, and not to be refused here.

    A request that has come already gets its handler, which closes the connection behind its answer.
    """
    for _ in range(TURNS_TO_A_HANDLER):
        _close_idle(runner)
        await asyncio.sleep(0)


def _close_idle(runner: web.AppRunner) -> None:
    for connection in runner.server.connections if runner.server else ():
        # aiohttp has no word for this: its pre_shutdown() closes all, and what is still being uploaded is lost.
        waits = connection._waiter  # noqa: SLF001
        if waits is not None and not waits.done():
            connection.force_close()


async def serve(app: web.Application, listening: Listening, announce: Callable[[int], None]) -> None:
    """Serve until SIGTERM or SIGINT; `announce` hears the port once it listens. Raises CannotListen."""
    stopped = stop_signals()
    async with open_listener(app, listening) as port:
        announce(port)
        await stopped


def _without_address(problem: OSError | UnicodeError) -> str:
    """Return what is wrong in few words."""
    if isinstance(problem, socket.gaierror):
        return f": expected an address or the name of this machine: {problem.strerror}"
    number = problem.errno if isinstance(problem, OSError) else None
    return f": {WHY_NOT.get(number, problem)}"


def stop_signals() -> asyncio.Future[None]:
    """Return what is done at the first SIGTERM or SIGINT; a second one ends the process at once."""
    loop = asyncio.get_running_loop()
    stopped = loop.create_future()

    def stop() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
            # Python's own for SIGINT raises in the loop, which would then clean up for as long as the first signal allows.
            signal.signal(number, signal.SIG_DFL)
        if not stopped.done():  # two at once: both were noted before the first was handled
            stopped.set_result(None)

    with suppress(NotImplementedError):  # Windows: there, Ctrl-C ends asyncio.run
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop)
    return stopped


def allow_connections() -> None:
    """Let this process have as many connections as the system lets it; shells allow it 1024 files at first."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit; a system may refuse
        import resource  # noqa: PLC0415 - not on Windows

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def calm_garbage_collector() -> None:
    """Take what the start has made out of every later collection, and make full ones rare."""
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], YOUNGER_COLLECTIONS_PER_FULL)


def let_the_event_loop_in() -> None:
    """Let the event loop run between shorter turns of the worker threads."""
    sys.setswitchinterval(SWITCH_SECONDS)


def give_memory_back() -> None:
    """Give back to the system what the start has freed and the C library keeps for later: 2.4 MB of 77."""
    with suppress(ImportError, OSError, AttributeError):  # other systems have no such function
        import ctypes  # noqa: PLC0415 - not part of every Python

        ctypes.CDLL(None).malloc_trim(0)
