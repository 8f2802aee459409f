"""How a client here is told what to do, and how it tells what it saw; order.mjs is the same in the other language.

The order is one JSON object, the last argument: `url`, `mode` (the era to ask for, where the client has a choice),
`content`, and, if it is wanted, `key` (sent as a bearer token) and `held` (a text whose summary the client is to give up).

The client does what clients do, and prints what it saw as one line of JSON. If there is a text `held`, it calls again
with that, gives the call up when a line comes on stdin, says so in a second line, and stays until stdin ends.
"""

import asyncio
import json
import sys
from collections.abc import Coroutine
from typing import Any

Order = dict[str, str]

# Few enough that the text must be cut and merged, so that there is progress to hear of.
MAX_OUTPUT_TOKENS = 200


def read() -> Order:
    """Return the order that this process was started with."""
    order: Order = json.loads(sys.argv[-1])
    return order


def arguments(content: str) -> dict[str, Any]:
    """Return what the tools are called with."""
    return {"content": content, "max_output_tokens": MAX_OUTPUT_TOKENS}


def headers(order: Order) -> dict[str, str]:
    """Return the headers that carry the key, if there is one."""
    return {"Authorization": f"Bearer {order['key']}"} if "key" in order else {}


def say(**seen: Any) -> None:
    """Print one line of what was seen."""
    sys.stdout.write(json.dumps(seen) + "\n")
    sys.stdout.flush()


async def give_up(call: Coroutine[Any, Any, Any]) -> None:
    """Make a call, give it up when a line comes on stdin, say so, and return when stdin ends."""
    calling = asyncio.create_task(call)
    await asyncio.to_thread(sys.stdin.readline)
    calling.cancel()
    await asyncio.wait([calling])
    say(given_up=calling.cancelled())
    await asyncio.to_thread(sys.stdin.read)
