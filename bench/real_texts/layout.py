"""A source as a reader sees it: lines, what stands above each, and where a sentence runs on into the next line.

Independent of the service's own parser on purpose, since that one is judged by this. It is a simple reading; where the two differ,
look at the text. Not here: summaries.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

# Lines are wrapped somewhere here, in columns: shorter ones are a list of short lines, longer ones are paragraphs of one line.
WRAP_COLUMNS = range(50, 121)

LONGEST_HEADING_CHARS = 160
LONGEST_LISTING_LINES = 200
MOST_TITLE_LINES = 3
LOWEST = 9
MIN_MARKED = 3
MIN_HANGING = 2

# Paragraphs are wrapped at one width all over a text, give or take the length of a word.
WIDTH_TOLERANCE = 15

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^`]*$")
_LISTING = re.compile(r"^(?:-{4,}|\.{4,})$")
_COUNTED = re.compile(r"^[(\[]?(?:[^\W_a-z]\w{0,11}\s?)?[\d.]+[.)\]:]?(?:\s|$)|^[-*+•(\[]\s?\w{0,3}[)\]]?\s")
_VALUE = re.compile(r"\S*\d\S*")
_GUTTER = re.compile(r"\s*+(?:>\s++)*+(?:\|\s++(?!.*\|\s*$))?")
_ATTRIBUTES = re.compile(r"^\[[^\[\]]*\]$")
_COLUMN_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_UNDERLINE = re.compile(r"^([=\-~^\"'*+#.])\1{2,}\s*$")
_ATX = re.compile(r"^(#{1,6}|={1,5})\s+\S")
_OUTLINE = re.compile(r"^(\*{1,4}) \S")
_NUMBERED = re.compile(
    r"^ {0,3}(?:(\d+(?:\.\d+)*)\.?(?=\s)|(?:Chapter|Kapitel|Chapitre|Capítulo|Article|第)\s*\d+\s*[.条条]?(?=\s)|第\s*\d+\s*章)\s*\S"
)
_CAPITALS = re.compile(r"^[^\Wa-z\d_](?:[^a-zß-öø-ÿ]*[^\Wa-z\d_])$")
_TITLE = re.compile(r"^[^\W\d_a-zß-öø-ÿ]\S*(?: \S+){0,7}(?<=[^\W_])$")
_WIDE_RULE = re.compile(r"^([-=_*])\1{49,}\s*$")
_DATED = re.compile(r"^\d{4}-\d\d-\d\d  \S")
# Signs of data: a commit of a log, a file of a diff, a section of a configuration; then a hunk.
_DATA_HEADS = (
    re.compile(r"^(?:(?:commit|From) [0-9a-f]{7,64}\b|diff --git |\[{1,2}[^\[\]]+\]{1,2}\s*(?:[#;].*)?$)"),
    re.compile(r"^@@ -\d"),
)
_ITEM = re.compile(
    r"^\s*(?:[-*+•·o]|\(?[\dA-Za-z]{1,3}[.)]|\[\d+\]|//|#+|;|::|\.\.|(?:[^\W\d_]{3} \d\d?, \d{4}|\d{4}[-/]\d\d[-/]\d\d):)\s+\S"
)
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_LETTER = re.compile(r"[^\W_]")
_SENTENCE_ENDS = ".!?:;。！？：；…"
_LAYOUT_CHARS = re.compile(r"[\s#*_`|>~=•·\\-]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_WORDY = re.compile(r"[^\w\s]*[^\W\d_]+(?:['’-][^\W\d_]+)*[^\w\s]*")
_BORDER = re.compile(r"^\s*\+[-=+]+\+\s*$")
_FIELD = re.compile(r"\s*[\w-]+:\s+\S")
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)")


@dataclass
class Line:
    """A line of the source."""

    text: str
    start: int
    heading: int = 0
    """Its level, 1 the highest; 0: it is none."""
    ends: int = 0
    """It is no heading, and ends the sections of this level and below."""
    title: str = ""
    """Of a heading: all of it, where it goes on in the next lines."""
    headings: tuple[int, ...] = ()
    """The numbers of the headings it stands under, the highest first."""
    table_head: int | None = None
    """The number of the head row of its table."""
    is_unmarked: bool = False
    """Whether no markup, but only its look makes it a heading."""
    runs_on: bool = False
    """Whether its end is the middle of a sentence, which the next line continues with."""
    is_code: bool = field(default=False, repr=False)

    @property
    def indent(self) -> int:
        """How many columns its text is indented by."""
        return indent_of(self.text)


class Source:
    """A document's lines, and where a string stands in them whatever its layout is."""

    def __init__(self, lines: Sequence[Line], *, letters_only: bool) -> None:
        """`letters_only`: compare letters and digits alone, as of HTML, whose text anyone may punctuate in their way."""
        self.lines = lines
        self.is_html = letters_only
        self.has_indents = any(line.indent for line in lines) and not letters_only
        """Whether what is indented hangs on what is not; in HTML indents mean nothing."""
        self.text = "".join(f"{line.text}\n" for line in lines)
        self._noise = _NO_LETTERS if letters_only else _LAYOUT_CHARS
        self._starts = [line.start for line in lines]
        kept = [at for at, char in enumerate(self.text) if not self._noise.fullmatch(char)]
        self._offsets = kept
        self._skeleton = "".join(self.text[at] for at in kept)
        self._above_by_bracket = _open_brackets(lines)
        self.headings: dict[str, list[int]] = {}
        """The numbers of the lines that are headings, by their skeletons."""
        self.plain_lines: dict[str, list[int]] = {}
        """Those of all others."""
        for number, line in enumerate(lines):
            kinds = self.headings if line.heading else self.plain_lines
            for key in {self.skeleton(line.text), self.title(number)}:
                kinds.setdefault(key, []).append(number)
        heads = {line.table_head for line in lines if line.table_head is not None}
        self.table_heads = {self.title(head) for head in heads}

    def skeleton(self, text: str) -> str:
        """Return a text without white space and layout, as it is looked up here."""
        return self._noise.sub("", _LINK.sub(r"\1", text) if self._noise is _NO_LETTERS else text)

    def title(self, number: int) -> str:
        """Return the skeleton of a heading, all of it."""
        line = self.lines[number]
        return self.skeleton(line.title or line.text)

    def places(self, text: str, limit: int = 5_000) -> list[tuple[int, int]]:
        """Return where a text stands: the offsets of its first sign and after its last one."""
        key = self.skeleton(text)
        found: list[tuple[int, int]] = []
        at = self._skeleton.find(key) if key else -1
        while at >= 0 and len(found) < limit:
            first, last = self._offsets[at], self._offsets[at + len(key) - 1]
            if not (_is_in_number(self.text, first) or _is_in_number(self.text, last + 1)):
                found.append((first, last + 1))
            at = self._skeleton.find(key, at + 1)
        return found

    def line_at(self, offset: int) -> int:
        """Return the number of the line that an offset is in."""
        return bisect_right(self._starts, offset) - 1

    def above_by_indent(self, number: int) -> Iterator[int]:
        """Yield the lines above one that are less indented, each less than the one before it, and those whose bracket it stands in."""
        yield from self._above_by_bracket[number]
        indent = self.lines[number].indent
        for above in range(number - 1, -1, -1):
            line = self.lines[above]
            if line.indent < indent and _LETTER.search(line.text):
                yield above
                indent = line.indent
            if not indent:
                return


def _is_in_number(text: str, at: int) -> bool:
    """Whether a place is between two digits of one number."""
    return text[at - 1 : at].isdecimal() and text[at : at + 1].isdecimal()


def _open_brackets(lines: Sequence[Line]) -> list[tuple[int, ...]]:
    """Return for each line those above it that end with a bracket which a line indented alike closes below it: what is in a string may stand further left."""
    found: list[tuple[int, ...]] = [()] * len(lines)
    opened: dict[int, int] = {}
    for number, line in enumerate(lines):
        text = line.text.strip()
        if text[:1] in _CLOSING and (first := opened.pop(line.indent, None)) is not None:
            for inside in range(first + 1, number):
                found[inside] += (first,)
        if text[-1:] in _OPENING:
            opened[line.indent] = number
    return found


def read(text: str, *, is_html: bool = False, is_lines: bool = False, is_manual: bool = False) -> Source:
    """Return a source's lines."""
    if is_html:
        return Source(_html_lines(text), letters_only=True)
    lines = _lines(text.split("\n"))
    if is_lines:
        for line in lines:
            line.heading = _data_level(line.text)
    else:
        _mark_code(lines)
        _mark_headings(lines, is_manual=is_manual)
        if all(line.is_unmarked or _OUTLINE.match(line.text) for line in lines if line.heading):
            _mark_releases(lines)
        _mark_wraps(lines)
    _mark_tables(lines)
    _hang(lines)
    return Source(lines, letters_only=False)


def indent_of(text: str) -> int:
    """Return how many columns a line is indented by; the signs of a quotation or a margin are white space."""
    wide = text.expandtabs()
    gutter = _GUTTER.match(wide)
    return gutter.end() if gutter else 0


def _lines(texts: Iterable[str]) -> list[Line]:
    lines, start = [], 0
    for text in texts:
        lines.append(Line(text, start))
        start += len(text) + 1
    return lines


def _mark_code(lines: Sequence[Line]) -> None:
    fence = ""
    before = ""
    for number, line in enumerate(lines):
        text = line.text.strip()
        if fence:
            line.is_code = True
            if text.startswith(fence) and not text.strip(fence[0]):
                fence = ""
        elif begins := _FENCE.match(line.text):
            fence = begins[1]
            line.is_code = True
        # A listing of AsciiDoc, if it ends anywhere; else a rule.
        elif (
            _LISTING.match(line.text)
            and not is_wide_rule(line.text)
            and (before in {"", "+"} or _ATTRIBUTES.match(before))
            and _recurs(lines, number)
        ):
            fence = text
            line.is_code = True
        before = text


def _recurs(lines: Sequence[Line], number: int) -> bool:
    later = lines[number + 1 : number + LONGEST_LISTING_LINES]
    return any(line.text == lines[number].text for line in later)


def _mark_headings(lines: Sequence[Line], *, is_manual: bool) -> None:
    texts = ["", *(line.text for line in lines), ""]
    underlines: list[str] = []

    # Whoever marks titles with a sign marks each of them.
    is_marked = sum(not line.is_code and _ATX.match(line.text) is not None for line in lines) >= MIN_MARKED
    outline = not is_marked and any(text.startswith("** ") for text in texts)
    for number, line in enumerate(lines):
        before, text, behind = texts[number : number + 3]
        if line.is_code or not text.strip():
            continue
        is_inside = before.strip() and behind.strip() and before[-1:] not in ".:!?"
        if (level := _stated_level(text)) and not is_inside:
            line.heading = level
        elif _is_underlined(before, text, behind):
            mark = behind.strip()[0]
            if mark not in underlines:
                underlines.append(mark)
            line.heading = underlines.index(mark) + 1
        elif outline and _is_outline(before, text, behind):
            line.heading = len(text) - len(text.lstrip("*"))
        elif outline and (stars := _OUTLINE.match(text)):
            line.ends = len(stars[1])
        elif is_manual:
            line.heading = _manual_level(before, text)
        elif not is_marked:
            _mark_unmarked(line, before, texts[number + 1 : number + 2 + MOST_TITLE_LINES])


def _mark_releases(lines: Sequence[Line]) -> None:
    """Mark the first lines of paragraphs that recur but for a number which rises or falls: each begins another part."""
    groups: dict[str, list[tuple[Line, list[int]]]] = {}
    before = ""
    for line in lines:
        begins = not before.strip() or _UNDERLINE.match(before)
        before = line.text
        if not begins or line.is_code or not line.text[:1].strip() or _COUNTED.match(line.text):
            continue
        if value := _VALUE.search(line.text):
            numbers = [int(number) for number in re.findall(r"\d+", value[0])]
            key = line.text[: value.start()] or re.sub(r"\d+", "0", value[0])
            groups.setdefault(key, []).append((line, numbers))
    for group in groups.values():
        pairs = list(pairwise(numbers for _, numbers in group))
        against, ordered = sorted(
            [sum(one < other for one, other in pairs), sum(one > other for one, other in pairs)]
        )
        if len(group) >= MIN_MARKED and ordered * 2 >= len(pairs) >= against * 4:
            for line, _ in group:
                line.ends = line.ends or (0 if line.heading else 1)


def _mark_unmarked(line: Line, before: str, texts: Sequence[str]) -> None:
    """Mark a line as a title that no sign makes one; `texts`: it, and those after it."""
    line.title = _title(texts)
    line.heading = _plain_level(before, line.text, line.title)
    if not line.heading and not before.strip() and _is_over_paragraph(texts[:3]):
        line.heading = 1
    line.is_unmarked = line.heading > 0
    line.title = line.title if line.heading else ""


def _stated_level(text: str) -> int:
    atx = _ATX.match(text)
    return len(atx[1]) if atx else int(text.startswith("commit ") and _data_level(text))


def _data_level(text: str) -> int:
    return next((level for level, head in enumerate(_DATA_HEADS, 1) if head.match(text)), 0)


def _title(texts: Sequence[str]) -> str:
    """Return a paragraph of a few lines as one line; its first line alone where it is none, or one with items."""
    behind = next((number for number, text in enumerate(texts) if not text.strip()), len(texts))
    if behind > MOST_TITLE_LINES or any(map(_ITEM.match, texts[1:behind])):
        return texts[0] if behind == 1 else ""
    return " ".join([texts[0], *map(str.strip, texts[1:behind])])


def _is_underlined(before: str, text: str, behind: str) -> bool:
    underline = _UNDERLINE.match(behind)
    return bool(
        underline
        and not _UNDERLINE.match(text)
        and not text.startswith((" ", "\t"))
        and (not before.strip() or _UNDERLINE.match(before))
        and abs(len(behind.strip()) - _columns(text.strip())) <= 3
    )


def _is_outline(before: str, text: str, behind: str) -> bool:
    return bool(_OUTLINE.match(text)) and not before.strip() and not behind.strip()


def _manual_level(before: str, text: str) -> int:
    if before.strip() or len(text) > 60:
        return 0
    return {0: 1, 3: 2}.get(len(text) - len(text.lstrip()), 0)


def _plain_level(before: str, text: str, title: str) -> int:
    """Return the level of a title without markup: numbered, in capitals, dated; 0 where it is none."""
    if before.strip() or not title or len(title) > LONGEST_HEADING_CHARS:
        return 0
    numbered = _NUMBERED.match(text)
    if numbered and title.rstrip(" \"'”’»)")[-1:] not in {".", ";", ","}:
        return 2 + numbered[1].count(".") if numbered[1] else 1
    if title != text:
        return 0
    if _CAPITALS.match(text.strip()) and text == text.lstrip():
        # Letters without capitals tell nothing of its height.
        return 1 if text.isupper() else LOWEST
    return 1 if _DATED.match(text) else 0


def _is_over_paragraph(texts: Sequence[str]) -> bool:
    """Whether the first of some lines is a few words without an end, alone over a long paragraph."""
    title, behind, paragraph = [*texts, "", ""][:3]
    is_paragraph = len(paragraph) > LONGEST_HEADING_CHARS and paragraph[0].isupper()
    return is_paragraph and not behind.strip() and _TITLE.match(title) is not None


def _mark_wraps(lines: Sequence[Line]) -> None:
    blocks = [
        (first, behind, max(_columns(line.text.rstrip()) for line in lines[first:behind]))
        for first, behind in _blocks(lines)
        if behind - first > 1
    ]
    widths = sorted(width for *_, width in blocks if width in WRAP_COLUMNS)
    least = widths[len(widths) * 3 // 4] - WIDTH_TOLERANCE if widths else 0
    for first, behind, width in blocks:
        block = lines[first:behind]
        if width not in WRAP_COLUMNS or width < least or not _has_words(block) or _is_listed(block):
            continue
        begins = -1 if _ITEM.match(lines[first].text) else first
        full = [
            number
            for number in range(first, behind - 1)
            if _runs_on(lines[number].text.rstrip(), lines[number + 1].text, width)
            # Only a paragraph's first line may be indented further than the next one.
            and (number == begins or lines[number].indent <= lines[number + 1].indent)
        ]
        ended = sum(line.text.rstrip()[-1:] in _SENTENCE_ENDS for line in lines[first : behind - 1])
        # Where most lines have room for the next word, the longest is not full either.
        if len(full) * 2 >= behind - 1 - first - ended:
            for number in full:
                lines[number].runs_on = True


def _has_words(lines: Sequence[Line]) -> bool:
    """Whether lines may be sentences: half of what stands between blanks, at least, are words; else it is paths, numbers, codes."""
    parts = [part for line in lines for part in line.text.split()]
    words = sum(bool(_WORDY.fullmatch(part)) or any(map(_is_wide, part)) for part in parts)
    return words * 2 >= len(parts)


def _is_listed(lines: Sequence[Line]) -> bool:
    """Whether all lines begin with a name and a colon, or half of them have columns: each says something by itself."""
    if all(_FIELD.match(line.text) for line in lines):
        return True
    return sum("   " in line.text.expandtabs().strip() for line in lines) * 2 > len(lines)


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs: neighbouring lines of text; an item begins one of its own."""
    first = None
    begun = _begun_by_indent(lines)
    for number, line in enumerate([*lines, Line("", 0)]):
        is_text = (
            bool(line.text.strip())
            and not line.is_code
            and not line.heading
            and not _UNDERLINE.match(line.text)
        )
        is_row = line.text.lstrip().startswith(("|", "+-"))
        if first is not None and (not is_text or is_row or number in begun or _ITEM.match(line.text)):
            yield first, number
            first = None
        if first is None and is_text and not is_row:
            first = number


def _begun_by_indent(lines: Sequence[Line]) -> set[int]:
    """Return the lines that begin something since what they say goes on indented: between blank lines, those as far left as the first one, if lines come back to there twice."""
    found: set[int] = set()
    own: list[int] = []
    for number, line in enumerate([*lines, Line("", 0)]):
        if line.text.strip():
            own.append(number)
            continue
        least = lines[own[0]].indent if own else 0
        indents = [lines[one].indent for one in own]
        if sum(before > after == least for before, after in pairwise(indents)) >= MIN_HANGING:
            found.update(one for one in own if lines[one].indent == least)
        own = []
    return found


def _runs_on(text: str, behind: str, width: int) -> bool:
    """Whether a line was broken because the next word had no room, in the middle of a sentence."""
    word = re.match(r"\s*([\w(\[\"'“„»«‘`*]\S*)", behind)
    if not word or text[-1] in _SENTENCE_ENDS or text.rstrip("\"')]»”’").endswith(tuple(_SENTENCE_ENDS)):
        return False
    if _are_rows(text, behind):
        return False
    first = word[1][:1] if _is_wide(word[1][0]) else word[1]
    return _columns(text) + 1 + _columns(first) > width


def _are_rows(text: str, behind: str) -> bool:
    """Whether two lines are rows without signs: a column begins at the same place of both, after a gap."""
    begun = {gap.end() for gap in _COLUMN_GAP.finditer(text.expandtabs())}
    return any(gap.end() in begun for gap in _COLUMN_GAP.finditer(behind.expandtabs()))


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"


def _columns(text: str) -> int:
    text = text.expandtabs()
    return len(text) if text.isascii() else sum(2 if _is_wide(char) else 1 for char in text)


def _mark_tables(lines: Sequence[Line]) -> None:
    head: int | None = None
    for number, line in enumerate(lines):
        if _BORDER.match(line.text):
            continue
        if not line.text.lstrip().startswith("|"):
            head = None
        elif head is None:
            head = number
        else:
            line.table_head = head


def is_wide_rule(text: str) -> bool:
    """Whether a line parts what is above from what is below it: after it no section without markup goes on."""
    return _WIDE_RULE.match(text) is not None


def _hang(lines: Sequence[Line]) -> None:
    open_headings: list[int] = []
    for number, line in enumerate(lines):
        if level := line.heading or line.ends:
            while open_headings and lines[open_headings[-1]].heading >= level:
                open_headings.pop()
        if is_wide_rule(line.text) and not (number and lines[number - 1].text.strip()):
            open_headings = [heading for heading in open_headings if not lines[heading].is_unmarked]
        line.headings = tuple(open_headings)
        if line.heading:
            open_headings.append(number)


_BLOCK_TAGS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "br",
        "caption",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "title",
        "tr",
        "ul",
    ]
)
_UNSEEN_TAGS = frozenset({"button", "script", "style", "template", "noscript", "svg"})


class _Blocks(HTMLParser):
    """Reads HTML into lines: one for each block of text, a table's row as one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[Line] = []
        self._parts: list[str] = []
        self._heading = 0
        self._unseen = 0
        self._pre = 0
        self._rows = 0
        self._tables: list[int | None] = []
        self._start = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN_TAGS:
            self._unseen += 1
        if tag in _BLOCK_TAGS and not (self._rows and tag not in {"tr", "table"}):
            self.flush()
        elif tag in _BLOCK_TAGS:
            self._parts.append(" | " if tag in {"td", "th"} else " ")
        if tag == "table":
            self._tables.append(None)
        if tag == "img":
            self._parts.append(f" {dict(attrs).get('alt') or ''} ")
        self._rows += tag == "tr"
        self._pre += tag == "pre"
        if tag == "title" and not self._unseen:
            self._heading = 1
        elif re.fullmatch("h[1-6]", tag) and not self._rows:
            # The title of the page is above them.
            self._heading = int(tag[1]) + 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN_TAGS:
            self._unseen = max(self._unseen - 1, 0)
        if tag == "tr":
            self._end_row()
        elif tag in _BLOCK_TAGS and not self._rows:
            self.flush()
        elif tag in _BLOCK_TAGS:
            self._parts.append(" ")
        if tag == "table" and self._tables:
            self._tables.pop()
        if tag == "pre":
            self._pre = max(self._pre - 1, 0)

    def _end_row(self) -> None:
        before = len(self.lines)
        self.flush()
        self._rows = max(self._rows - 1, 0)
        if self._tables and len(self.lines) > before:
            self.lines[-1].table_head = self._tables[-1]
            if self._tables[-1] is None:
                self._tables[-1] = before

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._parts.append(data)

    def flush(self) -> None:
        """End the line that was being read."""
        text = "".join(self._parts)
        self._parts = []
        pieces = text.split("\n") if self._pre else [" ".join(text.split())]
        for piece in pieces:
            if piece.strip():
                self.lines.append(Line(piece, self._start, heading=self._heading))
                self._start += len(piece) + 1
        self._heading = 0


def _html_lines(text: str) -> list[Line]:
    parser = _Blocks()
    parser.feed(text)
    parser.close()
    parser.flush()
    _hang(parser.lines)
    return parser.lines
