"""Bodies that are being received: the time that each has, and which of them end where there is no room for the next bytes.

Knows no HTTP but the refusal of a body that is late. Its bytes are read in transport/request_body.py.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from transport.byte_budget import Reservation
from transport.refusals import Refusal, unavailable

# So much of a body, or the rest of it, must arrive within BODY_STALL_SECONDS. A limit for the time between two bytes would let a body
# last that sends one of them now and then; one for the mean rate (as Kestrel's and Apache's are) would let one stall for long that
# began quickly. At the default this is 13 kbit/s.
PART_BYTES = 16 * 1024

# An upload whose part takes longer gives way where there is no room: 66 kbit/s. A segment that is lost is sent again after one second
# (RFC 6298, 2.4), so one loss makes no upload slow.
SLOW_PART_SECONDS = 2.0


class ArrivalLimit:
    """The time limits of a body that is being received: of the whole, and of each part."""

    def __init__(self, seconds: float, stall_seconds: float) -> None:
        self._seconds = seconds
        self._stall_seconds = stall_seconds
        self._clock = asyncio.get_running_loop().time
        self._part_began = self._clock()
        self._end = self._part_began + seconds
        self._wanted = PART_BYTES
        self._has_given_way = False
        self._was_read_late = False
        self.timeout = asyncio.timeout_at(self._part_end())

    @property
    def is_slow(self) -> bool:
        """Whether its part takes long already."""
        return self._clock() - self._part_began > SLOW_PART_SECONDS

    def is_part_complete(self, received: int) -> bool:
        """Whether the part that is being received is complete with so many bytes of the body."""
        return received >= self._wanted

    def begin_part(self, received: int) -> None:
        """Give the part behind so many bytes its time."""
        self._wanted = received + PART_BYTES
        self._part_began = self._clock()
        self.timeout.reschedule(self._part_end())

    def extend_part(self) -> None:
        """Give a part that has come, but was not read, as much time again. Raises TimeoutError if the upload was ended or its whole time is over."""
        self.check()
        self._was_read_late = True
        if self._clock() >= self._end:
            raise TimeoutError
        self.timeout = asyncio.timeout_at(self._part_end())

    def give_way(self) -> None:
        """End the upload, as if it were late."""
        self._has_given_way = True
        if not self.timeout.expired():
            self.timeout.reschedule(self._clock())

    def check(self) -> None:
        """Raise TimeoutError if the upload was ended: more of it may arrive before its timeout is noticed."""
        if self._has_given_way:
            raise TimeoutError

    def refusal(self) -> Refusal:
        """Return the refusal of a body that is late."""
        if self._has_given_way:
            return unavailable(
                f"body: others needed its room (MAX_BYTES_UNDER_WAY), and {PART_BYTES} bytes of it took more than {SLOW_PART_SECONDS:g} s"
            )
        is_over = self._clock() >= self._end
        if is_over and self._was_read_late:
            return unavailable(
                f"body: the service was too busy to read all of it within {self._seconds:g} s (BODY_TIMEOUT_SECONDS)"
            )
        if is_over:
            expected = f"all of it within {self._seconds:g} s (BODY_TIMEOUT_SECONDS)"
        else:
            expected = f"the next {PART_BYTES} bytes, or the rest of it, within {self._stall_seconds:g} s (BODY_STALL_SECONDS)"
        return Refusal(HTTPStatus.REQUEST_TIMEOUT, f"body: expected {expected}")

    def _part_end(self) -> float:
        return min(self._end, self._clock() + self._stall_seconds)


class Uploads:
    """The bodies that are being received into one budget. Where it is full, slow ones give way to others of the same owner."""

    def __init__(self) -> None:
        # In the order in which the parts began that are being received: the slow ones stand first.
        self._limits: dict[Reservation, ArrivalLimit] = {}

    @contextmanager
    def receiving(self, reservation: Reservation, limit: ArrivalLimit) -> Iterator[None]:
        """Count a body among the uploads until the end of the block."""
        self._limits[reservation] = limit
        try:
            yield
        finally:
            del self._limits[reservation]

    def on_part_began(self, reservation: Reservation) -> None:
        """Put an upload behind the others."""
        self._limits[reservation] = self._limits.pop(reservation)

    def check_room(self, reservation: Reservation, size: int) -> None:
        """Raise BudgetFull unless this upload may hold so many bytes now, or once slow ones have given way."""
        if not reservation.may_grow_to(size):
            slow = self._giving_way_to(reservation)
            reservation.check_room_to_grow(size - sum(each.size for each in slow))

    def grow(self, reservation: Reservation, size: int) -> None:
        """Hold so many bytes; slow uploads are ended for them, the slowest first and no more than needed. Raises BudgetFull, and ends none."""
        if not reservation.may_grow_to(size):
            self._make_room(reservation, size)
        reservation.grow_to(size)

    def _make_room(self, reservation: Reservation, size: int) -> None:
        self.check_room(reservation, size)
        for slow in self._giving_way_to(reservation):
            slow.set_size(0)
            self._limits[slow].give_way()
            if reservation.may_grow_to(size):
                return

    def _giving_way_to(self, upload: Reservation) -> Iterator[Reservation]:
        """Yield the slow uploads of the same owner, the slowest first; none if this one is slow itself."""
        if self._limits[upload].is_slow:
            return
        for other, limit in self._limits.items():
            if not limit.is_slow:
                return
            if other.size and other.owner == upload.owner:
                yield other
