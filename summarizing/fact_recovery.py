"""Puts back the facts that the model's summary lost, and names what the summary has and the content does not.

The text is surveyed in the background while the model works. Decides only when, and within which share of the target: what is lost
and what comes back is found in faithfulness/lost_facts.py, a slice of a long text at a time (slice_by_slice.py).
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import islice

from summarizing.cpu_work import in_background
from summarizing.deadline import TIME_IS_OVER
from summarizing.faithfulness.support import shown
from summarizing.head_start import HeadStart
from summarizing.job import Facts, Job, Result
from summarizing.model_writer import ModelWriter
from summarizing.offload import OutOfTime
from summarizing.slice_by_slice import Surveys
from summarizing.slice_readings import SliceReadings

# Without a query any fact may matter; what comes back has this share of the target: as much as the model is told to leave (summarizer.py). With
# half of it a summary keeps 4 points fewer of the facts of real texts (docs/evaluation.md).
PUT_BACK_SHARE = 0.25

# An outcome names at most this many unsupported facts.
MAX_NAMED = 10

SurveyTask = asyncio.Task[Surveys | None]
"""None: the guard is off, and nothing is put back."""


@asynccontextmanager
async def survey_in_background(
    readings: SliceReadings, job: Job, head_start: HeadStart, *, guard: bool
) -> AsyncIterator[SurveyTask]:
    """Survey a text's facts in the background, from the end of the head start to the end of the block; then forget its readings."""
    survey = in_background(_survey(readings, job, head_start, guard=guard))
    try:
        yield survey
    finally:
        survey.cancel()
        readings.stop()


async def _survey(readings: SliceReadings, job: Job, head_start: HeadStart, *, guard: bool) -> Surveys | None:
    if not guard:
        return None
    await head_start.wait()
    surveys = Surveys(readings, job.request.query, job.work)
    await surveys.begin()
    return surveys


async def put_back_facts(job: Job, survey: SurveyTask, fitted: Result, writer: ModelWriter) -> Result:
    """Put back what a summary lost, as far as the target and the time allow, and count the facts."""
    request = job.request
    share = 1.0 if request.query.words else PUT_BACK_SHARE
    try:
        surveys = await survey
        if surveys is None:
            return fitted
        completed = await surveys.complete(fitted.text, request.target, share)
        unsupported = await job.work.run(
            len(request.content), _unsupported, writer.inventions, fitted.text, request.content
        )
    except OutOfTime:
        return fitted.because(f"it was not checked for lost facts, since {TIME_IS_OVER}", status="partial")
    facts = Facts(
        completed.had, completed.kept, completed.put_back, writer.dropped, tuple(map(shown, unsupported))
    )
    return fitted._replace(text=completed.text, facts=facts, matched=surveys.matched)


def _unsupported(inventions: Iterable[str], summary: str, content: str) -> list[str]:
    """Return the first few inventions that are in the summary, and in no part of the content."""
    found = (fact for fact in dict.fromkeys(inventions) if fact in summary and fact not in content)
    return list(islice(found, MAX_NAMED))
