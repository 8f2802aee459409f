"""Trials of a provider in trouble: many faults at once, gone for a while, slow beyond use, a senseless answer, failures alone."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.histograms import quantile
from bench.service.faults import RATES, calls_for_an_answer
from bench.service.limits import limit_of
from bench.service.processes import FREEZE_S, Result, Service, a_service, on_a_model
from bench.service.provider import Behaviour
from bench.service.texts import Text
from bench.service.trials import (
    Row,
    Stage,
    all_at_once,
    at_a_rate,
    documents,
    health_figure,
    row,
    told,
)
from bench.service.watching import Watched, resident_mb, watched
from bench.verdict import Verdict

# Of the job that everything else is done with: more than this at once is refused.
ALLOW = 32

# What a job is honest about when it is not `summarized`.
HONEST = frozenset({"summarized", "partial", "unsummarized"})

# --- Many faults at once ---------------------------------------------------------------------------------------

JOBS, FACTS_EACH, TARGET = 200, 33, 300

# Of 100 calls that the provider takes on, 18 are made to fail: with each of them made again, an answer takes 1.22 calls.
MOST_CALLS = 1.25
DEADLINE_S = 100.0

# A deadline is kept if the answer is on its way then: over loopback, beside everything else, it takes some of this.
GRACE_S = 1.0


@dataclass(frozen=True, slots=True)
class Taken:
    """The calls that the provider took on, answered or not, and those that it refused since too many were being served."""

    calls: int
    over_limit: int

    @classmethod
    def of(cls, records: Sequence[Mapping[str, Any]]) -> "Taken":
        """Count the calls in the provider's records."""
        over_limit = sum(record["is_over_limit"] for record in records)
        return cls(len(records) - over_limit, over_limit)


async def many_faults(stage: Stage) -> Row:
    """Run jobs with faults, and the same ones without."""
    contents = documents(stage.of(JOBS), FACTS_EACH)
    quiet_results, quiet_records, *_ = await _jobs(stage, contents, {})
    results, records, watch, limit = await _jobs(stage, contents, RATES)
    quiet, taken = Taken.of(quiet_records), Taken.of(records)
    ratio = taken.calls / max(quiet.calls, 1)
    slowest = max(result.seconds for result in results)
    statuses = [result.status for result in results]
    what = f"10 % 429, 5 % 500, 2 % hangs, 1 % resets under {len(contents)} jobs at once"
    return row(
        what,
        f"every job ends `summarized` or honestly otherwise, none after {DEADLINE_S:g} s; "
        f"calls that the provider takes on ≤ {MOST_CALLS:g} times those without faults",
        [
            told(statuses),
            f"slowest {slowest:.0f} s ({max(result.seconds for result in quiet_results):.0f} s without faults)",
            f"{taken.calls} calls to {quiet.calls}: {ratio:.2f} times, of which {calls_for_an_answer(RATES):.2f} cannot be avoided",
            f"refused over the limit of {ALLOW} at once: {taken.over_limit} more ({quiet.over_limit} without faults)",
            f"the limit of calls at once went down to {min(limit):g}, in the median it was {quantile(limit, 0.5):g}",
        ],
        met=set(statuses) <= HONEST and slowest <= DEADLINE_S + GRACE_S,
        watch=watch,
        figures=[
            Verdict(
                f"{what}: calls that the provider takes on, times those without faults", MOST_CALLS, ratio
            )
        ],
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

AWAY_S, BEFORE_S, AFTER_S = 30.0, 3.0, 14.0
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


# --- An answer without sense -----------------------------------------------------------------------------------

SIGNS = "!" * 200_000
SIGNS_FACTS = 30

# Watched for so long at least: what an answer sets off may go on after the call.
SIGNS_WATCHED_S = 5.0


async def senseless_answer(stage: Stage) -> Row:
    """Have the model answer with one sign over and over."""
    await stage.model.behave(Behaviour(first_token_s=0.1, tokens_per_s=20_000, said=SIGNS))
    async with a_service(on_a_model(stage.model.url)) as service, watched(service) as watch:
        began = time.monotonic()
        arguments = {"content": documents(1, SIGNS_FACTS)[0], "max_output_tokens": TARGET}
        result = await service.call("summarize", arguments, patience_s=FREEZE_S)
        await asyncio.sleep(max(0.0, began + SIGNS_WATCHED_S - time.monotonic()))
    what = f"a model's answer of {len(SIGNS):,} `!`"
    return row(
        what,
        "an honest result, /health p99 ≤ 100 ms",
        [f"{result.status} after {result.seconds:.1f} s"],
        met=result.status in HONEST,
        watch=watch,
        figures=[health_figure(what, watch)],
    )


# --- Failures alone --------------------------------------------------------------------------------------------

# A status that is neither tried again nor a sign of a provider that is down: each call reaches the model.
REFUSED = "400"

FAILING_CALLS, WARMING_CALLS, FAILING_FACTS, AT_ONCE = 1_000, 200, 2, 16
MOST_GROWTH_KB = 10.0

# What is thrown away when there is nothing else to do has this long for it.
IDLE_S = 2.0


async def failing_calls(stage: Stage) -> Row:
    """Make calls of which every one fails at the model, and see what each leaves behind."""
    await stage.model.behave(Behaviour(first_token_s=0.0, rates={REFUSED: 1.0}))
    text = documents(1, FAILING_FACTS)[0]
    async with a_service(on_a_model(stage.model.url)) as service, watched(service) as watch:
        await _failing(service, text, range(WARMING_CALLS))
        before = await _settled_mb(service)
        statuses = await _failing(
            service, text, range(WARMING_CALLS, WARMING_CALLS + stage.of(FAILING_CALLS))
        )
        after = await _settled_mb(service)
    failed = len(await stage.model.calls()) - WARMING_CALLS
    growth = (after - before) * 1_000 / max(failed, 1)
    what = f"{len(statuses):,} calls that fail at the model"
    return row(
        what,
        f"memory grows by less than {MOST_GROWTH_KB:g} KB for each failed model call",
        [told(statuses), f"{failed} model calls, memory {before:.0f} to {after:.0f} MB"],
        met=failed >= len(statuses) and set(statuses) <= HONEST,
        watch=watch,
        figures=[Verdict(f"{what}: memory that each leaves behind", MOST_GROWTH_KB, growth, unit=" KB")],
    )


async def _failing(service: Service, text: str, numbers: range) -> list[str]:
    """Make a call for each number, some at once; no text comes twice, since answers and failures may be remembered."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> str:
        async with places:
            arguments = {"content": f"Call {number}.\n\n{text}", "max_output_tokens": TARGET}
            return (await service.call("summarize", arguments)).status

    return await asyncio.gather(*map(one, numbers))


async def _settled_mb(service: Service) -> float:
    await asyncio.sleep(IDLE_S)
    return resident_mb(service.running.pid)
