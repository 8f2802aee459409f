"""Budgets and groups: the arithmetic of who may read and write how much."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.budgets import (
    ANSWER_SPARE_TOKENS,
    LEAST_CHUNK_TOKENS,
    PROMPT_ROOM_TOKENS,
    SEPARATOR_TOKENS,
    USEFUL_TOKENS,
    Plan,
    Window,
    chunk_count,
    is_too_long,
    plan_groups,
    share_out,
)

SIZES = st.lists(st.integers(1, 9_000), min_size=1, max_size=60)
TARGETS = st.integers(16, 20_000)


def even_plan(tokens: int, target: int, written: int, size: int, concurrency: int) -> Plan:
    """Plan for a text of so many tokens, cut into even chunks of at most `size`."""
    count = chunk_count(tokens, written, size, concurrency, tokens // 2_000)
    before = [tokens * number // count for number in range(count + 1)]
    return Plan.of([stop - start for start, stop in pairwise(before)], written, target, 50_000)


def test_a_single_chunk_has_the_whole_target() -> None:
    assert share_out(500, [8_000]) == [500]
    assert share_out(500, [200]) == [500]


def test_budgets_follow_the_sizes() -> None:
    assert share_out(1_001, [2_000, 6_000]) == [250, 750]


def test_fifty_chunks_do_not_get_a_fixed_minimum_each() -> None:
    budgets = share_out(20_000, [8_000] * 50)
    assert set(budgets) == {(20_000 - 49) // 50}


def test_where_a_share_would_be_useless_chunks_write_more_and_a_merge_follows() -> None:
    assert share_out(1_000, [8_000] * 20) == [USEFUL_TOKENS] * 20


@given(TARGETS, SIZES)
def test_budgets_and_separators_are_within_the_target_wherever_an_average_share_is_useful(
    target: int, sizes: list[int]
) -> None:
    budgets = share_out(target, sizes)
    separators = SEPARATOR_TOKENS * (len(sizes) - 1)
    assert len(budgets) == len(sizes)
    assert min(budgets) >= 1
    if len(sizes) > 1:
        assert all(budget <= size for budget, size in zip(budgets, sizes, strict=True))
    if target - separators >= USEFUL_TOKENS * len(sizes):
        # A budget is at least 1, so tiny chunks can add one token each.
        assert sum(budgets) + separators <= target + budgets.count(1)
    else:
        assert sum(budgets) <= max(USEFUL_TOKENS * len(sizes) + budgets.count(1), target)


@given(SIZES, TARGETS, st.integers(1, 40_000))
def test_groups_are_neighbours_in_order_and_none_is_left_out(
    sizes: list[int], target: int, window: int
) -> None:
    groups = plan_groups(sizes, target, window)
    assert [groups[0].start, groups[-1].stop] == [0, len(sizes)]
    assert all(left.stop == right.start for left, right in pairwise(groups))
    assert all(group.start < group.stop for group in groups)
    assert [group.tokens for group in groups] == [sum(sizes[group.start : group.stop]) for group in groups]


@given(SIZES, TARGETS, st.integers(1, 40_000))
def test_no_group_is_over_the_window_unless_it_is_one_part(
    sizes: list[int], target: int, window: int
) -> None:
    groups = plan_groups(sizes, target, window)
    assert all(group.tokens <= window or group.stop - group.start == 1 for group in groups)


@given(SIZES, TARGETS, st.integers(1, 40_000))
def test_what_the_groups_may_write_is_within_the_target(sizes: list[int], target: int, window: int) -> None:
    groups = plan_groups(sizes, target, window)
    budgets = [group.budget for group in groups]
    assert min(budgets) >= 1
    assert sum(budgets) <= max(target, target + budgets.count(1))


@given(st.lists(st.integers(1, 900), min_size=2, max_size=60), TARGETS)
def test_where_two_parts_fit_the_window_there_are_fewer_groups_than_parts(
    sizes: list[int], target: int
) -> None:
    assert len(plan_groups(sizes, target, 1_800)) < len(sizes)


@given(SIZES, TARGETS, st.integers(1, 40_000))
def test_a_part_is_alone_only_where_the_next_one_does_not_fit_beside_it(
    sizes: list[int], target: int, window: int
) -> None:
    *groups, _ = plan_groups(sizes, target, window)
    alone = [group.start for group in groups if not group.has_several]
    assert all(sizes[at] + sizes[at + 1] > window for at in alone)


@pytest.mark.parametrize(
    "sizes, parts_of_groups",
    [
        ([150] * 8, [2, 2, 2, 2]),
        ([100] * 5, [3, 2]),
        ([800, 10, 800, 10], [2, 2]),
        ([500, 500, 10, 10], [2, 2]),
    ],
)
def test_where_each_has_a_useful_budget_groups_are_as_small_as_two_parts_and_no_smaller(
    sizes: list[int], parts_of_groups: list[int]
) -> None:
    groups = plan_groups(sizes, 3_000, 1_000)
    assert [group.stop - group.start for group in groups] == parts_of_groups


def test_a_part_larger_than_the_window_stays_alone_and_the_others_are_merged() -> None:
    groups = plan_groups([100, 100, 9_000, 100, 100], 500, 1_000)
    assert [(group.start, group.stop) for group in groups] == [(0, 2), (2, 3), (3, 5)]


def test_no_merge_writes_the_whole_where_several_have_a_useful_share() -> None:
    groups = plan_groups([150] * 40, 3_000, 50_000)
    assert len(groups) >= 10
    assert max(group.budget for group in groups) < 3_000 / 5


def test_chunks_are_as_large_as_wanted_where_the_window_has_room() -> None:
    assert Window.for_query(0, 128_000).chunk_size(8_000) == 8_000


def test_a_large_brief_makes_the_chunks_smaller() -> None:
    window = Window.for_query(4_000, 16_000)
    assert window.tokens == 16_000 - PROMPT_ROOM_TOKENS - 4_000
    assert window.chunk_size(8_000) == window.tokens // 2


def test_a_brief_over_the_window_leaves_chunks_of_the_least_size() -> None:
    assert Window.for_query(9_000, 4_096).chunk_size(2_000) == LEAST_CHUNK_TOKENS


@given(st.integers(2_048, 200_000), st.integers(0, 5_000), st.integers(200, 64_000), TARGETS)
def test_prompt_content_and_answer_never_leave_the_context_together(
    context: int, brief: int, wanted: int, target: int
) -> None:
    window = Window.for_query(brief, context)
    chunk = window.chunk_size(wanted)
    answer = window.answer_limit(min(target, chunk), chunk)
    beside = PROMPT_ROOM_TOKENS + brief
    # Under this there is no room for anything: the provider will say so.
    if context >= beside + LEAST_CHUNK_TOKENS * 2:
        assert beside + chunk + answer <= context


@pytest.mark.parametrize("budget", [1, 100, 5_000])
def test_an_answer_may_be_somewhat_longer_than_its_budget(budget: int) -> None:
    limit = Window.for_query(0, 128_000).answer_limit(budget, 8_000)
    assert budget < limit <= budget * 1.5 + ANSWER_SPARE_TOKENS + 1


@pytest.mark.parametrize("budget", [1, 100, 5_000])
@pytest.mark.parametrize("most", [50, 1_000])
def test_no_answer_may_be_longer_than_the_caller_allows(budget: int, most: int) -> None:
    limited, unlimited = (Window.for_query(0, 128_000, limit) for limit in (most, 0))
    assert limited.answer_limit(budget, 8_000) == min(most, unlimited.answer_limit(budget, 8_000))


# --- Chunks and calls ------------------------------------------------------------------------------------------

TOKENS = st.integers(1, 2_000_000)
CALLS_AT_ONCE = st.integers(1, 64)


def test_calls_come_in_full_rounds() -> None:
    assert chunk_count(187_000, 3_750, 8_000, 5, 99) == 25
    assert chunk_count(100_000, 3_750, 8_000, 5, 53) == 15


def test_places_that_would_stand_empty_are_used() -> None:
    assert chunk_count(40_000, 3_750, 8_000, 5, 21) == 10
    assert chunk_count(20_000, 3_750, 8_000, 5, 10) == 5
    assert chunk_count(40_000, 3_750, 8_000, 32, 21) == 21


def test_one_call_at_a_time_is_not_made_more() -> None:
    assert chunk_count(40_000, 3_750, 8_000, 1, 21) == 6


def test_no_more_calls_than_are_affordable_are_made_to_be_faster() -> None:
    assert chunk_count(40_000, 3_750, 8_000, 32, 8) == 8
    assert chunk_count(40_000, 3_750, 8_000, 32, 0) == 6


@given(TOKENS, TARGETS, st.integers(200, 64_000), CALLS_AT_ONCE, st.integers(0, 1_000))
def test_chunks_fit_their_size_and_no_more_are_made_than_are_affordable_and_have_something_to_write(
    tokens: int, written: int, size: int, concurrency: int, affordable: int
) -> None:
    count = chunk_count(tokens, written, size, concurrency, affordable)
    assert -(-tokens // count) <= size
    if count > 1 and tokens / (count - 1) <= size * 0.9:  # more than had to be
        assert count <= affordable
        assert written // count >= USEFUL_TOKENS


@given(TOKENS, TARGETS, st.integers(200, 64_000), CALLS_AT_ONCE)
def test_a_plan_ends_within_reach_of_the_target_and_each_level_is_smaller(
    tokens: int, target: int, size: int, concurrency: int
) -> None:
    written = max(1, target * 3 // 4)
    plan = even_plan(tokens, target, written, size, concurrency)
    assert sum(plan.sizes) == tokens
    counts = [len(plan.budgets), *map(len, plan.merges)]
    assert [level[-1].stop for level in plan.merges] == counts[:-1]
    last = plan.merges[-1] if plan.merges else None
    left = [group.budget if group.has_several else group.tokens for group in last] if last else plan.budgets
    assert (
        len(left) == 1
        or not is_too_long(sum(left), target)
        or not any(group.has_several for group in plan_groups(left, written, 50_000))
    )
    assert plan.calls <= len(plan.sizes) + sum(map(len, plan.merges))


def test_chunks_that_fit_their_budgets_are_no_calls() -> None:
    assert Plan.of([10, 4_000, 10], 1_000, 1_200, 50_000).calls == 1
