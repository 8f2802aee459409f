"""Where a summary comes from: the place of each line, and the facts that it keeps and loses."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.extractive_summary import extract
from summarizing.faithfulness.provenance import Provenance, trace
from tests.support.guarded_texts import TOWN
from tests.support.parts import the_tokenizer


def traced(source: str, summary: str, query: str = "") -> Provenance:
    return trace(source, summary, query, the_tokenizer())


def test_each_line_of_a_summary_without_a_model_leads_to_the_same_words() -> None:
    summary = extract(TOWN, 120, "", the_tokenizer()).text
    found = traced(TOWN, summary)
    assert len(found.lines) >= 5
    for line in found.lines:
        assert line.verbatim
        written, source = summary[line.start : line.end], TOWN[line.source_start : line.source_end]
        assert written.split() == source.split()


def test_what_a_model_says_in_its_own_words_leads_to_the_sentence_with_most_of_them() -> None:
    source = (
        "The quay of Wick is 340 m long. It was built of oak by the guild of shipwrights.\n\n"
        "The harbour master is Marla Voss. She has held the office since 1182."
    )
    said = "Since 1182 the office has been held by Marla Voss."
    (line,) = traced(source, said).lines
    assert not line.verbatim
    assert source[line.source_start : line.source_end] == "She has held the office since 1182."
    assert said[line.start : line.end] == said


def test_what_the_source_does_not_say_leads_nowhere() -> None:
    assert traced(TOWN, "Penguins juggle violet umbrellas on Saturn.").lines == ()


def test_a_line_with_less_than_half_of_its_words_from_one_place_leads_nowhere() -> None:
    assert traced(TOWN, "The harbour master Marla Voss keeps penguins.").lines
    assert traced(TOWN, "Marla Voss juggles violet umbrellas with nine penguins on Saturn.").lines == ()


def test_of_sentences_with_the_same_share_of_a_line_the_first_counts() -> None:
    # Each number is a word; the words of both sentences are as rare, and summed in another order they may weigh another last bit.
    for base in range(1_000, 9_000, 200):
        first, second = range(base, base + 100, 10), range(base + 100, base + 200, 10)
        rows = [
            f"It has {one} and {other}.\n\n" * at
            for at, (one, other) in enumerate(zip(first, second, strict=True))
        ]
        one, two = (f"Both of the boats {' '.join(map(str, words))}." for words in (first, second))
        said = f"Both of the boats {' '.join(map(str, [*second, *first]))}."
        source = f"{one}\n\n{two}\n\n{''.join(rows)}"
        (line,) = traced(source, said).lines
        assert source[line.source_start : line.source_end] == one


def test_a_mark_of_what_is_left_out_is_no_part_of_a_line() -> None:
    source = "The quay is 340 m long. It is old. The tower holds 4,817 barrels. It is tall."
    summary = "The quay is 340 m long. [...] The tower holds 4,817 barrels. [...]"
    found = traced(source, summary)
    assert [summary[line.start : line.end].strip() for line in found.lines] == [
        "The quay is 340 m long.",
        "The tower holds 4,817 barrels.",
    ]
    assert all(line.verbatim for line in found.lines)
    rows = "| Guild | Members |\n|---|---|\n| Oarsmen | 40 |\n| Weavers | 12 rows |\n"
    shortened = "| Guild | Members |\n|---|---|\n| Oarsmen | 40 |\n[12 rows left out]\n"
    assert len(traced(rows, shortened).lines) == 2
    sections = "[1 section left out]\n\nIt is old.\n\n[...]\n\nIt is tall.\n\n[2 sections left out]"
    assert [line.source_start for line in traced(source, sections).lines] == [24, 66]


def test_lines_of_a_log_are_traced_though_the_last_is_cut_in_a_word() -> None:
    kept = [
        "(Reading database ... 30%",
        "Selecting previously unselected package openssl.",
        "Unpacking libpump:amd64 (2.1.28+dfsg-10) ...",
    ]
    last = "Unpacking openssl:amd64 (3.0.2-0) ..."
    others = [
        "Preparing to unpack .../libpump_2.1.28.deb ...",
        "Setting up libpump:amd64 (2.1.28+dfsg-10) ...",
    ]
    source = "\n".join([*kept, *others, last, *others]) + "\n"
    for end in range(1, len(last)):
        summary = "\n".join([*kept, last[:end]])
        found = [line for line in traced(source, summary).lines if line.verbatim]
        assert [summary[line.start : line.end] for line in found] == kept


def test_a_wrapped_sentence_in_words_of_its_own_is_one_line() -> None:
    said = "The tower of Wick, as all know,\nholds 4,817 barrels of tar."
    source = "The quay of Wick is old.\n\nThe tower of Wick holds 4,817 barrels of tar.\n"
    (line,) = traced(source, said).lines
    assert said[line.start : line.end] == said


def test_a_repeated_line_leads_to_each_of_its_places_in_turn() -> None:
    source = "# One\n\nThe pump is broken.\n\n# Two\n\nThe pump is broken.\n"
    found = traced(source, source)
    starts = [line.source_start for line in found.lines]
    assert starts == sorted(set(starts))
    assert len(starts) == 4


def test_of_places_that_are_equally_alike_the_next_one_is_meant() -> None:
    source = "- [The lookup of names](#lookup)\n\n# Sockets\n\nThey are opened.\n\n## The lookup of names\n\nIt may fail."
    summary = "# Sockets\n\nThey are opened.\n\n## Lookup of names\n\nIt may fail."
    heading = traced(source, summary).lines[2]
    assert source[heading.source_start : heading.source_end] == "## The lookup of names"


def test_facts_are_kept_or_lost_wherever_they_stand() -> None:
    source = "The tower holds 4,817 barrels. The cellar holds 212 casks. Again: 4,817 barrels."
    found = traced(source, "There are 4,817 barrels.")
    said = [(source[fact.start : fact.end], fact.kept) for fact in found.facts]
    assert [kept for text, kept in said if text.startswith("4,817")] == [True, True]
    assert [kept for text, kept in said if text.startswith("212")] == [False]


def test_with_a_query_only_the_facts_of_what_meets_it_are_told() -> None:
    source = (
        "The tower holds 4,817 barrels.\n\nThe quay is 340 m long.\n\n" + "Nothing else is known.\n\n" * 9
    )
    found = traced(source, "The tower holds 4,817 barrels.", "quay")
    assert [source[fact.start : fact.end] for fact in found.facts] == ["340 m"]


@given(st.text(max_size=300), st.text(max_size=100), st.text(max_size=20))
def test_offsets_are_within_the_texts(source: str, summary: str, query: str) -> None:
    found = traced(source, summary, query)
    for line in found.lines:
        assert 0 <= line.start < line.end <= len(summary)
        assert 0 <= line.source_start < line.source_end <= len(source)
    for fact in found.facts:
        assert 0 <= fact.start < fact.end <= len(source)
