"""Parts become one text, the same as str.join makes, and take little more memory than it."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.masking.masker import Masker
from protocol.json_parsing import parse_json
from protocol.text_joining import APPENDED_CHARS, joined

PARTS = st.text(max_size=5) | st.sampled_from(
    ["x" * APPENDED_CHARS, "é" * (APPENDED_CHARS - 1), "日" * 3, "😉" * 2]
)
MB = 1_000_000


@given(st.lists(PARTS, max_size=6))
def test_any_parts_are_joined_in_their_order(parts: list[str]) -> None:
    assert joined(iter(parts)) == "".join(parts)


def peak_of(work: Callable[[], str]) -> int:
    """Return the most memory that some work had at a time, its result included.

    It must have been done once: what is loaded or compiled by a first call is none of it.
    """
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


TEXT = 'a line of "some" log, password=hunter2canary\n' * (8 * MB // 45)
BODY = json.dumps(TEXT).encode()


# Where lines are traced, CPython 3.11 does not append in place.
@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "work",
    [lambda: joined("x" * 1000 for _ in range(16_000)), lambda: parse_json(BODY)],
    ids=["joined", "parsed"],
)
def test_little_more_than_the_text_is_in_memory(work: Callable[[], str]) -> None:
    chars = len(work())
    assert peak_of(work) < 1.4 * chars


@pytest.mark.timed
def test_masking_takes_little_more_than_the_masked_text() -> None:
    masker = Masker(())
    masked = masker.mask(TEXT)
    assert "hunter2canary" not in masked
    assert peak_of(lambda: masker.mask(TEXT)) < 1.4 * len(masked)
