"""The application: reads the settings, builds each part, owns its start and stop. `python app.py` serves.

Knows nothing of how the parts work inside. From top to bottom: the summarizer with what it needs, the web application
around it, the process.
"""

import os
import signal
import sys

if __name__ == "__main__":
    # The imports below take half a second, and Ctrl-C in the middle of one would show its traceback.
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))

import asyncio
import gc
import logging
import time
from argparse import Namespace
from collections import ChainMap, Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

from aiohttp import web

from concurrency.worker_threads import Worker, leave_unfinished_work, open_worker
from config import INEFFECTIVE_NOTE, Config, ConfigError, ineffective_settings
from llm import ChatModel
from observability import logs, metric_catalogue, tracing
from observability.log_writer import open_log_writer
from observability.loop_lag import LoopLag
from observability.metric_catalogue import Metrics
from protocol.methods import Server
from protocol.subscriptions import Hub
from protocol.tasks import TaskStore
from provider.response_cache import CacheCounts
from settings import startup
from settings.env_file import EnvFileError
from storage.originals import Originals, OriginalsBounds, open_originals
from storage.sqlite_file import CannotOpen
from summarizer import Summarizer, open_summarizer
from summarizing.offload import THREADS, Offload
from summarizing.text.tokenizer import Tokenizer, VocabularyError, load_tokenizer, read_vocabulary
from tools.definitions import INSTRUCTIONS, TOOLS
from tools.handlers import SummarizerTools
from tools.measured import MeasuredTools
from tools.original_pages import OriginalAccess
from transport.auth import Access, Keys, in_url, is_loopback
from transport.endpoint import Endpoint, HttpLimits
from transport.front_page import FrontPage, Tool
from transport.garbage_collection import LOOK_EVERY_SECONDS, FullCollections
from transport.health import Health
from transport.metrics_endpoint import Scrape, counted
from transport.process import (
    CANCELLED,
    CannotListen,
    Listening,
    allow_connections,
    calm_garbage_collector,
    give_memory_back,
    let_the_event_loop_in,
    serve,
)

NAME = "mcp-summarizer"
VERSION = "0.1.0"

logger = logging.getLogger(NAME)

# A task lives for an hour, an original for a day; a minute more does not matter.
FORGET_EVERY_SECONDS = 60.0

OFFERED = tuple(Tool(tool["name"], tool["title"]) for tool in TOOLS)

OPEN_WITHOUT_KEY = (
    "whoever reaches this address may call, and spend what the model costs: set MCP_SUMMARIZER_API_KEYS, "
    "or MCP_SUMMARIZER_HOST=127.0.0.1"
)


def build(config: Config, tokenizer: Tokenizer) -> web.Application:
    """Build the web application: POST /mcp; GET /health, /metrics, / and /readme."""
    app = web.Application(client_max_size=config.max_body_bytes)
    counts = Metrics()
    models: list[ChatModel] = []

    async def parts(app: web.Application) -> AsyncIterator[None]:
        async with open_parts(app, config, tokenizer, counts, models):
            yield

    async def handle_mcp(request: web.Request) -> web.StreamResponse:
        return await request.app[ENDPOINT].handle(request)

    async def handle_page(request: web.Request) -> web.StreamResponse:
        page = request.app[FRONT_PAGE]
        return await (page.handle if request.path == "/" else page.handle_readme)(request)

    async def handle_metrics(request: web.Request) -> web.Response:
        return await request.app[SCRAPE].handle(request)

    async def drain(app: web.Application) -> None:
        app[CANCELLED].update(await app[ENDPOINT].drain(config.shutdown_grace_seconds))

    app[CANCELLED] = Counter()

    app.cleanup_ctx.append(parts)
    app.on_shutdown.append(drain)
    for path in ("/mcp", "/mcp/"):
        app.router.add_route("*", path, counted(handle_mcp, counts.count_response))
    health = Health(about(config), lambda: next((model.trouble for model in models), None))
    app.router.add_get("/health", health.handle)
    app.router.add_get("/metrics", handle_metrics)
    for path in ("/", "/readme"):
        app.router.add_get(path, handle_page)
    return app


@asynccontextmanager
async def open_parts(
    app: web.Application,
    config: Config,
    tokenizer: Tokenizer,
    counts: Metrics,
    models: list[ChatModel],
) -> AsyncIterator[None]:
    """Open all that answers requests, and give the application what its handlers need; `models` is given the model."""
    cache_counts = CacheCounts()
    async with (
        open_worker(THREADS) as worker,
        # Of its own: a large request must be read, and its client told that it is, while others are worked on.
        open_worker(threads=1) as parser,
        open_summarizer(
            config,
            offload := Offload(worker),
            tokenizer.beside(worker.helpers),
            on_model=models.append,
            cache_counts=cache_counts,
        ) as summarizer,
        # Of its own: SQLite's connection stays in one thread, and a disk may be slow.
        open_worker(threads=1) as keeper,
        open_original_access(config, keeper, offload, tokenizer) as originals,
        open_server(config, summarizer, originals, counts) as server,
    ):
        app[ENDPOINT] = endpoint = make_endpoint(config, server, parser, counts)
        lag = LoopLag(counts.lag.observe)
        families = metric_catalogue.all_families(
            counts.families(),
            metric_catalogue.request_metrics(endpoint),
            *(metric_catalogue.model_metrics(model, cache_counts) for model in models),
            metric_catalogue.task_metrics(server.tasks),
            metric_catalogue.originals_metrics(originals),
            metric_catalogue.process_metrics(lag, time.time(), build_info(config)),
        )
        app[SCRAPE] = Scrape(families, endpoint.access, endpoint.keys)
        app[FRONT_PAGE] = FrontPage(NAME, VERSION, OFFERED, endpoint.keys.required, endpoint.access)
        with lag.measured(asyncio.get_running_loop()):
            async with collected(endpoint, server.tasks):
                yield


@asynccontextmanager
async def open_original_access(
    config: Config, keeper: Worker, offload: Offload, tokenizer: Tokenizer
) -> AsyncIterator[OriginalAccess]:
    """Open the store of originals; forget those that nobody reads, and close it after. Raises CannotOpen."""
    bounds = OriginalsBounds(config.max_originals_bytes, config.original_ttl_seconds)
    async with open_originals(config.data_directory, bounds, keeper) as originals:
        forgetting = asyncio.create_task(_forget_originals(originals))
        try:
            yield OriginalAccess(
                originals,
                tokenizer,
                offload,
                config.default_max_output_tokens,
                seconds=config.summarize_deadline_seconds,
            )
        finally:
            forgetting.cancel()


@asynccontextmanager
async def open_server(
    config: Config, summarizer: Summarizer, originals: OriginalAccess, counts: Metrics
) -> AsyncIterator[Server]:
    """Open what MCP clients see, with its tasks."""
    hub = Hub()
    tools = MeasuredTools(
        SummarizerTools(summarizer, originals, config.task_content_chars), counts, time.monotonic
    )
    async with open_tasks(config, hub) as tasks:
        yield Server(
            NAME, VERSION, INSTRUCTIONS, tools, tasks=tasks, hub=hub, max_batch=config.max_batch_size
        )


@asynccontextmanager
async def open_tasks(config: Config, hub: Hub) -> AsyncIterator[TaskStore | None]:
    """Open the tasks, where there are to be any; forget those that nobody asks about, and stop all of them after."""
    if config.max_tasks == 0:
        yield None
        return
    tasks = TaskStore(config.max_tasks, config.task_ttl_seconds, hub)
    forgetting = asyncio.create_task(_forget(tasks))
    try:
        yield tasks
    finally:
        forgetting.cancel()
        for work in tasks.running():
            work.cancel()


@asynccontextmanager
async def collected(endpoint: Endpoint, tasks: TaskStore | None) -> AsyncIterator[None]:
    """Let full garbage collections run, beside those that Python itself begins."""
    collections = FullCollections(metric_catalogue.memory_in_use, gc.collect)
    looking = asyncio.create_task(_look(collections, endpoint, tasks))
    try:
        yield
    finally:
        looking.cancel()


async def _look(collections: FullCollections, endpoint: Endpoint, tasks: TaskStore | None) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        works = tasks is not None and next(tasks.running(), None) is not None
        collections.look(is_idle=endpoint.load.is_idle and not works)


async def _forget(store: TaskStore) -> None:
    # The store does so whenever it is used; this is for the last results of a service that nobody calls any more.
    while True:
        await asyncio.sleep(FORGET_EVERY_SECONDS)
        store.expire()


async def _forget_originals(originals: Originals) -> None:
    # As with tasks; and a service that has been away for longer than they live forgets them at its start.
    while True:
        await originals.expire()
        await asyncio.sleep(FORGET_EVERY_SECONDS)


def make_endpoint(config: Config, server: Server, parser: Worker, counts: Metrics) -> Endpoint:
    """Return the endpoint that serves over HTTP."""
    limits = HttpLimits(
        json_depth=config.max_json_depth,
        places=config.max_concurrent_requests,
        waiting=config.max_queued_requests,
        places_per_key=config.max_concurrent_requests_per_key,
        bytes_under_way=config.max_bytes_under_way,
        body_bytes=config.max_body_bytes,
        open_streams=config.max_open_streams,
        body_seconds=config.body_timeout_seconds,
        send_seconds=config.send_timeout_seconds,
        ping_seconds=config.ping_seconds,
        call_seconds=config.summarize_deadline_seconds,
    )
    access = Access.for_address(config.host, config.allowed_hosts, config.allowed_origins)
    return Endpoint(server, access, Keys(config.api_keys), parser, limits, waited=counts.waits.observe)


ENDPOINT = web.AppKey("endpoint", Endpoint)
SCRAPE = web.AppKey("scrape", Scrape)
FRONT_PAGE = web.AppKey("front_page", FrontPage)


def about(config: Config) -> dict[str, str | None]:
    """Say what serves."""
    model = config.llm_model if config.openrouter_api_key else None
    return {"service": NAME, "version": VERSION, "backend": config.backend, "model": model}


def build_info(config: Config) -> dict[str, str]:
    """Say what serves, as labels."""
    said = about(config)
    return {name: said[name] or "" for name in ("version", "backend", "model")}


def announce(config: Config, port: int) -> None:
    """Say in one line where the service is and what summarizes."""
    extra: dict[str, str | None] = {
        "url": f"http://{in_url(config.host)}:{port}/mcp",
        "status": "ok",
        **about(config),
    }
    if not config.openrouter_api_key:
        extra["note"] = "no OPENROUTER_API_KEY: the embedded summarizer serves; set the key to use a model"
    logger.info("service_started", extra=extra)
    for name in ineffective_settings(config):
        logger.warning("setting_without_effect", extra={"setting": name, "note": INEFFECTIVE_NOTE})
    if not is_loopback(config.host) and not config.api_keys:
        logger.warning("open_without_key", extra={"host": config.host, "note": OPEN_WITHOUT_KEY})


def main() -> int:
    """Serve until SIGTERM or SIGINT; return the exit status."""
    options = startup.read_arguments(sys.argv[1:], f"{NAME} {VERSION}")
    try:
        config, unset = configured(options, os.environ)
        tokenizer = load_tokenizer(read_vocabulary())
    except (EnvFileError, ConfigError, VocabularyError) as problem:
        print(f"{NAME}: {problem}", file=sys.stderr)
        return 2
    with open_log_writer(sys.stdout) as lines:
        logs.configure(config.log_format, config.log_level, lines, tracing.log_fields)
        if unset:
            logger.warning("env_file_uses_unset_names", extra={"names": unset, "note": startup.UNSET_NAMES})
        status = run(config, tokenizer)
    leave_unfinished_work(status)
    return status


def configured(options: Namespace, environment: Mapping[str, str]) -> tuple[Config, tuple[str, ...]]:
    """Return the settings, and the names that the file with settings uses but nothing sets.

    Raises EnvFileError and ConfigError.
    """
    told, unset = startup.with_env_file(environment, options.env_file, startup.ENV_FILE)
    defaults = {"LOG_FORMAT": "text"} if sys.stdout.isatty() else {}
    return Config.from_env(ChainMap(startup.settings_of_arguments(options), dict(told), defaults)), unset


def run(config: Config, tokenizer: Tokenizer) -> int:
    """Serve with these settings; return the exit status."""
    calm_garbage_collector()
    give_memory_back()
    let_the_event_loop_in()
    allow_connections()
    try:
        asyncio.run(
            serve(
                build(config, tokenizer),
                Listening(config.host, config.port, config.max_header_bytes, config.idle_connection_seconds),
                partial(announce, config),
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
