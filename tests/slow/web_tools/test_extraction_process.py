"""The extraction process ends with its service, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.service import ROOT

# Reads one page, begins another or not, tells the id of the process that does it, and waits to be killed.
SERVICE = """
import asyncio, sys
from web_tools.extraction.extractor import Extractor
from web_tools.extraction.worker_pool import WorkerLimits, open_worker_pool
from web_tools.pages import FetchedPage, Validators

def page(body):
    return FetchedPage("https://example.org/", "text/html", "utf-8", body.encode(), Validators())

async def main(body):
    async with open_worker_pool(WorkerLimits(seconds=3), {}) as pool:
        extractor = Extractor(pool, None)
        await extractor.extract(page("<p>Tea</p>"))
        (process,) = pool._running
        reading = asyncio.create_task(extractor.extract(page(body))) if body else None
        await asyncio.sleep(0.5)
        print(process.pid, flush=True)
        await asyncio.sleep(600)

# One tag with so many attributes takes resiliparse far longer than the deadline.
hangs = "<p " + " ".join(f"a{number}=1" for number in range(400_000)) + ">Tea</p>"
asyncio.run(main(hangs if sys.argv[1:] else ""))
"""

# In seconds: more than the deadline and what the alarm comes after it.
MOST_SECONDS = 30


def is_running(process_id: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def end_with_service(*arguments: str) -> None:
    """Kill a service, and wait until its extraction process is gone. Fails where that lives on."""
    service = subprocess.Popen([sys.executable, "-c", SERVICE, *arguments], cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert service.stdout is not None
        extraction = int(service.stdout.readline())
        assert is_running(extraction)
    finally:
        service.kill()
        service.communicate()
    start = time.monotonic()
    while is_running(extraction):
        if time.monotonic() - start > MOST_SECONDS:
            os.kill(extraction, signal.SIGKILL)
            raise AssertionError("the extraction process outlives its service")
        time.sleep(0.02)


def test_a_process_that_waits_ends_with_its_service() -> None:
    end_with_service()


def test_a_process_that_hangs_over_a_page_ends_by_its_alarm() -> None:
    end_with_service("hangs")
