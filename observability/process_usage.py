"""What this process uses: memory and processor time, as the system reports them. Decides nothing."""

import os
import sys
from pathlib import Path

# Linux reports a process's memory here, in pages: its total size, its resident size, ...
STATM = Path("/proc/self/statm")


def resident_bytes(statm: Path = STATM) -> float | None:
    """Return the resident memory of the process in bytes; None if the system does not report it."""
    try:
        pages = int(statm.read_text("ascii").split()[1])
    except OSError:
        return None
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def memory_in_use() -> float:
    """Return the process's memory in bytes or, if the system does not report it, in Python's memory blocks."""
    used = resident_bytes()
    return float(sys.getallocatedblocks()) if used is None else used


def cpu_seconds() -> float:
    """Return the CPU time of this process."""
    used = os.times()
    return used.user + used.system
