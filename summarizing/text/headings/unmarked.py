"""Headings that no sign marks: short lines over body text that are not sentences, and whose look recurs.

Pure; linear in the lines. What look a single line has is decided in looks.py.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from summarizing.text.headings.candidates import (
    MAX_GOING_ON,
    MAX_HEADING_CHARS,
    MAX_PLAIN_HEADING_CHARS,
    MIN_TIMES,
    UNCERTAIN,
    WEAK_LOOKS,
    Candidate,
    Look,
    end_of_paragraph,
    is_underline,
)
from summarizing.text.headings.looks import (
    CENTERED,
    counts,
    end_of_numbered_title,
    goes_on_below,
    has_ruled_titles,
    is_capitals,
    is_long_title,
    is_ruled,
    look_of,
    may_be_heading,
    numbered_look,
)
from summarizing.text.headings.sequences import mixed_sequences
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.lines import (
    COLONS,
    QUESTIONS,
    Line,
    columns_of,
    has_wide_gap,
    item_mark,
    looks_like_prose,
)


def unmarked_headings(
    lines: Sequence[Line], opaque: bytearray, taken: set[int], *, is_marked: bool
) -> list[Candidate]:
    """Return the headings without signs: those whose look recurs, over body text.

    Where others are marked, or stand in rules, a line of words that is only set apart is none, nor is an indented line.
    """
    is_marked = is_marked or has_ruled_titles(lines)
    looks: dict[int, Look] = {}
    outer = _outer(lines, opaque)
    for number, line in enumerate(lines):
        may_begin = _may_begin(lines, number, taken)
        if opaque[number] or number in taken or not (may_begin or number in outer):
            continue
        is_short = line.length <= MAX_PLAIN_HEADING_CHARS or is_long_title(lines, number) or is_ruled(line)
        look = look_of(lines, number, taken) if is_short and may_begin else None
        if number in outer and (look is None or look[0] in WEAK_LOOKS):
            look = ("outer", line.indent)
        is_weak = look is not None and (look[0] in {*WEAK_LOOKS, "outer", "definition"} or line.indent > 0)
        if look is not None and not (is_marked and is_weak):
            looks[number] = look
    others = (*_captions(lines, looks), *_terms(lines, looks, taken), *_of_inner_lines(lines, looks))
    for number in others:
        looks.pop(number, None)
    return _candidates(lines, opaque, looks, taken)


# Looks of lines that have neither a number nor a rule.
_WORDS_ALONE = WEAK_LOOKS | {"capitals"}


def _of_inner_lines(lines: Sequence[Line], looks: Mapping[int, Look]) -> list[int]:
    """Return indented lines of words alone if most of that look come behind text that is indented less: they stand under it."""
    last: dict[Look, int] = {}
    inner, times = Counter[Look](), Counter[Look]()
    outer: list[int] = []
    for number, line in enumerate(lines):
        while outer and lines[outer[-1]].indent >= line.indent:
            outer.pop()
        look = looks.get(number)
        if look is not None and look[0] in _WORDS_ALONE and 0 < line.indent < CENTERED:
            times[look] += 1
            inner[look] += bool(outer) and outer[-1] not in looks and outer[-1] > last.get(look, -1)
            last[look] = number
        outer.append(number)
    return [number for number, look in looks.items() if 2 * inner[look] > times[look]]


def _captions(lines: Sequence[Line], looks: Mapping[int, Look]) -> list[int]:
    """Return the lines with a word and a number, as "Figure 1", where most with that word stand below a figure or table: they name that."""
    words = [number for number, look in looks.items() if look[0] == "word"]
    below_figures = Counter(looks[number] for number in words if _is_below_figure(lines, number, looks))
    times = Counter(looks[number] for number in words)
    return [number for number in words if 2 * below_figures[looks[number]] > times[looks[number]]]


def _is_below_figure(lines: Sequence[Line], number: int, looks: Mapping[int, Look]) -> bool:
    """Whether a line is indented no less than what follows, and what is above it is neither a title nor text."""
    line, above = lines[number], lines[number - 1]
    is_inside = 0 < line.indent >= lines[number + 1].indent and number > 0
    is_text = number - 1 in looks or ends_sentence(above.tail) or looks_like_prose(above.text)
    return is_inside and not is_text


def _terms(lines: Sequence[Line], looks: Mapping[int, Look], taken: set[int]) -> list[int]:
    """Return the lines with a colon over what is indented further, or items, if the text goes on behind that for any of them: it is about none of them."""
    terms = [
        number
        for number in looks
        if lines[number].tail[-1] in COLONS
        and (not lines[number + 1].gap or item_mark(lines[number + 1].text))
        and lines[number + 1].indent > lines[number].indent
    ]
    behind = _next_outer(lines) if terms else ()
    ended = {
        looks[number]
        for number in terms
        if (end := behind[number]) < len(lines)
        and lines[end].indent == lines[number].indent
        and not (end in looks or end in taken)
        and looks_like_prose(lines[end].text)
    }
    return [number for number in terms if looks[number] in ended]


def _next_outer(lines: Sequence[Line]) -> list[int]:
    """Return of each line the number of the next one that is indented no further."""
    found = [len(lines)] * len(lines)
    open_lines: list[int] = []
    for number, line in enumerate(lines):
        while open_lines and lines[open_lines[-1]].indent >= line.indent:
            found[open_lines.pop()] = number
        open_lines.append(number)
    return found


def _may_begin(lines: Sequence[Line], number: int, taken: set[int]) -> bool:
    """Whether a line may be a heading by what is above it: within a paragraph only below another one, or a rule, or in one."""
    line = lines[number]
    return line.gap or number - 1 in taken or not lines[number - 1].text[0].isalnum() or is_ruled(line)


# Lines of these looks may be titles of what follows even where the look is not that of headings.
_MAY_BE_TITLES = frozenset({"alone", "numbered", "word", "capitals"})


def _candidates(
    lines: Sequence[Line], opaque: bytearray, looks: Mapping[int, Look], taken: set[int]
) -> list[Candidate]:
    """Return the lines whose look is that of headings, and what ends their parts or may be a title: what follows comes only with it."""
    accepted = _accepted(lines, looks, taken)
    found = {
        number: Candidate(number, _last_of_heading(lines, number, look), number, 0, look)
        for number, look in looks.items()
        if look in accepted
    }
    items, ends = mixed_sequences(lines, opaque, {n for n, one in found.items() if one.look[0] == "numbered"})
    for number, heading in ends.items():
        last = end_of_paragraph(lines, number)
        found[number] = Candidate(number, last, number, 0, looks[heading], is_statement=True)
    for number, look in looks.items():
        if number not in found and look[0] in _MAY_BE_TITLES and lines[number + 1].gap:
            found[number] = Candidate(number, number, number, 0, (UNCERTAIN,), is_statement=True)
    return [one for number, one in found.items() if number not in items and number not in taken]


# The lines of a text that are indented less than its body are its headings where they are at most this part of them; fewer of them
# than this show nothing.
_MAX_OUTER = 0.3
_MIN_OUTER = 3


def _outer(lines: Sequence[Line], opaque: bytearray) -> dict[int, int]:
    """Return the headings of a text by their indentation: nearly all else is indented further than they are."""
    indents = Counter(line.indent for number, line in enumerate(lines) if not opaque[number])
    body = max(indents, key=lambda indent: (indents[indent], indent), default=0)
    outer = [number for number, line in enumerate(lines) if line.indent < body and not opaque[number]]
    if len(outer) > _MAX_OUTER * len(lines):
        return {}
    found = {number: lines[number].indent for number in outer if _stands_over(lines, number, body)}
    if sum(goes_on_below(lines, number) for number in found) > len(found) * MAX_GOING_ON:
        return {}
    return found if len(found) >= max(_MIN_OUTER, len(outer) / 2) else {}


def _stands_over(lines: Sequence[Line], number: int, body: int) -> bool:
    """Whether a line is no sentence, and the next line is indented further, as far as a heading's or the body's."""
    line = lines[number]
    if number + 1 == len(lines) or line.length > MAX_HEADING_CHARS or item_mark(line.text):
        return False
    is_apart = number == 0 or line.gap or lines[number - 1].indent != line.indent
    is_statement = ends_sentence(line.tail) and line.tail[-1] not in QUESTIONS
    if not is_apart or is_statement or is_underline(line.text):
        return False
    following = lines[number + 1]
    has_columns = following.indent in columns_of(line) or has_wide_gap(line)
    return line.indent < following.indent <= body and not has_columns


def _last_of_heading(lines: Sequence[Line], number: int, look: Look) -> int:
    """Return the last line of a heading: laws write "Article 5" over the article's name, and titles in capitals go on."""
    below = number + 1
    if (last := end_of_numbered_title(lines, number)) > number:
        return last
    if lines[below].gap or (below + 1 < len(lines) and not lines[below + 1].gap):
        return number
    line = lines[below]
    if look[0] == "capitals":
        return below if is_capitals(line.text) and may_be_heading(line.text) else number
    if look[0] != "word":
        return number
    is_name = (
        line.length <= MAX_PLAIN_HEADING_CHARS and may_be_heading(line.text) and not item_mark(line.text)
    )
    return below if is_name and line.tail[-1] not in COLONS else number


# A look that recurs is that of headings if at least this share of its lines stand over body text.
_MIN_SHARE = 0.7
# Headings are rarer than the paragraphs under them: at most this share of all.
_MAX_SHARE_OF_PARAGRAPHS = 0.4


def _accepted(lines: Sequence[Line], looks: Mapping[int, Look], taken: set[int]) -> set[Look]:
    times: dict[Look, int] = {}
    over_body: dict[Look, int] = {}
    for number, look in looks.items():
        times[look] = times.get(look, 0) + 1
        over_body[look] = over_body.get(look, 0) + _is_over_body(lines, number, looks, taken)
    paragraphs = sum(line.gap for line in lines)
    counted = {look for number, look in looks.items() if look[0] != "word" or counts(lines[number].text)}
    return {
        look
        for look, count in times.items()
        if (count > 1 or look in counted) and _is_accepted(look, count, over_body[look], paragraphs)
    }


def _is_accepted(look: Look, times: int, over_body: int, paragraphs: int) -> bool:
    if look[0] in ("numbered", "word", "definition", "capitals", "outer", "ruled"):
        return over_body >= times / 2
    is_rare = times <= paragraphs * _MAX_SHARE_OF_PARAGRAPHS
    return times >= MIN_TIMES and is_rare and over_body >= times * _MIN_SHARE


def _is_over_body(lines: Sequence[Line], number: int, looks: Mapping[int, Look], taken: set[int]) -> bool:
    """Whether body text, or a heading of another look, stands below a line."""
    below = number + 1
    if below >= len(lines):
        return False
    if below in taken or below in looks:
        return looks.get(below) != looks[number]
    line, body = lines[number], lines[below]
    # The next number, with a longer text: items of a list, some of which are short.
    if looks[number][0] == "numbered" and numbered_look(body, is_deeper=False) == looks[number]:
        return False
    is_deeper = body.indent > line.indent or not body.gap
    return (
        is_deeper
        or is_ruled(line)
        or line.indent >= CENTERED > body.indent
        or body.length > line.length
        or (below + 1 < len(lines) and not lines[below + 1].gap)
    )
