"""One job's map and reduce: each chunk is summarized, neighbours are merged where their summaries are too long together.

They are merged as soon as the last of them is written and it is known that they must be.

The chunks' calls and the first merges are planned before the first call (summarizing/budgets.py), later merges from what was written.
Calls are counted and ended in model_calls.py; whether an answer stands is decided in model_writer.py. A chunk that the model did not
summarize is summarized here without it, or left to what puts back lost facts (fact_recovery.py).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from chunking import Chunk
from observability.traceback_release import forget_frames
from provider.model import ModelError, PermanentError
from summarizing.budgets import TINY_CHUNK_TOKENS, Group, Plan, is_too_long, plan_groups
from summarizing.chunk_plan import LengthLimits
from summarizing.deadline import TIME_IS_OVER
from summarizing.faithfulness.lost_facts import Unwritten
from summarizing.job import Job
from summarizing.model_calls import ModelCalls
from summarizing.model_writer import Assignment, ModelWriter, Source
from summarizing.offload import OutOfTime
from summarizing.outcome import Result
from summarizing.text.tokenizer import CountedText

logger = logging.getLogger(__name__)

# A pass of reduce that shrinks less than this is not worth its calls.
LEAST_SHRINK = 0.95

JobStep = Callable[[], Awaitable[None]]
"""One chunk's summary or one merge, with its calls to the model."""


class NothingFromModel(Exception):
    """The model summarized none of the chunks. `kind`: the first failure, without the provider's own words."""

    def __init__(self, why: str, chunks: int, *, is_late: bool, kind: str = "") -> None:
        """`is_late`: nothing failed, but the time for the model was over."""
        super().__init__(why)
        self.chunks = chunks
        self.is_late = is_late
        self.kind = kind


@dataclass(eq=False, slots=True)
class _Part:
    """A chunk and its summary."""

    chunk: Chunk
    budget: int
    """In tokens."""
    text: str | None = None
    """The summary; None until it is written, and where the model failed. "" where nothing in the chunk matches the query."""
    tokens: int = 0
    """Of the summary."""
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the summary is written, or the model has failed."""


def _as_unwritten(part: _Part) -> Unwritten:
    return Unwritten(part.chunk.start, part.chunk.end, part.budget)


class MapReduce:
    """The map and the reduce of one job. Used once."""

    def __init__(self, job: Job, calls: ModelCalls, writer: ModelWriter, limits: LengthLimits) -> None:
        self._request, self._steps, self._work = job.request, job.steps, job.work
        self._until = job.deadlines.model
        self._calls = calls
        self._writer = writer
        self._limits = limits
        self._parts: list[_Part] = []
        self._failed_chunks = 0
        self._unwritten: list[Unwritten] = []
        # Why the model failed on some of the unwritten chunks.
        self._failure = ""
        self._passes = 0
        self._reasons: list[str] = []
        # Neighbours to merge as soon as they are written, and the texts of those that were merged.
        self._planned_merges: list[Group] = []
        self._merged: dict[Group, str] = {}
        # Set once it is certain whether the summaries must be merged: that may be before all are written.
        self._merge_decided = asyncio.Event()
        self._must_merge = False

    async def run(self, chunks: Sequence[Chunk]) -> Result:
        """Return one text; it may still be over the target: `Summarizer._fit` shortens it. Raises NothingFromModel, OutOfTime."""
        self._calls.end_at(self._until)
        self._plan(chunks)
        # Calls are admitted in this order: the longest answer is begun first.
        longest_first = sorted(self._parts, key=lambda part: -part.budget)
        map_steps = [partial(self._map_chunk, part) for part in longest_first]
        merge_steps = [partial(self._merge_when_written, group) for group in self._planned_merges]
        await self._side_by_side([*map_steps, *merge_steps])
        texts = await self._map_results()
        if not any(texts):
            return self._result(await self._summarize_all_without_model())
        joined = await self._reduce(texts)
        return self._result(joined.text, joined.tokens)

    async def _side_by_side(self, steps: Iterable[JobStep]) -> None:
        """Run steps at once. When the time is over, or no call can succeed any more, the calls without an answer are cancelled."""
        if self._calls.is_past_end:
            self._calls.note_time_is_over()  # `time_limit` would notice only after each step had begun
            return
        with self._calls.time_limit():
            async with asyncio.TaskGroup() as group:
                for step in steps:
                    group.create_task(self._run_step(step))

    async def _run_step(self, step: JobStep) -> None:
        """Run a step; that its call fails, or its time is over, ends no other step."""
        try:
            await step()
        except OutOfTime:
            self._calls.note_time_is_over()
        except ModelError as error:
            self._calls.note_failure(error)
        except asyncio.CancelledError as cancelled:
            forget_frames(cancelled)
            raise

    async def finished_in_time(self) -> Result:
        """Return what is written of the chunks when all of the time is over. Raises OutOfTime where that is nothing."""
        texts = [part.text for part in self._parts if part.text]
        self._failed_chunks += sum(part.text is None for part in self._parts)
        if not texts:
            raise OutOfTime
        came_back = len(self._parts) - self._failed_chunks
        self._reasons.append(f"{came_back} of {len(self._parts)} chunks came back, since {TIME_IS_OVER}")
        return self._result(await self._work.within(texts, self._request.target))

    def _result(self, text: str, tokens: int | None = None) -> Result:
        """Return a text as the result, with what is known of the chunks; `tokens`: the text's, where they have been counted."""
        return Result(
            text,
            # Each reason is about something that the model did not do.
            "partial" if self._reasons or self._failure else "summarized",
            tokens,
            chunks=len(self._parts),
            failed_chunks=self._failed_chunks,
            passes=self._passes,
            reasons=tuple(self._reasons),
            unwritten=tuple(self._unwritten),
            failure=self._failure,
        )

    def _plan(self, chunks: Sequence[Chunk]) -> None:
        """Give each chunk its budget, and plan which neighbours are merged if all summaries together are too long."""
        request, limits = self._request, self._limits
        sizes = [chunk.tokens for chunk in chunks]
        plan = Plan.of(sizes, limits.tokens_to_write, request.target, limits.window.merge_size())
        self._parts = [_Part(chunk, budget) for chunk, budget in zip(chunks, plan.budgets, strict=True)]
        # Facts are merged by code first: that needs all of them, and may be enough.
        if plan.merges and not request.query.wants_facts:
            self._planned_merges = [group for group in plan.merges[0] if group.has_several]
        self._steps.expect(len(chunks))
        logger.info(
            "map_phase_started",
            extra={
                "input_tokens": sum(sizes),
                "num_chunks": len(chunks),
                "strategy": request.strategy,
                "max_tokens_per_chunk": max(plan.budgets),
                "planned_calls": plan.calls,
                "model": self._calls.model_name,
            },
        )

    # --- Map ---------------------------------------------------------------------------------------------------

    async def _map_chunk(self, part: _Part) -> None:
        """Have the model summarize a chunk, or keep it where it is short enough already. Raises ModelError."""
        chunk, budget = part.chunk, part.budget
        try:
            if chunk.tokens <= max(budget, TINY_CHUNK_TOKENS):
                part.text = chunk.text.strip()
                part.tokens = await self._work.count(part.text)
            else:
                part.text, part.tokens = await self._summary_of(chunk, budget)
            self._steps.finish("chunks")
        finally:
            part.done.set()
            self._decide_whether_to_merge()

    async def _summary_of(self, chunk: Chunk, budget: int) -> CountedText:
        """Return what the model writes about a chunk, in about `budget` tokens. Raises ModelError."""
        place = chunk.start, chunk.end
        assignment = Assignment(
            source=Source(chunk.lead + chunk.text, self._request.query, chunk.breadcrumb, place),
            source_tokens=chunk.tokens,
            budget=budget,
            stated_length=self._limits.unit.length(budget),
            max_tokens=self._limits.window.answer_limit(budget, chunk.tokens),
        )
        return await self._writer.write(assignment)

    async def _map_results(self) -> list[str]:
        """Return the chunks' summaries, each "" where nothing in the chunk matches. Raises NothingFromModel."""
        if all(part.text is None for part in self._parts):
            raise self._nothing_from_model()
        texts = [await self._finished_summary(part) for part in self._parts]
        self._say_why_chunks_failed()
        self._leave_copied_chunks()
        return texts

    def _say_why_chunks_failed(self) -> None:
        """Note why the model failed on chunks: as a reason or, where chunks are left unwritten, as the failure.

        What becomes of unwritten chunks is known only once lost facts are put back; the reason is made then (`Result.with_failed_chunks`).
        """
        if self._unwritten:
            self._failure = self._calls.main_failure
        elif self._failed_chunks:
            self._reasons.append(
                f"{self._failed_chunks} of {len(self._parts)} chunks summarized without the model: {self._calls.main_failure}"
            )

    def _leave_copied_chunks(self) -> None:
        """Leave the chunks that the model only copied to what puts back lost facts, and say so among the reasons."""
        copied = [part for part in self._parts if (part.chunk.start, part.chunk.end) in self._writer.copied]
        if copied:
            self._unwritten += map(_as_unwritten, copied)
            self._reasons.append(
                f"{len(copied)} of {len(self._parts)} answers only copied the text, and were not used"
            )

    def _nothing_from_model(self) -> NothingFromModel:
        calls, failure = self._calls, self._calls.first_failure
        never_asked = calls.are_late and not calls.counts.requests
        why = (
            f"{TIME_IS_OVER} before the model was asked"
            if never_asked
            else f"the model gave nothing: {calls.main_failure}"
        )
        kind = failure.kind if failure else ""
        return NothingFromModel(why, len(self._parts), is_late=calls.are_late, kind=kind)

    async def _finished_summary(self, part: _Part) -> str:
        """Return a chunk's summary; where the model failed, it is made now, without it, and counted as failed. Raises OutOfTime.

        In an extraction it is left unwritten, to what puts back lost facts: merging would take apart what is no list of facts.
        """
        if part.text is None:
            if self._request.query.wants_facts and self._writer.guards:
                self._unwritten.append(_as_unwritten(part))
                part.text = ""
            else:
                part.text = await self._work.extractive_summary(
                    part.chunk.text, part.budget, self._request.query
                )
            self._failed_chunks += 1
            self._steps.finish("chunks")
        return part.text

    async def _summarize_all_without_model(self) -> str:
        self._say_why_nothing_is_written()
        text = "".join(part.chunk.text for part in self._parts)
        return await self._work.extractive_summary(text, self._request.target, self._request.query)

    def _say_why_nothing_is_written(self) -> None:
        """Add to the reasons why all of the text is summarized without the model: it found nothing, failed, or only copied."""
        left, chunks = len(self._unwritten), len(self._parts)
        if self._failure:
            self._reasons.insert(0, f"{self._failed_chunks} of {chunks} chunks failed: {self._failure}")
        found_nothing = ", which found nothing that matches" if left < chunks else ""
        self._reasons.append(
            f"summarized without the model{found_nothing}{' in the rest' if 0 < left < chunks else ''}"
        )
        self._unwritten.clear()
        self._failure = ""

    # --- Merges that do not wait for the last chunk ------------------------------------------------------------

    def _decide_whether_to_merge(self) -> None:
        """Decide whether the summaries must be merged, as soon as that is certain."""
        if self._merge_decided.is_set():
            return
        self._must_merge = is_too_long(sum(part.tokens for part in self._parts), self._request.target)
        if self._must_merge and self._planned_merges:
            self._begin_pass(len(self._planned_merges))
        if self._must_merge or all(part.done.is_set() for part in self._parts):
            self._merge_decided.set()

    async def _merge_when_written(self, group: Group) -> None:
        """Merge neighbours when the last of them is written, where it must be. Raises ModelError."""
        members = self._parts[group.start : group.stop]
        for part in members:
            await part.done.wait()
        await self._merge_decided.wait()
        if self._must_merge and not self._calls.are_over:
            texts = [await self._finished_summary(part) for part in members]
            self._merged[group] = await self._merge(texts, group.budget)

    def _with_merged(self, texts: list[str]) -> list[str]:
        """Return the texts with each merged group in place of its members."""
        merges = self._planned_merges
        self._note_failures(len(merges), len(merges) - len(self._merged))
        fewer: list[str] = []
        for index, text in enumerate(texts):
            group = next((group for group in self._merged if group.start <= index < group.stop), None)
            if group is None:
                fewer.append(text)
            elif index == group.start:
                fewer.append(self._merged[group])
        return fewer

    # --- Reduce ------------------------------------------------------------------------------------------------

    async def _reduce(self, texts: list[str]) -> CountedText:
        """Join the texts and, while they are well over the target, merge neighbours, level by level."""
        merged = self._with_merged(texts) if self._must_merge and self._planned_merges else None
        joined = await self._join(texts)
        while merged or self._may_merge(texts, joined):
            merged = merged or await self._merge_pass(texts)
            shorter = await self._join(merged)
            if shorter.tokens > LEAST_SHRINK * joined.tokens:
                break  # more merges are not worth their calls
            texts, joined, merged = merged, shorter, None
        return joined

    def _may_merge(self, texts: list[str], joined: CountedText) -> bool:
        """Whether texts are to be merged and can be."""
        return (
            len(texts) > 1 and not self._calls.are_over and is_too_long(joined.tokens, self._request.target)
        )

    async def _merge_pass(self, texts: list[str]) -> list[str]:
        """Merge neighbours side by side; if a merge fails, its members stay as they are."""
        sizes = await self._work.count_each(texts)
        groups = plan_groups(sizes, self._limits.tokens_to_write, self._limits.window.merge_size())
        to_merge = [group for group in groups if group.has_several]
        merged: dict[Group, str] = {}

        async def merge(group: Group) -> None:
            merged[group] = await self._merge(texts[group.start : group.stop], group.budget)

        self._begin_pass(len(to_merge))
        await self._side_by_side([partial(merge, group) for group in to_merge])
        self._note_failures(len(to_merge), len(to_merge) - len(merged))
        kept = ([merged[one]] if one in merged else texts[one.start : one.stop] for one in groups)
        return list(chain.from_iterable(kept))

    async def _merge(self, texts: list[str], budget: int) -> str:
        """Have the model make one text of several. Raises ModelError."""
        query, window = self._request.query, self._limits.window
        text = await self._work.joined(texts, query)
        tokens = await self._work.count(text)
        if tokens > window.tokens:
            raise PermanentError("what the model wrote of some chunks is too long for one merge")
        assignment = Assignment(
            source=Source(text, query),
            source_tokens=tokens,
            budget=budget,
            stated_length=self._limits.unit.length(budget),
            max_tokens=window.answer_limit(budget, tokens),
            is_merge=True,
        )
        merged = await self._writer.write(assignment)
        self._steps.finish("chunks and merges")
        return merged.text

    def _begin_pass(self, merges: int) -> None:
        self._passes += 1
        self._steps.expect(merges)
        logger.info(
            "reduce_pass",
            extra={"pass": self._passes, "merges": merges, "target": self._request.target},
        )

    def _note_failures(self, merges: int, failed: int) -> None:
        for _ in range(failed):
            self._steps.finish("chunks and merges")
        if failed:
            self._reasons.append(f"{failed} of {merges} merges failed: {self._calls.last_failure}")

    async def _join(self, texts: list[str]) -> CountedText:
        return await self._work.counted(await self._work.joined(texts, self._request.query))
