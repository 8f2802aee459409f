"""Cells of rows: a sign in quotation marks separates nothing, in any table."""

import re
from itertools import product

import pytest

from summarizing.extractive.line_kinds import line_kinds
from summarizing.text.blocks.cells import cells_of
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse

COMMA, GAP = re.compile(","), re.compile(r" {2,}+")


@pytest.mark.parametrize(
    "row, between, most, cells",
    [
        ('ford,"2,130",37.3', COMMA, 0, ["ford", "2,130", "37.3"]),
        ("ford,37.3,", COMMA, 0, ["ford", "37.3", ""]),
        ('"ford", `37.3` ,**V8**', COMMA, 0, ["ford", "37.3", "V8"]),
        ('x  "a  b"  c', GAP, 0, ["x", "a  b", "c"]),
        ("a,b,c,d", COMMA, 2, ["a", "b", "c,d"]),
        ('a,"b,b",c,d', COMMA, 2, ["a", "b,b", "c,d"]),
        ("", COMMA, 0, [""]),
    ],
)
def test_what_separates_cells_stands_in_no_quotes(
    row: str, between: re.Pattern[str], most: int, cells: list[str]
) -> None:
    assert cells_of(row, between, most) == cells


def test_numbers_in_quotes_are_no_names_of_columns() -> None:
    document = parse(
        '"ford","3,504","18"\n"vw","1,937","29.5"\n"fiat","2,130","37.3"\n"buick","3,693","15"\n'
    )
    assert {segment.kind for segment in document.segments} == {SegmentKind.ROW}


def test_rows_whose_quoted_cells_have_more_or_fewer_commas_are_of_one_kind() -> None:
    names = ["".join(letters) for letters in product("abcdefg", repeat=3)]
    rows = "".join(
        f'{number},"{", ".join([name] * (number % 3 + 1))}",paid\n' for number, name in enumerate(names)
    )
    document = parse(f"id,place,status\n{rows}")
    assert set(line_kinds(document).templates.values()) == {("*", "?", "paid")}
