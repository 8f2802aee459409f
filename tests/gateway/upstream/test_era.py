"""What the answers to `server/discover` and `initialize` say of a server's era."""

from __future__ import annotations

import pytest

from gateway.upstream.era import judged_discovery, judged_handshake
from gateway.upstream.errors import UpstreamError
from protocol.messages import LEGACY_VERSIONS, MODERN_VERSIONS, Era, Message

NEWEST = LEGACY_VERSIONS[0]


def supporting(*versions: object) -> Message:
    return {"result": {"supportedVersions": list(versions)}}


def unsupported(*versions: object) -> Message:
    return {"error": {"code": -32022, "message": "no", "data": {"supported": list(versions)}}}


@pytest.mark.parametrize(
    "reply, era, version",
    [
        (supporting(*MODERN_VERSIONS, *LEGACY_VERSIONS), Era.MODERN, "2026-07-28"),
        (supporting("2031-01-01", "2026-07-28"), Era.MODERN, "2026-07-28"),
        (supporting("2025-06-18", "2024-11-05"), Era.LEGACY, "2025-06-18"),
        (supporting(), Era.LEGACY, NEWEST),
        (supporting(7), Era.LEGACY, NEWEST),
        ({"result": {}}, Era.LEGACY, NEWEST),
        (unsupported("2025-03-26"), Era.LEGACY, "2025-03-26"),
        (unsupported("2026-07-28"), Era.LEGACY, NEWEST),
        ({"error": {"code": -32022, "message": "no"}}, Era.LEGACY, NEWEST),
        ({"error": {"code": -32601, "data": {"supported": ["2031-01-01"]}}}, Era.LEGACY, NEWEST),
        (None, Era.LEGACY, NEWEST),
    ],
)
def test_an_answer_to_discover_decides(reply: Message | None, era: Era, version: str) -> None:
    agreement = judged_discovery(reply)
    assert (agreement.era, agreement.version) == (era, version)


@pytest.mark.parametrize("reply", [supporting("2031-01-01"), unsupported("2031-01-01")])
def test_versions_that_nobody_here_knows_are_an_error(reply: Message) -> None:
    with pytest.raises(UpstreamError, match="speaks MCP 2031-01-01 only; known here: 2026-07-28, 2025-11-25"):
        judged_discovery(reply)


def test_the_answer_to_initialize_has_the_version() -> None:
    agreement = judged_handshake({"result": {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}}}})
    assert agreement is not None
    assert (agreement.version, agreement.capabilities) == ("2024-11-05", {"tools": {}})
    assert judged_handshake({"error": {"code": -32022, "message": "no"}}) is None
    with pytest.raises(UpstreamError, match="wants MCP '2026-07-28'"):
        judged_handshake({"result": {"protocolVersion": "2026-07-28"}})
