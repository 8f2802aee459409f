"""Long texts of short lines are read by stretches of whole lines, and each stays below what says what it is about."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.text import dense_texts
from summarizing.text.dense_texts import (
    LEAST_STRETCH_CHARS,
    MAX_HEADING_CHARS,
    MIN_DENSE_CHARS,
    STEP_CHARS,
    context_of_each,
    is_dense,
    read_dense,
)
from summarizing.text.document import Document, SegmentKind
from summarizing.text.parsing import parse
from tests.support.lock_holds import longest_calls
from tests.support.timing import is_linear

LINES = [
    "## A shelf of red paint",
    "### The lowest shelf there",
    "[drawers.left]",
    "LOWER CELLAR",
    "Tools and nails\n===============",
    "",
    "",
    "",
    "blue, and two of them",
    "in the shop:",
    "  of the garden:",
    "    a spade of iron",
    "  green",
    "- 4 barrels",
    "x",
    "a line that is as long as a stretch may be, and then some words more",
]
TEXTS = st.tuples(st.lists(st.sampled_from(LINES), max_size=60), st.sampled_from(["\n", "\r\n"])).map(
    lambda found: "\n".join(found[0]).replace("\n", found[1])
)


@given(TEXTS)
def test_each_segment_is_whole_lines_and_no_word_is_lost(text: str) -> None:
    segments = read_dense(text)
    for one in segments:
        before, behind = text[: one.start].rpartition("\n")[2], text[one.end :].partition("\n")[0]
        assert not before.strip()
        assert not behind.strip()
    edges = [0, *(edge for one in segments for edge in (one.start, one.end)), len(text)]
    assert edges == sorted(edges)
    between = (text[end:start] for end, start in zip(edges[::2], edges[1::2], strict=True))
    assert not any(map(str.isalnum, "".join(between)))


def lines_with_what_is_above(text: str) -> list[tuple[str, str]]:
    """Return each line of the segments, with what its segment has and hangs on."""
    document = Document(text, read_dense(text))
    return [
        (line, "\n".join(map(document.of, (*document.above(index), index))))
        for index in range(len(document.segments))
        for line in document.of(index).splitlines()
        if line.strip()
    ]


SECTION = st.tuples(
    st.integers(1, 4),
    st.lists(st.sampled_from(["red paint", "blue, and two of them", "", "a spade of iron"]), max_size=12),
)


@given(st.lists(SECTION, min_size=1, max_size=20))
def test_each_line_comes_with_all_of_its_headings(sections: list[tuple[int, list[str]]]) -> None:
    parts: list[str] = []
    trail: list[tuple[int, str]] = []
    expected: dict[str, list[str]] = {}
    for number, (level, lines) in enumerate(sections):
        heading = f"{'#' * level} Heading with the number {number}"
        trail = [*((depth, one) for depth, one in trail if depth < level), (level, heading)]
        named = [f"{line} {number}.{at}" if line else "" for at, line in enumerate(lines)]
        expected |= {line: [one for _, one in trail] for line in named if line}
        parts.append("\n".join([heading, "", *named, "", ""]))
    found = dict(lines_with_what_is_above("".join(parts)))
    for line, headings in expected.items():
        assert all(heading in found[line].splitlines() for heading in headings)


@pytest.mark.parametrize(
    "first, second",
    [
        ("Tools\n=====", "Nails\n====="),
        ("TOOLS", "NAILS"),
        ("[tools]", "[nails]"),
        ("=====\nTools\n=====", "=====\nNails\n====="),
        ("=head1 Tools", "=head1 Nails"),
    ],
)
def test_headings_that_stand_apart_head_what_is_below_them(first: str, second: str) -> None:
    below = [f"piece {number}" for number in range(40)]
    text = "\n\n".join([first, "\n".join(below[:20]), second, "\n".join(below[20:])]) + "\n"
    found = dict(lines_with_what_is_above(text))
    titles = [re.sub(r"[=\n]", "", one.replace("head1 ", "")) for one in (first, second)]
    for number, line in enumerate(below):
        assert titles[number // 20] in found[line]
        assert titles[1 - number // 20] not in found[line]


def test_markdown_with_a_short_sentence_below_each_heading_keeps_its_headings() -> None:
    sections = [f"## Shelf {number}\n\nRed paint {number}.\n\n" for number in range(1_000)]
    text = "".join(sections)
    assert is_dense(text)
    document = parse(text)
    read = [document.of(index) for index, one in enumerate(document.segments)]
    assert "\n\n".join(read).split() == text.split()
    for section in sections:
        assert any(section.strip() in part for part in read)


@given(
    st.lists(st.text("ab ", min_size=1, max_size=50).map(lambda line: f"x{line}x"), min_size=1, max_size=40)
)
def test_paragraphs_that_are_long_enough_share_no_stretch(paragraphs: list[str]) -> None:
    document = Document(text := "\n\n".join(paragraphs), read_dense("\n\n".join(paragraphs)))
    read = [document.of(index).split("\n\n") for index in range(len(document.segments))]
    assert [one for part in read for one in part] == text.split("\n\n")
    for part in read:
        assert not any(min(len(one), len(other)) > LEAST_STRETCH_CHARS for one, other in pairwise(part))


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 9), st.sampled_from([":", "\uff1a", " {", " ["])),
        max_size=30,
    )
)
def test_lines_come_with_the_line_that_announces_them(shops: Sequence[tuple[int, int, str]]) -> None:
    parts: list[str] = []
    expected: dict[str, str] = {}
    for number, (indent, count, sign) in enumerate(shops):
        head = f"shop {number}{sign}"
        below = [f"paint {number}.{at}" for at in range(count)]
        expected |= dict.fromkeys(below, head)
        lead = "  " * indent
        parts += [f"{lead}{head}", *(f"{lead}  {line}" for line in below), ""]
    found = {line.strip(): above for line, above in lines_with_what_is_above("\n".join(parts))}
    for line, head in expected.items():
        assert head in found[line]


def test_a_list_that_is_not_indented_ends_at_the_next_key_of_its_record() -> None:
    entries = "\n".join(f"  - .extension{number}" for number in range(9))
    record = f"tongue:\n  kind: words\n  ends:\n{entries}\n  mode: plain text with wide lines\n  hue: as of the evening\n"
    document = Document(record * 200, read_dense(record * 200))
    hung_on = {
        document.of(document.segments[index].parent)
        for index in range(len(document.segments))
        if document.of(index).endswith("as of the evening")
    }
    assert hung_on == {"tongue:"}


@given(st.integers(4, 12), st.sampled_from(",\t;|"))
def test_rows_come_with_their_head_row(width: int, sign: str) -> None:
    rows = [sign.join([f"{number:0{width}d}", "red", str(number % 7)]) for number in range(1_500)]
    text = "\n".join([sign.join(["name", "kind", "size"]), *rows])
    head, *others = read_dense(text)
    assert (head.kind, text[: head.end]) == (SegmentKind.FRAME, text.partition("\n")[0])
    assert {(one.kind, one.parent) for one in others} == {(SegmentKind.ROW, 0)}
    assert "\n".join(text[one.start : one.end] for one in others) == "\n".join(rows)
    assert len(others) * 2 < len(rows)


def test_a_wrapped_paragraph_among_short_lines_is_not_divided() -> None:
    paragraph = "The paint of this shelf is for the doors of the garden, which are\nto be red. It is mixed on the day, and never on the day before,\nas was asked."
    text = f"{'red' * 5}\n\n{paragraph}\n\n" + "blue\n" * 20
    document = Document(text, read_dense(text))
    assert any(paragraph in document.of(index) for index in range(len(document.segments)))


def test_a_text_of_sentences_is_not_dense_whatever_examples_it_has() -> None:
    sentence = "A sentence of prose takes the whole width of a page, as here.\n"
    text = f"{sentence * 6}\n> a\n> b\n\n```\nx\n{'y' * 9}\n```\n\n" + "- z\n" * 14
    assert len(text * 60) > MIN_DENSE_CHARS
    assert not is_dense(text * 60)
    assert is_dense(text.replace(sentence, "A sentence.\n") * 300)


def test_wide_letters_count_as_what_they_take() -> None:
    assert is_dense("a few letters\n" * 2_000)
    assert not is_dense("这一行有十二个汉字在上面\n" * 2_000)


@pytest.mark.parametrize(
    "part",
    [
        "# a\n\nb\n\n",
        "a:\n",
        "a:\n b\n",
        "[a]\n\nb\n\n",
        "a\n=\n\n",
        "A B\n\n",
        "a:\n\n",
        "=====\n\n",
        "a,b,c\n",
        ":\n",
    ],
)
def test_time_and_segments_are_in_proportion_to_the_text(part: str) -> None:
    assert is_linear(lambda count: read_dense(part * count), 4_000)
    assert len(read_dense(text := part * 4_000)) * 20 <= len(text)


def test_lines_that_announce_ever_deeper_ones_are_read_in_linear_time() -> None:
    assert is_linear(
        lambda count: read_dense("".join(f"{' ' * (at % 300)}a:\n" for at in range(count))), 2_000
    )


@pytest.mark.timed
@pytest.mark.parametrize("unit", ["abcdefgh ijklmno\n", "ABC x\n\n", "# ab\n#b\n\n", "a:\n  b\n", "価格\n"])
def test_no_part_of_the_work_on_a_whole_text_holds_the_interpreter_for_long(unit: str) -> None:
    text = unit * (40 * STEP_CHARS // len(unit))
    longest, whole = longest_calls(lambda: (is_dense(text), list(context_of_each(text, [0, len(text) // 2]))))
    assert max(longest.values()) < whole / 3


@given(TEXTS, st.integers(1, 40))
def test_headings_are_the_same_however_far_one_search_goes(text: str, step: int) -> None:
    whole = list(context_of_each(text, range(0, len(text), 7)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense_texts, "STEP_CHARS", step)
        assert list(context_of_each(text, range(0, len(text), 7))) == whole


def test_a_line_that_is_too_long_for_a_heading_is_none() -> None:
    text = f"## {'a' * MAX_HEADING_CHARS * 2}\n\nab\n"
    assert list(context_of_each(text, [len(text) - 3])) == [""]
