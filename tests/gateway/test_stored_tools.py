"""A server's tools are kept for its next start, unless there are too many, or no file can be written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from concurrency.worker_threads import open_worker
from gateway import stored_tools
from gateway.server_spec import ServerSpec
from gateway.stored_tools import StoredTools
from tests.support.upstream_stand_in import a_tool

SPEC = ServerSpec("k8s", url="http://127.0.0.1/mcp")


KeptIn = Callable[[Path | str], StoredTools]


@pytest.fixture
async def kept_in() -> AsyncIterator[KeptIn]:
    """Give what opens the stored tools of a directory, as a start of the service does."""
    async with open_worker(threads=1) as worker:
        yield lambda directory: StoredTools(str(directory), SPEC, worker)


async def test_what_was_kept_last_is_read(tmp_path: Path, kept_in: KeptIn) -> None:
    for names in ("ab", "b", "b", ""):
        tools = tuple(a_tool(name) for name in names)
        await kept_in(tmp_path).keep(tools)
        assert await kept_in(tmp_path).read() == tools


async def test_what_could_not_be_written_is_written_the_next_time(
    tmp_path: Path, kept_in: KeptIn, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "place"
    place.touch()
    stored = kept_in(place)
    await stored.keep((a_tool("a"),))
    assert "tools_not_kept" in caplog.text
    place.unlink()
    place.mkdir()
    await stored.keep((a_tool("a"),))
    assert await stored.read() == (a_tool("a"),)


async def test_too_many_are_not_kept_and_the_former_ones_neither(
    tmp_path: Path, kept_in: KeptIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_tools, "MAX_KEPT_CHARS", 1_000)
    stored = kept_in(tmp_path)
    await stored.keep((a_tool("a"),))
    await stored.keep((a_tool("a", title="t" * 1_000),))
    assert await stored.read() == ()


async def test_a_directory_that_cannot_be_written_is_told_in_the_log(
    tmp_path: Path, kept_in: KeptIn, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    stored = kept_in(tmp_path / "file")
    await stored.keep((a_tool("a"),))
    assert await stored.read() == ()
    told = [vars(record) for record in caplog.records if record.getMessage() == "tools_not_kept"]
    assert {(each["upstream"], each["error"]) for each in told} == {
        ("k8s", "File exists"),
        ("k8s", "Not a directory"),
    }


async def test_without_a_directory_none_are_kept(kept_in: KeptIn) -> None:
    stored = kept_in("")
    await stored.keep((a_tool("a"),))
    assert await stored.read() == ()
