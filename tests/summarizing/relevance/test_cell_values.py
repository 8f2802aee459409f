"""The number that a cell is, with its unit."""

import pytest

from summarizing.relevance.cell_values import measured_by, value_of


@pytest.mark.parametrize(
    "smaller, greater",
    [
        ("900B", "1kB"),
        ("96.4MB", "1.02GB"),
        ("512Ki", "1Mi"),
        ("4.0K", "112M"),
        ("900ms", "1.2s"),
        ("3 weeks ago", "2 days ago"),
        ("About an hour ago", "5 minutes ago"),
        ("2025-12-31", "2026-01-01"),
        ("2026-01-01T09:00:00Z", "2026-01-01T10:00:00Z"),
        ("1,937", "2,130"),
    ],
)
def test_cells_are_compared_by_what_they_measure(smaller: str, greater: str) -> None:
    low, high = value_of(smaller), value_of(greater)
    assert low is not None
    assert high is not None
    assert low < high


@pytest.mark.parametrize("cell", ["", "3f9c2a1b7d10", "5.1.0", "svc-00", "2026-13-45", "long ago", "ago"])
def test_other_cells_are_no_numbers(cell: str) -> None:
    assert value_of(cell) is None


@pytest.mark.parametrize(
    "cell, name",
    [
        ("12K", "size"),
        ("900B", "size"),
        ("1.5s", "time"),
        ("20ms", "time"),
        ("2 days ago", "created"),
        ("12", ""),
        ("36%", ""),
    ],
)
def test_a_unit_says_what_is_measured(cell: str, name: str) -> None:
    assert measured_by(cell) == name
