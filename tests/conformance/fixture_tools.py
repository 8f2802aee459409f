"""Tools of the conformance suite that need nothing from the client: contents, errors, progress, logs, schemas, headers.

Names, texts and pauses are those that the scenarios of @modelcontextprotocol/conformance ask for, not ours.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from protocol.context import Context
from protocol.messages import Message
from protocol.methods import TaskUse

Arguments = Mapping[str, Any]
Run = Callable[[Arguments, Context], Awaitable[Message]]

# Red, one pixel each way; and one sample of silence.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
WAV = "UklGRiUAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQEAAACA"

# Between two notifications, so that a client sees them arrive one by one.
PAUSE_S = 0.05

LOG = ("Tool execution started", "Tool processing data", "Tool execution completed")


def takes(**types: str) -> Message:
    """Return the schema of arguments by name and type, all of them required."""
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in types.items()},
        "required": list(types),
        "additionalProperties": False,
    }


def never(context: Context) -> TaskUse:
    """No call goes on as a task."""
    return TaskUse.NEVER


@dataclass(frozen=True)
class Tool:
    """What one tool tells about itself, and what it does."""

    description: str
    run: Run
    schema: Message
    task_use: Callable[[Context], TaskUse] = never

    def described(self, name: str) -> Message:
        """Return it as `tools/list` shows it."""
        return {"name": name, "description": self.description, "inputSchema": self.schema}


# --- Contents --------------------------------------------------------------------------------------------------


def text(value: str) -> Message:
    """Return a block of text."""
    return {"type": "text", "text": value}


def embedded(uri: str, mime_type: str, value: str) -> Message:
    """Return a resource that is part of the result."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": value}}


IMAGE: Message = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO: Message = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def answers(*content: Message, error: bool = False) -> Run:
    """Return a tool's work that always has the same result."""

    async def run(arguments: Arguments, context: Context) -> Message:
        return {"content": list(content), **({"isError": True} if error else {})}

    return run


async def mirror(arguments: Arguments, context: Context) -> Message:
    """Return the argument that a header repeats."""
    return {"content": [text(arguments["region"])]}


async def with_progress(arguments: Arguments, context: Context) -> Message:
    """Report progress three times."""
    for done in (0, 50, 100):
        context.progress(done, 100)
        await asyncio.sleep(PAUSE_S)
    return {"content": [text("Tool with progress executed")]}


async def with_logging(arguments: Arguments, context: Context) -> Message:
    """Send three log messages."""
    for line in LOG:
        context.log("info", line)
        await asyncio.sleep(PAUSE_S)
    return {"content": [text("Tool with logging executed")]}


# --- Schemas ---------------------------------------------------------------------------------------------------

NOTHING: Message = {"type": "object", "additionalProperties": False}

MIRRORED: Message = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
    "additionalProperties": False,
}

# Every keyword here must come through tools/list as it is.
JSON_SCHEMA_2020_12: Message = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        },
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

# The first one is called with no arguments at all by scenarios that are about headers.
TOOLS = {
    "test_simple_text": Tool(
        "Answers with text", answers(text("This is a simple text response for testing.")), NOTHING
    ),
    "test_image_content": Tool("Answers with an image", answers(IMAGE), NOTHING),
    "test_audio_content": Tool("Answers with sound", answers(AUDIO), NOTHING),
    "test_embedded_resource": Tool(
        "Answers with a resource",
        answers(
            embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
        ),
        NOTHING,
    ),
    "test_multiple_content_types": Tool(
        "Answers with text, an image and a resource",
        answers(
            text("Multiple content types test:"),
            IMAGE,
            embedded("test://mixed-content-resource", "application/json", '{"test": "data", "value": 123}'),
        ),
        NOTHING,
    ),
    "test_error_handling": Tool(
        "Fails",
        answers(text("This tool intentionally returns an error for testing"), error=True),
        NOTHING,
    ),
    "test_tool_with_progress": Tool("Reports progress", with_progress, NOTHING),
    "test_tool_with_logging": Tool("Sends log messages", with_logging, NOTHING),
    "test_logging_tool": Tool("Sends log messages", with_logging, NOTHING),
    "test_reconnection": Tool(
        "Answers at once: without sessions there is no stream to come back to",
        answers(text("Nothing was interrupted.")),
        NOTHING,
    ),
    "test_header_mirror": Tool("Answers with its argument, which a header repeats", mirror, MIRRORED),
    "json_schema_2020_12_tool": Tool(
        "Takes arguments of a rich schema", answers(text("Taken.")), JSON_SCHEMA_2020_12
    ),
}
