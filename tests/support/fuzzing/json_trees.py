"""JSON as trees in which a name may come twice and any text stand, and its writing. Not here: what is put into them (spoilt_json.py)."""

from __future__ import annotations

import json
from typing import Any


class Raw(str):
    """JSON text that is written as it stands."""

    __slots__ = ()


class Object(list[list[Any]]):
    """A JSON object as its members, each a name and a value: a name may come twice."""


def tree(value: Any) -> Any:
    """Return a JSON value with its objects as Object, all of it new."""
    if isinstance(value, dict):
        return Object([name, tree(member)] for name, member in value.items())
    if isinstance(value, Object):
        return Object([name, tree(member)] for name, member in value)
    return [tree(item) for item in value] if isinstance(value, list) else value


def written(value: Any, *, ascii_only: bool = True) -> str:
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Object):
        return "{" + ",".join(f"{json.dumps(n)}:{written(v, ascii_only=ascii_only)}" for n, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(item, ascii_only=ascii_only) for item in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)
