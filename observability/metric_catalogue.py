"""What the service counts of itself: the name, meaning and labels of every metric, and where its number comes from.

Pushed is only what happens call by call; what a part of the service holds already is read there, when somebody asks.
Nothing that is exported holds content, a key, or who calls; and no label has a value that a client can choose.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from observability.loop_lag import WINDOW_SECONDS, Lags
from observability.metrics import (
    Counter,
    Family,
    Gauge,
    Histogram,
    Labels,
    PulledCounter,
    counter_of,
    gauge_of,
)

# From a count of what fits already to the longest that clients wait for.
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)

# From a paragraph to the largest body that is read by default.
TOKENS = (256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)

# 50 ms is the most that is promised at the 99th percentile.
LAG_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)

# What a call of a tool comes to. A summary says its own status; `ok` is what the other tools come to.
STATUSES = ("ok", "passthrough", "summarized", "partial", "unsummarized", "error", "cancelled")

# What becomes of a fact: of those of a content that matter for a call, the first three; the last is the model's own.
FACT_RESULTS = ("kept", "put_back", "lost", "unsupported")

BREAKER_STATES = ("closed", "open", "half-open")

# Where Linux says what a process holds, in pages: its size, what of it is in memory, ...
STATM = Path("/proc/self/statm")


# The tool of a call that names none of ours: what clients write there is no label.
UNKNOWN_TOOL = "unknown"


class Measures:
    """What is counted as it happens."""

    def __init__(self) -> None:
        self.requests = Counter(
            "mcp_summarizer_http_requests_total",
            "HTTP requests to /mcp by the status of their answer; 499: the client had gone before it was sent.",
            ("code",),
            known=[("200",), ("429",), ("503",)],
        )
        self.calls = Counter(
            "mcp_summarizer_tool_calls_total",
            "Calls of tools by what they came to; of summaries, the status of their outcome.",
            ("tool", "status"),
            known=[(UNKNOWN_TOOL, "error")],
        )
        self.seconds = Histogram(
            "mcp_summarizer_tool_call_duration_seconds",
            "Time that calls of tools took, from their turn to their result.",
            SECONDS,
            ("tool",),
        )
        self.waits = Histogram(
            "mcp_summarizer_request_wait_seconds",
            "Time that requests waited until they were worked on, or their client left; 0 for those that need not.",
            SECONDS,
        )
        self.input_tokens = Histogram(
            "mcp_summarizer_input_tokens", "Size of the contents that came to be summarized.", TOKENS
        )
        self.output_tokens = Histogram(
            "mcp_summarizer_output_tokens", "Size of the summaries that went back.", TOKENS
        )
        self.facts = Counter(
            "mcp_summarizer_facts_total",
            "Facts that mattered for a call by what became of them: kept, lost by the model and put back, or lost; "
            "unsupported: what the model stated and the content does not, whether it was dropped or named.",
            ("result",),
            known=[(result,) for result in FACT_RESULTS],
        )
        self.lag = Histogram(
            "mcp_summarizer_event_loop_lag_seconds",
            "How late the event loop wakes whoever waits for it.",
            LAG_SECONDS,
        )

    def families(self) -> list[Family]:
        """Return all of them."""
        return [
            self.requests,
            self.calls,
            self.seconds,
            self.waits,
            self.input_tokens,
            self.output_tokens,
            self.facts,
            self.lag,
        ]

    def offered(self, names: Iterable[str]) -> None:
        """Show every tool with every status from the start: the first event of a series is then seen as a rise."""
        for name in sorted(names):
            for status in STATUSES:
                self.calls.add(0, name, status)

    def called(self, name: str, status: str, seconds: float) -> None:
        """Count a call of a tool by what it came to."""
        self.calls.add(1, name, status)
        self.seconds.observe(seconds, name)

    def called_unknown(self) -> None:
        """Count a call of a tool that is none of ours."""
        self.calls.add(1, UNKNOWN_TOOL, "error")

    def summarized(self, outcome: Mapping[str, Any]) -> None:
        """Count what the outcome of a summary says: its sizes, and what became of its facts."""
        self.input_tokens.observe(outcome["input_tokens"])
        self.output_tokens.observe(outcome["output_tokens"])
        if facts := outcome.get("facts"):
            self._became_of(facts)

    def _became_of(self, facts: Mapping[str, Any]) -> None:
        self.facts.add(facts["kept"] - facts["put_back"], "kept")
        self.facts.add(facts["put_back"], "put_back")
        self.facts.add(facts["had"] - facts["kept"], "lost")
        self.facts.add(facts["dropped"] + len(facts["unsupported"]), "unsupported")

    def answered(self, status: int) -> None:
        """Count an HTTP request by the status of its answer."""
        self.requests.add(1, str(status))


# --- What is measured: as much of each part as the metrics read -----------------------------------------------------


class _Load(Protocol):
    @property
    def working(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    @property
    def bodies_read(self) -> int: ...
    @property
    def bodies_waiting(self) -> int: ...
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


class Requests(Protocol):
    """The endpoint: how many requests it works on, and at most."""

    @property
    def load(self) -> _Load: ...
    @property
    def limits(self) -> _RequestLimits: ...


class _Usage(Protocol):
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
    """The model's client: its usage, the calls now, the state of its circuit breaker."""

    @property
    def usage(self) -> _Usage: ...
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
    """The response cache: its lookups, and what it holds."""

    hits: int
    shared: int
    misses: int
    entries: int
    bytes: int


class Tasks(Protocol):
    """The store of tasks."""

    @property
    def kept(self) -> int: ...

    def running(self) -> Iterator[object]: ...


class _Held(Protocol):
    @property
    def originals(self) -> int: ...
    @property
    def bytes(self) -> int: ...


class KeptOriginals(Protocol):
    """The store of originals."""

    @property
    def held(self) -> _Held: ...


# --- What is read where it is kept ---------------------------------------------------------------------------------


def of_requests(endpoint: Requests) -> list[Family]:
    """Return what an endpoint is busy with."""

    def requests() -> dict[Labels, float]:
        load = endpoint.load
        return {
            ("working",): load.working,
            ("waiting",): load.waiting,
            ("reading",): load.bodies_read,
            ("waiting_to_be_read",): load.bodies_waiting,
        }

    def limits() -> dict[Labels, float]:
        return {("working",): endpoint.limits.places, ("waiting",): endpoint.limits.waiting}

    return [
        Gauge(
            "mcp_summarizer_requests",
            "Requests that are worked on, or wait for that; and large bodies that are read, or wait for room.",
            ("state",),
            requests,
        ),
        Gauge("mcp_summarizer_requests_limit", "Most requests in a state.", ("state",), limits),
        gauge_of(
            "mcp_summarizer_bytes_under_way",
            "Bytes of large requests that are read or worked on.",
            lambda: endpoint.load.bytes_under_way,
        ),
        gauge_of(
            "mcp_summarizer_bytes_under_way_limit",
            "Most of those: MAX_BYTES_UNDER_WAY.",
            lambda: endpoint.limits.bytes_under_way,
        ),
        gauge_of(
            "mcp_summarizer_open_streams", "Streams of notifications.", lambda: endpoint.load.open_streams
        ),
    ]


def of_model(model: ModelClient, cache: ResponseCacheCounts) -> list[Family]:
    """Return what went to and fro between the service and the model's API, who waits for it, and what was not asked."""
    return [*_usage_families(model), *_places(model), *_cache(cache)]


def _usage_families(model: ModelClient) -> list[Family]:
    usage = model.usage

    def tokens() -> dict[Labels, float]:
        return {("prompt",): usage.prompt_tokens, ("completion",): usage.completion_tokens}

    def failures() -> dict[Labels, float]:
        return {(kind.value,): count for kind, count in usage.failures.items()}

    def counted(name: str, meaning: str, read: Callable[[], float]) -> Family:
        return counter_of(f"mcp_summarizer_model_{name}_total", meaning, read)

    return [
        counted("requests", "Requests that were sent to the model.", lambda: usage.requests),
        counted("answers", "Requests that it answered.", lambda: usage.answered),
        PulledCounter(
            "mcp_summarizer_model_failures_total", "Requests that it did not answer.", ("kind",), failures
        ),
        counted("cancelled", "Requests that nobody waited for any more.", lambda: usage.cancelled),
        counted("retries", "Requests that repeat one that failed.", lambda: usage.retries),
        counted("rejected", "Calls that sent none, as the breaker was open.", lambda: usage.rejected),
        counted("breaker_openings", "How often the breaker opened.", lambda: usage.breaker_openings),
        PulledCounter(
            "mcp_summarizer_model_tokens_total", "Tokens, as the provider counts.", ("kind",), tokens
        ),
        counted("cost_usd", "What it cost, as the provider says.", lambda: usage.cost_usd),
    ]


def _places(model: ModelClient) -> list[Family]:
    def calls() -> dict[Labels, float]:
        return {("in_flight",): model.in_flight, ("waiting",): model.waiting}

    def breaker() -> dict[Labels, float]:
        return {(state,): model.breaker_state == state for state in BREAKER_STATES}

    return [
        Gauge("mcp_summarizer_model_calls", "Model calls now.", ("state",), calls),
        gauge_of("mcp_summarizer_model_calls_limit", "Most in flight, now.", lambda: model.limit),
        Gauge("mcp_summarizer_model_breaker", "1 for the state it is in.", ("state",), breaker),
        gauge_of(
            "mcp_summarizer_model_paused_seconds",
            "How much longer the provider wants none.",
            lambda: model.paused_seconds,
        ),
    ]


def _cache(cache: ResponseCacheCounts) -> list[Family]:
    def lookups() -> dict[Labels, float]:
        return {("hit",): cache.hits, ("shared",): cache.shared, ("miss",): cache.misses}

    return [
        PulledCounter(
            "mcp_summarizer_answer_lookups_total",
            "Prompts by what became of them: answered from memory, by another call's request, or asked.",
            ("result",),
            lookups,
        ),
        gauge_of("mcp_summarizer_answers", "Answers that are kept.", lambda: cache.entries),
        gauge_of("mcp_summarizer_answers_bytes", "Room they take.", lambda: cache.bytes),
    ]


def of_tasks(tasks: Tasks | None) -> list[Family]:
    """Return how many tasks are kept."""
    if tasks is None:
        return []

    def kept() -> dict[Labels, float]:
        running = sum(1 for _ in tasks.running())
        return {("running",): running, ("over",): tasks.kept - running}

    return [Gauge("mcp_summarizer_tasks", "Tasks that are kept.", ("state",), kept)]


def of_originals(originals: KeptOriginals) -> list[Family]:
    """Return what the store of originals holds."""
    return [
        gauge_of("mcp_summarizer_originals", "Originals that are kept.", lambda: originals.held.originals),
        gauge_of("mcp_summarizer_originals_bytes", "Room they take.", lambda: originals.held.bytes),
    ]


def of_process(lags: Lags, started: float, build: Mapping[str, str]) -> list[Family]:
    """Return how the process fares. `started` is its start, in seconds of the calendar; `build` says what serves."""
    return [
        gauge_of(
            "mcp_summarizer_event_loop_lag_p99_seconds",
            f"What 99 of 100 wakes of the event loop in the last {WINDOW_SECONDS:g} s were not later than.",
            lambda: lags.quantile(0.99),
        ),
        Gauge("process_resident_memory_bytes", "Memory that the process holds.", (), resident_bytes),
        counter_of("process_cpu_seconds_total", "Processor time that it has used.", cpu_seconds),
        gauge_of("process_start_time_seconds", "When it was started, since 1970.", lambda: started),
        Gauge(
            "mcp_summarizer_build_info",
            "What serves; always 1.",
            tuple(build),
            lambda: {tuple(build.values()): 1},
        ),
    ]


def resident_bytes(statm: Path = STATM) -> dict[Labels, float]:
    """Return what the process holds in memory; nothing where the system does not say."""
    try:
        pages = int(statm.read_text("ascii").split()[1])
    except OSError:
        return {}
    return {(): pages * os.sysconf("SC_PAGE_SIZE")}


def held_memory() -> float:
    """Return what the process holds: bytes or, where the system does not say, Python's own blocks of memory."""
    return resident_bytes().get((), float(sys.getallocatedblocks()))


def cpu_seconds() -> float:
    """Return the processor time of this process."""
    used = os.times()
    return used.user + used.system


def everything(*parts: Iterable[Family]) -> list[Family]:
    """Return the families of all parts. Raises ValueError for a name that is there twice."""
    families = [family for part in parts for family in part]
    names = [family.name for family in families]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"metrics: expected each name once, got {', '.join(sorted(twice))} twice")
    return families
