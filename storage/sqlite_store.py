"""Originals in SQLite, for one thread: stored compressed, expired after their TTL, evicted when the store is full.

Owners share the store by max-min fairness: the owner with the most bytes is evicted from first, so a flood from one owner evicts
nothing of an owner within an equal share. The file itself: storage/sqlite_file.py. Clock and randomness are arguments. No log line holds
content or an id.
"""

import heapq
import json
import logging
import secrets
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.originals import (
    EVICTED,
    EXPIRED,
    UNKNOWN,
    NotStored,
    OriginalsBounds,
    OriginalUnavailable,
    StoreSize,
)
from storage.sqlite_file import DatabaseFile, Schema, connect, reason, transaction

logger = logging.getLogger(__name__)

FILE_NAME = "originals.sqlite3"

APPLICATION_ID = 0x6D73756D  # "msum" in ASCII

SCHEMA = Schema(
    file_name=FILE_NAME,
    application_id=APPLICATION_ID,
    version=1,
    statements=(
        # Contents have a table of their own: recording that one was read must not rewrite it.
        """CREATE TABLE originals (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
        used REAL NOT NULL, turn INTEGER NOT NULL, bytes INTEGER NOT NULL, packed INTEGER NOT NULL)""",
        "CREATE INDEX originals_by_use ON originals (used)",
        # The order of use, as a counter: a clock may show the same time twice, and may be set back.
        "CREATE INDEX originals_by_turn ON originals (turn)",
        "CREATE TABLE contents (number INTEGER PRIMARY KEY, content BLOB NOT NULL)",
        """CREATE TABLE forgotten (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL, why TEXT NOT NULL)""",
    ),
    # Eviction reads this index alone.
    additions=("CREATE INDEX IF NOT EXISTS originals_by_owner ON originals (owner, turn, bytes)",),
    checked_tables=("originals", "forgotten"),
    sample="SELECT number, content FROM contents LIMIT 1",
)

ID_BYTES = 16  # 128 bits: cannot be guessed

# Ids of deleted originals, about 1 MB of them: callers are told whether an original was deleted or never there.
MAX_DELETED_IDS = 10_000

# The overhead of an original: its row, its entries in three indexes, and its id after it is deleted.
ENTRY_BYTES = 256

# zlib's fastest: 16 MiB of crawled pages in 0.26 s, to 0.38 of their size; its default takes 0.77 s for 0.32.
ZLIB_LEVEL = 1
# Content that shrinks by less is stored uncompressed.
MAX_COMPRESSED_SHARE = 0.9

# Compressed at one go: less of a large content is in memory twice.
PACKED_CHARS = 1_000_000

# A wrong id is quoted in error messages: the length of a valid one, and a little more.
MAX_QUOTED_CHARS = 64

_NEXT_TURN = "(SELECT coalesce(max(turn), 0) + 1 FROM originals)"


def new_result_id() -> str:
    """Return an id that cannot be guessed."""
    return secrets.token_urlsafe(ID_BYTES)


class SqliteStore:
    """The store, for one thread; other processes may have the same file open."""

    def __init__(
        self,
        directory: Path | None,
        bounds: OriginalsBounds,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_result_id,
    ) -> None:
        """`clock` is calendar time in seconds, since originals survive a restart. Raises CannotOpen and UnusableFile."""
        self._file = DatabaseFile(directory, SCHEMA) if directory else None
        self._connection = self._file.connect() if self._file else connect(":memory:", SCHEMA)
        self._bounds = bounds
        self._clock = clock
        self._new_id = new_id
        self.size = StoreSize()

    def close(self) -> None:
        """Close the file; a store in memory is lost."""
        self._connection.close()

    def keep(self, content: str, owner: str) -> str:
        """Store content for its owner and return its id. Raises NotStored.

        A full store evicts the least recently read originals of the owner with the most bytes.
        """
        data, packed = _pack(content)
        size = len(data) + ENTRY_BYTES
        if size > self._bounds.max_bytes:
            raise NotStored(f"it takes {size} bytes, and MAX_ORIGINALS_BYTES is {self._bounds.max_bytes}")
        result_id = self._new_id()
        with self._transaction() as sql:
            now = self._expire(sql)
            has_room = self._evict(sql, size, owner)
            if has_room:
                number = sql.execute(
                    f"INSERT INTO originals (id, owner, used, turn, bytes, packed) VALUES (?, ?, ?, {_NEXT_TURN}, ?, ?)",  # noqa: S608
                    (result_id, owner, now, size, packed),
                ).lastrowid
                sql.execute("INSERT INTO contents VALUES (?, ?)", (number, data))
        if not has_room:
            raise NotStored(
                f"it takes {size} bytes, more than this key's share of MAX_ORIGINALS_BYTES "
                f"({self._bounds.max_bytes}) beside what other keys have kept"
            )
        return result_id

    def read(self, result_id: str, owner: str) -> str:
        """Return stored content and renew its TTL. Raises OriginalUnavailable."""
        key, now = (_as_text(result_id), owner), self._clock()
        row = self._connection.execute(
            "SELECT number, packed, content FROM originals JOIN contents USING (number) "
            "WHERE id = ? AND owner = ? AND used > ?",
            (*key, now - self._bounds.ttl_seconds),
        ).fetchone()
        if row is None:
            raise self._unavailable(result_id, key)
        number, packed, data = row
        try:
            self._connection.execute(
                f"UPDATE originals SET used = ?, turn = {_NEXT_TURN} WHERE number = ?",  # noqa: S608
                (now, number),
            )
        except sqlite3.OperationalError as problem:  # a full disk does not prevent reading
            logger.warning("original_not_renewed", extra={"error": reason(problem)})
        return _unpack(data, is_packed=bool(packed))

    def expire(self) -> None:
        """Delete the originals that were not read for their TTL."""
        with self._transaction() as sql:
            self._expire(sql)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block's statements in one transaction."""
        sql = self._connection
        with transaction(sql, self._file):
            deleted = _last_deleted(sql)
            yield sql
            size = sql.execute("SELECT count(*), coalesce(sum(bytes), 0) FROM originals").fetchone()
        self.size = StoreSize(*size)  # for other threads to read
        if self._file and _last_deleted(sql) != deleted:
            # Deleted content is overwritten in the file, but its pages may still be in the write-ahead log.
            sql.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _expire(self, sql: sqlite3.Connection) -> float:
        """Delete the expired originals, and return the time."""
        now = self._clock()
        # After the clock was set back, an original read "in the future" must not outlive one that is read now.
        sql.execute("UPDATE originals SET used = ? WHERE used > ?", (now, now))
        old = sql.execute(
            "SELECT number FROM originals WHERE used <= ?", (now - self._bounds.ttl_seconds,)
        ).fetchall()
        _delete(sql, old, EXPIRED)
        return now

    def _evict(self, sql: sqlite3.Connection, size: int, owner: str) -> bool:
        """Evict originals until a new one of this size fits; return False, and evict nothing, if it cannot.

        Each time the owner with the most bytes loses its least recently read original; the new one's bytes count for its
        owner. It cannot fit if its owner would have the most bytes with it alone.
        """
        used = Counter(dict(sql.execute("SELECT owner, sum(bytes) FROM originals GROUP BY owner")))
        used[owner] += size
        excess = used.total() - self._bounds.max_bytes
        # Of two owners with equally many bytes, the one that adds more is evicted from.
        largest = [(-total, each != owner, each) for each, total in used.items()]
        heapq.heapify(largest)
        candidates = {each: _least_recent(sql, each) for each in used}
        evicted = []
        while excess > 0:
            total, is_other, each = largest[0]
            number, freed = next(candidates[each], (0, 0))
            if not freed:
                return False
            evicted.append((number,))
            excess -= freed
            heapq.heapreplace(largest, (total + freed, is_other, each))
        _delete(sql, evicted, EVICTED)
        return True

    def _unavailable(self, result_id: str, key: tuple[str, str]) -> OriginalUnavailable:
        """Return the error that says why an original cannot be read."""
        sql, shown = self._connection, quoted(result_id)
        deleted = sql.execute("SELECT why FROM forgotten WHERE id = ? AND owner = ?", key).fetchone()
        # A row that is still there has expired since the last expire().
        expired = sql.execute("SELECT 1 FROM originals WHERE id = ? AND owner = ?", key).fetchone()
        if expired or deleted == (EXPIRED,):
            return OriginalUnavailable(
                f"the original with result_id {shown} was forgotten after {self._bounds.ttl_seconds:g} seconds "
                "without use; call again with the text",
                EXPIRED,
            )
        if deleted:
            return OriginalUnavailable(
                f"the original with result_id {shown} was forgotten because it made room for newer ones; "
                "call again with the text",
                EVICTED,
            )
        short_lived = "" if self._file else "; they are lost when the service restarts"
        return OriginalUnavailable(
            f"no original with result_id {shown}: check the id; a result names it where its original was kept "
            f"(keep_original=true, or through the gateway), for the key that made the call{short_lived}",
            UNKNOWN,
        )


def _least_recent(sql: sqlite3.Connection, owner: str) -> Iterator[tuple[int, int]]:
    """Yield number and bytes of an owner's originals, the least recently read first."""
    yield from sql.execute("SELECT number, bytes FROM originals WHERE owner = ? ORDER BY turn", (owner,))


def _delete(sql: sqlite3.Connection, numbers: list[tuple[int]], why: str) -> None:
    if not numbers:
        return
    sql.executemany(
        "INSERT OR REPLACE INTO forgotten (id, owner, why) SELECT id, owner, ? FROM originals WHERE number = ?",
        [(why, number) for (number,) in numbers],
    )
    sql.executemany("DELETE FROM contents WHERE number = ?", numbers)
    sql.executemany("DELETE FROM originals WHERE number = ?", numbers)
    sql.execute(
        "DELETE FROM forgotten WHERE number <= (SELECT max(number) FROM forgotten) - ?", (MAX_DELETED_IDS,)
    )
    logger.info("originals_forgotten", extra={"originals": len(numbers), "why": why})


def _last_deleted(sql: sqlite3.Connection) -> int | None:
    """Return the number of the last deletion."""
    ((number,),) = sql.execute("SELECT max(number) FROM forgotten")
    return number  # type: ignore[no-any-return]


def _pack(content: str) -> tuple[bytes, bool]:
    """Return the bytes to store, and whether they are compressed. Lone surrogates are preserved."""
    compressor = zlib.compressobj(ZLIB_LEVEL)
    size, pieces = 0, list[bytes]()
    for at in range(0, len(content), PACKED_CHARS):
        data = content[at : at + PACKED_CHARS].encode("utf-8", "surrogatepass")
        size += len(data)
        pieces.append(compressor.compress(data))
    packed = b"".join([*pieces, compressor.flush()])
    if len(packed) < MAX_COMPRESSED_SHARE * size:
        return packed, True
    return content.encode("utf-8", "surrogatepass"), False


def _unpack(data: object, *, is_packed: bool) -> str:
    if not isinstance(data, bytes):
        raise sqlite3.DatabaseError("a content that is not bytes")
    return (zlib.decompress(data) if is_packed else data).decode("utf-8", "surrogatepass")


def _as_text(result_id: str) -> str:
    """Return an id that SQLite can encode: lone surrogates are replaced, and no valid id has one."""
    return result_id.encode("utf-8", "replace").decode()


def quoted(result_id: str) -> str:
    """Return an id for an error message."""
    return json.dumps(result_id[:MAX_QUOTED_CHARS])
