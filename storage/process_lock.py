"""Says that a process runs: a lock on a file of its own, which the system ends with the process, however that ends.

Holds for the processes of one machine, containers that share a directory among them. Blocks for a moment: call it in a worker thread.
"""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

_FLAGS = os.O_RDWR | os.O_NOFOLLOW


class ProcessLock:
    """The file of one process, and its lock."""

    def __init__(self, path: Path) -> None:
        """Raises OSError, also where the file system has no locks."""
        self._path = path
        self._file = _locked(path)
        # subtle: whoever looks between its making and its lock removes the file as that of a process that has ended.
        while not _is_at(path, self._file):
            os.close(self._file)
            self._file = _locked(path)

    def release(self) -> None:
        """Remove the file, and end the lock."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)


def running(directory: Path, pattern: str) -> Iterator[str]:
    """Yield the names of the files whose processes run, or that cannot be opened, and remove the others. Raises OSError."""
    for path in directory.glob(pattern):
        if _is_held(path):
            yield path.name


def _locked(path: Path) -> int:
    file = os.open(path, _FLAGS | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:
        os.close(file)
        raise
    return file


def _is_held(path: Path) -> bool:
    try:
        file = os.open(path, _FLAGS)
    except FileNotFoundError:
        return False
    except PermissionError:  # of another user, whose process may well run
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        if _is_at(path, file):
            path.unlink(missing_ok=True)
        return False
    finally:
        os.close(file)


def _is_at(path: Path, file: int) -> bool:
    """Whether an open file is the one at its path."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(file))
    except FileNotFoundError:
        return False
