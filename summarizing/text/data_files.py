"""The data beside the code, read when the first text needs it: tables in TOML and JSON, lists of lines.

Files are named by their path within summarizing/. Decides nothing: the module of a file's name says what its words are for.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

FOLDER = Path(__file__).parents[1]


@cache
def table(name: str) -> Mapping[str, Any]:
    """Return what a file in TOML or JSON has."""
    text = (FOLDER / name).read_text("utf-8")
    return MappingProxyType(json.loads(text) if name.endswith(".json") else tomllib.loads(text))


@cache
def lines(name: str) -> Sequence[str]:
    """Return the lines of a list, but for blank ones and comments."""
    found = (FOLDER / name).read_text("utf-8").splitlines()
    return [line for line in found if line and line[0] != "#"]
