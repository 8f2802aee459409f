"""JSON with slips as JSON without them: comments and spare commas become spaces, missing commas are added.

Pure; linear in the text. Does not judge whether what comes of it is JSON: reader.py does. What is no comment and no comma stays, and
each sign stays in its place but for commas that are added where nothing stands between two values.
"""

import re
from collections.abc import Container

from summarizing.text.json.brackets import COMMENT, SPACE, STRING

# A comment at the end of a text that is cut off may be open.
_COMMENTS = re.compile(
    rf'(?P<others>(?:[^"/]++|{STRING}|/(?![/*])){{1,99}}+)|//[^\n]*+|{COMMENT}(?:\*/|\Z)', re.DOTALL
)

_NEXT_VALUE = rf'{SPACE}["\[{{]'
_END_OF_VALUE = rf"(?:{STRING}|\w++|[\]}}])"
_FINE = rf'[^",\[\]{{}}\w]++|{_END_OF_VALUE}(?!{_NEXT_VALUE})|,(?!{SPACE}[,\]}}])|[\[{{](?!{SPACE},)'
_COMMAS = re.compile(
    rf"(?:{_FINE}){{1,99}}+|{_END_OF_VALUE}(?P<missing>{SPACE})"
    rf"|[\[{{](?P<first>[ \t\n\r,]++)|(?P<several>,[ \t\n\r,]*+)(?P<last>(?=[\]}}]))?+",
    re.DOTALL,
)


def without_comments(text: str) -> str:
    """Return JSON with spaces in place of the comments in it."""
    if "//" not in text and "/*" not in text:
        return text
    return _COMMENTS.sub(lambda found: found["others"] or " " * len(found[0]), text)


def with_commas(text: str, ends: Container[int] = ()) -> tuple[str, list[int]]:
    """Return JSON without comments with a comma between any two values in a container; and before which of the signs that follow in it one was added.

    `ends`: the places after the outermost containers: values one after the other need no commas between them.
    """
    added: list[int] = []

    def mended(found: re.Match[str]) -> str:
        signs, slip = found[0], found.lastgroup
        if slip == "missing" and (place := found.start(slip)) not in ends:
            gap = found[slip]
            added.extend([] if gap else [place + len(added)])
            return f"{signs[: len(signs) - len(gap)]},{gap[1:]}"
        if slip in ("first", "last"):
            return signs.replace(",", " ")
        return "," + signs[1:].replace(",", " ") if slip == "several" else signs

    return _COMMAS.sub(mended, text), added
