"""Counting as everybody has it: tiktoken's cl100k_base, with its own pattern and the call that its documentation names."""

from collections.abc import Callable

from tests.support.plain_encoding import plain_encoding


def counter() -> Callable[[str], int]:
    """Return what counts the tokens of a text."""
    encoding = plain_encoding()

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return count
