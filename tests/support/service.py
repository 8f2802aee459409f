"""The service on a real socket, in this process or in one of its own, and texts to send to it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from aiohttp import web

import app as application
from bench.process_tree import own_cpu_seconds
from config import Config
from gateway.server_rules import GatewayConfig
from summarizing.text.tokenizer import Tokenizer
from tests.support.messages import Message, routing
from tests.support.stand_in import StandIn
from transport.process import Listening, open_listener

ROOT = Path(__file__).parents[2]

# Runs the service with settings: `async with run(MAX_BODY_BYTES="1024") as service`.
Run = Callable[..., AbstractAsyncContextManager["Service"]]

# The developer's own .env is none of a test's business.
NO_ENV_FILE = ("--env-file", os.devnull)

# A hanging service fails the test that waits for it; on a busy machine a start takes some seconds.
PATIENCE_S = 120.0

NAMES = ("Adeline", "Bertram", "Cosima", "Dagobert", "Elfriede", "Falko", "Gudrun")
PLACES = ("Ashmere", "Brackwater", "Coldharbour", "Dunmarsh", "Eastfold")


def prose(sentences: int) -> str:
    """Write sentences that all differ, about fifteen tokens each, ten to the paragraph."""
    written = (
        f"In the year {1200 + number} {NAMES[number % 7]} went to {PLACES[number % 5]} and counted {number} boats."
        for number in range(sentences)
    )
    return "".join(line + ("\n\n" if at % 10 == 9 else " ") for at, line in enumerate(written))


@dataclass(frozen=True)
class Service:
    """A service that listens: where, and a client that calls it."""

    origin: str
    http: httpx.AsyncClient

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    async def post(self, message: Any, headers: Mapping[str, str] | None = None) -> httpx.Response:
        """Post a message; Content-Type is JSON, and there is no other header than httpx's own and those given."""
        given = {"Content-Type": "application/json", **(headers or {})}
        return await self.http.post(self.url, content=json.dumps(message), headers=given)

    async def post_modern(self, message: Message) -> httpx.Response:
        return await self.post(message, routing(message))


def a_client() -> httpx.AsyncClient:
    # No TLS here, and loading the certificates for it would be most of the time these tests take.
    return httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE_S)


@asynccontextmanager
async def listening(app: web.Application, config: Config | None = None) -> AsyncIterator[Service]:
    """Serve an application on a free port of the loopback address, with what these settings say of connections."""
    config = config or Config()
    connections = Listening("127.0.0.1", 0, config.max_header_bytes, config.idle_connection_seconds)
    async with open_listener(app, connections) as port, a_client() as http:
        yield Service(f"http://127.0.0.1:{port}", http)


@asynccontextmanager
async def running(
    tokenizer: Tokenizer, settings: Mapping[str, str], gateway: GatewayConfig | None = None
) -> AsyncIterator[Service]:
    """Run the whole application with these settings, whatever it is told to listen on at a free loopback port."""
    # A test that is over waits for no call that it has left behind.
    env = {"SHUTDOWN_GRACE_SECONDS": "0.01", **settings}
    config = Config.from_env(env)
    async with listening(application.build(config, tokenizer, gateway), config) as service:
        yield service


def with_model(model: StandIn, **settings: str) -> dict[str, str]:
    """Return settings for a service that asks this model, in chunks small enough for tests, one call at a time."""
    return {
        "OPENROUTER_API_KEY": "a-key",
        "OPENROUTER_BASE_URL": model.base_url,
        "DEFAULT_CHUNK_SIZE_TOKENS": "200",
        "DEFAULT_CHUNK_OVERLAP_TOKENS": "0",
        "MAX_CONCURRENT_LLM_CALLS": "1",
        "LLM_CONCURRENCY_CEILING": "1",
        **settings,
    }


# A process of its own.


@dataclass
class ServiceProcess:
    """`python app.py`, with everything it logs."""

    process: subprocess.Popen[str]
    started: Message
    stopping: Message = field(default_factory=dict)
    stopped: Message = field(default_factory=dict)

    @property
    def url(self) -> str:
        return str(self.started["url"])

    @property
    def address(self) -> tuple[str, int]:
        url = httpx.URL(self.url)
        assert url.port is not None
        return url.host, url.port

    def cpu_seconds(self) -> float:
        """Return the processor time that it has used so far, which other work on the machine does not lengthen (Linux).

        It has no children. Some tests ask twice for each request.
        """
        return own_cpu_seconds(self.process.pid)

    def stop(self, number: int) -> None:
        self.process.send_signal(number)

    def ended(self) -> tuple[int, str, str]:
        """Wait for the end; return exit status, what came on stdout between the start and the stop, and stderr.

        One line says that the service is stopping and one, the last, that it has stopped: `stopping` and `stopped`.
        """
        out, err = self.process.communicate(timeout=PATIENCE_S)
        between = []
        for line in out.splitlines(keepends=True):
            if '"event": "service_stopping"' in line:
                self.stopping = json.loads(line)
            elif '"event": "service_stopped"' in line:
                self.stopped = json.loads(line)
            else:
                between.append(line)
        return self.process.returncode, "".join(between), err


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Return what a service process gets: these settings, and nothing of the developer's own."""
    # Coverage reaches processes through variables of its own.
    reach = {name: value for name, value in os.environ.items() if name.startswith("COV")}
    return {**reach, **settings}


def popen(settings: Mapping[str, str], *arguments: str) -> subprocess.Popen[str]:
    """Start `python app.py` with these settings and arguments alone."""
    return subprocess.Popen(
        [sys.executable, "app.py", *NO_ENV_FILE, *arguments],
        cwd=ROOT,
        env=environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def process(settings: Mapping[str, str] | None = None) -> Iterator[ServiceProcess]:
    """Run `python app.py` on a free port, from its first log line on; it is killed if the test leaves it running."""
    with popen({"MCP_SUMMARIZER_PORT": "0", **(settings or {})}) as child:
        try:
            assert child.stdout is not None
            line = child.stdout.readline()
            assert line, child.communicate()[1]
            yield ServiceProcess(child, json.loads(line))
        finally:
            child.kill()


def refuses_connections(address: tuple[str, int]) -> bool:
    """Whether nobody listens at an address any more; asks until it is so, at most PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    while (left := deadline - time.monotonic()) > 0:
        try:
            socket.create_connection(address, timeout=left).close()
        except ConnectionRefusedError:
            return True
        except (ConnectionResetError, TimeoutError):
            continue  # reset: it stopped listening in the middle of this; the next attempt will tell
    return False
