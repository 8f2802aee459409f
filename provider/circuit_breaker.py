"""A circuit breaker: after several failures in a row no request is sent for a while; then one trial request decides.

Michael Nygard's pattern (Release It!, "Circuit Breaker"). The time and the random numbers are arguments; nothing is sent here
and nothing waits: provider/admission.py acts on it.
"""

from collections.abc import Callable

from provider.model import TransientError

# A provider that stays down is tried at least this often: one request is cheap, and jobs that come after its return are waiting.
MAX_OPEN_SECONDS = 10.0


class CircuitOpen(TransientError):
    """The circuit breaker is open: the provider has failed every request, and none is sent for now."""


class CircuitBreaker:
    """Closed: requests go through. Open: none does. Half-open: one trial request goes through and decides.

    Each request that goes through notes the `openings` until then: how often the breaker has opened. If it opens again before the
    request has its result, that is ignored.
    """

    def __init__(self, failures: int, seconds: float, uniform: Callable[[float, float], float]) -> None:
        """Open after this many failures in a row, at first for about this many seconds."""
        self._max_failures = failures
        self._first_seconds = seconds
        self._uniform = uniform
        self._failures = 0
        self._seconds = seconds
        self._openings = 0
        self._is_trying = False
        self.retry_at: float | None = None
        self.failing_since = 0.0
        """The time of the first failure in the last row of failures, by the clock."""

    @property
    def state(self) -> str:
        """`closed`, `open` or `half-open`; after its time it stays open until a request comes that can be the trial."""
        if self.retry_at is None:
            return "closed"
        return "half-open" if self._is_trying else "open"

    def allow(self, now: float) -> int | None:
        """Return the openings until now for one request, or None if it must not be sent. The caller must report its result."""
        if self.retry_at is not None:
            if self._is_trying or now < self.retry_at:
                return None
            self._is_trying = True
        return self._openings

    def has_opened_since(self, openings: int) -> bool:
        """Return whether the breaker has opened since a request began that noted these openings."""
        return openings != self._openings

    def on_success(self, openings: int) -> None:
        """Record an answered request: it ends a row of failures."""
        if not self.has_opened_since(openings):
            self._close()

    def on_reachable(self, openings: int) -> None:
        """Record that the provider begins to answer a request, or rejects it: this closes, but ends no row of failures."""
        if not self.has_opened_since(openings) and self._is_trying:
            self._close()

    def on_unknown(self, openings: int) -> None:
        """Record a request that ended without a result: the next one is the trial."""
        if not self.has_opened_since(openings):
            self._is_trying = False

    def on_failure(self, openings: int, now: float, *, answers_others: bool = False) -> bool:
        """Record that the provider failed a request; return whether the breaker opened.

        A provider that is answering other requests is not down, however many it rejects.
        """
        if self.has_opened_since(openings) or (answers_others and not self._is_trying):
            return False
        if not self._failures:
            self.failing_since = now
        self._failures += 1
        if not self._is_trying and self._failures < self._max_failures:
            return False
        # Half of each wait is random, so that many copies of the service do not all try at the same moment.
        self.retry_at = now + self._uniform(self._seconds / 2, self._seconds)
        self._seconds = min(self._seconds * 2, max(MAX_OPEN_SECONDS, self._first_seconds))
        self._is_trying = False
        self._openings += 1
        return True

    def _close(self) -> None:
        self._failures = 0
        self._seconds = self._first_seconds
        self._is_trying = False
        self.retry_at = None
