"""Small gaps: what a mark stands for comes in its place where it takes as much room."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.small_gaps import small_gaps
from summarizing.text.document import Document
from summarizing.text.excerpt import excerpt
from summarizing.text.indentation import leads_of
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer
from tests.summarizing.text.test_parsing import texts_of

STATUS = """\
EXIT STATUS
===========

The command ends with one of these:

0
    success

2
    invalid syntax of the command line, which a message on standard error describes in full

3
    The group that was named is known already, or its number is: nothing has been changed.
"""


def _gaps(document: Document, *left_out: str) -> list[list[str]]:
    texts = texts_of(document)
    kept = {index for index, text in enumerate(texts) if text not in left_out}
    return [[texts[index] for index in gap] for gap, _ in small_gaps(document, kept)]


def test_a_line_that_is_shorter_than_the_mark_for_it_is_a_small_gap() -> None:
    document = parse(STATUS)
    assert _gaps(document, "success") == [["success"]]
    assert (
        _gaps(
            document,
            "invalid syntax of the command line, which a message on standard error describes in full",
        )
        == []
    )


def test_a_line_whose_term_is_left_out_too_is_none() -> None:
    assert _gaps(parse(STATUS), "0", "success") == []


@pytest.mark.parametrize("end", ["", " It is slow."])
def test_a_sentence_that_is_shorter_than_its_mark_is_a_small_gap(end: str) -> None:
    document = parse(
        f"The pump is old and was repaired in March. Sadly.{end}\n\nAnother paragraph about valves.\n"
    )
    assert _gaps(document, "Sadly.") == [["Sadly."]]


def test_what_introduces_something_else_that_is_left_out_is_none() -> None:
    document = parse(
        "The pump is old and was repaired in March. Or:\n\n- it was not repaired at all, and is as old as the mill\n"
    )
    assert _gaps(document, "Or:", "- it was not repaired at all, and is as old as the mill") == []


def test_of_a_long_list_one_short_item_does_not_stand_for_all() -> None:
    document = parse("The parts:\n\n- pump\n- valve\n- a housing of cast iron that holds all of them\n")
    assert _gaps(document, "- pump", "- valve") == [["- pump", "- valve"]]
    assert _gaps(document, "- pump", "- a housing of cast iron that holds all of them") == []


def test_an_item_does_not_stand_for_others_that_were_left_out_before() -> None:
    whole = parse("The parts:\n\n- pump\n- valve\n- mast\n- a housing of cast iron that holds all of them\n")
    last = len(whole.segments) - 1
    part = excerpt(whole, set(range(last)), leads_of(whole))
    assert _gaps(whole, "- valve") == [["- valve"]]
    assert _gaps(part, "- valve") == []


@pytest.mark.parametrize("query", ["", "exit status"])
def test_a_summary_shows_what_is_shorter_than_its_mark_within_the_target(
    query: str, tokenizer: Tokenizer
) -> None:
    for target in range(20, tokenizer.count(STATUS)):
        found = extract(STATUS, target, query, tokenizer).text
        assert tokenizer.count(found) <= target
        assert "0\n[1 line left out]" not in found


def test_what_a_query_excludes_is_no_small_gap(tokenizer: Tokenizer) -> None:
    rows = "".join(
        f"# Shelf {number}\n\n- red apples of the shelf with the number {number} are sweet\n- green pears\n\n"
        for number in range(20)
    )
    lines = [
        extract(rows, tokenizer.count(rows) * 7 // 10, query, tokenizer).text.count("green pears")
        for query in ("red apples", "red apples other than green ones")
    ]
    assert lines[0] > 5
    assert lines[1] <= 1
