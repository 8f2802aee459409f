"""A real browser, Chromium without a window, driven over the Chrome DevTools Protocol."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp

PROGRAM = "chromium"

# It asks nobody outside, and needs neither a GPU nor the right to make a sandbox.
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
    "--window-size=1280,900",
)
SECONDS = 60


class PageError(Exception):
    """A script on the page failed; the message is the browser's."""


class BrowserPage:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.complaints: list[str] = []
        """What the page's console said: errors, and what the page's policy forbade."""

    async def open(self, url: str) -> None:
        """Load a page, and wait until it and its scripts have loaded."""
        await self._send("Page.navigate", url=url)
        await self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    async def run(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript, awaited if it is a promise. Raises PageError."""
        answer = await self._send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise PageError(json.dumps(answer["exceptionDetails"])[:2_000])
        return answer["result"].get("value")

    async def until(self, condition: str) -> None:
        """Wait until an expression is true."""
        waiting = f"new Promise(done => {{ const look = () => ({condition}) ? done() : setTimeout(look, 20); look() }})"
        async with asyncio.timeout(SECONDS):
            await self.run(waiting)

    async def resize(self, width: int, height: int) -> None:
        """Give the window another size, in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await self._send("Emulation.setDeviceMetricsOverride", **size)

    async def prefer_dark(self) -> None:
        """Have the page shown as to a reader who prefers dark colours."""
        features = [{"name": "prefers-color-scheme", "value": "dark"}]
        await self._send("Emulation.setEmulatedMedia", features=features)

    async def screenshot(self, path: Path) -> None:
        """Write a picture of what is seen, as PNG."""
        answer = await self._send("Page.captureScreenshot", format="png")
        await asyncio.to_thread(path.write_bytes, base64.b64decode(answer["data"]))

    async def _send(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while True:
            message = await self._socket.receive_json()
            self._note(message)
            if message.get("id") == number:
                if "error" in message:
                    raise PageError(f"{method}: {message['error']['message']}")
                result: dict[str, Any] = message["result"]
                return result

    def _note(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Log.entryAdded" if params["entry"]["level"] == "error":
                self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}".strip())
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(params["exceptionDetails"])[:2_000])

    async def listen(self) -> None:
        """Have the browser tell what the page complains about."""
        for domain in ("Page", "Runtime", "Log"):
            await self._send(f"{domain}.enable")


@asynccontextmanager
async def open_browser() -> AsyncIterator[BrowserPage]:
    """Start Chromium with an empty page. Raises FileNotFoundError where it is not installed."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = await asyncio.create_subprocess_exec(
            PROGRAM,
            *OPTIONS,
            f"--user-data-dir={folder}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            port = await _debugging_port(process)
            async with aiohttp.ClientSession() as client:
                targets = await (await client.get(f"http://127.0.0.1:{port}/json/list")).json()
                url = next(each["webSocketDebuggerUrl"] for each in targets if each["type"] == "page")
                async with client.ws_connect(url, max_msg_size=0) as socket:
                    page = BrowserPage(socket)
                    await page.listen()
                    yield page
        finally:
            process.kill()
            await process.communicate()


async def _debugging_port(process: asyncio.subprocess.Process) -> int:
    """Return the port that the browser says it listens on."""
    assert process.stderr is not None
    async with asyncio.timeout(SECONDS):
        async for line in process.stderr:
            if b"DevTools listening on ws://" in line:
                return int(line.split(b"ws://", 1)[1].split(b"/")[0].rsplit(b":", 1)[1])
    raise RuntimeError("Chromium ended before it listened")
