"""After kills of the gateway, of a server, of its guard, no process is left, and every server is started again."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
from typing import Any

import pytest

from gateway.upstream import child_process
from gateway.upstream.errors import UpstreamError, UpstreamFault
from gateway.upstream.upstream_server import Upstream
from tests.support.service import ROOT
from tests.support.upstreams import over_stdio

# Of servers, and as many of guards; of gateways, which take five times as long to start, for each kind of server.
KILLS, KILLS_OF_GATEWAYS = 100, 10

# Opens a server, says which processes there are, and waits.
GATEWAY = """
import asyncio, json, sys
from gateway.upstream import child_process
from tests.support.upstreams import over_stdio
child_process.GRACE_SECONDS = 0.1
async def main():
    async with over_stdio(**json.loads(sys.argv[1])) as upstream:
        result = await upstream.call("child", {})
        print(result["content"][0]["text"], flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""

STUBBORN: dict[str, Any] = {"ignores_eof": True, "ignores_sigterm": True}


def wait_for_end(pids: list[int]) -> None:
    for pid in pids:
        try:
            process = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            assert select.select([process], [], [], 30)[0], f"process {pid} still runs"
        finally:
            os.close(process)


@pytest.mark.parametrize("faults", [{}, {"ignores_eof": True}, STUBBORN])
def test_no_process_is_left_after_the_gateway_was_killed(faults: dict[str, bool]) -> None:
    for _ in range(KILLS_OF_GATEWAYS):
        gateway = subprocess.Popen(
            [sys.executable, "-c", GATEWAY, json.dumps(faults)], cwd=ROOT, stdout=subprocess.PIPE
        )
        assert gateway.stdout is not None
        with gateway, gateway.stdout:
            pids = json.loads(gateway.stdout.readline())
            gateway.kill()
        wait_for_end(pids)


async def processes(upstream: Upstream) -> list[int]:
    """Return the processes of a server that is up again."""
    while True:
        try:
            result = await upstream.call("child", {})
        except UpstreamError as error:
            if error.fault not in (UpstreamFault.DOWN, UpstreamFault.OUTCOME_UNKNOWN):
                raise
            await asyncio.sleep(0)
        else:
            return list(json.loads(result["content"][0]["text"]))


@pytest.mark.parametrize("which", [0, 1], ids=["server", "guard"])
async def test_no_process_is_left_after_a_server_or_its_guard_was_killed(
    which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child_process, "GRACE_SECONDS", 0.1)
    seen: list[int] = []
    async with over_stdio(**STUBBORN) as upstream:
        for _ in range(KILLS):
            pids = await processes(upstream)
            os.kill(pids[which], signal.SIGKILL)
            await asyncio.to_thread(wait_for_end, pids)
            seen += pids
    assert len(set(seen)) == len(seen)
