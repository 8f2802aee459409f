"""Commands that a text shows to be typed: lines after a prompt, lines of shell fences, code spans of several words, installs.

Pure. Refuses to judge whether a command is dangerous or asked for, and to know programs: of unmarked text, only the commands by which
package managers install are recognized. Links and flags are facts, and found as such.
"""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[ \t]*(\w*)[^\n]*\n", re.MULTILINE)
_FENCE_LINE = re.compile(r"^[ \t]*(?!#)(\S[^\n]*)", re.MULTILINE)
_SHELLS = frozenset(("sh", "bash", "zsh", "shell", "console", "terminal", "powershell", "ps1", "cmd", "bat"))
_COMMAND = re.compile(
    r"^[ \t>]*+(?:[-*] )?\$ (?=[a-z./~])[^\n]+"
    # A code span of several words. What GNU's manuals quote `like this' is not one.
    r"|`(?![^`'\n]{1,60}+'(?!\w))[^`\s]++(?: ++[^`\s]++)++[ ]*+`"
    r"|(?<![\w./-])(?:(?:pip3?|pipx|npm|yarn|pnpm|apt|apt-get|brew|cargo|gem|dnf|yum|apk|go) (?:install|add|i|get)|npx|uvx|rm -\w+)"
    r" ++[^\s`\"',;]++",
    re.MULTILINE,
)


def commands(text: str) -> list[tuple[int, int]]:
    """Return the spans of what a text shows as something to type."""
    return [*_fenced(text), *(match.span() for match in _COMMAND.finditer(text))]


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of fences that are marked as a shell's, without comments."""
    at = 0
    while fence := _FENCE.search(text, at):
        close = text.find("\n" + fence[1], fence.end() - 1)
        close = len(text) if close < 0 else close
        if fence[2].casefold() in _SHELLS:
            for line in _FENCE_LINE.finditer(text, fence.end(), close):
                yield line.span(1)
        at = close + 1 + len(fence[1])
        if at >= len(text):
            return
