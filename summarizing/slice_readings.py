"""A text as one job reads it: parsed and searched for facts once, a slice at a time, while the model writes.

The survey of lost facts (fact_recovery.py) and the check of each answer (model_writer.py) share these readings. What a reading has
is in facts/text_reading.py; where a text is cut, in slicing.py. Does not judge what was read.
"""

import asyncio

from summarizing.cpu_work import CpuWork, in_background
from summarizing.facts.text_reading import Reading
from summarizing.query import Query
from summarizing.slicing import Slice
from summarizing.work_in_slices import reading_order

# Slices that are read and surveyed ahead, while the model works: each takes many times its characters.
READ_AHEAD = 4


class SliceReadings:
    """A text read once, a slice at a time: for the surveys of lost facts, and for the check of what a model wrote of each chunk.

    Only the first READ_AHEAD slices are kept. `stop` must be called at the end.
    """

    def __init__(self, text: str, work: CpuWork) -> None:
        self._text = text
        self._work = work
        self._kept: dict[int, asyncio.Task[Reading]] = {}
        self._cutting: asyncio.Task[list[Slice]] | None = None

    async def slices(self) -> list[Slice]:
        """Return the slices of the text. Raises OutOfTime."""
        if self._cutting is None:
            self._cutting = in_background(self._work.slices(self._text))
        return await asyncio.shield(self._cutting)

    async def order_for(self, query: Query) -> list[int]:
        """Return the numbers of the slices in the order to read them in for a query. Raises OutOfTime."""
        return await reading_order(self._text, await self.slices(), query, self._work)

    async def of_slice(self, number: int) -> Reading:
        """Return the reading of a slice with its headings above. Raises OutOfTime."""
        if number >= READ_AHEAD:
            return await self._read(number)
        if number not in self._kept:
            self._kept[number] = in_background(self._read(number))
        return await asyncio.shield(self._kept[number])

    async def slice_holding(self, start: int, end: int) -> tuple[Reading, int] | None:
        """Return the reading of the slice that holds a whole stretch, and where the stretch begins in it; None where no kept slice does.

        Raises OutOfTime.
        """
        for number, one in enumerate((await self.slices())[:READ_AHEAD]):
            is_rewritten = one.json is not None and one.json.is_rewritten
            if one.start <= start and end <= one.end and not is_rewritten:
                return await self.of_slice(number), start - one.start + len(one.above)
        return None

    def stop(self) -> None:
        """Cancel what is under way, and forget the rest."""
        for task in (self._cutting, *self._kept.values()):
            if task is not None:
                task.cancel()
        self._cutting = None
        self._kept.clear()

    async def _read(self, number: int) -> Reading:
        one = (await self.slices())[number]
        return await self._work.in_thread(_reading_of, one, self._text)


def _reading_of(one: Slice, text: str) -> Reading:
    return Reading(one.parsed(text))
