"""Captions of figures: they look like titles with a word and a number, and stand under what they name."""

import pytest

from tests.summarizing.text.test_parsing import check_laws, tree

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
