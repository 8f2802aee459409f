"""Everything that fetches pages, joined: the guard, connections, HTTP, robots.txt, and fetches that callers share."""

import asyncio
import random
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import httpx

from concurrency.worker_threads import open_worker
from provider.backoff import backoff
from web_tools.fetching.address_guard import AddressGuard, Network, read_special_networks
from web_tools.fetching.guarded_connections import Resolve, open_session, system_names
from web_tools.fetching.http_fetch import FetchLimits, HttpFetcher
from web_tools.fetching.robots import RobotsRules
from web_tools.fetching.shared_fetches import SharedFetches
from web_tools.pages import PageFetcher
from web_tools.request_slots import Purpose, RequestSlots

# The name under which a robots.txt may speak of this service, and under which it asks.
PRODUCT = "mcp-summarizer"

# Agents that ask again at once do not ask the page's server again.
KEEP_SECONDS = 10.0


# A lookup that hangs holds its thread for half a minute after its caller has gone. Threads are made when they are needed.
NAME_THREADS = 8


def open_tls() -> ssl.SSLContext:
    """Return what HTTPS needs: aiohttp's own is not there, since app.py leaves out the certificates."""
    context = httpx.create_ssl_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


@asynccontextmanager
async def open_fetcher(
    limits: FetchLimits,
    slots: RequestSlots,
    *,
    allowed_networks: Sequence[Network] = (),
    reaches_public: bool = True,
    obey_robots: bool = False,
    user_agent: str = PRODUCT,
    keep_seconds: float = KEEP_SECONDS,
    resolve: Resolve | None = None,
    make_tls: Callable[[], ssl.SSLContext] = open_tls,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    uniform: Callable[[float, float], float] = random.uniform,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[PageFetcher]:
    """Open a PageFetcher; its connections are closed at the end of the block.

    `slots`: one for each fetch under way; pages in `allowed_networks` are read although these are not public, and
    others only if `reaches_public`.
    `resolve`: the system's way to resolve names, where it is not given.
    """
    guard = AddressGuard(read_special_networks(), allowed_networks, reaches_public=reaches_public)

    async def wait_before_retry() -> None:
        await sleep(next(backoff(uniform)))

    async with (
        open_worker(NAME_THREADS, cores=1) as name_worker,
        open_worker(threads=1, cores=1) as worker,
        open_session(
            guard,
            resolve or system_names(name_worker),
            user_agent=user_agent,
            connect_seconds=limits.connect_ms / 1000,
        ) as session,
    ):
        open_http = partial(
            HttpFetcher,
            session,
            limits,
            worker=worker,
            is_public=guard.is_public,
            wait_before_retry=wait_before_retry,
            open_tls=make_tls,
        )
        async with SharedFetches(open_http().fetch, keep_seconds=0) as robots_files:
            robots = RobotsRules(robots_files.fetch, PRODUCT, worker, clock)
            fetcher = open_http(check_url=robots.check if obey_robots else None)

            slot = partial(slots.slot, Purpose.PAGE)
            async with SharedFetches(fetcher.fetch, keep_seconds, slot) as shared:
                yield shared
