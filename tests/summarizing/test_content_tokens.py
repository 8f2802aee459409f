"""A large content is counted and measured beside other work, and what comes out is what counting it first would give."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import measure
from concurrency.worker_threads import open_worker
from summarizing.content_tokens import MAX_BEGINNING_CHARS, ContentTokens, has_more_words
from summarizing.cpu_work import CpuWork
from summarizing.offload import SHORT_CHARS, THREADS, Offload, OutOfTime
from tests.support.laws import examples
from tests.support.parts import count, prose, summarize, the_tokenizer
from tests.support.stand_in_answers import Summarizes

LIMIT = 1_000
LARGE = prose(200)
SHORT = prose(3)
SPACED = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.sampled_from(["word", "1", ".", "...", " ", "\n", "\r\n", "\t", "\x1c", "\x1f", "\x85", "\xa0", "\u2028", "\u3000"]),
    ),
    max_size=40,
).map("".join)  # fmt: skip


@pytest.fixture
async def work() -> AsyncIterator[CpuWork]:
    async with open_worker(THREADS) as worker:
        yield CpuWork(Offload(worker).threads_for("", len(LARGE)), the_tokenizer())


@examples(500)
@given(SPACED, st.integers(0, 40))
def test_a_text_has_more_tokens_than_a_number_where_it_has_more_words(text: str, tokens: int) -> None:
    assert has_more_words(text, tokens) is (len(text.split()) > tokens)
    if has_more_words(text, tokens):
        assert count(text) > tokens


def test_of_a_large_text_only_the_beginning_is_split_into_words() -> None:
    assert has_more_words("a " * MAX_BEGINNING_CHARS, MAX_BEGINNING_CHARS // 2 - 1)
    assert not has_more_words("a " * MAX_BEGINNING_CHARS, MAX_BEGINNING_CHARS // 2)
    assert not has_more_words(LARGE, 10**400)


@pytest.mark.parametrize(
    "text", [LARGE, SHORT, "a" * 2 * SHORT_CHARS, ""], ids=["large", "short", "one word", "empty"]
)
async def test_a_content_is_over_what_it_has_fewer_tokens_than(text: str, work: CpuWork) -> None:
    for target, is_over in ((count(text) - 1, True), (count(text), False), (count(text) + 1, False)):
        content_tokens = ContentTokens(text, work)
        assert await content_tokens.measure_against(target) is is_over
        assert await content_tokens.tokens() == count(text) == content_tokens.tokens_so_far
        content_tokens.stop()


async def test_the_layout_is_that_of_the_content_and_of_no_other_text(work: CpuWork) -> None:
    assert len(LARGE) > SHORT_CHARS
    content_tokens = ContentTokens(LARGE, work)
    assert await content_tokens.layout_of(LARGE) is None
    assert await content_tokens.measure_against(1, LIMIT)
    assert await content_tokens.layout_of(LARGE) == measure(LARGE, LIMIT, the_tokenizer().count_each)
    assert await content_tokens.layout_of(LARGE + "!") is None


async def test_a_short_content_is_not_measured_beside_other_work(work: CpuWork) -> None:
    content_tokens = ContentTokens(SHORT, work)
    assert await content_tokens.measure_against(1, LIMIT)
    assert await content_tokens.layout_of(SHORT) is None


async def test_what_was_begun_can_be_stopped_and_then_nothing_is_known(work: CpuWork) -> None:
    content_tokens = ContentTokens(LARGE, work)
    assert await content_tokens.measure_against(1, LIMIT)
    content_tokens.stop()
    assert content_tokens.tokens_so_far == 0


async def test_counting_ends_with_the_time_of_its_claim(work: CpuWork) -> None:
    late = ContentTokens(LARGE, work.with_deadline(0.0))
    assert await late.measure_against(1)
    with pytest.raises(OutOfTime):
        await late.tokens()
    assert late.tokens_so_far == 0


@pytest.mark.unmeasured
async def test_a_large_content_has_its_tokens_in_the_outcome_cleaned_or_not() -> None:
    hidden = f"{LARGE}\n\n<!-- {'not shown ' * 50}-->"
    for text in (LARGE, hidden):
        run = await summarize(Summarizes(), text, chunk_size=8_000)
        assert run.summary.outcome.input_tokens == count(text)
        assert "not shown" not in str(run.server.payloads)
