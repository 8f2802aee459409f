"""A text without its invisible signs, and where each of its characters stands in the text: a name of a secret may have such signs in it. Pure."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate

from gateway.masking.secret import Secret
from gateway.masking.stretches import matches
from protocol.text_joining import joined

# Those of Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt) that are assigned; "default ignorable" says that they are not shown.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff]{1,1000}+"
)


class VisibleText:
    """What a reader sees of a text."""

    def __init__(self, given: str) -> None:
        self._places, self._lengths = array("q"), array("q")
        self.text = given if given.isascii() else joined(self._visible(given))
        self._removed = array("q", accumulate(self._lengths, initial=0))

    def _visible(self, given: str) -> Iterator[str]:
        """Yield the parts between invisible signs; note where these were, in the visible text, and how many."""
        at = removed = 0
        for found in matches(_INVISIBLE, given):
            yield given[at : found.start()]
            self._places.append(found.start() - removed)
            self._lengths.append(len(found[0]))
            removed += len(found[0])
            at = found.end()
        yield given[at:]

    def in_given(self, secret: Secret) -> Secret:
        """Return where a secret of the visible text stands in the given one, from its first visible sign to its last."""
        if not self._places:
            return secret
        start = secret.start + self._removed[bisect_right(self._places, secret.start)]
        return secret._replace(
            start=start, end=secret.end + self._removed[bisect_left(self._places, secret.end)]
        )


def visible(text: str) -> str:
    """Return a short text without invisible signs."""
    return text if text.isascii() else _INVISIBLE.sub("", text)
