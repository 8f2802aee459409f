"""Where pages come from: what is loaded for it, and when."""

from __future__ import annotations

import subprocess
import sys

from tests.support.service import ROOT

OPENED = """
import asyncio, sys
from settings.web_settings import WebSettings
from web_tools.page_source import open_page_source
from web_tools.request_slots import RequestSlots

async def main():
    settings = WebSettings(web_enabled=True, web_render_pages=True)
    async with open_page_source(settings, RequestSlots(2, 20_000), "test"):
        print([name for name in sys.modules if name.split(".")[0] == "playwright"])

asyncio.run(main())
"""


def test_playwright_is_not_loaded_before_a_page_needs_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OPENED], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
