"""Facts as models write them, read as records and merged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.facts.answer_records import has_facts, merge
from tests.support.timing import is_linear


def test_a_repeat_is_dropped_whatever_its_case_spaces_and_mark() -> None:
    assert merge(["- Ann  lives here", "* ann lives HERE\n2. Ann lives there"]) == (
        "- Ann  lives here\n- Ann lives there"
    )


def test_the_same_line_under_two_headings_stays_under_both() -> None:
    assert merge(["## A\n- x\n## B\n- x"]) == "## A\n- x\n\n## B\n- x"


def test_facts_before_any_heading_come_first() -> None:
    assert merge(["## A\n- x", "- y"]) == "- y\n\n## A\n- x"


def test_a_heading_without_facts_is_not_kept() -> None:
    assert merge(["## A\n\n## B\n- x"]) == "## B\n- x"


def test_of_two_lines_the_one_that_says_all_of_the_other_and_more_stays() -> None:
    parts = [
        "## Limits\n- Port: 8007\n- Ann leads Wick",
        "## Limits\n- The service's port: 8007 (TCP)\n- Wick leads Ann",
    ]
    assert merge(parts) == "## Limits\n- Ann leads Wick\n- The service's port: 8007 (TCP)\n- Wick leads Ann"


def test_a_line_that_denies_another_takes_nothing_from_it() -> None:
    lines = "- Ann lives here\n- Ann no longer lives here"
    assert merge([lines]) == lines


def test_a_heading_that_names_one_category_of_the_hint_is_written_as_the_hint_writes_it() -> None:
    parts = ["## Factions\n- Wick", "## faction leaders:\n- Ann", "## Weather\n- rain"]
    assert merge(parts, "NPCs, factions with their leaders; dated events") == (
        "## Factions with their leaders\n- Wick\n- Ann\n\n## Weather\n- rain"
    )


def test_a_heading_that_two_categories_share_keeps_its_own_words() -> None:
    assert merge(["## Dates\n- 1203"], "birth dates, death dates") == "## Dates\n- 1203"


@pytest.mark.parametrize(
    "answer",
    [
        "## NPCs\n- Ann leads Wick\n- Bert",
        "**NPCs**\n1. Ann leads Wick\n2) Bert",
        "**NPCs:**\n* Ann leads Wick\n• Bert",
        "NPCs:\n- Ann leads Wick\n- Bert",
        "#### NPCs ####\n\n+ Ann leads Wick\n\n- Bert\n",
        '{"NPCs": ["Ann leads Wick", "Bert"]}',
        '```json\n{"NPCs": [["Ann leads Wick"], ["Bert"]]}\n```',
    ],
)
def test_the_usual_forms_of_weak_models_are_read_alike(answer: str) -> None:
    assert merge([answer]) == "## NPCs\n- Ann leads Wick\n- Bert"


def test_json_becomes_records_a_line_each() -> None:
    answer = """```json
{"people": [{"name": "Ann", "roles": ["smith", "mayor"], "home": {"town": "Wick", "since": 1203}},
            {"name": "Bert", "alive": false}], "count": 2, "mayor": {"name": "Ann", "since": 1204}}
```"""
    assert merge([answer]) == (
        "- count: 2\n- mayor: name Ann, since 1204\n\n## people\n"
        "- name: Ann; roles: smith, mayor; home: town Wick, since 1203\n- name: Bert; alive: false"
    )


@pytest.mark.parametrize(
    "answer",
    [
        '{"people": [{"name": "Ann"}',
        "[not json]",
        "Ann leads Wick.\nBert is old.",
        "| a | b |\n|---|---|\n| Ann | 3 |",
    ],
)
def test_what_fits_no_form_stays_as_it_is(answer: str) -> None:
    assert merge([answer]) == answer


def test_json_that_is_nested_too_deep_is_written_out_rather_than_lost() -> None:
    assert "leaf" in merge(["[" * 50 + '"leaf"' + "]" * 50])
    deep = "[" * 100_000 + "]" * 100_000
    assert merge([deep]) == deep


@given(st.lists(st.text('ab \n#-1字|*:{}[]"', max_size=40), max_size=6))
def test_merging_is_stable(parts: list[str]) -> None:
    merged = merge(parts)
    assert merge([merged]) == merged


@given(
    st.lists(
        st.lists(st.sampled_from(["ann", "bert", "leads", "wick", "not"]), min_size=1, max_size=5), max_size=8
    )
)
def test_every_fact_is_there_itself_or_within_one_that_says_more(facts: list[list[str]]) -> None:
    merged = [
        line.removeprefix("- ").split()
        for line in merge(["\n".join(f"- {' '.join(fact)}" for fact in facts)]).splitlines()
    ]
    for fact in facts:
        assert any(_in_order(fact, line) for line in merged)
        assert "not" in fact or any(_in_order(fact, line) and "not" not in line for line in merged)


def _in_order(fact: list[str], line: list[str]) -> bool:
    rest = iter(line)
    return all(word in rest for word in fact)


def test_a_line_of_many_marks_and_spaces_is_read_at_once() -> None:
    line = "# a" + " :" * 500_000 + "x"
    assert merge([f"{line}\n- fact"]).endswith("- fact")


@pytest.mark.parametrize(
    "line",
    [
        "1182. Ann came to Wick",
        "Ann Voss – harbour master since 3. March",
        "a + b is 5 * 3",
        "Wick - Tarn: 40 km",
        "| a | - b |",
    ],
)
def test_marks_of_a_list_inside_a_line_are_its_own(line: str) -> None:
    assert merge([line]) == line
    assert merge([f"- {line}"]) == f"- {line}"


def test_details_stay_with_what_they_hang_on() -> None:
    answer = "- Ann\n  - leads Wick\n  - port 8007\n- Bert\n  - leads Tarn\n  - port 8007"
    assert merge([answer]) == answer
    assert merge([answer, "- Ann\n  - owes 31 barrels\n  - port 8007"]) == answer.replace(
        "- Bert", "  - owes 31 barrels\n- Bert"
    )


def test_rows_stay_under_their_own_head() -> None:
    debts, ports = (
        "| Keeper | Owes |\n|---|---|\n| Ann | 31 |",
        "| Place | Port |\n|---|---|\n| Wick | 8007 |",
    )
    assert merge([f"{debts}\n\n{ports}", debts.replace("Ann", "Bert")]) == f"{debts}\n| Bert | 31 |\n{ports}"


def test_a_fact_that_is_written_as_a_heading_is_kept() -> None:
    answers = ["## Ann owes 31 barrels\n## Bert owes 40 barrels", "**Cara owes 7 barrels**"]
    assert merge(answers) == "- Ann owes 31 barrels\n- Bert owes 40 barrels\n- Cara owes 7 barrels"


def test_json_is_read_amid_prose_and_line_by_line() -> None:
    fenced = 'Here is what I found:\n\n```json\n{"people": [{"name": "Ann", "owes": 31}]}\n```\nThat is all.'
    assert merge([fenced]) == "- Here is what I found:\n\n## people\n- name: Ann; owes: 31\nThat is all."
    assert merge(['{"name": "Ann", "owes": 31}\n{"name": "Bert", "owes": 40}']) == (
        "- name: Ann; owes: 31\n- name: Bert; owes: 40"
    )


def test_an_empty_line_below_a_title_changes_nothing() -> None:
    assert merge(["NPCs:\n\n- Ann leads Wick"]) == "## NPCs\n- Ann leads Wick"


def test_a_name_in_json_is_one_heading_whatever_its_line_ends() -> None:
    assert merge(['{"a\\nb": ["x\\ny"]}']) == "## a b\n- x y"


@pytest.mark.timed
def test_many_lines_of_the_same_few_words_are_merged_in_time_that_grows_with_them() -> None:
    lines = ["- " + " ".join("ab"[number >> bit & 1] * 3 for bit in range(14)) for number in range(16_000)]
    assert is_linear(lambda count: merge(["\n".join(lines[:count])]), 4_000)


def test_what_announced_nothing_takes_nothing_of_the_next_answer() -> None:
    assert merge(["Ports:", "- Ann leads Wick"]) == "- Ports:\n- Ann leads Wick"


@pytest.mark.parametrize(
    "fact, denial",
    [
        ("- Le pont est ouvert", "- Le pont n'est pas ouvert"),
        ("- Das Tor ist bewacht", "- Das Tor ist von keinem bewacht"),
        ("- El puente abre hoy", "- El puente nunca abre hoy"),
    ],
)
def test_a_denial_in_another_language_takes_nothing_from_a_fact(fact: str, denial: str) -> None:
    assert merge([f"{fact}\n{denial}"]) == f"{fact}\n{denial}"


def test_the_day_before_a_month_is_no_number_of_a_list() -> None:
    lines = "12. März 2026: Sitzung in Wick\n13. März 2026: Abreise"
    assert merge([lines]) == lines


def test_numbers_in_json_are_written_as_they_stand_and_a_repeated_key_loses_none() -> None:
    answer = '{"version": 1.10, "id": 12345678901234567890.5, "person": "Ann", "person": "Bert"}'
    merged = merge([answer])
    assert "version: 1.10" in merged
    assert "12345678901234567890.5" in merged
    assert "Ann" in merged
    assert "Bert" in merged


# --- Whether there is a fact --------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["NONE", "None.", " - NONE\n", "**none**", '"NONE"', "`NONE`", "# None"])
def test_the_word_for_nothing_is_known_in_every_dress(answer: str) -> None:
    assert not has_facts(answer)


@pytest.mark.parametrize("answer", ["", "## NPCs", "## NPCs and their homes\n\n### Factions"])
def test_headings_alone_are_no_facts(answer: str) -> None:
    assert not has_facts(answer)


@pytest.mark.parametrize(
    "answer", ["- Port: 8007", "None of the gates is open.", "## NPCs\n- Bob", "NONESUCH"]
)
def test_one_short_line_is_a_fact(answer: str) -> None:
    assert has_facts(answer)


@pytest.mark.parametrize("answer", ["[]", "{}", "null", "## A\nNONE", "- NONE\n- NONE"])
def test_empty_json_and_the_word_for_nothing_under_headings_are_no_facts(answer: str) -> None:
    assert not has_facts(answer)
