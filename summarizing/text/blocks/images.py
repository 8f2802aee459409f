"""Images in Markdown, HTML and reStructuredText: which lines have nothing else, and a text without them, their words kept.

In what a model wrote none is kept: a client that shows an image loads it, without a click; its address can carry what an injected text
told the model to put there (J. Rehberger: Bing Chat, Data Exfiltration Exploit Explained, 2023). Pure, linear; does not judge addresses.
"""

import re
from collections.abc import Sequence

from summarizing.text.lines import Line

_WORDS = r"(?:[^\[\]\n]|\[[^\[\]\n]{0,100}+\]){0,300}+"
_TARGET = r"(?:\((?:<[^<>\n]{0,2000}+>)?[^()]{0,2000}+\)|\[[^\[\]\n]{0,100}+\])"


def _image_pattern(group: str) -> str:
    """Return the pattern of Markdown's (CommonMark 6.4) and HTML's images; `group` opens the groups of their words and their attributes."""
    return rf"!\[{group}{_WORDS})\]{_TARGET}|<img\b{group}[^<>]{{0,2000}}+)>"


_IMAGE = re.compile(_image_pattern("("), re.IGNORECASE)
_PLAIN = _image_pattern("(?:")
# One that is a link, too, as the badges of a project are, and what stands between them.
_LINKED = (
    rf"\[(?:{_PLAIN})\]{_TARGET}|<a\b[^<>]{{0,2000}}+>\s{{0,9}}+(?:<img\b[^<>]{{0,2000}}+>\s{{0,9}}+)++</a>"
)
_BADGE = re.compile(rf"{_LINKED}|{_PLAIN}", re.IGNORECASE)
_BADGES = re.compile(
    rf"(?:{_LINKED}|{_PLAIN}|</?(?:p|div|center|br)\b[^<>]{{0,200}}+>|\s|&middot;|\|)++", re.IGNORECASE
)
# What a line of images alone begins with.
IMAGE_BEGINNINGS = "![<.|"
# Substitutions of reStructuredText (Directives, "Substitution Definitions"): alone in a line they mostly stand for badges.
_SUBSTITUTIONS = re.compile(r"(?:\|[^\W_][\w .:+-]{0,80}+\|\s*+)++")
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|\n]{1,80}+\| )?+image:: ")
_ALT = re.compile(r"\balt\s{0,9}+=\s{0,9}+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))", re.IGNORECASE)


def without_images(text: str) -> tuple[str, int]:
    """Return a text with the words of each image in its place, and how many there were."""
    return _IMAGE.subn(_words, text)


def without_lines_with_images(text: str) -> str:
    """Return a text without the lines in which an image stands."""
    return "\n".join(line for line in text.split("\n") if not _IMAGE.search(line))


def end_of_words(text: str) -> int:
    """Return where the words end behind which a text has images alone; its length where it ends with something else, or has nothing else."""
    first = _BADGE.search(text)
    if first is None or not _BADGES.fullmatch(text, first.start()):
        return len(text)
    words = len(text[: first.start()].rstrip().removesuffix("&middot;").rstrip())
    return words if any(map(str.isalnum, text[:words])) else len(text)


def are_images(lines: Sequence[Line], text: str) -> bool:
    """Whether lines have images alone; `text`: theirs."""
    if lines[0].text.startswith(".. "):
        return all(line.indent > lines[0].indent or _DIRECTIVE.match(line.text) for line in lines)
    if lines[0].text[0] == "|":
        return _SUBSTITUTIONS.fullmatch(text) is not None
    return _BADGE.search(text) is not None and _BADGES.fullmatch(text) is not None


def is_images_alone(text: str) -> bool:
    """Whether a text has images and, beside them, no letter or digit."""
    rest, count = _IMAGE.subn("", text)
    return count > 0 and not any(map(str.isalnum, rest))


def _words(image: re.Match[str]) -> str:
    if image[1] is not None:
        return image[1]
    alt = _ALT.search(image[2])
    return next(filter(None, alt.groups()), "") if alt else ""
