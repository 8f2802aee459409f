"""Upstream servers over stdio: lines of any length, noise, stderr, the process and its end."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import select
from pathlib import Path
from typing import Any

import pytest

from gateway.server_spec import ServerSpec
from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.upstream_server import Upstream
from protocol.messages import Era, Message
from tests.support.laws import scaled
from tests.support.manual_time import LetPass, until
from tests.support.upstream_stand_in import LEGACY, MODERN
from tests.support.upstreams import opened, over_stdio, ready, status


def text_of(result: Message) -> str:
    return str(result["content"][0]["text"])


async def asked(upstream: Upstream, name: str, **arguments: Any) -> Any:
    """Return the JSON that a tool answers."""
    return json.loads(text_of(await upstream.call(name, arguments)))


async def wait_for_end(*pids: int) -> None:
    """Wait until processes have ended; fail if they do not."""
    for pid in pids:
        await asyncio.to_thread(wait_in_thread, pid)


def wait_in_thread(pid: int) -> None:
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([process], [], [], 30)[0], f"process {pid} still runs"
    finally:
        os.close(process)


@pytest.mark.parametrize("era, version", [("modern", MODERN), ("legacy", LEGACY)])
async def test_a_call_reaches_a_server_of_either_era(era: str, version: str) -> None:
    async with over_stdio(era=era) as upstream:
        assert await asked(upstream, "echo", a="ö😉") == {"a": "ö😉"}
        state = upstream.state
        assert (state.status, state.era, state.version) == ("ready", Era(era), version)
        assert state.started_seconds is not None


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("size", [65_535, 65_536, 3_000_000])
async def test_a_line_may_have_any_length(size: int, reverse: bool) -> None:
    async with over_stdio() as upstream:
        result = await upstream.call("big", {"bytes": size, "reverse": reverse})
        assert text_of(result) == "x" * size


@pytest.mark.parametrize("reverse", [False, True])
async def test_an_answer_over_the_limit_fails_its_call_alone(reverse: bool) -> None:
    async with over_stdio({"max_result_bytes": 100_000}) as upstream:
        hanging = asyncio.create_task(upstream.call("hang", {}))
        with pytest.raises(UpstreamError, match="test: the answer is larger than 100000 bytes") as caught:
            await upstream.call("big", {"bytes": 200_000, "reverse": reverse})
        assert caught.value.fault is UpstreamFault.TOO_LARGE
        assert await asked(upstream, "echo", a=1) == {"a": 1}
        assert not hanging.done()
        hanging.cancel()


async def test_a_reply_that_is_none_fails_its_call_at_once() -> None:
    async with over_stdio() as upstream:
        with pytest.raises(UpstreamError, match="test: answers with JSON that is no reply") as caught:
            await upstream.call("no_reply", {})
        assert caught.value.fault is UpstreamFault.INVALID
        assert await asked(upstream, "echo", a=1) == {"a": 1}


async def test_noise_on_stdout_is_logged_and_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    async with over_stdio(noise=True) as upstream:
        assert await asked(upstream, "echo", a=1) == {"a": 1}
        for _ in range(20):
            await upstream.call("echo", {})
    noise = [record for record in caplog.records if record.getMessage() == "upstream_stdout_noise"]
    assert [record.__dict__["line"] for record in noise[:2]] == ["Starting up...", "[1, 2]"]
    assert len(noise) <= 10


async def test_stderr_is_always_read() -> None:
    async with over_stdio(stderr_bytes=1_000_000) as upstream:
        assert await asked(upstream, "echo", a=1) == {"a": 1}


async def test_stderr_is_logged_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with over_stdio({"env": {"WORD": "x" * 1_000}}, stderr_bytes=2_000) as upstream:
        await ready(upstream)
    lines = [record.__dict__["line"] for record in caplog.records if record.getMessage() == "upstream_stderr"]
    assert set(lines) == {"******"}


async def test_a_server_that_cannot_start_is_down_and_says_why() -> None:
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.Event().wait()

    async with over_stdio(fails=True, sleep=noted) as upstream:
        with pytest.raises(UpstreamError) as caught:
            await upstream.call("echo", {})
        assert caught.value.fault is UpstreamFault.DOWN
        why = "the process exited with status 3; its last words: cannot start: no such database"
        assert why in str(caught.value)
        assert why in upstream.state.error
        assert upstream.state.status == "down"
    assert len(waits) == 1
    assert 0.25 <= waits[0] <= 0.5


async def test_each_restart_waits_longer() -> None:
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 10:
            await asyncio.Event().wait()

    spec = ServerSpec("test", command="/no/such/program")
    async with opened(spec, sleep=noted, uniform=max) as upstream:
        await status(upstream, "down")
        await until(lambda: len(waits) == 10, "ten waits")
        assert "command: '/no/such/program' is not an executable file" in upstream.state.error
    assert waits == [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60]


async def test_a_process_gets_a_few_of_our_variables_and_its_own(tmp_path: Path) -> None:
    async with over_stdio({"env": {"TOKEN": "abc"}, "cwd": str(tmp_path)}) as upstream:
        found = await asked(upstream, "environment")
    # Python sets one by itself where no locale is given.
    found.pop("LC_CTYPE", None)
    assert found == {"cwd": str(tmp_path), "PATH": "/usr/bin:/bin", "HOME": "/home/me", "TOKEN": "abc"}


@pytest.mark.parametrize(
    "faults", [{}, {"ignores_eof": True}, {"ignores_eof": True, "ignores_sigterm": True}]
)
async def test_no_process_is_left_after_the_end(faults: dict[str, Any]) -> None:
    async with over_stdio(**faults) as upstream:
        pids = await asked(upstream, "child")
    await wait_for_end(*pids)


@pytest.mark.unmeasured
@pytest.mark.thorough
async def test_a_start_that_is_given_up_at_any_point_leaves_nothing() -> None:
    for turns in range(0, 40, 40 // scaled(40)):
        async with over_stdio():
            for _ in range(turns):
                await asyncio.sleep(0)
        gc.collect()  # tells of what was not closed, or not waited for


async def test_children_of_a_server_that_was_killed_are_ended() -> None:
    async with over_stdio() as upstream:
        server, guard, child = await asked(upstream, "child")
        os.kill(server, 9)
        await wait_for_end(child, guard)


async def test_a_server_is_ended_and_started_again_when_its_guard_was_killed() -> None:
    async with over_stdio() as upstream:
        server, guard, child = await asked(upstream, "child")
        os.kill(guard, 9)
        await wait_for_end(server, child)
        assert not {server, guard, child} & set(await asked_when_up(upstream))


async def asked_when_up(upstream: Upstream) -> list[int]:
    while True:
        try:
            return list(await asked(upstream, "child"))
        except UpstreamError as error:
            if error.fault not in (UpstreamFault.DOWN, UpstreamFault.OUTCOME_UNKNOWN):
                raise
            await asyncio.sleep(0)


async def test_a_server_that_closes_its_stdout_is_started_again() -> None:
    async with over_stdio() as upstream:
        with pytest.raises(UpstreamError, match="closed its stdout") as caught:
            await upstream.call("close_stdout", {})
        assert caught.value.fault is UpstreamFault.OUTCOME_UNKNOWN
        await status(upstream, "ready")
        assert await asked_when_up(upstream)


async def test_a_call_whose_answer_is_lost_has_an_unknown_outcome() -> None:
    async with over_stdio() as upstream:
        with pytest.raises(UpstreamError, match=r"outcome is unknown.* exited with status 7") as caught:
            await upstream.call("exit", {})
        assert caught.value.fault is UpstreamFault.OUTCOME_UNKNOWN


async def test_a_read_only_call_whose_answer_is_lost_is_sent_to_the_next_process(tmp_path: Path) -> None:
    marker = str(tmp_path / "marker")
    async with over_stdio() as upstream:
        assert await asked(upstream, "exit_once", marker=marker) == {"marker": marker}
        assert (
            len([each for each in await asked(upstream, "seen") if each.get("method") == "tools/call"]) == 2
        )


async def test_progress_comes_while_the_call_goes_on() -> None:
    progress: list[Message] = []
    async with over_stdio() as upstream:
        await upstream.call("progress", {}, on_progress=progress.append)
        await upstream.call("echo", {})
    assert [each["progress"] for each in progress] == [1, 2]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_cancelled_call_is_cancelled_at_the_server(era: str) -> None:
    async with over_stdio(era=era) as upstream:
        await ready(upstream)
        call = asyncio.create_task(upstream.call("hang", {}))
        await until_seen(upstream, "tools/call", "hang")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        hung = await until_seen(upstream, "tools/call", "hang")
        cancelled = await until_seen(upstream, "notifications/cancelled")
        assert cancelled["params"]["requestId"] == hung["id"]


async def until_seen(upstream: Upstream, method: str, name: str | None = None) -> Message:
    for _ in range(1_000):
        for each in await asked(upstream, "seen"):
            if each.get("method") == method and each.get("params", {}).get("name") == name:
                return dict(each)
    raise AssertionError(f"{method} never came")


async def test_a_late_call_ends_and_is_cancelled(let_pass: LetPass) -> None:
    async with over_stdio() as upstream:
        await ready(upstream)
        call = asyncio.create_task(upstream.call("hang", {}))
        await until_seen(upstream, "tools/call", "hang")
        let_pass(121)
        with pytest.raises(UpstreamError, match="test: no answer within 120 seconds") as caught:
            await call
        assert caught.value.fault is UpstreamFault.TIMEOUT
        await until_seen(upstream, "notifications/cancelled")


async def test_a_legacy_server_is_offered_no_sampling_and_pings_are_answered() -> None:
    async with over_stdio(era="legacy") as upstream:
        refused, pong = await asked(upstream, "ask")
        assert (refused["id"], refused["error"]["code"]) == ("q1", -32601)
        assert pong == {"jsonrpc": "2.0", "id": "q2", "result": {}}
        (first,) = [each for each in await asked(upstream, "seen") if each["method"] == "initialize"]
        assert first["params"]["capabilities"] == {}


async def test_changed_tools_are_read_again_and_announced() -> None:
    announced: list[int] = []
    async with over_stdio(on_tools_changed=lambda: announced.append(1)) as upstream:
        await ready(upstream)
        assert len(announced) == 1
        await upstream.call("write_twice", {})
        await until(lambda: len(announced) == 2, "an announcement")
        assert (await upstream.tools())[0]["name"] == "other"


# --- Era -------------------------------------------------------------------------------------------------------


async def methods_of(upstream: Upstream) -> list[str]:
    return [each["method"] for each in await asked(upstream, "seen")]


async def test_a_process_that_ends_when_asked_for_its_era_is_replaced_and_not_asked() -> None:
    async with over_stdio(era="legacy", discover="exit") as upstream:
        assert (await methods_of(upstream))[:2] == ["initialize", "notifications/initialized"]
        assert upstream.state.era is Era.LEGACY


async def test_a_server_that_is_silent_on_its_era_is_initialized(let_pass: LetPass) -> None:
    async with over_stdio(era="legacy", discover="silent") as upstream:
        await until_asked(upstream)
        let_pass(10)
        methods = await methods_of(upstream)
        assert methods[:2] == ["server/discover", "initialize"]
        assert upstream.state.era is Era.LEGACY


async def test_a_slow_start_of_a_modern_server_is_no_legacy_server(let_pass: LetPass) -> None:
    async with over_stdio(discover="late") as upstream:
        await until_asked(upstream)
        let_pass(10)
        assert (await methods_of(upstream))[:2] == ["server/discover", "initialize"]
        assert upstream.state.era is Era.MODERN


async def until_asked(upstream: Upstream) -> None:
    """Wait until the probe goes on; whether the server has read it does not matter."""
    await until(lambda: any("discover" in str(each.get_coro()) for each in asyncio.all_tasks()), "a probe")


async def test_the_era_is_remembered_when_a_server_starts_again() -> None:
    async with over_stdio(era="legacy") as upstream:
        assert (await methods_of(upstream))[0] == "server/discover"
        with pytest.raises(UpstreamError):
            await upstream.call("exit", {})
        await status(upstream, "ready")
        await asked_when_up(upstream)
        assert (await methods_of(upstream))[0] == "initialize"
