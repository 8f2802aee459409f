"""The ideal schedule of calls that were made: how soon they could have ended on so many places at once. Pure.

Finding the very shortest schedule is hard; what is here is a time that no schedule can beat, and one that a simple rule
reaches. Where both are the same it is the shortest.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, product


@dataclass(frozen=True, slots=True)
class Step:
    """One call: its duration in seconds, and the steps, by number, that must have ended before it begins."""

    seconds: float
    after: tuple[int, ...] = ()


def lower_bound(steps: Sequence[Step], places: int) -> float:
    """Return a time in seconds that no schedule of the steps on so many places can beat.

    Every step must stand behind those that it waits for.
    """
    heads = _heads(steps)
    tails = _tails(steps)
    bounds = [0.0]
    # What can begin only so late, and has so much behind it, must be done in between.
    for head, tail in product(sorted(set(heads)), sorted(set(tails))):
        between = [
            step.seconds
            for step, mine, behind in zip(steps, heads, tails, strict=True)
            if mine >= head and behind >= tail
        ]
        if between:
            bounds.append(head + _packed(between, places) + tail)
    return max(bounds)


def planned(steps: Sequence[Step], places: int) -> float:
    """Return the seconds of the schedule that begins, of what can begin, what has the longest way to the end."""
    tails = _tails(steps)
    ends: dict[int, float] = {}
    free = [0.0] * places
    waiting = set(range(len(steps)))
    while waiting:
        now = heapq.heappop(free)
        ready = [at for at in waiting if all(ends.get(one, float("inf")) <= now for one in steps[at].after)]
        if not ready:
            # Until the next end of a step that another waits for.
            heapq.heappush(free, min(end for end in ends.values() if end > now))
            continue
        first = max(ready, key=lambda at: (steps[at].seconds + tails[at], -at))
        waiting.discard(first)
        ends[first] = now + steps[first].seconds
        heapq.heappush(free, ends[first])
    return max(ends.values(), default=0.0)


def _packed(durations: Sequence[float], places: int) -> float:
    """Return a time that no schedule of independent steps can beat."""
    longest = sorted(durations, reverse=True)
    bounds = [longest[0], sum(longest) / places]
    # Of the longest k times the places and one more, some place has k + 1: at best the shortest of them.
    sums = [0.0, *accumulate(longest)]
    for rounds in range(1, (len(longest) - 1) // places + 1):
        last = rounds * places + 1
        bounds.append(sums[last] - sums[last - rounds - 1])
    return max(bounds)


def _heads(steps: Sequence[Step]) -> list[float]:
    """Return for each step when it can begin at the earliest."""
    heads: list[float] = []
    for step in steps:
        heads.append(max((heads[one] + steps[one].seconds for one in step.after), default=0.0))
    return heads


def _tails(steps: Sequence[Step]) -> list[float]:
    """Return for each step how long what waits for it takes at the least."""
    tails = [0.0] * len(steps)
    for at in range(len(steps) - 1, -1, -1):
        for one in steps[at].after:
            tails[one] = max(tails[one], steps[at].seconds + tails[at])
    return tails
