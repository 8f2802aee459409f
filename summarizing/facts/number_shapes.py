"""The key and signature of a number with what stands beside it: a currency, a unit, a scale such as "million".

Pure. Refuses to look for the unit in a text: summarizing/facts/fact_finder.py does.
"""

import re

from summarizing.facts.token_shapes import Shape
from summarizing.facts.value_keys import AMOUNT, CURRENCY, folded, is_scale, number_key, unit_key

_NUMBER_PARTS = re.compile(rf"([-−+]?)([{CURRENCY}]?) ?({AMOUNT}) ?(.*)", re.DOTALL)

_SCALE_SIGNS = {"k": "thousand", "K": "thousand", "m": "million", "M": "million"}

_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_MINUS = frozenset("-−")


def number_shape(raw: str, unit: str) -> Shape:
    """Return the key and signature of a number as it is spelled, with the unit or the word beside it."""
    found = _NUMBER_PARTS.fullmatch(raw)
    if found is None:
        return folded(raw), "num"
    sign, currency, amount, attached = found.groups()
    is_bare = not (sign or currency or unit or attached)
    if is_bare and len(raw) == 4 and raw.isdecimal() and "1800" <= raw < "2100":
        return folded(raw), "date year"
    if attached in _SCALE_SIGNS and (currency or attached in "kK"):
        attached = _SCALE_SIGNS[attached]
    if is_scale(attached):
        amount, attached = number_key(amount, attached), ""
    unit = "th" if attached in _ORDINALS else currency or attached or unit
    if is_scale(unit):
        amount, unit = number_key(amount, unit), ""
    key = number_key(amount, unit, is_negative=sign in _MINUS)
    return key, f"num {unit_key(unit)}" if unit else "num"
