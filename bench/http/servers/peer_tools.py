"""Our tools as the SDKs of others take them: functions with annotated arguments. They count as anybody would.

The descriptions come from tools/definitions.py, so that every contestant sends about the same list.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from bench.http.servers.counting import counter
from tools import definitions


def _told(tool: dict[str, Any], argument: str) -> Any:
    return Field(description=tool["inputSchema"]["properties"][argument]["description"])


Content = Annotated[str, _told(definitions.SUMMARIZE, "content")]
Target = Annotated[int, _told(definitions.SUMMARIZE, "max_output_tokens")]
Areas = Annotated[str, _told(definitions.SUMMARIZE, "focus_areas")]
Strategy = Annotated[Literal["semantic", "token"], _told(definitions.SUMMARIZE, "strategy")]
Keep = Annotated[bool, _told(definitions.SUMMARIZE, "keep_original")]
Hint = Annotated[str, _told(definitions.SUMMARIZE_FOR_EXTRACTION, "schema_hint")]
ResultId = Annotated[str, _told(definitions.READ_ORIGINAL, "result_id")]
Offset = Annotated[int, _told(definitions.READ_ORIGINAL, "offset")]
Size = Annotated[int, _told(definitions.READ_ORIGINAL, "max_tokens")]
Query = Annotated[str, _told(definitions.SEARCH_ORIGINAL, "query")]
Most = Annotated[int, _told(definitions.SEARCH_ORIGINAL, "max_results")]
ServerName = Annotated[str, _told(definitions.SUMMARIZE_TOOL_RESULT, "server_name")]
ToolName = Annotated[str, _told(definitions.SUMMARIZE_TOOL_RESULT, "tool_name")]
Result = Annotated[str, _told(definitions.SUMMARIZE_TOOL_RESULT, "result")]
Conversation = Annotated[list[dict[str, str]], _told(definitions.SUMMARIZE_TOOL_RESULT, "conversation")]
Session = Annotated[str, _told(definitions.SUMMARIZE_TOOL_RESULT, "session_id")]
Stage = Annotated[str, _told(definitions.SUMMARIZE_TOOL_RESULT, "stage_execution_id")]
SummarySize = Annotated[int, _told(definitions.SUMMARIZE_TOOL_RESULT, "max_summary_tokens")]
Threshold = Annotated[int, _told(definitions.SUMMARIZE_TOOL_RESULT, "size_threshold_tokens")]


def functions() -> Iterator[tuple[str, str, Callable[..., Any]]]:
    """Yield the name, the description and the function of each tool; `summarize` counts and passes through, no other does a thing."""
    count = counter()

    async def summarize(
        content: Content,
        max_output_tokens: Target = 0,
        focus_areas: Areas = "",
        strategy: Strategy = "semantic",
        keep_original: Keep = False,  # noqa: FBT002, the shape of the tool
    ) -> str:
        return content if count(content) <= (max_output_tokens or 5_000) else ""

    async def summarize_for_extraction(
        content: Content,
        schema_hint: Hint,
        max_output_tokens: Target = 0,
        strategy: Strategy = "semantic",
        keep_original: Keep = False,  # noqa: FBT002
    ) -> str:
        return ""

    async def read_original(result_id: ResultId, offset: Offset = 0, max_tokens: Size = 0) -> str:
        return ""

    async def search_original(result_id: ResultId, query: Query, max_results: Most = 5) -> str:
        return ""

    async def summarize_original(
        result_id: ResultId,
        max_output_tokens: Target = 0,
        focus_areas: Areas = "",
        schema_hint: Hint = "",
        strategy: Strategy = "semantic",
    ) -> str:
        return ""

    async def summarize_tool_result(  # noqa: PLR0917 - the shape of the tool
        server_name: ServerName,
        tool_name: ToolName,
        result: Result,
        conversation: Conversation = [],  # noqa: B006, as above
        session_id: Session = "",
        stage_execution_id: Stage = "",
        max_summary_tokens: SummarySize = 1_000,
        size_threshold_tokens: Threshold = 5_000,
    ) -> str:
        return ""

    made: tuple[Callable[..., Any], ...] = (
        summarize,
        summarize_for_extraction,
        read_original,
        search_original,
        summarize_original,
        summarize_tool_result,
    )
    for tool, function in zip(definitions.TOOLS, made, strict=True):
        yield tool["name"], tool["description"], function
