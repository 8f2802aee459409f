"""The application: reads the settings, builds each part, owns its start and stop. `python app.py` serves.

Knows nothing of how the parts work inside. From top to bottom: the summarizer with what it needs, the web application
around it, the process.
"""

import os
import sys

if __name__ == "__main__":
    # The imports below take half a second; without this, Ctrl-C during them would print a traceback, as it still does earlier,
    # while Python itself starts and compiles this file.
    try:
        import signal

        signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    except KeyboardInterrupt:
        os._exit(130)
    # aiohttp loads the system's certificates when it is imported, for a client that nothing here uses: 2 MB, and 0.05 s.
    certificates = os.environ.get("SSL_CERT_FILE")
    os.environ["SSL_CERT_FILE"] = os.devnull
    import aiohttp  # noqa: F401 - only imported

    del os.environ["SSL_CERT_FILE"]
    if certificates is not None:
        os.environ["SSL_CERT_FILE"] = certificates

import asyncio
import logging
import time
from argparse import Namespace
from collections import ChainMap, Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from aiohttp import web

import gateway_service
import web_service
from concurrency.worker_threads import Worker, leave_unfinished_work, open_worker
from config import NAME, VERSION, Config, ineffective_settings
from gateway_service import About, OpenGateway
from observability import logs, metric_catalogue, tracing
from observability.log_writer import open_log_writer
from observability.loop_lag import LoopLag
from observability.metric_catalogue import Metrics
from observability.metrics import Family
from protocol.methods import Server
from protocol.subscriptions import Hub
from protocol.tasks import open_tasks
from provider.response_cache import CacheCounts
from settings import sources
from settings.env_file import EnvFileError
from settings.setting import ConfigError
from storage.errors import CannotOpen
from storage.originals import OriginalsBounds
from storage.threaded_store import expiring, open_originals
from summarizer import Summarizer, open_summarizer
from summarizing.offload import THREADS, Offload
from summarizing.text.tokenizer import Tokenizer, VocabularyError, load_tokenizer, read_vocabulary
from tools.definitions import INSTRUCTIONS
from tools.handlers import SummarizerTools
from tools.original_pages import OriginalAccess
from tools.result_summaries import ResultSummaries
from tools.service_parts import ServiceParts
from tools.tool_metrics import MeasuredTools
from transport.auth import Access, Keys, in_url, is_loopback
from transport.endpoint import Endpoint, ServerChooser
from transport.front_page import FrontPage, Tool, read_page_files
from transport.garbage_collection import collecting_garbage
from transport.health import Health
from transport.http_limits import HttpLimits
from transport.metrics_endpoint import Scrape
from transport.process import CANCELLED, OWNER_OF, CannotListen, Listening, prepare_process, serve
from transport.refusals import RefusalLog
from transport.routes import ENDPOINT, FRONT_PAGE, HEALTH, SCRAPE, TIMELINE, add_routes
from transport.timeline_endpoint import TimelineEndpoint
from web_service import WebShare

if TYPE_CHECKING:
    from gateway.server_rules import GatewayConfig
    from llm import ChatModel

ABOUT = About(NAME, VERSION)

END_LISTENERS: web.AppKey[Callable[[], Awaitable[None]]] = web.AppKey("end_listeners")
"""Ends the streams that clients of the gateway keep open."""

logger = logging.getLogger(NAME)

OPEN_WITHOUT_KEY = (
    "anyone who reaches this address may call, and spend what the model costs: set MCP_SUMMARIZER_API_KEYS, "
    "or MCP_SUMMARIZER_HOST=127.0.0.1"
)


def build(config: Config, tokenizer: Tokenizer, gateway: "GatewayConfig | None" = None) -> web.Application:
    """Build the web application, which opens its parts when it starts."""
    # Every request has the limit from here, as `client_max_size`.
    app = web.Application(client_max_size=config.max_body_bytes)
    metrics = Metrics()

    async def drain(app: web.Application) -> None:
        if END_LISTENERS in app:
            await app[END_LISTENERS]()
        app[CANCELLED].update(await app[ENDPOINT].drain(config.shutdown_grace_seconds))

    app[CANCELLED] = Counter()
    app[OWNER_OF] = Keys(config.api_keys).owner_if_known

    parts = partial(open_parts, config=config, tokenizer=tokenizer, metrics=metrics, gateway_config=gateway)
    app.cleanup_ctx.append(parts)
    app.on_shutdown.append(drain)
    gateway_paths = gateway_service.PATHS if gateway else ()
    add_routes(app, metrics.count_response, gateway_paths, has_timeline=gateway is not None)
    return app


@asynccontextmanager
async def open_parts(
    app: web.Application,
    config: Config,
    tokenizer: Tokenizer,
    metrics: Metrics,
    gateway_config: "GatewayConfig | None",
) -> AsyncIterator[None]:
    """Open all parts, and store those that the handlers use in the application."""
    cache_counts = CacheCounts()
    async with (
        open_worker(THREADS) as text_worker,
        # A separate thread: parsing must not queue behind text work.
        open_worker(threads=1) as parse_worker,
        open_model_if_any(config) as model,
        open_summarizer(
            config,
            model,
            offload := Offload(text_worker),
            tokenizer.with_helpers(text_worker.helpers),
            cache_counts=cache_counts,
        ) as summarizer,
        # A separate thread: an SQLite connection stays in one thread, and a disk may be slow.
        open_worker(threads=1) as storage_worker,
        open_original_access(config, storage_worker, offload, tokenizer) as originals,
        web_service.open_web_if_any(config, os.environ, tokenizer, f"{NAME}/{VERSION}", offload) as web_share,
        open_server(
            config,
            summarizer,
            originals,
            ResultSummaries(summarizer, originals, tokenizer, offload, config.summarize_deadline_seconds),
            metrics,
            web_share=web_share,
        ) as server,
        gateway_service.open_gateway_if_any(
            gateway_config,
            config,
            ABOUT,
            os.environ,
            ServiceParts(summarizer, tokenizer, offload, originals, server.tools),
        ) as gateway,
    ):
        endpoint = make_endpoint(config, server, parse_worker, metrics, gateway.choosers if gateway else {})
        parts = OpenParts(endpoint, server, originals, model, cache_counts, gateway, web_share)
        lag, refusals = LoopLag(metrics.lag.observe), RefusalLog()
        put_into(app, config, parts, families_of(config, parts, metrics, lag), refusals)
        with lag.measured(asyncio.get_running_loop()):
            async with collecting_garbage(endpoint, server.tasks):
                yield
        refusals.tell_left_out()


@dataclass(frozen=True, slots=True)
class OpenParts:
    """The open parts that requests reach, and what metrics are read from."""

    endpoint: Endpoint
    server: Server
    originals: OriginalAccess
    model: "ChatModel | None"
    cache_counts: CacheCounts
    gateway: OpenGateway | None
    web_share: WebShare | None


def families_of(config: Config, parts: OpenParts, metrics: Metrics, lag: LoopLag) -> Sequence[Family]:
    """Return all metrics of the service."""
    model, gateway, web_share = parts.model, parts.gateway, parts.web_share
    told = about(config)
    build_info = {name: told[name] or "" for name in ("version", "backend", "model")}
    return metric_catalogue.all_families(
        metrics.families(),
        metric_catalogue.request_metrics(parts.endpoint),
        metric_catalogue.model_metrics(model, parts.cache_counts) if model else (),
        metric_catalogue.task_metrics(parts.server.tasks),
        metric_catalogue.originals_metrics(parts.originals),
        gateway.families if gateway else (),
        web_share.families if web_share else (),
        metric_catalogue.process_metrics(lag, time.time(), build_info),
    )


def put_into(
    app: web.Application, config: Config, parts: OpenParts, families: Sequence[Family], refusals: RefusalLog
) -> None:
    """Store what the handlers use in the application."""
    endpoint, model, gateway = parts.endpoint, parts.model, parts.gateway
    access, keys = endpoint.access, endpoint.keys
    upstreams = gateway.report if gateway else None
    report = {
        **about(config),
        **({"gateway": gateway_service.PATH} if gateway else {}),
        **({"web": parts.web_share.report} if parts.web_share else {}),
    }
    app[ENDPOINT] = endpoint
    app[HEALTH] = Health(report, lambda: model.trouble if model else None, access, keys, upstreams)
    app[SCRAPE] = Scrape(families, access, keys, refusals)
    app[FRONT_PAGE] = FrontPage(
        NAME,
        VERSION,
        [Tool(tool["name"], tool["title"]) for tool in parts.server.tools.describe()],
        keys.required,
        access,
        read_page_files(),
        refusals,
        gateway=gateway_service.PATH if gateway else "",
    )
    if gateway:
        app[TIMELINE] = TimelineEndpoint(gateway.reader, access, keys, endpoint.limits, refusals)
        app[END_LISTENERS] = gateway.end_listeners


@asynccontextmanager
async def open_model_if_any(config: Config) -> "AsyncIterator[ChatModel | None]":
    """Open the model client, if a key is set."""
    if not config.openrouter_api_key:
        yield None
        return
    from llm import open_model  # noqa: PLC0415 - with httpx 4 MB, which a service without a model does not need

    async with open_model(config) as model:
        yield model


@asynccontextmanager
async def open_original_access(
    config: Config, storage_worker: Worker, offload: Offload, tokenizer: Tokenizer
) -> AsyncIterator[OriginalAccess]:
    """Open the store of originals, and delete expired ones until the end of the block. Raises CannotOpen."""
    bounds = OriginalsBounds(config.max_originals_bytes, config.original_ttl_seconds)
    async with (
        open_originals(config.storage_directory, bounds, storage_worker) as originals,
        expiring(originals),
    ):
        yield OriginalAccess(
            originals,
            tokenizer,
            offload,
            config.default_max_output_tokens,
            seconds=config.summarize_deadline_seconds,
        )


@asynccontextmanager
async def open_server(
    config: Config,
    summarizer: Summarizer,
    originals: OriginalAccess,
    results: ResultSummaries,
    metrics: Metrics,
    *,
    web_share: WebShare | None,
) -> AsyncIterator[Server]:
    """Open the MCP server: its tools, tasks and subscriptions."""
    hub = Hub()
    measured = partial(MeasuredTools, metrics=metrics, clock=time.monotonic)
    main_content = web_share.main_content if web_share else None
    own = SummarizerTools(summarizer, originals, results, config.task_content_chars, main_content)
    tools = web_share.joined(own, measured) if web_share else measured(own)
    instructions = INSTRUCTIONS + (web_share.instructions if web_share else "")
    async with open_tasks(config.max_tasks, config.task_ttl_seconds, hub) as tasks:
        yield Server(
            NAME, VERSION, instructions, tools, tasks=tasks, hub=hub, max_batch=config.max_batch_size
        )


def make_endpoint(
    config: Config,
    server: Server,
    parse_worker: Worker,
    metrics: Metrics,
    servers_of_paths: Mapping[str, ServerChooser] | None = None,
) -> Endpoint:
    """Return the endpoint with its limits and access rules."""
    limits = HttpLimits(
        json_depth=config.max_json_depth,
        places=config.max_concurrent_requests,
        waiting=config.max_queued_requests,
        places_per_key=config.max_concurrent_requests_per_key,
        bytes_under_way=config.max_bytes_under_way,
        bytes_kept_free=config.max_body_bytes,
        open_streams=config.max_open_streams,
        body_seconds=config.body_timeout_seconds,
        stall_seconds=config.body_stall_seconds,
        send_seconds=config.send_timeout_seconds,
        ping_seconds=config.ping_seconds,
        call_seconds=config.summarize_deadline_seconds,
    )
    return Endpoint(
        server,
        Access.for_address(config.host, config.allowed_hosts, config.allowed_origins),
        Keys(config.api_keys),
        parse_worker,
        limits,
        observe_wait=metrics.waits.observe,
        servers_of_paths=servers_of_paths or {},
    )


def about(config: Config) -> dict[str, str | None]:
    """Return what GET /health says of the service: name, version, backend, model."""
    model = config.llm_model if config.openrouter_api_key else None
    return {"service": NAME, "version": VERSION, "backend": config.backend, "model": model}


def announce(config: Config, gateway: "GatewayConfig | None", port: int) -> None:
    """Log the URL and the backend, and a warning for each setting that needs attention."""
    origin = f"http://{in_url(config.host)}:{port}"
    extra: dict[str, Any] = {"url": f"{origin}/mcp", "status": "ok", **about(config)}
    if gateway:
        extra |= {"gateway": f"{origin}{gateway_service.PATH}", "servers": list(gateway.servers)}
    if not config.openrouter_api_key:
        extra["note"] = "no OPENROUTER_API_KEY: the embedded summarizer serves; set the key to use a model"
    logger.info("service_started", extra=extra)
    for name, note in ineffective_settings(config).items():
        logger.warning("setting_without_effect", extra={"setting": name, "note": note})
    if not is_loopback(config.host) and not config.api_keys:
        logger.warning("open_without_key", extra={"host": config.host, "note": OPEN_WITHOUT_KEY})


def main() -> int:
    """Serve until SIGTERM or SIGINT; return the exit status."""
    options = sources.read_arguments(sys.argv[1:], f"{NAME} {VERSION}")
    try:
        config, environment, unset = configured(options, os.environ)
        web_service.check(config, os.environ)
        gateway = gateway_service.configured(config, environment)
        tokenizer = load_tokenizer(read_vocabulary())
    except (EnvFileError, ConfigError, VocabularyError) as problem:
        print(f"{NAME}: {problem}", file=sys.stderr)
        return 2
    if options.check_gateway:
        return gateway_service.check_gateway(gateway, ABOUT, config.storage_directory, os.environ, tokenizer)
    if options.accept_tools is not None:
        return gateway_service.accept_tools(NAME, gateway, config.storage_directory, options.accept_tools)
    with open_log_writer(sys.stdout) as lines:
        logs.configure(config.log_format, config.log_level, lines, tracing.log_fields)
        if unset:
            logger.warning("env_file_uses_unset_names", extra={"names": unset, "note": sources.UNSET_NAMES})
        status = run(config, tokenizer, gateway)
    leave_unfinished_work(status)
    return status


def configured(
    options: Namespace, environment: Mapping[str, str]
) -> tuple[Config, Mapping[str, str], tuple[str, ...]]:
    """Return the settings, the environment with what the .env file adds, and the variables that this refers to but that are not set.

    Raises EnvFileError and ConfigError.
    """
    told, file = sources.with_env_file(environment, options.env_file, sources.ENV_FILE)
    defaults = {"LOG_FORMAT": "text"} if sys.stdout.isatty() else {}
    settings = ChainMap(sources.settings_of_arguments(options), dict(told), defaults)
    return Config.from_env(settings, from_file=file.values), told, file.unset


def run(config: Config, tokenizer: Tokenizer, gateway: "GatewayConfig | None") -> int:
    """Serve with these settings; return the exit status."""
    prepare_process()
    try:
        asyncio.run(
            serve(
                build(config, tokenizer, gateway),
                Listening(config.host, config.port, config.max_header_bytes, config.idle_connection_seconds),
                partial(announce, config, gateway),
            )
        )
    except CannotOpen as problem:
        print(f"{NAME}: {problem}", file=sys.stderr)
        return 2
    except CannotListen as problem:
        print(f"{NAME}: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
