"""The timeline in its file: what it keeps, what it sums up, what it deletes, and what becomes of what a crash has interrupted."""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from concurrency.worker_threads import open_worker
from gateway.timeline.sqlite_timeline import FILE_NAME, SqliteTimeline
from gateway.timeline.threaded_timeline import NotReadable, ThreadedTimeline, open_timeline
from gateway.timeline.timeline import Entry, NotRecorded, SessionKey, SessionQuery, TimelineBounds
from storage.sqlite_file import UnusableFile
from tests.support.service import ROOT

ROOMY = TimelineBounds(10**9, 1_000)
ANN, BOB = SessionKey("a", "ann", "ann's", "{}"), SessionKey("b", "bob", "bob's", "{}")
QUERY = SessionQuery(100)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def entry(name: str, session: SessionKey = ANN, **members: Any) -> Entry:
    given = {"type": "tool_result", "status": "completed", "at": 1_000.0, "metadata": {}, **members}
    return Entry(name, session, name, **given)


@contextmanager
def opened(
    directory: Path | None = None, bounds: TimelineBounds = ROOMY, clock: Clock | None = None
) -> Iterator[SqliteTimeline]:
    timeline = SqliteTimeline(directory, bounds, clock or Clock())
    with closing(timeline):
        yield timeline


def names(timeline: SqliteTimeline, session: SessionKey = ANN) -> list[str]:
    return [each.id for each in timeline.events(session.owner, session.id, 0, 10**6)]


def test_events_survive_a_restart_with_their_details(tmp_path: Path) -> None:
    with opened(tmp_path) as timeline:
        timeline.append([entry("one", metadata={"ä": "\ud800"}, details={"content": "ü\ud800"})])
    with opened(tmp_path) as timeline:
        found = timeline.event("ann", "a", "one")
        assert found is not None
        event, details = found
        assert event.metadata == {"ä": "?"}
        assert details == {"content": "ü\ud800"}
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_a_later_state_replaces_the_earlier_one_in_its_place() -> None:
    with opened() as timeline:
        timeline.append([entry("one", status="streaming", details={"arguments": "{}"}), entry("two")])
        (event,) = timeline.append([entry("one", at=1_005.0, duration_ms=5.0, metadata={"more": 1})])
        assert (event.status, event.sequence, event.change, event.created_at) == ("completed", 1, 3, 1_000.0)
        assert (event.updated_at, event.duration_ms, event.metadata) == (1_005.0, 5.0, {"more": 1})
        assert not event.is_new
        assert names(timeline) == ["one", "two"]
        changes = timeline.changes("ann", None, 1, 10)
        assert [each.id for each in changes] == ["two", "one"]
        kept = timeline.event("ann", "a", "one")
        assert kept is not None
        assert kept[1] == {"arguments": "{}"}


def test_nothing_is_streaming_after_a_crash(tmp_path: Path) -> None:
    with opened(tmp_path) as timeline:
        timeline.append([entry("one", status="streaming", metadata={"a": 1}), entry("two")])
        last = timeline.last_change()
    with opened(tmp_path) as timeline:
        assert timeline.mend() == 1
        assert timeline.mend() == 0
        (one, two) = timeline.events("ann", "a", 0, 10)
        assert (one.status, two.status) == ("failed", "completed")
        assert one.metadata == {"a": 1, "error": "the service ended before this did"}
        # Who listened before the crash is told.
        assert [each.id for each in timeline.changes("ann", None, last, 10)] == ["one"]


def test_replicas_write_one_file_and_each_reads_all_of_it(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path) as other:
        one.append([entry("one", status="streaming", sums={"calls": 1})])
        other.append([entry("two", sums={"calls": 1})])
        assert other.mend() == 0  # the call goes on
        (ended,) = one.append([entry("one")])
        assert (ended.status, ended.change) == ("completed", 3)
        for each in (one, other):
            assert names(each) == ["one", "two"]
            assert [event.change for event in each.changes("ann", None, 0, 10)] == [2, 3]
            (session,) = each.sessions("ann", QUERY)
            assert session.sums["calls"] == 2


RUNS_A_CALL = """
import sys
from pathlib import Path
from tests.gateway.timeline.test_sqlite_timeline import entry, opened
with opened(Path(sys.argv[1])) as timeline:
    timeline.append([entry("theirs", status="streaming")])
    print("runs", flush=True)
    sys.stdin.read()
"""


def test_a_start_ends_the_calls_of_processes_that_have_ended_and_of_no_others(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUNS_A_CALL, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"runs\n"
        with opened(tmp_path) as timeline:
            timeline.append([entry("ours", status="streaming")])
            assert timeline.mend() == 0
            process.kill()
            process.wait()
            assert timeline.mend() == 1
            assert {each.id: each.status for each in timeline.events("ann", "a", 0, 10)} == {
                "theirs": "failed",
                "ours": "streaming",
            }


def test_calls_of_a_file_without_owners_were_interrupted(tmp_path: Path) -> None:
    with opened(tmp_path) as timeline:
        timeline.append([entry("one", status="streaming")])
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as sql:
        sql.execute("DROP TABLE running")
    with opened(tmp_path) as timeline:
        assert timeline.mend() == 1


def test_a_directory_without_locks_leaves_no_timeline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(file: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(UnusableFile, match="No locks available"):
        SqliteTimeline(tmp_path, ROOMY)


def test_numbers_of_changes_are_never_used_twice(tmp_path: Path) -> None:
    clock = Clock()
    with opened(tmp_path, TimelineBounds(10**9, 10), clock) as timeline:
        timeline.append([entry("one"), entry("two")])
        clock.now += 100
        timeline.expire()
        assert names(timeline) == []
    with opened(tmp_path) as timeline:
        assert timeline.last_change() == 2
        (event,) = timeline.append([entry("three")])
        assert event.change == 3


def test_old_events_go_and_a_session_with_its_last_one() -> None:
    clock = Clock()
    with opened(None, TimelineBounds(10**9, 10), clock) as timeline:
        timeline.append([entry("one", BOB), entry("two", sums={"calls": 1}), entry("three", at=1_008.0)])
        clock.now += 11
        timeline.expire()
        assert names(timeline) == ["three"]
        assert timeline.sessions("bob", QUERY) == []
        (session,) = timeline.sessions("ann", QUERY)
        assert session.sums["calls"] == 1  # they are those of the whole session


def test_the_oldest_events_go_where_all_are_too_many_bytes() -> None:
    details = {"content": os.urandom(5_000).hex()}
    with opened(None, TimelineBounds(100_000, 1_000)) as timeline:
        timeline.append([entry(f"e{number}", details=details) for number in range(30)])
        timeline.expire()
        left = names(timeline)
        assert 10 <= len(left) <= 18
        assert left == [f"e{number}" for number in range(30 - len(left), 30)]


def test_more_events_are_deleted_than_at_once() -> None:
    clock = Clock()
    with opened(None, TimelineBounds(10**9, 10), clock) as timeline:
        timeline.append([entry(f"e{number}") for number in range(2_500)])
        clock.now += 11
        timeline.expire()
        assert names(timeline) == []


def test_deleted_texts_are_not_in_the_file_any_more(tmp_path: Path) -> None:
    clock = Clock()
    with opened(tmp_path, TimelineBounds(10**9, 10), clock) as timeline:
        timeline.append([entry("one", metadata={"arguments": "in clear text"})])
        assert any(b"in clear text" in file.read_bytes() for file in tmp_path.iterdir())
        clock.now += 11
        timeline.expire()
        for file in tmp_path.iterdir():
            assert b"in clear text" not in file.read_bytes()


def test_an_owner_reads_nothing_of_another_ones() -> None:
    with opened() as timeline:
        timeline.append([entry("one"), entry("two", BOB)])
        assert [each.id for each in timeline.sessions("bob", QUERY)] == ["b"]
        assert timeline.session("bob", "a") is timeline.session("bob", "ann's") is None
        assert timeline.events("bob", "a", 0, 10) == []
        assert timeline.event("bob", "a", "one") is None
        assert [each.id for each in timeline.changes("bob", None, 0, 10)] == ["two"]
        assert timeline.changes("bob", "a", 0, 10) == []


def test_a_name_is_searched_as_it_is() -> None:
    odd = ANN._replace(id="c", name="100% of A_B")
    with opened() as timeline:
        timeline.append([entry("one"), entry("two", odd), entry("three", ANN._replace(id="d", name="ÄRGER"))])
        for text, found in (
            ("100% OF", ["c"]),
            ("a_b", ["c"]),
            ("%", ["c"]),
            ("_", ["c"]),
            ("'", ["a"]),
            ("Ärger", ["d"]),
            ("\ud800", []),
        ):
            assert [each.id for each in timeline.sessions("ann", SessionQuery(9, text=text))] == found


@asynccontextmanager
async def threaded(directory: Path) -> AsyncIterator[ThreadedTimeline]:
    async with open_worker(threads=1) as worker, open_timeline(str(directory), ROOMY, worker) as timeline:
        assert isinstance(timeline, ThreadedTimeline)
        yield timeline


async def test_a_file_that_goes_is_told_to_writers_and_damage_to_readers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with threaded(tmp_path) as timeline:
        await timeline.append([entry("one", at=time.time(), details={"content": "x"})])
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
            other.execute("UPDATE details SET body = x'00'")
            other.commit()
        with pytest.raises(NotReadable, match="damaged"):
            await timeline.event("ann", "a", "one")
        (tmp_path / FILE_NAME).unlink()
        with pytest.raises(NotRecorded, match="its file is gone"):
            await timeline.append([entry("two")])
    assert "timeline_not_read" in [record.message for record in caplog.records]


async def test_a_symbolic_link_in_place_of_the_file_costs_the_timeline_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE_NAME).symlink_to(tmp_path / "elsewhere")
    async with open_worker(threads=1) as worker, open_timeline(str(tmp_path), ROOMY, worker) as timeline:
        assert timeline is None
    (record,) = [record for record in caplog.records if record.message == "timeline_off"]
    assert "symbolic link" in vars(record)["error"]


async def test_a_start_ends_what_a_crash_has_interrupted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with opened(tmp_path) as timeline:
        timeline.append([entry("one", status="streaming", at=time.time())])
    async with threaded(tmp_path) as again:
        (event,) = await again.events("ann", "a", 0, 10)
        assert event.status == "failed"
    assert [
        vars(each)["timeline_events"] for each in caplog.records if each.message == "timeline_mended"
    ] == [1]
