"""The servers that run: opened with a configuration, and changed to another one, which restarts what has changed and nothing else.

Knows nothing of clients and of what is offered to them: gateway.py does.
"""

import asyncio
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

from concurrency.worker_threads import Worker, open_worker
from gateway.definition_watch import DefinitionWatch
from gateway.masking.secret_shapes import GENERATED, generated_rules
from gateway.refresh_tokens import RefreshTokens
from gateway.result_masking import ResultMasking
from gateway.server_rules import GatewayConfig, GatewayServer
from gateway.stored_tools import StoredTools
from gateway.upstream.call_rate import CallRate
from gateway.upstream.call_share import CallShares
from gateway.upstream.error_redaction import Redaction
from gateway.upstream.errors import UpstreamError
from gateway.upstream.oauth import open_tokens
from gateway.upstream.session_connections import SessionConnections, open_session_connections
from gateway.upstream.tool_reader import MaskTools
from gateway.upstream.upstream_server import Upstream, open_upstream
from protocol.messages import Message

# Placeholders differ with every start.
MASKING_KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class ConfigChanges:
    """What another configuration has changed: names of servers."""

    started: tuple[str, ...]
    stopped: tuple[str, ...]
    restarted: tuple[str, ...]
    """Those that are reached otherwise, or whose secrets are masked by other rules."""
    rules: tuple[str, ...]
    """Those that go on running under other rules."""


class RunningServers:
    """The servers by their names, with a thread for each to parse and mask what it sends: one must not hold the others'.

    `configured` and `upstreams` stay the same objects, whatever is configured.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        client: Message,
        watch: DefinitionWatch,
        *,
        clock: Callable[[], float],
        on_list_changed: Callable[[str], None],
        on_resource_updated: Callable[[str, str], None] = lambda server, uri: None,
        storage_directory: str = "",
        places: int = sys.maxsize,
    ) -> None:
        """`environment` is ours; `client` our name and version; `on_list_changed` is told "tools", "prompts" or "resources".

        `storage_directory`: where new refresh tokens and the tools are kept; "" for in memory. `places`: how many requests the service works on at once.
        """
        self.configured: dict[str, GatewayServer] = {}
        """What is configured for each."""
        self.upstreams: dict[str, Upstream] = {}
        """Each one's own connection: its state, its tools, its lists."""
        self.removed: set[str] = set()
        """Servers that were configured before."""
        self._isolated: dict[str, SessionConnections] = {}
        """Of servers where each key, or each session, has a connection of its own."""
        self._workers: dict[str, Worker] = {}
        self._stacks: dict[str, AsyncExitStack] = {}
        self._environment = environment
        self._client = client
        self._watch = watch
        self._clock = clock
        self._on_list_changed = on_list_changed
        self._on_resource_updated = on_resource_updated
        self._changing = asyncio.Lock()
        self._refresh_tokens = RefreshTokens(storage_directory)
        self._storage_directory = storage_directory
        self._shares = CallShares(places)
        rules = generated_rules(GENERATED.read_text("utf-8"))
        self.masking = ResultMasking({}, rules, self._workers, secrets.token_bytes(MASKING_KEY_BYTES))

    async def change_to(self, config: GatewayConfig) -> ConfigChanges:
        """Run what is configured. Raises PatternError for a masking rule that cannot be used: then nothing has changed."""
        async with self._changing:
            changes = self._changes_to(config)
            self.masking.configure(config.servers)
            for name in changes.stopped:
                del self.upstreams[name]
                self._isolated.pop(name, None)
            self.removed = (self.removed | set(changes.stopped)) - set(config.servers)
            self.configured.clear()
            self.configured.update(config.servers)
            # Up to here, and in `_open`, nothing is waited for: each configured name always has an upstream.
            for name in changes.started:
                await self._open(name)
            # Ended first: two processes of one server may want the same file.
            await _closed(self._stacks.pop(name) for name in (*changes.stopped, *changes.restarted))
            for name in changes.restarted:
                self._isolated.pop(name, None)
                await self._open(name)
            in_order = {name: self.upstreams[name] for name in config.servers}
            self.upstreams.clear()
            self.upstreams.update(in_order)
            return changes

    def connection(self, name: str, owner: str, session: str) -> AbstractAsyncContextManager[Upstream]:
        """Return the connection to a server that a key's session uses: the server's own, unless the key or the session has one."""
        if (isolated := self._isolated.get(name)) is not None:
            by_session = self.configured[name].isolation == "session"
            return isolated.of(f"{owner} {session}" if by_session else owner)
        return nullcontext(self.upstreams[name])

    def _changes_to(self, config: GatewayConfig) -> ConfigChanges:
        before, after = self.configured, config.servers
        both = [name for name in before if name in after]
        restarted = tuple(name for name in both if _is_restarted(before[name], after[name]))
        return ConfigChanges(
            started=tuple(name for name in after if name not in before),
            stopped=tuple(name for name in before if name not in after),
            restarted=restarted,
            rules=tuple(name for name in both if name not in restarted and before[name] != after[name]),
        )

    async def _open(self, name: str) -> None:
        server, stack = self.configured[name], AsyncExitStack()
        self._stacks[name] = stack
        worker = await stack.enter_async_context(open_worker(threads=1))
        self._workers[name] = worker
        spec = server.spec
        redaction = Redaction(
            spec, partial(self.masking.text, server=server), lambda: self.masking.longest_known_chars
        )
        stored = StoredTools(self._storage_directory, spec, worker)
        kept = self._refresh_tokens.of(name, spec.auth, worker) if spec.auth else None
        connect = partial(
            open_upstream,
            spec,
            environment=self._environment,
            worker=worker,
            client_info=self._client,
            clock=self._clock,
            redaction=redaction,
            tokens=await stack.enter_async_context(open_tokens(spec.auth, redaction, self._clock, kept)),
            rate=CallRate(spec.max_calls_per_minute, self._clock),
            share=stack.enter_context(self._shares.of_a_server()),
        )
        self.upstreams[name] = await stack.enter_async_context(
            connect(
                mask_tools=self._mask_tools(server, stored),
                kept_tools=partial(self._stored_tools, server, stored),
                on_tools_changed=partial(self._on_list_changed, "tools"),
                on_others_changed=self._on_list_changed,
                on_resource_updated=partial(self._on_resource_updated, name),
            )
        )
        if server.isolation != "shared":
            # Lists are announced, and stored for the next start, by the server's own connection alone.
            isolated = partial(connect, mask_tools=self._mask_tools(server))
            self._isolated[name] = await stack.enter_async_context(
                open_session_connections(name, isolated, clock=self._clock)
            )

    async def _stored_tools(self, server: GatewayServer, stored: StoredTools) -> tuple[Message, ...]:
        """Return the stored tools of a server, masked by what is configured now."""
        try:
            return await self.masking.tools(await stored.read(), server)
        except UpstreamError:
            return ()

    def _mask_tools(self, server: GatewayServer, stored: StoredTools | None = None) -> MaskTools:
        async def masked_and_reviewed(tools: tuple[Message, ...]) -> tuple[Message, ...]:
            """Mask the secrets in definitions; what has changed in them is reported before any is offered."""
            masked = await self.masking.tools(tools, server)
            await self._watch.review(server.spec.name, masked)
            if stored is not None:
                await stored.keep(masked)
            return masked

        return masked_and_reviewed

    async def close(self) -> None:
        """End all, once a change that goes on is done."""
        async with self._changing:
            await _closed(self._stacks.values())


def _is_restarted(before: GatewayServer, after: GatewayServer) -> bool:
    return (before.spec, before.masking, before.isolation) != (after.spec, after.masking, after.isolation)


async def _closed(stacks: Iterable[AsyncExitStack]) -> None:
    """Close all of them at once, and raise at the end what one raises."""
    for result in await asyncio.gather(*(stack.aclose() for stack in stacks), return_exceptions=True):
        if isinstance(result, BaseException):
            raise result


@asynccontextmanager
async def open_servers(
    config: GatewayConfig,
    environment: Mapping[str, str],
    client: Message,
    watch: DefinitionWatch,
    *,
    clock: Callable[[], float] = time.monotonic,
    on_list_changed: Callable[[str], None] = lambda kind: None,
    on_resource_updated: Callable[[str, str], None] = lambda server, uri: None,
    storage_directory: str = "",
    places: int = sys.maxsize,
) -> AsyncIterator[RunningServers]:
    """Open every server at once; they start in the background, and are ended with the block.

    Raises PatternError for a masking rule that cannot be used.
    """
    running = RunningServers(
        environment,
        client,
        watch,
        clock=clock,
        on_list_changed=on_list_changed,
        on_resource_updated=on_resource_updated,
        storage_directory=storage_directory,
        places=places,
    )
    try:
        await running.change_to(config)
        yield running
    finally:
        await running.close()
