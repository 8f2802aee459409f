"""Frees what the traceback of an exception holds. Judges no error and hides none: type, message and line numbers stay."""

import traceback


def forget_frames(error: BaseException | None) -> None:
    """Clear the local variables of all frames that an exception, and what it was raised from, came through.

    A task keeps the exception that it ended with; where a frame in turn holds the task, as that of an asyncio.timeout does, the
    two and every text in those frames wait for a full garbage collection.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__
