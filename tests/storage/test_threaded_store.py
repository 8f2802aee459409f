"""The store of originals in a thread: its errors as messages, and the service with a store."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from concurrency.worker_threads import open_worker
from storage.originals import NotStored, Originals, OriginalUnavailable
from storage.sqlite_store import FILE_NAME, SqliteStore, new_result_id
from storage.threaded_store import SqliteOriginals, open_originals
from tests.support.messages import Message, call, legacy
from tests.support.original_stores import (
    ANN,
    NOISE,
    ROOMY,
    Clock,
    a_store,
    assert_all_there,
    contents_of,
    cut_off,
    no_database,
    path_of,
    sql,
)
from tests.support.service import PATIENCE_S, Run, Service


def is_full(store: SqliteStore) -> None:
    ((pages,),) = sql(store, "PRAGMA page_count")
    sql(store, f"PRAGMA max_page_count = {pages}")


def is_read_only(store: SqliteStore) -> None:
    sql(store, "PRAGMA query_only = ON")


def is_gone(store: SqliteStore) -> None:
    shutil.rmtree(path_of(store).parent)


def is_another(store: SqliteStore) -> None:
    path = path_of(store)
    path.rename(path.with_suffix(".moved"))
    path.touch()


def is_busy(store: SqliteStore) -> None:
    sql(store, "PRAGMA busy_timeout = 10")
    other = sqlite3.connect(path_of(store), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.__dict__["other"] = other  # open as long as the store


BROKEN = [
    (is_full, "database or disk is full"),
    (is_read_only, "attempt to write a readonly database"),
    (is_gone, "its file is gone; restart the service"),
    (is_another, "its file is another one now; restart the service"),
    (is_busy, "database is locked"),
]


@asynccontextmanager
async def served(tmp_path: Path) -> AsyncIterator[tuple[SqliteOriginals, SqliteStore]]:
    """A store behind its interface, with the thread that is its own."""
    async with open_worker(threads=1) as worker:
        store = await worker(SqliteStore, tmp_path / "data", ROOMY)
        try:
            yield SqliteOriginals(store, worker), store
        finally:
            other = store.__dict__.get("other")
            if other:
                await worker(other.close)
            await worker(store.close)


@pytest.mark.parametrize("how, reason", BROKEN, ids=[how.__name__ for how, _ in BROKEN])
async def test_a_store_that_cannot_be_written_says_so_and_can_still_be_read(
    how: Callable[[SqliteStore], None], reason: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_worker(threads=1) as worker:
        store = await worker(SqliteStore, tmp_path / "data", ROOMY)
        kept = await SqliteOriginals(store, worker).keep("before " * 5_000, ANN)
        await worker(how, store)
        service = SqliteOriginals(store, worker)
        with pytest.raises(NotStored) as caught:
            await service.keep(NOISE, ANN)
        await service.expire()
        assert await service.read(kept, ANN) == "before " * 5_000
        if "other" in store.__dict__:
            await worker(store.__dict__["other"].close)
        await worker(store.close)
    assert str(caught.value) == f"the store cannot be written ({reason})"
    assert str(tmp_path) not in str(caught.value) + caplog.text
    assert NOISE[:50] not in caplog.text
    assert kept not in caplog.text


async def test_a_store_on_a_full_disk_works_again_when_there_is_room(tmp_path: Path) -> None:
    async with served(tmp_path) as (service, store):
        async with asyncio.timeout(PATIENCE_S):
            run = service._worker
            await run(is_full, store)
            with pytest.raises(NotStored):
                await service.keep(NOISE, ANN)
            await run(sql, store, "PRAGMA max_page_count = 100000")
            assert await service.read(await service.keep(NOISE, ANN), ANN) == NOISE


async def test_a_write_that_fails_half_way_is_rolled_back() -> None:
    async with open_worker(threads=1) as worker:
        store = await worker(partial(SqliteStore, None, ROOMY, new_id=lambda: "the same"))
        service = SqliteOriginals(store, worker)
        await service.keep("first", ANN)
        with pytest.raises(NotStored, match="UNIQUE"):
            await service.keep("second", ANN)
        assert await service.read("the same", ANN) == "first"
        store._new_id = new_result_id
        assert await service.read(await service.keep("third", ANN), ANN) == "third"
        await worker(store.close)


async def test_a_damaged_original_is_an_error_message(tmp_path: Path) -> None:
    async with served(tmp_path) as (service, store):
        kept = await service.keep("a page " * 1_000, ANN)
        await service._worker(sql, store, "UPDATE contents SET content = x'00'")
        with pytest.raises(
            OriginalUnavailable, match=f'"{kept}" cannot be read now .*: call again later, or with the text'
        ):
            await service.read(kept, ANN)


async def test_the_store_opens_in_its_thread_and_closes_at_the_end_of_the_block(tmp_path: Path) -> None:
    async with open_worker(threads=1) as worker:
        async with open_originals(str(tmp_path), ROOMY, worker) as store:
            kept = await store.keep("x", ANN)
            assert await store.read(kept, ANN) == "x"
            await store.expire()
            as_any: Originals = store
            assert as_any is store
        assert contents_of(tmp_path).keys() == {str(tmp_path / FILE_NAME)}
        async with open_originals("", ROOMY, worker) as memory:
            with pytest.raises(OriginalUnavailable):
                await memory.read(kept, ANN)


@pytest.mark.unmeasured
def test_stores_that_create_the_same_file_at_once_all_open_it(tmp_path: Path) -> None:
    # Many files: of four stores that begin together, one in seven met another's half-made file.
    together = threading.Barrier(4)

    def make(number: int) -> str:
        together.wait(PATIENCE_S)
        with closing(SqliteStore(tmp_path / str(number), ROOMY)) as store:
            return f"0 {store.keep('0 ', ANN)}"

    with ThreadPoolExecutor(together.parties) as pool:
        for number in range(50):
            kept = list(pool.map(make, [number] * together.parties))
            assert len(set(kept)) == together.parties
            assert_all_there(tmp_path / str(number), kept)


async def ask(service: Service, name: str, **arguments: Any) -> Message:
    result: Message = (await service.post(legacy("tools/call", call(name, **arguments)))).json()["result"]
    return result


async def keep_one(service: Service, content: str) -> str:
    result = await ask(service, "summarize", content=content, keep_original=True)
    result_id: str = result["_meta"]["mcp-summarizer/outcome"]["result_id"]
    return result_id


async def test_an_original_outlives_the_service_if_a_directory_is_set(run: Run, tmp_path: Path) -> None:
    async with run(STORAGE_DIRECTORY=str(tmp_path)) as service:
        result_id = await keep_one(service, "kept \ud800 text")
    async with (
        run(STORAGE_DIRECTORY=str(tmp_path)) as service,
        run(STORAGE_DIRECTORY=str(tmp_path)) as another,
    ):
        for each in (service, another):
            result = await ask(each, "read_original", result_id=result_id)
            assert (
                result["content"][0]["text"] == "[characters 0-11 of 11; this is the end]\nkept \ud800 text"
            )
        from_another = await keep_one(another, "more")
        assert "isError" not in await ask(service, "read_original", result_id=from_another)
    async with run() as service:
        assert (await ask(service, "read_original", result_id=result_id))["isError"] is True


async def test_a_service_deletes_expired_originals_at_its_start(run: Run, tmp_path: Path) -> None:
    clock = Clock(0.0)  # 1970
    with a_store(tmp_path, clock=clock) as store:
        old = store.keep("x", "")
    async with run(STORAGE_DIRECTORY=str(tmp_path)) as service:
        await keep_one(service, "the first write would do it too")
        result = await ask(service, "read_original", result_id=old)
    assert "was forgotten after 86400 seconds without use" in result["content"][0]["text"]


async def test_a_service_whose_file_is_gone_answers_and_says_so(run: Run, tmp_path: Path) -> None:
    async with run(STORAGE_DIRECTORY=str(tmp_path / "data")) as service:
        shutil.rmtree(tmp_path / "data")
        result = await ask(service, "summarize", content="short", keep_original=True)
    outcome = result["_meta"]["mcp-summarizer/outcome"]
    assert "isError" not in result
    assert result["content"][0]["text"] == "short"
    assert outcome["reason"] == (
        "the original was not kept: the store cannot be written (its file is gone; restart the service)"
    )


async def test_a_service_whose_file_cannot_be_used_works_without_originals(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    no_database(tmp_path / FILE_NAME)
    before = contents_of(tmp_path)
    off = "originals are off, since their file cannot be used (file is not a database)"
    async with run(STORAGE_DIRECTORY=str(tmp_path)) as service:
        result = await ask(service, "summarize", content="short", keep_original=True)
        for name, more in (("read", {}), ("search", {"query": "x"}), ("summarize", {})):
            refused = await ask(service, f"{name}_original", result_id="x", **more)
            assert refused == {
                "content": [{"type": "text", "text": f"{off}; call again with the text"}],
                "isError": True,
            }
        assert (await service.http.get(f"{service.origin}/health")).status_code == 200
    outcome = result["_meta"]["mcp-summarizer/outcome"]
    assert [block["text"] for block in result["content"]] == ["short", f"Original not kept: {off}"]
    assert outcome["reason"] == f"the original was not kept: {off}"
    (warning,) = [record for record in caplog.records if record.getMessage() == "originals_off"]
    assert warning.levelname == "WARNING"
    assert str(tmp_path / FILE_NAME) in vars(warning)["note"]
    assert contents_of(tmp_path) == before
    errors = [vars(record)["error"] for record in caplog.records if record.getMessage() == "tool_error"]
    assert errors == ["off"] * 3


async def test_a_service_whose_file_was_moved_away_keeps_originals_again(run: Run, tmp_path: Path) -> None:
    cut_off(tmp_path / FILE_NAME)
    async with run(STORAGE_DIRECTORY=str(tmp_path)) as service:
        result = await ask(service, "summarize", content="short", keep_original=True)
        assert "result_id" not in result["_meta"]["mcp-summarizer/outcome"]
    (tmp_path / FILE_NAME).rename(tmp_path / "put away")
    async with run(STORAGE_DIRECTORY=str(tmp_path)) as service:
        assert await keep_one(service, "short")
