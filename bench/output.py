"""What a bench prints: its tables on standard output, how far it is on standard error."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def say(line: str) -> None:
    """Print a part of the result."""
    print(line, flush=True)  # noqa: T201, the tables are what a bench is run for


def progress(line: str) -> None:
    """Print progress on standard error."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201


@contextmanager
def timed(part: str) -> Iterator[None]:
    """Tell how long a part took."""
    began = time.monotonic()
    yield
    progress(f"--- {part}: {time.monotonic() - began:.0f} s")
