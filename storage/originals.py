"""Originals that callers asked to keep: by an id that nobody can guess, for the key that made the call, until nobody reads them.

`Originals` is all that the service needs of a store; `SqliteOriginals` is the embedded one: one file (SQLite), or memory.
It refuses to know what an original is for, and to keep it longer than its time or beyond its room. Owners share the room as
max-min fairness does: the owner that holds most makes room first, so one owner's flood evicts nothing of an owner who holds no more
than an equal share. Clock and randomness are arguments. No line that is logged holds content, or an id.
"""

import heapq
import json
import logging
import secrets
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from storage.sqlite_file import PROBLEMS, File, Unusable, connect, reason

logger = logging.getLogger(__name__)

ID_BYTES = 16  # 128 bits: nobody guesses one

# Ids of originals that are gone, so that "forgotten" and "never there" differ: about 1 MB of them.
MAX_FORGOTTEN = 10_000

# What an original takes beside its content: its row, its place in three indexes, and its id once it is forgotten.
ENTRY_BYTES = 256

# zlib's fastest: 16 MiB of crawled pages in 0.26 s, to 0.38 of their size; its default takes 0.77 s for 0.32.
ZLIB_LEVEL = 1
# What shrinks by less is kept as it is.
WORTH_PACKING = 0.9

# An id is shown back as far as one of ours is long, and a little.
MAX_SHOWN_CHARS = 64

_NEXT_TURN = "(SELECT coalesce(max(turn), 0) + 1 FROM originals)"

# Why an original is not there.
EXPIRED = "expired"
MADE_ROOM = "made room"
UNKNOWN = "unknown"
UNREADABLE = "unreadable"
OFF = "off"


class NotKept(Exception):
    """The original could not be kept: the message says why, and is for the caller."""


class NoOriginal(Exception):
    """There is no such original for this caller, or it cannot be read: the message says what to do."""

    def __init__(self, message: str, why: str) -> None:
        """`why` is for the log: one of the words below, and nothing of the message's."""
        super().__init__(message)
        self.why = why


@dataclass(frozen=True, slots=True)
class Held:
    """How many originals a store holds, and the room they take, in bytes."""

    originals: int = 0
    bytes: int = 0


class Originals(Protocol):
    """What the service needs of a store, which may be one of its own or another server's."""

    @property
    def held(self) -> Held:
        """What it held when it last kept or forgot something: asking costs nothing."""
        ...

    async def keep(self, content: str, owner: str) -> str:
        """Keep a content for its owner and return its id. Raises NotKept."""
        ...

    async def read(self, result_id: str, owner: str) -> str:
        """Return what was kept, and begin its time anew. Raises NoOriginal; another owner's is unknown."""
        ...

    async def expire(self) -> None:
        """Forget what nobody has read for so long."""
        ...


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is kept, and how long after it was last read."""

    max_bytes: int
    """Of all contents as they are stored. 0 keeps none."""
    ttl_seconds: float


def new_result_id() -> str:
    """Return an id that cannot be guessed."""
    return secrets.token_urlsafe(ID_BYTES)


# --- Off the event loop ----------------------------------------------------------------------------------------

Worker = Callable[..., Awaitable[Any]]


@asynccontextmanager
async def open_originals(directory: str, bounds: Bounds, worker: Worker) -> AsyncIterator[Originals]:
    """Open the embedded store, in memory where no directory is named, and close it after. Raises CannotOpen.

    Where its file cannot be used, the service works without originals. `worker(function, *arguments)` must have one thread:
    SQLite's connection stays in it.
    """
    place = Path(directory) if directory else None
    opened: Store | Unusable = await worker(_open, place, bounds)
    if isinstance(opened, Unusable):
        logger.warning("originals_off", extra={"error": str(opened), "note": opened.remedy})
        yield NoOriginals(str(opened))
        return
    try:
        yield SqliteOriginals(opened, worker)
    finally:
        await worker(opened.close)


def _open(place: Path | None, bounds: Bounds) -> "Store | Unusable":
    try:
        return Store(place, bounds)
    except Unusable as problem:
        return problem


class NoOriginals:
    """In the place of a store whose file cannot be used: it keeps nothing, and tells callers why."""

    held = Held()

    def __init__(self, why: str) -> None:
        self._off = f"originals are off, since their file cannot be used ({why})"

    async def keep(self, content: str, owner: str) -> str:
        """Raise NotKept."""
        raise NotKept(self._off)

    async def read(self, result_id: str, owner: str) -> str:
        """Raise NoOriginal."""
        raise NoOriginal(f"{self._off}; call again with the text", OFF)

    async def expire(self) -> None:
        """Do nothing: there is nothing to forget."""


class SqliteOriginals:
    """The embedded store, for callers on the event loop: whatever SQLite refuses becomes words for the caller."""

    def __init__(self, store: "Store", worker: Worker) -> None:
        self._store = store
        self._worker = worker

    @property
    def held(self) -> Held:
        """What the store held when it last kept or forgot something."""
        return self._store.held

    async def keep(self, content: str, owner: str) -> str:
        """Keep a content. Raises NotKept."""
        try:
            result_id: str = await self._worker(self._store.keep, content, owner)
        except PROBLEMS as problem:
            logger.warning("original_not_kept", extra={"error": reason(problem)})
            raise NotKept(f"the store cannot be written ({reason(problem)})") from problem
        return result_id

    async def read(self, result_id: str, owner: str) -> str:
        """Return what was kept. Raises NoOriginal."""
        try:
            content: str = await self._worker(self._store.read, result_id, owner)
        except PROBLEMS as problem:
            logger.warning("original_not_read", extra={"error": reason(problem)})
            raise NoOriginal(
                f"the original with result_id {_shown(result_id)} cannot be read now ({reason(problem)}): "
                "call again later, or with the text",
                UNREADABLE,
            ) from problem
        return content

    async def expire(self) -> None:
        """Forget what nobody has read for so long; where that cannot be written, the next time will do."""
        try:
            await self._worker(self._store.expire)
        except PROBLEMS as problem:
            logger.warning("originals_not_expired", extra={"error": reason(problem)})


# --- SQLite ----------------------------------------------------------------------------------------------------


class Store:
    """The embedded store, for one thread; other processes may have the same file open."""

    def __init__(
        self,
        directory: Path | None,
        bounds: Bounds,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_result_id,
    ) -> None:
        """`clock` is the calendar's, in seconds: originals live through a restart. Raises CannotOpen, and Unusable."""
        self._file = File(directory) if directory else None
        self._connection = self._file.connect() if self._file else connect(":memory:")
        self._bounds = bounds
        self._clock = clock
        self._new_id = new_id
        self.held = Held()

    def close(self) -> None:
        """Close the file; a store in memory is gone."""
        self._connection.close()

    def keep(self, content: str, owner: str) -> str:
        """Keep a content for its owner and return its id. Raises NotKept.

        The owner that holds most makes room, with what it read longest ago.
        """
        data, packed = _pack(content)
        size = len(data) + ENTRY_BYTES
        if size > self._bounds.max_bytes:
            raise NotKept(f"it takes {size} bytes, and MAX_ORIGINALS_BYTES is {self._bounds.max_bytes}")
        result_id = self._new_id()
        with self._writing() as sql:
            now = self._expire(sql)
            has_room = self._make_room(sql, size, owner)
            if has_room:
                number = sql.execute(
                    f"INSERT INTO originals (id, owner, used, turn, bytes, packed) VALUES (?, ?, ?, {_NEXT_TURN}, ?, ?)",  # noqa: S608
                    (result_id, owner, now, size, packed),
                ).lastrowid
                sql.execute("INSERT INTO contents VALUES (?, ?)", (number, data))
        if not has_room:
            raise NotKept(
                f"it takes {size} bytes, more than this key's share of MAX_ORIGINALS_BYTES "
                f"({self._bounds.max_bytes}) beside what other keys have kept"
            )
        return result_id

    def read(self, result_id: str, owner: str) -> str:
        """Return what was kept, and begin its time anew."""
        key, now = (_as_text(result_id), owner), self._clock()
        row = self._connection.execute(
            "SELECT number, packed, content FROM originals JOIN contents USING (number) "
            "WHERE id = ? AND owner = ? AND used > ?",
            (*key, now - self._bounds.ttl_seconds),
        ).fetchone()
        if row is None:
            raise self._fate(result_id, key)
        number, packed, data = row
        try:
            self._connection.execute(
                f"UPDATE originals SET used = ?, turn = {_NEXT_TURN} WHERE number = ?",  # noqa: S608
                (now, number),
            )
        except sqlite3.OperationalError as problem:  # a full disk is no reason not to read
            logger.warning("original_not_renewed", extra={"error": reason(problem)})
        return _unpack(data, is_packed=bool(packed))

    def expire(self) -> None:
        """Forget what nobody has read for so long."""
        with self._writing() as sql:
            self._expire(sql)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for statements that count all together, or not at all."""
        if self._file:
            self._file.check()
        sql = self._connection
        sql.execute("BEGIN IMMEDIATE")
        try:
            forgotten = _last_forgotten(sql)
            yield sql
            held = sql.execute("SELECT count(*), coalesce(sum(bytes), 0) FROM originals").fetchone()
            sql.execute("COMMIT")
            self.held = Held(*held)  # for other threads to read
            if self._file and _last_forgotten(sql) != forgotten:
                # What was forgotten is overwritten in the file, yet its pages may still stand in the log beside it.
                sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            if sql.in_transaction:  # SQLite has ended it by itself where the disk is full
                sql.execute("ROLLBACK")

    def _expire(self, sql: sqlite3.Connection) -> float:
        """Forget what is too old, and return the time."""
        now = self._clock()
        # A clock that was set back: what seems to have been read in the future lives no longer than what was read now.
        sql.execute("UPDATE originals SET used = ? WHERE used > ?", (now, now))
        old = sql.execute(
            "SELECT number FROM originals WHERE used <= ?", (now - self._bounds.ttl_seconds,)
        ).fetchall()
        _forget(sql, old, EXPIRED)
        return now

    def _make_room(self, sql: sqlite3.Connection, size: int, owner: str) -> bool:
        """Forget originals of the owner that holds most, the new one counted, those first that were read longest ago, until it fits.

        Where its owner would hold most with it alone, it does not fit: False, and nothing is forgotten.
        """
        held = Counter(dict(sql.execute("SELECT owner, sum(bytes) FROM originals GROUP BY owner")))
        held[owner] += size
        over = held.total() - self._bounds.max_bytes
        # Of two who hold the same, the one who wants more makes room.
        most = [(-taken, each != owner, each) for each, taken in held.items()]
        heapq.heapify(most)
        oldest = {each: _oldest(sql, each) for each in held}
        leaving = []
        while over > 0:
            taken, is_other, each = most[0]
            number, freed = next(oldest[each], (0, 0))
            if not freed:
                return False
            leaving.append((number,))
            over -= freed
            heapq.heapreplace(most, (taken + freed, is_other, each))
        _forget(sql, leaving, MADE_ROOM)
        return True

    def _fate(self, result_id: str, key: tuple[str, str]) -> NoOriginal:
        """Say what has become of an original that cannot be read."""
        sql, shown = self._connection, _shown(result_id)
        gone = sql.execute("SELECT why FROM forgotten WHERE id = ? AND owner = ?", key).fetchone()
        # It is too old, and nobody has called expire() since.
        kept = sql.execute("SELECT 1 FROM originals WHERE id = ? AND owner = ?", key).fetchone()
        if kept or gone == (EXPIRED,):
            return NoOriginal(
                f"the original with result_id {shown} was forgotten after {self._bounds.ttl_seconds:g} seconds "
                "without use; call again with the text",
                EXPIRED,
            )
        if gone:
            return NoOriginal(
                f"the original with result_id {shown} was forgotten because it made room for newer ones; "
                "call again with the text",
                MADE_ROOM,
            )
        short_lived = "" if self._file else "; they are lost when the service restarts"
        return NoOriginal(
            f"no original with result_id {shown}: check the id; ids are given by calls with keep_original=true, "
            f"for the key that made the call{short_lived}",
            UNKNOWN,
        )


def _oldest(sql: sqlite3.Connection, owner: str) -> Iterator[tuple[int, int]]:
    """Yield number and bytes of an owner's originals, those first that were read longest ago."""
    yield from sql.execute("SELECT number, bytes FROM originals WHERE owner = ? ORDER BY turn", (owner,))


def _forget(sql: sqlite3.Connection, numbers: list[tuple[int]], why: str) -> None:
    if not numbers:
        return
    sql.executemany(
        "INSERT OR REPLACE INTO forgotten (id, owner, why) SELECT id, owner, ? FROM originals WHERE number = ?",
        [(why, number) for (number,) in numbers],
    )
    sql.executemany("DELETE FROM contents WHERE number = ?", numbers)
    sql.executemany("DELETE FROM originals WHERE number = ?", numbers)
    sql.execute(
        "DELETE FROM forgotten WHERE number <= (SELECT max(number) FROM forgotten) - ?", (MAX_FORGOTTEN,)
    )
    logger.info("originals_forgotten", extra={"originals": len(numbers), "why": why})


def _last_forgotten(sql: sqlite3.Connection) -> int | None:
    """Return the number of what was forgotten last."""
    ((number,),) = sql.execute("SELECT max(number) FROM forgotten")
    return number  # type: ignore[no-any-return]


def _pack(content: str) -> tuple[bytes, bool]:
    """Return the bytes to store, and whether they are compressed. Lone surrogates are kept as they came."""
    data = content.encode("utf-8", "surrogatepass")
    packed = zlib.compress(data, ZLIB_LEVEL)
    return (packed, True) if len(packed) < WORTH_PACKING * len(data) else (data, False)


def _unpack(data: object, *, is_packed: bool) -> str:
    if not isinstance(data, bytes):
        raise sqlite3.DatabaseError("a content that is no bytes")
    return (zlib.decompress(data) if is_packed else data).decode("utf-8", "surrogatepass")


def _as_text(result_id: str) -> str:
    """Return an id as SQLite can compare it: no id of ours has half a character in it."""
    return result_id.encode("utf-8", "replace").decode()


def _shown(result_id: str) -> str:
    return json.dumps(result_id[:MAX_SHOWN_CHARS])
