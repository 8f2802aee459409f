"""CPU work on pages: in the service's worker threads, where short texts do not wait for long ones and callers take turns.

Which work is next, summarizing/offload.py decides; whose it is, request_slots.py knows.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from summarizing.offload import Offload, OutOfTime
from web_tools.request_slots import current_caller

T = TypeVar("T")


class TextWork:
    """Runs functions of texts off the event loop."""

    def __init__(self, offload: Offload) -> None:
        self._offload = offload

    async def __call__(self, chars: int, function: Callable[..., T], *arguments: Any) -> T:
        """Return a function's result, once it is the current caller's turn; `chars`: the length of the texts that it works on."""
        return await self._offload.threads_for(current_caller(), chars).run(function, *arguments)

    async def even_if_late(
        self, until: float | None, chars: int, function: Callable[..., T], *arguments: Any
    ) -> T:
        """Do the same, and without a turn if that has not come by `until`, on the event loop's clock: for what a late call still needs."""
        threads = self._offload.threads_for(current_caller(), chars, until)
        try:
            return await threads.run(function, *arguments)
        except OutOfTime:
            return await threads.run_without_turn(function, *arguments)
