"""The recorder under load and faults: what it drops, and that it tells so; calls go on all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any, cast

import pytest

from concurrency.worker_threads import open_worker
from gateway.masking.masker import KnownSecrets
from gateway.server_rules import GatewayServer
from gateway.server_spec import ServerSpec
from gateway.timeline import recorder as module
from gateway.timeline.listeners import Listeners
from gateway.timeline.recorder import CallRecorder, open_recorder
from gateway.timeline.recorder_dependencies import RecorderParts, TimelineParts
from gateway.timeline.session_identity import Caller, session_of
from gateway.timeline.shown_texts import SHOWN_CHARS, SHOWN_TOKENS, ShownTexts
from gateway.timeline.sqlite_timeline import SqliteTimeline
from gateway.timeline.timeline import Entry, Event, NotRecorded, TimelineBounds
from protocol.context import Context
from summarizing.text.tokenizer import Tokenizer

SERVER = GatewayServer(ServerSpec("k8s", url="http://127.0.0.1:9"))
NO_SELECTION = '{"servers": []}'


class Counted:
    """Metrics that remember."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def count_proxied_call(self, *call: Any) -> None:
        self.calls.append(call)


class Store:
    """A timeline in memory whose writing can be held or refused."""

    def __init__(self) -> None:
        self.kept = SqliteTimeline(None, TimelineBounds(10**9, 10**9))
        self.refuses = False
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def append(self, entries: Sequence[Entry]) -> Sequence[Event]:
        await self.go_on.wait()
        if self.refuses:
            raise NotRecorded("the disk is full")
        return self.kept.append(entries)

    def events(self) -> list[tuple[str, str]]:
        return [(each.type, each.status) for each in self.kept.changes("ann", None, 0, 10**6)]


class Unmasked:
    """Masks nothing, and fails where it is told to."""

    fails = False
    longest_known_chars = 0

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        if self.fails:
            raise RuntimeError("secret")
        return value

    def text(self, text: str, server: GatewayServer) -> str:
        return text


class MaskedByName:
    """Masks one secret alone."""

    def __init__(self, secret: str) -> None:
        self._masker = KnownSecrets([secret])
        self.longest_known_chars = self._masker.longest_known_chars

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        return self._masker.mask_json(value)


class Caught:
    """As much of a context as is read."""

    def __init__(self) -> None:
        self.owner = "ann"
        self.meta: dict[str, Any] = {}
        self.headers: dict[str, Any] = {}


CONTEXT = cast("Context", Caught())


def parts(store: Store, worker: Any, tokenizer: Tokenizer, masking: Any = None) -> RecorderParts:
    numbers = count()
    of_timeline = TimelineParts(
        cast("Any", store), Listeners(), worker, Counted(), lambda: 1_000.0, lambda: f"id{next(numbers)}"
    )
    return RecorderParts(of_timeline, masking or Unmasked(), tokenizer, lambda: 0.0)


def record_call(recorder: CallRecorder) -> None:
    with recorder.begin(CONTEXT, SERVER, "pods", {"a": 1}, NO_SELECTION) as record:
        record.result({"content": []}, "fine", 1)


async def test_calls_are_dropped_and_counted_where_too_many_wait(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "MAX_NOTES", 10)
    monkeypatch.setattr(module, "BATCH_SECONDS", 0.0)
    store = Store()
    async with open_worker(threads=1) as worker:
        given = parts(store, worker, tokenizer)
        async with open_recorder(given) as recorder:
            store.go_on.clear()
            record_call(recorder)
            for _ in range(5):
                await asyncio.sleep(0)  # the first is being written, and the others wait
            for _ in range(20):
                record_call(recorder)
            assert recorder.dropped == 15
            store.go_on.set()
            await recorder.done()
            # What is recorded is recorded whole.
            assert store.events() == [("mcp_tool_call", "completed"), ("tool_result", "completed")] * 6
            record_call(recorder)
    assert len(store.events()) == 14
    assert len(cast("Counted", given.of_timeline.metrics).calls) == 22
    told = [
        vars(each)["timeline_events"] for each in caplog.records if each.message == "timeline_events_dropped"
    ]
    assert sum(told) == 15


async def test_a_full_disk_drops_events_and_the_next_ones_are_kept(
    tokenizer: Tokenizer, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store()
    async with open_worker(threads=1) as worker, open_recorder(parts(store, worker, tokenizer)) as recorder:
        store.refuses = True
        record_call(recorder)
        await recorder.done()
        assert recorder.dropped == 3
        store.refuses = False
        record_call(recorder)
        await recorder.done()
        assert len(store.events()) == 2
    assert "timeline_not_written" in [record.message for record in caplog.records]


async def test_a_fault_of_ours_drops_an_event_and_quotes_nothing(
    tokenizer: Tokenizer, caplog: pytest.LogCaptureFixture
) -> None:
    store, masking = Store(), Unmasked()
    masking.fails = True
    async with (
        open_worker(threads=1) as worker,
        open_recorder(parts(store, worker, tokenizer, masking)) as recorder,
    ):
        record_call(recorder)
        await recorder.done()
        assert recorder.dropped == 1
        assert store.events() == [("mcp_tool_call", "completed"), ("tool_result", "completed")]
    assert "secret" not in str([vars(record) for record in caplog.records])


async def test_what_was_noted_at_the_end_is_kept(tokenizer: Tokenizer) -> None:
    store = Store()
    async with open_worker(threads=1) as worker:
        async with open_recorder(parts(store, worker, tokenizer)) as recorder:
            record_call(recorder)
        assert len(store.events()) == 2


MINE: dict[str, Any] = {
    "owner": "ann",
    "given": None,
    "session": [],
    "client": "claude",
    "now": 0.0,
    "selection": NO_SELECTION,
}


def session_id(facts: dict[str, Any]) -> str:
    meta = {"io.modelcontextprotocol/clientInfo": {"name": facts["client"]}}
    caller = Caller(facts["owner"], meta, facts["session"])
    return session_of(caller, facts["given"], facts["selection"], facts["now"], str).id


@pytest.mark.parametrize("facts", [MINE, {**MINE, "given": "s1"}, {**MINE, "session": ["m"]}])
def test_calls_of_one_session_are_told_from_those_of_others(facts: dict[str, Any]) -> None:
    others: list[dict[str, Any]] = [{"owner": "bob"}, {"given": "s2"}]
    if facts["given"] is None:
        others.append({"session": ["n"]})
    if facts is MINE:
        others += [{"client": "codex"}, {"now": 2 * 86_400.0}, {"selection": "{}"}]
    mine = session_id(facts)
    assert mine == session_id({**facts, "now": 3_600.0})
    assert all(session_id({**facts, **other}) != mine for other in others)


def test_what_a_client_names_is_one_session_whatever_else_changes() -> None:
    named = {**MINE, "given": "s1"}
    for other in ({"client": "codex"}, {"now": 2 * 86_400.0}, {"selection": "{}"}, {"session": ["n"]}):
        assert session_id({**named, **other}) == session_id(named)


async def test_a_text_that_cannot_have_too_many_tokens_is_not_counted(tokenizer: Tokenizer) -> None:
    counted: list[str] = []

    async def worker(function: Any, text: str, tokens: int) -> Any:
        counted.append(text)
        return function(text, tokens)

    texts = ShownTexts(parts(Store(), worker, tokenizer))
    short, long = "x" * SHOWN_TOKENS, "\u5b57" * (SHOWN_TOKENS // 3 + 1)
    assert await texts.shown(short) == (short, False)
    assert counted == []
    assert await texts.shown(long) == (long, False)
    assert counted == [long]


async def test_no_part_of_a_long_secret_is_shown_where_a_text_is_cut_in_it(tokenizer: Tokenizer) -> None:
    secret = "hunter2" * 1_000
    text = "-" * (SHOWN_CHARS - 6_000) + secret
    async with open_worker(threads=1) as worker:
        texts = ShownTexts(parts(Store(), worker, tokenizer, MaskedByName(secret)))
        shown, is_cut = await texts.masked_text(text, SERVER)
    assert is_cut
    assert set(shown) == {"-"}
