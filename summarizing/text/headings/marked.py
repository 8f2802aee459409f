"""Headings that signs mark: Markdown, setext and reStructuredText underlines, AsciiDoc, wiki and org signs, heads of changelogs.

Pure; linear in the lines. Signs are taken at their word. Headings without signs are found in unmarked.py. Chunking
recognizes Markdown headings by itself, in chunk_blocks.py. A line of tildes may open a fence: fences.py decides that first.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from summarizing.text.headings.candidates import (
    MAX_HEADING_CHARS,
    MAX_HEADING_LINES,
    UNDERLINE,
    Candidate,
    is_underline,
)
from summarizing.text.headings.pod import terms_of_pod
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import (
    COLUMN_GAP,
    MIN_WIDTH,
    Line,
    item_mark,
    looks_like_code,
    looks_like_prose,
)

_HASHES = re.compile(r"(#{1,6})[ \t]")
# "> [!NOTE]" on GitHub; elsewhere words of the writer's own stand behind it.
_ALERT = re.compile(r"\[!\w{1,30}\]")
_EQUALS = re.compile(r"(={1,6})[ \t]{1,9}+(?!=)(?=.*\w)")
# No title has these alone: "# ####", "## ====".
_RULE_SIGNS = "#=*-~_ \t"
_POD = re.compile(r"=head([1-6])[ \t]{1,9}\S")
_STARS = re.compile(r"(\*{1,8})[ \t]\S")

# A line under an item is at least this long, or as long as a shorter item, and differs from it by this many columns at most, if it underlines it.
MIN_UNDERLINE = 5
MIN_SHORT_UNDERLINE = 4
TOLERANCE = 2

# Titles of sections in Markdown: with MIN_SECTIONS of them between blank lines, lines with hashes are titles and no comments.
_SECTION = re.compile(r"#{2,6}\s{1,9}\S")
MIN_SECTIONS = 2

# A sign that is indented further marks no heading, as in Markdown (CommonMark 4.2).
MAX_INDENT = 3

COMMIT = re.compile(r"commit [0-9a-f]{7,64}(?: \(.{1,200}\))?\Z")
_OF_COMMIT = re.compile(r"(?:Author|Merge|Reflog|tree|AuthorDate): ")
_DEBIAN = re.compile(r"\S{1,80} \([^()\s]{1,60}\) [\w. -]{1,60}; \w+=")
_FULL_STOPS = (".", "\u3002")
MIN_SENTENCE_BLANKS = 4
# Behind who writes, in a thread of comments, may stand since when: "**ann** commented on 2021-02-04".
_BOLD = re.compile(
    r"(?:\*\*[^*]{1,100}+\*\*|__[^_]{1,100}+__)(?::|(?=.{0,40}(?:(?:19|20)\d\d|ago\b)) [^\W\d_][^.!?`*_]{1,60}+)?+\Z"
)
_PART = re.compile(r"\d{1,3}\.\d{1,3}[\d.]{0,12}\s{1,9}[^\W\d_]")
_ORG_KEYWORD = re.compile(r"#\+\w{1,30}:|:PROPERTIES:\Z")


@dataclass(frozen=True)
class Signs:
    """Which signs the text uses for headings: `# ` and `* ` do not always mark one."""

    hashes: bool
    stars: bool


def has_sections(lines: Sequence[Line]) -> bool:
    """Whether lines have titles of sections as Markdown writes them, each apart from what is above and below it."""
    return sum(map(_is_section, lines, lines[1:])) >= MIN_SECTIONS


def has_titles_throughout(lines: Sequence[Line]) -> bool:
    """Whether lines have titles that are underlined or have two stars, apart from what is above them, on to their second half."""
    titles = [number for number in range(len(lines) - 1) if _is_title_of_text(lines, number)]
    return len(titles) >= MIN_SECTIONS and titles[-1] * 2 >= len(lines)


def _is_title_of_text(lines: Sequence[Line], number: int) -> bool:
    line, below = lines[number : number + 2]
    is_starred = line.gap and below.gap and not line.indent and line.text.startswith("** ")
    return is_starred or _is_underlined_title(line, below)


def _is_underlined_title(line: Line, below: Line) -> bool:
    if not line.gap or below.gap or line.indent or below.indent:
        return False
    return line.text[0].isalnum() and is_underline(below.text) and is_as_long(line, below, TOLERANCE)


def _has_underlined(lines: Sequence[Line]) -> bool:
    return any(map(_is_underlined_title, lines, lines[1:]))


def has_no_comments(lines: Sequence[Line]) -> bool:
    """Whether all lines with hashes are titles, apart from what is above and below them."""
    pairs = pairwise(lines)
    return all(_is_apart(one, following) for one, following in pairs if _HASHES.match(one.text))


def _is_section(line: Line, following: Line) -> bool:
    return _is_apart(line, following) and _SECTION.match(line.text) is not None


def _is_apart(line: Line, following: Line) -> bool:
    return line.gap and following.gap and not line.indent


def quoted_titles(text: str, lines: Sequence[Line]) -> list[int]:
    """Return the lines with hashes in quotations, and labels of alerts: they are titles of what is quoted, and no headings of the text."""
    titles = (
        number
        for number, line in enumerate(lines)
        if line.text[0] in "#[" and (_HASHES.match(line.text) or _ALERT.match(line.text))
    )
    return [number for number in titles if is_quoted(text, lines[number])]


def is_quoted(text: str, line: Line) -> bool:
    """Whether the sign of a quotation stands before a line."""
    return ">" in text[text.rfind("\n", 0, line.start) + 1 : line.start]


def signs_of(lines: Sequence[Line], opaque: bytearray) -> Signs:
    looks: Counter[str] = Counter()
    for number, line in enumerate(lines):
        if opaque[number] or line.indent > MAX_INDENT:
            continue
        sign = line.text[0]
        if sign == "#":
            # At the end of a text stands none, but what an editor shall know: "# vim: tw=72".
            looks["#"] += bool(_HASHES.match(line.text)) and number + 1 < len(lines)
            looks["comment"] += line.indent > 0 or _is_comment(lines, number)
            looks["org"] += bool(_ORG_KEYWORD.match(line.text))
        elif sign == "=":
            looks["="] += bool(_EQUALS.match(line.text))
        elif sign == "*" and line.indent == 0:
            looks["**" if line.gap else "inner"] += line.text.startswith("** ")
        elif sign == ":":
            looks["org"] += bool(_ORG_KEYWORD.match(line.text))
        elif sign.isdecimal() and line.gap and not looks["#"]:
            looks["part"] += bool(_PART.match(line.text)) and (
                number + 1 == len(lines) or lines[number + 1].gap
            )
    # Where titles are underlined, stars directly below others are those of items.
    looks["**"] += looks["inner"] if looks["inner"] and not _has_underlined(lines) else 0
    # Where most lines with hashes are indented or stand between others without blank lines, they are comments of a script.
    are_comments = looks["comment"] * 2 >= looks["#"]
    # Titles of parts ("2.1. Use") above the first hash are the text's headings if they are more: hashes are those of an example.
    hashes = looks["#"] > max(looks["org"], looks["**"], looks["part"]) and not are_comments
    stars = bool(looks["org"] or looks["**"]) and not hashes and not looks["="]
    return Signs(hashes, stars)


def _is_comment(lines: Sequence[Line], number: int) -> bool:
    """Whether a line with hashes stands between others without blank lines, as comments do, and is no title of a lower level over its text."""
    if lines[number].gap or number + 1 == len(lines) or lines[number + 1].gap:
        return False
    is_lower = lines[number].text.startswith("##") and bool(_HASHES.match(lines[number].text))
    is_beside_one = any(lines[beside].text[0] == "#" for beside in (number - 1, number + 1))
    return not is_lower or is_beside_one or not _is_text(lines[number + 1])


def _is_text(line: Line) -> bool:
    """Whether a line is what stands below a title, and no setting: a list item, a sentence, some words in a row, a link or code of Markdown's."""
    text = line.text
    if mark := item_mark(text):
        # "* * * * * job" and "*  soft  core  0" are settings, too.
        return not item_mark(text[mark:]) and not COLUMN_GAP.search(text, mark)
    if text[0] == "`" or "](" in text:
        return True
    is_sentence = text[0].isalpha() and not text[0].islower() and ends_sentence(line.tail)
    return (is_sentence or looks_like_prose(text)) and not looks_like_code(text)


def marked_headings(lines: Sequence[Line], opaque: bytearray, signs: Signs) -> list[Candidate]:
    """Return the headings that are marked by a sign."""
    found: list[Candidate] = []
    free = 0
    are_words = [line.text[0].isalnum() for line in lines]
    for number, is_word in enumerate(are_words):
        # A word is underlined only by what stands directly below it.
        below = min(number + 1, len(lines) - 1)
        if is_word and (are_words[below] or lines[below].gap) and not _may_be_marked(lines[number].text):
            continue
        if number < free or opaque[number]:
            continue
        one = _by_sign(lines, number, signs) or _underlined(lines, number, signs)
        if one is not None:
            found.append(one)
            free = one.last + 1
    return sorted([*found, *terms_of_pod(lines, opaque)])


def _may_be_marked(text: str) -> bool:
    """Whether a line that begins with a letter, as the next one does, may be a heading: by a changelog's signs."""
    return "; " in text or text.startswith("commit ")


def _is_commit(lines: Sequence[Line], number: int) -> bool:
    """Whether git's head of a commit stands here, as in its log: what is known of the commit follows directly."""
    line = lines[number]
    if line.indent or number + 1 == len(lines) or not COMMIT.match(line.text):
        return False
    return not lines[number + 1].gap and _OF_COMMIT.match(lines[number + 1].text) is not None


def _by_sign(lines: Sequence[Line], number: int, signs: Signs) -> Candidate | None:
    line = lines[number]
    text = line.text
    if line.indent > MAX_INDENT:
        return None
    level = _stated_level(lines, number, signs)
    if level and text.strip(_RULE_SIGNS):
        return Candidate(number, number, number, level, (text[0], level))
    is_entry = line.indent == 0 and "; " in text and _DEBIAN.match(text)
    if line.gap and (is_entry or _is_commit(lines, number)):
        return Candidate(number, number, number, 1, ("file",))
    is_alone = line.gap and (number + 1 == len(lines) or lines[number + 1].gap)
    if is_alone and text[0] in "*_" and _BOLD.match(text) and not _is_bold_sentence(text):
        return Candidate(number, number, number, 0, ("bold",))
    return None


def _is_bold_sentence(text: str) -> bool:
    """Whether a line in bold type is a sentence, and no title: it ends with a full stop and has five words or more."""
    return text.rstrip("*_")[-1:] in _FULL_STOPS and text.count(" ") >= MIN_SENTENCE_BLANKS


def _stated_level(lines: Sequence[Line], number: int, signs: Signs) -> int:
    """Return the level that the sign before a heading states; 0 where there is none."""
    line = lines[number]
    text = line.text
    if text[0] == "#" and (mark := _HASHES.match(text)):
        return len(mark[1]) if signs.hashes else 0
    if text[0] == "=" and line.indent == 0 and line.gap and (mark := _POD.match(text)):
        return int(mark[1])
    if text[0] == "=" and line.indent == 0 and (mark := _EQUALS.match(text)):
        # In AsciiDoc the title's name or style stands directly above it: "[[usage]]", "[appendix]".
        return len(mark[1]) if line.gap or lines[number - 1].text[0] == "[" else 0
    if signs.stars and text[0] == "*" and line.indent == 0 and (mark := _STARS.match(text)):
        return len(mark[1])
    return 0


def _underlined(lines: Sequence[Line], number: int, signs: Signs) -> Candidate | None:
    """Read a heading with a line of one sign below it, and perhaps above it."""
    line = lines[number]
    over = UNDERLINE.match(line.text)
    if over and not signs.hashes and (last := _end_of_box(lines, number)):
        return Candidate(number, last, number + 1, 0, ("under", over[1], True))
    heading = number + 1 if over else number
    under = heading + 1
    if under >= len(lines) or lines[under].gap or (over and lines[heading].gap):
        return None
    sign = UNDERLINE.match(lines[under].text)
    if (
        sign is None
        or (over and over[1] != sign[1] and not _is_frame(line, lines[under]))
        or not _is_heading_over(lines, heading, under, bool(over))
    ):
        return None
    level = {"=": 1, "-": 2}.get(sign[1], 0) if signs.hashes else 0
    if signs.hashes and not level:
        return None
    return Candidate(number, under, heading, level, ("under", sign[1], bool(over)))


def _end_of_box(lines: Sequence[Line], number: int) -> int:
    """Return the line that repeats a rule of "=" or "#" below a title that is no wider than they are; 0 where there is none."""
    rule = lines[number]
    if rule.text[0] not in "=#" or rule.length < MIN_UNDERLINE:
        return 0
    for last in range(number + 1, min(number + MAX_HEADING_LINES + 2, len(lines))):
        line = lines[last]
        if line.gap or not 0 <= line.indent - rule.indent <= rule.length - line.width:
            return 0
        if line.text == rule.text:
            return last if last > number + 1 else 0
        if not any(map(str.isalnum, line.text)) or item_mark(line.text) or ends_sentence(line.tail):
            return 0
    return 0


def _is_frame(above: Line, below: Line) -> bool:
    """Whether two rules of different signs stand around a title, as test runners print it: both are as wide as a text, and alike."""
    return above.gap and above.length == below.length >= MIN_WIDTH


def is_as_long(line: Line, below: Line, tolerance: int) -> bool:
    """Whether a line under another one was made for it: a rule below a list is seldom so long as its last item."""
    least = min(MIN_UNDERLINE, max(line.width, MIN_SHORT_UNDERLINE))
    return below.length >= least and abs(line.width - below.length) <= tolerance


def _is_heading_over(lines: Sequence[Line], heading: int, under: int, has_over: bool) -> bool:  # noqa: FBT001
    """Whether a line may be the heading over an underline: alone, not an item or a row, about as long as the line below it."""
    line, below = lines[heading], lines[under]
    if (
        line.length > MAX_HEADING_CHARS
        or below.indent > MAX_INDENT
        or line.text[0] in "|>+"
        or ("   " in line.text and not has_over and not is_as_long(line, below, TOLERANCE))
        or not any(map(str.isalnum, line.text))
    ):
        return False
    is_alone = line.gap or has_over or heading == 0 or is_underline(lines[heading - 1].text)
    if not is_alone:
        # Directly below a paragraph an underline is a heading's if it is as long, and the section below it begins apart.
        is_above_gap = under + 1 < len(lines) and lines[under + 1].gap
        return is_above_gap and below.text[0] == "=" and is_as_long(line, below, TOLERANCE)
    if item_mark(line.text) and not line.text[0].isdigit():
        is_apart = line.gap and (under + 1 == len(lines) or lines[under + 1].gap)
        return is_as_long(line, below, below.length // 4 if is_apart else TOLERANCE)
    if below.text[0] in "=-" and below.length >= 3:
        return below.length >= line.length / 3 or (below.length >= MIN_UNDERLINE and line.tail[-1] != ".")
    return below.length >= 3 and below.length >= line.length - 3
