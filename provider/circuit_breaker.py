"""A circuit breaker: a provider that fails every call is left alone for a while, then asked by one call whether it is back.

Michael Nygard's pattern (Release It!, "Circuit Breaker"). Time and dice come in as arguments; it sends nothing and waits for
nobody: provider/admission.py does what it says.
"""

from collections.abc import Callable

# A provider that stays away is asked at least so often: one call is cheap, and jobs that come after its return are waiting.
MOST_SECONDS = 10.0


class Breaker:
    """Closed, calls go through; open, none does; half-open, one goes through and decides.

    A call that goes through carries a pass; what comes of a call with an old pass says nothing any more.
    """

    def __init__(self, failures: int, seconds: float, uniform: Callable[[float, float], float]) -> None:
        """Open after so many failures in a row, for about so many seconds at first."""
        self._most_failures = failures
        self._first_seconds = seconds
        self._uniform = uniform
        self._failures = 0
        self._seconds = seconds
        self._pass = 0
        self._probing = False
        self.retry_at: float | None = None
        self.failing_since = 0.0
        """When the first of the last row of failures was, by the clock."""

    @property
    def state(self) -> str:
        """`closed`, `open` or `half-open`; it stays open when its time is over, until a call comes to ask."""
        if self.retry_at is None:
            return "closed"
        return "half-open" if self._probing else "open"

    def let_through(self, now: float) -> int | None:
        """Return a pass for one call, or None where it must not be made. Whoever has one must say what came of it."""
        if self.retry_at is not None:
            if self._probing or now < self.retry_at:
                return None
            self._probing = True
        return self._pass

    def is_valid(self, passed: int) -> bool:
        """Return whether a pass still holds: it was given since the breaker last opened."""
        return passed == self._pass

    def answered(self, passed: int) -> None:
        """Take in that a call was answered: the end of a row of failures."""
        if self.is_valid(passed):
            self._close()

    def heard(self, passed: int) -> None:
        """Take in that the provider is there: it begins to answer a call, or turns it away. It closes, but ends no row."""
        if self.is_valid(passed) and self._probing:
            self._close()

    def abandoned(self, passed: int) -> None:
        """Take in that nobody knows what would have come of a call: the next one asks."""
        if self.is_valid(passed):
            self._probing = False

    def failed(self, passed: int, now: float, *, answers_others: bool = False) -> bool:
        """Take in that the provider failed a call; return whether the breaker opened.

        While it is in the middle of answering others it is not down, however many it turns away.
        """
        if not self.is_valid(passed) or (answers_others and not self._probing):
            return False
        if not self._failures:
            self.failing_since = now
        self._failures += 1
        if not self._probing and self._failures < self._most_failures:
            return False
        # Half of each wait is random, so that many copies of the service do not all ask at the same moment.
        self.retry_at = now + self._uniform(self._seconds / 2, self._seconds)
        self._seconds = min(self._seconds * 2, max(MOST_SECONDS, self._first_seconds))
        self._probing = False
        self._pass += 1
        return True

    def _close(self) -> None:
        self._failures = 0
        self._seconds = self._first_seconds
        self._probing = False
        self.retry_at = None
