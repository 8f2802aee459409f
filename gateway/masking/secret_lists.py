"""Lists of secrets behind a name (`"passwords": ["a", "b"]`, or a YAML list below it). Pure; linear: no item is read twice.

What stands for a secret, or is a word without quotation marks, is none: below `Password:` may stand a list of steps.
"""

import re
from collections.abc import Iterator
from functools import cache

from gateway.masking.named_secrets import HAS_SIGN, name_pattern, stands_for_a_secret
from gateway.masking.secret import Secret
from gateway.masking.stretches import matches

_QUOTED = r"""\\?"(?P<double>(?:[^"\\\n]|\\[^"\n]){1,4000}+)\\?"|'(?P<single>[^'\n]{1,4000}+)'"""
_FLOW_ITEM = re.compile(
    rf"""\s{{0,200}}+(?:{_QUOTED}|(?P<bare>[^\s"'`,;&(){{}}\[\]<>]{{1,4000}}+))\s{{0,200}}+(?P<more>,?)"""
)
_BLOCK_ITEM = re.compile(
    rf"""[ \t]{{0,200}}+-[ \t]{{1,40}}+(?:{_QUOTED}|(?P<bare>[^\s"'\[{{|>&*][^\s]{{0,4000}}+))[ \t]{{0,40}}+(?P<more>\r?\n|\Z)"""
)

# Where a list begins: there are fewer of these in a text than of names that may mean a secret.
_BEGINNING = re.compile(r"[:=][ \t]{0,40}+(?:(?P<flow>\[)|\r?\n(?=[ \t]{0,200}+-[ \t]))")
NAME_CHARS = 100


@cache
def _name() -> re.Pattern[str]:
    """Return the pattern of a name that means secrets, at the end of a text."""
    return re.compile(rf"{name_pattern(lists=True)}[ \t]{{0,40}}+\Z", re.IGNORECASE)


def means_secrets(name: str) -> bool:
    """Whether a member's name says that the strings of a list are secrets."""
    return _name().search(name) is not None


def listed_secrets(text: str) -> Iterator[Secret]:
    """Yield the items of lists of secrets, in the order of their starts."""
    done = 0
    for found in matches(_BEGINNING, text):
        if found.end() < done:  # inside an item
            continue
        if not means_secrets(text[max(0, found.start() - NAME_CHARS) : found.start()]):
            continue
        item = _FLOW_ITEM if found["flow"] else _BLOCK_ITEM
        at: int | None = found.end()
        while at is not None and (each := item.match(text, at)):
            kind = next(name for name in ("double", "single", "bare") if each[name] is not None)
            value = each[kind]
            if not stands_for_a_secret(value) and (kind != "bare" or HAS_SIGN.search(value)):
                yield Secret(*each.span(kind), "secret")
            done = each.end()
            at = each.end() if each["more"] else None
