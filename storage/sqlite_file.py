"""The file that originals are kept in: made for us alone, opened where it is ours, in the shape that we know.

SQLite's connection to it, or to memory. A setting that can never do (CannotOpen) is told from a file or disk that does not do as
it is now (Unusable). Refuses to know when anything is written to its tables, and when it goes.
"""

import errno
import os
import sqlite3
import stat
import zlib
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


# What reading and writing the file raises where it is damaged, gone or full.
PROBLEMS = (sqlite3.Error, OSError, UnicodeError, zlib.error)

# What SQLite puts beside its file.
_BESIDE = ("-wal", "-shm", "-journal")

# The place is right, and cannot be written now: what SQLite and the system call it.
_NOT_WRITABLE = frozenset((errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO))
_NOT_WRITABLE_SQLITE = frozenset(
    (
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    )
)


class CannotOpen(Exception):
    """The directory that is set can be none: the message names the setting."""


class Unusable(Exception):
    """The file cannot be used as it is: the message says why, without a path; `remedy` says what to do, for the log."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


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
        """Open the file, and make it where there is none. Raises CannotOpen, and Unusable."""
        self._make_directory()
        try:
            self._refuse_links()
            self._make_private()
            self._identity = self._look()
            return connect(os.fspath(self._path))
        except (*PROBLEMS, ValueError) as problem:
            raise Unusable(reason(problem), self._remedy(problem)) from problem

    def _make_directory(self) -> None:
        try:
            self._directory.mkdir(mode=0o700, exist_ok=True)
        except (OSError, ValueError) as problem:  # ValueError: a path that no system takes
            if _is_not_writable(problem):
                raise Unusable(reason(problem), self._remedy(problem)) from problem
            raise CannotOpen(
                f"DATA_DIRECTORY: expected a directory for the file {FILE_NAME}, got {os.fspath(self._directory)!r}: "
                f"{reason(problem)}"
            ) from problem

    def _remedy(self, problem: Exception) -> str:
        if _is_not_writable(problem):
            first = f"make room in {self._directory} and let the service's user write there"
        else:
            first = f"rename or move away {self._path} and the files beside it ({', '.join(_BESIDE)})"
        return f"{first}, or name another DATA_DIRECTORY; then restart"

    def check(self) -> None:
        """Raise OSError where the file is not at its path any more: what is written to it would be lost."""
        try:
            found = self._look()
        except OSError as problem:
            raise OSError(problem.errno, "its file is gone; restart the service") from problem
        if found != self._identity:
            raise OSError("its file is another one now; restart the service")

    def _refuse_links(self) -> None:
        """Raise OSError where something else than a file stands at one of the paths that SQLite opens."""
        for path in (self._path, *(self._path.with_name(FILE_NAME + ending) for ending in _BESIDE)):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:
                continue
            if stat.S_ISLNK(mode):
                raise OSError(f"{path.name} is a symbolic link, and none is followed")
            if not stat.S_ISREG(mode):
                raise OSError(f"{path.name} is no regular file")

    def _make_private(self) -> None:
        """SQLite's files beside it (-wal, -shm) get the same mode."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        with closing(_Descriptor(os.open(self._path, flags, 0o600))) as file:
            if os.fstat(file.number).st_mode & 0o077:
                os.fchmod(file.number, 0o600)

    def _look(self) -> _Identity:
        found = self._path.lstat()
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
        if _check_version(sql):
            _check_damage(sql)
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
            f"the file there has schema version {version}, and this service knows {SCHEMA_VERSION}"
        )
    return SCHEMA_VERSION


def _check_damage(sql: sqlite3.Connection) -> None:
    """Raise sqlite3.Error or ValueError where a table that every call reads is damaged.

    Of the contents, most of the file, only their table is looked for: what is damaged there is said of the one that is read.
    """
    for table in ("originals", "forgotten"):
        found = [said for (said,) in sql.execute(f"PRAGMA quick_check({table})")]
        if found != ["ok"]:
            raise ValueError("the file is damaged")
    sql.execute("SELECT number, content FROM contents LIMIT 1").fetchall()


def _is_not_writable(problem: Exception) -> bool:
    if isinstance(problem, sqlite3.Error):
        return _code(problem) in _NOT_WRITABLE_SQLITE
    return isinstance(problem, OSError) and problem.errno in _NOT_WRITABLE


def reason(problem: Exception) -> str:
    """Say what is wrong in few words, without a path and without anything that the file holds: callers read it too."""
    is_damage = isinstance(problem, (UnicodeError, zlib.error)) or (
        isinstance(problem, sqlite3.Error) and _code(problem) in (sqlite3.SQLITE_CORRUPT, None)
    )
    return "the file is damaged" if is_damage else getattr(problem, "strerror", None) or str(problem)


def _code(problem: sqlite3.Error) -> int | None:
    """Return SQLite's primary error code; None where Python found the error, as in a text that is no UTF-8."""
    # The lowest byte of an extended code is the primary one.
    return problem.sqlite_errorcode & 0xFF if hasattr(problem, "sqlite_errorcode") else None
