"""What a model is to those who ask it: one method, the answer it returns, the errors it raises. No HTTP, no retries."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

from provider.usage import Failure

# Low, for summaries that stay with their text.
TEMPERATURE = 0.1


class ModelError(Exception):
    """The model gave no usable answer. `every_call`: no other call can succeed either.

    `kind` is the message without what the provider said, which may quote the content: it is what a log may hold.
    """

    every_call = False

    def __init__(self, kind: str, said: str = "", failure: Failure = Failure.BAD_ANSWER) -> None:
        super().__init__(f"{kind}: {said}" if said else kind)
        self.kind = kind
        self.failure = failure


class Refused(ModelError):
    """The provider will refuse this call each time."""

    def __init__(
        self, kind: str, said: str = "", failure: Failure = Failure.BAD_ANSWER, *, every_call: bool = False
    ) -> None:
        super().__init__(kind, said, failure)
        self.every_call = every_call


class Busy(ModelError):
    """The provider may do better later; `retry_after`, in seconds, where it says when."""

    def __init__(
        self,
        kind: str,
        said: str = "",
        failure: Failure = Failure.BAD_ANSWER,
        *,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(kind, said, failure)
        self.retry_after = retry_after


def _nobody_keeps_it() -> None:
    """Do nothing: what the model client returns is in nobody's memory."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. Token counts and cost are the provider's own, None where it does not tell.

    `reused`: another call has asked and paid for it. `withdraw` tells whoever keeps answers that this one is of no use.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    reused: bool = False
    withdraw: Callable[[], None] = field(default=_nobody_keeps_it, compare=False, repr=False)


class Model(Protocol):
    """What the summarizer needs of a model."""

    name: str

    async def complete(
        self, system: str, user: str, max_tokens: int, job: Hashable, on_call: Callable[[], None]
    ) -> Completion:
        """Answer a prompt, or raise ModelError."""
        ...
