"""Prompts: templates with named gaps, from files, filled so that content cannot leave its place.

No prompt text stands in Python; no template is read after the start. Knows nothing of models.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import NamedTuple

from summarizing.text.tokenizer import well_formed

PROMPTS = Path(__file__).parent.with_name("prompts")

# English prose has about 0.75 words a token; German has 0.35, Korean 0.2, and Japanese has none that could be counted.
WORDS_PER_TOKEN = 0.75
LEAST_WORDS_PER_TOKEN = 0.15

# Words alone have about this share of the tokens, the rest is punctuation; of characters it is a margin.
SHARE_OF_WORDS = 0.9

# Read at the beginning, in the middle and at the end: a language shows in less.
SAMPLES = 3
SAMPLE_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Query:
    """What to keep: focus areas (a general summary) or a schema hint (an extraction); at most one of them is set."""

    focus_areas: str = ""
    schema_hint: str = ""

    @property
    def is_extraction(self) -> bool:
        """Whether facts for a schema are wanted rather than a text."""
        return bool(self.schema_hint)

    @property
    def words(self) -> str:
        """The query as plain words, "" where there is none."""
        return self.schema_hint or self.focus_areas


class Prompt(NamedTuple):
    """What a model is asked: the rules, and the material."""

    system: str
    user: str


class LengthUnit(NamedTuple):
    """What a budget in tokens comes to in a unit that models can keep to: they count words better than tokens."""

    name: str = "words"
    per_token: float = WORDS_PER_TOKEN

    def length(self, budget: int) -> str:
        """Return a budget as it stands in a prompt: "at most ..."."""
        return f"{max(1, round(budget * self.per_token))} {self.name}"


def length_unit_for(content: str, count: Callable[[str], int]) -> LengthUnit:
    """Return the unit for a text by its language: words, or characters where no spaces part them."""
    last = max(len(content) - SAMPLE_CHARS, 0)
    starts = [last * number // (SAMPLES - 1) for number in range(SAMPLES)]
    sample = well_formed(" ".join(content[start : start + SAMPLE_CHARS] for start in starts))
    words = _LETTERS.findall(sample)
    if not words:
        return LengthUnit()
    words_per_token = SHARE_OF_WORDS * len(words) / count(" ".join(words))
    if words_per_token < LEAST_WORDS_PER_TOKEN:
        return LengthUnit("characters", SHARE_OF_WORDS * len(sample) / count(sample))
    return LengthUnit("words", min(words_per_token, WORDS_PER_TOKEN))


_LETTERS = re.compile(r"[^\W\d_]+")


class Prompts:
    """Every prompt the service sends."""

    def __init__(self, templates: dict[str, str]) -> None:
        self._templates = {name: Template(text) for name, text in templates.items()}

    @classmethod
    def load(cls, directory: Path = PROMPTS) -> "Prompts":
        """Read every `*.md` of a directory."""
        return cls({path.stem: path.read_text("utf-8") for path in directory.glob("*.md")})

    def map(self, content: str, breadcrumb: tuple[str, ...], query: Query, length: str) -> Prompt:
        """Ask for the summary, or the facts, of one chunk in at most a length ("300 words")."""
        place = self._fill("place", breadcrumb=" > ".join(breadcrumb)) if breadcrumb else ""
        return self._ask("extract" if query.is_extraction else "map", content, query, length, place=place)

    def merge(self, content: str, query: Query, length: str) -> Prompt:
        """Ask for one text, or one list, in place of several, in at most a length."""
        return self._ask("merge_facts" if query.is_extraction else "merge", content, query, length)

    def _ask(self, name: str, content: str, query: Query, length: str, **gaps: str) -> Prompt:
        focus = self._fill("focus", focus_areas=query.focus_areas) if query.focus_areas else ""
        gaps |= {
            "content": content,
            "marker": marker_for(gaps.get("place", "") + content),
            "length": length,
            "focus": focus,
            "schema_hint": query.schema_hint,
        }
        filled = (self._fill(f"{name}_{side}", **gaps) for side in ("system", "user"))
        return Prompt(*map(well_formed, filled))

    def _fill(self, name: str, **gaps: str) -> str:
        """Fill a template; a gap that nobody fills raises KeyError, a `$` in what fills it means nothing."""
        return self._templates[name].substitute(gaps)


def marker_for(content: str) -> str:
    """Return a delimiter that does not occur in the content and that its author could not foresee."""
    digest = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()
    marker = f"=====TEXT {digest[:16]}====="
    while marker in content:
        digest = hashlib.sha256(digest.encode()).hexdigest()
        marker = f"=====TEXT {digest[:16]}====="
    return marker


# subtle: without the look behind, a long run of spaces would be tried from each of them.
_MARKER = re.compile(r"(?<![ \t])[ \t]*+=====TEXT [0-9a-f]{16}=====[ \t]*\n?")


def without_markers(answer: str) -> str:
    """Return an answer without the delimiters that some models repeat around it."""
    return _MARKER.sub("", answer).strip()
