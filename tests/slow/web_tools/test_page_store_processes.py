"""The file of stored pages, with several processes and crashes."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from storage.errors import CannotOpen
from tests.support.service import PATIENCE_S, ROOT
from tests.web_tools.page_store.test_duckdb_pages import ROOMY, a_page
from web_tools.page_store.duckdb_pages import DuckDbPages
from web_tools.pages import StoredPage

# Stores pages that anybody can make again from their number, every second one in place of an older one, and tells each that is stored
# with its vectors.
KEEPER = """
import sys
from pathlib import Path
from tests.slow.web_tools.test_page_store_processes import numbered_page, vector_of
from web_tools.page_store.duckdb_pages import DuckDbPages
store = DuckDbPages(Path(sys.argv[1]), "numbers-8", 1 << 30)
print("open", flush=True)
for number in range(int(sys.argv[2])):
    page = numbered_page(number)
    store.put(page)
    store.add_vectors(page.url, {each.id: vector_of(number, place) for place, each in enumerate(page.passages)})
    print(number, flush=True)
sys.stdin.read()
"""


def numbered_page(number: int) -> StoredPage:
    texts = [f"{number} {place} " * (number % 7 * 40 + 1) for place in range(20)]
    return a_page(f"http://a/{number // 2}", *texts)


def vector_of(number: int, place: int) -> list[float]:
    return [number + 1.0, place + 1.0, *[0.5] * 6]


def keeper(place: Path, pages: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(place), str(pages)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("after", [1, 6, 40, 90])
def test_a_process_killed_while_it_writes_loses_no_page_that_was_stored(after: int, tmp_path: Path) -> None:
    with keeper(tmp_path, 1_000_000) as child:
        assert child.stdout
        lines = [child.stdout.readline() for _ in range(after + 1)]
        child.send_signal(signal.SIGKILL)
        lines += [line for line in child.stdout if line.endswith("\n")]
        child.wait(PATIENCE_S)
    last = int(lines[-1])
    with closing(DuckDbPages(tmp_path, "numbers-8", ROOMY)) as store:
        for url_number in range(last // 2 + 1):
            newest = min(2 * url_number + 1, last)
            stored = store.page(f"http://a/{url_number}")
            # The one that was being written when the process was killed may be there, too.
            assert stored in (numbered_page(newest), numbered_page(2 * url_number + 1))
            if stored == numbered_page(newest):
                assert store.without_vector(stored.url) == []
                assert len(store.nearest(stored.url, vector_of(newest, 3), 50)) == 20
        store.put(a_page("http://b/", "one"))  # the file can be written


def test_two_processes_on_one_file_are_one_too_many(tmp_path: Path) -> None:
    with keeper(tmp_path, 1) as child:
        assert child.stdout
        assert child.stdout.readline() == "open\n"
        with pytest.raises(CannotOpen) as caught:
            DuckDbPages(tmp_path, "numbers-8", ROOMY)
        child.communicate(timeout=PATIENCE_S)
        assert str(caught.value) == (
            "DATA_DIR: expected a directory that no other process uses, got one whose db/mpc.duckdb is open in process "
            f"{child.pid}: end that one, or name another DATA_DIR ({tmp_path / 'db' / 'mpc.duckdb'})"
        )
    with closing(DuckDbPages(tmp_path, "numbers-8", ROOMY)) as store:
        assert store.size.pages == 1
