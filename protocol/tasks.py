"""The tasks extension: calls that go on after their answer, in a bounded store in memory.

`io.modelcontextprotocol/tasks` (SEP-2663), for clients that declare it. A task outlives its connection, but not the process; it
belongs to the caller that started it, and is deleted when it was not asked about for a while. No I/O: clock, time of day and
randomness are arguments.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from protocol.context import Context, InputRequired, internal_errors
from protocol.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    TASKS_EXTENSION,
    Era,
    Message,
    MissingCapability,
    RpcError,
    RpcRequest,
    string_param,
)
from protocol.subscriptions import Hub

# A task is kept for an hour; a minute more does not matter.
EXPIRE_EVERY_SECONDS = 60.0

# A summary takes seconds to minutes: polling more often would show nothing new.
POLL_INTERVAL_MS = 1_000

TASK_ID_BYTES = 16  # 128 bits: cannot be guessed

# Longer results are left out of notifications and fetched with tasks/get: an event has at most 1 MiB, and a character may take
# six bytes.
MAX_ANNOUNCED_CHARS = 100_000

WAITS_FOR_INPUT = "waits for input"
NOT_FOR_LONG = "kept in memory only: it is lost if the service restarts"

Work = Callable[[Context], Awaitable[Message]]


def utc_now() -> datetime:
    """Return the time of day and date."""
    return datetime.now(UTC)


def new_task_id() -> str:
    """Return an id that cannot be guessed."""
    return secrets.token_urlsafe(TASK_ID_BYTES)


class StoreFull(Exception):
    """The store has no room for another task."""


@dataclass(eq=False)
class _Task:
    id: str
    owner: str
    created: datetime
    updated: datetime
    asked: float
    """When it was last asked about, on the store's clock."""
    message: str
    status: str = "working"
    result: Message | None = None
    error: Message | None = None
    waiting: dict[str, Message] = field(default_factory=dict)
    """The open input requests, by their keys."""
    answers: dict[str, Message] = field(default_factory=dict)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    used_keys: set[str] = field(default_factory=set)
    is_fetched: bool = False
    """Whether the caller has learnt how it ended."""
    work: asyncio.Task[None] = field(init=False)

    @property
    def is_over(self) -> bool:
        return self.status in ("completed", "failed", "cancelled")


class TaskStore:
    """The tasks of a process."""

    def __init__(
        self,
        limit: int,
        ttl_seconds: float,
        hub: Hub,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
        new_id: Callable[[], str] = new_task_id,
    ) -> None:
        """Keep at most `limit` tasks, each for `ttl_seconds` after it was last asked about."""
        self._limit = limit
        self._ttl = ttl_seconds
        self._hub = hub
        self._clock = clock
        self._now = now
        self._new_id = new_id
        self._tasks: dict[str, _Task] = {}

    def start(self, request: RpcRequest, work: Work) -> Message:
        """Start work as a task and return its CreateTaskResult. Raises StoreFull."""
        self._make_room()
        now = self._now()
        task = _Task(self._new_id(), request.owner, now, now, self._clock(), NOT_FOR_LONG)
        # MCP tasks: the task MUST exist before its id is sent.
        self._tasks[task.id] = task
        task.work = asyncio.create_task(self._run(task, work, _TaskContext(request, task, self._changed)))
        return {"resultType": "task", **self._described(task)}

    def _make_room(self) -> None:
        """If the store is full, delete the fetched result that was asked about longest ago. Raises StoreFull."""
        self.expire()
        if len(self._tasks) < self._limit:
            return
        fetched = [task for task in self._tasks.values() if task.is_fetched]
        if not fetched:
            raise StoreFull
        del self._tasks[min(fetched, key=lambda task: task.asked).id]

    def get(self, task_id: str, owner: str) -> Message:
        """Return a task's state, with its result. Raises RpcError INVALID_PARAMS for an unknown task."""
        task = self._find(task_id, owner)
        task.is_fetched = task.is_over
        return self._detailed(task)

    def update(self, task_id: str, owner: str, responses: Mapping[str, Message]) -> None:
        """Give a task the answers that it waits for; others are ignored."""
        task = self._find(task_id, owner)
        answered = responses.keys() & task.waiting.keys()
        for key in answered:
            task.answers[key] = responses[key]
            del task.waiting[key]
        if answered and not task.waiting:
            task.status = "working"  # at once: tasks/get must not show it waiting for input any more
            task.answered.set()
        if answered:
            self._changed(task, WAITS_FOR_INPUT if task.waiting else None)

    def cancel(self, task_id: str, owner: str) -> None:
        """Stop a task; a finished one stays as it is."""
        task = self._find(task_id, owner)
        self._end(task, "cancelled", "cancelled by the client")
        task.is_fetched = True
        task.work.cancel()

    def knows(self, task_id: str, owner: str) -> bool:
        """Whether the store has this task of this caller."""
        self.expire()
        task = self._tasks.get(task_id)
        return task is not None and task.owner == owner

    def announced(self, task_ids: Collection[str], owner: str) -> dict[str, Message]:
        """Return, for the caller's own ones of these tasks, what a notification would say."""
        self.expire()
        own = (task for task in self._tasks.values() if task.owner == owner and task.id in task_ids)
        return {task.id: self._announced(task) for task in own}

    def expire(self) -> None:
        """Delete tasks that were not asked about for too long and that no stream listens to; stop their work."""
        now = self._clock()
        for task in list(self._tasks.values()):
            if self._hub.has_listener("taskIds", task.id):
                task.asked = now
            elif task.asked < now - self._ttl:
                del self._tasks[task.id]
                task.work.cancel()

    @property
    def kept(self) -> int:
        """How many tasks the store holds, running and finished."""
        return len(self._tasks)

    def running(self) -> Iterator["asyncio.Task[None]"]:
        """Return the work of the running tasks."""
        return (task.work for task in self._tasks.values() if not task.work.done())

    def work(self, task_id: str) -> "asyncio.Task[None] | None":
        """Return the work of a task; None if the store does not hold it any more."""
        task = self._tasks.get(task_id)
        return task.work if task else None

    def _find(self, task_id: str, owner: str) -> _Task:
        if not self.knows(task_id, owner):
            raise RpcError(
                INVALID_PARAMS,
                f"Unknown task: {task_id[:100]}; it was never this caller's, nobody asked about it for "
                f"{self._ttl:g} s, or the service has restarted",
            )
        task = self._tasks[task_id]
        task.asked = self._clock()
        return task

    async def _run(self, task: _Task, work: Work, context: "_TaskContext") -> None:
        try:
            with internal_errors():
                result = await work(context)
        except RpcError as error:
            self._end(task, "failed", str(error), error=error.as_json())
        except InputRequired:
            fault = RpcError(
                INTERNAL_ERROR, "Internal error: a task asks with ask(), it does not end with a question"
            )
            self._end(task, "failed", str(fault), error=fault.as_json())
        else:
            # SEP-2663: a tool that reports an error has completed; `failed` is for errors of the protocol.
            self._end(task, "completed", None, result=result)

    def _end(
        self,
        task: _Task,
        status: str,
        message: str | None,
        *,
        result: Message | None = None,
        error: Message | None = None,
    ) -> None:
        if task.is_over:  # cancelled: what its work still returns or raises is ignored
            return
        task.result, task.error = result, error
        task.waiting.clear()
        task.status = status
        self._changed(task, message)

    def _changed(self, task: _Task, message: str | None) -> None:
        task.updated = self._now()
        task.message = message or ""
        self._hub.publish("taskIds", self._announced(task), task.id)

    def _described(self, task: _Task) -> Message:
        members = {
            "taskId": task.id,
            "status": task.status,
            "statusMessage": task.message,
            "createdAt": _iso(task.created),
            "lastUpdatedAt": _iso(task.updated),
            "ttlMs": round(self._ttl * 1_000),
            "pollIntervalMs": POLL_INTERVAL_MS,
        }
        return {name: value for name, value in members.items() if value != ""}

    def _announced(self, task: _Task) -> Message:
        # SEP-2663: a notification carries what tasks/get would answer. But clients refuse an event over 1 MiB.
        detailed = self._detailed(task)
        if _chars(task.result) > MAX_ANNOUNCED_CHARS:
            del detailed["result"]
        return detailed

    def _detailed(self, task: _Task) -> Message:
        # A copy: it may still be waiting to be sent when the answers come.
        waiting = dict(task.waiting) or None
        outcome = {"result": task.result, "error": task.error, "inputRequests": waiting}
        return self._described(task) | {name: value for name, value in outcome.items() if value is not None}


class _TaskContext(Context):
    """The context of a call that runs as a task: its progress becomes the task's status message."""

    is_awaited = False

    def __init__(
        self, request: RpcRequest, task: _Task, changed: Callable[[_Task, str | None], None]
    ) -> None:
        super().__init__(request)
        self._task = task
        self._changed = changed

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        if not self._task.is_over:
            self._changed(self._task, message or (f"{done:g}" if total is None else f"{done:g} of {total:g}"))

    def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Ignore it: a task has no stream for log messages."""

    async def ask(self, requests: Mapping[str, Message], state: str | None = None) -> Mapping[str, Message]:
        self.check_may_ask(requests)
        task = self._task
        if task.is_over:
            raise asyncio.CancelledError  # cancelled before, so no answer will come
        if reused := task.used_keys & requests.keys():
            raise ValueError(f"keys of input requests are used once in a task: {', '.join(sorted(reused))}")
        task.used_keys |= requests.keys()
        known = {key: self.responses[key] for key in requests.keys() & self.responses.keys()}
        task.waiting |= {key: request for key, request in requests.items() if key not in known}
        if task.waiting:
            await self._wait()
        return known | {key: task.answers[key] for key in requests.keys() - known.keys()}

    async def _wait(self) -> None:
        task = self._task
        task.answered.clear()
        task.status = "input_required"
        self._changed(task, WAITS_FOR_INPUT)
        await task.answered.wait()


def _chars(value: Any) -> int:
    """Return how many characters of text a JSON value holds."""
    if isinstance(value, dict):
        return sum(map(_chars, value.values()))
    return sum(map(_chars, value)) if isinstance(value, list) else len(value) if isinstance(value, str) else 0


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# --- Requests about tasks -------------------------------------------------------------------------------------


def require_tasks(request: RpcRequest, what: str) -> None:
    """Raise MissingCapability for a client without task support, and its counterpart for one of the legacy era."""
    if request.era is Era.LEGACY:
        raise RpcError(INVALID_PARAMS, f"{what} goes on as a task: call with revision 2026-07-28")
    if not request.declares_tasks:
        raise MissingCapability({"extensions": {TASKS_EXTENSION: {}}}, what)


def task_id_of(request: RpcRequest) -> str:
    """Return the task that a request is about. Raises RpcError, also if the client does not support tasks."""
    require_tasks(request, request.method)
    return string_param(request, "taskId")


@asynccontextmanager
async def open_tasks(max_tasks: int, ttl_seconds: float, hub: Hub) -> AsyncIterator[TaskStore | None]:
    """Open the task store, unless it may keep none, and delete expired tasks; at the end of the block, cancel all."""
    if max_tasks == 0:
        yield None
        return
    tasks = TaskStore(max_tasks, ttl_seconds, hub)
    expiring = asyncio.create_task(_expire_tasks(tasks))
    try:
        yield tasks
    finally:
        expiring.cancel()
        for work in tasks.running():
            work.cancel()


async def _expire_tasks(store: TaskStore) -> None:
    # The store does so at each use; this is for a service that gets no more calls.
    while True:
        await asyncio.sleep(EXPIRE_EVERY_SECONDS)
        store.expire()
