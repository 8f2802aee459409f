"""One fetch for all callers who ask for a page at the same time or shortly after; an error is shared too.

Does not know how a page is fetched, and keeps no page for long: that is what the page store is for.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Self

from web_tools.page_urls import page_url
from web_tools.pages import FetchedPage, Validators, WebError
from web_tools.request_slots import SlotsTaken, current_caller

Slot = Callable[[], AbstractAsyncContextManager[None]]
Fetch = Callable[[str, Validators | None], Awaitable[FetchedPage]]

# The oldest pages go first where more were fetched within the time that one is kept.
MAX_KEPT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class _Outcome:
    asked: Validators | None
    page: FetchedPage | None
    error: WebError | None
    came: float
    """When, on the event loop's clock."""
    expiry: asyncio.TimerHandle

    def for_caller(self, validators: Validators | None) -> FetchedPage | None:
        """Return the page as one with these validators gets it; None: it must be asked for anew. Raises the error."""
        if self.error:
            raise self.error.with_traceback(None)
        if self.page is None or (self.page.not_modified and validators != self.asked):
            return None
        page = replace(self.page, age_seconds=asyncio.get_running_loop().time() - self.came)
        if validators == page.validators != Validators():
            return replace(page, body=b"", not_modified=True)
        return page


@dataclass
class _Running:
    """A fetch that waits for a slot, or has one. Each caller has a task that waits in the caller's place; the first with a slot fetches."""

    outcome: asyncio.Future[_Outcome]
    callers: Counter[str] = field(default_factory=Counter)
    tasks: dict[str, asyncio.Task[_Outcome | None]] = field(default_factory=dict)
    fetching: asyncio.Task[Any] | None = None

    @property
    def has_begun(self) -> bool:
        """Whether a caller's task has a slot."""
        return self.fetching is not None

    def waits_for(self, caller: str) -> bool:
        """Whether a task waits in a caller's place."""
        return caller in self.tasks and not self.tasks[caller].done()

    async def outcome_for(self, caller: str) -> _Outcome:
        """Return the outcome. Raises what the fetch does, and SlotsTaken where the caller's own wait ends before any has a slot."""
        own = self.tasks.get(caller)
        awaited: list[asyncio.Future[Any]] = [self.outcome, own] if own else [self.outcome]
        await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        if own and own.done() and not own.cancelled() and not self.has_begun and (error := own.exception()):
            raise error
        return await asyncio.shield(self.outcome)

    def begin(self) -> None:
        """Fetch in the current task: the others need no slot."""
        self.fetching = asyncio.current_task()
        for task in self.tasks.values():
            if task is not self.fetching:
                task.cancel()

    def leave(self, caller: str) -> None:
        """Take one call of a caller back; with the last one, what ran for it ends, or all of it if nobody is left."""
        self.callers[caller] -= 1
        if self.callers.total() == 0:
            self.cancel()
        elif not self.callers[caller] and not self.has_begun:
            self.tasks.pop(caller).cancel()

    def cancel(self) -> None:
        """End it without an outcome."""
        self.outcome.cancel()
        for task in self.tasks.values():
            task.cancel()

    def end(self, task: asyncio.Task[_Outcome | None]) -> None:
        """Set the outcome when the task that fetches is done; cancel it when all tasks are done and none got a slot."""
        error = None if task.cancelled() else task.exception()
        if self.outcome.done():
            return
        if task is self.fetching:
            self._take_over(task, error)
        elif not self.has_begun and all(each.done() for each in self.tasks.values()):
            self.outcome.cancel()

    def _take_over(self, task: asyncio.Task[_Outcome | None], error: BaseException | None) -> None:
        if error:
            self.outcome.set_exception(error)
        elif not task.cancelled() and (outcome := task.result()):
            self.outcome.set_result(outcome)
        else:
            # Cancelled, and not by its callers: they must not wait any longer.
            self.outcome.cancel()


class SharedFetches:
    """A PageFetcher over another way to fetch."""

    def __init__(self, fetch: Fetch, keep_seconds: float, slot: Slot = nullcontext) -> None:
        """What a fetch gave, an error too, serves all who ask within `keep_seconds`. `slot` is held for a fetch, and waited for as its caller."""
        self._fetch = fetch
        self._slot = slot
        self._keep_seconds = keep_seconds
        self._running: dict[str, _Running] = {}
        self._kept: dict[str, _Outcome] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [task for running in self._running.values() for task in running.tasks.values()]
        for running in self._running.values():
            running.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for key in list(self._kept):
            self._forget(key)

    async def fetch(
        self, url: str, validators: Validators | None = None, *, anew: bool = False
    ) -> FetchedPage:
        """Return the page; `anew`: none that is kept. Raises WebError and PageProtected; with `validators` it may be `not_modified`."""
        key = str(page_url(url))
        outcome = None if anew else self._kept.get(key)
        page = outcome.for_caller(validators) if outcome else None
        while page is None:
            page = (await self._join(key, validators)).for_caller(validators)
        return page

    async def _join(self, key: str, validators: Validators | None) -> _Outcome:
        """Wait for the page's fetch that is under way, or for a new one; it ends with the last who waits for it."""
        caller = current_caller()
        running = self._running.get(key)
        if running is None or running.outcome.done():
            running = self._running[key] = _Running(asyncio.get_running_loop().create_future())
        if not running.has_begun and not running.waits_for(caller):
            task = running.tasks[caller] = asyncio.create_task(self._run(key, validators, running))
            task.add_done_callback(running.end)
        running.callers[caller] += 1
        try:
            return await running.outcome_for(caller)
        finally:
            running.leave(caller)
            # The next caller starts a new fetch.
            if not running.callers.total() and self._running.get(key) is running:
                del self._running[key]

    async def _run(self, key: str, validators: Validators | None, running: _Running) -> _Outcome | None:
        """Wait for a slot in the current caller's place and fetch; None: another caller's came first."""
        async with self._slot():
            if running.has_begun:
                return None
            running.begin()
            return await self._fetched(key, validators)

    async def _fetched(self, key: str, validators: Validators | None) -> _Outcome:
        page = error = None
        try:
            page = await self._fetch(key, validators)
        except SlotsTaken:
            raise  # the server was not asked: the next caller may find a slot
        except WebError as failure:
            error = failure
        loop = asyncio.get_running_loop()
        expiry = loop.call_later(self._keep_seconds, self._forget, key)
        outcome = _Outcome(validators, page, error, loop.time(), expiry)
        self._keep(key, outcome)
        return outcome

    def _keep(self, key: str, outcome: _Outcome) -> None:
        if key in self._kept:
            self._forget(key)
        self._kept[key] = outcome
        while sum(len(each.page.body) for each in self._kept.values() if each.page) > MAX_KEPT_BYTES:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: str) -> None:
        self._kept.pop(key).expiry.cancel()
