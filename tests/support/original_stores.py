"""Stores of originals with a clock and ids of their own, for the tests of storage."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from storage.originals import EXPIRED, NotStored, OriginalsBounds, OriginalUnavailable
from storage.sqlite_store import SqliteStore

ROOMY = OriginalsBounds(1 << 30, 100.0)
ANN, BEN = "ann", "ben"

# Nothing of it can be packed: the room it takes is known.
NOISE = random.Random(4).randbytes(40_000).decode("latin-1")


@dataclass
class Clock:
    """The calendar's clock, moved by hand."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Ids:
    """Ids that tell in which order they were given."""

    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __call__(self) -> str:
        return f"id-{next(self.numbers)}"


@contextmanager
def a_store(
    place: Path | None = None,
    bounds: OriginalsBounds = ROOMY,
    clock: Callable[[], float] | None = None,
    **more: Any,
) -> Iterator[SqliteStore]:
    with closing(SqliteStore(place, bounds, clock or Clock(), **more)) as store:
        yield store


def sql(store: SqliteStore, statement: str) -> sqlite3.Cursor:
    """Ask the store's own connection: what is in memory, and what only that connection can be told."""
    return store._connection.execute(statement)


def path_of(store: SqliteStore) -> Path:
    ((_, _, path),) = sql(store, "PRAGMA database_list")
    return Path(path)


def refusal(store: SqliteStore, result_id: str, owner: str = ANN) -> str:
    with pytest.raises(OriginalUnavailable) as caught:
        store.read(result_id, owner)
    return str(caught.value)


def is_kept(store: SqliteStore, result_id: str, owner: str = ANN) -> bool:
    """Whether an original is there, without reading it."""
    return store._unavailable(result_id, (result_id, owner)).why == EXPIRED


def contents_of(place: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def no_database(file: Path) -> None:
    file.write_bytes(b"something else, and long enough to be looked at" * 30)


def cut_off(file: Path) -> None:
    with closing(SqliteStore(file.parent, ROOMY)) as store:
        store.keep(NOISE, ANN)
    os.truncate(file, file.stat().st_size // 2)


async def told_in_words(call: Awaitable[object]) -> None:
    with suppress(NotStored, OriginalUnavailable):
        await call


def assert_all_there(place: Path, lines: list[str]) -> None:
    with closing(SqliteStore(place, OriginalsBounds(1 << 30, 1000.0))) as store:
        assert sql(store, "PRAGMA integrity_check").fetchall() == [("ok",)]
        for line in lines:
            number, result_id = line.split()
            assert store.read(result_id, ANN) == f"{number} " * (int(number) % 50 * 1_000 + 1)
