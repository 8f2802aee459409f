"""Search by meaning in a page's passages: embeds those that have no vector yet, and the queries, and asks the store for the nearest.

Raises WebError where the server or the store fails; what to do then, page_reading.py decides. The clock is an argument.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from web_tools.embeddings import BATCH_TEXTS
from web_tools.pages import Embedder, PagePassage, PageStore, StoredPage, Vector, WebError
from web_tools.ranking import RANKED_PASSAGES

# Two batches side by side, as many as CONCURRENCY is by default; what they gave is stored before more is asked for.
STORED_AT_ONCE = 2 * BATCH_TEXTS

# A call waits so long for the vectors of a large page. Clients give up after 30 to 120 seconds.
PATIENCE = timedelta(seconds=15)

# An agent asks the same of several pages, one after the other.
MAX_KEPT_QUERIES = 128

Similar = list[tuple[str, float]]
"""Ids of passages with their cosine similarity, the nearest first."""


class StillEmbedding(WebError):
    """The page is too large for all of its vectors to be made within one call; the next ones go on."""


class SemanticSearch:
    """Search by meaning with one embedder in one store."""

    def __init__(
        self,
        embedder: Embedder,
        store: PageStore,
        clock: Callable[[], datetime],
        patience: timedelta = PATIENCE,
    ) -> None:
        self._embedder = embedder
        self._store = store
        self._clock = clock
        self._patience = patience
        self._queries: OrderedDict[str, Vector] = OrderedDict()

    async def embed_passages(self, page: StoredPage) -> None:
        """Embed the passages of a stored page that have no vector yet."""
        until = self._clock() + self._patience
        missing = await self._store.without_vector(page.url)
        for at in range(0, len(missing), STORED_AT_ONCE):
            if at and self._clock() >= until:
                done = len(page.passages) - len(missing) + at
                raise StillEmbedding(
                    f"{done} of {len(page.passages)} passages of this large page have their vectors so far, and the next call goes on"
                )
            batch = missing[at : at + STORED_AT_ONCE]
            vectors = await self._embedder.embed([text_to_embed(passage) for passage in batch])
            named = {passage.id: vector for passage, vector in zip(batch, vectors, strict=True)}
            await self._store.add_vectors(page.url, named)

    async def similar(self, url: str, queries: Sequence[str]) -> list[Similar]:
        """Return the passages nearest to each query; none for a blank one."""
        vectors = await self._vectors_of([query for query in queries if query.strip()])
        return [
            await self._store.nearest(url, vectors[query], RANKED_PASSAGES) if query in vectors else []
            for query in queries
        ]

    async def _vectors_of(self, queries: Sequence[str]) -> dict[str, Vector]:
        """Return the queries' vectors; those of the last ones are known."""
        unknown = list(dict.fromkeys(query for query in queries if query not in self._queries))
        known = {query: self._queries[query] for query in queries if query in self._queries}
        new = await self._embedder.embed(unknown) if unknown else []
        vectors = {**known, **dict(zip(unknown, new, strict=True))}
        for query in queries:
            self._queries[query] = vectors[query]
            self._queries.move_to_end(query)
        while len(self._queries) > MAX_KEPT_QUERIES:
            self._queries.popitem(last=False)
        return vectors


def text_to_embed(passage: PagePassage) -> str:
    """Return a passage's text under the titles of its sections, those that it does not have itself."""
    titles = [title for title in passage.section_path if title not in passage.text]
    return "\n".join([*titles, passage.text])
