"""The heart: bypass, clean, map, reduce, fit to the target, and an outcome that says what happened.

Knows nothing of MCP and HTTP. Deterministic work comes first and the model second: what code can do exactly (structure,
repeats, counting, joining) is never asked of a model. Run as a program it is the command line: see cli.py.

Not here on purpose: a cache of summaries (of the model's answers there is one: answers.py), a choice of model per call.
"""

import os
import signal
import sys

if __name__ == "__main__":
    # The imports below take half a second, and Ctrl-C in the middle of one would show its traceback.
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import chunking
import guard
from chunking import Chunk
from cleaning import clean
from evidence import shown
from guard import Guarded, Survey
from job import Facts, Job, Outcome, Progress, Summary, Task
from mapreduce import Bounds, MapReduce, NothingFromModel
from planning import Window, chunk_count
from prompting import Brief, Prompts, length_unit_for
from textwork import TextWork
from tokens import LONGEST_TOKEN_CHARS, Tokenizer
from tracebacks import forget_frames
from writing import Model, Worker, Writer

logger = logging.getLogger(__name__)

STRATEGIES = ("semantic", "token")

# What the model may write of the target: the rest is for facts that it loses, which come back word for word. A small
# model loses more than half of those that a schema asks for.
MODEL_SHARE = 0.75
MODEL_SHARE_OF_FACTS = 0.6

# Where nothing was asked for, any fact may matter; this much of the target is enough for what the model left out.
PUT_BACK_SHARE = 0.25

# Of the time that a call has, the model gets so much: the rest is for what is then done without it, and to be on time.
MODEL_SHARE_OF_TIME = 0.8

# What is summarized without the model in a second at least, on a busy machine: a large text leaves the model less of its time.
CHARS_PER_SECOND = 250_000

# An outcome names so many inventions.
MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """What the summarizer is told by the service; sizes in tokens. `deadline` is in seconds, 0: none."""

    chunk_size: int
    overlap: int
    default_target: int
    context: int
    concurrency: int
    on_failure: str
    deadline: float = 0.0
    guard: bool = True  # off, to measure what it does


class SummarizationFailed(Exception):
    """The model gave nothing at all, and ON_FAILURE says that this is an error."""


class Summarizer:
    """Summarizes texts, any number at once. `model` None: the embedded extractive summarizer does the work."""

    def __init__(
        self,
        *,
        settings: Settings,
        tokenizer: Tokenizer,
        prompts: Prompts,
        model: Model | None,
        worker: Worker,
        clock: Callable[[], float],
    ) -> None:
        """`worker(function, *arguments)` runs CPU work off the event loop; `clock` counts seconds from anywhere."""
        self._settings = settings
        self._tokenizer = tokenizer
        self._prompts = prompts
        self._model = model
        self._worker = worker
        self._work = TextWork(worker, tokenizer)
        self._clock = clock

    @property
    def backend(self) -> str:
        """What summarizes: `openrouter` or `extractive`."""
        return "openrouter" if self._model else "extractive"

    async def summarize(self, task: Task, progress: Progress = lambda done, total, message: None) -> Summary:
        """Return the content in at most the target's tokens, or unchanged with a status that says so.

        Raises SummarizationFailed where the model gave nothing and ON_FAILURE is `error`.
        """
        started = self._clock()
        job = Job(self._completed(task), progress, stop=self._stop(task, started))
        if job.task.strategy != task.strategy:
            job.reasons.append(
                f"unknown strategy {task.strategy[:40]!r}: semantic was used ({' and '.join(STRATEGIES)} are known)"
            )
        input_tokens = await self._work.count(task.content)
        try:
            text, status = await self._run(job, input_tokens)
        except asyncio.CancelledError as cancelled:
            logger.info(
                "summarization_cancelled", extra={"input_tokens": input_tokens, "llm_calls": job.llm_calls}
            )
            forget_frames(cancelled)
            raise
        outcome = job.outcome(
            status,
            backend=self.backend,
            model=self._model.name if self._model else None,
            input_tokens=input_tokens,
            output_tokens=input_tokens if text is task.content else await self._work.count(text),
            seconds=self._clock() - started,
        )
        _log_completion(outcome)
        if status == "error":
            raise SummarizationFailed(outcome.reason)
        return Summary(text, outcome)

    def _stop(self, task: Task, started: float) -> float | None:
        """Return when the model must have ended: the time that a call has waited for its turn is its caller's time too."""
        deadline = self._settings.deadline
        if not (deadline and task.has_deadline):
            return None
        since = started if task.arrived is None else task.arrived
        without_model = len(task.content) / CHARS_PER_SECOND
        return since + min(deadline * MODEL_SHARE_OF_TIME, deadline - without_model)

    def _completed(self, task: Task) -> Task:
        strategy = task.strategy if task.strategy in STRATEGIES else "semantic"
        return replace(task, target=task.target or self._settings.default_target, strategy=strategy)

    async def _run(self, job: Job, input_tokens: int) -> tuple[str, str]:
        """Return the text and the status."""
        task = job.task
        if input_tokens <= task.target:
            return task.content, "passthrough"
        if not task.content.strip():
            job.reasons.append("the content is nothing but white space")
            return "", "passthrough"
        text, fits = await self._cleaned(job)
        if fits:
            tally: Guarded = await self._worker(guard.tally, text, task.brief.words)
            job.facts = Facts(tally.had, tally.kept)
            return text, "summarized"
        if self._model is None:
            return await self._extractive_only(job, text), "summarized"
        return await self._with_model(job, text, self._model)

    async def _with_model(self, job: Job, text: str, model: Model) -> tuple[str, str]:
        """Return the text and the status."""
        if job.stop is not None and self._clock() >= job.stop:
            # It has waited for its turn until now: what only a model would need is not prepared first.
            job.is_late, job.chunks = True, 1
            return await self._without_answer(job, text)
        writer = Writer(model, self._worker, self._work.count, guard=self._settings.guard)
        bounds, chunks = await self._work.run(len(text), self._prepare, job.task, text)
        calls = MapReduce(job, writer, self._prompts, self._work, bounds)
        # Not before: it would take the processor from what the first call waits for.
        async with self._surveyed(text, job.task.brief) as survey:
            try:
                written = await calls.run(chunks, None if job.stop is None else job.stop - self._clock())
            except NothingFromModel:
                return await self._without_answer(job, text)
            summary = await self._guarded(job, await survey, await self._fit(job, written))
        return summary, "partial" if job.without_model else "summarized"

    # --- Before the model --------------------------------------------------------------------------------------

    async def _cleaned(self, job: Job) -> tuple[str, bool]:
        """Drop what no summary is made of. Returns the text, and whether it fits the target now."""
        task = job.task
        cleaning = partial(clean, for_extraction=task.brief.is_extraction)
        cleaned = await self._work.run(len(task.content), cleaning, task.content)
        job.reasons.extend(cleaned.notes)
        fits = (
            bool(cleaned.notes)
            # Of a text that is far too long the tokens are not counted again.
            and len(cleaned.text) <= task.target * LONGEST_TOKEN_CHARS
            and await self._work.count(cleaned.text) <= task.target
        )
        return cleaned.text, fits

    # --- Without the model -------------------------------------------------------------------------------------

    async def _extractive_only(self, job: Job, text: str) -> str:
        job.chunks = job.steps = 1
        summary = await self._extract_whole(job, text)
        job.step("chunks")
        return summary

    async def _extract_whole(self, job: Job, text: str) -> str:
        """Summarize all of the text without the model, and count its facts."""
        task = job.task
        guarded: Guarded = await self._worker(
            guard.extract, text, task.target, task.brief.words, self._tokenizer
        )
        job.facts = Facts(guarded.had, guarded.kept)
        return guarded.text

    async def _without_answer(self, job: Job, text: str) -> tuple[str, str]:
        """Do what ON_FAILURE says; summarize where the model did not fail but only took too long. Returns text and status."""
        why = f"the model gave nothing: {job.why_without_model}"
        job.failed_chunks = job.chunks
        if job.is_late:
            job.reasons.append(f"summarized without the model, since {why}")
            return await self._extract_whole(job, text), "partial"
        if self._settings.on_failure == "error":
            job.reasons.append(why)
            return "", "error"
        if self._settings.on_failure == "extractive":
            job.reasons.append(f"summarized without the model, since {why}")
            return await self._extract_whole(job, text), "partial"
        tool = "summarize_for_extraction" if job.task.brief.is_extraction else "summarize"
        logger.warning("%s_failed_returning_original", tool, extra={"error": job.failures[0].kind})
        job.reasons.append(f"the content came back unchanged, since {why}")
        return job.task.content, "unsummarized"

    # --- With the model ----------------------------------------------------------------------------------------

    def _prepare(self, task: Task, text: str) -> tuple[Bounds, list[Chunk]]:
        """Find the bounds for a text, and cut it into chunks."""
        settings, tokenizer = self._settings, self._tokenizer
        window = Window.beside(tokenizer.count(task.brief.words), settings.context)
        bounds = Bounds(window, length_unit_for(text, tokenizer.count), self._written(task))
        size = window.chunk_size(settings.chunk_size)
        # More than half would multiply the calls.
        overlap = min(settings.overlap, size // 2)
        if task.strategy == "token":
            return bounds, chunking.by_tokens(text, size, overlap, tokenizer)
        layout = chunking.measure(text, size, tokenizer.count_each)
        wanted = chunk_count(layout.tokens, bounds.written, size, settings.concurrency)
        return bounds, chunking.pack(layout, overlap, tokenizer.count_each, wanted)

    def _written(self, task: Task) -> int:
        """Return how many tokens of the target the model may write."""
        if not self._settings.guard:
            return task.target
        share = MODEL_SHARE_OF_FACTS if task.brief.is_extraction else MODEL_SHARE
        return max(1, int(task.target * share))

    # --- Fit ---------------------------------------------------------------------------------------------------

    async def _fit(self, job: Job, text: str) -> str:
        """Return the text in at most the target: whole sentences and lines are left out, and the outcome says so."""
        task = job.task
        tokens = await self._work.count(text)
        if tokens <= task.target:
            return text
        fitted = await self._work.extract(text, task.target, task.brief)
        left_out = tokens - await self._work.count(fitted)
        job.reasons.append(f"{left_out} tokens over the target left out without the model")
        return fitted

    # --- Guard -------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _surveyed(self, text: str, brief: Brief) -> AsyncIterator[asyncio.Task[Survey | None]]:
        """Find out what the text has to say while the model works."""
        survey = asyncio.create_task(self._survey(text, brief))
        try:
            yield survey
        finally:
            survey.cancel()

    async def _survey(self, text: str, brief: Brief) -> Survey | None:
        survey: Survey | None = None
        if self._settings.guard:
            survey = await self._worker(Survey, text, brief.words)
        return survey

    async def _guarded(self, job: Job, survey: Survey | None, text: str) -> str:
        """Put back what the summary lost, as far as the target allows, and count the facts."""
        if survey is None:
            return text
        task = job.task
        if task.brief.is_extraction:
            complete = partial(survey.complete_facts, text, task.target)
        else:
            share = 1.0 if task.brief.words else PUT_BACK_SHARE
            complete = partial(survey.complete, text, task.target, share)
        guarded: Guarded = await self._worker(complete, self._tokenizer)
        if guarded.replaced:
            job.reasons.append(
                f"{guarded.replaced} of the model's lines, about other things, made room for facts that it left out"
            )
        unsupported = await self._work.run(len(task.content), _nowhere, job.inventions, text, task.content)
        job.facts = Facts(
            guarded.had, guarded.kept, guarded.put_back, job.dropped, tuple(map(shown, unsupported))
        )
        return guarded.text


def _nowhere(inventions: Iterable[str], summary: str, content: str) -> list[str]:
    """Return the first few inventions that are in the summary, and in no part of the content."""
    found = (fact for fact in dict.fromkeys(inventions) if fact in summary and fact not in content)
    return list(islice(found, MAX_NAMED))


def _log_completion(outcome: Outcome) -> None:
    # Text that fits already comes back for nothing, and writing a line about that would be a tenth of what it costs; how
    # many such calls there are is at /metrics.
    level = logging.DEBUG if outcome.status == "passthrough" else logging.INFO
    if not logger.isEnabledFor(level):
        return
    # Not its reason and what it names: a provider's message may quote the content, and so does an invention.
    fields = {name: value for name, value in outcome.members().items() if name not in ("reason", "result_id")}
    facts = fields.pop("facts") or {}
    counts = {f"facts_{name}": value for name, value in facts.items() if name != "unsupported"}
    logger.log(
        level, "summarization_complete", extra={"num_chunks": fields.pop("chunks"), **fields, **counts}
    )


if __name__ == "__main__":
    import cli  # the command line builds the parts that this module must not know

    sys.exit(cli.main())
