"""Asks /health again and again, in a process of its own: what the load itself takes of its process must not be measured.

python -m bench.http.probing PORT        until its input ends; then it prints the seconds of each answer as JSON
"""

import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.histograms import with_omitted
from bench.http.processes import ROOT, environment
from bench.http.requests import get

# Twenty a second see every stall that is worth the name, and are no load.
EVERY_SECONDS = 0.05


def probe(port: int) -> list[float]:
    """Ask until the input ends; each probe counts from when it was due, however long the one before took."""
    took: list[float] = []
    asked = get("/health")
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        due = time.perf_counter()
        while not select.select([sys.stdin], [], [], max(0.0, due - time.perf_counter()))[0]:
            connection.sendall(asked)
            answer = b""
            while b"}" not in answer:  # it is one flat object
                answer += connection.recv(65_536)
            took.append(time.perf_counter() - due)
            due = max(due + EVERY_SECONDS, time.perf_counter())
    return took


@contextmanager
def probing(port: int, took: list[float]) -> Iterator[None]:
    """Ask /health for as long as the block lasts; after it, `took` has the seconds of each answer."""
    command = [sys.executable, "-m", "bench.http.probing", str(port)]
    process = subprocess.Popen(  # noqa: S603, ours
        command, cwd=ROOT, env=environment({}), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield
        told, _ = process.communicate()
        took += with_omitted(json.loads(told), EVERY_SECONDS)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    json.dump(probe(int(sys.argv[1])), sys.stdout)
