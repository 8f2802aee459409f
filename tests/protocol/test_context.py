"""What a handler can do beside answering: report, log, and ask the client for input."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcp_protocol
from mcp_protocol import Incoming
from protocol.context import CallContext, Context, InputRequired, internal_errors, read_responses
from protocol.messages import Era, Reply, RpcError, RpcRequest
from protocol.methods import Server, TaskUse
from tests.support.messages import LEGACY, MODERN, Message, legacy, modern, routing

INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
MISSING_CAPABILITY = -32021

META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_LOG_LEVEL = "io.modelcontextprotocol/logLevel"
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

NAME = {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": {"type": "object"}}}
MODEL = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 9}}
ROOTS = {"method": "roots/list", "params": {}}
EVERYTHING: Message = {"elicitation": {}, "sampling": {}, "roots": {}}

Work = Callable[[Context], Awaitable[Message]]


class OneTool:
    """A tool that does what a test says, and shows nothing of itself."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def describe(self) -> list[Message]:
        return []

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        return await self.work(context)


def a_request(era: Era = Era.MODERN, declared: Message | None = None, **params: Any) -> RpcRequest:
    """Write a request that has passed its checks; `_meta` in `params` is merged with what is declared."""
    meta = {META_CAPABILITIES: declared or {}, **params.pop("_meta", {})}
    return RpcRequest(1, "tools/call", {**params, "_meta": meta}, era, meta)


async def call(work: Work, params: Message | None = None, declared: Message | None = None) -> Reply:
    """Call the tool with revision 2026-07-28."""
    meta: Message = {META_CAPABILITIES: declared or {}}
    message = modern("tools/call", {"name": "t", **(params or {})}, **meta)
    headers = {name: [value] for name, value in routing(message).items()}
    server = Server("x", "1", "", OneTool(work))
    return await mcp_protocol.answer(Incoming.of(message, headers), server)


async def call_legacy(work: Work, params: Message | None = None, version: str = "2025-11-25") -> Reply:
    message = legacy("tools/call", {"name": "t", **(params or {})})
    server = Server("x", "1", "", OneTool(work))
    return await mcp_protocol.answer(Incoming.of(message, {"mcp-protocol-version": [version]}), server)


def result_of(reply: Reply) -> Message:
    assert isinstance(reply.body, dict)
    result: Message = reply.body["result"]
    return result


def error_of(reply: Reply) -> Message:
    assert isinstance(reply.body, dict)
    error: Message = reply.body["error"]
    return error


def asks(requests: Mapping[str, Message], state: str | None = None) -> Work:
    """Return a tool that asks, and answers with the answers."""

    async def work(context: Context) -> Message:
        return {"content": [], "structuredContent": dict(await context.ask(requests, state))}

    return work


# Progress.


@pytest.mark.parametrize(
    "report, told",
    [
        ((3,), {"progress": 3}),
        ((0,), {"progress": 0}),
        ((-1,), {"progress": -1}),
        ((0.5, 1), {"progress": 0.5, "total": 1}),
        ((3, None, "three"), {"progress": 3, "message": "three"}),
        ((3, 0, ""), {"progress": 3, "total": 0, "message": ""}),
    ],
)
@pytest.mark.parametrize("era", Era)
def test_progress_tells_what_it_is_given_and_nothing_else(era: Era, report: Any, told: Message) -> None:
    heard: list[Message] = []
    CallContext(a_request(era, _meta={"progressToken": "t"}), heard.append).progress(*report)
    assert heard == [
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "t", **told}}
    ]


@given(st.lists(st.integers(-9, 9) | st.floats(-9, 9)))
def test_progress_starts_where_it_starts_and_only_ever_increases(report: list[float]) -> None:
    heard: list[Message] = []
    context = CallContext(a_request(_meta={"progressToken": 0}), heard.append)
    for done in report:
        context.progress(done)
    told = [notification["params"]["progress"] for notification in heard]
    assert told[:1] == report[:1]
    assert all(earlier < later for earlier, later in pairwise(told))
    assert told[-1:] == ([max(report)] if report else [])


@pytest.mark.parametrize("meta", [{}, {"progressToken": None}])
def test_without_a_token_nothing_is_told(meta: Message) -> None:
    heard: list[Message] = []
    CallContext(a_request(_meta=meta), heard.append).progress(1)
    assert heard == []


def test_a_transport_that_cannot_tell_does_not_stop_the_call() -> None:
    request = a_request(_meta={"progressToken": 1, META_LOG_LEVEL: "debug"})
    heard: list[Message] = []
    for notify in (None, heard.append):
        context = CallContext(request, notify, logs=True)
        context.progress(1)
        context.log("error", "nobody hears, and then somebody")
    assert [each["method"] for each in heard] == ["notifications/progress", "notifications/message"]


# Logs.


def heard_logs(request: RpcRequest, *, logs: bool = True) -> list[str]:
    heard: list[Message] = []
    context = CallContext(request, heard.append, logs=logs)
    for level in LEVELS:
        context.log(level, level)
    assert {notification["method"] for notification in heard} <= {"notifications/message"}
    return [notification["params"]["level"] for notification in heard]


@pytest.mark.parametrize("least", LEVELS)
def test_modern_calls_hear_the_level_they_ask_for_and_those_above(least: str) -> None:
    assert heard_logs(a_request(_meta={META_LOG_LEVEL: least})) == LEVELS[LEVELS.index(least) :]


def test_modern_calls_that_ask_for_no_level_hear_nothing() -> None:
    assert heard_logs(a_request()) == []


def test_legacy_calls_get_every_log_message_as_their_level_is_not_kept() -> None:
    assert heard_logs(a_request(Era.LEGACY)) == LEVELS


@pytest.mark.parametrize("era", Era)
def test_a_server_without_logging_sends_no_logs(era: Era) -> None:
    assert heard_logs(a_request(era, _meta={META_LOG_LEVEL: "debug"}), logs=False) == []


def test_a_log_message_carries_any_value_and_its_logger() -> None:
    heard: list[Message] = []
    context = CallContext(a_request(Era.LEGACY), heard.append, logs=True)
    context.log("info", {"rows": 3}, "db")
    context.log("info", 0)
    assert [notification["params"] for notification in heard] == [
        {"level": "info", "data": {"rows": 3}, "logger": "db"},
        {"level": "info", "data": 0},
    ]


# Asking.


async def test_a_call_that_needs_input_ends_with_what_it_asks_for() -> None:
    reply = await call(asks({"who": NAME}), declared={"elicitation": {}})
    assert result_of(reply) == {
        "resultType": "input_required",
        "inputRequests": {"who": NAME},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"}},
    }


async def test_what_is_asked_for_may_come_with_a_state() -> None:
    result = result_of(await call(asks({"who": NAME}, "s"), declared={"elicitation": {}}))
    assert result["requestState"] == "s"
    assert result["inputRequests"] == {"who": NAME}


@pytest.mark.parametrize("state", ["s", ""])
async def test_a_state_alone_sends_the_client_round_again(state: str) -> None:
    result = result_of(await call(asks({}, state)))
    assert result["resultType"] == "input_required"
    assert result["requestState"] == state
    assert "inputRequests" not in result


async def test_asking_for_nothing_is_answered_with_nothing() -> None:
    """MCP: a result that requires input has at least one of inputRequests and requestState."""
    result = result_of(await call(asks({})))
    assert result["resultType"] == "complete"
    assert result["structuredContent"] == {}


async def test_the_answers_come_with_the_next_call() -> None:
    answer = {"action": "accept", "content": {"name": "Ada"}}
    reply = await call(asks({"who": NAME}), {"inputResponses": {"who": answer, "more": {}}})
    assert result_of(reply)["structuredContent"] == {"who": answer}


def test_input_cannot_be_required_without_saying_which() -> None:
    with pytest.raises(ValueError, match="expected input requests or a state"):
        InputRequired({}, None)


@pytest.mark.parametrize("given", [{}, {"who": {}}, {"where": {}}, {"unknown": {}}])
async def test_as_long_as_an_answer_is_missing_everything_is_asked_for_again(given: Message) -> None:
    questions = {"who": NAME, "where": ROOTS}
    reply = await call(asks(questions, "s2"), {"inputResponses": given}, declared=EVERYTHING)
    assert result_of(reply)["inputRequests"] == questions
    assert result_of(reply)["requestState"] == "s2"


async def test_a_handler_sees_the_state_that_comes_back() -> None:
    async def work(context: Context) -> Message:
        return {"content": [], "structuredContent": {"state": context.state}}

    assert result_of(await call(work, {"requestState": "s"}))["structuredContent"] == {"state": "s"}
    assert result_of(await call(work))["structuredContent"] == {"state": None}


async def test_a_handler_sees_what_the_client_has_declared_with_this_request() -> None:
    async def work(context: Context) -> Message:
        return {"content": [], "structuredContent": dict(context.capabilities)}

    result = result_of(await call(work, declared={"sampling": {"tools": {}}}))
    assert result["structuredContent"] == {"sampling": {"tools": {}}}
    meta = {"_meta": {META_CAPABILITIES: EVERYTHING}}
    assert result_of(await call_legacy(work, meta))["structuredContent"] == {}


@pytest.mark.parametrize(
    "question, capability", [(NAME, "elicitation"), (MODEL, "sampling"), (ROOTS, "roots")]
)
async def test_only_what_the_client_has_declared_is_asked_for(question: Message, capability: str) -> None:
    declared: Message = {name: {} for name in EVERYTHING if name != capability}
    error = error_of(await call(asks({"known": question}), declared=declared))
    assert error == {
        "code": MISSING_CAPABILITY,
        "message": f"Missing required client capability: {question['method']} needs {capability} "
        "in _meta io.modelcontextprotocol/clientCapabilities",
        "data": {"requiredCapabilities": {capability: {}}},
    }
    reply = await call(asks({"known": question}), declared={capability: {}})
    assert result_of(reply)["resultType"] == "input_required"


async def test_one_question_too_many_and_none_is_asked() -> None:
    reply = await call(asks({"who": NAME, "what": MODEL}), declared={"elicitation": {}})
    assert error_of(reply)["data"] == {"requiredCapabilities": {"sampling": {}}}


async def test_a_kind_of_question_that_mcp_does_not_have_is_a_fault_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reply = await call(asks({"x": {"method": "tools/call"}}), declared=EVERYTHING)
    assert error_of(reply)["code"] == INTERNAL_ERROR
    assert [record.getMessage() for record in caplog.records] == ["internal_error"]


@pytest.mark.parametrize(
    "given, said",
    [
        (None, "expected inputResponses to be an object, got null"),
        ([], "expected inputResponses to be an object, got an array"),
        ("x", "expected inputResponses to be an object, got a string"),
        ({"who": None}, "inputResponses: expected an object for 'who', got null"),
        ({"who": "Ada"}, "inputResponses: expected an object for 'who', got a string"),
        ({"who": {}, "more": 1}, "inputResponses: expected an object for 'more', got a number"),
    ],
)
async def test_answers_without_a_shape_are_refused(given: Any, said: str) -> None:
    for reply in (
        await call(asks({"who": NAME}), {"inputResponses": given}),
        await call_legacy(asks({}), {"inputResponses": given}),
    ):
        assert error_of(reply) == {"code": INVALID_PARAMS, "message": f"Invalid params: {said}"}


def test_a_key_is_not_repeated_whole() -> None:
    with pytest.raises(RpcError) as error:
        read_responses({"inputResponses": {"k" * 5_000: 1}})
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("state, shown", [(1, "a number"), ({}, "an object"), (False, "a boolean")])
async def test_a_state_that_is_no_string_is_refused(state: Any, shown: str) -> None:
    error = error_of(await call(asks({}), {"requestState": state}))
    assert error["code"] == INVALID_PARAMS
    assert error["message"] == f"Invalid params: expected a string requestState, got {shown}"


@pytest.mark.parametrize("version", LEGACY)
async def test_a_legacy_client_is_told_which_revision_can_be_asked(version: str) -> None:
    error = error_of(await call_legacy(asks({"who": NAME}), version=version))
    assert error["code"] == INVALID_PARAMS
    assert MODERN in error["message"]
    assert "data" not in error


# Faults.


async def test_a_fault_of_ours_tells_the_caller_nothing_and_the_log_everything(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def work(context: Context) -> Message:
        raise LookupError("the secret is 42")

    error = error_of(await call(work))
    assert error == {
        "code": INTERNAL_ERROR,
        "message": "Internal error: the service failed; its log says why",
    }
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.getMessage() == "internal_error"
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "the secret is 42"


async def test_what_is_meant_for_the_caller_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    async def refuses(context: Context) -> Message:
        raise RpcError(INVALID_PARAMS, "not like this", {"how": "like that"})

    assert error_of(await call(refuses)) == {
        "code": INVALID_PARAMS,
        "message": "not like this",
        "data": {"how": "like that"},
    }
    with pytest.raises(InputRequired), internal_errors():
        await CallContext(a_request(), None).ask({}, "s")
    assert caplog.records == []
