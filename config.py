"""Every setting: its name in the environment, default, unit and check, and the one frozen value made from them.

Knows nothing of what the settings are for. The environment is an argument, read once, at the edge.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")

# As tools.MIN_TARGET_TOKENS: under this not even one sentence fits. Written again, because this module knows no other;
# a test holds the two equal.
LEAST_OUTPUT_TOKENS = 16

# As planning.LEAST_CHUNK_TOKENS, below which a plan does not go; a test holds the two equal.
LEAST_CHUNK_TOKENS = 200

# More than any unit here can need, and int() stays quick.
MAX_DIGITS = 12

MAX_PORT = 65_535


class ConfigError(Exception):
    """A setting has a wrong value: the message names it, what was expected and what was given."""


@dataclass(frozen=True)
class Setting:
    """What a field of Config carries as metadata: `parse` raises ValueError with what was expected."""

    name: str
    parse: Callable[[str], Any]
    meaning: str


def _whole(low: int, high: int | None = None) -> Callable[[str], int]:
    expected = f"a whole number of at least {low}" if high is None else f"a whole number from {low} to {high}"

    def parse(raw: str) -> int:
        if not (raw.isascii() and raw.isdecimal()) or len(raw) > MAX_DIGITS:
            raise ValueError(expected)
        value = int(raw)
        if value < low:
            raise ValueError(expected)
        if high is not None and value > high:
            raise ValueError(expected)
        return value

    return parse


def _seconds(raw: str) -> float:
    expected = "a number of seconds over 0 and at most 86400"
    try:
        value = float(raw)
    except ValueError:
        raise ValueError(expected) from None
    if not 0 < value <= 86_400:
        raise ValueError(expected)
    return value


def _text(raw: str) -> str:
    if not raw:
        raise ValueError("a text that is not empty")
    return raw


def _secret(raw: str) -> str:
    # h11 refuses such a header later, with a message that would carry the key.
    if not (raw.isascii() and raw.isprintable()):
        raise ValueError("printable ASCII characters only")
    return raw


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(raw: str) -> str:
        if raw.lower() not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return raw.lower()

    return parse


class _Unspeakable(ValueError):
    """The value that was given must not be repeated in a message."""


def _http_url(raw: str) -> str:
    expected = "a URL that starts with http:// or https://"
    try:
        parts = urlsplit(raw)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a bracket that does not close, a port over 65535
        raise ValueError(expected) from None
    if parts.username is not None or parts.password is not None:
        raise _Unspeakable(expected + ", without user and password: the key has a setting of its own")
    if not usable or parts.query or parts.fragment or not raw.isprintable() or " " in raw:
        raise ValueError(expected + ", without spaces, ? and #")
    return raw.rstrip("/")


def _list(raw: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in raw.split(",") if part.strip())


# What a Host header can carry: a name, an IPv4 address, or an IPv6 address in brackets; then a port. `*` is any port.
_HOST = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?:(?P<port>[0-9]{1,5})|(?P<any>\*)))?")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")


def _host(raw: str) -> re.Match[str] | None:
    host = _HOST.fullmatch(raw)
    if host and host["port"] and not 0 < int(host["port"]) <= MAX_PORT:
        return None
    return host


def _hosts(raw: str) -> tuple[str, ...]:
    """Read Host values; a bare name is that name with any port."""
    hosts = []
    for part in _list(raw):
        host = _host(part)
        if host is None:
            raise ValueError("host:port, host:* or host, separated by commas, each without scheme and path")
        hosts.append(part if host["port"] or host["any"] else f"{part}:*")
    return tuple(hosts)


def _origins(raw: str) -> tuple[str, ...]:
    """Read Origin values as browsers write them: without a slash at the end."""
    for part in _list(raw):
        scheme, _, host = part.partition("://")
        if not _SCHEME.fullmatch(scheme) or not _host(host):
            raise ValueError("scheme://host or scheme://host:port, separated by commas, each without a path")
    return _list(raw)


def _setting(name: str, default: T, parse: Callable[[str], T], meaning: str, *, secret: bool = False) -> T:
    return field(default=default, repr=not secret, metadata={"setting": Setting(name, parse, meaning)})


@dataclass(frozen=True)
class Config:
    """The settings of one process."""

    host: str = _setting(
        "MCP_SUMMARIZER_HOST", "127.0.0.1", _text, "address to listen on; 0.0.0.0 for every network"
    )
    port: int = _setting(
        "MCP_SUMMARIZER_PORT", 8007, _whole(0, MAX_PORT), "TCP port to listen on; 0 takes a free one"
    )
    allowed_hosts: tuple[str, ...] = _setting(
        "ALLOWED_HOSTS",
        (),
        _hosts,
        "`Host` values that requests may carry, comma-separated, `name:port`, or `name:*` (the same as `name`); "
        "loopback names are always allowed; empty: on a loopback address only those, elsewhere any",
    )
    allowed_origins: tuple[str, ...] = _setting(
        "ALLOWED_ORIGINS",
        (),
        _origins,
        "`Origin` values of web pages that may call, comma-separated, `scheme://host` or `scheme://host:port`; on a loopback address, pages from "
        "loopback are allowed too; requests without an Origin (every MCP client outside a browser) are not affected",
    )
    # Ten crawled pages are about 1 MB, whole crawls come in at ten times that.
    max_body_bytes: int = _setting(
        "MAX_BODY_BYTES", 16 * 1024 * 1024, _whole(1024), "largest request that is read, in bytes"
    )
    shutdown_grace_seconds: float = _setting(
        "SHUTDOWN_GRACE_SECONDS",
        10.0,
        _seconds,
        "after SIGTERM, time for calls in flight to finish, in seconds",
    )
    llm_model: str = _setting(
        "LLM_MODEL", "openai/gpt-4o-mini", _text, "model that summarizes, by its OpenRouter name"
    )
    openrouter_api_key: str = _setting(
        "OPENROUTER_API_KEY",
        "",
        _secret,
        "key for the model's API (any text for a local server that asks for none); "
        "empty: the embedded extractive summarizer serves",
        secret=True,
    )
    openrouter_base_url: str = _setting(
        "OPENROUTER_BASE_URL",
        "https://openrouter.ai/api/v1",
        _http_url,
        "where the chat completions API is; any OpenAI-compatible server will do",
    )
    llm_context_tokens: int = _setting(
        "LLM_CONTEXT_TOKENS", 128_000, _whole(2_048), "the model's context window, in tokens"
    )
    llm_connect_timeout_seconds: float = _setting(
        "LLM_CONNECT_TIMEOUT_SECONDS", 5.0, _seconds, "time to connect to the model's API, in seconds"
    )
    # A hung provider is given up early; gpt-4o-mini answers its first token in about one second.
    llm_first_byte_timeout_seconds: float = _setting(
        "LLM_FIRST_BYTE_TIMEOUT_SECONDS",
        30.0,
        _seconds,
        "longest silence of the model, before its first token and between two, in seconds",
    )
    # Clients are told to wait 120 seconds (README, mcp_config.json).
    llm_total_timeout_seconds: float = _setting(
        "LLM_TOTAL_TIMEOUT_SECONDS",
        90.0,
        _seconds,
        "time for one model call with all its retries, in seconds",
    )
    llm_retry_after_max_seconds: float = _setting(
        "LLM_RETRY_AFTER_MAX_SECONDS",
        20.0,
        _seconds,
        "longest wait that a provider's Retry-After is granted, in seconds",
    )
    max_concurrent_llm_calls: int = _setting(
        "MAX_CONCURRENT_LLM_CALLS", 5, _whole(1, 1_000), "model calls at once, over all requests"
    )
    default_chunk_size_tokens: int = _setting(
        "DEFAULT_CHUNK_SIZE_TOKENS",
        8_000,
        _whole(LEAST_CHUNK_TOKENS),
        "size of the pieces that the model reads, in tokens; at most half of LLM_CONTEXT_TOKENS",
    )
    default_chunk_overlap_tokens: int = _setting(
        "DEFAULT_CHUNK_OVERLAP_TOKENS",
        500,
        _whole(0),
        "what a piece repeats of the one before, where the cut had to fall inside a paragraph, in tokens",
    )
    default_max_output_tokens: int = _setting(
        "DEFAULT_MAX_OUTPUT_TOKENS",
        5_000,
        _whole(LEAST_OUTPUT_TOKENS),
        "size of a summary where the caller names none, in tokens",
    )
    on_failure: str = _setting(
        "ON_FAILURE",
        "original",
        _one_of("original", "extractive", "error"),
        "what the caller gets when the model gave nothing at all: the content unchanged (`original`), "
        "a summary made without the model (`extractive`), or a tool error (`error`)",
    )
    log_format: str = _setting(
        "LOG_FORMAT", "json", _one_of("json", "text"), "`json` for machines, `text` for people"
    )
    log_level: str = _setting(
        "LOG_LEVEL", "info", _one_of("debug", "info", "warning", "error"), "least level that is logged"
    )

    @property
    def backend(self) -> str:
        """What summarizes: `openrouter` or `extractive`."""
        return "openrouter" if self.openrouter_api_key else "extractive"

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Config":
        """Read every setting; a name that is absent or empty has its default. Raises ConfigError."""
        values = {}
        for attribute in fields(cls):
            setting: Setting = attribute.metadata["setting"]
            raw = env.get(setting.name, "").strip()
            if raw:
                values[attribute.name] = _parse(setting, raw, hide=not attribute.repr)
        config = cls(**values)
        config._check_sizes()
        return config

    def _check_sizes(self) -> None:
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


def _parse(setting: Setting, raw: str, *, hide: bool) -> Any:
    try:
        return setting.parse(raw)
    except ValueError as expected:
        hide = hide or isinstance(expected, _Unspeakable)
        given = "one that is not shown here" if hide else repr(raw)
        raise ConfigError(f"{setting.name}: expected {expected}, got {given}") from None


def settings() -> list[tuple[Setting, Any]]:
    """Every setting with its default, in the order of Config: what the documents must list."""
    return [(attribute.metadata["setting"], attribute.default) for attribute in fields(Config)]
