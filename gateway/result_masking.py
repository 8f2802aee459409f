"""Masks what servers send, by the rules that are configured for each server: what is not small in a worker thread and within a time."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from concurrency.worker_threads import Worker
from gateway.masking.configured_secrets import configured_secrets, is_path
from gateway.masking.masker import KnownSecrets, Masker
from gateway.masking.secret_shapes import (
    GENERATED,
    PatternError,
    SecretRule,
    generated_rules,
    of_groups,
    operator_rules,
)
from gateway.masking_interface import MaskingFailed, masked_beginning
from gateway.server_rules import GatewayServer
from gateway.server_spec import ServerSpec
from gateway.upstream.errors import UpstreamError, UpstreamFault
from protocol.messages import Message
from protocol.routing_headers import mirrored_arguments
from tools.call_results import is_small

logger = logging.getLogger(__name__)

# A megabyte of text takes a tenth to a third of a second of a core, one of JSON in small strings up to one; the largest result that is allowed by default has 128.
MASKING_SECONDS = 60.0

# In place of what a server says that is no longer configured: its rules are gone.
REMOVED = "[withheld: this server is no longer configured]"


class ResultMasking:
    """A masker for each server: where masking is switched off, one of the configuration's own secrets alone."""

    def __init__(
        self,
        servers: Mapping[str, GatewayServer],
        rules: Iterable[SecretRule],
        workers: Mapping[str, Worker],
        key: bytes,
    ) -> None:
        """`rules`: those of the data; `workers`: one for each server; `key`: random bytes for the placeholders. Raises PatternError, which names the server."""
        self._workers = workers
        self._rules = tuple(rules)
        self._key = key
        self._maskers: Mapping[str, KnownSecrets] = {}
        self._replaced_before = Counter[str]()
        self.configure(servers)

    def configure(self, servers: Mapping[str, GatewayServer]) -> None:
        """Mask by the rules of these servers from now on. Raises PatternError, which names the server."""
        # What one server is given must not come back from another one.
        known = {secret for server in servers.values() for secret in _secrets_of(server.spec)}
        maskers = {
            name: Masker(_rules_of(name, server, self._rules), known, self._key, emails=server.masking.emails)
            if server.masking.enabled
            else KnownSecrets(known, self._key)
            for name, server in servers.items()
        }
        self._replaced_before = self.replaced
        self._maskers = maskers

    @property
    def replaced(self) -> Counter[str]:
        """How many secrets were replaced so far, by server; of one that is no longer configured, too."""
        counts = Counter(self._replaced_before)
        counts.update({name: masker.replaced for name, masker in self._maskers.items()})
        return counts

    async def masked(self, value: Any, server: GatewayServer) -> Any:
        """Return a JSON value with its secrets masked. Raises MaskingFailed."""
        try:
            masker = self._maskers[server.spec.name]  # of a server that is no longer configured there is none
            # The time that configured patterns take is known to grow with the text, not how fast.
            if not server.masking.patterns and is_small(value):
                return masker.mask_json(value)
            async with asyncio.timeout(MASKING_SECONDS):
                return await self._workers[server.spec.name](masker.mask_json, value)
        except TimeoutError:
            raise MaskingFailed(f"its secrets were not masked within {MASKING_SECONDS:g} s") from None
        except Exception as problem:  # noqa: BLE001 - see below
            # Whatever it is: a result that was not masked must not be handed over. Its kind alone is logged: its message may quote it.
            kind = type(problem).__name__
            logger.error("masking_failed", extra={"upstream": server.spec.name, "error": kind})  # noqa: TRY400
            raise MaskingFailed("its secrets could not be masked; the log says why") from None

    async def tools(self, tools: tuple[Message, ...], server: GatewayServer) -> tuple[Message, ...]:
        """Return definitions of tools with their secrets masked. Raises UpstreamError.

        A tool with a secret in its name or in a name of a header is left out, and so is one that no client may take for its headers.
        """
        try:
            masked = await self.masked(list(tools), server)
        except MaskingFailed as problem:
            raise UpstreamError(UpstreamFault.INVALID, f"its tools are withheld: {problem}") from None
        return tuple(
            tool
            for tool, given in zip(masked, tools, strict=True)
            if tool["name"] == given["name"] and _has_valid_headers(tool)
        )

    def text(self, text: str, server: GatewayServer) -> str:
        """Return a short text, such as an error or a progress message, with its secrets masked."""
        masker = self._maskers.get(server.spec.name)
        return masker.mask(text) if masker else REMOVED

    def beginning(self, text: str, chars: int, server: GatewayServer) -> str:
        """Return at most `chars` characters of a text, with its secrets masked, and a mark where there is more."""
        return masked_beginning(
            text, partial(self.text, server=server), chars, longest_known_chars=self.longest_known_chars
        )

    @property
    def longest_known_chars(self) -> int:
        """How long the longest secret of the configuration is."""
        return max((masker.longest_known_chars for masker in self._maskers.values()), default=0)


def check_masking(servers: Mapping[str, GatewayServer]) -> None:
    """Raise PatternError, which names the server, for a masking rule that cannot be used."""
    everything = generated_rules(GENERATED.read_text("utf-8"))
    for name, server in servers.items():
        _rules_of(name, server, everything)


def _has_valid_headers(tool: Message) -> bool:
    """Whether its x-mcp-header annotations are valid: a server of the legacy era may have any, but our clients are modern, too."""
    try:
        mirrored_arguments(tool)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return False
    return True


def _secrets_of(spec: ServerSpec) -> Iterator[str]:
    """Yield what a server's configuration has that must not come back: of variables all but paths, of the rest what its name says."""
    yield from (value for value in spec.secrets if not is_path(value))
    yield from configured_secrets((*spec.env.items(), *spec.headers.items()), spec.args, spec.url)
    if spec.auth is not None:
        named = (("client_secret", spec.auth.client_secret), ("refresh_token", spec.auth.refresh_token))
        yield from configured_secrets(named, url=spec.auth.token_url)


def _rules_of(name: str, server: GatewayServer, everything: tuple[SecretRule, ...]) -> tuple[SecretRule, ...]:
    try:
        groups = server.masking.groups
        return (
            *(of_groups(everything, groups) if groups else everything),
            *operator_rules(server.masking.patterns),
        )
    except PatternError as problem:
        raise PatternError(f"{name}.masking: {problem}") from None
