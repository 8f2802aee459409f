"""Trace context: parsing, and that each call's log lines and model requests have its own trace."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from concurrency.worker_threads import open_worker
from observability import tracing
from observability.tracing import MAX_STATE_CHARS, MAX_STATE_INPUT_CHARS, Trace
from tests.support.messages import call, legacy
from tests.support.service import Run, prose, with_model
from tests.support.stand_in import StandIn

ID = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
PARENT = f"00-{ID}-{SPAN}-01"
OURS = "00f067aa0ba902b7"

HEX = "0123456789abcdef"
IDS = st.text(HEX, min_size=32, max_size=32).filter(lambda text: text.strip("0"))
SPANS = st.text(HEX, min_size=16, max_size=16).filter(lambda text: text.strip("0"))

MEMBER = st.tuples(
    st.from_regex(r"[a-z0-9][a-z0-9_\-*/@]{0,20}", fullmatch=True),
    st.from_regex(r"[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,20}[\x21-\x2b\x2d-\x3c\x3e-\x7e]", fullmatch=True),
).map("=".join)


def find(parent: Any, state: Any = None) -> Trace | None:
    """Find the trace of a request whose `_meta` says this."""
    return tracing.extract({"traceparent": parent, "tracestate": state}, {}, lambda: OURS)


def state_of(state: str) -> str:
    trace = find(PARENT, state)
    assert trace
    return trace.state


# What is one.


@given(IDS, SPANS, st.integers(0, 255))
def test_the_propagated_trace_has_the_same_id_a_new_span_and_the_known_flags(
    trace_id: str, span: str, flags: int
) -> None:
    trace = find(f"00-{trace_id}-{span}-{flags:02x}")
    assert trace
    assert trace.headers() == {"traceparent": f"00-{trace_id}-{OURS}-{flags & 3:02x}"}
    assert trace.fields() == {"trace_id": trace_id, "span_id": OURS, "parent_span_id": span}


@pytest.mark.parametrize(
    "parent",
    [
        "",
        " " + PARENT,
        PARENT + "\n",
        PARENT.upper(),
        PARENT + "-",
        PARENT + "-00",
        PARENT[:-1],
        "ff" + PARENT[2:],
        "0g" + PARENT[2:],
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{ID}-{'0' * 16}-01",
        f"00-{ID}-{SPAN}-0x",
        f"00_{ID}_{SPAN}_01",
        f"00-{ID[:-1]}g-{SPAN}-01",
        f"00-{ID[:-1]}-{SPAN}-01",
        f"00-{ID[:-1]}٣-{SPAN}-01",
        f"01-{ID}-{SPAN}-01x",
        7,
        None,
        [PARENT],
    ],
)
def test_an_invalid_traceparent_is_no_trace(parent: Any) -> None:
    assert find(parent) is None
    if isinstance(parent, str):
        assert tracing.extract({}, {"traceparent": [parent]}) is None


@given(st.text(alphabet=HEX + "-gF ", max_size=60))
@example(PARENT)
def test_no_text_becomes_an_invalid_trace(text: str) -> None:
    trace = find(text)
    if trace:
        sent = trace.headers()["traceparent"]
        assert re.fullmatch(r"00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-0[0-3]", sent)
        assert text.startswith(f"{text[:2]}-{trace.trace_id}-{trace.parent_id}-")


@pytest.mark.parametrize("more", ["", "-", "-what a later version adds"])
def test_a_later_version_is_read_as_version_00(more: str) -> None:
    trace = find(f"01-{ID}-{SPAN}-01{more}")
    assert trace
    assert trace.headers() == {"traceparent": f"00-{ID}-{OURS}-01"}


def test_the_body_takes_precedence_over_the_header_unless_it_is_invalid() -> None:
    other = f"00-{'1' * 32}-{SPAN}-00"
    headers = {"traceparent": [other], "tracestate": ["a=1", "b=2"]}
    found = tracing.extract({"traceparent": PARENT, "tracestate": "c=3"}, headers)
    assert found
    assert (found.trace_id, found.state) == (ID, "c=3")
    for meta in ({}, {"traceparent": "00-x", "tracestate": "c=3"}, {"tracestate": "c=3"}):
        found = tracing.extract(meta, headers)
        assert found
        assert (found.trace_id, found.state) == ("1" * 32, "a=1,b=2")


def test_two_traceparent_headers_are_ignored() -> None:
    assert tracing.extract({}, {"traceparent": [PARENT, PARENT]}) is None


def test_without_body_or_header_there_is_no_trace() -> None:
    assert tracing.extract({}, {}) is None
    assert tracing.extract({}, {"traceparent": [], "tracestate": ["a=1"]}) is None


def test_span_ids_are_random() -> None:
    ids = {tracing.new_span_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in ids)


# What goes with it.


@given(st.lists(MEMBER, min_size=1, max_size=8, unique_by=lambda member: member.partition("=")[0]))
def test_a_valid_tracestate_is_propagated_unchanged(members: list[str]) -> None:
    assert state_of(",".join(members)) == ",".join(members)
    assert state_of(" ,\t ".join([*members, ""])) == ",".join(members)


def test_a_tracestate_longer_than_any_valid_one_is_not_parsed() -> None:
    assert state_of("a=1" + "," * (MAX_STATE_INPUT_CHARS - 3)) == "a=1"
    assert state_of("a=1" + "," * (MAX_STATE_INPUT_CHARS - 2)) == ""


@pytest.mark.parametrize(
    "state",
    [
        "a",
        "a=",
        "=1",
        "a=1=2",
        "A=1",
        "a b=1",
        "a=1,a=2",
        "a=1,b",
        "a=1;b=\x00",
        "a=é",
        "-a=1",
        f"{'a' * 257}=1",
        f"a={'1' * 257}",
        ",".join(f"k{number}=1" for number in range(33)),
    ],
)
def test_an_invalid_tracestate_is_dropped_and_its_trace_is_kept(state: str) -> None:
    assert state_of(state) == ""


def test_a_tracestate_that_is_not_a_string_is_dropped() -> None:
    trace = find(PARENT, 7)
    assert trace
    assert "tracestate" not in trace.headers()


def test_a_long_tracestate_loses_large_members_first_and_then_the_last() -> None:
    small = [f"k{number:02}={'1' * 40}" for number in range(14)]
    large = f"large={'1' * 200}"
    assert state_of(",".join([large, *small[:9]])) == ",".join(small[:9])
    kept = state_of(",".join([large, *small]))
    assert ",".join(small).startswith(kept)
    assert MAX_STATE_CHARS - 45 < len(kept) <= MAX_STATE_CHARS
    assert state_of(f"{large},{small[0]}") == f"{large},{small[0]}"


# On whose behalf.


def test_outside_of_a_call_there_are_no_trace_fields_or_headers() -> None:
    assert (tracing.outgoing_headers(), tracing.log_fields()) == ({}, {})


async def test_the_tasks_and_threads_of_a_call_have_its_trace_and_others_do_not() -> None:
    async def say() -> dict[str, str]:
        await asyncio.sleep(0)
        return tracing.log_fields()

    trace = find(PARENT)
    assert trace
    async with open_worker(threads=1) as worker:
        before = asyncio.create_task(say())
        with tracing.use_trace(trace):
            inside = asyncio.create_task(say())
            threaded = await worker(tracing.log_fields)
            with tracing.use_trace(None):
                assert tracing.log_fields() == {}
            assert tracing.log_fields() == trace.fields()
        after = await worker(tracing.log_fields)
        assert (await before, await inside, threaded, after) == ({}, trace.fields(), trace.fields(), {})
    assert tracing.log_fields() == {}


# Over a real socket.


def parent_of(number: int) -> str:
    return f"00-{number:032x}-{SPAN}-01"


@pytest.mark.unmeasured
async def test_the_older_revisions_propagate_it_too(run: Run, model: StandIn) -> None:
    params = call(content=prose(60), max_output_tokens=200)
    batch = [
        legacy("tools/call", {**params, "_meta": {"traceparent": parent_of(number)}}, request_id=number)
        for number in (1, 2)
    ]
    async with run(**with_model(model, ANSWER_CACHE_SECONDS="0")) as service:
        await service.post(legacy("tools/call", params), {"traceparent": PARENT})
        await service.post(batch, {"traceparent": PARENT, "MCP-Protocol-Version": "2025-03-26"})
    traces = [sent["traceparent"].split("-")[1] for sent in model.headers]
    assert list(dict.fromkeys(traces)) == [ID, f"{1:032x}", f"{2:032x}"]


async def test_on_one_connection_no_trace_outlives_its_call(run: Run, model: StandIn) -> None:
    params = legacy("tools/call", call(content=prose(60), max_output_tokens=200))
    async with run(**with_model(model, ANSWER_CACHE_SECONDS="0")) as service:
        await service.post(params, {"traceparent": PARENT})
        before = len(model.headers)
        await service.post(params)
    assert all("traceparent" in sent for sent in model.headers[:before])
    assert before < len(model.headers)
    assert not any("traceparent" in sent for sent in model.headers[before:])


async def test_deletions_by_a_call_are_logged_with_its_trace_though_in_a_thread(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[Mapping[str, str]] = []

    def note(record: logging.LogRecord) -> bool:
        if record.getMessage() == "originals_forgotten":
            seen.append(tracing.log_fields())
        return True

    caplog.set_level(logging.INFO)
    caplog.handler.addFilter(note)
    keeping = call(content=prose(60), max_output_tokens=99, keep_original=True)
    async with run(MAX_ORIGINALS_BYTES="1200") as service:
        for number in (1, 2):
            await service.post(legacy("tools/call", keeping), {"traceparent": parent_of(number)})
    caplog.handler.removeFilter(note)
    assert [fields["trace_id"] for fields in seen] == [f"{2:032x}"]


@pytest.fixture(autouse=True)
def no_trace_is_left() -> Iterator[None]:
    yield
    assert tracing.log_fields() == {}
