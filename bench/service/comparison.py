"""The same job done by others on the same simulated model: LangChain's map-reduce, the first design's own pipeline.

They are the pipelines of the fidelity bench, each on a model of its own, asked for nothing but their work. They run side by side: what
they do is wait for their model, and how near each comes to the ideal schedule of its calls would show if one disturbed the other.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from bench.fidelity.measures import Made
from bench.fidelity.peers import FirstDesign, LangChain, Pipeline, Server
from bench.service.jobs import Measured, measured
from bench.service.processes import a_client, a_simulated_model
from bench.service.provider import Behaviour
from bench.service.texts import Text
from summarizing.text.tokenizer import Tokenizer

Opened = Callable[[Server], Pipeline]


async def others(text: Text, target: int, places: int, tokenizer: Tokenizer) -> list[Measured]:
    """Run the job on each of the others, with so many calls at once."""
    async with a_client() as http:
        openers: Sequence[Opened] = (
            lambda server: FirstDesign(server, tokenizer, http),
            lambda server: LangChain(server, tokenizer),
        )
        return await asyncio.gather(*(_one(opener, text, target, places, tokenizer) for opener in openers))


async def _one(opener: Opened, text: Text, target: int, places: int, tokenizer: Tokenizer) -> Measured:
    # LangChain's chain is told how many calls to make at once, and makes all: the model lets the others wait.
    behaviour = Behaviour(allow=places, queues=True)
    async with a_simulated_model() as model:
        await model.behave(behaviour)
        pipeline = opener(Server(model.url, concurrency=places))
        begin = time.monotonic()
        made: Made = await pipeline.summarize(text.content, text.hint, target)
        seconds = time.monotonic() - begin
        calls = await model.calls()
    return measured(
        calls,
        behaviour,
        places,
        method=pipeline.name,
        content_tokens=text.tokens,
        target=target,
        seconds=seconds,
        status=made.note or "done",
        output_tokens=tokenizer.count(made.text),
    )
