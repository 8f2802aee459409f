"""The laws of passages: nothing lost, none too long, and a change that reaches no further than its section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import ChunkTokenizer
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary
from tests.support.laws import examples
from tests.support.timing import is_linear
from web_tools import passages
from web_tools.pages import PagePassage
from web_tools.passages import (
    MANY_SECTIONS,
    OVERLAP_SHARE,
    STEP_CHARS,
    cut,
    headings_of,
    passage_id,
    sections,
    tokens_between,
)

URL = "https://example.org/page"


class Characters:
    """A vocabulary whose tokens are the characters."""

    def count_each(self, texts: Sequence[str], /) -> list[int]:
        return list(map(len, texts))

    def starts(self, text: str, /) -> list[int]:
        return list(range(len(text)))


REAL = load_tokenizer(read_vocabulary())
TOKENIZERS: list[ChunkTokenizer] = [REAL, Characters()]

PIECES = [
    "# One\n", "## Two\n\n", "### Three\n\n", "###### Six\n", "Setext\n======\n\n", "\n---\n", "    # indented code\n",
    "```python\n# comment\n\ncode()\n```\n\n", "~~~\n# open", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n", "- one\n- two\n",
    "A sentence of some words. Another one! ", "中文句子。", "\n", "\n\n", " ", "\t", "word " * 30, "x" * 90, "\u2028", "\r\n", "\ud800", "é😉",
]  # fmt: skip


def passages_of(url: str, text: str, tokens: int, tokenizer: ChunkTokenizer) -> tuple[PagePassage, ...]:
    """Return the passages of all steps."""
    return tuple(passage for part in cut(url, text, tokens, tokenizer) for passage in part.passages)


markdown = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=25).map("".join)
law = examples(200)


@given(markdown, st.sampled_from([8, 20, 64, 512]), st.sampled_from(TOKENIZERS))
@law
def test_sections_joined_are_the_text(text: str, limit: int, tokenizer: ChunkTokenizer) -> None:
    headings = headings_of(text)
    found = sections(text, headings, tokens_between(text, headings, tokenizer), limit)
    assert "".join(text[section.start : section.end] for section in found).strip() == text.strip()
    assert all(section.start < section.end for section in found) or not text


@given(markdown, st.sampled_from([8, 20, 64, 512]), st.sampled_from(TOKENIZERS))
@law
def test_no_passage_is_blank_over_the_limit_or_twice_there(
    text: str, limit: int, tokenizer: ChunkTokenizer
) -> None:
    found = passages_of(URL, text, limit, tokenizer)
    assert all(passage.text.strip() for passage in found)
    assert [passage.tokens for passage in found] == tokenizer.count_each([each.text for each in found])
    assert all(passage.tokens <= limit for passage in found)
    assert len({passage.text for passage in found}) == len(found)
    assert [each.id for each in found] == [passage_id(URL, each.section_path, each.text) for each in found]


@given(markdown, st.sampled_from([8, 20, 64, 512]), st.sampled_from(TOKENIZERS))
@law
def test_joined_sections_are_the_text_and_within_the_limit(
    text: str, limit: int, tokenizer: ChunkTokenizer
) -> None:
    headings = headings_of(text)
    own = tokens_between(text, headings, tokenizer)
    alone = sections(text, headings, own, limit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "MANY_SECTIONS", 1)
        joined = sections(text, headings, own, limit)
        found = passages_of(URL, text, limit, tokenizer)
    assert "".join(text[section.start : section.end] for section in joined).strip() == text.strip()
    assert sum(section.tokens for section in joined) == sum(section.tokens for section in alone)
    assert all(section.tokens <= limit or section in alone for section in joined)
    assert all(passage.tokens <= limit for passage in found)


@st.composite
def numbered_documents(draw: st.DrawFn) -> list[tuple[int, str, str]]:
    """Documents as (level, title, text) of each section, no two words alike; level 0 is a text before any heading."""
    number = iter(range(1_000_000))
    sizes = draw(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 90)), min_size=1, max_size=12))
    first = draw(st.sampled_from([0, 1]))
    return [
        (
            0 if at == 0 and not first else level,
            f"t{next(number)}",
            " ".join(f"w{next(number)}" + "." * (each % 9 == 8) for each in range(size)),
        )
        for at, (level, size) in enumerate(sizes)
    ]


def written(document: list[tuple[int, str, str]]) -> str:
    return "".join(
        (f"{'#' * level} {title}\n\n" if level else f"{title}\n\n") + (f"{text}\n\n" if text else "")
        for level, title, text in document
    )


@given(numbered_documents(), st.sampled_from([64, 256]), st.sampled_from(TOKENIZERS))
@law
def test_every_word_is_in_a_passage_and_in_its_order(
    document: list[tuple[int, str, str]], limit: int, tokenizer: ChunkTokenizer
) -> None:
    text = written(document)
    words = re.findall(r"\w+", text)
    found = re.findall(r"\w+", "\n".join(each.text for each in passages_of(URL, text, limit, tokenizer)))
    # What is repeated may begin in the middle of a word.
    assert list(dict.fromkeys(word for word in found if word in words)) == words


@given(numbered_documents(), st.data(), st.sampled_from([64, 256]))
@law
def test_the_passages_with_a_changed_word_are_the_only_ones_that_change(
    document: list[tuple[int, str, str]], data: st.DataObject, limit: int
) -> None:
    before = written(document)
    old = data.draw(st.sampled_from(re.findall(r"w\d+", before) or re.findall(r"t\d+", before)))
    new = old.upper()
    after = re.sub(rf"\b{old}\b", new, before)
    first, second = (passages_of(URL, text, limit, Characters()) for text in (before, after))
    assert ids(first) - ids(second) == ids(with_word(first, old))
    assert ids(second) - ids(first) == ids(with_word(second, new))


@given(
    numbered_documents(), numbered_documents(), st.sampled_from([16, 64, 256]), st.sampled_from(TOKENIZERS)
)
@law
def test_a_section_that_grows_leaves_those_beside_it_as_they_are(
    document: list[tuple[int, str, str]],
    other: list[tuple[int, str, str]],
    limit: int,
    tokenizer: ChunkTokenizer,
) -> None:
    ours, theirs = "# Ours\n\n" + below(document), "# Theirs\n\n" + below(other).upper()
    longer = theirs + "One more line.\n\n"
    first, second = (ids_under("Ours", text, limit, tokenizer) for text in (theirs + ours, longer + ours))
    assert first
    assert first == second


def below(document: list[tuple[int, str, str]]) -> str:
    """Return a document written as what stands below a heading of the first level."""
    return written([(level + 1 if level else 0, title, text) for level, title, text in document])


def ids(passages: Sequence[PagePassage]) -> set[str]:
    return {passage.id for passage in passages}


def with_word(passages: Sequence[PagePassage], word: str) -> list[PagePassage]:
    """Return the passages that have a word in their text, or in the titles above it."""
    return [each for each in passages if re.search(rf"\b{word}\b", " ".join((*each.section_path, each.text)))]


def ids_under(title: str, text: str, limit: int, tokenizer: ChunkTokenizer) -> list[str]:
    return [each.id for each in passages_of(URL, text, limit, tokenizer) if each.section_path[0] == title]


GUIDE = """# Guide

Read this first.

## Install

Use the installer.

### Linux

{linux}

## Use

Start it.

## Use

Start it.
"""


def test_a_section_is_one_passage_where_it_fits_and_its_path_are_the_headings_above_it() -> None:
    text = GUIDE.format(linux="Unpack it. " * 40)
    found = passages_of(URL, text, 100, REAL)
    assert [passage.section_path for passage in found] == [
        ("Guide",),
        ("Guide", "Install"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Install", "Linux"),
        ("Guide", "Use"),
    ]
    assert found[1].text == "## Install\n\nUse the installer."
    assert found[-1].text == "## Use\n\nStart it."


def test_a_page_that_fits_is_one_passage() -> None:
    (only,) = passages_of(URL, GUIDE.format(linux="Unpack it."), 512, REAL)
    assert only.section_path == ("Guide",)
    assert only.text.startswith("# Guide\n\nRead this first.")


def test_a_heading_without_a_text_of_its_own_goes_with_what_follows() -> None:
    text = "# Guide\n\n## Install\n\n" + "Use it. " * 10 + "\n\n## Remove\n\n" + "Lose it. " * 10
    found = passages_of(URL, text, 40, REAL)
    assert [passage.section_path for passage in found] == [("Guide", "Install"), ("Guide", "Remove")]
    assert found[0].text.startswith("# Guide\n\n## Install\n\nUse it.")


def test_a_paragraph_that_is_cut_repeats_between_ten_and_fifteen_per_cent() -> None:
    words = " ".join(f"Sentence number {number} is here." for number in range(200))
    found = passages_of(URL, words, 100, REAL)
    for before, after in pairwise(found):
        sizes = range(len(before.text), 0, -1)
        shared = next(size for size in sizes if after.text.startswith(before.text[-size:]))
        assert 0.10 <= REAL.count(before.text[-shared:]) / 100 <= OVERLAP_SHARE
    assert len(found) > 10


def test_an_id_is_the_hash_of_url_path_and_text() -> None:
    (passage,) = passages_of(URL, "# A\n\nText.", 100, REAL)
    assert passage.id == sha256(f"{URL}|A|# A\n\nText.".encode()).hexdigest()
    assert passage.id != passages_of(f"{URL}2", "# A\n\nText.", 100, REAL)[0].id


def test_the_indent_of_code_stays() -> None:
    (passage,) = passages_of(URL, "\n\n    code()\n    more()\n\n", 100, REAL)
    assert passage.text == "    code()\n    more()"


def options(count: int) -> str:
    """Return a page with a long section and two short ones of this many sections each."""
    long = "Read all of this first. " * 100
    server, client = (
        "".join(f"## Option {number}\n\nWaits {number} {unit}.\n\n" for number in range(count))
        for unit in ("seconds", "minutes")
    )
    return f"# Guide\n\n{long}\n\n# Server\n\n{server}# Client\n\n{client}"


def test_of_very_many_sections_neighbours_of_one_parent_are_joined_up_to_the_limit() -> None:
    few, many = options(MANY_SECTIONS // 4), options(MANY_SECTIONS)
    assert ("Server", "Option 7") in {passage.section_path for passage in passages_of(URL, few, 100, REAL)}
    found = passages_of(URL, many, 100, REAL)
    assert {passage.section_path for passage in found} == {("Guide",), ("Server",), ("Client",)}
    assert all(
        passage.tokens > 80
        for passage in found
        if "Waits" in passage.text and "Waits 999 " not in passage.text
    )
    kept = "\n".join(passage.text for passage in found if passage.section_path != ("Guide",))
    assert re.findall(r"\w+", kept) == re.findall(r"\w+", many[many.index("# Server") :])


def test_a_page_of_tiny_sections_has_no_more_passages_than_its_tokens_need() -> None:
    text = "".join(f"# a{number}\n\nb\n" for number in range(20_000))
    found = passages_of(URL, text, 512, REAL)
    assert len(found) < 1.1 * REAL.count(text) / 512
    assert {passage.section_path for passage in found} == {()}


def test_of_a_page_with_too_many_passages_the_first_ones_are_cut_and_it_is_said_how_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passages, "MAX_PASSAGES", 5)
    text = "".join(f"# Part {number}\n\n{'Text of it. ' * 10}\n\n" for number in range(9))
    parts = list(cut(URL, text, 150, Characters()))
    found = [passage for part in parts for passage in part.passages]
    assert len(found) == 5
    assert text[parts[-1].end :].startswith("# Part 5\n")


def test_a_long_text_is_cut_in_steps() -> None:
    text = "".join(f"# Part {number}\n\n{'Text of it. ' * 400}\n\n" for number in range(200))
    parts = list(cut(URL, text, 2_000, Characters()))
    assert max(sum(len(passage.text) for passage in part.passages) for part in parts) < STEP_CHARS + 2_000
    assert [part.end for part in parts] == sorted(part.end for part in parts)
    assert parts[-1].end == len(text)


def test_a_long_text_that_repeats_itself_is_cut_in_steps() -> None:
    text = f"# Part\n\n{'Text of it. ' * 400}\n\n" * 200
    assert len(list(cut(URL, text, 2_000, Characters()))) > 1 + len(text) // STEP_CHARS


@pytest.mark.timed
@pytest.mark.parametrize("section", ["# a\n\nb\n", "###### a\n\n# b\n\n", "word ", "\n\n"])
def test_time_is_linear_in_the_text(section: str) -> None:
    assert is_linear(lambda size: passages_of(URL, section * size, 512, Characters()), 5_000)


@pytest.mark.parametrize("text", ["", "\n \n\t\n"])
def test_a_blank_text_has_no_passages(text: str) -> None:
    assert passages_of(URL, text, 100, REAL) == ()
