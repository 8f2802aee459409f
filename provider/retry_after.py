"""How long a provider asks to wait before the next request: the Retry-After header.

Does not wait: admission.py does.
"""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Parse a Retry-After header, seconds or a date (RFC 9110, 10.2.3); infinity for a number too large for a float."""
    if header is None:
        return None
    header = header.strip()
    if _SECONDS.fullmatch(header):
        return float(header)
    try:
        when = parsedate_to_datetime(header)
    except (ValueError, OverflowError):  # not a date; a time zone offset of more than a day
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - now).total_seconds(), 0.0)


# The RFC allows whole seconds only; some providers send fractions.
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]*)?")
