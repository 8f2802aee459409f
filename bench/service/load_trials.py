"""Trials of loads that one caller must not make others feel: fairness, the deadline, texts of one sign, bodies at once."""

import asyncio
import json
import re
import socket
import time

from bench import process_tree
from bench.histograms import quantile
from bench.http.requests import prose
from bench.service import ROOT
from bench.service.client_trials import connected, head
from bench.service.processes import (
    FREEZE_S,
    NO_ANSWER,
    SERVICE_UNAVAILABLE,
    Result,
    Service,
    a_service,
    request_body,
)
from bench.service.trials import Row, Stage, health_figure, row, told
from bench.service.watching import peak_mb, resident_mb, watched
from bench.verdict import Verdict

MB = 1_000_000

TARGET = 500

# What a summary is, however little time there was for it.
ANSWERED = frozenset({"passthrough", "summarized", "partial", "unsummarized"})
AGAIN = "told to come again"

# --- Fairness --------------------------------------------------------------------------------------------------

LARGE_TEXTS, LARGE_BYTES = 6, 6 * MB
SMALL_BYTES, SMALL_EVERY_S = 20_000, 0.25
IDLE_CALLS, WAITING_SHARE = 10, 0.95
MOST_WAITING_S = 1.0

# The large texts are all being worked on by then; and nobody waits for their end.
BEGUN_S, WATCHED_S = 2.0, 15.0

KEYS = ("key-of-large-texts", "key-of-small-texts")


async def fairness(stage: Stage) -> Row:
    """Have large texts of one key worked on, and call with another key meanwhile."""
    loads = [prose(round(LARGE_BYTES * min(1.0, stage.scale)), seed) for seed in range(LARGE_TEXTS)]
    async with a_service({"MCP_SUMMARIZER_API_KEYS": ",".join(KEYS)}) as service:
        idle = [await _small(service, number) for number in range(IDLE_CALLS)]
        async with watched(service) as watch:
            large = [
                asyncio.create_task(service.call("summarize", _arguments(text), KEYS[0])) for text in loads
            ]
            await asyncio.sleep(BEGUN_S)
            small = await _small_ones(service, large)
            left = sum(not one.done() for one in large)
            for one in large:
                one.cancel()
            await asyncio.gather(*large, return_exceptions=True)
    waited = quantile([result.seconds for result in small], WAITING_SHARE)
    what = f"a key's 20 KB call beside {LARGE_TEXTS} texts of {LARGE_BYTES // MB} MB of another key"
    return row(
        what,
        f"95 of 100 such calls answered within {MOST_WAITING_S:g} s",
        [
            (
                f"{told(result.status for result in small)}, 95 of 100 within {waited:.2f} s, slowest "
                f"{max(result.seconds for result in small):.2f} s"
            ),
            f"{quantile([result.seconds for result in idle], 0.5):.2f} s with nothing beside them",
            f"{left} of the large texts were not done by then",
        ],
        met={result.status for result in small} == {"summarized"},
        watch=watch,
        figures=[Verdict(f"{what}, 95 of 100 within", MOST_WAITING_S, waited, unit=" s")],
    )


async def _small_ones(service: Service, large: list[asyncio.Task[Result]]) -> list[Result]:
    """Call again and again while large texts are worked on, for some time at most; each call is begun when it is due."""
    calls: list[asyncio.Task[Result]] = []
    began = time.monotonic()
    while not calls or (time.monotonic() - began < WATCHED_S and not all(one.done() for one in large)):
        calls.append(asyncio.create_task(_small(service, IDLE_CALLS + len(calls))))
        await asyncio.sleep(SMALL_EVERY_S)
    return await asyncio.gather(*calls)


async def _small(service: Service, number: int) -> Result:
    return await service.call("summarize", _arguments(prose(SMALL_BYTES, 1_000 + number)), KEYS[1])


def _arguments(content: str) -> dict[str, object]:
    return {"content": content, "max_output_tokens": TARGET}


# --- The deadline ----------------------------------------------------------------------------------------------

DEADLINE_S, DEADLINE_SPARE_S = 20.0, 1.0
DEADLINE_CALLS, DEADLINE_BYTES = 100, 200_000


async def deadline(stage: Stage) -> Row:
    """Ask for more summaries at once than can be made by the deadline."""
    contents = [prose(DEADLINE_BYTES, seed) for seed in range(stage.of(DEADLINE_CALLS))]
    async with (
        a_service({"SUMMARIZE_DEADLINE_SECONDS": f"{DEADLINE_S:g}"}) as service,
        watched(service) as watch,
    ):
        results = await asyncio.gather(*(service.call("summarize", _arguments(text)) for text in contents))
    slowest = max(result.seconds for result in results)
    statuses = [result.status for result in results]
    what = f"{len(contents)} calls of 200 KB at once, a deadline of {DEADLINE_S:g} s, no model"
    return row(
        what,
        f"each answered, or 503 with Retry-After, within {DEADLINE_S + DEADLINE_SPARE_S:g} s",
        [told(statuses), f"slowest {slowest:.1f} s"],
        met=set(statuses) <= {*ANSWERED, AGAIN},
        watch=watch,
        figures=[
            Verdict(f"{what}: the slowest", DEADLINE_S + DEADLINE_SPARE_S, slowest, unit=" s"),
            health_figure(what, watch),
        ],
    )


# --- One sign --------------------------------------------------------------------------------------------------

STARS, NEWLINES = ("*", 16 * MB), ("\n", 8 * MB)
MOST_TIMES_CONTENT = 10


async def one_sign(stage: Stage, sign: str, size: int) -> Row:
    """Ask for a summary of a text that is one sign over and over."""
    content = sign * round(size * min(1.0, stage.scale))
    what = f"{size // MB} MB of {json.dumps(sign)}"
    async with a_service({}) as service:
        idle = resident_mb(service.running.pid)
        process_tree.forget_peak(service.running.pid)
        async with watched(service) as watch:
            result = await service.call("summarize", _arguments(content), patience_s=FREEZE_S)
            most = peak_mb(service.running.pid)
    times = (most - idle) / (len(content) / MB)
    return row(
        f"{what} to be summarized",
        f"memory above idle ≤ {MOST_TIMES_CONTENT} times the content, /health p99 ≤ 100 ms",
        [
            f"{result.status} after {result.seconds:.1f} s",
            f"memory {idle:.0f} MB idle, {most:.0f} MB at most",
        ],
        met=result.status in ANSWERED,
        watch=watch,
        figures=[
            Verdict(f"{what}: memory above idle, times the content", MOST_TIMES_CONTENT, times),
            health_figure(what, watch),
        ],
    )


# --- Bodies at once ----------------------------------------------------------------------------------------------

# How many, and bytes of each.
LARGE_BODIES, MANY_BODIES = (50, 16_700_000), (300, 250_000)

# Of a body, the rest is JSON's.
TEXT_SHARE = 0.98

# Whoever is let in is counted and passed through: what is measured is the reading, not the summarizing.
FITS = 100_000_000
BODIES_DEADLINE_S = 20.0

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


async def bodies_at_once(stage: Stage, number: int, size: int) -> Row:
    """Send more bodies at once than there is memory for."""
    content = prose(round(TEXT_SHARE * size * min(1.0, stage.scale)))
    body = request_body("summarize", {"content": content, "max_output_tokens": FITS})
    what = f"{number} bodies of {size / MB:g} MB at once"
    async with a_service({"SUMMARIZE_DEADLINE_SECONDS": f"{BODIES_DEADLINE_S:g}"}) as service:
        idle = resident_mb(service.running.pid)
        process_tree.forget_peak(service.running.pid)
        async with watched(service) as watch:
            statuses = await asyncio.gather(*(_posted(service, body) for _ in range(number)))
            most = peak_mb(service.running.pid)
    lost = sum(status not in ("answered", AGAIN) for status in statuses)
    allowed = memory_limit_mb((ROOT / "docker-compose.yml").read_text("utf-8"))
    limits = (
        []
        if allowed is None
        else [Verdict(f"{what}: memory, the limit of the container", allowed, most, unit=" MB")]
    )
    return row(
        what,
        "each answered or 503 with Retry-After, /health p99 ≤ 100 ms, memory within the container's limit",
        [
            told(statuses),
            f"memory {idle:.0f} MB idle, {most:.0f} MB at most",
            "" if allowed else "no limit is set",
        ],
        met="answered" in statuses,
        watch=watch,
        figures=[
            Verdict(f"{what}: neither answered nor told to come again", 0, lost),
            health_figure(what, watch),
            *limits,
        ],
    )


async def _posted(service: Service, body: bytes) -> str:
    """Send a body as it lies in memory, many at once; whoever is refused before its end is still told."""
    loop = asyncio.get_running_loop()
    connection = await connected(loop, service)
    sending = asyncio.gather(_sent(connection, body), return_exceptions=True)
    answer = b""
    try:
        while b"\r\n\r\n" not in answer and (part := await loop.sock_recv(connection, 65_536)):
            answer += part
        await _drained(connection, answer)
    except ConnectionError as lost:
        return f"no answer ({type(lost).__name__})"
    finally:
        sending.cancel()
        connection.close()
    return became(answer)


async def _drained(connection: socket.socket, start: bytes) -> None:
    """Read an answer to its end, as its head says, and keep none of it."""
    length = _LENGTH.search(start)
    left = int(length[1]) - len(start.partition(b"\r\n\r\n")[2]) if length else 0
    while left > 0 and (part := await asyncio.get_running_loop().sock_recv(connection, 1 << 20)):
        left -= len(part)


async def _sent(connection: socket.socket, body: bytes) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(connection, head(len(body)))
    await loop.sock_sendall(connection, body)


def became(answer: bytes) -> str:
    """Say how a request ended, by the head of its answer."""
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    status = int(found[1]) if found else NO_ANSWER
    if status == SERVICE_UNAVAILABLE and re.search(rb"\r\nretry-after:", answer, re.IGNORECASE):
        return AGAIN
    return "answered" if status == 200 else f"HTTP {status}"


def memory_limit_mb(compose: str) -> float | None:
    """Return the memory that a compose file lets the container have, in MB; None where it sets none."""
    found = re.search(
        r"^\s*(?:mem_limit|memory): *[\"']?(\d+(?:\.\d+)?) *([mg])", compose, re.IGNORECASE | re.MULTILINE
    )
    return float(found[1]) * (1 << (30 if found[2].lower() == "g" else 20)) / MB if found else None
