"""Wraps the tools with metrics: the duration and result of each call, and the outcome of each summary."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from protocol.context import Context
from protocol.messages import Message
from protocol.methods import TaskUse, ToolSource
from tools.call_results import OUTCOME_KEY


class ToolMetrics(Protocol):
    """The metrics of tool calls: `Metrics` (observability/metric_catalogue.py)."""

    def init_tools(self, names: Iterable[str]) -> None: ...

    def count_call(self, name: str, status: str, seconds: float) -> None: ...

    def count_unknown_tool(self) -> None: ...

    def observe_outcome(self, outcome: Mapping[str, Any]) -> None: ...


class MeasuredTools:
    """The tools, with metrics of each call."""

    def __init__(self, tools: ToolSource, metrics: ToolMetrics, clock: Callable[[], float]) -> None:
        """`clock` counts seconds from any moment."""
        self._tools = tools
        self._metrics = metrics
        self._clock = clock
        self._names = frozenset(tool["name"] for tool in tools.describe())
        metrics.init_tools(self._names)

    def describe(self) -> list[Message]:
        """Return the definitions that `tools/list` shows."""
        return self._tools.describe()

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether this call may run as a task."""
        return self._tools.task_use(name, arguments, context)

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return a CallToolResult; raises Unknown."""
        if name not in self._names:
            self._metrics.count_unknown_tool()
            return await self._tools.call(name, arguments, context)
        started = self._clock()
        status = "error"
        try:
            result = await self._tools.call(name, arguments, context)
            status = self._record_outcome(result)
        except asyncio.CancelledError:
            status = "cancelled"
            raise
        finally:
            self._metrics.count_call(name, status, self._clock() - started)
        return result

    def _record_outcome(self, result: Message) -> str:
        """Record the outcome of a summary; return the status of any result."""
        if result.get("isError"):
            return "error"
        outcome = result.get("_meta", {}).get(OUTCOME_KEY)
        if outcome is None:
            return "ok"
        self._metrics.observe_outcome(outcome)
        status: str = outcome["status"]
        return status
