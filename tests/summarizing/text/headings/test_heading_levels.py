"""Which level a heading gets that states none: by its look, when that is first met."""

import pytest

from bench.cost_texts.shapes import text_makers
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
