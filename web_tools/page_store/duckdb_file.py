"""The DuckDB file of stored pages: made readable by its user only, opened by one process, and only if it is this service's and undamaged.

Opens DuckDB's connection; what is in the tables, duckdb_pages.py says. Everything that prevents it is CannotOpen, whose one line says
what to do: it stops the start.
"""

import os
import re
import stat
from pathlib import Path

import duckdb

from storage.errors import CannotOpen

DIRECTORY, FILE_NAME = "db", "mpc.duckdb"

SCHEMA_VERSION = "1"

# No index on the large tables: DuckDB gives back the room of deleted rows only where there is none. To find the rows of a page it reads
# blocks of 2,048 rows that hold some, so a row is small: a page's text is cut into pieces (a whole one took 57 ms among 1,000 pages).
SCHEMA = (
    "CREATE TABLE meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL)",
    """CREATE TABLE pages (number BIGINT NOT NULL, url VARCHAR NOT NULL, title VARCHAR NOT NULL, etag VARCHAR NOT NULL,
    last_modified VARCHAR NOT NULL, last_crawled TIMESTAMP NOT NULL, content_hash VARCHAR NOT NULL, note VARCHAR NOT NULL,
    bytes BIGINT NOT NULL, passages BIGINT NOT NULL, turn BIGINT NOT NULL)""",
    "CREATE TABLE texts (page BIGINT NOT NULL, position INTEGER NOT NULL, piece VARCHAR NOT NULL)",
    """CREATE TABLE passages (page BIGINT NOT NULL, position INTEGER NOT NULL, id VARCHAR NOT NULL, section_path VARCHAR NOT NULL,
    text VARCHAR NOT NULL, tokens INTEGER NOT NULL)""",
)

# One thread: every query is for one page, and the other cores are for the event loop. Nothing is fetched, loaded or written elsewhere.
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "memory_limit": "256MB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_access": False,
    "lock_configuration": True,
}

# What using the file may raise: DuckDB's errors, the system's, and those of texts that are not UTF-8.
STORE_ERRORS = (duckdb.Error, OSError, UnicodeError)

_LOCKED_BY = re.compile(r"Conflicting lock is held in .{0,400}?\(PID ([0-9]{1,10})\)", re.DOTALL)

MAX_REASON_CHARS = 160


def open_file(directory: Path) -> tuple[duckdb.DuckDBPyConnection, Path]:
    """Open the file under this data directory, and make it if there is none. Raises CannotOpen."""
    path = directory / DIRECTORY / FILE_NAME
    try:
        _make_directories(path.parent)
        _refuse_links(path)
    except (OSError, ValueError) as problem:  # ValueError: a path with a null byte
        raise CannotOpen(
            f"DATA_DIR: expected a directory for {DIRECTORY}/{FILE_NAME}, got {os.fspath(directory)!r}: {reason(problem)}"
        ) from problem
    try:
        connection = duckdb.connect(path, config=SETTINGS)
    except STORE_ERRORS as problem:
        raise CannotOpen(remedy(path, problem)) from problem
    try:
        path.chmod(0o600)
        _make_tables(connection)
    except (*STORE_ERRORS, ValueError) as problem:
        connection.close()
        raise CannotOpen(remedy(path, problem)) from problem
    return connection, path


def _make_directories(directory: Path) -> None:
    """Make the directory of the file, which its user alone may enter: what DuckDB puts beside the file has other modes."""
    directory.parent.mkdir(mode=0o700, exist_ok=True)
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.is_symlink():
        raise OSError(f"{directory.name} is a symbolic link, and none is followed")
    directory.chmod(0o700)


def _refuse_links(path: Path) -> None:
    for each in (path, path.with_name(path.name + ".wal")):
        try:
            mode = each.lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            raise OSError(f"{each.name} is no regular file")


def _make_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables in a new file. Raises ValueError for another program's file or schema."""
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        connection.begin()
        for statement in SCHEMA:
            connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('schema_version', ?)", [SCHEMA_VERSION])
        connection.commit()
        return
    if "meta" not in tables:
        raise ValueError("it is another program's")
    row = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    if row != (SCHEMA_VERSION,):
        raise ValueError(
            f"it has schema version {row[0] if row else 'none'}, and this service knows {SCHEMA_VERSION}"
        )


def remedy(path: Path, problem: Exception) -> str:
    """Return the message of CannotOpen: what is wrong with the file, and what to do."""
    locked = _LOCKED_BY.search(str(problem))
    if locked or "Could not set lock" in str(problem):
        holder = f"process {locked[1]}" if locked else "another process"
        return (
            f"DATA_DIR: expected a directory that no other process uses, got one whose {DIRECTORY}/{FILE_NAME} is open in {holder}: "
            f"end that one, or name another DATA_DIR ({path})"
        )
    return (
        f"DATA_DIR: expected a file of stored pages, got one that cannot be opened ({reason(problem)}): delete {path} and the files "
        "beside it, and pages are fetched anew; or name another DATA_DIR"
    )


def reason(problem: Exception) -> str:
    """Return a short reason in one line, without a path."""
    if isinstance(problem, OSError) and not isinstance(problem, duckdb.Error):
        return problem.strerror or str(problem)
    first = next(iter(str(problem).splitlines()), "") or type(problem).__name__
    return _PATH.sub("the file", first)[:MAX_REASON_CHARS]


_PATH = re.compile(r'"/[^"]{1,4000}+"|/\S{1,4000}+')
