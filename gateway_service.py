"""The gateway as a part of the application: reads its configuration, opens it with its timeline, chooses the server of a request.

Joins the optional package gateway/ with the rest, as app.py joins the other parts; it is imported only where it is switched on.
"""

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from aiohttp import web

from concurrency.worker_threads import open_worker
from config import Config
from observability import metric_catalogue
from observability.metrics import Family
from protocol.methods import Server
from settings.setting import ConfigError
from summarizing.text.tokenizer import Tokenizer
from tools.service_parts import ServiceParts
from transport.endpoint import ServerChooser
from transport.refusals import Refusal

if TYPE_CHECKING:
    from gateway.gateway import Gateway
    from gateway.server_rules import GatewayConfig, Isolation
    from gateway.timeline.reading import TimelineReader

PATH = "/gateway/mcp"
# As for /mcp: some clients end a URL with a slash.
PATHS = (PATH, f"{PATH}/")


@dataclass(frozen=True)
class About:
    """The name and the version of the service, as other servers get them."""

    name: str
    version: str


@dataclass(frozen=True)
class OpenGateway:
    """An open gateway, as the application uses it."""

    gateway: "Gateway"
    reader: "TimelineReader | None"
    """None where there is no timeline."""
    families: Sequence[Family]

    @property
    def choosers(self) -> dict[str, ServerChooser]:
        """What chooses the server of a request, by the path."""
        return dict.fromkeys(PATHS, partial(choose_server, self.gateway))

    def report(self) -> Mapping[str, Any]:
        """Return what GET /health says of each server."""
        return self.gateway.report()

    async def end_listeners(self) -> None:
        """End the streams of the timeline, and of clients who wait for changes, as the service stops."""
        self.gateway.end_listeners()
        if self.reader:
            await self.reader.end_listeners()


@asynccontextmanager
async def open_gateway_if_any(
    config: "GatewayConfig | None",
    settings: Config,
    about: About,
    environment: Mapping[str, str],
    service: ServiceParts,
) -> AsyncIterator[OpenGateway | None]:
    """Open the gateway, if one is configured. `environment` is ours: a few of its variables are given to servers that are started.

    Raises ConfigError for a masking rule that cannot be used, and CannotOpen.
    """
    if config is None:
        yield None
        return
    async with _open_gateway(config, settings, about, environment, service) as gateway:
        yield gateway


@asynccontextmanager
async def _open_gateway(
    config: "GatewayConfig",
    settings: Config,
    about: About,
    environment: Mapping[str, str],
    service: ServiceParts,
) -> AsyncIterator[OpenGateway]:
    """Open the gateway and its timeline."""
    from gateway import reloading  # noqa: PLC0415 - an optional package: what is not switched on is not loaded
    from gateway.gateway import open_gateway  # noqa: PLC0415 - as above
    from gateway.server_cache import GatewayParts  # noqa: PLC0415
    from gateway.timeline.listeners import Listeners  # noqa: PLC0415
    from gateway.timeline.reading import TimelineReader  # noqa: PLC0415
    from gateway.timeline.recorder_dependencies import TimelineParts  # noqa: PLC0415
    from gateway.timeline.threaded_timeline import open_timeline  # noqa: PLC0415
    from gateway.timeline.timeline import TimelineBounds, new_event_id  # noqa: PLC0415

    listeners = Listeners()
    metrics = metric_catalogue.GatewayMetrics(config.servers)
    bounds = TimelineBounds(settings.max_timeline_bytes, settings.timeline_ttl_seconds)
    async with (
        # A thread of its own, as for originals: an SQLite connection stays in one thread.
        open_worker(threads=1) as worker,
        open_timeline(settings.storage_directory, bounds, worker) as timeline,
        open_gateway(
            config,
            GatewayParts(
                service=service,
                name=about.name,
                version=about.version,
                max_batch=settings.max_batch_size,
                places=settings.max_concurrent_requests,
                storage_directory=settings.storage_directory,
                timeline=TimelineParts(timeline, listeners, worker, metrics, time.time, new_event_id),
            ),
            environment,
        ) as gateway,
        reloading.reloading_on_hangup(gateway, partial(_read_config, settings, config.variables)),
    ):
        recorder = gateway.recorder
        read = metric_catalogue.gateway_metrics(
            lambda: gateway.masked_secrets, lambda: recorder.dropped, lambda: listeners.count
        )
        reader = TimelineReader(timeline, listeners, lambda: recorder.dropped) if timeline else None
        yield OpenGateway(gateway, reader, [*metrics.families(), *read])


async def choose_server(gateway: "Gateway", request: web.Request) -> Server:
    """Return the MCP server of the servers that a request chooses. Raises Refusal."""
    from gateway.server_selection import SelectionError  # noqa: PLC0415 - as above

    try:
        return await gateway.server_for(request.query, request.headers)
    except SelectionError as problem:
        raise Refusal(HTTPStatus.BAD_REQUEST, str(problem)) from None


def configured(config: Config, environment: Mapping[str, str]) -> "GatewayConfig | None":
    """Return the gateway's configuration, if there is one; `environment`, with `.env`, has its variables. Raises ConfigError."""
    return _read_config(config, environment) if config.mcp_gateway_config else None


def _read_config(config: Config, environment: Mapping[str, str]) -> "GatewayConfig":
    """Return what the gateway's file says. Raises ConfigError."""
    from gateway.config_file import open_config_file  # noqa: PLC0415 - as above
    from gateway.result_masking import check_masking  # noqa: PLC0415

    # One caller shares its connections with nobody.
    isolation: Isolation = "key" if len(config.api_keys) > 1 else "shared"
    gateway = open_config_file(config.mcp_gateway_config, environment, isolation=isolation)
    try:
        check_masking(gateway.servers)
    except ConfigError as problem:
        raise ConfigError(f"MCP_GATEWAY_CONFIG: {config.mcp_gateway_config}: {problem}") from None
    return gateway


def check_gateway(
    config: "GatewayConfig | None",
    about: About,
    storage_directory: str,
    environment: Mapping[str, str],
    tokenizer: Tokenizer,
) -> int:
    """Start the gateway's servers once and print how they are; return 0 if all are ready, else 1, and 2 without a configuration."""
    if config is None:
        print(
            f"{about.name}: --check-gateway: expected MCP_GATEWAY_CONFIG to name a file, it is not set",
            file=sys.stderr,
        )
        return 2
    from gateway import configuration_check, definition_watch, running_servers  # noqa: PLC0415 - as above

    async def checked(config: "GatewayConfig") -> tuple[str, bool]:
        client = {"name": about.name, "version": about.version}
        async with (
            definition_watch.open_watch(storage_directory) as watch,
            running_servers.open_servers(config, environment, client, watch) as running,
        ):
            return await configuration_check.checked(config, running.upstreams, tokenizer, watch)

    logging.getLogger("gateway").addHandler(logging.NullHandler())  # the table says what the log would
    said, is_good = asyncio.run(checked(config))
    print(said)
    return 0 if is_good else 1


def accept_tools(
    name: str, config: "GatewayConfig | None", storage_directory: str, servers: Sequence[str]
) -> int:
    """Accept the changed definitions of the tools of some servers, none: of all, and print them.

    Returns 0, and 2 where nothing is kept or a server is unknown.
    """
    if not storage_directory:
        print(
            f"{name}: --accept-tools: expected STORAGE_DIRECTORY to name a directory, it is not set",
            file=sys.stderr,
        )
        return 2
    from gateway.definition_watch import accept_changed  # noqa: PLC0415 - an optional package

    try:
        accepted = accept_changed(storage_directory, servers, config.servers if config else ())
    except (OSError, ValueError) as problem:
        print(f"{name}: --accept-tools: {problem}", file=sys.stderr)
        return 2
    print("\n".join(f"{server}: {tool} accepted" for server, tool in accepted) or "no tool has changed")
    return 0
