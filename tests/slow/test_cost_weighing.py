"""What summarizing without a model costs, as far as it does not depend on the machine: how often segments are weighed.

The figures themselves are bench/cost.py's.
"""

from unittest import mock

import pytest

from bench.cost_texts.shapes import text_makers
from summarizing.extractive.choice import MAX_REWEIGHED, Chooser
from summarizing.extractive.scored_text import ScoredText
from summarizing.facts.text_reading import Reading
from tests.support.parts import the_tokenizer


@pytest.mark.parametrize("target", [500, 5_000])
@pytest.mark.parametrize("name", ["versions", "csv narrow", "prose"])
def test_a_segment_is_weighed_a_bounded_number_of_times_however_many_are_alike(
    name: str, target: int
) -> None:
    scored = ScoredText(Reading.of(text_makers()[name](200_000)), "", the_tokenizer())
    weighed: list[int] = []
    worth = Chooser._worth

    def counted(self: Chooser, index: int, needed: int) -> float:
        weighed.append(index)
        return worth(self, index, needed)

    with mock.patch.object(Chooser, "_worth", counted):
        kept = scored.choose(target)
    assert 0 < len(weighed) <= 2 * len(scored.document.segments) + (len(kept) + 1) * MAX_REWEIGHED
