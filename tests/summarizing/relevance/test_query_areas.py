"""A brief as what it asks for: which of its parts ask for something, and which tell more of what stands before them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.relevance.query_areas import areas_of
from summarizing.text.stemming import stem_of


def read(brief: str) -> list[str]:
    """Return each area of a brief in one line, with what it tells more of."""
    return [" ".join(area) + (f" < {' '.join(of)}" if of else "") for area, of in areas_of(brief).items()]


@pytest.mark.parametrize(
    "brief, areas",
    [
        ("unhandled exceptions: type and cause", ["unhandl exception", "type < unhandl exception", "caus < unhandl exception"]),
        ("monsters and their weakness", ["monster", "weakness < monster"]),
        ("changes and how to migrate", ["chang", "migrat < chang"]),
        ("decisions and the votes", ["decision", "vote < decision"]),
        ("people and the office they hold", ["peopl", "offic hold < peopl"]),
        ("Aufgaben: wer, bis wann", ["aufgaben", "wer < aufgaben", "bi wann < aufgaben"]),
        ("quests: item, monsters and their weakness", ["quest", "item < quest", "monster", "weakness < monster"]),
        ("limits: how much, errors: code", ["limit", "much < limit", "error", "code < error"]),
    ],
)  # fmt: skip
def test_what_is_to_be_told_hangs_on_what_it_is_told_of(brief: str, areas: list[str]) -> None:
    assert read(brief) == areas


@pytest.mark.parametrize(
    "brief, areas",
    [
        ("prices, berths and permits", ["pric", "berth", "permit"]),
        ("World: factions, places, dates", ["world", "faction", "plac", "date"]),
        ("Land: Berg, Tal, Fluss, See", ["land", "berg", "tal", "fluss", "see"]),
        ("the mayor and the council", ["mayor", "council"]),
        ("Extract: names", ["name"]),
        ("Extract: name, price", ["name", "pric"]),
        ("Return JSON with: vendor, total", ["vendor", "total"]),
        ("prices, the mayor and the council", ["pric", "mayor", "council"]),
        ("who leads, where it is, when it began", ["who lead", "wher it", "when it began"]),
        ("dates; dates", ["date"]),
        ("", []),
        (" ,;: and ", []),
    ],
)
def test_a_list_asks_for_each_of_its_parts(brief: str, areas: list[str]) -> None:
    assert read(brief) == areas


def test_what_is_excepted_is_not_asked_for() -> None:
    assert read("pods that are not Running") == ["pod"]


def test_what_is_asked_for_by_itself_too_stands_for_itself() -> None:
    assert read("quests: item; item") == ["quest", "item"]


PARTS = [
    "fees",
    "errors",
    "cause",
    "the mayor",
    "their",
    "with",
    "and",
    "how",
    "who",
    ":",
    ",",
    ";",
    "(",
    "\n",
    "not",
]


@given(st.lists(st.sampled_from(PARTS), max_size=14).map(" ".join))
def test_an_area_tells_more_of_one_that_is_asked_for(brief: str) -> None:
    areas = areas_of(brief)
    assert all(of == () or areas[of] == () for of in areas.values())
    assert all(term in " ".join(map(stem_of, re.findall(r"\w+", brief))) for area in areas for term in area)
