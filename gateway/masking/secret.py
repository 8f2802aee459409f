"""What is found to be a secret: a stretch of a text, and the name of the rule that says so."""

from typing import NamedTuple


class Secret(NamedTuple):
    """The text from `start` to `end`; its placeholder says the name."""

    start: int
    end: int
    name: str
