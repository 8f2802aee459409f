"""Captions of figures: they look like titles with a word and a number, and stand under what they name."""

import pytest

from tests.summarizing.text.test_parsing import check_laws, texts_of, tree

FIGURE = "      +-------+-------+\n      | Oar {0} | Sail  |\n      +-------+-------+\n"
PROSE = "   The boat of {0} has oars and a sail, and whoever rows it\n   brings it back to the pier in the evening.\n"


def _section(number: int, caption: str) -> str:
    figure = FIGURE.format(number)
    return f"{number}. Boats of {number}\n\n{PROSE.format(number)}\n{figure}\n{caption}\n\n   What {number} has is light.\n\n"


@pytest.mark.parametrize("caption", ["               Figure {}: The Boat", "                    Table {}"])
def test_what_stands_below_the_caption_of_a_figure_is_not_part_of_it(caption: str) -> None:
    above = tree(check_laws("".join(_section(number, caption.format(number)) for number in range(1, 5))))
    for number in range(1, 5):
        assert above[f"What {number} has is light."] == f"{number}. Boats of {number}"


@pytest.mark.parametrize("title", ["               Chapter {}: Boats", "                  ARTICLE {}"])
def test_centred_titles_that_stand_below_text_are_titles(title: str) -> None:
    text = "".join(
        f"{title.format(number)}\n\n{PROSE.format(number)}\n   What {number} has is light.\n\n"
        for number in range(1, 5)
    )
    above = tree(check_laws(text))
    for number in range(1, 5):
        assert above[f"What {number} has is light."] == title.format(number).strip()


@pytest.mark.parametrize("answer", ["RFC {}", "COMMON", "Ada Ash"])
def test_what_a_line_with_a_colon_announces_is_no_title(answer: str) -> None:
    text = "".join(
        f"{number}. Boats of {number}\n\n{PROSE.format(number)}\n   See also:\n\n   {answer.format(number)}\n\n   What {number} has is light.\n\n"
        for number in range(1, 5)
    )
    above = tree(check_laws(text))
    for number in range(1, 5):
        assert answer.format(number) not in (
            above[f"What {number} has is light."],
            above[f"{number}. Boats of {number}"],
        )


EXAMPLES = (
    "1. Boats\n\nThe boat of the pier has oars and a sail.\n\n1.1 Oars\n\nAn oar is light.\n\n   Example 1:\n\n   It is short.\n\n"
    "1.2 Sails\n\nA sail is red.\n\n1.2.1 Masts\n\nA mast is high.\n\n   Example 2:\n\n   It is of ash.\n\n2. Piers\n\nA pier is long.\n\n"
)


def test_an_example_ends_no_numbered_section_however_deep_that_is() -> None:
    document = check_laws(EXAMPLES)
    index = next(
        at
        for at, one in enumerate(document.segments)
        if document.text[one.start :].startswith("It is of ash.")
    )
    assert [document.of(one) for one in document.above(index)] == [
        "Example 2:",
        "1.2.1 Masts",
        "1.2 Sails",
        "1. Boats",
    ]


def test_an_appendix_stands_below_no_numbered_section() -> None:
    text = EXAMPLES + "".join(
        f"Appendix {letter}. Knots\n\nA knot of {letter} is tied.\n\n" for letter in "AB"
    )
    above = tree(check_laws(text))
    for letter in "AB":
        assert above[f"A knot of {letter} is tied."] == f"Appendix {letter}. Knots"
        assert above[f"Appendix {letter}. Knots"] == ""


HEAD_OF_PAGE = "\n".join(
    f"{left:<40}{right:>32}"
    for left, right in (
        ("Boat Working Group", "A. Ash"),
        ("Request for Oars: 12", "Pier"),
        ("Category: Wood", "August 2008"),
    )
)


def test_lines_with_something_at_both_ends_are_not_joined() -> None:
    texts = texts_of(check_laws(f"{HEAD_OF_PAGE}\n\n{EXAMPLES}"))
    assert "Request for Oars: 12 Pier" in texts
