"""AsciiDoc's markup that no other format has: delimited listings, and `+`, which attaches a block to the item above it.

After the AsciiDoc language documentation, "Delimited blocks" and "Attach blocks with list continuation". Pure; time linear in the lines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from summarizing.text.headings.candidates import MAX_HEADING_LINES
from summarizing.text.headings.marked import TOLERANCE, is_as_long
from summarizing.text.lines import MIN_WIDTH, Line

_SIGN = re.compile(
    r"\[(?:source|verse|listing|quote|NOTE|TIP|WARNING|IMPORTANT|\[)|(?:ifn?def|endif|include)::|={1,5}[ ]\w[^=]{0,100}+\Z"
)
# Each of these signs also occurs in other formats; this many together are AsciiDoc.
_MIN_SIGNS = 2
# An example, a sidebar, a quotation: its content is read like other text.
_DELIMITER = re.compile(r"(?:={4,199}+|\*{4,199}+|_{4,199}+)\Z")
_LISTING = re.compile(r"-{4,199}+\Z")


def is_asciidoc(lines: Sequence[Line]) -> bool:
    """Whether a text has several of AsciiDoc's signs."""
    return sum(1 for _ in islice(_signs(lines), _MIN_SIGNS)) == _MIN_SIGNS


def _signs(lines: Sequence[Line]) -> Iterator[int]:
    yield from (begin for begin, end in listings(lines).items() if _encloses(lines, begin, end))
    for number, line in enumerate(lines):
        is_title = line.gap or lines[number - 1].text[0] == "["
        if line.text[0] not in "+[ie=" or line.indent or (line.text[0] == "=" and not is_title):
            continue
        if _SIGN.match(line.text) or is_continuation(lines, number):
            yield number


def _encloses(lines: Sequence[Line], begin: int, end: int) -> bool:
    """Whether lines of dashes stand directly around what is between them, and apart from all else, but as no box around a title."""
    is_apart = lines[begin].gap and (end + 1 == len(lines) or lines[end + 1].gap)
    is_around = end > begin + 1 and not (lines[begin + 1].gap or lines[end].gap)
    is_long = end - begin - 1 > MAX_HEADING_LINES
    is_wide = lines[end].length >= MIN_WIDTH
    is_box = not is_long and (is_wide or is_as_long(lines[end - 1], lines[end], TOLERANCE))
    return is_apart and is_around and not is_box


def is_continuation(lines: Sequence[Line], number: int) -> bool:
    """Whether a line is a plus that attaches what is below it to the item above; not a line of a diff."""
    if lines[number].text != "+" or not 0 < number < len(lines) - 1 or lines[number].gap:
        return False
    before, after = lines[number - 1].text, lines[number + 1].text
    return after[0] != "+" and (before[0] not in "+-@" or _LISTING.match(before) is not None)


def listings(lines: Sequence[Line]) -> dict[int, int]:
    """Return the first and last line of each listing: two equal lines of dashes, of which the first underlines no title."""
    last = {line.text: number for number, line in enumerate(lines) if line.text[0] == "-"}
    found: dict[int, int] = {}
    begin = -1
    for number, line in enumerate(lines):
        if line.text[0] != "-" or not _LISTING.match(line.text):
            continue
        if begin >= 0:
            if line.text == lines[begin].text:
                found[begin] = number
                begin = -1
        elif (line.gap or lines[number - 1].text[0] in "[.+") and last[line.text] > number:
            begin = number
    return found


def attached(lines: Sequence[Line], blocks: Mapping[int, int]) -> list[Line]:
    """Return the lines without the marks that attach or enclose; what is attached is indented as far as what it belongs to."""
    result: list[Line] = []
    indent, end = 0, -1
    is_attached = False
    opening = ""
    for number, line in enumerate(lines):
        if number <= end:
            result.append(line._replace(indent=line.indent + indent) if number == end else line)
            continue
        if is_continuation(lines, number):
            indent, is_attached = max(1, result[-1].indent), True
            continue
        if line.gap and not is_attached:
            indent = 0
        if line.text == opening or (not opening and _opens(lines, number)):
            opening = "" if opening else line.text
            is_attached = True
            continue
        end = blocks.get(number, -1)
        result.append(line._replace(indent=line.indent + indent, gap=line.gap or is_attached))
        is_attached = False
    return result


def _opens(lines: Sequence[Line], number: int) -> bool:
    """Whether a line opens an example, a sidebar or a quotation: it underlines no title."""
    line = lines[number]
    if line.text[0] not in "=*_" or not _DELIMITER.match(line.text):
        return False
    return line.gap or lines[number - 1].text[0] in "[.+"


def attributes(lines: Sequence[Line]) -> Iterator[int]:
    """Yield the lines that say what the block below them is: "[source,c]", "[NOTE]"."""
    return (number for number, line in enumerate(lines) if line.text[0] == "[" and line.tail[-1] == "]")
