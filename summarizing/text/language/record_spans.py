"""Records that stand one after the other in brackets, in a notation that nobody reads: `[User(id=0, note='Called. Paid.'), User(id=1, ...)]`.

Finds where each of them ends, so that no sentence of one is put beside a sentence of another. Does not read what is in them.
"""

import re
from collections.abc import Iterator, Mapping

# Quotation marks within words are apostrophes, and behind a sentence they close a string; one at the end of a text that is cut off may be open.
_STRING = (
    r"""(?<![^\s\[({:,=<>])[bBrRuUfF]{0,2}+(?:'[^'\\]*+(?:\\.[^'\\]*+)*+'?+|"[^"\\]*+(?:\\.[^"\\]*+)*+"?+)"""
)
# What the next record begins with: a bracket, with its key or the name of its type.
_NAME = r"""(?:(?:'[^'\n]{1,80}+'|"[^"\n]{1,80}+"|:?[\w.]{1,80}+)\s{0,9}+(?::|=>?)\s{0,9}+)?+[\w.]{0,80}+"""
_NEXT = rf"(?P<comma>\s{{0,9}}+,)(?=\s{{0,200}}+{_NAME}[\[({{<])"
_SIGN = re.compile(
    rf"{_STRING}|(?P<opening>(?:(?<![\w.])[A-Za-z_][\w.]{{0,80}}+)?+[\[({{])|[\])}}](?:{_NEXT})?+", re.DOTALL
)
_BETWEEN = re.compile(rf"[\])}}]{_NEXT}")


def records_in(text: str, start: int, end: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the places where records begin that stand one after the other in a stretch, and where they end; of those within each other the outermost."""
    if not _BETWEEN.search(text, start, end):
        return
    depth, first, cuts = 0, start, dict[int, list[int]]()
    for sign in _SIGN.finditer(text, start, end):
        if sign["opening"]:
            first = first if depth or cuts else sign.start()
            depth += 1
        elif text[sign.start()] in "])}":
            depth = max(depth - 1, 0)
            if sign["comma"]:
                cuts.setdefault(depth, []).append(sign.end())
            elif cuts and not depth:
                yield _bounds(first, cuts, sign.end())
                cuts = {}
    if cuts:
        yield _bounds(first, cuts, end)


def _bounds(first: int, cuts: Mapping[int, list[int]], end: int) -> tuple[list[int], list[int]]:
    outermost = cuts[min(cuts)]
    return [first, *outermost], [*outermost, end]
