"""Equal dates have equal keys, as far as they say the same."""

import pytest

from summarizing.facts.date_keys import date_key, date_parts, slashed_date_key


@pytest.mark.parametrize(
    "date, key",
    [
        ("3/25/2024", "2024-03-25"),
        ("25/3/2024", "2024-03-25"),
        ("4/4/2024", "2024-04-04"),
        ("2024/3/5", "2024-03-05"),
        ("5.3.2024", "2024-03-05"),
        ("3/4/2024", "3/4/2024"),
    ],
)
def test_a_date_in_digits_is_read_where_it_can_be_read_in_one_way_alone(date: str, key: str) -> None:
    assert slashed_date_key(date) == key


@pytest.mark.parametrize(
    "text, key", [("3 March 2026", "2026-03-03"), ("12345 March", "--03"), ("12 13", "")]
)
def test_a_date_has_the_name_of_its_month(text: str, key: str) -> None:
    assert date_key(text) == key


def test_a_time_is_also_stated_without_its_seconds() -> None:
    assert date_parts("15:30:10") == ["15:30:10", "15:30"]
