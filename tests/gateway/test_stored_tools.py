"""A server's tools are kept for its next start, unless there are too many, or no file can be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from concurrency.worker_threads import open_worker
from gateway import stored_tools
from gateway.server_spec import ServerSpec
from gateway.stored_tools import StoredTools
from tests.support.upstream_stand_in import a_tool

SPEC = ServerSpec("k8s", url="http://127.0.0.1/mcp")


async def test_what_was_kept_last_is_read(tmp_path: Path) -> None:
    async with open_worker(threads=1) as worker:
        for names in ("ab", "b", "b", ""):
            tools = tuple(a_tool(name) for name in names)
            await StoredTools(str(tmp_path), SPEC, worker).keep(tools)
            assert await StoredTools(str(tmp_path), SPEC, worker).read() == tools


async def test_what_could_not_be_written_is_written_the_next_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "place").touch()
    async with open_worker(threads=1) as worker:
        stored = StoredTools(str(tmp_path / "place"), SPEC, worker)
        await stored.keep((a_tool("a"),))
        assert "tools_not_kept" in caplog.text
        (tmp_path / "place").unlink()
        (tmp_path / "place").mkdir()
        await stored.keep((a_tool("a"),))
        assert await stored.read() == (a_tool("a"),)


async def test_too_many_are_not_kept_and_the_former_ones_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_tools, "MAX_KEPT_CHARS", 1_000)
    async with open_worker(threads=1) as worker:
        stored = StoredTools(str(tmp_path), SPEC, worker)
        await stored.keep((a_tool("a"),))
        await stored.keep((a_tool("a", title="t" * 1_000),))
        assert await stored.read() == ()


async def test_a_directory_that_cannot_be_written_is_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    async with open_worker(threads=1) as worker:
        stored = StoredTools(str(tmp_path / "file"), SPEC, worker)
        await stored.keep((a_tool("a"),))
        assert await stored.read() == ()
    told = [vars(record) for record in caplog.records if record.getMessage() == "tools_not_kept"]
    assert {(each["upstream"], each["error"]) for each in told} == {
        ("k8s", "File exists"),
        ("k8s", "Not a directory"),
    }


async def test_without_a_directory_none_are_kept() -> None:
    async with open_worker(threads=1) as worker:
        stored = StoredTools("", SPEC, worker)
        await stored.keep((a_tool("a"),))
        assert await stored.read() == ()
