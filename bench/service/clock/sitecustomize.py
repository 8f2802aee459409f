"""Lets a Python process see a wall clock that is wrong by the seconds that stand in the file CLOCK_OFFSET_FILE.

Python imports a module of this name by itself at the start, from PYTHONPATH; so the service needs no switch for it. The
monotonic clock is not touched, as with a real clock that is set.
"""

import os
import time
from pathlib import Path

NANOSECONDS = 1_000_000_000

_real = time.time
_file = Path(os.environ["CLOCK_OFFSET_FILE"])


def _wrong_time() -> float:
    return _real() + int(_file.read_text("ascii"))


time.time = _wrong_time
time.time_ns = lambda: int(_wrong_time() * NANOSECONDS)
