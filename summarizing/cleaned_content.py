"""A job's content without what no summary is made of, and what is said about that. The work itself: work_in_slices.py.

Knows no models.
"""

import asyncio
from dataclasses import dataclass

from summarizing import work_in_slices
from summarizing.deadline import TIME_IS_OVER
from summarizing.job import Job, Request
from summarizing.offload import OutOfTime
from summarizing.outcome import FactCounts, Result
from summarizing.text.html_detection import is_html
from summarizing.text.tokenizer import LONGEST_TOKEN_CHARS

MAIN_CONTENT_ALONE = "only the main content of the page was read"


@dataclass(frozen=True, slots=True)
class CleanedContent:
    """A cleaned content. `notes` say what was dropped, `unread` what there was no time to read.

    `fitting_tokens`: its tokens, where something was dropped and what is left has at most the target's; else None.
    """

    text: str
    notes: tuple[str, ...]
    unread: tuple[str, ...]
    fitting_tokens: int | None

    def notes_added_to(self, result: Result) -> Result:
        """Return the result of the cleaned text with what was dropped, and with what was not read; this makes a summary partial."""
        is_summary = result.status in ("summarized", "partial")
        return result._replace(
            status="partial" if self.unread and is_summary else result.status,
            cleaning_notes=self.notes
            if is_summary
            else (),  # nothing is dropped from a content that comes back
            reasons=(*self.unread, *result.reasons),
        )


async def clean_content(job: Job, *, drops_suspicious: bool) -> CleanedContent:
    """Drop hidden text, take a page in HTML as its text, for an extraction drop repeats, and suspicious passages where the setting says so. Raises OutOfTime."""
    request, until = job.request, job.deadlines.cleaning
    main_content = await _main_content(request, until)
    cleaned_slices = await work_in_slices.clean(
        main_content or request.content,
        request.query,
        job.work,
        until=until,
        drops_suspicious=drops_suspicious,
    )
    cleaned = cleaned_slices.cleaned
    why = f"only the first {cleaned_slices.slices_read} of {cleaned_slices.slices} parts of the text were read in time (SUMMARIZE_DEADLINE_SECONDS)"
    notes = (*([MAIN_CONTENT_ALONE] if main_content else []), *cleaned.notes)
    tokens = None
    # A text that is far too long is not counted again.
    if notes and len(cleaned.text) <= request.target * LONGEST_TOKEN_CHARS:
        tokens = await job.work.count(cleaned.text)
    return CleanedContent(
        cleaned.text,
        notes,
        (why,) if cleaned_slices.slices_read < cleaned_slices.slices else (),
        tokens if tokens is not None and tokens <= request.target else None,
    )


async def _main_content(request: Request, until: float | None) -> str | None:
    """Return the main content of a page in HTML; None of anything else, where there is nothing to find it with, and where it takes too long."""
    if request.main_content is None or not is_html(request.content):
        return None
    try:
        async with asyncio.timeout_at(until):
            return await request.main_content(request.content)
    except TimeoutError:
        return None


async def with_facts_counted(job: Job, result: Result) -> Result:
    """Return a cleaned text that fits, with its facts counted if there is time."""
    try:
        count, matched = await work_in_slices.count_facts(result.text, job.request.query, job.work)
        return result._replace(facts=FactCounts(count, count), matched=matched)
    except OutOfTime:
        return result.because(f"its facts were not counted, since {TIME_IS_OVER}")
