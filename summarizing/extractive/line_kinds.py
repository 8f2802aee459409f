"""How rare each kind of line of a log, a listing or a table is: of 700 entries the one error says more than the 300th request.

The kind of a line is its template: its words that many lines have, and a sign for each other one. After Vaarandi and Pihelgas, "LogCluster - A Data
Clustering and Pattern Mining Algorithm for Event Logs" (2015). The rarity of a line is the inverse frequency of its template, after Lin and
others, "Log Clustering Based Problem Identification for Online Service Systems" (2016). Knows no levels, and does not choose.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from math import log, sqrt
from typing import NamedTuple

from summarizing.text.blocks.cells import BETWEEN_CELLS, cells_of
from summarizing.text.blocks.logs_and_field_lists import report_of
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.formats.tap import FAILURES_SIGN, counts_failures, result_of
from summarizing.text.headings.looks import MIN_RULED, is_in_rule
from summarizing.text.lines import LOOK_CHARS

# What stands for one or more values, as each word with a digit is one, and for the cell of a row that few rows have.
VALUE = "*"
RARE_CELL = "?"
_COMPARED = (SegmentKind.LINE, SegmentKind.CODE, SegmentKind.ROW)
_DIGIT = re.compile(r"\d")

# No more of a row is looked at: some have many columns.
MAX_ROW_CHARS = 1_000

# So many lines, rows or records of one block, none of which hangs on another, are compared like those of a log if they are of few kinds, in the
# mean so many of each: what tests, builds and installations print has no times. By half and double of each, recall of 80 documents changes by .3
# points at most. A cell is rare that a tenth as many rows have as have each of its column's in the mean. A shorter
# table has an exception where a column has a cell in half of its rows or more, and another one in this part of these at most.
MIN_LINES = 50
MIN_LINES_OF_KIND = 10
MOST_EXCEPTIONS = 1 / 4

Template = tuple[str, ...]


class LineKinds(NamedTuple):
    """Which lines of a document are alike, and how rare each kind is among those that it is compared with: a log, or one block."""

    templates: Mapping[int, Template]
    """Of each line whose template has a word and as many lines as the square root of all: others are not alike, FAIL is no ERROR."""
    rarity: Mapping[int, float]
    """The inverse frequency of its template, 1 in the mean of its log or block; of a row with a rare cell, that of this."""
    priors: Mapping[int, float]
    """The same without regard to single cells: where something is asked for, these distract from what answers."""
    ends: frozenset[int]
    """The first and the last of each log and block, and the end of the text, which has the total."""
    total: int = NO_SEGMENT
    """The line that sums up what a program prints."""
    exceptions: Mapping[int, int] = {}
    """Of rows of short tables, in how many columns they have a cell that few have, and most others the same: the pod that does not run."""


NO_KINDS = LineKinds({}, {}, {}, frozenset())


def line_kinds(document: Document) -> LineKinds:
    """Compare the lines that begin with a time or a place with one another, and those of each long block of few kinds.

    What hangs on such a line is not compared.
    """
    templates: dict[int, Template] = {}
    rarity: dict[int, float] = {}
    priors: dict[int, float] = {}
    ends: set[int] = set()
    for alike, rare_cells in _compared(document):
        kinds = {index: (*alike.get(index, ()), *rare_cells.get(index, ())) for index in alike or rare_cells}
        templates |= _common(kinds)
        rarity |= _rarity(kinds)
        priors |= _rarity(alike)
        ends |= {min(kinds), max(kinds), len(document.segments) - 1}
    exceptions = Counter(_exceptions(document))
    return LineKinds(templates, rarity, priors, frozenset(ends), _total(document), exceptions)


def _exceptions(document: Document) -> Iterator[int]:
    """Yield the rows of short tables that differ from most in a column, once for each."""
    tables: dict[int, dict[int, list[str]]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if segment.kind is SegmentKind.ROW and not (document.is_json or segment.is_marginal):
            row = document.text[segment.start : min(segment.end, segment.start + MAX_ROW_CHARS)]
            tables[segment.block][index] = cells_of(row, BETWEEN_CELLS)
    for rows in tables.values():
        if len(rows) < MIN_LINES and len({*map(len, rows.values())}) == 1:
            for column in zip(*rows.values(), strict=True):
                counts = Counter(column)
                usual = max(counts.values())
                if 2 * usual >= len(rows):
                    most = MOST_EXCEPTIONS * usual
                    yield from (
                        index for index, cell in zip(rows, column, strict=True) if counts[cell] <= most
                    )


def _total(document: Document) -> int:
    """Return the line that sums up what a program prints. With titles in rules, that is the last one; in TAP, the count of failed tests."""
    if _has_ruled_titles(document):
        return len(document.segments) - 1
    if FAILURES_SIGN not in document.text:
        return NO_SEGMENT
    lines = (
        index
        for index in range(len(document.segments) - 1, -1, -1)
        if document.segments[index].kind is SegmentKind.LINE
    )
    return next((index for index in lines if counts_failures(document.of(index))), NO_SEGMENT)


def _has_ruled_titles(document: Document) -> bool:
    """Whether titles in rules part a text, as what programs print of their work, with the total at the end."""
    titles = (index for index, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING)
    return sum(is_in_rule(document.of(index)) for index in titles) >= MIN_RULED


def _compared(document: Document) -> Iterator[tuple[dict[int, Template], dict[int, Template]]]:
    """Yield the templates of the lines of a log, and of each block, and of a table the rare cells."""
    reports: dict[int, str] = {}
    stamped = Counter[int]()
    blocks: dict[int, dict[int, str]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if segment.kind in _COMPARED and not segment.is_marginal:
            most = MAX_ROW_CHARS if segment.kind is SegmentKind.ROW else LOOK_CHARS
            line = document.text[segment.start : min(segment.end, segment.start + most)]
            if segment.kind is SegmentKind.LINE and (report := result_of(line) or report_of(line)):
                reports[index] = report
                stamped[segment.block] += 1
            elif segment.parent == NO_SEGMENT or document.segments[segment.parent].kind not in _COMPARED:
                blocks[segment.block][index] = line
    for block, lines in blocks.items():
        if len(lines) < stamped[block]:
            reports |= lines
        elif len(lines) >= MIN_LINES:
            is_table = document.segments[next(iter(lines))].kind is SegmentKind.ROW
            templates = _of_few_kinds(lines, is_table=is_table)
            rare_cells = _rare_cells(lines) if is_table else {}
            if templates or rare_cells:
                yield templates, rare_cells
    if reports:
        yield _templates(reports), {}


def _of_few_kinds(lines: Mapping[int, str], *, is_table: bool) -> dict[int, Template]:
    """Return the templates of the lines of a block; none where these are of many kinds."""
    templates = _templates(lines, are_rows=is_table)
    if not is_table:
        templates = {index: _with_one_sign(template) for index, template in templates.items()}
    is_alike = len(set(templates.values())) * MIN_LINES_OF_KIND <= len(templates)
    return templates if is_alike else {}


def _rare_cells(rows: Mapping[int, str]) -> dict[int, Template]:
    """Return of each row its rarest cell that few rows have of those of its column; nothing where no row has one.

    Where each combination of categories is as rare as any other, a category may be rare still.
    """
    cells = {index: cells_of(row, BETWEEN_CELLS) for index, row in rows.items()}
    having: dict[int, Counter[str]] = defaultdict(Counter)
    for each in cells.values():
        for column, cell in enumerate(each):
            having[column][cell] += 1
    rare = {
        (column, cell): count
        for column, counts in having.items()
        for cell, count in counts.items()
        if count * len(counts) * MIN_LINES_OF_KIND <= len(rows)
    }
    if not rare:
        return {}
    found: dict[int, Template] = {}
    for index, each in cells.items():
        of_row = filter(rare.__contains__, enumerate(each))
        column, cell = min(of_row, key=rare.__getitem__, default=(0, VALUE))
        found[index] = (str(column), cell) if cell != VALUE else ()
    return found


def _templates(lines: Mapping[int, str], *, are_rows: bool = False) -> dict[int, Template]:
    """Return the words of each line, or the cells of each row, with a sign for those that fewer have than the square root of all."""
    # Equal words, and lines of one kind, share one object.
    masked, same = _Masked(), dict[Template, Template]()
    parts = {
        index: tuple(map(masked.__getitem__, cells_of(line, BETWEEN_CELLS) if are_rows else line.split()))
        for index, line in lines.items()
    }
    having = Counter[str]()
    for each in parts.values():
        having.update(set(each))
    least, rare = sqrt(len(lines)), RARE_CELL if are_rows else VALUE
    common = {part: part for part, count in having.items() if count >= least} | {VALUE: VALUE}
    found: dict[int, Template] = {}
    for index, each in parts.items():
        template = tuple([common.get(part, rare) for part in each])
        found[index] = same.setdefault(template, template)
    return found


class _Masked(dict[str, str]):
    """What stands in templates for a word, or a cell: the same for each word with a digit. Each is looked at once."""

    def __missing__(self, part: str) -> str:
        words = [word if word.isalpha() or not _DIGIT.search(word) else VALUE for word in part.split()]
        masked = self[part] = " ".join(words)
        return masked


def _with_one_sign(template: Template) -> Template:
    """Return a template with one sign for values beside one another, unless it has nothing else."""
    found = [
        word
        for before, word in zip(["", *template], template, strict=False)
        if word != VALUE or before != VALUE
    ]
    return tuple(found) if len(found) > 1 else template


def _common(templates: Mapping[int, Template]) -> dict[int, Template]:
    count, least = Counter(templates.values()), sqrt(len(templates))
    kept = {
        template
        for template, number in count.items()
        if number >= least and not {VALUE, RARE_CELL}.issuperset(template)
    }
    return {index: template for index, template in templates.items() if template in kept}


def _rarity(templates: Mapping[int, Template]) -> dict[int, float]:
    if not templates:
        return {}
    count, total = Counter(templates.values()), len(templates)
    mean = sum(number * log(total / number) for number in count.values()) / total
    # One number for each template: as those of the lines they take as much memory as the text.
    of = {template: log(total / number) / mean if mean else 1.0 for template, number in count.items()}
    return {index: of[template] for index, template in templates.items()}
