"""A job's token budgets: the context window, the number of chunks, what each may write, the groups that are merged.

Pure arithmetic on token counts: the chunks' calls and the first merges are planned before a job's first call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

# A summary of a chunk is useless below this size; larger ones are written instead, and merged.
USEFUL_TOKENS = 150

# Between two parts stand two line ends.
SEPARATOR_TOKENS = 1


# A text that exceeds the target by no more than this factor is shortened by code, which keeps whole sentences; merging it would
# take another round of calls.
SMALL_OVERSHOOT = 1.25

# Chunks end where the structure lets them, so they are not all full: with no room to spare one more would be needed.
FILL = 0.95

# The time to the first token, as the number of tokens that are written in that time: half a second at 80 a second.
FIRST_TOKEN_DELAY = 40

# Reserved for the prompt template and the breadcrumb, in addition to query, content and answer.
PROMPT_ROOM_TOKENS = 1_000

# Models exceed a stated length a little. What exceeds it by more than this is cut by max_tokens, and recognised as cut.
ANSWER_HEADROOM = 1.5
ANSWER_SPARE_TOKENS = 64

# A sentence or two is not worth a call: the chunk stays as it is.
TINY_CHUNK_TOKENS = 20

# The smallest chunk size that the settings allow; where not even that fits beside a query, the provider refuses the call.
LEAST_CHUNK_TOKENS = 200


class Window(NamedTuple):
    """What the prompts of a job leave of the model's context window for content and answer."""

    tokens: int
    most_answer_tokens: int = 0
    """The highest `max_tokens` of a call; 0: as long as the budget wants."""

    @classmethod
    def for_query(cls, query_tokens: int, context: int, most_answer_tokens: int = 0) -> "Window":
        """Return the window of a job with a query of this many tokens."""
        return cls(context - PROMPT_ROOM_TOKENS - query_tokens, most_answer_tokens)

    def chunk_size(self, wanted: int) -> int:
        """Return the size of a chunk: as wanted, but no more than half, so that the answer has room."""
        return max(LEAST_CHUNK_TOKENS, min(wanted, self.tokens // 2))

    def merge_size(self) -> int:
        """Return how many tokens one merge may read, if its answer may be as long as what it reads."""
        return max(LEAST_CHUNK_TOKENS, int((self.tokens - ANSWER_SPARE_TOKENS) / (1 + ANSWER_HEADROOM)))

    def answer_limit(self, budget: int, content_tokens: int) -> int:
        """Return the `max_tokens` of a call: a provider refuses a call that could exceed the context window."""
        wanted = round(budget * ANSWER_HEADROOM) + ANSWER_SPARE_TOKENS
        limit = max(ANSWER_SPARE_TOKENS, min(wanted, self.tokens - content_tokens))
        return min(limit, self.most_answer_tokens or limit)


class Group(NamedTuple):
    """Neighbours `start` to `stop` (exclusive) with `tokens` in all, to become one text of `budget` tokens."""

    start: int
    stop: int
    tokens: int
    budget: int

    @property
    def has_several(self) -> bool:
        """Whether there are several, and so something to merge."""
        return self.stop - self.start > 1


def fewest_chunks(tokens: int, size: int) -> int:
    """Return the least number of chunks of at most `size` tokens."""
    return 1 if tokens <= size else -(-tokens // int(size * FILL))


def chunk_count(tokens: int, tokens_to_write: int, size: int, concurrency: int, affordable: int) -> int:
    """Return the number of chunks, of at most `size` tokens each, with which the last answer comes soonest.

    `concurrency` calls run at once. Smaller chunks use capacity that would be idle, but each needs a useful share of what may
    be written (`tokens_to_write`), and at most `affordable` calls are made for the sake of speed. Of equally fast numbers, the smallest.
    """
    least = fewest_chunks(tokens, size)
    most = max(least, min(affordable, tokens_to_write // USEFUL_TOKENS))

    def time(count: int) -> float:
        rounds = -(-count // max(concurrency, 1))
        return rounds * (FIRST_TOKEN_DELAY + max(tokens_to_write / count, USEFUL_TOKENS))

    return min(range(least, most + 1), key=time)


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls of a job: one for each chunk whose budget is under its size, then merges, level by level.

    `sizes` and `budgets` are the chunks', in tokens. The groups of a level join what the level before it wrote.
    Only the first level is carried out as planned; later ones are counted in `calls`, and planned anew from what was written
    (`MapReduce._merge_pass`).
    """

    sizes: list[int]
    budgets: list[int]
    merges: list[list[Group]]

    @classmethod
    def of(cls, sizes: Sequence[int], tokens_to_write: int, target: int, merge_size: int) -> "Plan":
        """Plan for chunks of these sizes; the model may write `tokens_to_write` tokens of the target."""
        budgets = share_out(tokens_to_write, sizes)
        return cls(list(sizes), budgets, _levels(budgets, tokens_to_write, target, merge_size))

    @property
    def calls(self) -> int:
        """The number of calls to the model, if each answer is about as long as its budget."""
        reading = sum(
            size > max(budget, TINY_CHUNK_TOKENS)
            for size, budget in zip(self.sizes, self.budgets, strict=True)
        )
        return reading + sum(group.has_several for level in self.merges for group in level)


def is_too_long(tokens: int, target: int) -> bool:
    """Whether a text must be merged by the model, rather than fitted to the target by code."""
    return tokens > target * SMALL_OVERSHOOT


def _levels(parts: Sequence[int], tokens_to_write: int, target: int, merge_size: int) -> list[list[Group]]:
    """Return the merges that bring parts of these sizes down to the target."""
    levels = []
    while len(parts) > 1 and is_too_long(sum(parts) + SEPARATOR_TOKENS * (len(parts) - 1), target):
        groups = plan_groups(parts, tokens_to_write, merge_size)
        if not any(group.has_several for group in groups):
            break
        levels.append(groups)
        parts = [group.budget if group.has_several else group.tokens for group in groups]
    return levels


def share_out(tokens_to_write: int, sizes: Sequence[int]) -> list[int]:
    """Return the budget of each chunk, in proportion to its size.

    The sum is within `tokens_to_write` wherever that leaves an average chunk USEFUL_TOKENS; else it is not, and a merge brings
    it down. A single chunk has all of it, uncapped; else a budget is at least 1 and never more than the chunk.
    """
    if len(sizes) == 1:
        return [tokens_to_write]
    room = max(tokens_to_write - SEPARATOR_TOKENS * (len(sizes) - 1), USEFUL_TOKENS * len(sizes))
    whole = max(sum(sizes), 1)
    return [max(1, min(size, room * size // whole)) for size in sizes]


def plan_groups(sizes: Sequence[int], tokens_to_write: int, merge_size: int) -> list[Group]:
    """Cut neighbours into groups to merge side by side, each of at most `merge_size` tokens.

    As many groups as have a useful budget, so that the answers are short, but at least two parts to a group wherever two fit.
    """
    whole = sum(sizes)
    wanted = max(1, min(len(sizes) // 2, tokens_to_write // USEFUL_TOKENS))
    even = whole / wanted
    starts = [0]
    size = 0
    for index, part in enumerate(sizes):
        members = index - starts[-1]
        full = size + part > merge_size or (members >= 2 and size + part / 2 > even)
        if members and full:
            starts.append(index)
            size = 0
        size += part
    bounds = pairwise([*starts, len(sizes)])
    return [_group(start, stop, sum(sizes[start:stop]), tokens_to_write, whole) for start, stop in bounds]


def _group(start: int, stop: int, tokens: int, tokens_to_write: int, whole: int) -> Group:
    return Group(start, stop, tokens, max(1, tokens_to_write * tokens // max(whole, 1)))
