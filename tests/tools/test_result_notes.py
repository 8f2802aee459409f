"""The note over the summary of a tool's result: with the summary it has the promised size, whatever it says."""

import re
from itertools import product

import pytest

from summarizing.outcome import Outcome, Summary
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer
from tools.original_pages import KeptOriginal
from tools.result_notes import note_within

KEPT = KeptOriginal("8f14e45fceea167a", 'result_id="8f14e45fceea167a" for read_original')

FOCUSES = ("gluons", "quantum chromodynamics " * 50, "\u5b57" * 500)


@pytest.mark.parametrize("limit", [50, 60, 80, 100, 150, 1_000])
@pytest.mark.parametrize("focus, matches", [("", True), *product(FOCUSES, (True, False))])
@pytest.mark.parametrize("read_in_part", [None, True])
def test_note_and_summary_have_the_promised_size(
    tokenizer: Tokenizer, limit: int, focus: str, *, read_in_part: bool | None, matches: bool
) -> None:
    note = note_within(limit, tokenizer, "k8s__pods", 61_240, KEPT, query=Query(focus))
    summary = tokenizer.cut("word " * limit, note.room)
    matched = None if matches else "none"
    outcome = Outcome("partial", "semantic", "extractive", matched=matched, read_in_part=read_in_part)
    text = note.over(Summary(summary, outcome))
    assert tokenizer.count(text) <= limit
    assert text.endswith(f"]\n\n{summary}")
    assert str(KEPT.result_id) in text
    assert ("nothing" in text.partition("\n")[0]) != matches


def test_without_a_query_no_room_is_kept_for_saying_that_nothing_matches(tokenizer: Tokenizer) -> None:
    rooms = [note_within(1_000, tokenizer, "pods", 9_000, KEPT, query=Query(each)).room for each in ("", "x")]
    assert rooms[0] > rooms[1]


@pytest.mark.parametrize("limit", [50, 80, 150, 1_000])
@pytest.mark.parametrize("matched", [None, "unclear"])
def test_the_note_names_as_many_missing_words_as_fit(
    tokenizer: Tokenizer, limit: int, matched: str | None
) -> None:
    words = ("Ruritania", "gluons", *(f"Name{number}" for number in range(50)))
    note = note_within(limit, tokenizer, "k8s__pods", 61_240, KEPT, query=Query("Ruritania and gluons"))
    summary = tokenizer.cut("word " * limit, note.room)
    size = tokenizer.count(summary)
    outcome = Outcome(
        "summarized", "semantic", "extractive", output_tokens=size, matched=matched, missing_words=words
    )
    text = note.over(Summary(summary, outcome))
    assert tokenizer.count(text) <= limit
    first = text.partition("\n")[0]
    if limit == 1_000:
        assert "; nowhere in it: Ruritania, " in first
        assert ("gluons" in first) == (matched == "unclear")


@pytest.mark.parametrize("limit", [50, 60, 80, 100, 150, 1_000])
@pytest.mark.parametrize("focus", FOCUSES)
@pytest.mark.parametrize("words", [("lamps",), tuple(f"Name{number}" for number in range(50))], ids=len)
def test_the_note_names_as_many_of_the_words_that_were_found_as_fit(
    tokenizer: Tokenizer, limit: int, focus: str, words: tuple[str, ...]
) -> None:
    note = note_within(limit, tokenizer, "k8s__pods", 61_240, KEPT, query=Query(focus))
    summary = tokenizer.cut("word " * limit, note.room if limit < 1_000 else 800)
    size = tokenizer.count(summary)
    outcome = Outcome(
        "summarized", "semantic", "extractive", output_tokens=size, matched="none", found_words=words
    )
    text = note.over(Summary(summary, outcome))
    first = text.partition("\n")[0]
    assert tokenizer.count(text) <= limit
    assert text.endswith(f"]\n\n{summary}")
    assert "nothing" not in first
    assert "too little" in first
    found = re.search(r": only ((?:\w+, )*\w+)(?: and (\d+) more)?; ", first)
    if limit == 1_000:
        assert found
    if found:
        assert len(found[1].split(", ")) + int(found[2] or 0) == len(words)


@pytest.mark.parametrize("read, part", [("", "it"), ("the first 80 % of it", "that part")])
@pytest.mark.parametrize(
    "words, says", [((), "nothing in {}"), (("lamps",), 'too little of "gluons" is in {}: ')]
)
def test_of_a_result_that_was_read_in_part_the_note_does_not_speak_as_of_all(
    tokenizer: Tokenizer, read: str, part: str, words: tuple[str, ...], says: str
) -> None:
    note = note_within(1_000, tokenizer, "k8s__pods", 61_240, KEPT, query=Query("gluons"), read=read)
    for read_in_part, said in ((None, part), (True, f"what was read of {part}")):
        outcome = Outcome(
            "partial",
            "semantic",
            "extractive",
            matched="none",
            found_words=words,
            read_in_part=read_in_part,
        )
        assert f"; {says.format(said)}" in note.over(Summary("word", outcome)).partition("\n")[0]


def test_missing_names_are_said_to_be_missing_in_the_part_that_the_summary_is_of(
    tokenizer: Tokenizer,
) -> None:
    note = note_within(1_000, tokenizer, "pods", 61_240, KEPT, query=Query("Malta"), read="the first half")
    outcome = Outcome("summarized", "semantic", "extractive", missing_words=("Malta",))
    assert "; nowhere in that part: Malta; " in note.over(Summary("word", outcome))
