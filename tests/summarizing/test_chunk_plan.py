"""How many chunks a job has: as many as the prompts' instructions allow, fewer where these would cost too much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunking
from chunking import Chunk
from summarizing.budgets import chunk_count, fewest_chunks
from summarizing.chunk_plan import PromptCosts, plan_chunks
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from tests.support.laws import examples
from tests.support.parts import prose, the_tokenizer

PROMPTS = Prompts.load()
TOKENIZER = the_tokenizer()
SIZE, OVERLAP, WRITTEN = 8_000, 500, 3_750

HANDBOOK = "\n\n".join(f"## House {number}\n\n{prose(4)}" for number in range(60))
ONE_LINE = prose(240).replace("\n", " ")
HEADLESS = "\n".join(prose(240).split("\n\n"))
TABLE = "| place | lamp | oil |\n|---|---|---|\n" + "".join(
    f"| house {row} | lamp {row * 7} | {row * 31} barrels |\n" for row in range(2_500)
)
DEEP = "\n\n".join(
    f"{'#' * (number % 6 + 1)} A heading of quite some length about the lamps of house {number} and their keepers\n\n{prose(1)}"
    for number in range(240)
)
TEXTS = {"handbook": HANDBOOK, "one line": ONE_LINE, "lines": HEADLESS, "table": TABLE, "headings": DEEP}


def planned(
    text: str, *, concurrency: int = 64, percent: int = 15, query: Query | None = None
) -> list[Chunk]:
    layout = chunking.measure(text, SIZE, TOKENIZER.count_each)
    costs = PromptCosts.of(PROMPTS, query or Query(), TOKENIZER, percent)
    return plan_chunks(
        layout, OVERLAP, TOKENIZER, tokens_to_write=WRITTEN, concurrency=concurrency, costs=costs
    )


def prompt_tokens(chunks: list[Chunk], query: Query) -> int:
    asked = [PROMPTS.map(chunk.lead + chunk.text, chunk.breadcrumb, query, "200 words") for chunk in chunks]
    return sum(TOKENIZER.count(part) for prompt in asked for part in prompt)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize(
    "query",
    [
        Query(),
        Query(focus_areas="oil, lamps"),
        Query(schema_hint="for each house: its lamps and the barrels of oil. " * 8),
    ],
    ids=["general", "focus", "schema"],
)
def test_the_prompts_are_at_most_fifteen_per_cent_longer_than_the_content(text: str, query: Query) -> None:
    tokens = TOKENIZER.count(text)
    chunks = planned(text, query=query)
    # A token or two at each end: the content's first word stands behind a line end now.
    assert len(chunks) > fewest_chunks(tokens, SIZE)
    assert prompt_tokens(chunks, query) <= 1.15 * tokens + 4 * len(chunks)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_without_an_allowance_there_are_as_few_chunks_as_their_size_allows(text: str) -> None:
    fewest = fewest_chunks(TOKENIZER.count(text), SIZE)
    assert fewest <= len(planned(text, percent=0)) <= fewest + 1


def test_with_room_for_more_calls_a_text_of_40_000_tokens_is_cut_finer() -> None:
    text = HANDBOOK[: len(HANDBOOK) * 40_000 // TOKENIZER.count(HANDBOOK)]
    assert len(planned(text, concurrency=5)) == 10
    assert 19 <= len(planned(text, concurrency=32)) <= 21


@examples(50)
@given(st.sampled_from([*TEXTS]), st.integers(1, 64), st.integers(0, 100))
def test_no_chunk_is_far_larger_than_the_even_share(name: str, concurrency: int, percent: int) -> None:
    """The slowest answer is that of the largest chunk."""
    chunks = planned(TEXTS[name], concurrency=concurrency, percent=percent)
    sizes = [chunk.tokens for chunk in chunks]
    assert "".join(chunk.text for chunk in chunks) == TEXTS[name]
    assert max(sizes) <= min(SIZE, 1.4 * sum(sizes) / len(sizes))


def test_a_longer_schema_leaves_fewer_chunks() -> None:
    short, long = (
        Query(schema_hint="the lamps"),
        Query(schema_hint="the lamps of each house and their oil. " * 100),
    )
    assert len(planned(HANDBOOK, query=long)) < len(planned(HANDBOOK, query=short))


def test_more_calls_at_once_never_make_the_last_answer_later() -> None:
    counts = [chunk_count(40_000, WRITTEN, SIZE, places, 20) for places in range(1, 65)]
    rounds = [-(-number // places) * (40 + WRITTEN / number) for places, number in enumerate(counts, 1)]
    assert rounds == sorted(rounds, reverse=True)


def test_where_the_prompts_may_add_nothing_blocks_make_no_more_chunks_than_they_must() -> None:
    fence = "```\n" + "lamp 1\n" * 900 + "```\n"
    text = "\n".join([fence] * 3)
    one = TOKENIZER.count(fence)
    # Two of them fit a chunk together, but not one of even size with some slack.
    assert 2 * one < SIZE < 3 * one
    assert 2 * one > chunking.even_limit(chunking.measure(text, SIZE, TOKENIZER.count_each), 2)
    assert len(planned(text, percent=0)) == 2
