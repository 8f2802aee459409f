"""What a model writes of a source, held against it: asked, asked again, accepted or refused.

Knows nothing of chunks, targets and passes: how much may be written, and what for, is the summarizer's to say.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from concurrency.worker_threads import Worker
from provider.model import Model, Refused
from summarizing.faithfulness.evidence import Checked, Evidence
from summarizing.head_start import HeadStart
from summarizing.job import Job
from summarizing.joining import whole_sentences
from summarizing.prompt_templates import Prompt, without_markers
from summarizing.text.tokenizer import well_formed

logger = logging.getLogger(__name__)

# Less than a sentence, and less than this share of the room for it, is no summary of a chunk: "Done.", "PWNED", or what
# a small model says about its task instead of the text.
LEAST_ANSWER_TOKENS = 20
LEAST_SHARE_OF_BUDGET = 0.1

# Twice what a token of any language has on average. Of a provider that does not know max_tokens no more is judged than that,
# or than twice what it was given to read: enough to see that it is no summary.
MOST_CHARS_PER_TOKEN = 10


class Source(NamedTuple):
    """What a model is given to read, and what its answer may have words of beside: the query, the headings above."""

    text: str
    query: str
    above: str = ""


class Said(NamedTuple):
    """What a model says and its source supports; the fields are those of `Checked`.

    `invalidate` removes the answer from the response cache.
    """

    text: str
    dropped: int = 0
    unsupported: tuple[str, ...] = ()
    about: bool = True
    invalidate: Callable[[], None] = lambda: None
    is_cut: bool = False
    """Whether it was longer than a provider may answer that keeps to max_tokens."""


class Writer:
    """A model, and the judgement of what it writes; `guard` False leaves the evidence out."""

    def __init__(
        self,
        model: Model,
        worker: Worker,
        count: Callable[[str], Awaitable[int]],
        head_start: HeadStart,
        *,
        guard: bool,
    ) -> None:
        """`count` returns a text's tokens; sources are read once the `head_start` is over."""
        self._model = model
        self._head_start = head_start
        self._worker = worker
        self._count = count
        self._guard = guard

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def write(self, job: Job, prompt: Callable[[str], Prompt], max_tokens: int, source: Source) -> Said:
        """Return what the model says and its source supports; raises ModelError where it says nothing.

        Where the answer only repeats one passage, as it does when that told the model to, it is asked again without that.
        """
        if not self._guard:
            return await self._say(job, prompt, source.text, max_tokens)
        # The source is read while the model writes.
        reading = asyncio.ensure_future(self._read(source))
        try:
            said = await self._say(job, prompt, source.text, max_tokens)
            evidence = await reading
        finally:
            reading.cancel()
        checked: Checked = await self._worker(evidence.check, said.text, job.request.query.is_extraction)
        if checked.rest.strip():
            job.repeated += 1
            said = await self._say(job, prompt, checked.rest, max_tokens)
            checked = await self._worker(evidence.check, said.text, job.request.query.is_extraction)
        return Said(
            checked.text, checked.dropped, checked.unsupported, checked.about, said.invalidate, said.is_cut
        )

    async def _read(self, source: Source) -> Evidence:
        """Return what a source has as evidence."""
        await self._head_start.wait()
        evidence: Evidence = await self._worker(Evidence, *source)
        return evidence

    async def _say(self, job: Job, prompt: Callable[[str], Prompt], source: str, max_tokens: int) -> Said:
        """Return what the model says, without what it was cut off in; nothing of it is held against the source yet."""
        if job.is_over:
            raise Refused("nothing more is asked of the model for this call")
        asked = prompt(source)
        try:
            with job.asking():
                completion = await self._model.complete(asked.system, asked.user, max_tokens, job, job.called)
        finally:
            self._head_start.end()
        job.answered(completion)
        most = max(max_tokens * MOST_CHARS_PER_TOKEN, 2 * len(source))
        is_cut = len(completion.text) > most
        text = without_markers(well_formed(completion.text[:most]))
        text = whole_sentences(text) if is_cut or completion.finish_reason == "length" else text
        return Said(text, invalidate=completion.invalidate, is_cut=is_cut)

    async def accepted(self, job: Job, said: Said, budget: int, input_tokens: int) -> str:
        """Return an answer that can be a summary; raises Refused where it cannot."""
        tokens = await self._count(said.text)
        job.dropped += said.dropped
        # "- Port: 8007" is all that an extraction may have to say of a chunk.
        expected = 0 if job.request.query.is_extraction else int(budget * LEAST_SHARE_OF_BUDGET)
        least = max(1, min(LEAST_ANSWER_TOKENS, expected))
        if tokens >= input_tokens:
            raise refused(said, "the model's answer is not shorter than what it was to shorten")
        if tokens < least and not said.dropped:
            raise refused(said, "the model's answer is too short to be a summary")
        if tokens < least or not said.about:
            raise refused(said, "the model's answer is not about the text")
        job.inventions.extend(said.unsupported)
        job.cut_answers += said.is_cut
        return said.text


def refused(said: Said, why: str) -> Refused:
    """Return the refusal of an answer; who keeps answers forgets it, so that the same question is asked again."""
    said.invalidate()
    logger.warning("llm_answer_refused", extra={"error": why})
    return Refused(why)
