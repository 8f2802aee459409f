"""Several copies behind nginx, as examples/replicas has them: calls go to any, and one that dies or stops loses none of them.

The processes, nginx and its configuration are real; the container images and the cluster are not, so of compose.yml and
kubernetes.yaml their text is read.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from collections.abc import AsyncIterator, Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from mcp import MCPError
from mcp.client import Client

from config import Config, settings
from protocol.messages import RETRY_AFTER_SECONDS
from tests.slow.test_clients import KINDS, did_its_work
from tests.support.client_processes import run_client
from tests.support.dockerfile import parse
from tests.support.manifests import environment_of
from tests.support.messages import LEGACY, MODERN, call, legacy, modern, routing
from tests.support.replicas import (
    COMPOSE,
    COMPOSE_ENVIRONMENT,
    EXAMPLES,
    NGINX_CONF,
    Access,
    Copy,
    Proxy,
    Replicas,
    free_port,
    proxied,
    replicas,
)
from tests.support.service import PATIENCE_S, ROOT, Run, a_client, prose, refuses_connections, with_model
from tests.support.stand_in import Answer, StandIn
from tests.support.stand_in_answers import Gate, Summarizes
from tests.support.wire import declaring_tasks, streaming

COPIES = 3
# What `fail_timeout` says, in seconds.
OUT_S = 2.0
# Who call at once while a copy is stopped, and how many calls are seen before and after.
CALLERS = 4
CALLS_BEFORE = 12
CALLS_AFTER = 30

OUTCOME = "mcp-summarizer/outcome"
MODEL_CALL = "POST /api/v1/chat/completions"
# One chunk, so one call of the model; and some, so that there is progress to hear of.
SHORT = call(content=prose(12), max_output_tokens=100)
LONG = {"content": prose(60), "max_output_tokens": 200}

SETTINGS = {
    "DEFAULT_CHUNK_SIZE_TOKENS": "200",
    "DEFAULT_CHUNK_OVERLAP_TOKENS": "0",
    # The calls of a copy that died come on top; and each asks the model, though they are all the same.
    "MAX_CONCURRENT_LLM_CALLS": "8",
    "ANSWER_CACHE_SECONDS": "0",
}
KUBERNETES = (EXAMPLES / "kubernetes.yaml").read_text("utf-8")
KUBERNETES_ENVIRONMENT = environment_of(KUBERNETES)
DOCKERFILE = parse((ROOT / "Dockerfile").read_text("utf-8"))

in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Replicas]:
    home = tmp_path_factory.mktemp("replicas")
    async with replicas(home, COPIES, {**SETTINGS, "STORAGE_DIRECTORY": str(home / "data")}) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def service(started: Replicas) -> Replicas:
    """Three copies that all serve, and a model that does what it is asked."""
    started.model.answer = Summarizes
    await started.all_serve()
    return started


def is_summarized(response: httpx.Response) -> bool:
    assert response.status_code == 200, response.text
    status: str = response.json()["result"]["_meta"][OUTCOME]["status"]
    return status == "summarized"


async def all_of(*calls: Any) -> list[Any]:
    async with asyncio.timeout(PATIENCE_S):
        return await asyncio.gather(*calls)


# What the files say. Text, because reading YAML would take one more package.


def seconds_of(pattern: str, text: str) -> float:
    """Return the one number that stands for this pattern's group."""
    (found,) = re.findall(pattern, text, re.MULTILINE)
    return float(found)


def test_nginx_takes_in_what_the_service_does() -> None:
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", NGINX_CONF)
    assert int(megabytes) * 1024 * 1024 == Config().max_body_bytes
    assert f"expected at most {Config().max_body_bytes} bytes" in NGINX_CONF


def test_nginx_waits_longer_than_the_service_works_and_keeps_connections_shorter() -> None:
    config = Config()
    read = seconds_of(r"proxy_read_timeout (\d+)s;", NGINX_CONF)
    assert read > max(config.summarize_deadline_seconds, config.ping_seconds)
    again = seconds_of(r"proxy_next_upstream_timeout (\d+)s;", NGINX_CONF)
    assert config.summarize_deadline_seconds < again < read
    assert seconds_of(r"keepalive_timeout (\d+)s;", NGINX_CONF) < config.idle_connection_seconds
    assert set(re.findall(r"fail_timeout=(\d+)s", NGINX_CONF)) == {f"{OUT_S:g}"}


def test_nginx_says_when_to_call_again_as_the_service_does() -> None:
    assert f"Retry-After {RETRY_AFTER_SECONDS} always;" in NGINX_CONF


def test_nginx_knows_the_copies_of_compose() -> None:
    addresses = re.findall(r"ipv4_address: ([\d.]+)", COMPOSE)
    assert re.findall(r"server ([\d.]+):8007 ", NGINX_CONF) == addresses
    assert len(addresses) == len(re.findall(r"<<: \*copy", COMPOSE)) == COPIES
    (network,) = re.findall(r"subnet: ([\d./]+)", COMPOSE)
    assert all(ip_address(address) in ip_network(network) for address in addresses)


@pytest.mark.parametrize(
    "given", [COMPOSE_ENVIRONMENT, KUBERNETES_ENVIRONMENT], ids=["compose", "kubernetes"]
)
def test_a_copy_is_given_what_the_service_reads(given: dict[str, str]) -> None:
    assert given.keys() <= {setting.name for setting, _ in settings()}
    config = Config.from_env(given)
    assert config.max_tasks == 0
    assert config.port == int(DOCKERFILE.env["MCP_SUMMARIZER_PORT"]) == 8007
    # A copy that is stopped finishes its calls.
    assert config.shutdown_grace_seconds > config.summarize_deadline_seconds


def test_compose_and_kubernetes_wait_longer_for_the_end_than_the_service_does() -> None:
    waits = re.findall(r"stop_grace_period: (\d+)s", COMPOSE)
    assert all(int(wait) > float(COMPOSE_ENVIRONMENT["SHUTDOWN_GRACE_SECONDS"]) for wait in waits)
    ends = seconds_of(r"terminationGracePeriodSeconds: (\d+)", KUBERNETES)
    begins = seconds_of(r'command: \[sleep, "(\d+)"\]', KUBERNETES)
    assert ends > begins + float(KUBERNETES_ENVIRONMENT["SHUTDOWN_GRACE_SECONDS"])


def test_every_container_of_compose_may_do_no_more_than_it_must() -> None:
    containers = COMPOSE.count("image: ")
    for line in ("read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]'):
        assert len(re.findall(rf"^ +{re.escape(line)}$", COMPOSE, re.MULTILINE)) == containers, line


@pytest.mark.parametrize(
    "line",
    [
        "replicas: 3",
        "enableServiceLinks: false",
        "automountServiceAccountToken: false",
        "runAsNonRoot: true",
        "allowPrivilegeEscalation: false",
        "readOnlyRootFilesystem: true",
        "capabilities: {drop: [ALL]}",
        "sessionAffinity: None",
        'mcp-summarizer/metrics: "true"',
        "maxUnavailable: 1",
    ],
)
def test_kubernetes_says(line: str) -> None:
    assert re.search(rf"^ +{re.escape(line)}$", KUBERNETES, re.MULTILINE)


def test_kubernetes_has_the_user_the_port_and_the_checks_of_the_image() -> None:
    assert f"runAsUser: {DOCKERFILE.only('USER').partition(':')[0]}\n" in KUBERNETES
    assert f"containerPort: {DOCKERFILE.env['MCP_SUMMARIZER_PORT']}}}" in KUBERNETES
    assert KUBERNETES.count("httpGet: {path: /health, port: http}") == 3


def test_everything_in_kubernetes_is_of_one_name() -> None:
    names = set(
        re.findall(r"(?:app\.kubernetes\.io/name|^  name|  - name): ([a-z-]+)", KUBERNETES, re.MULTILINE)
    )
    assert names == {"mcp-summarizer"}
    documents = KUBERNETES.split("\n---\n")
    kinds = [re.findall(r"^kind: (\w+)$", document, re.MULTILINE) for document in documents]
    assert kinds == [["Deployment"], ["Service"], ["PodDisruptionBudget"], ["HorizontalPodAutoscaler"]]


# Any copy serves any client.


@in_one_loop
async def test_calls_of_one_client_on_one_connection_go_to_every_copy(service: Replicas) -> None:
    before, had = service.answered_by(), len(await service.proxy.logged(0))
    for number in range(2 * COPIES):
        answer = await service.post(legacy("ping", request_id=number))
        assert answer.json() == {"jsonrpc": "2.0", "id": number, "result": {}}
    await service.proxy.logged(had + 2 * COPIES)
    after = service.answered_by() - before
    assert after.keys() == {copy.name for copy in service.copies}


@in_one_loop
@pytest.mark.parametrize("mode, version", [("auto", MODERN), ("legacy", LEGACY[0])])
async def test_an_official_client_works_though_each_request_goes_to_another_copy(
    service: Replicas, mode: str, version: str
) -> None:
    had = len(service.model.asked)
    told: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with Client(service.url, mode=mode) as client:
        assert client.protocol_version == version
        for _ in range(COPIES):
            result = await client.call_tool("summarize", LONG, progress_callback=hear)
            assert result.meta is not None
            assert result.meta[OUTCOME]["status"] == "summarized"
    assert len(told) >= 2 * COPIES
    assert len(set(service.model.asked[had:])) > 1


@in_one_loop
@pytest.mark.parametrize("name", ["mcp-1", "typescript-auto"])
async def test_a_client_of_its_own_process_does_its_work_through_nginx(
    service: Replicas, tmp_path: Path, name: str
) -> None:
    kind = KINDS[name]
    did_its_work(json.loads(await run_client(tmp_path, *kind.ordered(service.url))), kind.version)


@in_one_loop
async def test_an_original_that_one_copy_keeps_is_read_through_each_other(service: Replicas) -> None:
    arguments = {"content": prose(60), "max_output_tokens": 200, "keep_original": True}
    kept = (await service.post(legacy("tools/call", call(**arguments)))).json()["result"]
    wanted = {"result_id": kept["_meta"][OUTCOME]["result_id"], "max_tokens": 2_000}
    async with httpx.AsyncClient(trust_env=False, verify=False) as http:
        for copy in service.copies:
            message = legacy("tools/call", call("read_original", **wanted))
            read = (await http.post(f"http://{copy.address}/mcp", json=message)).json()["result"]
            assert read["content"][0]["text"].partition("\n")[2] == prose(60), copy.name


@in_one_loop
async def test_a_client_that_can_follow_tasks_gets_its_answer_and_no_task_of_one_copy(
    service: Replicas,
) -> None:
    # The original is long as any: the tool that answers with a task whenever it may.
    kept = (
        await service.post(
            legacy("tools/call", call(content=prose(60), max_output_tokens=200, keep_original=True))
        )
    ).json()["result"]["_meta"][OUTCOME]["result_id"]
    message = declaring_tasks("tools/call", call("summarize_original", result_id=kept, max_output_tokens=100))
    answer = await service.http.post(
        service.url, json=message, headers={"Accept": "application/json", **routing(message)}
    )
    assert answer.json()["result"]["resultType"] == "complete"
    discovered = modern("server/discover")
    told = await service.http.post(service.url, json=discovered, headers=routing(discovered))
    assert "extensions" not in told.json()["result"]["capabilities"]


# What passes nginx.


@in_one_loop
async def test_each_progress_is_told_before_the_work_goes_on(service: Replicas) -> None:
    # The first passes any proxy, with the head of the answer; so each answer of the model waits for one more.
    turns = [asyncio.Event() for _ in range(100)]
    turns[0].set()
    waiting = iter(turns)
    service.model.answer = lambda: Gate(Summarizes(), next(waiting))
    message = modern("tools/call", call(**LONG), progressToken="a-token")
    heard = 0
    async with streaming(service.service, message) as events:
        while (told := await events.message()).get("method") == "notifications/progress":
            heard += 1
            turns[heard].set()
    assert heard > 2
    assert told["result"]["_meta"][OUTCOME]["status"] == "summarized"


@in_one_loop
async def test_a_modern_call_that_its_client_leaves_is_cancelled_behind_nginx(service: Replicas) -> None:
    never = asyncio.Event()
    service.model.answer = lambda: Gate(Summarizes(), never)
    had = len(service.model.asked)
    message = modern("tools/call", SHORT)
    calling = asyncio.create_task(service.http.post(service.url, json=message, headers=routing(message)))
    await service.model.server.called(had + 1)
    calling.cancel()
    await service.model.server.finished(had + 1)
    assert service.model.server.log[-1] == f"{MODEL_CALL} > cancelled"


def ping_of(size: int) -> bytes:
    """Return a request of so many bytes."""
    empty = json.dumps(legacy("ping", {"filling": ""})).encode()
    return empty.replace(b'""', b'"' + b"x" * (size - len(empty)) + b'"')


@in_one_loop
async def test_the_largest_body_that_the_service_reads_passes(service: Replicas) -> None:
    json_body = {"Content-Type": "application/json"}
    largest = ping_of(Config().max_body_bytes)
    answer = await service.http.post(service.url, content=largest, headers=json_body)
    assert answer.json()["result"] == {}


@in_one_loop
async def test_a_larger_one_is_refused_in_the_words_of_the_service(service: Replicas) -> None:
    json_body = {"Content-Type": "application/json"}
    answer = await service.http.post(
        service.url, content=ping_of(Config().max_body_bytes + 1), headers=json_body
    )
    assert answer.status_code == 413
    direct = await service.http.post(
        f"http://{service.copies[0].address}/mcp",
        content=ping_of(Config().max_body_bytes + 1),
        headers=json_body,
    )
    said, says = (each.json()["error"]["message"] for each in (answer, direct))
    assert said.startswith("Request Entity Too Large: body: expected at most 16777216 bytes")
    assert says.startswith("Request Entity Too Large: body: expected at most 16777216 bytes")


@in_one_loop
async def test_a_header_as_long_as_the_service_reads_passes(service: Replicas) -> None:
    longest = {"X-Filling": "x" * (Config().max_header_bytes - 100)}
    answer = await service.http.post(service.url, json=legacy("ping"), headers=longest)
    assert answer.json()["result"] == {}


# A copy that dies.


async def held_calls(service: Replicas, number: int, go_on: asyncio.Event) -> list[asyncio.Task[Any]]:
    """Make so many calls that the model answers when it may; return when all of them wait for it."""
    service.model.answer = lambda: Gate(Summarizes(), go_on)
    had = len(service.model.asked)
    calls = [
        asyncio.create_task(service.post(legacy("tools/call", SHORT, request_id=at))) for at in range(number)
    ]
    await service.model.server.called(had + number)
    return calls


async def pings(service: Replicas, number: int) -> list[Access]:
    """Make so many calls, one after the other; return what nginx did with them."""
    had = len(await service.proxy.logged(0))
    for at in range(number):
        answer = await service.post(legacy("ping", request_id=at))
        assert answer.json() == {"jsonrpc": "2.0", "id": at, "result": {}}
    return (await service.proxy.logged(had + number))[had:]


def attempts(entries: Sequence[Access], copy: Copy) -> int:
    """Count how often a copy was asked."""
    return sum(copy.address in entry.copies for entry in entries)


@in_one_loop
async def test_a_copy_that_is_killed_loses_none_of_its_calls(service: Replicas) -> None:
    go_on = asyncio.Event()
    had, log = len(service.model.asked), len(await service.proxy.logged(0))
    calls = await held_calls(service, 2 * COPIES, go_on)
    dead = service.copies[0]
    its_own = service.model.asked[had:].count(dead.name)
    assert its_own >= 1
    dead.kill()
    # Each of them is made again, of another copy.
    await service.model.server.called(had + len(calls) + its_own)
    go_on.set()
    assert all(map(is_summarized, await all_of(*calls)))
    entries = (await service.proxy.logged(log + len(calls)))[log:]
    assert sum(entry.copies[0] == dead.address for entry in entries) == its_own
    assert all(entry.copies[-1] != dead.address for entry in entries)
    assert attempts(entries, dead) == its_own


@in_one_loop
async def test_a_copy_that_is_dead_is_left_alone_and_gets_calls_again_when_it_is_back(
    service: Replicas,
) -> None:
    dead = service.copies[1]
    dead.kill()
    started = time.monotonic()
    entries = await pings(service, 30)
    # The first failure, and one more each time that the copy may be back.
    assert 1 <= attempts(entries, dead) <= 1 + (time.monotonic() - started) / OUT_S
    assert all(entry.status == 200 for entry in entries)
    await service.all_serve()
    assert attempts(await pings(service, 2 * COPIES), dead) >= 1


@in_one_loop
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_stream_that_breaks_off_is_an_error_and_the_call_succeeds_when_it_is_made_again(
    service: Replicas, mode: str
) -> None:
    go_on, begun = asyncio.Event(), asyncio.Event()
    answers: list[Answer] = [Summarizes()]
    service.model.answer = lambda: answers.pop() if answers else Gate(Summarizes(), go_on)
    had = len(service.model.asked)

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    async with Client(service.url, mode=mode) as client:
        calling = asyncio.create_task(client.call_tool("summarize", LONG, progress_callback=hear))
        await begun.wait()
        dead = service.named(service.model.asked[had])
        dead.kill()
        with pytest.raises(MCPError):
            await all_of(calling)
        go_on.set()
        again = await client.call_tool("summarize", LONG)
    assert again.meta is not None
    assert again.meta[OUTCOME]["status"] == "summarized"
    assert service.model.asked[-1] != dead.name


# A copy that is stopped.


@in_one_loop
async def test_a_copy_that_is_stopped_under_load_finishes_its_calls_and_others_get_the_rest(
    service: Replicas,
) -> None:
    go_on, over = asyncio.Event(), asyncio.Event()
    answers: list[Answer] = [Gate(Summarizes(), go_on)]
    service.model.answer = lambda: answers.pop() if answers else Summarizes()
    had, log = len(service.model.asked), len(await service.proxy.logged(0))
    held = asyncio.create_task(service.post(legacy("tools/call", SHORT)))
    await service.model.server.called(had + 1)
    stopping = service.named(service.model.asked[had])
    callers = [asyncio.create_task(call_until(service, over)) for _ in range(CALLERS)]
    # Now nginx keeps connections to each copy.
    await service.proxy.logged(log + CALLS_BEFORE)
    stopping.send(signal.SIGTERM)
    assert await asyncio.to_thread(refuses_connections, ("127.0.0.1", stopping.port))
    await service.proxy.logged(len(await service.proxy.logged(0)) + CALLS_AFTER)
    assert not held.done()
    go_on.set()
    assert is_summarized(await held)
    over.set()
    made = sum(await all_of(*callers))
    assert await asyncio.to_thread(stopping.ended) == 0
    assert {entry.status for entry in (await service.proxy.logged(log + made + 1))[log:]} == {200}


async def call_until(service: Replicas, over: asyncio.Event) -> int:
    """Call, each answer being the right one, until it is over; return how often."""
    made = 0
    while not over.is_set():
        made += 1
        if made % 2:
            assert (await service.post(legacy("ping"))).json()["result"] == {}
        else:
            assert is_summarized(await service.post(legacy("tools/call", SHORT)))
    return made


# Copies that are full, and none at all.


async def test_what_a_full_copy_says_reaches_the_client_and_the_copy_stays_in_use(
    run: Run, tmp_path: Path
) -> None:
    go_on = asyncio.Event()
    full = {"MAX_CONCURRENT_REQUESTS": "1", "MAX_QUEUED_REQUESTS": "0"}
    summarize = legacy("tools/call", SHORT)
    async with (
        StandIn([Gate(Summarizes(), go_on)]) as model,
        run(**with_model(model, **full)) as copy,
        proxied(tmp_path, [copy.origin.removeprefix("http://")] * COPIES) as proxy,
    ):
        url = f"{proxy.origin}/mcp"
        held = asyncio.create_task(copy.http.post(url, json=summarize))
        await model.called(1)
        for _ in range(2 * COPIES):
            answer = await copy.http.post(url, json=summarize)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert "MAX_QUEUED_REQUESTS" in answer.json()["error"]["message"]
        go_on.set()
        assert is_summarized(await held)
        assert is_summarized(await copy.http.post(url, json=summarize))
        assert all(len(entry.copies) == 1 for entry in proxy.log)


@pytest.fixture
async def nobody(tmp_path: Path) -> AsyncIterator[Proxy]:
    """nginx before ports on which nothing listens."""
    async with proxied(tmp_path, [f"127.0.0.1:{free_port()}" for _ in range(COPIES)]) as proxy:
        yield proxy


async def test_where_no_copy_is_there_a_client_is_told_to_call_again(nobody: Proxy) -> None:
    async with a_client() as http:
        for _ in range(COPIES):  # the last time, all of them are known to be gone
            answer = await http.post(f"{nobody.origin}/mcp", json=legacy("ping"))
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert "call again in 5 s" in answer.json()["error"]["message"]


async def test_metrics_of_any_one_copy_are_not_shown(nobody: Proxy) -> None:
    async with a_client() as http:
        assert (await http.get(f"{nobody.origin}/metrics")).status_code == 404
    assert all(not entry.copies for entry in nobody.log)
