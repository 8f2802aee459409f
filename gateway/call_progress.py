"""The progress of one call, as its client gets it: first that of the server, masked, then that of the summary, which goes on from there."""

from collections.abc import Callable

from protocol.context import Context
from protocol.messages import Message

# A message is a line; a longer one is cut.
MAX_PROGRESS_CHARS = 500


class CallProgress:
    """Hands progress on to a client."""

    def __init__(self, context: Context, masked_beginning: Callable[[str, int], str]) -> None:
        """`masked_beginning` returns at most so many characters of a text, its secrets masked."""
        self._context = context
        self._masked_beginning = masked_beginning
        self._reached = 0.0

    def of_server(self, params: Message) -> None:
        """Hand on the progress of a server, if it is what MCP says that it is."""
        done, total, message = (params.get(name) for name in ("progress", "total", "message"))
        if not isinstance(done, int | float):
            return
        self._reached = max(self._reached, done)
        said = self._masked_beginning(message, MAX_PROGRESS_CHARS) if isinstance(message, str) else ""
        self._context.progress(done, total if isinstance(total, int | float) else None, said or None)

    def of_summary(self, done: float, total: float, message: str) -> None:
        """Hand on the progress of the summary, behind what the server has reported: values may only rise."""
        self._context.progress(self._reached + done, self._reached + total, message)
