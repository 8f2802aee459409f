"""One job's calls to the model: counted, and ended where none can succeed or the time is over.

Other modules change these counts only through its methods. Knows nothing of chunks; whether an answer is good is decided in
model_writer.py, which calls are made side by side in map_reduce.py.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from observability.traceback_release import forget_frames
from provider.model import Completion, JobRequests, Model, ModelError, PermanentError, TransientError
from summarizing.deadline import TIME_IS_OVER
from summarizing.prompt_templates import Prompt

# A provider that is down fails every call; one or two failures while other calls are still in flight may be chance.
GIVE_UP_AFTER = 3


@dataclass(frozen=True, slots=True)
class CallFailure:
    """What is kept of a ModelError: the exception itself would keep every frame that it came through, and the texts in them."""

    kind: str
    message: str
    every_call: bool
    is_transient: bool
    """Whether the call failed for a temporary reason, after what retries it had."""

    @classmethod
    def of(cls, error: ModelError) -> "CallFailure":
        """Return what is kept of an error."""
        return cls(error.kind, str(error), error.every_call, isinstance(error, TransientError))


# In place of an error: the call was ended before it had an answer.
CANCELLED = "cancelled"


class ModelCall(NamedTuple):
    """One prompt, and what came of it: an answer, or why there is none."""

    model: str
    prompt: Prompt
    completion: Completion | None
    error: str
    """"" where there is an answer. It may quote the content."""
    seconds: float


class CallCounts(NamedTuple):
    """The totals of a job's calls. Tokens and cost are None where the provider reports none."""

    model: str | None = None
    requests: int = 0
    answers: int = 0
    reused: int = 0
    """Answers from the response cache, or from another job's request."""
    cut: int = 0
    """Answers that ended at their length limit."""
    misled: int = 0
    """Answers that only repeated one passage, obeyed an order of the text, came only from a suspicious passage, or were images
    alone, so that the model was asked again."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """What an outcome says about the answers."""
        found = []
        if self.cut:
            found.append(f"{self.cut} of {self.answers} answers were cut at their length limit")
        if self.misled:
            found.append(
                f"{self.misled} of {self.answers} answers only repeated one passage of the text, obeyed it "
                "or had nothing but its images, and were asked for again without it"
            )
        return tuple(found)


class ModelCalls:
    """The calls of one job."""

    def __init__(
        self,
        model: Model,
        owner: str = "",
        model_name: str = "",
        observe: Callable[[ModelCall], None] = lambda call: None,
    ) -> None:
        """`owner` is the caller's, "" where callers show no keys; `model_name` "": the service's model; `observe` is told of each call.

        That is `Request.observe`, given by Summarizer._job (summarizer.py): the gateway's notes them (gateway/timeline/call_notes.py).
        """
        self._observe = observe
        self._job_requests = JobRequests(owner, model_name)
        self.model_name = model_name or model.name
        self.head_start = self._job_requests.head_start
        """What runs beside the calls waits for its end (provider/head_start.py). Where no call is made, it must be ended: else it never would."""
        self._model = model
        self._end: float | None = None
        self._is_late = False
        self._waiting: set[asyncio.Task[Any]] = set()
        self._failures: list[CallFailure] = []
        self._answers = self._reused = self._cut = self._misled = 0
        self._usage: dict[str, float] = {}

    # --- Calling -----------------------------------------------------------------------------------------------

    def end_at(self, until: float | None) -> None:
        """Set the time, on the event loop's clock, after which no call is begun or awaited; None: no limit."""
        self._end = until

    @contextmanager
    def time_limit(self) -> Iterator[None]:
        """When the time is over, the calls inside that wait for the model are cancelled."""
        loop = asyncio.get_running_loop()
        alarm = loop.call_at(self._end, self._end_now) if self._end is not None else None
        try:
            yield
        finally:
            if alarm is not None:
                alarm.cancel()

    async def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        """Return the model's answer to one prompt. Raises ModelError; PermanentError where no more calls are made."""
        try:
            if self.are_over:
                raise PermanentError("nothing more is asked of the model for this job")
            with self._cancellable():
                completion = await self._complete(prompt, max_tokens)
        finally:
            self.head_start.end()
        self._count_answer(completion)
        return completion

    async def _complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        """Ask the model, and tell of it."""
        loop = asyncio.get_running_loop()
        began, completion, error = loop.time(), None, CANCELLED
        try:
            completion = await self._model.complete(
                prompt.system, prompt.user, max_tokens, [self._job_requests]
            )
        except ModelError as problem:
            error = str(problem)
            raise
        else:
            return completion
        finally:
            told = "" if completion else error
            self._observe(ModelCall(self.model_name, prompt, completion, told, loop.time() - began))

    def note_failure(self, error: ModelError) -> None:
        """Note why a call failed; end the others where none can succeed."""
        self._failures.append(CallFailure.of(error))
        forget_frames(error)
        if self._are_hopeless:
            self._cancel_waiting()

    def note_time_is_over(self) -> None:
        """Note that the time for them is over: nothing more is asked of the model."""
        self._is_late = True

    @property
    def is_past_end(self) -> bool:
        """Whether the end of their time has passed by now."""
        return self._end is not None and asyncio.get_running_loop().time() >= self._end

    def _end_now(self) -> None:
        self.note_time_is_over()
        self._cancel_waiting()

    @contextmanager
    def _cancellable(self) -> Iterator[None]:
        """The current task waits for the model inside, and may be cancelled there."""
        if task := asyncio.current_task():  # there always is one; its type allows for callbacks
            self._waiting.add(task)
        try:
            yield
        finally:
            if task:
                self._waiting.discard(task)

    def _cancel_waiting(self) -> None:
        """Cancel the calls that wait for the model; those whose answer is being checked go on."""
        for task in self._waiting:
            task.cancel()

    # --- Counting ----------------------------------------------------------------------------------------------

    def count_cut_answer(self) -> None:
        """Count an answer that ended at its length limit."""
        self._cut += 1

    def count_misled_answer(self) -> None:
        """Count an answer that the text misled the model to (`misled`), so that the model is asked again."""
        self._misled += 1

    def _count_answer(self, completion: Completion) -> None:
        self._answers += 1
        self._reused += completion.reused
        for name in ("prompt_tokens", "completion_tokens", "cost_usd"):
            value = getattr(completion, name)
            if value is not None:
                self._usage[name] = self._usage.get(name, 0) + value

    @property
    def counts(self) -> CallCounts:
        """What the calls came to so far."""
        usage = self._usage
        return CallCounts(
            model=self.model_name,
            requests=self._job_requests.requests,
            answers=self._answers,
            reused=self._reused,
            cut=self._cut,
            misled=self._misled,
            prompt_tokens=int(usage["prompt_tokens"]) if "prompt_tokens" in usage else None,
            completion_tokens=int(usage["completion_tokens"]) if "completion_tokens" in usage else None,
            cost_usd=round(usage["cost_usd"], 9) if "cost_usd" in usage else None,
        )

    # --- Whether to go on --------------------------------------------------------------------------------------

    @property
    def expected_concurrency(self) -> int:
        """The present limit or, during slow start, the highest it can reach (LLM_CONCURRENCY_CEILING)."""
        return self._model.expected_concurrency

    @property
    def are_over(self) -> bool:
        """Whether nothing more is asked of the model."""
        return self._is_late or self._are_hopeless

    @property
    def are_late(self) -> bool:
        """Whether the time for them is over."""
        return self._is_late

    @property
    def _are_hopeless(self) -> bool:
        """Whether every call is refused, or none was ever answered and enough have failed for a temporary reason."""
        transient = sum(failure.is_transient for failure in self._failures)
        return any(failure.every_call for failure in self._failures) or (
            self._answers == 0 and transient >= GIVE_UP_AFTER
        )

    @property
    def first_failure(self) -> CallFailure | None:
        """Why the first call failed that did; None where none did."""
        return self._failures[0] if self._failures else None

    @property
    def main_failure(self) -> str:
        """Why not all was summarized with the model: the time was over, else a failure of every call, else the first one."""
        if self._is_late or not self._failures:
            return TIME_IS_OVER
        return next((each for each in self._failures if each.every_call), self._failures[0]).message

    @property
    def last_failure(self) -> str:
        """Why the last calls failed: that the time was over, else the last failure."""
        return TIME_IS_OVER if self._is_late or not self._failures else self._failures[-1].message
