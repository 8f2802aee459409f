"""Tables without bars, in grids and of AsciiDoc: what is their head, and what is one row."""

from random import Random

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


def test_the_last_fields_of_records_may_be_left_out_below_the_names_of_all() -> None:
    names = "version,codename,created,release,eol,eol-lts"
    rows = [
        "1.1,buzz,1993-08-16,1996-06-17,1997-06-05",
        "9,stretch,2015-04-26,2017-06-17,2020-07-18,2022-06-30",
    ]
    rows += ["12,bookworm,2021-08-14,2023-06-10", "15,duke,2027-08-01", "16,forky,2029-08-01"]
    table = "\n".join([names, *rows]) + "\n"
    assert parts_of(table) == [("FRAME", names), *(("ROW", row) for row in rows)]


def test_lines_with_commas_below_a_sentence_are_no_records() -> None:
    text = "Pumps,valves,tanks: all of them, and more\npumps,valves\npumps,valves,tanks\nvalves,tanks\n"
    assert "FRAME" not in {kind for kind, _ in parts_of(text)}


@pytest.mark.parametrize("first", ["9 pumps,old valves,tanks: all,more", "part,maker,note"])
def test_records_of_unlike_lengths_are_none_below_no_names_or_too_few(first: str) -> None:
    rows = ["pump,north,old", "valve,south,none,tower", "mast,west,new", "sail,east,torn,hill"]
    assert {kind for kind, _ in parts_of("\n".join([first, *rows]))} == {"LINE"}
    assert {kind for kind, _ in parts_of("\n".join(["part,maker,note,place", *rows]))} == {"FRAME", "ROW"}


def test_lines_with_thousands_of_tables_between_them_are_read() -> None:
    choice = Random(0).choice
    units = ("2026-01-02 10:00:00 ERROR x\n", "\0", "> ", "<!--", "|---|\n")
    text = "".join(choice(units) for _ in range(20_000))
    assert parse(text).segments


def test_records_of_many_fields_may_have_a_space_behind_each_comma() -> None:
    rows = [
        f'{number}, H , Element {number}, 1.0{number}, "-1, 1", gas, 14, 0.{number}, '
        for number in range(1, 9)
    ]
    document = parse("\n".join(["number, symbol, name, mass, states, state, melting, density, group", *rows]))
    assert document.segments[0].kind is SegmentKind.FRAME
    assert [segment.kind for segment in document.segments[1:]] == [SegmentKind.ROW] * 8


def test_sentences_with_a_few_commas_each_are_no_records() -> None:
    sentences = [
        f"In {number} wool, tea, salt, iron, tin and rice came by sea, as before."
        for number in range(1801, 1809)
    ]
    kinds = {segment.kind for segment in parse("\n".join(sentences)).segments}
    assert SegmentKind.ROW not in kinds


def test_a_row_without_a_first_cell_comes_with_the_last_one_that_has_it() -> None:
    rows = (
        "| bool | lit |",
        "|  | whether the lamp burns |",
        "|  | since 1.2 |",
        "| int | height |",
        "|  | in feet |",
    )
    document = parse("\n".join(rows))
    needed = {document.of(at): [document.of(one) for one in document.requirements(at)] for at in range(5)}
    assert needed == {rows[0]: [], rows[1]: [rows[0]], rows[2]: [rows[0]], rows[3]: [], rows[4]: [rows[3]]}
