"""Two summaries side by side: safe for a terminal with any text, and with the outcomes' own figures."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line.summary_comparison import MIN_COLUMN, side_by_side
from summarizing.outcome import FactCounts, Outcome, Summary

WIDTH = 80
EXTRACTIVE = Outcome("summarized", "semantic", "extractive", input_tokens=4_000, output_tokens=390)
MODEL = Outcome(
    "partial",
    "semantic",
    "openrouter",
    input_tokens=4_000,
    output_tokens=377,
    llm_calls=6,
    model="some/model",
    cost_usd=0.00125,
    duration_ms=12_340,
    facts=FactCounts(had=200, kept=199, put_back=31, dropped=4, unsupported=("Odo Grimwald", "90000")),
)


def columns_of(sign: str) -> int:
    """How many columns a terminal gives a character, said once more than in the code: wide ones two, marks none."""
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("F", "W") else 1


def width_of(line: str) -> int:
    return sum(map(columns_of, line))


def shown(
    left: str, right: str, *, width: int = WIDTH, outcomes: tuple[Outcome, Outcome] = (EXTRACTIVE, MODEL)
) -> tuple[list[str], list[str]]:
    """Return the lines of the columns, and those of the table."""
    said = side_by_side(Summary(left, outcomes[0]), Summary(right, outcomes[1]), width)
    columns, _, table = said.partition("\n\n| ")
    return columns.split("\n"), f"| {table}".split("\n")


def left_and_right(lines: list[str]) -> tuple[list[str], list[str]]:
    """Return both columns' lines of text, each cut out by its place on the screen."""
    column = (WIDTH - 3) // 2
    lefts, rights = [], []
    for line in lines[2:]:
        at = next((at for at in range(len(line) + 1) if width_of(line[:at]) > column), len(line))
        at -= at < len(line) or width_of(line) > column
        lefts.append(line[:at].rstrip())
        rights.append(line[at:].removeprefix(" |").strip())
    return lefts, rights


def test_two_summaries_are_side_by_side_above_the_table_of_their_facts() -> None:
    columns, table = shown("One line.\nAnother.", "The model's.")
    assert columns[0].split() == ["extractive", "|", "some/model"]
    assert set(columns[1]) == {"-", "+"}
    assert [[part.strip() for part in line.split("|")] for line in columns[2:]] == [
        ["One line.", "The model's."],
        ["Another.", ""],
    ]
    rows = {
        cells[1].strip(): [cell.strip() for cell in cells[2:4]]
        for cells in (line.split("|") for line in table)
    }
    assert rows[""] == ["extractive", "some/model"]
    assert rows["status"] == ["summarized", "partial"]
    assert rows["facts kept"] == ["not counted", "199 of 200 (99%)"]
    assert rows["of these put back"] == ["-", "31"]
    assert rows["unsupported lines dropped"] == ["-", "4"]
    assert rows["not in the text"] == ["-", "Odo Grimwald, 90000"]
    assert rows["tokens"] == ["390 of 4000", "377 of 4000"]
    assert rows["model calls"] == ["0", "6"]
    assert rows["cost in USD"] == ["-", "0.001250"]
    assert rows["seconds"] == ["0.0", "12.3"]


def test_the_reason_of_a_failure_is_shown() -> None:
    _, table = shown("a", "b", outcomes=(EXTRACTIVE, MODEL._replace(reason="the model was silent")))
    row = next(line for line in table if line.startswith("| because"))
    assert [cell.strip() for cell in row.split("|")[2:4]] == ["-", "the model was silent"]


@pytest.mark.parametrize(
    "had, kept, said", [(0, 0, "0 of 0"), (3, 3, "3 of 3 (100%)"), (1_000, 999, "999 of 1000 (99%)")]
)
def test_only_a_summary_with_every_fact_shows_100_percent(had: int, kept: int, said: str) -> None:
    _, table = shown("a", "b", outcomes=(EXTRACTIVE, MODEL._replace(facts=FactCounts(had, kept))))
    assert any(line.startswith("| facts kept") and f"| {said} " in line for line in table)


@pytest.mark.parametrize(
    "text",
    [
        "The keeper of the house noted that the oil was moved. " * 20,
        "x" * 500,
        "価格は350円です。" * 40,
        "\uff21\uff22\uff23 " * 60,
        "e\u0301" * 200,
        "\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48" * 60,
        "a\u20dd b\u20dd " * 60,
        "\x1b[31mred\x1b[0m\x07\u200b\u202e " * 40,
        "tab\there\ttoo " * 30,
        "\ud83d" * 100,
        "",
        "\n\n\n",
        " " * 300 + "end",
        "a\u2028b\x0bc\x0cd\re\r\nf",
    ],
)
def test_no_line_is_wider_than_the_terminal_whatever_the_characters(text: str) -> None:
    for left, right in ((text, "short"), ("short", text), (text, text)):
        columns, table = shown(left, right)
        assert all(width_of(line) <= WIDTH for line in columns + table)
        assert all(sign.isprintable() for line in columns + table for sign in line)


@pytest.mark.parametrize(
    "text", ["価格は350円です。" * 9, "e\u0301a" * 60, "ที่นี่" * 20, "plain words and more of them " * 9]
)
def test_every_character_of_a_text_is_in_its_column_in_order(text: str) -> None:
    columns, _ = shown(text, text)
    lefts, rights = left_and_right(columns)
    assert "".join("".join(lefts).split()) == "".join(text.split())
    assert "".join("".join(rights).split()) == "".join(text.split())


def test_a_word_is_cut_only_if_it_is_longer_than_a_column() -> None:
    text = "extraordinarily long expressions are moved to another line of the column whole"
    lefts, _ = left_and_right(shown(text, "")[0])
    assert " ".join(lefts).split() == text.split()


def test_a_no_break_space_is_shown_as_a_space() -> None:
    columns, _ = shown("10\u00a0km to the\u3000pier", "")
    assert columns[2].startswith("10 km to the pier")


def test_a_combining_mark_stays_with_its_letter() -> None:
    lefts, _ = left_and_right(shown("e\u0301" * 90, "")[0])
    assert lefts
    assert not any(line.startswith("\u0301") for line in lefts)


def test_long_names_are_wrapped_too() -> None:
    name = "some-provider/a-model-with-a-very-long-name-indeed-405b-instruct:free"
    facts = FactCounts(
        9, 9, 0, 0, tuple(f"Odo Grimwald the {number}th of Farwater and Saltmere" for number in range(10))
    )
    columns, table = shown("a", "b", outcomes=(EXTRACTIVE, MODEL._replace(model=name, facts=facts)))
    assert all(width_of(line) <= WIDTH for line in columns + table)
    assert "Farwater" in " ".join(table)
    cells = [line.split("|")[3].strip() for line in table[:3]]
    assert "".join(cells).startswith(name)


def test_on_a_narrow_terminal_columns_keep_their_minimum_width() -> None:
    columns, _ = shown("word " * 50, "word " * 50, width=10)
    assert max(map(width_of, columns)) == 2 * MIN_COLUMN + 3


@pytest.mark.timed
def test_laying_out_a_long_line_is_linear() -> None:
    start = time.process_time()
    shown("x" * 1_000_000, "")
    # About a second; with a look at the rest of the line for each part of it, half an hour.
    assert time.process_time() - start < 20


@given(
    st.text(st.characters(codec=None), max_size=300),
    st.text("ab \n\t価\u0301\u200b|", max_size=300),
    st.integers(0, 200),
)
def test_any_two_texts_fit_any_width(left: str, right: str, width: int) -> None:
    columns, table = shown(left, right, width=width)
    assert max(map(width_of, columns)) <= max(width, 2 * MIN_COLUMN + 3)
    assert max(map(width_of, table)) <= max(
        width, 2 * MIN_COLUMN + len("| unsupported lines dropped |  |  |")
    )
    assert "\x1b" not in "".join(columns)
