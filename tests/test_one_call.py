"""One call can be followed by reading: docs/one-call.md has its stops, docs/one-gateway-call.md those of a tool of another server, and the
code names every file that it calls."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar, Token, copy_context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import mean
from types import FrameType
from typing import Any, NamedTuple, TypeVar

import pytest

from concurrency.worker_threads import WorkerThreads
from config import settings
from summarizing.chunk_plan import PromptCosts
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary
from tests.gateway.test_gateway import LONG, Client, one_server
from tests.support.documents import sections
from tests.support.messages import call, modern, routing
from tests.support.recording import modules
from tests.support.service import ROOT, prose, running, with_model
from tests.support.stand_in import StandIn
from tests.support.stand_in_answers import Summarizes
from tests.support.upstream_stand_in import text_result

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

PAGE = ROOT / "docs" / "one-call.md"
GATEWAY_PAGE = ROOT / "docs" / "one-gateway-call.md"
both_pages = pytest.mark.parametrize("page", [PAGE, GATEWAY_PAGE], ids=["summarize", "gateway"])

T = TypeVar("T")

Stop = tuple[str, str]
"""A file, and the qualified name of a function in it."""

_ROW = re.compile(r"^\| (\d+) \| \[([\w/.]+)\]\(\.\./\2\) \| ([^|]+) \|", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
# A name, or a setting with its value.
_NAME = re.compile(r"([A-Za-z_][\w.<>]*)(?:=\w+)?")
_NAMES_OF_OTHERS = {"time.monotonic"}
_PATH = re.compile(r"(?<![\w./])\w[\w/]*\.py")


def rows(page: Path) -> list[tuple[int, str, list[str]]]:
    """Return the numbered rows of a page: number, file, functions."""
    found = _ROW.findall(page.read_text("utf-8"))
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


class At(NamedTuple):
    """A file that is at work, and the object whose method of it is; None where it is no method's."""

    file: str
    of: object = None


ABOVE: ContextVar[tuple[At, ...]] = ContextVar("ABOVE", default=())
"""What was at work, the nearest first, where the present task or the work of a thread was begun."""

WORKERS = "concurrency/worker_threads.py"
# A function that is given to one of these is read where it is given.
CARRIERS = frozenset((WORKERS, "summarizing/cpu_work.py", "summarizing/offload.py"))

Call = tuple[str, str, str]
"""A calling file, and the file and the function that it calls."""


@dataclass
class Recorded:
    """The functions of this project that were called, each at its first call; and for each call into another file, who called."""

    order: dict[Stop, None] = field(default_factory=dict)
    callers: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By the calling and the called file: all files that were at work above them."""
    calls: set[Call] = field(default_factory=set)
    """Calls into another file; what a worker is given is called where it is given (CARRIERS)."""
    given_away: set[Stop] = field(default_factory=set)
    """The methods that a worker was given of an object that was at work above."""
    is_on: bool = False
    _carried: list[Token[tuple[At, ...]]] = field(default_factory=list)

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        if frame.f_code is WorkerThreads.__call__.__code__:
            self._carry(frame, event)
        called = file_of(frame) if self.is_on and event == "call" else ""
        if not called:
            return
        function = frame.f_code.co_qualname
        self.order.setdefault((called, function))
        # What a worker is given runs below a function of its own, which is no caller.
        direct = [file for file in map(file_of, frames_above(frame)) if file not in {"", WORKERS}]
        if direct and direct[0] != called:
            self.callers.setdefault((direct[0], called), set()).update(direct)
        begun_by = [at.file for at in ABOVE.get()]
        # Else a callback, which nothing of ours calls: it runs when what it waited for is done.
        if direct or begun_by[:1] == [WORKERS] or frame.f_code.co_flags & inspect.CO_COROUTINE:
            self._note_call(frame, called, [*direct, *begun_by])

    def _note_call(self, frame: FrameType, called: str, above: Sequence[str]) -> None:
        readable = [file for file in above if file not in CARRIERS]
        if not readable or called in CARRIERS:
            return
        if called != readable[0]:
            self.calls.add((readable[0], called, frame.f_code.co_qualname))
        if above[0] in CARRIERS and any(at.of is object_of(frame) for at in at_work_above(frame) if at.of):
            self.given_away.add((called, frame.f_code.co_qualname))

    def _carry(self, frame: FrameType, event: str) -> None:
        """Let what a worker is given know, in its thread, what is at work above it."""
        if event == "call":
            self._carried.append(ABOVE.set((At(file_of(frame)), *at_work_above(frame))))
        elif event == "return":
            ABOVE.reset(self._carried.pop())

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch this thread and those that begin now, and the tasks of this loop, while `is_on`."""
        loop = asyncio.get_running_loop()
        before, before_in_threads = sys.getprofile(), threading.getprofile()
        loop.set_task_factory(_linked_task)
        sys.setprofile(self.profile)
        threading.setprofile(self.profile)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(before_in_threads)
            loop.set_task_factory(None)


def _linked_task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, T] | Generator[Any, None, T],
    context: Context | None = None,
    **options: Any,
) -> asyncio.Future[T]:
    """Return a task that knows what was at work where it was begun."""
    context = context or copy_context()
    begun_by = tuple(at for at in at_work_above(sys._getframe()) if at.file not in CARRIERS)
    context.run(ABOVE.set, begun_by)
    return asyncio.Task(work, loop=loop, context=context, **options)


def at_work_above(frame: FrameType) -> tuple[At, ...]:
    """Return what is at work above a frame, the nearest first, also across the beginnings of tasks and threads."""
    direct = (At(file, object_of(each)) for each in frames_above(frame) if (file := file_of(each)))
    return (*direct, *ABOVE.get())


def object_of(frame: FrameType) -> object:
    """Return the object whose method a frame is; None of any other function."""
    names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    return frame.f_locals["self"] if names[:1] == ("self",) and "self" in frame.f_locals else None


def frames_above(frame: FrameType) -> Iterator[FrameType]:
    above = frame.f_back
    while above is not None:
        yield above
        above = above.f_back


def file_of(frame: FrameType) -> str:
    """Return the module of ours that a frame is in; "" where it is in none."""
    return FILES.get(frame.f_code.co_filename, "")


FILES = {str(ROOT / path): path.as_posix() for path in modules()}


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return asyncio.run(record_a_call(paragraphs=60, target=300))


@pytest.fixture(scope="module")
def recorded_with_threads() -> Recorded:
    """A call with 4,100 tokens, to 500: more characters than are worked on without a thread (INLINE_CHARS).

    A few more than on the page: two prompts are within 15 % of them whatever marker they have.
    """
    return asyncio.run(record_a_call(paragraphs=218, target=500))


async def record_a_call(paragraphs: int, target: int) -> Recorded:
    """Call `summarize` with a model and several chunks, over the socket."""
    arguments = call("summarize", content=prose(paragraphs), max_output_tokens=target, focus_areas="boats")
    message = modern("tools/call", arguments)
    tokenizer, found = load_tokenizer(read_vocabulary()), Recorded()
    async with StandIn([Summarizes()]) as model:
        with found.watching():
            async with running(tokenizer, with_model(model)) as service:
                found.is_on = True
                answer = await service.post_modern(message)
                found.is_on = False
    assert answer.json()["result"]["_meta"]["mcp-summarizer/outcome"]["llm_calls"] > 1
    return found


@pytest.fixture(scope="module")
def recorded_through_the_gateway() -> Recorded:
    return asyncio.run(record_a_gateway_call())


@pytest.fixture(scope="module")
def recorded_without_a_timeline() -> Recorded:
    """A call of which no notes are worked through: when that happens does not follow from the call."""
    return asyncio.run(record_a_gateway_call(MAX_TIMELINE_BYTES="0"))


async def record_a_gateway_call(**settings: str) -> Recorded:
    """Call a tool of a server that is ready, whose result is too long, by a choice of servers that was not made before."""
    asking = modern("tools/call", call("k8s__pods", summary_focus="crashed pods"))
    tokenizer, found = load_tokenizer(read_vocabulary()), Recorded()
    results = (text_result(LONG[:8_000]),)
    rules = {"summarization": {"size_threshold_tokens": 1_000}}
    async with StandIn([Summarizes()]) as model:
        with found.watching():
            async with one_server(
                tokenizer, *results, rules=rules, settings=with_model(model, **settings)
            ) as (client, _):
                await Client(client.service, "?tools=search").tools()
                found.is_on = True
                answer = await client.post(asking, **routing(asking))
                found.is_on = False
    assert answer.json()["result"]["_meta"]["mcp-summarizer/outcome"]["status"] == "summarized"
    return found


@pytest.mark.parametrize(
    "page, fixture",
    [
        (PAGE, "recorded"),
        (PAGE, "recorded_with_threads"),
        (GATEWAY_PAGE, "recorded_without_a_timeline"),
    ],
    ids=["short", "with threads", "gateway"],
)
def test_the_stops_of_the_page_are_those_of_a_call_in_its_order(
    page: Path, fixture: str, request: pytest.FixtureRequest
) -> None:
    calls = list(request.getfixturevalue(fixture).order)
    stops = [(file, function) for _, file, functions in rows(page) for function in functions]
    assert len(stops) > 30
    assert [stop for stop in stops if stop not in calls] == []
    assert stops == sorted(stops, key=calls.index)


_UPWARD = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.<>]+)` \(`([\w/]+\.py)`\) \|", re.MULTILINE)


def declared_on(*pages: Path) -> set[Call]:
    """Return the calls that pages declare to go back up."""
    found = [row for page in pages for row in _UPWARD.findall(sections(page)["What goes back up"])]
    return {(caller, called, function) for caller, function, called in found}


def turning_back(calls: set[Call], declared: set[Call]) -> list[Call]:
    """Return the calls between files that lead in a circle, by others that are not declared."""
    left, called_by = calls - declared, defaultdict[str, set[str]](set)
    for caller, called, _ in left:
        called_by[caller].add(called)

    def reached_from(file: str) -> set[str]:
        reached, waiting = set[str](), [file]
        while waiting:
            new = called_by[waiting.pop()] - reached
            reached |= new
            waiting += new
        return reached

    reached = {file: reached_from(file) for file in list(called_by)}
    return sorted(call for call in left if call[0] in reached.get(call[1], ()))


each_recorded_call = pytest.mark.parametrize(
    "pages, fixture",
    [
        ([PAGE], "recorded"),
        ([PAGE], "recorded_with_threads"),
        ([PAGE, GATEWAY_PAGE], "recorded_through_the_gateway"),
    ],
    ids=["short", "with threads", "gateway"],
)


@each_recorded_call
def test_nothing_but_what_the_page_declares_goes_back_up(
    pages: Sequence[Path], fixture: str, request: pytest.FixtureRequest
) -> None:
    recorded = request.getfixturevalue(fixture)
    assert len(recorded.calls) > 300
    assert turning_back(recorded.calls, declared_on(*pages)) == []
    assert recorded.given_away == set()


@each_recorded_call
def test_what_the_page_declares_to_go_back_up_is_called(
    pages: Sequence[Path], fixture: str, request: pytest.FixtureRequest
) -> None:
    declared = declared_on(pages[-1])
    assert len(declared) > 3
    assert declared - request.getfixturevalue(fixture).calls == set()


def test_a_call_that_turns_back_is_found(recorded: Recorded) -> None:
    back = "summarizing/model_calls.py", "summarizer.py", "Summarizer.summarize"
    found = turning_back({*recorded.calls, back}, declared_on(PAGE))
    assert back in found
    assert ("summarizer.py", "summarizing/model_calls.py", "ModelCalls.__init__") in found


@pytest.mark.parametrize("fixture", ["recorded", "recorded_through_the_gateway"])
def test_a_file_that_is_called_is_named_by_its_caller_or_on_the_way_to_it(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    recorded = request.getfixturevalue(fixture)
    assert len(recorded.callers) > 150
    assert unnamed(recorded, text_of) == []


def test_a_call_into_a_file_that_nothing_names_is_found(recorded: Recorded) -> None:
    def without_a_name(file: str) -> str:
        return (
            text_of(file).replace("protocol/context.py", "")
            if file == "summarizing/progress.py"
            else text_of(file)
        )

    assert ("summarizing/progress.py", "protocol/context.py") in recorded.callers
    assert unnamed(recorded, without_a_name) == ["summarizing/progress.py -> protocol/context.py"]


@cache
def text_of(file: str) -> str:
    return (ROOT / file).read_text("utf-8")


def unnamed(recorded: Recorded, text: Callable[[str], str]) -> list[str]:
    """Return the calls whose file is neither named in the calling one, nor in one that it imports, nor in one above it."""
    return [
        f"{caller} -> {called}"
        for (caller, called), above in recorded.callers.items()
        if called not in above and not any(names(text(file), file, called) for file in {caller, *above})
        if not any(names(text(file), file, called) for file in imports_of(text(caller)))
    ]


def names(text: str, file: str, other: str) -> bool:
    """Whether the text of a file imports another one, or has its path; in its own room, its name is enough."""
    module = other.removesuffix(".py").replace("/", ".")
    room, _, name = module.rpartition(".")
    is_imported = re.search(
        rf"\b(?:import|from) {re.escape(module)}\b|\bfrom {re.escape(room)} import .*\b{name}\b", text
    )
    is_beside = Path(file).parent == Path(other).parent
    return bool(is_imported) or other in text or (is_beside and Path(other).name in text)


def imports_of(text: str) -> list[str]:
    found = re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE)
    return [
        path for path in (f"{module.replace('.', '/')}.py" for module in found) if (ROOT / path).is_file()
    ]


def test_a_prompt_without_its_content_has_as_many_tokens_as_the_page_says() -> None:
    tokenizer = load_tokenizer(read_vocabulary())
    # The marker around the content follows from the key: each service has another.
    keys = [bytes([number]) * 16 for number in range(20)]
    costs = [PromptCosts.of(Prompts.load(key=key), Query(), tokenizer, percent=15) for key in keys]
    counts = [each.tokens_of_prompts([()]) for each in costs]
    said = re.findall(
        r"A prompt without its content has about (\d+) tokens \(up to (\d+) more", text_of("docs/one-call.md")
    )
    assert [int(about) for about, _ in said] == [round(mean(counts), -1)]
    assert all(abs(count - int(about)) <= int(most) for about, most in said for count in counts)


@both_pages
def test_the_stops_are_numbered_one_by_one_and_those_referred_to_exist(page: Path) -> None:
    numbers = [number for number, _, _ in rows(page)]
    assert numbers == list(range(1, len(numbers) + 1))
    text = page.read_text("utf-8")
    assert {int(number) for number in re.findall(r"\bstop (\d+)", text)} <= set(numbers)


def test_the_stops_of_the_other_page_that_the_gateways_refers_to_are_what_it_says() -> None:
    functions = {number: names for number, _, names in rows(PAGE)}
    assert "Endpoint._admit" in functions[3]
    assert "BodyReader.read" in functions[4]
    assert "answer" in functions[12]
    assert "Summarizer.summarize" in functions[18]
    assert functions[50] == ["compose_outcome"]
    assert functions[53] == ["_stamp"]
    assert "Sender.send_reply" in functions[55]


def test_what_stands_behind_an_interface_exists_where_the_page_says() -> None:
    table = sections(PAGE)["What stands behind an interface"]
    pairs = re.findall(r"`([\w.]+)` \(`([\w/]+\.py)`\)", table)
    assert len(pairs) > 8
    assert [(name, file) for name, file in pairs if name not in names_of(file)] == []


def parameters_and_fields(tree: ast.AST) -> Iterator[str]:
    """Yield what else code names: parameters, and what is assigned or declared in a module or a class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.Module | ast.ClassDef):
            within = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            targets: list[ast.expr] = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
            targets += [
                target for each in node.body if isinstance(each, ast.Assign) for target in each.targets
            ]
            yield from (f"{within}{each.id}" for each in targets if isinstance(each, ast.Name))


@cache
def all_names() -> frozenset[str]:
    """Return the names that our code and its settings have, with and without their class."""
    found = {setting.name for setting, _ in settings()}
    for path in modules():
        found |= names_of(path.as_posix())
        found.update(parameters_and_fields(ast.parse(text_of(path.as_posix()))))
    return frozenset(found | {name.rpartition(".")[2] for name in found})


def unknown_names(page: str) -> list[str]:
    """Return the names of a page, in code marks, that no code of ours has."""
    named = (match[1] for match in map(_NAME.fullmatch, _CODE.findall(page)) if match)
    return [name for name in named if name not in all_names() | _NAMES_OF_OTHERS and not name.endswith(".py")]


@both_pages
def test_every_name_on_the_page_is_one_of_the_code(page: Path) -> None:
    assert unknown_names(page.read_text("utf-8")) == []


def test_a_name_that_the_code_has_not_is_found() -> None:
    assert unknown_names(
        "`Endpoint.handle` of `nowhere.py` calls `Endpoint.nowhere`, `no_name`, `MAX_TASKS=0`, `NO_SETTING=0`"
    ) == [
        "Endpoint.nowhere",
        "no_name",
        "NO_SETTING",
    ]


@both_pages
def test_every_file_that_the_page_names_exists(page: Path) -> None:
    named = set(_PATH.findall(page.read_text("utf-8")))
    assert len(named) > 30
    assert [file for file in sorted(named) if not (ROOT / file).is_file()] == []
