"""Which reader a page has: by its media type, and where that says nothing by how its bytes begin.

Knows the formats and not how they are read. In the extraction process alone: it imports the libraries, each when first needed.
"""

import re

from summarizing.text.chunk_blocks import Kind, blocks, title_of
from summarizing.text.html.detection import is_html
from web_tools.extraction.charsets import decoded
from web_tools.extraction.messages import ReadRequest
from web_tools.extraction.read_page import ReadPage, TimeUsed, Unreadable

READABLE = "HTML, XHTML, plain text, Markdown, JSON or PDF"

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
JSON_TYPES = frozenset({"application/json", "text/json", "application/x-ndjson"})
XML_TYPES = frozenset({"application/xml", "text/xml"})
TEXT_TYPES = frozenset(
    {"application/yaml", "application/x-yaml", "application/toml", "application/javascript"}
)
# Servers send these for files whose type they do not know: the bytes show what a file is.
UNKNOWN_TYPES = frozenset({"", "application/octet-stream", "binary/octet-stream", "text/plain"})

# MIME Sniffing Standard (WHATWG), 3, "binary data byte": text has none of these.
BINARY_BYTES = bytes((*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)))
BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

# So much of a body is looked at: MIME Sniffing Standard, 5.2, "resource header".
SAMPLE_BYTES = 1_445

# A JSON text whose lines are longer on average was written without line ends for a reader.
MAX_LINE_CHARS = 200

_STRING_OR_END = re.compile(r'("(?:[^"\\]++|\\.)*+"?+)|([}\]],)\s*+', re.DOTALL)


def read_page(request: ReadRequest, body: bytes, time_used: TimeUsed) -> ReadPage:
    """Return the readable part of a page, or of as much of it as there is time for. Raises Unreadable, and what a library raises for a damaged page."""
    media_type = request.content_type
    is_unknown = media_type in UNKNOWN_TYPES
    if media_type == "application/pdf" or (is_unknown and body.startswith(b"%PDF-")):
        from web_tools.extraction.pdf_text import read_pdf  # noqa: PLC0415 - slow to import, and seldom needed

        return read_pdf(body, time_used)
    if not _is_text(request, body):
        kind = "neither text nor PDF" if is_unknown else media_type
        raise Unreadable(f"it is {kind}; expected {READABLE}")
    text = decoded(body, request.charset)
    if media_type in HTML_TYPES or ((is_unknown or media_type in XML_TYPES) and is_html(text)):
        from web_tools.extraction.html_main_content import read_html  # noqa: PLC0415 - not needed for text

        return read_html(text, time_used)
    if not text.strip():
        raise Unreadable("it is empty")
    if media_type in JSON_TYPES or media_type.endswith("+json"):
        return ReadPage(with_lines(text))
    return ReadPage(text, title=_first_heading(text))


def _is_text(request: ReadRequest, body: bytes) -> bool:
    media_type = request.content_type
    if media_type in UNKNOWN_TYPES:
        sample = body[:SAMPLE_BYTES]
        is_plain = len(sample.translate(None, BINARY_BYTES)) == len(sample)
        return is_plain or request.charset != "" or sample.startswith(BYTE_ORDER_MARKS)
    known = HTML_TYPES | JSON_TYPES | XML_TYPES | TEXT_TYPES
    return media_type in known or media_type.startswith("text/") or media_type.endswith(("+json", "+xml"))


def with_lines(text: str) -> str:
    """Return a JSON text with a line for each of its objects and lists, if it has hardly any line ends: long texts are cut at those."""
    if text.count("\n") * MAX_LINE_CHARS >= len(text):
        return text
    return _STRING_OR_END.sub(lambda found: found[1] or f"{found[2]}\n", text)


def _first_heading(text: str) -> str:
    return next((title_of(text, block) for block in blocks(text) if block.kind is Kind.HEADING), "")
