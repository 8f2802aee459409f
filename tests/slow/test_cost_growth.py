"""What summarizing without a model costs, as far as it does not depend on the machine: how it grows with the text."""

from collections.abc import Callable
from functools import partial

import pytest

from bench.cost import SHORT_BRIEF, long_brief
from bench.cost_texts.shapes import text_makers
from summarizing.extractive.extractive_summary import extract
from summarizing.text.parsing import parse
from tests.support.parts import the_tokenizer
from tests.support.timing import least_seconds, takes_less

# Twice what linear growth is: a busy machine takes processor time too, and the smallest text has a share that does not grow.
MOST_GROWTH = 2 * 4
SIZE = 50_000

TEXTS = text_makers() | {"short JSON lines": lambda size: '{"a":1}\n' * (size // 8)}

# Of a slice of a text, 500,000 characters.
MOST_SEGMENTS = 60_000


@pytest.mark.parametrize("brief", ["", SHORT_BRIEF, long_brief()], ids=["no brief", "short", "long"])
@pytest.mark.parametrize(
    "name",
    [
        "versions",
        "bare turns",
        "csv wide",
        "headings",
        "settings",
        "labels",
        "prose, one line",
        "short JSON lines",
        "JSON, items of 20 arrays and objects",
        "JSON, items of 300 arrays",
        "JSON, items of 24,000 arrays",
        "JSON, items of a missing comma 60 deep",
        "JSON, items of a missing comma and no space 0 deep",
        "JSON Lines of a comment",
        "a page of spanning cells",
        "a page of tiny terms",
    ],
)
def test_the_time_for_a_text_grows_as_it_does(name: str, brief: str) -> None:
    def shortening(size: int) -> Callable[[], object]:
        return partial(extract, TEXTS[name](size), 500, brief, the_tokenizer())

    shortening(SIZE // 4)()  # what is read once: the vocabulary, the tables
    once = least_seconds(shortening(SIZE))
    assert takes_less(shortening(4 * SIZE), MOST_GROWTH * once)


@pytest.mark.parametrize(
    "name",
    [
        "versions",
        "short lines",
        "names",
        "settings",
        "csv narrow",
        "table",
        "labels",
        "bare turns",
        "short JSON lines",
    ],
)
def test_short_neighbours_of_a_long_text_are_read_as_one(name: str) -> None:
    text = TEXTS[name](500_000)
    document = parse(text)
    assert len(document.segments) <= MOST_SEGMENTS
    assert "\n".join(map(document.of, range(len(document.segments)))).split() == text.split()
    assert all(segment.parent < index for index, segment in enumerate(document.segments))
