"""Our own service as a pipeline: built as the application builds it, the guard switched off where that is measured."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import app
from bench.evaluation.measures import GUARD_OFF, OURS, Made
from bench.evaluation.peers import PATIENCE_S, Server
from config import Config
from job import Task
from prompting import Brief, Prompts
from summarizer import Settings, Summarizer, Worker
from tokens import Tokenizer


class Ours:
    """The summarizer, called as the tool calls it."""

    def __init__(self, summarizer: Summarizer, name: str) -> None:
        """`name` is what reports say."""
        self.name = name
        self._summarizer = summarizer

    async def summarize(self, text: str, hint: str, target: int) -> Made:
        """Summarize for extraction."""
        summary = await self._summarizer.summarize(Task(text, target, Brief(schema_hint=hint)))
        outcome = summary.outcome
        note = "" if outcome.status == "summarized" else f"{outcome.status}: {outcome.reason}"
        return Made(summary.text, outcome.facts, note)


def config_for(server: Server | None) -> Config:
    """Return the configuration of a service that asks a server; None: of one without a model."""
    if server is None:
        return Config.from_env({})
    return Config.from_env(
        {
            "OPENROUTER_API_KEY": "none",
            "OPENROUTER_BASE_URL": server.url,
            "LLM_MODEL": server.model,
            "LLM_CONTEXT_TOKENS": str(server.context),
            "DEFAULT_CHUNK_SIZE_TOKENS": str(server.chunk_size),
            "DEFAULT_CHUNK_OVERLAP_TOKENS": str(server.overlap),
            "MAX_CONCURRENT_LLM_CALLS": str(server.concurrency),
            "LLM_FIRST_BYTE_TIMEOUT_SECONDS": str(PATIENCE_S),
            "LLM_TOTAL_TIMEOUT_SECONDS": str(PATIENCE_S),
        }
    )


@asynccontextmanager
async def open_ours(
    server: Server | None, worker: Worker, tokenizer: Tokenizer, *, guard: bool = True
) -> AsyncIterator[Ours]:
    """Open the service's summarizer as the application does, with the guard or without it."""
    config = config_for(server)
    settings = Settings(
        chunk_size=config.default_chunk_size_tokens,
        overlap=config.default_chunk_overlap_tokens,
        default_target=config.default_max_output_tokens,
        context=config.llm_context_tokens,
        concurrency=config.max_concurrent_llm_calls,
        on_failure=config.on_failure,
    )
    clock: Callable[[], float] = time.monotonic
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(app.open_model(config)) if server else None
        yield Ours(
            Summarizer(
                settings=replace(settings, guard=guard),
                tokenizer=tokenizer,
                prompts=Prompts.load(),
                model=model,
                worker=worker,
                clock=clock,
            ),
            OURS if guard else GUARD_OFF,
        )
