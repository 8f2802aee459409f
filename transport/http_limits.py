"""The limits of the MCP endpoint, as its parts are given them; settings/http_settings.py has the settings and their reasons."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HttpLimits:
    """The limits of the endpoint; times are in seconds."""

    json_depth: int = 64
    places: int = 64
    waiting: int = 256
    open_streams: int = 1024
    body_seconds: float = 60.0
    send_seconds: float = 60.0
    ping_seconds: float = 15.0
    places_per_key: int = 0
    bytes_under_way: int = 64 * 1024 * 1024
    bytes_kept_free: int = 16 * 1024 * 1024
    """A key with more bytes under way must leave this many to other keys: one of the largest bodies. What a body may have says
    `client_max_size` of aiohttp's request."""
    call_seconds: float = 0.0
    stall_seconds: float = 10.0
    """Time for each part of a body."""

    @property
    def streams_per_key(self) -> int:
        """One key's share of the open streams: the same as its share of the places."""
        return -(-self.open_streams * (self.places_per_key or self.places) // self.places)
