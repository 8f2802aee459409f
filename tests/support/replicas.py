"""Several copies of the service, each a process of its own, behind a real nginx with the configuration of examples/replicas.

Of that configuration only the addresses are others: a free port in place of each that the example names.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import httpx

from tests.support.messages import Message
from tests.support.service import NO_ENV_FILE, PATIENCE_S, ROOT, Service, a_client, environment
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Summarizes

EXAMPLES = ROOT / "examples" / "replicas"
NGINX_CONF = (EXAMPLES / "nginx.conf").read_text("utf-8")
COMPOSE = (EXAMPLES / "compose.yml").read_text("utf-8")
# What a copy is given; nothing else in that file is indented so and written so.
COMPOSE_ENVIRONMENT = {
    name: value.strip('"') for name, value in re.findall(r"^    ([A-Z_]+): (\S+)$", COMPOSE, re.MULTILINE)
}
# Where it listens and keeps its file is a container's affair, and not a test's.
OF_CONTAINERS = {"MCP_SUMMARIZER_HOST", "MCP_SUMMARIZER_PORT", "STORAGE_DIRECTORY"}

_COPY = re.compile(r"(?<=server )[\d.]+:8007(?= )")
_LISTEN = "listen 8007;"


# Copies.


class Copy:
    """One process of the service, which keeps its port when it is started again."""

    def __init__(self, name: str, settings: Mapping[str, str]) -> None:
        self.name = name
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None
        self._reading: threading.Thread
        self._lines: queue.SimpleQueue[str]
        self.port = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def is_up(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def begin(self) -> None:
        """Start the process, where there is none."""
        if self.is_up:
            return
        settings = {**self._settings, "LLM_MODEL": self.name, "MCP_SUMMARIZER_PORT": str(self.port)}
        self._process = subprocess.Popen(
            [sys.executable, "app.py", *NO_ENV_FILE],
            cwd=ROOT,
            env=environment(settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        self._lines = queue.SimpleQueue()
        # All along: a process whose log nobody reads would come to wait for that.
        self._reading = threading.Thread(target=self._read, args=(self._process.stdout,))
        self._reading.start()

    def _read(self, lines: TextIO) -> None:
        with lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put("it has ended")

    def wait(self) -> None:
        """Wait until the process listens."""
        line = self._lines.get(timeout=PATIENCE_S)
        assert line.startswith("{"), line
        self.port = int(json.loads(line)["url"].removesuffix("/mcp").rpartition(":")[2])

    def send(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def ended(self) -> int:
        """Wait for the end; return the exit status."""
        assert self._process is not None
        status = self._process.wait(PATIENCE_S)
        self._reading.join()
        return status

    def kill(self) -> None:
        """End the process at once, where there is one."""
        if self.is_up:
            self.send(signal.SIGKILL)
            self.ended()


# nginx.


@dataclass(frozen=True)
class Access:
    """One line of nginx's log: what was asked for, and which copies were asked, in their order."""

    path: str
    status: int
    copies: Sequence[str]

    @classmethod
    def read(cls, line: bytes) -> Access:
        entry = json.loads(line)
        return cls(entry["path"], entry["status"], re.findall(r"[\d.]+:\d+", entry["copies"]))


@dataclass
class Proxy:
    """A running nginx, and what it has logged."""

    origin: str
    log: list[Access] = field(default_factory=list)
    _logged: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, lines: asyncio.StreamReader) -> None:
        async for line in lines:
            self.log.append(Access.read(line))
            self._logged.set()

    async def logged(self, calls: int, path: str = "/mcp") -> list[Access]:
        """Wait until so many calls have ended, counted from the start; return all. The log comes after the answer."""
        async with asyncio.timeout(PATIENCE_S):
            while len(found := [entry for entry in self.log if entry.path == path]) < calls:
                self._logged.clear()
                await self._logged.wait()
        return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def nginx_conf(port: int, copies: Sequence[str]) -> str:
    """Return the example's configuration for these addresses."""
    assert NGINX_CONF.count(_LISTEN) == 1
    assert len(_COPY.findall(NGINX_CONF)) == len(copies)
    addresses = iter(copies)
    return _COPY.sub(lambda _: next(addresses), NGINX_CONF.replace(_LISTEN, f"listen 127.0.0.1:{port};"))


@asynccontextmanager
async def proxied(home: Path, copies: Sequence[str]) -> AsyncIterator[Proxy]:
    """Run nginx before the copies at these addresses."""
    nginx = shutil.which("nginx", path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/usr/local/sbin"]))
    assert nginx, "nginx: not found; it is needed for this test (Debian: apt install nginx)"
    port = free_port()
    (home / "nginx.conf").write_text(nginx_conf(port, copies), "utf-8")
    # Started as root, its workers would be somebody who may not enter the test's directory.
    user = "user root; " if os.geteuid() == 0 else ""
    with (home / "nginx.log").open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(nginx, "-e", "stderr", "-p", home, "-c", home / "nginx.conf", "-g", f"{user}daemon off;"),
            stdout=PIPE,
            stderr=errors,
        )
    assert process.stdout is not None
    proxy = Proxy(f"http://127.0.0.1:{port}")
    reading = asyncio.create_task(proxy.read(process.stdout))
    try:
        listens = await asyncio.to_thread(_listens, port, lambda: process.returncode is None)
        assert listens, (home / "nginx.log").read_text("utf-8")
        yield proxy
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        await reading


def _listens(port: int, is_alive: Callable[[], bool]) -> bool:
    """Whether somebody listens on a port; asks until it is so, or nobody will."""
    while is_alive():
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE_S).close()
        except ConnectionRefusedError:
            continue
        return True
    return False


# Both.


class Model:
    """The model of all copies: answers as the test says now, and knows which copy asks by the model's name."""

    def __init__(self) -> None:
        self.answer: Callable[[], Answer] = Summarizes
        self.server = StandIn(lambda _number, _payload: self.answer())

    @property
    def asked(self) -> list[str]:
        """The copies that have asked so far, one entry for each call."""
        return [payload["model"] for payload in self.server.payloads]


@dataclass
class Replicas:
    """Copies behind nginx, and a client that calls through it."""

    copies: Sequence[Copy]
    proxy: Proxy
    model: Model
    http: httpx.AsyncClient

    @property
    def url(self) -> str:
        return f"{self.proxy.origin}/mcp"

    @property
    def service(self) -> Service:
        """What clients take for the service."""
        return Service(self.proxy.origin, self.http)

    def named(self, name: str) -> Copy:
        return next(copy for copy in self.copies if copy.name == name)

    async def post(self, message: Message) -> httpx.Response:
        """Post a message as a program does that takes no stream."""
        return await self.http.post(self.url, json=message, headers={"Accept": "application/json"})

    def answered_by(self) -> Counter[str]:
        """How many calls each copy has had, as nginx saw it: the last that was asked has answered."""
        addresses = {copy.address: copy.name for copy in self.copies}
        return Counter(addresses[entry.copies[-1]] for entry in self.proxy.log if entry.copies)

    async def all_serve(self) -> None:
        """Start the copies that are down, and call until nginx has found out."""
        down = [copy for copy in self.copies if not copy.is_up]
        await asyncio.to_thread(_start, down)
        before = self.answered_by()
        async with asyncio.timeout(PATIENCE_S):
            while any(self.answered_by()[copy.name] == before[copy.name] for copy in down):
                assert (await self.http.get(f"{self.proxy.origin}/health")).is_success


@asynccontextmanager
async def replicas(home: Path, number: int, settings: Mapping[str, str]) -> AsyncIterator[Replicas]:
    """Run so many copies with these settings beside those of compose.yml, a model that they ask, and nginx before them."""
    model = Model()
    async with model.server, a_client() as http:
        asks = {"OPENROUTER_API_KEY": "a-key", "OPENROUTER_BASE_URL": model.server.base_url}
        given = {name: COMPOSE_ENVIRONMENT[name] for name in COMPOSE_ENVIRONMENT.keys() - OF_CONTAINERS}
        copies = [Copy(f"copy-{at}", {**given, **asks, **settings}) for at in range(1, number + 1)]
        try:
            await asyncio.to_thread(_start, copies)
            async with proxied(home, [copy.address for copy in copies]) as proxy:
                yield Replicas(copies, proxy, model, http)
        finally:
            for copy in copies:
                copy.kill()


def _start(copies: Sequence[Copy]) -> None:
    """Start copies side by side."""
    for copy in copies:
        copy.begin()
    for copy in copies:
        copy.wait()
