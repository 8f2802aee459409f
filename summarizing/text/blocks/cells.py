"""The cells of a row, whatever stands between them: commas, bars, tabs, wide gaps.

Pure; linear in the row. Does not say which sign separates the cells, or which rows are names: csv_tables.py.
"""

import re

# What stands between the cells of a row, where it is not known which sign does.
BETWEEN_CELLS = re.compile(r"[,;|\t]| {2,}+")
QUOTED = re.compile(r'"[^"]*+"')
# What stands around a cell and is no part of what it says: quotation marks, Markdown's signs of code and of bold text.
_AROUND = " \t\"'`*"
# Stands for each character that separates nothing, since it is quoted (RFC 4180).
_HELD = "\0"


def cells_of(row: str, between: re.Pattern[str], most: int = 0) -> list[str]:
    """Return the cells of a row; `most`: so many at most are parted from the rest, 0 for all."""
    if '"' not in row:
        return [cell.strip(_AROUND) for cell in between.split(row, most)]
    cells: list[str] = []
    begin = 0
    for sign in between.finditer(_without_quoted(row)):
        if len(cells) == most > 0:
            break
        cells.append(row[begin : sign.start()].strip(_AROUND))
        begin = sign.end()
    return [*cells, row[begin:].strip(_AROUND)]


def _without_quoted(row: str) -> str:
    """Return a row as long as it was, with nothing of what stands in quotation marks, which are left."""
    parts = row.split('"')
    # What stands behind the last one is not quoted, be that one closed or not.
    for at in range(1, len(parts) - 1, 2):
        parts[at] = _HELD * len(parts[at])
    return '"'.join(parts)
