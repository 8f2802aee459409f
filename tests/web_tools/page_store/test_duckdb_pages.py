"""Stored pages in DuckDB: read back unchanged, searched exactly, within their room."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import CannotOpen
from tests.support.laws import examples
from web_tools.page_store.duckdb_pages import DuckDbPages
from web_tools.pages import PagePassage, StoredPage, StoreFailed, Validators

ROOMY = 1 << 30
NOON = datetime(2026, 11, 24, 12, 0, 0, 250_000, tzinfo=UTC)


def a_passage(text: str, path: Sequence[str] = ()) -> PagePassage:
    return PagePassage(sha256(f"{path}|{text}".encode()).hexdigest(), text, tuple(path), len(text.split()))


def a_page(url: str, *texts: str) -> StoredPage:
    whole = "\n\n".join(texts)
    passages = tuple(map(a_passage, texts))
    digest = sha256(whole.encode()).hexdigest()
    return StoredPage(url, "A title", Validators('"tag"', "Tue"), NOON, digest, "a note", whole, passages)


@contextmanager
def a_store(place: Path, model: str = "words-3", max_bytes: int = ROOMY) -> Iterator[DuckDbPages]:
    with closing(DuckDbPages(place, model, max_bytes)) as store:
        yield store


def nearest_ids(store: DuckDbPages, page: StoredPage, vector: Sequence[float]) -> list[str]:
    return [each for each, _ in store.nearest(page.url, vector, 5)]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDbPages]:
    with a_store(tmp_path_factory.mktemp("data")) as store:
        yield store


# DuckDB's strings are UTF-8, so page_reading.py leaves out lone surrogates.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@examples(60)
@given(TEXT, TEXT, st.lists(st.tuples(TEXT, st.lists(TEXT, max_size=3)), max_size=5))
def test_a_page_is_read_back_unchanged(
    shared: DuckDbPages, title: str, text: str, passages: list[tuple[str, list[str]]]
) -> None:
    given_passages = tuple(a_passage(each, path) for each, path in passages)
    page = replace(a_page("http://a/", text * 200), title=title, passages=given_passages)
    shared.put(page)
    assert shared.page("http://a/") == page


def test_a_page_outlives_the_process(tmp_path: Path) -> None:
    page = a_page("http://a/", "one", "two" * 5_000)
    with a_store(tmp_path) as store:
        store.put(page)
        store.add_vectors(page.url, {page.passages[1].id: [1.0, 0.0, 0.5]})
    with a_store(tmp_path) as store:
        assert store.page("http://a/") == page
        assert store.without_vector(page.url) == [page.passages[0]]
        assert store.dimension == 3
        assert store.page("http://b/") is None


def test_a_page_takes_the_place_of_what_was_stored_under_its_url(tmp_path: Path) -> None:
    new = replace(a_page("http://a/", "two", "three"), title="Another", note="")
    with a_store(tmp_path) as store:
        store.put(a_page("http://a/", "one", "two"))
        store.put(new)
        assert store.page("http://a/") == new
        assert store.size.pages == 1


def test_pages_that_were_made_with_something_else_lose_their_validators_and_nothing_more(
    tmp_path: Path,
) -> None:
    page = a_page("http://a/", "one")
    with closing(DuckDbPages(tmp_path, "words-3", ROOMY, "512 tokens")) as store:
        store.put(page)
    for made_with, expected in (
        ("512 tokens", page.validators),
        ("64 tokens", Validators()),
        ("512 tokens", Validators()),
    ):
        with closing(DuckDbPages(tmp_path, "words-3", ROOMY, made_with)) as store:
            assert store.page(page.url) == replace(page, validators=expected)


def test_pages_that_other_settings_allowed_are_gone(tmp_path: Path) -> None:
    page = a_page("http://a/", "one")
    with closing(DuckDbPages(tmp_path, "words-3", ROOMY, allowed_by="10.0.0.0/8")) as store:
        store.put(page)
        store.add_vectors(page.url, {page.passages[0].id: [1.0, 2.0, 3.0]})
    with closing(DuckDbPages(tmp_path, "words-3", ROOMY, allowed_by="10.0.0.0/8")) as store:
        assert store.page(page.url) == page
    with closing(DuckDbPages(tmp_path, "words-3", ROOMY, allowed_by="")) as store:
        assert store.page(page.url) is None
        assert store.size.pages == 0
        store.put(page)
        assert store.without_vector(page.url) == [*page.passages]


def test_passages_that_stay_keep_their_vectors(tmp_path: Path) -> None:
    old, new = a_page("http://a/", "one", "two"), a_page("http://a/", "two", "three")
    with a_store(tmp_path) as store:
        store.put(old)
        store.add_vectors(old.url, {each.id: [1.0, 2.0, 3.0] for each in old.passages})
        assert store.without_vector(old.url) == []
        store.put(new)
        assert [each.text for each in store.without_vector(new.url)] == ["three"]
        assert nearest_ids(store, new, [1.0, 2.0, 3.0]) == [new.passages[0].id]


def test_the_same_page_crawled_again_is_as_new_and_keeps_its_vectors(tmp_path: Path) -> None:
    page = a_page("http://a/", "one")
    again = replace(page, last_crawled=NOON.replace(year=2027), validators=Validators("", "Wed"))
    with a_store(tmp_path) as store:
        store.put(page)
        store.add_vectors(page.url, {page.passages[0].id: [1.0, 2.0, 3.0]})
        store.put(again)
        assert store.page(page.url) == again
        assert store.without_vector(page.url) == []


def test_vectors_of_passages_and_pages_that_are_gone_are_left_out(tmp_path: Path) -> None:
    page = a_page("http://a/", "one")
    with a_store(tmp_path) as store:
        store.put(page)
        store.add_vectors(page.url, {"gone": [1.0, 1.0, 1.0], page.passages[0].id: [1.0, 0.0, 0.0]})
        store.add_vectors(page.url, {page.passages[0].id: [0.0, 1.0, 0.0]})  # it has one already
        store.add_vectors("http://gone/", {page.passages[0].id: [1.0, 0.0, 0.0]})
        assert nearest_ids(store, page, [1.0, 0.0, 0.0]) == [page.passages[0].id]
        assert store.nearest(page.url, [1.0, 0.0, 0.0], 5)[0][1] == pytest.approx(1.0)
        assert store.nearest("http://gone/", [1.0, 0.0, 0.0], 5) == []


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other))


@pytest.mark.unmeasured
def test_the_nearest_of_a_page_are_found_exactly_among_nearer_ones_of_other_pages(tmp_path: Path) -> None:
    noise = random.Random(7)
    query = [noise.gauss(0, 1) for _ in range(8)]
    expected: dict[str, list[tuple[str, float]]] = {}
    with a_store(tmp_path) as store:
        for number in range(30):
            page = a_page(f"http://a/{number}", *(f"text {number} {each}" for each in range(40)))
            spread = 0.1 if number % 2 else 3.0  # every second page is near to the query as a whole
            vectors = {each.id: [noise.gauss(at, spread) for at in query] for each in page.passages}
            store.put(page)
            store.add_vectors(page.url, vectors)
            scored = [(each, cosine(query, vector)) for each, vector in vectors.items()]
            expected[page.url] = sorted(scored, key=lambda pair: -pair[1])[:10]
        for url, nearest in expected.items():
            found = store.nearest(url, query, 10)
            assert [each for each, _ in found] == [each for each, _ in nearest]
            assert [score for _, score in found] == pytest.approx([score for _, score in nearest], abs=1e-5)


def test_a_vector_of_zeros_is_near_to_nothing(tmp_path: Path) -> None:
    page = a_page("http://a/", "one", "two")
    with a_store(tmp_path) as store:
        store.put(page)
        store.add_vectors(
            page.url, {page.passages[0].id: [0.0, 0.0, 0.0], page.passages[1].id: [1.0, 1.0, 1.0]}
        )
        assert nearest_ids(store, page, [1.0, 0.0, 0.0]) == [page.passages[1].id]
        assert store.nearest(page.url, [0.0, 0.0, 0.0], 5) == []


def test_near_duplicates_are_those_named_after_one_that_says_the_same(tmp_path: Path) -> None:
    page = a_page("http://a/", "one", "nearly one", "two")
    one, nearly, two = (each.id for each in page.passages)
    with a_store(tmp_path) as store:
        assert store.near_duplicates(page.url, [one]) == frozenset()
        store.put(page)
        assert store.near_duplicates(page.url, [one]) == frozenset()
        store.add_vectors(page.url, {one: [1.0, 0.0, 0.0], nearly: [1.0, 0.1, 0.0], two: [0.0, 1.0, 0.0]})
        assert store.near_duplicates(page.url, [one, two, nearly]) == {nearly}
        assert store.near_duplicates(page.url, [nearly, one]) == {one}
        assert store.near_duplicates(page.url, [two, one]) == frozenset()
        assert store.near_duplicates(page.url, []) == frozenset()


# --- The model -------------------------------------------------------------------------------------------------


def embed_one(place: Path, model: str = "words-3") -> None:
    page = a_page("http://a/", "one")
    with a_store(place, model) as store:
        store.put(page)
        store.add_vectors(page.url, {page.passages[0].id: [1.0, 0.0, 0.0]})


def test_another_model_stops_the_start_with_one_line_that_names_both(tmp_path: Path) -> None:
    embed_one(tmp_path)
    with pytest.raises(CannotOpen) as caught, a_store(tmp_path, "other-768"):
        pass
    assert str(caught.value) == (
        "EMBEDDING_MODEL_NAME: expected 'words-3', whose vectors of 3 numbers are stored, got 'other-768': "
        f"name another DATA_DIR, or delete {tmp_path / 'db' / 'mpc.duckdb'}"
    )
    with a_store(tmp_path, "words-3") as store:  # it was closed
        assert store.size.pages == 1


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE meta SET value = 'three' WHERE key = 'embedding_dimension'",
        "DELETE FROM meta WHERE key = 'embedding_model'",
        "DELETE FROM meta WHERE key = 'embedding_dimension'",
    ],
)
def test_a_file_that_does_not_say_whose_vectors_it_has_stops_the_start_and_is_closed(
    tmp_path: Path, damage: str
) -> None:
    embed_one(tmp_path)
    with a_store(tmp_path) as store:
        store._sql.execute(damage)
    with pytest.raises(CannotOpen) as caught, a_store(tmp_path):
        pass
    assert "it does not say which model's vectors are stored" in str(caught.value)
    # DuckDB refuses another configuration of a file as long as a connection of this process is open.
    duckdb.connect(tmp_path / "db" / "mpc.duckdb", config={"threads": 2}).close()


def test_without_a_model_the_file_of_any_model_can_be_used(tmp_path: Path) -> None:
    embed_one(tmp_path)
    with a_store(tmp_path, "") as store:
        assert store.page("http://a/") is not None
        store.put(a_page("http://b/", "two"))
    with a_store(tmp_path) as store:
        assert [each.text for each in store.without_vector("http://b/")] == ["two"]


def test_a_model_without_vectors_is_not_stored(tmp_path: Path) -> None:
    with a_store(tmp_path, "words-3") as store:
        store.put(a_page("http://a/", "one"))
    embed_one(tmp_path, "other-3")


def test_a_vector_of_another_length_is_refused(tmp_path: Path) -> None:
    embed_one(tmp_path)
    with a_store(tmp_path) as store:
        for call in (
            lambda: store.add_vectors("http://a/", {"x": [1.0] * 4}),
            lambda: store.nearest("http://a/", [1.0] * 4, 5),
        ):
            with pytest.raises(
                StoreFailed, match="words-3 gave a vector of 4 numbers, and those that are stored have 3"
            ):
                call()


# --- Room ------------------------------------------------------------------------------------------------------


def urls(store: DuckDbPages) -> set[str]:
    return {f"http://a/{number}" for number in range(10) if store.touch(f"http://a/{number}")}


def test_a_full_store_loses_the_pages_that_were_read_longest_ago(tmp_path: Path) -> None:
    pages = [a_page(f"http://a/{number}", f"{number}" * 10_000) for number in range(4)]
    with a_store(tmp_path, max_bytes=65_000) as store:  # a page takes 20,000 and its overhead
        for page in pages[:3]:
            store.put(page)
        store.page(pages[0].url)
    with a_store(tmp_path, max_bytes=65_000) as store:  # which was read last is known after a restart
        store.put(pages[3])
        assert urls(store) == {pages[each].url for each in (0, 2, 3)}
        assert store.page(pages[1].url) is None
        assert store.size.pages == 3
        assert store.size.bytes <= 65_000


def test_a_page_larger_than_the_store_is_refused_and_nothing_goes(tmp_path: Path) -> None:
    small = a_page("http://a/0", "small")
    with a_store(tmp_path, max_bytes=10_000) as store:
        store.put(small)
        with pytest.raises(
            StoreFailed, match=r"the page takes \d+ bytes, and MAX_STORED_PAGES_BYTES is 10000"
        ):
            store.put(a_page("http://a/1", "x" * 10_000))
        assert store.page(small.url) == small


def test_vectors_count_as_room(tmp_path: Path) -> None:
    embed_one(tmp_path)
    with a_store(tmp_path, max_bytes=10_000) as store:
        before = store.size.bytes
        store.put(a_page("http://b/", "one"))
        assert store.size.bytes == 2 * before
        assert (
            before == 512 + 256 + len("http://a/") + len("A title") + len("a note") + 2 * len("one") + 3 * 4
        )


@pytest.mark.unmeasured
def test_a_full_store_reuses_the_room_of_pages_that_are_gone(tmp_path: Path) -> None:
    noise = random.Random(5)
    with a_store(tmp_path, max_bytes=3_000_000) as store:
        for number in range(60):
            text = noise.randbytes(50_000).hex()
            store.put(a_page(f"http://a/{number}", text[:50_000], text[50_000:]))
        largest = sum(file.stat().st_size for file in (tmp_path / "db").iterdir())
    # 14 pages fit, 60 were stored: what DuckDB keeps of the others is a small part.
    assert store.size.pages == 14
    assert largest < 40_000_000


def test_what_fails_in_the_middle_leaves_the_page_as_it_was(tmp_path: Path) -> None:
    old = a_page("http://a/0", "one")
    with a_store(tmp_path) as store:
        store.put(old)
        odd = replace(a_page("http://a/0", "two"), last_crawled="no time")  # type: ignore[arg-type]
        with pytest.raises(AttributeError):
            store.put(odd)
        assert store.page(old.url) == old
        store.put(a_page("http://a/1", "three"))
        assert store.size.pages == 2


def test_the_file_holds_no_index_on_a_large_table_and_can_be_read_by_duckdb_alone(tmp_path: Path) -> None:
    embed_one(tmp_path)
    with closing(duckdb.connect(tmp_path / "db" / "mpc.duckdb")) as sql:
        assert sql.execute("SELECT count(*) FROM duckdb_indexes()").fetchall() == [(0,)]
        rows = sql.execute("SELECT key, value FROM meta ORDER BY key").fetchall()
        assert rows == [
            ("embedding_dimension", "3"),
            ("embedding_model", "words-3"),
            ("pages_allowed_by", ""),
            ("pages_made_with", ""),
            ("schema_version", "1"),
        ]
        assert sql.execute("SELECT text FROM passages").fetchall() == [("one",)]
