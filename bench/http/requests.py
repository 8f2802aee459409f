"""What the contestants are asked: whole HTTP requests as bytes, made before anything is timed, and texts for them."""

import json
import random
from dataclasses import dataclass
from typing import Any

MODERN = "2026-07-28"
LEGACY = "2025-06-18"
# With a port, as clients send it; all take any port of this name.
HOST = "127.0.0.1:8007"
_META = "io.modelcontextprotocol/"

# More than any text here needs, in every unit: so the default target is stated, and nothing else is measured than counting.
FITS_TOKENS = 5_000

_NAMES = [
    "Adeline",
    "Bertram",
    "Cosima",
    "Dagobert",
    "Elfriede",
    "Falko",
    "Gudrun",
    "Hadrian",
    "Isolde",
    "Jorund",
]
_PLACES = [
    "Ashmere",
    "Brackwater",
    "Coldharbour",
    "Dunmarsh",
    "Eastfold",
    "Fennick",
    "Gallowmere",
    "Highbarrow",
]
_THINGS = [
    "boats",
    "barrels of salt",
    "letters from the guild",
    "broken oars",
    "sacks of barley",
    "unpaid debts",
    "lanterns",
    "hives",
]
_DEEDS = ["counted", "sold", "lost", "hid", "bought back", "wrote down", "gave away", "promised"]
_WHYS = (
    "because the harbour had frozen over again",
    "although nobody in the council had asked for it",
    "while the bridge was being rebuilt for the third time",
    "which the chronicle mentions only in passing",
    "and the miller's daughter kept the receipt",
    "so that the toll could be raised before the winter",
)


@dataclass(frozen=True, slots=True)
class Call:
    """One request: its bytes, and what a right answer to it contains."""

    data: bytes
    expected: bytes


def prose(size: int, seed: int = 0) -> str:
    """Return `size` bytes of sentences that all differ, some to the paragraph."""
    chance = random.Random(seed)  # noqa: S311, the same text on every run
    written: list[str] = []
    length = 0
    while length < size:
        sentence = (
            f"In the year {chance.randint(1200, 1999)} {chance.choice(_NAMES)} of {chance.choice(_PLACES)} "
            f"{chance.choice(_DEEDS)} {chance.randint(2, 9999)} {chance.choice(_THINGS)}, {chance.choice(_WHYS)}."
        )
        written.append(sentence + ("\n\n" if chance.random() < 0.2 else " "))
        length += len(written[-1])
    return "".join(written)[:size]


def list_tools(era: str) -> Call:
    """Return `tools/list` of an era."""
    return Call(_post(era, "tools/list", {}), b'"summarize_original"')


def summarize(era: str, content: str, target: int = FITS_TOKENS, **arguments: Any) -> Call:
    """Return a call of `summarize`; the right answer to one that fits has the content's end."""
    params = {
        "name": "summarize",
        "arguments": {"content": content, "max_output_tokens": target, **arguments},
    }
    return Call(_post(era, "tools/call", params), json.dumps(content[-40:])[1:-1].encode())


def get(path: str) -> bytes:
    """Return a GET."""
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


def _post(era: str, method: str, params: dict[str, Any]) -> bytes:
    """Return a POST with the headers that the SDKs' clients send."""
    headers = {
        "Host": HOST,
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "MCP-Protocol-Version": era,
    }
    if era == MODERN:
        params = {**params, "_meta": {f"{_META}protocolVersion": MODERN, f"{_META}clientCapabilities": {}}}
        headers |= {"Mcp-Method": method} | ({"Mcp-Name": params["name"]} if "name" in params else {})
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers["Content-Length"] = str(len(body))
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body
