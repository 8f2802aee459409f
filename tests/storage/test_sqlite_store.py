"""Originals in SQLite: read back unchanged, expired, evicted fairly."""

from __future__ import annotations

import hashlib
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from storage import sqlite_store
from storage.originals import NotStored, OriginalsBounds
from storage.sqlite_store import ENTRY_BYTES, FILE_NAME, SqliteStore, new_result_id
from tests.support.laws import examples
from tests.support.original_stores import (
    ANN,
    BEN,
    NOISE,
    Clock,
    Ids,
    a_store,
    is_kept,
    refusal,
    sql,
)


@pytest.fixture(scope="module")
def shared() -> Iterator[SqliteStore]:
    with a_store() as store:
        yield store


@given(st.text(st.characters(exclude_categories=())), st.text(max_size=5).filter(str.isascii))
@example("\ud83d\ude00 \udc00\ud800 \0 \r\n \ufeff", ANN)
@example("", "")
def test_an_original_is_read_back_unchanged(shared: SqliteStore, content: str, owner: str) -> None:
    assert shared.read(shared.keep(content, owner), owner) == content


@pytest.mark.unmeasured
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
            'no original with result_id "nope": check the id; a result names it where its original was kept (keep_original=true, or through the gateway), for the key '
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


@pytest.mark.unmeasured
def test_the_store_behaves_like_a_dictionary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_STORE", str(tmp_path))
    run_state_machine_as_test(
        Model,
        settings=examples(60, stateful_step_count=30, suppress_health_check=list(HealthCheck)),
    )
