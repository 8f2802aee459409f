"""Search in an original: ranking, offsets and headings, and that a match is the text itself."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.parts import prose
from tools.original_passages import MAX_PASSAGE_CHARS
from tools.original_search import MAX_PASSAGES_PER_MATCH, SearchResult, search

WIKI = (Path(__file__).parents[2] / "examples" / "ashmere-wiki-crawl.md").read_text("utf-8")

HARBOUR = """# Harbour

## Keepers

Ann keeps the lamps of the north pier, and has done so since the great flood took the old ones away from the town.
She was born in Saltmere, which lies two days to the south, and speaks of it rarely to those who do not ask.

## Charges

A boat pays four marks a night at the inner quay, and two at the outer one where there is no shelter from the east.
Barrels of lamp oil are free; whoever brings more than forty pays the keeper of the scales one mark for each ten.
"""


def texts(content: str, query: str, max_results: int = 5) -> list[str]:
    return [content[place.start : place.end] for place in search(content, query, max_results).matches]


def first(content: str, query: str) -> str:
    return texts(content, query)[0]


def test_the_passage_with_the_words_comes_first() -> None:
    assert first(HARBOUR, "what does a boat pay").startswith("## Charges")
    assert first(HARBOUR, "where was Ann born").startswith("# Harbour")


@pytest.mark.parametrize("query", ["lamps", "LAMP", "barrel", "Saltmere", "keeping the scale"])
def test_a_word_is_found_in_any_form_and_case(query: str) -> None:
    assert texts(HARBOUR, query)


@pytest.mark.parametrize(
    "content, query, part",
    [
        ("Der Zoll am Fluß beträgt vier Mark. " * 3, "betragt", "beträgt"),
        ("港口的费用是每晚四马克。\n\n灯塔在北边。", "灯塔", "灯塔"),
        ("Паром отходит в полдень.\n\nМаяк стоит на севере.", "маяк", "Маяк"),
        ("ท่าเรืออยู่ทางเหนือ", "ท่าเรือ", "ท่าเรือ"),
    ],
)
def test_any_script_can_be_searched(content: str, query: str, part: str) -> None:
    assert part in first(content, query)


@pytest.mark.parametrize(
    "exact",
    ["ERR-5021", "/etc/lamps/north.conf", "10.20.0.7", "v3.4.1", "c0ffee12-9a", "keeper_of_scales", "417"],
)
def test_exact_matches_rank_above_more_words(exact: str) -> None:
    noise = prose(40).replace("417", "418").replace("keeper of", "keeper_of scales, keeper of")
    content = f"{noise}\n\nHere it says {exact}, once, among many other words that nobody has asked for.\n\n{noise} again"
    assert f"says {exact}," in first(content, f"the keeper of house and {exact}")


def test_a_number_is_not_found_inside_a_longer_one_first() -> None:
    content = "Port 18007 and 80070 are closed.\n\n" + prose(5) + "\n\nThe gate listens on 8007 only."
    assert first(content, "8007").endswith("8007 only.")


def test_a_phrase_comes_before_its_words_apart() -> None:
    content = (
        "The north has a pier and the pier has a north; pier, pier, north, north.\n\n"
        + prose(3).replace("north pier", "south quay")
        + "\n\nAnn is the warden of the North\n Pier and of nothing else that has been written down here."
    )
    assert "warden" in first(content, '"north pier"')
    assert "warden" in first(content, "north pier")


def test_a_phrase_of_words_that_ask_for_nothing_is_found_as_it_is_written() -> None:
    content = f"{prose(4)}\n\nTo have it, or not to\nhave it, was all that he would ever ask.\n\n{prose(4)}"
    assert first(content, "to have it, or not to have it").startswith("To have it")
    assert first(f"{'Another brother lathers. ' * 20}\n\nIt is the one.", "the") == "It is the one."


def test_a_name_of_several_words_is_found_by_one_of_them() -> None:
    content = f"{prose(4)}\n\nRaised as `ERR_STREAM_PREMATURE_CLOSE` where maxRetryPolicy is 0.\n\n{prose(4)}"
    assert first(content, "errors of a stream").startswith("Raised as")
    assert first(content, "policy").startswith("Raised as")
    assert first(f"{'max retry. ' * 80}\n\nIt is maxretry.", "maxRetry").endswith("It is maxretry.")


def test_a_query_for_a_url_finds_the_target_of_a_link() -> None:
    content = prose(5) + "\n\nSee [the list](https://a.example/keepers/list?x=1) of them.\n\n" + prose(5)
    assert "the list" in first(content, "https://a.example/keepers/list?x=1")


def test_a_heading_above_a_passage_counts_and_is_named() -> None:
    body = "\n\n".join(f"The innkeeper of this place is {name}. {prose(4)}" for name in ("Bram", "Cole"))
    content = f"# Emberwick\n\n{body}\n\n# Coldharbour\n\n{body}"
    place = search(content, "innkeeper Coldharbour", 1).matches[0]
    assert place.start >= content.index("# Coldharbour")
    found = search(content, "Cole Coldharbour", 5).matches
    assert found[0].headings == ("Coldharbour",)
    assert "is Cole" in content[found[0].start : found[0].end]


def test_headings_are_listed_from_the_outermost() -> None:
    content = (
        f"# A\n\n{prose(1)}\n\n## B\n\n{prose(1)}\n\n### C\n\nzebra. {prose(1)}\n\n## D\n\n{prose(3)} gnu"
    )
    zebra, gnu = (search(content, word, 5).matches[0] for word in ("zebra", "gnu"))
    assert zebra.headings == ("A", "B")  # its own heading is the passage's first line
    assert content[zebra.start :].startswith("### C")
    assert gnu.headings == ("A", "D")


def test_a_passage_inside_a_long_paragraph_has_the_heading_above_it() -> None:
    content = "# A\n\n## B\n\n" + "The old wall is seen by all. " * 80 + "Here stands a gnu."
    assert search(content, "gnu", 1).matches[0].headings == ("A", "B")


def test_adjacent_passages_are_one_match_and_duplicates_are_dropped() -> None:
    sentence = "The zebra of house {} walks along the old wall in the evening and is seen by nobody at all. "
    run = "".join(sentence.format(n) for n in range(40))
    places = search(f"{prose(3)}\n\n{run}\n\n{prose(3)}", "zebra", 50).matches
    ordered = sorted(places, key=lambda place: place.start)
    gaps = [after.start - before.end for before, after in pairwise(ordered)]
    assert places
    assert all(gap > 0 for gap in gaps)
    assert all(
        place.end - place.start <= (MAX_PASSAGE_CHARS + 1) * MAX_PASSAGES_PER_MATCH for place in places
    )
    banner = "We use zebra cookies on every page of this site, and you may refuse them below at any time."
    assert len(texts("\n\n".join([banner, prose(4)] * 6), "zebra cookies", 50)) == 1


def test_missing_words_are_named() -> None:
    found = search(HARBOUR, "the zebra, of Saltmere (gnu)?", 5)
    assert found.matches
    assert found.missing == ("zebra", "gnu")


def test_words_that_ask_for_nothing_are_not_missing() -> None:
    assert search("Saltmere lies south.", "what is there of Saltmere and of gnus", 5).missing == ("gnus",)


def test_a_word_with_a_part_that_occurs_is_not_missing() -> None:
    assert search("see lamps.conf", "lamps.toml", 5).missing == ()


def test_without_word_matches_the_start_of_a_word_is_found() -> None:
    assert "Saltmere" in first(HARBOUR, "saltm")
    assert "--" in first("a ++ b\n\nc -- d", "--")


@pytest.mark.parametrize(
    "content, query", [("", "x"), (" \n\n ", "x"), (HARBOUR, "zebra"), (HARBOUR, " "), (HARBOUR, "?")]
)
def test_an_empty_text_has_no_matches(content: str, query: str) -> None:
    assert search(content, query, 5).matches == ()


def test_long_white_space_is_not_a_passage() -> None:
    assert texts("word" + " " * 3_000 + "zebra and gnu", "zebra") == ["zebra and gnu"]


def test_at_most_max_results_matches_are_returned() -> None:
    assert [len(texts(WIKI, "lantern compact", limit)) for limit in (1, 2, 7)] == [1, 2, 7]


@pytest.mark.unmeasured
def test_every_fact_of_a_wiki_is_found_by_its_own_words() -> None:
    lines = [line for line in WIKI.splitlines() if 60 < len(line) < 300 and re.search(r"\d", line)]
    lost = [line for line in lines[::7] if not any(line in text for text in texts(WIKI, line, 3))]
    assert len(lines) > 200
    assert lost == []


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "content",
    [
        "x" * 200_000,
        "word " * 40_000,
        "# a\n" * 50_000,
        "a\n\n" * 60_000,
        "字" * 50_000,
        "- x: {}\n" * 25_000,
        "." * 99_999,
    ],
    ids=["word", "line", "headings", "blocks", "unspaced", "rows", "marks"],
)
def test_a_text_without_structure_is_searched_in_pieces(content: str) -> None:
    query = content[0] if content[0] not in "#-." else "a"
    found = search(content, query, 3)
    assert all(0 < place.end - place.start <= 2 * MAX_PASSAGE_CHARS + 2 for place in found.matches)


def test_a_passage_found_by_its_heading_alone_is_given_with_it() -> None:
    content = f"# Wick\n\n{prose(6)}\n\n# Zebras\n\n{prose(2)}\n\n# Ends\n\n{prose(6)}"
    assert first(content, "zebra").startswith("# Zebras\n")


TEXTS = st.text(st.sampled_from('ab 1.#-\n|`"字。é\ud800_/'), max_size=400)


@given(TEXTS, st.text(max_size=20), st.integers(1, 6))
@example("# a\n\nb", "b", 1)
@example('"', '""', 1)
def test_matches_are_parts_of_the_content_and_do_not_overlap(content: str, query: str, limit: int) -> None:
    found = search(content, query, limit)
    assert isinstance(found, SearchResult)
    assert len(found.matches) <= limit
    end = 0
    for place in sorted(found.matches, key=lambda place: place.start):
        assert end <= place.start < place.end <= len(content)
        assert content[place.start : place.end].strip()
        end = place.end


@given(TEXTS)
def test_a_word_of_the_content_is_found(content: str) -> None:
    for word in re.findall(r"[ab1é]{2,}", content)[:3]:
        assert any(word in text for text in texts(content, word)), word


def test_masked_texts_are_counted_where_words_are_missing() -> None:
    masked = (
        "Ciphers: [masked email 0123abcd], [masked github-pat 4d6b1cb6], aes256-ctr [masked] [masked x 12]\n"
    )
    assert search(masked, "chacha20-poly1305", 5).masked == 2
    partly = search(masked, "aes256-ctr chacha20-poly1305", 5)
    assert (len(partly.matches), partly.masked) == (1, 2)
    assert search(masked, "aes256-ctr", 5).masked == 0
    assert search(HARBOUR, "chacha20-poly1305", 5).masked == 0
