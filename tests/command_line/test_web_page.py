"""A page on the web in place of a file: its text is summarized, and why it cannot be read goes to standard error."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from command_line import web_page
from settings.web_settings import WebSettings
from tests.command_line.test_cli import run
from tests.support.service import ROOT
from tests.support.web_site import WebSite, fails, says

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


async def test_a_page_that_cannot_be_read_is_an_error() -> None:
    async with WebSite({"/page": fails(404)}) as site:
        url = site.url("/page")
        refused = await asyncio.to_thread(run, url)
        missing = await asyncio.to_thread(run, url, env=ALLOWED)
    assert (refused.status, missing.status) == (2, 2)
    assert (refused.out, missing.out) == ("", "")
    assert "WEB_ALLOWED_NETWORKS" in refused.err
    assert "404" in missing.err
    assert site.paths == ["/page"]


def test_without_the_packages_it_says_which_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("web_tools.page_source")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "brotli", None)
    for name in [name for name in sys.modules if name.startswith("web_tools.fetching.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(web_page.PageUnreadable, match=r"requirements-web.txt, of which there is no brotli"):
        web_page.page_text("https://example.org/", WebSettings(), "test")


@pytest.mark.parametrize("file", ["page.md", "-", "httpd.log", "ftp://x/y", str(Path("http:") / "x")])
def test_what_is_no_http_address_is_a_files_name(file: str) -> None:
    assert not web_page.is_url(file)
    assert web_page.is_url("HTTPS://example.org/")
