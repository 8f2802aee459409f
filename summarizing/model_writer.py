"""Asks the model to write about a source, compares the answer with the source, and accepts or refuses it: all in one place.

Knows nothing of chunks, targets and passes: what is to be written, and how long it may be, comes as an `Assignment`.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from provider.model import PermanentError
from summarizing.answer_joining import copies_a_stretch, whole_sentences
from summarizing.cpu_work import CpuWork
from summarizing.faithfulness.answer_check import Evidence
from summarizing.model_calls import ModelCalls
from summarizing.prompt_templates import Prompt, Prompts, without_markers
from summarizing.query import Query
from summarizing.slice_readings import SliceReadings
from summarizing.text.tokenizer import CountedText, without_surrogates

logger = logging.getLogger(__name__)

# Less than a sentence, and less than this share of the room for it, is no summary of a chunk: "Done.", "PWNED", or what
# a small model says about its task instead of the text.
LEAST_ANSWER_TOKENS = 20
LEAST_SHARE_OF_BUDGET = 0.1

# An answer longer than max_tokens times this, or than twice the text if that is more, is cut here: such a provider ignores
# max_tokens, and what is left shows well enough that it is no summary. Twice what a token of any language has on average.
MOST_CHARS_PER_TOKEN = 10


class Source(NamedTuple):
    """What a model is given to read, and where else the words of its answer may come from: the query, the headings above."""

    text: str
    query: Query
    breadcrumb: tuple[str, ...] = ()
    place: tuple[int, int] | None = None
    """Of a chunk: where it begins and ends in the text that is summarized; what it repeats from before stands before that."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One text that the model is to write: a chunk's summary or, if `is_merge`, one text in place of several."""

    source: Source
    source_tokens: int
    """Of the whole source; a chunk's with its lead, which is repeated from before it."""
    budget: int
    """How many tokens the text is to have."""
    stated_length: str
    """The budget as the prompt states it: "300 words"."""
    max_tokens: int
    """Where the provider cuts the answer: above the budget."""
    is_merge: bool = False

    @property
    def wants_facts(self) -> bool:
        """Whether facts for a schema are wanted rather than a text."""
        return self.source.query.wants_facts


class Draft(NamedTuple):
    """An answer, and what comparing it with its source found: the first four fields are those of `Checked` (faithfulness/answer_check.py).

    `invalidate` removes the answer from the response cache. `is_overlong`: it was longer than a provider that keeps to max_tokens lets
    it be, and was cut here, not by the provider. `is_copy`: the model copied a stretch of its source until it was cut.
    """

    text: str
    dropped: int = 0
    unsupported: tuple[str, ...] = ()
    may_stand: bool = True
    invalidate: Callable[[], None] = lambda: None
    is_overlong: bool = False
    is_copy: bool = False


class Verdict(NamedTuple):
    """The decision about a draft: its text, "" where nothing matches the query, or why it is refused."""

    text: str = ""
    refusal: str = ""


def verdict_on(draft: Draft, assignment: Assignment, tokens: int, *, has_facts: bool) -> Verdict:
    """Accept or refuse a draft of this many tokens; `has_facts`: whether it has a fact, which only an extraction's must have."""
    if assignment.wants_facts and not has_facts:
        if assignment.is_merge:  # a merge joins facts that were found already: with none left it failed
            return Verdict(refusal="the model's answer has none of the facts that it was to join")
        if not draft.dropped:
            return Verdict()
    # "- Port: 8007" is all that an extraction may have to say of a chunk.
    expected = 0 if assignment.wants_facts else int(assignment.budget * LEAST_SHARE_OF_BUDGET)
    is_short = tokens < max(1, min(LEAST_ANSWER_TOKENS, expected))
    if tokens >= assignment.source_tokens:
        return Verdict(refusal="the model's answer is not shorter than what it was to shorten")
    if is_short and not draft.dropped:
        return Verdict(refusal="the model's answer is too short to be a summary")
    # A run of signs has no words that the text could contradict.
    may_stand = draft.may_stand and any(map(str.isalnum, draft.text))
    # On purpose, this also refuses an answer that is short only because sentences were taken out of it.
    if is_short or not may_stand:
        return Verdict(refusal="the model's answer is not about the text")
    return Verdict(draft.text)


class ModelWriter:
    """Asks the model for texts. `dropped` and `unsupported` are what was found in all of its answers."""

    def __init__(
        self, calls: ModelCalls, work: CpuWork, prompts: Prompts, readings: SliceReadings, *, guard: bool
    ) -> None:
        """Chunks of the text are cut from its `readings`. `guard` False leaves out the comparison with the source."""
        self.dropped = 0
        """Lines, sentences and images that were taken out of answers."""
        self.unsupported: list[str] = []
        """What accepted answers have and their sources do not."""
        self._calls = calls
        self._work = work
        self._prompts = prompts
        self._readings = readings
        self.copied: list[tuple[int, int]] = []
        """Where the chunks stand of which an extraction only copied a stretch: nothing was written of them."""
        self.guards = guard
        """Whether answers are compared with their sources."""

    async def write(self, assignment: Assignment) -> CountedText:
        """Return what the model writes, "" where nothing matches, with its tokens. Raises ModelError; PermanentError where its answer does not stand."""
        draft = await self._draft(assignment)
        tokens = await self._work.count(draft.text)
        has_facts = await self._has_facts(draft.text, assignment)
        verdict = verdict_on(draft, assignment, tokens, has_facts=has_facts)
        self.dropped += draft.dropped
        if verdict.refusal:
            draft.invalidate()  # so that the same prompt is sent again
            logger.warning("llm_answer_refused", extra={"error": verdict.refusal})
            raise PermanentError(verdict.refusal)
        if verdict.text:
            self.unsupported.extend(draft.unsupported)
        if verdict.text and draft.is_overlong:
            self._calls.count_cut_answer()
        return CountedText(verdict.text, tokens if verdict.text else 0)

    async def _draft(self, assignment: Assignment) -> Draft:
        """Return an answer after its comparison with the source (`Evidence.check`).

        From a summary, sentences are taken out that have a link or command which the source does not have, or only obey an order to say
        something (faithfulness/output_instructions.py), and what else it does not support is named; from an extraction, each sentence that
        it does not support is taken out. Where the text misled the model (its answer only repeats one passage, obeys an order, comes
        from a suspicious passage or is images alone), the model is asked again without what misled it.
        """
        source = assignment.source
        if not self.guards:
            return await self._ask(assignment, source.text)
        # The source is read while the model writes.
        reading = asyncio.ensure_future(self._read(source))
        try:
            draft = await self._ask_unless_copied(assignment, source.text)
            if not await self._has_facts(draft.text, assignment):
                return draft  # "NONE" states nothing that could be checked
            evidence = await reading
        finally:
            reading.cancel()
        checked = await self._work.in_thread(evidence.check, draft.text, assignment.wants_facts)
        if checked.retry_text.strip():  # something misled the model
            self._calls.count_misled_answer()
            draft = await self._ask_unless_copied(assignment, checked.retry_text)
            if not await self._has_facts(draft.text, assignment):
                return draft
            checked = await self._work.in_thread(evidence.check, draft.text, assignment.wants_facts)
        return draft._replace(
            text=checked.text,
            dropped=checked.dropped,
            unsupported=checked.unsupported,
            may_stand=checked.may_stand,
        )

    async def _ask_unless_copied(self, assignment: Assignment, text: str) -> Draft:
        """Return the model's answer; an empty one where an extraction only copied a stretch of its chunk, which is noted."""
        draft, place = await self._ask(assignment, text), assignment.source.place
        if not (draft.is_copy and assignment.wants_facts and place):
            return draft
        draft.invalidate()
        self.copied.append(place)
        return Draft("")

    async def _has_facts(self, text: str, assignment: Assignment) -> bool:
        """Whether an answer has a fact; True for a summary, which needs none."""
        return not assignment.wants_facts or await self._work.has_facts(text)

    async def _read(self, source: Source) -> Evidence:
        """Return what a source has as evidence, once the calls' head start is over (provider/head_start.py)."""
        await self._calls.head_start.wait()
        query, call = source.query.words, source.query.tool_call
        headings = " ".join((*source.breadcrumb, call.words if call else ""))
        start, end = source.place or (0, 0)
        around = await self._readings.slice_holding(start, end) if source.place else None
        return await self._work.in_thread(Evidence.of_part, source.text, query, headings, around, end - start)

    async def _ask(self, assignment: Assignment, text: str) -> Draft:
        """Return the model's answer, without the sentence in which it was cut off; it is not checked yet."""
        completion = await self._calls.complete(self._prompt_for(assignment, text), assignment.max_tokens)
        was_cut = completion.finish_reason == "length"
        if was_cut:
            self._calls.count_cut_answer()
        most = max(assignment.max_tokens * MOST_CHARS_PER_TOKEN, 2 * len(text))
        is_overlong = len(completion.text) > most
        answer = without_markers(without_surrogates(completion.text[:most]))
        return Draft(
            whole_sentences(answer) if is_overlong or was_cut else answer,
            invalidate=completion.invalidate,
            is_overlong=is_overlong and not was_cut,  # one that the provider cut has been counted
            is_copy=(is_overlong or was_cut) and copies_a_stretch(answer, text),
        )

    def _prompt_for(self, assignment: Assignment, text: str) -> Prompt:
        """Return the prompt for the source's text, or for what is left of it."""
        query, length = assignment.source.query, assignment.stated_length
        if assignment.is_merge:
            return self._prompts.merge(text, query, length)
        return self._prompts.map(text, assignment.source.breadcrumb, query, length)
