"""The summarizer without a model: what it keeps is the text's own, within the target, under its own headings."""

import random
import re
from pydoc_data import topics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.extractive_summary import choose_from, extract, offer
from summarizing.extractive.scored_text import ScoredText
from summarizing.facts.fact import FactKey
from summarizing.facts.text_reading import Reading
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

# Other tests cover the same branches.
pytestmark = pytest.mark.unmeasured

RELEASES = """\
# Changes

## 3.0 (2024-05-01)

- Removed the option --fast, which was deprecated.
- The cache is now 20 % faster.

## 2.1 (2023-02-11)

- Fixed CVE-2023-1234 in the parser.
- Added the option --slow.

## 2.0 (2022-01-09)

- Rewrote the documentation.
- The cache has a limit of 64 MB.
"""


def test_what_was_asked_for_comes_under_its_own_release(tokenizer: Tokenizer) -> None:
    summary = extract(RELEASES, 45, "CVEs that were fixed", tokenizer)
    assert summary.matched
    assert "## 2.1 (2023-02-11)\n\n- Fixed CVE-2023-1234 in the parser." in summary.text


def test_a_query_about_something_else_is_told_and_gives_a_plain_summary(tokenizer: Tokenizer) -> None:
    other = extract(RELEASES, 60, "recipes for apple pie", tokenizer)
    assert not other.matched
    assert other.text == extract(RELEASES, 60, "", tokenizer).text


def test_without_a_query_there_is_nothing_to_meet(tokenizer: Tokenizer) -> None:
    assert extract(RELEASES, 60, "", tokenizer).matched


def test_one_line_of_each_entry_comes_before_a_second_of_one(tokenizer: Tokenizer) -> None:
    entries = [
        f"## ERR_{name}\n\nA closed {name.lower()} stream was read from.\n\nSuch a closed {name.lower()} stream of bytes stays closed.\n"
        for name in ("ALPHA", "BRAVO", "DELTA", "GOLF")
    ]
    summary = extract("\n".join(entries), 70, "closed streams", tokenizer).text
    assert summary.count("## ERR_") == 4


def stated(text: str, query: str, tokenizer: Tokenizer) -> frozenset[FactKey]:
    """Return the facts of a text that answer a query."""
    return ScoredText(Reading.of(text), query, tokenizer).stated


def test_facts_of_what_answers_are_counted(tokenizer: Tokenizer) -> None:
    query = "CVEs that were fixed"
    summary, facts = extract(RELEASES, 45, query, tokenizer), stated(RELEASES, query, tokenizer)
    assert any("cve" in key.casefold() for _, key in facts)
    assert summary.kept <= facts
    assert summary.had == len(facts)


def test_facts_of_passages_with_a_single_word_of_the_query_are_counted_too(tokenizer: Tokenizer) -> None:
    methods = "".join(f"The method `tools/c{number}` starts a tool.\n\n" for number in range(40))
    text = f"Headers, methods and error codes such as `X-One` are listed here.\n\n{methods}Unrelated: `zoo/one`.\n"
    summary = extract(text, 150, "headers, methods, error codes", tokenizer)
    named = {f"tools/c{number}" for number in range(40)}
    keys = {key for _, key in stated(text, "headers, methods, error codes", tokenizer)}
    assert named <= keys
    assert "zoo/one" not in keys
    assert summary.had == len(keys)
    kept = {key for _, key in summary.kept} & named
    assert kept == {name for name in named if f"`{name}`" in summary.text}
    assert 0 < len(kept) < len(named)


def test_facts_under_a_heading_that_meets_the_query_are_counted_and_under_the_title_of_everything_not(
    tokenizer: Tokenizer,
) -> None:
    sections = "".join(f"## Part {number}\n\nIt is `zoo/z{number}` here.\n\n" for number in range(20))
    text = f"# Errors of the library\n\n{sections}## Error codes\n\nThere is `err/e1`.\n"
    assert {key for _, key in stated(text, "errors", tokenizer)} == {"err/e1"}
    assert extract(text, 60, "errors", tokenizer).had == 1


@pytest.mark.parametrize(
    "passages",
    [
        [f"- Option --o{n} sets the limit of part {n}." for n in range(200)],
        [
            f"Option --o{n} limits part {n}.\nNobody knows why.\nOption --p{n} limits it too.\n"
            for n in range(60)
        ],
    ],
)
@pytest.mark.parametrize("query", ["limits of options", ""])
def test_the_room_that_marks_leave_is_filled(passages: list[str], query: str, tokenizer: Tokenizer) -> None:
    summary = extract("\n".join(passages), 300, query, tokenizer)
    assert 285 <= tokenizer.count(summary.text) <= 300


@pytest.mark.parametrize("separator", ["\n", "\n\n"])
@pytest.mark.parametrize("query", ["limits", ""])
def test_a_long_paragraph_fills_the_room_that_short_lines_leave_once_they_are_rendered(
    separator: str, query: str, tokenizer: Tokenizer
) -> None:
    short = [f"Limit {number}." for number in range(30)]
    long = [
        f"The limit of {use} holds{''.join(f', limit {use} {n}' for n in range(25))}."
        for use in ("reading", "writing", "both")
    ]
    target = tokenizer.count(separator.join([*short, long[0]]) + "\n[32 lines left out]") + 4
    summary = extract(separator.join([*short, *long]), target, query, tokenizer)
    assert tokenizer.count(separator.join(short)) < target * 0.75
    assert tokenizer.count(summary.text) > target * 0.9


def test_a_text_that_fits_is_returned_as_it_is(tokenizer: Tokenizer) -> None:
    summary = extract(RELEASES, 1_000, "cache", tokenizer)
    assert summary.text == RELEASES
    assert len(summary.kept) == summary.had > 0


def test_of_one_segment_that_does_not_fit_a_part_comes(tokenizer: Tokenizer) -> None:
    text = "one " * 500
    summary = extract(text, 20, "", tokenizer).text
    assert summary
    assert text.startswith(summary)
    assert tokenizer.count(summary) <= 20


def test_a_short_sentence_comes_whole_where_none_fits_under_its_headings(tokenizer: Tokenizer) -> None:
    long = "The pier has places for boats of all kinds, those that are made of ash, and those that are made of oak, and others, "
    text = (
        "# What there is to know of a pier and its boats, and of all who mend them\n\n"
        f"{long * 3}and for oars.\n\nOars are of ash.\n\n{long * 2}and for keys.\n"
    )
    assert extract(text, 12, "", tokenizer).text == "Oars are of ash."


_TOPICS = sorted(topics.topics)


@pytest.mark.parametrize("query", ["", "exceptions and their arguments", "recipes for apple pie"])
@given(names=st.lists(st.sampled_from(_TOPICS), min_size=1, max_size=3), target=st.integers(16, 400))
def test_a_summary_keeps_to_the_target_and_says_nothing_but_the_text(
    query: str, names: list[str], target: int, tokenizer: Tokenizer
) -> None:
    text = "\n\n".join(topics.topics[name] for name in names)
    summary = extract(text, target, query, tokenizer).text
    assert 0 < tokenizer.count(summary) <= target
    plain = " ".join(text.split())
    for line in re.sub(r"\[(?:\.\.\.|\d+ \w+ left out)\]", "\n", summary).splitlines():
        assert " ".join(line.split()) in plain


@given(text=st.text(max_size=400), query=st.text(max_size=40), target=st.integers(16, 60))
def test_any_text_has_a_summary(text: str, query: str, target: int, tokenizer: Tokenizer) -> None:
    summary = extract(text, target, query, tokenizer).text
    assert tokenizer.count(summary) <= target
    assert bool(summary) or not text.strip()


@pytest.mark.parametrize("target", [10, 20, 300])
@pytest.mark.parametrize("motif", ["😀", "a1,", "\0", "| cell "])
def test_of_slices_whose_segments_do_not_fit_a_part_comes(
    motif: str, target: int, tokenizer: Tokenizer
) -> None:
    offers = [offer(parse(motif * 2_000), target, "", tokenizer) for _ in range(2)]
    chosen = choose_from(offers, target, "", tokenizer)
    assert chosen.text.strip()
    assert tokenizer.count(chosen.text) <= target


@pytest.mark.parametrize("query", ["", "shop"])
@pytest.mark.parametrize(
    "line", ["the shop {} sells red paint.", "店{}は赤い塗料を売ります。", "{0:x}{0:b} shop"]
)
def test_a_slice_offers_about_as_many_tokens_as_it_may(line: str, query: str, tokenizer: Tokenizer) -> None:
    text = "\n\n".join(line.format(number) for number in range(1_000, 2_000))
    offered = tokenizer.count(offer(parse(text), 1_000, query, tokenizer).document.text)
    assert 700 < offered < 1_400


@pytest.mark.parametrize("seed", range(5))
def test_of_a_log_a_line_of_a_kind_of_its_own_is_told(seed: int, tokenizer: Tokenizer) -> None:
    dice = random.Random(seed)
    kinds = (
        "INFO  GET /api/v1/items/{0} status=200 duration={1}ms",
        "DEBUG cache hit key=item:{0}",
        "INFO  worker {2} finished job {0} in {1} ms",
        "DEBUG query took {1} ms, {2} rows",
    )
    lines = [
        f"2026-11-24T10:{at // 60:02}:{at % 60:02}Z "
        + dice.choice(kinds).format(dice.randrange(10_000), dice.randrange(400), dice.randrange(9))
        for at in range(700)
    ]
    only = "2026-11-24T10:06:53Z ERROR payment gateway timed out after 30 s for order 88172"
    lines.insert(dice.randrange(700), only)
    summary = extract("\n".join(lines), 300, "", tokenizer).text
    assert only in summary.splitlines()


def test_lines_that_each_end_a_sentence_are_not_joined(tokenizer: Tokenizer) -> None:
    states = ("Running", "CrashLoopBackOff")
    lines = [
        f"pod-{at} in namespace team-{at % 9} is {states[at == 411]} on node-{at % 13}." for at in range(600)
    ]
    assert lines[411] in extract("\n".join(lines), 200, "CrashLoopBackOff", tokenizer).text.splitlines()


def test_a_word_that_nearly_every_line_has_asks_for_nothing(tokenizer: Tokenizer) -> None:
    lines = [f"test_{word} (suite.Test{word.title()}) ... ok" for word in dir(str)]
    lines[30] = "test_heap (suite.TestHeap) ... skipped 'no C extension'"
    text = "\n".join(lines)
    found = extract(text, 200, "what was not tested", tokenizer)
    assert found.matched
    assert found.text == extract(text, 200, "", tokenizer).text


def test_what_is_excluded_stays_out_though_nearly_every_line_has_the_other_words(
    tokenizer: Tokenizer,
) -> None:
    lines = [f"test_{word} (suite.Test{word.title()}) ... ok" for word in dir(str)]
    lines[30] = "test_heap (suite.TestHeap) ... skipped 'no C extension'"
    assert "skipped" not in extract("\n".join(lines), 900, "tests except skipped", tokenizer).text


def test_commands_named_with_colons_are_each_told_where_commands_are_asked_for(tokenizer: Tokenizer) -> None:
    names = [
        "log",
        "list",
        "config:set",
        "config:get",
        "config:unset",
        "secrets:get",
        "secrets:set",
        "delete",
        "shell",
    ]
    rows = "".join(f"| **functions:{name}** | Does the {name.partition(':')[0]} of it. |\n" for name in names)
    other = "".join(f"- Install firebase/package-{number} on a machine.\n" for number in range(20))
    text = f"# Tool\n\n{other}\n## Functions Commands\n\n| Command | Description |\n|---|---|\n{rows}\n## More\n\n{other}"
    found = extract(text, 230, "functions commands", tokenizer).text
    assert [name for name in names if f"functions:{name}**" not in found] == []
