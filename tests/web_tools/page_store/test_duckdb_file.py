"""The DuckDB file: private, for one process, and refused with one line where it is no file of ours."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from storage.errors import CannotOpen
from web_tools.page_store.duckdb_file import open_file, reason


def refusal(place: Path) -> str:
    with pytest.raises(CannotOpen) as caught:
        open_file(place)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_new_file_can_be_read_by_its_user_only(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    old_mask = os.umask(0)
    try:
        sql, path = open_file(directory)
    finally:
        os.umask(old_mask)
    with closing(sql):
        assert path == directory / "db" / "mpc.duckdb"
        assert [each.stat().st_mode & 0o777 for each in (directory, path.parent, path)] == [
            0o700,
            0o700,
            0o600,
        ]


def test_a_directory_that_others_could_enter_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir(mode=0o755)
    sql, path = open_file(tmp_path)
    sql.close()
    assert path.parent.stat().st_mode & 0o777 == 0o700


def no_database(file: Path) -> None:
    file.write_bytes(b"something else, and long enough to be looked at" * 300)


def cut_off(file: Path) -> None:
    sql, _ = open_file(file.parent.parent)
    sql.close()
    os.truncate(file, 5_000)


def scrambled(file: Path) -> None:
    sql, _ = open_file(file.parent.parent)
    sql.close()
    data = bytearray(file.read_bytes())
    data[8_192:] = bytes(len(data) - 8_192)
    file.write_bytes(data)


def another_programs(file: Path) -> None:
    with closing(duckdb.connect(file)) as sql:
        sql.execute("CREATE TABLE notes (text VARCHAR)")


def another_schema(file: Path) -> None:
    sql, _ = open_file(file.parent.parent)
    with closing(sql):
        sql.execute("UPDATE meta SET value = '99'")


@pytest.mark.parametrize("spoil", [no_database, cut_off, scrambled, another_programs, another_schema])
def test_a_file_that_cannot_be_used_is_refused_with_what_to_do(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    file = tmp_path / "db" / "mpc.duckdb"
    file.parent.mkdir()
    spoil(file)
    before = file.read_bytes()
    message = refusal(tmp_path)
    assert message.startswith("DATA_DIR: expected a file of stored pages, got one that cannot be opened (")
    assert message.endswith(
        f"delete {file} and the files beside it, and pages are fetched anew; or name another DATA_DIR"
    )
    assert file.read_bytes() == before


def test_a_file_of_another_schema_names_both_versions(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir()
    another_schema(tmp_path / "db" / "mpc.duckdb")
    assert "it has schema version 99, and this service knows 1" in refusal(tmp_path)


def test_a_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    assert refusal(tmp_path / "data") == (
        f"DATA_DIR: expected a directory for db/mpc.duckdb, got '{tmp_path / 'data'}': File exists"
    )


@pytest.mark.parametrize("link", ["db", "db/mpc.duckdb", "db/mpc.duckdb.wal"])
def test_symbolic_links_are_not_followed(tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    data = tmp_path / "data"
    (data / link).parent.mkdir(parents=True)
    (data / link).symlink_to(elsewhere if link == "db" else elsewhere / "file")
    assert "DATA_DIR: expected a directory for db/mpc.duckdb" in refusal(data)
    assert list(elsewhere.iterdir()) == []


def test_a_path_with_a_null_byte_is_refused() -> None:
    assert refusal(Path("/tmp/a\0b")).startswith("DATA_DIR: expected a directory")


def test_nothing_can_be_read_or_loaded_through_the_file(tmp_path: Path) -> None:
    sql, _ = open_file(tmp_path)
    with closing(sql):
        for statement in ("SELECT * FROM '/etc/passwd'", "INSTALL vss", "SET enable_external_access = true"):
            with pytest.raises(duckdb.Error):
                sql.execute(statement)


def test_a_reason_is_one_line_without_a_path() -> None:
    assert (
        reason(duckdb.IOException('Cannot open "/home/ann/data/x": gone\nmore'))
        == "Cannot open the file: gone"
    )
    assert reason(OSError(28, "No space left on device", "/home/ann")) == "No space left on device"
    assert len(reason(duckdb.Error("x" * 1_000))) < 200
