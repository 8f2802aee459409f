"""Frees the local variables that an exception's traceback refers to. Type, message and line numbers of the error stay."""

import traceback


def forget_frames(error: BaseException | None) -> None:
    """Clear the local variables in all frames of an exception's traceback, and of the exceptions in its context.

    A task keeps the exception that it ended with. If a frame in turn refers to the task, as that of an asyncio.timeout does,
    this cycle and every text in its frames stay until a full garbage collection.
    """
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__
