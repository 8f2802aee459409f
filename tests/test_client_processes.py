"""How tests start clients: tests/support/client_processes.py."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.client_processes import started

# Far less than the program below would take. Codex's launcher starts one, too, where Node.js cannot replace itself by it.
ENDS_S = 10.0


async def test_programs_that_a_client_started_end_with_it(tmp_path: Path) -> None:
    async with asyncio.timeout(ENDS_S):
        async with started(tmp_path, "sh", "-c", "sleep 60 & echo begun; wait") as client:
            assert client.stdout is not None
            assert await client.stdout.readline() == b"begun\n"
