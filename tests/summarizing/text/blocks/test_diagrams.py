"""Diagrams of boxes and arrows are kept as a whole, or not at all; trees, tables and single boxes are read line by line."""

import pytest

from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse

STATES = """
      ┌────────────┐
      │  unpacked  │
      └─────┬──────┘
 (automatic)│      ┌───────────────┐
            ├──────┤ config-failed │
            v      └───────────────┘
      ┌────────────┐
      │ installed  │
      └────────────┘
""".strip("\n")
TREE = "src\n├── app\n│   ├── main.py\n│   └── test.py\n└── docs\n    └── index.md"
TABLE = "┌──────┬──────┐\n│ name │ port │\n├──────┼──────┤\n│ web  │ 80   │\n│ db   │ 5432 │\n└──────┴──────┘"
BOX = "┌──────────────────┐\n│ Mind the gap.    │\n│ It is wide.      │\n└──────────────────┘"


def kinds(text: str) -> set[SegmentKind]:
    document = parse(
        f"The states\n==========\n\nThey are as follows, each with what leads to it.\n\n{text}\n\nThat is all.\n"
    )
    found = [at for at in range(len(document.segments)) if not document.of(at).isascii()]
    assert len(found) == 1 or all(document.segments[at].kind is not SegmentKind.CODE for at in found)
    return {document.segments[at].kind for at in found}


def test_a_diagram_is_one_part() -> None:
    assert kinds(STATES) == {SegmentKind.CODE}


@pytest.mark.parametrize("text", [TREE, TABLE, BOX])
def test_what_else_is_drawn_so_is_none(text: str) -> None:
    assert SegmentKind.CODE not in kinds(text)
