"""Keys and browsers on the wire: what is asked before a body is read, what a page may do, and what is told to nobody."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import app as application
from config import Config
from tests.support.messages import Message, call, legacy, modern, routing
from tests.support.service import Run, Service
from tests.support.wire import (
    BOTH,
    JSON,
    connected,
    declaring_tasks,
    head,
    raw,
    request,
    streaming,
    with_routing,
)

pytestmark = pytest.mark.usefixtures("nothing_is_logged_as_a_fault")

KEY, OTHER_KEY = "first-key-of-a-test", "other-key-of-a-test"
KEYS = {"MCP_SUMMARIZER_API_KEYS": f"{KEY},{OTHER_KEY}"}
PAGE = "https://page.example"


def bearer(key: str, scheme: str = "Bearer") -> dict[str, str]:
    return {"Authorization": f"{scheme} {key}"}


# Keys.


@pytest.mark.parametrize(
    "headers, error",
    [
        ({}, None),
        (bearer("wrong-key-of-a-test"), "invalid_token"),
        (bearer(KEY + "x"), "invalid_token"),
        (bearer(KEY[:-1]), "invalid_token"),
        (bearer(KEY.upper()), "invalid_token"),
        ({"Authorization": "Bearer"}, "invalid_token"),
        (bearer("Zmlyc3Qta2V5LW9mLWEtdGVzdA==", "Basic"), None),
        ({"X-API-Key": KEY}, None),
        ({"Authorization": KEY}, None),
    ],
)
async def test_without_a_valid_key_nobody_gets_in_and_is_told_how(
    run: Run, headers: dict[str, str], error: str | None
) -> None:
    async with run(**KEYS) as service:
        answer = await service.post(legacy("ping"), headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith('Bearer realm="mcp-summarizer"')
    assert ('error="invalid_token"' in answer.headers["www-authenticate"]) is (error is not None)
    assert "resource_metadata" not in answer.headers["www-authenticate"]
    assert (answer.json()["error"]["code"], answer.json().keys()) == (-32600, {"jsonrpc", "id", "error"})


@pytest.mark.parametrize(
    "headers", [bearer(KEY), bearer(OTHER_KEY), bearer(KEY, "bearer"), bearer(KEY, "BEARER")]
)
async def test_each_key_opens_however_the_scheme_is_written(run: Run, headers: dict[str, str]) -> None:
    async with run(**KEYS) as service:
        assert (await service.post(legacy("ping"), headers)).json()["result"] == {}


@pytest.mark.parametrize("name", ["api_key", "key", "access_token", "Authorization"])
async def test_a_key_in_the_query_is_not_taken(run: Run, name: str) -> None:
    async with run(**KEYS) as service:
        answer = await service.http.post(f"{service.url}?{name}={KEY}", json=legacy("ping"))
    assert answer.status_code == 401
    assert KEY not in answer.text


async def test_two_keys_are_one_too_many(run: Run) -> None:
    headers = [*JSON.items(), *bearer(KEY).items(), *bearer(OTHER_KEY).items()]
    async with run(**KEYS) as service:
        answer = await service.http.post(service.url, json=legacy("ping"), headers=headers)
    assert answer.status_code == 401


@pytest.mark.parametrize("length", [100, 10_000_000])
async def test_who_has_no_key_is_refused_before_the_body_is_read(run: Run, length: int) -> None:
    async with run(**KEYS) as service, connected(service) as connection:
        connection.send(head(f"Content-Length: {length}"))
        status, headers, _ = await connection.answer()
    assert (status, "www-authenticate" in headers) == (401, True)


async def test_a_wrong_key_is_told_before_a_wrong_method_type_or_size_and_a_wrong_host_before_that(
    run: Run,
) -> None:
    async with run(**KEYS, MAX_BODY_BYTES="1024") as service:
        for method in ("GET", "DELETE", "OPTIONS"):
            assert (await service.http.request(method, service.url)).status_code == 401
        assert (await service.http.post(service.url, content="x" * 2000)).status_code == 401
        assert (await service.post(legacy("ping"), {"Host": "evil.example"})).status_code == 421
        assert (await service.post(legacy("ping"), {"Origin": "null"})).status_code == 403


async def test_health_needs_no_key(run: Run) -> None:
    async with run(**KEYS) as service:
        assert (await service.http.get(f"{service.origin}/health")).status_code == 200


@pytest.mark.parametrize("keys", [{}, KEYS])
@pytest.mark.parametrize(
    "name", ["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server"]
)
async def test_no_oauth_is_promised(run: Run, keys: dict[str, str], name: str) -> None:
    async with run(**keys) as service:
        answer = await service.http.get(f"{service.origin}/.well-known/{name}")
    assert (answer.status_code, "www-authenticate" in answer.headers) == (404, False)


@pytest.mark.parametrize("headers", [{}, bearer("any-key-will-do-here"), bearer("x", "Nonsense")])
async def test_without_keys_in_the_settings_none_is_asked_for(
    service: Service, headers: dict[str, str]
) -> None:
    assert (await service.post(legacy("ping"), headers)).status_code == 200


async def test_a_task_is_known_to_the_key_that_began_it_and_to_no_other(run: Run) -> None:
    begin = declaring_tasks("tools/call", call(content="x" * 100))
    async with run(**KEYS, TASK_CONTENT_CHARS="100") as service:

        async def ask(method: str, key: str) -> Message:
            message = declaring_tasks(method, {"taskId": task_id})
            answer: Message = (await service.post(message, {**with_routing(message), **bearer(key)})).json()
            return answer

        begun = (await service.post(begin, {**routing(begin), **bearer(KEY)})).json()["result"]
        assert begun["resultType"] == "task"
        task_id = begun["taskId"]
        for method in ("tasks/get", "tasks/cancel", "tasks/update"):
            assert (await ask(method, OTHER_KEY))["error"]["code"] == -32602
        listen = declaring_tasks("subscriptions/listen", {"notifications": {"taskIds": [task_id]}})
        for key, honoured in ((OTHER_KEY, {}), (KEY, {"taskIds": [task_id]})):
            async with streaming(service, listen, bearer(key)) as events:
                assert (await events.message())["params"]["notifications"] == honoured
        assert (await ask("tasks/get", KEY))["result"]["taskId"] == task_id


async def test_an_unknown_task_and_that_of_another_are_told_alike(run: Run) -> None:
    begin = declaring_tasks("tools/call", call(content="x" * 100))
    async with run(**KEYS, TASK_CONTENT_CHARS="100") as service:
        begun = (await service.post(begin, {**routing(begin), **bearer(KEY)})).json()["result"]
        told = []
        for task_id in (begun["taskId"], "never-was"):
            message = declaring_tasks("tasks/get", {"taskId": task_id})
            answer = await service.post(message, {**with_routing(message), **bearer(OTHER_KEY)})
            told.append((answer.status_code, answer.text.replace(task_id, "ID")))
    assert told[0] == told[1]


# Pages in a browser.


def preflight(origin: str, **more: str) -> dict[str, str]:
    return {"Origin": origin, "Access-Control-Request-Method": "POST", **more}


@pytest.mark.parametrize("settings", [{}, KEYS])
async def test_a_page_of_an_allowed_origin_may_ask_and_needs_no_key_for_that(
    run: Run, settings: dict[str, str]
) -> None:
    wanted = {
        "Access-Control-Request-Headers": "authorization,content-type,mcp-method,mcp-param-region,x-evil"
    }
    async with run(ALLOWED_ORIGINS=PAGE, **settings) as service:
        answer = await service.http.options(service.url, headers=preflight(PAGE, **wanted))
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert answer.headers["access-control-allow-methods"] == "POST"
    allowed = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}
    assert {"authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"} <= allowed
    assert "mcp-param-region" in allowed
    assert "x-evil" not in allowed
    assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    "headers, status",
    [
        (preflight("https://evil.example"), 403),
        (preflight("null"), 403),
        (preflight(PAGE, Host="evil.example"), 421),
        ({"Access-Control-Request-Method": "POST"}, 401),
        ({"Origin": PAGE}, 401),
    ],
)
async def test_another_page_may_not_and_neither_may_what_is_no_preflight(
    run: Run, headers: dict[str, str], status: int
) -> None:
    async with run(ALLOWED_ORIGINS=PAGE, **KEYS) as service:
        answer = await service.http.options(service.url, headers=headers)
    assert answer.status_code == status
    assert "access-control-allow-methods" not in answer.headers
    if status == 403:
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "message, headers, status",
    [
        (legacy("ping"), bearer(KEY), 200),
        (legacy("no/such"), bearer(KEY), 200),
        (modern("tools/list"), bearer(KEY), 400),
        ({"jsonrpc": "2.0", "method": "x"}, bearer(KEY), 202),
        (legacy("ping"), {}, 401),
        (legacy("ping"), {**bearer(KEY), "Accept": "text/html"}, 406),
        (legacy("ping"), {**bearer(KEY), "Content-Type": "text/plain"}, 415),
        (legacy("ping", {"x": "x" * 2000}), bearer(KEY), 413),
    ],
)
async def test_answers_and_refusals_alike_can_be_read_by_the_page(
    run: Run, message: Any, headers: dict[str, str], status: int
) -> None:
    async with run(ALLOWED_ORIGINS=PAGE, MAX_BODY_BYTES="1024", **KEYS) as service:
        answer = await service.post(message, {**headers, "Origin": PAGE})
        elsewhere = await service.post(message, headers)
    assert answer.status_code == status
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]
    assert "Retry-After" in answer.headers["access-control-expose-headers"]
    assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-origin" not in elsewhere.headers


async def test_a_stream_can_be_read_by_the_page(run: Run) -> None:
    message = modern("subscriptions/listen", {"notifications": {}})
    headers = {**BOTH, **routing(message), "Origin": PAGE}
    async with (
        run(ALLOWED_ORIGINS=PAGE) as service,
        service.http.stream("POST", service.url, json=message, headers=headers) as response,
    ):
        assert response.headers["access-control-allow-origin"] == PAGE
        assert response.headers["content-type"] == "text/event-stream"


async def test_two_origins_are_refused(run: Run) -> None:
    async with run(ALLOWED_ORIGINS=PAGE) as service:
        body = request(legacy("ping"), {"Connection": "close"})
        twice = body.replace(b"Connection:", f"Origin: {PAGE}\r\nOrigin: {PAGE}\r\nConnection:".encode())
        assert (await raw(service, twice)).startswith(b"HTTP/1.1 403 ")


# The warning.


@pytest.mark.parametrize(
    "settings, warned",
    [
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0"}, True),
        ({"MCP_SUMMARIZER_HOST": "::"}, True),
        ({"MCP_SUMMARIZER_HOST": "192.0.2.7"}, True),
        ({"MCP_SUMMARIZER_HOST": "a-name.example"}, True),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", "ALLOWED_HOSTS": "a-name.example"}, True),
        ({"MCP_SUMMARIZER_HOST": "0.0.0.0", **KEYS}, False),
        ({}, False),
        ({"MCP_SUMMARIZER_HOST": "127.0.0.2"}, False),
        ({"MCP_SUMMARIZER_HOST": "::1"}, False),
        ({"MCP_SUMMARIZER_HOST": "localhost"}, False),
    ],
)
def test_a_service_open_to_a_network_without_a_key_says_so_aloud(
    caplog: pytest.LogCaptureFixture, settings: dict[str, str], warned: bool
) -> None:
    caplog.set_level(logging.INFO)
    application.announce(Config.from_env(settings), None, 8007)
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warnings] == ["open_without_key"] * warned
    for record in warnings:
        assert record.__dict__["host"] == settings["MCP_SUMMARIZER_HOST"]
        assert "MCP_SUMMARIZER_API_KEYS" in record.__dict__["note"]
