"""The judge of real texts: releases that are boxed, dated, or underlined in another way than those before them."""

import pytest

from bench.real_texts.checks import faults
from bench.real_texts.source_layout.layout import read

RULE = "=" * 60
BOXED = "Boat notes\n==========\n\n" + "".join(
    f"{RULE}\nBoat 7.0.{at}    Released Tue 0{at} Jan 2024\n{RULE}\n\nSecurity fixes\n==============\n\n* No leak in {at}.\n\n"
    for at in (9, 8, 7)
)
CENTRED = "".join(
    f"        ==========================\n        Release Notes for Boat 4.{at}\n            March 0{at}, 2023\n"
    f"        ==========================\n\nWhat is mended in {at}.\n\nChanges since 4.{at - 1}\n-----------------\n\n* No leak in {at}.\n\n"
    for at in (9, 8, 7)
)
RULED = "# KNOWN BUGS\n* The boat leaks.\n\n" + "".join(
    f"{'-' * 70}\nboat-6.4.{at} (released 2022-0{at}-26):\n\n# FIXES:\n* No leak in {at}.\n\n# CHANGES:\n* An oar of {at}.\n\n"
    for at in (9, 8, 7)
)
RESTYLED = "".join(
    f"News in 4.{at}, 2023-01-0{at}\n----------------------\n\n* A sail of {at}.\n\n" for at in (4, 3, 2)
) + "".join(f"========\nboat 3.{at}\n========\n\n* An oar of {at}.\n\n" for at in (9, 8, 7))
DATED = "".join(
    f"{one} - 2020-0{at}-10\n\t- An oar of {at}.\n\n" for at, one in ((6, "1.16"), (5, "1.15.1"), (4, "1.15"))
)
RUN_IN = "".join(
    f'2024.0{at}.01 - boat 8.{at} "Ash {at}"\n\u2022 No leak in {at}.\n\n' for at in (9, 8, 7)
) + "".join(
    f"2023.0{at}.01 - boat 7.{at} mends the oars of those who row at sea,\n{' ' * 13}and the sails of all. It has a mast {at}.\n\n"
    for at in (9, 8, 7)
)
TILDES = "".join(
    f"{one}\n{'~' * len(one)}\n\n* An oar of ash {one[-1]} is light.\n\n" for one in ("1.0", "1.0.1", "1.0.2")
)

NAMES = "".join(
    f"Version 7.{at}.0 (20 Feb 202{at})\n\nAda Ash (20 Feb 202{at})\n\n- No leak in {at}.\n\n  7.{at}.0 release\n\n"
    f"otto-oak 2 (1{at} Feb 202{at})\n\n- An oar of {at}.\n\n  Closes #{at}\n\n- A sail of {at}.\n\n"
    for at in (3, 2)
)
DAYS = "".join(
    f"Sun Jun 2{at} 22:21:59 1994  Ada Ash  <ada@boats.example>\n\t* oars.c:\n\n\tNo leak in {at}.\n\n"
    f"2008-02-2{at}  Otto Oak  <otto@boats.example>\n\n\t* An oar of {at}.\n\n"
    for at in (9, 8, 7)
)


@pytest.mark.parametrize(
    "text, summary",
    [
        (BOXED, "Security fixes\n\n* No leak in 9.\n\nBoat 7.0.7    Released Tue 07 Jan 2024\n\n* No leak in 7."),
        (CENTRED, "Changes since 4.8\n\n* No leak in 9.\n\nRelease Notes for Boat 4.8 March 08, 2023\n\nWhat is mended in 8."),
        (RULED, "# KNOWN BUGS\n\nboat-6.4.9 (released 2022-09-26):\n\n# FIXES:\n\nboat-6.4.7 (released 2022-07-26):\n\n# CHANGES:\n* An oar of 7."),
        (RESTYLED, "News in 4.2, 2023-01-02\n\n[...]\n\nboat 3.8\n\n* An oar of 8."),
        (DATED, "1.16 - 2020-06-10\n\n1.15.1 - 2020-05-10\n\n- An oar of 5."),
        (RUN_IN, '2024.08.01 - boat 8.8 "Ash 8"\n\u2022 No leak in 8.\n\n2023.08.01 - boat 7.8 mends the oars of those who row at sea, and the sails of all. It has a mast 8.'),
        (TILDES, "1.0\n\n* An oar of ash 0 is light.\n\n1.0.1\n\n* An oar of ash 1 is light."),
        (NAMES, "Version 7.3.0 (20 Feb 2023)\n\nAda Ash (20 Feb 2023)\n\n  7.3.0 release\n\notto-oak 2 (13 Feb 2023)\n\n- An oar of 3.\n\nVersion 7.2.0 (20 Feb 2022)\n\nAda Ash (20 Feb 2022)\n\n- No leak in 2."),
        (DAYS, "2008-02-29  Otto Oak  <otto@boats.example>\n\nSun Jun 27 22:21:59 1994  Ada Ash  <ada@boats.example>\n\nNo leak in 7."),
    ],
)  # fmt: skip
def test_a_release_ends_the_one_above_it(text: str, summary: str) -> None:
    assert faults(read(text), summary).attributions == []


@pytest.mark.parametrize(
    "text, summary",
    [
        (BOXED, "Boat 7.0.9    Released Tue 09 Jan 2024\n\nSecurity fixes\n\n* No leak in 7."),
        (BOXED, "Security fixes\n\n* No leak in 9.\n\nBoat 7.0.7    Released Tue 07 Jan 2024\n\n* No leak in 8."),
        (CENTRED, "Release Notes for Boat 4.9\n\nWhat is mended in 8."),
        (CENTRED, "Changes since 4.8\n\nWhat is mended in 8."),
        (RULED, "# KNOWN BUGS\n\n* An oar of 7."),
        (RULED, "boat-6.4.9 (released 2022-09-26):\n\n# FIXES:\n\n* An oar of 7."),
        (RESTYLED, "News in 4.2, 2023-01-02\n\n* An oar of 8."),
        (RESTYLED, "boat 3.8\n\n* An oar of 7."),
        (DATED, "1.16 - 2020-06-10\n\n- An oar of 5."),
        (RUN_IN, '2024.08.01 - boat 8.8 "Ash 8"\n\u2022 No leak in 7.'),
        (RUN_IN, '2024.07.01 - boat 8.7 "Ash 7"\n\u2022 No leak in 7.\n\n[...] It has a mast 9.'),
        (RUN_IN, '2024.08.01 - boat 8.8 "Ash 8"\n\u2022 No leak in 8.\n\n[...] It has a mast 9.'),
        (TILDES, "1.0\n\n* An oar of ash 1 is light."),
        (NAMES, "Ada Ash (20 Feb 2023)\n\n- An oar of 3."),
        (NAMES, "otto-oak 2 (13 Feb 2023)\n\n- No leak in 3."),
        (NAMES, "Version 7.3.0 (20 Feb 2023)\n\nAda Ash (20 Feb 2022)\n\n- No leak in 2."),
        (NAMES, "Version 7.3.0 (20 Feb 2023)\n\n- A sail of 2."),
        (NAMES, "Closes #3\n\nAda Ash (20 Feb 2022)\n\n- A sail of 2."),
        (DAYS, "Sun Jun 29 22:21:59 1994  Ada Ash  <ada@boats.example>\n\nNo leak in 8."),
        (DAYS, "Sun Jun 29 22:21:59 1994  Ada Ash  <ada@boats.example>\n\n* An oar of 9."),
    ],
)  # fmt: skip
def test_what_stands_under_another_release_than_its_own_is_found(text: str, summary: str) -> None:
    assert faults(read(text), summary).attributions


def test_who_said_something_on_a_day_heads_no_words() -> None:
    said = "".join(f"A boat of {at} oars is fast.\n\nAda Ash ({at} Nov 1863)\n\n" for at in (3, 2, 1))
    assert not any(line.heading for line in read(said).lines)


PAGES = "".join(
    f"{at}.  Boat {at}\n\n   An oar of {at}.\n\n\nFOOT {at}]\n\f\nRFC 1                 Boats              May 2021\n\n   A sail of {at}.\n\n"
    for at in (1, 2, 3, 4)
)


@pytest.mark.parametrize(
    "change", [("FOOT", "Ash      Standards Track      [Page"), ("FOOT", "Boats ["), ("]\n\f", "\n")]
)
def test_the_foot_of_a_page_ends_no_section(change: tuple[str, str]) -> None:
    source = read(PAGES.replace(*change).replace("FOOT", "Ash, page"))
    assert not faults(source, "2.  Boat 2\n\nAn oar of 2.\n\nA sail of 2.").attributions
    assert faults(source, "2.  Boat 2\n\nA sail of 3.").attributions


def test_titles_of_parts_are_not_raised_to_those_of_releases() -> None:
    parts = "Version 2.1\n===========\n\nWords.\n\nVersion 2.0\n===========\n\nBugs of 1.9\n-----------\n\nIt is gone.\n"
    assert [line.heading for line in read(parts).lines if line.heading] == [1, 1, 1]
    later = parts + "\nVersion 1.8\n===========\n\nMore.\n"
    assert [line.heading for line in read(later).lines if line.heading] == [1, 1, 2, 1]


def test_steps_with_numbers_end_no_marked_section() -> None:
    steps = "# Use\n\n" + "".join(f"Step {at} of all\n\nSet sail {at}.\n\n" for at in (1, 2, 3))
    assert not any(line.ends for line in read(steps).lines)
    assert faults(read(steps + "# Rest\n\nIt is done.\n"), "# Use\n\nIt is done.").attributions


def test_the_day_of_a_release_below_its_title_ends_no_section() -> None:
    days = "".join(
        f"## 4.{at}.0\n\n2022-12-0{at}\n\n### Features\n\n* An oar of {at}.\n\n" for at in (9, 8, 7)
    )
    assert not any(line.ends for line in read(days).lines)
    assert not faults(read(days), "## 4.8.0\n\n### Features\n\n* An oar of 8.").attributions
    assert faults(read(days), "## 4.8.0\n\n2022-12-07\n\n### Features\n\n* An oar of 7.").attributions


def test_a_block_of_asciidoc_between_two_rules_is_no_box() -> None:
    blocks = "".join(
        f".Rule {at}\n==========\nCommit to the oldest\nbranch {at}.\n==========\n\n" for at in range(4)
    )
    assert not any(
        line.heading == 1 and not line.is_unmarked for line in read(f"Use\n---\n\n{blocks}").lines[3:]
    )


def test_a_version_with_its_day_heads_a_part_with_or_without_a_blank_line_below_it() -> None:
    rule = 70 * "-"
    text = "".join(
        f"{rule}\nVersion 5.{at}.0 - 0{at}-Jul-2012\n{gap} ++ fixed bugs ++\n  - A light oar of {at}.\n\n"
        for at, gap in zip(range(9, 3, -1), ("\n", "", "\n", "", "", "\n"), strict=True)
    )
    wrong = "Version 5.7.0 - 07-Jul-2012\n\n ++ fixed bugs ++\n  - A light oar of 4.\n"
    right = "Version 5.7.0 - 07-Jul-2012\n\nVersion 5.4.0 - 04-Jul-2012\n\n ++ fixed bugs ++\n  - A light oar of 4.\n"
    source = read(text)
    assert faults(source, wrong).attributions
    assert not faults(source, right).attributions
