"""Who takes part, how each is started, and which era it is asked in."""

from dataclasses import dataclass, replace
from pathlib import Path

from bench.http.processes import ROOT
from bench.http.requests import LEGACY, MODERN

OURS, OURS_LEGACY = "mcp-summarizer", "mcp-summarizer, legacy"
BARE, READY = "bare aiohttp handler", "bare aiohttp handler, answer ready"
MCP1, MCP2, MCP2_LEGACY = "mcp 1.26 FastMCP", "mcp 2.3", "mcp 2.3, legacy"
FASTMCP4, FASTMCP4_LEGACY = "fastmcp 4", "fastmcp 4, legacy"

# The service as it is by default, with a log line for each call; on a free port.
SETTINGS = {"MCP_SUMMARIZER_PORT": "0"}


@dataclass(frozen=True, slots=True)
class Contestant:
    """A server: one process, asked in one or both eras."""

    environment: str
    program: tuple[str, ...]
    eras: tuple[tuple[str, str], ...]
    """Under which name it is asked in which era."""
    settings: dict[str, str]

    def command(self, environments: Path) -> list[str]:
        """Return the command that starts it."""
        return [str(environments / self.environment / "bin" / "python"), *self.program]


def _module(name: str, *arguments: str) -> tuple[str, ...]:
    return ("-m", f"bench.http.servers.{name}", *arguments)


SERVICE = Contestant(".venv", (str(ROOT / "app.py"),), ((OURS, MODERN), (OURS_LEGACY, LEGACY)), SETTINGS)

CONTESTANTS = (
    SERVICE,
    Contestant(".venv", _module("bare"), ((BARE, MODERN),), {}),
    Contestant(".venv", _module("bare", "ready"), ((READY, MODERN),), {}),
    Contestant(".venv-bench-mcp1", _module("mcp1"), ((MCP1, LEGACY),), {}),
    Contestant(".venv-bench-mcp2", _module("mcp2"), ((MCP2, MODERN), (MCP2_LEGACY, LEGACY)), {}),
    Contestant(
        ".venv-bench-fastmcp4", _module("fastmcp4"), ((FASTMCP4, MODERN), (FASTMCP4_LEGACY, LEGACY)), {}
    ),
)

# Those that the bars speak of, each in its first era.
FEWER = tuple(replace(each, eras=each.eras[:1]) for each in CONTESTANTS if each.eras[0][0] != READY)
