"""The heart: bypass, clean, map, reduce, fit to the target, and an outcome that says what happened.

Knows nothing of MCP and HTTP. Deterministic work comes first and the model second: what code can do exactly (structure,
repeats, counting, joining) is never asked of a model. Run as a program it is the command line: see command_line/cli.py.

Not here on purpose: a cache of summaries (of the model's answers there is one: provider/response_cache.py), a choice of model per call.
"""

import os
import signal
import sys

if __name__ == "__main__":
    # The imports below take half a second, and Ctrl-C in the middle of one would show its traceback.
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import islice

import chunking
from chunking import Chunk, Layout
from config import Config
from llm import ChatModel, open_model
from observability.tracebacks import forget_frames
from provider.model import Model
from provider.response_cache import CacheBounds, CacheCounts, open_response_cache
from summarizing import long_text
from summarizing.budgets import Window
from summarizing.chunk_plan import Prices, plan_chunks
from summarizing.faithfulness.evidence import shown
from summarizing.head_start import HeadStart
from summarizing.job import TIME_IS_OVER, Facts, Job, Outcome, Progress, Request, Summary, Times, owner_of
from summarizing.long_text import Surveys
from summarizing.map_reduce import Bounds, MapReduce, NothingFromModel
from summarizing.model_writer import Writer
from summarizing.offload import Offload, OutOfTime
from summarizing.prompt_templates import Prompts, Query, length_unit_for
from summarizing.text.tokenizer import LONGEST_TOKEN_CHARS, Tokenizer
from summarizing.text_work import TextWork
from summarizing.tokenizing import Tokenizing

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

# Of that time, a text is cleaned up to here: what is not clean by then is left out, and the rest has as long to be read.
CLEANING_SHARE_OF_TIME = 0.45

# Of that time, without a model or after it, a text is read up to here: the rest is for the choice from what was read.
READING_SHARE_OF_TIME = 0.9

# Work whose time was over before it began, or nearly, gets this much: a short text needs no more.
LEAST_SECONDS = 1.0

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
    on_failure: str
    deadline: float = 0.0
    guard: bool = True  # off, to measure what it does
    prompt_overhead_percent: int = 15


class SummarizationFailed(Exception):
    """The model gave nothing at all, and ON_FAILURE says that this is an error."""


class Overloaded(Exception):
    """The time for the call was over before anything was finished: the service has too much to do just now."""


class Summarizer:
    """Summarizes texts, any number at once. `model` None: the embedded extractive summarizer does the work."""

    def __init__(
        self,
        *,
        settings: Settings,
        tokenizer: Tokenizer,
        prompts: Prompts,
        model: Model | None,
        offload: Offload,
        clock: Callable[[], float],
    ) -> None:
        """`clock` counts seconds as the event loop's does."""
        self._settings = settings
        self._tokenizer = tokenizer
        self._prompts = prompts
        self._model = model
        self._offload = offload
        self._clock = clock

    @property
    def backend(self) -> str:
        """What summarizes: `openrouter` or `extractive`."""
        return "openrouter" if self._model else "extractive"

    async def summarize(
        self, request: Request, progress: Progress = lambda done, total, message: None
    ) -> Summary:
        """Return the content in at most the target's tokens, or unchanged with a status that says so.

        Raises SummarizationFailed where the model gave nothing and ON_FAILURE is `error`, and Overloaded where the time for the
        call was over before anything was finished.
        """
        started = self._clock()
        job = Job(self._with_defaults(request), progress, self._times(request, started))
        work = TextWork(
            self._offload.claim(request.owner, len(request.content), job.times.all), self._tokenizer
        )
        if job.request.strategy != request.strategy:
            job.reasons.append(
                f"unknown strategy {request.strategy[:40]!r}: semantic was used ({' and '.join(STRATEGIES)} are known)"
            )
        tokenizing = Tokenizing(request.content, work)
        try:
            text, status = await self._run(job, work, tokenizing)
            input_tokens = await self._counted(work, request.content, tokenizing.tokens())
        except asyncio.CancelledError as cancelled:
            extra = {"input_tokens": tokenizing.tokens_so_far, "llm_calls": job.llm_calls}
            logger.info("summarization_cancelled", extra=extra)
            forget_frames(cancelled)
            raise
        except OutOfTime:
            raise Overloaded(
                f"{TIME_IS_OVER} before anything was finished: the service has too much to do"
            ) from None
        finally:
            tokenizing.stop()
        outcome = job.outcome(
            status,
            backend=self.backend,
            model=self._model.name if self._model else None,
            input_tokens=input_tokens,
            output_tokens=input_tokens
            if text is request.content
            else await self._counted(work, text, work.count(text)),
            seconds=self._clock() - started,
        )
        _log_completion(outcome)
        if status == "error":
            raise SummarizationFailed(outcome.reason)
        return Summary(text, outcome)

    def _times(self, request: Request, started: float) -> Times:
        """Return when its parts must have ended: the time that a call has waited for its turn is its caller's time too."""
        deadline = self._settings.deadline
        if not (deadline and request.has_deadline):
            return Times()
        since = started if request.arrived is None else request.arrived
        without_model = len(request.content) / CHARS_PER_SECOND
        return Times(
            cleaning=self._at_least(since + deadline * CLEANING_SHARE_OF_TIME),
            model=since + min(deadline * MODEL_SHARE_OF_TIME, deadline - without_model),
            reading=since + deadline * READING_SHARE_OF_TIME,
            all=self._at_least(since + deadline),
        )

    def _at_least(self, until: float | None) -> float | None:
        """Return the end of some work: where that is over already, or nearly, there is a little time for it all the same."""
        return None if until is None else max(until, self._clock() + LEAST_SECONDS)

    async def _counted(self, work: TextWork, text: str, counting: Awaitable[int]) -> int:
        """Return a text's tokens as they are being counted, or count them though the time is over."""
        try:
            return await counting
        except OutOfTime:
            return await work.finish(len(text), self._tokenizer.count, text)

    def _with_defaults(self, request: Request) -> Request:
        strategy = request.strategy if request.strategy in STRATEGIES else "semantic"
        return replace(request, target=request.target or self._settings.default_target, strategy=strategy)

    async def _run(self, job: Job, work: TextWork, tokenizing: Tokenizing) -> tuple[str, str]:
        """Return the text and the status. Raises OutOfTime."""
        request = job.request
        if not await tokenizing.exceeds(request.target):
            return request.content, "passthrough"
        if request.content.isspace():
            job.reasons.append("the content is nothing but white space")
            return "", "passthrough"
        if self._model and request.strategy == "semantic" and not self._is_late_for_model(job):
            tokenizing.begin_measuring(self._window(request).chunk_size(self._settings.chunk_size))
        text, fits = await self._cleaned(job, work)
        if fits:
            await self._tally(job, work, text)
            return text, "partial" if job.is_partial else "summarized"
        if self._model is None:
            summary = await self._extract_whole(job, work, text)
            return summary, "partial" if job.is_late or job.is_partial else "summarized"
        return await self._with_model(job, work, text, tokenizing, self._model)

    def _is_late_for_model(self, job: Job) -> bool:
        return job.times.model is not None and self._clock() >= job.times.model

    async def _with_model(
        self, job: Job, work: TextWork, text: str, tokenizing: Tokenizing, model: Model
    ) -> tuple[str, str]:
        """Return the text and the status. Raises OutOfTime."""
        if self._is_late_for_model(job):
            # It has waited for its turn until now: what only a model would need is not prepared first.
            job.is_late, job.chunks = True, 1
            return await self._without_answer(job, work, text)
        head_start = HeadStart()
        writer = Writer(model, work.worker, work.count, head_start, guard=self._settings.guard)
        layout = await tokenizing.layout_of(text)
        bounds, chunks = await work.run(
            len(text), self._prepare, job.request, text, layout, model.attainable_limit
        )
        calls = MapReduce(job, writer, self._prompts, work, bounds)
        stop = job.times.model
        async with self._surveyed(text, job.request.query, work, head_start) as surveys:
            try:
                written = await calls.run(chunks, None if stop is None else stop - self._clock())
                fitted = await self._fit(job, work, written)
            except NothingFromModel:
                surveys.cancel()  # it would take the processor from what is now done without the model
                return await self._without_answer(job, work, text)
            except OutOfTime:
                fitted = await self._unfinished(job, work, calls.finished())
            summary = await self._guarded(job, work, surveys, fitted)
        return summary, "partial" if job.is_partial else "summarized"

    async def _unfinished(self, job: Job, work: TextWork, texts: Sequence[str]) -> str:
        """Return what the model has written by the end of the time. Raises OutOfTime where that is nothing."""
        if not texts:
            raise OutOfTime
        job.is_late = job.is_partial = True
        came_back = job.chunks - job.failed_chunks
        job.reasons.append(f"{came_back} of {job.chunks} chunks came back, since {TIME_IS_OVER}")
        return await work.within(texts, job.request.target)

    # --- Before the model --------------------------------------------------------------------------------------

    async def _cleaned(self, job: Job, work: TextWork) -> tuple[str, bool]:
        """Drop what no summary is made of. Returns the text, and whether it fits the target now. Raises OutOfTime."""
        request = job.request
        prefix = await long_text.clean(request.content, request.query, work, until=job.times.cleaning)
        cleaned = prefix.cleaned
        if prefix.read < prefix.slices:
            job.is_partial = True
            job.reasons.append(
                f"only the first {prefix.read} of {prefix.slices} parts of the text were read in time (SUMMARIZE_DEADLINE_SECONDS)"
            )
        job.cleaned = cleaned.notes
        fits = (
            bool(cleaned.notes)
            # Of a text that is far too long the tokens are not counted again.
            and len(cleaned.text) <= request.target * LONGEST_TOKEN_CHARS
            and await work.count(cleaned.text) <= request.target
        )
        return cleaned.text, fits

    async def _tally(self, job: Job, work: TextWork, text: str) -> None:
        """Count the facts of a cleaned text that is its own summary, where there is time for that."""
        try:
            job.facts = Facts(*await long_text.tally(text, job.request.query, work))
        except OutOfTime:
            job.reasons.append(f"its facts were not counted, since {TIME_IS_OVER}")

    # --- Without the model -------------------------------------------------------------------------------------

    async def _extract_whole(self, job: Job, work: TextWork, text: str) -> str:
        """Summarize all of the text without the model, or what there is time for, and count its facts. Raises OutOfTime."""
        request = job.request
        extracted = await long_text.extract(
            text,
            request.query,
            request.target,
            work.ending(self._at_least(job.times.all)),
            until=self._at_least(job.times.reading),
            step=job.report_slices_read if self._model is None else _unreported,
        )
        if extracted.read < extracted.slices:
            job.is_late = True
            job.reasons.append(
                f"summarized from the first {extracted.read} of {extracted.slices} parts of the text, since {TIME_IS_OVER}"
            )
        if extracted.facts is None:
            job.is_late = True
            job.reasons.append(
                f"each part that was read has an even share of the summary, since {TIME_IS_OVER}"
            )
        else:
            job.facts = Facts(*extracted.facts)
        return extracted.text

    async def _without_answer(self, job: Job, work: TextWork, text: str) -> tuple[str, str]:
        """Do what ON_FAILURE says; summarize where the model did not fail but only took too long. Returns text and status."""
        never_asked = job.is_late and not job.llm_calls
        why = (
            f"{TIME_IS_OVER} before the model was asked"
            if never_asked
            else f"the model gave nothing: {job.why_without_model}"
        )
        job.failed_chunks = job.chunks
        if job.is_late or self._settings.on_failure == "extractive":
            job.reasons.append(f"summarized without the model, since {why}")
            return await self._extract_whole(job, work, text), "partial"
        job.cleaned = ()  # nothing was dropped from what comes back now
        if self._settings.on_failure == "error":
            job.reasons.append(why)
            return "", "error"
        tool = "summarize_for_extraction" if job.request.query.is_extraction else "summarize"
        logger.warning("%s_failed_returning_original", tool, extra={"error": job.failures[0].kind})
        job.reasons.append(f"the content came back unchanged, since {why}")
        return job.request.content, "unsummarized"

    # --- With the model ----------------------------------------------------------------------------------------

    def _window(self, request: Request) -> Window:
        return Window.for_query(self._tokenizer.count(request.query.words), self._settings.context)

    def _prepare(
        self, request: Request, text: str, layout: Layout | None, concurrency: int
    ) -> tuple[Bounds, list[Chunk]]:
        """Return the bounds for a text, and its chunks; so many calls run at once. `layout` None: it is not measured yet."""
        settings, tokenizer = self._settings, self._tokenizer
        window = self._window(request)
        bounds = Bounds(window, length_unit_for(text, tokenizer.count), self._written(request))
        size = window.chunk_size(settings.chunk_size)
        # More than half would multiply the calls.
        overlap = min(settings.overlap, size // 2)
        if request.strategy == "token":
            return bounds, chunking.by_tokens(text, size, overlap, tokenizer)
        layout = layout or chunking.measure(text, size, tokenizer.count_each)
        prices = Prices.of(self._prompts, request.query, tokenizer, settings.prompt_overhead_percent)
        return bounds, plan_chunks(
            layout, overlap, tokenizer, written=bounds.written, concurrency=concurrency, prices=prices
        )

    def _written(self, request: Request) -> int:
        """Return how many tokens of the target the model may write."""
        if not self._settings.guard:
            return request.target
        share = MODEL_SHARE_OF_FACTS if request.query.is_extraction else MODEL_SHARE
        return max(1, int(request.target * share))

    # --- Fit ---------------------------------------------------------------------------------------------------

    async def _fit(self, job: Job, work: TextWork, text: str) -> str:
        """Return the text in at most the target: whole sentences and lines are left out, and the outcome says so."""
        request = job.request
        tokens = await work.count(text)
        if tokens <= request.target:
            return text
        fitted = await work.extract(text, request.target, request.query)
        left_out = tokens - await work.count(fitted)
        job.reasons.append(f"{left_out} tokens over the target left out without the model")
        return fitted

    # --- Guard -------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _surveyed(
        self, text: str, query: Query, work: TextWork, head_start: HeadStart
    ) -> AsyncIterator[asyncio.Task[Surveys | None]]:
        """Find out what the text has to say while the model works."""
        surveys = asyncio.create_task(self._surveys(text, query, work, head_start))
        # Else asyncio logs what it raises where it is not awaited.
        surveys.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            yield surveys
        finally:
            surveys.cancel()

    async def _surveys(
        self, text: str, query: Query, work: TextWork, head_start: HeadStart
    ) -> Surveys | None:
        if not self._settings.guard:
            return None
        await head_start.wait()
        surveys = Surveys(text, query, work)
        await surveys.begin()
        return surveys

    async def _guarded(
        self, job: Job, work: TextWork, begun: "asyncio.Task[Surveys | None]", text: str
    ) -> str:
        """Put back what the summary lost, as far as the target and the time allow, and count the facts."""
        request = job.request
        share = 1.0 if request.query.words else PUT_BACK_SHARE
        try:
            surveys = await begun
            if surveys is None:
                return text
            guarded = await surveys.complete(text, request.target, share)
            unsupported = await work.run(
                len(request.content), _nowhere, job.inventions, text, request.content
            )
        except OutOfTime:
            job.is_late = job.is_partial = True
            job.reasons.append(f"its facts were not looked after, since {TIME_IS_OVER}")
            return text
        if guarded.replaced:
            job.reasons.append(
                f"{guarded.replaced} of the model's lines, about other things, made room for facts that it left out"
            )
        job.facts = Facts(
            guarded.had, guarded.kept, guarded.put_back, job.dropped, tuple(map(shown, unsupported))
        )
        return guarded.text


def _unreported(slices: int, of: int) -> None:
    """Report nothing: chunks have been counted for the model already."""


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


@asynccontextmanager
async def open_summarizer(
    config: Config,
    offload: Offload,
    tokenizer: Tokenizer,
    *,
    guard: bool = True,
    on_model: Callable[[ChatModel], None] = lambda model: None,
    cache_counts: CacheCounts | None = None,
) -> AsyncIterator[Summarizer]:
    """Open the summarizer with its model, or without where no key is set; close the model's connections after.

    `guard` is switched off to measure what it does. `on_model` is given the model, where there is one; `cache_counts` counts
    the lookups in the response cache.
    """
    settings = Settings(
        chunk_size=config.default_chunk_size_tokens,
        overlap=config.default_chunk_overlap_tokens,
        default_target=config.default_max_output_tokens,
        context=config.llm_context_tokens,
        on_failure=config.on_failure,
        deadline=config.summarize_deadline_seconds,
        guard=guard,
        prompt_overhead_percent=config.llm_prompt_overhead_percent,
    )
    async with AsyncExitStack() as stack:
        model: Model | None = None
        if config.openrouter_api_key:
            client = await stack.enter_async_context(open_model(config))
            on_model(client)
            model = client
            if config.answer_cache_seconds:
                cache = open_response_cache(
                    client,
                    CacheBounds(config.answer_cache_bytes, config.answer_cache_seconds),
                    owner_of=owner_of,
                    clock=time.monotonic,
                    counts=cache_counts or CacheCounts(),
                )
                model = await stack.enter_async_context(cache)
        yield Summarizer(
            settings=settings,
            tokenizer=tokenizer,
            prompts=Prompts.load(),
            model=model,
            offload=offload,
            clock=time.monotonic,
        )


if __name__ == "__main__":
    from command_line import cli  # the command line builds the parts that this module must not know

    sys.exit(cli.main())
