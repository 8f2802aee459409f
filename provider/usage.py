"""What has gone to and fro between the service and a model's API: counts that only grow, for whoever reads them.

Decides nothing and knows no wire format; the client counts, the metrics read.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Failure(StrEnum):
    """Why a request gave no answer."""

    RATE_LIMITED = "rate_limited"  # 429
    OVERLOADED = "overloaded"  # 503, 529
    SERVER_ERROR = "server_error"  # any other 5xx
    TIMEOUT = "timeout"  # silence, 408, 504, or the time for the whole call ran out
    CONNECTION = "connection"  # refused, reset, broken off
    REFUSED = "refused"  # any other 4xx, a content filter
    BAD_ANSWER = "bad_answer"  # empty, endless, or not what the API promises


@dataclass
class Traffic:
    """Counts since the start of one model client.

    `requests` is always `answered` + all `failures` + `cancelled` + those that are in flight.
    """

    requests: int = 0
    answered: int = 0
    cancelled: int = 0  # by whoever asked, while the request was under way
    retries: int = 0  # of the requests, those that repeat one that failed
    failures: dict[Failure, int] = field(default_factory=lambda: dict.fromkeys(Failure, 0))
    rejected: int = 0  # calls that sent no request, since the breaker was open
    breaker_openings: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0

    def sent(self, *, is_retry: bool) -> None:
        """Count a request."""
        self.requests += 1
        self.retries += is_retry

    def failed(self, failure: Failure) -> None:
        """Count a request that gave no answer."""
        self.failures[failure] += 1

    def got(self, prompt_tokens: int | None, completion_tokens: int | None, cost_usd: float | None) -> None:
        """Count an answer with what the provider says that it took."""
        self.answered += 1
        self.prompt_tokens += prompt_tokens or 0
        self.completion_tokens += completion_tokens or 0
        self.cost_usd += cost_usd or 0.0
