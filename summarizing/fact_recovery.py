"""Puts back the facts that the model's summary lost, and names what the summary has and the content does not.

The text is surveyed in the background while the model works, a slice at a time. Decides only when, and within which share of the
target: what is lost and what comes back is found in faithfulness/lost_facts.py.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from summarizing.cpu_work import CpuWork, in_background
from summarizing.deadline import TIME_IS_OVER
from summarizing.faithfulness.lost_facts import Restored, Survey, Unwritten
from summarizing.faithfulness.unsupported_facts import still_unsupported
from summarizing.job import Job
from summarizing.model_calls import ModelCalls
from summarizing.model_writer import ModelWriter
from summarizing.offload import OutOfTime
from summarizing.outcome import FactCounts, Result
from summarizing.query import Query
from summarizing.relevance.words_found import WordsFound, found_together
from summarizing.slice_readings import READ_AHEAD, SliceReadings
from summarizing.text.tokenizer import CountedText

# Without a query any fact may matter; what comes back has this share of the target: as much as `_tokens_to_write` (summarizer.py)
# leaves unwritten. With half of it a summary keeps 4 points fewer of the facts of real texts (docs/experiments.md).
PUT_BACK_SHARE = 0.25

# An outcome names at most this many unsupported facts.
MAX_NAMED = 10

# An outcome names an unsupported fact in at most this many characters.
MAX_NAMED_CHARS = 60


class SliceSurveys:
    """The surveys of a text's slices (faithfulness/lost_facts.py); the first ones are made ahead, as memory allows."""

    def __init__(self, readings: SliceReadings, query: Query, work: CpuWork) -> None:
        self._readings = readings
        self._query = query
        self._work = work
        self._slices = 0
        self._ahead: list[Survey] = []

    async def begin(self) -> None:
        """Make the first surveys. Raises OutOfTime."""
        self._slices = len(await self._readings.slices())
        for number in range(min(self._slices, READ_AHEAD)):
            self._ahead.append(await self._survey(number))

    async def put_back(
        self, summary: CountedText, target: int, share: float, unwritten: Sequence[Unwritten]
    ) -> tuple[Restored, WordsFound]:
        """Put back what a summary lost: adds at most a share of `target`, and the result has at most `target` tokens. Raises OutOfTime.

        A fact that several slices have counts once in each; what is `unwritten` has no more room there than the rest. Also returns what the
        text has of the query; where that is too little, nothing comes back and nothing is counted.
        """
        found = await self._found()
        if found.is_unrelated:
            return Restored(*summary, 0, 0, 0), found
        if self._slices == 1:
            whole = self._ahead[0].put_back
            return await self._work.in_thread(whole, summary, target, share, unwritten), found
        text, had, kept, put_back = summary, 0, 0, 0
        room = min(target, summary.tokens + int(target * share))
        for number in range(self._slices):
            survey = self._ahead[number] if number < len(self._ahead) else await self._survey(number)
            limit = text.tokens + max(0, room - text.tokens) // (self._slices - number)
            done = await self._work.in_thread(survey.put_back, text, limit, 1.0)
            text = CountedText(done.text, done.tokens)
            had, kept, put_back = had + done.had, kept + done.kept, put_back + done.put_back
        return Restored(*text, had, kept, put_back), found

    async def _found(self) -> WordsFound:
        """Return what the text has of the query, as soon as that is enough.

        Few texts need more than the first surveys for that. Further ones take too much memory to be kept, and are made twice: first those of
        slices in which more of the words stand.
        """
        found = found_together([one.found for one in self._ahead])
        if not found.is_unrelated:
            return found
        for number in await self._readings.order_for(self._query):
            if number >= len(self._ahead) and found.is_unrelated:
                found = found.with_those_in((await self._survey(number)).found)
        return found

    async def _survey(self, number: int) -> Survey:
        reading = await self._readings.of_slice(number)
        return await self._work.in_thread(Survey, reading, self._query.words, self._work.tokenizer)


SurveyTask = asyncio.Task[SliceSurveys | None]
"""None: the guard is off, and nothing is put back."""


@asynccontextmanager
async def survey_in_background(
    job: Job, calls: ModelCalls, readings: SliceReadings, *, guard: bool
) -> AsyncIterator[SurveyTask]:
    """Survey a text's facts in the background, until the end of the block; then forget its readings.

    It begins once the calls' head start is over (provider/head_start.py).
    """
    surveying = in_background(_survey_all(job, calls, readings, guard=guard))
    try:
        yield surveying
    finally:
        surveying.cancel()
        readings.stop()


async def _survey_all(
    job: Job, calls: ModelCalls, readings: SliceReadings, *, guard: bool
) -> SliceSurveys | None:
    if not guard:
        return None
    await calls.head_start.wait()
    surveys = SliceSurveys(readings, job.request.query, job.work)
    await surveys.begin()
    return surveys


async def put_back_facts(job: Job, surveying: SurveyTask, fitted: Result, writer: ModelWriter) -> Result:
    """Put back what a summary lost, as far as the target and the time allow, and count the facts."""
    request = job.request
    share = 1.0 if request.query.words else PUT_BACK_SHARE
    try:
        surveys = await surveying
        if surveys is None:
            return fitted
        tokens = await job.work.count(fitted.text) if fitted.tokens is None else fitted.tokens
        summary = CountedText(fitted.text, tokens)
        restored, found = await surveys.put_back(summary, request.target, share, fitted.unwritten)
        unsupported = await job.work.run(
            len(request.content),
            still_unsupported,
            writer.unsupported,
            fitted.text,
            request.content,
            MAX_NAMED,
        )
    except OutOfTime:
        return _without_put_back(fitted)
    facts = FactCounts(
        restored.had,
        restored.kept,
        restored.put_back,
        writer.dropped,
        tuple(map(_in_one_short_line, unsupported)),
    )
    explained = fitted.with_failed_chunks("summarized without the model").with_found(found)
    return explained._replace(text=restored.text, tokens=restored.tokens, facts=facts)


def _without_put_back(fitted: Result) -> Result:
    """Return the summary as it is, and say so; chunks that were left to what puts back lost facts are missing."""
    missing = len(fitted.unwritten)
    left = f"{missing} of {fitted.chunks} chunks are missing, and " if missing else ""
    why = f"{left}it was not checked for lost facts, since {TIME_IS_OVER}"
    return fitted.with_failed_chunks("failed").because(why, status="partial")


def _in_one_short_line(text: str) -> str:
    """Return a fact as an outcome names it: one line, not long."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_NAMED_CHARS else text[: MAX_NAMED_CHARS - 1] + "…"
