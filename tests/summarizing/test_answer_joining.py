"""What code does with the texts that models wrote."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizing.answer_joining import (
    LEAST_COPIED_CHARS,
    copies_a_stretch,
    join,
    whole_sentences,
    within,
)
from summarizing.query import Query
from tests.support.parts import the_tokenizer

SUMMARY, FACTS = Query(), Query(schema_hint="NPCs, factions")


def test_summaries_are_joined_in_their_order_by_an_empty_line() -> None:
    assert join([" one \n", "two", "three\n\n"], SUMMARY) == "one\n\ntwo\n\nthree"


def test_facts_of_one_heading_come_together_in_the_order_they_first_came() -> None:
    parts = ["## NPCs\n- Ann\n## Zones\n- Tarrow", "## npcs:\n- Bert\n\n- Ann\n### Factions ##\n- Wick"]
    assert join(parts, FACTS) == "## NPCs\n- Ann\n- Bert\n\n## Zones\n- Tarrow\n\n## Factions\n- Wick"


@pytest.mark.parametrize(
    "cut, whole",
    [
        ("One is done. Two is no", "One is done."),
        ("One is done! (So is two.) And", "One is done! (So is two.)"),
        ('He said "yes." And', 'He said "yes."'),
        ("- a fact\n- another fa", "- a fact"),
        ("価格は3.5円です。次は", "価格は3.5円です。"),
        ("Version 3.5 was", "Version 3.5 was"),
        ("nothing ends here", "nothing ends here"),
        ("\n\nnothing ends", "\n\nnothing ends"),
        ("It ends.", "It ends."),
        ("Es gilt § 5 Abs. 2 der Ordnung. Danach", "Es gilt § 5 Abs. 2 der Ordnung."),
        ("It speaks TLS. Send GET / HTTP/1.", "It speaks TLS."),
        ("- port 80\n- see example.", "- port 80"),
        ("Is it so? It is!", "Is it so? It is!"),
        ("", ""),
    ],
)
def test_an_unfinished_last_sentence_or_line_goes_unless_it_is_all_there_is(cut: str, whole: str) -> None:
    assert whole_sentences(cut) == whole


@given(st.text("ab. \n。!字", max_size=60))
def test_what_is_left_is_a_start_of_the_text_and_never_empty_where_it_was_not(text: str) -> None:
    left = whole_sentences(text)
    assert text.startswith(left)
    assert bool(left.strip()) == bool(text.strip())


# Without its line end, each of these takes a token more.
CODE_ENDS = ["<>();\n", '":{\n', "=>{\n", " }));\n", "__':\n", ".*;\n\n"]
TEXTS = st.lists(st.sampled_from([*CODE_ENDS, "One. ", "word ", "\n", "字。", " "]), max_size=12).map("".join)


@given(st.lists(TEXTS, min_size=1, max_size=12), st.integers(1, 40))
@example(["<>();\n\nword"] * 12, 3)
def test_texts_cut_to_their_shares_never_have_more_tokens_than_the_target(
    texts: list[str], target: int
) -> None:
    assert the_tokenizer().count(within(texts, target, the_tokenizer())) <= target


def test_a_text_that_fits_its_share_stays_whole_to_its_last_line() -> None:
    short, long = "- a port\n- its owner", "One is done. " * 40
    assert within([short, long], 60, the_tokenizer()).startswith(short + "\n\nOne is done.")


SOURCE = [
    f"line{number} states{number} this{number}, and how it came{number} to be so in the end."
    for number in range(60)
]


@given(start=st.integers(0, 30), copied=st.integers(10, 30), others=st.integers(0, 30), after=st.booleans())
def test_an_answer_of_which_half_is_one_stretch_of_the_source_copies_it(
    start: int, copied: int, others: int, *, after: bool
) -> None:
    own = ["Some words of its own." for _ in range(min(others, copied // 2))]
    stretch = SOURCE[start : start + copied]
    answer = "\n".join([*stretch, *own] if after else [*own, *stretch])
    assert copies_a_stretch(answer, "\n\n".join(SOURCE))


@given(step=st.integers(2, 5))
def test_an_answer_that_chooses_lines_of_the_source_copies_no_stretch(step: int) -> None:
    assert not copies_a_stretch("\n".join(SOURCE[::step]), "\n".join(SOURCE))


@given(start=st.integers(0, 30), mark=st.sampled_from(["- ", "* ", "  + ", "• ", "1. ", "12) ", "> - "]))
def test_an_answer_that_only_puts_list_marks_before_the_lines_of_a_stretch_copies_it(
    start: int, mark: str
) -> None:
    listed = "\n".join(mark + line for line in SOURCE[start : start + 12])
    assert copies_a_stretch(listed, " ".join(SOURCE))
    assert copies_a_stretch("\n".join(SOURCE[start : start + 12]), listed)


@given(start=st.integers(0, 30), chars=st.integers(0, 4 * LEAST_COPIED_CHARS - 1))
def test_an_answer_of_a_few_lines_copies_no_stretch(start: int, chars: int) -> None:
    copied = "".join(SOURCE[start:])[:chars]
    assert not copies_a_stretch(copied, "\n".join(SOURCE))


PRICES = "# Plans\n\n## Prices\n- Basic: ten euros a month\n- Pro: twenty euros a month\n"
CHINESE = "".join(f"第{number}號房間住著一位客人，他每天早上七點起床。" for number in range(60))


@pytest.mark.parametrize(
    "answer, source",
    [
        ("", PRICES),
        ("NONE", PRICES),
        ("## Prices\n- Basic: ten", PRICES),
        ("## 房間\n- 第3號房間住著一位客人\n- 第9號房間住著一位客人", CHINESE),
    ],
)
def test_a_short_extraction_that_was_cut_copies_no_stretch(answer: str, source: str) -> None:
    assert not copies_a_stretch(answer, source)


def test_a_copy_is_recognized_in_a_script_without_spaces() -> None:
    assert copies_a_stretch("## 房間\n" + CHINESE[200:700], CHINESE)
