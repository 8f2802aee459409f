"""Lets a job's first requests leave before the background work that its answers will need.

Such work holds the interpreter's lock for milliseconds at a time, and each request that is being sent would wait for that
several times. Knows nothing of what the work is.
"""

import asyncio

# Dozens of requests are sent in a third of this; a hosted model's first token takes longer.
HEAD_START_SECONDS = 0.3


class HeadStart:
    """Over after HEAD_START_SECONDS, or as soon as the first call has ended: its answer needs the work, its failure frees the time."""

    def __init__(self) -> None:
        self._is_over = asyncio.Event()

    def end(self) -> None:
        """End it: a call has ended, with an answer or without, and the background work may begin."""
        self._is_over.set()

    async def wait(self) -> None:
        """Wait until it is over."""
        if self._is_over.is_set():
            return
        alarm = asyncio.get_running_loop().call_later(HEAD_START_SECONDS, self.end)
        try:
            await self._is_over.wait()
        finally:
            alarm.cancel()
