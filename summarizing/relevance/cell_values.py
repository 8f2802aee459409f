"""The numbers that the cells of a column are, and what their unit says that they measure.

Pure. Sizes are in bytes and times in seconds; of two dates the later one is the greater number, and "3 weeks ago" is less than "2 days ago".
"""

import re
from collections.abc import Mapping
from datetime import date

MAX_DIGITS = 20

# What the units say that a column is called, where it has no other name.
SIZE, TIME, AGO = "size", "time", "created"

# A number with a sign, a currency or a unit; behind it may stand a bar of signs, as in the output of diff --stat, or a remark in
# parentheses: "7 (2m ago)".
_NUMBER = re.compile(
    r"[$€£~<>≈+]?(-?\d{1,20}(?:[.,]\d{1,20}){0,6})[ ]?(?:([kmgtp])i?b?|(b)|[%€$£h]|([mµun]?s))?(?:[ ](?:[-+]{1,200}|\([^()]{1,80}\)))?\Z",
    re.IGNORECASE,
)
_EXPONENT = re.compile(r"-?\d{1,20}(?:\.\d{1,20})?e[-+]?\d{1,3}\Z", re.IGNORECASE)
_BEGINS_WITH_DIGIT = re.compile(r"[$€£~<>≈+(-]{0,2}\d")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_SIZES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}
_TIMES = {"ms": 1e-3, "µs": 1e-6, "us": 1e-6, "ns": 1e-9}
_CLOCK = re.compile(r"(?:(\d{1,5})-)?(\d{1,5}(?::\d\d){1,2}(?:\.\d{1,6})?)\Z")
# How old something is, as kubectl writes it: 2d4h.
_AGE = re.compile(r"(?:\d{1,9}[ywdhms]){1,6}+\Z")
_PART_OF_AGE = re.compile(r"(\d+)(\D)")
_SECONDS = {"y": 31_536_000, "w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_AGO = re.compile(r"(?:about )?(\d{1,6}|an?) (second|minute|hour|day|week|month|year)s? ago\Z", re.IGNORECASE)
_UNITS = {"second": "s", "minute": "m", "hour": "h", "day": "d", "week": "w", "year": "y"}
SECONDS_OF_MONTH = 2_628_000
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?[\d.:Z+-]{0,15})?\Z")


def values_of(column: Mapping[int, str], *, may_be_clock: bool) -> dict[int, float]:
    """Return the numbers of a column; none where a cell that begins as one cannot be read, since it may be the greatest.

    "m" are minutes where each is an age and some have another unit, else a size: "5m" among "3h", "2d".
    """
    ages = {index: cell for index, cell in column.items() if _AGE.match(cell)}
    has_other_unit = any(cell[-1] != "m" for cell in ages.values())
    if has_other_unit and len(ages) == sum(cell[:1].isdecimal() for cell in column.values()):
        return {index: _seconds(cell) for index, cell in ages.items()}
    found = {index: value_of(cell, may_be_clock=may_be_clock) for index, cell in column.items()}
    if any(value is None and _BEGINS_WITH_DIGIT.match(column[index]) for index, value in found.items()):
        return {}
    return {index: value for index, value in found.items() if value is not None}


def _seconds(age: str) -> float:
    return float(sum(int(number) * _SECONDS[unit] for number, unit in _PART_OF_AGE.findall(age)))


def value_of(cell: str, *, may_be_clock: bool = False) -> float | None:
    """Return the number that a cell is; None where it is none. `may_be_clock`: whether 1:30 is a time."""
    if len(cell) <= MAX_DIGITS and cell.isdecimal():
        return float(cell)  # most numbers are such: the cheap test first
    if not any(map(str.isdigit, cell[:MAX_DIGITS])) and not cell.endswith("ago"):
        return None
    if may_be_clock and (found := _CLOCK.match(cell)):
        seconds = 0.0
        for part in found[2].split(":"):
            seconds = seconds * 60 + float(part)
        return int(found[1] or 0) * 86_400 + seconds
    if _EXPONENT.match(cell):
        return float(cell)
    if found := _NUMBER.match(cell):
        factor = _SIZES.get((found[2] or "").lower(), 1.0) * _TIMES.get((found[4] or "").lower(), 1.0)
        number = _THOUSANDS.sub("", found[1]).replace(",", ".")
        return float(number) * factor if number.count(".") <= 1 else None
    return point_in_time(cell)


def measured_by(cell: str) -> str:
    """Return what the unit of a cell measures; empty where it has none that says so."""
    if _AGO.match(cell):
        return AGO
    found = _NUMBER.match(cell)
    if found is None:
        return ""
    return SIZE if found[2] or found[3] else TIME if found[4] else ""


def point_in_time(cell: str) -> float | None:
    """Return when a date is, or "3 weeks ago", as a number of seconds; None of any other cell."""
    if found := _AGO.match(cell):
        count = int(found[1]) if found[1].isdecimal() else 1
        unit = found[2].lower()
        return -float(count * (SECONDS_OF_MONTH if unit == "month" else _SECONDS[_UNITS[unit]]))
    if found := _DATE.match(cell):
        try:
            days = date(*map(int, found.groups()[:3])).toordinal()
        except ValueError:
            return None
        hours, minutes, seconds = (int(part or 0) for part in found.groups()[3:])
        return float(days * 86_400 + hours * 3_600 + minutes * 60 + seconds)
    return None
