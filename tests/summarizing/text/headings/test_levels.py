"""Which level a heading gets that states none: by its look, when that is first met."""

import pytest

from bench.cost_texts.shapes import text_makers
from summarizing.text.document import SegmentKind
from summarizing.text.headings.finding import headings_by_line
from summarizing.text.lines import read_lines
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import tree
from tests.support.timing import is_linear


def _headings_of(text: str) -> int:
    lines = read_lines(text)
    return len(headings_by_line(lines, bytearray(len(lines))))


@pytest.mark.timed
def test_time_is_linear_in_the_looks_of_headings() -> None:
    shape = text_makers()["counted words"]
    assert _headings_of(shape(60_000)) > 500
    assert is_linear(lambda size: _headings_of(shape(size)), 200_000)


def test_where_no_heading_looks_like_another_sections_do_not_nest_without_end() -> None:
    document = parse(text_makers()["counted words"](60_000))
    deepest = max(sum(1 for _ in document.above(index)) for index in range(len(document.segments)))
    assert 5 < deepest < 20


def test_a_look_that_is_first_met_below_a_section_of_the_last_release_stands_below_that() -> None:
    text = "".join(f"Release {number}.0\n\nUse\n===\nIt is used by all.\n\n" for number in (1, 2, 3))
    above = tree(parse(f"{text}Care\n====\n\nIts parts\n---------\nThese are five.\n\nEnd\n===\nIt ends.\n"))
    assert above["These are five."] == "Its parts"
    assert above["Its parts"] == "Care"
    assert above["Care"] == above["End"] == "Release 3.0"


NOTES_IN_BOXES = "\n".join(
    f"""                   ===============================
                   Release Notes for Samba 4.17.{number}
                          October {number}, 2023
                   ===============================


This is a security release in order to address the following defects:

o CVE-2023-39{number}:  Unsanitized pipe names allow clients to connect.

Changes since 4.17.{number - 1}
---------------------

o  Jeremy Allison <jra@samba.example>
   * BUG 154{number}: CVE-2023-39{number}.

#######################################
Reporting bugs & Development Discussion
#######################################

Please discuss this release on the mailing list.

----------------------------------------------------------------------"""
    for number in (12, 11, 10)
)


def test_a_title_of_two_lines_between_two_equal_rules_is_one_wherever_it_stands() -> None:
    document = parse(NOTES_IN_BOXES)
    said = [
        index
        for index in range(len(document.segments))
        if document.of(index).startswith("This is a security release")
    ]
    above = [[" ".join(document.of(at).split()) for at in document.above(index)][-1] for index in said]
    assert above == [
        f"Release Notes for Samba 4.17.{number} October {number}, 2023" for number in (12, 11, 10)
    ]


def test_sentences_between_two_rules_are_no_title() -> None:
    rule = "=" * 40
    document = parse(
        f"Some words.\n\n{rule}\nThe first thing is done.\nNot the other one.\n{rule}\n\nAnd more.\n"
    )
    assert not [one for one in document.segments if one.kind is SegmentKind.HEADING]
