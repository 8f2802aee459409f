"""Which wordings may match a text: by the words that each of them needs. A table, built once; it decides nothing."""

import re

from summarizing.sanitizing.injection_abroad import ABROAD
from summarizing.sanitizing.injection_rules import ORDERS
from summarizing.sanitizing.injection_signals import ENGLISH
from summarizing.sanitizing.injection_wording import Kind, Rule

RULES = (*ORDERS, *ENGLISH, *ABROAD)

# These make an order beside another only, and are asked for where there is another.
_FOLLOWING = (Kind.WEAK, Kind.ANSWER, Kind.DICTATE, Kind.EFFECT, Kind.ERRAND, Kind.ACT)
FOLLOWING = tuple(rule for rule in RULES if rule.kind in _FOLLOWING)
LEADING = tuple(rule for rule in RULES if rule.kind not in _FOLLOWING)

WORD = re.compile(r"\w{2,40}")
CJK = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def _by_need() -> dict[str, tuple[Rule, ...]]:
    """Return the rules that each sign may stand for; many signs have more than one."""
    found: dict[str, list[Rule]] = {}
    for rule in LEADING:
        for need in dict.fromkeys(rule.needs):
            found.setdefault(need, []).append(rule)
    return {need: tuple(rules) for need, rules in found.items()}


BY_NEED = _by_need()
UNSPACED_NEEDS = tuple(need for need in BY_NEED if CJK.search(need))


def _keys() -> dict[str, list[tuple[str, str]]]:
    """Return, by the first three letters, the longest word of each sign; a word of the text begins with it."""
    keys: dict[str, list[tuple[str, str]]] = {}
    for need in BY_NEED:
        if not CJK.search(need):
            key = max(WORD.findall(need), key=len)
            keys.setdefault(key[:3], []).append((key, need))
    return keys


KEYS = _keys()
