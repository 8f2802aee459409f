"""When full garbage collections run: while nobody waits, or once memory has grown. Reads no clock: the caller says when to look.

transport/process.py makes Python's own full collections rare, since they stop everything while large texts are at work. What dies in a
reference cycle would then stay for hours.
"""

from collections.abc import Callable

LOOK_EVERY_SECONDS = 5.0

# How much more than after the last full collection the process may hold before the next, as a share of that. A collection
# under load makes every call wait, so that one is run only for memory that matters.
GROWTH_UNDER_LOAD = 0.5
GROWTH_WHEN_IDLE = 0.02


class FullCollections:
    """Decides at each look whether to collect."""

    def __init__(self, held: Callable[[], float], collect: Callable[[], object]) -> None:
        """`held` measures what the process holds, in any unit; `collect` is that of the module gc."""
        self._measure = held
        self._collect = collect
        self._held = held()

    def look(self, *, is_idle: bool) -> bool:
        """Collect where memory has grown by the share; return whether it had."""
        share = GROWTH_WHEN_IDLE if is_idle else GROWTH_UNDER_LOAD
        held = self._measure()
        if is_idle:  # what was alive at a collection under load may have died since, by its reference counts
            self._held = min(self._held, held)
        if held <= self._held * (1 + share):
            return False
        self._collect()
        self._held = self._measure()
        return True
