"""Our own service as a pipeline: built as the application builds it, the guard switched off where that is measured."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.fidelity.measures import GUARD_OFF, OURS, Made
from bench.fidelity.peers import PATIENCE_S, Server
from concurrency.worker_threads import Worker
from config import Config
from llm import open_model
from summarizer import Summarizer, open_summarizer
from summarizing.job import Request
from summarizing.offload import Offload
from summarizing.query import Query
from summarizing.text.tokenizer import Tokenizer


class Ours:
    """The summarizer, called as the tool calls it."""

    def __init__(self, summarizer: Summarizer, name: str) -> None:
        """`name` is what reports say."""
        self.name = name
        self._summarizer = summarizer

    async def summarize(self, text: str, hint: str, target: int) -> Made:
        """Summarize for extraction."""
        summary = await self._summarizer.summarize(Request(text, target, Query(schema_hint=hint)))
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
            "LLM_CONCURRENCY_CEILING": str(server.concurrency),
            "LLM_FIRST_BYTE_TIMEOUT_SECONDS": str(PATIENCE_S),
            "LLM_TOTAL_TIMEOUT_SECONDS": str(PATIENCE_S),
            "SUMMARIZE_DEADLINE_SECONDS": "0",
            # What one run asked would answer the next: each is measured by itself.
            "ANSWER_CACHE_SECONDS": "0",
        }
    )


@asynccontextmanager
async def open_ours(
    server: Server | None, worker: Worker, tokenizer: Tokenizer, *, guard: bool = True
) -> AsyncIterator[Ours]:
    """Open the service's summarizer as the application does, with the guard or without it."""
    config = config_for(server)
    async with (
        open_model(config) as model,
        open_summarizer(config, model, Offload(worker), tokenizer, guard=guard) as summarizer,
    ):
        yield Ours(summarizer, OURS if guard else GUARD_OFF)
