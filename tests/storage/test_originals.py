"""The store of originals: byte for byte, for its owner only, with TTL and eviction, through crashes and damage."""

from __future__ import annotations

import asyncio
import ctypes
import hashlib
import os
import random
import shutil
import sqlite3
import stat
import struct
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from concurrency.worker_threads import open_worker
from storage import sqlite_store
from storage.embedded_store import SqliteOriginals, open_originals
from storage.originals import EXPIRED, NotStored, Originals, OriginalsBounds, OriginalUnavailable
from storage.sqlite_file import APPLICATION_ID, FILE_NAME, CannotOpen, UnusableFile
from storage.sqlite_store import ENTRY_BYTES, SqliteStore, new_result_id
from tests.support.laws import examples
from tests.support.messages import Message, call, legacy
from tests.support.service import PATIENCE_S, Run, Service

ROOMY = OriginalsBounds(1 << 30, 100.0)
ANN, BEN = "ann", "ben"
# Nothing of it can be packed: the room it takes is known.
NOISE = random.Random(4).randbytes(40_000).decode("latin-1")


@dataclass
class Clock:
    """The calendar's clock, moved by hand."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Ids:
    """Ids that tell in which order they were given."""

    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __call__(self) -> str:
        return f"id-{next(self.numbers)}"


@contextmanager
def a_store(
    place: Path | None = None,
    bounds: OriginalsBounds = ROOMY,
    clock: Callable[[], float] | None = None,
    **more: Any,
) -> Iterator[SqliteStore]:
    with closing(SqliteStore(place, bounds, clock or Clock(), **more)) as store:
        yield store


def sql(store: SqliteStore, statement: str) -> sqlite3.Cursor:
    """Ask the store's own connection: what is in memory, and what only that connection can be told."""
    return store._connection.execute(statement)


def path_of(store: SqliteStore) -> Path:
    ((_, _, path),) = sql(store, "PRAGMA database_list")
    return Path(path)


def refusal(store: SqliteStore, result_id: str, owner: str = ANN) -> str:
    with pytest.raises(OriginalUnavailable) as caught:
        store.read(result_id, owner)
    return str(caught.value)


def is_kept(store: SqliteStore, result_id: str, owner: str = ANN) -> bool:
    """Whether an original is there, without reading it."""
    return store._unavailable(result_id, (result_id, owner)).why == EXPIRED


# --- What is kept ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared() -> Iterator[SqliteStore]:
    with a_store() as store:
        yield store


@given(st.text(st.characters(exclude_categories=())), st.text(max_size=5).filter(str.isascii))
@example("\ud83d\ude00 \udc00\ud800 \0 \r\n \ufeff", ANN)
@example("", "")
def test_an_original_is_read_back_unchanged(shared: SqliteStore, content: str, owner: str) -> None:
    assert shared.read(shared.keep(content, owner), owner) == content


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "content", ["a\n" * (8 << 20), "\ud800字\0" * (2 << 20), NOISE * 400], ids=["plain", "odd", "noise"]
)
def test_sixteen_megabytes_are_read_back_unchanged(content: str, tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        result_id = store.keep(content, ANN)
        assert hashlib.sha256(store.read(result_id, ANN).encode("utf-8", "surrogatepass")).digest() == (
            hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
        )


def test_text_is_compressed_and_noise_is_not(tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        store.keep("a page like others " * 10_000, ANN)
        store.keep(NOISE.encode("latin-1").hex(), ANN)
        store.keep("short", ANN)
        sizes = sql(store, "SELECT bytes, packed FROM originals ORDER BY number").fetchall()
    assert sizes[0][0] < 19_000
    assert [packed for _, packed in sizes] == [1, 1, 0]


def test_ids_cannot_be_guessed() -> None:
    ids = {new_result_id() for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(len(each) == 22 for each in ids)


# --- Whose it is -----------------------------------------------------------------------------------------------


def test_another_owners_id_is_unknown() -> None:
    with a_store(new_id=Ids()) as store:
        kept = store.keep("private", ANN)
        told = refusal(store, kept, BEN)
        unknown = refusal(store, "id-7", BEN)
        assert told.replace(kept, "id-7") == unknown
        assert store.read(kept, ANN) == "private"


def test_another_owner_does_not_learn_that_an_original_was_deleted() -> None:
    clock = Clock()
    with a_store(clock=clock, new_id=Ids()) as store:
        kept = store.keep("private", ANN)
        clock.now += 100
        for _ in range(2):
            assert "no original" in refusal(store, kept, BEN)
            assert "was forgotten" in refusal(store, kept, ANN)
            store.expire()


def test_the_error_for_an_unknown_id_says_what_to_do() -> None:
    with a_store() as store:
        assert refusal(store, "nope") == (
            'no original with result_id "nope": check the id; ids are given by calls with keep_original=true, for the key '
            "that made the call; they are lost when the service restarts"
        )


def test_the_error_of_a_store_with_a_file_does_not_mention_restarts(tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        assert refusal(store, "nope").endswith("for the key that made the call")


@pytest.mark.parametrize("odd", ["", "\ud800", "\0", "x" * 100_000, "'; DROP TABLE originals; --", "字"])
def test_any_text_may_be_given_as_an_id(shared: SqliteStore, odd: str) -> None:
    message = refusal(shared, odd)
    assert message.startswith("no original with result_id")
    assert len(message) < 600
    message.encode()


# --- How long --------------------------------------------------------------------------------------------------


def test_an_original_expires_when_it_is_not_read_for_its_ttl() -> None:
    clock = Clock()
    with a_store(clock=clock) as store:
        kept = store.keep("x", ANN)
        clock.now += 99.5
        assert store.read(kept, ANN) == "x"  # its time begins anew
        clock.now += 99.5
        assert store.read(kept, ANN) == "x"
        clock.now += 100
        expected = (
            f'the original with result_id "{kept}" was forgotten after 100 seconds without use; '
            "call again with the text"
        )
        assert refusal(store, kept) == expected
        store.expire()
        assert refusal(store, kept) == expected


def test_expiring_leaves_nothing_of_the_content_in_the_file(tmp_path: Path) -> None:
    clock, secret = Clock(), NOISE.encode("latin-1").hex()[:2_000] * 3
    needle = secret[:64].encode()
    with a_store(tmp_path, clock=clock) as store:
        store.keep("\ue000".join(random.Random(5).sample(secret, 1_000)), ANN)
        store.keep("plain " + secret[:64], ANN)
        sql(store, "PRAGMA wal_checkpoint(TRUNCATE)")
        assert needle in (tmp_path / FILE_NAME).read_bytes()
        clock.now += 100
        store.expire()
        assert sql(store, "SELECT count(*) FROM contents").fetchone() == (0,)
    assert needle not in (tmp_path / FILE_NAME).read_bytes()


def test_deleted_content_is_not_left_in_the_write_ahead_log(tmp_path: Path) -> None:
    clock, content = Clock(), "plain " + NOISE[:32].encode("latin-1").hex()

    def found() -> list[str]:
        return [file.name for file in tmp_path.iterdir() if content.encode() in file.read_bytes()]

    with a_store(tmp_path, clock=clock) as store:
        store.keep(content, ANN)
        assert found() == [f"{FILE_NAME}-wal"]
        clock.now += 100
        store.expire()
        assert found() == []


def test_setting_the_clock_back_does_not_extend_a_ttl() -> None:
    clock = Clock()
    with a_store(clock=clock) as store:
        kept = store.keep("x", ANN)
        clock.now -= 5_000
        store.expire()
        clock.now += 99
        assert is_kept(store, kept)
        clock.now += 1
        assert "without use" in refusal(store, kept)


def test_only_the_newest_deleted_ids_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_store, "MAX_DELETED_IDS", 3)
    clock = Clock()
    with a_store(clock=clock, new_id=Ids()) as store:
        for _ in range(5):
            store.keep("x", ANN)
            clock.now += 100
        store.expire()
        told = [refusal(store, f"id-{number}")[:11] for number in range(1, 6)]
    assert told == ["no original"] * 2 + ["the origina"] * 3


# --- How much --------------------------------------------------------------------------------------------------


def test_the_least_recently_read_is_evicted() -> None:
    clock = Clock()
    with a_store(bounds=OriginalsBounds(3 * (ENTRY_BYTES + 10), 1e9), clock=clock, new_id=Ids()) as store:
        for letter in "abc":
            store.keep(letter * 8 + "\n\t", ANN)
            clock.now += 1
        store.read("id-1", ANN)
        clock.now += 1
        store.keep("dddddddd\n\t", ANN)
        assert [is_kept(store, f"id-{number}") for number in range(1, 5)] == [True, False, True, True]
        assert refusal(store, "id-2") == (
            'the original with result_id "id-2" was forgotten because it made room for newer ones; call again with the text'
        )


@pytest.mark.parametrize("room", [0, ENTRY_BYTES + 9])
def test_a_content_larger_than_the_store_is_refused_and_evicts_nothing(room: int) -> None:
    with a_store(bounds=OriginalsBounds(room, 100), new_id=Ids()) as store:
        if room:
            store.keep("small", ANN)
        with pytest.raises(
            NotStored, match=f"it takes {ENTRY_BYTES + 10} bytes, and MAX_ORIGINALS_BYTES is {room}"
        ):
            store.keep("0123456789", ANN)
        assert is_kept(store, "id-1") == bool(room)


Kept = dict[tuple[str, str], tuple[str, float]]


def of(kept: Kept, owner: str) -> Kept:
    return {key: value for key, value in kept.items() if key[1] == owner}


ROOM = 100 * ENTRY_BYTES
KEEPS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 60)), min_size=10, max_size=80)


def held_by_owner(store: SqliteStore) -> Counter[str]:
    """Return the bytes that each owner holds."""
    return Counter(dict(sql(store, "SELECT owner, sum(bytes) FROM originals GROUP BY owner")))


def keep_entries(store: SqliteStore, owner: str, entries: int) -> int:
    """Have an original of so many entries' size kept; return its size, 0 where it was not."""
    size = entries * ENTRY_BYTES
    try:
        store.keep(NOISE.encode("latin-1").hex()[: size - ENTRY_BYTES], owner)
    except NotStored:
        return 0
    return size


@pytest.fixture
def open_store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], SqliteStore]]:
    """Return what opens stores in which an original takes as many bytes as it has letters."""
    monkeypatch.setattr(sqlite_store, "MAX_COMPRESSED_SHARE", 0.0)
    with ExitStack() as stack:
        yield lambda: stack.enter_context(a_store(bounds=OriginalsBounds(ROOM, 1e9)))


sharing = examples(150)


@sharing
@given(keeps=KEEPS)
def test_only_the_owner_with_the_most_bytes_is_evicted_from(
    open_store: Callable[[], SqliteStore], keeps: list[tuple[str, int]]
) -> None:
    store = open_store()
    for owner, entries in keeps:
        before = held_by_owner(store)
        new = keep_entries(store, owner, entries)
        after = held_by_owner(store)
        assert after.total() <= ROOM
        if not new:
            assert after == before
        for other in before.keys() - {owner}:
            if after[other] < before[other]:
                assert before[other] > after[owner] >= new > 0
                # Nor more than was needed: with what went last it would hold most again.
                assert after[other] + 60 * ENTRY_BYTES >= max(after.values())


@sharing
@given(keeps=KEEPS, quiet=st.lists(st.integers(1, 5), max_size=5), at=st.integers(0, 80))
def test_a_flood_evicts_nothing_of_an_owner_within_an_equal_share(
    open_store: Callable[[], SqliteStore], keeps: list[tuple[str, int]], quiet: list[int], at: int
) -> None:
    store = open_store()
    owners = len({owner for owner, _ in keeps} | {"quiet"})
    mine = 0
    for owner, entries in keeps[:at]:
        keep_entries(store, owner, entries)
    for entries in quiet:
        if (mine + entries * ENTRY_BYTES) * owners <= ROOM:
            mine += entries * ENTRY_BYTES
            assert keep_entries(store, "quiet", entries)
    for owner, entries in keeps:
        keep_entries(store, owner, entries)
        assert held_by_owner(store)["quiet"] == mine


def test_a_single_owner_can_use_the_whole_store(open_store: Callable[[], SqliteStore]) -> None:
    store = open_store()
    assert all(keep_entries(store, ANN, 25) for _ in range(9))
    assert held_by_owner(store) == {ANN: ROOM}
    assert keep_entries(store, BEN, 25)
    assert held_by_owner(store) == {ANN: 0.75 * ROOM, BEN: 0.25 * ROOM}


def test_a_content_beyond_its_owners_share_is_refused_and_evicts_nothing(
    open_store: Callable[[], SqliteStore],
) -> None:
    store = open_store()
    assert keep_entries(store, ANN, 50)
    with pytest.raises(NotStored) as caught:
        store.keep(NOISE.encode("latin-1").hex()[: 50 * ENTRY_BYTES], BEN)
    assert str(caught.value) == (
        f"it takes {51 * ENTRY_BYTES} bytes, more than this key's share of MAX_ORIGINALS_BYTES ({ROOM}) "
        "beside what other keys have kept"
    )
    assert held_by_owner(store) == {ANN: 50 * ENTRY_BYTES}


def test_an_older_file_gets_the_index_by_owner(tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        kept = store.keep("x", ANN)
        sql(store, "DROP INDEX originals_by_owner")
    with a_store(tmp_path) as store:
        assert store.read(kept, ANN) == "x"
        assert sql(
            store, "SELECT count(*) FROM sqlite_schema WHERE name = 'originals_by_owner'"
        ).fetchone() == (1,)


class Model(RuleBasedStateMachine):
    """A store beside a dictionary that does the same; the store is closed and opened again in between."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.new_id = Ids()
        self.bounds = OriginalsBounds(4 * ENTRY_BYTES + 60, 10.0)
        self.kept: Kept = {}  # the order is that of use
        self.why: dict[tuple[str, str], str] = {}

    @initialize(in_file=st.booleans())
    def open(self, *, in_file: bool) -> None:
        self.home = Path(os.environ["TEST_STORE"]) / new_result_id() if in_file else None
        self.store = SqliteStore(self.home, self.bounds, self.clock, self.new_id)

    @rule(owner=st.sampled_from([ANN, BEN]), content=st.text("ab\0\ud800", max_size=60))
    def keep(self, owner: str, content: str) -> None:
        self.expire()
        kept, new = dict(self.kept), self.size(content)
        room = self.bounds.max_bytes - new
        while sum(self.size(each) for each, _ in kept.values()) > room:
            held = {
                each: sum(self.size(text) for text, _ in of(kept, each).values()) + new * (each == owner)
                for each in (ANN, BEN)
            }
            most = max(held, key=lambda each: (held[each], each == owner))
            if not of(kept, most):
                with pytest.raises(NotStored):
                    self.store.keep(content, owner)
                return
            del kept[next(iter(of(kept, most)))]
        result_id = self.store.keep(content, owner)
        self.why |= dict.fromkeys(self.kept.keys() - kept.keys(), "made room")
        self.kept = {**kept, (result_id, owner): (content, self.clock.now)}

    @rule(number=st.integers(1, 12), owner=st.sampled_from([ANN, BEN]))
    def read(self, number: int, owner: str) -> None:
        key = (f"id-{number}", owner)
        content, used = self.kept.get(key, ("", 0.0))
        if key in self.kept and used > self.clock.now - 10:
            assert self.store.read(*key) == content
            del self.kept[key]
            self.kept[key] = (content, self.clock.now)
        else:
            why = "without use" if key in self.kept else self.why.get(key, "no original")
            assert why in refusal(self.store, *key)

    @rule(seconds=st.sampled_from([0.5, 4.0, 9.5, 10.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def expire_now(self) -> None:
        self.store.expire()
        self.expire()

    @rule()
    def restart(self) -> None:
        if self.home:
            self.store.close()
            self.store = SqliteStore(self.home, self.bounds, self.clock, self.new_id)

    @invariant()
    def is_within_its_room(self) -> None:
        if hasattr(self, "store"):
            ((size,),) = sql(self.store, "SELECT coalesce(sum(bytes), 0) FROM originals")
            ((rows,),) = sql(self.store, "SELECT count(*) FROM contents")
            assert (size <= self.bounds.max_bytes, rows) == (True, len(self.kept))

    def size(self, content: str) -> int:
        return len(sqlite_store._pack(content)[0]) + ENTRY_BYTES

    def expire(self) -> None:
        for key, (_, used) in list(self.kept.items()):
            if used <= self.clock.now - 10:
                del self.kept[key]
                self.why[key] = "without use"

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()


def test_the_store_behaves_like_a_dictionary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_STORE", str(tmp_path))
    run_state_machine_as_test(
        Model,
        settings=examples(60, stateful_step_count=30, suppress_health_check=list(HealthCheck)),
    )


# --- The file --------------------------------------------------------------------------------------------------


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


def contents_of(place: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()}


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
        f"DATA_DIRECTORY: expected a directory for the file {FILE_NAME}, got {str(place)!r}: {reason}"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# --- When it cannot be used ------------------------------------------------------------------------------------


def no_database(file: Path) -> None:
    file.write_bytes(b"something else, and long enough to be looked at" * 30)


def cut_off(file: Path) -> None:
    with closing(SqliteStore(file.parent, ROOMY)) as store:
        store.keep(NOISE, ANN)
    os.truncate(file, file.stat().st_size // 2)


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
        "or name another DATA_DIRECTORY; then restart"
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
        f"make room in {place} and let the service's user write there, or name another DATA_DIRECTORY; then restart"
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


async def told_in_words(call: Awaitable[object]) -> None:
    with suppress(NotStored, OriginalUnavailable):
        await call


# --- When it cannot be written ---------------------------------------------------------------------------------


def is_full(store: SqliteStore) -> None:
    ((pages,),) = sql(store, "PRAGMA page_count")
    sql(store, f"PRAGMA max_page_count = {pages}")


def is_read_only(store: SqliteStore) -> None:
    sql(store, "PRAGMA query_only = ON")


def is_gone(store: SqliteStore) -> None:
    shutil.rmtree(path_of(store).parent)


def is_another(store: SqliteStore) -> None:
    path = path_of(store)
    path.rename(path.with_suffix(".moved"))
    path.touch()


def is_busy(store: SqliteStore) -> None:
    sql(store, "PRAGMA busy_timeout = 10")
    other = sqlite3.connect(path_of(store), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.__dict__["other"] = other  # open as long as the store


BROKEN = [
    (is_full, "database or disk is full"),
    (is_read_only, "attempt to write a readonly database"),
    (is_gone, "its file is gone; restart the service"),
    (is_another, "its file is another one now; restart the service"),
    (is_busy, "database is locked"),
]


@asynccontextmanager
async def served(tmp_path: Path) -> AsyncIterator[tuple[SqliteOriginals, SqliteStore]]:
    """A store behind its interface, with the thread that is its own."""
    async with open_worker(threads=1) as worker:
        store = await worker(SqliteStore, tmp_path / "data", ROOMY)
        try:
            yield SqliteOriginals(store, worker), store
        finally:
            other = store.__dict__.get("other")
            if other:
                await worker(other.close)
            await worker(store.close)


@pytest.mark.parametrize("how, reason", BROKEN, ids=[how.__name__ for how, _ in BROKEN])
async def test_a_store_that_cannot_be_written_says_so_and_can_still_be_read(
    how: Callable[[SqliteStore], None], reason: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_worker(threads=1) as worker:
        store = await worker(SqliteStore, tmp_path / "data", ROOMY)
        kept = await SqliteOriginals(store, worker).keep("before " * 5_000, ANN)
        await worker(how, store)
        service = SqliteOriginals(store, worker)
        with pytest.raises(NotStored) as caught:
            await service.keep(NOISE, ANN)
        await service.expire()
        assert await service.read(kept, ANN) == "before " * 5_000
        if "other" in store.__dict__:
            await worker(store.__dict__["other"].close)
        await worker(store.close)
    assert str(caught.value) == f"the store cannot be written ({reason})"
    assert str(tmp_path) not in str(caught.value) + caplog.text
    assert NOISE[:50] not in caplog.text
    assert kept not in caplog.text


async def test_a_store_on_a_full_disk_works_again_when_there_is_room(tmp_path: Path) -> None:
    async with served(tmp_path) as (service, store):
        async with asyncio.timeout(PATIENCE_S):
            run = service._worker
            await run(is_full, store)
            with pytest.raises(NotStored):
                await service.keep(NOISE, ANN)
            await run(sql, store, "PRAGMA max_page_count = 100000")
            assert await service.read(await service.keep(NOISE, ANN), ANN) == NOISE


async def test_a_write_that_fails_half_way_is_rolled_back() -> None:
    async with open_worker(threads=1) as worker:
        store = await worker(partial(SqliteStore, None, ROOMY, new_id=lambda: "the same"))
        service = SqliteOriginals(store, worker)
        await service.keep("first", ANN)
        with pytest.raises(NotStored, match="UNIQUE"):
            await service.keep("second", ANN)
        assert await service.read("the same", ANN) == "first"
        store._new_id = new_result_id
        assert await service.read(await service.keep("third", ANN), ANN) == "third"
        await worker(store.close)


async def test_a_damaged_original_is_an_error_message(tmp_path: Path) -> None:
    async with served(tmp_path) as (service, store):
        kept = await service.keep("a page " * 1_000, ANN)
        await service._worker(sql, store, "UPDATE contents SET content = x'00'")
        with pytest.raises(
            OriginalUnavailable, match=f'"{kept}" cannot be read now .*: call again later, or with the text'
        ):
            await service.read(kept, ANN)


async def test_the_store_opens_in_its_thread_and_closes_at_the_end_of_the_block(tmp_path: Path) -> None:
    async with open_worker(threads=1) as worker:
        async with open_originals(str(tmp_path), ROOMY, worker) as store:
            kept = await store.keep("x", ANN)
            assert await store.read(kept, ANN) == "x"
            await store.expire()
            as_any: Originals = store
            assert as_any is store
        assert contents_of(tmp_path).keys() == {str(tmp_path / FILE_NAME)}
        async with open_originals("", ROOMY, worker) as memory:
            with pytest.raises(OriginalUnavailable):
                await memory.read(kept, ANN)


# --- Stores side by side ---------------------------------------------------------------------------------------


def assert_all_there(place: Path, lines: list[str]) -> None:
    with closing(SqliteStore(place, OriginalsBounds(1 << 30, 1000.0))) as store:
        assert sql(store, "PRAGMA integrity_check").fetchall() == [("ok",)]
        for line in lines:
            number, result_id = line.split()
            assert store.read(result_id, ANN) == f"{number} " * (int(number) % 50 * 1_000 + 1)


def test_stores_that_create_the_same_file_at_once_all_open_it(tmp_path: Path) -> None:
    # Many files: of four stores that begin together, one in seven met another's half-made file.
    together = threading.Barrier(4)

    def make(number: int) -> str:
        together.wait(PATIENCE_S)
        with closing(SqliteStore(tmp_path / str(number), ROOMY)) as store:
            return f"0 {store.keep('0 ', ANN)}"

    with ThreadPoolExecutor(together.parties) as pool:
        for number in range(50):
            kept = list(pool.map(make, [number] * together.parties))
            assert len(set(kept)) == together.parties
            assert_all_there(tmp_path / str(number), kept)


# --- The service -----------------------------------------------------------------------------------------------


async def ask(service: Service, name: str, **arguments: Any) -> Message:
    result: Message = (await service.post(legacy("tools/call", call(name, **arguments)))).json()["result"]
    return result


async def keep_one(service: Service, content: str) -> str:
    result = await ask(service, "summarize", content=content, keep_original=True)
    result_id: str = result["_meta"]["mcp-summarizer/outcome"]["result_id"]
    return result_id


async def test_an_original_outlives_the_service_if_a_directory_is_set(run: Run, tmp_path: Path) -> None:
    async with run(DATA_DIRECTORY=str(tmp_path)) as service:
        result_id = await keep_one(service, "kept \ud800 text")
    async with run(DATA_DIRECTORY=str(tmp_path)) as service, run(DATA_DIRECTORY=str(tmp_path)) as another:
        for each in (service, another):
            result = await ask(each, "read_original", result_id=result_id)
            assert (
                result["content"][0]["text"] == "[characters 0-11 of 11; this is the end]\nkept \ud800 text"
            )
        from_another = await keep_one(another, "more")
        assert "isError" not in await ask(service, "read_original", result_id=from_another)
    async with run() as service:
        assert (await ask(service, "read_original", result_id=result_id))["isError"] is True


async def test_a_service_deletes_expired_originals_at_its_start(run: Run, tmp_path: Path) -> None:
    clock = Clock(0.0)  # 1970
    with a_store(tmp_path, clock=clock) as store:
        old = store.keep("x", "")
    async with run(DATA_DIRECTORY=str(tmp_path)) as service:
        await keep_one(service, "the first write would do it too")
        result = await ask(service, "read_original", result_id=old)
    assert "was forgotten after 86400 seconds without use" in result["content"][0]["text"]


async def test_a_service_whose_file_is_gone_answers_and_says_so(run: Run, tmp_path: Path) -> None:
    async with run(DATA_DIRECTORY=str(tmp_path / "data")) as service:
        shutil.rmtree(tmp_path / "data")
        result = await ask(service, "summarize", content="short", keep_original=True)
    outcome = result["_meta"]["mcp-summarizer/outcome"]
    assert "isError" not in result
    assert result["content"][0]["text"] == "short"
    assert outcome["reason"] == (
        "the original was not kept: the store cannot be written (its file is gone; restart the service)"
    )


async def test_a_service_whose_file_cannot_be_used_works_without_originals(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    no_database(tmp_path / FILE_NAME)
    before = contents_of(tmp_path)
    off = "originals are off, since their file cannot be used (file is not a database)"
    async with run(DATA_DIRECTORY=str(tmp_path)) as service:
        result = await ask(service, "summarize", content="short", keep_original=True)
        for name, more in (("read", {}), ("search", {"query": "x"}), ("summarize", {})):
            refused = await ask(service, f"{name}_original", result_id="x", **more)
            assert refused == {
                "content": [{"type": "text", "text": f"{off}; call again with the text"}],
                "isError": True,
            }
        assert (await service.http.get(f"{service.origin}/health")).status_code == 200
    outcome = result["_meta"]["mcp-summarizer/outcome"]
    assert [block["text"] for block in result["content"]] == ["short", f"Original not kept: {off}"]
    assert outcome["reason"] == f"the original was not kept: {off}"
    (warning,) = [record for record in caplog.records if record.getMessage() == "originals_off"]
    assert warning.levelname == "WARNING"
    assert str(tmp_path / FILE_NAME) in vars(warning)["note"]
    assert contents_of(tmp_path) == before
    errors = [vars(record)["error"] for record in caplog.records if record.getMessage() == "tool_error"]
    assert errors == ["off"] * 3


async def test_a_service_whose_file_was_moved_away_keeps_originals_again(run: Run, tmp_path: Path) -> None:
    cut_off(tmp_path / FILE_NAME)
    async with run(DATA_DIRECTORY=str(tmp_path)) as service:
        result = await ask(service, "summarize", content="short", keep_original=True)
        assert "result_id" not in result["_meta"]["mcp-summarizer/outcome"]
    (tmp_path / FILE_NAME).rename(tmp_path / "put away")
    async with run(DATA_DIRECTORY=str(tmp_path)) as service:
        assert await keep_one(service, "short")
