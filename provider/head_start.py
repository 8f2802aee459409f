"""Lets a job's first requests leave before the background work that its answers will need.

Such work holds the interpreter's lock for milliseconds at a time, and each request that is being sent would wait for that
several times. Knows nothing of what the work is.
"""

import asyncio

# Dozens of requests are sent in a third of this; a hosted model's first token takes longer.
HEAD_START_SECONDS = 0.3


class HeadStart:
    """A time in which a job's background work waits.

    It ends HEAD_START_SECONDS after the job's first request is sent, or another job's request is joined; or earlier, when a call has
    ended, or it is known that none is made.
    """

    def __init__(self) -> None:
        self._is_over = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin its time: a request is about to be sent, or another job's is joined. Later ones change nothing."""
        if self._alarm is None and not self._is_over.is_set():
            self._alarm = asyncio.get_running_loop().call_later(HEAD_START_SECONDS, self.end)

    def end(self) -> None:
        """End it: its time is over, a call has ended, or no call is made; the background work may begin."""
        self._is_over.set()
        if self._alarm is not None:
            self._alarm.cancel()

    async def wait(self) -> None:
        """Wait until it is over."""
        await self._is_over.wait()
