"""Which lines are titles, and how high each stands.

Marked ones (Markdown, setext and reStructuredText underlines, AsciiDoc, wiki and org signs, heads of changelogs) are taken at their word. In
plain text one rule finds them: a short line over body text that is not a sentence, and whose look (numbered, in capitals, with a colon,
indented less than what follows) recurs. As in reStructuredText, a new look is one level below the title under which it is first met, and keeps
that level (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections). Pure; linear in the lines.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from summarizing.text.lines import MIN_WIDTH, Line, columns_of, is_full, item_mark, looks_like_code, width_of
from summarizing.text.sentence_spans import ends_sentence

# What is longer is no title: over all its lines, on a line of a title that no sign marks, in words, and in lines.
MAX_TITLE_CHARS = 120
MAX_PLAIN_TITLE_CHARS = 80
MAX_PLAIN_TITLE_WORDS = 12
MAX_TITLE_LINES = 3

# Levels of titles without signs begin below those that signs can state.
UNSTATED = 10
# Titles of releases are above titles with signs, where those begin below one.
RELEASE = -1

# In a text with this many marked titles, a line that is only set apart is not one.
_MIN_MARKED = 3
_WEAK_LOOKS = frozenset({"alone", "colon"})
# Titles that may continue over several lines.
_WHOLE_LOOKS = frozenset({"word", "numbered", "release"})

# Titles indented this far are centred: by how much means nothing.
_CENTERED = 10

Look = tuple[str | int, ...]


class Title(NamedTuple):
    """A heading: the lines that belong to it, and what of them is its text."""

    first: int
    last: int
    start: int
    end: int
    level: int
    is_statement: bool
    """Whether it says something by itself: it is a paragraph, or nothing stands under it."""


class _Candidate(NamedTuple):
    first: int
    last: int
    title: int
    level: int
    """The level that its sign states; 0 where the order of looks decides."""
    look: Look
    is_statement: bool = False


_HASHES = re.compile(r"(#{1,6})(?:[ \t]|\Z)")
_EQUALS = re.compile(r"(={1,6})[ \t]{1,9}+[^\s=]")
_STARS = re.compile(r"(\*{1,8})[ \t]\S")
_UNDERLINE = re.compile(r"([^\w\s])\1{1,199}+\Z")
_FILE = re.compile(r"==> \S.{0,150} <==\Z")
_COMMIT = re.compile(r"commit [0-9a-f]{7,64}(?: \(.{1,200}\))?\Z")
_DEBIAN = re.compile(r"\S{1,80} \([^()\s]{1,60}\) [\w. -]{1,60}; \w+=")
_BOLD = re.compile(r"(?:\*\*[^*]{1,100}+\*\*|__[^_]{1,100}+__):?\Z")
_ORG_KEYWORD = re.compile(r"#\+\w{1,30}:|:PROPERTIES:\Z")
_NUMBER = re.compile(
    r"(\d{1,3}(?:\.\d{1,3}){0,5})(\.|\))?[ \t\xa0\u3000]{1,9}+\S|([A-Z]|[IVXLC]{1,6})\.[ \t\xa0\u3000]{1,9}+\S"
)
_WORD_NUMBER = re.compile(
    r"(?:(\u00a7+)\s?\d{1,4}\w?|([^\W\d_a-z]\w{2,14})\s(?:\d{1,4}[a-z]?(?:\.\d{1,3}){0,3}|[IVXLC]{1,6}|[A-Z]))(?=[.:)\s\u2013\u2014-]|\Z)"
    r"|\u7b2c\s?[\d\u4e00-\u9fff]{1,6}?\s?([\u7ae0\u7bc0\u8282\u6761\u6761\u689d\u7de8\u7f16\u90e8\u56de\u7bc7\u5377])"
)
_FIRST_NUMBER = re.compile(r"(\d{1,4})")
_DEFINITION = re.compile(
    r"(?:class|def|function|interface|struct|module|package|enum|trait)\s[\w.:]{1,90}+[^;=]{0,100}\Z"
)
_LEADERS = re.compile(r"(?<!\.)(?<!\. )(?:\.[ ]?){4,}+\s*+\w{1,6}\Z|\s{3,90}\d{1,4}\Z")


def is_underline(text: str) -> bool:
    """Whether a line is one punctuation sign, repeated."""
    return _UNDERLINE.match(text) is not None


def titles(lines: Sequence[Line], opaque: bytearray) -> dict[int, Title]:
    """Return the headings by the number of their first line; lines marked in `opaque` are none."""
    signs = _signs(lines, opaque)
    marked = _marked(lines, opaque, signs)
    taken = {number for found in marked for number in range(found.first, found.last + 1)}
    # Whoever marks titles with hashes marks each of them.
    plain = [] if signs.hashes else _plain(lines, opaque, taken, is_marked=len(marked) >= _MIN_MARKED)
    return _levelled(lines, sorted([*marked, *plain]))


# --- Titles with signs -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Signs:
    """Which signs the text uses for headings: `# ` and `* ` do not always mark one."""

    hashes: bool
    stars: bool
    statements: bool
    """Whether the lines that begin with stars are sentences, some of which continue over the next lines."""


def _signs(lines: Sequence[Line], opaque: bytearray) -> _Signs:
    looks = {"#": 0, "=": 0, "**": 0, "org": 0, "comment": 0, "wrapped": 0}
    for number, line in enumerate(lines):
        if opaque[number] or line.indent > 3:
            continue
        sign = line.text[0]
        if sign == "#":
            looks["#"] += bool(_HASHES.match(line.text))
            looks["comment"] += not (line.gap or number + 1 == len(lines) or lines[number + 1].gap)
            looks["org"] += bool(_ORG_KEYWORD.match(line.text))
        elif sign == "=":
            looks["="] += bool(_EQUALS.match(line.text))
        elif sign == "*" and line.indent == 0:
            looks["**"] += line.text[1:2] == "*" and bool(_STARS.match(line.text))
            looks["wrapped"] += bool(_STARS.match(line.text)) and _is_wrapped(lines, number)
        elif sign == ":":
            looks["org"] += bool(_ORG_KEYWORD.match(line.text))
    # Where most lines with hashes stand between others without blank lines, they are comments of a script.
    hashes = looks["#"] > looks["org"] and looks["comment"] * 2 < looks["#"]
    stars = bool(looks["org"] or looks["**"]) and not hashes and not looks["="]
    return _Signs(hashes, stars, looks["wrapped"] >= _MIN_TIMES)


def _is_wrapped(lines: Sequence[Line], number: int) -> bool:
    """Whether a line goes on in the next one, since the next word had no room."""
    if number + 1 == len(lines) or lines[number + 1].gap or item_mark(lines[number + 1].text):
        return False
    return lines[number].length >= MIN_WIDTH and is_full(
        lines[number], lines[number + 1], _width_at(lines, number)
    )


def _marked(lines: Sequence[Line], opaque: bytearray, signs: _Signs) -> list[_Candidate]:
    """Return the headings that are marked by a sign."""
    found: list[_Candidate] = []
    free = 0
    for number, line in enumerate(lines):
        if number < free or opaque[number] or (line.text[0].isalnum() and not _may_be_marked(lines, number)):
            continue
        one = _by_sign(lines, number, signs) or _underlined(lines, number, signs)
        if one is not None:
            found.append(one)
            free = one.last + 1
    return found


def _may_be_marked(lines: Sequence[Line], number: int) -> bool:
    """Whether a line that begins with a letter may be a title by what is after it: an underline, or a changelog's signs."""
    if number + 1 < len(lines) and not lines[number + 1].text[0].isalnum():
        return True
    return "; " in lines[number].text or lines[number].text.startswith("commit ")


def _by_sign(lines: Sequence[Line], number: int, signs: _Signs) -> _Candidate | None:
    line = lines[number]
    text = line.text
    if line.indent > 3:
        return None
    level = _stated_level(line, signs)
    if level:
        last = _end_of_statement(lines, number) if signs.statements and text[0] == "*" else number
        is_statement = last > number or (signs.statements and _is_leaf(lines, number, level))
        return _Candidate(number, last, number, level, (text[0], level), is_statement)
    if (
        _FILE.match(text)
        or _COMMIT.match(text)
        or (line.gap and line.indent == 0 and "; " in text and _DEBIAN.match(text))
    ):
        return _Candidate(number, number, number, 1, ("file",))
    is_alone = line.gap and (number + 1 == len(lines) or lines[number + 1].gap)
    if is_alone and text[0] in "*_" and _BOLD.match(text):
        return _Candidate(number, number, number, 0, ("bold",))
    return None


def _end_of_statement(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a paragraph that begins with stars."""
    last = number
    while last + 1 < len(lines) and not lines[last + 1].gap and not item_mark(lines[last + 1].text):
        last += 1
    return last


def _is_leaf(lines: Sequence[Line], number: int, level: int) -> bool:
    """Whether nothing stands under a title with stars: the next one is as high."""
    following = lines[number + 1] if number + 1 < len(lines) else None
    mark = _STARS.match(following.text) if following and following.indent == 0 else None
    return following is None or (mark is not None and len(mark[1]) <= level)


def _stated_level(line: Line, signs: _Signs) -> int:
    """Return the level that the sign before a title states; 0 where there is none."""
    text = line.text
    if text[0] == "#" and (mark := _HASHES.match(text)):
        return len(mark[1]) if signs.hashes else 0
    if text[0] == "=" and line.indent == 0 and (mark := _EQUALS.match(text)):
        return len(mark[1])
    if signs.stars and text[0] == "*" and line.indent == 0 and (mark := _STARS.match(text)):
        return len(mark[1])
    return 0


def _underlined(lines: Sequence[Line], number: int, signs: _Signs) -> _Candidate | None:
    """Read a title with a line of one sign below it, and perhaps above it."""
    line = lines[number]
    over = _UNDERLINE.match(line.text)
    title = number + 1 if over else number
    under = title + 1
    if under >= len(lines) or lines[under].gap or (over and lines[title].gap):
        return None
    sign = _UNDERLINE.match(lines[under].text)
    if sign is None or (over and over[1] != sign[1]) or not _is_title_over(lines, title, under, bool(over)):
        return None
    level = {"=": 1, "-": 2}.get(sign[1], 0) if signs.hashes else 0
    if signs.hashes and not level:
        return None
    return _Candidate(number, under, title, level, ("under", sign[1], bool(over)))


def _is_title_over(lines: Sequence[Line], title: int, under: int, has_over: bool) -> bool:  # noqa: FBT001
    """Whether a line may be the title over an underline: alone, not an item or a row, about as long as the line below it."""
    line, below = lines[title], lines[under]
    if (
        line.length > MAX_TITLE_CHARS
        or below.indent > 3
        or line.text[0] in "|>+"
        or not any(map(str.isalnum, line.text))
    ):
        return False
    is_alone = line.gap or has_over or title == 0 or is_underline(lines[title - 1].text)
    if not is_alone or (item_mark(line.text) and not line.text[0].isdigit()):
        return False
    if below.text[0] in "=-" and below.length >= 3:
        return below.length >= line.length / 3
    return below.length >= 3 and below.length >= line.length - 3


# --- Titles without signs -------------------------------------------------------------------------------------------


def _plain(lines: Sequence[Line], opaque: bytearray, taken: set[int], *, is_marked: bool) -> list[_Candidate]:
    """Return the titles without signs: those whose look recurs, over body text.

    Where others are marked, a line of words that is only set apart is none.
    """
    looks: dict[int, Look] = {}
    releases = _releases(lines, opaque, taken)
    outer = _outer(lines, opaque)
    for number, line in enumerate(lines):
        if opaque[number] or number in taken:
            continue
        look = _look(lines, number, taken) if line.length <= MAX_PLAIN_TITLE_CHARS else None
        if number in outer and (look is None or look[0] in _WEAK_LOOKS):
            look = ("outer", line.indent)
        if look is not None and not (is_marked and look[0] in _WEAK_LOOKS):
            looks[number] = look
    accepted = _accepted(lines, looks, taken)
    found = [
        _Candidate(number, _last_of_title(lines, number, look), number, 0, look)
        for number, look in looks.items()
        if look in accepted and number not in releases
    ]
    # What stands above the first marked title and recurs is higher than they are.
    is_above = bool(taken) and min(releases, default=len(lines)) < min(taken)
    if taken and not is_above:
        return found
    level = RELEASE if is_above else 0
    return found + [_Candidate(first, last, first, level, ("release",)) for first, last in releases.items()]


# The lines of a text that are indented less than its body are its titles where they are at most this part of them; fewer of them
# than this show nothing.
_MAX_OUTER = 0.3
_MIN_OUTER = 3


def _outer(lines: Sequence[Line], opaque: bytearray) -> dict[int, int]:
    """Return the titles of a text by their indentation: nearly all else is indented further than they are."""
    indents = Counter(line.indent for number, line in enumerate(lines) if not opaque[number])
    body = max(indents, key=lambda indent: (indents[indent], indent), default=0)
    outer = [number for number, line in enumerate(lines) if line.indent < body and not opaque[number]]
    if len(outer) > _MAX_OUTER * len(lines):
        return {}
    found = {number: lines[number].indent for number in outer if _stands_over(lines, number, body)}
    return found if len(found) >= max(_MIN_OUTER, len(outer) / 2) else {}


def _stands_over(lines: Sequence[Line], number: int, body: int) -> bool:
    """Whether a line is no sentence, and the next line is indented further, as far as a title's or the body's."""
    line = lines[number]
    if number + 1 == len(lines) or line.length > MAX_TITLE_CHARS or item_mark(line.text):
        return False
    is_apart = number == 0 or line.gap or lines[number - 1].indent != line.indent
    is_statement = ends_sentence(line.text) and line.text[-1] not in "?\uff1f"
    if not is_apart or is_statement or is_underline(line.text):
        return False
    following = lines[number + 1]
    has_columns = following.indent in columns_of(line) or "   " in line.text or "\t" in line.text
    return line.indent < following.indent <= body and not has_columns


_TOKEN_WITH_DIGIT = re.compile(r"\S{0,30}\d\S{0,30}")
_INTEGER = re.compile(r"\d{1,9}")
# Titles that recur fewer times show no order.
_MIN_RELEASES = 3
# At least this share of neighbouring release titles has numbers that rise, or that fall, and at most this one the other way.
_MIN_ORDERED = 0.5
_MAX_AGAINST = 0.25


def _releases(lines: Sequence[Line], opaque: bytearray, taken: set[int]) -> dict[int, int]:
    """Return paragraphs that recur but for a number which only rises or falls: over what changed in a release, or on a day."""
    groups: dict[str, list[tuple[int, int, list[int]]]] = {}
    for number, line in enumerate(lines):
        is_apart = line.gap or is_underline(lines[number - 1].text)
        if not is_apart or line.indent or opaque[number] or number in taken or item_mark(line.text):
            continue
        if _numbered(line, is_deeper=False) or not any(map(str.isalpha, line.text)):
            continue
        value = _TOKEN_WITH_DIGIT.search(line.text)
        last = _end_of_paragraph(lines, number)
        if value is None or last < 0:
            continue
        key = line.text[: value.start()].casefold() or _INTEGER.sub("0", value[0])
        groups.setdefault(key, []).append((number, last, list(map(int, _INTEGER.findall(value[0])))))
    return {first: last for group in groups.values() if _is_ordered(group) for first, last, _ in group}


def _end_of_paragraph(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a paragraph of few lines; its first where deeper ones follow; -1 where it is longer than a title."""
    length = 0
    for last in range(number, min(number + MAX_TITLE_LINES, len(lines) - 1)):
        length += lines[last].length
        if length > MAX_TITLE_CHARS:
            return -1
        following = lines[last + 1]
        if following.gap or following.indent > lines[number].indent:
            return last
    return -1


def _is_ordered(group: Sequence[tuple[int, int, list[int]]]) -> bool:
    pairs = list(pairwise(value for _, _, value in group))
    rising = sum(later > earlier for earlier, later in pairs)
    falling = sum(later < earlier for earlier, later in pairs)
    is_ordered = max(rising, falling) >= _MIN_ORDERED * len(pairs)
    # Paragraphs that follow one another with nothing between them are over nothing.
    stand_over = sum(later > last + 1 for (_, last, _), (later, _, _) in pairwise(group))
    is_over_text = stand_over >= _MIN_ORDERED * len(pairs)
    return (
        len(group) >= _MIN_RELEASES
        and is_ordered
        and is_over_text
        and min(rising, falling) <= _MAX_AGAINST * len(pairs)
    )


def _last_of_title(lines: Sequence[Line], number: int, look: Look) -> int:
    """Return the last line of a title: laws write "Article 5" over the article's name, without a blank line between."""
    below = number + 1
    if (last := _end_of_question(lines, number)) > number:
        return last
    if look[0] != "word" or lines[below].gap or (below + 1 < len(lines) and not lines[below + 1].gap):
        return number
    line = lines[below]
    is_name = line.length <= MAX_PLAIN_TITLE_CHARS and _may_be_title(line.text) and not item_mark(line.text)
    return below if is_name and line.text[-1] not in ":\uff1a" else number


def _look(lines: Sequence[Line], number: int, taken: set[int]) -> Look | None:
    """Return what kind of title a line may be; None where it cannot be one, whatever else the text has."""
    line = lines[number]
    following = lines[number + 1] if number + 1 < len(lines) else None
    if following is None or not (line.gap or number - 1 in taken or is_underline(lines[number - 1].text)):
        return None
    if _end_of_question(lines, number) > number:
        return _numbered(line, is_deeper=False)
    is_deeper = following.indent > line.indent
    if not (following.gap or is_deeper or _is_capitals(line.text) or _WORD_NUMBER.fullmatch(line.text)):
        return None
    if not following.gap and _goes_on(lines, number):
        return None
    is_set_apart = following.gap and (
        _is_numbered_part(line.text) or (not is_deeper and _is_short_number(line.text))
    )
    if not is_set_apart and not _may_be_title(line.text):
        return None
    return _kind_of_title(line, is_deeper=is_deeper and not following.gap)


def _goes_on(lines: Sequence[Line], number: int) -> bool:
    """Whether the next line continues with a line's sentence, or with the contents that it is an entry of."""
    line, following = lines[number], lines[number + 1]
    if _NUMBER.match(line.text) and _NUMBER.match(following.text):
        return True
    return line.length >= MIN_WIDTH / 2 and is_full(line, following, _width_at(lines, number))


def _width_at(lines: Sequence[Line], number: int) -> int:
    return max(width_of(lines[number : number + 4]), MIN_WIDTH)


def _may_be_title(text: str) -> bool:
    if ends_sentence(text) or text.endswith("::") or text[-1] in ",;\u3001\uff0c{}|":
        return False
    return len(text.split()) <= MAX_PLAIN_TITLE_WORDS and not _LEADERS.search(text)


_PART = re.compile(
    r"\d{1,3}\.\d{1,3}[\d.]{0,12}\s\S.{0,90}[?\uff1f]\Z|\u7b2c\s?\d{1,3}\s?\u7ae0\s\S.{0,90}(?:\.\.\.|\u2026)\Z"
)


def _is_numbered_part(text: str) -> bool:
    """Whether a text has a section number of several parts and is a question, or a chapter number and ends in dots."""
    return (text[0].isdecimal() or text[0] == "\u7b2c") and _PART.match(text) is not None


_LONG_PART = re.compile(r"\d{1,3}\.\d{1,3}[\d.]{0,12}\s\S")


def _end_of_question(lines: Sequence[Line], number: int) -> int:
    """Return the last line of a paragraph that is one numbered question over several lines; of any other paragraph the first line."""
    line = lines[number]
    if not line.gap or not line.text[0].isdecimal() or not _LONG_PART.match(line.text):
        return number
    last = number
    while last + 1 < len(lines) and not lines[last + 1].gap and last - number < MAX_TITLE_LINES:
        last += 1
    is_question = lines[last].text[-1] in "?!\uff1f\uff01" and lines[last].length <= line.length
    return last if is_question and last - number < MAX_TITLE_LINES else number


def _is_capitals(text: str) -> bool:
    """Whether a text is in capitals: most of its letters, not only the few that have any."""
    return text.isupper() and sum(map(str.isupper, text)) >= max(3, sum(map(str.isalpha, text)) / 2)


def _is_short_number(text: str) -> bool:
    """Whether a text is a number and a few words with a full stop, as licences have them: "4. Conveying Verbatim Copies."."""
    return (
        text[0].isdecimal()
        and text[-1] == "."
        and text.count(".") <= 2
        and len(text) <= 70
        and _NUMBER.match(text) is not None
    )


def _kind_of_title(line: Line, *, is_deeper: bool) -> Look | None:
    return _numbered(line, is_deeper=is_deeper) or _worded(line, is_deeper=is_deeper)


def _numbered(line: Line, *, is_deeper: bool) -> Look | None:
    """Return the look of a title that begins with its number: "3.2.1 Scope", "IV. Terms", "Article 5", "class X"."""
    if word := _WORD_NUMBER.match(line.text):
        is_caption = "." in word[0].rstrip(".")
        return ("colon", line.indent) if is_caption else ("word", (word[1] or word[2] or word[3]).lower())
    if _DEFINITION.match(line.text):
        return ("definition", line.indent) if is_deeper else None
    number = _NUMBER.match(line.text)
    if number is None or line.text[-1] in ":\uff1a":
        return None
    if number[3]:
        return "numbered", "A", line.indent
    if "." in number[1] or number[2]:
        return "numbered", number[1].count(".") + 1
    return None if is_deeper else ("numbered", "1", line.indent)


def _worded(line: Line, *, is_deeper: bool) -> Look | None:
    """Return the look of a title of words alone: in capitals, with a colon, or only set apart."""
    text = line.text
    first = text[0]
    is_word = (first.isalpha() and not first.islower()) or first in "[\u3010\u300a(\"'"
    if item_mark(text) or not is_word or "  " in text or looks_like_code(text):
        return None
    if _is_capitals(text):
        return "capitals", min(line.indent, _CENTERED)
    if text[-1] in ":\uff1a":
        return ("colon", line.indent) if len(text.split()) <= 5 else None
    return None if ": " in text else ("alone", min(line.indent, _CENTERED), is_deeper)


# A look without number, capitals or definition counts only if it recurs,
_MIN_TIMES = 2
# over body text nearly always,
_MIN_SHARE = 0.7
# and is rarer than what stands under it.
_MAX_SHARE_OF_PARAGRAPHS = 0.4


def _accepted(lines: Sequence[Line], looks: Mapping[int, Look], taken: set[int]) -> set[Look]:
    times: dict[Look, int] = {}
    over_body: dict[Look, int] = {}
    for number, look in looks.items():
        times[look] = times.get(look, 0) + 1
        over_body[look] = over_body.get(look, 0) + _is_over_body(lines, number, looks, taken)
    paragraphs = sum(line.gap for line in lines)
    return {look for look, count in times.items() if _is_accepted(look, count, over_body[look], paragraphs)}


def _is_accepted(look: Look, times: int, over_body: int, paragraphs: int) -> bool:
    if look[0] in ("numbered", "word", "definition", "capitals", "outer"):
        return over_body >= times / 2
    is_rare = times <= paragraphs * _MAX_SHARE_OF_PARAGRAPHS
    return times >= _MIN_TIMES and is_rare and over_body >= times * _MIN_SHARE


def _is_over_body(lines: Sequence[Line], number: int, looks: Mapping[int, Look], taken: set[int]) -> bool:
    """Whether body text, or a title of another look, stands below a line."""
    below = number + 1
    if below >= len(lines):
        return False
    if below in taken or below in looks:
        return looks.get(below) != looks[number]
    line, body = lines[number], lines[below]
    # The next number, with a longer text: items of a list, some of which are short.
    if looks[number][0] == "numbered" and _numbered(body, is_deeper=False) == looks[number]:
        return False
    is_deeper = body.indent > line.indent or not body.gap
    return (
        is_deeper
        or line.indent >= _CENTERED > body.indent
        or body.length > line.length
        or (below + 1 < len(lines) and not lines[below + 1].gap)
    )


# --- Levels ---------------------------------------------------------------------------------------------------------


def _levelled(lines: Sequence[Line], found: Sequence[_Candidate]) -> dict[int, Title]:
    """Give each title its level: what its sign states, or what its look got when it was first met."""
    levels: dict[Look, int] = {}
    open_level = strong_level = UNSTATED - 1
    runs = _numbers_run_on(lines, found)
    result: dict[int, Title] = {}
    for one in found:
        is_inner = runs and one.look[0] in _WEAK_LOOKS
        level = one.level or levels.get(one.look)
        level = level or _new_level(one.look, levels, strong_level if runs and not is_inner else open_level)
        levels.setdefault(one.look, level)
        level = max(level, strong_level + 1) if is_inner else level
        open_level = max(level, UNSTATED - 1)
        strong_level = strong_level if is_inner else open_level
        line = lines[one.title]
        end = lines[one.last].end if one.look[0] in _WHOLE_LOOKS else line.end
        end = lines[one.last].end if one.is_statement else end
        result[one.first] = Title(one.first, one.last, line.start, end, level, one.is_statement)
    return result


def _numbers_run_on(lines: Sequence[Line], found: Sequence[_Candidate]) -> bool:
    """Whether numbered titles count through the text: then no title without a number ends their sections.

    A table of contents counts once more.
    """
    numbers = [
        int(number[1])
        for one in found
        if one.look[0] in ("word", "numbered") and (number := _FIRST_NUMBER.search(lines[one.title].text))
    ]
    restarts = sum(later < earlier for earlier, later in pairwise(numbers))
    return len(numbers) > 1 and restarts * 4 <= max(len(numbers), 4)


def _new_level(look: Look, levels: Mapping[Look, int], open_level: int) -> int:
    """Return the level of a look that was not met before: one below the open title; among numbers by how many parts they have."""
    depth = _depth_of(look)
    known = next(((level, other) for one, level in levels.items() if (other := _depth_of(one))), None)
    if known is None and depth > 1:
        # The first part of "7.1" is the number of a chapter.
        known = next(((level, 1) for one, level in levels.items() if one[0] == "word"), None)
    if depth and known:
        return max(known[0] + depth - known[1], UNSTATED)
    return open_level + max(depth, 1)


def _depth_of(look: Look) -> int:
    """Return how many parts the numbers of a look have; 0 where it has none."""
    if look[0] != "numbered" or look[1] == "A":
        return 0
    return look[1] if isinstance(look[1], int) else 1
