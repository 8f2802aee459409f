"""Which lines of a source are headings, and how high each stands.

Independent of the service's own parser on purpose, since that one is judged by this. Pure; marks the lines it is given.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise

from bench.real_texts.source_layout.source_lines import (
    ATX,
    ITEM,
    MOST_TITLE_LINES,
    NUMBERED_ENTRY,
    UNDERLINE,
    Line,
    columns,
    indent_of,
    is_as_long,
    is_wide_rule,
)

LONGEST_HEADING_CHARS = 160
# A line that stands alone so far right, in capitals, is a title in the middle of the page.
LEAST_CENTRED_INDENT = 12
LOWEST = 9
MIN_MARKED = 3
MIN_UNDERLINED = 2
LONGEST_OUTLINE_CHARS = 60

_WORD = re.compile(r"[^\W_]")
_HEAD_OF_COLUMNS = re.compile(r"\S {3,}\S+ {3,}\S")

OUTLINE = re.compile(r"^(\*{1,4}) \S")
_NUMBERED = re.compile(
    # A line of a listing is indented, and has a tab behind its number.
    r"^(?:(?! {1,3}\d+\t) {0,3}(?:(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?|(?:Article|第)\s*\d+\s*[.条条]?)(?=\s)"
    # The title of a chapter may be centred.
    r"|\s*(?:Chapter|Kapitel|Chapitre|Capítulo)\s*\d+\s*\.?(?=\s)"
    r"|\s*(?:Appendix|APPENDIX|Exhibit|EXHIBIT|Anhang|Annexe|Apéndice|附录|付録)\s*[A-Z]\.?(?=\s)"
    r"|[^\W\d_a-z]\w{3,14}\s\d{1,3}\.(?=\s)"
    r"|\s*第\s*\d+\s*章)\s*\S"
)
_CAPITALS = re.compile(r"^[^\Wa-z\d_](?:[^a-zß-öø-ÿ]*[^\Wa-z\d_])$")
_TITLE = re.compile(r"^[^\W\d_a-zß-öø-ÿ]\S*(?: \S+){0,7}(?<=[^\W_])$")

# Of a change log: a date and who made the change, or a date as `date` prints it.
# No sentence's end; three dots stand for more of what is named.
_ENDS_TITLE = re.compile(r"(?:[^.;,!。\s\"'”’»)]|\.\.\.)[\s\"'”’»)]*$")
# Words that all begin with a capital, but for short ones: a title even with a full stop.
_CAPITALIZED = re.compile(
    r"^ {0,3}(?:\d+\.|(?:Exhibit|EXHIBIT) [A-Z]\.?)(?: -?(?:[A-Z][\w'’-]*|[a-z]{1,4}|[\d.]+))+\.$"
)
_DATED = re.compile(
    r"^\d{4}-\d\d-\d\d(?:\s{2,}\S|\s[^<>]*<?\S+@\S+>?$)|^[^\W\d_]{3} [^\W\d_]{3} [ \d]\d (?:[\d:]{8} (?:\w{2,5} )?)?\d{4}\b"
)
# A version with the day of its release: no part of the version that it begins like.
_RELEASED = re.compile(r"^\d+(?:\.\d+)+(?:[a-z]+\d*)?\s+\W{0,2}\d{4}-\d\d-\d\d\W?$")
# Signs of data: a commit of a log, a file of a diff, a section of a configuration; then a hunk.
_DATA_HEADS = (
    re.compile(r"^(?:(?:commit|From) [0-9a-f]{7,64}\b|diff --git |\[{1,2}[^\[\]]+\]{1,2}\s*(?:[#;].*)?$)"),
    re.compile(r"^@@ -\d"),
)


def mark_headings(lines: Sequence[Line], *, is_manual: bool) -> None:
    texts = ["", *(line.text for line in lines), ""]
    underlines: list[str] = []
    underlining = _underlining(lines, texts)

    # Whoever marks titles with a sign marks each of them.
    signs = [number for number, line in enumerate(lines) if not line.is_code and ATX.match(line.text)]
    are_comments = _are_comments(lines, texts, signs)
    is_marked = len(signs) >= MIN_MARKED and not are_comments
    outline = not is_marked and any(
        text.startswith("** ") and not before.strip() for before, text in pairwise(texts)
    )
    for number, line in enumerate(lines):
        before, text, behind = texts[number : number + 3]
        if line.is_code or not text.strip() or (are_comments and text.startswith("#")):
            continue
        is_inside = before.strip() and behind.strip() and before[-1:] not in ".:!?"
        if (level := _stated_level(text)) and not is_inside:
            line.heading = level
        elif _is_underlined(before, text, behind) or _is_far_underlined(texts, number + 1, underlining):
            line.heading = _underlined_level(behind, underlines, is_marked=is_marked)
        elif outline and _is_outline(before, text, behind):
            line.heading = len(text) - len(text.lstrip("*"))
        elif outline and (stars := OUTLINE.match(text)):
            line.ends = len(stars[1])
        elif is_manual:
            is_below_another = number > 0 and lines[number - 1].heading > 0
            line.heading = _manual_level("" if is_below_another else before, text, behind)
        elif not is_marked:
            _mark_unmarked(line, before, texts[number + 1 : number + 2 + MOST_TITLE_LINES])
    if signs and not are_comments:
        _lower_looks(lines)
    _lower_others(lines, is_underlined=bool(underlines) and not is_marked)


def _lower_others(lines: Sequence[Line], *, is_underlined: bool) -> None:
    _drop_inner_items(lines)
    _lower_inner_capitals(lines)
    if is_underlined:
        _lower_words(lines)


def _are_comments(lines: Sequence[Line], texts: Sequence[str], signs: Sequence[int]) -> bool:
    """Whether most lines with signs stand among other lines, as the comments of a configuration do, or over commands."""
    are_among = sum(_is_among_lines(texts, number + 1) for number in signs) * 2 > len(signs)
    return are_among or _are_over_commands(lines, texts, signs) or _are_of_org_mode(texts)


def mark_below_rules(lines: Sequence[Line]) -> None:
    """Mark lines that stand alone directly below a wide rule, as titles in Vim's manual do; those in capitals are below them.

    Where signs mark titles, none.
    """
    if any(line.heading and not line.is_unmarked for line in lines):
        return
    found = [
        line
        for above, rule, line, behind in zip(lines, lines[1:], lines[2:], lines[3:], strict=False)
        if is_wide_rule(rule.text)
        and not above.text.strip()
        and not behind.text.strip()
        and line.text[:1].strip()
    ]
    for line in lines if found else ():
        if line.is_unmarked and line.text.isupper():
            line.heading = LOWEST
    for line in found:
        line.heading, line.is_unmarked = 1, True


def _drop_inner_items(lines: Sequence[Line]) -> None:
    """Take items for none: a single number between two sections of another chapter ("6.3", "1.", "6.4") counts an item."""
    chapter = ""
    items: list[tuple[str, Line]] = []
    for line in lines:
        number = _NUMBERED.match(line.text) if line.heading else None
        if not number or not number[1]:
            continue
        own, _, inner = number[1].partition(".")
        if not inner:
            items.append((own, line))
            continue
        for other, item in items if own == chapter else ():
            if other != own and item.is_unmarked:
                item.heading, item.title, item.is_unmarked = 0, "", False
        chapter, items = own, []


def _lower_words(lines: Sequence[Line]) -> None:
    """Put titles of words alone below those that are underlined: they end no section of these.

    What is numbered, and indented or of several lines, is an item.
    """
    for line in lines:
        is_item = line.indent or line.title != line.text
        if line.is_unmarked and is_item and (ITEM.match(line.text) or NUMBERED_ENTRY.match(line.text)):
            line.heading, line.title, line.is_unmarked = 0, "", False
        elif line.is_unmarked and not (_NUMBERED.match(line.text) or _RELEASED.match(line.text)):
            line.heading = LOWEST


def _lower_looks(lines: Sequence[Line]) -> None:
    """Put a title that only stands over a paragraph below those with signs: it ends no section of these."""
    for line in lines:
        if line.is_unmarked and not (
            _NUMBERED.match(line.text)
            or _CAPITALS.match(line.text.strip())
            or _DATED.match(line.text)
            or _RELEASED.match(line.text)
        ):
            line.heading = LOWEST


def _lower_inner_capitals(lines: Sequence[Line]) -> None:
    """Put titles in capitals between two sections of one chapter ("6.1", "6.2") below the former: the latter ends them."""
    chapter = ""
    inner: list[Line] = []
    numbers = [_NUMBERED.match(line.text) for line in lines if line.is_unmarked]
    has_chapters = any(number and not number[1] for number in numbers)
    for line in lines:
        if not line.is_unmarked:
            continue
        if number := _NUMBERED.match(line.text):
            before, chapter = chapter, number[1].partition(".")[0] if number[1] else ""
            for one in inner if chapter and (before == chapter or has_chapters) else ():
                one.heading = LOWEST
            inner = []
        elif line.text.isupper() and not line.indent:
            inner.append(line)


def _underlined_level(underline: str, seen: list[str], *, is_marked: bool) -> int:
    """Return the level that an underline states in Markdown; elsewhere the order of the signs does."""
    sign = underline.strip()[0]
    if is_marked:
        return "=-".find(sign) + 1
    if sign not in seen:
        seen.append(sign)
    return seen.index(sign) + 1


def _are_over_commands(lines: Sequence[Line], texts: Sequence[str], signs: Sequence[int]) -> bool:
    """Whether titles are underlined, and single hashes stand directly over other lines, or before a small letter: those are comments and commands."""
    underlined = sum(
        not lines[number].is_code and _is_underlined(*texts[number : number + 3])
        for number in range(len(lines))
    )
    single = all(
        texts[number + 1].startswith("# ") and (texts[number + 2].strip() or texts[number + 1][2].islower())
        for number in signs
    )
    return underlined >= MIN_UNDERLINED and single


def _are_of_org_mode(texts: Sequence[str]) -> bool:
    """Whether stars mark titles on two levels, and signs its settings: "#+TITLE"."""
    return all(any(text.startswith(sign) for text in texts) for sign in ("* ", "** ", "#+"))


def _is_among_lines(texts: Sequence[str], number: int) -> bool:
    return bool(texts[number - 1].strip() and texts[number + 1].strip())


def _mark_unmarked(line: Line, before: str, texts: Sequence[str]) -> None:
    """Mark a line as a title that no sign makes one; `texts`: it, and those after it."""
    # Below a day and a name, what was changed may follow directly.
    line.title = line.text if _DATED.match(line.text) else _title(texts)
    line.heading = _plain_level(before, line.text, line.title)
    if not line.heading and not before.strip() and _is_over_paragraph(texts[:3]):
        line.heading = 1
    line.is_unmarked = line.heading > 0
    line.title = line.title if line.heading else ""


def _stated_level(text: str) -> int:
    atx = ATX.match(text) if _WORD.search(text) else None
    return len(atx[1]) if atx else int(text.startswith("commit ") and data_level(text))


def data_level(text: str) -> int:
    return next((level for level, head in enumerate(_DATA_HEADS, 1) if head.match(text)), 0)


def _title(texts: Sequence[str]) -> str:
    """Return a paragraph of a few lines as one line; its first line alone where it is none, or one with items."""
    behind = next((number for number, text in enumerate(texts) if not text.strip()), len(texts))
    if _CAPITALIZED.match(texts[0]):
        return texts[0]
    if all(map(NUMBERED_ENTRY.match, texts[:2])) and behind > 1:
        return ""  # of the contents
    if behind > 1 and ITEM.match(texts[1]) and not texts[1].lstrip()[0].isalnum():
        return texts[0]
    if behind > 1 and texts[1].startswith("\u3000") and not texts[0].startswith("\u3000"):
        return texts[0]  # a paragraph of Chinese or Japanese begins with this blank
    if behind > MOST_TITLE_LINES or any(map(ITEM.match, texts[1:behind])):
        return texts[0] if behind == 1 else ""
    return " ".join([texts[0], *map(str.strip, texts[1:behind])])


def _is_underlined(before: str, text: str, behind: str) -> bool:
    underline = UNDERLINE.match(behind)
    is_between = before.strip() == behind.strip()  # then it may be centred
    return bool(
        underline
        and not UNDERLINE.match(text)
        and not (text.startswith((" ", "\t")) and not is_between)
        and not _HEAD_OF_COLUMNS.search(text)
        and (not before.strip() or UNDERLINE.match(before))
        and is_as_long(text.strip(), behind.strip())
    )


def _underlining(lines: Sequence[Line], texts: Sequence[str]) -> Collection[str]:
    """Return the signs that underline two titles or more, one of them as long as its title."""
    numbers = [number for number, line in enumerate(lines) if not line.is_code]
    close = Counter(
        texts[number + 2].strip()[0] for number in numbers if _is_underlined(*texts[number : number + 3])
    )
    far = Counter(
        texts[number + 2][0] for number in numbers if _is_far_underlined(texts, number + 1, close.keys())
    )
    return {sign for sign in close if close[sign] + far[sign] >= MIN_UNDERLINED}


def _is_far_underlined(texts: Sequence[str], number: int, signs: Collection[str]) -> bool:
    """Whether a line that may be a title stands alone over a longer line of a sign that underlines others (reStructuredText).

    "The underline must be at least as long as the title text" (docutils).
    """
    before, text, behind, below = [*texts[number - 1 : number + 3], ""][:4]
    is_alone = not before.strip() and not below.strip() and text[:1].strip() != ""
    return bool(
        is_alone
        and UNDERLINE.match(behind)
        and behind[0] in signs
        and len(behind.rstrip()) >= columns(text)
        and len(text) <= LONGEST_HEADING_CHARS
        and _ENDS_TITLE.search(text)
        and not UNDERLINE.match(text)
        and not _HEAD_OF_COLUMNS.search(text)
    )


def _is_outline(before: str, text: str, behind: str) -> bool:
    is_over = not behind.strip() or (len(text) <= LONGEST_OUTLINE_CHARS and text[-1] not in ".,;")
    return bool(OUTLINE.match(text)) and not before.strip() and is_over and not behind.startswith(" ")


def _manual_level(before: str, text: str, behind: str) -> int:
    """Return the level of a title of a manual page: one as long as other lines stands over what is indented below it."""
    indent = indent_of(text)
    if before.strip() or (len(text) > LONGEST_OUTLINE_CHARS and indent_of(behind) <= indent):
        return 0
    return {0: 1, 3: 2}.get(indent, 0)


def _plain_level(before: str, text: str, title: str) -> int:
    """Return the level of a title without markup: numbered, in capitals, dated; 0 where it is none."""
    if before.strip():
        return 0
    if _DATED.match(text) or _RELEASED.match(text):
        return 1
    if not title or len(title) > LONGEST_HEADING_CHARS:
        return 0
    numbered = _NUMBERED.match(text)
    is_over_list = any(one.endswith((":", "：")) for one in (text, title))
    if numbered and not is_over_list and (_ENDS_TITLE.search(title) or _CAPITALIZED.match(title)):
        return 2 + numbered[1].count(".") if numbered[1] else 1
    is_placed = text == text.lstrip() or (title == text and indent_of(text) >= LEAST_CENTRED_INDENT)
    if (title == text or title.isupper()) and _CAPITALS.match(title.strip()) and is_placed:
        # Letters without capitals tell nothing of its height.
        return 1 if text.isupper() else LOWEST
    return 0


def _is_over_paragraph(texts: Sequence[str]) -> bool:
    """Whether the first of some lines is a few words without an end, alone over a long paragraph."""
    title, behind, paragraph = [*texts, "", ""][:3]
    is_paragraph = len(paragraph) > LONGEST_HEADING_CHARS and paragraph[0].isupper()
    return is_paragraph and not behind.strip() and _TITLE.match(title) is not None
