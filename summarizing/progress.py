"""Counts the steps of one job and reports each.

Who listens: `CallContext.progress` (protocol/context.py), given by tools/handlers.py; of a result of the gateway `CallProgress.of_summary`
(gateway/call_progress.py), given by gateway/tool_results.py.
"""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with the steps done, the steps known so far, and a line for people."""


class Steps:
    """The steps of one job: chunks, merges, or slices read without a model."""

    def __init__(self, report: Progress) -> None:
        self._report = report
        self._done = 0
        self._expected = 0

    def expect(self, steps: int) -> None:
        """Add steps that are still to be done."""
        self._expected += steps

    def finish(self, what: str) -> None:
        """Report that one more chunk or merge is done."""
        self._done += 1
        self._report(self._done, self._expected, f"{self._done} of {self._expected} {what}")

    def report_slices(self, read: int, of: int) -> None:
        """Report how many slices of a text were read without a model; nothing where the chunks of one were reported before."""
        if not self._expected:
            self._report(read, of, f"{read} of {of} chunks")
