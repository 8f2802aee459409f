"""The store of pages for callers on the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from storage.errors import CannotOpen
from tests.web_tools.page_store.test_duckdb_pages import ROOMY, a_page
from web_tools.page_store import threaded_pages
from web_tools.page_store.threaded_pages import open_page_store
from web_tools.pages import StoreFailed, Vector, WebError


class FixedEmbedder:
    """Gives every text the same vector, or none."""

    def __init__(self, *vector: float) -> None:
        self.vector = vector
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        if not self.vector:
            raise WebError("no server")
        return [self.vector for _ in texts]


async def store_one_vector(place: Path) -> None:
    page = a_page("http://a/", "one")
    async with open_page_store(place, ROOMY, "words-3") as store:
        await store.put(page)
        await store.add_vectors(page.url, {page.passages[0].id: [1.0, 0.0, 0.0]})


async def test_what_is_stored_is_read_and_searched(tmp_path: Path) -> None:
    page = a_page("http://a/", "one", "two")
    one, two = (each.id for each in page.passages)
    async with open_page_store(tmp_path, ROOMY, "words-3") as store:
        assert await store.touch(page.url) is False
        await store.put(page)
        assert await store.touch(page.url) is True
        assert await store.page(page.url) == page
        assert await store.without_vector(page.url) == list(page.passages)
        await store.add_vectors(page.url, {one: [1.0, 0.0, 0.0], two: [0.99, 0.1, 0.0]})
        assert [each for each, _ in await store.nearest(page.url, [1.0, 0.0, 0.0], 9)] == [one, two]
        assert await store.near_duplicates(page.url, [one, two]) == {two}
        assert store.size.pages == 1


async def test_many_callers_at_once_are_served_one_after_the_other(tmp_path: Path) -> None:
    async with open_page_store(tmp_path, ROOMY) as store:
        pages = [a_page(f"http://a/{number}", f"text {number}") for number in range(20)]
        await asyncio.gather(*map(store.put, pages))
        assert await asyncio.gather(*(store.page(page.url) for page in pages)) == pages


async def test_a_file_that_fails_is_an_error_without_a_path_and_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_page_store(tmp_path, ROOMY) as store:
        await store.put(a_page("http://a/", "one"))
        store._pages._sql.execute("DROP TABLE texts")
        with pytest.raises(
            StoreFailed, match="the file of stored pages cannot be used \\(Catalog Error"
        ) as caught:
            await store.page("http://a/")
    assert str(tmp_path) not in str(caught.value)
    assert "page_store_failed" in [record.getMessage() for record in caplog.records]


async def test_a_file_that_cannot_be_closed_properly_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_page_store(tmp_path, ROOMY) as store:
        await store.put(a_page("http://a/", "one"))
        await store.touch("http://a/")
        store._pages._sql.execute("DROP TABLE pages")
    assert "page_store_failed" in [record.getMessage() for record in caplog.records]


async def test_vectors_of_another_length_stop_the_start_with_one_line(tmp_path: Path) -> None:
    await store_one_vector(tmp_path)
    with pytest.raises(CannotOpen) as caught:
        async with open_page_store(tmp_path, ROOMY, "words-3", FixedEmbedder(1.0, 2.0)):
            pass
    assert str(caught.value) == (
        "EMBEDDING_MODEL_NAME: words-3 gave a vector of 2 numbers, and those that are stored have 3: name another DATA_DIR, or "
        "delete its file of stored pages"
    )


async def test_vectors_of_the_same_length_let_it_start(tmp_path: Path) -> None:
    await store_one_vector(tmp_path)
    embedder = FixedEmbedder(1.0, 2.0, 3.0)
    async with open_page_store(tmp_path, ROOMY, "words-3", embedder) as store:
        assert store.size.pages == 1
    assert len(embedder.asked) == 1


async def test_a_store_without_vectors_asks_no_embedding_server_at_the_start(tmp_path: Path) -> None:
    embedder = FixedEmbedder(1.0)
    async with open_page_store(tmp_path, ROOMY, "words-3", embedder):
        pass
    assert embedder.asked == []


async def test_an_embedding_server_that_is_down_does_not_stop_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await store_one_vector(tmp_path)
    caplog.set_level(logging.INFO)
    async with open_page_store(tmp_path, ROOMY, "words-3", FixedEmbedder()) as store:
        assert store.size.pages == 1
    assert "embedding_model_not_checked" in [record.getMessage() for record in caplog.records]


async def test_an_embedding_server_that_is_silent_does_not_hold_up_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threaded_pages, "PROBE_SECONDS", 0.01)
    await store_one_vector(tmp_path)

    class Silent:
        async def embed(self, texts: Sequence[str]) -> list[Vector]:
            await asyncio.Event().wait()
            return []

    async with open_page_store(tmp_path, ROOMY, "words-3", Silent()) as store:
        assert store.size.pages == 1
