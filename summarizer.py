"""The heart: bypass, clean, map, reduce, fit to the target, and an outcome that says what happened.

Knows nothing of MCP and HTTP. Deterministic work comes first and the model second: what code can do exactly (structure,
repeats, counting, joining) is never asked of a model. Run as a program it is the command line: see cli.py.

Not here on purpose: a cache of summaries (of the model's answers there is one: answers.py), a choice of model per call.
"""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import chunking
import extractive
import guard
from chunking import Chunk
from cleaning import clean
from evidence import shown
from guard import Guarded, Survey
from job import Facts, Job, Outcome, Progress, Summary, Task
from joining import has_facts, join
from llm import ModelError
from planning import Group, Window, plan_groups, share_out
from prompting import Brief, LengthUnit, Prompt, Prompts, length_unit_for
from tokens import Tokenizer
from writing import Model, Said, Source, Worker, Writer, refused

logger = logging.getLogger(__name__)

T = TypeVar("T")

STRATEGIES = ("semantic", "token")

# Counting this much takes about a millisecond: cheaper than handing it to a worker and back.
INLINE_CHARS = 10_000

# Less than a sentence or two is not worth a call: it stays as it is.
TINY_CHUNK_TOKENS = 20

# So little over the target is shortened by code, which keeps whole sentences, rather than by another round of calls.
SMALL_OVERSHOOT = 1.25

# A pass of reduce that shrinks less than this is not worth its calls.
LEAST_SHRINK = 0.95

# What the model may write of the target: the rest is for facts that it loses, which come back word for word. A small
# model loses more than half of those that a schema asks for.
MODEL_SHARE = 0.75
MODEL_SHARE_OF_FACTS = 0.6

# Where nothing was asked for, any fact may matter; this much of the target is enough for what the model left out.
PUT_BACK_SHARE = 0.25

# An outcome names so many inventions.
MAX_NAMED = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """What the summarizer is told by the service; sizes in tokens."""

    chunk_size: int
    overlap: int
    default_target: int
    context: int
    concurrency: int
    on_failure: str
    guard: bool = True  # off, to measure what it does


class SummarizationFailed(Exception):
    """The model gave nothing at all, and ON_FAILURE says that this is an error."""


class _NothingFromModel(Exception):
    """Every chunk failed."""


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The context window that a job's prompts leave, and the unit in which lengths are stated to the model."""

    window: Window
    unit: LengthUnit


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
        job = Job(self._completed(task), progress)
        if job.task.strategy != task.strategy:
            job.reasons.append(
                f"unknown strategy {task.strategy[:40]!r}: semantic was used ({' and '.join(STRATEGIES)} are known)"
            )
        input_tokens = await self._count(task.content)
        try:
            text, status = await self._run(job, input_tokens)
        except asyncio.CancelledError:
            logger.info(
                "summarization_cancelled", extra={"input_tokens": input_tokens, "llm_calls": job.llm_calls}
            )
            raise
        outcome = job.outcome(
            status,
            backend=self.backend,
            model=self._model.name if self._model else None,
            input_tokens=input_tokens,
            output_tokens=input_tokens if text is task.content else await self._count(text),
            seconds=self._clock() - started,
        )
        _log_completion(outcome)
        if status == "error":
            raise SummarizationFailed(outcome.reason)
        return Summary(text, outcome)

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
        writer = Writer(self._model, self._worker, self._count, guard=self._settings.guard)
        async with self._surveyed(text, task.brief) as survey:
            try:
                summary = await self._map_reduce(job, writer, text)
            except _NothingFromModel:
                return await self._without_answer(job, text)
            summary = await self._guarded(job, await survey, summary)
        return summary, "partial" if job.without_model else "summarized"

    # --- Before the model --------------------------------------------------------------------------------------

    async def _cleaned(self, job: Job) -> tuple[str, bool]:
        """Drop what no summary is made of. Returns the text, and whether it fits the target now."""
        task = job.task
        cleaning = partial(clean, for_extraction=task.brief.is_extraction)
        cleaned = await self._off_loop(len(task.content), cleaning, task.content)
        job.reasons.extend(cleaned.notes)
        return cleaned.text, bool(cleaned.notes) and await self._count(cleaned.text) <= task.target

    def _prepare(self, task: Task, text: str) -> tuple[_Bounds, list[Chunk]]:
        """Find the bounds for a text, and cut it into chunks."""
        settings, tokenizer = self._settings, self._tokenizer
        window = Window.beside(tokenizer.count(task.brief.words), settings.context)
        bounds = _Bounds(window, length_unit_for(text, tokenizer.count))
        size = window.chunk_size(settings.chunk_size)
        # More than half would multiply the calls.
        overlap = min(settings.overlap, size // 2)
        if task.strategy == "token":
            return bounds, chunking.by_tokens(text, size, overlap, tokenizer)
        layout = chunking.measure(text, size, tokenizer.count_each)
        return bounds, chunking.pack(layout, overlap, tokenizer.count_each)

    # --- Without the model -------------------------------------------------------------------------------------

    async def _extract(self, text: str, target: int, brief: Brief) -> str:
        summary: str = await self._worker(extractive.summarize, text, target, brief.words, self._tokenizer)
        return summary

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
        """Do what ON_FAILURE says. Returns text and status."""
        why = f"the model gave nothing: {job.main_error}"
        job.failed_chunks = job.chunks
        if self._settings.on_failure == "error":
            job.reasons.append(why)
            return "", "error"
        if self._settings.on_failure == "extractive":
            job.reasons.append(f"summarized without the model, since {why}")
            return await self._extract_whole(job, text), "partial"
        tool = "summarize_for_extraction" if job.task.brief.is_extraction else "summarize"
        logger.warning("%s_failed_returning_original", tool, extra={"error": job.errors[0].kind})
        job.reasons.append(f"the content came back unchanged, since {why}")
        return job.task.content, "unsummarized"

    # --- Map ---------------------------------------------------------------------------------------------------

    async def _map_reduce(self, job: Job, writer: Writer, text: str) -> str:
        bounds, chunks = await self._off_loop(len(text), self._prepare, job.task, text)
        budgets = share_out(self._written(job), [chunk.tokens for chunk in chunks])
        job.chunks = job.steps = len(chunks)
        logger.info(
            "map_phase_started",
            extra={
                "input_tokens": sum(chunk.tokens for chunk in chunks),
                "num_chunks": len(chunks),
                "strategy": job.task.strategy,
                "max_tokens_per_chunk": max(budgets),
                "model": writer.name,
            },
        )
        answers = await self._map(job, writer, bounds, chunks, budgets)
        parts = await self._fill_gaps(job, chunks, budgets, answers)
        return await self._reduce(job, writer, bounds, [part for part in parts if part])

    async def _map(
        self, job: Job, writer: Writer, bounds: _Bounds, chunks: list[Chunk], budgets: list[int]
    ) -> list[str | None]:
        """Summarize the chunks in parallel; None stands where one failed. Raises _NothingFromModel."""
        answers: list[str | None] = [None] * len(chunks)
        brief = job.task.brief

        async def summarize_chunk(index: int) -> None:
            chunk, budget = chunks[index], budgets[index]
            if chunk.tokens <= max(budget, TINY_CHUNK_TOKENS):
                answers[index] = chunk.text.strip()
                job.step("chunks")
                return
            length = bounds.unit.length(budget)

            def prompt(content: str) -> Prompt:
                return self._prompts.map(content, chunk.breadcrumb, brief, length)

            max_tokens = bounds.window.answer_limit(budget, chunk.tokens)
            source = Source(chunk.lead + chunk.text, brief.words, " ".join(chunk.breadcrumb))
            said = await writer.write(job, prompt, max_tokens, source)
            # That nothing matches is an answer for a chunk; for facts that were found it would be none.
            nothing = brief.is_extraction and not said.dropped and not await self._has_facts(said)
            answers[index] = "" if nothing else await writer.accepted(job, said, budget, chunk.tokens)
            job.step("chunks")

        await self._run_all(job, [partial(summarize_chunk, index) for index in range(len(chunks))])
        if all(answer is None for answer in answers):
            raise _NothingFromModel
        return answers

    async def _fill_gaps(
        self, job: Job, chunks: list[Chunk], budgets: list[int], answers: Sequence[str | None]
    ) -> list[str]:
        """Summarize without the model the chunks that failed with it; and all where it found nothing in any."""
        failed = [index for index, answer in enumerate(answers) if answer is None]
        parts = [answer or "" for answer in answers]
        if failed:
            job.reasons.append(
                f"{len(failed)} of {len(chunks)} chunks summarized without the model: {job.main_error}"
            )
        for index in failed:
            parts[index] = await self._extract(chunks[index].text, budgets[index], job.task.brief)
            job.step("chunks")
        job.failed_chunks = len(failed)
        job.without_model = bool(failed)
        if not any(parts):
            job.without_model = True
            job.reasons.append("summarized without the model, which found nothing that matches")
            text = "".join(chunk.text for chunk in chunks)
            parts = [await self._extract(text, job.task.target, job.task.brief)]
        return parts

    # --- Reduce ------------------------------------------------------------------------------------------------

    async def _reduce(self, job: Job, writer: Writer, bounds: _Bounds, parts: list[str]) -> str:
        """Join the parts and, while they are well over the target, merge neighbours, level by level."""
        target, brief = job.task.target, job.task.brief
        text = await self._joined(parts, brief)
        tokens = await self._count(text)
        while tokens > target * SMALL_OVERSHOOT and len(parts) > 1 and not job.is_hopeless:
            job.passes += 1
            logger.info(
                "reduce_pass", extra={"pass": job.passes, "combined_tokens": tokens, "target": target}
            )
            merged = await self._merge_pass(job, writer, bounds, parts)
            merged_text = await self._joined(merged, brief)
            merged_tokens = await self._count(merged_text)
            if merged_tokens > tokens * LEAST_SHRINK:
                break
            parts, text, tokens = merged, merged_text, merged_tokens
        return await self._fit(job, text, tokens)

    async def _merge_pass(self, job: Job, writer: Writer, bounds: _Bounds, parts: list[str]) -> list[str]:
        brief = job.task.brief
        sizes = await self._off_loop(sum(map(len, parts)), self._tokenizer.count_each, parts)
        groups = plan_groups(sizes, self._written(job), bounds.window.merge_size())
        merged = [parts[group.start : group.stop] for group in groups]
        shared = [index for index, members in enumerate(merged) if len(members) > 1]
        job.steps += len(shared)

        async def merge(index: int, group: Group) -> None:
            length = bounds.unit.length(group.budget)
            prompt = partial(self._prompts.merge, brief=brief, length=length)
            max_tokens = bounds.window.answer_limit(group.budget, group.tokens)
            source = Source(await self._joined(merged[index], brief), brief.words)
            said = await writer.write(job, prompt, max_tokens, source)
            if brief.is_extraction and not await self._has_facts(said):
                raise refused(said, "the model's answer has none of the facts that it was to join")
            merged[index] = [await writer.accepted(job, said, group.budget, group.tokens)]
            job.step("chunks and merges")

        await self._run_all(job, [partial(merge, index, groups[index]) for index in shared])
        failed = sum(len(members) > 1 for members in merged)
        for _ in range(failed):
            job.step("chunks and merges")
        if failed:
            job.without_model = True
            job.reasons.append(f"{failed} of {len(shared)} merges failed: {job.errors[-1]}")
        return [part for members in merged for part in members]

    async def _run_all(self, job: Job, calls: Sequence[Callable[[], Awaitable[None]]]) -> None:
        """Run calls to the model side by side; where one shows that none can succeed, cancel the outstanding ones."""
        # No more are begun than can run at once: while some wait for a retry, the others of the job leave the provider
        # alone, and their places go to other jobs.
        begun = asyncio.Semaphore(self._settings.concurrency)

        async def run(call: Callable[[], Awaitable[None]]) -> None:
            async with begun:
                try:
                    await call()
                except ModelError as error:
                    job.errors.append(error)
                    logger.warning("llm_call_failed", extra={"error": error.kind})
                    if job.is_hopeless:
                        raise

        try:
            async with asyncio.TaskGroup() as group:
                for call in calls:
                    group.create_task(run(call))
        except* ModelError:
            pass  # the job has it, and what the others had finished

    # --- Fit ---------------------------------------------------------------------------------------------------

    async def _fit(self, job: Job, text: str, tokens: int) -> str:
        """Return the text in at most the target: whole sentences and lines are left out, and the outcome says so."""
        target = job.task.target
        if tokens <= target:
            return text
        fitted = await self._extract(text, target, job.task.brief)
        job.reasons.append(
            f"{tokens - await self._count(fitted)} tokens over the target left out without the model"
        )
        return fitted

    # --- Guard -------------------------------------------------------------------------------------------------

    def _written(self, job: Job) -> int:
        """Return how many tokens of the target the model may write."""
        if not self._settings.guard:
            return job.task.target
        share = MODEL_SHARE_OF_FACTS if job.task.brief.is_extraction else MODEL_SHARE
        return max(1, int(job.task.target * share))

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
        unsupported = await self._off_loop(len(task.content), _nowhere, job.inventions, text, task.content)
        job.facts = Facts(
            guarded.had, guarded.kept, guarded.put_back, job.dropped, tuple(map(shown, unsupported))
        )
        return guarded.text

    # --- Sums --------------------------------------------------------------------------------------------------

    async def _count(self, text: str) -> int:
        count: int = await self._off_loop(len(text), self._tokenizer.count, text)
        return count

    async def _joined(self, parts: list[str], brief: Brief) -> str:
        return await self._off_loop(sum(map(len, parts)), join, parts, brief)

    async def _has_facts(self, said: Said) -> bool:
        return await self._off_loop(len(said.text), has_facts, said.text)

    async def _off_loop(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        if size <= INLINE_CHARS:
            return function(*arguments)
        result: T = await self._worker(function, *arguments)
        return result


def _nowhere(inventions: Iterable[str], summary: str, content: str) -> list[str]:
    """Return the first few inventions that are in the summary, and in no part of the content."""
    found = (fact for fact in dict.fromkeys(inventions) if fact in summary and fact not in content)
    return list(islice(found, MAX_NAMED))


def _log_completion(outcome: Outcome) -> None:
    # Not its reason and what it names: a provider's message may quote the content, and so does an invention.
    fields = {name: value for name, value in asdict(outcome).items() if name not in ("reason", "result_id")}
    facts = fields.pop("facts") or {}
    counts = {f"facts_{name}": value for name, value in facts.items() if name != "unsupported"}
    logger.info("summarization_complete", extra={"num_chunks": fields.pop("chunks"), **fields, **counts})


if __name__ == "__main__":
    import cli  # the command line builds the parts that this module must not know

    sys.exit(cli.main())
