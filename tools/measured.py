"""The tools with each call counted: its time, what it came to, and what the outcome of a summary says."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from protocol.context import Context
from protocol.messages import Message
from protocol.methods import TaskUse, Tools
from tools.handlers import OUTCOME_KEY


class Counts(Protocol):
    """Where the calls are counted."""

    def offered(self, names: Iterable[str]) -> None: ...

    def called(self, name: str, status: str, seconds: float) -> None: ...

    def called_unknown(self) -> None: ...

    def summarized(self, outcome: Mapping[str, Any]) -> None: ...


class MeasuredTools:
    """The tools, each call of which is counted."""

    def __init__(self, tools: Tools, counts: Counts, clock: Callable[[], float]) -> None:
        """`clock` counts seconds from anywhere."""
        self._tools = tools
        self._counts = counts
        self._clock = clock
        self._names = frozenset(tool["name"] for tool in tools.describe())
        counts.offered(self._names)

    def describe(self) -> list[Message]:
        """Return the tools as `tools/list` shows them."""
        return self._tools.describe()

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether this call may go on as a task."""
        return self._tools.task_use(name, arguments, context)

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return a CallToolResult; raises Unknown."""
        if name not in self._names:
            self._counts.called_unknown()
            return await self._tools.call(name, arguments, context)
        started = self._clock()
        status = "error"
        try:
            result = await self._tools.call(name, arguments, context)
            status = self._status_of(result)
        except asyncio.CancelledError:
            status = "cancelled"
            raise
        finally:
            self._counts.called(name, status, self._clock() - started)
        return result

    def _status_of(self, result: Message) -> str:
        """Return what a result came to; count what the outcome of a summary says."""
        if result.get("isError"):
            return "error"
        outcome = result.get("_meta", {}).get(OUTCOME_KEY)
        if outcome is None:
            return "ok"
        self._counts.summarized(outcome)
        status: str = outcome["status"]
        return status
