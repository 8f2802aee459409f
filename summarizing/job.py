"""A request, what is known of it while it is worked on, and its outcome. Knows neither prompts nor chunks.

A job gives up where asking on makes no sense: that judgement stands here, beside the sums it is made from.
"""

import asyncio
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from provider.model import Busy, Completion, ModelError
from summarizing.prompt_templates import Query

# A provider that is down fails every call; one or two that it cannot bear, while others take their time, may be chance.
GIVE_UP_AFTER = 3

TIME_IS_OVER = "the time for the call was over (SUMMARIZE_DEADLINE_SECONDS)"

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What one call asks for: the content, the size to bring it to, what to keep, how.

    `target` 0 means the default; `owner` is the caller's, "" where callers show no keys. `has_deadline` is False where no client
    waits on an open connection. `arrived`: when the request came, on the summarizer's clock; None: when the summarizer got it.
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened; the result's `_meta` carries it. Fields that are None are left out there."""

    status: str
    strategy: str
    backend: str
    input_tokens: int = 0
    output_tokens: int = 0
    compression_ratio: float = 1.0
    chunks: int = 0
    failed_chunks: int = 0
    passes: int = 0
    llm_calls: int = 0
    reused_answers: int | None = None
    reason: str | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    duration_ms: int = 0
    facts: Facts | None = None
    result_id: str | None = None

    def members(self) -> dict[str, Any]:
        """Return the fields by their names, as JSON has them."""
        # dataclasses.asdict copies each value deep: a sixth of the time of a call that passes a small text through.
        members = {name: getattr(self, name) for name in self.__slots__}
        return members if self.facts is None else {**members, "facts": asdict(self.facts)}


@dataclass(frozen=True, slots=True)
class Summary:
    """The text that goes back, and what happened on the way."""

    text: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class CallFailure:
    """What is kept of a ModelError: the exception itself would keep every frame that it came through, and the texts in them."""

    kind: str
    message: str
    every_call: bool
    exhausted: bool
    """Whether the call used up its retries."""

    @classmethod
    def of(cls, error: ModelError) -> "CallFailure":
        """Return what is kept of an error."""
        return cls(error.kind, str(error), error.every_call, isinstance(error, Busy))


@dataclass(frozen=True, slots=True)
class Times:
    """When, on the summarizer's clock, the parts of a job must have ended; None: they take their time.

    First the cleaning, then the calls to the model, then the reading of what they left or of a text without a model, then
    everything.
    """

    cleaning: float | None = None
    model: float | None = None
    reading: float | None = None
    all: float | None = None


@dataclass(eq=False)
class Job:
    """What is known so far of one request: the mutable side of its outcome."""

    request: Request
    progress: Progress
    times: Times = field(default_factory=Times)
    chunks: int = 0
    failed_chunks: int = 0
    passes: int = 0
    llm_calls: int = 0
    reused_answers: int = 0
    usage: dict[str, float] = field(default_factory=dict)
    failures: list[CallFailure] = field(default_factory=list)
    cleaned: tuple[str, ...] = ()
    """What was dropped before anything else, in words: said where the result is made of what is left."""
    reasons: list[str] = field(default_factory=list)
    is_partial: bool = False
    is_late: bool = False
    dropped: int = 0
    repeated: int = 0
    inventions: list[str] = field(default_factory=list)
    facts: Facts | None = None
    answers: int = 0
    cut_answers: int = 0
    steps_done: int = 0
    steps: int = 0
    _asking: set[asyncio.Task[Any]] = field(default_factory=set)

    def step(self, what: str) -> None:
        """Report a finished chunk or merge."""
        self.steps_done += 1
        self.progress(self.steps_done, self.steps, f"{self.steps_done} of {self.steps} {what}")

    def report_slices_read(self, slices: int, of: int) -> None:
        """Report how many slices of a text were read without a model."""
        self.chunks = self.steps = of
        self.steps_done = slices
        self.progress(slices, of, f"{slices} of {of} chunks")

    def called(self) -> None:
        """Count a request to the model."""
        self.llm_calls += 1

    def answered(self, completion: Completion) -> None:
        """Add up what an answer took."""
        self.answers += 1
        self.reused_answers += completion.reused
        self.cut_answers += completion.finish_reason == "length"
        for name in ("prompt_tokens", "completion_tokens", "cost_usd"):
            value = getattr(completion, name)
            if value is not None:
                self.usage[name] = self.usage.get(name, 0) + value

    @property
    def is_hopeless(self) -> bool:
        """Whether every call is refused, or none was ever answered and enough have used up their retries."""
        exhausted = sum(failure.exhausted for failure in self.failures)
        return any(failure.every_call for failure in self.failures) or (
            self.answers == 0 and exhausted >= GIVE_UP_AFTER
        )

    @property
    def main_failure(self) -> str:
        """The failure that says most: one that concerns every call, else the first."""
        return next((failure for failure in self.failures if failure.every_call), self.failures[0]).message

    @property
    def is_over(self) -> bool:
        """Whether nothing more is asked of the model."""
        return self.is_late or self.is_hopeless

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Await the model inside: until it answers, or the job stops asking."""
        if task := asyncio.current_task():  # there always is one; its type allows for callbacks
            self._asking.add(task)
        try:
            yield
        finally:
            if task:
                self._asking.discard(task)

    def stop_asking(self) -> None:
        """Cancel what still waits for the model; what has its answer goes on."""
        for task in self._asking:
            task.cancel()

    @property
    def why_without_model(self) -> str:
        """Why not all was summarized with the model."""
        return TIME_IS_OVER if self.is_late or not self.failures else self.main_failure

    @property
    def last_failure(self) -> str:
        """Why the last calls failed."""
        return TIME_IS_OVER if self.is_late or not self.failures else self.failures[-1].message

    def outcome(
        self,
        status: str,
        *,
        backend: str,
        model: str | None,
        input_tokens: int,
        output_tokens: int,
        seconds: float,
    ) -> Outcome:
        """Return what the job adds up to."""
        if self.cut_answers:
            self.reasons.append(
                f"{self.cut_answers} of {self.answers} answers were cut at their length limit"
            )
        if self.repeated:
            self.reasons.append(
                f"{self.repeated} of {self.answers} answers only repeated one passage of the text, and were asked for again without it"
            )
        usage = self.usage
        return Outcome(
            status=status,
            strategy=self.request.strategy,
            backend=backend,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            compression_ratio=round(input_tokens / max(output_tokens, 1), 2) if input_tokens else 1.0,
            chunks=self.chunks,
            failed_chunks=self.failed_chunks,
            passes=self.passes,
            llm_calls=self.llm_calls,
            reused_answers=self.reused_answers or None,
            reason="; ".join((*self.cleaned, *self.reasons)) or None,
            model=model,
            prompt_tokens=int(usage["prompt_tokens"]) if "prompt_tokens" in usage else None,
            completion_tokens=int(usage["completion_tokens"]) if "completion_tokens" in usage else None,
            cost_usd=round(usage["cost_usd"], 9) if "cost_usd" in usage else None,
            duration_ms=round(seconds * 1_000),
            facts=self.facts,
        )


def owner_of(job: Hashable) -> str:
    """Return whose a model call's job is; "" for what is none of ours."""
    return job.request.owner if isinstance(job, Job) else ""
