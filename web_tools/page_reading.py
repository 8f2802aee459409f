"""Reads a page for some queries: stored or fetched, cut into passages, embedded, ranked. The way of one call through this package.

A stored page answers while it is fresh; after that its server is asked whether it has changed. What fails on the way and is not needed
for an answer becomes a note: without vectors passages are ranked by their words, without the page's server its stored copy answers; the
same where the call's deadline passes before they are there.
Fetching, extracting, cutting, embedding and storing are arguments, and so are the clock and what runs CPU work.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from weakref import WeakValueDictionary

from summarizing.text.tokenizer import without_surrogates
from web_tools.call_deadline import CallIsLate, in_time
from web_tools.page_urls import page_url, shown
from web_tools.pages import (
    Embedder,
    FetchedPage,
    NotAllowed,
    PageAnswer,
    PageExtractor,
    PageFetcher,
    PagePassage,
    PageProtected,
    PageStore,
    QueryAnswer,
    ScoredPassage,
    StoredPage,
    StoreFailed,
    Validators,
    WebError,
)
from web_tools.passages import CutPart
from web_tools.ranking import PassageIndex, fused
from web_tools.recent_pages import ParsedPage, RecentPages
from web_tools.semantic_search import SemanticSearch, Similar
from web_tools.text_work import TextWork

logger = logging.getLogger(__name__)

# Most pages change less than once a day, and a caller can force a refresh.
FRESH = timedelta(days=1)

WITHOUT_SERVER = "ranked by words alone: no embedding server is set (EMBEDDING_SERVER_URL)"

Cut = Callable[[str, str], Iterator[CutPart]]
"""Returns the passages of a page, from its URL and its text. Each step is CPU work."""


@dataclass(frozen=True)
class _Call:
    """One call on its way: until when, on the event loop's clock, and what its caller must know."""

    until: float | None
    notes: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def holding(self, lock: asyncio.Lock) -> AsyncIterator[None]:
        """Hold a lock within the block. Raises CallIsLate."""
        async with in_time(self.until):
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()


class PageReading:
    """Reads pages; any number of calls at once, of which those for one page come one after the other."""

    def __init__(
        self,
        fetcher: PageFetcher,
        extractor: PageExtractor,
        store: PageStore,
        embedder: Embedder | None,
        *,
        cut: Cut,
        work: TextWork,
        similarity_threshold: float | None = None,
        fresh_for: timedelta = FRESH,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`work` runs what takes the processor; `fresh_for`: how long a stored page answers without its server being asked.

        `similarity_threshold`: with an embedder, rank by meaning alone and leave out what is less similar; None: by words and meaning.
        """
        self._fetcher, self._extractor, self._store = fetcher, extractor, store
        self._semantic = SemanticSearch(embedder, store, clock) if embedder else None
        self._cut = cut
        self._work = work
        self._threshold = similarity_threshold
        self._fresh_for = fresh_for
        self._clock = clock
        self._recent = RecentPages()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def read(
        self,
        url: str,
        queries: Sequence[str],
        *,
        force_refresh: bool = False,
        max_results: int = 8,
        until: float | None = None,
    ) -> PageAnswer:
        """Return the passages of a page that answer each query, at most `max_results`. Raises WebError.

        `force_refresh`: the page's server is asked whether it has changed, however fresh the stored page is. `until`: the deadline on the
        event loop's clock, None for none; what is there by then is returned.
        """
        key = str(page_url(url))
        asked = self._clock()
        call = _Call(until)
        try:
            # A lock stays as long as anyone holds it or waits for it.
            async with call.holding(self._locks.setdefault(key, asyncio.Lock())):
                not_before = asked if force_refresh else None
                parsed, is_from_server = await self._current(key, not_before, call)
                self._recent.put(parsed)
                page = parsed.page
                call.notes.extend([page.note.removesuffix(".")] if page.note else [])
                is_embedded = await self._store_and_embed(page, call, is_from_server=is_from_server)
        except PageProtected as refused:
            answers = tuple(QueryAnswer(query, ()) for query in queries)
            return PageAnswer(key, "", asked, "", sha256().hexdigest(), answers, str(refused))
        except CallIsLate as late:
            raise WebError(f"{shown(page_url(key))}: {late}: try again, or read another page") from None
        answers = await self._answers(parsed, queries, max_results, call, is_embedded=is_embedded)
        source = "server" if is_from_server else "store"
        logger.debug("page_read", extra={"source": source, "passages": len(page.passages)})
        return PageAnswer(
            key,
            page.title,
            page.last_crawled,
            page.text,
            page.content_hash,
            answers,
            "; ".join(call.notes),
        )

    # --- The page ----------------------------------------------------------------------------------------------

    async def _current(self, key: str, not_before: datetime | None, call: _Call) -> tuple[ParsedPage, bool]:
        """Return the page, and whether it came from its server now; None: any that is fresh will do, else one from `not_before` on."""
        async with in_time(call.until):
            known = await self._known(key)
        least = self._clock() - self._fresh_for if not_before is None else not_before
        if known and known.page.last_crawled >= least:
            return known, False
        try:
            async with in_time(call.until):
                return await self._fetched(key, known, anew=not_before is not None), True
        except WebError as failed:
            if known is None or not_before is not None or isinstance(failed, NotAllowed):
                raise
            crawled = f"{known.page.last_crawled:%Y-%m-%d %H:%M} UTC"
            call.notes.append(f"not fetched anew, so this is the copy of {crawled}: {failed}")
            return known, False

    async def _known(self, key: str) -> ParsedPage | None:
        """Return the page as it was read last."""
        parsed = self._recent.get(key)
        if parsed:
            return parsed
        try:
            page = await self._store.page(key)
        except StoreFailed:
            return None  # the store has logged it; the page's server still has the page
        return await self._parsed(page) if page else None

    async def _fetched(self, key: str, known: ParsedPage | None, *, anew: bool) -> ParsedPage:
        fetched = await self._fetcher.fetch(key, known.page.validators if known else None, anew=anew)
        crawled = self._clock() - timedelta(seconds=fetched.age_seconds)
        if known and fetched.not_modified:
            validators = fetched.validators if fetched.validators != Validators() else known.page.validators
            return replace(known, page=replace(known.page, last_crawled=crawled, validators=validators))
        page = await self._read_page(key, fetched, crawled)
        if known and known.page.passages == page.passages:
            return ParsedPage(page, known.index)
        return await self._parsed(page)

    async def _read_page(self, key: str, fetched: FetchedPage, crawled: datetime) -> StoredPage:
        extracted = await self._extractor.extract(fetched)
        text, content_hash = await self._work(len(extracted.text), _hashed, extracted.text)
        passages, left_out = await self._passages(key, text)
        # What has a note may be read better the next time, so it is not asked whether that has changed.
        validators = Validators() if extracted.note else fetched.validators
        return StoredPage(
            key,
            without_surrogates(extracted.title),
            validators,
            crawled,
            content_hash,
            "; ".join(filter(None, (extracted.note.removesuffix("."), left_out))),
            text,
            passages,
        )

    async def _passages(self, key: str, text: str) -> tuple[tuple[PagePassage, ...], str]:
        """Return the passages of a page, and a note where they are not of all of its text."""
        steps, passages, end = self._cut(key, text), list[PagePassage](), 0
        while part := await self._work(len(text), next, steps, None):
            passages += part.passages
            end = part.end
        if end == len(text):
            return tuple(passages), ""
        return tuple(passages), (
            f"only the first {end:,} of its {len(text):,} characters are searched: they make {len(passages):,} passages, the most of a page"
        )

    async def _parsed(self, page: StoredPage) -> ParsedPage:
        return ParsedPage(page, await self._work(len(page.text), PassageIndex, page.passages))

    async def _store_and_embed(self, page: StoredPage, call: _Call, *, is_from_server: bool) -> bool:
        """Store a page that is not stored as it is, and embed it; return whether it can be searched by meaning."""
        try:
            if is_from_server or not await self._store.touch(page.url):
                await self._store.put(page)
            if self._semantic:
                async with in_time(call.until):
                    await self._semantic.embed_passages(page)
        except WebError as failed:
            self._note_failure(failed, call)
            return False
        call.notes.extend([] if self._semantic else [WITHOUT_SERVER])
        return self._semantic is not None

    def _note_failure(self, failed: WebError, call: _Call) -> None:
        logger.warning("page_not_embedded", extra={"error": getattr(failed, "kind", type(failed).__name__)})
        call.notes.append(f"ranked by words alone: {failed}" if self._semantic else WITHOUT_SERVER)

    # --- Ranking -----------------------------------------------------------------------------------------------

    async def _answers(
        self, parsed: ParsedPage, queries: Sequence[str], limit: int, call: _Call, *, is_embedded: bool
    ) -> tuple[QueryAnswer, ...]:
        by_words, by_meaning = await asyncio.gather(
            self._by_words(parsed, queries, call),
            self._similar(parsed.page.url, queries, call, is_embedded=is_embedded),
        )
        if by_meaning is None:
            found = [tuple(ranked[:limit]) for ranked in by_words]
        else:
            ranked_twice = zip(by_words, by_meaning, strict=True)
            found = [await self._joined(parsed.page, words, near, limit) for words, near in ranked_twice]
        return tuple(QueryAnswer(*each) for each in zip(queries, found, strict=True))

    async def _by_words(
        self, parsed: ParsedPage, queries: Sequence[str], call: _Call
    ) -> list[list[ScoredPassage]]:
        chars, rank = len(parsed.page.text), parsed.index.ranked
        return [await self._work.even_if_late(call.until, chars, rank, query) for query in queries]

    async def _similar(
        self, url: str, queries: Sequence[str], call: _Call, *, is_embedded: bool
    ) -> list[Similar] | None:
        if self._semantic is None or not is_embedded:
            return None
        try:
            async with in_time(call.until):
                return await self._semantic.similar(url, queries)
        except WebError as failed:
            self._note_failure(failed, call)
            return None

    async def _joined(
        self, page: StoredPage, words: Sequence[ScoredPassage], near: Similar, limit: int
    ) -> tuple[ScoredPassage, ...]:
        """Return the best passages by both rankings, without near duplicates."""
        passages = {passage.id: passage for passage in page.passages}
        near = [(each, similarity) for each, similarity in near if each in passages]
        if self._threshold is None:
            rankings = ([each.passage.id for each in words], [each for each, _ in near])
            ranked = fused(rankings, passages)
        else:
            ranked = [
                ScoredPassage(passages[each], score) for each, score in near if score >= self._threshold
            ]
        candidates = ranked[: 2 * limit]
        try:
            same = await self._store.near_duplicates(page.url, [each.passage.id for each in candidates])
        except StoreFailed:
            same = frozenset()
        return tuple(each for each in candidates if each.passage.id not in same)[:limit]


def _hashed(text: str) -> tuple[str, str]:
    """Return a text, and its sha256 in hex; of one with a lone surrogate there is no UTF-8 to hash, send or store."""
    text = without_surrogates(text)
    return text, sha256(text.encode()).hexdigest()
