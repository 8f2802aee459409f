"""What this service is compared with: LangChain's map-reduce, the first design.

Each gets the same content, hint, target, model and chunk size as ours, and what it needs to do its best with them. The
peers are installed in this evaluation's environment alone and imported by name.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import httpx

from bench.fidelity import first_design
from bench.fidelity.measures import FIRST_DESIGN, LANGCHAIN, Made
from summarizing.text.tokenizer import Tokenizer

# A slow model of one's own on two cores.
PATIENCE_S = 1_800.0

# Calls at once: the service's default.
CONCURRENCY = 5

# What the first design does before it gives up.
ATTEMPTS = 3

WORDS_PER_TOKEN = 0.75


@dataclass(frozen=True, slots=True)
class Server:
    """The model that every pipeline asks, and how much it is given at once; sizes in tokens."""

    url: str
    model: str = "stand-in"
    context: int = 128_000
    chunk_size: int = 8_000
    overlap: int = 500
    concurrency: int = CONCURRENCY


class Pipeline(Protocol):
    """Anything that makes a summary with a model."""

    name: str

    async def summarize(self, text: str, hint: str, target: int) -> Made:
        """Summarize a text for a hint in at most a target's tokens."""
        ...


# --- LangChain -------------------------------------------------------------------------------------------------


class LangChain:
    """LangChain's map-reduce chain, its own prompts but for the length and the hint, which its users write in."""

    name = LANGCHAIN

    def __init__(self, server: Server, tokenizer: Tokenizer) -> None:
        """Import what is needed; `tokenizer` counts in place of the one that would be downloaded."""
        self._server = server
        self._count = tokenizer.count
        self._chat = import_module("langchain_openai").ChatOpenAI
        self._load = import_module("langchain_classic.chains.summarize").load_summarize_chain
        self._template = import_module("langchain_core.prompts").PromptTemplate
        self._document = import_module("langchain_core.documents").Document
        self._splitter = import_module("langchain_text_splitters").RecursiveCharacterTextSplitter(
            chunk_size=server.chunk_size, chunk_overlap=0, length_function=tokenizer.count
        )

    async def summarize(self, text: str, hint: str, target: int) -> Made:
        """Run the chain once."""
        documents = [self._document(page_content=piece) for piece in self._splitter.split_text(text)]
        chain = self._load(
            self._model(target),
            chain_type="map_reduce",
            map_prompt=self._prompt(hint, max(target // len(documents), 1)),
            combine_prompt=self._prompt(hint, target),
            # What it collapses to before it combines: its default would throw away what a larger target can hold.
            token_max=max(self._server.chunk_size, target),
        )
        # The chain's callers, not its steps, say how many calls run at once.
        config = {"max_concurrency": self._server.concurrency}
        try:
            result = await chain.ainvoke({"input_documents": documents}, config=config)
        except Exception as problem:  # noqa: BLE001, whatever a peer fails with is its result
            return Made("", note=f"failed: {type(problem).__name__}: {str(problem)[:120]}")
        return Made(result["output_text"])

    def _model(self, target: int) -> Any:
        return self._chat(
            base_url=self._server.url,
            api_key="none",
            model=self._server.model,
            temperature=0,
            max_tokens=target,
            timeout=PATIENCE_S,
            max_retries=2,
            custom_get_token_ids=lambda text: [0] * self._count(text),
        )

    def _prompt(self, hint: str, tokens: int) -> Any:
        words = max(1, round(tokens * WORDS_PER_TOKEN))
        plain = hint.replace("{", "(").replace("}", ")")
        filled = first_design.prompt("langchain", schema_hint=plain, words=str(words))
        return self._template.from_template(filled)


# --- The first design ------------------------------------------------------------------------------------------


class FirstDesign:
    """The algorithm of the first design document, over HTTP."""

    name = FIRST_DESIGN

    def __init__(self, server: Server, tokenizer: Tokenizer, http: httpx.AsyncClient) -> None:
        """`http` belongs to the caller."""
        self._server = server
        self._count: Callable[[str], int] = tokenizer.count
        self._http = http
        self._cutter = first_design.Cutter(tokenizer, server.chunk_size, server.overlap)
        self._places = asyncio.Semaphore(server.concurrency)

    async def summarize(self, text: str, hint: str, target: int) -> Made:
        """Run it once; where a call fails for good, the content comes back."""
        try:
            made = await first_design.summarize(
                text, hint, target, cutter=self._cutter, ask=self._ask, count=self._count
            )
        except (httpx.HTTPError, KeyError, ValueError) as problem:
            return Made(text, note=f"content came back: {type(problem).__name__}")
        return Made(made)

    async def _ask(self, prompt: str, max_tokens: int) -> str:
        body = {
            "model": self._server.model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": max_tokens,
            "temperature": 0.1,
        }
        for _ in range(ATTEMPTS - 1):
            response = await self._post(body)
            if response.is_success:
                return _text_of(response)
        response = await self._post(body)
        response.raise_for_status()
        return _text_of(response)

    async def _post(self, body: dict[str, Any]) -> httpx.Response:
        async with self._places:
            return await self._http.post(f"{self._server.url}/chat/completions", json=body)


def _text_of(response: httpx.Response) -> str:
    return str(response.json()["choices"][0]["message"]["content"] or "")
