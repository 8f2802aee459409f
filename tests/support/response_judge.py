"""What the service may answer to anything at all: an HTTP reader that insists on form, and the judge of what it has read.

The rules are those of JSON-RPC 2.0 and of MCP for both eras, written here once more: nothing is taken from the service.
A judgement is an AssertionError that says what is wrong.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.fuzzing.inputs import UNKNOWN, UNREADABLE, Input
from tests.support.messages import LEGACY, META_SERVER_INFO, META_VERSION, MODERN, Message
from tests.support.service import ROOT

STREAM = "text/event-stream"
JSON = "application/json"
PLAIN = "text/plain"

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"


@dataclass(frozen=True)
class Answer:
    """One response; of a stream that stays open, what came until its acknowledgement."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    head: bytes
    open: bool = False

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0]

    @property
    def keeps(self) -> bool:
        """Whether the connection can be used again."""
        closes = self.headers.get("connection", "").lower() == "close" or self.head.startswith(b"HTTP/1.0")
        return not self.open and not closes


# --- Reading ---------------------------------------------------------------------------------------------------

# RFC 9112: nothing else may stand in a head; a header that came in must not break out of its line.
HEAD = re.compile(
    rb"HTTP/\d\.\d (\d{3}) [ -~]*\r\n((?:[!#-'*+.^_`|~\w-]+: ?[^\x00-\x1f\x7f]*\r\n)*)\r\n", re.ASCII
)


async def read_answer(reader: asyncio.StreamReader, method: str) -> Answer:
    """Read the next final response. Raises IncompleteReadError where there is none."""
    while True:
        head = await reader.readuntil(b"\r\n\r\n")
        found = HEAD.fullmatch(head)
        assert found, f"no head of HTTP: {head!r}"
        status = int(found[1])
        if status >= 200 or status == 101:
            break
    lines = found[2].decode("latin-1").split("\r\n")[:-1]
    fields = [line.partition(":") for line in lines]
    headers = {name.lower(): value.strip() for name, _, value in fields}
    assert len(headers) == len(fields), f"a header twice: {head!r}"
    if method == "HEAD" or status in (101, 202, 204, 304):
        assert headers.get("content-length", "0") == "0" or method == "HEAD", head
        return Answer(status, headers, b"", head)
    if headers.get("transfer-encoding") == "chunked":
        body, is_open = await _read_chunks(reader)
        return Answer(status, headers, body, head, is_open)
    if "content-length" not in headers:
        return Answer(status, headers, await reader.read(), head)
    return Answer(status, headers, await reader.readexactly(int(headers["content-length"])), head)


async def _read_chunks(reader: asyncio.StreamReader) -> tuple[bytes, bool]:
    """Return a body up to its end or, of a stream that listens, up to its first event."""
    body = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        body += (await reader.readexactly(size + 2))[:-2]
        if ACKNOWLEDGED.encode() in body and body.endswith(b"\n\n"):
            return body, True
    assert await reader.readexactly(2) == b"\r\n"
    return body, False


# --- Nothing of ours -------------------------------------------------------------------------------------------

MAX_ID_CHARS = 1024

# What an inside looks like, none of which any input has.
INSIDES = re.compile(
    rb'Traceback|File "|\.py\b|site-packages|set_int_max_str_digits|aiohttp|asyncio|<class|object at 0x'
    rb"|[A-Z][A-Za-z]+(?:Error|Exception)\b|" + re.escape(str(ROOT).encode())
)


def check_tells_nothing(answer: Answer, sent: Input, secrets: tuple[str, ...]) -> None:
    # Server is the library's own, and the same for everybody.
    shown = b"\n".join(
        (*(v.encode("latin-1") for n, v in answer.headers.items() if n != "server"), answer.body)
    )
    inside = INSIDES.search(shown)
    assert not inside or inside[0] in sent.wire, f"tells of its inside: {inside}"
    for secret in secrets:
        assert secret.encode() not in shown, "tells a secret"


# --- What was asked --------------------------------------------------------------------------------------------


def versions_of(sent: Input) -> list[bytes]:
    return [value.strip(b" \t") for name, value in sent.headers if name.lower() == b"mcp-protocol-version"]


def is_modern(sent: Input) -> bool:
    """Whether an input speaks 2026-07-28: its body says so or its header names a version that no handshake knows."""
    message = sent.message if isinstance(sent.message, dict) else {}
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if isinstance(meta, dict) and META_VERSION in meta:
        return True
    return any(version not in HANDSHAKES for version in versions_of(sent))


HANDSHAKES = [version.encode() for version in LEGACY]


def names_no_version(sent: Input) -> bool:
    """Whether the header names one that nobody serves, or two. MCP: 400 then, even to a notification."""
    versions = versions_of(sent)
    return len(versions) > 1 or any(version not in (*HANDSHAKES, MODERN.encode()) for version in versions)


def is_id(value: Any) -> bool:
    """Whether a value counts as an id: what is too long to be repeated in every event does not."""
    if isinstance(value, str):
        return len(value) <= MAX_ID_CHARS
    return isinstance(value, int) and not isinstance(value, bool)


def id_of(message: Any) -> Any:
    """Return a message's id as an array of one, or of none where it has none that counts."""
    value = message.get("id") if isinstance(message, dict) else None
    return [value] if is_id(value) else []


def needs_answer(message: Any, sent: Input, *, modern: bool) -> bool:
    """Whether a message is to be answered; what is no message at all is, with an error."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return True
    if not modern and "method" not in message and ("result" in message or "error" in message):
        return False
    return not isinstance(message.get("method"), str) or "id" in message or names_no_version(sent)


# --- Answers ---------------------------------------------------------------------------------------------------

REFUSALS = (401, 403, 405, 406, 408, 413, 415, 421)
HEALTH = {"status", "service", "version", "backend", "model"}

MODERN_STATUS = {-32601: 404}
LEGACY_STATUS = {-32700: 400, -32600: 400}
# MCP: each era has codes that the other must not see. -32603 is a fault of the service: none is expected, in either.
MODERN_CODES = (-32700, -32600, -32601, -32602, -32020, -32021, -32022)
LEGACY_CODES = (-32700, -32600, -32601, -32602, -32002)


def _was_read_late(answer: Answer) -> bool:
    """Whether a machine was too busy to read a body within BODY_TIMEOUT_SECONDS, and the caller is told to come again (docs/protocol.md, "Slow bodies")."""
    is_told = b"BODY_TIMEOUT_SECONDS" in answer.body and b"too busy to read" in answer.body
    return answer.status == 503 and is_told and b"retry-after" in answer.head.lower()


def judge(sent: Input, answer: Answer, secrets: tuple[str, ...] = ()) -> None:
    """Raise AssertionError where an answer must not be."""
    assert answer.status < 500 or _was_read_late(answer), f"status {answer.status}"
    check_tells_nothing(answer, sent, secrets)
    if is_front_page(sent, answer) or _was_read_late(answer):
        return
    if sent.method == "HEAD" and sent.framed:
        assert 400 <= answer.status < 500
    elif answer.status == 204:
        assert b"OPTIONS" in sent.wire, "204 is for preflights"
        assert answer.headers["access-control-allow-methods"] == "POST"
    elif answer.status == 202:
        _judge_silence(sent)
    elif answer.content_type == STREAM:
        _judge_stream(sent, answer)
    elif answer.content_type == JSON:
        _judge_json(sent, answer)
    else:
        assert 400 <= answer.status < 500, f"{answer.status} without JSON"
        assert answer.content_type == PLAIN, f"{answer.content_type}"


def is_front_page(sent: Input, answer: Answer) -> bool:
    """Whether this is GET /, which needs no key and is the only page."""
    line = sent.wire.partition(b"\n")[0]
    asked = answer.status == 200 and re.match(rb"(?:GET|HEAD) /(?:[?#]\S*)? ", line)
    return bool(asked) and answer.content_type in (PLAIN, "text/html")


def judge_without_key(sent: Input, answer: Answer, secrets: tuple[str, ...]) -> None:
    """Raise AssertionError where an answer tells more than that a key is needed: what was sent is never read."""
    judge(sent, answer, secrets)
    if is_front_page(sent, answer):
        return
    assert answer.status in (400, 401, 403, 404, 405, 421) or (answer.status, sent.method) == (
        204,
        "OPTIONS",
    ), f"status {answer.status} without a key"
    if answer.content_type == JSON and sent.method != "HEAD":
        assert json.loads(answer.body)["error"]["code"] == -32600
        assert answer.status in (
            400,
            401,
            403,
            421,
        )  # 400: what is no HTTP is answered before anybody asks for a key


def _judge_silence(sent: Input) -> None:
    message = sent.message
    assert message is not UNREADABLE, "took for a notification what is no JSON"
    if message is UNKNOWN:
        return
    messages = message if isinstance(message, list) and message else [message]
    asked = [each for each in messages if needs_answer(each, sent, modern=is_modern(sent))]
    assert not asked, f"no answer to {asked}"


# At a path where nothing is no message is read.
NOTHING_HERE = "Not Found: MCP is served at "


def _judge_json(sent: Input, answer: Answer) -> None:
    body = json.loads(answer.body)
    if answer.status == 200 and isinstance(body, dict) and body.keys() == HEALTH:
        assert sent.message is UNKNOWN, "health on the MCP endpoint"
        return
    if isinstance(body, list):
        _judge_batch(sent, answer.status, body)
        return
    check_envelope(body)
    error = body.get("error")
    refused = error is not None and (
        answer.status in REFUSALS or error["message"].startswith(("Bad Request: ", NOTHING_HERE))
    )
    if refused:
        assert error["code"] == -32600
        assert body["id"] is None
        return
    _judge_id(sent, body)
    _judge_era(sent, answer.status, body)


def _judge_batch(sent: Input, status: int, body: list[Any]) -> None:
    assert status == 200
    for each in body:
        check_envelope(each)
        assert each.get("error", {}).get("code") in (None, *LEGACY_CODES), each
        if "result" in each:
            check_legacy_result(each["result"])
    if sent.message is UNKNOWN:
        return
    assert isinstance(sent.message, list), "a batch for an answer"
    asked = [each for each in sent.message if needs_answer(each, sent, modern=False)]
    # JSON text keeps 1, 1.0 and true apart, which Python's == does not.
    assert [_text(id_of(each)) for each in body] == [_text(id_of(each)) for each in asked]


def _text(value: Any) -> str:
    return json.dumps(value)


def check_envelope(body: Any) -> None:
    """Hold a response against JSON-RPC 2.0 as strict clients read it: no member more or less; `id` is null only in an error."""
    assert isinstance(body, dict), f"expected an object: {body!r}"
    assert body.get("jsonrpc") == "2.0"
    assert body.keys() <= {"jsonrpc", "id", "result", "error"}, f"further members: {body.keys()}"
    assert ("result" in body) is not ("error" in body), "result and error exclude each other"
    assert is_id(body["id"]) or body["id"] is None, f"id {body['id']!r}"
    if "result" in body:
        assert isinstance(body["result"], dict), "expected an object as result"
        assert body["id"] is not None, "a result to nobody"
        return
    error = body["error"]
    assert isinstance(error, dict), "expected an object as error"
    assert error.keys() <= {"code", "message", "data"}, f"further members: {error.keys()}"
    assert isinstance(error["code"], int), "expected a whole number as code"
    assert not isinstance(error["code"], bool), "expected a whole number as code"
    assert isinstance(error["message"], str), "expected a string as message"
    assert error["message"], "an empty message"


def _judge_id(sent: Input, body: Message) -> None:
    if body.get("error", {}).get("code") == -32700:
        _judge_parse_error(sent, body)
        return
    assert sent.message is not UNREADABLE, "read what is no JSON"
    if sent.message is not UNKNOWN:
        assert _text(id_of(body)) == _text(id_of(sent.message)), "another id than was sent"
        assert needs_answer(sent.message, sent, modern=is_modern(sent)), "an answer to nobody"


# What the service may refuse to read although it is JSON: docs/settings.md. Counted here more roughly.
MOST_BRACKETS = 64
MOST_BYTES = 256 * 1024


def _judge_parse_error(sent: Input, body: Message) -> None:
    assert body["id"] is None, "an id that cannot have been read"
    too_much = sent.body.count(b"{") + sent.body.count(b"[") > MOST_BRACKETS or len(sent.body) > MOST_BYTES
    unreadable = sent.message is UNKNOWN or sent.message is UNREADABLE
    assert unreadable or too_much, "cannot read what is JSON"


def _judge_era(sent: Input, status: int, body: Message) -> None:
    code = body.get("error", {}).get("code")
    if sent.message is UNKNOWN:  # then nobody knows the era either
        assert code in (None, *MODERN_CODES, *LEGACY_CODES), f"code {code}"
    elif is_modern(sent) and code != -32700:
        assert code in (None, *MODERN_CODES), f"modern code {code}"
        assert status == (200 if code is None else MODERN_STATUS.get(code, 400)), (
            f"modern {status} for {code}"
        )
        if code is None:
            check_modern_result(body["result"])
    else:
        assert code in (None, *LEGACY_CODES), f"legacy code {code}"
        assert status == (200 if code is None else LEGACY_STATUS.get(code, 200)), (
            f"legacy {status} for {code}"
        )
        if code is None:
            check_legacy_result(body["result"])


def check_modern_result(result: Message) -> None:
    assert result["resultType"] in ("complete", "task"), result["resultType"]
    assert result["_meta"][META_SERVER_INFO].keys() == {"name", "version"}
    assert ("ttlMs" in result) is (
        ("cacheScope" in result) or result["resultType"] == "task" or "taskId" in result
    )


def check_legacy_result(result: Message) -> None:
    modern = result.keys() & {"resultType", "ttlMs", "cacheScope", "taskId"}
    assert not modern, f"legacy result with {modern}"
    assert META_SERVER_INFO not in result.get("_meta", {})


def _judge_stream(sent: Input, answer: Answer) -> None:
    """An event stream: notifications, then the answer and the end; or the acknowledgement of one that listens."""
    assert answer.status == 200
    messages = [_event(frame) for frame in answer.body.split(b"\n\n")[:-1] if not frame.startswith(b":")]
    told, last = (messages, None) if answer.open else (messages[:-1], messages[-1])
    for message in told:
        assert message.keys() == {"jsonrpc", "method", "params"}, message.keys()
        assert message["method"].startswith("notifications/")
    if last is None:
        assert [message["method"] for message in told] == [ACKNOWLEDGED]
        assert told[0]["params"].keys() == {"notifications", "_meta"}
        if sent.message is not UNKNOWN:
            assert _text([told[0]["params"]["_meta"][SUBSCRIPTION]]) == _text(id_of(sent.message))
        return
    check_envelope(last)
    _judge_id(sent, last)
    _judge_era(sent, 200, last)


def _event(frame: bytes) -> Message:
    event, data = frame.split(b"\n")
    assert event == b"event: message"
    message: Message = json.loads(data.removeprefix(b"data: "))
    return message
