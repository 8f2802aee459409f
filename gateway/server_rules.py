"""What is configured for each server's tools and results, and all that one configuration says. Data only.

How a server is reached is in server_spec.py, how a file is read in config_file.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gateway.server_spec import ServerSpec

Isolation = Literal["shared", "key", "session"]


@dataclass(frozen=True, slots=True)
class SummarizationRules:
    """When a server's results are summarized, and to what size."""

    enabled: bool = True
    size_threshold_tokens: int = 5_000
    """A result of as many tokens, or fewer, passes as it is."""
    summary_max_token_limit: int = 1_000
    model: str | None = None
    """None: the service's."""
    on_failure: Literal["original", "error", "extractive"] = "original"
    raw_max_tokens: int = 25_000
    """An original that comes back because of a failure is shortened to its head and tail if it has more tokens."""

    @property
    def most_passing_tokens(self) -> int:
        """How many tokens a result may have that passes as it is: what fits the limit of a summary needs none."""
        return max(self.size_threshold_tokens, self.summary_max_token_limit)


@dataclass(frozen=True, slots=True)
class MaskingRules:
    """Which secrets in a server's results are masked."""

    enabled: bool = True
    groups: tuple[str, ...] = ()
    """The names of groups of rules for the secrets of services; none: all of these."""
    emails: bool = True
    """Whether e-mail addresses are masked."""
    patterns: Mapping[str, str] = field(default_factory=dict)
    """Regular expressions of one's own, by the name that the placeholder gets."""


@dataclass(frozen=True, slots=True)
class ToolRules:
    """Which of a server's tools are offered, and how; all names are the server's own."""

    allow: frozenset[str] | None = None
    """None: all."""
    deny: frozenset[str] = frozenset()
    rename: Mapping[str, str] = field(default_factory=dict)
    description: Mapping[str, str] = field(default_factory=dict)
    exact: frozenset[str] = frozenset()
    """Tools whose results lose weight by code alone, never by a summary."""
    pin: frozenset[str] = frozenset()
    """Tools that are listed even where tools are searched for."""

    def offers(self, tool: str) -> bool:
        """Whether a tool of this name is offered."""
        return tool not in self.deny and (self.allow is None or tool in self.allow)


@dataclass(frozen=True, slots=True)
class GatewayServer:
    """All that is configured of one server."""

    spec: ServerSpec
    summarization: SummarizationRules = SummarizationRules()
    masking: MaskingRules = MaskingRules()
    tools: ToolRules = ToolRules()
    observes: bool = False
    """Whether results pass unsummarized, and only what would have been done is reported."""
    withholds_changed: bool = False
    """Whether a tool whose definition has changed is kept back until it is accepted."""
    isolation: Isolation = "shared"
    """Who has a connection of its own: nobody, each key, or each session of each."""

    @property
    def may_rewrite(self) -> bool:
        """Whether results may come back otherwise than the server gave them, apart from masked secrets."""
        return self.summarization.enabled and not self.observes


@dataclass(frozen=True, slots=True)
class GatewayConfig:
    """The servers by their names, in the file's order."""

    servers: Mapping[str, GatewayServer] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """The variables that it was read with: a changed file is read with the same."""
    notes: tuple[str, ...] = ()
    """What in the file has no effect here, a sentence each."""
