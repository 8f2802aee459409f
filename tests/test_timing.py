"""What judges how work grows: it finds what is quadratic, and leaves what is linear alone."""

import gc
import sys

import pytest

from tests.support.timing import TRIES, is_linear, takes_less, undisturbed


@pytest.mark.timed
def test_quadratic_work_is_found() -> None:
    assert not is_linear(lambda size: sum(range(size * size)), 1_500)


def test_linear_work_is_none() -> None:
    assert is_linear(lambda size: sum(range(size)), 1_000_000)


def test_work_takes_less_as_soon_as_one_try_does_and_not_where_none_does() -> None:
    tries: list[int] = []
    assert takes_less(lambda: tries.append(sum(range(10_000_000 if not tries else 1))), 0.01)
    assert len(tries) == 2
    tries.clear()
    assert not takes_less(lambda: tries.append(1), 0.0)
    assert len(tries) == TRIES


def test_garbage_is_collected_and_lines_are_traced_again_after_a_measurement() -> None:
    tracing = sys.gettrace()
    with undisturbed():
        assert not gc.isenabled()
        assert sys.gettrace() is None
    assert gc.isenabled()
    assert sys.gettrace() is tracing
