"""The cache of parsed pages, bounded by their characters."""

from __future__ import annotations

from datetime import UTC, datetime

from web_tools.pages import StoredPage, Validators
from web_tools.ranking import PassageIndex
from web_tools.recent_pages import ParsedPage, RecentPages


def parsed(url: str, chars: int = 10) -> ParsedPage:
    page = StoredPage(url, "", Validators(), datetime(2026, 11, 24, tzinfo=UTC), "", "", "x" * chars, ())
    return ParsedPage(page, PassageIndex(()))


def test_a_page_that_was_put_there_is_there() -> None:
    recent, page = RecentPages(), parsed("a")
    assert recent.get("a") is None
    recent.put(page)
    assert recent.get("a") is page


def test_the_page_read_longest_ago_goes_first() -> None:
    recent = RecentPages(max_chars=30)
    for url in "abc":
        recent.put(parsed(url))
    recent.get("a")
    recent.put(parsed("d"))
    assert [url for url in "abcd" if recent.get(url)] == ["a", "c", "d"]


def test_a_page_that_is_put_there_again_counts_once() -> None:
    recent = RecentPages(max_chars=30)
    for url in ("a", "b", "b", "b", "b"):
        recent.put(parsed(url))
    assert recent.get("a")
    recent.put(parsed("b", 25))
    assert not recent.get("a")
    assert recent.get("b")


def test_the_page_read_last_stays_however_large_it_is() -> None:
    recent = RecentPages(max_chars=30)
    recent.put(parsed("a"))
    recent.put(parsed("b", 1_000))
    assert [url for url in "ab" if recent.get(url)] == ["b"]
    recent.put(parsed("c"))
    assert [url for url in "bc" if recent.get(url)] == ["c"]
