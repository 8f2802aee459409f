"""Every setting: its name in the environment, default, unit and check; `Config` holds their values, frozen.

Here is the list, and what must hold between several settings. How one is read is in settings/setting.py, the formats of values
in settings/value_parsers.py. Knows nothing of how the settings are used. The environment is an argument, read once at the start.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from settings import value_parsers
from settings.misspellings import suggestion
from settings.setting import ConfigError, ReadFile, Setting, read_file

T = TypeVar("T")

# Equal to definitions.MIN_TARGET_TOKENS: below it not even one sentence fits. Repeated because settings
# know nothing of tools; a test holds the two equal.
MIN_OUTPUT_TOKENS = 16

# Equal to LEAST_CHUNK_TOKENS in summarizing/budgets.py, the smallest chunk; a test holds the two equal.
MIN_CHUNK_TOKENS = 200

# An ordinary call with all the client's metadata is nested seven deep; Python's JSON parser bears a thousand, less its callers.
MIN_JSON_DEPTH, MAX_JSON_DEPTH = 16, 500

# Thirty days: a text that must be kept longer belongs in the caller's own files.
MAX_ORIGINAL_SECONDS = 30 * 86_400

# A year: what must be kept longer belongs in an archive.
MAX_TIMELINE_SECONDS = 365 * 86_400

# No other program's settings start with it.
OWN_PREFIX = "MCP_SUMMARIZER_"

INEFFECTIVE_NOTE = "it has no effect without OPENROUTER_API_KEY: the embedded summarizer serves"


def _setting(name: str, default: T, parse: Callable[[str], T], meaning: str, *, secret: bool = False) -> T:
    return field(
        default=default, repr=not secret, metadata={"setting": Setting(name, parse, meaning, secret)}
    )


@dataclass(frozen=True)
class Config:
    """The settings of one process."""

    host: str = _setting(
        "MCP_SUMMARIZER_HOST", "127.0.0.1", str, "address to listen on; 0.0.0.0 for every network"
    )
    port: int = _setting(
        "MCP_SUMMARIZER_PORT",
        8007,
        value_parsers.whole(0, value_parsers.MAX_PORT),
        "TCP port to listen on; 0 takes a free one",
    )
    allowed_hosts: tuple[str, ...] = _setting(
        "ALLOWED_HOSTS",
        (),
        value_parsers.hosts,
        "`Host` values that requests may carry, comma-separated, `name:port`, or `name:*` (the same as `name`); "
        "loopback names are always allowed; empty: on a loopback address only those, elsewhere any",
    )
    allowed_origins: tuple[str, ...] = _setting(
        "ALLOWED_ORIGINS",
        (),
        value_parsers.origins,
        "`Origin` values of web pages that may call, comma-separated, `scheme://host` or `scheme://host:port`; "
        "on a loopback address, pages from loopback are allowed too, and the service's own page under one of ALLOWED_HOSTS; requests without an Origin (every MCP client outside a "
        "browser) are not affected",
    )
    api_keys: tuple[str, ...] = _setting(
        "MCP_SUMMARIZER_API_KEYS",
        (),  # by default only this machine can call, and a key would be one more step
        value_parsers.keys,
        "keys that callers may use (`Authorization: Bearer KEY`), comma-separated, 16 characters or more each; "
        "empty: anyone who can reach the service may call; `MCP_SUMMARIZER_API_KEYS_FILE` may name a file with "
        "them instead, one a line",
        secret=True,
    )
    # Ten crawled pages are about 1 MB, whole crawls come in at ten times that.
    max_body_bytes: int = _setting(
        "MAX_BODY_BYTES",
        16 * 1024 * 1024,
        value_parsers.whole(1024),
        "largest request body that is accepted, in bytes",
    )
    # Four of the largest requests. While it is processed, a text takes up to ten times its size in memory: 640 MiB.
    max_bytes_under_way: int = _setting(
        "MAX_BYTES_UNDER_WAY",
        64 * 1024 * 1024,
        value_parsers.whole(1024),
        "bytes of large requests (over 256 KiB, as sent or once parsed) that are received or processed at once, tasks "
        "too, and of small ones that are being received; what would be more gets 503 and Retry-After; at least "
        "MAX_BODY_BYTES, twice that so that one key leaves room for others",
    )
    # Twice the limit of most servers, since arguments may be repeated in headers (Mcp-Param-*); cookies and tokens fit.
    max_header_bytes: int = _setting(
        "MAX_HEADER_BYTES", 16 * 1024, value_parsers.whole(1024, 1024 * 1024), "longest header line, in bytes"
    )
    # Nine times the depth of an ordinary call.
    max_json_depth: int = _setting(
        "MAX_JSON_DEPTH",
        64,
        value_parsers.whole(MIN_JSON_DEPTH, MAX_JSON_DEPTH),
        "deepest nesting of a request's JSON",
    )
    # Clients that send batches send a handful of messages; each one is a separate piece of work.
    max_batch_size: int = _setting(
        "MAX_BATCH_SIZE",
        100,
        value_parsers.whole(1, 10_000),
        "largest number of messages in one JSON-RPC batch",
    )
    # A dozen for each model call in flight at the start.
    max_concurrent_requests: int = _setting(
        "MAX_CONCURRENT_REQUESTS", 64, value_parsers.whole(1, 10_000), "requests that are processed at once"
    )
    # A fair share depends on the number of callers, which only the operator knows.
    max_concurrent_requests_per_key: int = _setting(
        "MAX_CONCURRENT_REQUESTS_PER_KEY",
        0,
        value_parsers.whole(0, 10_000),
        "requests of one API key that are processed at once; the key has the same share of the queue and of the "
        "open streams; one more gets 429; at most MAX_CONCURRENT_REQUESTS; 0, or without API keys: no limit per "
        "key",
    )
    # Four times MAX_CONCURRENT_REQUESTS: a longer queue would mostly outlast the clients' timeouts (30 to 120 seconds).
    max_queued_requests: int = _setting(
        "MAX_QUEUED_REQUESTS",
        256,
        value_parsers.whole(0, 100_000),
        "requests that wait in the queue; one more gets 503 and Retry-After",
    )
    # Each costs a connection and a few kilobytes; the SDKs' servers allow as many.
    max_open_streams: int = _setting(
        "MAX_OPEN_STREAMS",
        1_024,
        value_parsers.whole(1, 100_000),
        "notification streams (`subscriptions/listen`) that are open at once",
    )
    # A task keeps its result, in the worst case as large as its request, until it expires. 0 for one of several replicas.
    max_tasks: int = _setting(
        "MAX_TASKS",
        64,
        value_parsers.whole(0, 10_000),
        "tasks that are stored at once, running and finished; 0: no tasks, and the extension is not offered to "
        "clients",
    )
    # An agent polls its task every few seconds; after an hour without a poll it will not come back.
    task_ttl_seconds: float = _setting(
        "TASK_TTL_SECONDS",
        3_600.0,
        value_parsers.seconds,
        "how long a task is stored after it was last asked about, in seconds",
    )
    # About 25,000 tokens, four chunks of the default size: with a model, some ten seconds.
    task_content_chars: int = _setting(
        "TASK_CONTENT_CHARS",
        100_000,
        value_parsers.whole(0),
        "calls with at least this many characters of content run as a task, for clients that declare the tasks "
        "extension",
    )
    mcp_gateway_config: str = _setting(
        "MCP_GATEWAY_CONFIG",
        "",
        str,
        "file with the MCP servers (`mcpServers`, as clients have it) whose tools `/gateway/mcp` offers; empty: no gateway",
    )
    # Texts are private: unless a directory is set, they must not outlive the process.
    data_directory: str = _setting(
        "DATA_DIRECTORY",
        "",
        str,
        "directory for the files with the originals that are kept (`keep_original`, and results that the gateway "
        "shortens) and with what the gateway keeps: its timeline, its servers' tools, new refresh tokens; it is created if its parent exists; empty: they are kept in memory, and lost at a restart",
    )
    # An agent that is stopped in the evening continues in the morning; a private text should not be kept longer.
    original_ttl_seconds: int = _setting(
        "ORIGINAL_TTL_SECONDS",
        86_400,
        value_parsers.whole(1, MAX_ORIGINAL_SECONDS),
        "how long an original is kept after it was last read, in seconds",
    )
    # Forty texts of the default MAX_BODY_BYTES, compressed; without DATA_DIRECTORY this is memory.
    max_originals_bytes: int = _setting(
        "MAX_ORIGINALS_BYTES",
        256 * 1024 * 1024,
        value_parsers.whole(0),
        "size of the store of originals, compressed, in bytes; the key with the most bytes loses its least "
        "recently read ones first; 0: no originals are kept",
    )
    # A week: what an agent did on Friday is asked about on Monday.
    timeline_ttl_seconds: int = _setting(
        "TIMELINE_TTL_SECONDS",
        7 * 86_400,
        value_parsers.whole(1, MAX_TIMELINE_SECONDS),
        "how long an event of the gateway's timeline is kept, in seconds",
    )
    # Some ten thousand calls of 5 KB each, compressed; without DATA_DIRECTORY this is memory.
    max_timeline_bytes: int = _setting(
        "MAX_TIMELINE_BYTES",
        64 * 1024 * 1024,
        value_parsers.whole(0),
        "size of the timeline, compressed, in bytes; the oldest events go first; 0: no timeline is kept",
    )
    # Enough for a body of the default MAX_BODY_BYTES at 2.3 Mbit/s.
    body_timeout_seconds: float = _setting(
        "BODY_TIMEOUT_SECONDS", 60.0, value_parsers.seconds, "time to receive a request's body, in seconds"
    )
    # A lost packet is sent again within three seconds, and a phone changes its network within five.
    body_stall_seconds: float = _setting(
        "BODY_STALL_SECONDS",
        10.0,
        value_parsers.seconds,
        "time for the next 16 KiB of a request's body, or the rest of it, in seconds",
    )
    # Longer than the keep-alive of proxies, 60 seconds: the side that sends requests must be the one to close a connection.
    idle_connection_seconds: float = _setting(
        "IDLE_CONNECTION_SECONDS",
        75.0,
        value_parsers.seconds,
        "how long a connection may stay open without a complete request head, in seconds",
    )
    # The default of nginx (send_timeout).
    send_timeout_seconds: float = _setting(
        "SEND_TIMEOUT_SECONDS",
        60.0,
        value_parsers.seconds,
        "how long a client may stop reading its response before the connection is closed, in seconds",
    )
    # Proxies close a silent connection after 30 to 60 seconds, so one ping may be late.
    ping_seconds: float = _setting(
        "PING_SECONDS",
        15.0,
        value_parsers.seconds,
        "silence on an event stream after which a ping is sent, in seconds",
    )
    shutdown_grace_seconds: float = _setting(
        "SHUTDOWN_GRACE_SECONDS",
        10.0,
        value_parsers.seconds,
        "after SIGTERM, time for calls in flight to finish, in seconds",
    )
    llm_model: str = _setting(
        "LLM_MODEL", "openai/gpt-4o-mini", str, "model that summarizes, by its OpenRouter name"
    )
    openrouter_api_key: str = _setting(
        "OPENROUTER_API_KEY",
        "",
        value_parsers.secret,
        "key for the model's API (any text for a local server without keys); empty: the embedded extractive "
        "summarizer is used; `OPENROUTER_API_KEY_FILE` may name a file with it instead",
        secret=True,
    )
    openrouter_base_url: str = _setting(
        "OPENROUTER_BASE_URL",
        "https://openrouter.ai/api/v1",
        value_parsers.http_url,
        "base URL of the chat completions API, OpenRouter's or any OpenAI-compatible server's",
    )
    llm_context_tokens: int = _setting(
        "LLM_CONTEXT_TOKENS", 128_000, value_parsers.whole(2_048), "the model's context window, in tokens"
    )
    llm_connect_timeout_seconds: float = _setting(
        "LLM_CONNECT_TIMEOUT_SECONDS",
        5.0,
        value_parsers.seconds,
        "time to connect to the model's API, in seconds",
    )
    # Ends a hung call early; the first token of gpt-4o-mini takes about one second.
    llm_first_byte_timeout_seconds: float = _setting(
        "LLM_FIRST_BYTE_TIMEOUT_SECONDS",
        30.0,
        value_parsers.seconds,
        "longest silence of the model, before its first token and between two, in seconds",
    )
    # Below the clients' recommended timeout of 120 seconds (docs/clients.md, mcp_config.json).
    llm_total_timeout_seconds: float = _setting(
        "LLM_TOTAL_TIMEOUT_SECONDS",
        90.0,
        value_parsers.seconds,
        "time for one model call with all its retries, in seconds",
    )
    llm_retry_after_max_seconds: float = _setting(
        "LLM_RETRY_AFTER_MAX_SECONDS",
        20.0,
        value_parsers.seconds,
        "longest pause that a provider's Retry-After can cause, in seconds",
    )
    # Nearly every provider takes this many; slow start reaches 40 in three round trips.
    max_concurrent_llm_calls: int = _setting(
        "MAX_CONCURRENT_LLM_CALLS",
        5,
        value_parsers.whole(1, 1_000),
        "model calls at once, over all requests, at the start; from there the limit adapts to what the provider "
        "takes",
    )
    # As many as MAX_CONCURRENT_REQUESTS: further calls would mostly wait for text work.
    llm_concurrency_ceiling: int = _setting(
        "LLM_CONCURRENCY_CEILING",
        64,
        value_parsers.whole(1, 1_000),
        "upper bound of that limit, whatever the provider takes; at least MAX_CONCURRENT_LLM_CALLS",
    )
    # A provider that fails one call in ten fails five in a row once in a hundred thousand.
    llm_breaker_failures: int = _setting(
        "LLM_BREAKER_FAILURES",
        5,
        value_parsers.whole(1, 1_000),
        "failures of the model's API in a row (no connection, 5xx, silence), over all requests, that open the "
        "circuit breaker: calls then fail at once",
    )
    # Long enough for a proxy to notice and fail over; a restart takes a few of these, which double.
    llm_breaker_seconds: float = _setting(
        "LLM_BREAKER_SECONDS",
        5.0,
        value_parsers.seconds,
        "how long the circuit breaker stays open at first, in seconds; then one trial call decides, and the time "
        "doubles, up to ten seconds, until one succeeds",
    )
    # A repeated call mostly comes within minutes; after that a new answer may be better.
    answer_cache_seconds: int = _setting(
        "ANSWER_CACHE_SECONDS",
        600,
        value_parsers.whole(0, value_parsers.MAX_SECONDS),
        "how long the response cache keeps the model's answer to a prompt, in seconds; identical prompts in "
        "flight share one request; each key has its own answers; 0: no cache",
    )
    # About ten thousand answers of 500 words.
    answer_cache_bytes: int = _setting(
        "ANSWER_CACHE_BYTES",
        32 * 1024 * 1024,
        value_parsers.whole(0),
        "size of the response cache, in memory, in bytes; the least recently used answers are evicted",
    )
    default_chunk_size_tokens: int = _setting(
        "DEFAULT_CHUNK_SIZE_TOKENS",
        8_000,
        value_parsers.whole(MIN_CHUNK_TOKENS),
        "size of the chunks that the model reads, in tokens; at most half of LLM_CONTEXT_TOKENS",
    )
    default_chunk_overlap_tokens: int = _setting(
        "DEFAULT_CHUNK_OVERLAP_TOKENS",
        500,
        value_parsers.whole(0),
        "what a chunk repeats of the one before if the cut is inside a paragraph, in tokens",
    )
    # Twenty chunks of 40,000 tokens: each prompt has about 280 tokens of instructions.
    llm_prompt_overhead_percent: int = _setting(
        "LLM_PROMPT_OVERHEAD_PERCENT",
        15,
        value_parsers.whole(0, 100),
        "what the prompts' instructions may add to the tokens of a text, in per cent: smaller chunks are answered"
        " sooner, but the instructions are sent with each; 0: as few chunks as DEFAULT_CHUNK_SIZE_TOKENS allows",
    )
    default_max_output_tokens: int = _setting(
        "DEFAULT_MAX_OUTPUT_TOKENS",
        5_000,
        value_parsers.whole(MIN_OUTPUT_TOKENS),
        "size of a summary if the caller names none, in tokens",
    )
    on_failure: str = _setting(
        "ON_FAILURE",
        "original",
        value_parsers.one_of("original", "extractive", "error"),
        "what the caller gets if the model gave no answer at all: the content unchanged (`original`), a summary "
        "made without the model (`extractive`), or a tool error (`error`)",
    )
    suspicious_passages: str = _setting(
        "SUSPICIOUS_PASSAGES",
        "mark",
        value_parsers.one_of("mark", "drop"),
        "what becomes of passages that look like instructions to a model: named in the outcome (`mark`), or also left out "
        "of what is summarized (`drop`)",
    )
    # Clients time out after 60 seconds or more: a partial summary before that is worth more than a full one after it.
    summarize_deadline_seconds: float = _setting(
        "SUMMARIZE_DEADLINE_SECONDS",
        50.0,
        value_parsers.seconds_or_none,
        "time for one call from its arrival, in seconds: shortly before it is over, what the model has finished "
        "is kept and the rest is summarized without it; a call with nothing finished by then gets 503; not for "
        "calls that run as a task; 0: no deadline",
    )
    log_format: str = _setting(
        "LOG_FORMAT",
        "json",
        value_parsers.one_of("json", "text"),
        "`json` for machines, `text` for people; `text` is also the default if standard output is a terminal",
    )
    log_level: str = _setting(
        "LOG_LEVEL",
        "info",
        value_parsers.one_of("debug", "info", "warning", "error"),
        "lowest level that is logged",
    )

    @property
    def backend(self) -> str:
        """What summarizes: `openrouter` or `extractive`."""
        return "openrouter" if self.openrouter_api_key else "extractive"

    @classmethod
    def from_env(cls, env: Mapping[str, str], read: ReadFile = read_file) -> "Config":
        """Read every setting; an absent or empty one has its default. Raises ConfigError.

        A secret NAME can be read from the file that NAME_FILE names, with `read`.
        """
        given = {}
        for attribute in fields(cls):
            setting: Setting = attribute.metadata["setting"]
            value = setting.value_in(env, read)
            if value is not None:
                given[attribute.name] = value
        config = cls(**given)
        config._check_sizes()
        config._check_names(env)
        return config

    def _check_names(self, env: Mapping[str, str]) -> None:
        """Refuse a misspelled name, unless the setting it resembles is set: then it may belong to another program."""
        candidates = [
            name
            for attribute in fields(self)
            for name in attribute.metadata["setting"].names
            if name.startswith(OWN_PREFIX) or getattr(self, attribute.name) == attribute.default
        ]
        valid = {name for setting, _ in settings() for name in setting.names}
        for name in sorted(env.keys() - valid):
            likely = suggestion(name, candidates) if env[name].strip() else None
            if likely is None:
                continue
            otherwise = (
                ""
                if likely.startswith(OWN_PREFIX)
                else f", or set {likely} too, to another value than its default"
            )
            raise ConfigError(
                f"{name}: expected the name of a setting: did you mean {likely}? "
                f"If another program reads {name}, start this one without it{otherwise}"
            )

    def _check_sizes(self) -> None:
        if self.max_bytes_under_way < self.max_body_bytes:
            raise ConfigError(
                f"MAX_BYTES_UNDER_WAY: expected at least MAX_BODY_BYTES ({self.max_body_bytes}), "
                f"got {self.max_bytes_under_way}: raise it, or lower MAX_BODY_BYTES"
            )
        if self.max_concurrent_requests_per_key > self.max_concurrent_requests:
            raise ConfigError(
                "MAX_CONCURRENT_REQUESTS_PER_KEY: expected at most MAX_CONCURRENT_REQUESTS "
                f"({self.max_concurrent_requests}), got {self.max_concurrent_requests_per_key}: "
                "lower it, or set 0 for no limit of its own"
            )
        if self.llm_concurrency_ceiling < self.max_concurrent_llm_calls:
            raise ConfigError(
                "LLM_CONCURRENCY_CEILING: expected at least MAX_CONCURRENT_LLM_CALLS "
                f"({self.max_concurrent_llm_calls}), got {self.llm_concurrency_ceiling}"
            )
        if self.default_chunk_overlap_tokens >= self.default_chunk_size_tokens:
            raise ConfigError(
                "DEFAULT_CHUNK_OVERLAP_TOKENS: expected less than DEFAULT_CHUNK_SIZE_TOKENS "
                f"({self.default_chunk_size_tokens}), got {self.default_chunk_overlap_tokens}"
            )
        if self.default_chunk_size_tokens > self.llm_context_tokens // 2:
            raise ConfigError(
                "DEFAULT_CHUNK_SIZE_TOKENS: expected at most half of LLM_CONTEXT_TOKENS "
                f"({self.llm_context_tokens // 2}), got {self.default_chunk_size_tokens}"
            )


def settings() -> list[tuple[Setting, Any]]:
    """Return every setting with its default, in the order of Config: the documents must list them all."""
    return [(attribute.metadata["setting"], attribute.default) for attribute in fields(Config)]


def ineffective_settings(config: Config) -> list[str]:
    """Return the changed settings that have no effect without a key: the model's name, and the URL of its API."""
    if config.openrouter_api_key:
        return []
    defaults = Config()
    changed = {
        "LLM_MODEL": config.llm_model != defaults.llm_model,
        "OPENROUTER_BASE_URL": config.openrouter_base_url != defaults.openrouter_base_url,
    }
    return [name for name, is_changed in changed.items() if is_changed]
