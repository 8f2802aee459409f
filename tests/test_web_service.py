"""The web tools in the running service: a page of a site is read, kept and summarized; and without them nothing of them is there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import web_service
from config import NAME, Config
from settings.setting import ConfigError
from storage.errors import CannotOpen
from tests.support.embedding_server import EmbeddingStandIn
from tests.support.messages import LEGACY, Message, call, legacy, modern
from tests.support.search_stand_in import SearchStandIn
from tests.support.service import ROOT, Run, Service
from tests.support.web_site import WebSite, says, says_if_changed
from tools.call_results import OUTCOME_KEY
from tools.definitions import INSTRUCTIONS, TOOLS
from tools.web_tool_names import DOTTED, UNDERSCORES
from web_tools import required_packages

PAGE = (ROOT / "examples" / "web" / "emberwick.html").read_text("utf-8")
QUESTION = "How long is the walk from Fenlip to the South Gate?"
ANSWER = "3 minutes and 40 seconds"
NAMES = [tool["name"] for tool in TOOLS]
WEB_NAMES = ["web_search", "web_read_from_page"]


@pytest.fixture
async def site() -> AsyncIterator[WebSite]:
    async with WebSite({"/emberwick.html": says(PAGE)}) as site:
        yield site


def web(directory: Path, **more: str) -> dict[str, str]:
    """Return the settings of a service that may read pages of this machine."""
    return {
        "WEB_ENABLED": "true",
        "DATA_DIR": str(directory),
        "WEB_ALLOWED_NETWORKS": "127.0.0.1",
        **more,
    }


async def result_of(service: Service, name: str, **arguments: Any) -> Message:
    response = await service.post(legacy("tools/call", call(name, **arguments)))
    result: Message = response.json()["result"]
    return result


async def listed(service: Service) -> list[str]:
    response = await service.post(legacy("tools/list"))
    return [tool["name"] for tool in response.json()["result"]["tools"]]


# --- With them -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [legacy, modern])
async def test_a_page_is_read_and_its_best_passage_answers(
    run: Run, site: WebSite, tmp_path: Path, write: Any
) -> None:
    arguments = {"url": site.url("/emberwick.html"), "query": QUESTION, "maxResults": 1}
    async with run(**web(tmp_path)) as service:
        message = write("tools/call", call("web_read_from_page", **arguments))
        post = service.post if write is legacy else service.post_modern
        said = (await post(message)).json()["result"]["structuredContent"]
    assert said["title"] == "Emberwick - Ashmere Wiki"
    assert "embedding server" in said["note"]
    (found,) = said["queries"][0]["results"]
    assert ANSWER in found["text"]
    assert found["sectionPath"][-1] == "Getting there"
    assert (tmp_path / "db" / "mpc.duckdb").is_file()


async def test_a_page_that_was_read_answers_from_the_file_after_a_restart(
    run: Run, site: WebSite, tmp_path: Path
) -> None:
    arguments = {"url": site.url("/emberwick.html"), "query": QUESTION}
    async with run(**web(tmp_path)) as service:
        first = await result_of(service, "web.readFromPage", **arguments)
    async with run(**web(tmp_path)) as service:
        second = await result_of(service, "web_read_from_page", **arguments)
    assert site.paths == ["/emberwick.html"]
    assert first["structuredContent"] == second["structuredContent"]


async def test_with_another_size_of_passages_a_page_is_cut_anew_although_it_has_not_changed(
    run: Run, tmp_path: Path
) -> None:
    largest = []
    async with WebSite({"/": says_if_changed(PAGE, etag='"1"')}) as site:
        for size in ("512", "64"):
            async with run(**web(tmp_path, EMBEDDING_TOKENS_SIZE=size)) as service:
                arguments = {
                    "url": site.url(),
                    "query": QUESTION,
                    "forceRefresh": True,
                    "includeMetadata": True,
                }
                result = await result_of(service, "web_read_from_page", **arguments)
            (query,) = result["structuredContent"]["queries"]
            largest.append(max(found["tokens"] for found in query["results"]))
    assert 64 < largest[0] <= 512
    assert largest[1] <= 64


async def test_with_an_embedding_server_passages_are_ranked_by_meaning_too(
    run: Run, site: WebSite, tmp_path: Path
) -> None:
    async with EmbeddingStandIn() as server:
        settings = web(tmp_path, EMBEDDING_SERVER_URL=server.url, EMBEDDING_MODEL_NAME="words")
        async with run(**settings) as service:
            said = await result_of(
                service, "web_read_from_page", url=site.url("/emberwick.html"), query=QUESTION
            )
            health = (await service.http.get(f"{service.origin}/health")).json()
    best = [found["text"] for found in said["structuredContent"]["queries"][0]["results"][:3]]
    assert any(ANSWER in text for text in best)
    assert "note" not in said["structuredContent"]
    assert QUESTION in server.texts
    assert health["web"] == {"search": None, "ranking": "hybrid"}


async def test_the_models_name_counts_with_an_embedding_server_alone(
    run: Run, site: WebSite, tmp_path: Path
) -> None:
    arguments = {"url": site.url("/emberwick.html"), "query": QUESTION}
    async with EmbeddingStandIn() as server:
        settings = web(tmp_path, EMBEDDING_SERVER_URL=server.url, EMBEDDING_MODEL_NAME="words")
        async with run(**settings) as service:
            await result_of(service, "web_read_from_page", **arguments)
    async with run(**web(tmp_path, EMBEDDING_MODEL_NAME="another")) as service:
        result = await result_of(service, "web_read_from_page", **arguments)
    assert ANSWER in result["structuredContent"]["queries"][0]["results"][0]["text"]


async def test_an_address_of_this_machine_is_refused_unless_it_is_allowed(
    run: Run, site: WebSite, tmp_path: Path
) -> None:
    async with run(**web(tmp_path, WEB_ALLOWED_NETWORKS="")) as service:
        result = await result_of(
            service, "web_read_from_page", url=site.url("/emberwick.html"), query=QUESTION
        )
    assert result["isError"] is True
    assert "WEB_ALLOWED_NETWORKS" in result["content"][0]["text"]
    assert site.paths == []


async def test_a_page_is_summarized_with_an_outcome_and_kept(run: Run, site: WebSite, tmp_path: Path) -> None:
    wanted = {"max_output_tokens": 200, "keep_original": True}
    async with run(**web(tmp_path)) as service:
        result = await result_of(
            service,
            "web_read_from_page",
            url=site.url("/emberwick.html"),
            query=QUESTION,
            summarize=wanted,
        )
        outcome = result["_meta"][OUTCOME_KEY]
        found = await result_of(
            service, "search_original", result_id=outcome["result_id"], query="walk from Fenlip"
        )
    assert outcome["status"] == "summarized"
    assert ANSWER in result["structuredContent"]["summary"]
    assert outcome["output_tokens"] <= 200
    assert ANSWER in found["content"][0]["text"]


async def test_the_web_is_searched(run: Run, tmp_path: Path) -> None:
    async with (
        SearchStandIn() as server,
        run(**web(tmp_path, SEARXNG_URL=server.url("searxng"))) as service,
    ):
        result = await result_of(service, "web.search", query="ferry", resultsPerQuery=3)
        health = (await service.http.get(f"{service.origin}/health")).json()
    (query,) = result["structuredContent"]["queries"]
    assert len(query["results"]) == 3
    assert query["result"]["results"]
    assert health["web"] == {"search": "searxng", "ranking": "words"}


@pytest.mark.parametrize(
    "names, expected", [("underscores", WEB_NAMES), ("dotted", ["web.search", "web.readFromPage"])]
)
async def test_the_list_has_the_web_tools_under_the_names_that_are_set(
    run: Run, tmp_path: Path, names: str, expected: list[str]
) -> None:
    async with run(**web(tmp_path, TOOL_NAMES=names)) as service:
        assert await listed(service) == [*NAMES, *expected]
        page = (await service.http.get(f"{service.origin}/")).text
        metrics = (await service.http.get(f"{service.origin}/metrics")).text
        unknown = (await service.post(legacy("tools/call", call("web.burn")))).json()
    assert all(name in page for name in expected)
    assert f'mcp_summarizer_tool_calls_total{{tool="{expected[1]}",status="ok"}} 0' in metrics
    assert unknown["error"]["code"] == -32602
    assert all(name in unknown["error"]["message"] for name in (*NAMES, *expected))


async def test_clients_are_told_of_the_web_tools(run: Run, tmp_path: Path) -> None:
    async with run(**web(tmp_path)) as service:
        hello = {
            "protocolVersion": LEGACY[0],
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        }
        told = (await service.post(legacy("initialize", hello))).json()["result"]["instructions"]
    assert told.startswith(INSTRUCTIONS)
    assert all(name in told for name in WEB_NAMES)


async def test_of_a_page_in_html_that_is_sent_the_main_content_is_summarized(
    run: Run, tmp_path: Path
) -> None:
    arguments = {"content": PAGE, "max_output_tokens": 2_000}
    async with run(**web(tmp_path)) as service:
        result = await result_of(service, "summarize", **arguments)
    async with run() as service:
        whole = await result_of(service, "summarize", **arguments)
    assert "only the main content of the page was read" in result["_meta"][OUTCOME_KEY]["reason"]
    assert "main content" not in whole["_meta"][OUTCOME_KEY].get("reason", "")
    assert ANSWER in result["content"][0]["text"]
    assert "<p>" not in result["content"][0]["text"]


@pytest.mark.parametrize(
    "page, reason",
    [
        ("<main>" + "<p>The ferry leaves at 07:40 from pier 9.</p>" * 200, "1 HTML page read as its text"),
        ("<div>" * 600 + "The ferry leaves at 07:40. " * 200, "its main content was not looked for"),
        (f"<p>The ferry leaves.</p><script>{'go();' * 500}</script>", "Scripts probably build this page"),
    ],
)
async def test_how_a_page_was_read_is_said_and_that_something_was_left_out_only_where_it_was(
    run: Run, tmp_path: Path, page: str, reason: str
) -> None:
    html = f"<!DOCTYPE html><html><body>{page}</body></html>"
    async with run(**web(tmp_path)) as service:
        result = await result_of(service, "summarize", content=html, max_output_tokens=50)
    said = result["_meta"][OUTCOME_KEY]["reason"]
    assert reason in said
    assert "only the main content" not in said


async def test_a_page_in_html_without_any_text_is_no_error(run: Run, tmp_path: Path) -> None:
    empty = f"<!DOCTYPE html><html><body>{'<script>go()</script>' * 200}</body></html>"
    async with run(**web(tmp_path)) as service:
        result = await result_of(service, "summarize", content=empty, max_output_tokens=50)
    assert "isError" not in result
    assert "main content" not in result["_meta"][OUTCOME_KEY].get("reason", "")


async def test_a_page_that_needs_no_scripts_is_read_without_a_browser_where_one_is_set(
    run: Run, site: WebSite, tmp_path: Path
) -> None:
    settings = web(tmp_path, WEB_RENDER_PAGES="true", CHROMIUM_PATH="/no/such/program")
    async with run(**settings) as service:
        result = await result_of(
            service, "web_read_from_page", url=site.url("/emberwick.html"), query=QUESTION
        )
    assert ANSWER in result["structuredContent"]["queries"][0]["results"][0]["text"]


async def test_html_that_fits_and_text_that_is_no_html_are_as_without_the_web_tools(
    run: Run, tmp_path: Path
) -> None:
    text = "The ferry leaves at 07:40. " * 50
    async with run(**web(tmp_path)) as service:
        fits = await result_of(service, "summarize", content=PAGE, max_output_tokens=50_000)
        plain = await result_of(service, "summarize", content=text, max_output_tokens=50)
    assert fits["content"][0]["text"] == PAGE
    assert "main content" not in plain["_meta"][OUTCOME_KEY].get("reason", "")


# --- Without them ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*UNDERSCORES, *DOTTED])
async def test_a_call_of_a_web_tool_that_is_off_says_what_switches_it_on(run: Run, name: str) -> None:
    async with run() as service:
        error = (await service.post(legacy("tools/call", call(name)))).json()["error"]
    assert error["code"] == -32602
    assert error["message"].startswith(f"Unknown tool: {name}; the web tools are switched off here; ")
    assert error["message"].endswith("WEB_ENABLED=true")


# A service that starts, is asked for its tools, summarizes a page, and tells what it has loaded.
SCRIPT = """
import asyncio, json, sys
from tests.support.service import running
from tests.support.messages import call, legacy
from summarizing.text.tokenizer import load_tokenizer, read_vocabulary

async def main():
    async with running(load_tokenizer(read_vocabulary()), {}) as service:
        tools = (await service.post(legacy("tools/list"))).json()["result"]["tools"]
        page = open("examples/web/emberwick.html", encoding="utf-8").read()
        await service.post(legacy("tools/call", call(content=page, max_output_tokens=200)))
        health = (await service.http.get(f"{service.origin}/health")).json()
    print(json.dumps({"modules": sorted(sys.modules), "tools": tools, "health": health}))

asyncio.run(main())
"""


def test_without_the_web_tools_nothing_of_them_is_imported_and_the_list_is_as_it_was() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True, env={}
    )
    said = json.loads(ran.stdout.splitlines()[-1])
    optional = ("web_tools", "duckdb", "resiliparse", "pypdf", "playwright", "fastwarc")
    assert [name for name in said["modules"] if name.partition(".")[0] in optional] == []
    assert said["tools"] == list(TOOLS)
    assert "web" not in said["health"]


# --- Where pages are kept, and what is needed ------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings, environment, platform, expected",
    [
        ({"DATA_DIR": "/a", "STORAGE_DIRECTORY": "/b"}, {"HOME": "/h"}, "linux", "/a"),
        ({"STORAGE_DIRECTORY": "/b"}, {"HOME": "/h"}, "linux", "/b"),
        ({"STORAGE_DIRECTORY": "/b"}, {}, "darwin", "/b"),
        ({}, {"HOME": "/h"}, "linux", f"/h/.local/share/{NAME}"),
        ({}, {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "linux", f"/x/{NAME}"),
        ({}, {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "darwin", f"/h/Library/Application Support/{NAME}"),
    ],
)
def test_pages_are_kept_where_it_is_set_or_among_the_users_data(
    settings: dict[str, str], environment: dict[str, str], platform: str, expected: str
) -> None:
    config = Config.from_env(settings)
    assert web_service.page_directory(config, environment, platform) == Path(expected)


async def test_a_new_users_directory_is_made(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "share"))
    async with run(WEB_ENABLED="true"):
        assert (tmp_path / "home" / "share" / NAME / "db" / "mpc.duckdb").is_file()


async def test_a_users_directory_that_cannot_be_made_stops_the_start(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "share"))
    with pytest.raises(
        CannotOpen, match=r"^DATA_DIR: expected a directory for stored pages, since .* \(Not a directory\)"
    ):
        async with run(WEB_ENABLED="true"):
            raise AssertionError("it started")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_without_any_place_for_pages_the_start_is_refused(platform: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^DATA_DIR: expected a directory for stored pages, .*got nothing$"
    ):
        web_service.page_directory(Config(), {}, platform)


def test_packages_that_are_missing_are_named_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config.from_env({"WEB_ENABLED": "true", "WEB_RENDER_PAGES": "true", "DATA_DIR": "/a"})
    web_service.check(config, {})
    web_service.check(Config(), {})
    absent = {"duckdb", "pypdf"}
    monkeypatch.setattr(required_packages, "find_spec", lambda name: None if name in absent else name)
    with pytest.raises(ConfigError) as refused:
        web_service.check(config, {})
    assert str(refused.value) == (
        "WEB_ENABLED: expected the packages of requirements/web.txt to be installed "
        "(make run-web installs requirements/web.txt), got no duckdb, pypdf"
    )
    absent.clear()
    absent.add("playwright")
    with pytest.raises(
        ConfigError, match=r"^WEB_RENDER_PAGES: .*requirements/web-rendering.txt.* no playwright$"
    ):
        web_service.check(config, {})
    web_service.check(Config.from_env({"WEB_ENABLED": "true", "DATA_DIR": "/a"}), {})
