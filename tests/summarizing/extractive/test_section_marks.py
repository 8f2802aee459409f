"""Marks for sections that are left out whole: between what is kept where there is room, else one for all at the end."""

from collections.abc import Collection

import pytest

from summarizing.extractive.extractive_summary import choose_from, extract, offer
from summarizing.extractive.rendering import Rendering
from summarizing.extractive.section_marks import only_mark, section_marks
from summarizing.text.document import Document
from summarizing.text.excerpt import excerpt, joined
from summarizing.text.indentation import leads_of
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer
from tests.support.handmade_documents import document

YEARS = document(
    *(
        "# 410",
        "",
        "The bridge falls.",
        "",
        "# 411",
        "",
        "The mill burns.",
        "",
        "# 412",
        "",
        "The dyke breaks.",
    ),
    *("", "# 413", "", "The tower falls.", "", "# 414", "", "The war ends."),
)
MILL, TOWER = {2, 3}, {6, 7}


COUNTED_BETWEEN, BETWEEN, AT_END = range(3)


def rendered(source: Document, kept: Collection[int], form: int) -> str:
    return Rendering(source).render(kept, of_sections=section_marks(source, kept)[form])


def _render(source: Document, kept: set[int]) -> list[str]:
    return [rendered(source, kept, form) for form in (COUNTED_BETWEEN, BETWEEN, AT_END)]


def test_sections_that_are_left_out_are_marked_where_they_stood() -> None:
    assert rendered(YEARS, {0, 1} | TOWER, COUNTED_BETWEEN) == (
        "# 410\n\nThe bridge falls.\n\n[2 sections left out]\n\n# 413\n\nThe tower falls.\n\n[1 section left out]"
    )
    assert rendered(YEARS, MILL, COUNTED_BETWEEN) == (
        "[1 section left out]\n\n# 411\n\nThe mill burns.\n\n[3 sections left out]"
    )


def test_the_short_forms_are_a_mark_without_a_count_and_one_count_for_all() -> None:
    assert rendered(YEARS, MILL | TOWER, BETWEEN) == (
        "[...]\n\n# 411\n\nThe mill burns.\n\n[...]\n\n# 413\n\nThe tower falls.\n\n[...]"
    )
    assert rendered(YEARS, MILL | TOWER, AT_END) == (
        "# 411\n\nThe mill burns.\n\n# 413\n\nThe tower falls.\n\n[3 sections left out]"
    )


def test_where_no_section_is_left_out_there_is_no_mark() -> None:
    assert _render(YEARS, set(range(10))) == [Rendering(YEARS).render(range(10))] * 3


def test_a_section_is_counted_once_whatever_stands_below_it() -> None:
    text = "# Pumps\n\nThey run.\n\n## Oil\n\nWeekly.\n\n### Kinds\n\nAny.\n\n## Water\n\nDaily.\n\n# Valves\n\nThey close.\n"
    source = parse(text)
    pumps, run = range(2)
    assert rendered(source, {pumps, run}, AT_END).endswith("They run.\n\n[3 sections left out]")


def test_an_excerpt_remembers_what_it_leaves_out() -> None:
    leads = leads_of(YEARS)
    part = excerpt(YEARS, MILL | TOWER, leads)
    assert _render(part, set(range(4))) == _render(YEARS, MILL | TOWER)
    assert rendered(part, {2, 3}, COUNTED_BETWEEN) == (
        "[3 sections left out]\n\n# 413\n\nThe tower falls.\n\n[1 section left out]"
    )
    both = joined([part, excerpt(YEARS, (), leads), excerpt(YEARS, MILL, leads)])
    assert rendered(both, range(6), COUNTED_BETWEEN).count("left out") == 4
    assert "[7 sections left out]\n\n# 411" in rendered(both, range(6), COUNTED_BETWEEN)


CHRONICLE = "\n".join(
    f"## Year {year}\n\nIn this year {what} of the valley was built of stone.\n"
    for year, what in enumerate(("a bridge", "a mill", "the dyke", "a tower", "the gate", "a school"), 410)
)
MILL_OF_411 = "## Year 411\n\nIn this year a mill of the valley was built of stone."


def test_a_summary_has_the_form_that_says_most_of_those_that_fit(tokenizer: Tokenizer) -> None:
    counted, gaps, total = (
        f"[1 section left out]\n\n{MILL_OF_411}\n\n[4 sections left out]",
        f"[...]\n\n{MILL_OF_411}\n\n[...]",
        f"{MILL_OF_411}\n\n[5 sections left out]",
    )
    plain = tokenizer.count(MILL_OF_411)
    for target in range(plain + 2, plain + 14):
        fitting = [
            text
            for text in (counted, gaps, total, f"{MILL_OF_411}\n\n[...]", MILL_OF_411)
            if tokenizer.count(text) <= target
        ]
        assert extract(CHRONICLE, target, "mill", tokenizer).text == fitting[0]


def test_room_is_kept_for_a_mark_in_a_target_that_is_not_small(tokenizer: Tokenizer) -> None:
    text = "\n".join(
        f"## Well {number}\n\nThe well {number} of the valley is {number} m deep.\n"
        for number in range(900, 990)
    )
    for target in range(200, 230):
        found = extract(text, target, "wells", tokenizer).text
        assert found.endswith((" left out]", "[...]"))
        assert tokenizer.count(found) <= target


def test_what_fits_only_without_a_mark_comes_without_one(tokenizer: Tokenizer) -> None:
    wells = ", ".join(f"{depth} m" for depth in range(100, 190))
    only = f"# Wells\n\nThe depths of the wells are {wells}."
    text = f"{only}\n\n# Mills\n\nThe mills are {wells} wide.\n"
    assert extract(text, tokenizer.count(only) + 1, "depths of wells", tokenizer).text == only


@pytest.mark.parametrize("at", [0, 2])
def test_a_summary_without_another_mark_has_one_where_something_was_left_out_last(
    at: int, tokenizer: Tokenizer
) -> None:
    paragraphs = [
        f"The {thing} of the valley is old and made of stone." for thing in ("well", "dyke", "tower")
    ]
    paragraphs.insert(at, "The mill grinds all of the rye that is grown between the two rivers.")
    mark = "\n\n[...]"
    target = tokenizer.count(paragraphs[at] + mark) + 3
    found = extract("\n\n".join(paragraphs), target, "mill rye", tokenizer).text
    assert found == paragraphs[at] + mark


def test_nothing_is_marked_where_all_that_says_anything_is_kept() -> None:
    assert only_mark(YEARS, range(len(YEARS.segments))) == {}
    assert only_mark(YEARS, {1, 3, 5, 7, 9}) == {}
    assert only_mark(YEARS, MILL) == {2: "[...]"}
    assert only_mark(YEARS, {0, 1, 4, 5, 6, 7, 8, 9}) == {2: "[...]"}


def test_sections_of_slices_that_do_not_meet_the_query_are_counted(tokenizer: Tokenizer) -> None:
    slices = [CHRONICLE, *[CHRONICLE.replace("mill", "well")] * 2]
    offers = [offer(parse(text), 25, "mill", tokenizer) for text in slices]
    assert [one.is_met for one in offers] == [True, False, False]
    found = choose_from(offers, 40, "mill", tokenizer).text
    assert found == f"[1 section left out]\n\n{MILL_OF_411}\n\n[16 sections left out]"


@pytest.mark.parametrize("budget", [11, 13])
def test_sections_are_marked_where_a_slice_offers_no_heading(budget: int, tokenizer: Tokenizer) -> None:
    said = "The mill of the valley was the first of all."
    others = CHRONICLE.replace("mill", "well")
    one = offer(parse(f"{others}\n## Mills\n\n{said}\n\n{others}"), budget, "first of mills", tokenizer)
    assert len(one.document.segments) == 1
    assert (
        choose_from([one], 40, "mill", tokenizer).text
        == f"[7 sections left out]\n\n{said}\n\n[6 sections left out]"
    )
