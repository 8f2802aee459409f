"""Keeps secrets out of messages and logs: the configuration's own, and those that `mask` finds. Masking of results is another room's."""

from collections import deque
from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl, urlsplit

from gateway.masking_interface import masked_beginning
from gateway.server_spec import ServerSpec
from provider.error_kinds import printable

# Shorter values ("true", "none", a port) are no secrets, but perhaps words of a message.
MIN_SECRET_CHARS = 8

MAX_SHOWN_CHARS = 300

# Tokens come anew for as long as the process runs, and the older ones mean nothing.
LAST_TOKENS = 16


class Redaction:
    """Makes what a server, or an error, says about one server fit to be shown."""

    def __init__(
        self,
        spec: ServerSpec,
        mask: Callable[[str], str] = str,
        longest_known_chars: Callable[[], int] = int,
    ) -> None:
        """`mask` replaces what looks like a secret, and those that it knows; `longest_known_chars` says how long the longest of these is."""
        self._mask = mask
        self._longest_known_chars = longest_known_chars
        self._configured = {secret for secret in _values(spec) if len(secret) >= MIN_SECRET_CHARS}
        self._tokens = deque[str](maxlen=LAST_TOKENS)

    def hide(self, token: str) -> None:
        """Show this token in nothing, until many others have followed it."""
        self._tokens.append(token)

    def shown(self, text: str) -> str:
        """Return a text in one line without secrets, cut to a length that a message can quote."""
        own = {*self._configured, *self._tokens}
        longest = max(self._longest_known_chars(), *map(len, own), 0)
        return masked_beginning(
            text, self._without_secrets, MAX_SHOWN_CHARS, longest_known_chars=longest, form=printable
        )

    def _without_secrets(self, text: str) -> str:
        # The longest first: one may be a part of another.
        for secret in sorted({*self._configured, *self._tokens}, key=len, reverse=True):
            text = text.replace(secret, "***")
        return self._mask(text)


def _values(spec: ServerSpec) -> Iterator[str]:
    yield from spec.secrets
    yield from spec.env.values()
    for value in spec.headers.values():
        yield value
        yield from value.split()  # "Bearer KEY"
    if spec.auth is not None:
        yield from (spec.auth.client_secret, spec.auth.refresh_token)
    if spec.url is not None:
        url = urlsplit(spec.url)
        yield from (each for each in (url.password, url.query) if each)
        yield from (value for _, value in parse_qsl(url.query))
