"""Records every regular expression that the service compiles, and by which methods the source uses it.

Run as a program in a fresh process: it imports each module of the project, puts some texts through it, and writes what was
compiled, and which calls of `re` in the source were never reached, to stdout as JSON. Nothing is listed by hand.
"""

from __future__ import annotations

import ast
import gc
import importlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

# How a pattern may be put to a text.
METHODS = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"})

FUNCTIONS = METHODS | {"compile"}


@dataclass
class Recorded:
    """A pattern, where it is compiled, and the methods that are called on it there."""

    pattern: str
    flags: int
    is_bytes: bool
    places: list[str]
    methods: list[str]


@dataclass(frozen=True)
class Site:
    """A call of `re` in the source. `names`: what the pattern is called from then on."""

    file: str
    first: int
    last: int
    function: str
    names: frozenset[str]

    def has(self, place: Place) -> bool:
        """Whether a line of a file is this call's."""
        return place[0] == self.file and self.first <= place[1] <= self.last

    def __str__(self) -> str:
        return f"{self.file}:{self.first} re.{self.function}"


def modules() -> list[Path]:
    """Return the files of the service's modules, wherever below the root they come to lie."""
    aside = {"tests", "bench", "scripts", "examples", "docs"}
    # Environments have ten thousands of files: none is gone through.
    rooms = (path for path in ROOT.iterdir() if path.name not in aside and not path.name.startswith("."))
    files = (file for room in rooms for file in room.rglob("*.py"))
    return sorted(path.relative_to(ROOT) for path in (*ROOT.glob("*.py"), *files))


def data() -> list[Path]:
    """Return the files that lie beside the modules in their rooms, and that these read: lists of words, the page's files and the like."""
    rooms = {path.parent for path in modules()} - {Path()} | {Path("transport/page")}
    files = (path for room in rooms for path in (ROOT / room).iterdir() if path.is_file())
    return sorted(path.relative_to(ROOT) for path in files if path.suffix != ".py")


# --- What the source says --------------------------------------------------------------------------------------


def sites(file: str, tree: ast.Module) -> Iterator[Site]:
    """Yield the calls of `re` in a module."""
    yield from _sites_below(file, tree, frozenset())


def _sites_below(file: str, node: ast.AST, names: frozenset[str]) -> Iterator[Site]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        names = frozenset({node.name})  # what calls it gets the pattern
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    if isinstance(node, ast.Call) and (function := _function_of_re(node)):
        yield Site(file, node.lineno, node.end_lineno or node.lineno, function, names)
    for child in ast.iter_child_nodes(node):
        yield from _sites_below(file, child, names)


def _function_of_re(call: ast.Call) -> str:
    called = call.func
    is_ours = (
        isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "re"
    )
    return called.attr if is_ours and isinstance(called, ast.Attribute) and called.attr in FUNCTIONS else ""


def uses(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (name, method) for each method of a pattern that a module asks of something so named, or of one of such."""
    tables: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and (table := _name_of(node.iter)):
            tables[_name_of(node.target)].add(table)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            name = _name_of(node.value)
            yield from ((each, node.attr) for each in (name, *tables[name]))


def _name_of(node: ast.expr) -> str:
    """Return the name of `NAME`, `module.NAME`, `NAME[...]` and `NAME(...)`."""
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


class Source:
    """All modules of the service, read but not run."""

    def __init__(self) -> None:
        trees = {str(path): ast.parse((ROOT / path).read_text("utf-8")) for path in modules()}
        self.sites = [site for file, tree in trees.items() for site in sites(file, tree)]
        self._uses = {file: set(uses(tree)) for file, tree in trees.items()}

    def methods(self, site: Site) -> set[str]:
        """Return the methods that are called on what a site compiles; none where the source does not tell."""
        if site.function != "compile":
            return {site.function}
        return {
            method
            for file, found in self._uses.items()
            for name, method in found
            # A private name is another one in another module.
            if name in site.names and (file == site.file or not name.startswith("_"))
        } - {"compile"}


# --- What is compiled ------------------------------------------------------------------------------------------

Place = tuple[str, int]


class Recorder:
    """Stands before `re`'s own compiler, and remembers what comes from the project's modules."""

    def __init__(self) -> None:
        self.places: dict[re.Pattern[Any], set[Place]] = defaultdict(set)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record for as long as the block lasts."""
        compiler: Callable[[Any, int], re.Pattern[Any]] = vars(re)["_compile"]
        files = {str(ROOT / path): str(path) for path in modules()}

        def record(pattern: Any, flags: int) -> re.Pattern[Any]:
            compiled = compiler(pattern, flags)
            caller = sys._getframe(2)  # behind re.compile, re.search...
            if file := files.get(caller.f_code.co_filename):
                self.places[compiled].add((file, caller.f_lineno))
            return compiled

        vars(re)["_compile"] = record
        try:
            yield
        finally:
            vars(re)["_compile"] = compiler

    def recorded(self, source: Source) -> Iterator[Recorded]:
        """Yield each pattern with where it comes from and how it is used; in any way, where the source does not tell."""
        for compiled, places in self.places.items():
            found = [site for site in source.sites if any(map(site.has, places))]
            methods = set().union(*(source.methods(site) or METHODS for site in found)) or METHODS
            text = compiled.pattern
            yield Recorded(
                text if isinstance(text, str) else text.decode("latin-1"),
                compiled.flags,
                isinstance(text, bytes),
                sorted(f"{file}:{line}" for file, line in places),
                sorted(methods),
            )


def ask_for_properties() -> None:
    """Read the properties that compile a pattern when they are first asked for, of everything that has such."""
    for thing in gc.get_objects():
        for name, member in vars(type(thing)).items():
            if isinstance(member, cached_property) and "re.Pattern" in str(
                member.func.__annotations__.get("return")
            ):
                getattr(thing, name)


def main() -> None:
    source, recorder = Source(), Recorder()
    with recorder.recording():
        for path in modules():
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
        importlib.import_module("tests.support.workload").put_texts_through()
        ask_for_properties()
    places = set().union(*recorder.places.values())
    json.dump(
        {
            "patterns": [asdict(pattern) for pattern in recorder.recorded(source)],
            "missed": [str(site) for site in source.sites if not any(map(site.has, places))],
            "unknown": [place for place in places if not any(site.has(place) for site in source.sites)],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
