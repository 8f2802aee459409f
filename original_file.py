"""The file that originals are kept in: made for us alone, opened where it is ours, in the shape that we know.

SQLite's connection to it, or to memory. Refuses to know when anything is written to its tables, and when it goes.
"""

import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

FILE_NAME = "originals.sqlite3"

# SQLite's own marks of a file: whose it is ("msum" in ASCII), and in which shape.
APPLICATION_ID = 0x6D73756D
SCHEMA_VERSION = 1

# For another process that writes to the same file: 16 MiB take it well under a second.
BUSY_SECONDS = 5.0

# Of as many processes that begin with a new file at one moment, each time one gets through.
LOG_ATTEMPTS = 20

# Whose turn it is to make room is read from it alone. Files of this schema without it, made before it was there, get it.
_INDEX_BY_OWNER = "CREATE INDEX IF NOT EXISTS originals_by_owner ON originals (owner, turn, bytes)"

_SCHEMA = (
    # The contents stand apart: noting that one was read must not write it anew.
    """CREATE TABLE originals (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,
    used REAL NOT NULL, turn INTEGER NOT NULL, bytes INTEGER NOT NULL, packed INTEGER NOT NULL)""",
    "CREATE INDEX originals_by_use ON originals (used)",
    # The order in which they were used: clocks stand still between two calls, and are set back.
    "CREATE INDEX originals_by_turn ON originals (turn)",
    "CREATE TABLE contents (number INTEGER PRIMARY KEY, content BLOB NOT NULL)",
    """CREATE TABLE forgotten (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL, why TEXT NOT NULL)""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


class CannotOpen(Exception):
    """The store's file cannot be used: the message names the setting."""


class _Identity(NamedTuple):
    """What tells a file from another at the same path."""

    device: int
    inode: int


class File:
    """The store's file: made for us alone, opened where it is ours, and looked after."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / FILE_NAME
        self._identity = _Identity(0, 0)

    def connect(self) -> sqlite3.Connection:
        """Open the file, and make it where there is none. Raises CannotOpen."""
        try:
            self._directory.mkdir(mode=0o700, exist_ok=True)
            self._make_private()
            self._identity = self._look()
            return connect(os.fspath(self._path))
        except (OSError, ValueError, sqlite3.Error) as problem:  # ValueError: a path that no system takes
            raise CannotOpen(
                f"DATA_DIRECTORY: expected a directory for the file {FILE_NAME}, got {os.fspath(self._directory)!r}: "
                f"{reason(problem)}"
            ) from problem

    def check(self) -> None:
        """Raise OSError where the file is not at its path any more: what is written to it would be lost."""
        try:
            found = self._look()
        except OSError as problem:
            raise OSError(problem.errno, "its file is gone; restart the service") from problem
        if found != self._identity:
            raise OSError("its file is another one now; restart the service")

    def _make_private(self) -> None:
        """SQLite's files beside it (-wal, -shm) get the same mode."""
        with closing(_Descriptor(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))) as file:
            if os.fstat(file.number).st_mode & 0o077:
                os.chmod(self._path, 0o600)  # noqa: PTH101  # as the lines around it

    def _look(self) -> _Identity:
        found = self._path.stat()
        return _Identity(found.st_dev, found.st_ino)


class _Descriptor(NamedTuple):
    number: int

    def close(self) -> None:
        os.close(self.number)


def connect(path: str) -> sqlite3.Connection:
    """Open a database of ours. Raises sqlite3.Error, and ValueError for one that is not ours."""
    with ExitStack() as unless_ours:
        sql = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        unless_ours.callback(sql.close)
        # Before anything is written to what may be somebody else's. Of one moment: another process may be making the file.
        sql.execute("BEGIN")
        _check_version(sql)
        sql.execute("COMMIT")
        # A crash of the process loses nothing that was committed, a crash of the machine the last moments; neither breaks the file.
        _use_log(sql)
        sql.execute("PRAGMA synchronous = NORMAL")
        sql.execute("PRAGMA journal_size_limit = 0")  # else it stays as large as it ever was
        sql.execute("PRAGMA secure_delete = ON")  # what is forgotten is overwritten
        sql.execute("BEGIN IMMEDIATE")
        if not _check_version(sql):
            for statement in _SCHEMA:
                sql.execute(statement)
        sql.execute(_INDEX_BY_OWNER)
        sql.execute("COMMIT")
        unless_ours.pop_all()
    return sql


def _use_log(sql: sqlite3.Connection) -> None:
    """Have what is written go to a log beside the file first, so that reading need not wait for it."""
    for _ in range(LOG_ATTEMPTS - 1):
        try:
            sql.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            # Another process does the same now. For this, and this alone, SQLite waits no BUSY_SECONDS; for that it does.
            sql.execute("BEGIN IMMEDIATE")
            sql.execute("COMMIT")
    sql.execute("PRAGMA journal_mode = WAL")


def _check_version(sql: sqlite3.Connection) -> int:
    """Return the version of the schema, 0 of an empty file. Raises ValueError where it is not for us to use."""
    ((application,),) = sql.execute("PRAGMA application_id")
    ((version,),) = sql.execute("PRAGMA user_version")
    ((objects,),) = sql.execute("SELECT count(*) FROM sqlite_schema")
    if application == version == objects == 0:
        return 0
    if application != APPLICATION_ID:
        raise ValueError("the file there is a database of another program")
    if version != SCHEMA_VERSION:
        raise ValueError(
            f"the file there has schema version {version}, and this service knows {SCHEMA_VERSION}; "
            "name another directory, or run the version that made it"
        )
    return SCHEMA_VERSION


def reason(problem: Exception) -> str:
    """Say what is wrong in few words, without a path: callers read it too."""
    return getattr(problem, "strerror", None) or str(problem)
