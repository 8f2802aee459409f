"""Boxes of signs around text: what stands inside is read as text."""

import pytest

from summarizing.sanitizing.cleaning import clean_whole
from summarizing.text.boxes import without_boxes
from summarizing.text.document import SegmentKind
from tests.summarizing.text.test_parsing import check_laws, kinds

# After section 6 of the Mozilla Public License 2.0.
LICENCE = """\
5. Termination
--------------

5.1. The rights granted under this License will terminate automatically
if You fail to comply with any of its terms.

******************************************************
*                                                    *
*  6. Disclaimer of Warranty                         *
*  -------------------------                         *
*                                                    *
*  Covered Software is provided on an "as is" basis, *
*  without warranty of any kind.  The entire risk as *
*  to the quality is with You.                       *
*                                                    *
******************************************************

8. Litigation
-------------

Any litigation relating to this License may be brought only in the
courts of a jurisdiction where the defendant has its place of business.
"""


def test_text_in_a_box_is_read_as_headings_and_paragraphs() -> None:
    bare, count = without_boxes(LICENCE)
    assert count == 1
    found = kinds(check_laws(bare))
    headings = [text for text, kind in found.items() if kind is SegmentKind.HEADING]
    assert headings == ["5. Termination", "6. Disclaimer of Warranty", "8. Litigation"]
    boxed = 'Covered Software is provided on an "as is" basis, without warranty of any kind.'
    assert found[boxed] is found["The entire risk as to the quality is with You."] is SegmentKind.SENTENCE
    assert "*" not in bare


def test_what_was_done_is_noted() -> None:
    assert clean_whole(LICENCE, for_extraction=False).notes == ("1 box of signs read as its text",)


@pytest.mark.parametrize(
    "corner, edge, side", [("#", "#", "#"), ("+", "-", "|"), ("*", "*", "*"), ("*", "*", "|")]
)
def test_a_box_may_be_made_of_other_signs(corner: str, edge: str, side: str) -> None:
    border = f"  {corner}{edge * 40}{corner}"
    rows = [
        f"  {side} {text:<38} {side}" for text in ("Save all of your work before you stop", "the old server.")
    ]
    text = "\n".join(["Some words come first.", "", border, *rows, border, "", "Then others come.", ""])
    bare = "Save all of your work before you stop\nthe old server."
    assert without_boxes(text) == (f"Some words come first.\n\n{bare}\n\nThen others come.\n", 1)


def test_lines_may_end_as_on_windows() -> None:
    box = LICENCE.replace("\n", "\r\n")
    bare, count = without_boxes(box)
    assert count == 1
    assert [line.rstrip() for line in bare.split("\n")] == without_boxes(LICENCE)[0].split("\n")


PROSE = "This is a line of many words."


@pytest.mark.parametrize(
    "text",
    [
        "+{edge}+\n| name                          |\n+{edge}+\n| {prose} |\n| Brunel                        |\n+{edge}+\n",
        "+{edge}+\n| a             | {prose:.13} |\n| {prose:.13} | b             |\n+{edge}+\n",
        "+{edge}+\n| {prose} |\n+{edge}+\n| Brunel                        |\n+{edge}+\n",
        "+{edge}+\n| {prose} |\n| Save all | of your work now   |\n+{edge}+\n",
        "*{stars}*\n*{prose}  *\n*  {prose}*\n*{stars}*\n",
        "/* {prose} */\n",
        "*{edge}*\n* one\n* {prose}\n*{edge}*\n".replace("-", "*"),
        "+{edge}+\n| {prose} |\n| {prose} |\n",
        "+{edge}+\n| Client                        |\n+{edge}+\n",
        "+{edge}+\n+{edge}+\n",
        "```\n+{edge}+\n| {prose} |\n+{edge}+\n```\n",
        "#{hashes}#\n# {prose} #\n#{hashes}#\n\nport = 80\nhost = here\nname = web\n",
        "/* Adds one. */\nint add(int a) {{\n    /*\n     * In place.\n     */\n    return a + 1;\n}}\n",
        "/*\n * {prose}\n */\n\nint add(int a);\n",
    ],
)
def test_tables_lists_diagrams_and_code_are_no_boxes(text: str) -> None:
    whole = text.format(edge="-" * 31, stars="*" * 31, hashes="#" * 31, prose=PROSE)
    assert without_boxes(whole) == (whole, 0)
