"""Sections that are left out whole: the same count and places, whether a text is read as a whole or in slices, chosen from once or twice."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from summarizing.slicing import slices
from summarizing.text.document import Document, SegmentKind
from summarizing.text.excerpt import excerpt, joined
from summarizing.text.indentation import leads_of
from summarizing.text.left_out_sections import sections_left_out, with_repeated
from summarizing.text.parsing import parse

SLICE_CHARS = 300


def _text(levels: Sequence[int]) -> str:
    """Return a text in Markdown with headings of these levels, each another one over a sentence of its own."""
    return "".join(
        f"{'#' * level} The part {number}\n\nWhat is said in the part {number} is said nowhere else.\n\n"
        for number, level in enumerate(levels)
    )


def _sliced(text: str) -> Iterator[Document]:
    for piece in slices(text, SLICE_CHARS):
        yield with_repeated(parse(piece.with_context(text)), len(piece.above))


def _with_required(document: Document, chosen: Collection[int]) -> set[int]:
    return {part for index in chosen for part in (index, *document.requirements(index))}


def _expected(texts: Sequence[str], levels: Sequence[int]) -> Counter[int]:
    """Return how many sections the kept segments lack, by their place, from their texts alone."""
    shown = [int(text.rstrip(".").split()[-1] if text.startswith("#") else text.split()[6]) for text in texts]
    places: Counter[int] = Counter()
    open_ones: list[int] = []
    for number, level in enumerate(levels):
        open_ones = [one for one in open_ones if levels[one] < level]
        if number not in shown and (not open_ones or open_ones[-1] in shown):
            places[next((at for at, one in enumerate(shown) if one > number), len(shown))] += 1
        open_ones.append(number)
    return places


LEVELS = st.lists(st.integers(1, 3), min_size=1, max_size=25)


@given(LEVELS, st.data())
def test_an_excerpt_of_an_excerpt_knows_what_the_text_has(levels: list[int], data: st.DataObject) -> None:
    document = parse(_text(levels))
    for _ in range(2):
        numbers = st.sets(st.integers(0, len(document.segments) - 1)) if document.segments else st.just(set())
        order = sorted(_with_required(document, data.draw(numbers)))
        part = excerpt(document, order, leads_of(document))
        texts = [f"{'#' * document.segments[at].level}{document.of(at)}" for at in order]
        expected = _expected(texts, levels)
        assert sections_left_out(document, order) == expected
        assert sections_left_out(part, range(len(order))) == expected
        document = part


@given(LEVELS, st.data())
def test_what_slices_repeat_of_the_headings_above_them_is_not_counted(
    levels: list[int], data: st.DataObject
) -> None:
    parts: list[Document] = []
    for document in _sliced(_text(levels)):
        chosen = data.draw(st.sets(st.integers(0, len(document.segments) - 1)))
        parts.append(excerpt(document, _with_required(document, chosen), leads_of(document)))
    whole = joined(parts)
    texts = [f"{'#' * one.level}{whole.of(at)}" for at, one in enumerate(whole.segments)]
    found = sections_left_out(whole, range(len(texts)))
    assert sum(found.values()) == sum(_expected(texts, levels).values())


def test_slices_of_one_long_section_leave_out_no_section_of_that_name() -> None:
    levels = [1, *[2] * 12]
    documents = list(_sliced(_text(levels)))
    assert len(documents) > 3
    assert all(document.of(0) == "# The part 0" for document in documents)
    whole = joined(
        [excerpt(documents[0], (), ()), *(excerpt(one, (0, 1, 2), ["", "", ""]) for one in documents[1:])]
    )
    kept = sum(one.kind is SegmentKind.SENTENCE for one in whole.segments)
    assert sections_left_out(whole, range(len(whole.segments))).total() == 12 - kept
    assert sections_left_out(whole, ()) == {0: 1}


def test_a_section_behind_a_rule_that_ends_the_one_before_is_counted() -> None:
    text = "OARS\n\nThey are of ash or spruce.\n\n{}\n\n1.2 Ropes\n\nThey are of hemp.\n\n1.3 Knots\n\nThey are tied.\n"
    document = parse(text.format("-" * 70))
    oars, said, rule = range(3)
    assert document.segments[rule].kind is SegmentKind.FRAME
    assert document.segments[rule + 1].parent == rule
    assert sections_left_out(document, (oars, said)) == {2: 2}
