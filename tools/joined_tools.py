"""Tools of several sources as one list, with other names that calls may use. Knows no tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from protocol.context import Context
from protocol.messages import Message, PreEncodedList
from protocol.methods import TaskUse, ToolSource, Unknown
from tools.similar_names import did_you_mean


class JoinedTools:
    """A ToolSource over others, the first of which logs and counts calls of a tool that none has."""

    def __init__(self, sources: Sequence[ToolSource], aliases: Mapping[str, str]) -> None:
        """`aliases`: names that are not listed, each with the listed one."""
        self._first = sources[0]
        self._aliases = aliases
        self._source_of = {tool["name"]: source for source in sources for tool in source.describe()}
        self._described = PreEncodedList(tool for source in sources for tool in source.describe())

    def describe(self) -> list[Message]:
        """Return the definitions for `tools/list`, always in the same order."""
        return self._described

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether this call may run as a task."""
        name = self._aliases.get(name, name)
        return self._source_of.get(name, self._first).task_use(name, arguments, context)

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return a CallToolResult; raises Unknown."""
        name = self._aliases.get(name, name)
        try:
            return await self._source_of.get(name, self._first).call(name, arguments, context)
        except Unknown:  # each source names its own tools alone
            known = f"{', '.join(self._source_of)}{did_you_mean(name, self._source_of)}"
            raise Unknown(f"Unknown tool: {name[:100]}; known are {known}") from None
