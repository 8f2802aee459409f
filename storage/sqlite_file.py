"""An SQLite file of this service: created readable by its user only, opened only if it is this service's and undamaged.

Opens SQLite's connection to the file, or to memory; what is in it, its `Schema` says. A setting that can never work (CannotOpen) is told apart from a file or
disk that cannot be used at present (UnusableFile). Knows nothing of when rows are written or deleted.
"""

import errno
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from storage.errors import CannotOpen

# How long to wait for another process that writes to the same file: 16 MiB take it well under a second.
BUSY_SECONDS = 5.0

# If this many processes open a new file at the same moment, at least one succeeds in each attempt.
WAL_ATTEMPTS = 20

# What reading and writing raise if the file is damaged or missing, or the disk is full.
STORAGE_ERRORS = (sqlite3.Error, OSError, UnicodeError, zlib.error)

# The suffixes of the files that SQLite puts beside its file.
_SUFFIXES = ("-wal", "-shm", "-journal")

# The error codes of the system and of SQLite for a directory or disk that cannot be written at present.
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


class Schema(NamedTuple):
    """What is in a database: how it is recognized, made, and checked."""

    file_name: str
    application_id: int
    """Stored in the file's header: which program it belongs to."""
    version: int
    statements: tuple[str, ...]
    """Make its tables in an empty file."""
    additions: tuple[str, ...]
    """Add to older files of this version what they lack."""
    checked_tables: tuple[str, ...]
    """Those that every call reads: they are searched for damage when the file is opened."""
    sample: str
    """Reads one row of the rest, which is most of the file: other damage there is reported when it is read."""


class UnusableFile(Exception):
    """The file cannot be used as it is: the message says why, without a path; `remedy` says what to do, for the log."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class _Identity(NamedTuple):
    """Tells a file from another one at the same path."""

    device: int
    inode: int


class DatabaseFile:
    """A store's file: created with private permissions, opened only if it is this service's, checked before each write."""

    def __init__(self, directory: Path, schema: Schema) -> None:
        self._directory = directory
        self._schema = schema
        self._path = directory / schema.file_name
        self._identity = _Identity(0, 0)

    def connect(self) -> sqlite3.Connection:
        """Open the file, and create it if there is none. Raises CannotOpen and UnusableFile."""
        self._make_directory()
        try:
            self._refuse_links()
            self._make_private()
            self._identity = self._read_identity()
            return connect(os.fspath(self._path), self._schema)
        except (*STORAGE_ERRORS, ValueError) as problem:
            raise UnusableFile(reason(problem), self._remedy(problem)) from problem

    def _make_directory(self) -> None:
        try:
            self._directory.mkdir(mode=0o700, exist_ok=True)
        except (OSError, ValueError) as problem:  # ValueError: a path with a null byte
            if _is_not_writable(problem):
                raise UnusableFile(reason(problem), self._remedy(problem)) from problem
            raise CannotOpen(
                f"STORAGE_DIRECTORY: expected a directory for the file {self._path.name}, got {os.fspath(self._directory)!r}: "
                f"{reason(problem)}"
            ) from problem

    def _remedy(self, problem: Exception) -> str:
        if _is_not_writable(problem):
            first = f"make room in {self._directory} and let the service's user write there"
        else:
            first = f"rename or move away {self._path} and the files beside it ({', '.join(_SUFFIXES)})"
        return f"{first}, or name another STORAGE_DIRECTORY; then restart"

    def check(self) -> None:
        """Raise OSError if the file is not at its path any more: everything written to it would be lost."""
        try:
            found = self._read_identity()
        except OSError as problem:
            raise OSError(problem.errno, "its file is gone; restart the service") from problem
        if found != self._identity:
            raise OSError("its file is another one now; restart the service")

    def _refuse_links(self) -> None:
        """Raise OSError if one of the paths that SQLite opens is a symbolic link or not a regular file."""
        for path in (self._path, *(self._path.with_name(self._path.name + suffix) for suffix in _SUFFIXES)):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:
                continue
            if stat.S_ISLNK(mode):
                raise OSError(f"{path.name} is a symbolic link, and none is followed")
            if not stat.S_ISREG(mode):
                raise OSError(f"{path.name} is no regular file")

    def _make_private(self) -> None:
        """Create the file with mode 0600, or give it that mode; SQLite gives its -wal and -shm files the same."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        with closing(_Descriptor(os.open(self._path, flags, 0o600))) as file:
            if os.fstat(file.number).st_mode & 0o077:
                os.fchmod(file.number, 0o600)

    def _read_identity(self) -> _Identity:
        found = self._path.lstat()
        return _Identity(found.st_dev, found.st_ino)


class _Descriptor(NamedTuple):
    number: int

    def close(self) -> None:
        os.close(self.number)


def connect(path: str, schema: Schema) -> sqlite3.Connection:
    """Open a database of this service. Raises sqlite3.Error, and ValueError for another program's or a damaged one."""
    with ExitStack() as on_error:
        sql = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        on_error.callback(sql.close)
        # Check before writing: the file may belong to another program. In one transaction: another process may be creating it.
        sql.execute("BEGIN")
        if _check_version(sql, schema):
            _check_damage(sql, schema)
        sql.execute("COMMIT")
        # A crash of the process loses no commit, a crash of the machine the last few; neither damages the file.
        _use_write_ahead_log(sql)
        sql.execute("PRAGMA synchronous = NORMAL")
        sql.execute("PRAGMA journal_size_limit = 0")  # without it, the log keeps its largest size
        sql.execute("PRAGMA secure_delete = ON")  # deleted content is overwritten
        sql.execute("BEGIN IMMEDIATE")
        if not _check_version(sql, schema):
            for statement in schema.statements:
                sql.execute(statement)
            sql.execute(f"PRAGMA application_id = {schema.application_id}")
            sql.execute(f"PRAGMA user_version = {schema.version}")
        for statement in schema.additions:
            sql.execute(statement)
        sql.execute("COMMIT")
        on_error.pop_all()
    return sql


@contextmanager
def transaction(sql: sqlite3.Connection, file: DatabaseFile | None) -> Iterator[None]:
    """Run the block's statements in one transaction; `file` is the connection's, None where it is in memory."""
    if file:
        file.check()
    sql.execute("BEGIN IMMEDIATE")
    try:
        yield
        sql.execute("COMMIT")
    finally:
        if sql.in_transaction:  # SQLite has already ended it if the disk is full
            sql.execute("ROLLBACK")


def _use_write_ahead_log(sql: sqlite3.Connection) -> None:
    """Turn on the write-ahead log, so that reads do not wait for writes."""
    for _ in range(WAL_ATTEMPTS - 1):
        try:
            sql.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            # Another process does the same now. For this statement alone SQLite does not wait BUSY_SECONDS; for BEGIN it does.
            sql.execute("BEGIN IMMEDIATE")
            sql.execute("COMMIT")
    sql.execute("PRAGMA journal_mode = WAL")


def _check_version(sql: sqlite3.Connection, schema: Schema) -> int:
    """Return the schema's version, 0 for an empty file. Raises ValueError for another program's file or schema."""
    ((application,),) = sql.execute("PRAGMA application_id")
    ((version,),) = sql.execute("PRAGMA user_version")
    ((objects,),) = sql.execute("SELECT count(*) FROM sqlite_schema")
    if application == version == objects == 0:
        return 0
    if application != schema.application_id:
        raise ValueError("the file there is a database of another program")
    if version != schema.version:
        raise ValueError(
            f"the file there has schema version {version}, and this service knows {schema.version}"
        )
    return schema.version


def _check_damage(sql: sqlite3.Connection, schema: Schema) -> None:
    """Raise sqlite3.Error or ValueError if a table that every call reads is damaged."""
    for table in schema.checked_tables:
        messages = [message for (message,) in sql.execute(f"PRAGMA quick_check({table})")]
        if messages != ["ok"]:
            raise ValueError("the file is damaged")
    sql.execute(schema.sample).fetchall()


def _is_not_writable(problem: Exception) -> bool:
    if isinstance(problem, sqlite3.Error):
        return _code(problem) in _NOT_WRITABLE_SQLITE
    return isinstance(problem, OSError) and problem.errno in _NOT_WRITABLE


def reason(problem: Exception) -> str:
    """Return a short reason without a path and without anything from the file: callers read it too."""
    is_damage = isinstance(problem, (UnicodeError, zlib.error)) or (
        isinstance(problem, sqlite3.Error) and _code(problem) in (sqlite3.SQLITE_CORRUPT, None)
    )
    return "the file is damaged" if is_damage else getattr(problem, "strerror", None) or str(problem)


def _code(problem: sqlite3.Error) -> int | None:
    """Return SQLite's primary error code; None if Python found the error, as with text that is not UTF-8."""
    # The lowest byte of an extended code is the primary one.
    return problem.sqlite_errorcode & 0xFF if hasattr(problem, "sqlite_errorcode") else None
