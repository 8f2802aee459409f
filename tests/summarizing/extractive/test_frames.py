"""What says nothing without something else is not chosen by itself: introductory lines, lone numbers, an index's letters."""

import pytest

from summarizing.extractive.concepts import frames
from summarizing.facts.text_reading import Reading
from summarizing.text.parsing import parse


def chosen_alone(text: str) -> list[str]:
    """Return the segments of a text that may be chosen by themselves."""
    reading = Reading(parse(text))
    held = frames(reading.document, reading.facts_of)
    return [
        reading.document.of(index) for index in range(len(reading.document.segments)) if index not in held
    ]


@pytest.mark.parametrize(
    "text",
    [
        '- The "mode" can be:\n- "r" for reading\n- "w" for writing\n',
        "3.\n\nThe third one is about pumps, and what they are for.\n",
        "Jump to: B C F P\n\nThe pump is by the river, and the mill is by the pump.\n",
    ],
)
def test_what_says_nothing_by_itself_is_not_chosen_alone(text: str) -> None:
    found = chosen_alone(text)
    assert found
    assert not any(one.endswith((":", "3.")) or one.startswith("Jump") for one in found)


def test_values_behind_a_colon_may_be_chosen() -> None:
    assert chosen_alone("Grades: B A C\n\nSizes: 1 2 3\n") == ["Grades: B A C", "Sizes: 1 2 3"]
