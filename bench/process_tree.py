"""What a process and its children use of memory and of processors, from the system (Linux). Of the standard library alone.

Memory that several of them share counts for each: a service does not get lighter by being several processes.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    parents = dict(_parents())
    found = [pid]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found


def resident(pid: int) -> int:
    """Return the resident memory of a process and its descendants in bytes."""
    return _together(pid, "VmRSS")


def peak(pid: int) -> int:
    """Return the most that was resident since `forget_peak`, in bytes: each process at its own worst moment."""
    return _together(pid, "VmHWM")


def forget_peak(pid: int) -> None:
    """Let the peak begin anew."""
    for one in family(pid):
        with suppress(OSError):  # it ended meanwhile
            (PROC / str(one) / "clear_refs").write_text("5", "ascii")


def cpu_seconds(pid: int) -> float:
    """Return what all threads of a process and its descendants have used of a processor."""
    used = 0.0
    for one in family(pid):
        with suppress(OSError):  # it ended meanwhile
            used += own_cpu_seconds(one)
    return used


def own_cpu_seconds(pid: int) -> float:
    """Return what all threads of one process have used of a processor: one system call, where `family` reads all of /proc."""
    # MAKE_PROCESS_CPUCLOCK of Linux, what clock_getcpuclockid(3) gives.
    return time.clock_gettime((~pid << 3) | 2)


def _parents() -> Iterator[tuple[int, int]]:
    for directory in PROC.iterdir():
        if directory.name.isdecimal():
            with suppress(OSError):
                # The second field, a name in parentheses, may have anything in it.
                fields = (directory / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
                yield int(directory.name), int(fields[1])


def _together(pid: int, name: str) -> int:
    return sum(_status(one, name) for one in family(pid))


def _status(pid: int, name: str) -> int:
    with suppress(OSError):
        for line in (PROC / str(pid) / "status").read_text("utf-8", "replace").splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return 0
