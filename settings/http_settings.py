"""The settings of HTTP: name in the environment, default, unit and check of each. Part of `Config` (config.py).

Beside the list stands what must hold between several of them. Knows nothing of how they are used.
"""

from dataclasses import dataclass

from settings import value_parsers
from settings.setting import ConfigError, setting_field

# An ordinary call with all the client's metadata is nested seven deep; Python's JSON parser bears a thousand, less its callers.
MIN_JSON_DEPTH, MAX_JSON_DEPTH = 16, 500


@dataclass(frozen=True)
class HttpSettings:
    """Where the service listens, who may call, and how much of their requests it takes."""

    host: str = setting_field(
        "MCP_SUMMARIZER_HOST", "127.0.0.1", str, "address to listen on; 0.0.0.0 for every network"
    )
    port: int = setting_field(
        "MCP_SUMMARIZER_PORT",
        8007,
        value_parsers.whole(0, value_parsers.MAX_PORT),
        "TCP port to listen on; 0 takes a free one",
    )
    allowed_hosts: tuple[str, ...] = setting_field(
        "ALLOWED_HOSTS",
        (),
        value_parsers.hosts,
        "`Host` values that requests may carry, comma-separated, `name:port`, or `name:*` (the same as `name`); "
        "loopback names are always allowed; empty: on a loopback address only those, elsewhere any",
    )
    allowed_origins: tuple[str, ...] = setting_field(
        "ALLOWED_ORIGINS",
        (),
        value_parsers.origins,
        "`Origin` values of web pages that may call, comma-separated, `scheme://host` or `scheme://host:port`; "
        "on a loopback address, pages from loopback are allowed too, and the service's own page under one of ALLOWED_HOSTS; requests without an Origin (every MCP client outside a "
        "browser) are not affected",
    )
    api_keys: tuple[str, ...] = setting_field(
        "MCP_SUMMARIZER_API_KEYS",
        (),  # by default only this machine can call, and a key would be one more step
        value_parsers.keys,
        "keys that callers may use (`Authorization: Bearer KEY`), comma-separated, 16 characters or more each; "
        "empty: anyone who can reach the service may call; `MCP_SUMMARIZER_API_KEYS_FILE` may name a file with "
        "them instead, one a line",
        secret=True,
    )
    # Ten crawled pages are about 1 MB, whole crawls come in at ten times that.
    max_body_bytes: int = setting_field(
        "MAX_BODY_BYTES",
        16 * 1024 * 1024,
        value_parsers.whole(1024),
        "largest request body that is accepted, in bytes",
    )
    # Four of the largest requests. While it is processed, a text takes up to ten times its size in memory: 640 MiB.
    max_bytes_under_way: int = setting_field(
        "MAX_BYTES_UNDER_WAY",
        64 * 1024 * 1024,
        value_parsers.whole(1024),
        "bytes of large requests (over 256 KiB, as sent or once parsed) that are received or processed at once, tasks "
        "too, and of small ones that are being received; what would be more gets 503 and Retry-After; at least "
        "MAX_BODY_BYTES, twice that so that one key leaves room for others",
    )
    # Twice the limit of most servers, since arguments may be repeated in headers (Mcp-Param-*); cookies and tokens fit.
    max_header_bytes: int = setting_field(
        "MAX_HEADER_BYTES", 16 * 1024, value_parsers.whole(1024, 1024 * 1024), "longest header line, in bytes"
    )
    # Nine times the depth of an ordinary call.
    max_json_depth: int = setting_field(
        "MAX_JSON_DEPTH",
        64,
        value_parsers.whole(MIN_JSON_DEPTH, MAX_JSON_DEPTH),
        "deepest nesting of a request's JSON",
    )
    # Clients that send batches send a handful of messages; each one is a separate piece of work.
    max_batch_size: int = setting_field(
        "MAX_BATCH_SIZE",
        100,
        value_parsers.whole(1, 10_000),
        "largest number of messages in one JSON-RPC batch",
    )
    # A dozen for each model call in flight at the start.
    max_concurrent_requests: int = setting_field(
        "MAX_CONCURRENT_REQUESTS", 64, value_parsers.whole(1, 10_000), "requests that are processed at once"
    )
    # A fair share depends on the number of callers, which only the operator knows.
    max_concurrent_requests_per_key: int = setting_field(
        "MAX_CONCURRENT_REQUESTS_PER_KEY",
        0,
        value_parsers.whole(0, 10_000),
        "requests of one API key that are processed at once; the key has the same share of the queue and of the "
        "open streams; one more gets 429; at most MAX_CONCURRENT_REQUESTS; 0, or without API keys: no limit per "
        "key",
    )
    # Four times MAX_CONCURRENT_REQUESTS: a longer queue would mostly outlast the clients' timeouts (30 to 120 seconds).
    max_queued_requests: int = setting_field(
        "MAX_QUEUED_REQUESTS",
        256,
        value_parsers.whole(0, 100_000),
        "requests that wait in the queue; one more gets 503 and Retry-After",
    )
    # Each costs a connection and a few kilobytes; the SDKs' servers allow as many.
    max_open_streams: int = setting_field(
        "MAX_OPEN_STREAMS",
        1_024,
        value_parsers.whole(1, 100_000),
        "notification streams (`subscriptions/listen`) that are open at once",
    )
    # Enough for a body of the default MAX_BODY_BYTES at 2.3 Mbit/s.
    body_timeout_seconds: float = setting_field(
        "BODY_TIMEOUT_SECONDS", 60.0, value_parsers.seconds, "time to receive a request's body, in seconds"
    )
    # A lost packet is sent again within three seconds, and a phone changes its network within five.
    body_stall_seconds: float = setting_field(
        "BODY_STALL_SECONDS",
        10.0,
        value_parsers.seconds,
        "time for the next 16 KiB of a request's body, or the rest of it, in seconds",
    )
    # Longer than the keep-alive of proxies, 60 seconds: the side that sends requests must be the one to close a connection.
    idle_connection_seconds: float = setting_field(
        "IDLE_CONNECTION_SECONDS",
        75.0,
        value_parsers.seconds,
        "how long a connection may stay open without a complete request head, in seconds",
    )
    # The default of nginx (send_timeout).
    send_timeout_seconds: float = setting_field(
        "SEND_TIMEOUT_SECONDS",
        60.0,
        value_parsers.seconds,
        "how long a client may stop reading its response before the connection is closed, in seconds",
    )
    # Proxies close a silent connection after 30 to 60 seconds, so one ping may be late.
    ping_seconds: float = setting_field(
        "PING_SECONDS",
        15.0,
        value_parsers.seconds,
        "silence on an event stream after which a ping is sent, in seconds",
    )
    shutdown_grace_seconds: float = setting_field(
        "SHUTDOWN_GRACE_SECONDS",
        10.0,
        value_parsers.seconds,
        "after SIGTERM, time for calls in flight to finish, in seconds",
    )

    def check_http_settings(self) -> None:
        """Raise ConfigError where a limit does not fit another one."""
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
