"""What a text states: its facts asked for in other spellings."""

import pytest
from hypothesis import given

from summarizing.facts.finding import Fact, Kind, find
from summarizing.facts.index import Index
from tests.support.fact_texts import TEXTS, UNITS, repeated

CONTENT = """Marla Voss is the harbour master of Emberwick. Ann and Bert Voss live there. The limit is 512 MiB.
Port: 8007. It opened on March 3, 2026 at 10:00. There are three gates, and 12 boats.
A fee of 1,250 kg, 50 %, for 1500 users. See https://docs.example/a/b and config/app.yaml, "Harbour Gate".
Retries: 3
The Bank of England lends. Limit 5 seconds. commit 8dadbcd, version 1.25.3
"""


@pytest.mark.parametrize(
    "claim",
    [
        "so Marla Voss",
        "so Voss",
        "Harbour Master Marla Voss",
        "so Emberwick's",
        "3 gates",
        "3 March 2026",
        "2026-03-03",
        "on 3 March",
        "in 2026",
        "10 am",
        "1250kg",
        "1 250 kg",
        "50 percent",
        "1.5k users",
        "1,500 users",
        "512 MiB",
        "512",
        "“Harbour Gate”",
        "app.yaml",
        "config/app.yaml.",
        "HTTPS://docs.example/a/b".lower(),
        "the BOE",
        "5 s",
        "8DADBCD".lower(),
        "1.25.3",
        "port 8007",
    ],
)
def test_a_claim_in_another_spelling_is_supported(claim: str) -> None:
    facts = find(claim)
    assert facts
    assert all(map(Index(CONTENT).has, facts))


@pytest.mark.parametrize(
    "claim",
    [
        "so Marla Vance",
        "so Ann Voss",
        "port 8017",
        "512 MB",
        "4 March 2026",
        "2025-03-03",
        "1251 kg",
        "50 kg",
        "5 min",
        "https://docs.example/a/c",
        "config/app.yml",
        "8dadbce",
        "1.25.4",
        "“Harbour Wall”",
    ],
)
def test_a_claim_with_another_value_is_not_supported(claim: str) -> None:
    facts = find(claim)
    assert facts
    assert not any(map(Index(CONTENT).has, facts))


@pytest.mark.parametrize(
    "fact, summary, is_kept",
    [
        ("Retries: 3", "It tries again: retries are 3.", True),
        ("Retries: 3", "There are three retries.", True),
        ("Retries: 3", "It retries.\nThere are 3 gates.", False),
        ("12 boats", "In the harbour 12 boats lie.", True),
        ("12 boats", "12 gates", False),
        ("port 8007", "It listens on 8007.", True),
        ("1250 kg", "It weighs 1,250 kg.", True),
        ("1250 kg", "It weighs 1,250.", False),
        ("2026-03-03T10:00:07Z", "on March 3, 2026 at 10:00:07", True),
        ("2026-03-03T10:00:07Z", "on March 3, 2026", False),
        ("2026-03-03", "in March 2026", False),
        ("config/app.yaml", "app.yaml", False),
        ("| Name | Boats |\n|---|---|\n| olaf | 7 |", "| Name | Boats |\n|---|---|\n| olaf | 7 |", True),
    ],
)
def test_a_fact_is_kept_only_where_the_summary_states_all_of_it(
    fact: str, summary: str, is_kept: bool
) -> None:
    measured = [found for found in find(fact) if found.kind is not Kind.NAME]
    assert all(map(Index(summary).keeps, measured)) is is_kept


def test_a_value_under_another_key_is_not_bound_to_it() -> None:
    index = Index("replicas: 3\nretries: 5\n")
    assert [index.binds(Fact(Kind.NUMBER, 0, 1, key, "replica")) for key in "35"] == [True, False]


@given(TEXTS)
def test_a_text_states_and_keeps_all_its_own_facts(text: str) -> None:
    index = Index(text)
    for fact in find(text):
        assert index.has(fact)
        assert index.keeps(fact)
        assert index.binds(fact)


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_repetition_is_indexed_at_once(unit: str) -> None:
    text = repeated(unit)
    index = Index(text)
    assert all(map(index.has, find(text)[:10]))
