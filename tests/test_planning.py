"""Budgets and groups: the arithmetic of who may read and write how much."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planning import (
    ANSWER_SPARE_TOKENS,
    LEAST_CHUNK_TOKENS,
    PROMPT_ROOM_TOKENS,
    SEPARATOR_TOKENS,
    USEFUL_TOKENS,
    Window,
    plan_groups,
    share_out,
)

SIZES = st.lists(st.integers(1, 9_000), min_size=1, max_size=60)
TARGETS = st.integers(16, 20_000)


def test_a_single_chunk_has_the_whole_target() -> None:
    assert share_out(500, [8_000]) == [500]


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


def test_a_part_larger_than_the_window_stays_alone_and_the_others_are_merged() -> None:
    groups = plan_groups([100, 100, 9_000, 100, 100], 500, 1_000)
    assert [(group.start, group.stop) for group in groups] == [(0, 2), (2, 3), (3, 5)]


def test_no_merge_writes_the_whole_where_several_have_a_useful_share() -> None:
    groups = plan_groups([150] * 40, 3_000, 50_000)
    assert len(groups) >= 10
    assert max(group.budget for group in groups) < 3_000 / 5


def test_chunks_are_as_large_as_wanted_where_the_window_has_room() -> None:
    assert Window.beside(0, 128_000).chunk_size(8_000) == 8_000


def test_a_large_brief_makes_the_chunks_smaller() -> None:
    window = Window.beside(4_000, 16_000)
    assert window.tokens == 16_000 - PROMPT_ROOM_TOKENS - 4_000
    assert window.chunk_size(8_000) == window.tokens // 2


def test_a_brief_over_the_window_leaves_chunks_of_the_least_size() -> None:
    assert Window.beside(9_000, 4_096).chunk_size(2_000) == LEAST_CHUNK_TOKENS


@given(st.integers(2_048, 200_000), st.integers(0, 5_000), st.integers(200, 64_000), TARGETS)
def test_prompt_content_and_answer_never_leave_the_context_together(
    context: int, brief: int, wanted: int, target: int
) -> None:
    window = Window.beside(brief, context)
    chunk = window.chunk_size(wanted)
    answer = window.answer_limit(min(target, chunk), chunk)
    beside = PROMPT_ROOM_TOKENS + brief
    # Under this there is no room for anything: the provider will say so.
    if context >= beside + LEAST_CHUNK_TOKENS * 2:
        assert beside + chunk + answer <= context


@pytest.mark.parametrize("budget", [1, 100, 5_000])
def test_an_answer_may_be_somewhat_longer_than_its_budget(budget: int) -> None:
    limit = Window.beside(0, 128_000).answer_limit(budget, 8_000)
    assert budget < limit <= budget * 1.5 + ANSWER_SPARE_TOKENS + 1
