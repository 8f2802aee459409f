"""The memory that the examples give a container holds what the settings let into it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from config import Config
from tests.support.service import ROOT

MIB = 1024 * 1024
UNITS = {"m": MIB, "g": 1024 * MIB, "Mi": MIB, "Gi": 1024 * MIB}

# The process before its first request takes 75 MiB; the C library keeps some of what is freed.
AT_REST_BYTES = 128 * MIB

# What a text at work takes at most, in bytes of memory for each of its own.
WORK_FACTOR = 10

FILES = {
    "docker-compose.yml": r"^    mem_limit: (\d+)([a-zA-Z]+)$",
    "examples/replicas/compose.yml": r"^  mem_limit: (\d+)([a-zA-Z]+)$",
    "examples/kubernetes-sidecar.yaml": r"limits: \{memory: (\d+)([a-zA-Z]+)\}$",
    "examples/replicas/kubernetes.yaml": r"limits: \{memory: (\d+)([a-zA-Z]+)\}$",
}


def originals_in_memory(text: str) -> int:
    """Return how many bytes of originals a container keeps in memory."""
    if re.search(r"^ +STORAGE_DIRECTORY: /", text, re.MULTILINE):
        return 0
    given = re.search(r'MAX_ORIGINALS_BYTES, value: "(\d+)"', text)
    return int(given[1]) if given else Config().max_originals_bytes


@pytest.mark.parametrize("name", FILES)
def test_the_memory_of_a_container_fits_the_budget_of_bytes(name: str) -> None:
    text, config = (ROOT / name).read_text("utf-8"), Config()
    ((amount, unit),) = re.findall(FILES[name], text, re.MULTILINE)
    kept = config.answer_cache_bytes + originals_in_memory(text)
    # Once more: small bodies that are being received have as large a budget of their own.
    needed = AT_REST_BYTES + (WORK_FACTOR + 1) * config.max_bytes_under_way + kept
    assert needed <= int(amount) * UNITS[unit] <= 1.5 * needed
    assert f"10 times MAX_BYTES_UNDER_WAY ({config.max_bytes_under_way // MIB} MiB)" in text


def test_only_what_keeps_originals_in_memory_is_given_room_for_them() -> None:
    kept = [name for name in FILES if originals_in_memory((ROOT / name).read_text("utf-8"))]
    assert kept == ["docker-compose.yml", "examples/kubernetes-sidecar.yaml"]


# Makes and frees blocks as the reading of a large text does, with small ones between them that stay; prints by how much it grew.
FREEING = """
import resource, sys
from transport.process import return_freed_memory

def resident():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()

if "returning" in sys.argv:
    return_freed_memory()
before, kept = resident(), []
for megabytes in (16, 16, 8, 8, 8, 3, 3, 3):
    blocks = [b"x" * size for _ in range(2) for size in (megabytes << 20, 50_000)]
    kept += blocks[1::2]
    del blocks
print(resident() - before)
"""


def growth(*arguments: str, script: str = FREEING) -> int:
    """Return by how many bytes a process has grown that made large blocks and freed them."""
    command = [sys.executable, "-c", script, *arguments]
    return int(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


# Makes and frees blocks as bodies of many small requests are, with small ones between them that stay.
FREEING_MANY = """
import resource, sys
from transport.process import collect_garbage, return_freed_memory

def resident():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * resource.getpagesize()

return_freed_memory()
before = resident()
blocks = [b"x" * size for _ in range(400) for size in (200_000, 2_000)]
kept = blocks[1::2]
del blocks
if "collecting" in sys.argv:
    collect_garbage()
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
def test_memory_that_many_small_requests_took_goes_back_with_the_next_full_collection() -> None:
    assert growth("collecting", script=FREEING_MANY) < 8 * MIB
    assert growth(script=FREEING_MANY) > 60 * MIB


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
def test_memory_that_a_large_text_took_goes_back_to_the_system() -> None:
    assert growth("returning") < 4 * MIB < growth()
