"""The project's Markdown documents: their code blocks, tables, headings and links."""

import re
import subprocess
from itertools import chain
from pathlib import Path

from tests.support.recording import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *PAGES]

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def code_blocks(path: Path, language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def code_block(path: Path, language: str, part: str) -> str:
    """Return the only code block of a language that has this part."""
    (block,) = (block for block in code_blocks(path, language) if part in block)
    return block


def first_cells(text: str) -> list[str]:
    """Return what stands in backticks in the first cell of each row of the tables."""
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return list(chain.from_iterable(re.findall(r"`([^`]+)`", cell) for cell in cells))


def sections(path: Path) -> dict[str, str]:
    """Return what stands under each heading of the second level."""
    _, *parts = re.split(r"^## ", _prose(path), flags=re.MULTILINE)
    return {title: text for title, _, text in (part.partition("\n") for part in parts)}


def words(path: Path) -> list[str]:
    """Return the words that a reader reads: no code blocks, comments, link targets and signs of tables."""
    shown = re.sub(r"<!--.*?-->", "", _LINK.sub("]", _prose(path)))
    return [word for word in shown.split() if re.search(r"\w", word)]


def links(path: Path) -> list[str]:
    """Return where a document links to, images too."""
    return _LINK.findall(_prose(path))


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings."""
    headings = re.findall(r"^#+ (.+)$", _prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def run_in_shell(command: str) -> str:
    """Run a command of a document in the project's folder; return what it prints."""
    # xpg_echo: `echo` reads escapes, as those of zsh and dash do.
    done = subprocess.run(
        ["bash", "-O", "xpg_echo", "-euo", "pipefail", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _prose(path: Path) -> str:
    return _FENCE.sub("", path.read_text("utf-8"))
