"""The algorithm that this service began as, written from its design document for the comparison.

Cut at headings and rules, pack to the chunk size, ask for a summary of each chunk with `max(target // n, 500)` tokens,
and while the whole is over the target ask, at most three times, for one merge of everything. Whatever fails, the content
comes back unchanged. Kept as described, its weak spots with it: no length is stated for a chunk, a merge reads and
writes all at once, a result over the target after three merges stays so.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from string import Template

from summarizing.text.tokenizer import Tokenizer

PROMPTS = Path(__file__).parent / "prompts"

LEAST_CHUNK_ANSWER_TOKENS = 500
MOST_MERGES = 3

_SECTION = re.compile(r"(?=^#{1,4}\s)|(?=\n-{3,}\n)", re.MULTILINE)
_UPPER_HEADING = re.compile(r"#{1,2}\s+.+")

Ask = Callable[[str, int], Awaitable[str]]
"""Asks the model: prompt and `max_tokens`."""


def prompt(name: str, **gaps: str) -> str:
    """Fill a template of this evaluation."""
    return Template((PROMPTS / f"{name}.md").read_text("utf-8")).substitute(gaps)


class Cutter:
    """Cuts a text into chunks of about a size, each with the last upper heading before it."""

    def __init__(self, tokenizer: Tokenizer, size: int, overlap: int) -> None:
        self._tokenizer = tokenizer
        self._size = size
        self._overlap = overlap

    def chunks(self, text: str) -> list[str]:
        """Return the chunks of a text."""
        chunks: list[str] = []
        gathered: list[str] = []
        heading = ""
        for section in filter(None, map(str.strip, _SECTION.split(text))):
            if found := _UPPER_HEADING.match(section):
                heading = found[0]
            if self._tokenizer.count(section) > self._size:
                chunks += self._packed(gathered, "")
                chunks += self._packed(self._pieces(section), heading)
                gathered = []
            elif gathered and self._tokenizer.count("\n\n".join([*gathered, section])) > self._size:
                chunks += self._packed(gathered, "")
                gathered = [heading, section] if heading and not section.startswith(heading) else [section]
            else:
                gathered.append(section)
        return chunks + self._packed(gathered, "")

    def _pieces(self, section: str) -> Iterable[str]:
        """Yield paragraphs; one that is too large as pieces by tokens, each with some of the one before."""
        for paragraph in filter(None, map(str.strip, re.split(r"\n\n+", section))):
            starts = self._tokenizer.starts(paragraph)
            if len(starts) <= self._size:
                yield paragraph
                continue
            for first in range(0, max(len(starts) - self._overlap, 1), self._size - self._overlap):
                last = first + self._size
                yield paragraph[starts[first] : starts[last] if last < len(starts) else None]

    def _packed(self, parts: Iterable[str], heading: str) -> list[str]:
        chunks: list[str] = []
        gathered: list[str] = []
        for part in parts:
            lead = [heading] if heading and not part.startswith(heading) else []
            if gathered and self._tokenizer.count("\n\n".join([*gathered, part])) > self._size:
                chunks.append("\n\n".join(gathered))
                gathered = []
            gathered += [part] if gathered else [*lead, part]
        return [*chunks, "\n\n".join(gathered)] if gathered else chunks


async def summarize(
    text: str, hint: str, target: int, *, cutter: Cutter, ask: Ask, count: Callable[[str], int]
) -> str:
    """Run the algorithm; how many of the chunks' calls run side by side is for `ask` to say."""
    chunks = cutter.chunks(text)
    room = max(target // len(chunks), LEAST_CHUNK_ANSWER_TOKENS)
    prompts = (prompt("first_design_extract", schema_hint=hint, content=chunk) for chunk in chunks)
    answers = await asyncio.gather(*(ask(filled, room) for filled in prompts))
    combined = "\n\n---\n\n".join(answers)
    for _ in range(MOST_MERGES):
        if count(combined) <= target:
            break
        gaps = {"schema_hint": hint, "content": combined, "max_tokens": str(target)}
        combined = await ask(prompt("first_design_merge", **gaps), target)
    return combined
