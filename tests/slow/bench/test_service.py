"""The parts of the service's bench that need no process: the ideal schedule, the faults, what the model writes."""

import asyncio
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import process_tree
from bench.fidelity.chart import ceiling
from bench.fidelity.personalities import room_in
from bench.histograms import bucket_counts, histogram_quantile, quantile, with_omitted
from bench.service import ROOT
from bench.service.__main__ import RESULTS
from bench.service.bars import Bar, Judged, bars, judged, most_growth
from bench.service.charts import ticks
from bench.service.faults import DECK, RATES, calls_for_an_answer, faults
from bench.service.jobs import Measured, lateness, measured, span_of_starts, steps_of
from bench.service.load_trials import became, memory_limit_mb
from bench.service.measuring import Session, tried
from bench.service.model_trials import Taken
from bench.service.provider import Behaviour, serving
from bench.service.report import BLOCK, FIGURES, charts, headline, missed_list, report, with_figures, write
from bench.service.results import Bench, Results, load, save
from bench.service.schedule import Step, lower_bound, planned
from bench.service.simulated_answers import LEAST_USED, Author, holds
from bench.service.soak import growth
from bench.service.texts import handbook
from bench.service.trials import Row, Stage
from bench.verdict import Verdict
from summarizing.prompt_templates import Prompts
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer
from tests.support.service import PATIENCE_S, a_client, prose

# --- The ideal schedule ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "durations, places, seconds",
    [
        ((), 5, 0),
        ((3,), 5, 3),
        ((1, 1, 1, 1), 2, 2),
        # Five rounds: 21 on five places leave one over.
        ((1,) * 21, 5, 5),
        ((5, 1, 1, 1), 2, 5),
    ],
)
def test_independent_calls_of_known_schedules(
    durations: tuple[float, ...], places: int, seconds: float
) -> None:
    steps = [Step(duration) for duration in durations]
    assert lower_bound(steps, places) == seconds
    assert planned(steps, places) == seconds


def test_a_merge_waits_for_its_parts_and_for_no_other() -> None:
    steps = [Step(2), Step(2), Step(6), Step(1, after=(0, 1))]
    assert lower_bound(steps, 3) == planned(steps, 3) == 6
    chained = [Step(2), Step(2), Step(2), Step(1, after=(0, 1, 2)), Step(1, after=(3,))]
    assert lower_bound(chained, 3) == planned(chained, 3) == 4
    # Three merges on two places cannot begin before the slower of their parts is there.
    uneven = [Step(3), Step(1), *[Step(4, after=(0, 1))] * 3]
    assert lower_bound(uneven, 2) == planned(uneven, 2) == 11
    # What comes behind a full round is added to it.
    assert lower_bound([Step(1), Step(1), Step(1), Step(3, after=(0, 1, 2))], 2) == 5


@st.composite
def some_steps(draw: st.DrawFn) -> list[Step]:
    steps: list[Step] = []
    for at in range(draw(st.integers(1, 12))):
        after = draw(st.sets(st.integers(0, at - 1), max_size=3)) if at else set()
        steps.append(Step(draw(st.integers(1, 20)), tuple(after)))
    return steps


@given(some_steps(), st.integers(1, 5))
def test_no_schedule_beats_the_bound(steps: list[Step], places: int) -> None:
    bound, reached = lower_bound(steps, places), planned(steps, places)
    assert bound <= reached
    assert bound >= max(*(step.seconds for step in steps), sum(step.seconds for step in steps) / places)
    # Graham's bound: a schedule that leaves no place idle that has work takes less than twice the best.
    assert reached <= 2 * bound * (1 + 1e-9) + max(step.seconds for step in steps)


# --- The model -------------------------------------------------------------------------------------------------


def test_an_answer_uses_its_room_keeps_to_it_and_copies_what_it_read(tokenizer: Tokenizer) -> None:
    content = prose(400)
    for length in ("200 words", "900 words"):
        prompt = Prompts.load().map(content, (), Query(), length)
        answer = Author(tokenizer).answer(list(prompt), 5_000)
        words = len(answer.text.split())
        room = room_in("\n".join(prompt), 5_000)
        assert room.stated is not None
        assert LEAST_USED * room.stated - 20 <= words <= room.stated
        assert all(line in content for line in answer.text.splitlines())
        assert answer.finish_reason == "stop"
        assert len(answer.pieces) == tokenizer.count(answer.text)


def test_an_extraction_is_facts_under_a_heading(tokenizer: Tokenizer) -> None:
    prompt = Prompts.load().map(prose(100), (), Query(schema_hint="who went where"), "100 words")
    heading, *facts = Author(tokenizer).answer(list(prompt), 5_000).text.splitlines()
    assert heading == "## Facts"
    assert facts
    assert all(fact.startswith("- In the year") for fact in facts)


def test_an_answer_is_cut_at_max_tokens(tokenizer: Tokenizer) -> None:
    prompt = Prompts.load().map(prose(100), (), Query(), "100 words")
    answer = Author(tokenizer).answer(list(prompt), 3)
    assert answer.finish_reason == "length"
    assert tokenizer.count(answer.text) == 3


def test_a_merge_is_told_by_the_answers_in_its_prompt(tokenizer: Tokenizer) -> None:
    content, author = prose(400), Author(tokenizer)
    half = content.index("In the year 1400")
    parts = [content[:half], content[half:]]
    prompts = [Prompts.load().map(part, (), Query(), "200 words") for part in parts]
    answers = [author.answer(list(prompt), 5_000) for prompt in prompts]
    merge = Prompts.load().merge("\n\n".join(answer.text for answer in answers), Query(), "100 words")
    assert all(holds(merge.user, answer.marks) for answer in answers)
    assert not holds(prompts[1].user, answers[0].marks)
    assert not holds("NONE", author.answer(["", ""], 10).marks)


@pytest.mark.parametrize("seed", [1, 2])
def test_faults_come_at_their_rates_and_the_same_for_a_seed(seed: int) -> None:
    dealt = list(islice(faults(RATES, seed), 3 * DECK))
    assert dealt == list(islice(faults(RATES, seed), 3 * DECK))
    for name, rate in RATES.items():
        assert dealt[:DECK].count(name) == rate * DECK
    assert set(islice(faults({}, seed), DECK)) == {""}


# --- The jobs --------------------------------------------------------------------------------------------------


def a_call(
    number: int, begin: float, end: float, status: str = "200", after: tuple[int, ...] = ()
) -> dict[str, object]:
    return {
        "number": number,
        "begin": begin,
        "end": end,
        "status": status,
        "after": list(after),
        "at_once": number + 1,
        "prompt_tokens": 100,
        "completion_tokens": 81,
    }


def test_a_job_is_put_together_from_the_records_of_the_model() -> None:
    calls = [
        a_call(0, 10.0, 11.5),
        a_call(1, 10.0, 10.0, "429"),
        a_call(2, 10.0, 12.0),
        a_call(3, 12.0, 13.5, after=(0, 1, 2)),
    ]
    assert steps_of(calls) == [Step(1.5), Step(2.0), Step(1.5, after=(0, 1))]
    assert lateness(calls, Behaviour()) == pytest.approx(2.0 / 1.5 - 1)
    job = measured(
        calls,
        Behaviour(),
        5,
        method="ours",
        content_tokens=200,
        target=100,
        seconds=4.2,
        status="summarized",
        output_tokens=99,
    )
    assert (job.calls, job.refused, job.most_at_once) == (3, 1, 4)
    assert job.ideal_s == pytest.approx(3.5)
    assert job.ratio == pytest.approx(1.2)
    assert job.prompt_share == 2.0
    assert job.completion_share == pytest.approx(3.24)


def test_the_starts_of_a_job_are_those_before_any_answer_ended() -> None:
    calls = [
        a_call(0, 10.0, 11.5),
        a_call(1, 10.1, 10.1, "429"),
        a_call(2, 10.4, 12.0),
        a_call(3, 11.6, 13.5),
    ]
    assert span_of_starts(calls) == pytest.approx(0.4)
    assert span_of_starts([]) == 0


def test_a_handbook_is_of_its_size_and_ends_with_a_paragraph(tokenizer: Tokenizer) -> None:
    text = handbook(5_000, tokenizer)
    assert 4_500 < text.tokens <= 5_000
    assert text.content.endswith("\n")
    assert text == handbook(5_000, tokenizer)


# --- The provider ----------------------------------------------------------------------------------------------

# As fast as a test likes it.
QUICK = Behaviour(first_token_s=0.0, tokens_per_s=1e6)

PAYLOAD = {
    "model": "simulated",
    "messages": [{"role": "user", "content": f"Write at most 60 words of this.\n\n{prose(80)}"}],
    "max_tokens": 500,
}


async def test_a_call_is_answered_whole_or_as_a_stream_with_the_same_text_and_usage() -> None:
    async with serving(0, QUICK) as places, a_client() as http:
        url = f"{places['url']}/chat/completions"
        whole = (await http.post(url, json=PAYLOAD)).json()
        streamed = (await http.post(url, json={**PAYLOAD, "stream": True})).text
        calls = (await http.get(f"{places['control']}/calls")).json()
    events = [json.loads(line[6:]) for line in streamed.split("\n\n") if line.startswith("data: {")]
    text = "".join(
        choice["delta"].get("content", "") for event in events for choice in event.get("choices", ())
    )
    assert text == whole["choices"][0]["message"]["content"]
    assert whole["choices"][0]["finish_reason"] == "stop"
    assert events[-1]["usage"] == whole["usage"]
    assert streamed.endswith("data: [DONE]\n\n")
    assert [call["status"] for call in calls] == ["200", "200"]
    assert {call["completion_tokens"] for call in calls} == {whole["usage"]["completion_tokens"]}
    assert all(call["begin"] <= call["first"] <= call["end"] for call in calls)


async def test_more_calls_than_are_allowed_are_refused_or_wait() -> None:
    slow = replace(QUICK, first_token_s=0.2, allow=1, retry_after_s=7.0)
    async with serving(0, slow) as places, a_client() as http:
        url = f"{places['url']}/chat/completions"
        both = await asyncio.gather(*(http.post(url, json=PAYLOAD) for _ in range(2)))
        assert sorted(response.status_code for response in both) == [200, 429]
        refusals = (await http.get(f"{places['control']}/calls")).json()
        assert {call["status"]: call["is_over_limit"] for call in refusals} == {"200": False, "429": True}
        refused = next(response for response in both if response.status_code == 429)
        assert refused.headers["Retry-After"] == "7"
        await http.post(f"{places['control']}/behaviour", json=asdict(replace(slow, queues=True)))
        both = await asyncio.gather(*(http.post(url, json=PAYLOAD) for _ in range(2)))
        assert [response.status_code for response in both] == [200, 200]
        calls = (await http.get(f"{places['control']}/calls")).json()
    assert [call["at_once"] for call in calls] == [1, 1]


async def answer_of(http: httpx.AsyncClient, url: str) -> httpx.Response | None:
    """Return the answer to a call; None where nobody listens."""
    try:
        return await http.post(url, json=PAYLOAD)
    except httpx.ConnectError:
        return None


async def test_faults_happen_and_a_provider_that_is_gone_comes_back() -> None:
    async with serving(0, replace(QUICK, rates={"reset": 1.0})) as places, a_client() as http:
        url = f"{places['url']}/chat/completions"
        for _ in range(2):  # before the answer, and in its middle
            with pytest.raises(httpx.TransportError):
                await http.post(url, json={**PAYLOAD, "stream": True})
        await http.post(f"{places['control']}/behaviour", json=asdict(QUICK))
        assert (await http.post(url, json=PAYLOAD)).is_success
        await http.post(f"{places['control']}/gone?seconds=0.2")
        with pytest.raises(httpx.TransportError):
            await http.post(url, json=PAYLOAD)
        async with asyncio.timeout(PATIENCE_S):
            while (back := await answer_of(http, url)) is None:
                pass
    assert back.is_success


async def test_a_refusal_that_is_a_fault_is_not_one_over_the_limit() -> None:
    async with serving(0, replace(QUICK, rates={"429": 1.0})) as places, a_client() as http:
        assert (await http.post(f"{places['url']}/chat/completions", json=PAYLOAD)).status_code == 429
        records = (await http.get(f"{places['control']}/calls")).json()
    assert Taken.of([*records, {"is_over_limit": True}]) == Taken(1, 1)


@given(st.integers(0, 1_000))
def test_an_answer_takes_as_many_calls_as_the_faults_of_the_trial_make_unavoidable(seed: int) -> None:
    dealt = list(islice(faults(RATES, seed), 10 * DECK))
    assert (
        len(dealt) / dealt.count("") == pytest.approx(calls_for_an_answer(RATES)) == pytest.approx(1 / 0.82)
    )


async def test_a_trial_that_cannot_be_made_is_missed_and_ends_nothing(tokenizer: Tokenizer) -> None:
    async def breaks(stage: Stage) -> Row:
        raise LookupError(stage.model.url)

    row = await tried(Session(tokenizer, ROOT), "breaks", breaks)
    assert (row.fault, row.met) == ("breaks", False)
    assert row.seen.startswith("LookupError: http://127.0.0.1:")
    assert words_of([Results(loads=[row])])["loads that ended otherwise than promised"] == "MISSED in 1 of 1"


# --- What is watched -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values, share, found",
    [((3, 1, 2), 0.5, 2), ((1, 2), 0.99, 2), ((5,), 0.01, 5), (range(1, 101), 0.99, 99)],
)
def test_a_quantile_is_a_value_that_a_share_does_not_exceed(
    values: Sequence[float], share: float, found: float
) -> None:
    assert quantile(values, share) == found


PAGE = """# TYPE lag_seconds histogram
lag_seconds_bucket{le="0.01"} 90
lag_seconds_bucket{le="0.05"} 98
lag_seconds_bucket{le="+Inf"} 100
lag_seconds_sum 1.5
"""


def test_a_histogram_is_read_between_two_looks() -> None:
    after = bucket_counts(PAGE, "lag_seconds")
    assert after == {0.01: 90, 0.05: 98, math.inf: 100}
    assert histogram_quantile({}, after, 0.45) == pytest.approx(0.005)
    assert histogram_quantile({}, after, 0.94) == pytest.approx(0.03)
    # Beyond the last bound it is no less than that.
    assert histogram_quantile({}, after, 0.99) == pytest.approx(0.05)
    assert histogram_quantile(after, after) is None
    assert histogram_quantile(dict.fromkeys(after, 90.0), after, 0.5) == pytest.approx(0.01 + 0.04 * 5 / 8)


def test_growth_compares_the_last_fifth_with_the_middle_one() -> None:
    warming = [(float(at), 50.0 + min(at, 40)) for at in range(100)]
    assert growth(warming) == 1.0
    assert growth([(float(at), 100.0 + at) for at in range(100)]) == pytest.approx(189.5 / 149.5)


def test_a_standstill_counts_as_all_the_probes_that_it_held_up() -> None:
    quick = [0.001] * 99
    assert list(with_omitted(quick, 0.02)) == quick
    assert list(with_omitted([0.07], 0.02)) == pytest.approx([0.07, 0.05, 0.03, 0.01])
    # One second of a hundred quick answers is one probe of a hundred, and a third of what a steady caller would have seen.
    assert quantile([*quick, 1.0]) < 0.1 < quantile(list(with_omitted([*quick, 1.0], 0.02)))


# --- The report ------------------------------------------------------------------------------------------------


def a_job(method: str, places: int, seconds: float, content: int = 186_900) -> Measured:
    return Measured(
        method=method,
        content_tokens=content,
        target=5_000,
        places=places,
        seconds=seconds,
        status="summarized",
        output_tokens=4_900,
        calls=25,
        refused=0,
        prompt_tokens=194_000,
        completion_tokens=4_200,
        most_at_once=places,
        ideal_s=12.0,
        planned_s=12.1,
        late=0.01,
    )


def some_results(seconds: float = 13.0) -> Results:
    lines = [(float(at), 90.0) for at in range(10)]
    return Results(
        jobs=[a_job("ours, summarize", 5, seconds), a_job("ours, summarize", 32, 8.0), a_job("ours, summarize_for_extraction", 5, 9.0),
              replace(a_job("ours, summarize, limit known", 32, 5.0), lead_s=0.25, starts_s=0.2)],
        cost={"prose": 1.5, "mail": 1.9},
        http_bars=[Verdict("tools/list, times mcp 1.26", 12, 14.4, at_least=True)],
        rates={"tools/list": {"mcp-summarizer": 4000.0, "mcp 1.26": 300.0}},
        trials=[
            Row("a full disk", "the summary comes", "it came", met=True, lag_p99_ms=12.0),
            Row("SIGTERM", "an end", "none", met=False),
            Row("faults", "few calls", "many", met=False, figures=(Verdict("faults: calls", 1.25, 1.3),)),
        ],
        loads=[Row("one sign", "little memory", "much", met=False, figures=(Verdict("one sign: memory", 10, 11.0),))],
        soak={"seconds": 60.0, "calls": 3000, "lost": 0, "told": "3000 passthrough", "slowest_s": 1.0,
              "health_p99_ms": 5.0, "lag_p99_ms": None, "growth": {"with a model": 1.01}, "memory": {"with a model": lines}},
        said="2026-01-01 10:00 UTC",
    )  # fmt: skip


def a_bench() -> Bench:
    runs = [some_results(seconds) for seconds in (13.0, 21.0, 15.0)]
    return Bench(3, runs, [a_job("LangChain map-reduce", 5, 80.0)])


def words_of(runs: Sequence[Results]) -> dict[str, str]:
    return {bar.what: bar.word for bar in judged(runs)}


def values_of(runs: Sequence[Results]) -> dict[str, tuple[float, ...]]:
    return {bar.what: tuple(bar.values) for bar in judged(runs)}


JOB = "187,000 to 5,000 tokens, `summarize`"


def test_bars_are_met_missed_or_not_measured() -> None:
    words = words_of([some_results()])
    assert words[f"{JOB}, 5 calls at once"] == "met"
    assert words[f"{JOB}, beside the ideal schedule of its calls"] == "met"
    assert words[f"{JOB}, where the provider takes 32 at once"] == "MISSED in 1 of 1"
    assert words[f"{JOB}, limit known: before its first call"] == "met"
    assert words[f"{JOB}, limit known: from the first call's start to the last's"] == "MISSED in 1 of 1"
    assert words["chunking with counting, beside one tokenizer pass"] == "not measured"
    assert words["a MB of the dearest kind of text, processor time"] == "met"
    assert words["tools/list, times mcp 1.26"] == "met"
    assert values_of([some_results()])["faults that ended otherwise than promised"] == (1,)
    assert words["one sign: memory"] == "MISSED in 1 of 1"
    assert words["faults: calls"] == "MISSED in 1 of 1"
    # What is a figure's fault is not counted again.
    assert words["loads that ended otherwise than promised"] == "met"
    assert set(words_of([Results()]).values()) == set(words_of([]).values()) == {"not measured"}


def test_a_bar_that_one_run_missed_is_missed_whatever_the_median_is() -> None:
    bar = next(bar for bar in judged(a_bench().runs) if bar.what == f"{JOB}, 5 calls at once")
    assert (bar.median, bar.spread, bar.missed, bar.word) == ("15 s", "13 – 21", 1, "MISSED in 1 of 3")


@given(st.lists(st.floats(0, 100), min_size=1, max_size=9))
def test_a_bar_over_runs_is_met_where_every_run_meets_it(values: list[float]) -> None:
    least, most = (Judged([Bar("x", 50, value, at_least=way) for value in values]) for way in (True, False))
    assert (least.word == "met") is (min(values) >= 50)
    assert (most.word == "met") is (max(values) <= 50)
    assert least.missed + most.missed == sum(value != 50 for value in values)


def test_a_shorter_soak_may_grow_by_as_much_less() -> None:
    assert most_growth({"seconds": 180.0}) == most_growth({"seconds": 600.0}) == most_growth({}) == 5.0
    assert most_growth({"seconds": 90.0}) == 2.5


def test_the_report_has_every_bar_every_fault_and_what_was_measured_elsewhere() -> None:
    bench = a_bench()
    page = report(bench)
    for bar in judged(bench.runs):
        assert f"| {bar.what} | {bar.median} | {bar.spread} | {bar.promise} | {bar.word} |" in page
    assert "| a full disk | the summary comes | it came | as promised |  | 12 |" in page
    assert "| SIGTERM | an end | none | MISSED in 3 of 3 |" in page
    assert "| ours, summarize, 5 at once | 15 (13 – 21) |" in page
    assert "| ours, summarize, limit known, the provider takes 32 | 5 (5 – 5) |" in page
    assert "measured earlier and elsewhere* | 74 |" in page
    assert "3 of 3 runs:" in page
    # With nothing measured there is still a page.
    assert "not measured" in report(Bench(3))
    assert "1 of 3 runs (the others were not finished)" in report(Bench(3, bench.runs[:1]))


def test_what_was_missed_is_listed_with_what_each_run_got() -> None:
    listed = missed_list(a_bench().runs)
    assert f"- {JOB}, 5 calls at once: promised ≤ 20 s, got 13, 21, 15 (missed in 1 of 3)" in listed
    assert listed.count("\n- ") == sum(bar.missed > 0 for bar in judged(a_bench().runs))
    good = Results(chunking=0.5)
    assert missed_list([good]) == f"None of {len(bars(good))} was missed in any run."


def test_results_come_back_as_they_were_kept(tmp_path: Path) -> None:
    save(tmp_path / "service.json", a_bench())
    kept = load(tmp_path / "service.json")
    assert asdict(kept) == asdict(a_bench()) | {"runs": [as_kept(run) for run in a_bench().runs]}
    assert report(kept) == report(a_bench())


def as_kept(run: Results) -> dict[str, object]:
    return asdict(run) | {"soak": json.loads(json.dumps(run.soak))}


def test_charts_are_svg_with_every_name_and_value() -> None:
    drawn = charts(a_bench())
    assert set(drawn) == {"service", "service-memory"}
    for chart in drawn.values():
        ET.fromstring(chart)  # noqa: S314, our own
    assert "4,000" in drawn["service"]
    assert "mcp 1.26" in drawn["service"]
    assert charts(Bench(3)) == {}


@pytest.mark.parametrize("value, found", [(3, 5), (5, 5), (6, 10), (21, 25), (26, 50), (90, 100), (101, 200)])
def test_an_axis_ends_at_a_round_number(value: float, found: float) -> None:
    assert ceiling(value) == found


@pytest.mark.parametrize("name", FIGURES)
def test_a_document_has_the_figures_that_were_measured_in_its_marked_block(name: str) -> None:
    document = (ROOT / name).read_text("utf-8")
    (block,) = BLOCK.findall(document)
    measured = FIGURES[name](load(RESULTS / "service.json"))
    assert block == measured + "\n"
    changed = with_figures(document, FIGURES[name](a_bench()))
    assert FIGURES[name](a_bench()) in changed
    assert with_figures(changed, measured) == document


def test_a_bench_without_runs_leaves_the_documents_as_they_are(tmp_path: Path) -> None:
    document = "<!-- figures: written by make bench -->\nold\n<!-- end of figures -->\n"
    (tmp_path / "README.md").write_text(document, "utf-8")
    write(tmp_path, tmp_path, Bench(3))
    assert (tmp_path / "README.md").read_text("utf-8") == document
    write(tmp_path, tmp_path, a_bench())
    assert headline(a_bench()) in (tmp_path / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    "answer, word",
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", "answered"),
        (b"HTTP/1.1 503 Busy\r\nRetry-After: 2\r\n\r\n", "told to come again"),
        (b"HTTP/1.1 503 Busy\r\n\r\n", "HTTP 503"),
        (b"", "HTTP 0"),
    ],
)
def test_only_503_with_retry_after_tells_a_caller_to_come_again(answer: bytes, word: str) -> None:
    assert became(answer) == word


def test_the_memory_of_the_container_is_read_from_the_compose_file() -> None:
    assert memory_limit_mb("    mem_limit: 1200m\n") == pytest.approx(1200 * 1.048576)
    assert memory_limit_mb('  memory: "2G"\n') == pytest.approx(2147.483648)
    assert memory_limit_mb("# memory is not limited\n") is None
    assert memory_limit_mb((ROOT / "docker-compose.yml").read_text("utf-8")) is not None


def test_a_process_counts_with_its_children() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, text=True) as parent:
        while len(process_tree.family(parent.pid)) < 2:
            assert parent.poll() is None
        both = process_tree.family(parent.pid)
        assert both[0] == parent.pid
        child = process_tree.resident(both[1])
        assert process_tree.resident(parent.pid) > child > 0
        before = process_tree.resident(parent.pid)  # the child may still be growing
        assert process_tree.peak(parent.pid) >= before
        alone, together = process_tree.own_cpu_seconds(parent.pid), process_tree.cpu_seconds(parent.pid)
        assert 0 < alone < together
        parent.communicate("\n")
    assert process_tree.resident(parent.pid) == 0


@pytest.mark.parametrize("last", [1.0, 4.2, 10.8, 126.8, 600.0])
def test_ticks_are_few_and_none_lies_behind_the_end(last: float) -> None:
    found = ticks(last)
    assert found[0] == 0
    assert 2 <= len(found) <= 7
    assert last / 2 < found[-1] <= last
