"""A process of its own bears whatever is sent, and logs no fault of its own."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import threading

from aiohttp import web

from tests.slow.test_fuzz import (
    BODY_TIMEOUT_S,
    ELSEWHERE,
    MANY_LANES,
    MISFRAMED_ELSEWHERE,
    OUTCOMES,
    SEEDS,
    SETTINGS,
    STREAMS,
    Fuzz,
    every,
    seeded,
)
from tests.support.fuzzing.misframed_http import misframed
from tests.support.fuzzing.spoilt_http import mutated
from tests.support.laws import scaled
from tests.support.service import PATIENCE_S, process


class Log:
    """What a process logs, read all the time: a full pipe would stop it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._lines: dict[str, list[str]] = {"out": [], "err": []}
        streams = {"out": process.stdout, "err": process.stderr}
        self._readers = [
            threading.Thread(target=self._lines[name].extend, args=(stream or (),), daemon=True)
            for name, stream in streams.items()
        ]
        for reader in self._readers:
            reader.start()

    def check(self) -> None:
        """Fail where there is a fault, or anything of a text."""
        for reader in self._readers:
            reader.join(PATIENCE_S)
        faults = [line for line in self._lines["out"] if json.loads(line)["level"] in ("error", "critical")]
        assert not [line for line in faults if WIRE_FAULT not in line], faults[:3]
        assert not self._lines["err"]
        assert "Adeline" not in "".join(self._lines["out"])


# The library logs it for a body that turns out broken after its request was refused.
WIRE_FAULT = web.RequestPayloadError.__name__


def test_a_process_of_its_own_bears_the_same_and_logs_no_fault() -> None:
    real, wild = seeded("there", mutated, 100), seeded("there", misframed, 100)
    settings = {**SETTINGS, "BODY_TIMEOUT_SECONDS": str(BODY_TIMEOUT_S)}
    with process(settings) as service, asyncio.Runner() as runner:
        logged = Log(service.process)
        fuzz = Fuzz(*service.address, lanes=MANY_LANES, clock=service.cpu_seconds)
        every(SEEDS, ELSEWHERE // 100, lambda seed: runner.run(fuzz.batch(real(seed))))
        every(SEEDS, MISFRAMED_ELSEWHERE // 100, lambda seed: runner.run(fuzz.batch(wild(seed))))
        service.stop(signal.SIGTERM)
        assert service.process.wait(PATIENCE_S) == 0
        logged.check()
    assert fuzz.count >= 100 * (scaled(ELSEWHERE // 100) + scaled(MISFRAMED_ELSEWHERE // 100))
    assert fuzz.outcomes >= OUTCOMES | STREAMS
