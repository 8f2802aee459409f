"""What the gateway adds to a call, and what large results take: seconds, memory, and whether the service answers meanwhile.

    make bench-gateway                                        all of it
    .venv-dev/bin/python -m bench.gateway --megabytes 1 10    logs of these sizes alone

A server of MCP that answers at once runs as a process of its own, and so does the service, without a model. Memory is the most that was
resident during the call, beyond what was before it. Ends with 1 where one of issue 15's bars is missed.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from aiohttp import web

from bench import process_tree
from bench.output import progress, say
from bench.service.processes import HEADERS, Service, a_client, a_service, request_body, running
from gateway.masking.masker import Masker
from gateway.masking.secret_shapes import GENERATED, generated_rules

MB = 1_000_000
MEGABYTES = (1, 10, 100)
SMALL_CALLS = 300

# The bars of the issue that asked for the gateway.
MOST_ADDED_MS = 3.0
MOST_MASKING_SECONDS = 0.5
MOST_MEMORY_SHARE = 3.0
MOST_HEALTH_MS = 100.0

HEALTH_SECONDS = 0.02
SERVER = "bench"


# --- Texts -----------------------------------------------------------------------------------------------------


def log_lines() -> Iterator[str]:
    """Yield the lines of a log of requests, with an error now and then."""
    number = 0
    while True:
        number += 1
        stamp = f"2026-11-{number // 86_400 % 28 + 1:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z"
        if number % 997:
            path = f"/api/v1/orders/{number * 7919 % 1_000_003}"
            yield f'{stamp} INFO  gateway-{number % 7}: "GET {path}" 200 in {number % 83} ms, user=u{number % 409}{f" password=hunter{number}" * (number % 101 == 0)}\n'
        else:
            yield f"{stamp} ERROR gateway-{number % 7}: connection to orders-{number % 5} refused: retry {number % 3}\n"


def log_of(chars: int) -> str:
    """Return a log of about so many characters."""
    source, lines, length = log_lines(), list[str](), 0
    while length < chars:
        lines.append(next(source))
        length += len(lines[-1])
    return "".join(lines)


def pods_of(chars: int) -> str:
    """Return what `kubectl get pods -o json` prints, about so many characters of it, with a Secret now and then."""
    items, length = list[dict[str, Any]](), 0
    while length < chars:
        item = _pod(len(items)) if len(items) % 20 else _secret(len(items))
        items.append(item)
        length += len(json.dumps(item, indent=4))
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=4)


def _pod(number: int) -> dict[str, Any]:
    name, stamp = f"web-{number:05}", f"2026-11-{number % 28 + 1:02}T06:25:01Z"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": f"team-{number % 7}",
            "uid": f"{number * 7919:08x}-7c1e-4b3a-9d52-{number * 104_729:012x}",
            "creationTimestamp": stamp,
            "labels": {"app": "web", "pod-template-hash": f"{number * 31:x}"},
        },
        "spec": {
            "containers": [
                {
                    "name": "web",
                    "image": f"registry.example/web@sha256:{number * 15_485_863:064x}",
                    "env": [
                        {"name": "LOG_LEVEL", "value": "info"},
                        {"name": "DB_PASSWORD", "value": f"hunter{number}hunter"},
                        {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "web", "key": "token"}}},
                    ],
                    "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                    "resources": {"limits": {"cpu": "500m", "memory": "512Mi"}},
                }
            ],
            "nodeName": f"node-{number % 9}",
        },
        "status": {
            "phase": "Running",
            "podIP": f"10.0.{number % 250}.{number % 240}",
            "conditions": [
                {"type": kind, "status": "True", "lastProbeTime": None, "lastTransitionTime": stamp}
                for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
            ],
        },
    }


def _secret(number: int) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": f"web-{number}", "namespace": "default"},
        "data": {"token": "c2VjcmV0LXZhbHVlLTEyMzQ1Njc4OTA=", "password": "aHVudGVyMmh1bnRlcjI="},
    }


# --- The server that is called ---------------------------------------------------------------------------------


@cache
def _log_as_json(megabytes: int) -> bytes:
    return json.dumps(log_of(megabytes * MB)).encode()


async def answered(request: web.Request) -> web.Response:
    """Answer one message, as a server of the legacy era does."""
    message = await request.json()
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        return web.Response(status=202)
    if method == "initialize":
        result = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {},
        }
        return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": result})
    if method == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "log")]
        return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": tools}})
    if method != "tools/call":
        error = {"code": -32601, "message": "Method not found"}
        return web.json_response({"jsonrpc": "2.0", "id": message["id"], "error": error})
    megabytes = int(params["arguments"].get("megabytes", 0))
    text = _log_as_json(megabytes) if params["name"] == "log" else b'"fine"'
    head = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":' % message["id"]
    return web.Response(body=head + text + b"}]}}", content_type="application/json")


async def serve() -> None:
    """Serve on a free port, which the first line says, until ended."""
    app = web.Application()
    app.router.add_post("/mcp", answered)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    say(json.dumps({"url": f"http://{host}:{port}/mcp"}))
    await asyncio.Event().wait()


# --- Measuring -------------------------------------------------------------------------------------------------


class Large(NamedTuple):
    """What one call with a large answer took."""

    megabytes: int
    seconds: float
    cpu_seconds: float
    """What the service used of the cores: a busy machine makes it a little longer, and nothing else does."""
    memory_share: float
    """Of the answer's size."""
    health_ms: float
    """The 99th percentile of GET /health meanwhile."""
    status: str


@asynccontextmanager
async def a_gateway() -> AsyncIterator[tuple[Service, str]]:
    """Run the server and the service before it; yield the service and the server's own URL."""
    command = [sys.executable, "-m", "bench.gateway", "--serve"]
    with tempfile.TemporaryDirectory() as directory:
        async with running(command, {"PATH": "/usr/bin:/bin"}) as server:
            url = str(server.started["url"])
            config = Path(directory) / "gateway.json"
            rules = {"url": url, "timeout_seconds": 600}
            await asyncio.to_thread(config.write_text, json.dumps({"mcpServers": {SERVER: rules}}))
            settings = {"MCP_GATEWAY_CONFIG": str(config)}
            async with a_service(settings) as service:
                yield service, url


async def added_ms(service: Service, server_url: str) -> float:
    """Return by how many milliseconds the median of small calls is longer through the gateway, by turns with direct ones."""
    targets = ((f"{service.origin}/gateway/mcp", f"{SERVER}__echo"), (server_url, "echo"))
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(SMALL_CALLS):
        for (url, tool), times in zip(targets, took, strict=True):
            begin = time.perf_counter()
            response = await service.http.post(url, content=request_body(tool, {}), headers=HEADERS)
            times.append(time.perf_counter() - begin)
            if "fine" not in response.text:
                raise RuntimeError(f"expected the answer of the tool, got {response.text[:200]}")
    through, direct = map(statistics.median, took)
    return 1000 * (through - direct)


async def a_large_call(service: Service, megabytes: int) -> Large:
    """Call for a log of so many megabytes, with GET /health all the while."""
    pid = service.running.pid
    before = process_tree.resident(pid)
    process_tree.forget_peak(pid)
    health: list[float] = []
    asking = asyncio.create_task(_ask_health(service, health))
    begin, used = time.perf_counter(), process_tree.own_cpu_seconds(pid)
    body = request_body(f"{SERVER}__log", {"megabytes": megabytes, "summary_focus": "errors"})
    response = await service.http.post(f"{service.origin}/gateway/mcp", content=body, headers=HEADERS)
    seconds, used = time.perf_counter() - begin, process_tree.own_cpu_seconds(pid) - used
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    result = response.json()["result"]
    status = result.get("_meta", {}).get("mcp-summarizer/outcome", {}).get("status", result)
    share = (process_tree.peak(pid) - before) / (megabytes * MB)
    return Large(megabytes, seconds, used, share, _percentile(health, 99), str(status)[:200])


async def _ask_health(service: Service, took: list[float]) -> None:
    async with a_client() as http:
        while True:
            begin = time.perf_counter()
            with suppress(httpx.HTTPError):
                await http.get(f"{service.origin}/health")
            took.append(1000 * (time.perf_counter() - begin))
            await asyncio.sleep(HEALTH_SECONDS)


def _percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)] if ordered else 0.0


def masking_seconds() -> float:
    """Return how long masking a megabyte of Kubernetes JSON takes a core, the least of three times."""
    masker = Masker(generated_rules(GENERATED.read_text("utf-8")), key=b"bench")
    text = pods_of(MB)
    masker.mask(text[:1000])

    def once() -> float:
        begin = time.process_time()
        masker.mask(text)
        return time.process_time() - begin

    return min(once() for _ in range(3))


async def measured(megabytes: Sequence[int]) -> bool:
    """Print all figures; return whether every bar is met."""
    masking = masking_seconds()
    say(f"masking 1 MB of Kubernetes JSON: {masking:.2f} s of a core (at most {MOST_MASKING_SECONDS:g})")
    async with a_gateway() as (service, url):
        added = await added_ms(service, url)
        say(f"a small call: {added:.1f} ms more at the median (at most {MOST_ADDED_MS:g})")
    fine = masking <= MOST_MASKING_SECONDS and added <= MOST_ADDED_MS
    say(
        "\n| log | seconds | of a core | memory, of its size | GET /health, 99 % | outcome |\n|---|---|---|---|---|---|"
    )
    for size in megabytes:
        progress(f"--- {size} MB")
        async with a_gateway() as (service, url):  # a process of its own: what was freed may stay resident
            await added_ms(service, url)  # what is loaded by first calls is no memory of the large one
            large = await a_large_call(service, size)
        say(
            f"| {size} MB | {large.seconds:.1f} | {large.cpu_seconds:.1f} | {large.memory_share:.1f} | {large.health_ms:.0f} ms | {large.status} |"
        )
        fine = fine and large.health_ms <= MOST_HEALTH_MS
        fine = fine and (size < max(MEGABYTES) or large.memory_share <= MOST_MEMORY_SHARE)
    return fine


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--serve", action="store_true", help="be the server that is called")
    parser.add_argument("--megabytes", type=int, nargs="*", default=MEGABYTES)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve())
    elif not asyncio.run(measured(given.megabytes)):
        sys.exit(1)


if __name__ == "__main__":
    main()
