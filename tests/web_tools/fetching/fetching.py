"""What the tests of fetching share: a fetcher that may read 127.0.0.1, with its waits and random numbers replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any

from web_tools.fetching.http_fetch import FetchLimits
from web_tools.fetching.page_fetcher import open_fetcher
from web_tools.pages import PageFetcher
from web_tools.request_slots import RequestSlots

LIMITS = FetchLimits(timeout_ms=20_000, max_page_bytes=20 * 1024 * 1024)

THE_SITE = (ip_network("127.0.0.1"),)


@dataclass
class Names:
    """Resolves names as a test says, and never asks the system: a name has a list of addresses for each time that it is resolved.

    The last list repeats. A name that is not there has no address.
    """

    addresses: Mapping[str, Sequence[Sequence[str]]]
    resolved: list[str] = field(default_factory=list)

    async def __call__(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        known = self.addresses.get(host, [[]])
        return known[min(self.resolved.count(host), len(known)) - 1]


@asynccontextmanager
async def fetching(limits: FetchLimits = LIMITS, **changes: Any) -> AsyncIterator[PageFetcher]:
    """Open a fetcher that keeps nothing, and does not wait before a retry."""
    options: dict[str, Any] = {"allowed_networks": THE_SITE, "keep_seconds": 0, "sleep": _no_wait}
    slots = changes.pop("slots", None) or RequestSlots(2, limits.timeout_ms)
    async with open_fetcher(limits, slots, **(options | changes)) as fetcher:
        yield fetcher


async def _no_wait(seconds: float) -> None:
    await asyncio.sleep(0)
