"""GET /health of a process that works on a large document."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from functools import partial

import httpx
import pytest

from summarizing.text.tokenizer import Tokenizer
from tests.support.messages import (
    call,
    legacy,
)
from tests.support.service import ROOT, ServiceProcess, process, prose
from tests.support.wire import (
    JSON,
)

# How often /health is asked at least, and what an answer may take: as much of the processor as tokenizing so many megabytes.
HEALTH_REQUESTS = 30
HEALTH_LIMIT_MB = 4
# A full collection of garbage may fall into one of them.
ATTEMPTS = 3


def health_times(service: ServiceProcess, body: bytes) -> list[float]:
    """Post a call; return how much processor time the service used during each request for /health meanwhile."""
    probe = ROOT / "tests" / "clients" / "health_probe.py"
    host, port = service.address
    numbers = (port, service.process.pid, HEALTH_REQUESTS)
    command = [sys.executable, "-I", str(probe), host, *map(str, numbers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        assert asking.stdout.readline() == "ready\n"
        response = httpx.post(
            service.url, content=body, headers=JSON, trust_env=False, verify=False, timeout=600
        )
        out, _ = asking.communicate()
    assert "result" in response.json()
    times: list[float] = json.loads(out)
    assert len(times) >= HEALTH_REQUESTS
    return times


@pytest.mark.parametrize(
    "chars, target",
    [
        # The rest of the 16 MiB that a body may have is JSON's.
        pytest.param(16_500_000, 100_000_000, id="of 16 MiB is tokenized"),
        pytest.param(4_000_000, 1_000, id="of 4 MB is summarized extractively"),
    ],
)
def test_health_is_quick_while_a_document(tokenizer: Tokenizer, chars: int, target: int) -> None:
    """Between question and answer the service does little, whatever the call takes and however slow the machine is."""
    document = prose(240_000)[:chars]
    assert len(document) == chars
    body = json.dumps(legacy("tools/call", call(content=document, max_output_tokens=target))).encode()
    limit = HEALTH_LIMIT_MB * cpu_seconds_to_tokenize_1_mb(tokenizer, document)
    with process() as service:
        # Nobody reads the log meanwhile, and a full pipe would stop the service.
        threading.Thread(target=partial(list, service.process.stdout or []), daemon=True).start()
        slowest: list[float] = []
        while len(slowest) < ATTEMPTS and min(slowest, default=limit) >= limit:
            slowest.append(max(health_times(service, body)))
    assert min(slowest) < limit, slowest


def cpu_seconds_to_tokenize_1_mb(tokenizer: Tokenizer, text: str) -> float:
    started = time.process_time()
    tokenizer.count(text[:1_000_000])
    return time.process_time() - started
