"""Which of some known names one that is unknown may mean, as the end of a message. Pure: says nothing of what the names are of."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from heapq import nlargest

# Of names that may be meant so many are told.
MAX_MEANT = 3

# A longer name is not compared with others: that takes time by the square of its length.
MAX_COMPARED_CHARS = 100

# So many names, those that have most letters of another one, are compared with it letter by letter: of long ones each comparison takes a millisecond.
MAX_COMPARED = 30

_NO_WORD = re.compile(r"[^A-Za-z0-9]++")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the names that are near to one that is unknown, as the end of a message; "" where there are none."""
    known = list(known)
    return question(spelled_alike(name, known) or near(name, known))


def spelled_alike(name: str, known: Sequence[str]) -> list[str]:
    """Return the known names that have this one's words, or the last of them: those that have most."""
    if len(name) > MAX_COMPARED_CHARS:
        return []
    form, forms = _form(name), {each: _form(each) for each in known}
    # Of names in other scripts than the Latin one no word may be left, or a single one, which says nothing.
    meant = [each for each in known if forms[each].count("_") > 1 and form.endswith(forms[each])]
    most = max((len(forms[each]) for each in meant), default=0)
    return [each for each in meant if len(forms[each]) == most]


def _form(name: str) -> str:
    """Return the words of a name, each behind an underscore: the same in capitals, with hyphens or with dots."""
    return "".join(f"_{word.casefold()}" for word in _NO_WORD.split(name) if word)


def near(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are similar, in capitals or not, the most similar first."""
    if len(name) > MAX_COMPARED_CHARS:
        return []
    folded, spelled = name.casefold(), {each.casefold(): each for each in known}
    return [spelled[each] for each in get_close_matches(folded, likeliest(folded, spelled))]


def likeliest(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that have the largest share of their letters in common with one, at most MAX_COMPARED of them."""
    letters = Counter(name)

    def share(other: str) -> float:
        return sum((letters & Counter(other)).values()) / max(1, len(name) + len(other))

    return nlargest(MAX_COMPARED, (each for each in known if len(each) <= MAX_COMPARED_CHARS), key=share)


def question(names: Iterable[str]) -> str:
    """Return the question after these names, the first of them, as the end of a message; "" where there are none."""
    meant = list(names)
    told = " or ".join([*meant[:MAX_MEANT], *(["others"] if len(meant) > MAX_MEANT else [])])
    return f"; did you mean {told}?" if told else ""
