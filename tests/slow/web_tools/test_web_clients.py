"""Real clients of either era list and call both web tools, under both of their names, and check results against the schemas."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import fastmcp
import jsonschema
import pytest
from mcp.client import Client

from tests.slow.test_clients import ERAS, inspected, inspector, tool_call
from tests.support.client_processes import TOOLS
from tests.support.messages import LEGACY, MODERN
from tests.support.search_stand_in import SearchStandIn
from tests.support.service import Run, Service
from tests.support.web_site import WebSite, says
from tests.test_web_service import ANSWER, PAGE, QUESTION, WEB_NAMES, web


@pytest.fixture
async def site() -> AsyncIterator[WebSite]:
    async with WebSite({"/emberwick.html": says(PAGE)}) as site:
        yield site


@pytest.fixture
async def web_service(run: Run, tmp_path: Path) -> AsyncIterator[Service]:
    async with (
        SearchStandIn() as search,
        run(**web(tmp_path, SEARXNG_URL=search.url("searxng"))) as service,
    ):
        yield service


def check_page(said: dict[str, Any], schema: dict[str, Any] | None) -> None:
    assert schema is not None
    jsonschema.validate(said, schema)
    assert ANSWER in said["queries"][0]["results"][0]["text"]


def check_search(said: dict[str, Any], schema: dict[str, Any] | None) -> None:
    assert schema is not None
    jsonschema.validate(said, schema)
    assert [len(query["results"]) for query in said["queries"]] == [3, 3]


@pytest.mark.parametrize("mode, version", [("auto", MODERN), ("legacy", LEGACY[0])])
async def test_the_official_client_calls_both_web_tools(
    web_service: Service, site: WebSite, mode: str, version: str
) -> None:
    reading = {"url": site.url("/emberwick.html"), "query": QUESTION}
    async with Client(web_service.url, mode=mode) as client:
        assert client.protocol_version == version
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        page = await client.call_tool("web_read_from_page", reading)
        found = await client.call_tool("web_search", {"query": ["ferry", "walk"], "resultsPerQuery": 3})
        dotted = await client.call_tool("web.readFromPage", reading)
    assert [*tools] == [*TOOLS, *WEB_NAMES]
    check_page(page.structured_content, tools["web_read_from_page"].output_schema)
    check_search(found.structured_content, tools["web_search"].output_schema)
    assert dotted.structured_content == page.structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_fastmcp_calls_both_web_tools(web_service: Service, site: WebSite, mode: str) -> None:
    reading = {"url": site.url("/emberwick.html"), "query": QUESTION}
    async with fastmcp.Client(web_service.url, mode=mode) as client:
        tools = {tool.name: tool for tool in await client.list_tools()}
        page = await client.call_tool("web_read_from_page", reading)
        found = await client.call_tool("web_search", {"query": ["ferry", "walk"], "resultsPerQuery": 3})
    check_page(page.structured_content, tools["web_read_from_page"].output_schema)
    check_search(found.structured_content, tools["web_search"].output_schema)


@pytest.mark.parametrize("era, version", ERAS)
async def test_the_inspector_calls_both_web_tools(
    web_service: Service, site: WebSite, tmp_path: Path, era: str, version: str
) -> None:
    url = web_service.url
    reading = {"url": site.url("/emberwick.html"), "query": QUESTION}
    greeting, listed, page, found = await asyncio.gather(
        inspected(tmp_path, *inspector(url, era, "initialize")),
        inspected(tmp_path, *inspector(url, era, "tools/list")),
        inspected(tmp_path, *inspector(url, era, *tool_call("web_read_from_page", **reading))),
        inspected(
            tmp_path,
            *inspector(url, era, *tool_call("web_search", query=["ferry", "walk"], resultsPerQuery=3)),
        ),
    )
    schemas = {tool["name"]: tool.get("outputSchema") for tool in listed["tools"]}
    assert greeting["protocolVersion"] == version
    check_page(page["structuredContent"], schemas["web_read_from_page"])
    check_search(found["structuredContent"], schemas["web_search"])
