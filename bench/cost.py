"""What summarizing without a model costs, and what the guard of a model's answer does: seconds of a core for a MB.

    make bench-cost                                                     every text, every query
    .venv-dev/bin/python -m bench.cost --texts chat "csv wide" --profile
    .venv-dev/bin/python -m bench.cost --random 60 --seed 1             mixtures of short lines, each in one way

The garbage collector is set as the service sets it. Each text of cost_texts/ is summarized without a query, with a short one and
with one of as many areas as are allowed, at two targets, and an answer of a model is held against it. What counts is CPU time
(`time.process_time`): a busy machine makes it a little longer, and nothing else does. Ends with 1 where a text costs more than
MOST_SECONDS.
"""

import argparse
import asyncio
import cProfile
import pstats
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import chunking
from bench.cost_mixtures import mixture
from bench.cost_texts.shapes import text_makers
from bench.output import say
from summarizer import Settings, Summarizer
from summarizing.facts.text_reading import Reading
from summarizing.faithfulness.answer_check import Evidence
from summarizing.faithfulness.lost_facts import Survey
from summarizing.job import Request
from summarizing.offload import Offload
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from summarizing.relevance.asked_values import asked_by
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary
from tools.definitions import MAX_QUERY_CHARS
from transport.process import calm_garbage_collector

MB = 1_000_000
# Seconds per MB: the goal for every text, and what no text should exceed. Random mixtures over each are counted.
MOST_SECONDS = 1.5
UPPER_LIMIT_SECONDS = 2.0

SHORT_BRIEF = "errors with their codes, people and places, prices"
NOUNS = "account building client contract engine garden harbour invoice journey machine patient server student ticket vessel".split()  # noqa: SIM905
TARGETS = (500, 5_000)

# What a model is given at once, and what it answers where a tenth of the text is asked for.
CHUNK_TOKENS = 8_000
ANSWER_TOKENS = 800

WORST_SHOWN = 25


class Case(NamedTuple):
    """One way to be called: a name, and the query and the target."""

    name: str
    query: Query
    target: int
    is_guard: bool = False
    shares_target: bool = False
    """Whether the model's answers are as long as the target allows them to be together; else each has ANSWER_TOKENS."""


class Cost(NamedTuple):
    """What a case took for a text, in seconds of a core for a MB."""

    text: str
    case: str
    seconds: float


@cache
def long_brief() -> str:
    """Return as many areas as a caller may name: what may be asked for of every kind, and any words."""
    kinds = sorted(" ".join(sorted(phrase)) for phrases in asked_by().values() for phrase in phrases)
    words = [f"{kind} of the {noun}" for noun in NOUNS for kind in kinds]
    return ", ".join(words)[:MAX_QUERY_CHARS]


def cases() -> Iterator[Case]:
    """Yield every way to be called."""
    for target in TARGETS:
        yield Case(f"no query, {target}", Query(), target)
        yield Case(f"short focus, {target}", Query(focus_areas=SHORT_BRIEF), target)
        yield Case(f"long hint, {target}", Query(schema_hint=long_brief()), target)
    for name, shares in (("guard of a tenth", False), ("guard of 5,000 tokens", True)):
        yield Case(f"{name}, no query", Query(), TARGETS[1], is_guard=True, shares_target=shares)
        yield Case(
            f"{name}, short hint",
            Query(schema_hint=SHORT_BRIEF),
            TARGETS[1],
            is_guard=True,
            shares_target=shares,
        )
        yield Case(
            f"{name}, long hint",
            Query(schema_hint=long_brief()),
            TARGETS[1],
            is_guard=True,
            shares_target=shares,
        )


# --- The work ----------------------------------------------------------------------------------------------------


def run_inline(function: Callable[..., Any], *arguments: Any) -> Awaitable[Any]:
    """Run CPU work at once, here: as a worker of the summarizer."""
    future = asyncio.get_running_loop().create_future()
    future.set_result(function(*arguments))
    return future


def summarize(text: str, case: Case, tokenizer: Tokenizer) -> None:
    """Summarize a text as the service does without a model."""
    settings = Settings(CHUNK_TOKENS, 0, case.target, 128_000, "original")
    summarizer = Summarizer(
        settings=settings,
        tokenizer=tokenizer,
        prompts=Prompts({}),
        model=None,
        offload=Offload(run_inline),
        clock=time.monotonic,
    )
    asyncio.run(summarizer.summarize(Request(text, case.target, case.query)))


def guard(text: str, case: Case, tokenizer: Tokenizer) -> float:
    """Hold answers of a model against the chunks of a text, and what they come to against all of it.

    Returns the seconds of a core that it took to make the answers up: no part of the work.
    """
    query = case.query
    reading = Reading.of(text)
    layout = chunking.measure(text, CHUNK_TOKENS, tokenizer.count_each)
    answers: list[str] = []
    chunks = list(chunking.pack(layout, 0, tokenizer.count_each))
    room = max(1, case.target // len(chunks)) if case.shares_target else ANSWER_TOKENS
    pretending = 0.0
    for chunk in chunks:
        start = time.process_time()
        answer = answer_to(chunk.text, room, tokenizer)
        pretending += time.process_time() - start
        part = reading.part(chunk.start, chunk.end, chunk.lead)
        evidence = Evidence(chunk.lead + chunk.text, query.words, reading=part)
        answers.append(evidence.check(answer, query.wants_facts).text)
    survey = Survey(reading, query.words, tokenizer)
    summary = tokenizer.cut("\n\n".join(answers), case.target * 3 // 4)
    if not survey.found.is_unrelated:
        survey.put_back(tokenizer.counted(summary), case.target, 1.0 if query.words else 0.25)
    return pretending


def answer_to(chunk: str, room: int, tokenizer: Tokenizer) -> str:
    """Return what a model might say: the end of a chunk with other digits, so that next to nothing is there word for word."""
    said = tokenizer.cut(chunk[len(chunk) // 2 :], room)
    return said.translate(str.maketrans("0123456789", "1234567890"))


# --- Measuring ---------------------------------------------------------------------------------------------------


def measure(text: str, case: Case, tokenizer: Tokenizer) -> float:
    """Return the seconds of a core for a MB of a text."""
    start, pretending = time.process_time(), 0.0
    if case.is_guard:
        pretending = guard(text, case, tokenizer)
    else:
        summarize(text, case, tokenizer)
    return (time.process_time() - start - pretending) * MB / max(len(text.encode("utf-8", "replace")), 1)


def row(text: str, costs: list[Cost]) -> str:
    cells = " | ".join(f"{cost.seconds:.2f}{'!' * (cost.seconds > MOST_SECONDS)}" for cost in costs)
    return f"| {text} | {cells} |"


def profiled(text: str, case: Case, tokenizer: Tokenizer) -> None:
    profile = cProfile.Profile()
    work = guard if case.is_guard else summarize
    profile.runcall(work, text, case, tokenizer)
    pstats.Stats(profile, stream=sys.stdout).sort_stats("tottime").print_stats(20)


def search(mixtures: int, seed: int, size: float, ways: Sequence[Case], tokenizer: Tokenizer) -> list[Cost]:
    """Measure random mixtures of up to `size` MB, each in one of the ways; say what they cost, and how many more than is promised."""
    costs: list[Cost] = []
    for number in range(mixtures):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311, the same texts on every run
        text, case = mixture(chance, size), chance.choice(ways)
        costs.append(Cost(f"mixture {number}", case.name, measure(text, case, tokenizer)))
    seconds = sorted(cost.seconds for cost in costs)
    median, most = seconds[len(seconds) // 2], seconds[len(seconds) * 9 // 10]
    over = ", ".join(
        f"{sum(each > limit for each in seconds)} over {limit}"
        for limit in (MOST_SECONDS, UPPER_LIMIT_SECONDS)
    )
    say(
        f"{mixtures} mixtures, seed {seed}: median {median:.2f} s/MB, 90 % {most:.2f}, worst {seconds[-1]:.2f}; {over}"
    )
    return costs


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", nargs="*", help="only these")
    parser.add_argument("--cases", nargs="*", help="only those whose names contain one of these")
    parser.add_argument("--size", type=float, default=1.0, help="of a text, in MB")
    parser.add_argument("--random", type=int, default=0, help="so many random mixtures in place of the texts")
    parser.add_argument("--seed", type=int, default=1, help="of the mixtures")
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    options = parser.parse_args()

    tokenizer = load_tokenizer(read_vocabulary())
    tokenizer.count("A first text loads the vocabulary.")
    calm_garbage_collector()
    ways = [case for case in cases() if not options.cases or any(part in case.name for part in options.cases)]
    if options.random:
        return say_dearest(search(options.random, options.seed, options.size, ways, tokenizer))
    chosen = {
        name: make for name, make in text_makers().items() if not options.texts or name in options.texts
    }
    costs: list[Cost] = []
    say(f"| s/MB | {' | '.join(case.name for case in ways)} |\n|---|{'---:|' * len(ways)}")
    for name, make in chosen.items():
        text = make(int(options.size * MB))
        mine = [Cost(name, case.name, measure(text, case, tokenizer)) for case in ways]
        say(row(name, mine))
        costs += mine
        for case in ways if options.profile else ():
            say(f"\n{name}, {case.name}")
            profiled(text, case, tokenizer)
    return say_dearest(costs)


def say_dearest(costs: Sequence[Cost]) -> int:
    """Say what costs most, and return 1 where that is more than MOST_SECONDS."""
    over = [cost for cost in costs if cost.seconds > MOST_SECONDS]
    say(f"\n{len(over)} of {len(costs)} over {MOST_SECONDS} s/MB; the dearest:")
    for cost in sorted(costs, key=lambda cost: -cost.seconds)[:WORST_SHOWN]:
        say(f"  {cost.seconds:6.2f}  {cost.text}: {cost.case}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
