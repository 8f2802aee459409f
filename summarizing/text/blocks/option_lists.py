"""Lists of options as `--help` prints them: which lines begin with one, whatever parts its names from what it does.

Pure; linear in the lines. What stands at a column is read in tagged_lists.py.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from summarizing.text.document_builder import groups
from summarizing.text.lines import Line

# One line that begins with an option may be part of a sentence.
MIN_OPTIONS = 2

_OPTION = re.compile(r"-(?:[^\W_](?![^\W_])|[^\w\s-],)|--[^\W_]{2}")
# Behind a short name the long one: those without a short one stand at its column.
_LONG_NAME = re.compile(r"-\S[ ,]{1,3}(?=--)")


def option_lines(lines: Sequence[Line]) -> Iterator[int]:
    """Yield where lines begin that have an option of a list, with what it does or above that."""
    for group in groups(lines):
        options = [
            number for number, line in enumerate(group) if line.text[0] == "-" and _OPTION.match(line.text)
        ]
        if len(options) >= MIN_OPTIONS and _is_list(group, options):
            columns = _columns([group[number] for number in options])
            yield from (group[number].start for number in options if group[number].indent in columns)


def _is_list(group: Sequence[Line], options: Sequence[int]) -> bool:
    """Whether all lines from the first option on are options, each of which may begin there, or are indented further than these."""
    known = set(options)
    least = min(group[number].indent for number in options)
    return all(
        group[number].indent > least if number not in known else _may_begin(group, number, known)
        for number in range(options[0], len(group))
    )


def _may_begin(group: Sequence[Line], number: int, options: Collection[int]) -> bool:
    """Whether an option stands below another one, its description, or a line that is indented less: elsewhere its sentence began above."""
    return number == 0 or number - 1 in options or group[number - 1].indent != group[number].indent


def _columns(options: Sequence[Line]) -> set[int]:
    """Return the columns where options begin: the least one, and that of the long names behind short ones there."""
    least = min(option.indent for option in options)
    names = (_LONG_NAME.match(option.text) for option in options if option.indent == least)
    return {least, *(least + name.end() for name in names if name)}
