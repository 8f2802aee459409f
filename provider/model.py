"""The interface of a model: one method, the completion it returns, the errors it raises. No HTTP, no retries."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from provider.head_start import HeadStart
from provider.usage import Failure

# Low, so that summaries stay close to the text.
TEMPERATURE = 0.1


class ModelError(Exception):
    """The model gave no usable answer. `every_call`: no other call can succeed either.

    `kind` is the message without the provider's own words, which may quote the content: only `kind` may be logged.
    """

    every_call = False

    def __init__(self, kind: str, details: str = "", failure: Failure = Failure.BAD_ANSWER) -> None:
        super().__init__(f"{kind}: {details}" if details else kind)
        self.kind = kind
        self.failure = failure


class PermanentError(ModelError):
    """A permanent error: a retry does not help. The provider refused the call, or its answer was rejected."""

    def __init__(
        self, kind: str, details: str = "", failure: Failure = Failure.BAD_ANSWER, *, every_call: bool = False
    ) -> None:
        super().__init__(kind, details, failure)
        self.every_call = every_call


class TransientError(ModelError):
    """A temporary error: a retry may succeed; `retry_after` in seconds, if the provider says so."""

    def __init__(
        self,
        kind: str,
        details: str = "",
        failure: Failure = Failure.BAD_ANSWER,
        *,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(kind, details, failure)
        self.retry_after = retry_after


def _not_cached() -> None:
    """Do nothing: what the model client returns is not in a cache."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. Token counts and cost are the provider's own, None if it does not report them.

    `reused`: it came from the response cache, or from another call's request. `invalidate` removes it from the cache.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    reused: bool = False
    invalidate: Callable[[], None] = field(default=_not_cached, compare=False, repr=False)


class JobRequests:
    """One job's requests to the model: whose job it is, how many were sent for its calls, and their head start.

    Jobs share the provider fairly: this stands for the job in the queue. Its calls: `ModelCalls` (summarizing/model_calls.py).
    """

    def __init__(self, owner: str = "", model: str = "") -> None:
        """`owner`: no owner gets an answer from the response cache that another one's call has put there; `model`: "" is the service's."""
        self.owner = owner
        self.model = model
        self.requests = 0
        self.head_start = HeadStart()
        """What runs beside the calls waits for its end (head_start.py)."""

    def count_request(self) -> None:
        """Count a request that is sent for a call: its first one, or a retry. The head start begins with the job's first."""
        self.requests += 1
        self.head_start.begin()


class Model(Protocol):
    """A model, as the summarizer uses it: `ChatModel` (llm.py), alone or inside `ResponseCache` (provider/response_cache.py).

    Put together in `open_parts` (app.py) and `open_summarizer` (summarizer.py), called by `ModelCalls`
    (summarizing/model_calls.py), through the response cache if there is one.
    """

    name: str

    @property
    def expected_concurrency(self) -> int:
        """How many requests may soon be in flight at once.

        The present limit or, during slow start, the highest it can reach (LLM_CONCURRENCY_CEILING).
        """
        ...

    async def complete(
        self, system: str, user: str, max_tokens: int, waiting: list[JobRequests]
    ) -> Completion:
        """Answer a prompt, or raise ModelError.

        The model is that of `waiting`, all of which have the same, or else the one of this name.

        `waiting`: the requests of the jobs that wait for the answer, the first one first. The call has its place in the queue for the one
        that is first at its beginning. It may send several requests, since failed ones are retried: each is counted for the one that is
        first then. The response cache adds to `waiting` and removes from it while a call is in flight.
        """
        ...
