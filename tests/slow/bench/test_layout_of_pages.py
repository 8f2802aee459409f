"""The judge of real texts: pages that tables lay out, numbers of lists, and titles that are words of the text, too."""

import pytest

from bench.real_texts.checks import faults
from bench.real_texts.source_layout.layout import read

PAGE = """\
<table><tr><td>Menu</td><td><h2>Kinds</h2><pre>struct boat {
  int oars;
}</pre><p>There are two.<blockquote><ol><li>The first is light.<li>The other is not.</ol></blockquote>
<table><tr><td>ash</td><td>light</td></tr></table></td></tr></table>
"""


def test_what_stands_in_a_table_that_lays_out_the_page_is_read_by_its_own_lines() -> None:
    summary = "## Kinds\n\nint oars;\n\n> 2. The other is not.\n\n| ash | light |"
    found = faults(read(PAGE, is_html=True), summary)
    assert not found.attributions
    assert not found.broken


def test_a_term_under_a_title_that_is_left_out_does_not_hide_a_title_that_says_the_same() -> None:
    page = """\
BOATS(7)

NAME
       boats - what floats

NOTES
       There are several.

   Points of use
       These are few.

   Implementations
       There were two of them:

       Catamaran
              It is older.

   Catamaran
       It has two hulls.
"""
    summary = "NOTES\n\nPoints of use\nThese are few.\n\nCatamaran\nIt has two hulls.\n"
    found = faults(read(page, is_manual=True), summary)
    assert not found.attributions


def test_an_example_in_a_cell_is_read_by_its_own_lines() -> None:
    page = "<p>There are two:</p><table><tr><td><pre> Boats:\n\n -ash\n -oak\n</pre></td></tr></table><p>That is all.</p>"
    found = faults(read(page, is_html=True), "There are two:\n\n```\n Boats:\n \n -oak\n```\n")
    assert not found.broken


UNIONS = """\
export type Boat =
  | { kind: "ash"; oars: number | undefined }
  | { kind: "oak"; oars: number | undefined }
  | {
      kind: "elm";
    }
  | { kind: "yew"; oars?: number }
"""


def test_members_of_a_union_are_no_rows_of_a_table() -> None:
    summary = 'export type Boat =\n  | { kind: "ash"; oars: number | undefined }\n[...]\n  | { kind: "yew"; oars?: number }'
    found = faults(read(UNIONS, is_lines=True), summary)
    assert not found.attributions
    assert not found.broken


@pytest.mark.parametrize("close", [" |", ""])
def test_a_row_of_a_table_with_or_without_a_closing_bar_has_its_own_head(close: str) -> None:
    heads = [f"| {name} | oars{close}\n| --- | ---{close}\n" for name in ("wood", "pier")]
    source = read(f"{heads[0]}| ash | two{close}\n\n{heads[1]}| west | nine{close}\n")
    assert not faults(source, f"{heads[1]}| west | nine{close}").attributions
    assert faults(source, f"{heads[0]}| west | nine{close}").attributions
