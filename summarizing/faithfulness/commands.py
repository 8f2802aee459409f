"""Commands that a text shows to be typed: lines after a prompt, lines of shell fences, code spans of several words, installs.

Pure. Does not judge whether a command is dangerous or asked for, and knows no programs: of unmarked text, only the commands by which
package managers install are recognized. Links and flags are facts, and found as such.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from summarizing.text.data_files import table

_FENCE = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[ \t]*(\w*)[^\n]*\n", re.MULTILINE)
_FENCE_LINE = re.compile(r"^[ \t]*(?!#)(\S[^\n]*)", re.MULTILINE)


@cache
def _words() -> Mapping[str, Sequence[str]]:
    return {kind: words.split() for kind, words in table("faithfulness/shown_commands.toml").items()}


@cache
def _command() -> re.Pattern[str]:
    installers, installing, runners = (
        "|".join(_words()[kind]) for kind in ("installers", "installing", "runners")
    )
    return re.compile(
        r"^[ \t>]*+(?:[-*] )?\$ (?=[a-z./~])[^\n]+"
        # A code span of several words. What GNU's manuals quote `like this' is not one.
        r"|`(?![^`'\n]{1,60}+'(?!\w))[^`\s]++(?: ++[^`\s]++)++[ ]*+`"
        rf"|(?<![\w./-])(?:(?:{installers}) (?:{installing})|{runners}|rm -\w+) ++[^\s`\"',;]++",
        re.MULTILINE,
    )


@cache
def _signs() -> Sequence[str]:
    """Return what a text has at least one of that shows commands."""
    words = _words()
    installing, runners = (
        (f" {word} " for word in words["installing"]),
        (f"{word} " for word in words["runners"]),
    )
    return ["`", "~~~", "$ ", "rm -", *installing, *runners]


def commands(text: str) -> list[tuple[int, int]]:
    """Return the spans of what a text shows as something to type."""
    # Most sentences need no closer look.
    if not any(map(text.__contains__, _signs())):
        return []
    return [*_fenced(text), *(match.span() for match in _command().finditer(text))]


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of fences that are marked as a shell's, without comments."""
    at = 0
    while fence := _FENCE.search(text, at):
        close = text.find("\n" + fence[1], fence.end() - 1)
        close = len(text) if close < 0 else close
        if fence[2].casefold() in _words()["shells"]:
            for line in _FENCE_LINE.finditer(text, fence.end(), close):
                yield line.span(1)
        at = close + 1 + len(fence[1])
        if at >= len(text):
            return
