"""The interface of a model: one method, the completion it returns, the errors it raises. No HTTP, no retries."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

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


class Refused(ModelError):
    """A permanent error: a retry does not help. The provider refused the call, or its answer was rejected."""

    def __init__(
        self, kind: str, details: str = "", failure: Failure = Failure.BAD_ANSWER, *, every_call: bool = False
    ) -> None:
        super().__init__(kind, details, failure)
        self.every_call = every_call


class Busy(ModelError):
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


class Model(Protocol):
    """A model, as the summarizer uses it: `ChatModel` (llm.py), alone or inside `ResponseCache` (provider/response_cache.py).

    Put together in `open_summarizer` (summarizer.py); called by `ModelCalls` (summarizing/model_calls.py) alone.
    """

    name: str

    @property
    def attainable_limit(self) -> int:
        """How many calls of a job that begins now may be in flight within its first seconds."""
        ...

    async def complete(
        self, system: str, user: str, max_tokens: int, job: Hashable, on_call: Callable[[], None]
    ) -> Completion:
        """Answer a prompt, or raise ModelError.

        `job` is the `ModelCalls` of the job that the call belongs to: calls of different jobs share the provider fairly.
        `on_call` is called before each request that is sent; the job counts them.
        """
        ...
