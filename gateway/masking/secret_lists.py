"""Lists of secrets behind a name (`"passwords": ["a", "b"]`, or a YAML list below it). Pure; linear: no item is read twice.

What stands for a secret, or is a word without quotation marks, is none: below `Password:` may stand a list of steps.
"""

import re
from collections.abc import Iterator
from functools import cache

from gateway.masking.assignments import name_pattern, stands_for_a_secret
from gateway.masking.secret import Secret
from gateway.masking.stretches import matches

_QUOTED = r"""\\?"(?P<double>(?:[^"\\\n]|\\[^"\n]){1,4000}+)\\?"|'(?P<single>[^'\n]{1,4000}+)'"""
_FLOW_ITEM = re.compile(
    rf"""\s{{0,200}}+(?:{_QUOTED}|(?P<bare>[^\s"'`,;&(){{}}\[\]<>]{{1,4000}}+))\s{{0,200}}+(?P<more>,?)"""
)
_BLOCK_ITEM = re.compile(
    rf"""[ \t]{{0,200}}+-[ \t]{{1,40}}+(?:{_QUOTED}|(?P<bare>[^\s"'\[{{|>&*][^\s]{{0,4000}}+))[ \t]{{0,40}}+(?P<more>\r?\n|\Z)"""
)

_HAS_SIGN = re.compile(r"[^A-Za-z]")


@cache
def _beginning() -> re.Pattern[str]:
    """Return the pattern of a name that means secrets, up to the first item of its list."""
    return re.compile(
        rf"{name_pattern(lists=True)}[ \t]{{0,40}}+[:=][ \t]{{0,40}}+(?:(?P<flow>\[)|\r?\n(?=[ \t]{{0,200}}+-[ \t]))",
        re.IGNORECASE,
    )


def means_secrets(name: str) -> bool:
    """Whether a member's name says that the strings of a list are secrets."""
    found = _beginning().search(f"{name}=[")
    return found is not None and found["flow"] == "["


def listed_secrets(text: str) -> Iterator[Secret]:
    """Yield the items of lists of secrets, in the order of their starts."""
    done = 0
    for found in matches(_beginning(), text):
        if found.end() < done:
            continue  # inside an item
        item = _FLOW_ITEM if found["flow"] else _BLOCK_ITEM
        at: int | None = found.end()
        while at is not None and (each := item.match(text, at)):
            kind = next(name for name in ("double", "single", "bare") if each[name] is not None)
            value = each[kind]
            if not stands_for_a_secret(value) and (kind != "bare" or _HAS_SIGN.search(value)):
                yield Secret(*each.span(kind), "secret")
            done = each.end()
            at = each.end() if each["more"] else None
