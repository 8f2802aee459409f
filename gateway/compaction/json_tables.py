"""JSON without white space, and with one header for many objects of one shape; the same value can be read back. Pure.

A list of objects is written as {"columns":[...],"same":{...},"rows":[[...],...]}, an object of objects with {"name":[...],...} as rows.
A column is a name; {"name":[columns]} where its cells are objects, written as rows of their own; {"name":[[columns]]} where they are lists of
such. `same` has the members that are the same in all rows, at any depth. What a row has beside these stands in an object at its end; an
object that lacks one of them is written as it is. Numbers stay as they are written.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Fewer objects are as short without a header.
MIN_ROWS = 3
# A name that so many of the objects have is a column; of the others each row has its own.
MIN_SHARE = 0.9
MAX_COLUMN_LEVELS = 8

MAX_DEPTH = 100
# While a list of numbers or strings is parsed, no other thread runs: 40 ms for this much.
MAX_CHARS = 4_000_000

# So much white space is looked through for what a text begins with.
MAX_SPACE_CHARS = 1_000

# What stands no deeper, and in no list, is written with a line for each of its parts, so that whole parts can be left out.
LINE_DEPTH = 3
SHORT_CHARS = 120

TABLES = ({"columns", "rows"}, {"columns", "same", "rows"})

_quoted = json.JSONEncoder(ensure_ascii=False).encode
_quoted_ascii = json.JSONEncoder().encode
_LITERALS = {None: "null", True: "true", False: "false"}


class Number(str):
    """A number as it is written; never equal to a string."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is Number and str.__eq__(self, other)

    __hash__ = str.__hash__


class NotWritable(ValueError):
    """The value is nested too deep, or has an object that would be read as a table."""


@dataclass(frozen=True, slots=True)
class ParsedJson:
    """A JSON value, its numbers as they are written."""

    value: Any
    nulls: int
    """How many members were null and are left out of it."""
    are_lines: bool = False
    """Whether it is a list of what stood on lines of their own (JSON Lines)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What objects have in common."""

    columns: tuple["Column", ...]
    same: Mapping[str, Any]
    """Their members of the same value; under the name of a column, those of the objects in its cells."""

    def fits(self, value: Any) -> bool:
        """Whether a value is an object that can be a row."""
        return (
            type(value) is dict
            and all(column.name in value for column in self.columns)
            and all(name in value for name in self.same)
        )

    def header(self) -> list[Any]:
        """Return what stands for it in `columns`."""
        return [column.header() for column in self.columns]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    shape: Shape | None = None
    """Of the objects in its cells; None: the cells are values as they are."""
    has_lists: bool = False
    """Whether its cells are lists of such objects."""

    def header(self) -> Any:
        """Return what stands for it in `columns`."""
        if self.shape is None:
            return self.name
        inner = self.shape.header()
        return {self.name: [inner] if self.has_lists else inner}


def parsed_json(text: str, *, keeps_nulls: bool) -> ParsedJson | None:
    """Return the value of a text that is one JSON object or list, or a line of JSON an object (as a list); None of any other."""
    if len(text) > MAX_CHARS or not text[:MAX_SPACE_CHARS].lstrip().startswith(("{", "[")):
        return None
    members = _Members(keeps_nulls)
    decode = json.JSONDecoder(
        parse_float=_number, parse_int=_number, parse_constant=_number, object_pairs_hook=members.read
    ).decode
    try:
        return ParsedJson(decode(text), members.nulls)
    except (ValueError, RecursionError):
        pass
    lines = text.split("\n")
    if len(lines) < MIN_ROWS or not lines[-2].startswith("{"):
        return None
    members.nulls = 0
    try:
        return ParsedJson([decode(line) for line in lines if line.strip()], members.nulls, are_lines=True)
    except (ValueError, RecursionError):
        return None


class _Members:
    """Makes objects of their members, and counts the nulls that it leaves out."""

    def __init__(self, keeps_nulls: bool) -> None:  # noqa: FBT001
        self._keeps_nulls = keeps_nulls
        self.nulls = 0

    def read(self, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        """Return an object. Raises ValueError for one that has a name twice: one of its values would be lost."""
        read = dict(pairs)
        if len(read) < len(pairs):
            raise ValueError("a name stands twice in one object")
        if self._keeps_nulls or None not in read.values():
            return read
        kept = {name: value for name, value in pairs if value is not None}
        self.nulls += len(pairs) - len(kept)
        return kept


# subtle: a function, not the class: while it runs, other threads can.
def _number(written: str) -> Number:
    return Number(written)


class Writer:
    """Writes a JSON value."""

    def __init__(self, *, with_tables: bool) -> None:
        self._with_tables = with_tables
        self.rows = 0
        """Those of the largest table."""

    def lines(self, values: Sequence[Any]) -> str:
        """Return values on lines of their own. Raises NotWritable."""
        return "\n".join(self.text(value, LINE_DEPTH) for value in values)

    def text(self, value: Any, depth: int = 0) -> str:
        """Return a value's text. Raises NotWritable."""
        if depth > MAX_DEPTH:
            raise NotWritable
        kind = type(value)
        if kind is Number:
            return str(value)
        if kind is str:
            return quoted(value)
        if kind is dict:
            return self._object(value, depth)
        if kind is list:
            return self._list(value, depth)
        return _LITERALS[value]

    def _object(self, value: Mapping[str, Any], depth: int) -> str:
        if self._with_tables and value.keys() in TABLES:
            raise NotWritable
        if shape := self._shape(list(value.values())):
            rows = [
                f"{quoted(name)}:{self._row(row, shape, depth + LINE_DEPTH)}" for name, row in value.items()
            ]
            return self._table(shape, _joined(rows, "{}", depth), depth)
        members = [f"{quoted(name)}:{self.text(inner, depth + 1)}" for name, inner in value.items()]
        return _joined(members, "{}", depth)

    def _list(self, value: Sequence[Any], depth: int) -> str:
        if shape := self._shape(value):
            rows = [self._row(row, shape, depth + LINE_DEPTH) for row in value]
            return self._table(shape, _joined(rows, "[]", depth), depth)
        return _joined([self.text(each, depth + LINE_DEPTH) for each in value], "[]", depth)

    def _shape(self, values: Sequence[Any]) -> Shape | None:
        """Return the shape of values that are worth a header."""
        if not self._with_tables or len(values) < MIN_ROWS:
            return None
        objects = _objects(values)
        if len(objects) < MIN_SHARE * len(values):
            return None
        shape = shape_of(objects)
        self.rows = max(self.rows, len(objects) if shape else 0)
        return shape

    def _table(self, shape: Shape, rows: str, depth: int) -> str:
        header = json.dumps(shape.header(), ensure_ascii=False, separators=(",", ":"))
        same = f',"same":{self.text(shape.same, depth + LINE_DEPTH)}' if shape.same else ""
        return f'{{"columns":{header}{same},"rows":{rows}}}'

    def _row(self, value: Any, shape: Shape, depth: int) -> str:
        if not shape.fits(value):
            return self.text(value, depth)
        cells = [self._cell(value[column.name], column, depth + 1) for column in shape.columns]
        names = {*shape.same, *(column.name for column in shape.columns)}
        if len(value) > len(names):
            rest = {name: inner for name, inner in value.items() if name not in names}
            cells.append(self.text(rest, depth + LINE_DEPTH))
        return f"[{','.join(cells)}]"

    def _cell(self, value: Any, column: Column, depth: int) -> str:
        if column.shape is None:
            return self.text(value, depth + LINE_DEPTH)
        if not column.has_lists:
            return self._row(value, column.shape, depth + LINE_DEPTH)
        if type(value) is not list:
            return self.text(value, depth + LINE_DEPTH)
        return f"[{','.join(self._row(each, column.shape, depth + LINE_DEPTH) for each in value)}]"


def quoted(text: str) -> str:
    """Return a string as JSON; what no encoding can carry is escaped."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _quoted_ascii(text)
    return _quoted(text)


def shape_of(
    objects: Sequence[Mapping[str, Any]], level: int = 0, *, finds_same: bool = True
) -> Shape | None:
    """Return what objects have in common; None if they have no names in common."""
    cells: dict[str, list[Any]] = {}
    for each in objects:
        for name, value in each.items():
            cells.setdefault(name, []).append(value)
    frequent = [name for name, values in cells.items() if len(values) >= MIN_SHARE * len(objects)]
    whole = sum(all(name in each for name in frequent) for each in objects)
    if 2 * whole < len(objects):
        frequent = [name for name in frequent if len(cells[name]) == len(objects)]
    same = {name: cells[name][0] for name in frequent if finds_same and _are_equal(cells[name])}
    columns = [
        _column(name, cells[name], level + 1, finds_same=finds_same) for name in frequent if name not in same
    ]
    if not columns:
        return None
    inner = {column.name: column.shape.same for column in columns if column.shape and column.shape.same}
    return Shape(tuple(columns), {**same, **inner})


def _are_equal(values: Sequence[Any]) -> bool:
    return all(value == values[0] for value in values)


def _column(name: str, values: Sequence[Any], level: int, *, finds_same: bool) -> Column:
    if level >= MAX_COLUMN_LEVELS:
        return Column(name)
    has_lists = any(type(value) is list for value in values)
    objects = _objects(list(_elements(values)) if has_lists else values)
    if len(objects) < MIN_ROWS:
        return Column(name)
    # In lists nothing says where what is the same belongs.
    return Column(name, shape_of(objects, level, finds_same=finds_same and not has_lists), has_lists)


def _elements(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if type(value) is list:
            yield from value


def _objects(values: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the objects among values; none if there is a list, which would be read as a row."""
    objects = []
    for value in values:
        if type(value) is list:
            return []
        if type(value) is dict:
            objects.append(value)
    return objects


def _joined(parts: Sequence[str], brackets: str, depth: int) -> str:
    """Return the parts of a container between its brackets, a line each if it is a long one further out."""
    opening, closing = brackets[0], brackets[1]
    if depth < LINE_DEPTH and sum(map(len, parts)) > SHORT_CHARS:
        lines = ",\n".join(parts)
        return f"{opening}\n{lines}\n{closing}"
    return f"{opening}{','.join(parts)}{closing}"
