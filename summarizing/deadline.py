"""A call's deadline, divided among the parts of its job. Pure: all times are on the service's clock (time.monotonic)."""

from typing import NamedTuple

TIME_IS_OVER = "the time for the call was over (SUMMARIZE_DEADLINE_SECONDS)"

# By this share of a call's time the model's calls end: the rest is for what is then done without it, and to be on time.
MODEL_SHARE_OF_TIME = 0.8

# Cleaning ends by this share of the time until reading ends, from when the first of a text is clean: what is not clean by then is left out.
# Reading what is clean may take as long again.
CLEANING_SHARE_OF_TIME = 1 / 2

# Of the time that is left for cleaning, finding the main content of a page takes at most this share: without it all of the page is read.
MAIN_CONTENT_SHARE_OF_TIME = 1 / 3

# By this share of it reading ends, without a model or after it: the rest is for the choice from what was read.
READING_SHARE_OF_TIME = 0.9

# Work whose time was over before it began, or nearly, gets this much: a short text needs no more.
LEAST_SECONDS = 1.0

# What is summarized without the model in a second at least, on a busy machine: a large text leaves the model less of its time.
CHARS_PER_SECOND_WITHOUT_MODEL = 250_000


class Deadlines(NamedTuple):
    """When, on the service's clock, the parts of a job must have ended; None: they take their time.

    First the calls to the model, then reading the text for a summary without a model (where there is none, or it gave nothing), then the
    whole job.
    """

    model: float | None = None
    reading: float | None = None
    whole_job: float | None = None

    @classmethod
    def of(cls, seconds: float, arrived: float, now: float, chars: int) -> "Deadlines":
        """Return the deadlines of a call that may take this many seconds, with a content of `chars` characters.

        The time that a call has waited for its turn, since it arrived, is its caller's time too.
        """
        without_model = chars / CHARS_PER_SECOND_WITHOUT_MODEL
        return cls(
            model=arrived + min(seconds * MODEL_SHARE_OF_TIME, seconds - without_model),
            reading=arrived + seconds * READING_SHARE_OF_TIME,
            whole_job=with_least_time(arrived + seconds, now),
        )

    def cleaning_from(self, now: float) -> float | None:
        """Return when cleaning must have ended that has its turn from now on: a wait before that leaves both it and reading less."""
        return with_least_time(part_of_time(now, self.reading, CLEANING_SHARE_OF_TIME), now)


def with_least_time(until: float | None, now: float) -> float | None:
    """Return the deadline of some work; where it has passed, or nearly, LEAST_SECONDS from now."""
    return None if until is None else max(until, now + LEAST_SECONDS)


def part_of_time(now: float, until: float | None, share: float) -> float | None:
    """Return when a share of the time that is left is over; None where there is no deadline."""
    return None if until is None else now + (until - now) * share
