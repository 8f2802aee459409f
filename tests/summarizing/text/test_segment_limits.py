"""The segments of a long text are in proportion to its characters, whatever its lines are."""

from itertools import pairwise

import pytest

from bench.cost_texts.shapes import text_makers
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse

# Texts that are repeated have few segments; files of the machine differ between machines.
SHAPES = sorted(
    name for name in text_makers() if not name.startswith("real:") and not name.endswith("repeated")
)

CHARS = 30_000
MIN_CHARS_PER_SEGMENT = 20


@pytest.mark.unmeasured
@pytest.mark.parametrize("shape", SHAPES)
def test_a_long_text_has_at_most_one_segment_for_twenty_characters_and_all_words_are_in_one(
    shape: str,
) -> None:
    text = text_makers()[shape](4 * CHARS)[:CHARS]  # its size is in bytes
    segments = parse(text).segments
    assert len(segments) * MIN_CHARS_PER_SEGMENT <= len(text)
    between = (text[one.end : other.start] for one, other in pairwise(segments))
    assert not any(map(str.isalnum, "".join(between)))


@pytest.mark.parametrize("size", range(10, 30))
def test_short_records_share_segments(size: int) -> None:
    record = '{"id":"' + "x" * (size - 9) + '"}'
    for text in ((record + "\n") * 2_000, "[" + ",".join([record] * 2_000) + "]"):
        assert len(parse(text).segments) * MIN_CHARS_PER_SEGMENT <= len(text)


def test_a_list_of_short_items_keeps_its_headings() -> None:
    shelves = (f"## Shelf {number}\n\n" + "- red paint\n" * 8 + "\n" for number in range(250))
    segments = parse("".join(shelves)).segments
    headings = [index for index, one in enumerate(segments) if one.kind is SegmentKind.HEADING]
    assert len(headings) == 250
    assert {one.parent for one in segments if one.kind is SegmentKind.ITEM} == set(headings)


def test_tiny_paragraphs_are_read_several_at_a_time_and_none_is_cut() -> None:
    paragraphs = [f"the door {number}\nis to be red" for number in range(2_000)]
    text = "\n\n".join(paragraphs)
    segments = parse(text).segments
    assert len(segments) * 2 <= len(paragraphs)
    read = [text[one.start : one.end].split("\n\n") for one in segments]
    assert [paragraph for part in read for paragraph in part] == paragraphs


def test_lines_of_a_few_letters_keep_the_headings_that_hashes_mark() -> None:
    shelves = (f"## Shelf {number}\n\n" + "red\n\nblue\n\n" * 8 for number in range(250))
    segments = parse("".join(shelves)).segments
    headings = [index for index, one in enumerate(segments) if one.kind is SegmentKind.HEADING]
    assert len(headings) == 250
    assert {one.parent for one in segments if one.kind is SegmentKind.LINE} == set(headings)


def test_rows_of_thirteen_characters_keep_their_head_row() -> None:
    rows = "".join(f"{number:06d},red,{number % 7}\n" for number in range(3_000))
    segments = parse("name,colour,size\n" + rows).segments
    assert {one.kind for one in segments} == {SegmentKind.FRAME, SegmentKind.ROW}


def test_short_lines_share_segments_and_none_is_cut() -> None:
    lines = [f"{number} barrels" for number in range(10_000, 12_000)]
    text = "\n".join(line + "\n" * (number % 6 == 5) for number, line in enumerate(lines))
    segments = parse(text).segments
    read = [line for one in segments for line in text[one.start : one.end].split("\n") if line]
    assert read == lines
    assert len(segments) * 3 <= len(lines)


def test_short_lines_hang_on_the_line_that_announces_them() -> None:
    kinds = "".join(f"  paint of kind {kind}\n" for kind in "abcdef")
    text = "\n".join(f"shop {number}:\n{kinds}" for number in range(1_000))
    segments = parse(text).segments
    last = segments[-1]
    assert text[last.start : last.end].endswith("kind e\n  paint of kind f")
    assert text[segments[last.parent].start : segments[last.parent].end] == "shop 999:"
