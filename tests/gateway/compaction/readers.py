"""Reads compact forms back: what the laws of gateway/compaction/ hold its writers to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def json_of_tables(text: str) -> Any:
    """Return the value that a text with tables stands for, its numbers as they are written."""
    return read(json.loads(text, parse_int=number, parse_float=number, parse_constant=number))


def number(written: str) -> tuple[str, str]:
    return ("number", written)


def read(value: Any) -> Any:
    if isinstance(value, list):
        return [read(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() in ({"columns", "rows"}, {"columns", "same", "rows"}):
        columns, same = value["columns"], read(value.get("same", {}))
        if isinstance(value["rows"], list):
            return [row(each, columns, same) for each in value["rows"]]
        return {name: row(each, columns, same) for name, each in value["rows"].items()}
    return {name: read(inner) for name, inner in value.items()}


def row(value: Any, columns: Sequence[Any], same: Mapping[str, Any]) -> Any:
    if not isinstance(value, list):
        return read(value)
    cells = {}
    for column, cell in zip(columns, value, strict=False):
        if isinstance(column, str):
            cells[column] = read(cell)
            continue
        ((name, inner),) = column.items()
        if isinstance(inner[0], list):
            is_list = isinstance(cell, list)
            cells[name] = [row(each, inner[0], {}) for each in cell] if is_list else read(cell)
        else:
            cells[name] = row(cell, inner, same.get(name, {}))
    rest = read(value[len(columns)]) if len(value) > len(columns) else {}
    return {**{name: inner for name, inner in same.items() if name not in cells}, **cells, **rest}


def lines_of_templates(text: str, templates: int, place: str) -> Iterator[str]:
    """Yield the lines that a text with templates stands for."""
    lines = text.split("\n")
    signed = {}
    for line in lines[:templates]:
        name, _, template = line.partition(" = ")
        signed[name] = template
    for line in lines[templates:]:
        name, *values = re.split(r" ", line)
        yield (
            line
            if name not in signed
            else "".join(
                part + value for part, value in zip(signed[name].split(place), [*values, ""], strict=True)
            )
        )


def lines_of_headings(text: str) -> Iterator[str]:
    """Yield the lines that a text with headings stands for."""
    first, *_ = text.split("\n")
    sign, beginning = first[:2], ""
    *lines, last = text.split("\n")
    for line in [*lines, last] if last else lines:
        if line.startswith(sign):
            beginning = line.removeprefix(sign)
        else:
            yield beginning + line
    if not last:
        yield ""
