"""The parts of the service that metrics are read from, as far as metric_catalogue.py reads them. Interfaces only."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol


class _Load(Protocol):
    @property
    def working(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def reading(self) -> int: ...
    @property
    def open_streams(self) -> int: ...
    @property
    def bytes_under_way(self) -> int: ...


class _RequestLimits(Protocol):
    @property
    def places(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def bytes_under_way(self) -> int: ...


class RequestStages(Protocol):
    """The requests at present, and their limits: `Endpoint` (transport/endpoint.py)."""

    @property
    def load(self) -> _Load: ...
    @property
    def limits(self) -> _RequestLimits: ...


class _UsageCounts(Protocol):
    requests: int
    answered: int
    cancelled: int
    retries: int
    rejected: int
    breaker_openings: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float

    @property
    def failures(self) -> Mapping[Any, int]: ...


class ModelClient(Protocol):
    """The model client, its calls and its circuit breaker: `ChatModel` (llm.py)."""

    @property
    def usage(self) -> _UsageCounts: ...
    @property
    def in_flight(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def limit(self) -> int: ...
    @property
    def breaker_state(self) -> str: ...
    @property
    def paused_seconds(self) -> float: ...


class ResponseCacheCounts(Protocol):
    """The response cache's lookups and size: `CacheCounts` (provider/response_cache.py)."""

    hits: int
    shared: int
    misses: int
    entries: int
    bytes: int


class Tasks(Protocol):
    """The store of tasks: `TaskStore` (protocol/tasks.py)."""

    @property
    def kept(self) -> int: ...

    def running(self) -> Iterator[object]: ...


class _OriginalsSize(Protocol):
    @property
    def originals(self) -> int: ...
    @property
    def bytes(self) -> int: ...


class OriginalsStore(Protocol):
    """The store of originals: those of storage/originals.py."""

    @property
    def size(self) -> _OriginalsSize: ...


class _PageStoreSize(Protocol):
    @property
    def pages(self) -> int: ...
    @property
    def bytes(self) -> int: ...


class StoredPages(Protocol):
    """The store of web pages: `ThreadedPages` (web_tools/page_store/threaded_pages.py)."""

    @property
    def size(self) -> _PageStoreSize: ...
