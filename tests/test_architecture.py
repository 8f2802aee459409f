"""Which room may import which, read from the imports themselves."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.recording import modules
from tests.support.service import ROOT

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

# A room, or a single module, and what it may import of ours beside itself. What ends in a star means the rooms below too.
MAY_IMPORT = {
    "summarizing.text": ["summarizing.text.*"],
    "summarizing.text.language": ["summarizing.text.lines", "summarizing.text.data_files"],
    "summarizing.text.html": ["summarizing.text"],
    "summarizing.text.json": ["summarizing.text", "summarizing.text.language"],
    "summarizing.text.blocks": ["summarizing.text", "summarizing.text.language", "summarizing.text.html"],
    "summarizing.text.headings": ["summarizing.text", "summarizing.text.language", "summarizing.text.blocks"],
    "summarizing.text.formats": [
        "summarizing.text",
        "summarizing.text.language",
        "summarizing.text.blocks",
        "summarizing.text.headings",
    ],
    "summarizing.facts": ["summarizing.text.*"],
    "summarizing.sanitizing": ["summarizing.text.*"],
    "summarizing.relevance": ["summarizing.text.*"],
    "summarizing.extractive": ["summarizing.text.*", "summarizing.facts", "summarizing.relevance"],
    "summarizing.faithfulness": [
        "summarizing.text.*",
        "summarizing.facts",
        "summarizing.relevance",
        "summarizing.extractive",
        "summarizing.sanitizing",  # a model's answer is freed of hidden text as the content was
    ],
    "chunking": ["summarizing.text.*"],
    "summarizing": [
        "summarizing.*",
        "chunking",
        "concurrency",
        "provider.model",
        "observability.traceback_release",
    ],
    "concurrency": [],
    "observability": [],
    "settings": [],
    "storage": ["concurrency"],
    "protocol": ["observability.tracing"],
    "provider": ["concurrency", "observability.tracing", "observability.traceback_release"],
    "config": ["settings"],
    "llm": ["config", "provider", "observability.tracing"],
    "mcp_protocol": ["protocol", "observability.tracing"],
    "summarizer": ["config", "chunking", "provider", "summarizing.*", "observability.traceback_release"],
    "tools": ["summarizer", "summarizing.*", "storage", "protocol"],
    "command_line": [
        "concurrency",
        "config",
        "llm",
        "settings",
        "summarizer",
        "summarizing.*",
        "tools",
        "web_tools",
    ],
    "gateway": [
        "gateway.*",
        "concurrency",
        "protocol",
        "settings",
        "storage",
        "summarizer",
        "summarizing.*",
        "tools",
    ],
    "gateway.compaction": ["summarizing.text.*"],
    "gateway.masking": ["settings", "protocol.text_joining", "tools.placeholders"],
    "gateway.timeline": [
        "gateway",
        "concurrency",
        "protocol",
        "storage",
        "summarizing",
        "summarizing.text",
        "tools",
    ],
    "gateway_service": [
        "gateway",
        "gateway.timeline",
        "concurrency",
        "config",
        "observability",
        "protocol",
        "settings",
        "summarizer",
        "summarizing",
        "summarizing.text",
        "tools",
        "transport",
    ],
    "gateway.upstream": ["gateway", "concurrency", "protocol", "provider"],
    "web_service": [
        "web_tools",
        "config",
        "observability",
        "protocol",
        "settings",
        "storage",
        "summarizing",
        "summarizing.text",
        "tools",
    ],
    "web_tools": [
        "web_tools.*",
        "chunking",
        "concurrency",
        "protocol",
        "provider",
        "settings",
        "storage",
        "summarizer",
        "summarizing.*",
        "tools",
    ],
    "web_tools.fetching": ["web_tools", "concurrency", "provider"],
    "web_tools.extraction": ["web_tools", "summarizing.text.*"],
    "web_tools.page_store": ["web_tools", "concurrency", "storage"],
    "web_tools.search": ["web_tools", "provider", "protocol.json_parsing"],
    "transport": ["concurrency", "mcp_protocol", "protocol", "observability"],
    "app": ["*"],
}

# Packages that only some rooms may import.
RESTRICTED = {
    "aiohttp": {"transport", "app", "gateway.upstream", "gateway_service", "web_tools.fetching"},
    "httpx": {"llm", "provider", "gateway.upstream", "web_tools", "web_tools.fetching", "web_tools.search"},
    "brotli": {"web_tools.fetching"},
    "backports": {"web_tools.fetching"},
    "resiliparse": {"web_tools.extraction"},
    "pypdf": {"web_tools.extraction"},
    "playwright": {"web_tools.extraction"},
    "duckdb": {"web_tools.page_store"},
    "sqlite3": {"storage", "gateway.timeline"},
    "tiktoken": {"summarizing.text"},
}

MOST_MODULES_AT_THE_TOP = 8

Imports = Mapping[str, set[str]]
"""What each module imports: modules of ours by their full names, packages of others by their first."""


def name_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def room_of(module: str, ours: Mapping[str, str]) -> str:
    """Return the package that a module stands in; of a module at the top, itself."""
    return module if f"{module}.__init__" in ours else module.rpartition(".")[0] or module


def is_program_guard(node: ast.AST) -> bool:
    """Whether this is `if __name__ == "__main__"`: what it imports belongs to the program, not to the module."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def imported(tree: ast.AST, known: frozenset[str]) -> Iterator[str]:
    """Yield what a module imports, wherever in it."""
    for node in ast.iter_child_nodes(tree):
        if is_program_guard(node):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, ast.unparse(node)
            full = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else str(node.module) for name in full)
        yield from imported(node, known)


def sources() -> dict[str, str]:
    """Return the text of each of our modules; a package's own is under the name that ends in `__init__`."""
    return {".".join(path.with_suffix("").parts): (ROOT / path).read_text("utf-8") for path in modules()}


@cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def imported_by(text: str, known: frozenset[str]) -> frozenset[str]:
    return frozenset(imported(parsed(text), known))


def imports_of(texts: Mapping[str, str]) -> Imports:
    known = frozenset(name for name in texts if not name.endswith("__init__"))
    found = {name: imported_by(texts[name], known) for name in known}
    return {
        name: {each if each in known else each.partition(".")[0] for each in names}
        for name, names in found.items()
    }


def allows(allowed: str, module: str, room: str) -> bool:
    if allowed.endswith("*"):
        return module.startswith(allowed.removesuffix("*"))
    return allowed in (module, room)


def violations(texts: Mapping[str, str]) -> list[str]:
    """Return each import that no direction allows, as "importer -> imported"."""
    imports, found = imports_of(texts), []
    for name, targets in imports.items():
        room = room_of(name, texts)
        for target in targets:
            if target in imports:
                other = room_of(target, texts)
                fine = other == room or any(allows(each, target, other) for each in MAY_IMPORT[room])
            else:
                fine = target not in RESTRICTED or room in RESTRICTED[target]
            found += [] if fine else [f"{name} -> {target}"]
    return sorted(found)


def cycle(imports: Imports) -> list[str]:
    """Return a cycle of imports, the first module again at its end; empty where there is none."""
    graph = {name: {target for target in targets if target in imports} for name, targets in imports.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_import_goes_in_a_direction_that_is_allowed() -> None:
    texts = sources()
    assert len(texts) > 100
    assert violations(texts) == []


def test_no_module_imports_itself_over_others() -> None:
    assert cycle(imports_of(sources())) == []


def test_every_room_has_its_directions() -> None:
    texts = sources()
    assert {room_of(name, texts) for name in texts} == set(MAY_IMPORT)


@pytest.mark.parametrize(
    "module, line, fault",
    [
        (
            "summarizing.text.chunk_blocks",
            "from summarizing.facts import fact_finder",
            "summarizing.facts.fact_finder",
        ),
        ("summarizing.map_reduce", "    from llm import ChatModel", "llm"),
        ("protocol.messages", "import mcp_protocol", "mcp_protocol"),
        ("transport.health", "from tools.handlers import Tools", "tools.handlers"),
        ("storage.originals", "import app", "app"),
        ("gateway.upstream.session", "from transport import health", "transport.health"),
        ("tools.handlers", "import aiohttp.web", "aiohttp"),
        ("observability.metrics", "from httpx import Client", "httpx"),
    ],
)
def test_a_planted_import_is_found(module: str, line: str, fault: str) -> None:
    texts = sources()
    planted = f"{texts[module]}\nif True:\n    {line.strip()}\n"
    assert violations({**texts, module: planted}) == [f"{module} -> {fault}"]


def test_a_planted_cycle_is_found() -> None:
    texts = sources()
    texts["summarizing.text.headings.finding"] += "\nimport summarizing.text.parsing\n"
    found = cycle(imports_of(texts))
    assert {"summarizing.text.headings.finding", "summarizing.text.parsing"} <= set(found)


def test_the_environment_is_read_by_programs_alone() -> None:
    readers = {name for name, text in sources().items() if "os.environ" in text or "os.getenv" in text}
    assert readers <= {"app", "command_line.cli", "gateway.upstream.process_guard"}


def test_at_the_top_stand_few_modules_and_every_room_says_in_one_sentence_what_it_is() -> None:
    texts = sources()
    assert len([name for name in texts if "." not in name]) <= MOST_MODULES_AT_THE_TOP
    for name in texts:
        if name.endswith(".__init__"):
            (sentence,) = ast.parse(texts[name]).body
            assert isinstance(sentence, ast.Expr), name
            said = ast.literal_eval(sentence.value)
            assert "\n" not in said, name
            assert said.endswith("."), name


def shared_class_names(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return each public class name that several modules define, with these modules."""
    where: dict[str, list[str]] = {}
    for module, text in texts.items():
        for node in parsed(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where.setdefault(node.name, []).append(module)
    return {name: found for name, found in where.items() if len(found) > 1}


def test_no_two_modules_have_a_public_class_of_the_same_name() -> None:
    assert shared_class_names(sources()) == {}


def test_a_planted_second_class_of_a_name_is_found() -> None:
    texts = sources()
    texts["chunking"] += "\nclass Outcome:\n    pass\n"
    assert shared_class_names(texts) == {"Outcome": ["chunking", "summarizing.outcome"]}


# --- Who writes what -------------------------------------------------------------------------------------------

# Methods that change what they are called on.
MUTATORS = {"add", "append", "clear", "discard", "extend", "insert", "pop", "remove", "setdefault", "update"}


def written_attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Yield each attribute that a module assigns, deletes, or changes by a method of what it holds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            yield from [node.value] if isinstance(node.value, ast.Attribute) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            held = node.func.value
            if node.func.attr in MUTATORS and isinstance(held, ast.Attribute):
                yield held


@cache
def writes_of(text: str) -> tuple[ast.Attribute, ...]:
    return tuple(written_attributes(parsed(text)))


@cache
def own_fields(text: str) -> frozenset[str]:
    """Return the fields that the classes of a module declare, or set on themselves."""
    classes = [node for node in ast.walk(parsed(text)) if isinstance(node, ast.ClassDef)]
    declared = (node.target for each in classes for node in each.body if isinstance(node, ast.AnnAssign))
    on_self = frozenset(each.attr for each in writes_of(text) if is_of_self(each))
    return on_self | {target.id for target in declared if isinstance(target, ast.Name)}


def is_of_self(attribute: ast.Attribute) -> bool:
    return ast.unparse(attribute.value) == "self"


def foreign_writes(texts: Mapping[str, str]) -> list[str]:
    """Return each field of a class of ours that another module than its own writes, as "module: what"."""
    fields = {name: own_fields(text) for name, text in texts.items()}
    # Every exception has `args`, and aiohttp's responses a `content_type`; dataclasses of ours have them, too.
    ours = frozenset[str]().union(*fields.values()) - {"args", "content_type"}
    found = []
    for name, text in texts.items():
        written = [each for each in writes_of(text) if not is_of_self(each)]
        found += [f"{name}: {ast.unparse(each)}" for each in written if each.attr in ours - fields[name]]
    return sorted(found)


def test_what_an_object_holds_is_written_by_its_own_module_alone() -> None:
    assert foreign_writes(sources()) == []


@pytest.mark.parametrize(
    "module, line, fault",
    [
        ("summarizer", "job.steps._done = 1", "job.steps._done"),
        ("summarizing.map_reduce", "self._calls._is_late = True", "self._calls._is_late"),
        ("summarizing.map_reduce", "self._writer.dropped += 1", "self._writer.dropped"),
        ("summarizing.model_writer", "calls._failures.append(1)", "calls._failures"),
        ("summarizing.text.formats.source_code", "builder._block += 1", "builder._block"),
        ("llm", "self.usage.failures['timeout'] = 1", "self.usage.failures"),
    ],
)
def test_a_planted_write_is_found(module: str, line: str, fault: str) -> None:
    texts = sources()
    planted = f"{texts[module]}\ndef planted(self, job, calls):\n    {line}\n"
    assert foreign_writes({**texts, module: planted}) == [f"{module}: {fault}"]
