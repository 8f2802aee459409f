"""A job's content without what no summary is made of, what is looked for in it beside the calls to the model, and what is said about both.

The work itself: work_in_slices.py; what stands in fences, where no suspicious passages are looked for: summarizing/text/chunk_blocks.py.
"""

import asyncio
from dataclasses import dataclass

from summarizing import work_in_slices
from summarizing.deadline import MAIN_CONTENT_SHARE_OF_TIME, TIME_IS_OVER, part_of_time
from summarizing.job import Job, PageText
from summarizing.offload import OutOfTime
from summarizing.outcome import FactCounts, Result
from summarizing.relevance.missing_words import missing_words, names_in_message
from summarizing.sanitizing.cleaning import PAGE_READ
from summarizing.text.html.detection import is_html
from summarizing.text.tokenizer import LONGEST_TOKEN_CHARS

MAIN_CONTENT_ALONE = "only the main content of the page was read"
MAIN_CONTENT_NOT_SOUGHT = (
    "all of the page was read: there was no time to find its main content (SUMMARIZE_DEADLINE_SECONDS)"
)
# Of a longer query, such as a text pasted into a message, no missing words are named.
MAX_CHARS_TO_LOOK_UP = 2_000

WHOLE_PAGE = PAGE_READ.of(1)


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
            is_read_in_part=result.is_read_in_part or bool(self.unread),
        )


async def clean_content(job: Job, *, drops_suspicious: bool) -> CleanedContent:
    """Drop hidden text, take a page in HTML as its text, for an extraction drop repeats, and suspicious passages where the setting says so. Raises OutOfTime."""
    request = job.request
    page, page_notes = await _page_text(job)
    cleaned_slices = await work_in_slices.clean(
        page.text if page else request.content,
        request.query,
        job.work,
        ends_by=job.deadlines.cleaning_from,
        drops_suspicious=drops_suspicious,
    )
    cleaned = cleaned_slices.cleaned
    why = f"only the first {cleaned_slices.slices_read} of {cleaned_slices.slices} parts of the text were read in time (SUMMARIZE_DEADLINE_SECONDS)"
    notes = (*page_notes, *cleaned.notes)
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


async def _page_text(job: Job) -> tuple[PageText | None, tuple[str, ...]]:
    """Return the main content of a page in HTML, and what the outcome says of it.

    None: the content is no such page or has no text, there is nothing to find it with, or it takes more than its share of the time.
    """
    request, now = job.request, asyncio.get_running_loop().time()
    if request.main_content is None or not is_html(request.content):
        return None, ()
    until = job.deadlines.cleaning_from(now)
    try:
        async with asyncio.timeout_at(part_of_time(now, until, MAIN_CONTENT_SHARE_OF_TIME)):
            page = await request.main_content(request.content)
    except TimeoutError:
        return None, (MAIN_CONTENT_NOT_SOUGHT,)
    if page is None:
        return None, ()
    return page, notes_of(page) or (WHOLE_PAGE,)


def notes_of(page: PageText) -> tuple[str, ...]:
    """Return what must be known of how a page was read; nothing where all of it was, as it is."""
    alone = MAIN_CONTENT_ALONE if page.is_main_content else ""
    return tuple(filter(None, (alone, page.note.removesuffix("."))))


async def with_facts_counted(job: Job, result: Result) -> Result:
    """Return a cleaned text that fits, with its facts counted if there is time."""
    try:
        count, found = await work_in_slices.count_facts(result.text, job.request.query, job.work)
        return result.with_found(found)._replace(facts=FactCounts(count, count))
    except OutOfTime:
        return result.because(f"its facts were not counted, since {TIME_IS_OVER}")


async def with_missing_words(job: Job, cleaned: CleanedContent, result: Result) -> Result:
    """Return the result of a content with the words of the query that its text has nowhere, unless nothing meets the query at all.

    Of a content that was not read to its end nothing is said: what is missing may stand in the rest.
    """
    query = job.request.query
    if not 0 < len(query.words) <= MAX_CHARS_TO_LOOK_UP or not result.matched or cleaned.unread:
        return result
    text = cleaned.text
    missing = await job.work.run_past_deadline(
        len(text), missing_words, query.words, text, result.answered_words
    )
    words = missing.words
    if not (query.schema_hint or query.focus_areas or missing.are_all):
        words = names_in_message(words, query.words)  # a message has many words that ask for nothing
    return result.with_missing(words, are_all=missing.are_all)


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
