"""The memory of a service that summarizes one large text of one sign, where it takes most for each character."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import httpx
import pytest

from bench import process_tree
from tests.support.messages import call, modern, routing
from tests.support.service import process
from tests.test_memory_limits import WORK_FACTOR

CHARS = 4_000_000

# Two seconds of a processor for each million, and as much again for a busy machine, many times over.
PATIENCE_SECONDS = 600.0


# What the first calls load stays (8 to 10 MB), and counting tokens takes some megabytes for each thread, whatever the text's size.
SHORT_BYTES, MOST_FOR_SHORT = 1_000_000, 20_000_000


def memory_taken(content: str) -> int:
    """Return by how much a call made the memory of a new process grow at the most, in bytes."""
    message = modern("tools/call", call("summarize", content=content))
    with process({"SUMMARIZE_DEADLINE_SECONDS": "0"}) as service:
        pid = service.process.pid
        before = process_tree.resident(pid)
        process_tree.forget_peak(pid)
        answer = httpx.post(
            service.url, json=message, headers=routing(message), timeout=PATIENCE_SECONDS, trust_env=False
        )
        assert answer.json()["result"]["_meta"]["mcp-summarizer/outcome"]["status"] == "summarized"
        return process_tree.peak(pid) - before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
@pytest.mark.parametrize("sign", ["|", "*"])
def test_a_text_of_one_sign_takes_no_more_memory_than_a_container_has_for_it(sign: str) -> None:
    assert memory_taken(sign * CHARS) < WORK_FACTOR * CHARS


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
@pytest.mark.parametrize("sign", ["|", "*", "漢", "😀"])
def test_a_shorter_text_of_one_sign_takes_little_more_than_the_first_call_loads(sign: str) -> None:
    assert memory_taken(sign * (SHORT_BYTES // len(sign.encode()))) < MOST_FOR_SHORT


def records(size: int) -> str:
    """Return JSON Lines, as a program logs them."""
    lines = (
        json.dumps(
            {
                "at": f"2026-03-{1 + number % 28:02}T07:{number % 60:02}:00Z",
                "user": number,
                "ms": number * 7 % 900,
            }
        )
        for number in range(size // 60)
    )
    return "\n".join(lines)


def table(size: int) -> str:
    """Return CSV, of which each cell is a fact."""
    return "\n".join(
        ",".join(str(row * 7919 + cell * 104_729) for cell in range(12)) for row in range(size // 100)
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
@pytest.mark.parametrize("text", [records, table])
def test_records_take_no_more_memory_than_a_container_has_for_them(text: Callable[[int], str]) -> None:
    """As one text JSON took 20 to 70 times its size, and a table 20 times."""
    content = text(CHARS)
    assert memory_taken(content) < WORK_FACTOR * len(content)
