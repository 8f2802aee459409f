"""What is sent over one connection, and what the service must make of it, as far as that is certain.

What judges the answer (response_judge.py) reads it anew, with a reader of its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, NoReturn

Pairs = tuple[tuple[bytes, bytes], ...]
"""Headers in the order in which they are sent."""

# Stands for the id of a task that is really there, until it is sent: ids are random, and as long as this.
TASK_ID = "task-id-of-22-letters."


class Unreadable:
    """What a body is that holds no JSON."""


UNREADABLE = Unreadable()


class Unknown:
    """What a body is of which nobody can tell what the service reads in it."""


UNKNOWN = Unknown()


@dataclass(frozen=True, repr=False)
class Input:
    """What is sent over one connection."""

    wire: bytes
    method: str = "POST"
    headers: Pairs = ()
    body: bytes = b""
    message: Any = UNKNOWN
    """What the service reads in the body."""
    framed: bool = True
    """Whether it is one whole HTTP request: the connection can be used again."""
    due: int | None = 1
    """How many answers must come; None where nobody can tell."""

    def with_task(self, task_id: str) -> Input:
        """Return it with the id of a task that is there; it is as long, so that every length holds."""
        wire, body = (data.replace(TASK_ID.encode(), task_id.encode()) for data in (self.wire, self.body))
        # A compressed body, or one in chunks, stays as it is.
        if TASK_ID.encode() in self.body and self.body in self.wire and self.message is not UNKNOWN:
            return replace(self, wire=wire, body=body, message=understood(body))
        return replace(self, wire=wire)


def understood(body: bytes) -> Any:
    """Read a body as JSON (RFC 8259): UTF-8, no NaN, no more digits than Python bears, and no number beyond the range of 64 bits."""

    def refuse(name: str) -> NoReturn:
        raise ValueError(name)

    def finite(digits: str) -> float:
        number = float(digits)
        return number if isfinite(number) else refuse(digits)

    try:
        return json.loads(body.decode("utf-8"), parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError):
        return UNREADABLE
