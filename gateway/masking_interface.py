"""What masks the secrets in what servers send, as the rest of the gateway sees it: `ResultMasking` (result_masking.py)."""

from collections.abc import Callable
from typing import Any, Protocol

from gateway.server_rules import GatewayServer

# No secret that is recognized by its form is longer: a private key of 4,096 bits has 3,300. Configured ones may be.
LONGEST_SECRET_CHARS = 4_000


class MaskingFailed(Exception):
    """A result could not be masked: it must not be handed over. The message is for the caller, and quotes nothing of it."""


class Masking(Protocol):
    """Masks the secrets in what a server has sent: `ResultMasking` (result_masking.py), given by gateway.py."""

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        """Return a JSON value with its secrets masked. Raises MaskingFailed."""
        ...

    @property
    def longest_known_chars(self) -> int:
        """How long the longest secret of the configuration is."""
        ...


def chars_to_mask(shown_chars: int, longest_known_chars: int) -> int:
    """Return how many characters of a text must be masked, if `shown_chars` of it are to be shown, with `without_half_secret`.

    `longest_known_chars`: how long the longest secret of the configuration is.
    """
    # Twice: once for what is left out, and once so that behind a long secret, which becomes short, there is as much to be shown.
    return shown_chars + 2 * _longest(longest_known_chars)


def without_half_secret(masked: str, longest_known_chars: int) -> str:
    """Return the masked beginning of a text without its end: half of a secret that may stand there is not recognized.

    What was masked is shorter, so that this half may come near the beginning.
    """
    return masked[: -_longest(longest_known_chars)]


def _longest(longest_known_chars: int) -> int:
    return max(LONGEST_SECRET_CHARS, longest_known_chars)


def masked_beginning(
    text: str,
    mask: Callable[[str], str],
    chars: int,
    *,
    longest_known_chars: int = 0,
    form: Callable[[str], str] = str,
) -> str:
    """Return at most `chars` characters of a text, with its secrets masked and in this form, and a mark where there is more.

    Masked before it is cut, since half a secret is not recognized; but not megabytes of it, on the event loop. `longest_known_chars`: how
    long the longest secret is that `mask` knows itself. `form` may make a text shorter.
    """
    read = text[: chars_to_mask(chars, longest_known_chars)]
    masked = mask(read)
    if len(read) < len(text):
        masked = without_half_secret(masked, longest_known_chars)
    shown = form(masked)
    return shown if len(shown) <= chars and len(read) == len(text) else shown[:chars] + "…"
