"""Single jobs on the simulated model: how long, with how many calls and tokens, and how near to the ideal schedule.

    .venv-dev/bin/python -m bench.service.jobs --tokens 187000 --target 5000 --allow 32
    .venv-dev/bin/python -m bench.service.jobs --tokens 187000 --target 5000 --at-once 5

The first has a provider that takes 32 calls at once and refuses more, and a service whose settings nobody touched; the
second holds the service to five. `--jobs 2` runs two texts on one service: at the second its limit of calls is known. `--tool` takes
`summarize` or `summarize_for_extraction`, `--set NAME=VALUE` any setting, `--trace` prints every call.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.service.processes import Simulated, a_service, a_simulated_model, on_a_model
from bench.service.provider import Behaviour
from bench.service.schedule import Step, lower_bound, planned
from bench.service.texts import SEED, Text, handbook
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary

SUMMARIZE, EXTRACT = "summarize", "summarize_for_extraction"

# Behind the name of a job that is not the first on its service.
LIMIT_KNOWN = ", limit known"


@dataclass(frozen=True, slots=True)
class Measured:
    """One job: what was asked, and what it took, counted by the model's side."""

    method: str
    content_tokens: int
    target: int
    places: int
    seconds: float
    status: str
    output_tokens: int
    calls: int
    refused: int
    """Calls that the provider refused: they cost nothing but time."""
    prompt_tokens: int
    completion_tokens: int
    most_at_once: int
    ideal_s: float
    """A time that no schedule of these calls can beat."""
    planned_s: float
    """What a simple schedule of these calls takes."""
    late: float
    """How much longer the calls took than the model's pace asks for, at the most: what a busy machine adds."""
    note: str = ""
    lead_s: float = 0.0
    """Before the first call, and"""
    tail_s: float = 0.0
    """after the last one: what the service does by itself."""
    starts_s: float = 0.0
    """From the first start to the last, of the calls that began before any answer ended."""

    @property
    def ratio(self) -> float:
        """Measured to ideal."""
        return self.seconds / self.ideal_s if self.ideal_s else 0.0

    @property
    def prompt_share(self) -> float:
        """Tokens read by the model, to those of the content."""
        return self.prompt_tokens / self.content_tokens

    @property
    def completion_share(self) -> float:
        """Tokens written by the model, to the target."""
        return self.completion_tokens / self.target


def steps_of(calls: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return the calls that were answered as steps of a schedule, in the order in which they began."""
    answered = [call for call in calls if call["status"] == "200"]
    place = {call["number"]: at for at, call in enumerate(answered)}
    return [
        Step(call["end"] - call["begin"], tuple(place[one] for one in call["after"] if one in place))
        for call in answered
    ]


def lateness(calls: Sequence[Mapping[str, Any]], behaviour: Behaviour) -> float:
    """Return by how much the slowest call was slower than the model's pace, as a share of it."""
    late = 0.0
    for call in calls:
        if call["status"] == "200":
            pace = behaviour.first_token_s + (call["completion_tokens"] - 1) / behaviour.tokens_per_s
            late = max(late, (call["end"] - call["begin"]) / pace - 1)
    return late


def span_of_starts(calls: Sequence[Mapping[str, Any]]) -> float:
    """Return the seconds from the first start to the last, of the answered calls that began before any of them ended."""
    answered = [call for call in calls if call["status"] == "200"]
    ended = min((call["end"] for call in answered), default=0.0)
    begun = [call["begin"] for call in answered if call["begin"] < ended]
    return max(begun) - min(begun) if begun else 0.0


def measured(calls: Sequence[Mapping[str, Any]], behaviour: Behaviour, places: int, **said: Any) -> Measured:
    """Put together what the model's side recorded of a job, and what is `said` of it."""
    steps = steps_of(calls)
    return Measured(
        places=places,
        calls=sum(call["status"] != "429" for call in calls),
        refused=sum(call["status"] == "429" for call in calls),
        prompt_tokens=sum(call["prompt_tokens"] for call in calls),
        completion_tokens=sum(call["completion_tokens"] for call in calls),
        most_at_once=max((call["at_once"] for call in calls if call["status"] != "429"), default=0),
        ideal_s=lower_bound(steps, places),
        planned_s=planned(steps, places),
        late=lateness(calls, behaviour),
        starts_s=span_of_starts(calls),
        **said,
    )


def arguments_for(tool: str, text: Text, target: int) -> dict[str, Any]:
    """Return the arguments of a call."""
    asked = {"schema_hint": text.hint} if tool == EXTRACT else {}
    return {"content": text.content, "max_output_tokens": target, **asked}


async def ours(
    model: Simulated,
    texts: Sequence[Text],
    tool: str,
    target: int,
    *,
    behaviour: Behaviour,
    places: int,
    **settings: str,
) -> list[tuple[Measured, list[dict[str, Any]]]]:
    """Run jobs one after another on a service of their own; return of each what was measured, and the records of its calls."""
    found: list[tuple[Measured, list[dict[str, Any]]]] = []
    async with a_service(on_a_model(model.url, **settings)) as service:
        for text in texts:
            await model.behave(behaviour)
            begin = time.monotonic()
            result = await service.call(tool, arguments_for(tool, text, target))
            end = time.monotonic()
            calls = await model.calls()
            said = measured(
                calls,
                behaviour,
                places,
                method=f"ours, {tool}{LIMIT_KNOWN if found else ''}",
                content_tokens=text.tokens,
                target=target,
                seconds=result.seconds,
                status=result.status,
                output_tokens=int(result.outcome.get("output_tokens", 0)),
                note=str(result.outcome.get("reason") or result.error),
                lead_s=min((call["begin"] for call in calls), default=begin) - begin,
                tail_s=end - max((call["end"] for call in calls), default=end),
            )
            found.append((said, calls))
    return found


def held_to(places: int) -> dict[str, str]:
    """Return the settings that hold the service to so many calls at once."""
    return {"MAX_CONCURRENT_LLM_CALLS": str(places), "LLM_CONCURRENCY_CEILING": str(places)}


# --- The command -----------------------------------------------------------------------------------------------


def trace(calls: Sequence[Mapping[str, Any]]) -> str:
    """Return a line for each call: when, how much, how it ended."""
    begin = min((call["begin"] for call in calls), default=0.0)
    lines = ["  call   begin     end  prompt  answer  limit  at once  status  after"]
    for call in calls:
        end = (call["end"] or begin) - begin
        after = ",".join(map(str, call["after"]))
        lines.append(
            f"{call['number']:6} {call['begin'] - begin:7.2f} {end:7.2f} {call['prompt_tokens']:7} {call['completion_tokens']:7} "
            f"{call['max_tokens']:6} {call['at_once']:8}  {call['status']:6}  {after}"
        )
    return "\n".join(lines)


def summary(job: Measured) -> str:
    """Return what was measured in a few lines."""
    return (
        f"{job.method}: {job.content_tokens} to {job.output_tokens} tokens (target {job.target}), {job.status}\n"
        f"  {job.seconds:.2f} s; no schedule of its calls on {job.places} places beats {job.ideal_s:.2f} s "
        f"({job.ratio:.2f} times), a simple one takes {job.planned_s:.2f} s\n"
        f"  {job.lead_s:.2f} s before the first call, {job.starts_s:.2f} s from its start to that of the last one beside it, "
        f"{job.tail_s:.2f} s after the last\n"
        f"  {job.calls} calls and {job.refused} refused; at most {job.most_at_once} at once\n"
        f"  prompt {job.prompt_tokens} ({job.prompt_share:.3f} times the content), "
        f"completion {job.completion_tokens} ({job.completion_share:.2f} times the target)\n"
        f"  the slowest call was {100 * job.late:.0f} % behind the model's pace\n"
        f"  {job.note}"
    )


async def run(options: argparse.Namespace) -> str:
    """Run the jobs of the command line."""
    tokenizer = load_tokenizer(read_vocabulary())
    texts = [handbook(options.tokens, tokenizer, SEED + number) for number in range(options.jobs)]
    behaviour = Behaviour(allow=options.allow, queues=options.queue, retry_after_s=options.retry_after)
    settings = held_to(options.at_once) if options.at_once else {}
    settings |= dict(pair.split("=", 1) for pair in options.set)
    places = options.at_once or options.allow
    async with a_simulated_model() as model:
        found = await ours(
            model, texts, options.tool, options.target, behaviour=behaviour, places=places, **settings
        )
    return "\n".join(
        "\n".join([*([trace(calls)] if options.trace else []), summary(job)]) for job, calls in found
    )


def main() -> None:
    """Run the jobs and print what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=187_000, help="of the content")
    parser.add_argument("--jobs", type=int, default=1, help="on one service, each of another text")
    parser.add_argument("--target", type=int, default=5_000, help="in tokens")
    parser.add_argument("--tool", choices=(SUMMARIZE, EXTRACT), default=SUMMARIZE)
    parser.add_argument("--allow", type=int, default=32, help="calls at once that the provider takes")
    parser.add_argument("--queue", action="store_true", help="the provider lets more calls wait: no 429")
    parser.add_argument("--retry-after", type=float, help="what a 429 says, in seconds")
    parser.add_argument("--at-once", type=int, default=0, help="hold the service to so many calls at once")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    parser.add_argument("--trace", action="store_true", help="print every call")
    sys.stdout.write(asyncio.run(run(parser.parse_args())) + "\n")


if __name__ == "__main__":
    main()
