"""How much memory the best of a slice takes to find: what is allocated, not what the process has."""

import tracemalloc

import pytest

from bench.cost_texts.shapes import text_makers
from summarizing.extractive.extractive_summary import offer
from summarizing.slicing import SLICE_CHARS
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

BUDGET = 10_000


@pytest.mark.parametrize(
    "name, query, most", [("csv narrow", "", 36), ("log", "", 20), ("prose", "names of cities", 16)]
)
def test_the_best_of_a_slice_is_found_in_a_few_times_its_memory(
    name: str, query: str, most: float, tokenizer: Tokenizer
) -> None:
    text = text_makers()[name](SLICE_CHARS)
    offer(parse(text[:20_000]), BUDGET, query, tokenizer)  # what is loaded once
    tracemalloc.start()
    try:
        offer(parse(text), BUDGET, query, tokenizer)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= most * len(text)
