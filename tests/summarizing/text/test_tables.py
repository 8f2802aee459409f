"""Tables without bars, in grids and of AsciiDoc: what is their head, and what is one row."""

import pytest

from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse

ROWS = "ann    keeper  north\nbob    guard   south\ncid    cook    east\neve    keeper  west\nfay    guard   north\n"


def parts_of(text: str) -> list[tuple[str, str]]:
    """Return the kinds and the texts of a text's segments."""
    return [(one.kind.name, text[one.start : one.end]) for one in parse(text).segments]


def test_a_grid_without_borders_inside_has_a_row_for_each_line_and_no_head() -> None:
    grid = "+-------+------+\n| lamp  | 12   |\n| stand | 13   |\n+-------+------+\n"
    assert parts_of(grid) == [("ROW", "| lamp  | 12   |"), ("ROW", "| stand | 13   |")]


def test_a_line_that_is_indented_more_goes_on_with_its_row() -> None:
    simple = "=====  =====  =====\n a     b      c\n  more  x\n d     e      f\n=====  =====  =====\n"
    assert parts_of(simple) == [("ROW", "a     b      c\n  more  x"), ("ROW", "d     e      f")]


@pytest.mark.parametrize("gap, head", [("\n", "FRAME"), ("", "ROW")])
def test_the_first_line_of_a_table_of_asciidoc_is_its_head_before_an_empty_line(gap: str, head: str) -> None:
    table = f"|===\n|Name |Size\n{gap}|lamp |12\n|stand |13\n|===\n"
    assert parts_of(table) == [(head, "|Name |Size"), ("ROW", "|lamp |12"), ("ROW", "|stand |13")]


def test_names_of_columns_in_capitals_are_a_head() -> None:
    assert parts_of(f"NAME   ROLE    PLACE\n{ROWS}")[0] == ("FRAME", "NAME   ROLE    PLACE")


def test_a_first_row_like_the_others_is_no_head() -> None:
    kinds = {one.kind for one in parse(f"abe    cook    east\n{ROWS}").segments}
    assert kinds == {SegmentKind.ROW}
