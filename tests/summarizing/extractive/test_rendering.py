"""Rendering: kept segments in their order, as they stand, and marks for what was left out."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.rendering import render
from summarizing.text.document import Document, Segment, SegmentKind
from summarizing.text.excerpt import excerpt, joined
from tests.support.segmented import document


def test_rows_stand_under_their_head_row_and_those_that_are_missing_are_counted() -> None:
    table = document("= name port", "| web 80", "| db 5432", "| cache 6379")
    assert render(table, {0, 2}) == "= name port\n| db 5432\n[2 rows left out]"
    assert render(table, {0, 1, 2, 3}) == table.text


def test_a_gap_in_a_paragraph_is_marked() -> None:
    paragraph = document("One is.", "Two is.", "Three is.")
    assert render(paragraph, {0, 2}) == "One is. [...] Three is."
    assert render(paragraph, {0, 1}) == "One is. Two is."


def test_a_sentence_over_several_indented_lines_is_written_in_one() -> None:
    text = "    It runs over\n    two lines."
    source = Document(text, [Segment(4, len(text), SegmentKind.SENTENCE)])
    assert render(source, {0}) == "It runs over two lines."


def test_lines_keep_their_indentation() -> None:
    text = "spec:\n  replicas: 3\n  paused: true"
    lines = [
        Segment(0, 5, SegmentKind.LINE),
        Segment(8, 19, SegmentKind.LINE, 0),
        Segment(22, 34, SegmentKind.LINE, 0),
    ]
    assert render(Document(text, lines), {0, 2}) == "spec:\n  paused: true\n[1 line left out]"


_LINES = st.lists(
    st.sampled_from(["# head", "$ a line", "= k v", "| 1 2", "- item", "A sentence.", ""]), max_size=20
)


@given(_LINES, st.data())
def test_an_excerpt_is_rendered_as_what_it_was_made_from(lines: list[str], data: st.DataObject) -> None:
    source = document(*lines)
    chosen = (
        data.draw(st.sets(st.integers(0, max(0, len(source.segments) - 1)))) if source.segments else set()
    )
    kept = {part for index in chosen for part in (index, *source.requirements(index))}
    part = excerpt(source, kept)
    assert render(part, range(len(part.segments))) == render(source, kept)
    assert [part.of(index) for index in range(len(part.segments))] == [
        source.of(index) for index in sorted(kept)
    ]


@given(st.lists(_LINES, max_size=4))
def test_joined_documents_are_rendered_one_after_the_other(several: list[list[str]]) -> None:
    documents = [document(*lines) for lines in several]
    together = joined(documents)
    rendered = [render(one, range(len(one.segments))) for one in documents]
    assert render(together, range(len(together.segments))) == "\n\n".join(filter(None, rendered))
