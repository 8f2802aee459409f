"""Headings of releases: what recurs but for its version, at any length or number of stars, stands above all else."""

import pytest

from summarizing.extractive.concepts import frames
from summarizing.facts.text_reading import Reading
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, kinds, texts_of, tree
from tests.support.timing import is_linear

ENTRIES = "1. Changes of Sails\n\na. A sail for release {0}, which may be set by one hand.\n\n2. Changes of Oars\n\na. An oar for release {0}.\n\n"


def _headings(text: str) -> list[str]:
    return [one for one, kind in kinds(check_laws(text)).items() if kind is SegmentKind.HEADING]


def test_a_paragraph_of_three_lines_that_recurs_but_for_its_version_is_the_heading_of_a_release() -> None:
    lead = "This page lists what is new in boat-{0} since the days of boat-{1},\nfor those who know that one.  All else is in the book, which is the\nplace to look for the rest.\n"
    text = "".join(
        lead.format(f"3.{at}", f"3.{at - 1}") + "\n" + ENTRIES.format(f"3.{at}") for at in range(9, 5, -1)
    )
    above = tree(check_laws(text))
    heads = [" ".join(lead.format(f"3.{at}", f"3.{at - 1}").split()) for at in range(9, 5, -1)]
    assert [one for one, other in above.items() if other == ""] == heads
    assert above["a. An oar for release 3.7."] == "2. Changes of Oars"


def test_a_release_with_more_stars_than_its_parts_stands_above_them() -> None:
    text = "".join(
        f"*** New in Boat {at}.2{':' if at < 7 else ''}\n\n* New {wood} sails\n\nThe sail of {wood} may be set by one hand.\n\n"
        f"* Oars of {wood}\n\n** The oar of {wood} is light.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    above = tree(check_laws(f"\t\tWhat is new in Boat?\n\n{text}"))
    assert above["* Oars of fir"] == "*** New in Boat 6.2:"
    assert above["* New oak sails"] == "*** New in Boat 8.2"
    assert above["The sail of oak may be set by one hand."] == "* New oak sails"


def test_an_item_with_a_star_that_recurs_in_the_parts_of_releases_is_none() -> None:
    text = "".join(
        f"Version 0.{at} - June 20{at}\n\n* The oars are those of Ash {at}.1.\n\n* The keel of {at} is made of oak.\n\n"
        for at in range(19, 14, -1)
    )
    assert not tree(check_laws(text))["Version 0.17 - June 2017"]
    assert tree(check_laws(text))["* The oars are those of Ash 17.1."] == "Version 0.17 - June 2017"


def test_two_like_letters_are_the_sign_of_an_item() -> None:
    items = ["y. A new oar.", "z. A new sail.", "aa. A new keel.", "bb. A new lamp."]
    assert texts_of(check_laws("\n\n".join(items))) == items


def test_a_drawer_of_org_belongs_to_its_heading() -> None:
    part = "{0} {1}{2}:key{2}:\n:PROPERTIES:\n:ID:       4ff94c53-{1}\n:END:\n\n{1} is set by one hand.\n\n"
    text = "".join(
        part.format(stars, name, " " * 60)
        for stars, name in (("*", "Boats"), ("**", "Sails"), ("**", "Oars"), ("*", "Piers"))
    )
    document = check_laws(f"#+TITLE: The pier\n\n{text}")
    found = _headings(f"#+TITLE: The pier\n\n{text}")
    assert [one.split()[1] for one in found] == ["Boats", "Sails", "Oars", "Piers"]
    drawers = {index for index, one in enumerate(document.segments) if ":END:" in document.of(index)}
    assert len(drawers) == len(found)
    assert drawers <= frames(document, Reading.of(document.text, document).facts_of)
    assert {document.segments[index].kind for index in drawers} == {SegmentKind.FRAME}


def test_words_over_a_list_say_nothing_without_its_items() -> None:
    document = check_laws(
        "* Boat 1.2\n\n*Added*\n+  An oar.\n+  A sail of linen.\n\n** Boat 1.1\n\nIt floats.\n"
    )
    above = tree(document)
    assert above["+ A sail of linen."] == "*Added*"
    assert texts_of(document).index("*Added*") in frames(
        document, Reading.of(document.text, document).facts_of
    )


def _starred_lines(number: int) -> str:
    return "Words.\n\n" + "".join(f"*a {at},\n" for at in range(number))


@pytest.mark.timed
def test_time_is_linear_in_lines_with_stars() -> None:
    assert is_linear(lambda number: parse(_starred_lines(number)), 500)
