"""What a call tells about itself on its way, as an interface whose default does nothing: the call itself knows no timeline."""

from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

from gateway.server_rules import GatewayServer
from protocol.context import Context
from summarizing.model_calls import ModelCall
from summarizing.outcome import Outcome


class HandedOver(NamedTuple):
    """What a caller gets in place of a result."""

    text: str
    tokens: int
    form: str
    """How it was made: `compacted`, `shortened`, or the status of a summary."""
    result_id: str | None
    """Of the original, where it was kept."""


class CallRecord:
    """The record of one call: a `CallNotes` (call_notes.py). As a context manager it is closed with the call, however that ends."""

    def __enter__(self) -> Self:
        """Return the record."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Note how the call ended."""

    def result(self, result: Mapping[str, Any], text: str, tokens: int) -> None:
        """Note a masked result, its text and the tokens of that."""

    def observed(self, tokens: int) -> None:
        """Note that the result passes, and would have been made shorter: how many tokens it would have had, at most."""

    def summarizing(self, tokens: int) -> None:
        """Note that the summary of a result of so many tokens has begun."""

    def model_call(self, call: ModelCall) -> None:
        """Note a call of the model for the summary."""

    def handed_over(self, given: HandedOver, outcome: Outcome | None = None) -> None:
        """Note what the caller gets in place of the result, and what became of its summary."""


class Recorder(Protocol):
    """Begins the records of calls: `CallRecorder` (recorder.py)."""

    def begin(
        self, context: Context, server: GatewayServer, tool: str, arguments: Mapping[str, Any], selection: str
    ) -> CallRecord:
        """Return the record of a call that begins; `selection` is its connection's choice of servers, as JSON."""
        ...


class CallMetrics(Protocol):
    """The metrics of proxied calls: `GatewayMetrics` (observability/metric_catalogue.py)."""

    def count_proxied_call(
        self, server: str, status: str, seconds: float, tokens_before: int, tokens_after: int
    ) -> None: ...
