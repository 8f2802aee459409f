"""Images in what a model wrote: left out, their words kept.

A client that shows an image loads it, without a click; its address can carry what an injected text told the model to put there (J.
Rehberger: Bing Chat, Data Exfiltration Exploit Explained, 2023). A summary needs none. Pure, linear; does not judge addresses.
"""

import re

# Markdown's (CommonMark 6.4) and HTML's; in the words of the first may be brackets, once.
_IMAGE = re.compile(
    r"!\[((?:[^\[\]\n]|\[[^\[\]\n]{0,100}+\]){0,300}+)\](?:\((?:<[^<>\n]{0,2000}+>)?[^()]{0,2000}+\)|\[[^\[\]\n]{0,100}+\])"
    r"|<img\b([^<>]{0,2000}+)>",
    re.IGNORECASE,
)
_ALT = re.compile(r"\balt\s{0,9}+=\s{0,9}+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))", re.IGNORECASE)


def without_images(text: str) -> tuple[str, int]:
    """Return a text with the words of each image in its place, and how many there were."""
    return _IMAGE.subn(_words, text)


def without_lines_with_images(text: str) -> str:
    """Return a text without the lines in which an image stands."""
    return "\n".join(line for line in text.split("\n") if not _IMAGE.search(line))


def is_images_alone(text: str) -> bool:
    """Whether a text has images and, beside them, no letter or digit."""
    rest, count = _IMAGE.subn("", text)
    return count > 0 and not any(map(str.isalnum, rest))


def _words(image: re.Match[str]) -> str:
    if image[1] is not None:
        return image[1]
    alt = _ALT.search(image[2])
    return next(filter(None, alt.groups()), "") if alt else ""
