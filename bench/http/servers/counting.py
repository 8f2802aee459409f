"""Counting as everybody has it: tiktoken's cl100k_base, with its own pattern and the call that its documentation names."""

from collections.abc import Callable

import tiktoken

from summarizing.text.tokenizer import PATTERN, read_ranks, read_vocabulary


def counter() -> Callable[[str], int]:
    """Return what counts the tokens of a text."""
    # tiktoken's own loader would download what is the same.
    ranks = read_ranks(read_vocabulary())
    encoding = tiktoken.Encoding("cl100k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={})

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return count
