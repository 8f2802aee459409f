"""What a reader of the page would not see, dropped before any model reads it.

Invisible characters, HTML comments, elements that their tags hide, Markdown's comments. Pure, linear, and cautious:
a code fence or code span is shown text, what is never closed hides nothing, and the joiners that Persian, Hindi or an emoji need stay
where they have an effect. Ignores style sheets, classes and colours (but `transparent`): only a browser could judge them.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from summarizing.text.html_elements import VOID
from summarizing.text.html_tokens import attributes_of


class Shown(NamedTuple):
    """The text that a reader sees, and how many hidden stretches were dropped."""

    text: str
    dropped: int


def drop_hidden(text: str) -> Shown:
    """Drop what is hidden; a text without anything hidden comes back as the same object."""
    seen = _without_controls(text)
    visible = _without_invisible(seen.text)
    shown = _without_markup(visible.text)
    return Shown(shown.text, seen.dropped + visible.dropped + shown.dropped)


# --- Characters -------------------------------------------------------------------------------------------

_CONTROLS = bytes(code for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n\r\f")

# A terminal's colours, titles and links (ECMA-48, 5.4 and 8.3.89) are dropped whole: nothing of "\x1b[31m" is visible. A letter that is
# printed twice at its place is bold (nroff, "overstriking"), one over "_" is underlined.
_CONTROL = re.compile(
    r"([^\s\x08])\x08(?=\1)|_\x08|\x1b\[[0-?]{0,32}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,100000}+(?:\x07|\x1b\\)"
    r"|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]{1,100000}+"
)
# None of them is longer; the character behind may count as well.
MAX_CONTROL_CHARS = 100_010

# Unicode's default ignorables and bidi controls that have no effect of their own between letters.
_ALWAYS = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAGS = "\U000e0020-\U000e007f"
# Joiners, marks and selectors: some letters need them, between others they only hide.
_JOINING = f"\u061c\u200b-\u200f{_SELECTORS}{_TAGS}"
_IGNORABLE = re.compile(f"[{_ALWAYS}{_JOINING}]")
_NEVER_SEEN = re.compile(f"[{_ALWAYS}]+")
_JOINING_RUN = re.compile(f"[{_JOINING}]+")
# Between Latin letters none of them has an effect. A text can have one after each letter: these are dropped without a call for each.
_BETWEEN_LETTERS = re.compile(f"(?<=[A-Za-z \n])[{_JOINING}]++(?=[A-Za-z \n])")
_LETTER = re.compile(r"[A-Za-z \n]")

# Dropping what is hidden in so many characters takes some milliseconds at most.
STEP_CHARS = 100_000

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Arabic and its neighbours, the scripts of India and around it, Mongolian.
_JOINED = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1cff\ua800-\ua9ff\uaa00-\uaaff"
                     "\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]")  # fmt: skip
# Scripts without spaces between words: U+200B says where a line may end.
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u1aaf\ua980-\ua9df\uaa00-\uaadf]")
_EMOJI = re.compile("[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]")
# UTS 51, 1.4.6: a black flag, the tags of a region ("gbeng", "usca"), the cancel tag.
_FLAG = "\U0001f3f4"
_REGION = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_SELECTOR = re.compile(f"[{_SELECTORS}]")
_NO_BASE = re.compile(r"[A-Za-z\s]")
_HAN = re.compile("[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_IDEOGRAPHIC_SELECTOR = "\U000e0100"


def _without_controls(text: str) -> Shown:
    """Drop control characters; ASCII text is scanned at the speed of a copy."""
    if text.isascii():
        ascii_bytes = text.encode()
        if len(ascii_bytes.translate(None, _CONTROLS)) == len(ascii_bytes):
            return Shown(text, 0)
    return _in_stretches(text, _controls_dropped)


Stretch = tuple[str, int, int]
"""A stretch without what is hidden, how many times something was dropped from it, and its end in the text."""


def _in_stretches(text: str, drop: Callable[[str, int, int], Stretch]) -> Shown:
    """Drop what is hidden, a stretch at a time: what is kept of one is joined before the next one is read."""
    parts, dropped, at = list[str](), 0, 0
    while at < len(text):
        shown, count, at = drop(text, at, min(at + STEP_CHARS, len(text)))
        parts.append(shown)
        dropped += count
    return Shown("".join(parts), dropped) if dropped else Shown(text, 0)


def _controls_dropped(text: str, at: int, stop: int) -> Stretch:
    """Return a stretch without the control sequences that begin in it, their number, and the end of the stretch.

    Each search is a step that no other thread can interrupt, and a sequence that goes on behind the stretch is found whole.
    """
    kept, dropped = list[str](), 0
    while at < stop:
        found = _CONTROL.search(text, at, stop + MAX_CONTROL_CHARS)
        if found is None or found.start() >= stop:
            kept.append(text[at:stop])
            return "".join(kept), dropped, stop
        kept.append(text[at : found.start()])
        dropped, at = dropped + 1, found.end()
    return "".join(kept), dropped, at


def _without_invisible(text: str) -> Shown:
    """Drop invisible characters, except those that shape their neighbours."""
    if text.isascii() or not _has_ignorable(text):
        return Shown(text, 0)
    seen = _dropping(_NEVER_SEEN, text)
    between = _dropping(_BETWEEN_LETTERS, seen.text)
    working = _in_stretches(between.text, _idle_joiners_dropped)
    return Shown(working.text, seen.dropped + between.dropped + working.dropped)


def _has_ignorable(text: str) -> bool:
    """Whether a text may have something to drop. Searched a stretch at a time: one search of 16 MB held the interpreter for half a second."""
    return any(_IGNORABLE.search(text, at, at + STEP_CHARS) for at in range(0, len(text), STEP_CHARS))


def _idle_joiners_dropped(text: str, at: int, stop: int) -> Stretch:
    """Return a stretch without the joiners, marks, selectors and tags that have no effect; a run that begins in it, or behind it, ends in it."""
    if over := _JOINING_RUN.match(text, stop):
        stop = over.end()
    kept, dropped = list[str](), 0
    for run in _JOINING_RUN.finditer(text, at, stop):
        before, after = text[max(run.start() - 1, 0) : run.start()], text[run.end() : run.end() + 1]
        working = _working(before, run[0], after)
        if working != run[0]:
            kept += text[at : run.start()], working
            dropped, at = dropped + 1, run.end()
    kept.append(text[at:stop])
    return "".join(kept), dropped, stop


def _dropping(pattern: re.Pattern[str], text: str) -> Shown:
    """Drop what a pattern finds, a stretch at a time: each is one step that no other thread can interrupt.

    Stretches end with a Latin letter or white space: none of what the pattern finds has it. The one before a stretch is read again with it.
    """
    parts, dropped, at = list[str](), 0, 0
    while at < len(text):
        last = _LETTER.search(text, at + STEP_CHARS)
        end = last.end() if last else len(text)
        before = min(at, 1)
        left, count = pattern.subn("", text[at - before : end])
        parts.append(left[before:])
        dropped, at = dropped + count, end
    return Shown("".join(parts), dropped) if dropped else Shown(text, 0)


def _working(before: str, run: str, after: str) -> str:
    """Return the part of a run of joiners, marks, selectors and tags that has an effect between two characters."""
    if before == _FLAG and (region := _REGION.match(run)):
        return region[0]
    selector = run[0] if _selects(before, run[0]) else ""
    return selector + next((sign for sign in run[len(selector) :] if _joins(before, sign, after)), "")


def _selects(base: str, sign: str) -> bool:
    """Whether a variation selector follows a character with variants."""
    if not base or not _SELECTOR.match(sign) or _NO_BASE.match(base):
        return False
    return sign < _IDEOGRAPHIC_SELECTOR or _HAN.match(base) is not None


def _joins(before: str, sign: str, after: str) -> bool:
    """Whether a joiner, a direction mark or a line break opportunity has an effect between two characters."""
    if sign in "\u200c\u200d":
        shapes = bool(_JOINED.match(before) or _JOINED.match(after))
        return shapes or (sign == "\u200d" and bool(_EMOJI.match(before) and _EMOJI.match(after)))
    if sign == "\u200b":
        return bool(_UNSPACED.match(before) and _UNSPACED.match(after))
    return sign in "\u061c\u200e\u200f" and bool(_RIGHT_TO_LEFT.match(before) or _RIGHT_TO_LEFT.match(after))


# --- Markup -----------------------------------------------------------------------------------------------

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
_IS_HTML = re.compile(r"\s*+(?:<!doctype html|<html\b)", re.IGNORECASE)
_IS_XML = re.compile(r"\s*+<\?xml\b", re.IGNORECASE)


def _without_markup(text: str) -> Shown:
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
    return Shown("".join(kept) + text[at:], dropped) if dropped else Shown(text, 0)


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
