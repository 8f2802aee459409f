"""A server's process: its three pipes, its guard, and its end. Knows nothing of MCP.

It runs in a process group of its own under a guard (process_guard.py), which ends the group in steps when it is told to, and when
the gateway has died. The environment is an argument.
"""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from concurrency.worker_threads import Worker
from gateway.upstream.errors import UpstreamError, UpstreamFault

# What a server gets of our environment, as in MCP's own SDKs: never our keys. The rest is for its `env` to name.
INHERITED = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
)

# Between the end of stdin and SIGTERM, and between that and SIGKILL; MCP's SDKs take as long.
GRACE_SECONDS = 2.0

# The guard's own steps end before that, whatever the server does.
MAX_END_SECONDS = 5.0

# How much of stdout and stderr is read ahead.
READ_AHEAD_BYTES = 1024 * 1024

_GUARD = Path(__file__).with_name("process_guard.py")


def server_environment(ours: Mapping[str, str], env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a server: a few harmless variables of ours, and its own."""
    # A value that begins with "()" is a function of an old bash.
    return {
        name: ours[name] for name in INHERITED if name in ours and not ours[name].startswith("()")
    } | dict(env)


@dataclass(frozen=True)
class ChildProcess:
    """A running server."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    stderr: asyncio.StreamReader
    end: asyncio.Task[str]
    """Done when neither the server nor its guard runs any more; tells how it ended, "" if the guard could not say."""


@asynccontextmanager
async def running(
    command: Sequence[str],
    *,
    cwd: str | None,
    environment: Mapping[str, str],
    worker: Worker,
) -> AsyncIterator[ChildProcess]:
    """Run a command; after the block no process of its group is left. Raises UpstreamError DOWN."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            # From here to the supervision nothing is awaited: a cancellation would leave the guard without it.
            guard = _start_guard(theirs, command, cwd, environment)
        except UpstreamError:
            writer.close()
            raise
        theirs.close()
        async with _connected(guard, reader, writer, worker) as process:
            yield process


@asynccontextmanager
async def _connected(
    guard: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter, worker: Worker
) -> AsyncIterator[ChildProcess]:
    transports: list[asyncio.BaseTransport] = []
    try:
        async with _supervised(guard, reader, writer, worker) as end:
            stdin = await _writer(guard.stdin)
            try:
                stdout = await _reader(guard.stdout, transports)
                stderr = await _reader(guard.stderr, transports)
                yield ChildProcess(stdin, stdout, stderr, end)
            finally:
                if not stdin.transport.is_closing():
                    stdin.transport.abort()  # not close, which would wait for a server that reads no more
    finally:
        # Only now: a server that still writes while it leaves should not fail for that.
        for each in transports:
            each.close()
        for pipe in filter(None, (guard.stdin, guard.stdout, guard.stderr)):
            pipe.close()  # those that no transport had yet


def _start_guard(
    control: socket.socket,
    command: Sequence[str],
    cwd: str | None,
    environment: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    # subtle: -I and -S keep the guard from what PYTHON* variables of the server's environment mean for the server alone.
    guard = [sys.executable, "-I", "-S", str(_GUARD), str(control.fileno()), str(GRACE_SECONDS)]
    try:
        return subprocess.Popen(  # noqa: S603 - running the configured command is what this is for
            [*guard, _found(command[0], cwd, environment), *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=[control.fileno()],
            cwd=cwd,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:  # no such folder; a NUL in an argument
        what = error.strerror if isinstance(error, OSError) else str(error)
        where = f" in {cwd}" if cwd else ""
        raise UpstreamError(UpstreamFault.DOWN, f"cannot be started{where}: {what}") from None


def _found(command: str, cwd: str | None, environment: Mapping[str, str]) -> str:
    """Return the path of a command. Raises UpstreamError DOWN."""
    path = shutil.which(
        str(Path(cwd or "") / command) if "/" in command else command,
        path=environment.get("PATH", os.defpath),
    )
    if path is None:
        raise UpstreamError(
            UpstreamFault.DOWN,
            f"command: {command!r} is not an executable file, nor in one of the folders of its PATH",
        )
    return str(Path(path).absolute())


@asynccontextmanager
async def _supervised(
    guard: subprocess.Popen[bytes], reader: asyncio.StreamReader, writer: asyncio.StreamWriter, worker: Worker
) -> AsyncIterator[asyncio.Task[str]]:
    """Yield the task that waits for the guard's end; bring that about at the end of the block."""
    end = asyncio.create_task(_ended(guard, reader, worker))
    try:
        yield end
    finally:
        with suppress(OSError):  # it is gone already
            writer.write_eof()
        done, _ = await asyncio.wait({end}, timeout=2 * GRACE_SECONDS + MAX_END_SECONDS)
        if not done:  # the guard hangs, or was stopped
            _kill_group(guard)
            await end
        writer.close()


async def _ended(guard: subprocess.Popen[bytes], control: asyncio.StreamReader, worker: Worker) -> str:
    """Wait for the guard's end, which closes its socket; return its line."""
    report = b""
    with suppress(ConnectionError):
        report = await control.read()
    # A guard that was killed leaves the server behind. The group's number is the guard's, which no other process can get before the
    # guard is waited for.
    _kill_group(guard)
    await worker(guard.wait)
    return report.decode("utf-8", "replace")


def _kill_group(guard: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS: not permitted where only zombies are left
        os.killpg(guard.pid, signal.SIGKILL)


async def _reader(pipe: object, transports: list[asyncio.BaseTransport]) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=READ_AHEAD_BYTES)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    transports.append(transport)
    return reader


async def _writer(pipe: object) -> asyncio.StreamWriter:
    loop = asyncio.get_running_loop()
    # The only public protocol that does what StreamWriter.drain needs.
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), pipe
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)
