"""The timeline in SQLite, for one thread: events with their details compressed, sessions with their sums; the oldest events go first.

The file itself: storage/sqlite_file.py. What a session sums up outlives its older events, and goes with its last one. The clock is an
argument. Callers on the event loop use threaded_timeline.py.
"""

import json
import secrets
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from gateway.timeline.timeline import (
    SUMS,
    Entry,
    Event,
    Message,
    RecordedSession,
    SessionKey,
    SessionQuery,
    TimelineBounds,
)
from storage.process_lock import ProcessLock, running
from storage.sqlite_file import DatabaseFile, Schema, UnusableFile, connect, reason, transaction

FILE_NAME = "timeline.sqlite3"

LOCKS = "timeline-*.lock"
PROCESS_ID_BYTES = 8

_SUM_COLUMNS = ", ".join(f"{name} REAL NOT NULL DEFAULT 0" for name in SUMS)

SCHEMA = Schema(
    file_name=FILE_NAME,
    application_id=0x6D73746C,  # "mstl" in ASCII
    version=1,
    statements=(
        f"""CREATE TABLE sessions (id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, selection TEXT NOT NULL,
        created REAL NOT NULL, updated REAL NOT NULL, {_SUM_COLUMNS}) WITHOUT ROWID""",
        "CREATE INDEX sessions_by_update ON sessions (owner, updated, id)",
        # AUTOINCREMENT: a listener catches up by the number, so none is used twice.
        """CREATE TABLE changes (number INTEGER PRIMARY KEY AUTOINCREMENT)""",
        """CREATE TABLE events (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, owner TEXT NOT NULL,
        call TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, change INTEGER NOT NULL, created REAL NOT NULL,
        updated REAL NOT NULL, metadata TEXT NOT NULL, stage TEXT, execution TEXT, duration REAL, bytes INTEGER NOT NULL)""",
        "CREATE INDEX events_of_session ON events (session, sequence)",
        "CREATE INDEX events_by_change ON events (change)",
        "CREATE INDEX events_streaming ON events (status) WHERE status = 'streaming'",
        "CREATE TABLE details (sequence INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    ),
    # Of events that are not over, the process that they are of: the name of its lock.
    additions=("CREATE TABLE IF NOT EXISTS running (sequence INTEGER PRIMARY KEY, process TEXT NOT NULL)",),
    checked_tables=("sessions", "events", "changes"),
    sample="SELECT sequence, body FROM details LIMIT 1",
)

# The overhead of an event: its row, its entries in four indexes, and its share of its session.
ENTRY_BYTES = 512

# As for originals (storage/sqlite_store.py).
ZLIB_LEVEL = 1

# Deleted at once, in one transaction: a thousand take some milliseconds.
DELETED_AT_ONCE = 1_000

INTERRUPTED = "the service ended before this did"

# The columns in the order of the fields of Event, and where its metadata are among them.
_EVENT = "id, session, owner, call, type, status, sequence, change, created, updated, metadata, stage, execution, duration"
_METADATA_AT = 10
_SESSION = f"id, name, selection, created, updated, {', '.join(SUMS)}"


def new_process_id() -> str:
    """Return an id that no other process has."""
    return secrets.token_hex(PROCESS_ID_BYTES)


class SqliteTimeline:
    """The timeline, for one thread; other processes may read and write the same file."""

    def __init__(
        self,
        directory: Path | None,
        bounds: TimelineBounds,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_process_id,
    ) -> None:
        """`clock` is calendar time in seconds, since events survive a restart. Raises CannotOpen and UnusableFile."""
        self._file = DatabaseFile(directory, SCHEMA) if directory else None
        self._connection = self._file.connect() if self._file else connect(":memory:", SCHEMA)
        # SQLite's own lower() knows the letters of ASCII alone.
        self._connection.create_function("in_lower_case", 1, str.lower, deterministic=True)
        self._bounds = bounds
        self._clock = clock
        self._directory = directory
        self._process = LOCKS.replace("*", new_id())
        try:
            self._lock = ProcessLock(directory / self._process) if directory else None
        except OSError as problem:
            self._connection.close()
            remedy = f"let the service's user make and lock files in {directory}, or name another STORAGE_DIRECTORY; then restart"
            raise UnusableFile(reason(problem), remedy) from problem

    def close(self) -> None:
        """Close the file; a timeline in memory is lost."""
        self._connection.close()
        if self._lock:
            self._lock.release()

    # --- Writing -----------------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry]) -> list[Event]:
        """Keep entries, in their order; return the events as they are now."""
        sql = self._connection
        with transaction(sql, self._file), _changes(sql) as changes:
            _keep_sessions(sql, entries)
            return [_keep(sql, entry, next(changes), self._process) for entry in entries]

    def mend(self) -> int:
        """End the events that a crash has left streaming; return how many they were. Those of processes that run go on."""
        sql = self._connection
        with transaction(sql, self._file), _changes(sql) as changes:
            # Within the transaction: a process that starts meanwhile has written nothing yet.
            alive = [self._process, *(running(self._directory, LOCKS) if self._directory else ())]
            sql.execute(f"DELETE FROM running WHERE process NOT IN ({', '.join('?' * len(alive))})", alive)  # noqa: S608
            rows = sql.execute(
                f"SELECT {_EVENT} FROM events WHERE status = 'streaming' AND sequence NOT IN (SELECT sequence FROM running)"  # noqa: S608
            ).fetchall()
            for event in map(_event, rows):
                metadata = json.dumps({**event.metadata, "error": INTERRUPTED}, ensure_ascii=False)
                sql.execute(
                    "UPDATE events SET status = 'failed', metadata = ?, change = ?, updated = ? WHERE sequence = ?",
                    (metadata, next(changes), self._clock(), event.sequence),
                )
        return len(rows)

    def expire(self) -> None:
        """Delete the events that are too old, and then the oldest ones until the rest is within the bound."""
        oldest = self._clock() - self._bounds.ttl_seconds
        while self._delete_some(oldest):
            pass

    def _delete_some(self, oldest: float) -> bool:
        """Delete some of the oldest events; return whether there may be more to delete."""
        sql = self._connection
        ((used,),) = sql.execute("SELECT coalesce(sum(bytes), 0) FROM events")
        excess, deleted = used - self._bounds.max_bytes, []
        rows = sql.execute(
            "SELECT sequence, session, bytes, created FROM events ORDER BY sequence LIMIT ?",
            (DELETED_AT_ONCE,),
        )
        for sequence, session, size, created in rows.fetchall():
            if excess <= 0 and created >= oldest:
                break
            excess -= size
            deleted.append((sequence, session))
        if deleted:
            with transaction(sql, self._file):
                sql.executemany("DELETE FROM events WHERE sequence = ?", [each[:1] for each in deleted])
                sql.executemany("DELETE FROM details WHERE sequence = ?", [each[:1] for each in deleted])
                sql.executemany("DELETE FROM running WHERE sequence = ?", [each[:1] for each in deleted])
                sql.executemany(
                    "DELETE FROM sessions WHERE id = ? AND NOT EXISTS (SELECT 1 FROM events WHERE session = sessions.id)",
                    [(session,) for session in {session for _, session in deleted}],
                )
            if self._file:
                # Deleted content is overwritten in the file, but its pages may still be in the write-ahead log.
                sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(deleted) == DELETED_AT_ONCE

    # --- Reading -----------------------------------------------------------------------------------------------

    def sessions(self, owner: str, query: SessionQuery) -> list[RecordedSession]:
        """Return sessions, the newest first."""
        where, values = ["owner = ?"], list[Any]([owner])
        if query.before:
            where.append("(updated, id) < (?, ?)")
            values += query.before
        if query.only_failed:
            where.append("failed_calls > 0")
        if query.text:
            # instr, not LIKE: a name may have a % in it.
            where.append(
                "(instr(in_lower_case(name || ' ' || id || ' ' || selection), ?) OR EXISTS (SELECT 1 FROM events "
                "WHERE session = sessions.id AND instr(in_lower_case(metadata), ?)))"
            )
            values += [_as_text(query.text.lower())] * 2
        rows = self._connection.execute(
            f"SELECT {_SESSION} FROM sessions WHERE {' AND '.join(where)} ORDER BY updated DESC, id DESC LIMIT ?",  # noqa: S608
            (*values, query.limit),
        )
        return [_session(row) for row in rows]

    def session(self, owner: str, name: str) -> RecordedSession | None:
        """Return a session by its id, or else the newest one that its client calls so."""
        row = self._connection.execute(
            f"SELECT {_SESSION} FROM sessions WHERE owner = ? AND (id = ? OR name = ?) ORDER BY id = ? DESC, updated DESC LIMIT 1",  # noqa: S608
            (owner, *[_as_text(name)] * 3),
        ).fetchone()
        return None if row is None else _session(row)

    def events(self, owner: str, session_id: str, after: int, limit: int) -> list[Event]:
        """Return a session's events after a sequence number, in their order."""
        rows = self._connection.execute(
            f"SELECT {_EVENT} FROM events WHERE owner = ? AND session = ? AND sequence > ? ORDER BY sequence LIMIT ?",  # noqa: S608
            (owner, _as_text(session_id), after, limit),
        )
        return [_event(row) for row in rows]

    def changes(self, owner: str, session_id: str | None, after: int, limit: int) -> list[Event]:
        """Return the events that have changed after a change, in the order of their changes."""
        of_session, values = ("", ()) if session_id is None else ("AND session = ?", (_as_text(session_id),))
        rows = self._connection.execute(
            f"SELECT {_EVENT} FROM events WHERE change > ? AND owner = ? {of_session} ORDER BY change LIMIT ?",  # noqa: S608
            (after, owner, *values, limit),
        )
        return [_event(row) for row in rows]

    def event(self, owner: str, session_id: str, event_id: str) -> tuple[Event, Message] | None:
        """Return an event with its details."""
        row = self._connection.execute(
            f"SELECT {_EVENT} FROM events WHERE owner = ? AND session = ? AND id = ?",  # noqa: S608
            (owner, _as_text(session_id), _as_text(event_id)),
        ).fetchone()
        if row is None:
            return None
        event = _event(row)
        found = self._connection.execute(
            "SELECT body FROM details WHERE sequence = ?", (event.sequence,)
        ).fetchone()
        return event, {} if found is None else _unpack(found[0])

    def last_change(self) -> int:
        """Return the number of the last change; 0 where there is none."""
        return _last_change(self._connection)


@contextmanager
def _changes(sql: sqlite3.Connection) -> Iterator[Iterator[int]]:
    """Give the numbers of the changes of a transaction; the last one alone is kept."""
    last = _last_change(sql)
    numbers = count(last + 1)
    yield numbers
    if (now := next(numbers) - 1) > last:
        sql.execute("INSERT INTO changes VALUES (?)", (now,))
        sql.execute("DELETE FROM changes WHERE number < ?", (now,))


def _last_change(sql: sqlite3.Connection) -> int:
    ((number,),) = sql.execute("SELECT coalesce(max(number), 0) FROM changes")
    return int(number)


def _keep(sql: sqlite3.Connection, entry: Entry, change: int, process: str) -> Event:
    body = None if entry.details is None else _pack(entry.details)
    metadata = _as_text(json.dumps(entry.metadata, ensure_ascii=False))
    size = ENTRY_BYTES + len(metadata) + len(body or b"")
    row = sql.execute(
        f"""INSERT INTO events (sequence, id, session, owner, call, type, status, change, created, updated, metadata, stage,
        execution, duration, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET status = excluded.status, change = excluded.change, updated = excluded.updated,
        metadata = excluded.metadata, duration = excluded.duration, bytes = max(bytes, excluded.bytes)
        RETURNING {_EVENT}""",  # noqa: S608
        (
            change,
            entry.id,
            entry.session.id,
            entry.session.owner,
            entry.call_id,
            entry.type,
            entry.status,
            change,
            entry.at,
            entry.at,
            metadata,
            *(None if each is None else _as_text(each) for each in (entry.stage_id, entry.execution_id)),
            entry.duration_ms,
            size,
        ),
    ).fetchone()
    event = _event(row)
    if body is not None:
        sql.execute("INSERT OR REPLACE INTO details VALUES (?, ?)", (event.sequence, body))
    if entry.status == "streaming":
        sql.execute("INSERT OR REPLACE INTO running VALUES (?, ?)", (event.sequence, process))
    elif event.sequence != change:  # it was there before
        sql.execute("DELETE FROM running WHERE sequence = ?", (event.sequence,))
    return event


def _keep_sessions(sql: sqlite3.Connection, entries: Sequence[Entry]) -> None:
    """Keep what entries say of their sessions: of each session once, since a batch is mostly of one."""
    of_sessions: dict[str, list[Entry]] = {}
    for entry in entries:
        of_sessions.setdefault(entry.session.id, []).append(entry)
    for of_one in of_sessions.values():
        session, sums = of_one[-1].session, dict[str, float]()
        for entry in of_one:
            for name, number in entry.sums.items():
                sums[name] = sums.get(name, 0.0) + number
        times = [entry.at for entry in of_one]
        _keep_session(sql, session, (min(times), max(times)), sums)


def _keep_session(
    sql: sqlite3.Connection, session: SessionKey, times: tuple[float, float], sums: Mapping[str, float]
) -> None:
    sql.execute(
        """INSERT INTO sessions (id, owner, name, selection, created, updated) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET updated = max(updated, excluded.updated), selection = excluded.selection""",
        (session.id, session.owner, _as_text(session.name), _as_text(session.selection), *times),
    )
    if sums:
        adds = ", ".join(f"{name} = {name} + ?" for name in sums)
        sql.execute(f"UPDATE sessions SET {adds} WHERE id = ?", (*sums.values(), session.id))  # noqa: S608


def _event(row: tuple[Any, ...]) -> Event:
    fields = list(row)
    fields[_METADATA_AT] = json.loads(row[_METADATA_AT])
    return Event(*fields)


def _session(row: tuple[Any, ...]) -> RecordedSession:
    identity, name, selection, created, updated, *sums = row
    return RecordedSession(
        identity, name, json.loads(selection), created, updated, dict(zip(SUMS, sums, strict=True))
    )


def _pack(details: Message) -> bytes:
    return zlib.compress(json.dumps(details).encode(), ZLIB_LEVEL)


def _unpack(body: object) -> Message:
    if not isinstance(body, bytes):
        raise sqlite3.DatabaseError("details that are not bytes")
    details: Message = json.loads(zlib.decompress(body))
    return details


def _as_text(given: str) -> str:
    """Return a text that SQLite can encode: lone surrogates are replaced, and nothing that is kept has one."""
    return given.encode("utf-8", "replace").decode()
