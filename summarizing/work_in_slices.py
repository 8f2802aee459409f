"""Work on a whole text, a slice at a time: cleaning, the search for suspicious passages, counting facts, the summary
without a model.

So no step but dropping hidden text takes longer than one slice needs, other work gets its turn in between, and when the time is
over a call has what was finished. A text of one slice is worked on as a whole. Knows no outcomes and no models.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from math import ceil
from typing import NamedTuple

from summarizing.cpu_work import CpuWork
from summarizing.extractive import extractive_summary
from summarizing.extractive.extractive_summary import Offer
from summarizing.extractive.rendering import render
from summarizing.facts.fact_sets import FactSet
from summarizing.offload import OutOfTime
from summarizing.query import Query
from summarizing.relevance.first_places import FirstPlaces
from summarizing.relevance.words_found import WordsFound, found_together
from summarizing.sanitizing.cleaning import Cleaned, Cleaning
from summarizing.sanitizing.suspicious import Search, Suspicious, overlaps_joined
from summarizing.slicing import SLICE_CHARS, Slice
from summarizing.text.document import Document
from summarizing.text.html.detection import is_html
from summarizing.text.html.page_text import PageReader
from summarizing.text.tokenizer import Tokenizer

# What the slices may offer in all, in tokens, for the target to be chosen from: about what one slice has.
MOST_OFFERED_TOKENS = 60_000

# To look through so many slices for words takes less time than to read one.
SLICES_AT_ONCE = 16

# What each slice offers is at least this many times its even share of the target.
LEAST_OFFER = 2


EndsBy = Callable[[float], float | None]
"""Returns when work must have ended, on the service's clock, that has its turn from a time on; None: never."""


class SlicesSummary(NamedTuple):
    """A summary, its facts (None where there was no time to count them), and how many slices of all it is made from."""

    text: str
    facts: tuple[int, int] | None
    slices_read: int
    slices: int
    found: WordsFound
    """What the slices that were read have of the query together."""
    read_plainly: int = 0
    """How many of those that were read were not searched for what answers the query: there was no time to read them again."""
    has_marks_alone: bool = False
    """Whether it is JSON that only says how much is left out."""


class Searched(NamedTuple):
    """The suspicious passages in the parts of a content that there was time for: `parts_read` of `parts`."""

    passages: list[Suspicious]
    parts_read: int
    parts: int


class CleanedSlices(NamedTuple):
    """The slices of a text that there was time for, cleaned: `slices_read` of `slices`.

    Where all were read and nothing was dropped, the text is the content itself, the same object: that shows that it is unchanged.
    """

    cleaned: Cleaned
    slices_read: int
    slices: int


async def search_for_suspicious(content: str, work: CpuWork, *, ends_by: EndsBy | None = None) -> Searched:
    """Return the passages that look like instructions to a model, in the first slice and what can be read by then, or by the job's deadline."""
    search, found, chars_read = Search(content), list[Suspicious](), 0
    timed = work  # the first slice has all of the time
    try:
        while chars_read < len(content):
            end = min(chars_read + SLICE_CHARS, len(content))
            found += await timed.run(end - chars_read, search.found, chars_read, end)
            timed = timed if chars_read or not ends_by else _timed_from_now(work, ends_by)
            chars_read = end
    except OutOfTime:
        pass  # the result says how much was read
    return Searched(overlaps_joined(found), ceil(chars_read / SLICE_CHARS), ceil(len(content) / SLICE_CHARS))


async def clean(
    content: str, query: Query, work: CpuWork, *, ends_by: EndsBy, drops_suspicious: bool = False
) -> CleanedSlices:
    """Drop what no summary is made of, from the first slice and those that can be read by then. Raises OutOfTime."""
    cleaning = Cleaning(for_extraction=query.wants_facts, drops_suspicious=drops_suspicious)
    shown = await work.run(len(content), cleaning.without_hidden, content)
    unread_share = 0.0
    if is_html(shown):
        text, unread_share = await _text_of_page(shown, work, ends_by)
        shown = cleaning.text_for(shown, text)
    slices = await work.slices(shown)
    timed, slices_read = work, 0  # the first slice has all of the time: without it there is nothing
    try:
        for piece in slices:
            stretch = shown[piece.start : piece.end]
            cleaning.keep(
                await timed.run(len(stretch), partial(cleaning.read, is_all=len(slices) == 1), stretch)
            )
            timed = timed if slices_read else _timed_from_now(work, ends_by)
            slices_read += 1
    except OutOfTime:
        if not slices_read:
            raise
    # What comes back where nothing was dropped: the content itself or, where not all was read, its first slices.
    uncleaned = content if slices_read == len(slices) else shown[: slices[slices_read - 1].end]
    # What was not read of a page would have given as much text for each of its characters as the rest.
    return CleanedSlices(
        cleaning.result(uncleaned),
        slices_read,
        len(slices) + ceil(len(slices) * unread_share / (1 - unread_share)),
    )


def _timed_from_now(work: CpuWork, ends_by: EndsBy) -> CpuWork:
    """Return the work of a job that has had its first turn: it ends in time."""
    return work.with_deadline(ends_by(asyncio.get_running_loop().time()))


async def _text_of_page(page: str, work: CpuWork, ends_by: EndsBy) -> tuple[str, float]:
    """Return the text of a page, or of as much as can be read by then, and the share that was not read. Raises OutOfTime."""
    reader = PageReader(page)
    timed, chars_read = work, 0  # the first stretch has all of the time, as the first slice has
    try:
        while chars_read < len(page):
            end = min(chars_read + SLICE_CHARS, len(page))
            await timed.run(end - chars_read, reader.read_to, end)
            timed = timed if chars_read else _timed_from_now(work, ends_by)
            chars_read = end
    except OutOfTime:
        if not chars_read:
            raise
    return await work.run_past_deadline(len(page), reader.text), 1 - chars_read / len(page)


async def count_facts(text: str, query: Query, work: CpuWork) -> tuple[int, WordsFound]:
    """Return how many facts of a text are asked for, and what it has of the query. Raises OutOfTime."""
    stated, found = list[FactSet](), list[WordsFound]()
    for piece in await work.slices(text):
        whole: Offer = await work.in_thread(_whole, piece, text, query.words, work.tokenizer)
        stated.append(whole.stated)
        found.append(whole.found)
    together = found_together(found)
    return await work.run(len(text), len, FactSet.together([] if together.is_unrelated else stated)), together


async def summarize(
    text: str,
    query: Query,
    target: int,
    work: CpuWork,
    *,
    until: float | None,
    on_slice: Callable[[int, int], None],
) -> SlicesSummary:
    """Return a summary made without a model, in at most `target` tokens; `on_slice` hears after each slice how many of all are read.

    One slice and each other one that can be read by `until` (on the service's clock) offers the best that it has, and from that
    the summary is chosen. Raises OutOfTime.
    """
    slices = await work.slices(text)
    if len(slices) == 1:
        only = await work.in_thread(extractive_summary.extract, text, target, query.words, work.tokenizer)
        on_slice(1, 1)
        facts = (only.had, len(only.kept))
        return SlicesSummary(only.text, facts, 1, 1, only.found, has_marks_alone=only.has_marks_alone)
    order = await reading_order(text, slices, query, work.with_deadline(until))
    budget = _offered_tokens(target, len(slices))
    offer = partial(extractive_summary.offer, budget=budget, query=query.words, tokenizer=work.tokenizer)
    offers: dict[int, Offer] = {}

    async def read(number: int) -> Offer:
        timed = work.with_deadline(until) if offers else work
        others = [one.found for other, one in offers.items() if other != number]
        return await timed.in_thread(_offer, slices[number], text, partial(offer, others=others))

    try:
        await _read_each(order, read, offers, on_slice)
    except OutOfTime:
        if not offers:
            raise
    return await _choice(_in_order(offers), len(slices), query, target, work)


async def reading_order(text: str, slices: Sequence[Slice], query: Query, work: CpuWork) -> list[int]:
    """Return the numbers of the slices in the order to read them in: those with words of the query first, as far as there is time to look."""
    places = FirstPlaces(query.words, work.tokenizer.rarity)
    try:
        for at in range(0, len(slices) if query.words else 0, SLICES_AT_ONCE):
            await work.in_thread(_look, places, text, slices[at : at + SLICES_AT_ONCE])
    except OutOfTime:
        pass  # those that were not looked through come last, in their order
    return places.order(len(slices))


def _look(places: FirstPlaces, text: str, slices: Sequence[Slice]) -> None:
    for piece in slices:
        if places:
            places.look(text[piece.start : piece.end])


async def _read_each(
    order: Sequence[int],
    read: Callable[[int], Awaitable[Offer]],
    offers: dict[int, Offer],
    on_slice: Callable[[int, int], None],
) -> None:
    """Read slices in an order; once enough words of the query are found, those again that were read before that. Raises OutOfTime.

    Two excerpts of each slice, one with the query and one without, would take up to .3 s a MB.
    """
    left, is_enough, done = deque(order), False, 0
    while left:
        number = left.popleft()
        offers[number] = await read(number)
        if not is_enough and not found_together([one.found for one in offers.values()]).is_unrelated:
            is_enough = True
            left.extendleft(other for other, one in offers.items() if one.is_plain)
        done += 1
        on_slice(done, done + len(left))


def _in_order(offers: Mapping[int, Offer]) -> list[Offer]:
    """Return the offers as their slices stand in the text; of JSON, whose parts are joined at the brackets between them, up to the first gap."""
    numbers = sorted(offers)
    if all(one.document.is_json for one in offers.values()):
        numbers = [number for at, number in enumerate(numbers) if number == numbers[0] + at]
    return [offers[number] for number in numbers]


async def _choice(
    offers: Sequence[Offer], slices: int, query: Query, target: int, work: CpuWork
) -> SlicesSummary:
    """Return what is best of the offers; where there is no time for a choice, an even share of each."""
    found = found_together([one.found for one in offers])
    read_plainly = 0 if found.is_unrelated else sum(one.is_plain for one in offers)
    try:
        chosen = await work.in_thread(
            extractive_summary.choose_from, offers, target, query.words, work.tokenizer
        )
    except OutOfTime:
        texts = [text for one in offers if (text := render(one.document, range(len(one.document.segments))))]
        text = await work.within(texts, target)
        return SlicesSummary(text, None, len(offers), slices, found, read_plainly)
    facts = (chosen.had, len(chosen.kept))
    return SlicesSummary(
        chosen.text, facts, len(offers), slices, found, read_plainly, has_marks_alone=chosen.has_marks_alone
    )


def _whole(piece: Slice, text: str, words: str, tokenizer: Tokenizer) -> Offer:
    return extractive_summary.whole_offer(piece.parsed(text), words, tokenizer)


def _offer(piece: Slice, text: str, offer: Callable[[Document], Offer]) -> Offer:
    return offer(piece.parsed(text))


def _offered_tokens(target: int, count: int) -> int:
    """Return how many tokens each of `count` slices may offer."""
    return min(target, max(MOST_OFFERED_TOKENS // count, LEAST_OFFER * target // count))
