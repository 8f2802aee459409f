"""Which era a server speaks: `server/discover` asks it, and what refuses that, or does not answer, is asked to `initialize`.

The judgement of an answer is pure; `agree` only asks in order. An outage, or a server that wants other credentials, decides nothing:
these raise UpstreamError before an answer can be judged.
"""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Protocol

from gateway.upstream.errors import UpstreamError, UpstreamFault
from protocol.messages import LEGACY_VERSIONS, MODERN_VERSIONS, UNSUPPORTED_VERSION, Era, Message

# An old server may stay silent on a request that it does not know. A slow start is no silence for ever: its late answer counts.
PROBE_SECONDS = 10.0


@dataclass(frozen=True)
class Agreement:
    """What both sides speak, and what the server said of itself."""

    era: Era
    version: str
    server: Message = field(default_factory=dict)

    @property
    def capabilities(self) -> Message:
        """What the server declares that it can do."""
        declared = self.server.get("capabilities")
        return declared if isinstance(declared, dict) else {}

    def announces(self, kind: str) -> bool:
        """Whether it sends a notification when its list of tools, prompts or resources has changed."""
        declared = self.capabilities.get(kind)
        return isinstance(declared, dict) and declared.get("listChanged") is True


class Prober(Protocol):
    """Asks a server; returns its reply, a JSON-RPC result or error."""

    def discover(self, version: str) -> Awaitable[Message]: ...

    def initialize(self, version: str) -> Awaitable[Message]: ...


def judged_discovery(reply: Message | None) -> Agreement:
    """Return what to speak after an answer to `server/discover`; None stands for silence. Raises UpstreamError INCOMPATIBLE.

    A legacy agreement is an offer, which `initialize` has to confirm.
    """
    result = reply.get("result") if reply else None
    if isinstance(result, dict):
        supported = _versions(result, "supportedVersions")
        known = [version for version in MODERN_VERSIONS if version in supported]
        if known:
            return Agreement(Era.MODERN, known[0], result)
    else:
        error = reply.get("error", {}) if reply else {}
        is_about_versions = error.get("code") == UNSUPPORTED_VERSION
        # It refuses the newest version, which is the only modern one: what it names among the legacy ones is left.
        supported = _versions(error.get("data"), "supported") if is_about_versions else []
    offer = next((version for version in LEGACY_VERSIONS if version in supported), None)
    if supported and offer is None and not set(supported) & set(MODERN_VERSIONS):
        raise UpstreamError(
            UpstreamFault.INCOMPATIBLE,
            f"speaks MCP {', '.join(supported[:5])} only; known here: {', '.join((*MODERN_VERSIONS, *LEGACY_VERSIONS))}",
        )
    return Agreement(Era.LEGACY, offer or LEGACY_VERSIONS[0])


def judged_handshake(reply: Message) -> Agreement | None:
    """Return the agreement that an answer to `initialize` makes, None if the server refuses. Raises UpstreamError INCOMPATIBLE."""
    result = reply.get("result")
    if not isinstance(result, dict):
        return None
    version = result.get("protocolVersion")
    if version not in LEGACY_VERSIONS:
        raise UpstreamError(
            UpstreamFault.INCOMPATIBLE,
            f"wants MCP {str(version)!r}; known here: {', '.join(LEGACY_VERSIONS)}",
        )
    return Agreement(Era.LEGACY, str(version), result)


async def agree(prober: Prober, remembered: Era | None) -> Agreement:
    """Find out what a server speaks. Raises UpstreamError."""
    if remembered is Era.LEGACY:
        return await _shaken_hands(prober, LEGACY_VERSIONS[0], may_be_modern=True)
    probe = asyncio.ensure_future(prober.discover(MODERN_VERSIONS[0]))
    try:
        answered, _ = await asyncio.wait({probe}, timeout=PROBE_SECONDS)
        found = judged_discovery(probe.result() if answered else None)
        if found.era is Era.MODERN:
            return found
        if answered:
            return await _shaken_hands(prober, found.version, may_be_modern=False)
        return await _first_answered(prober, probe, found.version)
    finally:
        probe.cancel()


async def _first_answered(prober: Prober, probe: asyncio.Future[Message], version: str) -> Agreement:
    """Shake hands with a server that was silent; a late answer to the probe counts, if it comes first and is a modern one."""
    handshake = asyncio.ensure_future(_shaken_hands(prober, version, may_be_modern=True))
    both: set[asyncio.Future[Any]] = {probe, handshake}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if probe.done() and probe.exception() is None:
            late = judged_discovery(probe.result())
            if late.era is Era.MODERN:
                return late
        return await handshake
    finally:
        handshake.cancel()


async def _shaken_hands(prober: Prober, version: str, *, may_be_modern: bool) -> Agreement:
    reply = await prober.initialize(version)
    agreement = judged_handshake(reply)
    if agreement is not None:
        return agreement
    code = reply["error"].get("code")
    # subtle: a slow modern server reads the probe, too late for us, and is modern from then on: this code shows it.
    if may_be_modern or code == UNSUPPORTED_VERSION:
        found = judged_discovery(await prober.discover(MODERN_VERSIONS[0]))
        if found.era is Era.MODERN:
            return found
    raise UpstreamError(
        UpstreamFault.INCOMPATIBLE, f"refuses to initialize: {reply['error'].get('message')}", code
    )


def _versions(holder: Any, name: str) -> list[str]:
    versions = holder.get(name) if isinstance(holder, dict) else None
    return [each for each in versions if isinstance(each, str)] if isinstance(versions, list) else []
