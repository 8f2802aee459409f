"""Tools of several sources as one list: each call reaches its source, under either name, and no other name reaches any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from protocol.context import CallContext, Context
from protocol.messages import Era, Message, RpcRequest
from protocol.methods import TaskUse, Unknown
from tools.joined_tools import JoinedTools


class Source:
    """A ToolSource that notes what it is asked for."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.asked: list[str] = []

    def describe(self) -> list[Message]:
        return [{"name": name} for name in self.names]

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        return TaskUse.PREFERRED if name in self.names else TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        self.asked.append(name)
        if name not in self.names:
            raise Unknown(f"Unknown tool: {name}; known are {self.names}")
        return {"content": []}


A_CALL = CallContext(RpcRequest(id=1, method="tools/call", params={}, era=Era.LEGACY), None)


async def test_a_call_reaches_the_source_of_its_tool_under_either_name() -> None:
    first, second = Source("one"), Source("two")
    tools = JoinedTools([first, second], {"2": "two"})
    assert [tool["name"] for tool in tools.describe()] == ["one", "two"]
    for name in ("one", "two", "2"):
        assert await tools.call(name, {}, A_CALL) == {"content": []}
        assert tools.task_use(name, {}, A_CALL) is TaskUse.PREFERRED
    assert (first.asked, second.asked) == (["one"], ["two", "two"])


async def test_of_a_tool_that_none_has_the_first_source_hears_and_the_caller_is_told_all_that_there_are() -> (
    None
):
    first, second = Source("one"), Source("two")
    tools = JoinedTools([first, second], {"2": "two"})
    with pytest.raises(Unknown, match=r"^Unknown tool: burn; known are one, two$"):
        await tools.call("burn", {}, A_CALL)
    with pytest.raises(Unknown, match=r"known are one, two; did you mean two\?$"):
        await tools.call("tow", {}, A_CALL)
    assert (first.asked, second.asked) == (["burn", "tow"], [])
    assert tools.task_use("burn", {}, A_CALL) is TaskUse.NEVER
