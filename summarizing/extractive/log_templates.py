"""How rare each kind of line of a log, a listing or a table is: of 700 entries the one error says more than the 300th request.

The kind of a line is its template: its words that many lines have, and a sign for each other one. After Vaarandi and Pihelgas, "LogCluster - A Data
Clustering and Pattern Mining Algorithm for Event Logs" (2015). The rarity of a line is the inverse frequency of its template, after Lin and
others, "Log Clustering Based Problem Identification for Online Service Systems" (2016). Knows no levels, and does not choose.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from math import log, sqrt

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.lines import LOOK_CHARS
from summarizing.text.logs_and_field_lists import report_of

# What stands for one or more values, as each word with a digit is one.
VALUE = "*"
_LINES = (SegmentKind.LINE, SegmentKind.CODE, SegmentKind.ROW)
# What parts the cells of a row, and the values of a record.
_SEPARATORS = str.maketrans(dict.fromkeys(',;|"{}[]:', " "))
_DIGIT = re.compile(r"\d")

# So many lines, rows or records of one block, none of which hangs on another, are compared like those of a log if they are of few kinds, in the
# mean so many of each: what tests, builds and installations print has no times.
MIN_LINES = 50
MIN_LINES_OF_KIND = 10

Template = tuple[str, ...]


def templates_of(document: Document) -> dict[int, Template]:
    """Return the template of each line of a log: of blocks whose lines begin with a time or a place, and of long blocks of few kinds.

    What hangs on such a line has none.
    """
    reports: dict[int, str] = {}
    stamped = Counter[int]()
    blocks: dict[int, dict[int, str]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if segment.kind in _LINES:
            line = document.text[segment.start : min(segment.end, segment.start + LOOK_CHARS)]
            if segment.kind is SegmentKind.LINE and (report := report_of(line)):
                reports[index] = report
                stamped[segment.block] += 1
            elif segment.parent == NO_SEGMENT or document.segments[segment.parent].kind not in _LINES:
                is_row = segment.kind is SegmentKind.ROW
                blocks[segment.block][index] = line.translate(_SEPARATORS) if is_row else line
    found: dict[int, Template] = {}
    for block, lines in blocks.items():
        if len(lines) < stamped[block]:
            reports |= lines
        elif len(lines) >= MIN_LINES:
            kinds = _if_of_few_kinds(_templates(lines))
            found |= kinds and _rare_ones_apart(kinds, lines)
    return _templates(reports) | found


def _if_of_few_kinds(templates: Mapping[int, Template]) -> dict[int, Template]:
    found = {index: _with_one_sign(template) for index, template in templates.items()}
    is_log = len(set(found.values())) * MIN_LINES_OF_KIND <= len(found)
    return found if is_log else {}


def _rare_ones_apart(templates: Mapping[int, Template], lines: Mapping[int, str]) -> dict[int, Template]:
    """Return the templates, and in place of one that fewer lines have than the square root of all the words of each: FAIL is no ERROR."""
    count, least = Counter(templates.values()), sqrt(len(templates))
    return {
        index: template if count[template] >= least else tuple(lines[index].split())
        for index, template in templates.items()
    }


def _templates(lines: Mapping[int, str]) -> dict[int, Template]:
    """Return the words of each line, with a sign for those that fewer lines have than the square root of all."""
    known: dict[str, str] = {}

    def add(word: str) -> str:
        found = known[word] = VALUE if _DIGIT.search(word) else word
        return found

    words = {index: [known.get(word) or add(word) for word in line.split()] for index, line in lines.items()}
    having = Counter[str]()
    for each in words.values():
        having.update(set(each))
    least = sqrt(len(words))
    templates = (
        tuple([word if having[word] >= least else VALUE for word in each]) for each in words.values()
    )
    # Lines of one kind share one template.
    same: dict[Template, Template] = {}
    return {index: same.setdefault(one, one) for index, one in zip(words, templates, strict=True)}


def _with_one_sign(template: Template) -> Template:
    """Return a template with one sign for values beside one another, unless it has nothing else."""
    found = [
        word
        for before, word in zip(["", *template], template, strict=False)
        if word != VALUE or before != VALUE
    ]
    return tuple(found) if len(found) > 1 else template


def kinds_of(templates: Mapping[int, Template]) -> dict[int, Template]:
    """Return the templates with a word: lines that have none in common are not alike."""
    return {
        index: template for index, template in templates.items() if any(word != VALUE for word in template)
    }


def ends_of(templates: Mapping[int, Template], document: Document) -> set[int]:
    """Return the first and the last line of a log, and the end of the text, which has the total; nothing of a text that has no such lines."""
    return {min(templates), max(templates), len(document.segments) - 1} if templates else set()


def rarity_of(templates: Mapping[int, Template]) -> dict[int, float]:
    """Return the inverse frequency of each line's template, 1 in the mean."""
    count = Counter(templates.values())
    rarity = {index: log(len(templates) / count[template]) for index, template in templates.items()}
    mean = sum(rarity.values()) / max(1, len(rarity))
    return {index: each / mean if mean else 1.0 for index, each in rarity.items()}
