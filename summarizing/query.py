"""What a caller wants kept: it goes into prompts, and scores segments. Does not parse or judge it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """What to keep: focus areas (a general summary) or a schema hint (an extraction); at most one of them is set."""

    focus_areas: str = ""
    schema_hint: str = ""

    @property
    def wants_facts(self) -> bool:
        """Whether facts for a schema are wanted rather than a text."""
        return bool(self.schema_hint)

    @property
    def words(self) -> str:
        """The query as plain words, "" where there is none."""
        return self.schema_hint or self.focus_areas
