"""What comes of a job: its `Result` so far, and the `Outcome` of the last one, which the tool's result states in `_meta`.

`compose_outcome` makes the outcome of that and of the totals of the calls to the model (model_calls.py). Decides nothing.
docs/outcome.md explains each field.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from summarizing.faithfulness.lost_facts import Unwritten
from summarizing.model_calls import CallCounts
from summarizing.relevance.words_found import WordsFound
from summarizing.sanitizing.cleaning import HIDDEN_DROPPED, SUSPICIOUS_DROPPED
from summarizing.sanitizing.suspicious import Suspicious

# An outcome names this many suspicious passages, and words of the query.
MOST_PASSAGES = 20
MOST_WORDS = 10
# A word that is longer is named by its beginning.
MAX_WORD_CHARS = 40


@dataclass(frozen=True, slots=True)
class FactCounts:
    """What became of a content's facts that matter for the query, and of what the model added to them.

    `dropped`: how many lines, sentences and images were taken out of the model's answers. `unsupported` names facts of the summary
    that the content does not have.
    """

    had: int
    kept: int
    put_back: int = 0
    dropped: int = 0
    unsupported: tuple[str, ...] = ()


class Result(NamedTuple):
    """The result of a job so far: each step returns a new one, made from that of the step before."""

    text: str
    status: str
    tokens: int | None = None
    """Of the text, where they have been counted."""
    chunks: int = 0
    failed_chunks: int = 0
    passes: int = 0
    cleaning_notes: tuple[str, ...] = ()
    """What was dropped before anything else, in words: said where the result is made of what is left."""
    suspicious: Sequence[Suspicious] = ()
    """Passages of the content that look like instructions to a model."""
    reasons: tuple[str, ...] = ()
    unwritten: tuple[Unwritten, ...] = ()
    """Chunks that are left to what puts back lost facts (fact_recovery.py)."""
    failure: str = ""
    """Why the model failed on some of these; `reasons` does not have it until it is known what became of them."""
    facts: FactCounts | None = None
    matched: bool = True
    """False where the content can be said to be about something else than the query."""
    found_words: Sequence[str] = ()
    """The words of the query that such a content has all the same."""
    answered_words: frozenset[str] | None = None
    """The words of the query that the content has, or a value or the name of a column in place of them; None: not known."""
    missing_words: Sequence[str] = ()
    """The words of a query which the content has nowhere, unless it is about something else."""
    has_no_word: bool = False
    """Whether these are all of its words."""
    is_read_in_part: bool = False
    """Whether there was no time to read all of the content: what is said of the query is about what was read."""

    def because(self, *reasons: str, **changes: Any) -> "Result":
        """Return the result with more reasons, and with other changes."""
        return self._replace(reasons=(*self.reasons, *reasons), **changes)

    def with_found(self, found: WordsFound) -> "Result":
        """Return the result with whether its content has enough of the query."""
        is_unrelated = found.is_unrelated
        return self._replace(
            matched=not is_unrelated,
            found_words=shortened(found.names) if is_unrelated else (),
            answered_words=frozenset({*found.present, *found.named}),
        )

    def with_missing(self, words: Sequence[str], *, are_all: bool) -> "Result":
        """Return the result with the words of the query that its content has nowhere, and whether these are all of its words."""
        return self._replace(missing_words=shortened(words[:MOST_WORDS]), has_no_word=are_all)

    def with_failed_chunks(self, became: str) -> "Result":
        """Return the result with a reason about the chunks that the model failed on and that were left, and what became of them."""
        if not self.failure:
            return self
        why = f"{self.failed_chunks} of {self.chunks} chunks {became}: {self.failure}"
        return self._replace(reasons=(why, *self.reasons), failure="")


class Outcome(NamedTuple):
    """What happened; the result's `_meta` carries it. Fields that are None are left out there."""

    status: str
    strategy: str
    backend: str
    input_tokens: int = 0
    output_tokens: int = 0
    compression_ratio: float = 1.0
    chunks: int = 0
    failed_chunks: int = 0
    passes: int = 0
    llm_calls: int = 0
    reused_answers: int | None = None
    reason: str | None = None
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    duration_ms: int = 0
    facts: FactCounts | None = None
    matched: str | None = None
    """`none` where the content has nothing of the query, or too little; `unclear` where it has no word of it, but too few are asked for to tell."""
    found_words: tuple[str, ...] | None = None
    """Where `matched` is `none`: words of the query that the content does have."""
    missing_words: tuple[str, ...] | None = None
    """Words of the query that the content has nowhere, unless `matched` is `none`."""
    read_in_part: bool | None = None
    """True where there was no time to read all of the content; `reason` says how much was read."""
    suspicious: tuple[Suspicious, ...] | None = None
    suspicious_count: int | None = None
    result_id: str | None = None

    def members(self) -> dict[str, Any]:
        """Return the fields by their names, as JSON has them."""
        members = self._asdict()
        if self.suspicious:
            members["suspicious"] = [passage._asdict() for passage in self.suspicious]
        return members if self.facts is None else {**members, "facts": asdict(self.facts)}


@dataclass(frozen=True, slots=True)
class Summary:
    """The text that goes back, and what happened on the way."""

    text: str
    outcome: Outcome


def compose_outcome(
    result: Result,
    strategy: str,
    calls: CallCounts,
    *,
    backend: str,
    input_tokens: int,
    output_tokens: int,
    seconds: float,
) -> Outcome:
    """Return the outcome of a job from its result and what its calls came to."""
    return Outcome(
        status=result.status,
        strategy=strategy,
        backend=backend,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        compression_ratio=round(input_tokens / max(output_tokens, 1), 2) if input_tokens else 1.0,
        chunks=result.chunks,
        failed_chunks=result.failed_chunks,
        passes=result.passes,
        llm_calls=calls.requests,  # the name is older than the difference: it counts retries too
        reused_answers=calls.reused or None,
        reason=_reason(result, calls) or None,
        model=calls.model,
        prompt_tokens=calls.prompt_tokens,
        completion_tokens=calls.completion_tokens,
        cost_usd=calls.cost_usd,
        duration_ms=round(seconds * 1_000),
        facts=result.facts,
        matched="none" if not result.matched else "unclear" if result.has_no_word else None,
        found_words=tuple(result.found_words) or None,
        missing_words=tuple(result.missing_words) or None,
        read_in_part=result.is_read_in_part or None,
        suspicious=tuple(result.suspicious[:MOST_PASSAGES]) or None,
        suspicious_count=len(result.suspicious) or None,
    )


def _reason(result: Result, calls: CallCounts) -> str:
    notes = (*result.cleaning_notes, *_marked(result), *_unmatched(result))
    return "; ".join((*notes, *result.reasons, *calls.reasons))


def read_of_text(*, in_part: bool) -> str:
    """Return what is said to have nothing, or too little, of a query."""
    return "what was read of the text" if in_part else "the text"


def shortened(words: Sequence[str]) -> tuple[str, ...]:
    """Return words with an ellipsis in place of the end of those that are very long."""
    return tuple(word if len(word) <= MAX_WORD_CHARS else f"{word[: MAX_WORD_CHARS - 1]}…" for word in words)


def first_of(words: Sequence[str], count: int) -> str:
    """Return the first of some words as text, and how many more there are."""
    shown, more = ", ".join(words[:count]), len(words) - count
    return f"{shown} and {more} more" if more > 0 else shown


def _unmatched(result: Result) -> list[str]:
    """Say that nothing met the query, or too little."""
    if result.matched:
        return []
    read = read_of_text(in_part=result.is_read_in_part)
    if result.found_words:
        words = first_of(result.found_words, MOST_WORDS)
        return [f"too little of what was asked for is in {read}: only {words}"]
    return [f"nothing in {read} matches what was asked for"]


def _marked(result: Result) -> list[str]:
    """Say how many passages look like instructions to a model, unless they were dropped."""
    count = len(result.suspicious)
    if not count or any(note.endswith(SUSPICIOUS_DROPPED) for note in result.cleaning_notes):
        return []
    looks = "1 passage looks" if count == 1 else f"{count} passages look"
    # A passage in a comment of the page has gone with the comment.
    unless = " unless hidden" if any(note.endswith(HIDDEN_DROPPED) for note in result.cleaning_notes) else ""
    return [f"{looks} like instructions to a model (marked, not removed{unless})"]
