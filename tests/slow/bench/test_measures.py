"""The evaluation's own arithmetic: what is kept of a summary, which bar is met, what the tables and the chart say."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fidelity.bars import BARS, FIRST, SECOND, Results, verdicts
from bench.fidelity.chart import draw
from bench.fidelity.documents import Document
from bench.fidelity.gold import Gold
from bench.fidelity.measures import (
    CONTROL,
    EXTRACTIVE,
    OURS,
    RATIOS,
    REAL,
    STAND_IN,
    Assault,
    Case,
    Cost,
    Made,
    Run,
    chosen,
    measured,
    of,
    sums,
)
from bench.fidelity.report import attacks_that_worked, bars_table, report, write
from bench.fidelity.results import Circumstances, load, save

TOWN = Document(
    "town",
    "wiki",
    "en",
    "The ferry costs 12 crowns.\nThe mayor is Ada Vole.\nThe tower has 88 steps.\n",
    "prices, offices with who holds them",
    (Gold(("ferry", "12 crowns"), "The ferry costs 12 crowns."), Gold(("mayor", "Ada Vole"), "The mayor is Ada Vole.")),
    (),
)  # fmt: skip
RUN = Run(EXTRACTIVE, OURS, "", FIRST, "town", 5, 100, 90, 1.0, 0, 0.1)
COST = Cost(
    40_000,
    with_guard_s=10.2,
    without_s=10.0,
    lag_p99_with_s=0.007,
    lag_p99_without_s=0.003,
    longest_lag_with_s=0.03,
    longest_lag_without_s=0.02,
    rounds=3,
)
WHEN = Circumstances("2026-11-22", 1, 2, "3.11.7", 2, {"langchain-classic": "1.0.8"})


def words(text: str) -> int:
    return len(text.split())


def good() -> Results:
    """Return results that keep every promise."""
    runs = [
        replace(RUN, part=part, model=model, ratio=ratio, series=series)
        for part, model in ((EXTRACTIVE, ""), (STAND_IN, "forgetful"), (STAND_IN, "inventing"))
        for ratio in RATIOS
        for series in (FIRST, SECOND)
    ]
    runs.append(replace(RUN, part=CONTROL, series="control"))
    others = [
        replace(RUN, part=REAL, method=name, recall=0.2, spent=900)
        for name in ("LangChain map-reduce", "first design")
    ]
    runs += [replace(RUN, part=REAL, spent=800), *others]
    assaults = [
        Assault(OURS, "override", f"town {at}", canary=False, lost=0.0, obeyed=True) for at in range(30)
    ]
    return Results(runs, assaults, COST)


def missed(results: Results) -> list[str]:
    return [verdict.bar.name for verdict in verdicts(results) if verdict.word == "MISSED"]


def test_a_summary_is_measured_by_what_it_kept_what_it_made_up_and_its_length() -> None:
    made = Made("The ferry costs 12 crowns. The dock has 77 lamps.")
    run = measured(Case(TOWN, 30, FIRST), made, words, ratio=5, seconds=0.5, part=EXTRACTIVE, method=OURS)
    assert (run.recall, run.tokens, run.target, run.unsupported > 0) == (0.5, 10, 6, True)


def test_lines_known_as_invented_count_even_where_each_word_is_the_documents() -> None:
    made = Made("The mayor costs 12 crowns.")
    case = Case(TOWN, 30, FIRST)
    plain = measured(case, made, words, ratio=5, seconds=0.0, part=STAND_IN, method=OURS)
    known = measured(
        case, made, words, ratio=5, seconds=0.0, invented=[made.text], part=STAND_IN, method=OURS
    )
    assert (plain.unsupported, known.unsupported) == (0, 1)


def test_runs_are_added_up_and_each_document_counts_the_same() -> None:
    total = sums([RUN, replace(RUN, recall=0.5, tokens=110, unsupported=2)])
    assert (total.recall, total.unsupported, total.within, total.worst_length) == (0.75, 2, 0.5, 1.1)
    assert total.error == pytest.approx(0.25)
    assert sums([RUN]).error == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 50)), max_size=12), st.integers(0, 12))
def test_a_part_of_the_cases_has_every_kind_before_any_kind_twice(
    kinds: list[tuple[str, int]], number: int
) -> None:
    cases = [
        Case(replace(TOWN, kind=kind, name=str(at)), size, FIRST) for at, (kind, size) in enumerate(kinds)
    ]
    taken = chosen(cases, number, 40)
    small = [case for case in cases if case.tokens <= 40]
    assert len(taken) == min(number, len(small))
    first = [case.document.kind for case in taken][: len({case.document.kind for case in small})]
    assert len(set(first)) == len(first)


def test_results_that_keep_every_promise_miss_no_bar() -> None:
    words = [verdict.word for verdict in verdicts(good())]
    alone = sum(bar.is_stated_alone for bar in BARS)
    assert alone == 4  # how much is kept of three kinds of documents, and the injected texts that are marked
    assert words.count("met") == len(BARS) - alone
    assert words.count("no bar") == alone


def test_how_much_is_kept_of_generated_documents_is_no_bar() -> None:
    results = good()
    results.runs = [
        replace(run, recall=0.1) if run.method == OURS and run.part != REAL else run for run in results.runs
    ]
    assert missed(results) == []


def test_one_call_with_the_guard_and_one_without_are_no_comparison() -> None:
    results = good()
    results.cost = replace(COST, with_guard_s=11.0, lag_p99_with_s=0.050, rounds=1)
    assert missed(results) == []
    assert [verdict.word for verdict in verdicts(results)].count("not measured") == 2


def test_ours_without_a_model_and_what_code_put_back_stand_beside_ours_with_one() -> None:
    results = good()
    results.runs = [
        replace(run, calls=2, kept=67, put_back=63) if run.part == STAND_IN else run for run in results.runs
    ]
    page = report(results, {"fidelity": WHEN})
    assert "| forgetful | ours | 1.00 / 1.00 |" in page
    assert "| none | ours, no model | 1.00 / 1.00 |" in page
    # Two ratios in two sets.
    assert "| 252 of 268 |" in page
    assert "2 documents in both sets: a mean of what was kept has a standard error of 0.00" in page


def test_what_was_not_measured_is_neither_met_nor_missed() -> None:
    assert {verdict.word for verdict in verdicts(Results())} == {"not measured"}


@pytest.mark.parametrize(
    "bar, change",
    [
        ("unsupported facts without a model", {"part": EXTRACTIVE, "unsupported": 1}),
        ("unsupported facts on the inventing model", {"model": "inventing", "unsupported": 1}),
        ("summaries over their target", {"part": REAL, "tokens": 101}),
        ("points ahead on a real model", {"part": REAL, "recall": 0.2}),
        ("tokens on a real model, beside the thriftiest other", {"part": REAL, "spent": 901}),
    ],
)
def test_each_bar_is_missed_where_its_figure_is_too_low_or_too_high(
    bar: str, change: dict[str, object]
) -> None:
    results = good()
    fields = {name: value for name, value in change.items() if name in ("part", "ratio", "model", "series")}
    worse = {name: value for name, value in change.items() if name not in fields}
    touched = of(results.runs, method=OURS, **fields)  # type: ignore[arg-type]
    assert touched
    results.runs = [replace(run, **worse) if run in touched else run for run in results.runs]  # type: ignore[arg-type]
    assert bar in missed(results)


def test_an_attack_worked_by_its_payload() -> None:
    results = good()
    results.assaults.append(Assault(OURS, "link", "town", canary=True, lost=0.0, obeyed=True))
    assert missed(results) == ["payloads of injected texts in the answer"]


def test_what_an_attack_costs_is_counted_and_named() -> None:
    results = good()
    results.assaults.append(Assault(OURS, "own words", "town", canary=False, lost=0.11, obeyed=True))
    counted = {verdict.bar.name: verdict.value for verdict in verdicts(results)}
    assert counted["injected texts by which recall fell"] == 1
    assert missed(results) == []
    assert attacks_that_worked(results) == ["- own words in town: recall fell by 0.11"]


def test_too_few_attacks_prove_nothing() -> None:
    results = good()
    results.assaults.pop()
    assert missed(results) == ["injected texts tried"]


def test_a_guard_that_costs_time_misses_its_bar() -> None:
    results = good()
    results.cost = replace(COST, with_guard_s=11.0)
    assert missed(results) == ["the guard's share of a call's time"]


@given(
    st.floats(0, 1),
    st.one_of(st.floats(-0.1, 0.0049), st.floats(0.0051, 1)).filter(lambda added: abs(added) > 1e-6),
)
def test_the_loops_lag_is_judged_by_what_the_guard_adds_to_it(without: float, added: float) -> None:
    results = good()
    results.cost = replace(COST, lag_p99_without_s=without, lag_p99_with_s=without + added)
    assert missed(results) == (
        ["event loop lag that the guard adds, 99th percentile"] if added > 0.005 else []
    )


def test_the_page_shows_the_lag_with_the_guard_and_without_and_judges_the_difference() -> None:
    results = good()
    results.cost = replace(COST, lag_p99_with_s=0.122, lag_p99_without_s=0.017, longest_lag_with_s=0.13)
    page = report(results, {"fidelity": WHEN})
    assert "| event loop lag that the guard adds, 99th percentile | 105 | ≤ 5 ms | MISSED |" in page
    assert "+105.0 ms of event loop lag at the 99th percentile" in page
    assert "| with the guard | 10.20 | 122.0 | 130.0 |" in page
    assert "| without | 10.00 | 17.0 | 20.0 |" in page


def test_a_cost_that_an_earlier_version_kept_with_other_figures_counts_as_not_measured(
    tmp_path: Path,
) -> None:
    save(tmp_path / "fidelity.json", good(), WHEN)
    kept = json.loads((tmp_path / "fidelity.json").read_text("utf-8"))
    kept["cost"] = {"tokens": 40_000, "with_guard_s": 10.2, "without_s": 10.0, "on_the_loop_s": 0.0}
    (tmp_path / "fidelity.json").write_text(json.dumps(kept), "utf-8")
    results, _ = load(tmp_path)["fidelity"]
    assert results.cost is None
    assert results.runs == good().runs


def test_what_was_measured_is_the_same_after_it_was_kept_and_read_again(tmp_path: Path) -> None:
    results = good()
    results.runs.append(replace(RUN, method="first design", recall=0.0, note="content came back"))
    save(tmp_path / "fidelity.json", results, WHEN)
    assert load(tmp_path) == {"fidelity": (results, WHEN)}


def test_the_report_has_every_part_and_the_chart_is_well_formed(tmp_path: Path) -> None:
    results = good()
    write(tmp_path, {"fidelity": (results, WHEN)})
    page = (tmp_path / "fidelity.md").read_text("utf-8")
    for title in ("Bars", "On stand-in models", "Hostile content", "On a real model"):
        assert f"\n## {title}" in page
    assert "2026-11-22" in page
    assert "langchain-classic 1.0.8" in page
    chart = ET.fromstring((tmp_path / "fidelity.svg").read_text("utf-8"))  # noqa: S314, our own
    bars = [shape for shape in chart.iter() if shape.get("class", "").startswith("c")]
    # What is kept and what is made up: of two stand-in models, of a document and all on the real one, and the names of the colours.
    assert len(bars) == 2 * (2 * 1 + 2 * 3 + 1 + 3)


def test_the_chart_counts_what_each_pipeline_made_up() -> None:
    results = good()
    results.runs.append(replace(RUN, part=STAND_IN, model="inventing", method="first design", unsupported=77))
    assert ">77</text>" in draw(results, {})


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    page = report(good(), {"fidelity": WHEN})
    blocks = [block for block in page.split("\n\n") if block.startswith("|")]
    assert blocks
    for block in blocks:
        assert len({line.count("|") for line in block.splitlines()}) == 1


def test_the_chart_of_nothing_is_a_chart() -> None:
    assert ET.fromstring(draw(Results(), {})) is not None  # noqa: S314, our own


def test_the_table_of_bars_names_each_bar_once() -> None:
    assert len(bars_table(good()).splitlines()) == len(BARS) + 2
