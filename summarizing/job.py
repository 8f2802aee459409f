"""Immutable records of a job: the caller's request, the job with the services that process it, the result so far.

Makes neither prompts nor chunks. outcome.py composes the outcome of the last `Result`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from summarizing.cpu_work import CpuWork
from summarizing.deadline import Deadlines
from summarizing.faithfulness.lost_facts import Unwritten
from summarizing.model_calls import ModelCalls
from summarizing.progress import Steps
from summarizing.prompt_templates import Query
from summarizing.sanitizing.suspicious import Suspicious


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller asks the summarizer for: the content, the size to bring it to, what to keep, how.

    `target` 0 means the default; `owner` is the caller's, "" where callers show no keys. `has_deadline` is False where no client
    waits on an open connection. `arrived`: when the request came, by the service's clock; None: when the summarizer got it.
    """

    content: str
    target: int = 0
    query: Query = field(default_factory=Query)
    strategy: str = "semantic"
    owner: str = ""
    has_deadline: bool = True
    arrived: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What became of the facts of a content that matter for the query, and of what the model added to them."""

    had: int
    kept: int
    put_back: int = 0
    dropped: int = 0
    unsupported: tuple[str, ...] = ()


class Job(NamedTuple):
    """A request, with the services that process it. `calls` None: there is no model."""

    request: Request
    deadlines: Deadlines
    steps: Steps
    work: CpuWork
    calls: ModelCalls | None


class Result(NamedTuple):
    """The result of a job so far: each step returns a new one, made from that of the step before."""

    text: str
    status: str
    chunks: int = 0
    failed_chunks: int = 0
    passes: int = 0
    cleaning_notes: tuple[str, ...] = ()
    """What was dropped before anything else, in words: said where the result is made of what is left."""
    suspicious: Sequence[Suspicious] = ()
    """Passages of the content that look like instructions to a model."""
    reasons: tuple[str, ...] = ()
    unwritten: tuple[Unwritten, ...] = ()
    """Chunks that are left to what puts back lost facts (fact_recovery.py)."""
    failure: str = ""
    """Why the model failed on some of these; `reasons` does not have it until it is known what became of them."""
    facts: Facts | None = None
    matched: bool = True
    """Whether the content meets the query; True where there is none."""

    def because(self, *reasons: str, **changes: Any) -> "Result":
        """Return the result with more reasons, and with other changes."""
        return self._replace(reasons=(*self.reasons, *reasons), **changes)

    def with_failed_chunks(self, became: str) -> "Result":
        """Return the result with a reason about the chunks that the model failed on and that were left, and what became of them."""
        if not self.failure:
            return self
        why = f"{self.failed_chunks} of {self.chunks} chunks {became}: {self.failure}"
        return self._replace(reasons=(why, *self.reasons), failure="")
