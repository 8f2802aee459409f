"""What judges how work grows: it finds what is quadratic, and leaves what is linear alone."""

import gc
import sys

import pytest

from tests.support.timing import is_linear, undisturbed


@pytest.mark.timed
def test_quadratic_work_is_found() -> None:
    assert not is_linear(lambda size: sum(range(size * size)), 1_500)


def test_linear_work_is_none() -> None:
    assert is_linear(lambda size: sum(range(size)), 1_000_000)


def test_garbage_is_collected_and_lines_are_traced_again_after_a_measurement() -> None:
    tracing = sys.gettrace()
    with undisturbed():
        assert not gc.isenabled()
        assert sys.gettrace() is None
    assert gc.isenabled()
    assert sys.gettrace() is tracing
