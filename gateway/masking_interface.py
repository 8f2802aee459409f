"""What masks the secrets in what servers send, as the rest of the gateway sees it: `ResultMasking` (result_masking.py)."""

from typing import Any, Protocol

from gateway.server_rules import GatewayServer


class MaskingFailed(Exception):
    """A result could not be masked: it must not be handed over. The message is for the caller, and quotes nothing of it."""


class Masking(Protocol):
    """Masks the secrets in what a server has sent: `ResultMasking` (result_masking.py), given by gateway.py."""

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        """Return a JSON value with its secrets masked. Raises MaskingFailed."""
        ...
