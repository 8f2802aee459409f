"""The protocol without a socket: what each message is answered, in both eras, and in which order it is judged."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mcp_protocol
from mcp_protocol import Incoming
from protocol import json_parsing
from protocol import messages as mcp_messages
from protocol import methods as mcp_methods
from protocol.context import Context
from protocol.messages import Era, Notify, Reply, RpcError, RpcRequest
from protocol.methods import Completions, Server, TaskUse, Unknown
from protocol.revisions import METHODS, Duration, Method
from protocol.subscriptions import Hub
from protocol.tasks import TaskStore
from tests.support.messages import (
    LEGACY,
    META_CAPABILITIES,
    META_SERVER_INFO,
    META_VERSION,
    MODERN,
    Message,
    legacy,
    modern,
    routing,
)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022


class Steps:
    """A registry with one tool, which reports the progress it is told to and answers with a text."""

    TOOL: ClassVar[Message] = {
        "name": "steps",
        "description": "Reports steps.",
        "inputSchema": {"type": "object"},
    }

    def __init__(self) -> None:
        self.calls: list[Mapping[str, Any]] = []

    def describe(self) -> list[Message]:
        return [self.TOOL]

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        if name != "steps":
            raise Unknown(f"Unknown tool: {name}")
        self.calls.append(arguments)
        for done in arguments.get("report", []):
            context.progress(done, 9, f"{done} of 9")
        return {"content": [{"type": "text", "text": "done"}], "_meta": {"ours": 1}}


def a_server() -> Server:
    return Server("a name", "1.2.3", "what it is for", Steps())


def values_of(headers: Mapping[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in headers.items()}


async def ask(message: Any, headers: Mapping[str, list[str]] | None = None) -> Reply:
    return await mcp_protocol.answer(Incoming.of(message, headers or {}), a_server())


async def ask_modern(message: Message) -> Message:
    reply = await ask(message, values_of(routing(message)))
    assert reply.era is Era.MODERN
    assert isinstance(reply.body, dict)
    return reply.body


async def ask_legacy(message: Any) -> Message:
    reply = await ask(message)
    assert reply.era is Era.LEGACY
    assert isinstance(reply.body, dict)
    return reply.body


def a_call(**meta: Any) -> Message:
    return modern("tools/call", {"name": "steps", "arguments": {}}, **meta)


# Reading bytes.


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"id": NaN}',
        b'{"id": Infinity}',
        b'{"id": -Infinity}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"1" * 5_000,
        b'"\xff"',
        b'"\xed\xa0\x80"',
        '{"id": 1}'.encode("utf-16"),
        b'{"id": 1} {"id": 2}',
        b"{'id': 1}",
    ],
)
def test_what_is_no_json_in_utf_8_is_a_parse_error(body: bytes) -> None:
    with pytest.raises(RpcError) as error:
        json_parsing.parse_json(body)
    assert error.value.code == PARSE_ERROR
    assert str(error.value).startswith("Parse error: ")
    assert len(str(error.value)) < 200


@given(st.binary())
def test_any_bytes_are_a_value_or_a_parse_error(body: bytes) -> None:
    try:
        json.dumps(json_parsing.parse_json(body))
    except RpcError as error:
        assert error.code == PARSE_ERROR  # noqa: PT017 - both outcomes are right, this one only with this code


def test_the_id_of_a_parse_error_is_null() -> None:
    reply = mcp_messages.error_reply(RpcError(PARSE_ERROR, "Parse error"), None, Era.LEGACY)
    error = {"code": PARSE_ERROR, "message": "Parse error"}
    assert reply.body == {"jsonrpc": "2.0", "id": None, "error": error}


def test_a_lone_surrogate_is_a_value() -> None:
    assert json_parsing.parse_json(b'"\\ud800"') == "\ud800"


# Telling the era.


@pytest.mark.parametrize(
    "message, versions, era",
    [
        (legacy("ping"), [], Era.LEGACY),
        *[(legacy("ping"), [version], Era.LEGACY) for version in LEGACY],
        (legacy("ping"), [MODERN], Era.MODERN),
        (legacy("ping"), ["1999-01-01"], Era.MODERN),
        (legacy("ping"), [""], Era.MODERN),
        (legacy("ping"), ["2025-11-25", MODERN], Era.MODERN),
        (legacy("ping"), ["2025-11-25", "2025-11-25"], Era.LEGACY),
        (modern("tools/list"), [], Era.MODERN),
        (modern("tools/list"), ["2025-11-25"], Era.MODERN),
        (modern("tools/list"), [MODERN], Era.MODERN),
        (modern("initialize"), [], Era.MODERN),
        (legacy("tools/list", {"_meta": {META_CAPABILITIES: {}}}), [], Era.LEGACY),
        (legacy("tools/list", {"_meta": {META_VERSION: None}}), [], Era.MODERN),
        (legacy("tools/list", {"_meta": [META_VERSION]}), [], Era.LEGACY),
        ([modern("tools/list")], [], Era.LEGACY),
        ("2026-07-28", [MODERN], Era.MODERN),
        (None, [], Era.LEGACY),
    ],
)
def test_the_body_tells_the_era_and_then_the_version_header(
    message: Any, versions: list[str], era: Era
) -> None:
    assert Incoming.of(message, {"mcp-protocol-version": versions}).era is era


@pytest.mark.parametrize("version", ["2025-03-26", MODERN])
async def test_the_era_is_found_out_once_and_every_later_step_goes_by_it(version: str) -> None:
    for message in (legacy("no/such"), modern("no/such"), [legacy("ping"), legacy("no/such")], "x"):
        incoming = Incoming.of(message, {"mcp-protocol-version": [version]})
        reply = await mcp_protocol.answer(incoming._replace(era=Era.LEGACY), a_server())
        assert reply.era is Era.LEGACY


# The ladder of checks.


@dataclass(frozen=True)
class Rung:
    """One check: how to break a good request so that it fails there, and what is answered; code None is no answer."""

    name: str
    spoil: Callable[[Message, dict[str, list[str]]], object]
    code: int | None
    says: str = ""


def _set_id(message: Message, headers: dict[str, list[str]]) -> None:
    # A notification has no id to spoil.
    if "id" in message:
        message["id"] = None


def _set_meta(name: str, value: Any) -> Callable[[Message, dict[str, list[str]]], None]:
    def spoil(message: Message, headers: dict[str, list[str]]) -> None:
        message["params"]["_meta"][name] = value

    return spoil


def _ask_for_version(message: Message, headers: dict[str, list[str]]) -> None:
    message["params"]["_meta"][META_VERSION] = "v999.0.0"
    headers["mcp-protocol-version"] = ["v999.0.0"]


def _ask_for_method(message: Message, headers: dict[str, list[str]]) -> None:
    message["method"] = "tools/burn"
    headers["mcp-method"] = ["tools/burn"]


def _ask_for_tool(message: Message, headers: dict[str, list[str]]) -> None:
    message["params"]["name"] = "burn"
    headers["mcp-name"] = ["burn"]


MODERN_LADDER = [
    Rung("jsonrpc", lambda m, h: m.update(jsonrpc="1.0"), INVALID_REQUEST, '"jsonrpc"'),
    Rung("method is no string", lambda m, h: m.update(method=7), INVALID_REQUEST, '"method"'),
    Rung("notification", lambda m, h: m.pop("id"), None),
    Rung("id", _set_id, INVALID_REQUEST, '"id"'),
    Rung("params are no object", lambda m, h: m.update(params=[1]), INVALID_PARAMS, '"params"'),
    Rung(
        "header twice",
        lambda m, h: h.update({"mcp-method": ["a", "a"]}),
        HEADER_MISMATCH,
        "mcp-method was sent 2",
    ),
    Rung("no version", lambda m, h: m["params"]["_meta"].pop(META_VERSION), INVALID_PARAMS, META_VERSION),
    Rung("capabilities", _set_meta(META_CAPABILITIES, None), INVALID_PARAMS, META_CAPABILITIES),
    Rung(
        "header differs",
        lambda m, h: h.update({"mcp-method": ["other"]}),
        HEADER_MISMATCH,
        "mcp-method: expected",
    ),
    Rung("version", _ask_for_version, UNSUPPORTED_VERSION, "Unsupported protocol version"),
    Rung("method", _ask_for_method, METHOD_NOT_FOUND, "tools/burn"),
    Rung("progress token", _set_meta("progressToken", True), INVALID_PARAMS, "progressToken"),
    Rung("log level", _set_meta("io.modelcontextprotocol/logLevel", "loud"), INVALID_PARAMS, "logLevel"),
    Rung("tool", _ask_for_tool, INVALID_PARAMS, "Unknown tool: burn"),
]

LEGACY_LADDER = [
    Rung("jsonrpc", lambda m, h: m.update(jsonrpc=2.0), INVALID_REQUEST, '"jsonrpc"'),
    Rung("method is no string", lambda m, h: m.update(method=None), INVALID_REQUEST, '"method"'),
    Rung("notification", lambda m, h: m.pop("id"), None),
    Rung("id", _set_id, INVALID_REQUEST, '"id"'),
    Rung("params are no object", lambda m, h: m.update(params="x"), INVALID_PARAMS, '"params"'),
    Rung("method", _ask_for_method, METHOD_NOT_FOUND, "tools/burn"),
    Rung("meta", lambda m, h: m["params"].update(_meta=[]), INVALID_PARAMS, "_meta"),
    Rung("progress token", _set_meta("progressToken", 1.5), INVALID_PARAMS, "progressToken"),
    Rung("tool", _ask_for_tool, INVALID_PARAMS, "Unknown tool: burn"),
]


def pairs_of(ladder: list[Rung]) -> list[Any]:
    """Every rung alone, and every two: the earlier one must be the one that is answered."""
    pairs = [(first, other) for at, first in enumerate(ladder) for other in ladder[at:]]
    # Where a body names no version, the header's is what was asked for, and first to be told: see the tests of that.
    unnamed = ("notification", "params are no object", "no version")
    named = {
        f"{first.name}, {other.name}": (first, other)
        for first, other in pairs
        if not (other.name == "version" and first.name in unnamed)
    }
    return [pytest.param(*pair, id=name) for name, pair in named.items()]


def assert_fails_at(rung: Rung, reply: Reply, message: Message) -> None:
    if rung.code is None:
        assert reply.body is None
        return
    assert isinstance(reply.body, dict)
    assert reply.body["error"]["code"] == rung.code
    assert rung.says in reply.body["error"]["message"]
    assert reply.body.get("id") == message.get("id")


@pytest.mark.unmeasured
@pytest.mark.parametrize("first, other", pairs_of(MODERN_LADDER))
async def test_a_modern_message_that_breaks_two_rules_fails_at_the_first(first: Rung, other: Rung) -> None:
    message = a_call()
    headers = values_of(routing(message))
    other.spoil(message, headers)
    if first is not other:
        first.spoil(message, headers)
    assert_fails_at(first, await ask(message, headers), message)


@pytest.mark.parametrize("first, other", pairs_of(LEGACY_LADDER))
async def test_a_legacy_message_that_breaks_two_rules_fails_at_the_first(first: Rung, other: Rung) -> None:
    message = legacy("tools/call", {"name": "steps", "_meta": {}})
    other.spoil(message, {})
    if first is not other:
        first.spoil(message, {})
    assert_fails_at(first, await ask(message), message)


@pytest.mark.parametrize("write", [legacy, modern])
async def test_an_id_is_short_enough_to_be_repeated_in_every_event(write: Any) -> None:
    for length, code in ((1024, None), (1025, INVALID_REQUEST)):
        message = write("tools/list", {}, request_id="x" * length)
        reply = await ask(message, values_of(routing(message)) if write is modern else {})
        assert isinstance(reply.body, dict)
        assert reply.error_code == code
        assert reply.body.get("id") == (message["id"] if code is None else None)


@pytest.mark.parametrize("write", [legacy, modern])
async def test_a_progress_token_is_short_enough_to_be_repeated_in_every_event(write: Any) -> None:
    for length, code in ((1024, None), (1025, INVALID_PARAMS)):
        message = write("tools/list", {"_meta": {}})
        message["params"]["_meta"]["progressToken"] = "x" * length
        reply = await ask(message, values_of(routing(message)) if write is modern else {})
        assert reply.error_code == code


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled"])
async def test_a_notification_in_a_version_that_is_not_served_is_told_so(method: str) -> None:
    message = {"jsonrpc": "2.0", "method": method}
    reply = await ask(message, {"mcp-protocol-version": ["1999-01-01"]})
    assert isinstance(reply.body, dict)
    assert (reply.era, reply.error_code) == (Era.MODERN, UNSUPPORTED_VERSION)
    assert reply.body["error"]["data"]["requested"] == "1999-01-01"
    assert reply.body["id"] is None
    for version in (MODERN, *LEGACY):
        assert (await ask(message, {"mcp-protocol-version": [version]})).body is None


@pytest.mark.parametrize("message", [legacy("ping"), [legacy("ping")], legacy("initialize", {})])
async def test_a_version_that_is_not_served_is_told_whatever_came_with_it(message: Any) -> None:
    reply = await ask(message, {"mcp-protocol-version": ["2023-01-01"]})
    assert isinstance(reply.body, dict)
    assert reply.error_code == UNSUPPORTED_VERSION
    assert reply.body["error"]["message"].endswith("got '2023-01-01'")


@pytest.mark.parametrize(
    "message, hint",
    [
        (legacy("server/discover"), "; it is one of revision 2026-07-28 (header MCP-Protocol-Version)"),
        (
            legacy("subscriptions/listen"),
            "; revision 2025-03-26 has initialize, ping, tools/list, tools/call here",
        ),
        (modern("initialize"), "; it is one of revision 2025-11-25 (header MCP-Protocol-Version)"),
        (modern("ping"), "; it is one of revision 2025-11-25 (header MCP-Protocol-Version)"),
        (modern("no/such"), "; revision 2026-07-28 has server/discover, tools/list, tools/call here"),
        (legacy("no/such"), "; revision 2025-03-26 has initialize, ping, tools/list, tools/call here"),
        (legacy("prompts/list"), "; revision 2025-03-26 has initialize, ping, tools/list, tools/call here"),
        (
            modern("logging/setLevel"),
            "; revision 2026-07-28 has server/discover, tools/list, tools/call here",
        ),
    ],
)
async def test_for_an_unknown_method_the_error_says_which_are_known(message: Message, hint: str) -> None:
    reply = await ask(message, values_of(routing(message)) if "params" in message else {})
    assert isinstance(reply.body, dict)
    assert reply.body["error"] == {
        "code": METHOD_NOT_FOUND,
        "message": f"Method not found: {message['method']}{hint}",
    }


@pytest.mark.parametrize(
    "versions", [["2025-03-26", "2025-11-25"], ["2025-11-25", "2025-03-26"], ["2025-06-18"] * 2]
)
@pytest.mark.parametrize(
    "message", [legacy("ping"), [legacy("ping")], {"jsonrpc": "2.0", "method": "notifications/initialized"}]
)
async def test_a_legacy_version_sent_twice_is_refused_in_either_order(
    message: Any, versions: list[str]
) -> None:
    reply = await ask(message, {"mcp-protocol-version": versions})
    assert (reply.era, reply.error_code) == (Era.LEGACY, INVALID_REQUEST)


@pytest.mark.parametrize("message", [[], "ping", 7, None, True, 1.5])
@pytest.mark.parametrize("versions", [[], ["2025-03-26"], ["2025-11-25"], [MODERN]])
async def test_what_is_no_object_is_an_invalid_request_with_id_null(
    message: Any, versions: list[str]
) -> None:
    reply = await ask(message, {"mcp-protocol-version": versions})
    assert reply.error_code == INVALID_REQUEST
    assert isinstance(reply.body, dict)
    assert reply.body["id"] is None


@pytest.mark.parametrize("request_id", [None, True, False, 1.0, 1e300, [], {}, [1]])
@pytest.mark.parametrize("ask_in_era", [ask_modern, ask_legacy])
async def test_an_id_must_be_a_string_or_an_integer(ask_in_era: Callable[..., Any], request_id: Any) -> None:
    message = modern("tools/list") if ask_in_era is ask_modern else legacy("tools/list")
    body = await ask_in_era({**message, "id": request_id})
    assert body["error"]["code"] == INVALID_REQUEST
    assert body["id"] is None


@pytest.mark.parametrize("request_id", [0, -1, 1, 2**63, "", "0", "é", "\ud800", 10**4000])
@pytest.mark.parametrize("method", ["tools/list", "no/such"])
@pytest.mark.parametrize("ask_in_era", [ask_modern, ask_legacy])
async def test_an_id_is_echoed_in_results_and_in_errors(
    ask_in_era: Callable[..., Any], method: str, request_id: Any
) -> None:
    write = modern if ask_in_era is ask_modern else legacy
    body = await ask_in_era(write(method, request_id=request_id))
    assert body["id"] == request_id
    assert type(body["id"]) is type(request_id)


async def test_a_readable_id_is_echoed_where_the_rest_is_no_request() -> None:
    assert (await ask_legacy({"id": 7, "method": "ping"}))["id"] == 7


@pytest.mark.parametrize("name", ["mcp-protocol-version", "mcp-method", "mcp-name"])
async def test_a_routing_header_sent_twice_is_a_mismatch_even_if_both_agree(name: str) -> None:
    message = a_call()
    headers = values_of(routing(message))
    reply = await ask(message, {**headers, name: headers[name] * 2})
    assert reply.error_code == HEADER_MISMATCH


@pytest.mark.parametrize("name", ["mcp-protocol-version", "mcp-method", "mcp-name"])
async def test_a_routing_header_that_is_missing_is_a_mismatch(name: str) -> None:
    message = a_call()
    headers = values_of(routing(message))
    del headers[name]
    reply = await ask(message, headers)
    assert reply.error_code == HEADER_MISMATCH
    assert isinstance(reply.body, dict)
    assert f"{name} is missing" in reply.body["error"]["message"]


@pytest.mark.parametrize(
    "name, value",
    [
        ("mcp-protocol-version", "2025-11-25"),
        ("mcp-method", "Tools/Call"),
        ("mcp-method", ""),
        ("mcp-name", "STEPS"),
    ],
)
async def test_a_routing_header_that_differs_from_the_body_is_a_mismatch(name: str, value: str) -> None:
    message = a_call()
    headers = values_of(routing(message))
    reply = await ask(message, {**headers, name: [value]})
    assert reply.error_code == HEADER_MISMATCH
    assert isinstance(reply.body, dict)
    assert reply.body["error"]["message"] == (
        f"Header mismatch: {name}: expected {headers[name][0]!r} as in the body, got {value!r}"
    )


async def test_a_mismatch_repeats_no_long_values() -> None:
    message = modern("tools/call", {"name": "n" * 5_000})
    reply = await ask(message, {**values_of(routing(message)), "mcp-name": ["h" * 5_000]})
    assert isinstance(reply.body, dict)
    assert len(reply.body["error"]["message"]) < 300


async def test_a_name_header_is_asked_for_by_calls_alone() -> None:
    message = modern("tools/list", {"name": "x"})
    reply = await ask(message, {**values_of(routing(message)), "mcp-name": ["y"]})
    assert reply.error_code is None


async def test_legacy_messages_need_no_routing_headers() -> None:
    reply = await ask(legacy("tools/list"), {"mcp-method": ["other", "another"], "mcp-name": ["x"]})
    assert reply.error_code is None


@pytest.mark.parametrize(
    "meta",
    [
        None,
        {},
        [],
        "x",
        {META_VERSION: MODERN},
        {META_CAPABILITIES: {}},
        {META_VERSION: 20260728, META_CAPABILITIES: {}},
        {META_VERSION: MODERN, META_CAPABILITIES: []},
    ],
)
async def test_modern_meta_must_have_a_version_and_capabilities(meta: Any) -> None:
    message = legacy("server/discover", {"_meta": meta})
    reply = await ask(message, values_of(routing(message)))
    assert reply.error_code == INVALID_PARAMS
    assert reply.era is Era.MODERN


@pytest.mark.parametrize("params", [{}, None])
async def test_a_modern_request_without_meta_has_invalid_params(params: Any) -> None:
    message = {**legacy("server/discover"), "params": params}
    reply = await ask(message, {"mcp-protocol-version": [MODERN], "mcp-method": ["server/discover"]})
    assert reply.error_code == INVALID_PARAMS


async def test_a_modern_request_needs_no_client_info() -> None:
    body = await ask_modern(modern("server/discover"))
    assert "result" in body


async def test_unknown_meta_members_are_ignored() -> None:
    body = await ask_modern(modern("tools/list", traceparent="00-1-2-01", vendor=[None]))
    assert "result" in body


async def test_an_unsupported_version_is_told_which_ones_are() -> None:
    message = modern("server/discover", version="2099-01-01")
    reply = await ask(message, values_of(routing(message, version="2099-01-01")))
    assert isinstance(reply.body, dict)
    assert reply.body["error"]["code"] == UNSUPPORTED_VERSION
    assert reply.body["error"]["data"] == {"supported": [MODERN, *LEGACY], "requested": "2099-01-01"}


async def test_only_an_unsupported_version_has_error_data() -> None:
    body = await ask_modern(modern("no/such"))
    assert body["error"].keys() == {"code", "message"}


async def test_a_legacy_version_in_modern_meta_is_unsupported() -> None:
    message = modern("tools/list", version="2025-11-25")
    reply = await ask(message, values_of(routing(message, version="2025-11-25")))
    assert reply.error_code == UNSUPPORTED_VERSION


@pytest.mark.parametrize("token", [True, False, 1.5, [], {}])
@pytest.mark.parametrize("ask_in_era", [ask_modern, ask_legacy])
async def test_a_progress_token_must_be_a_string_or_an_integer(
    ask_in_era: Callable[..., Any], token: Any
) -> None:
    modern_call = a_call(progressToken=token)
    legacy_call = legacy("tools/call", {"name": "steps", "_meta": {"progressToken": token}})
    body = await ask_in_era(modern_call if ask_in_era is ask_modern else legacy_call)
    assert body["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize(
    "level", ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
)
async def test_every_log_level_is_taken_and_nothing_comes_of_it(level: str) -> None:
    message = a_call(**{"io.modelcontextprotocol/logLevel": level})
    heard: list[Message] = []
    reply = await mcp_protocol.answer(
        Incoming.of(message, values_of(routing(message))), a_server(), heard.append
    )
    assert reply.error_code is None
    assert heard == []


@pytest.mark.parametrize("level", ["loud", "", None, 3, ["info"], "INFO"])
async def test_an_unknown_log_level_is_refused(level: Any) -> None:
    body = await ask_modern(a_call(**{"io.modelcontextprotocol/logLevel": level}))
    assert body["error"]["code"] == INVALID_PARAMS
    message = body["error"]["message"]
    assert "expected one of debug, info, notice, warning, error, critical, alert, emergency, got " in message
    assert message.endswith("got an array" if isinstance(level, list) else f"got {json.dumps(level)}")


async def test_a_log_level_is_not_repeated_whole() -> None:
    body = await ask_modern(a_call(**{"io.modelcontextprotocol/logLevel": "x" * 5_000}))
    assert len(body["error"]["message"]) < 300


@pytest.mark.parametrize(
    "value, shown",
    [(None, "null"), (7, "a number"), (True, "a boolean"), (["a"], "an array"), ({}, "an object")],
)
async def test_a_tool_name_that_is_no_string_is_answered_with_what_it_is(value: Any, shown: str) -> None:
    body = await ask_legacy(legacy("tools/call", {"name": value}))
    assert body["error"]["code"] == INVALID_PARAMS
    assert body["error"]["message"] == f"Invalid params: tools/call needs a string name, got {shown}"


async def test_a_tool_name_that_is_missing_is_said_to_be() -> None:
    body = await ask_legacy(legacy("tools/call", {}))
    assert body["error"]["message"] == "Invalid params: tools/call needs a string name, got none"


@pytest.mark.parametrize(
    "spoiled, said",
    [
        ({"jsonrpc": "1.0"}, 'Invalid request: expected "jsonrpc": "2.0", got "1.0"'),
        ({"jsonrpc": 2.0}, 'Invalid request: expected "jsonrpc": "2.0", got 2.0'),
        ({"method": None}, 'Invalid request: expected a string "method", got null'),
        ({"id": 1.5}, 'characters or an integer as "id", got 1.5'),
        ({"id": "x" * 2_000}, 'characters or an integer as "id", got a string of 2000 characters'),
        ({"params": []}, 'Invalid params: expected "params" to be an object, got an array'),
        ({"params": {"_meta": {"progressToken": True}}}, "an integer as progressToken, got true"),
    ],
)
async def test_a_wrong_member_of_a_message_is_shown(spoiled: Message, said: str) -> None:
    body = await ask_legacy(legacy("ping") | spoiled)
    assert body["error"]["message"].endswith(said)


async def test_a_member_that_a_message_lacks_is_said_to_be_missing() -> None:
    body = await ask_legacy({"id": 1, "method": "ping"})
    assert body["error"]["message"] == 'Invalid request: expected "jsonrpc": "2.0", got none'


# What needs no answer.


@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "tools/call", "no/such", "ping"]
)
async def test_notifications_get_no_answer_whatever_their_method(method: str) -> None:
    for message, headers in ((legacy(method), {}), (modern(method), {"mcp-protocol-version": [MODERN]})):
        del message["id"]
        assert (await ask(message, headers)).body is None


async def test_a_notification_with_params_that_are_wrong_gets_no_answer() -> None:
    assert (await ask({"jsonrpc": "2.0", "method": "notifications/progress", "params": [1]})).body is None


async def test_a_notification_does_nothing() -> None:
    registry = Steps()
    message = legacy("tools/call", {"name": "steps"})
    del message["id"]
    await mcp_protocol.answer(Incoming.of(message, {}), Server("a", "1", "", registry))
    assert registry.calls == []


@pytest.mark.parametrize(
    "response",
    [
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
    ],
)
async def test_a_posted_response_gets_no_answer_on_legacy_and_an_error_on_modern(response: Message) -> None:
    assert (await ask(response)).body is None
    assert (await ask(response, {"mcp-protocol-version": [MODERN]})).error_code == INVALID_REQUEST


# The methods of each era.


@pytest.mark.parametrize(
    "method",
    [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "resources/list",
        "prompts/list",
        "subscriptions/listen",
        "tasks/list",
        "tasks/result",
        "tasks/get",
        "completion/complete",
        "unknown/method",
        "",
        "__class__",
    ],
)
async def test_modern_does_not_know_the_method(method: str) -> None:
    body = await ask_modern(modern(method))
    assert body["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize(
    "method",
    ["server/discover", "logging/setLevel", "resources/list", "prompts/list", "subscriptions/listen", ""],
)
async def test_legacy_does_not_know_the_method(method: str) -> None:
    body = await ask_legacy(legacy(method))
    assert body["error"]["code"] == METHOD_NOT_FOUND


async def test_a_long_method_is_not_repeated_whole() -> None:
    body = await ask_legacy(legacy("x" * 100_000))
    assert len(body["error"]["message"]) < 200


@pytest.mark.parametrize("version", LEGACY)
async def test_initialize_answers_the_version_it_knows(version: str) -> None:
    for headers in ({}, {"mcp-protocol-version": [version]}):
        reply = await ask(legacy("initialize", {"protocolVersion": version}), headers)
        assert isinstance(reply.body, dict)
        assert reply.body["result"] == {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "a name", "version": "1.2.3"},
            "instructions": "what it is for",
        }


@pytest.mark.parametrize("version", [MODERN, "2099-01-01", "1.0", ""])
async def test_initialize_answers_the_newest_legacy_version_to_one_it_does_not_know(version: str) -> None:
    body = await ask_legacy(legacy("initialize", {"protocolVersion": version}))
    assert body["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("params", [None, {}, {"protocolVersion": None}, {"protocolVersion": 1}])
async def test_initialize_without_a_version_has_invalid_params(params: Message | None) -> None:
    body = await ask_legacy(legacy("initialize", params))
    assert body["error"]["code"] == INVALID_PARAMS


async def test_ping_answers_an_empty_result() -> None:
    assert await ask_legacy(legacy("ping")) == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_discover_names_versions_of_both_eras_and_what_we_can() -> None:
    body = await ask_modern(modern("server/discover", request_id="server-discover-probe-1"))
    assert body == {
        "jsonrpc": "2.0",
        "id": "server-discover-probe-1",
        "result": {
            "resultType": "complete",
            "supportedVersions": [MODERN, *LEGACY],
            "capabilities": {"tools": {}},
            "instructions": "what it is for",
            "ttlMs": 60_000,
            "cacheScope": "private",
            "_meta": {META_SERVER_INFO: {"name": "a name", "version": "1.2.3"}},
        },
    }


async def test_modern_lists_carry_cache_hints_and_the_server_info() -> None:
    body = await ask_modern(modern("tools/list"))
    assert body["result"] == {
        "resultType": "complete",
        "tools": [Steps.TOOL],
        "ttlMs": 60_000,
        "cacheScope": "private",
        "_meta": {META_SERVER_INFO: {"name": "a name", "version": "1.2.3"}},
    }


async def test_modern_calls_carry_no_cache_hints_and_keep_their_own_meta() -> None:
    body = await ask_modern(a_call())
    assert body["result"] == {
        "resultType": "complete",
        "content": [{"type": "text", "text": "done"}],
        "_meta": {"ours": 1, META_SERVER_INFO: {"name": "a name", "version": "1.2.3"}},
    }


@pytest.mark.parametrize("params", [None, {}, {"_meta": {}}, {"_meta": None}, {"cursor": None}])
async def test_legacy_lists_carry_tools_and_nothing_else(params: Message | None) -> None:
    assert (await ask_legacy(legacy("tools/list", params)))["result"] == {"tools": [Steps.TOOL]}


async def test_params_that_are_null_count_as_absent_on_legacy() -> None:
    body = await ask_legacy({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None})
    assert "result" in body


async def test_legacy_calls_carry_what_the_tool_answers_and_nothing_else() -> None:
    body = await ask_legacy(legacy("tools/call", {"name": "steps"}))
    assert body["result"] == {"content": [{"type": "text", "text": "done"}], "_meta": {"ours": 1}}


@pytest.mark.parametrize("cursor", ["", "x", 0, []])
@pytest.mark.parametrize("ask_in_era", [ask_modern, ask_legacy])
async def test_every_cursor_is_unknown_since_there_is_one_page(
    ask_in_era: Callable[..., Any], cursor: Any
) -> None:
    write = modern if ask_in_era is ask_modern else legacy
    body = await ask_in_era(write("tools/list", {"cursor": cursor}))
    assert body["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("name", ["no-such", ""])
@pytest.mark.parametrize("ask_in_era", [ask_modern, ask_legacy])
async def test_an_unknown_tool_is_an_error_of_the_protocol(ask_in_era: Callable[..., Any], name: str) -> None:
    write = modern if ask_in_era is ask_modern else legacy
    body = await ask_in_era(write("tools/call", {"name": name}))
    assert body["error"] == {"code": INVALID_PARAMS, "message": f"Unknown tool: {name}"}


async def test_a_name_that_utf_8_cannot_write_is_unknown_on_legacy_and_fits_no_header_on_modern() -> None:
    body = await ask_legacy(legacy("tools/call", {"name": "\ud800"}))
    assert body["error"] == {"code": INVALID_PARAMS, "message": "Unknown tool: \ud800"}
    body = await ask_modern(modern("tools/call", {"name": "\ud800"}))
    assert body["error"]["code"] == HEADER_MISMATCH


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": None},
        {"name": 7},
        {"name": "steps", "arguments": []},
        {"name": "steps", "arguments": "{}"},
    ],
)
async def test_a_call_needs_a_name_and_arguments_in_an_object(params: Message) -> None:
    body = await ask_legacy(legacy("tools/call", params))
    assert body["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("params", [{"name": "steps"}, {"name": "steps", "arguments": None}])
async def test_a_call_may_leave_its_arguments_out(params: Message) -> None:
    registry = Steps()
    await mcp_protocol.answer(Incoming.of(legacy("tools/call", params), {}), Server("a", "1", "", registry))
    assert registry.calls == [{}]


# Names in headers.


def sentinel(data: bytes) -> str:
    return f"=?base64?{base64.b64encode(data).decode()}?="


@pytest.mark.parametrize("name", ["steps", "größe", "日本", " padded ", "=?base64?c3RlcHM=?=", "", "a\nb"])
async def test_a_name_may_come_in_the_base64_sentinel(name: str) -> None:
    message = modern("tools/call", {"name": name})
    reply = await ask(message, {**values_of(routing(message)), "mcp-name": [sentinel(name.encode())]})
    assert reply.error_code == (None if name == "steps" else INVALID_PARAMS)


@pytest.mark.parametrize(
    "value",
    [
        "=?base64?c3RlcHM?=",  # padding is missing
        "=?base64?c3RlcHN=?=",  # the same bytes for a careless reader, in another spelling
        "=?base64?c3RlcHM==?=",
        "=?base64?c3Rl cHM=?=",
        "=?base64?c3RlcHM=c3RlcHM=?=",
        "=?base64?_w==?=",
        "=?base64?/w==?=",  # the byte FF, which is no UTF-8
        "=?base64?é?=",
        "=?base64??=",
    ],
)
async def test_a_sentinel_that_is_not_canonical_is_a_mismatch(value: str) -> None:
    message = a_call()
    reply = await ask(message, {**values_of(routing(message)), "mcp-name": [value]})
    assert reply.error_code == HEADER_MISMATCH


@pytest.mark.parametrize(
    "name", ["=?base64?", "=?base64?=", "?=", "=?BASE64?c3RlcHM=?=", "=?base64?c3RlcHM="]
)
async def test_what_lacks_half_of_the_sentinel_is_meant_literally(name: str) -> None:
    message = modern("tools/call", {"name": name})
    reply = await ask(message, values_of(routing(message)))
    assert reply.error_code == INVALID_PARAMS  # an unknown tool, not a mismatch


# Progress.


async def heard_of(
    report: list[int], meta: Message, headers: Mapping[str, list[str]] | None = None
) -> list[Message]:
    """Call the tool, and return the notifications."""
    heard: list[Message] = []
    message = legacy("tools/call", {"name": "steps", "arguments": {"report": report}, "_meta": meta})
    reply = await mcp_protocol.answer(Incoming.of(message, headers or {}), a_server(), heard.append)
    assert reply.error_code is None
    return heard


@pytest.mark.parametrize("token", [0, 7, "", "t"])
async def test_progress_carries_the_token_as_it_came(token: str | int) -> None:
    (heard,) = await heard_of([3], {"progressToken": token})
    assert heard == {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": token, "progress": 3, "total": 9, "message": "3 of 9"},
    }


@given(st.lists(st.integers(min_value=-2, max_value=9), max_size=20))
def test_progress_increases_strictly_whatever_a_tool_reports(report: list[int]) -> None:
    heard = asyncio.run(heard_of(report, {"progressToken": 1}))
    told = [notification["params"]["progress"] for notification in heard]
    assert told == sorted(set(told))
    assert told[:1] == report[:1]
    assert told[-1:] == ([max(report)] if report else [])


@pytest.mark.parametrize("meta", [{}, {"progressToken": None}])
async def test_without_a_token_there_is_no_progress(meta: Message) -> None:
    assert await heard_of([1, 2], meta) == []


async def test_modern_calls_hear_progress_too() -> None:
    meta = {META_VERSION: MODERN, META_CAPABILITIES: {}, "progressToken": "t"}
    headers = {"mcp-protocol-version": [MODERN], "mcp-method": ["tools/call"], "mcp-name": ["steps"]}
    assert len(await heard_of([1, 2], meta, headers)) == 2


# What is declared, and what is served.


class Shelf:
    """Resources, prompts and completions, a few of each."""

    async def resources(self) -> list[Message]:
        return [{"name": "thing"}]

    async def prompts(self) -> list[Message]:
        return [{"name": "thing"}]

    async def templates(self) -> list[Message]:
        return [{"name": "things", "uriTemplate": "test://{id}"}]

    async def read(self, uri: str, context: Context) -> list[Message]:
        if uri == "test://ask":
            await context.ask({"who": {"method": "elicitation/create"}}, "s")
        if uri != "test://thing":
            raise Unknown(f"Resource not found: {uri[:100]}")
        return [{"uri": uri, "text": "a thing"}]

    async def get(self, name: str, arguments: Mapping[str, str], context: Context) -> Message:
        if name == "ask":
            await context.ask({"who": {"method": "elicitation/create"}})
        if name != "thing":
            raise Unknown(f"Unknown prompt: {name}")
        return {"messages": [], "description": json.dumps(dict(arguments)), "_meta": {"ours": 1}}

    async def complete(
        self, ref: Message, argument: Message, known: Message, context: Context
    ) -> Completions:
        if ref.get("name") != "thing":
            raise Unknown("Unknown prompt")
        return Completions([f"{argument['value']}{number}" for number in range(int(argument["name"]))])


def a_full_server(**parts: Any) -> Server:
    """Put a server together of everything there is, but for what a test says."""
    hub, shelf = Hub(), Shelf()
    everything: dict[str, Any] = {
        "resources": shelf,
        "prompts": shelf,
        "completions": shelf,
        "tasks": TaskStore(4, 60, hub),
        "hub": hub,
        "announces": frozenset(LISTENABLE),
        "logging": True,
        "legacy_subscriptions": True,
    }
    return Server("a name", "1.2.3", "what it is for", Steps(), **{**everything, **parts})


LISTENABLE = ("toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions")

# Parameters with which each method finds what it is about.
PARAMS: dict[str, Message] = {
    "tools/call": {"name": "steps"},
    "resources/read": {"uri": "test://thing"},
    "resources/subscribe": {"uri": "test://thing"},
    "resources/unsubscribe": {"uri": "test://thing"},
    "prompts/get": {"name": "thing"},
    "completion/complete": {"ref": {"name": "thing"}, "argument": {"name": "3", "value": "x"}},
    "logging/setLevel": {"level": "info"},
    "initialize": {"protocolVersion": "2025-11-25"},
    "tasks/get": {"taskId": "x"},
    "tasks/update": {"taskId": "x"},
    "tasks/cancel": {"taskId": "x"},
}
EVERY_METHOD = sorted({method for methods in METHODS.values() for method in methods})
OF_THE_OTHER_ERA = {
    MODERN: {"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"},
    **{
        version: {"server/discover", "subscriptions/listen", "tasks/get", "tasks/update", "tasks/cancel"}
        for version in LEGACY
    },
}
RESOURCE_METHODS = {"resources/list", "resources/templates/list", "resources/read"}
SUBSCRIBE = {"resources/subscribe", "resources/unsubscribe"}
TASK_METHODS = {"tasks/get", "tasks/update", "tasks/cancel"}


async def ask_server(
    server: Server, version: str, method: str, params: Message | None = None, **meta: Any
) -> Message:
    """Ask with a revision; return the body of the reply."""
    params = PARAMS.get(method, {}) if params is None else params
    message = modern(method, params, **meta) if version == MODERN else legacy(method, params)
    headers = {"mcp-protocol-version": [version], "mcp-method": [method]}
    name = params.get("name", params.get("uri", params.get("taskId")))
    reply = await mcp_protocol.answer(Incoming.of(message, {**headers, "mcp-name": [str(name)]}), server)
    assert isinstance(reply.body, dict)
    return reply.body


def served_by(capabilities: Message, version: str) -> set[str]:
    """Return the methods that capabilities promise in a revision."""
    served = {"tools/list", "tools/call"}
    if "resources" in capabilities:
        served |= RESOURCE_METHODS
    if version != MODERN and capabilities.get("resources", {}).get("subscribe"):
        served |= SUBSCRIBE
    if "prompts" in capabilities:
        served |= {"prompts/list", "prompts/get"}
    if "completions" in capabilities:
        served |= {"completion/complete"}
    if version == MODERN:
        tasks = "io.modelcontextprotocol/tasks" in capabilities.get("extensions", {})
        return served | {"server/discover"} | (TASK_METHODS if tasks else set())
    return served | {"initialize", "ping"} | ({"logging/setLevel"} if "logging" in capabilities else set())


def changes_in(capabilities: Message) -> set[str]:
    """Return what of a subscription capabilities promise to deliver."""
    changes = {
        f"{part}ListChanged"
        for part in ("tools", "prompts", "resources")
        if capabilities.get(part, {}).get("listChanged")
    }
    return changes | (
        {"resourceSubscriptions"} if capabilities.get("resources", {}).get("subscribe") else set()
    )


present = st.fixed_dictionaries(
    {part: st.booleans() for part in ("resources", "prompts", "completions", "tasks", "hub")}
)
flags = st.fixed_dictionaries(
    {
        "announces": st.frozensets(st.sampled_from(LISTENABLE)),
        "logging": st.booleans(),
        "legacy_subscriptions": st.booleans(),
    }
)


@given(present, flags)
def test_what_is_declared_is_served_and_nothing_else_in_every_revision(
    present: dict[str, bool], flags: dict[str, Any]
) -> None:
    server = a_full_server(**{part: None for part, there in present.items() if not there}, **flags)

    async def look(version: str) -> tuple[Message, set[str]]:
        hello = await ask_server(server, version, "server/discover" if version == MODERN else "initialize")
        answers = {method: await ask_server(server, version, method) for method in EVERY_METHOD}
        codes = {method: answer.get("error", {}).get("code") for method, answer in answers.items()}
        return hello["result"]["capabilities"], {
            method for method, code in codes.items() if code != METHOD_NOT_FOUND
        }

    for version in (MODERN, *LEGACY):
        capabilities, served = asyncio.run(look(version))
        # Streams are part of the core, so nothing declares them; without a hub there are none to promise.
        streams = {"subscriptions/listen"} if present["hub"] and version == MODERN else set()
        assert served == served_by(capabilities, version) | streams
        assert not served & OF_THE_OTHER_ERA[version]
        assert {part for part in ("resources", "prompts", "completions") if part in capabilities} == {
            part for part in ("resources", "prompts", "completions") if present[part]
        }
        assert ("logging" in capabilities) == flags["logging"]
        assert ("extensions" in capabilities) == (present["tasks"] and version == MODERN)
        if version == MODERN:
            promised = {
                change
                for change in flags["announces"]
                if present["hub"] and present.get(mcp_methods._ANNOUNCED_BY[change], True)
            }
            assert changes_in(capabilities) == promised == server.delivers
        else:
            assert changes_in(capabilities) == (
                {"resourceSubscriptions"} if present["resources"] and flags["legacy_subscriptions"] else set()
            )


@pytest.mark.parametrize("version", [MODERN, *LEGACY])
async def test_a_full_server_answers_every_method_of_a_revision(version: str) -> None:
    declared: Message = {META_CAPABILITIES: {"extensions": {"io.modelcontextprotocol/tasks": {}}}}
    for method in METHODS[version].keys() - TASK_METHODS - {"subscriptions/listen"}:
        assert "result" in await ask_server(a_full_server(), version, method, **declared), method


async def test_a_part_that_is_missing_is_a_fault_where_the_table_does_not_say_so() -> None:
    with pytest.raises(LookupError):
        await mcp_methods.list_prompts(RpcRequest(1, "prompts/list", {}, Era.MODERN), a_server(), None)


# Resources, prompts and completions.


@pytest.mark.parametrize("version", [MODERN, *LEGACY])
@pytest.mark.parametrize(
    "method, expected",
    [
        ("resources/list", {"resources": [{"name": "thing"}]}),
        (
            "resources/templates/list",
            {"resourceTemplates": [{"name": "things", "uriTemplate": "test://{id}"}]},
        ),
        ("resources/read", {"contents": [{"uri": "test://thing", "text": "a thing"}]}),
        ("prompts/list", {"prompts": [{"name": "thing"}]}),
        ("prompts/get", {"messages": [], "description": "{}"}),
        ("completion/complete", {"completion": {"values": ["x0", "x1", "x2"], "total": 3, "hasMore": False}}),
    ],
)
async def test_what_is_there_is_shown(version: str, method: str, expected: Message) -> None:
    result = (await ask_server(a_full_server(), version, method))["result"]
    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize("version, code", [(MODERN, INVALID_PARAMS), *((v, -32002) for v in LEGACY)])
async def test_a_resource_that_is_not_there_has_a_code_of_its_own_on_legacy_alone(
    version: str, code: int
) -> None:
    uri = "test://none/" + "x" * 200
    body = await ask_server(a_full_server(), version, "resources/read", {"uri": uri})
    assert body["error"] == {
        "code": code,
        "message": f"Resource not found: {uri[:100]}",
        "data": {"uri": uri},
    }


@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
@pytest.mark.parametrize(
    "method, params, said",
    [
        ("resources/read", {}, "resources/read needs a string uri, got none"),
        ("resources/read", {"uri": 7}, "resources/read needs a string uri, got a number"),
        ("resources/list", {"cursor": "x"}, "unknown cursor; the list has one page"),
        ("resources/templates/list", {"cursor": ""}, "unknown cursor; the list has one page"),
        ("prompts/list", {"cursor": 0}, "unknown cursor; the list has one page"),
        ("prompts/get", {}, "prompts/get needs a string name, got none"),
        (
            "prompts/get",
            {"name": "thing", "arguments": []},
            "expected arguments to be an object, got an array",
        ),
        ("prompts/get", {"name": "thing", "arguments": {"a": 1}}, "a: expected a string, got a number"),
        (
            "prompts/get",
            {"name": "thing", "arguments": {"a": "", "b": None}},
            "b: expected a string, got null",
        ),
        ("completion/complete", {"ref": [], "argument": {}}, "expected ref to be an object, got an array"),
        (
            "completion/complete",
            {"ref": {}, "argument": "x"},
            "expected argument to be an object, got a string",
        ),
        ("completion/complete", {"ref": {}}, "argument needs a string name and a string value"),
        (
            "completion/complete",
            {"ref": {}, "argument": {"name": "x", "value": 1}},
            "argument needs a string name and a string value",
        ),
    ],
)
async def test_parameters_that_do_not_fit_are_said_to(
    version: str, method: str, params: Message, said: str
) -> None:
    body = await ask_server(a_full_server(), version, method, params)
    assert body["error"] == {"code": INVALID_PARAMS, "message": f"Invalid params: {said}"}


@pytest.mark.parametrize("version", [MODERN, LEGACY[0]])
@pytest.mark.parametrize(
    "method, params",
    [
        ("prompts/get", {"name": "none"}),
        ("completion/complete", {"ref": {"name": "none"}, "argument": {"name": "1", "value": ""}}),
    ],
)
async def test_an_unknown_prompt_has_invalid_params(version: str, method: str, params: Message) -> None:
    body = await ask_server(a_full_server(), version, method, params)
    assert body["error"]["code"] == INVALID_PARAMS
    assert body["error"]["message"].startswith("Unknown prompt")


async def test_a_prompt_gets_its_arguments() -> None:
    params = {"name": "thing", "arguments": {"a": "1", "b": ""}}
    result = (await ask_server(a_full_server(), MODERN, "prompts/get", params))["result"]
    assert json.loads(result["description"]) == {"a": "1", "b": ""}


@pytest.mark.parametrize("found, shown, more", [(0, 0, False), (100, 100, False), (101, 100, True)])
async def test_at_most_a_hundred_completions_are_shown(found: int, shown: int, more: bool) -> None:
    params = {"ref": {"name": "thing"}, "argument": {"name": str(found), "value": "x"}}
    completion = (await ask_server(a_full_server(), MODERN, "completion/complete", params))["result"][
        "completion"
    ]
    assert len(completion["values"]) == shown
    assert (completion["total"], completion["hasMore"]) == (found, more)


@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe"])
async def test_a_legacy_subscription_is_acknowledged_and_needs_a_uri(method: str) -> None:
    assert (await ask_server(a_full_server(), LEGACY[0], method))["result"] == {}
    assert (await ask_server(a_full_server(), LEGACY[0], method, {}))["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize(
    "level", ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
)
async def test_a_legacy_log_level_is_taken(level: str) -> None:
    assert (await ask_server(a_full_server(), LEGACY[0], "logging/setLevel", {"level": level}))[
        "result"
    ] == {}


@pytest.mark.parametrize("level", ["loud", "", "INFO", None, 3, "x" * 5_000])
async def test_a_legacy_log_level_that_mcp_does_not_have_is_refused(level: Any) -> None:
    body = await ask_server(a_full_server(), LEGACY[0], "logging/setLevel", {"level": level})
    assert body["error"]["code"] == INVALID_PARAMS
    assert len(body["error"]["message"]) < 300


# What results carry.

CACHEABLE = {
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
}


@pytest.mark.parametrize("method", sorted(METHODS[MODERN].keys() - {"subscriptions/listen"} - TASK_METHODS))
async def test_modern_results_say_how_long_they_may_be_kept_where_they_may(method: str) -> None:
    result = (await ask_server(a_full_server(), MODERN, method))["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"][META_SERVER_INFO] == {"name": "a name", "version": "1.2.3"}
    hints = {name: result[name] for name in ("ttlMs", "cacheScope") if name in result}
    assert hints == ({"ttlMs": 60_000, "cacheScope": "private"} if method in CACHEABLE else {})


@pytest.mark.parametrize("version", LEGACY)
async def test_legacy_results_carry_nothing_of_that(version: str) -> None:
    for method in METHODS[version]:
        result = (await ask_server(a_full_server(), version, method))["result"]
        assert not result.keys() & {"resultType", "ttlMs", "cacheScope"}
        assert META_SERVER_INFO not in result.get("_meta", {})


@pytest.mark.parametrize(
    "method, params",
    [("resources/read", {"uri": "test://ask"}), ("prompts/get", {"name": "ask"})],
)
async def test_a_question_is_never_kept(method: str, params: Message) -> None:
    declared: Message = {META_CAPABILITIES: {"elicitation": {}}}
    result = (await ask_server(a_full_server(), MODERN, method, params, **declared))["result"]
    assert result["resultType"] == "input_required"
    assert result["inputRequests"] == {"who": {"method": "elicitation/create"}}
    assert result["_meta"] == {META_SERVER_INFO: {"name": "a name", "version": "1.2.3"}}
    assert result.keys() <= {"resultType", "inputRequests", "requestState", "_meta"}


async def test_what_a_handler_says_itself_is_not_written_over() -> None:
    async def list_prompts(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
        return {"prompts": [], "ttlMs": 0, "cacheScope": "public", "resultType": "odd", "_meta": {"ours": 1}}

    method = Method(list_prompts, cacheable=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(METHODS[MODERN], "prompts/list", method)
        result = (await ask_server(a_full_server(), MODERN, "prompts/list"))["result"]
    assert (result["ttlMs"], result["cacheScope"], result["resultType"]) == (0, "public", "odd")
    assert result["_meta"].keys() == {"ours", META_SERVER_INFO}


# Batches.

BATCHES = [{}, {"mcp-protocol-version": ["2025-03-26"]}, {"mcp-protocol-version": ["2024-11-05"]}]


async def ask_batch(batch: list[Any], headers: Mapping[str, list[str]] | None = None, **server: Any) -> Any:
    reply = await mcp_protocol.answer(Incoming.of(batch, headers or {}), a_full_server(**server))
    assert reply.error_code is None or isinstance(reply.body, dict)
    return reply.body


@pytest.mark.parametrize("headers", BATCHES)
async def test_a_batch_is_answered_message_by_message_in_its_order(headers: dict[str, list[str]]) -> None:
    bodies = await ask_batch(
        [legacy("ping", request_id="a"), legacy("tools/list", request_id=2), legacy("no/such", request_id=3)],
        headers,
    )
    assert [body["id"] for body in bodies] == ["a", 2, 3]
    assert bodies[0]["result"] == {}
    assert bodies[1]["result"] == {"tools": [Steps.TOOL]}
    assert bodies[2]["error"]["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_later_legacy_revisions_have_no_batches(version: str) -> None:
    for batch in ([], [legacy("ping")], [legacy("initialize")]):
        body = await ask_batch(batch, {"mcp-protocol-version": [version]})
        assert body["error"]["code"] == INVALID_REQUEST
        assert (
            body["error"]["message"] == f"Invalid request: revision {version} has no batches; send one object"
        )
        assert body["id"] is None


async def test_the_modern_era_has_no_batches() -> None:
    body = await ask_batch([legacy("ping")], {"mcp-protocol-version": [MODERN]})
    assert body["error"]["code"] == INVALID_REQUEST
    assert "expected one JSON-RPC object, got an array" in body["error"]["message"]


@pytest.mark.parametrize("size", [0, 4])
async def test_a_batch_has_one_message_to_as_many_as_are_allowed(size: int) -> None:
    body = await ask_batch([legacy("ping")] * size, max_batch=3)
    assert body["error"] == {
        "code": INVALID_REQUEST,
        "message": f"Invalid request: expected a batch of 1 to 3 (MAX_BATCH_SIZE), got {size}",
    }
    assert body["id"] is None


async def test_a_batch_of_as_many_as_are_allowed_is_answered() -> None:
    assert len(await ask_batch([legacy("ping")] * 3, max_batch=3)) == 3


@pytest.mark.parametrize(
    "message, said",
    [
        (legacy("initialize", {"protocolVersion": "2025-03-26"}), "initialize must not be part of a batch"),
        ({"jsonrpc": "2.0", "method": "initialize"}, "initialize must not be part of a batch"),
        (modern("tools/list"), "revision 2026-07-28 has no batches"),
    ],
)
async def test_what_must_not_be_in_a_batch_spoils_all_of_it(message: Message, said: str) -> None:
    for batch in ([message], [legacy("ping"), message], [message, legacy("ping")]):
        body = await ask_batch(batch)
        assert body["error"] == {"code": INVALID_REQUEST, "message": f"Invalid request: {said}"}
        assert body["id"] is None


@pytest.mark.parametrize(
    "batch",
    [
        [{"jsonrpc": "2.0", "method": "notifications/initialized"}],
        [{"jsonrpc": "2.0", "method": "ping"}, {"jsonrpc": "2.0", "id": 1, "result": {}}],
    ],
)
async def test_a_batch_that_asks_for_nothing_gets_nothing(batch: list[Message]) -> None:
    assert await ask_batch(batch) is None


@pytest.mark.parametrize("broken", [7, "x", None, True, [], [legacy("ping")], {}, {"jsonrpc": "1.0"}])
async def test_what_is_broken_in_a_batch_is_answered_by_itself(broken: Any) -> None:
    bodies = await ask_batch([broken, legacy("ping", request_id=9), broken])
    assert [body.get("id") for body in bodies] == [None, 9, None]
    assert [body.get("error", {}).get("code") for body in bodies] == [INVALID_REQUEST, None, INVALID_REQUEST]


async def test_the_calls_of_a_batch_are_made_one_after_the_other_and_report_each_for_itself() -> None:
    heard: list[Message] = []
    batch = [
        legacy(
            "tools/call", {"name": "steps", "arguments": {"report": [1, 2]}, "_meta": {"progressToken": n}}
        )
        for n in ("a", "b")
    ]
    reply = await mcp_protocol.answer(Incoming.of(batch, {}), a_server(), heard.append)
    assert isinstance(reply.body, list)
    told = [(frame["params"]["progressToken"], frame["params"]["progress"]) for frame in heard]
    assert told == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


# How long a message may take.


@pytest.mark.parametrize(
    "message, duration",
    [
        *[(write("tools/call"), Duration.LONG) for write in (modern, legacy)],
        *[(write("resources/read"), Duration.LONG) for write in (modern, legacy)],
        *[(write("prompts/get"), Duration.LONG) for write in (modern, legacy)],
        *[(write("completion/complete"), Duration.LONG) for write in (modern, legacy)],
        *[(write("tools/list"), Duration.SHORT) for write in (modern, legacy)],
        (modern("server/discover"), Duration.SHORT),
        (modern("tasks/get"), Duration.SHORT),
        (modern("subscriptions/listen"), Duration.OPEN_ENDED),
        (legacy("subscriptions/listen"), Duration.SHORT),
        (legacy("initialize"), Duration.SHORT),
        (modern("initialize"), Duration.SHORT),
        (modern("no/such"), Duration.SHORT),
        ({"jsonrpc": "2.0", "id": 1, "method": ["tools/call"]}, Duration.SHORT),
        ({"jsonrpc": "2.0", "method": "tools/call"}, Duration.SHORT),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, Duration.SHORT),
        ({}, Duration.SHORT),
        ([legacy("ping")], Duration.LONG),
        ([{"jsonrpc": "2.0", "method": "notifications/initialized"}, 7], Duration.SHORT),
        ([], Duration.SHORT),
        ("x", Duration.SHORT),
        (None, Duration.SHORT),
    ],
)
def test_a_transport_is_told_how_long_a_message_may_take(message: Any, duration: Duration) -> None:
    assert Incoming.of(message, {}).duration is duration


@pytest.mark.parametrize("version", [MODERN, "2099-01-01", *LEGACY])
def test_the_duration_is_that_of_the_revision_that_the_header_names(version: str) -> None:
    headers = {"mcp-protocol-version": [version]}
    stream = Duration.SHORT if version in LEGACY else Duration.OPEN_ENDED
    assert Incoming.of(legacy("subscriptions/listen"), headers).duration is stream
    assert Incoming.of(legacy("tools/call"), headers).duration is Duration.LONG


# Whatever comes.

texts = st.text(st.characters(), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
versions = st.sampled_from([MODERN, *LEGACY, "x", ""])
metas = st.fixed_dictionaries(
    {},
    optional={
        META_VERSION: versions | values,
        META_CAPABILITIES: st.just({}) | values,
        "progressToken": values,
        "io.modelcontextprotocol/logLevel": st.just("info") | values,
    },
)
all_params = st.fixed_dictionaries(
    {},
    optional={
        "_meta": metas | values,
        "name": st.sampled_from(["steps", "x"]) | values,
        "arguments": st.just({"report": [1, 1, 2]}) | st.just({}) | st.none() | st.lists(values, max_size=1),
        "cursor": values,
        "protocolVersion": versions | values,
    },
)
methods = st.sampled_from(
    ["tools/call", "tools/list", "server/discover", "initialize", "ping", "notifications/x"]
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": st.integers() | texts | values,
        "method": methods | values,
        "params": all_params | values,
        "result": values,
        "error": values,
    },
)
all_headers = st.dictionaries(
    st.sampled_from(["mcp-protocol-version", "mcp-method", "mcp-name"]),
    st.lists(versions | methods | st.just("steps") | texts | st.just("=?base64?c3RlcHM=?="), max_size=2),
)


def assert_valid_reply(body: Message, message: Any) -> None:
    assert body["jsonrpc"] == "2.0"
    assert body.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
    if body["id"] is not None:
        assert body["id"] == message["id"]
        assert type(body["id"]) in (int, str)
    if "error" in body:
        assert type(body["error"]["code"]) is int
        assert type(body["error"]["message"]) is str
        assert body["error"].keys() <= {"code", "message", "data"}
    else:
        assert body["id"] is not None
        assert isinstance(body["result"], dict)


def asks_for_an_answer(message: Any) -> bool:
    """Whether there must be a reply: to what is broken, too, but not to notifications and to responses."""
    return (
        not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or {"id", "method"} <= message.keys()
    )


def assert_valid_batch(bodies: list[Message], batch: Any) -> None:
    """Check that a batch has its replies, in its order, and that each is the one to its message."""
    waiting = iter(batch)
    for body in bodies:
        assert_valid_reply(body, next(item for item in waiting if is_reply_to(body, item)))
    assert sum(map(asks_for_an_answer, batch)) <= len(bodies) <= len(batch)


def is_reply_to(body: Message, message: Any) -> bool:
    given = message.get("id") if isinstance(message, dict) else None
    return body["id"] is None or (body["id"] == given and type(body["id"]) is type(given))


batches = st.lists(messages | values, max_size=5)


@given(messages | values, all_headers)
def test_whatever_comes_it_has_a_duration(message: Any, headers: dict[str, list[str]]) -> None:
    assert Incoming.of(message, headers).duration in Duration


@given(messages | values | batches, all_headers)
def test_whatever_comes_the_reply_is_json_rpc(message: Any, headers: dict[str, list[str]]) -> None:
    before = deepcopy(message)
    reply = asyncio.run(ask(message, headers))
    assert message == before
    json.dumps(reply.body)
    if isinstance(reply.body, list):
        assert_valid_batch(reply.body, message)
    elif reply.body is not None:
        assert_valid_reply(reply.body, message)
    else:
        assert all(
            not asks_for_an_answer(item) for item in (message if isinstance(message, list) else [message])
        )
