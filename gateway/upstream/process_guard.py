"""The parent of one server's process: a program of its own, which ends the server when the gateway asks for it or is gone.

The gateway holds the other end of a socket. Its end, however it comes, means that the gateway is done with the server: the server
has until then lost its stdin as well, gets time to leave, then SIGTERM, then SIGKILL, with everything in its process group. CPython's
`multiprocessing.resource_tracker` and PostgreSQL's postmaster watch each other in this way: it needs no system call of one
platform, and unlike Linux's PR_SET_PDEATHSIG it reaches the children of the server and does not depend on which thread started it.

Reads nothing, writes one line to the socket: how the server ended. Imports little, since one runs beside each server.
"""

import os
import select
import signal
import sys
import time
from contextlib import suppress

# Signals to the process group are meant for the server; the guard must be there when it ends.
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main(control: int, grace_seconds: float, command: list[str]) -> None:
    """Run a command until it ends or the other end of `control` is closed; leave no process of its group behind."""
    os.set_inheritable(control, False)  # noqa: FBT003 - the name says it
    wake = _wake_on_exit_of_child()
    for each in ENDING_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    try:
        server = os.posix_spawnp(
            command[0], command, os.environ, setsigdef=[*ENDING_SIGNALS, signal.SIGPIPE, signal.SIGXFSZ]
        )
    except OSError as error:
        _report(control, f"cannot be started: {error.strerror}")
        return
    _let_go_of_the_servers_pipes()
    _report(control, _guard(server, control, wake, grace_seconds))
    os.killpg(0, signal.SIGKILL)  # what is left of the group, the guard included


def _guard(server: int, control: int, wake: int, grace_seconds: float) -> str:
    """Wait for the server's end, and bring it about once the gateway is done with it. Return how it ended."""
    ended = _wait(server, [control, wake], None)
    if ended is None:
        ended = _wait(server, [wake], grace_seconds)
    if ended is None:
        os.killpg(0, signal.SIGTERM)
        ended = _wait(server, [wake], grace_seconds)
    return ended or "was killed: it did not leave on SIGTERM"


def _wait(server: int, wake_on: list[int], seconds: float | None) -> str | None:
    """Return how the server ended; None if `seconds` are over, or the gateway is done with it."""
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        pid, status = os.waitpid(server, os.WNOHANG)
        if pid:
            return _described(os.waitstatus_to_exitcode(status))
        left = None if end is None else max(end - time.monotonic(), 0.0)
        ready = select.select(wake_on, [], [], left)[0]
        if not ready or ready == wake_on[:-1]:
            return None
        os.read(wake_on[-1], 4096)


def _described(exit_code: int) -> str:
    return f"exited with status {exit_code}" if exit_code >= 0 else f"was ended by signal {-exit_code}"


def _wake_on_exit_of_child() -> int:
    """Return a file descriptor that can be read once a child has ended."""
    wake, written = os.pipe()
    os.set_blocking(written, False)
    signal.set_wakeup_fd(written)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    return wake


def _let_go_of_the_servers_pipes() -> None:
    """Hold them open no longer: they shall end with the server."""
    null = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(null, each)


def _report(control: int, ended: str) -> None:
    with suppress(OSError):  # the gateway is gone
        os.write(control, ended.encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:])
