"""The key and signature of a number with what stands beside it: a currency, a unit, a scale such as "million".

Pure. Refuses to look for the unit in a text: summarizing/facts/fact_finder.py does.
"""

import re
from functools import cache

from summarizing.facts.token_shapes import Shape
from summarizing.facts.value_keys import (
    AMOUNT,
    currency_signs,
    folded,
    is_scale,
    number_key,
    scaled,
    unit_key,
)
from summarizing.facts.value_words import value_words

# Of the letters for powers of ten this one is no unit's: without a currency, "5m" are metres.
_THOUSAND = 3
_MINUS = frozenset("-−")


@cache
def _number_parts() -> re.Pattern[str]:
    return re.compile(rf"([-−+]?)([{currency_signs()}]?) ?({AMOUNT}) ?(.*)", re.DOTALL)


def number_shape(raw: str, unit: str) -> Shape:
    """Return the key and signature of a number as it is spelled, with the unit or the word beside it."""
    found = _number_parts().fullmatch(raw)
    if found is None:
        return folded(raw), "num"
    sign, currency, amount, attached = found.groups()
    is_bare = not (sign or currency or unit or attached)
    if is_bare and len(raw) == 4 and raw.isdecimal() and "1800" <= raw < "2100":
        return folded(raw), "date year"
    words = value_words()
    power = words.scale_signs.get(attached, 0)
    if power and (currency or power == _THOUSAND):
        amount, attached = scaled(amount, power), ""
    if is_scale(attached):
        amount, attached = number_key(amount, attached), ""
    unit = "th" if attached in words.ordinal_signs else currency or attached or unit
    if is_scale(unit):
        amount, unit = number_key(amount, unit), ""
    key = number_key(amount, unit, is_negative=sign in _MINUS)
    return key, f"num {unit_key(unit)}" if unit else "num"
