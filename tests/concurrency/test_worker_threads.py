"""Worker threads: what one pool is busy with holds up nothing in the other."""

import threading

from concurrency.worker_threads import open_worker


async def test_a_busy_helper_takes_no_thread_that_other_work_waits_for() -> None:
    release = threading.Event()
    async with open_worker(threads=1, cores=2) as worker:
        assert worker.helpers is not None
        busy = worker.helpers.submit(release.wait)
        waiting = worker.helpers.submit(lambda: None)
        assert await worker(threading.active_count) >= 1
        assert not busy.done()
        assert not waiting.done()
        release.set()


async def test_where_one_core_may_be_used_nothing_is_shared_out() -> None:
    async with open_worker(threads=1, cores=1) as worker:
        assert worker.helpers is None
