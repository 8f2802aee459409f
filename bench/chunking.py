"""How fast the chunker is: beside one tokenizer pass, beside other libraries, and from 1 to 100 MB.

    make bench-chunking
    .venv-bench/bin/python -m bench.chunking --rounds 5 --limit 8000 --scale 1 10 100

All of it in one run: the same text, the same vocabulary, the contestants taking turns, because a shared machine is not
the same from one minute to the next. A speed is the median over the rounds; a ratio is the median of the ratios to the
tokenizer pass of the same round. No network: the vocabulary comes from our tokens module.

Ours runs as the service runs it: on one of its two worker threads, of which the other, idle here, takes a share of the
counting; and once more on that one alone, which is what a busy service has. The tokenizer pass is tiktoken as it comes, with
its own pattern. `--beside` keeps a thread of Python code busy meanwhile: a service has such, too.
"""

import argparse
import os
import platform
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import NamedTuple

import tiktoken

import chunking
from bench.output import say
from summarizing.offload import THREADS
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary
from tests.support.plain_encoding import plain_encoding

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["tiktoken", "semchunk", "langchain-text-splitters", "chonkie"]
MB = 1_000_000

SEMANTIC, ALONE, TOKEN = "ours, semantic", "ours, semantic, one thread", "ours, token"

Chunker = Callable[[str], list[str]]


class Run(NamedTuple):
    """One contestant's turn: seconds on the clock, and of all cores together."""

    wall_s: float
    cpu_s: float


# --- The text ----------------------------------------------------------------------------------------------------


def sections() -> list[str]:
    """Return what stands under each heading of the repository's Markdown; a single # may be a comment in a fence."""
    paths = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
    return [
        section for path in paths for section in re.split(r"(?m)^(?=##)", path.read_text("utf-8")) if section
    ]


def markdown(size: int) -> str:
    """Return about `size` bytes of Markdown: the sections in random order, each time with other digits and vowels."""
    chance = random.Random(0)  # noqa: S311, the same text on every run
    source = sections()
    parts: list[str] = []
    length = 0
    while length < size:
        chosen = chance.sample("0123456789", 10) + chance.sample("aeo", 3)
        part = chance.choice(source).translate(str.maketrans("0123456789aeo", "".join(chosen)))
        parts.append(part)
        length += len(part.encode())
    return "".join(parts)


# --- The contestants ---------------------------------------------------------------------------------------------


def ours(tokenizer: Tokenizer, limit: int, pool: ThreadPoolExecutor) -> dict[str, Chunker]:
    """Return our chunkers, on a thread of the pool as the service calls them."""
    helped = tokenizer.with_helpers(pool)

    def semantic(text: str, tokenizer: Tokenizer) -> list[str]:
        layout = chunking.measure(text, limit, tokenizer.count_each)
        return [chunk.text for chunk in chunking.pack(layout, 0, tokenizer.count_each)]

    def by_tokens(text: str) -> list[str]:
        return [chunk.text for chunk in chunking.by_tokens(text, limit, 0, helped)]

    return {
        SEMANTIC: lambda text: pool.submit(semantic, text, helped).result(),
        ALONE: lambda text: pool.submit(semantic, text, tokenizer).result(),
        TOKEN: lambda text: pool.submit(by_tokens, text).result(),
    }


def peers(encoding: tiktoken.Encoding, limit: int) -> dict[str, Chunker]:
    """Return the other libraries' chunkers, each with its defaults, without overlap."""
    # By name: they are installed in this bench's environment alone, type checkers look at all of the project.
    semchunk, langchain, chonkie = map(import_module, ("semchunk", "langchain_text_splitters", "chonkie"))

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    splitting = {"chunk_size": limit, "chunk_overlap": 0, "length_function": count}
    chonking = {"tokenizer": encoding, "chunk_size": limit}
    token, recursive = chonkie.TokenChunker(**chonking), chonkie.RecursiveChunker(**chonking)
    return {
        "semchunk": semchunk.chunkerify(encoding, limit, memoize=False),
        "langchain RecursiveCharacterTextSplitter": langchain.RecursiveCharacterTextSplitter(
            **splitting
        ).split_text,
        "langchain MarkdownTextSplitter": langchain.MarkdownTextSplitter(**splitting).split_text,
        "chonkie TokenChunker": lambda text: [chunk.text for chunk in token.chunk(text)],
        "chonkie RecursiveChunker": lambda text: [chunk.text for chunk in recursive.chunk(text)],
    }


@contextmanager
def busy(*, wanted: bool) -> Iterator[None]:
    """Keep a thread of Python code at work beside, where that is wanted."""
    stopped = Event()

    def work() -> None:
        total = 0
        while not stopped.is_set():
            total += sum(range(1_000))

    thread = Thread(target=work)
    if wanted:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        if wanted:
            thread.join()


# --- Measuring ---------------------------------------------------------------------------------------------------


def take_turns(
    contestants: dict[str, Callable[[str], object]], text: str, rounds: int
) -> dict[str, list[Run]]:
    """Time each contestant once a round."""
    runs: dict[str, list[Run]] = {name: [] for name in contestants}
    for number in range(rounds):
        for name, chunker in contestants.items():
            wall, cpu = time.perf_counter(), time.process_time()
            chunker(text)
            runs[name].append(Run(time.perf_counter() - wall, time.process_time() - cpu))
        sys.stderr.write(f"\r{len(text) / MB:.0f} MB, round {number + 1} of {rounds}")
    sys.stderr.write("\n")
    return runs


def speed(runs: list[Run], size: int) -> float:
    return size / MB / median(run.wall_s for run in runs)


def ratio(runs: list[Run], base: list[Run]) -> float:
    return median(run.wall_s / one.wall_s for run, one in zip(runs, base, strict=True))


def cpu_ratio(runs: list[Run], base: list[Run]) -> float:
    return median(run.cpu_s / one.cpu_s for run, one in zip(runs, base, strict=True))


def verdict(text: str, chunks: list[str], limit: int, encoding: tiktoken.Encoding) -> str:
    """Say what a chunker does to the limit and to the text, counted afresh."""
    counts = [len(encoding.encode_ordinary(chunk)) for chunk in chunks]
    over = sum(count > limit for count in counts)
    lost = (Counter(text) - Counter("".join(chunks))).total()
    return f"{len(chunks)} | {max(counts)} | {over} | {lost}"


# --- The tables --------------------------------------------------------------------------------------------------


def table(head: str, rows: Iterator[str]) -> None:
    lines = [f"| {head} |", "|---" + "|---:" * head.count("|") + "|", *(f"| {row} |" for row in rows)]
    say("\n".join(lines))


def compare(chunkers: dict[str, Chunker], encoding: tiktoken.Encoding, limit: int, rounds: int) -> None:
    """Print all contestants on 1 MB."""
    text = markdown(MB)
    size = len(text.encode())
    runs = take_turns({"tiktoken, one pass": encoding.encode_ordinary, **chunkers}, text, rounds)
    base = runs["tiktoken, one pass"]

    def row(name: str) -> str:
        kept = verdict(text, chunkers[name](text), limit, encoding) if name in chunkers else "| | | "
        one = runs[name]
        return (
            f"{name} | {speed(one, size):.2f} | {ratio(one, base):.2f} | {cpu_ratio(one, base):.2f} | {kept}"
        )

    head = "1 MB of Markdown | MB/s | time / tiktoken | CPU / tiktoken | chunks | longest | over the limit | characters lost"
    table(head, map(row, runs))


def scale(chunker: Chunker, encoding: tiktoken.Encoding, rounds: int, sizes: Sequence[int]) -> None:
    """Print ours beside tiktoken for texts of growing size."""
    speeds: list[float] = []

    def row(megabytes: int) -> str:
        text = markdown(megabytes * MB)
        size = len(text.encode())
        runs = take_turns({"tiktoken": encoding.encode_ordinary, "ours": chunker}, text, rounds)
        one, base = runs["ours"], runs["tiktoken"]
        speeds.append(speed(one, size))
        cells = [speed(base, size), speeds[-1], ratio(one, base), cpu_ratio(one, base)]
        return f"{megabytes} MB | " + " | ".join(f"{cell:.2f}" for cell in cells)

    table("size | tiktoken MB/s | ours MB/s | time / tiktoken | CPU / tiktoken", map(row, sizes))
    spread = 100 * (max(speeds) / min(speeds) - 1)
    say(f"\nOurs from {sizes[0]} to {sizes[-1]} MB: the fastest is {spread:.0f} % faster than the slowest.")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int, default=8_000, help="tokens a chunk may have")
    parser.add_argument("--scale", type=int, nargs="*", default=[1, 10, 100], help="sizes in MB")
    parser.add_argument("--ours", action="store_true", help="without the other libraries")
    parser.add_argument("--beside", action="store_true", help="beside a busy thread of Python code")
    options = parser.parse_args()

    tokenizer = load_tokenizer(read_vocabulary())
    encoding = plain_encoding()
    shown = PACKAGES[:1] if options.ours else PACKAGES
    versions = ", ".join(f"{name} {version(name)}" for name in shown)
    beside = ", beside a busy thread" if options.beside else ""
    say(f"Python {platform.python_version()}, {os.cpu_count()} CPUs, {versions};")
    say(f"chunks of at most {options.limit} tokens, medians of {options.rounds} rounds{beside}\n")
    with ThreadPoolExecutor(THREADS) as pool, busy(wanted=options.beside):
        chunkers = ours(tokenizer, options.limit, pool)
        others = {} if options.ours else peers(encoding, options.limit)
        compare({**chunkers, **others}, encoding, options.limit, options.rounds)
        say("")
        if options.scale:
            scale(chunkers[SEMANTIC], encoding, options.rounds, options.scale)


if __name__ == "__main__":
    main()
