"""A web page on its way from its server to an answer: fetched, extracted, cut into passages, stored. Data and interfaces only.

What the parts of this package hand to each other; each part knows these types and not the other parts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

Vector = Sequence[float]


class WebError(Exception):
    """Something about a page or a search that failed; the message is for the caller: the thing, what was expected, what was given, what to do."""


class PageProtected(WebError):
    """The page wants a login or a payment: HTTP 401, 402, 403 and 407."""


class StoreFailed(WebError):
    """The file of stored pages cannot be read or written: the message says why, without a path."""


@dataclass(frozen=True)
class Validators:
    """What a server is asked with whether a page has changed (RFC 9110, section 8.8)."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True)
class FetchedPage:
    """The response to a GET, unpacked."""

    url: str
    """The one that answered, after redirects."""
    content_type: str
    """The media type in small letters, without parameters; empty: the server named none."""
    charset: str
    """The one in the header; empty: it has none."""
    body: bytes
    validators: Validators
    not_modified: bool = False
    """Whether the server said that the page is as it was (304); the body is empty."""
    is_public: bool = True
    """Whether it came from an address that all can reach; otherwise from a network that the operator allows."""
    age_seconds: float = 0.0
    """How long ago it came, where it was kept for a moment."""


@dataclass(frozen=True)
class ExtractedPage:
    """The readable part of a page, as Markdown: headings, paragraphs, lists, tables, code."""

    title: str
    text: str
    note: str = ""
    """What the reader must know of how it came about; empty: nothing."""
    is_main_content: bool = False
    """Whether what stands around the main content was left out."""


@dataclass(frozen=True)
class PagePassage:
    """A part of a page's text that is found, scored and returned as one."""

    id: str
    """sha256 of `url|section path|text`, in hex."""
    text: str
    section_path: tuple[str, ...]
    """The headings it stands under, the outermost first."""
    tokens: int


@dataclass(frozen=True)
class StoredPage:
    """A page as the store has it."""

    url: str
    """As it was asked for, without its fragment."""
    title: str
    validators: Validators
    last_crawled: datetime
    """In UTC: when its server last answered for it, 304 included."""
    content_hash: str
    """sha256 of the extracted text, in hex."""
    note: str
    text: str
    """The extracted text; the passages may repeat parts of it."""
    passages: tuple[PagePassage, ...]
    """In the order of the page."""


@dataclass(frozen=True)
class ScoredPassage:
    """A passage that answers a query."""

    passage: PagePassage
    score: float
    """Comparable within the results of one query alone."""


@dataclass(frozen=True)
class QueryAnswer:
    """The passages of a page that answer one query, the best first."""

    query: str
    results: tuple[ScoredPassage, ...]


@dataclass(frozen=True)
class PageAnswer:
    """What one reading of a page gives; made by web_tools/page_reading.py."""

    url: str
    """As it was asked for, without its fragment."""
    title: str
    last_crawled: datetime
    """In UTC: when its server last answered for it."""
    text: str
    """All of its readable text; empty where the page is protected."""
    content_hash: str
    """sha256 of the text, in hex."""
    queries: tuple[QueryAnswer, ...]
    """In the order in which they were asked."""
    note: str = ""
    """What the caller must know: how it was ranked, that the page is protected, that it could not be fetched anew; empty: nothing."""


class NotAllowed(WebError):
    """A page that may not be read: its address is not public, or the site's robots.txt forbids it."""


class PageFetcher(Protocol):
    """Fetches a page; implemented by web_tools/fetching."""

    async def fetch(
        self, url: str, validators: Validators | None = None, *, anew: bool = False
    ) -> FetchedPage:
        """Return the page; `anew`: none that came before. Raises WebError and PageProtected; with `validators` it may be `not_modified`."""
        ...


class PageExtractor(Protocol):
    """Makes text of a fetched page; implemented by web_tools/extraction."""

    async def extract(self, page: FetchedPage) -> ExtractedPage:
        """Return the page's readable part. Raises WebError where there is none."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors; implemented by web_tools/embeddings.py."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, all of one length. Raises WebError."""
        ...


class PageStore(Protocol):
    """Pages and their passages' vectors, kept on disk; implemented by web_tools/page_store. Its methods raise StoreFailed."""

    async def page(self, url: str) -> StoredPage | None:
        """Return a page, and count this as a use of it."""
        ...

    async def touch(self, url: str) -> bool:
        """Count a use of a page that its reader still has; return whether it is stored."""
        ...

    async def put(self, page: StoredPage) -> None:
        """Store a page in place of what was stored under its URL; passages that were there already keep their vectors."""
        ...

    async def without_vector(self, url: str) -> list[PagePassage]:
        """Return the page's passages that have no vector yet."""
        ...

    async def add_vectors(self, url: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by the ids of their passages; those of passages that are not stored any more are left out."""
        ...

    async def nearest(self, url: str, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return the ids of the page's nearest passages with their cosine similarity, the nearest first."""
        ...

    async def near_duplicates(self, url: str, ids: Sequence[str]) -> frozenset[str]:
        """Return those of some passages whose vector is nearly that of one named before them."""
        ...
