"""Trials of a provider in trouble: many faults at once, gone for a while, slow beyond use."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bench.service.faults import RATES
from bench.service.limits import limit_of
from bench.service.processes import Result, a_service, on_a_model
from bench.service.provider import Behaviour
from bench.service.texts import Text
from bench.service.trials import Row, Stage, all_at_once, at_a_rate, documents, row, told
from bench.service.watching import Watched, quantile, watched

# Of the job that everything else is done with: more than this at once is refused.
ALLOW = 32

# What a job is honest about when it is not `summarized`.
HONEST = frozenset({"summarized", "partial", "unsummarized"})

# --- Many faults at once ---------------------------------------------------------------------------------------

JOBS, FACTS_EACH, TARGET = 200, 33, 300
MOST_CALLS = 1.25
DEADLINE_S = 100.0

# A deadline is kept if the answer is on its way then: over loopback, beside everything else, it takes some of this.
GRACE_S = 1.0


async def many_faults(stage: Stage) -> Row:
    """Run the jobs once without faults and once with them."""
    contents = documents(stage.of(JOBS), FACTS_EACH)
    quiet, quiet_calls, *_ = await _jobs(stage, contents, {})
    results, calls, watch, limit = await _jobs(stage, contents, RATES)
    ratio = len(calls) / max(len(quiet_calls), 1)
    slowest = max(result.seconds for result in results)
    statuses = [result.status for result in results]
    refused = sum(call["status"] == "429" for call in quiet_calls)
    return row(
        f"10 % 429, 5 % 500, 2 % hangs, 1 % resets under {len(contents)} jobs at once",
        f"every job ends `summarized` or honestly otherwise, none after {DEADLINE_S:g} s; "
        f"model calls ≤ {MOST_CALLS:g} times those without faults",
        [
            told(statuses),
            f"slowest {slowest:.0f} s ({max(result.seconds for result in quiet):.0f} s without faults)",
            f"{len(calls)} calls to {len(quiet_calls)} ({refused} of these refused): {ratio:.2f} times",
            f"the limit of calls at once went down to {min(limit):g}, in the median it was {quantile(limit, 0.5):g}",
        ],
        met=set(statuses) <= HONEST and slowest <= DEADLINE_S + GRACE_S and ratio <= MOST_CALLS,
        watch=watch,
    )


async def _jobs(
    stage: Stage, contents: Sequence[str], rates: Mapping[str, float]
) -> tuple[list[Result], list[dict[str, Any]], Watched, list[float]]:
    await stage.model.behave(Behaviour(allow=ALLOW, rates=rates))
    settings = on_a_model(stage.model.url, SUMMARIZE_DEADLINE_SECONDS=f"{DEADLINE_S:g}")
    async with a_service(settings) as service, watched(service) as watch, limit_of(service) as limit:
        results = await all_at_once(service, contents, TARGET)
    return results, await stage.model.calls(), watch, [value for _, value in limit]


# --- Gone for a while ------------------------------------------------------------------------------------------

AWAY_S, BEFORE_S, AFTER_S = 30.0, 6.0, 24.0
EVERY_S, SMALL_FACTS = 0.5, 15
BACK_WITHIN_S = 10.0


async def gone(stage: Stage) -> Row:
    """Let jobs come at a steady rate while the provider goes and comes back."""
    away = AWAY_S * min(1.0, stage.scale)
    count = round((BEFORE_S + away + AFTER_S) / EVERY_S)
    contents = documents(count, SMALL_FACTS)
    await stage.model.behave(Behaviour(allow=ALLOW))
    async with a_service(on_a_model(stage.model.url)) as service, watched(service) as watch:
        asked, _ = await asyncio.gather(at_a_rate(service, contents, TARGET, EVERY_S), _leave(stage, away))
    during = [result for when, result in asked if BEFORE_S <= when < BEFORE_S + away]
    after = [(when, result) for when, result in asked if when >= BEFORE_S + away]
    back = min(
        (when - BEFORE_S - away for when, result in after if result.status == "summarized"),
        default=float("inf"),
    )
    late = [result.status for when, result in after if when >= BEFORE_S + away + BACK_WITHIN_S]
    statuses = {result.status for _, result in asked}
    return row(
        f"the provider gone for {away:g} s and back, a job every {EVERY_S:g} s",
        f"every job answered honestly; {BACK_WITHIN_S:g} s after its return all are `summarized` again",
        [
            f"meanwhile {told(result.status for result in during)}, {times(during)}",
            f"`summarized` again for jobs begun {back:.1f} s after its return",
            f"from {BACK_WITHIN_S:g} s on: {told(late)}",
        ],
        met=statuses <= HONEST and set(late) == {"summarized"},
        watch=watch,
    )


def times(results: Sequence[Result]) -> str:
    """Return how long results took."""
    seconds = [result.seconds for result in results]
    return f"median {quantile(seconds, 0.5):.1f} s, slowest {max(seconds, default=0.0):.1f} s"


async def _leave(stage: Stage, seconds: float) -> None:
    await asyncio.sleep(BEFORE_S)
    await stage.model.leave(seconds)


# --- Slow beyond use -------------------------------------------------------------------------------------------

SLOW_TOKENS, SLOW_TARGET = 40_000, 5_000
SHORT_DEADLINE_S = 10.0


async def slow(stage: Stage, text: Text) -> Row:
    """Ask for a summary of a model that writes one token a second."""
    await stage.model.behave(Behaviour(allow=ALLOW, tokens_per_s=1))
    settings = on_a_model(stage.model.url, SUMMARIZE_DEADLINE_SECONDS=f"{SHORT_DEADLINE_S:g}")
    async with a_service(settings) as service, watched(service) as watch:
        result = await service.call("summarize", {"content": text.content, "max_output_tokens": SLOW_TARGET})
    return row(
        f"a provider that writes one token a second, {text.tokens} tokens to {SLOW_TARGET}",
        f"an answer at the deadline of {SHORT_DEADLINE_S:g} s, `partial`",
        [f"{result.status} after {result.seconds:.2f} s, {result.outcome.get('output_tokens')} tokens"],
        met=result.status == "partial" and result.seconds <= SHORT_DEADLINE_S + GRACE_S,
        watch=watch,
    )
