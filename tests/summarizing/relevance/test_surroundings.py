"""What sections as a whole say of a query raises the segments within them."""

from collections.abc import Sequence

import pytest

from summarizing.relevance.bm25f import Scorer
from summarizing.relevance.surroundings import MAX_LEVELS, SEGMENTS_TOGETHER, surroundings
from summarizing.text.document import Document
from summarizing.text.json.records import parse_nearly_json
from summarizing.text.parsing import parse
from tests.support.handmade_documents import document
from tests.support.timing import is_linear


def _around(source: Document, *terms: str) -> Sequence[float]:
    words = [source.of(index).lower().split() for index in range(len(source.segments))]
    own = [{number: each.count(term) for number, term in enumerate(terms) if term in each} for each in words]
    return surroundings(source, own, list(map(len, words)), [1.0] * len(terms))


def test_of_two_lines_alike_that_comes_first_whose_section_answers_the_rest_of_the_query() -> None:
    ports = ("# Ports", "$ they close after a while", "$ red", "$ the timeout is long", "$ blue", "")
    chapter = ("# Chapter", "$ they close after a while", "$ red", "$ a socket waits", "$ sockets are reused")
    relevance = Scorer(document(*ports, *chapter), "when do sockets close").relevance
    assert relevance[6] > relevance[1]


def test_lines_that_have_no_word_gain_from_those_of_their_section() -> None:
    source = document("# A", "$ one", "$ two", "", "# B", "$ one", "$ a leak", "", "# C", "$ two")
    around = _around(source, "leak")
    assert around[4] == around[5] == 1.0
    assert around[1] == around[7] == 0.0


def test_a_section_within_a_better_one_gains_from_that() -> None:
    source = parse(
        "# Net\n\n## Leaks\n\nA leak here.\n\n## Pools\n\nA pool.\n\n# Disk\n\n## Space\n\nAny space.\n"
    )
    around = dict(zip(map(source.of, range(len(source.segments))), _around(source, "leak"), strict=True))
    assert around["A leak here."] == 1.0
    assert 1.0 > around["A pool."] > around["Any space."] == 0.0


def test_what_stands_under_no_heading_is_taken_together_with_its_neighbours() -> None:
    count = SEGMENTS_TOGETHER
    source = document("$ a leak", *["$ nothing"] * (2 * count - 1))
    assert _around(source, "leak") == [1.0] * count + [0.0] * count


def test_records_gain_nothing_from_those_that_they_happen_to_stand_beside() -> None:
    table = document("= name", "| a leak", *["| nothing"] * (2 * SEGMENTS_TOGETHER))
    assert len(set(_around(table, "leak")[1:])) == 1
    json = parse_nearly_json(str([{"a": number} for number in range(99)]).replace("'", '"'))
    assert json is not None
    assert len(set(_around(json, '"a":'))) == 1


def test_a_table_before_the_first_heading_says_nothing_of_what_stands_below_that() -> None:
    table = ("= name", "| a leak", "| nothing")
    around = _around(document(*table, "", "# Ports", "$ a leak", "", "# Disk", "$ nothing"), "leak")
    assert around[4] == 1.0
    assert around[5:] == [0.0, 0.0]


def test_what_is_excluded_does_not_speak_for_its_section() -> None:
    text = "# Water\n\nA leak of a pool, a leak.\n\nIt is long.\n\n# Ports\n\nA leak of sockets, and then some.\n\nIt is short.\n"
    relevance = dict(zip(*_relevance(text, "leaks other than pools"), strict=True))
    assert relevance["It is short."] > relevance["It is long."]
    relevance = dict(zip(*_relevance(text, "leaks"), strict=True))
    assert relevance["It is long."] > relevance["It is short."]


def test_navigation_does_not_speak_for_its_section() -> None:
    menu = " | ".join(f"[Leak {number}](/leak/{number}.html)" for number in range(20))
    text = (
        f"# Menu\n\n{menu}\n\nIt is long.\n\n# Ports\n\nA leak of sockets, and then some.\n\nIt is short.\n"
    )
    relevance = dict(zip(*_relevance(text, "leaks"), strict=True))
    assert relevance["It is short."] > relevance["It is long."]


def _relevance(text: str, query: str) -> tuple[list[str], Sequence[float]]:
    source = parse(text)
    return [source.of(index) for index in range(len(source.segments))], Scorer(source, query).relevance


def test_headings_below_many_others_begin_no_section_of_their_own() -> None:
    titles = [f"{'*' * level} A" for level in range(1, MAX_LEVELS + 3)]
    source = parse("\n".join([*titles, "a leak"]))
    assert len([*source.above(len(titles))]) == len(titles)
    around = _around(source, "leak")
    assert around[MAX_LEVELS - 2] < around[MAX_LEVELS - 1] == around[-1] == 1.0


def test_a_text_without_a_word_of_the_query_has_none_in_its_sections() -> None:
    assert _around(document("# A", "$ one"), "leak") == [0.0, 0.0]
    assert _around(document(), "leak") == []


@pytest.mark.timed
def test_the_time_grows_with_the_text_alone() -> None:
    def work(count: int) -> object:
        return _around(document(*[line for _ in range(count) for line in ("# Leak", "$ a leak", "")]), "leak")

    assert is_linear(work, 2_000)
