"""What a text states: its facts asked for in other spellings."""

import pydoc_data.topics
import re
from operator import add

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.facts.fact import Fact
from summarizing.facts.fact_finder import find_facts
from summarizing.facts.fact_index import SPELLED_NUMBER, FactIndex, readings_of
from summarizing.facts.number_keys import readings, value_of
from summarizing.facts.script_letters import folded
from tests.support.fact_texts import TEXTS
from tests.support.timing import is_linear

CONTENT = """Marla Voss is the harbour master of Emberwick. Ann and Bert Voss live there. The limit is 512 MiB.
Port: 8007. It opened on March 3, 2026 at 10:00. There are three gates, and 12 boats.
A fee of 1,250 kg, 50 %, for 1500 users. See https://docs.example/a/b and config/app.yaml, "Harbour Gate".
Retries: 3
The Bank of England lends. Limit 5 seconds. commit 8dadbcd77a, version 1.25.3, os.path.join, the quay is 340 m long.
| Oarsmen | 40 |
"""


@pytest.mark.parametrize(
    "claim",
    [
        "so Marla Voss",
        "so Voss",
        "so Voss, Marla",
        "so Emberwick's",
        "3 gates",
        "3 March 2026",
        "2026-03-03",
        "on 3 March",
        "in 2026",
        "10 am",
        "1250kg",
        "1 250 kg",
        "1.250 kg",
        "50 percent",
        "1.5k users",
        "1,500 users",
        "512 MiB",
        "512",
        "“Harbour Gate”",
        "app.yaml",
        "config/app.yaml",
        "https://docs.example/a/b",
        "https://docs.example/a",
        "so BOE",
        "5 s",
        "340 metres",
        "8dadbcd",
        "1.25.3",
        "v1.25.3",
        "Port 8007",
        "os.path",
        "40 boats",
    ],
)
def test_a_claim_in_another_spelling_is_supported(claim: str) -> None:
    facts = find_facts(claim)
    assert facts
    assert all(map(FactIndex(CONTENT).has, facts))


@pytest.mark.parametrize(
    "claim",
    [
        "so Marla Vance",
        "so Ann Voss",
        "port 8017",
        "512 MB",
        "340 km",
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
        "40 apples",
        "os.walk",
    ],
)
def test_a_claim_with_another_value_is_not_supported(claim: str) -> None:
    facts = find_facts(claim)
    assert facts
    assert not any(map(FactIndex(CONTENT).has, facts))


@pytest.mark.parametrize(
    "fact, summary, is_kept",
    [
        ("Retries: 3", "It tries again: retries are 3.", True),
        ("Retries: 3", "There are three retries.", True),
        ("12 boats", "In the harbour 12 boats lie.", True),
        ("12 boats", "12 gates", False),
        ("Port 8007", "It listens on 8007.", True),
        ("1250 kg", "It weighs 1,250 kg.", True),
        ("1250 kg", "It weighs 1,250.", False),
        ("2026-03-03T10:00:07Z", "on March 3, 2026 at 10:00:07", True),
        ("2026-03-03T10:00:07Z", "on March 3, 2026", False),
        ("2026-03-03", "in March 2026", False),
        ("config/app.yaml", "app.yaml", False),
        ("ERR_STREAM_X", "so ERR_STREAM_X came", True),
        ("ERR_STREAM_X", "so ERR_STREAM_XY came", False),
    ],
)
def test_a_fact_is_kept_only_where_the_summary_states_all_of_it(
    fact: str, summary: str, *, is_kept: bool
) -> None:
    assert all(map(FactIndex(summary).keeps, find_facts(fact))) is is_kept


@given(st.from_regex(r"[0-9]{1,5}([.,'][0-9]{1,4}){0,2}( ?[0-9a-z%.,]{1,3})?", fullmatch=True))
def test_a_number_that_is_known_to_have_one_reading_has_no_other(spelled: str) -> None:
    number = SPELLED_NUMBER.search(spelled)
    assert number
    value = value_of(number[0])
    assert {*readings_of(value, spelled)} == {value, *readings(number[0])}


def assert_states_its_own_facts(text: str) -> None:
    index = FactIndex(text)
    for fact in find_facts(text):
        assert index.has(fact)
        assert index.keeps(fact)


@given(TEXTS)
def test_a_text_states_and_keeps_all_its_own_facts(text: str) -> None:
    assert_states_its_own_facts(text)


@pytest.mark.parametrize(
    "topic", ["datamodel" if "datamodel" in pydoc_data.topics.topics else "types", "with"]
)
def test_a_reference_states_its_own_facts(topic: str) -> None:
    assert_states_its_own_facts(pydoc_data.topics.topics[topic])


@pytest.mark.parametrize("topic", ["specialnames", "import", "formatstrings"])
def test_a_reference_supports_the_facts_of_each_of_its_paragraphs(topic: str) -> None:
    text = pydoc_data.topics.topics[topic]
    index = FactIndex(text)
    missing = [
        paragraph[fact.start : fact.end]
        for paragraph in re.split(r"\n\s*\n", text)
        for fact in find_facts(paragraph)
        if not index.has(fact)
    ]
    assert missing == []


@pytest.mark.timed
@pytest.mark.parametrize("motif", ["a-", "1 ", "1.", "Ab ", "中", "/a", "`a", "a.b@c ", "12:"])
def test_the_time_to_index_is_linear_in_a_run_of_anything(motif: str) -> None:
    def ask(length: int) -> None:
        text = (motif * length)[:length]
        index = FactIndex(text)
        for fact in find_facts(text)[:10]:
            index.has(fact)

    assert is_linear(ask, 10_000)


@given(st.text("a1 .,:-/A中", max_size=40))
def test_asking_changes_nothing(text: str) -> None:
    index, facts = FactIndex(text), find_facts(text[:20])
    assert [index.has(fact) for fact in facts] == [index.has(fact) for fact in facts]


@given(st.text("a1b.-_ 中", max_size=30), st.data())
def test_a_value_is_kept_where_the_text_has_it_and_not_as_a_part_of_a_longer_word(
    text: str, data: st.DataObject
) -> None:
    beginning = data.draw(st.integers(0, max(0, len(text) - 1)))
    end = data.draw(st.integers(beginning + 1, beginning + 8))
    key = folded(text[beginning:end]).strip(". _") or "a1.b"
    whole = re.search(rf"(?<![a-z0-9_]){re.escape(key)}(?![a-z0-9_])", " ".join(folded(text).split()))
    if whole and " " not in key:
        assert FactIndex(text, []).keeps(Fact(0, 0, key, "version"))


@pytest.mark.parametrize("key", ["1.2.3", "2.3.4", "3.1.2", "a-1", "1-a"])
def test_a_value_whose_words_stand_apart_in_the_text_is_not_kept(key: str) -> None:
    assert not FactIndex("1.2, 3.4 and 2.3; 11.2.3, 2.3.41, 3.1/2, a 1, 1a").keeps(Fact(0, 0, key, "version"))


@given(st.text(st.characters(categories=["Nd"]), min_size=1, max_size=12))
def test_digits_alone_have_one_reading(digits: str) -> None:
    assert set(readings(digits)) == {folded(digits)}


@given(st.lists(st.text("0123456789abcdef", min_size=7, max_size=12), max_size=6), st.data())
def test_a_short_hash_is_found_as_the_beginning_of_any(hashes: list[str], data: st.DataObject) -> None:
    short = data.draw(st.sampled_from([one[:7] for one in hashes] + ["abcdef0"]))
    assert FactIndex(" ".join(hashes), []).has(Fact(0, 0, short, "hex 7")) == any(
        one.startswith(short) for one in hashes
    )


@given(st.lists(st.text("ab1", min_size=1, max_size=3), min_size=2, max_size=5), st.data())
def test_a_beginning_or_end_of_a_token_stands_for_it(parts: list[str], data: st.DataObject) -> None:
    joints = data.draw(st.lists(st.sampled_from("/.:-"), min_size=len(parts) - 1, max_size=len(parts) - 1))
    token = parts[0] + "".join(map(add, joints, parts[1:]))
    cut = data.draw(st.integers(1, len(parts) - 1))
    beginning = parts[0] + "".join(map(add, joints[: cut - 1], parts[1:cut]))
    end = token[len(beginning) + 1 :]
    index = FactIndex(f"The value is {token} here.", [])
    assert all(index.has(Fact(0, 0, part, "ident dotted")) for part in (beginning, end))
    assert not index.has(Fact(0, 0, token + "c", "ident dotted"))


def test_an_end_of_a_token_that_overlaps_with_a_part_of_a_word_stands_for_it() -> None:
    assert FactIndex("The value is 1b/b/b here.", []).has(Fact(0, 0, "b/b", "ident dotted"))
    assert not FactIndex("The value is 1b/b1 here.", []).has(Fact(0, 0, "b/b", "ident dotted"))


@pytest.mark.parametrize("key, text", [("1.2.3", "v1.2.3 came"), ("v1.2.3", "1.2.3 came")])
def test_a_version_is_the_same_with_and_without_its_letter(key: str, text: str) -> None:
    assert FactIndex(text, []).has(Fact(0, 0, key, "version"))


@pytest.mark.parametrize(
    "text, claim",
    [
        ("The ferries sail once a day from the quay.", "11 ferries"),
        ("The fees rose by a few per cent in the year.", "100 fees"),
        ("Les prix ont augmenté de dix pour cent dans la ville et sur les quais.", "100 quais"),
        ("The machine runs MS DOS and is in the cellar.", "2 machines"),
        ("The elf is in the tree.", "11 trees"),
        ("The fair is in Sept. or Oct. of each year.", "7 fairs"),
        ("The quince is on the table.", "15 tables"),
    ],
)
def test_a_word_that_is_a_number_in_another_language_is_none(text: str, claim: str) -> None:
    (fact,) = find_facts(claim)
    assert not FactIndex(text).has(fact)


@pytest.mark.parametrize(
    "text, claim",
    [
        ("Los barcos salen en once horas por el puerto.", "11 horas"),
        ("El puerto es de los dos pueblos y del rey.", "2 pueblos"),
        ("Elf Boote sind auf dem See, und das Wetter ist gut.", "11 Boote"),
        ("Les cent bateaux sont dans le port, et une barque est sur le quai.", "100 bateaux"),
        ("Dreißig Boote liegen am Kai.", "30 Boote"),
        ("Eleven boats lie there.", "11 boats"),
    ],
)
def test_a_number_in_words_is_one_in_its_own_language(text: str, claim: str) -> None:
    (fact,) = find_facts(claim)
    assert FactIndex(text).has(fact)


def test_words_that_stand_together_at_the_beginning_of_a_text_are_found() -> None:
    (fact,) = find_facts("He met Marla Anne Voss there.")
    for text in ("Voss, Marla Anne", "Anne Voss, or Marla,"):
        assert FactIndex(f"{text} is here. {'It is old. ' * 50}").has(fact)
