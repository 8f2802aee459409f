"""What the simulated model writes: sentences of the text it is given, as many as its prompt allows. Pure.

A well-behaved model: it keeps to the length that its prompt states and uses most of it, it invents nothing, and of the
text it prefers what has figures and names. Not here: time, sockets, understanding.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.fidelity.personalities import EDGE_CHARS, Room, bare, room_in, sentences_of
from summarizing.text.tokenizer import Tokenizer

# Of the room that it has, a model uses this share: at least so much, and up to all of it, by a hash of the prompt.
LEAST_USED = 0.90

# Where an answer is looked for in a later prompt: so many of its lines, and at least this share of them found there.
MARKS = 9
FOUND_SHARE = 0.6

# A line of fewer characters may stand in a text by chance.
LEAST_MARK_CHARS = 24

_MARKER = re.compile(r"^=====TEXT [0-9a-f]{16}=====$", re.MULTILINE)
_FIGURE_OR_NAME = re.compile(r"\d+|(?<=[a-z,;] )[A-Z][a-z]+|`[^`]+`")


@dataclass(frozen=True, slots=True)
class Answer:
    """A text, cut into its tokens, and why it ends."""

    pieces: Sequence[str]
    finish_reason: str

    @property
    def text(self) -> str:
        """The whole of it."""
        return "".join(self.pieces)

    @property
    def marks(self) -> list[str]:
        """Some of its lines, by which a prompt that holds it can be told."""
        lines = [line for line in map(bare, self.text.splitlines()) if len(line) >= LEAST_MARK_CHARS]
        step = max(1, len(lines) // MARKS)
        return lines[::step][:MARKS]


def holds(prompt: str, marks: Sequence[str]) -> bool:
    """Whether a prompt has an answer in it, as one that merges it has."""
    return bool(marks) and sum(mark in prompt for mark in marks) >= FOUND_SHARE * len(marks)


class Author:
    """Writes answers. Safe to share between threads."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def answer(self, messages: Sequence[str], max_tokens: int) -> Answer:
        """Answer a prompt in the length that it states and `max_tokens` enforces."""
        prompt = "\n\n".join(messages)
        room = room_in(prompt, max_tokens)
        text = "\n".join(self._lines(prompt, room)) or "NONE"
        starts = self._tokenizer.starts(text)
        kept = starts[:max_tokens]
        ends = [*starts[1 : len(kept)], starts[len(kept)] if len(kept) < len(starts) else len(text)]
        pieces = [text[start:end] for start, end in zip(kept, ends, strict=True)]
        return Answer(pieces, "stop" if len(kept) == len(starts) else "length")

    def count(self, messages: Sequence[str]) -> int:
        """Return the tokens of a prompt."""
        return sum(map(self._tokenizer.count, messages))

    def _lines(self, prompt: str, room: Room) -> Iterator[str]:
        """Yield the lines of an answer: the sentences that say most, in the order of the text."""
        if '"## "' in prompt:
            yield "## Facts"
        form = "- {}" if '"- "' in prompt else "{}"
        lines = dict.fromkeys(map(bare, sentences_of(material(prompt))))
        sentences = [form.format(line) for line in lines if is_sentence(line)]
        # Where no length is stated a model that knows its limit keeps to that.
        limit = share_used(prompt) * (room.stated or room.max_tokens)
        yield from chosen(sentences, limit, lambda line: room.of(line, self._tokenizer.count))


def material(prompt: str) -> str:
    """Return what stands between the marker lines or, where there are none, all but the edges."""
    markers = list(_MARKER.finditer(prompt))
    if len(markers) >= 2:
        return prompt[markers[-2].end() : markers[-1].start()]
    return prompt[EDGE_CHARS:-EDGE_CHARS] or prompt


def is_sentence(text: str) -> bool:
    """Whether a model would write it: no table row, no heading, nothing of a few words."""
    return text[-1:] in tuple(".!?") and not text.startswith("|") and len(text.split()) > 3


def share_used(prompt: str) -> float:
    """Return how much of its room an answer to a prompt uses: always the same for the same prompt."""
    digest = hashlib.sha256(prompt.encode("utf-8", "replace")).digest()
    return LEAST_USED + (1 - LEAST_USED) * digest[0] / 256


def chosen(sentences: Sequence[str], limit: float, size: Callable[[str], int]) -> list[str]:
    """Return the sentences that say most and fit a limit together, in their order."""
    picked = []
    # Of those that say as much, some from everywhere: every sixteenth before its neighbours.
    for at in sorted(range(len(sentences)), key=lambda at: (-_weight(sentences[at]), at * 7 % 16, at)):
        if limit < 1:
            break
        if (taken := size(sentences[at] + "\n")) <= limit:
            picked.append(at)
            limit -= taken
    return [sentences[at] for at in sorted(picked)]


def _weight(sentence: str) -> int:
    return min(2, len(_FIGURE_OR_NAME.findall(sentence)))
