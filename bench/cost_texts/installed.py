"""Real texts, as far as this machine has them: those that come with Python and with the system."""

import gzip
import sysconfig
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from bench.cost_texts.vocabulary import of_size


def installed_texts() -> dict[str, Callable[[int], str]]:
    """Return texts that come with Python and with the system."""
    library = Path(sysconfig.get_paths()["stdlib"])
    sources = {
        "real: Python's sources": sorted(library.glob("*.py")),
        "real: Python's tests": sorted(library.glob("test/*.py")),
        "real: changelogs": sorted(Path("/usr/share/doc").glob("*/changelog*")),
        "real: README files": sorted(Path("/usr/share/doc").glob("*/README*")),
    }
    found = {name: _reader(paths) for name, paths in sources.items() if paths}
    return {"real: Python's reference": _reference, **found}


def _reference(size: int) -> str:
    topics = import_module("pydoc_data.topics").topics
    return of_size(map(str, topics.values()), size, "\n\n")


def _reader(paths: Iterable[Path]) -> Callable[[int], str]:
    return lambda size: of_size(map(_read, filter(Path.is_file, paths)), size, "\n\n")


def _read(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8", "replace")
