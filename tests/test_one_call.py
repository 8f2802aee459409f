"""docs/one-call.md: its stops are those of a real call, in the order in which the call makes them."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from summarizing.text.tokenizer import Tokenizer
from tests.support.documents import sections
from tests.support.messages import call, modern
from tests.support.service import ROOT, prose, running, with_model
from tests.support.stand_in import StandIn, Summarizes

PAGE = ROOT / "docs" / "one-call.md"

Stop = tuple[str, str]
"""A file, and the qualified name of a function in it."""

_ROW = re.compile(r"^\| (\d+) \| \[([\w/.]+)\]\(\.\./\2\) \| ([^|]+) \|", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"(?<![\w./])\w[\w/]*\.py")


def rows() -> list[tuple[int, str, list[str]]]:
    """Return the numbered rows of the page: number, file, functions."""
    found = _ROW.findall(PAGE.read_text("utf-8"))
    return [(int(number), file, _CODE.findall(functions)) for number, file, functions in found]


def names_in(tree: ast.AST, within: str = "") -> Iterator[str]:
    """Yield the qualified names of the classes, functions and methods under a node."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield within + node.name
            yield from names_in(node, f"{within}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield within + node.name
            yield from names_in(node, f"{within}{node.name}.<locals>.")


@cache
def names_of(file: str) -> frozenset[str]:
    return frozenset(names_in(ast.parse((ROOT / file).read_text("utf-8"))))


@contextmanager
def recorded_calls() -> Iterator[list[Stop]]:
    """Record the functions of this project that are called, in this thread and in new ones, each at its first call."""
    order: dict[Stop, None] = {}
    root = f"{ROOT}/"

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root):
            order.setdefault((code.co_filename.removeprefix(root), code.co_qualname))

    calls: list[Stop] = []
    before, before_in_threads = sys.getprofile(), threading.getprofile()
    sys.setprofile(profile)
    threading.setprofile(profile)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        threading.setprofile(before_in_threads)
        calls += order


async def test_the_stops_of_the_page_are_those_of_a_call_in_its_order(tokenizer: Tokenizer) -> None:
    message = modern(
        "tools/call", call("summarize", content=prose(60), max_output_tokens=300, focus_areas="boats")
    )
    with recorded_calls() as calls:
        async with (
            StandIn([Summarizes()]) as model,
            running(tokenizer, with_model(model)) as service,
        ):
            answer = await service.post_modern(message)
    assert answer.json()["result"]["_meta"]["mcp-summarizer/outcome"]["llm_calls"] > 1
    stops = [(file, function) for _, file, functions in rows() for function in functions]
    assert len(stops) > 50
    assert [stop for stop in stops if stop not in calls] == []
    assert stops == sorted(stops, key=calls.index)


def test_the_stops_are_numbered_one_by_one_and_those_referred_to_exist() -> None:
    numbers = [number for number, _, _ in rows()]
    assert numbers == list(range(1, len(numbers) + 1))
    text = PAGE.read_text("utf-8")
    assert {int(number) for number in re.findall(r"\bstop (\d+)", text)} <= set(numbers)


def test_what_stands_behind_an_interface_exists_where_the_page_says() -> None:
    table = sections(PAGE)["What stands behind an interface"]
    pairs = re.findall(r"`([\w.]+)` \(`([\w/]+\.py)`\)", table)
    assert len(pairs) > 8
    assert [(name, file) for name, file in pairs if name not in names_of(file)] == []


def test_every_file_that_the_page_names_exists() -> None:
    named = set(_PATH.findall(PAGE.read_text("utf-8")))
    assert len(named) > 30
    assert [file for file in sorted(named) if not (ROOT / file).is_file()] == []
