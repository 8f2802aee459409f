"""Heads of the entries of change logs: days with names, commits of git, versions alone; what changed stands under its own."""

import pytest

from summarizing.text import dense_texts
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, kinds, tree
from tests.support.timing import is_linear

WOODS = ("ash", "oak", "elm", "fir", "box")


def _top_of(text: str, wanted: str) -> list[str]:
    """Return all that a segment with this text hangs on, the nearest first."""
    document = check_laws(text)
    index = next(index for index in range(len(document.segments)) if document.of(index) == wanted)
    return [" ".join(document.of(one).split()) for one in document.above(index)]


@pytest.mark.parametrize(
    "head",
    [
        "{name} ({day} Nov 20{year})",
        "{year}20-11-{day}  {name}  <{mail}>",
        "2020-11-{day} 19:29:34 +0100  {name} <{mail}> (tiny change)",
        "Fri {day} Nov 20{year} {name}",
        "Tue Nov {day} 10:00:01 CET 20{year}  {name}  <{mail}>",
    ],
)
def test_what_a_person_changed_on_a_day_stands_under_both(head: str) -> None:
    """People differ, so that no heading recurs but for its number, and days of one year need not be in order."""
    people = ("Ada Ash", "Otto Oak", "Ada Ash", "Eva Elm von Au", "Otto Oak")
    heads = [
        head.format(name=name, mail=f"{name.split()[0]}@boats.example", day=day, year=year)
        for name, day, year in zip(people, (19, 12, 14, 28, 11), (21, 21, 21, 20, 20), strict=True)
    ]
    if "20-11" in head:
        heads = [one[2:] for one in heads]
    text = "".join(
        f"{one}\n- No leak in {wood}.\n\n- An oar of {wood}.\n\n"
        for one, wood in zip(heads, WOODS, strict=True)
    )
    assert [_top_of(text, f"- An oar of {wood}.") for wood in WOODS] == [
        [" ".join(one.split())] for one in heads
    ]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_items_stand_under_the_starred_head_of_rpm_s_change_logs(number: int) -> None:
    heads = [f"* Mon Mar 0{day} 2026 Ann Ash <ann@boats.example> - 1.2-{day}" for day in range(number, 0, -1)]
    entries = zip(heads, WOODS, strict=False)
    text = "".join(f"{head}\n- No leak in {wood}.\n- An oar of {wood}.\n\n" for head, wood in entries)
    for head, wood in zip(heads, WOODS, strict=False):
        assert _top_of(text, f"- No leak in {wood}.") == _top_of(text, f"- An oar of {wood}.") == [head]


def test_items_with_another_sign_hang_on_no_item_that_stands_apart_or_is_an_addition() -> None:
    assert _top_of("* A hull.\n\n- An oar.\n", "- An oar.") == []
    assert _top_of("+ A hull.\n- An oar.\n", "- An oar.") == []


def test_versions_stand_above_the_days_that_led_to_them() -> None:
    text = "".join(
        f"Version 1.{at} (1{at} Jun 20{at}0)\n\n{name} (1{at} Jun 20{at}0)\n- No leak in {wood}.\n\n{name} (0{at} Jun 20{at}0)\n- An oar of {wood}.\n\n"
        for at, wood, name in zip(
            range(6, 1, -1), WOODS, ("Ada Ash", "Otto Oak") * 2 + ("Eva Elm",), strict=True
        )
    )
    assert _top_of(text, "- An oar of elm.")[1:] == ["Version 1.4 (14 Jun 2040)"]


def test_the_log_of_git_has_a_heading_for_each_commit() -> None:
    """The subjects are set apart as titles are; who wrote a commit is said above its subject."""
    commits = [f"commit {at}2ddcca36c8bcfa251724fe342c8327451988be0" for at in range(5)]
    text = "# Generated. Do not edit.\n\n" + "".join(
        f"{one}\nAuthor: {wood.title()} Ash <{wood}@boats.example>\nDate:   Thu Apr 30 21:39:51 2015 -0700\n\n"
        f"    Sails may be set by one hand in {wood}\n\n    It took two hands before, and\n    a good deal of time.\n\n"
        for one, wood in zip(commits, WOODS, strict=True)
    )
    for one, wood in zip(commits, WOODS, strict=True):
        assert _top_of(text, f"Author: {wood.title()} Ash <{wood}@boats.example>")[-1] == one
        assert _top_of(text, f"Sails may be set by one hand in {wood}")[-1] == one


def test_a_version_without_any_word_directly_over_items_is_a_heading() -> None:
    text = "".join(
        f"0.{at}\n- No leak in {wood}\n- An oar of {wood}\n\n"
        for at, wood in zip(range(9, 4, -1), WOODS, strict=True)
    )
    assert _top_of(text, "- An oar of fir") == ["0.6"]


def test_days_in_a_text_of_sentences_are_no_headings() -> None:
    text = "".join(
        f"Ada Ash (1{at} Nov 2018)\nwas the first who rowed to the island in a boat of {wood}.\n\n"
        for at, wood in enumerate(WOODS)
    )
    assert SegmentKind.HEADING not in kinds(check_laws(text)).values()


def test_a_title_that_reads_as_a_day_and_a_name_takes_no_heading_from_the_indented_text_of_days() -> None:
    titles = (": sails", ": keels", " Light Oars", ": masts", ": lamps")
    part = "  OARS AND ROWERS\n\n  The oars of {0} are light, and they float as they did before, so that\n  none is lost.\n\n"
    text = "".join(
        f"2020-0{at}-01{title}\n\n{part.format(wood)}"
        for at, title, wood in zip(range(9, 4, -1), titles, WOODS, strict=True)
    )
    assert kinds(check_laws(text))["OARS AND ROWERS"] is SegmentKind.HEADING


def test_people_with_dates_in_no_order_are_no_entries() -> None:
    """As speakers by their names, each with the day and the subjects of a talk."""
    people = ("Ada Ash", "Eva Elm", "Otto Oak", "Bea Box", "Zoe Fir")
    text = "".join(
        f"{name} (12 May {year})\n- The oars of {wood}.\n- Who rows in {wood}.\n\n"
        for name, year, wood in zip(people, (2018, 2012, 2020, 2016, 2018), WOODS, strict=True)
    )
    assert SegmentKind.HEADING not in kinds(check_laws(text)).values()


def test_entries_of_a_dense_change_log_stand_under_their_day() -> None:
    entry = "20{0}-0{1}-1{1}  Ada Ash  <ada@boats.example>\n\n\tAn oar of {2}.\n\n\tNo leak.\n\n\tTar.\n\n"
    text = "".join(
        entry.format(year, month, wood)
        for year in range(60, 10, -1)
        for month in range(9, 0, -1)
        for wood in WOODS
    )
    assert dense_texts.is_dense(text)
    above = tree(parse(text))
    lines = [one for one in above if one.startswith("An oar of")]
    assert lines
    assert all("@boats.example" in above[one] for one in lines)


def _days(number: int) -> str:
    return "".join(f"2020-11-12  {'A' * 20} {'a ' * 20}<a@{'a' * 30}\n\n" for _ in range(number))


@pytest.mark.timed
def test_time_is_linear_in_lines_that_are_nearly_heads() -> None:
    assert is_linear(lambda number: parse(_days(number)), 300)


def test_a_short_line_within_an_indented_entry_is_no_title_of_what_comes_after_it() -> None:
    text = "".join(
        f"2018-02-07  Ada {wood.title()}  <mail@boats.example>\n\n\tThe oars of {wood} are lighter now, and float.\n\n"
        f"\t(rev r{number})\n\n"
        for number, wood in enumerate(WOODS)
    )
    assert _top_of(text, "The oars of elm are lighter now, and float.") == [
        "2018-02-07 Ada Elm <mail@boats.example>"
    ]
    assert _top_of(text, "(rev r2)") == ["2018-02-07 Ada Elm <mail@boats.example>"]
