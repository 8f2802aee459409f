"""A job's search for passages that look like instructions to a model, beside its calls, and what its result says of them.

What looks so, outside of fences (summarizing/text/chunk_blocks.py): summarizing/sanitizing/suspicious.py. Drops nothing.
"""

from summarizing import work_in_slices
from summarizing.deadline import TIME_IS_OVER
from summarizing.job import Job
from summarizing.outcome import Result


async def search_beside_calls(job: Job) -> work_in_slices.Searched:
    """Return the passages that look like instructions to a model; the first requests to the model, if any, are sent before (provider/head_start.py)."""
    if job.calls is None:
        return await work_in_slices.search_for_suspicious(
            job.request.content, job.work, ends_by=job.deadlines.cleaning_from
        )
    await job.calls.head_start.wait()
    return await work_in_slices.search_for_suspicious(job.request.content, job.work)


def with_suspicious(result: Result, searched: work_in_slices.Searched) -> Result:
    """Return the result with the suspicious passages, and with a reason where there was no time to look for them everywhere."""
    result = result._replace(suspicious=searched.passages)
    if searched.parts_read == searched.parts:
        return result
    return result.because(
        f"only the first {searched.parts_read} of {searched.parts} parts of the content were searched for instructions "
        f"to a model, since {TIME_IS_OVER}"
    )
