"""A job's summary without the model, from as many slices of the text as there is time for, and what the outcome says of that.

How the slices are read is in work_in_slices.py.
"""

from summarizing import work_in_slices
from summarizing.deadline import TIME_IS_OVER, with_least_time
from summarizing.job import Job
from summarizing.outcome import FactCounts, Result


async def summarize_without_model(job: Job, text: str, now: float) -> Result:
    """Summarize a text, or as much as there is time for from `now` on, without the model. Raises OutOfTime."""
    request = job.request
    summary = await work_in_slices.summarize(
        text,
        request.query,
        request.target,
        job.work.with_deadline(with_least_time(job.deadlines.whole_job, now)),
        until=with_least_time(job.deadlines.reading, now),
        on_slice=job.steps.report_slices,
    )
    result = Result(summary.text, "summarized", chunks=summary.slices).with_found(summary.found)
    return _with_what_was_left(result, summary)


def _with_what_was_left(result: Result, summary: work_in_slices.SlicesSummary) -> Result:
    """Return a result with what there was no time or room for."""
    if summary.slices_read < summary.slices:
        result = result.because(
            f"summarized from {summary.slices_read} of {summary.slices} parts of the text, since {TIME_IS_OVER}",
            status="partial",
            is_read_in_part=True,
        )
    if summary.read_plainly:
        result = result.because(
            f"{summary.read_plainly} of {summary.slices} parts of the text were not searched for what answers the query, since {TIME_IS_OVER}",
            status="partial",
        )
    if summary.has_marks_alone:
        result = result.because(
            "the summary only says what is left out: no value of the JSON fits with the brackets around it, or all are nested too deep"
        )
    if summary.facts is None:
        return result.because(
            f"each part that was read has an even share of the summary, since {TIME_IS_OVER}",
            status="partial",
        )
    return result._replace(facts=FactCounts(*summary.facts))
