"""The metric catalogue: name, help text, labels and source of every metric that the service exports.

Only events of calls are pushed here; values that a part of the service already keeps are read from it at each scrape.
No metric holds content, a key or a caller's name, and a client cannot choose any label value.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from observability.loop_lag import WINDOW_SECONDS, LoopLag
from observability.metric_sources import (
    ModelClient,
    OriginalsStore,
    RequestStages,
    ResponseCacheCounts,
    StoredPages,
    Tasks,
)
from observability.metrics import (
    CallbackCounter,
    Counter,
    Family,
    Gauge,
    Histogram,
    Labels,
    counter_of,
    gauge_of,
)
from observability.process_usage import cpu_seconds, resident_bytes

# From a call whose content already fits, to the longest that clients wait.
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)

# From a paragraph to the largest body that is read by default.
TOKENS = (256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304)

# The service promises at most 50 ms at the 99th percentile.
LAG_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)

# The result of a tool call. Summaries have the status of their outcome; other tools have `ok`.
STATUSES = ("ok", "passthrough", "summarized", "partial", "unsummarized", "error", "cancelled")

# What becomes of a fact: the first three for the content's facts that matter to a call; `unsupported` for the model's own.
FACT_RESULTS = ("kept", "put_back", "lost", "unsupported")

BREAKER_STATES = ("closed", "open", "half-open")

# The label for a call of an unknown tool: the client's own name for it must not become a label value.
UNKNOWN_TOOL = "unknown"


class Metrics:
    """The metrics that are updated as events happen."""

    def __init__(self) -> None:
        self.requests = Counter(
            "mcp_summarizer_http_requests_total",
            "HTTP requests to /mcp by the status of their answer; 499: the client had gone before it was sent.",
            ("code",),
            known=[("200",), ("429",), ("503",)],
        )
        self.calls = Counter(
            "mcp_summarizer_tool_calls_total",
            "Tool calls by result; for summaries, the status of their outcome.",
            ("tool", "status"),
            known=[(UNKNOWN_TOOL, "error")],
        )
        self.seconds = Histogram(
            "mcp_summarizer_tool_call_duration_seconds",
            "Duration of tool calls, from the start of work to the result.",
            SECONDS,
            ("tool",),
        )
        self.waits = Histogram(
            "mcp_summarizer_request_wait_seconds",
            "Time that requests waited in the queue, until work started or the client left; 0 if started at once.",
            SECONDS,
        )
        self.input_tokens = Histogram(
            "mcp_summarizer_input_tokens", "Size of the contents to summarize.", TOKENS
        )
        self.output_tokens = Histogram(
            "mcp_summarizer_output_tokens", "Size of the returned summaries.", TOKENS
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
            "How late the event loop's timers fire.",
            LAG_SECONDS,
        )

    def families(self) -> list[Family]:
        """Return all metrics."""
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

    def init_tools(self, names: Iterable[str]) -> None:
        """Start every tool with every status at 0: otherwise the first event of a series would not show as an increase."""
        for name in sorted(names):
            for status in STATUSES:
                self.calls.add(0, name, status)

    def count_call(self, name: str, status: str, seconds: float) -> None:
        """Count a tool call, with its status and duration."""
        self.calls.add(1, name, status)
        self.seconds.observe(seconds, name)

    def count_unknown_tool(self) -> None:
        """Count a call of an unknown tool."""
        self.calls.add(1, UNKNOWN_TOOL, "error")

    def observe_outcome(self, outcome: Mapping[str, Any]) -> None:
        """Record a summary's sizes, and what became of its facts."""
        self.input_tokens.observe(outcome["input_tokens"])
        self.output_tokens.observe(outcome["output_tokens"])
        if facts := outcome.get("facts"):
            self._count_facts(facts)

    def _count_facts(self, facts: Mapping[str, Any]) -> None:
        self.facts.add(facts["kept"] - facts["put_back"], "kept")
        self.facts.add(facts["put_back"], "put_back")
        self.facts.add(facts["had"] - facts["kept"], "lost")
        self.facts.add(facts["dropped"] + len(facts["unsupported"]), "unsupported")

    def count_response(self, status: int) -> None:
        """Count an HTTP request by the status of its response."""
        self.requests.add(1, str(status))


# How a proxied call ended.
PROXIED_STATUSES = ("completed", "failed", "cancelled")


class GatewayMetrics:
    """The metrics of calls of other servers' tools, updated as they end."""

    def __init__(self, servers: Iterable[str]) -> None:
        """`servers`: the names of those that are configured."""
        self.calls = Counter(
            "mcp_summarizer_proxied_calls_total",
            "Calls of other servers' tools, by server and by how they ended.",
            ("server", "status"),
            known=[(server, status) for server in servers for status in PROXIED_STATUSES],
        )
        self.seconds = Histogram(
            "mcp_summarizer_proxied_call_duration_seconds",
            "Duration of calls of other servers' tools, summaries included.",
            SECONDS,
            ("server",),
        )
        self.tokens = Counter(
            "mcp_summarizer_proxied_tokens_total",
            "Tokens of other servers' results: as they came (before), and as they were handed over (after).",
            ("server", "stage"),
            known=[(server, stage) for server in servers for stage in ("before", "after")],
        )

    def families(self) -> list[Family]:
        """Return all metrics."""
        return [self.calls, self.seconds, self.tokens]

    def count_proxied_call(
        self, server: str, status: str, seconds: float, tokens_before: int, tokens_after: int
    ) -> None:
        """Count a call of another server's tool."""
        self.calls.add(1, server, status)
        self.seconds.observe(seconds, server)
        self.tokens.add(tokens_before, server, "before")
        self.tokens.add(tokens_after, server, "after")


# --- Read at each scrape -------------------------------------------------------------------------------------------


def request_metrics(endpoint: RequestStages) -> list[Family]:
    """Return the metrics of an endpoint's present load."""

    def requests() -> dict[Labels, float]:
        load = endpoint.load
        return {
            ("working",): load.working,
            ("waiting",): load.waiting,
            ("reading",): load.reading,
        }

    def limits() -> dict[Labels, float]:
        return {("working",): endpoint.limits.places, ("waiting",): endpoint.limits.waiting}

    return [
        Gauge(
            "mcp_summarizer_requests",
            "Requests in work, in the queue, or whose body is being received.",
            ("state",),
            requests,
        ),
        Gauge("mcp_summarizer_requests_limit", "The limit of requests per state.", ("state",), limits),
        gauge_of(
            "mcp_summarizer_bytes_under_way",
            "Bytes of large requests that are being read or in work.",
            lambda: endpoint.load.bytes_under_way,
        ),
        gauge_of(
            "mcp_summarizer_bytes_under_way_limit",
            "Their limit: MAX_BYTES_UNDER_WAY.",
            lambda: endpoint.limits.bytes_under_way,
        ),
        gauge_of(
            "mcp_summarizer_open_streams", "Open notification streams.", lambda: endpoint.load.open_streams
        ),
    ]


def model_metrics(model: ModelClient, cache: ResponseCacheCounts) -> list[Family]:
    """Return the metrics of the model client and the response cache."""
    return [*_usage_metrics(model), *_admission_metrics(model), *_cache_metrics(cache)]


def _usage_metrics(model: ModelClient) -> list[Family]:
    usage = model.usage

    def tokens() -> dict[Labels, float]:
        return {("prompt",): usage.prompt_tokens, ("completion",): usage.completion_tokens}

    def failures() -> dict[Labels, float]:
        return {(kind.value,): count for kind, count in usage.failures.items()}

    def counted(name: str, meaning: str, read: Callable[[], float]) -> Family:
        return counter_of(f"mcp_summarizer_model_{name}_total", meaning, read)

    return [
        counted("requests", "Requests to the model that were begun.", lambda: usage.requests),
        counted("answers", "Requests that the model answered.", lambda: usage.answered),
        CallbackCounter(
            "mcp_summarizer_model_failures_total", "Requests that failed, by kind.", ("kind",), failures
        ),
        counted("cancelled", "Requests cancelled by their caller.", lambda: usage.cancelled),
        counted("retries", "Requests that repeat a failed one.", lambda: usage.retries),
        counted("rejected", "Calls rejected by the open circuit breaker.", lambda: usage.rejected),
        counted("breaker_openings", "How often the circuit breaker opened.", lambda: usage.breaker_openings),
        CallbackCounter(
            "mcp_summarizer_model_tokens_total", "Tokens, as the provider counts.", ("kind",), tokens
        ),
        counted("cost_usd", "Cost, as the provider reports it.", lambda: usage.cost_usd),
    ]


def _admission_metrics(model: ModelClient) -> list[Family]:
    def calls() -> dict[Labels, float]:
        return {("in_flight",): model.in_flight, ("waiting",): model.waiting}

    def breaker() -> dict[Labels, float]:
        return {(state,): model.breaker_state == state for state in BREAKER_STATES}

    return [
        Gauge("mcp_summarizer_model_calls", "Model calls by state.", ("state",), calls),
        gauge_of(
            "mcp_summarizer_model_calls_limit", "The present limit of calls in flight.", lambda: model.limit
        ),
        Gauge("mcp_summarizer_model_breaker", "1 for the circuit breaker's state.", ("state",), breaker),
        gauge_of(
            "mcp_summarizer_model_paused_seconds",
            "Seconds left of the pause that the provider asked for.",
            lambda: model.paused_seconds,
        ),
    ]


def _cache_metrics(cache: ResponseCacheCounts) -> list[Family]:
    def lookups() -> dict[Labels, float]:
        return {("hit",): cache.hits, ("shared",): cache.shared, ("miss",): cache.misses}

    return [
        CallbackCounter(
            "mcp_summarizer_answer_lookups_total",
            "Response cache lookups: hit, shared with a request in flight, or miss.",
            ("result",),
            lookups,
        ),
        gauge_of("mcp_summarizer_answers", "Answers in the response cache.", lambda: cache.entries),
        gauge_of("mcp_summarizer_answers_bytes", "Their bytes.", lambda: cache.bytes),
    ]


def task_metrics(tasks: Tasks | None) -> list[Family]:
    """Return the metric of the stored tasks."""
    if tasks is None:
        return []

    def kept() -> dict[Labels, float]:
        running = sum(1 for _ in tasks.running())
        return {("running",): running, ("over",): tasks.kept - running}

    return [Gauge("mcp_summarizer_tasks", "Tasks in the store.", ("state",), kept)]


def originals_metrics(originals: OriginalsStore) -> list[Family]:
    """Return the metrics of the store of originals."""
    return [
        gauge_of("mcp_summarizer_originals", "Originals in the store.", lambda: originals.size.originals),
        gauge_of("mcp_summarizer_originals_bytes", "Their bytes.", lambda: originals.size.bytes),
    ]


def page_store_metrics(store: StoredPages) -> list[Family]:
    """Return the metrics of the pages that the web tools keep."""
    return [
        gauge_of("mcp_summarizer_stored_pages", "Web pages in the store.", lambda: store.size.pages),
        gauge_of(
            "mcp_summarizer_stored_pages_bytes",
            "Their bytes, with a vector for each passage.",
            lambda: store.size.bytes,
        ),
    ]


def gateway_metrics(
    masked: Callable[[], Mapping[str, int]], dropped: Callable[[], int], listeners: Callable[[], int]
) -> list[Family]:
    """Return the metrics of the gateway that are read: secrets that were masked, by server; what the timeline lacks; who follows it."""
    return [
        CallbackCounter(
            "mcp_summarizer_masked_secrets_total",
            "Secrets that were replaced in what a server sends and in what is recorded of its calls.",
            ("server",),
            lambda: {(server,): number for server, number in masked().items()},
        ),
        counter_of(
            "mcp_summarizer_timeline_dropped_total",
            "Calls and events that are missing in the timeline, since too many were waiting or its file could not be written.",
            dropped,
        ),
        gauge_of("mcp_summarizer_timeline_listeners", "Open streams of the timeline.", listeners),
    ]


def process_metrics(lag: LoopLag, started: float, build: Mapping[str, str]) -> list[Family]:
    """Return the metrics of the process. `started` is in calendar seconds; `build` has the labels of the build."""
    return [
        gauge_of(
            "mcp_summarizer_event_loop_lag_p99_seconds",
            f"99th percentile of the event loop's lag in the last {WINDOW_SECONDS:g} s.",
            lambda: lag.quantile(0.99),
        ),
        Gauge("process_resident_memory_bytes", "Resident memory of the process.", (), _resident_bytes),
        counter_of("process_cpu_seconds_total", "CPU time of the process.", cpu_seconds),
        gauge_of(
            "process_start_time_seconds", "Start of the process, in seconds since 1970.", lambda: started
        ),
        Gauge(
            "mcp_summarizer_build_info",
            "Version and configuration; always 1.",
            tuple(build),
            lambda: {tuple(build.values()): 1},
        ),
    ]


def _resident_bytes() -> dict[Labels, float]:
    used = resident_bytes()
    return {} if used is None else {(): used}


def all_families(*parts: Iterable[Family]) -> list[Family]:
    """Return the families of all parts. Raises ValueError for a duplicate name."""
    families = [family for part in parts for family in part]
    names = [family.name for family in families]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"metrics: expected each name once, got {', '.join(sorted(twice))} twice")
    return families
