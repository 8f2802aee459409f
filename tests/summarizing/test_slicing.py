"""A long text in slices: nothing lost, none too long, each under its own headings."""

import json
import pprint
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.json_excerpts import joined_json, json_excerpt
from summarizing.extractive.json_rendering import render_json
from summarizing.slicing import Slice, slices, slices_of

BLOCKS = st.sampled_from(
    [
        "# Top\n\n",
        "## Middle\n\n",
        "### Low\n\n",
        "A line of a paragraph that says something.\n",
        "Another one. And a sentence more.\n\n",
        "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 9 + "\n",
        "```sh\nmake run\n```\n\n",
        "word " * 60,
        "x" * 300,
        "字😉é" * 40 + "\r\n",
    ]
)


@given(st.lists(BLOCKS, max_size=40).map("".join), st.integers(100, 900))
def test_slices_are_the_whole_text_in_order_and_none_is_too_long(text: str, size: int) -> None:
    cut = slices(text, size)
    assert "".join(text[one.start : one.end] for one in cut) == text
    assert all(one.end - one.start <= size for one in cut)
    assert [one.start for one in cut] == [0, *(one.end for one in cut)][:-1]


@given(st.lists(BLOCKS, max_size=40).map("".join), st.integers(100, 900))
def test_what_stands_above_a_slice_stands_in_the_text_before_it(text: str, size: int) -> None:
    for one in slices(text, size):
        assert all(line in text[: one.start] for line in one.above.splitlines())


LINE_ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("line_end", LINE_ENDS)
def test_a_slice_ends_at_a_line_end_of_any_kind(line_end: str) -> None:
    text = line_end.join(f"Sentence number {number} says a thing of value." for number in range(200))
    cut = slices(text, 900)
    assert len(cut) > 5
    assert all(text[one.start : one.end].endswith(line_end) for one in cut[:-1])


@pytest.mark.parametrize("space", [*LINE_ENDS, " ", "\t", "\xa0", "\u3000"])
def test_a_slice_of_one_line_ends_at_a_sentence_or_a_word(space: str) -> None:
    sentences = space.join(f"Sentence {number} is long." for number in range(500))
    cut = slices(sentences, 900)
    assert all(sentences[one.start : one.end].rstrip().endswith(".") for one in cut)
    words = space.join(f"word{number}" for number in range(2_000))
    known = set(words.split())
    assert all(set(words[one.start : one.end].split()) <= known for one in slices(words, 900))


@pytest.mark.parametrize("line", ["# x\n", "a\n", "- \r\n", "b\r"])
def test_a_text_of_short_lines_is_cut_at_line_ends_in_little_memory(line: str) -> None:
    """It is read without its structure; to find that took 45 times its size."""
    text = line * 100_000
    tracemalloc.start()
    try:
        cut = slices(text, 50_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < len(text)
    assert "".join(text[one.start : one.end] for one in cut) == text
    assert all(0 < one.end - one.start <= 50_000 for one in cut)
    assert all(text[one.start : one.end].endswith(line) for one in cut)


def test_slices_of_a_text_of_short_lines_come_with_their_headings() -> None:
    sections = (f"## Shelf {number}\n\n" + f"paint of {number}\n" * 99 for number in range(100))
    text = "# Shop\n\n" + "\n".join(sections)
    for one in slices(text, 9_000)[1:]:
        first = text[one.start :].lstrip().partition("\n")[0]
        above = [line for line in one.above.splitlines() if line]
        assert above == ["# Shop", f"## Shelf {first.removeprefix('paint of ')}"]


@pytest.mark.parametrize("kind", ["red", "a shade of red that is seldom sold"])
def test_slices_of_rows_come_with_their_head_row(kind: str) -> None:
    text = "name,kind,size\n" + "".join(f"{number},{kind},{number % 7}\n" for number in range(9_000))
    assert [one.above for one in slices(text, 9_000)[1:3]] == ["name,kind,size\n"] * 2


def test_a_text_that_is_short_enough_is_one_slice() -> None:
    assert slices("One.\n\nTwo.\n", 100) == [Slice(0, 11, "")]
    assert slices("", 100) == [Slice(0, 0, "")]


def test_a_slice_has_the_headings_that_it_stands_under_and_no_others() -> None:
    lines = "A line of a paragraph that says something.\n\n"
    text = f"# One\n\n## Old\n\n{lines * 4}## New\n\n{lines * 40}"
    cut = slices(text, 600)
    inside = [one for one in cut if one.start > text.index("## New")]
    assert len(inside) > 1
    assert {one.above for one in inside} == {"# One\n\n## New\n\n"}


def test_a_slice_that_begins_with_a_heading_is_not_under_the_one_before() -> None:
    lines = "A line of a paragraph that says something.\n\n"
    text = "".join(f"## Part {number}\n\n{lines * 4}" for number in range(20))
    cut = slices(text, 400)
    begins = [one for one in cut if text.startswith("## ", one.start)]
    assert len(begins) > 5
    assert {one.above for one in begins} == {""}


def test_a_heading_as_long_as_a_page_is_not_repeated_in_each_slice() -> None:
    lines = "A line of a paragraph that says something.\n\n"
    text = f"# {'Word ' * 1_000}\n\n## Part\n\n{lines * 400}"
    last = slices(text, 6_000)[-1]
    assert last.above == "## Part\n\n"


def test_a_table_in_slices_keeps_its_head_row() -> None:
    text = "| name | size |\n|---|---|\n" + "| anvil | 12 |\n" * 100
    later = slices(text, 400)[1:]
    assert later
    assert {one.above for one in later} == {"| name | size |\n|---|---|\n"}


@pytest.mark.parametrize("comment", ["// a note [ about it, don't \"\n", "/* [ \" { ' */", "// }]\n"])
def test_brackets_and_quotes_in_comments_of_long_json_are_none(comment: str) -> None:
    records = json.dumps([{"id": number, "url": "https://a.org/[x]", "of": [1, 2]} for number in range(900)])
    text = records.replace('"of"', comment + '"of"')
    found = slices_of(text, size=4_000, whole=8_000)
    assert len(found) > 5
    assert all(piece.parsed(text).is_json for piece in found)


ROWS = [
    {"id": number, "note": f"Row {number} isn't 'ready'.", "of": [None, True, number / 4]}
    for number in range(400)
]
NOTATIONS = {
    "JSON": json.dumps(ROWS, indent=1),
    "Python": repr(ROWS),
    "pprint": pprint.pformat(ROWS, width=40),
    "JSON5": json.dumps(ROWS, indent=1).replace('"id"', "/* the [id */ id").replace('"of"', "of"),
}


@pytest.mark.parametrize(
    "before, behind", [("", ""), ("The tool returned:\n", ""), ("```\n", "\n```"), ("\n\n", "\n")]
)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_long_values_in_any_notation_are_read_in_slices_with_the_words_that_present_them(
    notation: str, before: str, behind: str
) -> None:
    text = before + NOTATIONS[notation] + behind
    found = slices_of(text, size=8_000, whole=8_000)
    assert len(found) > 3
    assert "".join(text[one.start : one.end] for one in found) == text
    documents = [one.parsed(text) for one in found]
    whole = joined_json([json_excerpt(one, range(len(one.segments))) for one in documents])
    told = render_json(whole, range(len(whole.segments)))
    assert told.startswith(before.lstrip())
    assert told.endswith(behind.rstrip())
    assert json.loads(told.removeprefix(before.lstrip()).removesuffix(behind.rstrip())) == ROWS
