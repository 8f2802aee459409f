"""Markup that a browser does not display: comments, elements that their tags hide, Markdown's definitions that only carry a title.

Pure, linear, and cautious: source code, a code fence or code span is shown text, and what is never closed hides nothing. Ignores style sheets, classes
and colours (but `transparent`): only a browser could judge them.
"""

import re
from collections import defaultdict

from summarizing.sanitizing.hidden_characters import Shown
from summarizing.text.format_detection import is_code
from summarizing.text.html.elements import VOID
from summarizing.text.html.tokens import attributes_of
from summarizing.text.lines import read_lines

# Elements that a browser never displays. The content of the first two is raw text up to the end tag.
_RAW = {name: re.compile(rf"</{name}\b[^<>]*+>", re.IGNORECASE) for name in ("script", "style")}
_NEVER_SHOWN = frozenset({*_RAW, "template", "noscript"})

# A text without any of these has no hidden markup.
_SIGNS = ("<!--", "hidden", "style", "script", "template")
_DEFINITION_SIGN = re.compile(r"\]:[ \t]*+(?:#|<>)\s")

# subtle: of the quotes after a "<" each swaps two of three states (outside, in ", in ') and outside the next "<"
# ends the try, so no character is looked at for more than three tags: linear, whatever is left open.
_ATTRIBUTES = r"(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+"
# CommonMark 4.7: a link reference definition shows nothing; one that leads nowhere ("#", "<>") is there for its title.
_DEFINITION = r"[^\[\]\n]{1,200}+\]:[ \t]*+(?:\#|<>)[ \t]*+(?:\r?\n[ \t]*+)?"
_TITLE = r"(?:\((?:[^()\n]++|\n(?!\s*\n))*+\)|\"(?:[^\"\n]++|\n(?!\s*\n))*+\"|'(?:[^'\n]++|\n(?!\s*\n))*+')[ \t]*+(?:\r?\n|\Z)"
_MARK = re.compile(
    rf"`(?P<ticks>`*+)|~(?P<tildes>~~++)|<(?P<comment>!--)"
    rf"|<(?P<tag>[a-z][^\s<>/\"']*+)(?P<attributes>{_ATTRIBUTES})>|</(?P<end>[a-z][^\s<>/\"']*+)[^<>]*+>"
    rf"|\[(?P<definition>{_DEFINITION}{_TITLE})",
    re.IGNORECASE,
)
_COMMENT_END = re.compile(r"--!?>")
_BLANK_LINE = re.compile(r"\n[ \t]*+\r?\n")

# A fence or a definition begins its line, after quotes and one list mark at most; deeper nesting is not supported.
MAX_INDENT_CHARS = 40
_LINE_START = re.compile(r"(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\Z")

# Longer runs of backticks open no code span: each length costs a search.
MAX_TICKS = 8

# Characters at the start in which a page declares its type.
_HEAD_CHARS = 2_000
# So much shows whether a text is source code.
_SAMPLE_CHARS = 20_000
_IS_HTML = re.compile(r"\s*+(?:<!doctype html|<html\b)", re.IGNORECASE)
_IS_XML = re.compile(r"\s*+<\?xml\b", re.IGNORECASE)


def without_markup(text: str) -> Shown:
    """Drop comments and hidden elements."""
    lower = text.lower() if "<" in text else ""
    if not any(sign in lower for sign in _SIGNS) and not _DEFINITION_SIGN.search(text):
        return Shown(text, 0)
    kept: list[str] = []
    dropped = at = 0
    for start, end in sorted(_Page(text).hidden_spans()):
        if end > at:
            dropped += 1
            kept.append(text[at : max(start, at)])
            at = end
    shown = "".join(kept) + text[at:] if dropped else text
    return Shown(text, 0) if not dropped or _is_program(shown) else Shown(shown, dropped)


def _is_program(text: str) -> bool:
    """Whether a text is source code, which is read as it stands; what begins with a tag or a bracket is not, nor what has fences."""
    head = text[:_SAMPLE_CHARS].lstrip()
    return head[:1] not in "<{[" and "```" not in head and is_code(read_lines(head))


class _Page:
    """One pass over the markup of a text: which stretches are code, which are hidden."""

    def __init__(self, text: str) -> None:
        self._text = text
        head = text[:_HEAD_CHARS]
        # In HTML a backtick is an ordinary character; in XML "style" may be an element of any meaning.
        self._is_html = _IS_HTML.match(head) is not None
        self._is_data = _IS_XML.match(head) is not None and "<html" not in head.lower()
        self._spans: list[tuple[int, int]] = []
        # By name, the open start tags from the first hidden one on; None for those that are shown.
        self._open: dict[str, list[tuple[int, int] | None]] = defaultdict(list)
        self._never_closed: set[str] = set()
        # CommonMark 4.6: a tag that begins a line begins HTML, and up to a blank line nothing there is Markdown.
        self._html_until = 0

    def hidden_spans(self) -> list[tuple[int, int]]:
        """Return every stretch that is hidden; some may be inside others."""
        at = 0
        while mark := _MARK.search(self._text, at):
            at = self._read(mark)
        for name, tags in self._open.items():
            if name not in _NEVER_SHOWN:
                self._spans += [tag for tag in tags if tag]  # never closed: the tag alone goes
        return self._spans

    def _read(self, mark: re.Match[str]) -> int:
        """Read one mark; return where to go on."""
        what = mark.lastgroup
        if what in ("ticks", "tildes"):
            is_markdown = not self._is_html and mark.start() >= self._html_until
            return self._after_code(mark) if is_markdown else mark.end()
        if what == "definition":
            if not _begins_line(self._text, mark.start()):
                return mark.start() + 1
            self._spans.append(mark.span())
        elif what == "comment":
            # HTML 13.2.5.43: "<!-->" is a whole comment.
            return self._after(mark.start(), mark.start() + 2, "<!--", _COMMENT_END)
        elif what == "end":
            self._read_end(mark)
        else:
            return self._read_tag(mark)
        return mark.end()

    def _after(self, start: int, look_at: int, what: str, ending: re.Pattern[str]) -> int:
        """Hide from a start to its ending and return where that is; where there is none, nothing is hidden."""
        end = None if what in self._never_closed else ending.search(self._text, look_at)
        if end is None:
            self._never_closed.add(what)
            return look_at + 2
        self._spans.append((start, end.end()))
        return end.end()

    def _read_tag(self, tag: re.Match[str]) -> int:
        name = tag["tag"].lower()
        if self._is_data:
            return tag.end()
        if name in _RAW:
            return self._after(tag.start(), tag.end() - 2, name, _RAW[name])
        is_hidden = name in _NEVER_SHOWN or _is_hidden(tag["attributes"])
        waiting = self._open[name]
        if name == "p" and waiting:
            self._close(waiting, tag.start())  # HTML 13.1.2.4: a paragraph ends where the next one begins
        if is_hidden and name in VOID:
            self._spans.append(tag.span())
        elif is_hidden or waiting:
            waiting.append(tag.span() if is_hidden else None)
        if is_hidden and tag.start() >= self._html_until and _begins_line(self._text, tag.start()):
            blank = _BLANK_LINE.search(self._text, tag.end())
            self._html_until = blank.start() if blank else len(self._text)
        return tag.end()

    def _read_end(self, end: re.Match[str]) -> None:
        if waiting := self._open.get(end["end"].lower()):
            self._close(waiting, end.end())

    def _close(self, waiting: list[tuple[int, int] | None], end: int) -> None:
        if hiding := waiting.pop():
            self._spans.append((hiding[0], end))

    def _after_code(self, mark: re.Match[str]) -> int:
        """Return where a fence or a code span ends; where it is neither, the end of its mark."""
        fence = mark[0]
        if len(fence) >= 3 and _begins_line(self._text, mark.start()):
            line_end = self._text.find("\n", mark.end())
            info = self._text[mark.end() : line_end if line_end >= 0 else None]
            if fence[0] == "~" or "`" not in info:
                return self._after_fence(fence, line_end)
        if fence[0] == "~" or len(fence) > MAX_TICKS or fence in self._never_closed:
            return mark.end()
        closing = re.compile(rf"(?<!`){fence}(?!`)").search(self._text, mark.end())
        if closing is None:
            self._never_closed.add(fence)
            return mark.end()
        is_one_paragraph = not _BLANK_LINE.search(self._text, mark.end(), closing.start())
        return closing.end() if is_one_paragraph else mark.end()

    def _after_fence(self, fence: str, line_end: int) -> int:
        """Return where a fence ends (CommonMark 4.5); one that is never closed runs to the end of the text."""
        if line_end < 0:
            return len(self._text)
        closing = re.compile(rf"\n[ \t>]*+{fence[0]}{{{len(fence)},}}+[ \t]*+(?=\r?\n|\Z)")
        closed = closing.search(self._text, line_end)
        return closed.end() if closed else len(self._text)


def _begins_line(text: str, at: int) -> bool:
    # A window that does not reach the start of the text has to show the line end.
    start = max(at - MAX_INDENT_CHARS, 0)
    begin = _LINE_START.search(text[start:at])
    return begin is not None and (start == 0 or begin[0][:1] == "\n")


# --- Attributes -------------------------------------------------------------------------------------------

_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")

# A property and the values that leave nothing to see. A letter of one pixel is a dot.
_HIDING = {
    "display": re.compile(r"none"),
    "visibility": re.compile(r"hidden|collapse"),
    "opacity": re.compile(r"[+-]?(?:0+(?:\.0*)?|\.0+)%?"),
    "font-size": re.compile(r"(?:0+(?:\.0*)?|\.0+|1(?:\.0*)?(?=px|pt))(?:[a-z]{2,4}|%)?"),
    "text-indent": re.compile(r"-\d{4,}.*"),
    "left": re.compile(r"-\d{4,}.*"),
    "color": re.compile(r"transparent"),
}


def _is_hidden(attributes: str) -> bool:
    """Whether a tag hides its element: by `hidden`, by `type=hidden`, or by its style."""
    lower = attributes.lower()
    if "hidden" not in lower and "style" not in lower:
        return False
    # In JSON a quote stands after a backslash.
    values = attributes_of(attributes.replace('\\"', '"'))
    return "hidden" in values or values.get("type", "").lower() == "hidden" or _hides(values.get("style", ""))


def _hides(style: str) -> bool:
    style = _CSS_ESCAPE.sub(_unescaped, _CSS_COMMENT.sub("", style))
    declared: dict[str, str] = {}
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        declared[name.strip()] = value.partition("!")[0].strip()
    return any(pattern.fullmatch(declared.get(name, "")) for name, pattern in _HIDING.items())


def _unescaped(escape: re.Match[str]) -> str:
    """Return what a CSS escape stands for (CSS Syntax 4.3.7)."""
    code = int(escape[1], 16) if escape[1] else ord(escape[2])
    return chr(code) if 0 < code < 0x110000 else ""
