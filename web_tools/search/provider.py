"""What a provider of web search is asked and what it answers. Data and interfaces only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

JsonObject = dict[str, Any]


class SafeSearch(StrEnum):
    """How strictly adult content is left out."""

    OFF = "off"
    MODERATE = "moderate"
    STRICT = "strict"


@dataclass(frozen=True)
class SearchOptions:
    """What the caller wants of each query; what is empty is left to the provider."""

    count: int = 10
    region: str = ""
    """A country, as ISO 3166-1 has it: two letters."""
    language: str = ""
    """As BCP 47 has it: `en`, `pt-BR`."""
    safe_search: SafeSearch = SafeSearch.OFF


@dataclass(frozen=True)
class SearchHit:
    """A page that was found, told alike for every provider."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True)
class SearchAnswer:
    """What one query gave."""

    raw: tuple[JsonObject, ...]
    """The provider's own JSON, as it came: one object for each of its pages that was asked for."""
    hits: tuple[SearchHit, ...]
    """The best first; at most as many as were asked for."""
    note: str = ""
    """Options that the provider does not have, pages that failed; empty: nothing."""


class SearchProvider(Protocol):
    """Searches the web; implemented by the modules of this room that are named after a provider."""

    async def search(self, query: str, options: SearchOptions) -> SearchAnswer:
        """Return what was found. Raises WebError."""
        ...
