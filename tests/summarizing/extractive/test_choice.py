"""Choosing segments: the best within a budget, with what they require, each concept once."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.choice import Candidates, Chooser, longest_fitting
from summarizing.extractive.number_lists import NumberLists
from summarizing.text.document import Document
from tests.support.handmade_documents import document


class _Forgetful(Chooser):
    """Looks at every concept of a segment each time that it is weighed."""

    def _worth(self, index: int, needed: int) -> float:
        self._open[index] = self._candidates.concepts[index]
        return super()._worth(index, needed)


class _Counting(Chooser):
    """Counts how often a segment is weighed again."""

    weighed = 0

    def _worth(self, index: int, needed: int) -> float:
        self.weighed += 1
        return super()._worth(index, needed)


def _choose(
    source: Document, candidates: Candidates, budget: int, sort: type[Chooser] = Chooser
) -> tuple[list[int], Chooser]:
    worthy = candidates.worthy(range(len(source.segments)))
    chooser = sort(source, candidates, *_required_and_costs(source))
    return chooser.choose(budget, worthy), chooser


def _required_and_costs(source: Document) -> tuple[dict[int, list[int]], dict[int, int]]:
    every = range(len(source.segments))
    return {at: source.requirements(at) for at in every}, {at: len(source.of(at).split()) for at in every}


def _candidates(source: Document, relevance: dict[int, float], concepts: dict[int, list[int]]) -> Candidates:
    count = len(source.segments)
    return Candidates(
        [relevance.get(index, 0.0) for index in range(count)],
        NumberLists(concepts.get(index, []) for index in range(count)),
        [1.0] * (1 + max((one for own in concepts.values() for one in own), default=0)),
        diversity=0.1,
    )


def test_the_more_relevant_of_two_comes_first_and_the_other_where_there_is_room() -> None:
    source = document("One two three four.", "Five six seven eight.")
    candidates = _candidates(source, {0: 1.0, 1: 2.0}, {0: [0], 1: [1]})
    assert _choose(source, candidates, 4)[0] == [1]
    assert _choose(source, candidates, 8)[0] == [1, 0]


def test_a_segment_is_kept_only_with_what_it_hangs_on_and_both_are_paid_for() -> None:
    source = document("# A heading of six words here", "$ one line", "", "A sentence without one.")
    candidates = _candidates(source, {1: 5.0, 2: 1.0}, {1: [0], 2: [1]})
    order, chooser = _choose(source, candidates, 10)
    assert order == [1]
    assert chooser.kept == {0, 1}
    assert chooser.tokens == 10
    assert _choose(source, candidates, 9)[0] == []  # nothing else stands outside the heading


def test_answers_come_first_whatever_they_cost_up_to_the_first_that_does_not_fit() -> None:
    source = document("$a long one of eight words as said", "$a short one", "$an apt one", "$another of them")
    candidates = _candidates(source, {0: 4.0, 1: 3.0, 2: 2.0, 3: 0.9}, {index: [index] for index in range(4)})
    among = range(4)
    chosen = {
        answers: Chooser(source, candidates, *_required_and_costs(source)).choose(18, among, answers)
        for answers in (0, 7, 8, 11)
    }
    assert chosen == {0: [1, 2, 0, 3], 7: [1, 2, 0, 3], 8: [0, 1, 2, 3], 11: [0, 1, 2, 3]}


def test_no_answer_is_what_has_less_than_a_quarter_of_the_best_relevance() -> None:
    source = document("$a short one", "$a longer one of six words", "$short")
    candidates = _candidates(source, {0: 4.0, 1: 0.9, 2: 0.4}, {0: [0], 1: [1], 2: [2]})
    chooser = Chooser(source, candidates, *_required_and_costs(source))
    assert chooser.choose(10, range(3), answers=10) == [0, 2, 1]


def test_a_segment_that_costs_twice_as_much_must_add_twice_as_much() -> None:
    source = document("$a short one", "$a longer one of six words")
    concepts = {0: [0], 1: [1]}
    assert _choose(source, _candidates(source, {0: 1.0, 1: 1.9}, concepts), 9)[0] == [0, 1]
    assert _choose(source, _candidates(source, {0: 1.0, 1: 2.3}, concepts), 9)[0][0] == 1


def test_a_concept_that_is_covered_adds_nothing_again() -> None:
    source = document("$ the port is 80", "$ once more: port 80", "$ the host is web")
    candidates = _candidates(source, {0: 2.0, 1: 2.0, 2: 1.0}, {0: [0], 1: [0], 2: [1]})
    assert _choose(source, candidates, 100)[0] == [0, 2]


def test_a_more_relevant_segment_adds_what_a_less_relevant_one_left() -> None:
    source = document("$ a b c d", "$ e f g h i j k l m n o p q r s t u v w x y z")
    candidates = _candidates(source, {0: 2.0, 1: 2.5}, {0: [0], 1: [0]})
    assert _choose(source, candidates, 100)[0] == [0, 1]


def test_more_of_the_same_is_chosen_once_there_is_more_room() -> None:
    source = document("$a short one", "$a rather longer second one", "$a third line at last")
    candidates = _candidates(source, {0: 3.0, 1: 2.0, 2: 1.0}, {0: [0], 1: [1], 2: [2]})
    first, chooser = _choose(source, candidates, 5)
    assert first == [0]
    assert chooser.fill(13) == [1, 2]
    assert chooser.kept == {0, 1, 2}


@pytest.mark.parametrize("budget", [8, 12])
def test_what_is_given_up_again_is_paid_for_no_longer_and_covers_nothing(budget: int) -> None:
    source = document("$a short one", "$a rather longer second one", "$the second again")
    candidates = _candidates(source, {0: 3.0, 1: 2.0, 2: 1.0}, {0: [0], 1: [1], 2: [1]})
    first, chooser = _choose(source, candidates, budget)
    assert first == [0, 1]
    chooser.restart([0])
    assert (chooser.kept, chooser.tokens) == ({0}, 3)
    assert chooser.fill(7) == [2]


def test_what_is_said_by_what_stays_is_not_weighed_again() -> None:
    source = document("$a short one", "$a rather longer second one", "$the first again", "$the second again")
    candidates = _candidates(source, {0: 3.0, 1: 2.0, 2: 1.0, 3: 1.0}, {0: [0], 1: [1], 2: [0], 3: [1]})
    first, chooser = _choose(source, candidates, 20, _Counting)
    assert first == [0, 1]
    assert isinstance(chooser, _Counting)
    chooser.restart([0])
    chooser.weighed = 0
    assert chooser.fill(20) == [3]
    assert chooser.weighed == 1


def test_segments_that_add_nearly_the_same_are_weighed_about_once_each_time_that_one_is_chosen() -> None:
    count = 200
    source = document(*(f"$ a line of {number} words" for number in range(count)))
    # Each shares a little with all others: whichever is chosen, all others are worth 1 % less than before.
    candidates = Candidates(
        [1.0] * count, NumberLists([0, 1 + at] for at in range(count)), [1.0] + [99.0] * count, 0.0
    )
    order, chooser = _choose(source, candidates, 6 * 20, _Counting)
    assert len(order) == 20
    assert isinstance(chooser, _Counting)
    assert chooser.weighed <= 2 * len(order)


def test_what_adds_clearly_more_comes_before_what_was_worth_more_at_first() -> None:
    source = document("$ a b c d", "$ e f g h", "$ i j k l")
    candidates = _candidates(source, {0: 1.0, 1: 1.0, 2: 1.0}, {0: [0, 1, 2], 1: [1, 2], 2: [3]})
    assert _choose(source, candidates, 100)[0] == [0, 2]


@given(st.data())
def test_the_budget_is_kept_and_what_is_kept_is_closed_and_covered_concepts_need_no_second_look(
    data: st.DataObject,
) -> None:
    lines = data.draw(
        st.lists(st.sampled_from(["# h", "$ a line", "= k v", "| 1 2", "A sentence here.", ""]), max_size=30)
    )
    source = document(*lines)
    count = len(source.segments)
    relevance = data.draw(st.lists(st.floats(0, 5), min_size=count, max_size=count))
    concepts = data.draw(st.lists(st.lists(st.integers(0, 4), max_size=3), min_size=count, max_size=count))
    budget = data.draw(st.integers(0, 60))
    candidates = Candidates(relevance, NumberLists(concepts), [1.0] * 5, diversity=1.0)
    order, chooser = _choose(source, candidates, budget)
    assert order == _choose(source, candidates, budget, _Forgetful)[0]
    required = {part for index in order for part in (index, *source.requirements(index))}
    assert chooser.kept == required
    assert chooser.tokens == sum(len(source.of(index).split()) for index in required) <= budget


def _fitting_and_asked(sizes: Sequence[int], room: int, known: int = 0) -> tuple[int, list[int]]:
    asked: list[int] = []

    def tokens(chosen: Sequence[int]) -> int:
        asked.append(len(chosen))
        return sum(chosen)

    found = longest_fitting(sizes, room, tokens, known)
    assert found == sizes[: len(found)]
    return len(found), asked


@given(st.lists(st.integers(0, 100), max_size=300), st.integers(0, 5_000), st.data())
def test_as_many_as_fit_are_found_in_few_questions(sizes: list[int], room: int, data: st.DataObject) -> None:
    fitting = next(number for number in range(len(sizes), -1, -1) if sum(sizes[:number]) <= room)
    known = data.draw(st.integers(0, fitting))
    found, asked = _fitting_and_asked(sizes, room, known)
    assert found == fitting
    assert len(asked) <= 1 + 2 * len(sizes).bit_length()
    assert all(known < number <= len(sizes) for number in asked)


@given(st.integers(1, 3_000), st.integers(0, 100_000), st.integers(1, 50))
def test_where_all_are_of_one_size_three_questions_tell_how_many_fit(
    count: int, room: int, each: int
) -> None:
    found, asked = _fitting_and_asked([each] * count, room)
    assert found == min(count, room // each)
    assert len(asked) <= 3


@pytest.mark.parametrize("room", [500, 1_500, 3_000, 5_000])
def test_where_what_is_chosen_first_is_longer_few_questions_tell_how_many_fit(room: int) -> None:
    sizes = [25] * 50 + [15] * 100 + [10] * 200 + [4] * 400
    found, asked = _fitting_and_asked(sizes, room)
    assert sum(sizes[:found]) <= room < sum(sizes[: found + 1])
    assert len(asked) <= 8
