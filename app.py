"""The application: reads the settings, builds each part, owns its start and stop. `python app.py` serves.

Knows nothing of how the parts work inside. From top to bottom: the summarizer with what it needs, the web application
around it, the process.
"""

import asyncio
import logging
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import httpx
from aiohttp import web

import telemetry
import tokens
from config import Config, ConfigError
from llm import ChatModel, Limits
from mcp_http import Access, Endpoint, in_url
from mcp_protocol import Server
from prompting import Prompts
from serving import CannotListen, calm_garbage_collector, leave_unfinished_work, open_worker, serve
from summarizer import Settings, Summarizer, Worker
from tools import INSTRUCTIONS, Tools

NAME = "mcp-summarizer"
VERSION = "0.1.0"

logger = logging.getLogger(NAME)


@asynccontextmanager
async def open_summarizer(
    config: Config, worker: Worker, tokenizer: tokens.Tokenizer
) -> AsyncIterator[Summarizer]:
    """Open the summarizer with its model, or without where no key is set; close the model's connections after."""
    settings = Settings(
        chunk_size=config.default_chunk_size_tokens,
        overlap=config.default_chunk_overlap_tokens,
        default_target=config.default_max_output_tokens,
        context=config.llm_context_tokens,
        concurrency=config.max_concurrent_llm_calls,
        on_failure=config.on_failure,
    )
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(open_model(config)) if config.openrouter_api_key else None
        yield Summarizer(
            settings=settings,
            tokenizer=tokenizer,
            prompts=Prompts.load(),
            model=model,
            worker=worker,
            clock=time.monotonic,
        )


@asynccontextmanager
async def open_model(config: Config) -> AsyncIterator[ChatModel]:
    """Open the model client and close its connections after."""
    timeout = httpx.Timeout(None, connect=config.llm_connect_timeout_seconds)
    connections = httpx.Limits(max_connections=config.max_concurrent_llm_calls)
    limits = Limits(
        silence=config.llm_first_byte_timeout_seconds,
        total=config.llm_total_timeout_seconds,
        retry_after_max=config.llm_retry_after_max_seconds,
        concurrency=config.max_concurrent_llm_calls,
    )
    async with httpx.AsyncClient(timeout=timeout, limits=connections) as http:
        yield ChatModel(http, config.openrouter_base_url, config.llm_model, config.openrouter_api_key, limits)


def build(config: Config, tokenizer: tokens.Tokenizer) -> web.Application:
    """Build the web application: POST /mcp and GET /health."""
    app = web.Application(client_max_size=config.max_body_bytes)

    async def parts(app: web.Application) -> AsyncIterator[None]:
        async with open_worker() as worker, open_summarizer(config, worker, tokenizer) as summarizer:
            server = Server(NAME, VERSION, INSTRUCTIONS, Tools(summarizer))
            access = Access.for_address(config.host, config.allowed_hosts, config.allowed_origins)
            app[ENDPOINT] = Endpoint(server, access, worker)
            yield

    async def handle_mcp(request: web.Request) -> web.StreamResponse:
        return await request.app[ENDPOINT].handle(request)

    async def handle_health(request: web.Request) -> web.Response:
        return web.json_response(health(config))

    async def drain(app: web.Application) -> None:
        await app[ENDPOINT].drain(config.shutdown_grace_seconds)

    app.cleanup_ctx.append(parts)
    app.on_shutdown.append(drain)
    for path in ("/mcp", "/mcp/"):
        app.router.add_route("*", path, handle_mcp)
    app.router.add_get("/health", handle_health)
    return app


ENDPOINT = web.AppKey("endpoint", Endpoint)


def health(config: Config) -> dict[str, str | None]:
    """Say what serves: GET /health answers this at any load, and asks nobody."""
    model = config.llm_model if config.openrouter_api_key else None
    return {"status": "ok", "service": NAME, "version": VERSION, "backend": config.backend, "model": model}


def announce(config: Config, port: int) -> None:
    """Say in one line where the service is and what summarizes."""
    extra: dict[str, str | None] = {"url": f"http://{in_url(config.host)}:{port}/mcp", **health(config)}
    if not config.openrouter_api_key:
        extra["note"] = "no OPENROUTER_API_KEY: the embedded summarizer serves; set the key to use a model"
    logger.info("service_started", extra=extra)


def main() -> int:
    """Serve until SIGTERM or SIGINT; return the exit status."""
    try:
        config = Config.from_env(os.environ)
        tokenizer = tokens.load(tokens.read_vocabulary())
    except (ConfigError, tokens.VocabularyError) as problem:
        print(f"{NAME}: {problem}", file=sys.stderr)
        return 2
    telemetry.set_up(config.log_format, config.log_level, sys.stdout)
    calm_garbage_collector()
    try:
        asyncio.run(serve(build(config, tokenizer), config.host, config.port, partial(announce, config)))
    except CannotListen as problem:
        print(f"{NAME}: {problem}", file=sys.stderr)
        return 1
    leave_unfinished_work(0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
