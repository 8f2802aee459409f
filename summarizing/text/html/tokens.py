"""HTML to tags and stretches of text, by the rules of the HTML standard (WHATWG, 13.2.5, "Tokenization").

The standard library's html.parser takes quadratic time on unclosed comments, declarations and tags (gh-135462, mended only in
later patch releases); here every pattern is possessive, and what is not closed is looked for once. Knows no elements,
except those whose content holds no tags (script, style, title and the like). Runs of white space are read as a browser shows them.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

_NAME = r"<(/?+)([a-zA-Z][^\s/>]*+)"
_TAG = re.compile(rf"""{_NAME}((?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+)>""")
_TAG_WITHOUT_QUOTES = re.compile(rf"{_NAME}([^>]*+)>")
_TAG_BEGINS = re.compile("</?+[a-zA-Z]")
_ATTRIBUTE = re.compile(r"""([^\s/>=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>]*+)))?+""")

# Elements whose content is not shown, or not as text of the page.
_WITHOUT_TEXT = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes"})
# Elements whose content is text without tags.
_WITHOUT_TAGS = frozenset({"title", "textarea"})
_CLOSING = {name: re.compile(rf"(?i)</{name}(?=[\s/>])") for name in _WITHOUT_TEXT | _WITHOUT_TAGS}

_SPACE = re.compile(r"\s++")
_WIDE_SPACE = re.compile(r"\s{2,}+")

# In characters; each word of a stretch of this length may be a piece of its own for a moment.
_STRETCH = 10_000


# Makes a tag of its fields in order: a page has many, and this is the quickest way.
_new = tuple.__new__


class Tag(NamedTuple):
    """The start or the end of an element."""

    name: str
    is_end: bool = False
    source: str = ""
    """Its attributes, as they are written."""

    def attributes(self) -> dict[str, str]:
        """Return its attributes by their names."""
        return attributes_of(self.source)

    def classes(self) -> frozenset[str]:
        """Return its classes, in small letters."""
        is_given = "class" in self.source.lower()
        return frozenset(self.attributes().get("class", "").lower().split() if is_given else ())


def attributes_of(source: str) -> dict[str, str]:
    """Return the attributes of a tag by their names; the first of one name counts."""
    found: dict[str, str] = {}
    for attribute in _ATTRIBUTE.finditer(source):
        name, *values = attribute.groups("")
        found.setdefault(name.lower(), decoded("".join(values)))
    return found


def decoded(text: str) -> str:
    """Return text with its character references replaced."""
    if "&" not in text:
        return text
    try:
        return unescape(text)
    except ValueError:  # a number of more than 4,300 digits
        return text


def with_single_spaces(text: str) -> str:
    """Return a text with one space for each run of white space, a stretch at a time."""
    # The only white space that is printable is the space.
    if "  " not in text and text.isprintable():
        return text
    if len(text) <= _STRETCH:
        return _SPACE.sub(" ", text)
    stretches = (text[at : at + _STRETCH] for at in range(0, len(text), _STRETCH))
    # A run across the end of a stretch has left a space in each.
    return _WIDE_SPACE.sub(" ", "".join(_SPACE.sub(" ", stretch) for stretch in stretches))


class Tokens:
    """The tags of a page, in their order, each with the text before it."""

    def __init__(self, content: str) -> None:
        self.content = content
        self.at = 0
        self._tag_at, self._has_quotes = _TAG.match, True
        self._last_closing = content.rfind(">")
        self._last_comment_end = content.rfind("-->")

    def __iter__(self) -> Iterator[tuple[str, Tag | None]]:
        """Yield text and the tag behind it; None where something else stands there."""
        content, text_from = self.content, 0
        while self.at <= (at := content.find("<", self.at)) < self._last_closing:
            if found := self._tag_at(content, at):
                sign, name, source = found.groups()
                tag = _new(Tag, (name.lower(), sign == "/", source))
                self.at = found.end()
                yield decoded(content[text_from:at]), tag
                if tag.name in _CLOSING and not tag.is_end:
                    yield self._raw_content(tag)
                text_from = self.at
            elif self._skips_markup(at):
                yield decoded(content[text_from:at]), None
                text_from = self.at
        yield decoded(content[text_from:]), None

    def _skips_markup(self, at: int) -> bool:
        """Skip a "<" that begins no tag, or the comment or declaration that it begins; return whether it is one."""
        if self._has_quotes and _TAG_BEGINS.match(self.content, at):
            # Once a quote was not closed up to the end of the content, quotes are no longer looked for.
            self._tag_at, self._has_quotes = _TAG_WITHOUT_QUOTES.match, False
            return False
        self.at = at + 1
        if self.content.startswith("<!--", at):
            self.at = self._comment_end(at)
        elif self.content.startswith(("<!", "<?", "</"), at):
            self.at = self.content.index(">", at) + 1
        return self.at > at + 1

    def _comment_end(self, at: int) -> int:
        """Return where a comment ends; one that is not closed reaches to the end, as in browsers."""
        if self.content.startswith((">", "->"), at + 4):
            return self.content.index(">", at) + 1
        return self.content.index("-->", at) + 3 if at < self._last_comment_end else len(self.content)

    def _raw_content(self, tag: Tag) -> tuple[str, Tag | None]:
        """Skip the content of an element that has no tags in it; an unclosed one reaches to the end, as in browsers."""
        closing = _CLOSING[tag.name].search(self.content, self.at)
        start, self.at = self.at, closing.start() if closing else len(self.content)
        text = decoded(self.content[start : self.at]) if tag.name in _WITHOUT_TAGS else ""
        return text, None if closing else Tag(tag.name, is_end=True)
