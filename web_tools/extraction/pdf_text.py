"""PDF to Markdown: the text of its pages, under the titles of its outline, or under the numbers of its pages where it has none.

pypdf reads the text. Pictures of text are not read.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, NamedTuple

from pypdf import PdfReader

from web_tools.extraction.read_page import ReadPage, TimeUsed, Unreadable

# The share of the time after which no more pages are read; what was read until then is written and handed over in the rest.
READING_SHARE = 0.8

# Deeper headings are of this level: Markdown has no more.
MAX_LEVEL = 6

# Entries of an outline may refer to each other in a cycle.
MAX_ENTRIES = 10_000

_HASHES = re.compile(r"(?m)^(?=#{1,6}(?:\s|\Z))")


class OutlineEntry(NamedTuple):
    """A title of the outline: `page` is the number of the page that it stands on, from 0 on."""

    page: int
    level: int
    title: str


def read_pdf(body: bytes, time_used: TimeUsed) -> ReadPage:
    """Return the text of a PDF, of as many of its pages as can be read within READING_SHARE of the time; at least of one. Raises Unreadable, and what pypdf raises for a damaged one."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = PdfReader(BytesIO(body))
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable("it is a PDF that only opens with a password")
    pages: list[str] = []
    for page in reader.pages:
        pages.append(_HASHES.sub(r"\\", page.extract_text().strip()))
        if time_used() >= READING_SHARE:
            break
    if not any(pages):
        raise Unreadable("it is a PDF of pictures, without text; expected one that was written, not scanned")
    entries = list(_outline(reader))
    text = "\n\n".join(_with_titles(pages, entries) if entries else _with_numbers(pages))
    total = len(reader.pages)
    note = (
        f"Only the first {len(pages)} of its {total} pages were read: reading takes long."
        if len(pages) < total
        else ""
    )
    return ReadPage(text, _title(reader), note)


def _outline(reader: PdfReader) -> Iterator[OutlineEntry]:
    open_lists: list[Iterator[Any]] = [iter(reader.outline)]
    for _ in range(MAX_ENTRIES):
        entry = next(open_lists[-1], None)
        if entry is None:
            open_lists.pop()
            if not open_lists:
                return
        elif isinstance(entry, list):
            open_lists.append(iter(entry))
        else:
            page = reader.get_destination_page_number(entry)
            title = " ".join(str(entry.title).split())
            if page is not None and title:
                yield OutlineEntry(page, min(len(open_lists), MAX_LEVEL), title)


def _with_titles(pages: Iterable[str], entries: Iterable[OutlineEntry]) -> Iterator[str]:
    """Yield the pages with the outline's titles as headings: where a line says the same, in its place, else above the page."""
    by_page: dict[int, list[OutlineEntry]] = {}
    for entry in entries:
        by_page.setdefault(entry.page, []).append(entry)
    for number, page in enumerate(pages):
        lines = page.split("\n")
        places = {_folded(line): at for at, line in reversed(list(enumerate(lines)))}
        above: list[str] = []
        for entry in by_page.get(number, ()):
            heading = f"{'#' * entry.level} {entry.title}"
            at = places.get(_folded(entry.title))
            if at is None:
                above.append(heading)
            else:
                lines[at] = f"\n{heading}\n"
        yield "\n\n".join(filter(None, (*above, "\n".join(lines).strip())))


def _folded(line: str) -> str:
    return "".join(line.split()).casefold()


def _with_numbers(pages: list[str]) -> Iterator[str]:
    for number, page in enumerate(pages, 1):
        yield f"## Page {number}\n\n{page}" if len(pages) > 1 and page else page


def _title(reader: PdfReader) -> str:
    title = reader.metadata.title if reader.metadata else None
    return " ".join((title or "").split())
