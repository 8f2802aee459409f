"""Who may read and write how much: the window, budgets for the chunks, groups for the merges.

Pure arithmetic on token counts.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

# In less than this nothing useful can be said of a chunk: rather more text, and a merge.
USEFUL_TOKENS = 150

# Between two parts stand two line ends.
SEPARATOR_TOKENS = 1


# Prompt templates and breadcrumb: what a call needs beside its brief, its content and its answer.
PROMPT_ROOM_TOKENS = 1_000

# A model that is told its budget overshoots it a little. What it writes beyond this is cut, and recognised as cut.
ANSWER_HEADROOM = 1.5
ANSWER_SPARE_TOKENS = 64

# The settings know no smaller chunks; where not even these fit beside a brief, the provider says so.
LEAST_CHUNK_TOKENS = 200


class Window(NamedTuple):
    """What the prompts of a job leave of the model's context window for content and answer."""

    tokens: int

    @classmethod
    def beside(cls, brief_tokens: int, context: int) -> "Window":
        """Return the window of a job with a brief of so many tokens."""
        return cls(context - PROMPT_ROOM_TOKENS - brief_tokens)

    def chunk_size(self, wanted: int) -> int:
        """Return the size of a chunk: as wanted, but no more than half, so that the answer has room."""
        return max(LEAST_CHUNK_TOKENS, min(wanted, self.tokens // 2))

    def merge_size(self) -> int:
        """Return how much one merge may read, so that it could write as much again."""
        return max(LEAST_CHUNK_TOKENS, int((self.tokens - ANSWER_SPARE_TOKENS) / (1 + ANSWER_HEADROOM)))

    def answer_limit(self, budget: int, content_tokens: int) -> int:
        """Return the `max_tokens` of a call: a provider refuses one that would leave the window."""
        wanted = round(budget * ANSWER_HEADROOM) + ANSWER_SPARE_TOKENS
        return max(ANSWER_SPARE_TOKENS, min(wanted, self.tokens - content_tokens))


class Group(NamedTuple):
    """Neighbours `start` to `stop` (exclusive) with `tokens` in all, to become one text of `budget` tokens."""

    start: int
    stop: int
    tokens: int
    budget: int


def share_out(target: int, sizes: Sequence[int]) -> list[int]:
    """Return the budget of each chunk, in proportion to its size.

    The sum is within the target wherever that leaves an average chunk USEFUL_TOKENS; else it is not, and a merge brings
    it down. A single chunk has the whole target. A budget is at least 1 and never more than the chunk itself.
    """
    if len(sizes) == 1:
        return [target]
    room = max(target - SEPARATOR_TOKENS * (len(sizes) - 1), USEFUL_TOKENS * len(sizes))
    whole = max(sum(sizes), 1)
    return [max(1, min(size, room * size // whole)) for size in sizes]


def plan_groups(sizes: Sequence[int], target: int, window: int) -> list[Group]:
    """Cut neighbours into groups to merge side by side, each small enough for the window.

    As many groups as have a useful budget, so that no call writes more than it must, but at least two parts to a group
    wherever two fit the window.
    """
    whole = sum(sizes)
    wanted = max(1, min(len(sizes) // 2, target // USEFUL_TOKENS))
    even = whole / wanted
    starts = [0]
    size = 0
    for index, part in enumerate(sizes):
        members = index - starts[-1]
        full = size + part > window or (members >= 2 and size + part / 2 > even)
        if members and full:
            starts.append(index)
            size = 0
        size += part
    bounds = pairwise([*starts, len(sizes)])
    return [_group(start, stop, sum(sizes[start:stop]), target, whole) for start, stop in bounds]


def _group(start: int, stop: int, tokens: int, target: int, whole: int) -> Group:
    return Group(start, stop, tokens, max(1, target * tokens // max(whole, 1)))
