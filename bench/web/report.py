"""The tables and bars of `make bench-web`, as Markdown. Measures nothing."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from bench.histograms import quantile
from bench.verdict import Verdict
from bench.web.questions import Question
from bench.web.trials import FEW_PAGES, FIRST, MANY_PAGES, Growth, Pass, Trial, together

MB = 1_000_000

# The bars of the issue that asked for the web tools.
MOST_CACHED_MS = {"ours, no embeddings": 30.0, "ours": 60.0}
MOST_ARTICLE_SECONDS = 3.0
LEAST_POINTS_AHEAD = 10.0
MOST_GROWTH = 2.0

OURS = "ours"
OURS_LEXICAL = "ours, no embeddings"


def bars(trials: Sequence[Trial], grown: Sequence[Growth]) -> list[Verdict]:
    """Return each bar with what was measured."""
    found = list[Verdict]()
    for trial in trials:
        if trial.name in MOST_CACHED_MS:
            name = f"{trial.name}: cached page, median"
            found.append(Verdict(name, MOST_CACHED_MS[trial.name], median_ms(trial.cached), unit="ms"))
            slowest = statistics.median(trial.articles)
            found.append(
                Verdict(
                    f"{trial.name}: first crawl of 1,500 tokens, median",
                    MOST_ARTICLE_SECONDS,
                    slowest,
                    unit="s",
                )
            )
    theirs = [
        100 * max(each.cold.right, each.cached.right) for each in trials if not each.name.startswith(OURS)
    ]
    own = [100 * each.cached.right for each in trials if each.name == OURS]
    if theirs and own:
        ahead = own[0] - max(theirs)
        name = f"right passage among the first {FIRST}: ahead of the peer at its best"
        found.append(Verdict(name, LEAST_POINTS_AHEAD, ahead, at_least=True, unit="points"))
    for each in grown:
        if each.name.startswith(OURS):
            name = f"{each.name}: {MANY_PAGES} pages in the store, times as slow as {FEW_PAGES}"
            found.append(
                Verdict(name, MOST_GROWTH, statistics.median(each.many) / statistics.median(each.few))
            )
    return found


def median_ms(asked: Pass) -> float:
    """Return the median of the calls in milliseconds."""
    return 1000 * statistics.median(asked.seconds)


def page(
    questions: Sequence[Question],
    trials: Sequence[Trial],
    grown: Sequence[Growth],
    machine: str,
    notes: Sequence[str],
) -> str:
    """Return the whole report."""
    kinds = Counter(question.kind for question in questions)
    asked = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    pages = len({question.page for question in questions})
    return "\n".join(
        [
            "# Reading pages: ours and the peer side by side\n",
            f"Written by `make bench-web`. {machine}\n",
            f"{len(questions)} questions ({asked}) about {pages} pages; how they are made: bench/web/questions.py.\n",
            *(f"- {note}" for note in notes),
            "\n## Bars\n",
            *_bar_lines(bars(trials, grown)),
            "\n## The right passage, and what it takes\n",
            *_quality_lines(questions, trials),
            "\n## Time and memory\n",
            *_time_lines(trials),
            f"\n## {FEW_PAGES} and {MANY_PAGES} pages in the store\n",
            *_growth_lines(grown),
            "",
            *_trouble_lines(trials),
        ]
    )


def _bar_lines(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "| bar | wanted | measured | |"
    yield "|---|---|---|---|"
    for each in verdicts:
        sign = "at least" if each.at_least else "at most"
        met = "met" if each.is_met else "**missed**"
        yield f"| {each.what} | {sign} {each.wanted:g} {each.unit} | {each.got:.3g} {each.unit} | {met} |"


def _quality_lines(questions: Sequence[Question], trials: Sequence[Trial]) -> Iterator[str]:
    yield f"| | asked | among the first {FIRST} | cited | faq | first | among all 8 | characters of the first {FIRST} |"
    yield "|---|---|---|---|---|---|---|---|"
    for trial in trials:
        for name, asked, order in (
            ("cold", trial.cold, together(questions)),
            ("cached", trial.cached, questions),
        ):
            yield f"| {trial.name} | {name} | {_share(asked.ranks, FIRST)} | {_of_kind(asked, order, 'cited')} | {_of_kind(asked, order, 'faq')} | {_share(asked.ranks, 1)} | {_share(asked.ranks, 8)} | {statistics.mean(asked.first_chars):.0f} |"


def _of_kind(asked: Pass, order: Sequence[Question], kind: str) -> str:
    ranks = [rank for rank, question in zip(asked.ranks, order, strict=True) if question.kind == kind]
    return _share(ranks, FIRST) if ranks else "-"


def _share(ranks: Sequence[int], most: int) -> str:
    return f"{100 * sum(1 <= rank <= most for rank in ranks) / max(len(ranks), 1):.0f} %"


def _time_lines(trials: Sequence[Trial]) -> Iterator[str]:
    yield "| | cold, a page with its questions: median, worst | first crawl of 1,500 tokens: median, worst | cached, one query: median, 95 % | requests to the embedding server: cold (texts), cached (texts) | memory: idle, after |"
    yield "|---|---|---|---|---|---|"
    for trial in trials:
        cold, cached, articles = trial.cold, trial.cached, trial.articles
        yield (
            f"| {trial.name} | {statistics.median(cold.seconds):.2f} s, {max(cold.seconds):.2f} s "
            f"| {statistics.median(articles):.2f} s, {max(articles):.2f} s "
            f"| {median_ms(cached):.0f} ms, {1000 * quantile(cached.seconds, 0.95):.0f} ms "
            f"| {cold.embeddings.requests} ({cold.embeddings.texts}), {cached.embeddings.requests} ({cached.embeddings.texts}) "
            f"| {trial.idle_bytes / MB:.0f} MB, {trial.bytes_after / MB:.0f} MB |"
        )


def _growth_lines(grown: Sequence[Growth]) -> Iterator[str]:
    yield f"| | {FEW_PAGES} pages: median | {MANY_PAGES} pages: median | storing them | failed | memory |"
    yield "|---|---|---|---|---|---|"
    for each in grown:
        few, many = (1000 * statistics.median(seconds) for seconds in (each.few, each.many))
        yield f"| {each.name} | {few:.0f} ms | {many:.0f} ms | {each.fill_seconds:.0f} s | {each.failed} | {each.bytes_after / MB:.0f} MB |"


def _trouble_lines(trials: Sequence[Trial]) -> Iterator[str]:
    for trial in trials:
        for name, asked in (("cold", trial.cold), ("cached", trial.cached)):
            for what, told in (("notes", asked.notes), ("errors", asked.errors)):
                for text, number in Counter(told).most_common(3):
                    yield f"- {trial.name}, {name}, {what}, {number} times: {text}"
            if asked.embeddings.refused:
                yield f"- {trial.name}, {name}: the embedding server refused {asked.embeddings.refused} requests"
