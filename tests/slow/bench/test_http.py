"""The bench over HTTP: its client reads what servers send however it is cut, and its bars are what the figures say."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
from collections import Counter

import pytest

from bench.http.client import Answer, Connection, _whole
from bench.http.memory import Memory
from bench.http.overload import Overload
from bench.http.processes import ROOT, DidNotStart, running
from bench.http.rates import LIST, PASS, Rates, Turn, rates_table
from bench.http.report import WANTED, bars, table
from bench.http.requests import LEGACY, MODERN, list_tools, prose, summarize
from bench.http.results import Results
from bench.http.servers import peer_tools
from bench.http.size import PURPOSES, Package
from bench.http.starting import Start
from tools.definitions import TOOLS

PLAIN = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n: ping\n\n\r\n0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\ncontent-length: 2\r\n\r\n{}"


@pytest.mark.parametrize(
    "sent, answer",
    [
        (PLAIN, Answer(200, b'{"a":1}', retries=False)),
        (CHUNKED, Answer(200, b"8\r\n: ping\n\n\r\n0\r\n\r\n", retries=False)),
        (BUSY, Answer(503, b"{}", retries=True)),
    ],
)
def test_an_answer_is_whole_at_its_last_byte_and_not_before(sent: bytes, answer: Answer) -> None:
    assert [_whole(bytearray(sent[:cut])) for cut in range(len(sent))] == [None] * len(sent)
    assert _whole(bytearray(sent)) == answer


async def test_a_connection_gives_each_answer_to_who_asked_and_an_end_to_who_waits() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for piece in (PLAIN[:20], PLAIN[20:]):
            await reader.readexactly(3)
            writer.write(piece)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    loop = asyncio.get_running_loop()
    async with server:
        address = server.sockets[0].getsockname()
        _, connection = await loop.create_connection(Connection, *address)
        assert await connection.send(b"onetwo") == Answer(200, b'{"a":1}', retries=False)
        with pytest.raises(ConnectionResetError):
            await connection.send(b"more")
        with pytest.raises(ConnectionResetError):
            await connection.send(b"still more")
        connection.close()


@pytest.mark.parametrize("era", [MODERN, LEGACY])
def test_a_request_says_its_length_and_holds_what_was_asked(era: str) -> None:
    head, body = summarize(era, prose(500)).data.split(b"\r\n\r\n", 1)
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["params"]["arguments"]["content"] == prose(500)
    assert json.loads(list_tools(era).data.split(b"\r\n\r\n", 1)[1])["method"] == "tools/list"


def test_texts_have_their_size_and_differ_by_their_seed() -> None:
    assert [len(prose(size, 1)) for size in (1, 8192)] == [1, 8192]
    assert prose(500, 1) != prose(500, 2)
    assert prose(500, 1) == prose(500, 1)


def results(ours: float) -> Results:
    """Return results in which we are `ours` times as quick as everybody, and as much more in everything else."""
    names = {name for wanted in WANTED.values() for name in wanted}
    turns = {
        workload: {
            "mcp-summarizer": [Turn(ours, ours)] * 3,
            **{name: [Turn(1.0, 1.0)] * 3 for name in names},
        }
        for workload in (LIST, PASS)
    }
    return Results(
        rates=Rates(turns, {"mcp-summarizer": 1_000_000}),
        memory=Memory(int(ours * 1e6), 2, 1_000_000, int(ours * 5e6), [(1, 0), (20_000, int(ours * 1e6))]),
        starts=[Start(0.2 * ours, 0.1 * ours)],
        packages=[Package("aiohttp", int(ours * 1e6), "HTTP")],
        overload=Overload(
            2, 1, Counter(answered=2 if ours < 50 else 1), 1.0, [0.001 * ours] * 100, 1, 0.001 * ours
        ),
    )


def test_a_bar_is_met_on_its_own_side_alone() -> None:
    slow, large = bars(results(0.1)), bars(results(1000.0))
    assert {bar.is_met for bar in slow if bar.at_least} == {False}
    assert {bar.is_met for bar in slow if not bar.at_least} == {True}
    assert {bar.is_met for bar in large if bar.at_least} == {True}
    assert {bar.is_met for bar in large if not bar.at_least} == {False}
    assert len(slow) == len(large) == 16


def test_the_table_names_every_bar_and_what_was_missed() -> None:
    shown = table(results(13.0))
    assert all(bar.what in shown for bar in bars(results(13.0)))
    assert shown.count("MISSED") == sum(not bar.is_met for bar in bars(results(13.0)))


def test_nothing_measured_is_no_bar() -> None:
    assert bars(Results()) == []


def test_a_ratio_is_that_of_turns_in_the_same_round() -> None:
    # The third round was on a machine half as quick, and the second one hit the other alone.
    turns = {"a": [Turn(4, 4), Turn(4, 4), Turn(2, 2)], "b": [Turn(2, 2), Turn(1, 1), Turn(1, 1)]}
    rates = Rates({LIST: turns})
    assert rates.ratio(LIST, "a", "b") == rates.cpu_ratio(LIST, "a", "b") == 2.0
    assert "| a | 4 | 2.00 | 4 | 2.00 |" in rates_table(rates, "b")


def test_every_package_of_the_service_has_its_purpose() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    pinned = {line.split("==")[0] for line in lines if "==" in line and not line.startswith("#")}
    assert pinned <= PURPOSES.keys()


def test_a_contestant_that_ends_before_it_listens_is_named() -> None:
    with (
        pytest.raises(
            DidNotStart, match="nobody: expected a line with its port, got none; its exit status is 3"
        ),
        running("nobody", ["python3", "-c", "raise SystemExit(3)"], {}, {0}),
    ):
        pass


def test_contestants_start_where_nothing_of_ours_is_installed() -> None:
    """Each runs a module of bench.http with its own packages alone."""
    command = [sys.executable, "-S", "-c", "import bench.http"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_peers_offer_our_tools_with_our_arguments() -> None:
    offered = {name: inspect.signature(function).parameters for name, _, function in peer_tools.functions()}

    assert {name: set(parameters) for name, parameters in offered.items()} == {
        tool["name"]: set(tool["inputSchema"]["properties"]) for tool in TOOLS
    }
    for tool in TOOLS:
        required = {name for name, said in offered[tool["name"]].items() if said.default is said.empty}
        assert required == set(tool["inputSchema"]["required"]), tool["name"]
