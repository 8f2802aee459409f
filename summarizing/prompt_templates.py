"""Prompts: templates with named gaps, read from files at the start, filled so that content cannot pass for instructions.

Content is spotlighted (Hines et al., 2024, "Defending Against Indirect Prompt Injection Attacks With Spotlighting"): it stands between
two lines of an unpredictable delimiter, and before it, in the system message, and after it the prompt says that it is data. What is
known of the call whose result it is (`ToolCall`) stands between two more such lines. No prompt text is in Python. Knows nothing of models.
"""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from string import Template
from typing import NamedTuple

from summarizing.query import Query, ToolCall
from summarizing.text.tokenizer import without_surrogates

PROMPTS = Path(__file__).parent.with_name("prompts")

# English prose has about 0.75 words a token, German 0.35, Korean 0.2; Japanese has no spaces to count words by.
WORDS_PER_TOKEN = 0.75
LEAST_WORDS_PER_TOKEN = 0.15

# About this share of a text's tokens is words, the rest punctuation; for characters it is a margin.
SHARE_OF_WORDS = 0.9

# Samples from the beginning, the middle and the end: enough to tell the language.
SAMPLES = 3
SAMPLE_CHARS = 1_000


class Prompt(NamedTuple):
    """A model's two messages: the instructions, and the material."""

    system: str
    user: str


class LengthUnit(NamedTuple):
    """A unit to state lengths in: models keep to a number of words better than to a number of tokens."""

    name: str = "words"
    per_token: float = WORDS_PER_TOKEN

    def length(self, budget: int) -> str:
        """Return a budget in tokens as a prompt states it: "300 words"."""
        return f"{max(1, round(budget * self.per_token))} {self.name}"


def length_unit_for(content: str, count: Callable[[str], int]) -> LengthUnit:
    """Return the unit for a text by its language: words, or characters where words are not separated by spaces."""
    last = max(len(content) - SAMPLE_CHARS, 0)
    starts = [last * number // (SAMPLES - 1) for number in range(SAMPLES)]
    sample = without_surrogates(" ".join(content[start : start + SAMPLE_CHARS] for start in starts))
    words = _LETTERS.findall(sample)
    if not words:
        return LengthUnit()
    words_per_token = SHARE_OF_WORDS * len(words) / count(" ".join(words))
    if words_per_token < LEAST_WORDS_PER_TOKEN:
        return LengthUnit("characters", SHARE_OF_WORDS * len(sample) / count(sample))
    return LengthUnit("words", min(words_per_token, WORDS_PER_TOKEN))


_LETTERS = re.compile(r"[^\W\d_]+")


class Prompts:
    """Every prompt the service sends. `key`: random bytes, which make the delimiters unpredictable, and the same for the same content."""

    def __init__(self, templates: dict[str, str], key: bytes = b"") -> None:
        self._key = key
        self._templates = {name: Template(text) for name, text in templates.items()}

    @classmethod
    def load(cls, directory: Path = PROMPTS, key: bytes = b"") -> "Prompts":
        """Read every `*.md` of a directory."""
        return cls({path.stem: path.read_text("utf-8") for path in directory.glob("*.md")}, key)

    def map(self, content: str, breadcrumb: tuple[str, ...], query: Query, length: str) -> Prompt:
        """Ask for the summary, or the facts, of one chunk in at most a length ("300 words").

        The files are prompts/result_*.md, prompts/extract_*.md and prompts/map_*.md, *: system and user; in them place.md.
        """
        place = self._fill("place", breadcrumb=" > ".join(breadcrumb)) if breadcrumb else ""
        name = "result" if query.tool_call else "extract" if query.wants_facts else "map"
        return self._prompt(name, content, query, length, place=place)

    def merge(self, content: str, query: Query, length: str) -> Prompt:
        """Ask for one text, or one list, in place of several, in at most a length.

        The files are prompts/merge_results_*.md, prompts/merge_facts_*.md and prompts/merge_*.md, *: system and user.
        """
        name = "merge_results" if query.tool_call else "merge_facts" if query.wants_facts else "merge"
        return self._prompt(name, content, query, length)

    def _prompt(self, name: str, content: str, query: Query, length: str, **gaps: str) -> Prompt:
        focus = self._fill("focus", focus_areas=query.focus_areas) if query.focus_areas else ""
        call = self._call(query, query.tool_call) if query.tool_call else ""
        material = call + gaps.get("place", "") + content
        gaps |= {
            "content": content,
            "marker": marker_for(material, self._key),
            "call": call,
            "call_marker": marker_for(material, self._key, "CALL"),
            "length": length,
            "focus": focus,
            "schema_hint": query.schema_hint,
        }
        filled = (self._fill(f"{name}_{side}", **gaps) for side in ("system", "user"))
        return Prompt(*map(without_surrogates, filled))

    def _call(self, query: Query, call: ToolCall) -> str:
        not_given = self._fill("not_given").strip()
        return self._fill(
            "call",
            server=call.server,
            tool=call.tool,
            arguments=call.arguments or not_given,
            focus_areas=query.focus_areas or not_given,
            conversation=call.conversation or not_given,
        )

    def _fill(self, name: str, **gaps: str) -> str:
        """Fill a template. A gap without a value raises KeyError; a `$` in a value has no meaning."""
        return self._templates[name].substitute(gaps)


def marker_for(content: str, key: bytes = b"", name: str = "TEXT") -> str:
    """Return a delimiter that does not occur in the content and that its author could not predict.

    A keyed hash of the content, not a random number: the response cache knows a prompt by its text.
    """
    digest = _digest(content, key)
    while (marker := f"====={name} {digest}=====") in content:
        digest = _digest(digest, key)
    return marker


def _digest(text: str, key: bytes) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), key=key, digest_size=8).hexdigest()


# subtle: without the lookbehind, matching a long run of spaces would take quadratic time.
_MARKER = re.compile(r"(?<![ \t])[ \t]*+=====(?:TEXT|CALL) [0-9a-f]{16}=====[ \t]*\n?")


def without_markers(answer: str) -> str:
    """Remove the delimiters that some models repeat around their answer."""
    return _MARKER.sub("", answer).strip()
