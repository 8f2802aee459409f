"""The settings of the model's API: its name in the environment, default, unit and check of each. Part of `Config` (config.py)."""

from dataclasses import dataclass

from settings import value_parsers
from settings.setting import ConfigError, setting_field


@dataclass(frozen=True)
class ModelSettings:
    """How the model is reached, and how politely it is asked."""

    llm_model: str = setting_field(
        "LLM_MODEL", "openai/gpt-4o-mini", str, "model that summarizes, by its OpenRouter name"
    )
    openrouter_api_key: str = setting_field(
        "OPENROUTER_API_KEY",
        "",
        value_parsers.secret,
        "key for the model's API (any text for a local server without keys); empty: the embedded extractive "
        "summarizer is used; `OPENROUTER_API_KEY_FILE` may name a file with it instead",
        secret=True,
    )
    openrouter_base_url: str = setting_field(
        "OPENROUTER_BASE_URL",
        "https://openrouter.ai/api/v1",
        value_parsers.http_url,
        "base URL of the chat completions API, OpenRouter's or any OpenAI-compatible server's",
    )
    llm_context_tokens: int = setting_field(
        "LLM_CONTEXT_TOKENS", 128_000, value_parsers.whole(2_048), "the model's context window, in tokens"
    )
    llm_connect_timeout_seconds: float = setting_field(
        "LLM_CONNECT_TIMEOUT_SECONDS",
        5.0,
        value_parsers.seconds,
        "time to connect to the model's API, in seconds",
    )
    # Ends a hung call early; the first token of gpt-4o-mini takes about one second.
    llm_first_byte_timeout_seconds: float = setting_field(
        "LLM_FIRST_BYTE_TIMEOUT_SECONDS",
        30.0,
        value_parsers.seconds,
        "longest silence of the model, before its first token and between two, in seconds",
    )
    # Below the clients' recommended timeout of 120 seconds (docs/clients.md, mcp_config.json).
    llm_total_timeout_seconds: float = setting_field(
        "LLM_TOTAL_TIMEOUT_SECONDS",
        90.0,
        value_parsers.seconds,
        "time for one model call with all its retries, in seconds",
    )
    llm_retry_after_max_seconds: float = setting_field(
        "LLM_RETRY_AFTER_MAX_SECONDS",
        20.0,
        value_parsers.seconds,
        "longest pause that a provider's Retry-After can cause, in seconds",
    )
    # Nearly every provider takes this many; slow start reaches 40 in three round trips.
    max_concurrent_llm_calls: int = setting_field(
        "MAX_CONCURRENT_LLM_CALLS",
        5,
        value_parsers.whole(1, 1_000),
        "model calls at once, over all requests, at the start; from there the limit adapts to what the provider "
        "takes",
    )
    # As many as MAX_CONCURRENT_REQUESTS: further calls would mostly wait for text work.
    llm_concurrency_ceiling: int = setting_field(
        "LLM_CONCURRENCY_CEILING",
        64,
        value_parsers.whole(1, 1_000),
        "upper bound of that limit, whatever the provider takes; at least MAX_CONCURRENT_LLM_CALLS",
    )
    # A provider that fails one call in ten fails five in a row once in a hundred thousand.
    llm_breaker_failures: int = setting_field(
        "LLM_BREAKER_FAILURES",
        5,
        value_parsers.whole(1, 1_000),
        "failures of the model's API in a row (no connection, 5xx, silence), over all requests, that open the "
        "circuit breaker: calls then fail at once",
    )
    # Long enough for a proxy to notice and fail over; a restart takes a few of these, which double.
    llm_breaker_seconds: float = setting_field(
        "LLM_BREAKER_SECONDS",
        5.0,
        value_parsers.seconds,
        "how long the circuit breaker stays open at first, in seconds; then one trial call decides, and the time "
        "doubles, up to ten seconds, until one succeeds",
    )
    # A repeated call mostly comes within minutes; after that a new answer may be better.
    answer_cache_seconds: int = setting_field(
        "ANSWER_CACHE_SECONDS",
        600,
        value_parsers.whole(0, value_parsers.MAX_SECONDS),
        "how long the response cache keeps the model's answer to a prompt, in seconds; identical prompts in "
        "flight share one request; each key has its own answers; 0: no cache",
    )
    # About ten thousand answers of 500 words.
    answer_cache_bytes: int = setting_field(
        "ANSWER_CACHE_BYTES",
        32 * 1024 * 1024,
        value_parsers.whole(0),
        "size of the response cache, in memory, in bytes; the least recently used answers are evicted",
    )

    def check_model_settings(self) -> None:
        """Raise ConfigError where a limit does not fit another one."""
        if self.llm_concurrency_ceiling < self.max_concurrent_llm_calls:
            raise ConfigError(
                "LLM_CONCURRENCY_CEILING: expected at least MAX_CONCURRENT_LLM_CALLS "
                f"({self.max_concurrent_llm_calls}), got {self.llm_concurrency_ceiling}"
            )
