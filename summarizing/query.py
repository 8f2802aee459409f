"""What a caller wants kept: it goes into prompts, and scores segments. Does not parse or judge it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The call whose result is the content, and the conversation that it was made in: as much material as the content itself."""

    server: str
    tool: str
    arguments: str = ""
    """As JSON."""
    conversation: str = ""
    """The messages before the call, the newest first."""
    last_request: str = ""
    """The user's newest message."""
    tokens: int = 0
    """Of arguments and conversation together."""

    @property
    def words(self) -> str:
        """The words that a summary may have though the result has not: it says what was looked for and is not there."""
        return f"{self.server} {self.tool} {self.arguments} {self.last_request}"


@dataclass(frozen=True, slots=True)
class Query:
    """What to keep: focus areas (a general summary) or a schema hint (an extraction); at most one of them is set.

    `tool_call`: the content is the result of a call, and the summary is for whoever made it.
    """

    focus_areas: str = ""
    schema_hint: str = ""
    tool_call: ToolCall | None = None

    @property
    def wants_facts(self) -> bool:
        """Whether facts for a schema are wanted rather than a text."""
        return bool(self.schema_hint)

    @property
    def words(self) -> str:
        """The query as plain words, "" where there is none: of a tool's result without focus areas, the user's newest message."""
        last_request = self.tool_call.last_request if self.tool_call else ""
        return self.schema_hint or self.focus_areas or last_request
