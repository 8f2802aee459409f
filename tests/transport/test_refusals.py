"""Refusals in the log: one line each, of a flood only the first, never what was sent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.support.manual_time import LetPass
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import Run, Service
from tests.support.wire import JSON, Report, endpoint_of, raw, serving
from transport.refusals import REFUSALS_LOGGED_A_SECOND, RefusalLog

KEY = "a-key-that-nobody-guesses"


class Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[list[logging.LogRecord]]:
    kept, logger = Kept(), logging.getLogger("transport.refusals")
    logger.addHandler(kept)
    with caplog.at_level(logging.INFO, "transport.refusals"):
        yield kept.records
    logger.removeHandler(kept)


def told(records: list[logging.LogRecord]) -> list[Message]:
    return [vars(record) for record in records if record.getMessage() == "request_refused"]


async def refuse_each_way(service: Service) -> list[int]:
    """Have requests refused in every way that needs no load; return the statuses."""
    key = {"Authorization": f"Bearer {KEY}"}
    body = legacy("ping", {"text": "hidden-word"})
    answers = [
        await service.post(body, {"Host": "evil.example", **key}),
        await service.post(body, {"Origin": "null", **key}),
        await service.post(body, {"Authorization": f"Bearer {KEY}x"}),
        await service.http.put(service.url, json=body, headers=key),
        await service.post(body, {"Content-Type": "text/plain", **key}),
        await service.post(body, {"Accept": "text/html", **key}),
        await service.post(body, {"Expect": "the-moon", **key}),
        await service.post(legacy("ping", {"text": "hidden-word" * 100}), key),
        await service.http.post(service.url, content=b'"hidden-word', headers={**JSON, **key}),
        await service.http.get(f"{service.origin}/metrics?key={KEY}"),
    ]
    return [answer.status_code for answer in answers]


async def test_each_refusal_has_a_line_that_says_why_and_none_quotes_keys_or_content(
    run: Run, lines: list[logging.LogRecord], let_pass: LetPass
) -> None:
    async with run(MCP_SUMMARIZER_API_KEYS=KEY, MAX_BODY_BYTES="1024") as service:
        statuses = await refuse_each_way(service)
        let_pass(1.0)
        assert b" 400 " in await raw(service, b"GET hidden-word\r\n\r\n")
    assert statuses == [421, 403, 401, 405, 415, 406, 417, 413, 400, 401]
    seen = told(lines)
    assert sorted(line["status"] for line in seen) == sorted([*statuses, 400])
    assert {(line["method"], line["path"]) for line in seen} == {
        ("POST", "/mcp"),
        ("PUT", "/mcp"),
        ("GET", "/metrics"),
        ("unknown", "unknown"),
    }
    reasons = " ".join(line["reason"] for line in seen)
    for word in (
        "Host",
        "Origin",
        "Authorization",
        "Content-Type",
        "Accept",
        "Expect",
        "MAX_BODY_BYTES",
        "Parse error",
    ):
        assert word in reasons
    assert KEY not in str(seen)
    assert "hidden-word" not in str(seen)


async def test_a_message_that_is_no_request_has_a_line_with_its_code(
    run: Run, lines: list[logging.LogRecord]
) -> None:
    async with run() as service:
        assert (await service.post({})).status_code == 400
        assert (await service.post(legacy("ping"))).status_code == 200
        unserved = await service.post(legacy("ping"), {"MCP-Protocol-Version": "hidden-word"})
        assert unserved.status_code == 400
    seen = told(lines)
    assert [line["status"] for line in seen] == [400, 400]
    assert "-32600" in seen[0]["reason"]
    assert "hidden-word" not in str(seen)


@pytest.mark.parametrize(
    "message, headers, status",
    [
        pytest.param(legacy("unheard-of"), {}, 200, id="legacy"),
        pytest.param(modern("unheard-of"), routing(modern("unheard-of")), 404, id="modern"),
    ],
)
async def test_an_unknown_method_has_a_line_in_either_era(
    run: Run, lines: list[logging.LogRecord], message: Message, headers: dict[str, str], status: int
) -> None:
    async with run() as service:
        assert (await service.post(message, headers)).status_code == status
    (line,) = told(lines)
    assert (line["status"], line["reason"]) == (status, "JSON-RPC error -32601")


async def never_called(report: Report) -> Message:
    raise AssertionError("no tool was to be called")


async def test_errors_that_older_revisions_get_with_status_200_share_the_allowance_of_refusals(
    lines: list[logging.LogRecord],
) -> None:
    endpoint = replace(endpoint_of(never_called), clock=lambda: 0.0)
    async with serving(endpoint) as service:
        for _ in range(REFUSALS_LOGGED_A_SECOND):
            assert (await service.post(legacy("unheard-of"))).status_code == 200
        assert (await service.http.get(service.url)).status_code == 405
    assert [line["status"] for line in told(lines)] == [200] * REFUSALS_LOGGED_A_SECOND
    await endpoint.drain(0.0)
    assert vars(lines[-1])["refusals"] == 1


async def test_a_tool_call_that_is_refused_for_its_headers_has_one_line(
    run: Run, lines: list[logging.LogRecord]
) -> None:
    message = modern("tools/call", call(content="hidden-word"))
    async with run() as service:
        assert (await service.post(message, routing(message))).status_code == 200
        wrong = await service.post(message, {**routing(message), "mcp-name": "hidden-word"})
        assert wrong.status_code == 400
    (line,) = told(lines)
    assert (line["status"], line["method"], line["path"]) == (400, "POST", "/mcp")
    assert line["reason"] == f"JSON-RPC error {wrong.json()['error']['code']}"


async def test_a_call_of_an_unknown_tool_is_logged_by_the_tools_alone(
    run: Run, lines: list[logging.LogRecord]
) -> None:
    message = modern("tools/call", call("unheard-of"))
    async with run() as service:
        assert (await service.post(message, routing(message))).status_code == 400
    assert told(lines) == []


async def test_a_path_where_nothing_is_and_a_method_that_a_page_has_not_are_logged(
    run: Run, lines: list[logging.LogRecord]
) -> None:
    async with run() as service:
        answers = [
            await service.http.request(method, service.origin + path, headers=headers)
            for method, path, headers in [
                ("GET", f"/sse?key={KEY}", {}),
                ("POST", "/health", {}),
                ("PROPFIND", "/x", {}),
                ("GET", "/", {"Host": "evil.example"}),
            ]
        ]
    assert [answer.status_code for answer in answers] == [404, 405, 404, 421]
    seen = [(line["status"], line["method"], line["path"]) for line in told(lines)]
    assert seen == [
        (404, "GET", "/sse"),
        (405, "POST", "/health"),
        (404, "PROPFIND", "/x"),
        (421, "GET", "/"),
    ]
    assert KEY not in str([vars(record) for record in lines])


async def test_of_a_flood_of_unknown_paths_the_lines_are_as_few_and_the_others_are_counted(
    run: Run, lines: list[logging.LogRecord]
) -> None:
    async with run() as service:
        for number in range(3 * REFUSALS_LOGGED_A_SECOND):
            await service.http.get(f"{service.origin}/{number}")
    counted = [vars(record) for record in lines if record.getMessage() == "refusals_not_logged"]
    assert len(told(lines)) + sum(line["refusals"] for line in counted) == 3 * REFUSALS_LOGGED_A_SECOND


def test_of_a_flood_the_first_of_each_second_are_logged_and_the_others_counted(
    lines: list[logging.LogRecord],
) -> None:
    now = 0.0
    log = RefusalLog(lambda: now)
    for _ in range(REFUSALS_LOGGED_A_SECOND + 7):
        log.note(401, "why", "POST", "/mcp")
    assert len(lines) == REFUSALS_LOGGED_A_SECOND
    now = 1.0
    log.note(401, "why", "POST", "/mcp")
    events = [record.getMessage() for record in lines[REFUSALS_LOGGED_A_SECOND:]]
    assert events == ["refusals_not_logged", "request_refused"]
    assert vars(lines[-2])["refusals"] == 7
    log.tell_left_out()
    assert vars(lines[-1])["status"] == 401


def test_a_long_method_or_path_makes_no_long_line(lines: list[logging.LogRecord]) -> None:
    RefusalLog().note(405, "why", "M" * 10_000, "/" * 10_000)
    (line,) = told(lines)
    assert (len(line["method"]), len(line["path"])) == (100, 100)
