"""MCP requests as clients of either era write them, for tests to send or to spoil."""

from __future__ import annotations

from typing import Any

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER_INFO = "io.modelcontextprotocol/serverInfo"

Message = dict[str, Any]


def legacy(method: str, params: Message | None = None, *, request_id: Any = 1) -> Message:
    """Write a request of the handshake revisions."""
    message: Message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def modern(
    method: str,
    params: Message | None = None,
    *,
    request_id: Any = 1,
    version: str = MODERN,
    **meta: Any,
) -> Message:
    """Write a request of 2026-07-28; `meta` are further members of its `_meta`."""
    full = {META_VERSION: version, META_CAPABILITIES: {}, **meta}
    return legacy(method, {**(params or {}), "_meta": full}, request_id=request_id)


def routing(message: Message, *, version: str = MODERN) -> dict[str, str]:
    """Write the headers that belong to a modern request."""
    headers = {"mcp-protocol-version": version, "mcp-method": message["method"]}
    name = message.get("params", {}).get("name")
    return headers if name is None else {**headers, "mcp-name": name}


def call(name: str = "summarize", /, **arguments: Any) -> Message:
    """Write the parameters of tools/call."""
    return {"name": name, "arguments": arguments}
