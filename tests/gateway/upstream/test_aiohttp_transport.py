"""The transport under the HTTP client of upstream servers, beside a server on a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from gateway.upstream.aiohttp_transport import AiohttpTransport


@asynccontextmanager
async def a_server() -> AsyncIterator[tuple[str, httpx.AsyncClient, list[web.Request]]]:
    """Run a server that answers with what it gets; yield its URL, a client, and its requests."""
    asked: list[web.Request] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request)
        return web.Response(body=await request.read(), headers=[("X-Two", "1"), ("X-Two", "2")])

    app = web.Application(client_max_size=8_000_000)
    app.router.add_route("*", "/mcp", answer)
    async with (
        TestServer(app) as server,
        httpx.AsyncClient(transport=AiohttpTransport(is_secure=False)) as http,
    ):
        yield f"http://127.0.0.1:{server.port}/mcp", http, asked


@pytest.mark.parametrize("size", [0, 1, 3_000_000])
async def test_a_body_arrives_and_comes_back_whole(size: int) -> None:
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    async with a_server() as (url, http, asked):
        response = await http.post(url, content=body)
        assert response.content == body
        assert response.headers.get_list("x-two") == ["1", "2"]
        assert [value for name, value in asked[0].raw_headers if name.lower() == b"content-length"] == [
            str(size).encode()
        ]


async def test_a_connection_is_used_again_once_its_answer_was_read_and_closed_if_it_was_not() -> None:
    async with a_server() as (url, http, asked):
        await http.post(url, content=b"x")
        async with http.stream("POST", url, content=b"x" * 3_000_000):
            pass  # not read
        await http.post(url, content=b"x")
    first, second, third = (request.protocol for request in asked)
    assert first is second
    assert third is not second


async def test_a_user_in_the_address_becomes_a_header() -> None:
    async with a_server() as (url, http, asked):
        await http.get(url.replace("//", "//me:secret%40@"))
        assert asked[0].headers["Authorization"] == "Basic bWU6c2VjcmV0QA=="
        assert asked[0].rel_url.human_repr() == "/mcp"


@pytest.mark.parametrize(
    "url, error",
    [("http://127.0.0.1:1/mcp", httpx.ConnectError), ("ftp://127.0.0.1/mcp", httpx.UnsupportedProtocol)],
)
async def test_an_address_that_cannot_be_reached_is_an_error_of_httpx(
    url: str, error: type[Exception]
) -> None:
    async with httpx.AsyncClient(transport=AiohttpTransport(is_secure=False)) as http:
        with pytest.raises(error):
            await http.get(url)


async def test_a_line_break_in_a_header_is_not_sent() -> None:
    async with a_server() as (url, http, asked):
        with pytest.raises(httpx.LocalProtocolError):
            await http.get(url, headers={"X-Key": "a\nX-Other: b"})
        assert not asked


async def test_an_answer_that_breaks_off_is_an_error_of_httpx() -> None:
    async def cut_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        writer.close()

    server = await asyncio.start_server(cut_off, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, httpx.AsyncClient(transport=AiohttpTransport(is_secure=False)) as http:
        with pytest.raises(httpx.ReadError):
            await http.get(f"http://127.0.0.1:{port}/")
