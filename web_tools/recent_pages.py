"""The pages that were read last, parsed, so that the next query for one of them reads nothing again. Bounded by their characters."""

from collections import OrderedDict
from dataclasses import dataclass

from web_tools.pages import StoredPage
from web_tools.ranking import PassageIndex

# With its passages and their index, a character takes about five bytes: 20 MB.
MAX_CHARS = 4_000_000


@dataclass(frozen=True)
class ParsedPage:
    """A page, and its passages as they are searched."""

    page: StoredPage
    index: PassageIndex


class RecentPages:
    """A cache by URL: the page that was read longest ago goes first; the one that was read last stays, however large it is."""

    def __init__(self, max_chars: int = MAX_CHARS) -> None:
        self._max_chars = max_chars
        self._chars = 0
        self._pages: OrderedDict[str, ParsedPage] = OrderedDict()

    def get(self, url: str) -> ParsedPage | None:
        """Return a page that is there."""
        parsed = self._pages.get(url)
        if parsed:
            self._pages.move_to_end(url)
        return parsed

    def put(self, parsed: ParsedPage) -> None:
        """Keep a page in place of what was kept under its URL."""
        self._drop(parsed.page.url)
        self._pages[parsed.page.url] = parsed
        self._chars += len(parsed.page.text)
        while self._chars > self._max_chars and len(self._pages) > 1:
            self._drop(next(iter(self._pages)))

    def _drop(self, url: str) -> None:
        parsed = self._pages.pop(url, None)
        self._chars -= len(parsed.page.text) if parsed else 0
