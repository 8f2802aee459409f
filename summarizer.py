"""The heart: pass through or clean, map, reduce, fit, put back lost facts, and an outcome that says what happened.

Knows nothing of MCP and HTTP. Deterministic work comes first and the model second: what code can do exactly (structure,
repeats, counting, joining) is never asked of a model. Run as a program it is the command line: see command_line/cli.py.

Not here on purpose: a cache of summaries (of the model's answers there is one: provider/response_cache.py).
"""

import os
import sys

if __name__ == "__main__":
    # The imports below take half a second; without this, Ctrl-C during them would print a traceback, as it still does earlier,
    # while Python itself starts and compiles this file.
    try:
        import signal

        signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    except KeyboardInterrupt:
        os._exit(130)

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from config import Config
from observability.traceback_release import forget_frames
from provider.model import Model
from provider.response_cache import CacheBounds, CacheCounts, open_response_cache
from summarizing import work_in_slices
from summarizing.budgets import Window
from summarizing.chunk_plan import Cutting, limits_and_chunks
from summarizing.cleaned_content import (
    clean_content,
    search_beside_calls,
    with_facts_counted,
    with_missing_words,
    with_suspicious,
)
from summarizing.content_tokens import ContentTokens
from summarizing.cpu_work import CpuWork, in_background
from summarizing.deadline import TIME_IS_OVER, Deadlines
from summarizing.fact_recovery import PUT_BACK_SHARE, put_back_facts, survey_in_background
from summarizing.faithfulness.provenance import Provenance, trace
from summarizing.job import Job, Request, known_strategy
from summarizing.map_reduce import MapReduce, NothingFromModel
from summarizing.model_calls import CallCounts, ModelCalls
from summarizing.model_writer import ModelWriter
from summarizing.offload import Offload, OutOfTime
from summarizing.outcome import Outcome, Result, Summary, compose_outcome
from summarizing.progress import Progress, Steps
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from summarizing.slice_readings import SliceReadings
from summarizing.text.tokenizer import Tokenizer
from summarizing.without_model import summarize_without_model

logger = logging.getLogger(__name__)

# The share of the target that the model may write where something is asked for. The rest, and what the model leaves free, is for facts that
# it loses: they are put back verbatim. What other shares keep is in docs/experiments.md.
MODEL_SHARE = 0.9

# 128 bits cannot be guessed. New ones with every start cost no cached answers: the response cache is as new.
MARKER_KEY_BYTES = 16

# Tracing is one piece of work, which other long texts wait for: at most a second of a core for this much.
MAX_TRACED_CHARS = 1_000_000
MAX_TRACING_SECONDS = 20.0

# These quote the content or the query; of suspicious passages the number is enough.
_NOT_LOGGED = ("reason", "result_id", "suspicious", "found_words", "missing_words")


@dataclass(frozen=True, slots=True)
class Settings:
    """The service's settings for the summarizer; sizes in tokens. `deadline` is in seconds, 0: none."""

    chunk_size: int
    overlap: int
    default_target: int
    context: int
    on_failure: str
    deadline: float = 0.0
    guard: bool = True  # answers are checked, and lost facts put back; off only where the bench measures that
    prompt_overhead_percent: int = 15
    drops_suspicious: bool = False


class TooLargeToTrace(Exception):
    """The content is too long to say where its summary comes from. The message is for the caller."""


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
        offload: Offload,
        clock: Callable[[], float],
    ) -> None:
        """`clock`: the service's, in seconds; it must be the event loop's too, as time.monotonic is."""
        self._settings = settings
        self._tokenizer = tokenizer
        self._prompts = prompts
        self._model = model
        self._offload = offload
        self._clock = clock

    @property
    def context_tokens(self) -> int:
        """The model's context window (LLM_CONTEXT_TOKENS)."""
        return self._settings.context

    @property
    def backend(self) -> str:
        """What summarizes: `openrouter` or `extractive`."""
        return "openrouter" if self._model else "extractive"

    async def summarize(
        self, request: Request, progress: Progress = lambda done, total, message: None
    ) -> Summary:
        """Return the content in at most the target's tokens, or unchanged with a status that says so.

        Raises SummarizationFailed where the model gave nothing and ON_FAILURE is `error`, and OutOfTime where the job's
        time was over before anything was finished.
        """
        started = self._clock()
        strategy, strategy_note = known_strategy(request.strategy)
        job = self._job(request, strategy, progress, started)
        content_tokens = ContentTokens(request.content, job.work)
        try:
            result = await self._pass_through_or_summarize(job, content_tokens)
            input_tokens = await job.work.count_past_deadline(request.content, content_tokens.tokens())
        except asyncio.CancelledError as cancelled:
            extra = {"input_tokens": content_tokens.tokens_so_far, "llm_calls": _call_counts(job).requests}
            logger.info("summarization_cancelled", extra=extra)
            forget_frames(cancelled)  # they hold the content
            raise
        except OutOfTime:
            raise OutOfTime(
                f"{TIME_IS_OVER} before anything was finished: the service has too much to do"
            ) from None
        finally:
            content_tokens.stop()
        output_tokens = input_tokens if result.text is request.content else result.tokens
        if output_tokens is None:
            output_tokens = await job.work.count_past_deadline(result.text, job.work.count(result.text))
        outcome = compose_outcome(
            result._replace(reasons=(*request.content_notes, *strategy_note, *result.reasons)),
            strategy,
            _call_counts(job),
            backend=self.backend,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            seconds=self._clock() - started,
        )
        _log_completion(outcome)
        if result.status == "error":
            raise SummarizationFailed(outcome.reason)
        return Summary(result.text, outcome)

    async def trace(self, request: Request, summary: str) -> Provenance:
        """Return where a summary of a request's content comes from. Raises OutOfTime, and TooLargeToTrace."""
        chars = len(request.content)
        if chars > MAX_TRACED_CHARS:
            raise TooLargeToTrace(
                f"provenance: expected a content of at most {MAX_TRACED_CHARS:,} characters, got {chars:,}"
            )
        threads = self._offload.threads_for(request.owner, chars, self._clock() + MAX_TRACING_SECONDS)
        return await threads.run(trace, request.content, summary, request.query.words, self._tokenizer)

    def _job(self, request: Request, strategy: str, progress: Progress, now: float) -> Job:
        """Return the job of a request, with a known strategy and the default for a missing target."""
        seconds, chars = self._settings.deadline, len(request.content)
        arrived = now if request.arrived is None else request.arrived
        has_deadline = seconds and request.has_deadline
        deadlines = Deadlines.of(seconds, arrived, now, chars) if has_deadline else Deadlines()
        threads = self._offload.threads_for(request.owner, chars, deadlines.whole_job)
        return Job(
            request=replace(
                request, strategy=strategy, target=request.target or self._settings.default_target
            ),
            deadlines=deadlines,
            steps=Steps(progress),
            work=CpuWork(threads, self._tokenizer),
            calls=ModelCalls(self._model, request.owner, request.model, request.observe)
            if self._model
            else None,
            window=Window.for_query(
                self._query_tokens(request.query), self._settings.context, request.most_answer_tokens
            ),
        )

    def _query_tokens(self, query: Query) -> int:
        return self._tokenizer.count(query.words) + (query.tool_call.tokens if query.tool_call else 0)

    async def _pass_through_or_summarize(self, job: Job, content_tokens: ContentTokens) -> Result:
        """Return a content's summary, or the content itself where it fits. Raises OutOfTime."""
        request = job.request
        is_over = await content_tokens.measure_against(request.target, self._chunk_size_for_layout(job))
        if not is_over:
            searched = await work_in_slices.search_for_suspicious(request.content, job.work)
            return with_suspicious(Result(request.content, "passthrough"), searched)
        if request.content.isspace():
            return Result("", "passthrough", reasons=("the content is nothing but white space",))
        searching = in_background(search_beside_calls(job))
        try:
            result = await self._summarize_long(job, content_tokens)
            return with_suspicious(result, await searching)
        finally:
            searching.cancel()

    async def _summarize_long(self, job: Job, content_tokens: ContentTokens) -> Result:
        """Return the summary of a content that does not fit. Raises OutOfTime."""
        cleaned = await clean_content(job, drops_suspicious=self._settings.drops_suspicious)
        if cleaned.fitting_tokens is not None:
            if job.calls is not None:
                job.calls.head_start.end()
            fitting = Result(cleaned.text, "summarized", cleaned.fitting_tokens)
            return cleaned.notes_added_to(await with_facts_counted(job, fitting))
        if job.calls is None:
            result = await summarize_without_model(job, cleaned.text, self._clock())
        else:
            try:
                result = await self._summarize_with_model(job, job.calls, cleaned.text, content_tokens)
            except NothingFromModel as nothing:
                job.calls.head_start.end()
                forget_frames(nothing)
                result = await self._fall_back(job, cleaned.text, nothing)
        return cleaned.notes_added_to(await with_missing_words(job, cleaned, result))

    def _chunk_size_for_layout(self, job: Job) -> int:
        """Return the chunk size for which a large content is measured in the background; 0 where no chunks will be needed."""
        needs_layout = job.calls and job.request.strategy == "semantic" and not self._is_late_for_model(job)
        return job.window.chunk_size(self._settings.chunk_size) if needs_layout else 0

    def _is_late_for_model(self, job: Job) -> bool:
        return job.deadlines.model is not None and self._clock() >= job.deadlines.model

    async def _summarize_with_model(
        self, job: Job, calls: ModelCalls, text: str, content_tokens: ContentTokens
    ) -> Result:
        """Have the model summarize a text, and put back what it left out. Raises NothingFromModel, OutOfTime."""
        if self._is_late_for_model(job):
            # The job's time was used up in the queue: preparing calls to the model would be in vain. There are no chunks yet: the
            # outcome counts the whole text as one failed chunk.
            raise NothingFromModel(f"{TIME_IS_OVER} before the model was asked", chunks=1, is_late=True)
        readings = SliceReadings(text, job.work)
        writer = ModelWriter(calls, job.work, self._prompts, readings, guard=self._settings.guard)
        layout = await content_tokens.layout_of(text)
        cutting = self._cutting(job, calls.expected_concurrency)
        limits, chunks = await job.work.run(
            len(text), limits_and_chunks, text, layout, cutting, self._prompts, self._tokenizer
        )
        map_reduce = MapReduce(job, calls, writer, limits)
        # If the model gives nothing, the survey ends with this block, and leaves the processor to the summary without a model.
        async with survey_in_background(job, calls, readings, guard=self._settings.guard) as surveying:
            try:
                written = await map_reduce.run(chunks)
                fitted = await self._fit(job, written)
            except OutOfTime:
                fitted = await map_reduce.finished_in_time()
            # Chunks of a sentence or two need no call. Without any call the head start never ends, and the survey and the search
            # for suspicious passages wait for that.
            calls.head_start.end()
            return await put_back_facts(job, surveying, fitted, writer)

    # --- Without the model -------------------------------------------------------------------------------------

    async def _fall_back(self, job: Job, text: str, nothing: NothingFromModel) -> Result:
        """Do what the request says, or else ON_FAILURE, but for a model that was only too slow: then without it. Raises OutOfTime."""
        by_default = "extractive" if nothing.is_late else self._settings.on_failure
        on_failure = job.request.on_failure or by_default
        if on_failure == "extractive":
            summarized = await summarize_without_model(job, text, self._clock())
            why = f"summarized without the model, since {nothing}"
            result = summarized._replace(status="partial", reasons=(why, *summarized.reasons))
        elif on_failure == "error":
            result = Result("", "error", reasons=(str(nothing),))
        else:
            tool = "summarize_for_extraction" if job.request.query.wants_facts else "summarize"
            logger.warning("%s_failed_returning_original", tool, extra={"error": nothing.kind})
            why = f"the content came back unchanged, since {nothing}"
            result = Result(job.request.content, "unsummarized", reasons=(why,))
        return result._replace(chunks=nothing.chunks, failed_chunks=nothing.chunks)

    # --- With the model ----------------------------------------------------------------------------------------

    def _cutting(self, job: Job, concurrency: int) -> Cutting:
        request, settings = job.request, self._settings
        return Cutting(
            query=request.query,
            window=job.window,
            strategy=request.strategy,
            size=job.window.chunk_size(settings.chunk_size),
            overlap=settings.overlap,
            overhead_percent=settings.prompt_overhead_percent,
            tokens_to_write=self._tokens_to_write(request),
            concurrency=concurrency,
        )

    def _tokens_to_write(self, request: Request) -> int:
        """Return how many tokens of the target the model may write."""
        if not self._settings.guard:
            return request.target
        share = MODEL_SHARE if request.query.words else 1 - PUT_BACK_SHARE
        return max(1, int(request.target * share))

    # --- Fit ---------------------------------------------------------------------------------------------------

    async def _fit(self, job: Job, written: Result) -> Result:
        """Fit the text to the target by leaving out whole sentences and lines. Raises OutOfTime."""
        request, tokens = job.request, written.tokens
        if tokens is None:
            tokens = await job.work.count(written.text)
        if tokens <= request.target:
            return written._replace(tokens=tokens)
        text = await job.work.extractive_summary(written.text, request.target, request.query)
        left = await job.work.count(text)
        why = f"{tokens - left} tokens over the target left out without the model"
        return written.because(why, text=text, tokens=left)


def _call_counts(job: Job) -> CallCounts:
    return job.calls.counts if job.calls else CallCounts()


def _log_completion(outcome: Outcome) -> None:
    # A passthrough is not logged by default: the line would be a tenth of the call's cost, and /metrics counts such calls.
    level = logging.DEBUG if outcome.status == "passthrough" else logging.INFO
    if not logger.isEnabledFor(level):
        return
    fields = {name: value for name, value in outcome.members().items() if name not in _NOT_LOGGED}
    facts = fields.pop("facts") or {}
    counts = {f"facts_{name}": value for name, value in facts.items() if name != "unsupported"}
    logger.log(
        level, "summarization_complete", extra={"num_chunks": fields.pop("chunks"), **fields, **counts}
    )


@asynccontextmanager
async def open_summarizer(
    config: Config,
    model: Model | None,
    offload: Offload,
    tokenizer: Tokenizer,
    *,
    guard: bool = True,
    cache_counts: CacheCounts | None = None,
) -> AsyncIterator[Summarizer]:
    """Open the summarizer over a model, with the response cache in between; `model` None: without.

    `model` is a `ChatModel` (llm.py). `guard` is switched off to measure what it does. `cache_counts` counts the lookups in the
    response cache.
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
        drops_suspicious=config.suspicious_passages == "drop",
    )
    async with AsyncExitStack() as stack:
        if model and config.answer_cache_seconds:
            cache = open_response_cache(
                model,
                CacheBounds(config.answer_cache_bytes, config.answer_cache_seconds),
                clock=time.monotonic,
                counts=cache_counts or CacheCounts(),
            )
            model = await stack.enter_async_context(cache)
        yield Summarizer(
            settings=settings,
            tokenizer=tokenizer,
            prompts=Prompts.load(key=secrets.token_bytes(MARKER_KEY_BYTES)),
            model=model,
            offload=offload,
            clock=time.monotonic,
        )


if __name__ == "__main__":
    from command_line import cli  # the command line builds the parts that this module must not know

    sys.exit(cli.main())
