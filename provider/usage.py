"""What the model's API was used for: requests, answers, failures, retries, tokens and cost, as counts that only grow.

Decides nothing and knows no wire format: the model client and its admission count by the methods, the metrics read the fields.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Failure(StrEnum):
    """Why a request was not answered."""

    RATE_LIMITED = "rate_limited"  # 429
    OVERLOADED = "overloaded"  # 503, 529
    SERVER_ERROR = "server_error"  # any other 5xx
    TIMEOUT = "timeout"  # silence, 408, 504, or the total time of the call is over
    CONNECTION = "connection"  # refused, reset, broken off
    REFUSED = "refused"  # any other 4xx, a content filter
    BAD_ANSWER = "bad_answer"  # empty, endless, or not what the API promises


@dataclass
class Usage:
    """Counts since the start of one model client.

    `requests` is always `answered` + all `failures` + `cancelled` + the requests in flight.
    """

    requests: int = 0
    answered: int = 0
    cancelled: int = 0  # by the caller, while the request was in flight
    retries: int = 0  # requests that repeat a failed one
    failures: dict[Failure, int] = field(default_factory=lambda: dict.fromkeys(Failure, 0))
    rejected: int = 0  # calls that sent no request, since the circuit breaker was open
    breaker_openings: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0

    def count_request(self, *, is_retry: bool) -> None:
        """Count a request that is sent."""
        self.requests += 1
        self.retries += is_retry

    def count_failure(self, failure: Failure) -> None:
        """Count a request that was not answered."""
        self.failures[failure] += 1

    def count_cancelled(self) -> None:
        """Count a request that its caller cancelled while it was in flight."""
        self.cancelled += 1

    def count_rejected(self) -> None:
        """Count a call that sent no request, since the circuit breaker was open."""
        self.rejected += 1

    def count_breaker_opening(self) -> None:
        """Count that the circuit breaker opened."""
        self.breaker_openings += 1

    def count_answer(
        self, prompt_tokens: int | None, completion_tokens: int | None, cost_usd: float | None
    ) -> None:
        """Count an answered request, with the usage that the provider reports."""
        self.answered += 1
        self.prompt_tokens += prompt_tokens or 0
        self.completion_tokens += completion_tokens or 0
        self.cost_usd += cost_usd or 0.0
