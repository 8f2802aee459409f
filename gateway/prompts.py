"""The prompts of the chosen servers, as `server__prompt`. Masked; not summarized, since a user has asked for them."""

from collections.abc import Mapping

from gateway.names import NameTable, ToolId, servers_meant
from gateway.upstream_lists import UpstreamLists, unknown
from protocol.context import Context
from protocol.messages import Message


class GatewayPrompts:
    """A PromptSource over the servers' lists."""

    def __init__(self, lists: UpstreamLists) -> None:
        self._lists = lists

    async def prompts(self) -> list[Message]:
        """Return the definitions for `prompts/list`."""
        found = await self._found(self._lists.servers)
        table = NameTable(found, {})
        return [{**found[prompt], "name": table.name_of(prompt)} for prompt in found]

    async def get(self, name: str, arguments: Mapping[str, str], context: Context) -> Message:
        """Return a GetPromptResult. Raises Unknown, and RpcError."""
        prompt = await self.find(name)
        params: Message = {"name": prompt.tool, "arguments": dict(arguments)}
        return await self._lists.request(prompt.server, "prompts/get", params, "messages", context)

    async def find(self, name: str) -> ToolId:
        """Return the server of a prompt, and its own name there. Raises Unknown."""
        prompt = NameTable(await self._found(servers_meant(name, self._lists.servers)), {}).tool_of(name)
        if prompt is None:
            raise unknown("prompt", name)
        return prompt

    async def _found(self, servers: list[str]) -> dict[ToolId, Message]:
        listed = await self._lists.of(servers, "prompts", "prompts/list", "prompts", "name")
        return {
            ToolId(server, prompt["name"]): prompt
            for server in servers
            for prompt in sorted(listed[server], key=lambda prompt: str(prompt["name"]))
        }
