"""The file of originals, with several processes, crashes and a full disk."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from storage.sqlite_store import FILE_NAME
from tests.support.original_stores import ANN, a_store, assert_all_there
from tests.support.service import PATIENCE_S, ROOT, environment, popen

# A full disk, as far as the process can tell: no write to a file gets through.
ON_A_FULL_DISK = """
import asyncio, resource, sys
from storage.originals import OriginalsBounds, NotStored
from storage.threaded_store import DisabledOriginals, open_originals
from concurrency.worker_threads import open_worker

async def main():
    async with open_worker(threads=1) as worker:
        async with open_originals(sys.argv[1], OriginalsBounds(1 << 20, 100.0), worker) as store:
            try:
                await store.keep("x", "ann")
            except NotStored as problem:
                print(type(store) is DisabledOriginals, problem)

resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
asyncio.run(main())
"""


@pytest.mark.parametrize("is_new", [True, False])
def test_a_full_disk_leaves_a_service_without_originals(tmp_path: Path, *, is_new: bool) -> None:
    if not is_new:
        with a_store(tmp_path) as store:
            store.keep("x", ANN)
    ended = subprocess.run(
        [sys.executable, "-B", "-c", ON_A_FULL_DISK, str(tmp_path)],
        cwd=ROOT,
        env=environment({}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.stdout == "True originals are off, since their file cannot be used (disk I/O error)\n"
    assert ended.stderr == "originals_off\n"


# Keeps texts that anybody can make again from their number, and tells each id as soon as it has it.
KEEPER = """
import sys
from pathlib import Path
from storage.originals import OriginalsBounds
from storage.sqlite_store import SqliteStore
first, how_many = int(sys.argv[2]), int(sys.argv[3])
store = SqliteStore(Path(sys.argv[1]), OriginalsBounds(1 << 30, 1000.0))
for number in range(first, first + how_many):
    text = f"{number} " * (number % 50 * 1_000 + 1)
    print(number, store.keep(text, "ann"), flush=True)
"""


def keeper(place: Path, first: int, how_many: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", KEEPER, str(place), str(first), str(how_many)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_that_start_and_write_together_lose_nothing(tmp_path: Path) -> None:
    keepers = [keeper(tmp_path / "data", first, 60) for first in (0, 1_000, 2_000)]
    ended = [each.communicate(timeout=PATIENCE_S) for each in keepers]
    assert [err for _, err in ended] == [""] * 3
    lines = [line for out, _ in ended for line in out.splitlines()]
    assert len(lines) == 180
    assert_all_there(tmp_path / "data", lines)


@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_process_killed_while_writing_has_kept_every_id_that_it_returned(
    after: int, tmp_path: Path
) -> None:
    with keeper(tmp_path, 0, 1_000_000) as child:
        assert child.stdout
        lines = [child.stdout.readline() for _ in range(after)]
        child.send_signal(signal.SIGKILL)
        lines += [line for line in child.stdout if line.endswith("\n")]
        child.wait(PATIENCE_S)
    assert_all_there(tmp_path, lines)


def test_a_wrong_directory_stops_the_start_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with popen({"MCP_SUMMARIZER_PORT": "0", "STORAGE_DIRECTORY": str(tmp_path / "file")}) as child:
        out, err = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, out) == (2, "")
    assert err == (
        f"mcp-summarizer: STORAGE_DIRECTORY: expected a directory for the file {FILE_NAME}, "
        f"got '{tmp_path / 'file'}': File exists\n"
    )
