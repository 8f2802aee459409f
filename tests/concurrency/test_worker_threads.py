"""Worker threads: what one pool is busy with holds up nothing in the other."""

import asyncio
import threading

import pytest

from concurrency.worker_threads import open_worker
from tests.support.service import PATIENCE_S


async def test_a_busy_helper_takes_no_thread_that_other_work_waits_for() -> None:
    release = threading.Event()
    async with open_worker(threads=1, cores=2) as worker:
        assert worker.helpers is not None
        busy = worker.helpers.submit(release.wait)
        try:
            async with asyncio.timeout(PATIENCE_S):
                assert await worker(lambda: "done") == "done"
            assert not busy.done()
        finally:
            release.set()


async def test_where_one_core_may_be_used_nothing_is_shared_out() -> None:
    async with open_worker(threads=1, cores=1) as worker:
        assert worker.helpers is None


async def test_work_that_has_not_begun_at_the_end_never_does() -> None:
    release, done = threading.Event(), list[str]()
    async with open_worker(threads=1, cores=1) as worker:
        first = asyncio.ensure_future(worker(release.wait))
        second = asyncio.ensure_future(worker(done.append, "second"))
    release.set()
    await first
    with pytest.raises(asyncio.CancelledError):
        await second
    assert done == []


async def test_an_iterator_that_ends_in_a_worker_is_an_error_that_whoever_waits_gets() -> None:
    async with open_worker(threads=1, cores=1) as worker, asyncio.timeout(PATIENCE_S):
        with pytest.raises(RuntimeError, match="StopIteration"):
            await worker(next, iter(()))
        assert await worker(lambda: "done") == "done"
