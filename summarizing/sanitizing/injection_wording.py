"""What a rule is: one wording of one kind of signal. Which kinds make an order together is said here, and nothing else.

Refuses to hold wordings: they are in summarizing/sanitizing/injection_rules.py, summarizing/sanitizing/injection_signals.py and summarizing/sanitizing/injection_abroad.py.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

Span = tuple[int, int]


class Kind(Enum):
    """What a wording is a signal of; only ALONE is an order by itself."""

    ALONE = auto()
    WEAK = auto()  # counts beside any order
    READER = auto()  # a machine is spoken to, as the reader of this text
    LABEL = auto()  # "assistant:", which may be a machine or Ann from the shop
    VOID = auto()  # the task or the instructions are said to be over
    TWIST = auto()  # the reader is to leave off, to play or not to mind the text
    FRAME = auto()  # the text is said to end, or a talk with a model is played
    ANSWER = auto()  # how the answer is to be
    DICTATE = auto()  # the very words of the answer
    EFFECT = auto()  # what the user is to be told, or is to find in the answer
    ERRAND = auto()  # something is to be sent, called or visited
    ACT = auto()  # any order


ALONE, WEAK = Kind.ALONE, Kind.WEAK

# What makes an order of each kind, with how many sentences it may be away.
_HOW = {Kind.ANSWER: 1, Kind.DICTATE: 1, Kind.EFFECT: 1}
PARTNERS = {
    Kind.READER: _HOW | {Kind.VOID: 1, Kind.TWIST: 1, Kind.ACT: 0, Kind.ERRAND: 0},
    Kind.LABEL: {Kind.ANSWER: 0, Kind.DICTATE: 0, Kind.EFFECT: 0, Kind.VOID: 0, Kind.TWIST: 0},
    Kind.VOID: _HOW | {Kind.ACT: 1, Kind.ERRAND: 0},
    Kind.TWIST: {Kind.DICTATE: 1, Kind.EFFECT: 1, Kind.VOID: 1},
    Kind.FRAME: _HOW | {Kind.VOID: 1, Kind.ACT: 1},
}


@dataclass(frozen=True, eq=False)
class Rule:
    """One wording. `needs`: one of these occurs in whatever it matches (the cheap question first)."""

    needs: tuple[str, ...]
    source: str  # a space in it stands for any gap
    gap: str
    kind: Kind
    announces: bool  # what follows in the paragraph is its payload

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The wording, compiled when a text first asks for it: all of them at once would be half of the service's start."""
        return re.compile(_bounded(self.source.replace(" ", self.gap)), re.MULTILINE)


# A rule is asked of no more than this before its word (summarizing/sanitizing/injections.py). Without an end to what lies between two words, a
# thousand blank lines would be read from each of them to the last.
MOST_BETWEEN_CHARS = 200


def _bounded(source: str) -> str:
    """Return a wording in which no run of signs or blanks is read without end."""
    return re.sub(
        r"(?<!\\)(\\[Ws])([*+])", lambda run: f"{run[1]}{{{int(run[2] == '+')},{MOST_BETWEEN_CHARS}}}", source
    )


_GAP = r"(?:[\s,;:'\"`’-]{1,3})"


def rule(needs: str, pattern: str, kind: Kind = ALONE, *, announces: bool = False, gap: str = _GAP) -> Rule:
    """Write down a wording; a space in it stands for any gap between two words, `needs` are parted by `|`."""
    return Rule(tuple(needs.split("|")), pattern, gap, kind, announces)
