"""Values that an answer gives to something else than its source does."""

import pytest

from summarizing.faithfulness.answer_check import Evidence
from tests.support.guarded_texts import is_kept

COAL_LOG = "\n\n".join(
    f"On {day} the north pier took in {ships} ships with {coal} t of coal."
    for day, ships, coal in [("3 March 2024", 12, 500), ("9 April 2025", 31, 870), ("2 May 2026", 44, 920)]
)


@pytest.mark.parametrize(
    "told, is_so",
    [
        ("North pier, 3 March 2024: 12 ships, 500 t of coal", True),
        ("Coal at the north pier: 870 t from 31 ships on 9 April 2025", True),
        ("North pier, 3 March 2024: 31 ships, 870 t of coal", False),
        ("12 ships took in coal at the north pier on 9 April 2025", False),
        ("Coal at the north pier: 500 t from 31 ships", False),
        ("2 May 2026, north pier: coal 920 t, ships 31", False),
        ("North pier: on 3 March 2024 12 ships, coal 870 t, 31 ships", False),
    ],
)
def test_a_value_beside_the_values_of_another_sentence_is_no_fact(told: str, *, is_so: bool) -> None:
    assert (Evidence(COAL_LOG).check(f"- {told}", True).dropped == 0) is is_so


def test_a_label_that_many_lines_have_may_have_the_value_of_any_of_them() -> None:
    records = [f"- Restart count: {number + 40} times" for number in range(60)]
    assert is_kept("Restart count: 97 in all", [*records, "- All in all, 97 pods were seen."])
