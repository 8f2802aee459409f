"""What find_facts finds by shape, and the keys and signatures it gives."""

import pydoc_data.topics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from summarizing.facts.fact import Fact
from summarizing.facts.fact_finder import CHARS_PER_FACT, MIN_FACTS, PASSED_OVER, SHAPES, _Finder, find_facts
from summarizing.facts.number_keys import number_shape
from summarizing.facts.value_patterns import MOST_PLAIN, stop_pattern
from summarizing.facts.value_words import value_words
from tests.support.timing import is_linear


def one(text: str) -> Fact:
    (fact,) = find_facts(text)
    return fact


@pytest.mark.parametrize(
    "spellings, key",
    [
        (["1,250 kg", "1250 kg", "1 250 kg", "1250kg", "1'250 kg", "1.250,00 kg"], "1250 kg"),
        (["10 %", "10%", "10 percent", "10 Prozent", "10 per cent", "10 Per Cent", "10\u00a0pour\u00a0cent", "10 por ciento"], "10 %"),
        (["3 May 2024", "May 3, 2024", "2024-05-03", "3rd of May 2024", "3. Mai 2024", "3 mayo 2024", "2024年5月3日"], "2024-05-03"),
        (["3.5 million euros", "3,5 Mio €", "€3.5 million", "€3.5M"], "3500000 eur"),
        (["$20", "20 USD", "20 dollars"], "20 usd"),
        (["10:05", "10:05 am"], "10:05"),
        (["12 May", "12 MAY", "May 12", "12. Mai", "12 mai"], "--05-12"),
        (["12 mar 2026", "12 de mar de 2026", "Mar 12, 2026", "12 Mar 2026", "12 mars 2026"], "2026-03-12"),
        (["30 days", "30-day"], "30 day"),
    ],
)  # fmt: skip
def test_equal_values_have_one_key(spellings: list[str], key: str) -> None:
    assert {one(spelling).key for spelling in spellings} == {key}


@pytest.mark.parametrize(
    "text",
    [
        "up to 12 may attend",
        "where 12 march on",
        "it may 12 times",
        "not long ago 12 came",
        "with 12 august guests",
        "sale al mar 12 veces",
    ],
)
def test_a_word_that_may_be_a_month_is_none_without_a_capital_or_a_year(text: str) -> None:
    (fact,) = find_facts(text)
    assert fact.key.partition(" ")[0] == "12"


@pytest.mark.parametrize(
    "values, signature",
    [
        (["CVE-2024-1234", "CVE-1999-7"], "id CVE-#-#"),
        (["ERR_STREAM_CANNOT_PIPE", "ERR_TLS"], "ERR_*"),
        (["PROJ-123"], "id PROJ-#"),
        (["E11000", "E7"], "id E#"),
        (["30 days", "1 day"], "num day"),
        (["12 %", "7.5%"], "num %"),
        (["$5", "5 dollars"], "num usd"),
        (["v1.2", "3.12.1", "1.0rc2"], "version"),
        (["src/app.py", "app.py"], "path .py"),
        (["/etc/passwd", "~/.bashrc"], "path"),
        (["--foo-bar", "-x"], "flag"),
        (["https://a.example/b?c=1"], "url"),
        (["a.b@c.example"], "email"),
        (["10.0.0.1", "10.0.0.1:80"], "ip"),
        (["db.example.com:5432", "localhost:8080"], "host"),
        (["maxRetries", "XMLParser"], "ident camel"),
        (["max_retries"], "ident snake"),
        (["os.path.join", "std::vector"], "ident dotted"),
        (["tools/call"], "ident slash"),
        (["db:migrate", "functions:config:set", "**xml:lang**"], "ident colon"),
        (["so Last-Event-ID", "so Mcp-Session-Id"], "ident header"),
        (["$HOME", "${HOME}"], "env"),
        (["printf(3)", "run()"], "ident call"),
        (["so Marla Voss"], "name 2"),
        (["Dr. Ann Lee"], "name Dr"),
        (["10:05"], "time"),
        (["2024-05-03", "3 May 2024"], "date"),
        (["2024"], "date year"),
        (["123e4567-e89b-12d3-a456-426614174000"], "uuid"),
        (["8dadbcd7aa"], "hex 10"),
        (["25人"], "num 人"),
        (["第三条", "第3条"], "num 条"),
        (["「銀の灯台」", "“silver light”"], "quote"),
        (["データベース・サーバー"], "name katakana"),
        (["`git push`"], "code"),
    ],
)
def test_equal_sorts_of_values_have_one_signature(values: list[str], signature: str) -> None:
    assert {one(value).signature for value in values} == {signature}


def test_a_value_has_the_sort_of_what_it_stands_under() -> None:
    text = (
        '{"license": "MIT License", "size": 12}\nretries: 3\nPort 8007 is open, see RFC 2616 and Article 5.\n'
    )
    found = {fact.key: fact.signature for fact in find_facts(text)}
    assert found["mit license"] == "quote licens"
    assert found["12 size"] == "num size"
    assert found["8007 port"] == "num port"
    assert found["2616 rfc"] == "num rfc"


def test_a_unit_stays_with_its_number_under_a_label() -> None:
    found = find_facts("Rate: 12 percent of staff\nPrice: 30 euro\nDelay: 12 days")
    assert [fact.key for fact in found] == ["12 %", "30 eur", "12 delay"]


def test_what_only_begins_a_sentence_is_no_name() -> None:
    text = "When Marla came, Odo slept. Gulls nest here. Odo woke. The Silver Quay is old, when wet."
    assert [fact.key for fact in find_facts(text)] == ["marla", "odo", "odo", "silver quay"]


def test_where_nouns_have_capitals_only_longer_runs_are_names() -> None:
    text = "Am Abend kam der Wirt mit dem Hund in die Stube, und Odo Flint gab ihm das Brot und den Krug mit Wein."
    assert [fact.key for fact in find_facts(text)] == ["odo flint"]


ALPHABET = st.sampled_from(
    [*"aA1 .,:-/_@\"'`$%()\n=#~|中ア。", "ab", "12", "Ab ", "http://", "3 May 2024", "::", "()", "第"]
)


@given(st.lists(ALPHABET, max_size=60).map("".join))
def test_facts_stand_in_order_within_the_text_and_do_not_overlap(text: str) -> None:
    last = 0
    for start, end, key, signature in find_facts(text):
        assert last <= start < end <= len(text)
        assert key
        assert signature
        last = end


MOTIFS = [
    "a",
    "1",
    "!",
    "中",
    "ア",
    "A.",
    "Ab ",
    "a-",
    "1.",
    "1 a ",
    "12:",
    "$1 ",
    "`a",
    '"a b ',
    "a=1 ",
    "@a",
    "/a",
    "第1",
    "ab12-",
    "«a ",
    "(a",
    "a(",
    "_a",
    "1 jan ",
]


@pytest.mark.timed
@pytest.mark.parametrize("motif", MOTIFS)
def test_the_time_to_find_facts_is_linear_in_a_run_of_anything(motif: str) -> None:
    assert is_linear(lambda length: find_facts((motif * length)[:length]), 10_000)


@pytest.mark.parametrize("motif", ["1 000 ", "1,", "12|"])
def test_a_row_of_numbers_that_ends_in_a_word_is_read_once(motif: str) -> None:
    assert is_linear(lambda length: find_facts((motif * length)[:length] + "1²"), 20_000)
    assert [fact.key for fact in find_facts("1 2 3 4 5 6 7 8 9.5")] == [*"12345678", "9.5"]


def test_data_has_a_fact_for_so_many_characters_and_no_more() -> None:
    cells = "\n".join(f"{number},{number * 7}.25,x{number}" for number in range(5_000))
    found = find_facts(cells)
    assert len(found) <= MIN_FACTS + len(cells) / CHARS_PER_FACT + 1
    # Its end has as many as its beginning.
    assert found[-1].end > len(cells) - 100


def test_the_facts_of_a_reference_that_nobody_here_wrote() -> None:
    keys = {fact.key for fact in find_facts(pydoc_data.topics.topics["specialnames"])}
    assert {"object.__getattribute__", "__slots__", "typeerror"} <= keys


@given(
    st.from_regex(r"[0-9]{1,9}(\.[0-9]{1,4})?", fullmatch=True),
    st.from_regex(r"[a-zA-Zé%]{1,12}", fullmatch=True),
)
def test_a_plain_number_is_what_its_unit_makes_of_it_alone_or_among_others(number: str, unit: str) -> None:
    text = f"{number} {unit}"
    found = find_facts(text)
    assume(
        unit.casefold() not in value_words().function_words and len(found) == 1 and found[0].end == len(text)
    )
    assume(found[0].signature.startswith("num "))
    assert (found[0].key, found[0].signature) == number_shape((number, unit))
    assert [fact[2:] for fact in find_facts(f"{text}\n{text}")] == [found[0][2:]] * 2


@pytest.mark.parametrize("unit", ["a\n", "some plain words. ", "<!-- c -->\n", "a - b. ", "- ", "e's "])
def test_no_step_of_the_search_goes_over_more_than_some_thousand_words(unit: str) -> None:
    """A step holds the interpreter: the event loop would wait for it, several times for each request."""
    text = unit * (20 * MOST_PLAIN)
    longest = max(stop.end() - stop.start() for stop in stop_pattern().finditer(text))
    assert longest <= MOST_PLAIN * len(unit)


@pytest.mark.parametrize("number", range(MOST_PLAIN - 2, MOST_PLAIN + 3))
@pytest.mark.parametrize("fact", ["31 letters", "Marla Voss", "example.org", "4 May 2024", "`make`"])
def test_a_fact_is_found_wherever_the_search_pauses(fact: str, number: int) -> None:
    found = find_facts("word, " * (number // 2) + ("word " if number % 2 else "") + fact + ", it says.")
    assert [one.key for one in found] == [one.key for one in find_facts(f"word {fact}, it says.")]


def test_each_stop_of_the_pattern_has_a_handler_or_is_passed_over_by_name() -> None:
    assert sorted([*_Finder.HANDLERS, *SHAPES, *PASSED_OVER]) == sorted(stop_pattern().groupindex)
