"""A page on the web in place of a file: its text is summarized, and why it cannot be read goes to standard error."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from command_line import web_page
from tests.command_line.test_cli import run
from tests.support.service import ROOT
from tests.support.web_site import WebSite, fails, says
from web_tools import required_packages

PAGE = (ROOT / "examples" / "web" / "emberwick.html").read_text("utf-8")
ALLOWED = {"WEB_ALLOWED_NETWORKS": "127.0.0.1"}


async def test_the_text_of_a_page_is_summarized() -> None:
    async with WebSite({"/page": says(PAGE)}) as site:
        arguments = (site.url("/page"), "--max-output-tokens", "200", "--focus", "walk from Fenlip")
        ran = await asyncio.to_thread(run, *arguments, env=ALLOWED)
    assert ran.status == 0
    assert "3 minutes and 40 seconds" in ran.out
    assert ran.outcome["status"] == "summarized"
    assert site.paths == ["/page"]


@pytest.mark.parametrize("target", ["20", "50000"])
async def test_what_was_not_read_of_a_page_is_in_the_outcome_also_where_its_text_fits(target: str) -> None:
    scripted = "<body><p>The ferry leaves at 07:40 from pier 9, and comes back late.</p><script>go()</script>"
    pages = {"/whole": says(PAGE), "/scripted": says(f"<!DOCTYPE html><html>{scripted}")}
    async with WebSite(pages) as site:
        ran = [
            await asyncio.to_thread(run, site.url(path), "--max-output-tokens", target, env=ALLOWED)
            for path in pages
        ]
    assert "only the main content of the page was read" in ran[0].outcome["reason"]
    assert "Scripts probably build this page, and were not run" in ran[1].outcome["reason"]


async def test_a_page_that_cannot_be_read_is_an_error() -> None:
    async with WebSite({"/page": fails(404)}) as site:
        url = site.url("/page")
        refused = await asyncio.to_thread(run, url)
        missing = await asyncio.to_thread(run, url, env=ALLOWED)
    assert (refused.status, missing.status) == (2, 2)
    assert (refused.out, missing.out) == ("", "")
    assert "WEB_ALLOWED_NETWORKS" in refused.err
    assert missing.err == f"summarizer: {url}: HTTP 404 (Not Found)\n"
    assert site.paths == ["/page"]


def without(monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    """Have these packages count as not installed."""
    monkeypatch.setattr(required_packages, "find_spec", lambda name: None if name in missing else name)


@pytest.mark.parametrize("missing", ["brotli", "resiliparse", "pypdf"])
def test_without_the_packages_it_says_which_are_needed(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    without(monkeypatch, missing)
    ran = run("https://example.org/")
    assert ran.status == 2
    assert (
        f"the packages of requirements/web.txt, of which there is no {missing}; `make .venv-web/stamp`"
        in ran.err
    )


def test_without_playwright_a_page_is_refused_only_where_scripts_are_to_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "playwright")
    rendering = run("https://127.0.0.1/", env={"WEB_RENDER_PAGES": "true"})
    assert rendering.status == 2
    assert "requirements/web-rendering.txt, of which there is no playwright;" in rendering.err
    assert "set WEB_RENDER_PAGES=false" in rendering.err
    assert "WEB_ALLOWED_NETWORKS" in run("https://127.0.0.1/").err


@pytest.mark.parametrize("file", ["page.md", "-", "httpd.log", "ftp://x/y", str(Path("http:") / "x")])
def test_what_is_no_http_address_is_a_files_name(file: str) -> None:
    assert not web_page.is_url(file)
    assert web_page.is_url("HTTPS://example.org/")


def test_settings_of_the_web_tools_are_checked_for_a_page_alone() -> None:
    env = {"CONCURRENCY": "auto"}
    page = run("https://127.0.0.1/", env=env)
    assert (page.status, page.err) == (
        2,
        "summarizer: CONCURRENCY: expected a whole number from 1 to 64, got 'auto'\n",
    )
    assert run("-", env=env, stdin=lambda: b"A text.").status == 0
