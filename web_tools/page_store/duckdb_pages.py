"""Stored pages in DuckDB, for one thread: pages with their passages and vectors, exact search among the vectors of one page.

A full store loses the pages that were read longest ago. The model and the length of its vectors are stored with the first vector. The
file itself: duckdb_file.py. Callers on the event loop use threaded_pages.py. No log line holds a text or a URL.
"""

import json
import logging
import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import duckdb

from storage.errors import CannotOpen
from web_tools.page_store.duckdb_file import STORE_ERRORS, open_file, remedy
from web_tools.pages import PagePassage, StoredPage, StoreFailed, Validators, Vector

logger = logging.getLogger(__name__)

# The room of a page's row, and of a passage's beside its text: ids, section path, numbers.
PAGE_BYTES = 512
PASSAGE_BYTES = 256

FLOAT_BYTES = 4

PIECE_CHARS = 2_000

# Two passages whose vectors are nearer to each other say the same.
MOST_SIMILAR = 0.98

_MODEL, _DIMENSION = "embedding_model", "embedding_dimension"
_MADE_WITH, _ALLOWED_BY = "pages_made_with", "pages_allowed_by"


@dataclass(frozen=True, slots=True)
class PageStoreSize:
    """How many pages are stored, and the bytes they take, with a vector for each passage."""

    pages: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    """What is known of a stored page without asking the file."""

    number: int
    bytes: int
    passages: int


class DuckDbPages:
    """The store, for one thread of one process."""

    def __init__(
        self, directory: Path, model: str, max_bytes: int, made_with: str = "", allowed_by: str = ""
    ) -> None:
        """`model`: whose vectors are stored; "": none are added, and those of any model may be there. Raises CannotOpen.

        `made_with`: what decides how a page is read, as settings do. Where the stored pages were made with something else, they lose their
        validators, so that each is sent, and read, as a whole again when its server is next asked. `allowed_by`: what decides which pages may be
        read. Pages that were read while something else decided are removed.
        """
        self._sql, self._path = open_file(directory)
        self._model = model
        self._max_bytes = max_bytes
        self.dimension = 0
        """How long the stored vectors are; 0: there are none yet."""
        self.size = PageStoreSize()
        self._rows: OrderedDict[str, _Row] = OrderedDict()  # the page that was read longest ago first
        self._read_since_write: set[str] = set()
        self._last_turn = 0
        with ExitStack() as on_error:
            on_error.callback(self._sql.close)
            try:
                self._read_meta()
                self._note_settings(made_with, allowed_by)
                self._read_rows()
            except (*STORE_ERRORS, ValueError) as problem:
                raise CannotOpen(remedy(self._path, problem)) from problem
            on_error.pop_all()

    def _read_meta(self) -> None:
        """Read whose vectors are stored. Raises CannotOpen for another model's, and ValueError where the file does not say."""
        meta = dict(self._sql.execute("SELECT key, value FROM meta").fetchall())
        model, dimension = meta.get(_MODEL, ""), meta.get(_DIMENSION, "0")
        if not dimension.isdecimal() or bool(model) != bool(int(dimension)):
            raise ValueError("it does not say which model's vectors are stored")
        self.dimension = int(dimension)
        if self.dimension and self._model and model != self._model:
            raise CannotOpen(
                f"EMBEDDING_MODEL_NAME: expected {model!r}, whose vectors of {self.dimension} numbers are stored, got "
                f"{self._model!r}: name another DATA_DIR, or delete {self._path}"
            )

    def _note_settings(self, made_with: str, allowed_by: str) -> None:
        with self._noted(_MADE_WITH, made_with) as is_new:
            if is_new:
                self._sql.execute("UPDATE pages SET etag = '', last_modified = ''")
        with self._noted(_ALLOWED_BY, allowed_by) as is_new:
            if is_new:
                numbers = self._sql.execute("SELECT number FROM pages").fetchall()
                self._delete([number for (number,) in numbers])

    @contextmanager
    def _noted(self, key: str, value: str) -> Iterator[bool]:
        """Yield whether a value differs from the one that is stored, and store it with what the block changes."""
        known = self._sql.execute("SELECT value FROM meta WHERE key = ?", [key]).fetchone()
        with self._transaction():
            yield known != (value,)
            self._sql.execute(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [key, value],
            )

    def _read_rows(self) -> None:
        found = self._sql.execute(
            "SELECT url, number, bytes, passages, turn FROM pages ORDER BY turn"
        ).fetchall()
        for url, number, size, passages, turn in found:
            self._rows[url] = _Row(number, size, passages)
            self._last_turn = turn
        self._note_size()

    def close(self) -> None:
        """Write down when pages were read, and close the file."""
        try:
            if self._read_since_write:
                with self._transaction():
                    self._write_turns()
        finally:
            self._sql.close()

    # --- Pages -------------------------------------------------------------------------------------------------

    def page(self, url: str) -> StoredPage | None:
        """Return a page, and count this as a use of it."""
        if not self.touch(url):
            return None
        number = self._rows[url].number
        sql = self._sql
        fields = sql.execute(
            "SELECT title, etag, last_modified, last_crawled, content_hash, note FROM pages WHERE number = ?",
            [number],
        ).fetchone()
        if fields is None:
            raise StoreFailed("the file of stored pages lacks this page")
        pieces = sql.execute("SELECT piece FROM texts WHERE page = ? ORDER BY position", [number]).fetchall()
        title, etag, last_modified, last_crawled, content_hash, note = fields
        crawled = last_crawled.replace(tzinfo=UTC)
        validators = Validators(etag, last_modified)
        text = "".join(piece for (piece,) in pieces)
        return StoredPage(url, title, validators, crawled, content_hash, note, text, self._passages(number))

    def touch(self, url: str) -> bool:
        """Count a use of a page; return whether it is stored."""
        if url not in self._rows:
            return False
        self._rows.move_to_end(url)
        self._read_since_write.add(url)  # a write for each read would take longer than the read
        return True

    def put(self, page: StoredPage) -> None:
        """Store a page; passages that were there already keep their vectors. Raises StoreFailed for one larger than the store."""
        old = self._rows.get(page.url)
        number = old.number if old else 1 + max((row.number for row in self._rows.values()), default=0)
        row = _Row(number, _bytes_of(page), len(page.passages))
        evicted = self._evicted_for(page.url, row)
        with self._transaction():
            self._delete([self._rows[url].number for url in evicted])
            if not (old and self._has_same_passages(page, number)):
                self._replace_texts(page, number)
            self._sql.execute("DELETE FROM pages WHERE number = ?", [number])
            crawled = page.last_crawled.astimezone(UTC).replace(tzinfo=None)
            fields = (
                number,
                page.url,
                page.title,
                page.validators.etag,
                page.validators.last_modified,
                crawled,
            )
            more = (page.content_hash, page.note, row.bytes, row.passages, 0)
            self._sql.execute("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [*fields, *more])
            self._rows[page.url] = row
            self.touch(page.url)
            self._write_turns()
        for url in evicted:
            del self._rows[url]
        self._note_size()
        if evicted:
            logger.info("stored_pages_evicted", extra={"pages": len(evicted)})

    def _has_same_passages(self, page: StoredPage, number: int) -> bool:
        stored = self._sql.execute("SELECT content_hash FROM pages WHERE number = ?", [number]).fetchone()
        if stored != (page.content_hash,):
            return False
        ids = self._sql.execute(
            "SELECT id FROM passages WHERE page = ? ORDER BY position", [number]
        ).fetchall()
        return [each for (each,) in ids] == [passage.id for passage in page.passages]

    def _replace_texts(self, page: StoredPage, number: int) -> None:
        sql, passages = self._sql, page.passages
        ids = [passage.id for passage in passages]
        sql.execute("DELETE FROM texts WHERE page = ?", [number])
        sql.execute("DELETE FROM passages WHERE page = ?", [number])
        if self.dimension:
            sql.execute(
                "DELETE FROM vectors WHERE page = ? AND NOT list_contains(?::VARCHAR[], id)", [number, ids]
            )
        pieces = [page.text[at : at + PIECE_CHARS] for at in range(0, len(page.text), PIECE_CHARS)]
        sql.execute(
            "INSERT INTO texts SELECT ?, unnest(range(?)), unnest(?::VARCHAR[])",
            [number, len(pieces), pieces],
        )
        sql.execute(
            "INSERT INTO passages SELECT ?, unnest(range(?)), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), "
            "unnest(?::INTEGER[])",
            [
                number,
                len(passages),
                ids,
                [json.dumps(passage.section_path, ensure_ascii=False) for passage in passages],
                [passage.text for passage in passages],
                [passage.tokens for passage in passages],
            ],
        )

    def _passages(self, number: int) -> tuple[PagePassage, ...]:
        rows = self._sql.execute(
            "SELECT id, text, section_path, tokens FROM passages WHERE page = ? ORDER BY position", [number]
        ).fetchall()
        return tuple(
            PagePassage(each, text, tuple(json.loads(path)), tokens) for each, text, path, tokens in rows
        )

    # --- Vectors -----------------------------------------------------------------------------------------------

    def without_vector(self, url: str) -> list[PagePassage]:
        """Return the page's passages that have no vector yet."""
        row = self._rows.get(url)
        if row is None:
            return []
        with_vector = self._ids_with_vector(row.number)
        if len(with_vector) == row.passages:
            return []
        return [passage for passage in self._passages(row.number) if passage.id not in with_vector]

    def _ids_with_vector(self, number: int) -> set[str]:
        if not self.dimension:
            return set()
        found = self._sql.execute("SELECT id FROM vectors WHERE page = ?", [number]).fetchall()
        return {each for (each,) in found}

    def add_vectors(self, url: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by the ids of their passages; those of passages that are not stored any more are left out."""
        row = self._rows.get(url)
        if row is None or not vectors:
            return
        dimension = self.dimension or len(next(iter(vectors.values())))
        for vector in vectors.values():
            check_dimension(dimension, len(vector), self._model)
        stored = {passage.id for passage in self._passages(row.number)}
        stored -= self._ids_with_vector(row.number)
        new = {each: vector for each, vector in vectors.items() if each in stored}
        with self._transaction():
            if not self.dimension:
                self._sql.execute(
                    f"CREATE TABLE vectors (page BIGINT NOT NULL, id VARCHAR NOT NULL, embedding FLOAT[{dimension}] NOT NULL)"
                )
                self._sql.execute(
                    "INSERT INTO meta VALUES (?, ?), (?, ?)",
                    [_MODEL, self._model, _DIMENSION, str(dimension)],
                )
            self._sql.execute(
                f"INSERT INTO vectors SELECT ?, unnest(?::VARCHAR[]), unnest(?::FLOAT[{dimension}][])",
                [row.number, list(new), [list(vector) for vector in new.values()]],
            )
        if not self.dimension:
            self.dimension = dimension
            logger.info("embedding_model_stored", extra={"model": self._model, "dimension": dimension})
            self._note_size()

    def nearest(self, url: str, vector: Vector, limit: int) -> list[tuple[str, float]]:
        """Return the ids of the page's nearest passages with their cosine similarity, the nearest first."""
        row = self._rows.get(url)
        if row is None or not self.dimension:
            return []
        check_dimension(self.dimension, len(vector), self._model)
        found = self._sql.execute(
            f"SELECT id, array_cosine_similarity(embedding, ?::FLOAT[{self.dimension}]) AS similarity FROM vectors "  # noqa: S608
            "WHERE page = ? ORDER BY similarity DESC, id LIMIT ?",
            [list(vector), row.number, limit],
        ).fetchall()
        # Of a vector of zeros it is not a number, which DuckDB takes for the highest.
        return [(each, similarity) for each, similarity in found if not math.isnan(similarity)]

    def near_duplicates(self, url: str, ids: Sequence[str]) -> frozenset[str]:
        """Return those of some passages whose vector is nearly that of one named before them."""
        row = self._rows.get(url)
        if row is None or not self.dimension:
            return frozenset()
        found = self._sql.execute(
            "WITH of_page AS MATERIALIZED (SELECT id, embedding FROM vectors WHERE page = ?), named AS MATERIALIZED (SELECT id, "
            "embedding, list_position(?::VARCHAR[], id) AS place FROM of_page WHERE place > 0) SELECT DISTINCT later.id FROM named "
            "AS earlier, named AS later WHERE earlier.place < later.place AND array_cosine_similarity(earlier.embedding, "
            "later.embedding) > ?",
            [row.number, list(ids), MOST_SIMILAR],
        ).fetchall()
        return frozenset(each for (each,) in found)

    # --- Room --------------------------------------------------------------------------------------------------

    def _evicted_for(self, url: str, row: _Row) -> list[str]:
        """Return the pages that must go for this one to have room. Raises StoreFailed if it has none."""
        size = self._size_of(row)
        if size > self._max_bytes:
            raise StoreFailed(f"the page takes {size} bytes, and MAX_STORED_PAGES_BYTES is {self._max_bytes}")
        others = [(each, self._size_of(other)) for each, other in self._rows.items() if each != url]
        excess = size + sum(bytes_ for _, bytes_ in others) - self._max_bytes
        evicted: list[str] = []
        for each, bytes_ in others:
            if excess <= 0:
                break
            evicted.append(each)
            excess -= bytes_
        return evicted

    def _size_of(self, row: _Row) -> int:
        """Return the room that a page takes with a vector for each passage, whether or not it has them yet."""
        return row.bytes + row.passages * FLOAT_BYTES * self.dimension

    def _delete(self, numbers: list[int]) -> None:
        for table, column in (("pages", "number"), *((each, "page") for each in self._tables_by_page())):
            self._sql.execute(f"DELETE FROM {table} WHERE list_contains(?::BIGINT[], {column})", [numbers])  # noqa: S608

    def _tables_by_page(self) -> tuple[str, ...]:
        return ("texts", "passages", "vectors") if self.dimension else ("texts", "passages")

    def _write_turns(self) -> None:
        """Write down in which order the pages were read that were read since the last time."""
        urls = [url for url in self._rows if url in self._read_since_write]
        turns = list(range(self._last_turn + 1, self._last_turn + 1 + len(urls)))
        self._sql.execute(
            "UPDATE pages SET turn = read.turn FROM (SELECT unnest(?::BIGINT[]) AS number, unnest(?::BIGINT[]) AS turn) AS read "
            "WHERE pages.number = read.number",
            [[self._rows[url].number for url in urls], turns],
        )
        self._last_turn += len(urls)
        self._read_since_write.clear()

    def _note_size(self) -> None:
        self.size = PageStoreSize(len(self._rows), sum(map(self._size_of, self._rows.values())))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run the block's statements in one transaction; what is known of the rows is taken back with it."""
        rows, read, turn = self._rows.copy(), self._read_since_write.copy(), self._last_turn
        self._sql.begin()
        try:
            yield
            self._sql.commit()
        except BaseException:
            self._rows, self._read_since_write, self._last_turn = rows, read, turn
            with suppress(
                duckdb.Error
            ):  # it has ended the transaction already where the file cannot be written
                self._sql.rollback()
            raise


def check_dimension(expected: int, given: int, model: str) -> None:
    """Raise StoreFailed for a vector that cannot be compared with those that are stored."""
    if given != expected:
        raise StoreFailed(
            f"{model} gave a vector of {given} numbers, and those that are stored have {expected}: name another DATA_DIR, or "
            "delete its file of stored pages"
        )


def _bytes_of(page: StoredPage) -> int:
    texts = [page.url, page.title, page.note, page.text]
    for passage in page.passages:
        texts += [passage.text, *passage.section_path]
    return PAGE_BYTES + PASSAGE_BYTES * len(page.passages) + sum(len(text.encode()) for text in texts)
