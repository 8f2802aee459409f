"""How long single calls into C take: meanwhile no other thread runs, unless the call gives up the interpreter's lock."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any


def longest_calls(work: Callable[[], object]) -> tuple[dict[str, float], float]:
    """Return, by the name of each function in C, the longest call of it, and what all of the work took: seconds of this thread.

    A call from which Python code was called does not count: that lets other threads run. Callable objects, such as json's scanner,
    are not seen.
    """
    longest: defaultdict[str, float] = defaultdict(float)
    began: float | None = None

    def observe(_: object, event: str, function: Any) -> None:
        nonlocal began
        if event == "c_call":
            began = time.thread_time()
            return
        if event == "c_return" and began is not None:
            name = function.__name__
            longest[name] = max(longest[name], time.thread_time() - began)
        began = None

    start = time.thread_time()
    sys.setprofile(observe)
    try:
        work()
    finally:
        sys.setprofile(None)
    return longest, time.thread_time() - start
