"""Completions of what a user types for a server's prompt or template: asked of that server, under its own names. Masked."""

from typing import Any

from gateway.prompts import GatewayPrompts
from gateway.resources import GatewayResources
from gateway.upstream_lists import UpstreamLists, unknown
from protocol.context import Context
from protocol.messages import INVALID_PARAMS, Message, RpcError
from protocol.methods import Completions


class GatewayCompletions:
    """A CompletionSource over the servers."""

    def __init__(self, lists: UpstreamLists, prompts: GatewayPrompts, resources: GatewayResources) -> None:
        self._lists = lists
        self._prompts = prompts
        self._resources = resources

    async def complete(
        self, ref: Message, argument: Message, known: Message, context: Context
    ) -> Completions:
        """Return a server's completions, none where it makes none. Raises Unknown, and RpcError."""
        server, own_ref = await self._own(ref)
        if not self._lists.can(server, "completions"):
            return Completions([])
        params: Message = {"ref": own_ref, "argument": argument, **({"context": known} if known else {})}
        result = await self._lists.answer(server, "completion/complete", params, context)
        return _completions(result.get("completion"))

    async def _own(self, ref: Message) -> tuple[str, Message]:
        """Return the server that is meant, and what it calls the prompt or the template."""
        name, uri = ref.get("name"), ref.get("uri")
        if ref.get("type") == "ref/prompt" and isinstance(name, str):
            prompt = await self._prompts.find(name)
            return prompt.server, {**ref, "name": prompt.tool}
        if ref.get("type") == "ref/resource" and isinstance(uri, str):
            found = self._resources.find(uri)
            if found is None:
                raise unknown("resource", uri)
            server, own_uri = found
            return server, {**ref, "uri": own_uri}
        raise RpcError(
            INVALID_PARAMS, "Invalid params: ref: expected ref/prompt with a name or ref/resource with a uri"
        )


def _completions(given: Any) -> Completions:
    """Return what a server has answered, as far as it is what MCP says that it is."""
    found = given if isinstance(given, dict) else {}
    values, total = found.get("values"), found.get("total")
    return Completions(
        [each for each in values if isinstance(each, str)] if isinstance(values, list) else [],
        total if type(total) is int else None,
        has_more=found.get("hasMore") is True,
    )
