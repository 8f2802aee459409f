"""Tells the content of a picture or a sound from text: in it no rule for texts finds a secret, and they would take seconds. Pure."""

import re
from collections.abc import Mapping
from typing import Any

MEDIA_TYPES = ("image", "audio")

# No secret that a rule would find has as many characters without a sign that base64 has not; shorter data is masked at once.
LEAST_CHARS = 1_000

_BASE64 = re.compile(r"[A-Za-z0-9+/=\r\n]*+")
# Looked at in one go: other threads wait so long.
CHARS_AT_ONCE = 1_000_000


def has_media(members: Mapping[str, Any]) -> bool:
    """Whether the `data` of a JSON object is that of an image or audio block (MCP, Tools), base64 as it must be."""
    data = members.get("data")
    return (
        isinstance(data, str)
        and len(data) >= LEAST_CHARS
        and members.get("type") in MEDIA_TYPES
        and all(_BASE64.fullmatch(data, at, at + CHARS_AT_ONCE) for at in range(0, len(data), CHARS_AT_ONCE))
    )
