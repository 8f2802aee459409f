"""The file of the originals: private, and refused where it is not usable."""

from __future__ import annotations

import ctypes
import os
import shutil
import sqlite3
import stat
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrency.worker_threads import open_worker
from storage.errors import CannotOpen
from storage.originals import OriginalsBounds
from storage.sqlite_file import UnusableFile
from storage.sqlite_store import APPLICATION_ID, FILE_NAME, SqliteStore
from storage.threaded_store import open_originals
from tests.support.laws import examples
from tests.support.original_stores import (
    ANN,
    NOISE,
    ROOMY,
    Clock,
    Ids,
    a_store,
    contents_of,
    cut_off,
    no_database,
    refusal,
    told_in_words,
)


def test_originals_and_deleted_ids_survive_a_restart(tmp_path: Path) -> None:
    clock = Clock()
    with a_store(tmp_path, OriginalsBounds(10_000, 100), clock, new_id=Ids()) as store:
        store.keep("old", ANN)
        clock.now += 60
        store.keep("new", ANN)
        clock.now += 60
        store.expire()
    clock.now += 30
    with a_store(tmp_path, OriginalsBounds(10_000, 100), clock) as store:
        assert store.read("id-2", ANN) == "new"
        assert "without use" in refusal(store, "id-1")


def test_the_files_are_private_to_the_services_user(tmp_path: Path) -> None:
    with a_store(tmp_path / "made") as store:
        store.keep("x", ANN)
        files = list((tmp_path / "made").iterdir())
        assert {file.name for file in files} == {FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"}
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "made").stat().st_mode) == 0o700


def test_a_file_readable_by_others_is_made_private(tmp_path: Path) -> None:
    with a_store(tmp_path):
        pass
    (tmp_path / FILE_NAME).chmod(0o644)
    with a_store(tmp_path):
        assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "name, reason",
    [
        ("file", "File exists"),
        ("a/b", "No such file or directory"),
        ("file/b", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_an_impossible_directory_is_refused_with_the_settings_name(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    place = tmp_path / name
    with pytest.raises(CannotOpen) as caught:
        SqliteStore(place, ROOMY)
    assert str(caught.value) == (
        f"STORAGE_DIRECTORY: expected a directory for the file {FILE_NAME}, got {str(place)!r}: {reason}"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def another_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE theirs (a)")


def a_newer_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA user_version = 9")
        other.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def without_its_tables(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA user_version = 1")
        other.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def linked(ending: str, target: Path, file: Path) -> None:
    with closing(SqliteStore(file.parent, ROOMY)):
        pass
    path = file.with_name(FILE_NAME + ending)
    if ending:
        target.write_bytes(b"of somebody else")
    else:
        path.rename(target)
    path.symlink_to(target)


UNUSABLE: list[tuple[Callable[[Path], object], str]] = [
    (no_database, "file is not a database"),
    (cut_off, "the file is damaged"),
    (another_program, "the file there is a database of another program"),
    (a_newer_version, "the file there has schema version 9, and this service knows 1"),
    (without_its_tables, "no such table: originals"),
    (Path.mkdir, f"{FILE_NAME} is no regular file"),
    (os.mkfifo, f"{FILE_NAME} is no regular file"),
]


LINKED = ["", "-wal", "-shm", "-journal"]


def refused_as_unusable(place: Path) -> UnusableFile:
    before = contents_of(place)
    with pytest.raises(UnusableFile) as caught:
        SqliteStore(place, ROOMY)
    assert contents_of(place) == before
    assert str(place) not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("spoil, reason", UNUSABLE, ids=[getattr(how, "__name__", "") for how, _ in UNUSABLE])
def test_an_unusable_file_is_left_unchanged_and_the_remedy_is_named(
    spoil: Callable[[Path], object], reason: str, tmp_path: Path
) -> None:
    spoil(tmp_path / FILE_NAME)
    problem = refused_as_unusable(tmp_path)
    assert str(problem) == reason
    assert problem.remedy == (
        f"rename or move away {tmp_path / FILE_NAME} and the files beside it (-wal, -shm, -journal), "
        "or name another STORAGE_DIRECTORY; then restart"
    )


@pytest.mark.parametrize("ending", LINKED)
def test_a_symbolic_link_is_not_followed(ending: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    linked(ending, tmp_path / "target", tmp_path / "data" / FILE_NAME)
    target = (tmp_path / "target").read_bytes()
    problem = refused_as_unusable(tmp_path / "data")
    assert str(problem) == f"{FILE_NAME}{ending} is a symbolic link, and none is followed"
    assert (tmp_path / "target").read_bytes() == target


def test_a_link_to_the_directory_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "data")
    (tmp_path / "data").mkdir()
    with a_store(tmp_path / "link") as store:
        assert store.read(store.keep("x", ANN), ANN) == "x"


def give_up_rights() -> None:
    """Have the thread meet modes of files as any user does, root too."""
    header = struct.pack("Ii", 0x20080522, 0)  # capset(2), version 3, of this thread
    if ctypes.CDLL(None, use_errno=True).capset(header, bytes(24)):
        raise OSError(ctypes.get_errno(), "capset")


@pytest.mark.parametrize(
    "what, reason",
    [
        ("a new file", "Permission denied"),
        ("a file that is there", "attempt to write a readonly database"),
        ("its parent", "Permission denied"),
    ],
)
def test_a_directory_without_the_right_to_write_is_unusable(what: str, reason: str, tmp_path: Path) -> None:
    place = tmp_path / "data"
    closed = tmp_path if what == "its parent" else place
    if what == "a file that is there":
        with a_store(place) as store:
            store.keep("x", ANN)
    closed.mkdir(exist_ok=True)
    closed.chmod(0o500)
    with ThreadPoolExecutor(1, initializer=give_up_rights) as pool:
        problem = pool.submit(refused_as_unusable, place).result()
    closed.chmod(0o700)
    assert str(problem) == reason
    assert problem.remedy == (
        f"make room in {place} and let the service's user write there, or name another STORAGE_DIRECTORY; then restart"
    )


def test_a_file_that_is_read_only_is_unusable(tmp_path: Path) -> None:
    with a_store(tmp_path):
        pass
    (tmp_path / FILE_NAME).chmod(0o400)
    with ThreadPoolExecutor(1, initializer=give_up_rights) as pool:
        assert str(pool.submit(refused_as_unusable, tmp_path).result()) == "Permission denied"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[str]]:
    """Return a file with originals of many sizes, and their ids."""
    place = tmp_path_factory.mktemp("sound")
    with a_store(place) as store:
        ids = [store.keep(f"{number} " * (number * 40), ANN) for number in range(40)]
        ids.append(store.keep(NOISE, ANN))
    return (place / FILE_NAME).read_bytes(), ids


@examples(150)
@given(
    damage=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=300)), max_size=20
    ),
    length=st.floats(0, 1),
    is_cut=st.booleans(),
)
async def test_any_damage_to_the_file_is_an_error_message_for_callers(
    sound: tuple[bytes, list[str]],
    tmp_path: Path,
    damage: list[tuple[float, bytes]],
    length: float,
    *,
    is_cut: bool,
) -> None:
    data, ids = bytearray(sound[0]), sound[1]
    for place, written in damage:
        at = int(place * len(data))
        data[at : at + len(written)] = written[: len(data) - at]
    shutil.rmtree(tmp_path / "data", ignore_errors=True)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE_NAME).write_bytes(data[: int(length * len(data))] if is_cut else data)
    async with (
        open_worker(threads=1) as worker,
        open_originals(str(tmp_path / "data"), OriginalsBounds(100_000, 100.0), worker) as store,
    ):
        for result_id in ids[::8]:
            await told_in_words(store.read(result_id, ANN))
        await told_in_words(store.keep(NOISE, ANN))
        await store.expire()
