"""Immutable records of a job: the caller's request, and the job with the services that process it.

Makes neither prompts nor chunks. What comes of a job stands in outcome.py: its `Result` so far, and the outcome of the last one.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from summarizing.budgets import Window
from summarizing.cpu_work import CpuWork
from summarizing.deadline import Deadlines
from summarizing.model_calls import ModelCall, ModelCalls
from summarizing.progress import Steps
from summarizing.query import Query

# How a text is cut: along its structure, or at fixed sizes. The first is the default, and stands in for one that is not known.
STRATEGIES = ("semantic", "token")


def known_strategy(strategy: str) -> tuple[str, tuple[str, ...]]:
    """Return a strategy; in place of one that is not known the default, and a reason that says so."""
    if strategy in STRATEGIES:
        return strategy, ()
    why = (
        f"unknown strategy {strategy[:40]!r}: {STRATEGIES[0]} was used ({' and '.join(STRATEGIES)} are known)"
    )
    return STRATEGIES[0], (why,)


class PageText(NamedTuple):
    """The text of a page on the web, as Markdown."""

    text: str
    note: str = ""
    """What must be known of how it was read; "": nothing."""
    is_main_content: bool = False
    """Whether what stands around the main content was left out."""


MainContent = Callable[[str], Awaitable[PageText | None]]
"""Returns the main content of a page in HTML, all of its text where that cannot be recognized, None where it has none: `OpenWebTools.main_content`
(web_tools/web_tools.py)."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller asks the summarizer for: the content, the size to bring it to, what to keep, how.

    `target` 0 means the default; `owner` is the caller's, "" where callers show no keys. `has_deadline` is False where no client
    waits on an open connection. `arrived`: when the request came, on the service's clock (time.monotonic); None: when the summarizer got it.
    """

    content: str
    target: int = 0
    query: Query = field(default_factory=Query)
    strategy: str = STRATEGIES[0]
    owner: str = ""
    has_deadline: bool = True
    arrived: float | None = None
    model: str = ""
    """"": the service's."""
    most_answer_tokens: int = 0
    """The highest `max_tokens` of a request to the model; 0: as the budgets have it."""
    on_failure: str = ""
    """What comes back where the model gives nothing, or nothing in time (ON_FAILURE); "": as the service has it."""
    observe: Callable[[ModelCall], None] = field(default=lambda call: None, repr=False, compare=False)
    """Told of each call to the model: `CallNotes.model_call` (gateway/timeline/call_notes.py), given by gateway/tool_results.py; else nobody is."""

    content_notes: tuple[str, ...] = ()
    """What must be known of how the content was read before it came here, for the outcome."""
    main_content: MainContent | None = field(default=None, repr=False, compare=False)
    """For a content in HTML; None: all of it is read."""


class Job(NamedTuple):
    """A request, with the services that process it. `calls` None: there is no model."""

    request: Request
    deadlines: Deadlines
    steps: Steps
    work: CpuWork
    calls: ModelCalls | None
    window: Window
    """What the prompts leave of the model's context window, of which chunks may fill half."""
