"""What a server consists of, and the handler of every method: a checked request in, a result out.

The parts of a server (tools, resources, prompts, ...) are Protocols that a program implements or leaves out; a part that is left
out is neither declared nor served. protocol/revisions.py says which revision has which methods.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar

from protocol.context import CallContext, Context, read_responses
from protocol.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    LEGACY_RESOURCE_NOT_FOUND,
    LEGACY_VERSIONS,
    LOG_LEVELS,
    MODERN_VERSIONS,
    TASKS_EXTENSION,
    Era,
    Message,
    Notify,
    RpcError,
    RpcRequest,
    json_type,
    object_param,
    string_param,
)
from protocol.routing_headers import ArgumentPath, mirrored_arguments
from protocol.subscriptions import Hub, read_filter
from protocol.tasks import StoreFull, TaskStore, require_tasks, task_id_of

T = TypeVar("T")

# MCP, Completion: at most this many values.
MAX_COMPLETIONS = 100

DEFAULT_MAX_BATCH = 100

# The part of a server that each kind of subscription is about.
_ANNOUNCED_BY = {
    "toolsListChanged": "tools",
    "promptsListChanged": "prompts",
    "resourcesListChanged": "resources",
    "resourceSubscriptions": "resources",
}


class Unknown(Exception):
    """Raised by a part for a tool, prompt or resource that it does not have; the message is for the caller."""


class UnknownTool(RpcError):
    """The error of a call of a tool that does not exist; the tools have logged it."""

    is_logged = True


class TaskUse(Enum):
    """Whether a call may continue as a task."""

    NEVER = "never"
    PREFERRED = "preferred"
    """A task for clients that support tasks, the result itself for others."""
    REQUIRED = "required"


class ToolSource(Protocol):
    """The tools that clients can call: here `SummarizerTools` (tools/handlers.py), inside `MeasuredTools` (tools/tool_metrics.py)."""

    def describe(self) -> list[Message]:
        """Return the tools as `tools/list` shows them, always in the same order."""
        ...

    def task_use(self, name: str, arguments: Mapping[str, Any], context: Context) -> TaskUse:
        """Return whether this call may go on as a task."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any], context: Context) -> Message:
        """Return a CallToolResult; logs and raises Unknown."""
        ...


class ResourceSource(Protocol):
    """The resources that clients can read: here those of the servers behind the gateway (gateway/resources.py)."""

    async def resources(self) -> list[Message]:
        """Return the resources as `resources/list` shows them."""
        ...

    async def templates(self) -> list[Message]:
        """Return the templates as `resources/templates/list` shows them."""
        ...

    async def read(self, uri: str, context: Context) -> list[Message]:
        """Return the contents of a resource; raises Unknown."""
        ...


class PromptSource(Protocol):
    """The prompts that users can choose: here those of the servers behind the gateway (gateway/prompts.py)."""

    async def prompts(self) -> list[Message]:
        """Return the prompts as `prompts/list` shows them."""
        ...

    async def get(self, name: str, arguments: Mapping[str, str], context: Context) -> Message:
        """Return a GetPromptResult; raises Unknown."""
        ...


class Completions(NamedTuple):
    """Values that complete what a user has begun to type."""

    values: list[str]
    total: int | None = None
    """How many there are; None: as many as `values` or, if there are more, not known."""
    has_more: bool = False
    """Whether there are more than `values`."""


class CompletionSource(Protocol):
    """Completions of what a user has begun to type: here those of the servers behind the gateway (gateway/completions.py)."""

    async def complete(
        self, ref: Message, argument: Message, known: Message, context: Context
    ) -> Completions:
        """Return the matching values; `known`: what was chosen before, such as other arguments. Raises Unknown."""
        ...


@dataclass(frozen=True)
class Server:
    """A server and its parts. Name and version are for display only."""

    name: str
    version: str
    instructions: str
    tools: ToolSource
    resources: ResourceSource | None = None
    prompts: PromptSource | None = None
    completions: CompletionSource | None = None
    tasks: TaskStore | None = None
    hub: Hub | None = None
    announces: frozenset[str] = frozenset()
    """The members of a subscription filter whose changes the parts publish on the hub."""
    tells_updates: Callable[[str], bool] = lambda uri: True
    """Whether updates of a resource, by its address, are published there."""
    logging: bool = False
    """Whether tools send log messages to the client."""
    legacy_subscriptions: bool = False
    """Whether resources/subscribe is acknowledged, although without sessions no update can be delivered."""
    lacks_tools: Callable[[], bool] = lambda: False
    """Whether some of its tools are not known yet: then no list of them should be kept."""
    client_headers: frozenset[str] = frozenset()
    """The names, in lower case, of headers that its tools read beside MCP's own (`Context.headers`)."""
    max_batch: int = DEFAULT_MAX_BATCH
    mirrored: Mapping[str, Mapping[ArgumentPath, str]] = field(init=False)
    """By tool, the arguments that are mirrored in headers."""

    def __post_init__(self) -> None:
        """Raises ValueError for a tool with invalid x-mcp-header annotations."""
        mirrored = {tool["name"]: mirrored_arguments(tool) for tool in self.tools.describe()}
        object.__setattr__(self, "mirrored", mirrored)

    @property
    def info(self) -> dict[str, str]:
        """The name and version that clients show."""
        return {"name": self.name, "version": self.version}

    def capabilities(self, era: Era) -> Message:
        """Return the capabilities to declare: what the server really serves in that era."""
        declared: Message = {"tools": self._flags(era, "toolsListChanged")}
        if self.resources:
            subscribe = {"subscribe": True} if self._delivers_resources(era) else {}
            declared["resources"] = self._flags(era, "resourcesListChanged") | subscribe
        if self.prompts:
            declared["prompts"] = self._flags(era, "promptsListChanged")
        if self.completions:
            declared["completions"] = {}
        if self.logging:
            declared["logging"] = {}
        if self.tasks and era is Era.MODERN:
            declared["extensions"] = {TASKS_EXTENSION: {}}
        return declared

    @property
    def delivers(self) -> frozenset[str]:
        """The changes that a subscription can deliver: of existing parts, if there is a hub."""
        offered = {member for member, part in _ANNOUNCED_BY.items() if self.hub and getattr(self, part)}
        return self.announces & offered

    @property
    def acknowledges(self) -> bool:
        """Whether resources/subscribe is acknowledged."""
        return bool(self.resources) and self.legacy_subscriptions

    def _flags(self, era: Era, change: str) -> Message:
        # In the legacy era there is no stream to send them on.
        return {"listChanged": True} if era is Era.MODERN and change in self.delivers else {}

    def _delivers_resources(self, era: Era) -> bool:
        return self.acknowledges if era is Era.LEGACY else "resourceSubscriptions" in self.delivers


MethodHandler = Callable[[RpcRequest, Server, Notify | None], Awaitable[Message]]


def _present(part: T | None) -> T:
    """Return a part of the server; a method whose part is missing is refused before its handler is called."""
    if part is None:
        raise LookupError("this server has no such part")
    return part


# --- The server itself -----------------------------------------------------------------------------------------


async def discover(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`server/discover`."""
    return {
        "supportedVersions": [*MODERN_VERSIONS, *LEGACY_VERSIONS],
        "capabilities": server.capabilities(Era.MODERN),
        "instructions": server.instructions,
    }


async def initialize(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`initialize`."""
    requested = string_param(request, "protocolVersion")
    return {
        "protocolVersion": requested if requested in LEGACY_VERSIONS else LEGACY_VERSIONS[0],
        "capabilities": server.capabilities(Era.LEGACY),
        "serverInfo": server.info,
        "instructions": server.instructions,
    }


async def ping(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`ping`."""
    return {}


async def set_log_level(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`logging/setLevel`: checked, not kept, as there are no sessions."""
    level = string_param(request, "level")
    if level not in LOG_LEVELS:
        expected = ", ".join(LOG_LEVELS)
        raise RpcError(
            INVALID_PARAMS, f"Invalid params: level: expected one of {expected}, got {level[:100]!r}"
        )
    return {}


# --- Tools -----------------------------------------------------------------------------------------------------


async def list_tools(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`tools/list`."""
    page = _page(request, "tools", server.tools.describe())
    # Nobody may keep a list that is about to become longer.
    is_stale = request.era is Era.MODERN and server.lacks_tools()
    return {**page, "ttlMs": 0} if is_stale else page


async def call_tool(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`tools/call`: the result, a task that will have it, or the input that the call needs."""
    name, arguments = string_param(request, "name"), object_param(request, "arguments")
    on_connection = CallContext(request, notify, logs=server.logging)

    async def call(context: Context) -> Message:
        try:
            return await server.tools.call(name, arguments, context)
        except Unknown as unknown:
            raise UnknownTool(INVALID_PARAMS, str(unknown)) from None

    use = server.tools.task_use(name, arguments, on_connection) if server.tasks else TaskUse.NEVER
    if use is TaskUse.REQUIRED:
        require_tasks(request, name[:100])
    if server.tasks and use is not TaskUse.NEVER and request.declares_tasks:
        try:
            return server.tasks.start(request, call)
        except StoreFull:
            if use is TaskUse.REQUIRED:
                raise RpcError(INTERNAL_ERROR, "No room for another task; call again later") from None
    return await call(on_connection)


# --- Resources, prompts, completion ----------------------------------------------------------------------------


async def list_resources(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`resources/list`."""
    return _page(request, "resources", await _present(server.resources).resources())


async def list_templates(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`resources/templates/list`."""
    return _page(request, "resourceTemplates", await _present(server.resources).templates())


async def read_resource(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`resources/read`."""
    uri = string_param(request, "uri")
    try:
        return {"contents": await _present(server.resources).read(uri, CallContext(request, notify))}
    except Unknown as unknown:
        # MCP 2026-07-28: -32002 MUST NOT be sent any more.
        code = LEGACY_RESOURCE_NOT_FOUND if request.era is Era.LEGACY else INVALID_PARAMS
        raise RpcError(code, str(unknown), {"uri": uri}) from None


async def acknowledge(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`resources/subscribe` and `unsubscribe`: updates are optional, and without sessions none are sent."""
    string_param(request, "uri")
    return {}


async def list_prompts(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`prompts/list`."""
    return _page(request, "prompts", await _present(server.prompts).prompts())


async def get_prompt(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`prompts/get`."""
    name, arguments = string_param(request, "name"), object_param(request, "arguments")
    for argument, value in arguments.items():
        if not isinstance(value, str):
            raise RpcError(
                INVALID_PARAMS, f"Invalid params: {argument[:100]}: expected a string, got {json_type(value)}"
            )
    try:
        return await _present(server.prompts).get(name, arguments, CallContext(request, notify))
    except Unknown as unknown:
        raise RpcError(INVALID_PARAMS, str(unknown)) from None


async def complete(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`completion/complete`."""
    ref, argument = object_param(request, "ref"), object_param(request, "argument")
    known = object_param(request, "context")
    if not isinstance(argument.get("name"), str) or not isinstance(argument.get("value"), str):
        raise RpcError(INVALID_PARAMS, "Invalid params: argument needs a string name and a string value")
    try:
        found = await _present(server.completions).complete(
            ref, argument, known, CallContext(request, notify)
        )
    except Unknown as unknown:
        raise RpcError(INVALID_PARAMS, str(unknown)) from None
    shown = found.values[:MAX_COMPLETIONS]
    has_more = found.has_more or len(shown) < len(found.values)
    total = len(found.values) if found.total is None and not found.has_more else found.total
    counted = {} if total is None else {"total": total}
    return {"completion": {"values": shown, **counted, "hasMore": has_more}}


def _page(request: RpcRequest, name: str, items: list[Message]) -> Message:
    if request.params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "Invalid params: unknown cursor; the list has one page")
    return {name: items}


# --- Tasks and subscriptions -----------------------------------------------------------------------------------


async def listen(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`subscriptions/listen`: open until the client or the server ends it."""
    wanted = read_filter(request)
    if wanted.named["taskIds"]:
        require_tasks(request, "notifications.taskIds")
    if notify is None:
        raise RpcError(INVALID_PARAMS, "Invalid params: subscriptions/listen needs a stream to answer on")
    tasks = server.tasks.announced(wanted.named["taskIds"], request.owner) if server.tasks else {}
    honoured = wanted.within(server.delivers, tasks.keys(), server.tells_updates)
    return await _present(server.hub).listen(request, honoured, notify, tasks.values())


async def get_task(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`tasks/get`."""
    return _present(server.tasks).get(task_id_of(request), request.owner)


async def update_task(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`tasks/update`."""
    task_id = task_id_of(request)
    if "inputResponses" not in request.params:
        raise RpcError(INVALID_PARAMS, "Invalid params: tasks/update needs an object inputResponses")
    _present(server.tasks).update(task_id, request.owner, read_responses(request.params))
    return {}


async def cancel_task(request: RpcRequest, server: Server, notify: Notify | None) -> Message:
    """`tasks/cancel`."""
    _present(server.tasks).cancel(task_id_of(request), request.owner)
    return {}
