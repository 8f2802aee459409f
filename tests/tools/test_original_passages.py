"""Passages of an original: what they consist of, and what stands above each."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizing.text.document import NO_SEGMENT, SegmentKind
from tools.original_passages import MAX_PASSAGE_CHARS, PassageList

TEXTS = st.lists(
    st.sampled_from(
        ["# A\n", "## B\n", "### C\n", "\n", "lamps burn\n", "word " * 60, "字。", "```\n", "T\n===\n", " "]
    ),
    max_size=40,
).map("".join)


@given(TEXTS)
@example("# A\n# A\n## B\nx\n# A\n")
@example("# A\nx\n" * 3)
def test_segments_are_all_the_words_of_the_passages_in_order(content: str) -> None:
    found = PassageList(content)
    segments = found.document.segments
    assert "".join("".join(map(found.document.of, range(len(segments)))).split()) == "".join(content.split())
    assert all(before.end <= after.start for before, after in pairwise(segments))
    assert [number for passage in found.passages for number in passage.segments] == list(range(len(segments)))
    for passage in found.passages:
        assert 0 < passage.end - passage.start <= MAX_PASSAGE_CHARS
        assert all(
            passage.start <= segments[at].start < segments[at].end <= passage.end for at in passage.segments
        )


@given(TEXTS)
def test_a_segment_hangs_on_the_nearest_heading_of_a_higher_level(content: str) -> None:
    segments = PassageList(content).document.segments
    for number, segment in enumerate(segments):
        if segment.parent == NO_SEGMENT:
            continue
        parent = segments[segment.parent]
        assert segment.parent < number
        assert parent.kind is SegmentKind.HEADING
        assert segment.kind is not SegmentKind.HEADING or parent.level < segment.level
        between = segments[segment.parent + 1 : number]
        assert all(each.level > parent.level for each in between if each.level)


def test_headings_of_a_small_section_stand_over_its_text() -> None:
    found = PassageList("# Harbour\n\n## Fees\n\nFour marks.\n\n## Lamps\n\nNorth pier.\n")
    segments = found.document.segments
    kinds = [(found.document.of(number), segment.parent) for number, segment in enumerate(segments)]
    assert kinds == [
        ("# Harbour\n\n", NO_SEGMENT),
        ("## Fees\n\n", 0),
        ("Four marks.", 1),
        ("## Lamps\n\n", 0),
        ("North pier.", 3),
    ]
    assert [found.headings_above(passage) for passage in found.passages] == [(), ("Harbour",)]


@given(st.lists(st.sampled_from(["lamp", "keeper,", "a", "Harbour.", "12"]), min_size=1, max_size=30))
def test_a_long_line_is_cut_between_words(words: list[str]) -> None:
    words *= 60
    content = " ".join(words)
    found = [content[one.start : one.end].split() for one in PassageList(content).passages]
    assert [word for passage in found for word in passage] == words


@pytest.mark.parametrize("end", [":", "："])
def test_what_introduces_a_block_is_in_a_passage_with_its_beginning(end: str) -> None:
    words = "The pump of the tower is made of parts that are made elsewhere, and each has a number. " * 3
    content = f"# Pumps\n\n{words}These are the parts{end}\n\n{words}\n\n{words}\n"
    passages = [content[one.start : one.end] for one in PassageList(content).passages]
    assert not any(passage.endswith(end) for passage in passages)


def test_a_heading_begins_a_passage_though_a_colon_stands_before_it() -> None:
    content = f"# Valves\n\nA valve has parts, and here they are:\n\n# Tanks\n\n{'None of these. ' * 60}\n"
    assert PassageList(content).passages[0].start == 0
    assert [one.start for one in PassageList(content).passages].count(content.index("# Tanks")) == 1
