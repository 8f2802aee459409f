"""One job's calls to the model: each chunk summarized, neighbours merged as soon as they are there and must be.

What will be called is planned before the first call (summarizing/budgets.py). No call is begun, or waited for, where none can succeed
or the job's time is over: what was finished by then is kept, and the rest is summarized without the model.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from chunking import Chunk
from observability.tracebacks import forget_frames
from provider.model import ModelError, Refused
from summarizing.budgets import TINY_CHUNK_TOKENS, Group, Plan, Window, is_too_long, plan_groups
from summarizing.job import CallFailure, Job
from summarizing.model_writer import Source, Writer, refused
from summarizing.offload import OutOfTime
from summarizing.prompt_templates import LengthUnit, Prompt, Prompts
from summarizing.text_work import TextWork

logger = logging.getLogger(__name__)

# A pass of reduce that shrinks less than this is not worth its calls.
LEAST_SHRINK = 0.95


Call = Callable[[], Awaitable[None]]


class NothingFromModel(Exception):
    """The model summarized no chunk."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a job's calls keep to: the window that its prompts leave, the unit in which lengths are stated, tokens to write."""

    window: Window
    unit: LengthUnit
    written: int


@dataclass(eq=False, slots=True)
class _Part:
    """A chunk and what was written of it: None until then, and where the model failed."""

    chunk: Chunk
    budget: int
    text: str | None = None
    tokens: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)


class MapReduce:
    """The map and the reduce of one job. Used once."""

    def __init__(self, job: Job, writer: Writer, prompts: Prompts, work: TextWork, bounds: Bounds) -> None:
        self._job = job
        self._writer = writer
        self._prompts = prompts
        self._work = work
        self._bounds = bounds
        self._end: float | None = None
        self._parts: list[_Part] = []
        # Neighbours to merge as soon as they are there, and what has come of it.
        self._early: list[Group] = []
        self._merged: dict[Group, str] = {}
        # Set once it is known whether what the chunks give must be merged: early, where it must whatever comes.
        self._decided = asyncio.Event()
        self._must_merge = False
        self._is_stuck = False

    async def run(self, chunks: Sequence[Chunk], seconds: float | None) -> str:
        """Return one text, longer than the target only by what code will shorten best. Raises NothingFromModel.

        After so many seconds no call is begun or waited for; None: the job takes its time.
        """
        if seconds is not None:
            self._end = asyncio.get_running_loop().time() + seconds
        self._plan(chunks)
        # Places are given out in the order in which they are asked for: what takes longest begins first.
        longest_first = sorted(self._parts, key=lambda part: -part.budget)
        map_calls = [partial(self._summarize, part) for part in longest_first]
        merge_calls = [partial(self._merge_once_there, group) for group in self._early]
        await self._side_by_side([*map_calls, *merge_calls])
        return await self._reduced(await self._written())

    def _plan(self, chunks: Sequence[Chunk]) -> None:
        job, bounds = self._job, self._bounds
        sizes = [chunk.tokens for chunk in chunks]
        plan = Plan.of(sizes, bounds.written, job.request.target, bounds.window.merge_size())
        self._parts = [_Part(chunk, budget) for chunk, budget in zip(chunks, plan.budgets, strict=True)]
        # Facts are merged by code first, for which all of them must be there, and which may be enough.
        if plan.merges and not job.request.query.is_extraction:
            self._early = [group for group in plan.merges[0] if group.is_shared]
        job.chunks = job.steps = len(chunks)
        logger.info(
            "map_phase_started",
            extra={
                "input_tokens": sum(sizes),
                "num_chunks": len(chunks),
                "strategy": job.request.strategy,
                "max_tokens_per_chunk": max(plan.budgets),
                "planned_calls": plan.calls,
                "model": self._writer.name,
            },
        )

    async def _side_by_side(self, calls: Iterable[Call]) -> None:
        """Make calls to the model. When the time is over, or none can succeed any more, those without an answer end."""
        loop = asyncio.get_running_loop()
        if self._end is not None and loop.time() >= self._end:
            self._job.is_late = True  # else each of them would begin before it ends
            return
        alarm = loop.call_at(self._end, self._be_late) if self._end is not None else None
        try:
            async with asyncio.TaskGroup() as group:
                for call in calls:
                    group.create_task(self._one(call))
        finally:
            if alarm is not None:
                alarm.cancel()

    def _be_late(self) -> None:
        self._job.is_late = True
        self._job.stop_asking()

    async def _one(self, call: Call) -> None:
        try:
            await call()
        except OutOfTime:
            self._job.is_late = True
        except ModelError as error:
            self._job.failures.append(CallFailure.of(error))
            forget_frames(error)
            if self._job.is_hopeless:
                self._job.stop_asking()
        except asyncio.CancelledError as cancelled:
            forget_frames(cancelled)
            raise

    # --- Map ---------------------------------------------------------------------------------------------------

    async def _summarize(self, part: _Part) -> None:
        """Have the model summarize a chunk. Raises ModelError."""
        chunk, budget = part.chunk, part.budget
        try:
            if chunk.tokens <= max(budget, TINY_CHUNK_TOKENS):
                part.text = chunk.text.strip()
            else:
                part.text = await self._summary_of(chunk, budget)
            part.tokens = await self._work.count(part.text)
            self._job.step("chunks")
        finally:
            part.done.set()
            self._decide()

    async def _summary_of(self, chunk: Chunk, budget: int) -> str:
        query = self._job.request.query
        length = self._bounds.unit.length(budget)

        def prompt(content: str) -> Prompt:
            return self._prompts.map(content, chunk.breadcrumb, query, length)

        max_tokens = self._bounds.window.answer_limit(budget, chunk.tokens)
        source = Source(chunk.lead + chunk.text, query.words, " ".join(chunk.breadcrumb))
        said = await self._writer.write(self._job, prompt, max_tokens, source)
        # That nothing matches is an answer for a chunk; for facts that were found it would be none.
        if query.is_extraction and not said.dropped and not await self._work.has_facts(said.text):
            return ""
        return await self._writer.accepted(self._job, said, budget, chunk.tokens)

    def finished(self) -> list[str]:
        """Return what there is of the chunks so far, in their order; the others count as failed."""
        self._job.failed_chunks += sum(part.text is None for part in self._parts)
        return [part.text for part in self._parts if part.text]

    async def _text_of(self, part: _Part) -> str:
        """Return what was written of a chunk; where the model failed, that is done now, without it. Raises OutOfTime."""
        if part.text is None:
            part.text = await self._work.extract(part.chunk.text, part.budget, self._job.request.query)
            self._job.failed_chunks += 1
            self._job.step("chunks")
        return part.text

    async def _written(self) -> list[str]:
        """Return what there is after the map, in its order. Raises NothingFromModel."""
        job = self._job
        if all(part.text is None for part in self._parts):
            raise NothingFromModel
        texts = [await self._text_of(part) for part in self._parts]
        if job.failed_chunks:
            job.is_partial = True
            job.reasons.append(
                f"{job.failed_chunks} of {len(texts)} chunks summarized without the model: {job.why_without_model}"
            )
        if not any(texts):
            return [await self._nothing_matched()]
        return await self._with_merges(texts) if self._must_merge and self._early else texts

    async def _nothing_matched(self) -> str:
        job = self._job
        job.is_partial = True
        job.reasons.append("summarized without the model, which found nothing that matches")
        text = "".join(part.chunk.text for part in self._parts)
        return await self._work.extract(text, job.request.target, job.request.query)

    # --- Merges that do not wait for the last chunk ------------------------------------------------------------

    def _decide(self) -> None:
        """Find out whether what is written must be merged, as soon as that is certain."""
        if self._decided.is_set():
            return
        self._must_merge = is_too_long(sum(part.tokens for part in self._parts), self._job.request.target)
        if self._must_merge and self._early:
            self._begin_pass(len(self._early))
        if self._must_merge or all(part.done.is_set() for part in self._parts):
            self._decided.set()

    async def _merge_once_there(self, group: Group) -> None:
        """Merge neighbours when the last of them is there, where it must be. Raises ModelError."""
        members = self._parts[group.start : group.stop]
        for part in members:
            await part.done.wait()
        await self._decided.wait()
        if self._must_merge and not self._job.is_over:
            texts = [await self._text_of(part) for part in members]
            self._merged[group] = await self._merge(texts, group.budget)

    async def _with_merges(self, texts: list[str]) -> list[str]:
        """Return the texts with merged ones in place of their members, where that made them shorter."""
        self._note_failures(len(self._early), len(self._early) - len(self._merged))
        shorter: list[str] = []
        for index, text in enumerate(texts):
            group = next((group for group in self._merged if group.start <= index < group.stop), None)
            if group is None:
                shorter.append(text)
            elif index == group.start:
                shorter.append(self._merged[group])
        return await self._if_shorter(texts, shorter)

    # --- Reduce ------------------------------------------------------------------------------------------------

    async def _reduced(self, texts: list[str]) -> str:
        """Join the texts and, while they are well over the target, merge neighbours, level by level."""
        job, query = self._job, self._job.request.query
        while len(texts) > 1 and not (self._is_stuck or job.is_over):
            if not is_too_long(await self._tokens(texts), job.request.target):
                break
            texts = await self._if_shorter(texts, await self._merge_pass(texts))
        return await self._work.joined(texts, query)

    async def _merge_pass(self, texts: list[str]) -> list[str]:
        """Merge neighbours side by side; where a merge fails they stay as they are."""
        sizes = await self._work.count_each(texts)
        groups = plan_groups(sizes, self._bounds.written, self._bounds.window.merge_size())
        shared = [group for group in groups if group.is_shared]
        merged: dict[Group, str] = {}

        async def merge(group: Group) -> None:
            merged[group] = await self._merge(texts[group.start : group.stop], group.budget)

        self._begin_pass(len(shared))
        await self._side_by_side([partial(merge, group) for group in shared])
        self._note_failures(len(shared), len(shared) - len(merged))
        kept = ([merged[one]] if one in merged else texts[one.start : one.stop] for one in groups)
        return list(chain.from_iterable(kept))

    async def _merge(self, texts: list[str], budget: int) -> str:
        """Have the model make one text of several. Raises ModelError."""
        job, query, window = self._job, self._job.request.query, self._bounds.window
        text = await self._work.joined(texts, query)
        tokens = await self._work.count(text)
        if tokens > window.tokens:
            raise Refused("what the model wrote of some chunks is too long for one merge")
        prompt = partial(self._prompts.merge, query=query, length=self._bounds.unit.length(budget))
        max_tokens = window.answer_limit(budget, tokens)
        said = await self._writer.write(job, prompt, max_tokens, Source(text, query.words))
        if query.is_extraction and not await self._work.has_facts(said.text):
            raise refused(said, "the model's answer has none of the facts that it was to join")
        merged = await self._writer.accepted(job, said, budget, tokens)
        job.step("chunks and merges")
        return merged

    def _begin_pass(self, merges: int) -> None:
        self._job.passes += 1
        self._job.steps += merges
        logger.info(
            "reduce_pass",
            extra={"pass": self._job.passes, "merges": merges, "target": self._job.request.target},
        )

    def _note_failures(self, merges: int, failed: int) -> None:
        job = self._job
        for _ in range(failed):
            job.step("chunks and merges")
        if failed:
            job.is_partial = True
            job.reasons.append(f"{failed} of {merges} merges failed: {job.last_failure}")

    async def _if_shorter(self, before: list[str], after: list[str]) -> list[str]:
        """Return what merging gave, where it gave something; else what was before, and that is the end of merging."""
        self._is_stuck = await self._tokens(after) > LEAST_SHRINK * await self._tokens(before)
        return before if self._is_stuck else after

    async def _tokens(self, texts: list[str]) -> int:
        return await self._work.count(await self._work.joined(texts, self._job.request.query))
