"""The packages that the web tools need beside those of the service, and which of them are not installed. Imports none of them."""

import sys
from importlib.util import find_spec

READING_FILE, RENDERING_FILE = "requirements/web.txt", "requirements/web-rendering.txt"

# Python has zstd from 3.14 on (PEP 784).
ZSTD = () if sys.version_info >= (3, 14) else ("backports.zstd",)

# By the file that installs them, under the names by which they are imported.
PACKAGES = {
    READING_FILE: (*ZSTD, "brotli", "duckdb", "pypdf", "resiliparse"),
    RENDERING_FILE: ("playwright",),
}


def missing_packages(*, rendering: bool) -> dict[str, list[str]]:
    """Return what is not installed, by the file that installs it; `rendering`: whether scripts of pages are run (WEB_RENDER_PAGES)."""
    files = [READING_FILE, RENDERING_FILE] if rendering else [READING_FILE]
    missing = {file: [name for name in PACKAGES[file] if not _is_installed(name)] for file in files}
    return {file: names for file, names in missing.items() if names}


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # what it is part of is not there
        return False
