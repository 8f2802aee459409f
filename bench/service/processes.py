"""The processes that a measurement needs: the service as it is run, and the simulated model. Each is ended with its block."""

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.service import ROOT
from bench.service.provider import Behaviour

# A start takes a second; on a busy machine some.
START_SECONDS = 60.0
STOP_SECONDS = 30.0

# How often a file is looked at for the first line of a process.
LOOK_SECONDS = 0.02

# A job of many minutes is still a job; what hangs for longer fails the bench.
PATIENCE_S = 900.0

# A service that stands still for longer has no metrics to show.
METRICS_PATIENCE_S = 10.0

# A call of a load that freezes services is given up after this.
FREEZE_S = 60.0


class CannotStart(Exception):
    """A process ended before it listened, or said nothing: the message has what it wrote."""


@dataclass(frozen=True)
class Running:
    """A process that listens, the first line it wrote, and the file with all of them."""

    process: Process
    started: dict[str, Any]
    log: Path

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    def lines(self) -> list[dict[str, Any]]:
        """Return what it has logged so far."""
        read = []
        for line in self.log.read_text("utf-8", "replace").splitlines():
            with suppress(ValueError):
                read.append(json.loads(line))
        return read

    async def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal; return the exit status and how many seconds it took."""
        begin = time.monotonic()
        self.process.send_signal(number)
        status = await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
        return status, time.monotonic() - begin


def service_python() -> str:
    """Return the interpreter for the service: with the run-time packages alone, where that environment is there."""
    own = ROOT / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


@asynccontextmanager
async def running(command: Sequence[str], env: Mapping[str, str]) -> AsyncIterator[Running]:
    """Run a command that says where it listens in its first line, a JSON object. Raises CannotStart."""
    with tempfile.TemporaryDirectory() as directory:
        log = Path(directory) / "log"
        with log.open("wb") as file:
            process = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, env=env, stdout=file, stderr=file
            )
        try:
            yield Running(process, await _first_line(process, log), log)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _first_line(process: Process, log: Path) -> dict[str, Any]:
    deadline = time.monotonic() + START_SECONDS
    while b"\n" not in (said := log.read_bytes()):  # noqa: ASYNC240, a few bytes
        if process.returncode is not None or time.monotonic() > deadline:
            raise CannotStart(f"expected a line of JSON at the start, got {said.decode(errors='replace')!r}")
        await asyncio.sleep(LOOK_SECONDS)
    try:
        started: dict[str, Any] = json.loads(said.split(b"\n")[0])
    except ValueError:
        raise CannotStart(said.decode(errors="replace")) from None
    return started


# --- The simulated model ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Simulated:
    """The simulated model, from outside."""

    running: Running
    http: httpx.AsyncClient

    @property
    def url(self) -> str:
        """Its base URL."""
        return str(self.running.started["url"])

    async def behave(self, behaviour: Behaviour) -> None:
        """Serve otherwise from now on, and forget the calls so far."""
        await self._steer("/behaviour", asdict(behaviour))

    async def leave(self, seconds: float) -> None:
        """Be gone for so long, from now on."""
        await self._steer(f"/gone?seconds={seconds}", {})

    async def calls(self) -> list[dict[str, Any]]:
        """Return the records of the calls so far."""
        response = await self.http.get(f"{self.running.started['control']}/calls")
        calls: list[dict[str, Any]] = response.raise_for_status().json()
        return calls

    async def _steer(self, path: str, said: dict[str, Any]) -> None:
        response = await self.http.post(f"{self.running.started['control']}{path}", json=said)
        response.raise_for_status()


@asynccontextmanager
async def a_simulated_model() -> AsyncIterator[Simulated]:
    """Run the simulated model on free ports."""
    command = [sys.executable, "-m", "bench.service.provider"]
    async with running(command, dict(os.environ)) as process, a_client() as http:
        yield Simulated(process, http)


# --- The service -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Service:
    """The service, from outside."""

    running: Running
    http: httpx.AsyncClient

    @property
    def url(self) -> str:
        """Its MCP endpoint."""
        return str(self.running.started["url"])

    @property
    def origin(self) -> str:
        """Where its other pages are."""
        return self.url.removesuffix("/mcp")

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        url = httpx.URL(self.url)
        return url.host, url.port or 80

    async def call(
        self, name: str, arguments: Mapping[str, Any], key: str = "", patience_s: float = PATIENCE_S
    ) -> "Result":
        """Call a tool as a script would, with a key where one is needed, and wait for its answer."""
        headers = {**HEADERS, "Authorization": f"Bearer {key}"} if key else HEADERS
        begin = time.monotonic()
        try:
            async with asyncio.timeout(patience_s):
                body = request_body(name, arguments)
                response = await self.http.post(self.url, content=body, headers=headers)
        except TimeoutError:
            return Result(time.monotonic() - begin, NO_ANSWER, error=f"not within {patience_s:g} s")
        except httpx.HTTPError as lost:
            return Result(time.monotonic() - begin, NO_ANSWER, error=type(lost).__name__)
        return Result.of(response, time.monotonic() - begin)

    async def metrics(self) -> str:
        """Return the page of metrics, "" where there is none."""
        response = await self.http.get(f"{self.origin}/metrics", timeout=METRICS_PATIENCE_S)
        return response.text if response.is_success else ""


# In place of a status, where the connection ended without one.
NO_ANSWER = 0

SERVICE_UNAVAILABLE = 503

# JSON alone: an answer that comes as an event stream would be read by another part of a client.
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


def request_body(name: str, arguments: Mapping[str, Any]) -> bytes:
    """Return the body of a tools/call."""
    params = {"name": name, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


@dataclass(frozen=True, slots=True)
class Result:
    """What came back: the text, the outcome, and an error in words where it was none."""

    seconds: float
    http_status: int
    text: str = ""
    outcome: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    retries: bool = False
    """Whether it says when to come again."""

    @classmethod
    def of(cls, response: httpx.Response, seconds: float) -> "Result":
        """Read a response."""
        retries = "Retry-After" in response.headers
        try:
            body = response.json()
        except ValueError:
            return cls(seconds, response.status_code, error=response.text[:200], retries=retries)
        if "error" in body:
            message = str(body["error"].get("message"))
            return cls(seconds, response.status_code, error=message, retries=retries)
        result = body["result"]
        text = result["content"][0]["text"]
        outcome = result.get("_meta", {}).get("mcp-summarizer/outcome", {})
        if result.get("isError"):
            return cls(seconds, response.status_code, text, outcome, error=text)
        return cls(seconds, response.status_code, text, outcome)

    @property
    def status(self) -> str:
        """How it ended: the outcome's status, or what went wrong."""
        if self.http_status == NO_ANSWER:
            return f"no answer ({self.error})"
        if self.http_status == SERVICE_UNAVAILABLE and self.retries:
            return "told to come again"
        return str(self.outcome.get("status") or f"told an error (HTTP {self.http_status})")


def a_client() -> httpx.AsyncClient:
    """Return a client for loopback: no TLS, no proxy, as many connections as one likes."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
    return httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE_S, limits=limits)  # noqa: S501, loopback


def on_a_model(url: str, **settings: str) -> dict[str, str]:
    """Return the settings of a service that asks a model there, all others as they come."""
    return {"OPENROUTER_API_KEY": "none", "OPENROUTER_BASE_URL": url, "LLM_MODEL": "simulated", **settings}


@asynccontextmanager
async def a_service(settings: Mapping[str, str], wrapper: Sequence[str] = ()) -> AsyncIterator[Service]:
    """Run `python app.py` on a free port with these settings alone, under another command where one is given."""
    env = {"MCP_SUMMARIZER_PORT": "0", "PATH": os.environ.get("PATH", ""), **settings}
    async with (
        running([*wrapper, service_python(), "app.py", "--env-file", os.devnull], env) as process,
        a_client() as http,
    ):
        yield Service(process, http)
