"""Perl's documentation: what is said of an item of a list is never told of another one."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.parsing import parse
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear

POD = """\
=head1 OPTIONS

=over 4

=item --oars

How many there are.

=over 2

=item ash

A light wood.

=back

They come in pairs.

=item --sails

They are of linen.

=item --flags

=item --lamps

=back

The boat has all of these.
"""


@pytest.mark.parametrize(
    "sentence, above",
    [
        ("How many", "=item --oars"),
        ("A light wood", "=item ash"),
        ("They are of linen", "=item --sails"),
        ("The boat has", "=back"),
    ],
)
def test_a_paragraph_hangs_on_its_item(sentence: str, above: str) -> None:
    document = parse(POD)
    index = next(at for at in range(len(document.segments)) if document.of(at).startswith(sentence))
    assert document.of(document.segments[index].parent) == above


def test_what_stands_behind_an_inner_list_is_below_the_outer_item() -> None:
    document = parse(POD)
    index = next(at for at in range(len(document.segments)) if document.of(at).startswith("They come"))
    assert [document.of(at) for at in document.above(index)] == ["=back", "=item --oars", "=head1 OPTIONS"]


def test_an_item_of_which_nothing_is_said_tells_something_by_itself() -> None:
    document = parse(POD)
    kinds = {document.of(at): one.kind for at, one in enumerate(document.segments)}
    assert kinds["=item --flags"] is kinds["=item --lamps"] is SegmentKind.ITEM
    assert kinds["=item --sails"] is SegmentKind.HEADING


def test_an_answer_comes_with_its_item_and_without_the_others() -> None:
    told = extract(POD, 20, "linen", the_tokenizer()).text
    assert told.endswith("=item --sails\n\nThey are of linen.")
    assert "oars" not in told


def test_a_line_that_only_looks_like_an_item_is_none() -> None:
    document = parse("The lists:\n\n=item of a list without its beginning\n\nA sentence stands here.\n")
    assert document.segments[-1].parent == NO_SEGMENT


@pytest.mark.timed
def test_items_are_found_in_linear_time() -> None:
    assert is_linear(lambda size: parse("=over\n\n=item a\n\nText is here.\n\n" * size), 300)
