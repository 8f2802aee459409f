"""What goes wrong at the simulated provider, by rates: which call meets which fault. Pure, and the same for a seed."""

from collections.abc import Iterator, Mapping
from random import Random

# A deck is dealt to the end before it is shuffled again, so that the rates hold over any hundred calls.
DECK = 100

HANG, RESET = "hang", "reset"
"""Every other fault is the status of an HTTP response."""

RATES: Mapping[str, float] = {"429": 0.10, "500": 0.05, HANG: 0.02, RESET: 0.01}
"""The faults that the service must survive together."""


def calls_for_an_answer(rates: Mapping[str, float]) -> float:
    """Return how many calls one answer takes at least, in the mean, if every call that meets a fault is made again."""
    return 1 / (1 - sum(rates.values()))


def faults(rates: Mapping[str, float], seed: int) -> Iterator[str]:
    """Yield for each call its fault, "" for none. Rates are rounded to whole per cents."""
    random = Random(seed)  # noqa: S311, faults need no cryptography
    deck = [name for name, rate in rates.items() for _ in range(round(rate * DECK))]
    deck += [""] * (DECK - len(deck))
    while True:
        random.shuffle(deck)
        yield from deck
