"""Watching the event loop while a call runs: how late it is, and how long it is kept by the guard's own code.

The second is looked up rather than inferred: a thread notes, every millisecond, whether the loop's thread is inside one of
the guard's files. What a worker thread computes makes the loop late too, where it holds the interpreter's lock, but the
loop goes on meanwhile.
"""

import asyncio
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Self

# The files whose work belongs off the loop.
GUARD_FILES = frozenset(
    f"{name}.py"
    for name in (
        *(
            "guard",
            "evidence",
            "passages",
            "records",
            "joining",
            "cleaning",
            "hidden",
            "kinds",
            "stating",
            "commands",
            "facts",
        ),
        *("fact_lines", "fact_names", "fact_patterns", "fact_shapes", "spellings", "vocabulary"),
        *("injections", "injection_folding", "injection_index", "injection_marks"),
        *("injection_paragraphs", "injection_reports", "injection_wording"),
    )
)

TICK_S = 0.005
LOOK_S = 0.001


def is_in_guard(frame: FrameType | None) -> bool:
    """Whether a thread is inside the guard's code."""
    while frame is not None:
        if Path(frame.f_code.co_filename).name in GUARD_FILES:
            return True
        frame = frame.f_back
    return False


@dataclass
class Watch:
    """A context in which the loop is watched; `lag_s` is its longest lag, `guard_s` what the guard kept it for."""

    lag_s: float = 0.0
    guard_s: float = 0.0
    _done: threading.Event = field(default_factory=threading.Event)

    async def __aenter__(self) -> Self:
        self._ticking = asyncio.create_task(self._tick())
        self._looking = threading.Thread(target=self._look, args=(threading.get_ident(),), daemon=True)
        self._looking.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._ticking.cancel()
        with suppress(asyncio.CancelledError):
            await self._ticking
        await asyncio.to_thread(self._looking.join)

    async def _tick(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self.lag_s = max(self.lag_s, time.perf_counter() - before - TICK_S)

    def _look(self, loop_thread: int) -> None:
        last = time.perf_counter()
        while not self._done.wait(LOOK_S):
            now = time.perf_counter()
            if is_in_guard(sys._current_frames().get(loop_thread)):  # noqa: SLF001, there is no other way to see it
                self.guard_s += now - last
            last = now
