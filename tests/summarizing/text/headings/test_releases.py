"""Headings of releases: what recurs but for its version, at any length or number of stars, stands above all else."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizing.extractive.concepts import frames
from summarizing.facts.text_reading import Reading
from summarizing.text.document import SegmentKind
from summarizing.text.headings.releases import releases_by_line
from summarizing.text.lines import read_lines
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, kinds, texts_of, tree
from tests.support.timing import is_linear


def _headings(text: str) -> list[str]:
    return [one for one, kind in kinds(check_laws(text)).items() if kind is SegmentKind.HEADING]


def _chains_of(text: str, wanted: str) -> list[list[str]]:
    """Return what each segment with this text hangs on, the nearest first."""
    document = check_laws(text)
    indexes = [index for index in range(len(document.segments)) if document.of(index) == wanted]
    return [[document.of(one) for one in document.above(index)] for index in indexes]


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


def test_like_letters_are_the_sign_of_an_item() -> None:
    items = [
        "z. A new sail.",
        "aa. A new keel.",
        "bb. A new lamp.",
        "zz. A new oar.",
        "aaa. A net.",
        "bbb. A rope.",
    ]
    assert texts_of(check_laws("\n\n".join(items))) == items


def test_words_over_a_list_say_nothing_without_its_items() -> None:
    document = check_laws(
        "* Boat 1.2\n\n*Added*\n+  An oar.\n+  A sail of linen.\n\n** Boat 1.1\n\nIt floats.\n"
    )
    above = tree(document)
    assert above["+ A sail of linen."] == "*Added*"
    assert texts_of(document).index("*Added*") in frames(document, Reading(document).facts_of)


def _starred_lines(number: int) -> str:
    return "Words.\n\n" + "".join(f"*a {at},\n" for at in range(number))


def _underlined_releases(number: int) -> str:
    """Return releases without a blank line between them, each of which is told of in a paragraph that begins as its title does."""
    return "".join(
        f"Version 3.{at}\n============\nVersion 3.{at} mends a leak near the mast that the crew has seen in the harbour,\n"
        "and it floats.\n"
        for at in range(number, 0, -1)
    )


@pytest.mark.timed
@pytest.mark.parametrize("text, size", [(_starred_lines, 500), (_underlined_releases, 100)])
def test_time_is_linear_in_the_lines(text: Callable[[int], str], size: int) -> None:
    assert is_linear(lambda number: parse(text(number)), size)


def test_the_name_of_a_program_and_its_version_alone_are_the_heading_of_a_release() -> None:
    text = "".join(
        f"Boat 16.{at}\n\nAt a glance:\n * The oar of {wood} is light.\n\nContributors\n\nAda Ash\nOtto Oak\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    assert [one[-1] for one in _chains_of(text, "* The oar of elm is light.")] == ["Boat 16.7"]
    assert _chains_of(text, "Otto Oak") == [["Contributors", f"Boat 16.{at}"] for at in range(9, 4, -1)]


def test_what_stands_in_each_release_ends_none_even_if_it_looks_like_the_title_of_the_text() -> None:
    """The title and "Improvements" are words that are only set apart."""
    text = "Changes of all boats\n\n" + "".join(
        f"Changes in version 2.{at}:\n\nImprovements\n\n* An oar of {wood}.\n\n* A sail for {wood}.\n\n* A keel of {wood}.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    assert _chains_of(text, "* A sail for fir.")[0][:2] == ["Improvements", "Changes in version 2.6:"]


def test_numbers_behind_the_first_one_show_the_order_of_releases() -> None:
    text = "".join(
        f"* VERSION 4.2 Patch {at} - 2023-0{at}-10\n\n- BUG FIX: No leak in {wood}.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    assert _chains_of(text, "- BUG FIX: No leak in fir.") == [["* VERSION 4.2 Patch 6 - 2023-06-10"]]


@pytest.mark.parametrize("sign", ["~", "="])
def test_releases_of_two_looks_of_underlines_are_as_high_as_each_other(sign: str) -> None:
    newer = "".join(
        f"News in 4{at}.0, 2023-01-1{at}\n----------------------\n\n* An oar of 4{at}.\n\n"
        for at in (4, 3, 2, 1)
    )
    older = "".join(
        f"boat 3.{at}.0\n==========\n\n* A sail of {at}.\n\nNew sails\n{9 * sign}\n\n* Linen of {at}.\n\n"
        for at in (9, 8, 7, 6)
    )
    assert _chains_of(newer + older, "* A sail of 7.") == [["boat 3.7.0"]]


@pytest.mark.parametrize(
    "title",
    [
        "oar-6.{} (released 2023-02-26, 31710 lines):",
        "v6.{}.0 - 2023-02-26",
        "**v6.{}.0** (2023-02-26)",
    ],
)
def test_releases_without_a_sign_stand_above_titles_with_hashes(title: str) -> None:
    releases = "".join(
        f"{title.format(number)}\n\n# FIXES\n* A light part of {number}.\n\n* Mended oar (#12{number}).\n\n# TRANSLATIONS\n\n* Czech\n\n"
        for number in (7, 6, 5, 4)
    )
    chains = _chains_of(releases, "* A light part of 5.")
    assert chains == [["# FIXES", title.format(5)]]


@pytest.mark.parametrize("ending", ["Defaults to: {}", "New in version 0.{}"])
def test_what_ends_each_section_is_no_title_of_a_release(ending: str) -> None:
    text = "# Boat\n\n## Settings\n\n" + "".join(
        f"### {name}\n\nSets the length of the {name.lower()}, in feet.\n\n{ending.format(number)}\n\n"
        for name, number in [("MAST", 40), ("KEEL", 30), ("BOOM", 20), ("OAR", 8)]
    )
    assert _chains_of(text, ending.format(30)) == [["### KEEL", "## Settings", "# Boat"]]


def test_links_that_recur_below_titles_with_hashes_are_no_releases() -> None:
    text = "".join(
        f"## [3.{at}.0] - 2022-12-1{at}\n\n- An oar of {at}.\n\n[3.{at}.0]: https://boats.example/compare/3.{at - 1}.0...3.{at}.0\n\n"
        for at in range(9, 4, -1)
    )
    assert _headings(text) == [f"## [3.{at}.0] - 2022-12-1{at}" for at in range(9, 4, -1)]


def test_the_date_below_the_name_of_each_release_is_no_release() -> None:
    text = "".join(
        f"Boat 1.{at}\n\nReleased on 2022-12-0{at}\n\nThe oars of {wood} are light, and the sails may be set by one hand.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    line = "The oars of fir are light, and the sails may be set by one hand."
    assert [one[-1] for one in _chains_of(text, line)] == ["Boat 1.6"]


def test_an_item_with_a_star_that_recurs_below_underlined_titles_is_none() -> None:
    text = "Boat\n====\n\n" + "".join(
        f"4.{at}.0 (2022-12-0{at})\n==================\n\nOther changes\n-------------\n\n* Built with Ash 0.29.{at} for use with 3.{at}.\n\n"
        for at in range(9, 4, -1)
    )
    assert _chains_of(text, "* Built with Ash 0.29.6 for use with 3.6.") == [
        ["Other changes", "4.6.0 (2022-12-06)", "Boat"]
    ]


def test_releases_that_a_star_marks_stand_below_the_underlined_title_of_their_text() -> None:
    text = "Boats\n=====\n\n" + "".join(
        f"* VERSION 4.2 Patch {at} - 2023-0{at}-10\n\nThe oar of {wood} is light.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    found = _chains_of(f"{text}** Thanks\n\nThe crew has helped.\n", "The oar of fir is light.")
    assert found == [["* VERSION 4.2 Patch 6 - 2023-06-10", "Boats"]]


def test_releases_that_begin_with_date_name_and_version_end_each_other() -> None:
    text = "".join(
        f'2024.0{at}.01 - GNU boat 8.{at} "{wood}"\n\n\u2022 By default the oar of {wood} is light, and\n  the sails may be set by one hand.\n'
        f"\u2022 No leak in {wood}.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    assert _chains_of(text, "\u2022 No leak in fir.") == [['2024.06.01 - GNU boat 8.6 "fir"']]


WOODS = ("ash", "oak", "elm", "fir", "box")


def _parts(lead: str, numbers: tuple[str, ...], item: str = "* An oar of {1} is light.\n\n") -> str:
    return "".join((lead + item).format(number, wood) for number, wood in zip(numbers, WOODS, strict=False))


@pytest.mark.parametrize(
    "text, release",
    [
        # A version with fewer parts comes before those that begin with it.
        (_parts("boat {0}\n\n", ("0.5.1 - 2004-04-29", "0.5 - 2004-03-22", "0.4.2 - 2003-09-23", "0.4 - 2003-02-24")), "boat 0.4 - 2003-02-24"),
        # Dates alone, some with a rule behind them.
        (_parts("{0}\n\nFrom: Ada <ada@pier.example>\n", ("2001/3/23 =======", "2001/3/22 ====", "2001/2/7", "2001/2/6", "2001/1/25")), "2001/2/6"),
        # The stage of a version.
        (_parts("{0}\n\n", ("5.3.5beta (2022-12-01)", "5.3.4alpha (2022-11-15)", "5.2.9 (2022-11-01)", "5.2.8 (2022-10-01)")), "5.2.8 (2022-10-01)"),
        # Worded in another way, with a version between those around it.
        (_parts("boat-6.4.{0} (released 2022-0{0}-26):\n\n", ("9", "8", "7")) + "Boat 6.4.6 for the harbour:\n\n* An oar of fir is light.\n\n", "Boat 6.4.6 for the harbour:"),
        # A title as long as the shortest fence.
        (_parts("{0}\n~~~\n", ("1.0",)) + _parts("{0}\n~~~~~\n", ("1.0.1", "1.0.2", "1.0.3"), "* A sail.\n* An oar of fir is light.\n\n"), "1.0.1"),
    ],
)  # fmt: skip
def test_a_release_in_a_usual_form_ends_the_one_above_it(text: str, release: str) -> None:
    assert [one[-1] for one in _chains_of(text, "* An oar of fir is light.")][:1] == [release]


def test_a_sentence_that_recurs_but_for_its_number_is_no_heading() -> None:
    text = _parts(
        "* {0}.1\n\n** {1} の支援を終了\n\nボート {0} をお使いの方は帆船 16.3 を利用してください。\n\n",
        ("17", "16", "15", "14"),
        "** 櫂\n\n{1} の櫂は軽い。\n\n",
    )
    line = "ボート 15 をお使いの方は帆船 16.3 を利用してください。"
    assert _chains_of(text, line) == [["** elm の支援を終了", "* 15.1"]]


def test_an_address_with_the_version_of_each_release_is_no_heading() -> None:
    text = _parts(
        "Changes in version 3.{0}:\n\nSee also: https://boats.example/new_in_{0}\n\n", ("9", "8", "7", "6")
    )
    assert _headings(text) == [f"Changes in version 3.{at}:" for at in (9, 8, 7, 6)]


def test_entries_between_rules_are_no_titles() -> None:
    rule = "-" * 30
    text = f"{rule}\nThe oar is light.\nIt floats.\n{rule}\nThe sail is set.\nIt is white.\n{rule}\n"
    assert _headings(text) == []


@pytest.mark.parametrize(
    "head", ["v2.{}.0  (Mar {}, 2021)", "* Version 2.{}.0 - March {}, 2021", "Version 2.{}.0 ({} March 2021)"]
)
def test_versions_with_dates_directly_over_lines_in_small_letters_end_each_other(head: str) -> None:
    sign = "- " if head[0] == "*" else ""
    text = "".join(
        f"{head.format(at, at + 2)}\n{sign}oars: one hand sets that of {wood}.\n{sign}keel: no leak in {wood}.\n\n"
        for at, wood in zip(range(9, 4, -1), ("ash", "oak", "elm", "fir", "box"), strict=True)
    )
    title = "Boat: Releases\n==============\nhttps://boat.example\n\n" if sign else ""
    assert _chains_of(title + text, f"{sign}keel: no leak in elm.")[0][0] == head.format(7, 9)


def test_a_version_without_the_date_that_others_have_ends_them() -> None:
    text = "".join(
        f"{head}\noars: no leak in {head[:6]}\nkeel: the crew mended that of {head[:6]}\n\n"
        for head in ("v1.4.8  (Dec 18, 2020)", "v1.4.7  (Dec 16, 2020)", "v1.4.6", "v1.4.5  (May 22, 2020)")
    )
    assert _chains_of(text, "keel: the crew mended that of v1.4.6")[0] == ["v1.4.6"]


def _run_in(number: int, wood: str) -> str:
    return (
        f'2023.0{number}.01 - GNU boat 7.{number} "{wood}" mends a leak near the mast that\n             let in water, and makes '
        f"the oars of {wood} light. By\n             default the sails may be set by one hand.\n\n"
    )


RUN_IN = "".join(
    f'2024.0{at}.01 - GNU boat 8.{at} "{wood}"\n\u2022 By default the oar of {wood} is light, and\n  the sails may be set by one hand.\n\u2022 No leak in {wood}.\n\n'
    for at, wood in zip(range(9, 4, -1), ("ash", "Why an oak?", "elm", "All of fir!", "box"), strict=True)
) + "".join(_run_in(at, wood) for at, wood in zip(range(9, 2, -1), "abcdefg", strict=True))


def test_releases_whose_older_ones_are_paragraphs_keep_their_titles() -> None:
    assert _headings(RUN_IN) == [
        f'2024.0{at}.01 - GNU boat 8.{at} "{wood}"'
        for at, wood in zip(range(9, 4, -1), ("ash", "Why an oak?", "elm", "All of fir!", "box"), strict=True)
    ]
    assert _chains_of(RUN_IN, "\u2022 No leak in All of fir!.") == [
        ['2024.06.01 - GNU boat 8.6 "All of fir!"']
    ]


def test_a_paragraph_that_begins_as_releases_do_ends_the_one_above_it() -> None:
    below = RUN_IN + "    More is said of the last one below it.\n"
    document = check_laws(below)
    ends = [
        index
        for index in range(len(document.segments))
        if document.of(index).startswith("2023.") and not list(document.above(index))
    ]
    assert len(ends) == 7
    chains = _chains_of(below, "More is said of the last one below it.")
    assert [chain[-1].startswith("2023.03.01") for chain in chains] == [True]


def test_a_paragraph_with_a_version_that_is_not_next_ends_no_release() -> None:
    note = "Version {0}.1 of the mast was not delivered to the harbour by {1}, who had\nmade the others, so that it is not part of this release of the boat,\nwhich has none.\n\n"
    text = "".join(
        f"Version 3.{at}\n\n- An oar of {wood}.\n\n{note.format(wood_at, wood) if wood_at else ''}- No leak in {wood}.\n\n"
        for at, wood, wood_at in zip(range(9, 4, -1), WOODS, (0, 9, 0, 1, 0), strict=True)
    )
    assert _headings(text) == [f"Version 3.{at}" for at in range(9, 4, -1)]
    assert _chains_of(text, "- No leak in oak.") == [["Version 3.8"]]


def test_parts_of_other_sections_are_no_releases_though_they_are_underlined_like_them() -> None:
    """As in what a package says of itself: how it is installed, what else is to know, and then its change log."""

    def titled(title: str, sign: str) -> str:
        return f"{title}\n{sign * len(title)}\n\n"

    parts = (
        titled("Upgrading from boats 6.3", "-")
        + "Take a new boat.\n\n"
        + titled("Leaving", "-")
        + "Bring the boat back.\n\n"
    )
    others = "".join(
        titled(one, "=") + f"All of {one} is told here.\n\n" for one in ("Usage", "Safety", "Thanks")
    )
    log = "".join(
        titled(f"{at}.1.0 (202{at}-03-21)", "-") + f"* A sail for release {at}.\n\n" for at in range(6, 0, -1)
    )
    top = f"{'=' * 8}\nOverview\n{'=' * 8}\n\nBoats to be rowed.\n\n"
    above = tree(
        check_laws(
            f"{top}{titled('Installation', '=')}Take a boat.\n\n{parts}{others}{titled('Changelog', '=')}{log}"
        )
    )
    assert above["4.1.0 (2024-03-21)"] == "Changelog"
    assert above["Leaving"] == "Installation"


VERSIONS = st.tuples(st.integers(0, 9), st.integers(0, 9))
NAMES = ("Boat", "Harbour", "Pier", "Mast", "Keel", "Sail", "Oar", "Lamp")


def _versions_of_releases(text: str) -> list[tuple[int, ...]]:
    lines = read_lines(text)
    heads = [lines[number].text for number in sorted(releases_by_line(lines, bytearray(len(lines)), (), ()))]
    versions = [word for head in heads for word in head.replace(":", "").split() if word[0].isdecimal()]
    return [tuple(map(int, version.split("."))) for version in versions]


@given(
    st.lists(VERSIONS, min_size=3, max_size=6, unique=True),
    st.lists(st.tuples(st.integers(0, 9), VERSIONS), max_size=len(NAMES)),
    st.booleans(),
)
@example([(9, 0), (7, 0), (5, 0)], [(0, (8, 2)), (0, (8, 4)), (0, (7, 1)), (1, (5, 1))], True)
def test_versions_of_releases_are_in_order_whatever_titles_with_versions_stand_between_them(
    versions: list[tuple[int, int]], others: list[tuple[int, tuple[int, int]]], falls: bool
) -> None:
    ordered = sorted(versions, reverse=falls)
    text = ""
    for at, (major, minor) in enumerate(ordered):
        text += f"Changes in version {major}.{minor}:\n\n* An oar of ash.\n\n"
        for name, (place, (first, second)) in zip(NAMES, others, strict=False):
            if place == at:
                text += f"{name} {first}.{second} for the crew:\n\n* A sail of linen.\n\n"
    found = _versions_of_releases(text)
    assert set(ordered) <= set(found)
    assert all(earlier > later if falls else earlier < later for earlier, later in pairwise(found))


def test_sentences_that_begin_alike_before_rising_numbers_are_no_releases() -> None:
    told = {
        "Ports": "The 3 actions that are supported are trap, drop and redirect.",
        "Routes": "The SJA1105 matrix of ports is:",
        "Rules": "The SJA1110 matrix of ports is:",
    }
    parts = (f"{title}\n{'=' * 6}\n\n{one}\n\nIt is told here.\n\n" for title, one in told.items())
    found = kinds(parse("".join(parts)))
    assert [one for one, kind in found.items() if kind is SegmentKind.HEADING] == list(told)


def test_a_field_below_the_title_of_a_release_is_no_title() -> None:
    releases = "".join(
        f"{title}\n{'=' * len(title)}\n:release-date: 2019-0{month}-31 7:00 P.M\n:release-by: Ada\n\n- Mends boats.\n\n"
        for title, month in (("4.3.1", 9), ("4.3.0", 5), ("4.3.0 RC2", 3), ("4.3.0 RC1", 1))
    )
    found = kinds(check_laws(f"Change history\n==============\n\n{releases}"))
    assert found[":release-date: 2019-05-31 7:00 P.M"] is SegmentKind.LINE
    assert found[":release-by: Ada"] is SegmentKind.LINE


def test_a_sentence_that_ends_with_a_name_with_a_number_is_no_release() -> None:
    parts = "".join(
        f"boat{at}.py\n{'-' * 8}\n\nIn the harbour this boat is moored as boat{at}.\n\nIt is made of {wood}, and of no other wood.\n\n"
        f".. _planks{at}: planks.html\n\n"
        for at, wood in enumerate(("ash", "oak", "elm", "fir"), 2)
    )
    document = check_laws(f"Boats\n=====\n\n{parts}")
    assert [document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING][
        1:
    ] == [f"boat{at}.py" for at in range(2, 6)]
    assert tree(document)["It is made of elm, and of no other wood."] == "boat4.py"


def test_a_label_directly_below_a_title_with_numbers_is_no_part_of_it() -> None:
    parts = "\n".join(
        f"Pier 00{at} Boat 001: ID 2109:081{at} Boats of {wood}, Inc. VL813 Hull\nBoat Descriptor:\n  bLength                18\n"
        f"  bPlanks                {at}\nOar Descriptor:\n  bLength                 {at}\n"
        for at, wood in enumerate(("ash", "oak", "elm", "fir"), 2)
    )
    above = tree(check_laws(parts))
    assert above["bPlanks 3"] == "Boat Descriptor:"
    assert "Pier 003 Boat 001: ID 2109:0813 Boats of oak, Inc. VL813 Hull" in above


def _underlined(title: str, sign: str) -> str:
    return f"{title}\n{sign * len(title)}\n\nThis part says what it is, and how it is used by all.\n\n"


def test_sections_of_an_appendix_and_quoted_titles_are_no_releases() -> None:
    woods = ("ASH", "OAK", "ELM", "FIR")
    quoted = "".join(f"'ALL X\"0{at}\"'\n     Show the boats of {at} planks.\n\n" for at in range(1, 4))
    text = (
        _underlined("1 Boats", "*") + _underlined("1.1 Oars", "=") + _underlined("1.1.1 Blades", "-") + quoted
    )
    text += _underlined("1.2 Sails", "=") + _underlined("2 Piers", "*") + _underlined("2.1 Planks", "=")
    for letter in "AE":
        text += _underlined(f"Appendix {letter} Woods", "*")
        for at, wood in enumerate(woods, 1):
            text += _underlined(f"{letter}.{at} Boats of {wood}", "=")
    above = tree(check_laws(text))
    assert above["1.2 Sails"] == "1 Boats"
    assert above["2 Piers"] == above["Appendix A Woods"] == ""
    assert above["A.2 Boats of OAK"] == "Appendix A Woods"
    assert above["E.4 Boats of FIR"] == "Appendix E Woods"
