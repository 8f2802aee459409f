"""Commands of Texinfo and LaTeX on lines of their own: no sentence goes on over one.

Pure; linear in the lines. What a command means is not read. Some, such as `@code{x}`, stand in sentences.
"""

import re
from collections.abc import Sequence

from summarizing.text.lines import Line

_END = re.compile(r"@end [a-z]{3,20}\Z|\\end\{\w{1,30}\*?\}")
# A comment, "@c", may go on in the next line.
_COMMAND = re.compile(
    r"@(?!c\s)[a-z]{1,30}+(?![\w{}.])|\\(?:begin|end|item|(?:sub){0,2}section|chapter|label)\b"
)

# One may be an example in a text of another kind.
_MIN_ENDS = 2


def lines_of_commands(lines: Sequence[Line]) -> Sequence[int]:
    """Return the lines that begin with a command which is no part of a sentence, in a text with blocks between such."""
    begun = [number for number, line in enumerate(lines) if line.text[0] in "@\\"]
    if sum(_END.match(lines[number].text) is not None for number in begun) < _MIN_ENDS:
        return ()
    return [number for number in begun if _COMMAND.match(lines[number].text)]
