"""Full-text search in the definitions of tools: which of them suit what a caller wants to do. Pure.

Ranked by the project's one scorer, BM25F (summarizing/relevance/bm25f.py): of each tool its name and description are one segment, its
arguments another one that stands under it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gateway.catalogue import OfferedTool
from summarizing.relevance.bm25f import Scorer
from summarizing.text.document import NO_SEGMENT, Document, Segment, SegmentKind
from tools.original_search import MIN_SCORE_SHARE

# A description is a page at most; one of megabytes must not make every search slow.
MAX_TEXT_CHARS = 8_000

# Schemas nest; what is deeper says little of what a tool is for.
MAX_SCHEMA_DEPTH = 4


class ToolIndex:
    """The definitions of some tools as one text that can be searched."""

    def __init__(self, tools: Sequence[OfferedTool]) -> None:
        """For a worker thread where there are many: it takes 50 ms for a thousand."""
        self._tools = tools
        parts: list[str] = []
        segments: list[Segment] = []
        at = 0
        for number, tool in enumerate(tools):
            for parent, text in (
                (NO_SEGMENT, _names_and_description(tool)),
                (2 * number, _arguments_of(tool)),
            ):
                segments.append(Segment(at, at + len(text), SegmentKind.LINE, parent, number))
                parts.append(text)
                at += len(text) + 1
        self._document = Document("\n".join(parts), segments)

    def ranked(self, query: str) -> list[OfferedTool]:
        """Return the tools that have words of a query, the best first; of equally good ones, in their own order."""
        scorer = Scorer(self._document, query)
        scores = [max(scorer.scores[2 * number : 2 * number + 2]) for number in range(len(self._tools))]
        least = MIN_SCORE_SHARE * max(scores, default=0.0)
        found = [number for number, score in enumerate(scores) if score > 0 and score >= least]
        return [self._tools[number] for number in sorted(found, key=lambda number: -scores[number])]


def _names_and_description(tool: OfferedTool) -> str:
    """Return a tool's names, its title and its description."""
    texts = (tool.name, tool.id.tool, tool.definition.get("title"), tool.definition.get("description"))
    return _joined(texts)


def _arguments_of(tool: OfferedTool) -> str:
    """Return the names and descriptions of a tool's arguments, but not of the one that every tool gains."""
    return _joined(_words_of_schema(tool.original.get("inputSchema"), MAX_SCHEMA_DEPTH))


def _joined(texts: Iterator[Any] | Sequence[Any]) -> str:
    return " ".join(text for text in texts if isinstance(text, str))[:MAX_TEXT_CHARS]


def _words_of_schema(schema: Any, levels: int) -> Iterator[Any]:
    if not levels or not isinstance(schema, Mapping):
        return
    properties = schema.get("properties")
    for name, inner in properties.items() if isinstance(properties, Mapping) else ():
        yield name
        if isinstance(inner, Mapping):
            yield inner.get("description")
            yield from inner["enum"] if isinstance(inner.get("enum"), list) else ()
        yield from _words_of_schema(inner, levels - 1)
    yield from _words_of_schema(schema.get("items"), levels - 1)
