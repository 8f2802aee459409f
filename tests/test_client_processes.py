"""How tests start clients: tests/support/client_processes.py."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.client_processes import started
from tests.support.manual_time import until

# Far less than the program below would take. Codex's launcher starts one, too, where Node.js cannot replace itself by it.
ENDS_S = 10.0


async def test_programs_that_a_client_started_end_with_it(tmp_path: Path) -> None:
    async with asyncio.timeout(ENDS_S):
        async with started(tmp_path, "sh", "-c", "sleep 60 & echo begun; wait") as client:
            assert client.stdout is not None
            assert await client.stdout.readline() == b"begun\n"
    assert client.stdout.at_eof()


async def test_programs_that_outlive_the_client_that_started_them_end_with_the_test(tmp_path: Path) -> None:
    async with asyncio.timeout(ENDS_S):
        async with started(tmp_path, "sh", "-c", "sleep 60 &") as client:
            await until(lambda: client.returncode is not None, "the client's end")
    # Whoever still ran would hold it open.
    assert client.stdout is not None
    assert client.stdout.at_eof()


async def test_a_client_that_has_ended_and_left_nothing_is_no_error(tmp_path: Path) -> None:
    async with started(tmp_path, "true") as client:
        await until(lambda: client.returncode is not None, "the client's end")
    assert client.returncode == 0
