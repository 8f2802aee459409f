"""A connection's tools where they are searched for (`?tools=search`): `find_tools` and `call_tool` in place of the list.

Many tools cost a model more tokens than its task. It finds those that it needs, within the connection's choice; those that are pinned
are listed. Calls go to tools.py, which does the rest.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gateway.catalogue import OfferedTool
from gateway.server_selection import Selection
from gateway.tool_search import ToolIndex
from gateway.tools import OF_ORIGINALS
from protocol.context import Context
from protocol.messages import Message
from protocol.methods import TaskUse, ToolSource, Unknown
from summarizing.offload import Offload
from summarizing.text.tokenizer import Tokenizer
from tools.arguments import InvalidArguments, validated
from tools.call_results import error_result
from tools.definitions import MAX_SEARCH_CHARS

# What one answer of find_tools may have: five to twenty definitions of usual size.
MAX_FOUND_TOKENS = 4_000
# Of tools for which no room is left, the names.
MAX_NAMED = 20
MORE_NOTE = "For the definition of one of these, call find_tools with its name."
# The names of the answer's own members.
FRAME_TOKENS = 30
# What is searched of a definition has about as many, by which a search is queued.
CHARS_PER_TOOL = 400
# No offered name is as long, and none that a server is likely to have.
MAX_CALLED_NAME_CHARS = 500

FIND_TOOLS: Message = {
    "name": "find_tools",
    "title": "Find tools",
    "description": "",  # `SearchedTools` says which servers there are
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_SEARCH_CHARS,
                "description": "What you want to do, in a few words, or the name of one tool.",
            }
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True, "openWorldHint": False},
}

CALL_TOOL: Message = {
    "name": "call_tool",
    "title": "Call a tool",
    "description": "Calls a tool that find_tools has found, and returns its result. Its arguments must follow its inputSchema.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "name": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_CALLED_NAME_CHARS,
                "description": "The name of the tool, as find_tools gives it.",
            },
            "arguments": {"type": "object", "description": "The arguments for the tool."},
        },
        "required": ["name"],
        "additionalProperties": False,
    },
}


class SearchedTools:
    """A ToolSource that finds and calls the tools of another one."""

    def __init__(
        self,
        tools: ToolSource,
        offered: Sequence[OfferedTool],
        find: Callable[[str], OfferedTool | None],
        selection: Selection,
        *,
        tokenizer: Tokenizer,
        offload: Offload,
    ) -> None:
        """`offered`: those that can be found; `find` returns the one that a name means."""
        self._tools = tools
        self._offered = offered
        self._index: ToolIndex | None = None
        self._find = find
        self._tokenizer = tokenizer
        self._offload = offload
        pinned = [dict(tool.definition) for tool in offered if tool.is_pinned]
        self._described = [
            {**FIND_TOOLS, "description": _description(selection, offered)},
            CALL_TOOL,
            *pinned,
            *OF_ORIGINALS,
        ]

    def describe(self) -> list[Message]:
        """Return the definitions for `tools/list`."""
        return self._described

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return that no call goes on as a task."""
        return TaskUse.NEVER

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return a CallToolResult; a tool that is not listed can be called by its own name, too. Raises Unknown."""
        try:
            if name == FIND_TOOLS["name"]:
                return await self._found(validated(arguments, FIND_TOOLS)["query"], context)
            if name == CALL_TOOL["name"]:
                return await self._called(validated(arguments, CALL_TOOL), context)
        except InvalidArguments as problem:
            return error_result(f"{name}: {problem}")
        return await self._tools.call(name, arguments, context)

    async def _called(self, given: Mapping[str, Any], context: Context) -> Message:
        try:
            return await self._tools.call(given["name"], given.get("arguments") or {}, context)
        except Unknown as unknown:
            said = str(unknown)
            return error_result(f"{said}{'' if said.endswith('?') else ';'} find_tools says which there are")

    async def _found(self, query: str, context: Context) -> Message:
        named = self._find(query.strip())
        if named is not None:  # whole, however long it is: nothing else would tell how to call it
            return _text_result({"tools": [_shown(named)]})
        threads = self._offload.threads_for(context.owner, CHARS_PER_TOOL * len(self._offered))
        return await threads.run(self._search, query)

    def _search(self, query: str) -> Message:
        """Return the best tools with their schemas, as many as there is room for, and the names of others."""
        if self._index is None:  # not before a query wants it, and not on the event loop
            self._index = ToolIndex(self._offered)
        found = self._index.ranked(query)
        if not found:
            return _text_result(
                {"tools": [], "note": "No tool has a word of this query: say it in other words."}
            )
        shown: list[Message] = []
        left_out: list[str] = []
        named = json.dumps([tool.name for tool in found[:MAX_NAMED]]) + MORE_NOTE
        room = MAX_FOUND_TOKENS - self._tokenizer.count(named) - FRAME_TOKENS
        for tool in found:
            tokens = self._tokenizer.count(json.dumps(_shown(tool), ensure_ascii=False)) if room > 0 else 0
            if 0 < tokens <= room:
                shown.append(_shown(tool))
                room -= tokens
            elif len(left_out) < MAX_NAMED:
                left_out.append(tool.name)
            if len(left_out) >= MAX_NAMED:
                break
        answer: Message = {"tools": shown}
        if left_out:
            answer["more"] = left_out
            answer["note"] = MORE_NOTE
        return _text_result(answer)


def _description(selection: Selection, offered: Sequence[OfferedTool]) -> str:
    """Return what find_tools is for: it names the servers, since nothing else in the list does."""
    counts = Counter(tool.id.server for tool in offered)
    servers = ", ".join(f"{server} ({counts[server]})" for server in selection.servers)
    return (
        "Finds tools by what they do; call_tool calls them. There are tools of these servers, so many of each: "
        f"{servers}. Returns names, descriptions and input schemas of the best ones."
    )


def _shown(tool: OfferedTool) -> Message:
    definition = tool.definition
    return {name: definition[name] for name in ("name", "description", "inputSchema") if name in definition}


def _text_result(value: Message) -> Message:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return {"content": [{"type": "text", "text": text}]}
