"""A process holds its lock for as long as it runs, and no longer."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from storage.process_lock import ProcessLock, running
from tests.support.service import ROOT

HOLDER = """
import sys
from pathlib import Path
from storage.process_lock import ProcessLock
lock = ProcessLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_lock_is_held_until_it_is_released(tmp_path: Path) -> None:
    lock = ProcessLock(tmp_path / "a.lock")
    (tmp_path / "b.lock").touch()  # of a process that has ended
    assert (tmp_path / "a.lock").stat().st_mode & 0o777 == 0o600
    assert list(running(tmp_path, "*.lock")) == ["a.lock"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.lock"]
    lock.release()
    assert list(running(tmp_path, "*.lock")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_killed_process_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "other.lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert list(running(tmp_path, "*.lock")) == ["other.lock"]
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert list(running(tmp_path, "*.lock")) == []
    assert not path.exists()


def test_a_file_that_cannot_be_opened_counts_as_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of another user, whose process may run; root, as whom tests may run, could open it."""
    open_file = os.open

    def refused(path: Path, *arguments: int) -> int:
        if Path(path).name == "other.lock":
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_file(path, *arguments)

    (tmp_path / "other.lock").touch()
    monkeypatch.setattr(os, "open", refused)
    assert list(running(tmp_path, "*.lock")) == ["other.lock"]
    assert (tmp_path / "other.lock").exists()


def test_who_looks_before_the_lock_is_there_takes_none_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock_file, looked = fcntl.flock, list[int]()

    def removed_before(file: int, operation: int) -> None:
        if not looked:
            looked.append(file)
            (tmp_path / "a.lock").unlink()  # as who looks does
        lock_file(file, operation)

    monkeypatch.setattr(fcntl, "flock", removed_before)
    lock = ProcessLock(tmp_path / "a.lock")
    assert looked
    assert list(running(tmp_path, "*.lock")) == ["a.lock"]
    lock.release()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        ProcessLock(tmp_path / "a.lock")
