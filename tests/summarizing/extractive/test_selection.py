"""The embedded summarizer: laws on any text, and one example for each thing it promises."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.selection import Reading, summarize
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary
from tests.support.laws import examples

TOKENIZER = load_tokenizer(read_vocabulary())

PIECES = st.sampled_from(
    (
        "# ",
        "## ",
        "| a | b |\n",
        "|-|-|\n",
        "```\n",
        "- ",
        "\n",
        "\n\n",
        "  ",
        "> ",
        '{"a": 1}, ',
        "---\n",
        "Ann. ",
        "\ud800",
        "\x00",
        "漢字。",
        "😉",
        "<|endoftext|>",
        "[a](b)",
        "x" * 700,
        "NAME  AGE\n",
        "a.b ",
        "\r\n",
        "key: 1\n",
        "<>();\n",
    )
)
TEXTS = st.one_of(st.text(st.characters(), max_size=400), st.lists(PIECES, max_size=120).map("".join))

FILLER = "\n\n".join(
    f"The {noun} of the valley was quiet and nobody there could remember when it had been different."
    for noun in [
        "mill",
        "road",
        "river",
        "market",
        "forest",
        "tower",
        "garden",
        "harbour",
        "bridge",
        "orchard",
    ]
)

SALES = [
    ("salt", "Vey", 12),
    ("amber", "Korr", 31),
    ("wool", "Oyle", 7),
    ("timber", "Slate", 55),
    ("rope", "Marl", 4),
]


def summary(content: str, target: int, brief: str = "") -> str:
    return summarize(content, target, brief, TOKENIZER)


def is_in_order(result: str, content: str) -> bool:
    """Whether the result has no character that the content has not, in the same order."""
    rest = iter(content)
    return all(character in rest for character in result if not character.isspace())


# --- Laws -------------------------------------------------------------------------------------------------


@examples(300)
@given(TEXTS, st.integers(16, 400), st.sampled_from(["", "names, dates", "漢字", "(", "a", "\ud800 not x"]))
def test_the_laws_hold_on_any_text(content: str, target: int, brief: str) -> None:
    result = summary(content, target, brief)
    assert TOKENIZER.count(result) <= target
    assert len(result) <= len(content)
    assert bool(result) == bool(content.strip())
    assert is_in_order(result, content)


@examples(60)
@given(TEXTS, st.integers(16, 100))
def test_the_same_call_gives_the_same_summary(content: str, target: int) -> None:
    assert summary(content, target, "names") == summary(content, target, "names")


@pytest.mark.parametrize(
    "content",
    [
        "a" * 5_000_000,
        "\n" * 5_000_000 + "x",
        " " * 5_000_000 + "x",
        "." * 5_000_000,
        "字" * 1_000_000,
        '"' * 1_000_000,
        '{"a":"' + "\\" * 1_000_000,
        '{"a":"' + '\\"' * 500_000,
        "|" + "1" * 1_000_000,
        "[" * 1_000_000,
        "](" * 500_000,
        "# a\n" * 50_000,
        "- a\n" * 50_000,
        "\n".join(" " * depth + "x" for depth in range(1_500)),
        "\ud800" * 1_000_000,
        "word " * 1_000_000,
    ],
    ids=range(16),
)
def test_hostile_shapes_of_a_million_characters_come_back_within_the_target(content: str) -> None:
    result = summary(content, 100, "word")
    assert result.strip()
    assert TOKENIZER.count(result) <= 100


def test_a_content_that_fits_is_returned_as_it_is() -> None:
    assert summary("Short enough.\n", 16) == "Short enough.\n"


def test_white_space_has_no_summary() -> None:
    assert summary(" \n\t" * 100, 16) == ""


def test_where_no_unit_fits_the_best_one_is_cut_at_a_word() -> None:
    content = "antidisestablishment " * 200
    result = summary(content, 16)
    assert result.split() == ["antidisestablishment"] * len(result.split())


def test_where_no_unit_fits_and_there_are_no_spaces_the_best_one_is_cut_at_a_character() -> None:
    result = summary("湖の灯りは夜になると静かに消える" * 60, 16)
    assert 0 < TOKENIZER.count(result) <= 16


@pytest.mark.parametrize("end", ["<>();\n", '":{\n', "=>{\n", " }));\n", "__':\n"])
def test_a_line_end_stays_where_the_cut_would_take_a_token_more_without_it(end: str) -> None:
    for target in range(1, 20):
        assert TOKENIZER.count(summary(f"we call it as foo{end}" * 40, target)) <= target


def test_every_sentence_is_kept_whole() -> None:
    sentences = [f"The {good} of {town} fetched {price} crowns at the fair." for good, town, price in SALES]
    kept = re.split(r"(?<=\.) ", summary(" ".join(sentences), 60))
    assert len(kept) >= 2
    assert set(kept) <= set(sentences)


# --- Structure --------------------------------------------------------------------------------------------

TABLE = "| City | Mayor | Founded |\n|---|---|---|\n" + "".join(
    f"| Town{number} | Person{number} | {1500 + number} |\n" for number in range(80)
)


def test_a_table_row_brings_its_head_along() -> None:
    result = summary(FILLER + "\n\n" + TABLE, 80, "Town71")
    assert "| City | Mayor | Founded |\n|---|---|---|\n" in result
    assert "| Town71 | Person71 | 1571 |" in result


def test_the_columns_of_a_listing_keep_their_names() -> None:
    rows = [f"web-{number}    1/1     Running   0" for number in range(60)]
    rows[37] = "db-37     0/1     CrashLoopBackOff   12"
    result = summary("NAME      READY   STATUS    RESTARTS\n" + "\n".join(rows), 100)
    assert result.startswith("NAME      READY   STATUS    RESTARTS\n")
    assert rows[37] in result


SECTIONS = "".join(f"## Section {number}\n\nNothing here is of note today.\n\n" for number in range(30))


def test_a_heading_is_kept_with_its_content_and_only_then() -> None:
    content = f"# Book\n\n{SECTIONS}## Mining\n\n### Copper\n\n- The mine yields 412 tonnes a year.\n"
    result = summary(content, 30, "copper mine")
    assert "# Book" in result
    assert "## Mining\n\n### Copper\n\n- The mine yields 412 tonnes a year." in result
    lines = [line for line in result.splitlines() if line]
    assert not lines[-1].startswith("#")


def test_where_something_is_asked_for_a_sentence_that_answers_by_itself_needs_no_heading() -> None:
    content = f"# Book\n\n{SECTIONS}## Works\n\n### Pits\n\nThe copper mine yields 412 tonnes a year.\n"
    assert "Pits" not in summary(content, 30, "copper mine")
    assert "### Pits\n\nThe copper mine yields 412 tonnes" in summary(content, 30)


def test_a_fence_that_is_opened_is_closed() -> None:
    body = "\n".join(f"value_{number} = compute({number})" for number in range(120))
    result = summary(f"Intro.\n\n```python\n{body}\n```\n\n{FILLER}", 120, "compute, value_77")
    assert "value_77 = compute(77)" in result
    assert result.count("```") == 2
    assert result.index("```python") < result.index("value_77") < result.rindex("```")


def test_a_nested_item_keeps_the_items_above_it() -> None:
    items = "".join(f"  - plain entry number {number}, of which nothing is known\n" for number in range(60))
    result = summary(
        f"- Trainers of the valley\n{items}  - Hob Ellery teaches Votive Candles\n", 60, "votive candles"
    )
    assert "- Trainers of the valley\n" in result
    assert "  - Hob Ellery teaches Votive Candles" in result


def test_objects_of_one_line_json_stay_whole() -> None:
    objects = [
        f'{{"id": {number}, "state": "open", "note": "a \\"b\\", {{c}}, [d],"}}' for number in range(80)
    ]
    objects[63] = objects[63].replace("open", "refunded")
    result = summary("[" + ", ".join(objects) + "]", 90, "refunded")
    assert objects[63] in result


def test_objects_of_indented_json_keep_their_brackets() -> None:
    objects = ",\n".join(f'  {{\n    "id": {number},\n    "state": "s{number}"\n  }}' for number in range(60))
    result = summary(f"[\n{objects}\n]", 80, "s41")
    assert '  {\n    "id": 41,\n    "state": "s41"\n  }' in result


def test_abbreviations_initials_and_decimals_end_no_sentence() -> None:
    sentence = "On 3. März 2024 Dr. J. Korr raised the toll, e.g. for version 3.14 of barges, to 2.5 glim."
    assert sentence in summary(f"{FILLER} {sentence} {FILLER}", 60, "toll for barges")


# --- Choice -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "noise",
    [
        "[Jump to content](#content) | [Log in](https://wiki.example/login)",
        "- [Main page](/main)\n- [Zones](/zones)\n- [Factions](/factions)",
        "We use cookies to keep you signed in. You can change that at any time.\n[Accept all](#) [Reject](#)",
        "Advertisement",
        "Subscribe to our newsletter. No spam.",
        "Share this page: [Copy link](#) · [E-mail](#)",
        "Was this page helpful?",
        "© 2025 Ashmere Ltd. All rights reserved.",
        "<!-- fetched: 2025-03-02 status=200 -->",
        "Wir verwenden Cookies, um die Seite zu verbessern.",
    ],
)
def test_boilerplate_is_dropped(noise: str) -> None:
    content = f"{noise}\n\n{FILLER}"
    assert noise.splitlines()[0] not in summary(content, TOKENIZER.count(content) - 5)


@pytest.mark.parametrize(
    "text",
    [
        "The cookies table stores one row for each session and is emptied after 30 days by the cleaner job.",
        "Users log in with the staff account that the office hands out on their first day at the works.",
        "contact: Ann Roe, room 12",
    ],
)
def test_text_about_such_things_is_not_boilerplate(text: str) -> None:
    assert text in summary(f"{FILLER}\n\n{text}", 60, "cookies, log in, contact")


def test_what_is_only_boilerplate_still_has_a_summary() -> None:
    assert summary("We use cookies to measure. " * 40, 16).strip()


def test_what_is_repeated_stands_once() -> None:
    line = "The archive of Bellgrave Abbey holds 1,204 books in nine languages."
    assert summary(f"{line}\n\n{FILLER}\n\n{line}\n\n{FILLER}\n\n{line}", 200, "archive").count(line) == 1


def test_a_short_value_under_two_headings_is_no_repeat() -> None:
    content = f"# Joss\n\n- Level: 35\n\n{FILLER}\n\n# Neve\n\n- Level: 35\n"
    assert summary(content, 60, "level").count("- Level: 35") == 2


@pytest.mark.parametrize(
    "brief, fact",
    [
        ("NPCs", "One NPC sells rope at the quay."),
        ("regulation", "Regulations changed at noon."),
        ("rated limits", "The rating limited each caller."),
        ("retry policy", "Set `maxRetryPolicyName` before use."),
        ("Preis", "Die Preise stiegen am Abend."),
        ("décision", "Les décisions sont prises le soir."),
        ("価格", "この製品の価格は四千円です。"),
        ("opening hours, copper prices", "Copper prices fell overnight."),
        ("dates", "Gates closed on 2025-03-02."),
    ],
)
def test_a_brief_finds_its_words_in_other_forms(brief: str, fact: str) -> None:
    assert fact in summary(f"{FILLER}\n\n{fact}\n\n{FILLER.replace('valley', 'plain')}", 40, brief)


def test_a_brief_counts_in_the_heading_above() -> None:
    content = (
        f"# Land\n\n{FILLER}\n\n# Prices\n\nRope is 12 glim.\n\n# Sea\n\n{FILLER.replace('valley', 'coast')}"
    )
    assert "# Prices\n\nRope is 12 glim." in summary(content, 40, "prices")


def test_what_is_not_wanted_does_not_count_as_wanted() -> None:
    rows = "\n".join(f"pod-{number}  Running" for number in range(80))
    assert "Failed" in summary(f"{rows}\npod-99  Failed", 60, "pods that are not running")


def test_facts_for_a_schema_come_from_the_tail_of_a_list() -> None:
    items = [f"- Remark {number}: it was a fine day and everybody said so" for number in range(70)]
    items.append("- Leader of the Oarsmen faction: Tamsin Oyle, since Year 431")
    assert items[-1] in summary(FILLER + "\n\n" + "\n".join(items), 60, "faction leaders with dates")


RELATION = "Neve Tarrow keeps the lamps of the Lantern Compact on the quay."
DECOYS = "\n\n".join(
    f"Every faction of region {number} has its own songs and feasts." for number in range(20)
)


@pytest.mark.parametrize(
    "listing",
    [
        (
            "| Faction | Seat |\n|---|---|\n| Lantern Compact | Quay |\n| Salt Exchange | Hill |\n| Oar League | Bay |\n"
            "| Kiln Guild | Ridge |\n"
        ),
        "- Faction: Lantern Compact\n\n- Faction: Salt Exchange\n\n- Faction: Oar League\n\n- Faction: Kiln Guild\n",
        (
            "# Factions\n\n## Lantern Compact\n\nOld.\n\n## Salt Exchange\n\nRich.\n\n## Oar League\n\nLoud.\n\n## Kiln Guild\n\nHot.\n\n"
            "# Other\n"
        ),
    ],
    ids=["column", "label", "heading"],
)
def test_names_that_the_text_lists_as_what_is_asked_for_are_found_without_the_word(listing: str) -> None:
    content = f"{listing}\n{DECOYS}\n\n{FILLER}\n\n{RELATION}\n\n{FILLER.replace('valley', 'plain')}"
    assert RELATION in summary(content, 90, "NPCs with faction allegiances")


def test_rows_that_differ_in_what_is_excepted_are_told_apart() -> None:
    rows = [f"pod-{number}  1/1  Running  {number}d" for number in range(120)]
    for number in range(3, 120, 13):
        rows[number] = f"pod-{number}  0/1  Evicted  {number}d"
    result = summary("NAME  READY  STATUS  AGE\n" + "\n".join(rows), 220, "pods that are not Running")
    assert all(row in result for row in rows if "Evicted" in row)


def test_the_words_of_a_head_row_tell_none_of_its_rows_from_another() -> None:
    pen = Random(1)
    rows = [
        ",".join(
            [
                f"INV-{pen.randrange(10_000, 99_999)}",
                pen.choice(["Nyberg", "Falk", "Moreau", "Pryce"])
                + pen.choice([" Tools", " Foods", " Optics"]),
                pen.choice(["EUR"] * 4 + ["USD", "GBP"]),
                f"{pen.randrange(100, 9_000)}.{pen.randrange(10, 99)}",
                pen.choice(["paid"] * 6 + ["open"] * 2 + ["overdue"]),
            ]
        )
        for _ in range(150)
    ]
    rows[4::13] = [row.rpartition(",")[0] + ",disputed" for row in rows[4::13]]
    found = summary(
        "invoice,customer,currency,amount,status\n" + "\n".join(rows),
        350,
        "which invoices the customer contests",
    )
    assert all(row in found for row in rows[4::13])


PLACES = ("Mill", "Quay", "Ford", "Gate")
NAMES = ("Osric Vane", "Ilva Thorn", "Bram Ash", "Neve Oyle", "Tam Reed", "Ebba Stone")


def test_an_answer_that_brings_nothing_new_was_given_before() -> None:
    remarks = [
        f"Quests in this region tend to be long, and nobody at {one} explains the {kind} rewards of {other}."
        for kind in ("rich", "poor", "odd")
        for one in PLACES
        for other in PLACES
        if one != other
    ]
    told = [f"Old {name} has a quest about missing bells." for name in NAMES]
    for at, quest in enumerate(told):
        remarks.insert(6 * at + 3, quest)
    found = summary("\n\n".join(remarks), 150, "quests and their rewards")
    assert all(quest in found for quest in told)


def test_what_only_could_be_told_of_a_thing_is_no_answer_by_itself() -> None:
    lines = []
    for number in range(20):
        lines += [f"INFO part{number}: page {number} cached because of load", f"DEBUG step {number} done"]
    errors = [f"ValueError: bad literal {number} in part{number}" for number in range(20)]
    for number, error in enumerate(errors):
        lines.insert(3 * number, error)
    found = summary("\n".join(lines), TOKENIZER.count("\n".join(errors)) + 40, "exceptions: type and cause")
    assert all(error in found for error in errors)


def strengths(brief: str, lines: list[str]) -> list[float]:
    return list(Reading("\n\n".join([*lines, *FILLER.split("\n\n")]), brief).scorer.strength[: len(lines)])


def test_a_cause_of_no_error_and_an_error_without_a_cause_answer_less() -> None:
    lines = [
        "The pump error E12 came because of dust.",
        "The fair was late because of rain.",
        "The lift showed an error again.",
    ]
    both, cause, error = strengths("errors: cause", lines)
    both_apart, cause_apart, error_apart = strengths("errors; cause", lines)
    assert cause / both < cause_apart / both_apart
    assert error / both < error_apart / both_apart


def test_a_sentence_that_needs_no_heading_has_its_own_where_another_one_would_stand_above_it() -> None:
    content = (
        f"# Guilds\n\n## Oarsmen\n\n- seat: Tide Hall\n\n{FILLER}\n\n## Coopers\n\n{FILLER.replace('valley', 'plain')}"
        "\n\nThe guild was founded in Year 88 by the widow of Salt Row."
    )
    result = summary(content, 60, "guilds, their seat and when they were founded")
    assert "Tide Hall" in result
    assert "The guild was founded in Year 88" in result.partition("## Coopers")[2]


def test_under_a_heading_for_people_a_line_with_a_name_comes_first() -> None:
    items = [f"- the weather on day {number} was fine and nobody minded" for number in range(40)]
    items[31] = "- Ines Halvorsen minded"
    assert items[31] in summary("# People\n\n" + "\n".join(items), 60, "people")


@pytest.mark.parametrize(
    "brief, fact", [("zunft", "Die Z\u00fcnfte tagen."), ("evenement", "L'\u00e9v\u00e9nement eut lieu.")]
)
def test_accents_make_no_other_word(brief: str, fact: str) -> None:
    assert fact in summary(f"{FILLER}\n\n{fact}\n\n{FILLER.replace('valley', 'plain')}", 40, brief)


def test_every_area_of_a_brief_gets_its_share() -> None:
    prices = "\n\n".join(
        f"The price of good {number} rose to {number * 7} crowns that week." for number in range(60)
    )
    content = f"{prices}\n\nThe duke of Vey holds the northern pass.\n\n{FILLER}"
    assert "duke of Vey" in summary(content, 80, "prices, dukes")


def test_a_summary_is_spread_over_the_sections() -> None:
    words = ["copper", "salt", "timber", "wool", "amber", "grain"]
    parts = [
        f"## {word.title()}\n\n"
        + " ".join(f"In place {number} the {word} trade grew by {number} wagons." for number in range(12))
        for word in words
    ]
    result = summary("\n\n".join(parts), 220)
    assert all(f"## {word.title()}" in result for word in words)


def test_the_odd_line_of_a_log_is_found() -> None:
    lines = [
        f"2025-11-03T00:{number // 60:02}:{number % 60:02}Z INFO GET /users/{number * 7} 200"
        for number in range(300)
    ]
    lines[211] = "2025-11-03T00:03:31Z FATAL ledger mismatch in batch B-7731"
    assert lines[211] in summary("\n".join(lines), 120)


def test_japanese_sentences_are_kept_whole_and_in_order() -> None:
    filler = "".join(f"第{number}の部屋では特に何も起こりませんでした。" for number in range(40))
    content = f"{filler}予算は三千二百万円に決定しました。{filler}発売日は九月一日です。"
    result = summary(content, 80, "予算、発売日")
    assert "予算は三千二百万円に決定しました。" in result
    assert result.endswith("発売日は九月一日です。")


# --- Bare words for a kind --------------------------------------------------------------------------------

ORDERS = """| Faction | Seat |
|---|---|
| Copper Hand | Quay |
| Reed Circle | Hill |
| Stone Ring | Bay |
| Ember Table | Ridge |
"""
REMARKS = "\n\n".join(
    f"Every faction of region {number} has songs for NPCs, and each faction a feast." for number in range(20)
)
MEMBER = "Mila Tornquist guards the gate of the Copper Hand."


@pytest.mark.parametrize("brief", ["NPCs, factions", "factions", "NPCs", "characters and guilds"])
def test_a_bare_word_for_a_kind_asks_for_its_members_not_for_the_word(brief: str) -> None:
    content = f"{ORDERS}\n{REMARKS}\n\n{FILLER}\n\n{MEMBER}\n\n{FILLER.replace('valley', 'plain')}"
    assert MEMBER in summary(content, 90, brief)


def test_who_alone_is_asked_for_is_found_beside_remarks_on_groups() -> None:
    remarks = "\n\n".join(f"Every group of region {number} has its own songs." for number in range(20))
    person = "Mila Tornquist guards the gate by night."
    assert person in summary(f"{remarks}\n\n{FILLER}\n\n{person}\n\n{FILLER}", 40, "people")


def test_places_are_the_names_that_are_listed_as_places() -> None:
    listing = ORDERS.replace("Faction", "Place")
    remarks = "\n\n".join(f"No place of region {number} is dull, said the miller." for number in range(20))
    fact = "Under the Reed Circle runs a brook of 12 springs."
    assert fact in summary(f"{listing}\n{remarks}\n\n{FILLER}\n\n{fact}\n\n{FILLER}", 90, "places")


# --- Pieces and lead-ins ----------------------------------------------------------------------------------


def test_a_piece_of_a_long_sentence_never_runs_on_into_another_sentence() -> None:
    telling = "the salt toll of Vey rose to 412 crowns"
    dull = ", ".join(["and the wind went round the house as it had gone before"] * 12)
    content = f"In spring {telling}, {dull}. Nobody came. In autumn {telling} and 9 more, they say. {FILLER}"
    result = summary(content, 170, "salt toll of Vey")
    assert result.count(telling) == 2
    assert "as it had gone before,\n\nNobody came. In autumn" in result


def test_a_lead_in_is_not_kept_for_itself() -> None:
    lead_ins = "\n\n".join(
        f"For the copper price of region {number} the ledger answers:\n\n```\n{number}\n```"
        for number in range(9)
    )
    result = summary(f"{lead_ins}\n\n{FILLER}", 60, "copper price")
    assert "answers:" in result
    assert all("```" in after for after in result.split("answers:")[1:])


def test_a_long_lead_in_comes_with_what_it_announces() -> None:
    lead_in = (
        "Whoever asks the clerk of the harbour on a market day what copper is worth is told, after much talk of the "
        "weather and of the roads, what is written here:"
    )
    content = f"{FILLER}\n\n{lead_in}\n\n> Copper fetches 412 crowns.\n\n{FILLER.replace('valley', 'plain')}"
    assert f"{lead_in}\n\n> Copper fetches 412 crowns." in summary(content, 80, "copper")
