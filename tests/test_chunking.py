"""The laws of chunking on arbitrary text, and CommonMark's finer points as examples.

Two tokenizers stand behind each law: the real one, and one where a character is a token, so that a law that fails
for the second is not the vocabulary's doing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise, product

import pytest
import regex  # type: ignore[import-untyped]  # comes with tiktoken, its stubs would be a package more
from hypothesis import given
from hypothesis import strategies as st

from chunking import (
    MIN_LIMIT_TOKENS,
    Chunk,
    ChunkTokenizer,
    by_tokens,
    even_limit,
    measure,
    pack,
)
from summarizing.text import chunk_blocks
from summarizing.text.chunk_blocks import Block, Kind, blocks, title_of
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary
from tests.support.laws import examples, scaled
from tests.support.lock_holds import longest_calls


class Characters:
    """A vocabulary whose tokens are the characters."""

    def count_each(self, texts: Sequence[str], /) -> list[int]:
        return list(map(len, texts))

    def starts(self, text: str, /) -> list[int]:
        return list(range(len(text)))


REAL = load_tokenizer(read_vocabulary())
TOKENIZERS: list[ChunkTokenizer] = [REAL, Characters()]

# The same examples on every run: who breaks a law sees it break again.
law = examples(200)
# Making one of them takes many times as long as of the others.
of_long_texts = examples(60)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
MARKDOWN = [
    "# One\n", "## Two ##\n\n", "### Three", "###### Six\n", "#none\n", "Setext\n======\n", "  Setext two\n---\n",
    "\n---\n", "***\n", "- - -\n", "=====\n", "---\ntitle: x\n---\n",
    "```python\n# comment\n\ncode()\n```\n", "~~~~\n```\n\n# no\n~~~\n~~~~\n", "````\n```\n\n````\n", "\n```\n", "\n~~~ info `x`\n",
    "- item\n\n  ```\n  # in item\n\n  x\n  ```\n", "1. ```sh\n   # x\n\n   y\n   ```\n", "    # indented\n", "\t```\n",
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n", "a | b\n--|--\n", "| one |\n| --- |\n| row |\n",
    "- one\n- two\n  - three\n", "1) first\n2) second\n", "> quote\n> # not\n",
    "<!-- a\n\n# hidden -->\n", "<!-- open\n", "<pre>\n\n# x\n</pre>\n", "<script>", "</style>\n",
    "\r\n", "\r", "\n", "\n\n\n", " \n \t\n", "\x0b\n", "\x1c\n", "\u2028", "\x85\n", "\u3000\n", "\n      ", "   ",
    "a line\u2028" * 30, "a page\x0c" * 30, "line\r" * 40, "wide.\u3000Space\xa0" * 20,
    "One sentence. Another one! A third?", "word ", "don't ", "'s", ".\n", "...", "x" * 90, "a,b;c" * 20, " " * 70, "-" * 50,
    "今日は良い天気ですね。明日も晴れるでしょう！", "字" * 60, "「はい」", "한국어 ", "\u0928\u092e\u0938\u094d\u0924\u0947 ",
    FAMILY, "\U0001f44b\U0001f3fd", "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "e\u0301", "o\u0302\u0323", "\u2764\ufe0f", "\U0001f1e6\U0001f1e9" * 30, "！\ufe0f", "\u0915\u094d\u0937" * 9,
    "a" + "\u0301" * 40, "\ud800", "\udc00x", "\ud83d\ude00", "\U0010ffff", "<|endoftext|>", "<|fim_prefix|>", "\0", "\ufeff",
]  # fmt: skip
pieces = st.one_of(
    st.sampled_from(MARKDOWN),
    st.builds(str.__mul__, st.sampled_from(["a", " ", "\n", "字", "# a\n", "- x\n", "```\n", "\U0001f600", "ab c. "]), st.integers(1, 120)),
    st.text(max_size=20),
)  # fmt: skip
clusters = st.lists(
    st.sampled_from([
        "a", "字", ". ", "！", "！\ufe0f", "\r\n", "e\u0301", "o\u0302\u0323", "\u2764\ufe0f", "\U0001f44b\U0001f3fd", FAMILY,
        "\U0001f1e9\U0001f1ea", "\U0001f1e6\U0001f1e9" * 9, "\u0915\u094d\u0937", "\u0938\u094d\u0924\u0947", "a" + "\u0301" * 40,
    ]),
    min_size=40,
    max_size=60,
).map("".join)  # fmt: skip
contents = st.lists(pieces, max_size=20).map("".join)
limits = st.one_of(st.integers(MIN_LIMIT_TOKENS, 40), st.integers(MIN_LIMIT_TOKENS, 600))
WORDS = [
    "the lamp",
    "of Emberwick",
    "burns",
    "31 nights,",
    "never less;",
    "don't",
    "ask.",
    "Nobody",
    "knows",
    "why.",
] * 6
# A prefix of the words: long texts made word by word would take hypothesis longer than what is tested.
words = st.builds(lambda first, length: WORDS[first : first + length], st.integers(0, 9), st.integers(1, 50))
paragraphs = st.lists(words.map(" ".join), min_size=1, max_size=80).map("\n\n".join)


def semantic(content: str, limit: int, overlap: int = 0, tokenizer: ChunkTokenizer = REAL) -> list[Chunk]:
    return pack(measure(content, limit, tokenizer.count_each), overlap, tokenizer.count_each)


def count(tokenizer: ChunkTokenizer, text: str) -> int:
    return tokenizer.count_each([text])[0]


def check_laws(content: str, chunks: list[Chunk], limit: int, tokenizer: ChunkTokenizer) -> None:
    assert "".join(chunk.text for chunk in chunks) == content
    for chunk in chunks:
        assert chunk.text
        assert chunk.text == content[chunk.start : chunk.end]
        assert chunk.tokens == count(tokenizer, chunk.lead + chunk.text) <= limit


def starts(chunks: list[Chunk]) -> list[int]:
    return [chunk.start for chunk in chunks[1:]]


# --- Laws, both strategies ---------------------------------------------------------------------------------------


@law
@given(contents, limits, st.integers(0, 100), st.sampled_from(TOKENIZERS))
def test_semantic_chunks_are_the_content_within_the_limit(
    content: str, limit: int, overlap: int, tokenizer: ChunkTokenizer
) -> None:
    check_laws(content, semantic(content, limit, overlap, tokenizer), limit, tokenizer)


@law
@given(contents, limits, st.data(), st.sampled_from(TOKENIZERS))
def test_token_chunks_are_the_content_within_the_limit(
    content: str, limit: int, data: st.DataObject, tokenizer: ChunkTokenizer
) -> None:
    overlap = data.draw(st.integers(0, limit - 1))
    check_laws(content, by_tokens(content, limit, overlap, tokenizer), limit, tokenizer)


@law
@given(clusters, st.integers(40, 150), st.sampled_from(TOKENIZERS), st.booleans())
def test_no_emoji_or_accent_is_cut(
    content: str, limit: int, tokenizer: ChunkTokenizer, by_structure: bool
) -> None:
    chunks = (
        semantic(content, limit, 0, tokenizer) if by_structure else by_tokens(content, limit, 10, tokenizer)
    )
    # Unicode's own clusters (UAX 29), but for the kinds that chunking does not know: Hangul syllables written as
    # letters, and marks that belong to what follows. Clusters are cut only where they are longer than any letter.
    inside = {
        at
        for cluster in regex.finditer(r"\X", content)
        if len(cluster[0]) <= 12 and not regex.search(r"\p{Hangul}|\p{GCB=Prepend}", cluster[0])
        for at in range(cluster.start() + 1, cluster.end())
    }
    assert not inside & set(starts(chunks))


@pytest.mark.parametrize("limit", [30, 40, 70, 150])
def test_emoji_longer_than_an_atom_is_not_cut_either(limit: int) -> None:
    for chunk in semantic(FAMILY * 50, limit):
        assert chunk.start % len(FAMILY) == 0


@pytest.mark.parametrize("width", [1, 7, 8, 9, 30, 64])
@pytest.mark.parametrize(
    "piece", ["word\n{}\n", "ab {}. ", "{}\n  x\n", "abcdefg\n\n{}", "\n{}\n\n{}", "字{}"]
)
def test_counts_are_true_around_white_space(piece: str, width: int) -> None:
    for opening, space in product(["", "```\n"], [" " * width, "x" * width]):
        content = opening + piece.replace("{}", space) * 40
        check_laws(content, semantic(content, 64, 16), 64, REAL)


@pytest.mark.parametrize("length", range(20, 400, 13))
def test_counts_are_true_where_a_long_word_is_repeated(length: int) -> None:
    content = (
        "Counterrevolutionaries"[: length % 22] + ("electroencephalograph" * 40)[:length] + " and words" * 40
    )
    check_laws(content, semantic(content, 64, 16), 64, REAL)


@pytest.mark.parametrize("limit", [7, 0, -1])
def test_limit_that_cannot_hold_a_character_and_its_lead_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match=f"chunk size: expected at least 8 tokens, got {limit}"):
        semantic("text", limit)
    with pytest.raises(ValueError, match=f"chunk size: expected at least 8 tokens, got {limit}"):
        by_tokens("text", limit, 0, REAL)


@pytest.mark.parametrize("content", ["", "\n", " ", "x", "\ufeff", "#", "```", "---", "<!--", "\r"])
def test_smallest_contents(content: str) -> None:
    assert [chunk.text for chunk in semantic(content, 8)] == [content] * bool(content)
    assert [chunk.text for chunk in by_tokens(content, 8, 2, REAL)] == [content] * bool(content)


# --- Laws of the semantic strategy ---------------------------------------------------------------------------------


@law
@given(contents)
def test_blocks_joined_are_the_text(content: str) -> None:
    found = list(blocks(content))
    assert "".join(content[block.start : block.end] for block in found) == content
    assert all(block.start < block.end for block in found)
    assert all(left.end == right.start for left, right in pairwise(found))


@law
@given(contents, limits, st.sampled_from(TOKENIZERS))
def test_block_that_fits_the_limit_alone_is_never_cut(
    content: str, limit: int, tokenizer: ChunkTokenizer
) -> None:
    cuts = starts(semantic(content, limit, 0, tokenizer))
    for block in blocks(content):
        if count(tokenizer, content[block.start : block.end]) <= limit:
            assert not [cut for cut in cuts if block.start < cut < block.end]


@law
@given(contents, limits, st.integers(0, 100), st.integers(1, 40), st.sampled_from(TOKENIZERS))
def test_wanted_chunks_are_the_content_too_and_none_is_over_the_limit_of_even_ones_but_a_single_atom(
    content: str, limit: int, overlap: int, wanted: int, tokenizer: ChunkTokenizer
) -> None:
    layout = measure(content, limit, tokenizer.count_each)
    chunks = pack(layout, overlap, tokenizer.count_each, wanted)
    check_laws(content, chunks, limit, tokenizer)
    most = even_limit(layout, wanted)
    atoms = {(atom.start, atom.end) for atom in layout.atoms}
    assert all(chunk.tokens <= most or (chunk.start, chunk.end) in atoms for chunk in chunks)


@law
@given(contents, limits, st.integers(1, 40), st.sampled_from(TOKENIZERS))
def test_block_that_fits_an_even_chunk_alone_is_never_cut(
    content: str, limit: int, wanted: int, tokenizer: ChunkTokenizer
) -> None:
    layout = measure(content, limit, tokenizer.count_each)
    most = even_limit(layout, wanted)
    cuts = starts(pack(layout, 0, tokenizer.count_each, wanted))
    before = [0, *layout.ends]
    for index, block in enumerate(layout.blocks):
        # As its atoms are counted: a sum that is a token or two too high where they have no spaces between them.
        own = [at for at, atom in enumerate(layout.atoms) if atom.block == index]
        if own and before[own[-1] + 1] - before[own[0]] <= most:
            assert not [cut for cut in cuts if block.start < cut < block.end]


# Lines without a blank line between them, as `help()` writes them: one block, whatever its size.
LISTING = "".join(
    f" |  method_{number}(self, value={number})\n |      Return the value of lamp {number}, if it burns.\n"
    for number in range(400)
)


@pytest.mark.parametrize("wanted", [2, 5, 10, 20, 40])
def test_chunks_come_out_even_where_blocks_are_far_larger_than_them(wanted: int) -> None:
    content = f"A short paragraph.\n\n{LISTING}\n\nAnother one.\n\n{LISTING}"
    chunks = pack(measure(content, 8_000, REAL.count_each), 500, REAL.count_each, wanted)
    sizes = [chunk.tokens for chunk in chunks]
    fewest = -(-sum(sizes) // 8_000)
    assert len(chunks) <= max(wanted, fewest) + 1
    assert max(sizes) <= 1.25 * sum(sizes) / max(wanted, fewest)


@law
@given(paragraphs, st.integers(0, 3), st.integers(160, 600), st.sampled_from(TOKENIZERS))
def test_counts_add_up_to_the_count_of_the_whole(
    content: str, level: int, limit: int, tokenizer: ChunkTokenizer
) -> None:
    content = f"{'#' * level} Title\n\n{content}\n\n```\nx = 1\n```\n\n{content}"
    layout = measure(content, limit, tokenizer.count_each)
    assert layout.tokens == count(tokenizer, content)
    chunks = pack(layout, 0, tokenizer.count_each)
    own = [chunk.tokens - count(tokenizer, chunk.lead) for chunk in chunks]
    assert sum(own) == layout.tokens


@of_long_texts
@given(st.lists(words, min_size=60, max_size=200), st.integers(600, 1500), st.sampled_from(TOKENIZERS))
def test_small_paragraphs_give_even_chunks(
    texts: list[list[str]], limit: int, tokenizer: ChunkTokenizer
) -> None:
    content = "\n\n".join(" ".join(text[:8]) for text in texts)
    chunks = semantic(content, limit, 0, tokenizer)
    fewest = -(-count(tokenizer, content) // limit)
    assert len(chunks) <= fewest * 1.35 + 1
    even = count(tokenizer, content) / len(chunks)
    assert min(chunk.tokens for chunk in chunks) > even / 2


def outline(sections: list[tuple[int, bool, int]]) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Return a document, and for each offset where a heading or its body starts the titles above it."""
    content, trail, above = "", [(0, "")], {}
    for number, (level, setext, paragraphs_below) in enumerate(sections):
        trail = [entry for entry in trail if entry[0] < level]
        above[len(content)] = tuple(title for _, title in trail[1:])
        title = f"Title {number}"
        trail.append((level, title))
        content += (
            f"{title}\n{'=-'[level - 1] * 9}\n\n"
            if setext and level <= 2
            else f"{'#' * level} {title} ##\n\n"
        )
        for _ in range(paragraphs_below):
            above[len(content)] = tuple(title for _, title in trail[1:])
            content += f"Text of section {number}, long enough to be a paragraph of its own.\n\n"
    return content, above


@law
@given(
    st.lists(st.tuples(st.integers(1, 6), st.booleans(), st.integers(0, 8)), min_size=1, max_size=30), limits
)
def test_breadcrumb_is_the_headings_above(sections: list[tuple[int, bool, int]], limit: int) -> None:
    content, above = outline(sections)
    for chunk in semantic(content, limit):
        begun = max(at for at in above if at <= chunk.start)
        assert chunk.breadcrumb == above[begun]


def test_breadcrumb_loses_siblings_and_their_children() -> None:
    body = "Words enough that nothing fits beside them, whatever the packing does. " * 3
    content = f"# A\n\n{body}\n\n## B\n\n{body}\n\n### C\n\n{body}\n\nD\n---\n\n{body}\n\nE\n===\n\n{body}"
    trails = {
        chunk.text.split()[-1 if len(chunk.text) < 9 else 0]: chunk.breadcrumb
        for chunk in semantic(content, 56)
    }
    assert trails == {"#": (), "##": ("A",), "###": ("A", "B"), "D": ("A",), "E": ()}


# --- What is repeated ------------------------------------------------------------------------------------------------


@of_long_texts
@given(
    st.sampled_from(["```python", "~~~~ x", "  ````"]),
    st.lists(words.map(" ".join), min_size=40, max_size=80),
    st.integers(64, 300),
)
def test_oversized_fence_repeats_its_opening_line(opening: str, lines: list[str], limit: int) -> None:
    closing = opening.removesuffix("python").removesuffix("x")
    fence = f"{opening}\n" + "\n# a comment\n".join(lines) + f"\n{closing}\n"
    content = f"Before.\n\n{fence}\nAfter."
    begin = content.index(opening)
    inside = [chunk for chunk in semantic(content, limit, 20) if begin < chunk.start < begin + len(fence)]
    assert len(inside) > 1
    assert {chunk.lead for chunk in inside} == {f"{opening}\n"}
    assert {chunk.breadcrumb for chunk in inside} == {()}


@of_long_texts
@given(
    st.lists(words.map(" | ".join), min_size=60, max_size=90),
    st.integers(100, 300),
    st.sampled_from(["\n", "\r\n"]),
)
def test_oversized_table_repeats_its_head_rows(rows: list[str], limit: int, line_end: str) -> None:
    head = f"| Name | Age |{line_end}|:-----|----:|{line_end}"
    content = f"Before.{line_end * 2}{head}{line_end.join(f'| {row} |' for row in rows)}{line_end * 2}After."
    begin, end = content.index("| Name"), content.index("After")
    inside = [chunk for chunk in semantic(content, limit, 20) if begin < chunk.start < end]
    assert len(inside) > 1
    assert {chunk.lead for chunk in inside} == {head}


def test_table_of_one_column_repeats_its_head_too() -> None:
    content = "| Name |\n|------|\n" + "| somebody |\n" * 100
    assert {chunk.lead for chunk in semantic(content, 100)[1:]} == {"| Name |\n|------|\n"}


@pytest.mark.parametrize("info", ["x" * 400, "a b c d e f g h i j k l"])
def test_head_that_takes_more_than_a_quarter_of_the_chunk_is_not_repeated(info: str) -> None:
    content = f"```{info}\n" + "line\n" * 100 + "```\n"
    assert {chunk.lead for chunk in semantic(content, 40)} == {""}


@law
@given(words.map(" ".join), st.integers(100, 400), st.integers(0, 200))
def test_overlap_is_repeated_only_inside_a_cut_line(text: str, limit: int, overlap: int) -> None:
    long_line = f"{text}. " * 60
    content = f"{long_line}\n\n{long_line}"
    for chunk in semantic(content, limit, overlap):
        assert content[: chunk.start].endswith(chunk.lead)
        assert count(REAL, chunk.lead) <= min(overlap, limit / 4)
        if chunk.start in {0, len(long_line) + 2}:
            assert chunk.lead == ""


def test_overlap_is_not_repeated_between_lines() -> None:
    content = "A line of the long list that has no blank line in it.\n" * 200
    assert {chunk.lead for chunk in semantic(content, 200, 40)} == {""}


def test_overlap_is_there_where_it_fits() -> None:
    content = "The lamp of Emberwick burns. " * 400
    leads = [chunk.lead for chunk in semantic(content, 200, 40)[1:]]
    assert leads
    assert all(20 <= count(REAL, lead) <= 40 for lead in leads)


def test_overlap_over_a_quarter_of_the_chunk_is_shortened_and_not_left_out() -> None:
    content = "The lamp of Emberwick burns. " * 400
    leads = [chunk.lead for chunk in semantic(content, 200, 150)[1:]]
    assert leads
    assert all(25 <= count(REAL, lead) <= 200 / 4 for lead in leads)


# --- The token strategy ----------------------------------------------------------------------------------------------


@law
@given(paragraphs, st.integers(20, 100), st.integers(0, 15), st.sampled_from(TOKENIZERS))
def test_token_overlap_repeats_what_came_before(
    content: str, limit: int, overlap: int, tokenizer: ChunkTokenizer
) -> None:
    chunks = by_tokens(content, limit, overlap, tokenizer)
    assert chunks[0].lead == ""
    for chunk in chunks[1:]:
        assert content[: chunk.start].endswith(chunk.lead)
        assert overlap - 2 <= count(tokenizer, chunk.lead) <= overlap + 2
    # Every chunk but the last is full, but for what a cut inside a word takes.
    assert all(chunk.tokens >= limit - 4 for chunk in chunks[:-1])


@pytest.mark.parametrize("overlap", [-1, 100, 500])
def test_overlap_that_would_never_advance_is_refused(overlap: int) -> None:
    message = f"chunk overlap: expected 0 to 99 tokens .under the chunk size., got {overlap}"
    with pytest.raises(ValueError, match=message):
        by_tokens("text", 100, overlap, REAL)


# --- CommonMark by example --------------------------------------------------------------------------------------------


def kinds(text: str) -> list[tuple[str, str]]:
    """Return each block as a word and its text; a heading's word is its level."""
    return [
        (str(block.level) if block.level else block.kind.value, text[block.start : block.end])
        for block in blocks(text)
    ]


@pytest.mark.parametrize(
    "text, expected",
    [
        # 4.1 thematic breaks
        ("a\n\n---\nb", ["text", "rule", "text"]),
        ("***\n", ["rule"]),
        ("a\n* * *\nb", ["text", "rule", "text"]),
        ("_ _ _\n", ["rule"]),
        ("--\n", ["text"]),
        ("--- a\n", ["text"]),
        ("    ---\n", ["text"]),
        # 4.2 ATX headings
        ("# a\n", ["1"]),
        ("###### a", ["6"]),
        ("####### a\n", ["text"]),
        ("#a\n", ["text"]),
        ("#\n", ["1"]),
        ("#\ta\n", ["1"]),
        ("   # a\n", ["1"]),
        ("    # a\n", ["text"]),
        ("\t# a\n", ["text"]),
        ("a\n# b\nc\n", ["text", "1", "text"]),
        ("\\# a\n", ["text"]),
        ("# a\r\n\r\nb\r\n", ["1", "text"]),
        # 4.3 setext headings
        ("a\n=\n", ["1"]),
        ("a\n-\n", ["2"]),
        ("a b\n   ----   \nc", ["2", "text"]),
        ("**a**\n====\n", ["1"]),
        ("a\r\n===\r\nb", ["1", "text"]),
        ("- a\n---\n", ["text", "rule"]),
        ("> a\n---\n", ["text", "rule"]),
        ("a\n\n===\n", ["text", "text"]),
        ("a\n= =\n", ["text"]),
        # Unlike CommonMark, where a heading may have several lines: rules under a paragraph are far more common.
        ("a\nb\n---\n", ["text", "rule"]),
        # 4.5 fences
        ("```\n# a\n```\n# b", ["fence", "1"]),
        ("~~~\n\n```\n\n~~~\nb", ["fence", "text"]),
        ("````\n```\n````\nb", ["fence", "text"]),
        ("```\n````\nb", ["fence", "text"]),
        ("``\na\n\nb``", ["text", "text"]),
        ("``` a`b\nc\n", ["text"]),
        ("~~~ a`b\n\n~~~\n", ["fence"]),
        ("```\n``` x\n\n```\n", ["fence"]),
        ("```\n    ```\n\n# a\n```\n", ["fence"]),
        ("```\n\n# never closed\n", ["fence"]),
        ("   ```\n\n   ```\n", ["fence"]),
        ("    ```\n    # a\n\n    ```\n", ["text", "text"]),
        ("a\n```\nb\n```\nc", ["text", "fence", "text"]),
        ("```\r\n\r\n```\r\n", ["fence"]),
        # 5.2 fences in list items
        ("- a\n  ```\n\n  # b\n  ```\n", ["text", "fence"]),
        ("1. a\n\n    ```\n\n    # b\n    ```\n", ["text", "fence"]),
        ("- a\n\n  - b\n\n    text\n\n      ~~~\n\n      ~~~\n", ["text", "text", "text", "fence"]),
        ("- ```\n\n  # b\n  ```\n\n# c\n", ["fence", "1"]),
        ("10) ~~~\n\n    # b\n    ~~~\n# c\n", ["fence", "1"]),
        ("- a\n\nb\n\n    ```\n\n    # c\n", ["text", "text", "text", "text"]),
        # 4.6 HTML blocks
        ("<!-- a\n\n# b\n-->\nc", ["fence", "text"]),
        ("<!-- a -->\n# b\n", ["text", "1"]),
        ("<pre>\n\n# a\n</pre>\n", ["fence"]),
        ("<SCRIPT>\n\n# a\n</script>\n", ["fence"]),
        ("<prefix>\n\n# a\n", ["text", "1"]),
        ("<div>\n\n# a\n", ["text", "1"]),
        # Unlike CommonMark: what is never closed swallows nothing.
        ("<!-- a\n\n# b\n", ["text", "1"]),
        ("<pre>\n\n# a\n<PRE>\n\n# b\n", ["text", "1", "text", "1"]),
        # Front matter is no part of CommonMark; a rule at the start is.
        ("---\ntitle: a\n\n# b\n---\nc", ["fence", "text"]),
        ("---\n\n# a\n", ["rule", "1"]),
        # blank lines belong to what stands before them
        ("\n\na\n \t\n\nb\n", ["text", "text", "text"]),
    ],
)  # fmt: skip
def test_structure_is_commonmarks(text: str, expected: list[str]) -> None:
    assert [word for word, _ in kinds(text)] == expected


@given(st.lists(st.sampled_from([*MARKDOWN, "word\n"]), max_size=30).map("".join), st.integers(1, 40))
def test_blocks_are_the_same_however_far_one_search_goes(text: str, step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk_blocks, "STEP_CHARS", step)
        in_steps = list(blocks(text))
    assert in_steps == list(blocks(text))


@pytest.mark.timed
@pytest.mark.parametrize("line", ["a\n", "<!-- c -->\n", "some words\n"])
def test_no_part_of_the_search_for_blocks_holds_the_interpreter_for_long(line: str) -> None:
    """The event loop would wait for it, several times for each request."""
    text = line * (10 * chunk_blocks.STEP_CHARS // len(line))
    longest, whole = longest_calls(lambda: list(blocks(text)))
    assert longest["search"] < whole / 3


@pytest.mark.parametrize(
    "text, title",
    [
        ("# a\n", "a"),
        ("#   a b   \n\n", "a b"),
        ("## a ##\n", "a"),
        ("### a ###   ", "a"),
        ("# a#\n", "a#"),
        ("# a # b #\n", "a # b"),
        ("#\n", ""),
        ("### ###\n", ""),
        ("# #5 lamp\n", "#5 lamp"),
        ("  a b\n====\n\n", "a b"),
        ("a\r\n---\r\n", "a"),
        ("# C#\n", "C#"),
        ("# " + "x" * 500, "x" * 120),
    ],
)
def test_title_is_the_headings_words(text: str, title: str) -> None:
    assert title_of(text, next(blocks(text))) == title


def test_comment_in_a_fence_is_no_heading() -> None:
    content = "# Real\n\n```sh\n# comment\n\n" + "run --this\n" * 200 + "```\n\n" + "Words after it. " * 100
    assert {chunk.breadcrumb for chunk in semantic(content, 100)[1:]} == {("Real",)}


def test_heading_stands_with_what_follows_it() -> None:
    content = "".join(f"## Title {n}\n\n{'Some words of the section. ' * 20}\n\n" for n in range(40))
    assert not [chunk for chunk in semantic(content, 500) if not chunk.text.startswith("## Title")]


def test_every_heading_of_small_sections_is_a_place_to_cut() -> None:
    content = "".join(f"## Title {n}\n\n{'Some words. ' * 8}\n\n{'More words. ' * 8}\n\n" for n in range(50))
    atoms = measure(content, 4_000, REAL.count_each).atoms
    assert {found.start() for found in regex.finditer("## Title", content)} <= {atom.start for atom in atoms}


def test_chapters_of_tiny_sections_begin_their_chunks() -> None:
    content = "".join(
        f"# Chapter\n\n{f'## {n}{chr(10)}{chr(10)}Few.{chr(10)}{chr(10)}' * (20 + n % 7)}" for n in range(200)
    )
    assert not [chunk for chunk in semantic(content, 4_000) if not chunk.text.startswith("# Chapter")]


def test_block_starts_are_those_of_a_fence_with_blank_lines_behind() -> None:
    assert list(blocks("```\n```\n\n \nx")) == [Block(0, 11, Kind.FENCE), Block(11, 12, Kind.TEXT)]


# --- Time ------------------------------------------------------------------------------------------------------------


@pytest.mark.unmeasured
@pytest.mark.timed
@pytest.mark.parametrize("line_end", ["\u2028", "\v", "\x85"])
def test_a_run_of_line_ends_takes_no_longer_for_being_blank(line_end: str) -> None:
    texts = line_end * 400_000, "a " * 200_000
    # By turns, and the least of each: what else the machine does lengthens some of them.
    blank, filled = zip(*(map(_seconds_of_chunking, texts) for _ in range(5)), strict=True)
    assert min(blank) < 4 * min(filled)


def _seconds_of_chunking(text: str) -> float:
    started = time.process_time()
    semantic(text, 8_000, 0, Characters())
    return time.process_time() - started


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "text",
    [
        "<pre\n" * 200_000,
        "<!-- a\n" * 150_000,
        "# a" + " " * 500_000 + "b\n",
        "# a " + "# " * 300_000 + "b\n",
        "- " * 500_000,
        "`" * 500_000 + "\n" + "`" * 500_000,
        "    ```\n" * scaled(100_000),
        "- a\n" + "      ```x\n" * 80_000,
        "\n" * 1_000_000,
        "a\n " * 300_000,
        "|-" * 500_000,
        "a|b\n" + "|-" * 300_000 + "x\n" * 100_000,
        "." + "'" * 1_000_000,
        "a" + "\u0301" * 300_000,
        " " * 1_000_000,
    ],
    ids=lambda text: repr(text[:12]),
)
@pytest.mark.thorough
def test_time_grows_with_the_text_and_not_with_its_square(text: str) -> None:
    # Each takes under two seconds and took minutes, or would with one careless pattern.
    started = time.process_time()
    check = semantic(text, 8_000, 500, Characters())
    assert time.process_time() - started < 20
    assert "".join(chunk.text for chunk in check) == text


@pytest.mark.parametrize(
    "content",
    [
        "```" + "x" * 60_000 + "\n" + "a line of code\n" * 20_000 + "```\n",
        "|" + " a wide head |" * 5_000 + "\n|" + "-|" * 5_000 + "\n" + "| a | b |\n" * 20_000,
    ],
    ids=["fence", "table"],
)
def test_a_head_that_is_far_too_large_to_repeat_is_not_counted_for_every_chunk(content: str) -> None:
    counted = 0

    def count_each(texts: Sequence[str]) -> list[int]:
        nonlocal counted
        counted += sum(map(len, texts))
        return [len(text) for text in texts]

    chunks = pack(measure(content, 1_000, count_each), 100, count_each)
    assert "".join(chunk.text for chunk in chunks) == content
    assert counted < 6 * len(content)


@pytest.mark.parametrize("rule", ["*", "- ", "_", "-"])
def test_a_rule_is_at_most_a_thousand_signs_long(rule: str) -> None:
    """One of megabytes would be a single step of the pattern, in which no other thread runs."""
    longest, longer = (f"Above.\n\n{rule * number}\nBelow.\n" for number in (1_000, 1_001))
    assert Kind.RULE in [block.kind for block in blocks(longest)]
    assert [block.kind for block in blocks(longer)] == [Kind.TEXT, Kind.TEXT]
