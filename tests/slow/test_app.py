"""`python app.py` as a process: how it starts, what it says, and how it ends."""

from __future__ import annotations

import asyncio
import json
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from config import NAME, VERSION
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import (
    PATIENCE_S,
    ROOT,
    Service,
    ServiceProcess,
    a_client,
    environment,
    popen,
    process,
    prose,
    refuses_connections,
    with_model,
)
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Gate, Hangs, Summarizes
from tests.support.wire import Connection, connected, declaring_tasks, request, streaming

MODEL_CALL = "POST /api/v1/chat/completions"

# Processor time of a start, in multiples of what the imports of what is under the service take: about two.
START_LIMIT = 5.0
IMPORTS = "aiohttp, httpx, tiktoken"
# More than the two seconds that an application without a grace time of its own would take.
GRACE_S = 2.5
# What a stop takes beyond its grace time: the interpreter's own end, on a busy machine. The default grace time is longer.
STOP_LIMIT_S = 9.0


def a_call(write: object = legacy, sentences: int = 12) -> tuple[Message, Mapping[str, str]]:
    """Write a call that asks the model, and its headers."""
    params = call(content=prose(sentences), max_output_tokens=100)
    if write is modern:
        message = modern("tools/call", params)
        return message, routing(message)
    return legacy("tools/call", params), {}


async def ended(service: ServiceProcess) -> tuple[int, str, str]:
    return await asyncio.to_thread(service.ended)


# The start.


def test_one_line_says_that_the_service_has_started_where_and_with_what() -> None:
    with process() as service:
        assert service.started["event"] == "service_started"
        assert service.started["service_id"] == "mcp_summarizer"
        assert service.started["backend"] == "extractive"
        assert service.started["model"] is None
        assert "embedded summarizer" in service.started["note"]
        assert "OPENROUTER_API_KEY" in service.started["note"]
        health = httpx.get(service.url.replace("/mcp", "/health"), trust_env=False, verify=False)
        assert health.json()["version"] == VERSION
        service.stop(signal.SIGTERM)
        assert service.ended() == (0, "", "")


def test_with_a_key_the_line_names_the_model_and_not_the_key() -> None:
    with process({"OPENROUTER_API_KEY": "sk-very-secret", "LLM_MODEL": "some/model"}) as service:
        assert (service.started["backend"], service.started["model"]) == ("openrouter", "some/model")
        assert "note" not in service.started
        assert "sk-very-secret" not in json.dumps(service.started)
        service.stop(signal.SIGINT)
        assert service.ended() == (0, "", "")


def test_an_ipv6_address_is_announced_as_urls_write_it() -> None:
    with process({"MCP_SUMMARIZER_HOST": "::1"}) as service:
        assert re.fullmatch(r"http://\[::1\]:\d+/mcp", service.url)
        response = httpx.post(service.url, json=legacy("ping"), trust_env=False, verify=False)
        assert response.json()["result"] == {}


@pytest.mark.parametrize(
    "settings, says",
    [
        (
            {"MCP_SUMMARIZER_PORT": "x"},
            "MCP_SUMMARIZER_PORT: expected a whole number from 0 to 65535, got 'x'",
        ),
        (
            {"DEFAULT_CHUNK_SIZE_TOKENS": "0"},
            "DEFAULT_CHUNK_SIZE_TOKENS: expected a whole number of at least 200",
        ),
        ({"ON_FAILURE": "panic"}, "ON_FAILURE: expected one of original, extractive, error, got 'panic'"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line(settings: dict[str, str], says: str) -> None:
    with popen(settings) as child:
        out, err = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, out) == (2, "")
    assert err.startswith(f"mcp-summarizer: {says}")
    assert err.count("\n") == 1


def test_a_port_in_use_stops_the_start_with_one_line_that_names_the_setting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with popen({"MCP_SUMMARIZER_PORT": str(port)}) as child:
            out, err = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, out) == (1, "")
    assert re.fullmatch(rf"mcp-summarizer: cannot listen on .*MCP_SUMMARIZER_PORT {port}: .*\n", err)


def test_an_address_that_is_none_of_this_machine_stops_the_start_too() -> None:
    with popen({"MCP_SUMMARIZER_HOST": "192.0.2.1"}) as child:
        out, err = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, out) == (1, "")
    assert re.fullmatch(
        r"mcp-summarizer: cannot listen on MCP_SUMMARIZER_HOST 192\.0\.2\.1, MCP_SUMMARIZER_PORT \d+: "
        r"this machine has no such address; 127\.0\.0\.1 is for this machine alone, 0\.0\.0\.0 for every network\n",
        err,
    )


def test_the_second_start_is_quick() -> None:
    with process():
        pass  # the first one may have to compile the modules
    program = f"import time, {IMPORTS}; print(time.process_time())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment({}),
        capture_output=True,
        text=True,
        check=True,
    )
    with process() as service:
        took = service.cpu_seconds()
        assert service.started["event"] == "service_started"
    assert took < START_LIMIT * float(done.stdout)


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (project["name"], project["version"]) == (NAME, VERSION)


# The end.


@pytest.mark.parametrize("write", [legacy, modern])
async def test_a_call_in_flight_is_finished_before_the_end(write: object) -> None:
    go_on = asyncio.Event()
    message, headers = a_call(write)
    async with StandIn([Gate(Summarizes(), go_on)]) as model, a_client() as http:
        with process(with_model(model, SHUTDOWN_GRACE_SECONDS="30")) as service:
            posting = asyncio.create_task(http.post(service.url, json=message, headers=dict(headers)))
            await model.called(1)
            service.stop(signal.SIGTERM)
            assert await asyncio.to_thread(refuses_connections, service.address)
            assert not posting.done()
            go_on.set()
            response = await posting
            status, _, err = await ended(service)
    assert "result" in response.json()
    assert (status, err) == (0, "")
    assert set(model.log) == {f"{MODEL_CALL} > 200"}


async def test_a_connection_that_no_call_is_on_is_closed_while_others_are_finished() -> None:
    soon, later = asyncio.Event(), asyncio.Event()
    answers = iter([Gate(Summarizes(), soon), Gate(Summarizes(), later)])
    async with StandIn(lambda _number, _payload: next(answers)) as model, a_client() as http:
        at_once = {"MAX_CONCURRENT_LLM_CALLS": "2", "LLM_CONCURRENCY_CEILING": "2"}
        settings = with_model(model, SHUTDOWN_GRACE_SECONDS="30", **at_once)
        with process(settings) as child:
            service = Service(child.url.removesuffix("/mcp"), http)
            async with connected(service) as idle, connected(service) as first, connected(service) as second:
                idle.send(request(legacy("ping")))
                await idle.answer()
                first.send(request(a_call()[0]))
                await model.called(1)
                second.send(request(a_call(sentences=11)[0]))
                await model.called(2)
                child.stop(signal.SIGTERM)
                assert await idle.rest() == b""
                soon.set()
                assert (await first.answer())[0] == 200
                assert await first.rest() == b""
                assert model.in_flight == 1  # all this while it works
                later.set()
                assert (await second.answer())[0] == 200
            status, _, err = await ended(child)
    assert (status, err) == (0, "")


async def test_a_call_that_is_still_being_uploaded_is_finished_before_the_end() -> None:
    with process({"SHUTDOWN_GRACE_SECONDS": "30"}) as service:
        uploading = await half_uploaded(service, legacy("ping"))
        service.stop(signal.SIGTERM)
        assert await asyncio.to_thread(refuses_connections, service.address)
        answer = await uploading.finish()
        status, _, err = await ended(service)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"result": {}' in answer or b'"result":{}' in answer
    assert (status, err) == (0, "")


async def test_each_of_many_slow_uploads_is_told_that_the_service_stops() -> None:
    body = request(legacy("tools/call", call(content=prose(15_000), max_output_tokens=500)))
    with process({"SHUTDOWN_GRACE_SECONDS": "0.5"}) as child:
        async with a_client() as http, AsyncExitStack() as stack:
            service = Service(child.url.removesuffix("/mcp"), http)
            clients = [await stack.enter_async_context(connected(service)) for _ in range(100)]
            sending = [asyncio.create_task(sent_slowly(client, body)) for client in clients]
            await asyncio.sleep(0.5)
            child.stop(signal.SIGTERM)
            answers = [await client.answer() for client in clients]
            rests = [await client.rest() for client in clients]
            for one in sending:
                one.cancel()
            await asyncio.gather(*sending, return_exceptions=True)
        status, _, err = await ended(child)
    assert (status, err) == (0, "")
    assert Counter(status for status, *_ in answers) == {503: len(clients)}
    assert all(int(headers["retry-after"]) > 0 for _, headers, _ in answers)
    assert all(json.loads(said)["id"] is None for *_, said in answers)
    assert set(rests) == {b""}


async def sent_slowly(client: Connection, data: bytes) -> None:
    """Send data within a second and a half, half of them after the service was told to stop."""
    size = len(data) // 26
    for start in range(0, len(data), size):
        client.send(data[start : start + size])
        await asyncio.sleep(0.05)


async def test_an_upload_that_never_ends_holds_the_end_up_no_longer_than_the_grace_time() -> None:
    with process({"SHUTDOWN_GRACE_SECONDS": "0.2"}) as service:
        uploading = await half_uploaded(service, legacy("ping"))
        stopped = time.monotonic()
        service.stop(signal.SIGTERM)
        status, _, err = await ended(service)
        took = time.monotonic() - stopped
        uploading.writer.close()
    assert (status, err) == (0, "")
    assert took < STOP_LIMIT_S


@dataclass
class Upload:
    """A request of which the service has seen the head and half of the body."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    rest: bytes

    async def finish(self) -> bytes:
        """Send the rest; return all that comes back."""
        self.writer.write(self.rest)
        async with asyncio.timeout(PATIENCE_S):
            answer = await self.reader.read()
        self.writer.close()
        await self.writer.wait_closed()
        return answer


async def half_uploaded(service: ServiceProcess, message: Message) -> Upload:
    """Begin a request; `100 Continue` says that the service has begun with it too."""
    body = json.dumps(message).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection(*service.address)
    writer.write(head.encode())
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    half = len(body) // 2
    writer.write(body[:half])
    return Upload(reader, writer, body[half:])


def says_that_it_stops(answer: httpx.Response) -> bool:
    error = answer.json()["error"]
    return (answer.json()["id"], error["code"]) == (1, -32603) and "stopped before" in error["message"]


@pytest.mark.parametrize("write", [legacy, modern])
async def test_a_call_that_hangs_is_cancelled_after_the_grace_time(write: object) -> None:
    message, headers = a_call(write)
    async with StandIn([Hangs()]) as model, a_client() as http:
        with process(with_model(model, SHUTDOWN_GRACE_SECONDS=str(GRACE_S))) as service:
            posting = asyncio.create_task(http.post(service.url, json=message, headers=dict(headers)))
            await model.called(1)
            stopped = time.monotonic()
            service.stop(signal.SIGTERM)
            status, _, err = await ended(service)
            took = time.monotonic() - stopped
        await model.finished(1)
        answer = await posting
    assert (status, err) == (0, "")
    assert GRACE_S <= took < GRACE_S + STOP_LIMIT_S
    assert model.log == [f"{MODEL_CALL} > cancelled"]
    assert says_that_it_stops(answer)


async def test_streams_tasks_and_calls_are_all_ended_and_told_so_within_the_grace_time() -> None:
    message, headers = a_call(legacy)
    long = declaring_tasks("tools/call", call(content=prose(60), max_output_tokens=200))
    settings = {
        "SHUTDOWN_GRACE_SECONDS": "0.2",
        "TASK_CONTENT_CHARS": "2000",
        "MAX_CONCURRENT_LLM_CALLS": "2",
        "LLM_CONCURRENCY_CEILING": "2",
    }
    async with StandIn([Hangs()]) as model, a_client() as http:
        with process(with_model(model, **settings)) as child:
            service = Service(child.url.removesuffix("/mcp"), http)
            posting = asyncio.create_task(service.post(message, headers))
            await model.called(1)
            task = (await service.post(long, routing(long))).json()["result"]
            wanted = {"notifications": {"taskIds": [task["taskId"]]}}
            async with streaming(service, declaring_tasks("subscriptions/listen", wanted)) as events:
                await events.message()
                await model.called(2)
                stopped = time.monotonic()
                child.stop(signal.SIGTERM)
                *_, last = await events.rest()
                answer = await posting
            status, _, err = await ended(child)
            took = time.monotonic() - stopped
        await model.finished(len(model.payloads))
    assert (status, err) == (0, "")
    assert took < STOP_LIMIT_S
    assert (last["id"], last["result"]["resultType"]) == (1, "complete")
    assert says_that_it_stops(answer)
    assert set(model.log) == {f"{MODEL_CALL} > cancelled"}


async def test_a_call_whose_client_has_left_holds_the_end_up_no_longer_than_the_grace_time() -> None:
    message, headers = a_call(legacy)
    async with StandIn([Hangs()]) as model:
        with process(with_model(model, SHUTDOWN_GRACE_SECONDS="0.2")) as service:
            async with a_client() as http:
                posting = asyncio.create_task(http.post(service.url, json=message, headers=dict(headers)))
                await model.called(1)
                posting.cancel()
                await asyncio.gather(posting, return_exceptions=True)
            service.stop(signal.SIGTERM)
            status, _, err = await ended(service)
        await model.finished(1)
    assert (status, err) == (0, "")
    assert model.log == [f"{MODEL_CALL} > cancelled"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see that the thread works")
async def test_a_thread_in_the_middle_of_a_large_text_does_not_hold_the_end_up() -> None:
    # Long enough for the stop to come in the middle, with some seconds to spare on a quick machine.
    message = legacy("tools/call", call(content=prose(150_000), max_output_tokens=1_000))
    async with a_client() as http:
        with process({"SHUTDOWN_GRACE_SECONDS": "0.2"}) as service:
            posting = asyncio.create_task(http.post(service.url, json=message))
            await is_at_work(service, http)
            service.stop(signal.SIGTERM)
            status, out, err = await ended(service)
        answer = await posting
    assert (status, err) == (0, "")
    assert "summarization_complete" not in out
    assert says_that_it_stops(answer)


async def is_at_work(service: ServiceProcess, http: httpx.AsyncClient) -> None:
    """Wait until the service has taken in what it was sent: only then does its CPU time grow without requests."""
    before = service.cpu_seconds()
    while service.cpu_seconds() < before + 1.0:
        assert (await http.get(service.url.replace("/mcp", "/health"))).status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_second_signal_ends_the_process_at_once(number: int) -> None:
    message, headers = a_call(legacy)
    async with StandIn([Hangs()]) as model, a_client() as http:
        with process(with_model(model, SHUTDOWN_GRACE_SECONDS="600")) as service:
            posting = asyncio.create_task(http.post(service.url, json=message, headers=dict(headers)))
            await model.called(1)
            service.stop(number)
            assert await asyncio.to_thread(refuses_connections, service.address)
            service.stop(number)
            status, _, err = await ended(service)
        await asyncio.gather(posting, return_exceptions=True)
    assert (status, err) == (-number, "")


def test_two_lines_say_that_the_service_stops_and_has_stopped() -> None:
    with process() as service:
        service.stop(signal.SIGTERM)
        assert service.ended() == (0, "", "")
    assert service.stopping["event"] == "service_stopping"
    assert service.stopped["seconds"] >= 0
    assert (service.stopped["cancelled_calls"], service.stopped["cancelled_tasks"]) == (0, 0)


def test_two_signals_at_once_end_the_process_in_one_orderly_way() -> None:
    with process() as service:
        # Stopped, so that it finds both when it goes on.
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
            service.stop(number)
        status, out, err = service.ended()
    assert (status, err) == (0, "")
    assert "error" not in out


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the limits of another process")
def test_the_process_takes_all_the_connections_that_the_system_allows_it() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = min(soft, 256)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    try:
        with process() as service:
            allowed = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
            service.stop(signal.SIGTERM)
            service.ended()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert allowed == (hard, hard)
