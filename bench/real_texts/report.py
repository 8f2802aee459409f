"""Writes the tables of the trials as Markdown, and judges the bars of the developing half."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import TypedDict

from bench.real_texts.causes import Cause
from bench.real_texts.trials import CEILING, OURS, RATIOS, Trial
from bench.verdict import Verdict

WORDINGS = ("literal", "everyday", "vague")

# A result is too short if it takes less than this share of its target and leaves out facts that were asked for.
SHORT_SHARE = 0.5


class Released(TypedDict):
    """The figures of the last release on the developing half; `looks`: what came of each look at the other half, by its number."""

    looks: dict[str, "Look"]
    recall: dict[str, float]
    spread: float
    """Recall may be lower by this: documents are few, and a change that helps many may cost one a fact."""
    at_most: dict[str, int]
    """What is wrong and not mended yet."""
    guard: dict[str, float]
    """Which share of the sentences told in each way the guard judged wrongly (guard.py)."""


# Keyed as `faults` and the page name them.
Look = TypedDict("Look", {"recall": dict[str, float], "wrong attributions": int, "broken sentences": int})

# What is promised of the half that is not looked at.
PROMISED_RECALL = {5: 0.75, 10: 0.60, 20: 0.45}
PROMISED_LEAD = 0.15
PROMISED_GAP = 0.08
PROMISED_WEAK_SHARE = 0.25
PROMISED_UNMATCHED_SHARE = 0.05

# A document below this recall at 10:1 is a weak one.
WEAK_RECALL = 0.5

Measure = Callable[[Sequence[Trial]], str]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def asked(trials: Iterable[Trial]) -> list[Trial]:
    """Return the trials of real questions."""
    return [trial for trial in trials if trial.wording != "unrelated"]


def recall(trials: Iterable[Trial]) -> float:
    """Return the mean recall, every document counted alike."""
    chosen = list(trials)
    return fmean(trial.recall for trial in chosen) if chosen else 0.0


def _shown(value: float) -> str:
    return f"{value:.3f}"


def recall_table(trials: Sequence[Trial]) -> str:
    """Return recall by system, wording and ratio."""
    systems = list(dict.fromkeys(trial.system for trial in trials))
    rows = []
    for system in systems:
        # Methods that know no question have one figure for all of them.
        for wording in ("all", *WORDINGS) if system in {OURS, "BM25"} else ("all",):
            chosen = [
                trial
                for trial in asked(trials)
                if trial.system == system and wording in {"all", trial.wording}
            ]
            rows.append([system, wording, *(_shown(recall(_at(chosen, ratio))) for ratio in RATIOS)])
    return table(["system", "questions", *(f"{ratio}:1" for ratio in RATIOS)], rows)


def _at(trials: Iterable[Trial], ratio: int) -> list[Trial]:
    return [trial for trial in trials if trial.ratio == ratio]


def document_table(trials: Sequence[Trial]) -> str:
    """Return, for each document, the recall of ours and of BM25, and what is wrong."""
    rows = []
    for name in dict.fromkeys(trial.document for trial in trials):
        own = [trial for trial in trials if trial.document == name]
        ours, beside = _of(own, OURS), _of(own, "BM25")
        rows.append(
            [
                *(name, ours[0].kind, ours[0].target * ours[0].ratio),
                *(_shown(recall(_at(asked(ours), ratio))) for ratio in RATIOS),
                *(_shown(recall(_at(_worded(ours, wording), 10))) for wording in WORDINGS),
                _shown(recall(_at(beside, 10))) if beside else "",
                _shown(recall(_at(_of(own, CEILING), 20))) if beside else "",
                *(sum(len(trial.attributions) for trial in ours), sum(len(trial.broken) for trial in ours)),
                f"{_cost(ours):.2f}",
            ]
        )
    head = [
        *("document", "kind", "tokens", "5:1", "10:1", "20:1", "literal 10:1", "everyday 10:1", "vague 10:1"),
        *("BM25 10:1", "ceiling 20:1", "wrong attributions", "broken sentences", "s of a core per MB"),
    ]
    return table(head, rows)


def _of(trials: Iterable[Trial], system: str) -> list[Trial]:
    return [trial for trial in trials if trial.system == system]


def _worded(trials: Iterable[Trial], wording: str) -> list[Trial]:
    return [trial for trial in trials if trial.wording == wording]


def _cost(trials: Sequence[Trial]) -> float:
    """Return seconds of a core for a million characters."""
    return sum(trial.seconds for trial in trials) / (sum(trial.chars for trial in trials) / 1e6 or 1.0)


def summary_table(trials: Sequence[Trial]) -> str:
    """Return what is counted of ours over all documents."""
    ours = [trial for trial in trials if trial.system == OURS]
    real, unrelated = asked(ours), _worded(ours, "unrelated")
    at_ten = _recall_by_document(real)
    over = sum(trial.tokens > trial.target for trial in ours)
    short = sum(trial.tokens < SHORT_SHARE * trial.target and trial.recall < 1 for trial in real)
    rows: list[Sequence[object]] = [
        ["documents", len(at_ten)],
        ["wrong attributions", sum(len(trial.attributions) for trial in ours)],
        [
            "summaries with a wrong attribution",
            _share(sum(bool(trial.attributions) for trial in ours), len(ours)),
        ],
        ["broken sentences", sum(len(trial.broken) for trial in ours)],
        ["summaries with a broken sentence", _share(sum(bool(trial.broken) for trial in ours), len(ours))],
        ["over the target", _share(over, len(ours))],
        ["under half of the target while facts asked for are left out", _share(short, len(real))],
        ["documents below .5 at 10:1", _share(sum(value < WEAK_RECALL for value in at_ten), len(at_ten))],
        ['"nothing matched" said of a question about something else', _said(unrelated)],
        ['"nothing matched" said of a real question', _said(real)],
        ["seconds of a core for a million characters", f"{_cost(ours):.2f}"],
    ]
    return table(["ours", ""], rows)


def _recall_by_document(real: Sequence[Trial]) -> list[float]:
    """Return the recall at 10:1 of each document."""
    return [
        recall(trial for trial in _at(real, 10) if trial.document == name)
        for name in dict.fromkeys(trial.document for trial in real)
    ]


def _share(count: int, of: int) -> str:
    return f"{count} of {of}"


def _said(trials: Sequence[Trial]) -> str:
    if any(trial.matched is None for trial in trials):
        return "not told"
    return _share(sum(trial.matched is False for trial in trials), len(trials))


def faults(trials: Iterable[Trial]) -> dict[str, int]:
    """Return what is counted as wrong in ours."""
    ours = _of(trials, OURS)
    return {
        "wrong attributions": sum(len(trial.attributions) for trial in ours),
        "broken sentences": sum(len(trial.broken) for trial in ours),
        "summaries over the target": sum(trial.tokens > trial.target for trial in ours),
    }


def recalls(trials: Iterable[Trial]) -> dict[str, float]:
    """Return the mean recall of ours at each ratio."""
    real = asked(_of(trials, OURS))
    return {str(ratio): recall(_at(real, ratio)) for ratio in RATIOS}


def promises(trials: Sequence[Trial]) -> list[Verdict]:
    """Return what is promised of the half that is not looked at, and what came of it. `trials` hold BM25's too."""
    ours, beside = _of(trials, OURS), _of(trials, "BM25")
    real, unrelated = asked(ours), _worded(ours, "unrelated")
    weak = [value < WEAK_RECALL for value in _recall_by_document(real)]
    gaps = [
        recall(_at(_worded(ours, "literal"), ratio)) - recall(_at(_worded(ours, "everyday"), ratio))
        for ratio in RATIOS
    ]
    return [
        *(
            Verdict(f"recall at {ratio}:1", least, recall(_at(real, ratio)), at_least=True)
            for ratio, least in PROMISED_RECALL.items()
        ),
        *(
            Verdict(
                f"recall at {ratio}:1, ahead of BM25",
                PROMISED_LEAD,
                recall(_at(real, ratio)) - recall(_at(asked(beside), ratio)),
                at_least=True,
            )
            for ratio in (5, 10)
        ),
        Verdict(
            "recall of literal questions less that of everyday ones, the most at a ratio",
            PROMISED_GAP,
            max(gaps),
        ),
        Verdict("share of documents below .5 at 10:1", PROMISED_WEAK_SHARE, fmean(weak)),
        *(Verdict(what, 0, count) for what, count in faults(trials).items()),
        Verdict(
            '"nothing matched", share of questions about something else',
            1,
            _unmatched(unrelated),
            at_least=True,
        ),
        Verdict('"nothing matched", share of real questions', PROMISED_UNMATCHED_SHARE, _unmatched(real)),
    ]


def _unmatched(trials: Sequence[Trial]) -> float:
    return fmean(trial.matched is False for trial in trials)


def look(trials: Sequence[Trial]) -> Look:
    """Return what is kept of one look at the release half."""
    counts = faults(trials)
    return {
        "recall": {ratio: round(value, 3) for ratio, value in recalls(trials).items()},
        "wrong attributions": counts["wrong attributions"],
        "broken sentences": counts["broken sentences"],
    }


def look_table(looks: Mapping[str, Look]) -> str:
    """Return what came of each look at the release half."""
    rows = [
        [
            number,
            *(_shown(each["recall"][str(ratio)]) for ratio in RATIOS),
            each["wrong attributions"],
            each["broken sentences"],
        ]
        for number, each in looks.items()
    ]
    return table(
        ["look", *(f"{ratio}:1" for ratio in RATIOS), "wrong attributions", "broken sentences"], rows
    )


def promise_table(trials: Sequence[Trial]) -> str:
    """Return what is promised beside what came of it, missed ones in capitals."""
    rows = [
        [
            verdict.what,
            f"{'≥' if verdict.at_least else '≤'} {verdict.wanted:.3g}",
            f"{verdict.got:.3g}",
            "met" if verdict.is_met else "MISSED",
        ]
        for verdict in promises(trials)
    ]
    return table(["bar", "promised", "got", ""], rows)


def cause_table(trials: Sequence[Trial]) -> str:
    """Return, for each document, its facts times its questions at 10:1, how many of them are kept, and why the rest is not."""
    ours = _at(asked(_of(trials, OURS)), 10)
    rows = [
        _causes_of(name, [trial for trial in ours if trial.document == name])
        for name in dict.fromkeys(trial.document for trial in ours)
    ]
    rows += [_causes_of(f"*all, {wording}*", _worded(ours, wording)) for wording in WORDINGS]
    return table(["document, at 10:1", "facts asked for", "kept", *Cause], rows)


def _causes_of(name: str, trials: Sequence[Trial]) -> list[object]:
    facts = sum(trial.facts for trial in trials)
    missing = Counter(cause for trial in trials for cause in trial.missing)
    return [name, facts, facts - missing.total(), *(missing[cause] for cause in Cause)]


def spread_between_runs(runs: Sequence[Sequence[Trial]]) -> str:
    """Return, as a sentence, how far whole runs of the same trials lie apart."""
    recalls_ = [[trial.recall for trial in asked(_of(run, OURS))] for run in runs]
    costs = [_cost(_of(run, OURS)) for run in runs]
    alike = "the same in each" if all(one == recalls_[0] for one in recalls_) else "not the same in each"
    return (
        f"{len(runs)} whole run(s): the recall of every single summary was {alike}; "
        f"seconds of a core for a million characters {median(costs):.2f} ({min(costs):.2f} – {max(costs):.2f})."
    )


def bars(trials: Sequence[Trial], released: Released) -> list[Verdict]:
    """Return the bars of the developing half: no more wrong than in the last release, recall as in that less its spread.

    Nothing wrong at all is what is wanted; where a release had something, its bar says so.
    """
    at_most, least = released["at_most"], released["recall"]
    counts, measured = faults(trials), recalls(trials)
    return [
        *(
            Verdict(
                f"{what} (wanted 0, released with {at_most[what]})" if at_most[what] else what,
                at_most[what],
                count,
            )
            for what, count in counts.items()
        ),
        *(
            Verdict(f"recall at {ratio}:1", least[ratio] - released["spread"], value, at_least=True)
            for ratio, value in measured.items()
        ),
    ]
