"""Numbered titles: short lines that stand alone over prose and count on through a text, whatever sign they end with."""

import pytest

from summarizing.text.document import SegmentKind
from tests.summarizing.text.test_parsing import check_laws, kinds, tree

BODY = "  The keeper of the boat says who may row it, and when it must be\nback at the pier.\n"


def _headings(text: str) -> list[str]:
    return [one for one, kind in kinds(check_laws(text)).items() if kind is SegmentKind.HEADING]


@pytest.mark.parametrize("end", [".", "?", "!", ""])
def test_numbered_titles_are_titles_whatever_they_end_with(end: str) -> None:
    titles = [f"{number}. {name}{end}" for number, name in enumerate(["Who May Row", "Oars", "Lost Keys"])]
    text = "".join(f"  {title}\n\n{BODY.replace('boat', title[3:7])}\n" for title in titles)
    above = tree(check_laws(f"RULES OF THE PIER\n\n{text}"))
    for title in titles:
        assert above[" ".join(BODY.replace("boat", title[3:7]).split())] == title


def test_a_numbered_question_over_two_lines_is_one_title() -> None:
    text = "".join(
        f"{number}. May I keep the boat over night if I promise to bring it back\nbefore {number} o'clock?\n\n{BODY}\n"
        for number in range(1, 4)
    )
    assert (
        _headings(text)[1]
        == "2. May I keep the boat over night if I promise to bring it back before 2 o'clock?"
    )


def test_numbered_sentences_with_no_prose_between_them_are_items() -> None:
    steps = "".join(f"{number}. Open the lock of boat {number}.\n\n" for number in range(1, 5))
    assert not _headings(f"{BODY}\n{steps}{BODY}")


def test_numbered_sentences_that_go_on_further_in_are_items() -> None:
    steps = "".join(
        f"{number}. Open the lock of boat {number}.\n\n   It is at the end of the pier, below the lamp.\n\n"
        for number in range(1, 5)
    )
    assert not _headings(f"{BODY}\n{steps}{BODY}")


def test_steps_in_parentheses_come_only_with_the_sentence_that_they_are_part_of() -> None:
    text = (
        "  Those who row the boat have to do two things:\n(1) sign the book at the pier, and (2) give back the key\n"
        "that they were given.\n"
    )
    above = tree(check_laws(f"{BODY}\n{text}\n{BODY}"))
    step = "(1) sign the book at the pier, and (2) give back the key that they were given."
    assert above[step] == "Those who row the boat have to do two things:"


def test_a_numbered_title_may_stand_directly_over_a_paragraph_on_one_line() -> None:
    prose = (
        "The keeper of boat {} says who may row it, " + "and whoever rows it says when it will be back, " * 3
    )
    text = "".join(
        f"{number}. Boat {number}.\n{prose.format(number)}and where.\n\n" for number in range(1, 5)
    )
    assert _headings(text) == [f"{number}. Boat {number}." for number in range(1, 5)]


def test_a_part_with_a_letter_is_a_title_though_it_ends_with_a_full_stop() -> None:
    # The end of the Mozilla Public License 1.1.
    text = """\
13. MULTIPLE-LICENSED CODE.

     Initial Developer may designate portions of the Covered Code as
     "Multiple-Licensed", which permits you to utilize them.

EXHIBIT A -Mozilla Public License.

     The contents of this file are subject to the Mozilla Public License
     Version 1.1 (the "License"); you may not use this file otherwise.
"""
    assert "EXHIBIT A -Mozilla Public License." in _headings(text)
    above = tree(check_laws(text))
    contents = 'The contents of this file are subject to the Mozilla Public License Version 1.1 (the "License"); you may not use this file otherwise.'
    assert above[contents] == "EXHIBIT A -Mozilla Public License."


def test_what_counts_something_is_no_title() -> None:
    tree_of = "    .\n    \u251c\u2500\u2500 oar-0.{0}\n    \u2514\u2500\u2500 sail.c\n\n    {0} directories, 4 files\n\n"
    text = "".join(
        f"4.{number}. The Boat of Pier {number}\n\n{BODY}\n{tree_of.format(number)}" for number in range(2, 5)
    )
    assert _headings(text) == [f"4.{number}. The Boat of Pier {number}" for number in range(2, 5)]


def test_numbers_of_sections_behind_their_sign_are_titles_directly_above_their_text() -> None:
    titles = ["§ 1 Mietgegenstand", "§ 2 Mietdauer", "§ 3 Miete"]
    sections = "".join(f"{title}\nDie Halle {title[-4:]} wird nur als Lager genutzt.\n\n" for title in titles)
    assert _headings(f"Mietvertrag Nordstraße 14\n\n{sections}")[-3:] == titles


def test_a_sentence_that_begins_with_the_number_of_a_section_is_no_title() -> None:
    sections = "".join(
        f"§ {number} der Satzung gilt auch für Mitglieder, die im laufenden Jahr aus dem\nVerein austreten.\n\n"
        for number in range(1, 4)
    )
    assert not [one for one in _headings(f"Satzung\n\n{sections}") if "§" in one]


@pytest.mark.parametrize("count", ["37 of 92 boats are", "18 % of the boats are"])
def test_a_text_that_begins_with_a_count_stands_below_a_numbered_title_all_the_same(count: str) -> None:
    titles = [f"{at}. {name}" for at, name in enumerate(("The Pier", "Move of the Boats", "The Oars"), 1)]
    bodies = ["It is mended.", f"{count} moved to the new pier. The rest comes later.", "They are light."]
    text = "".join(
        f"{title}\n   {body}\n   Ann asks when.\n\n" for title, body in zip(titles, bodies, strict=True)
    )
    assert _headings(f"Minutes of the boat club\n========================\n\n{text}") == [
        "Minutes of the boat club",
        *titles,
    ]
