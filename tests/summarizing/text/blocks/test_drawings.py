"""Trees that are drawn with bars and branches, as `tree` prints them: a name hangs on that of its folder."""

import pytest

from summarizing.text.document import Document
from tests.summarizing.text.test_parsing import check_laws

ASCII = """\
The pier has these folders:

.
|-- boats
|   |-- oars.txt
|   `-- wood
|       |-- ash.txt
|       `-- oak.txt
`-- keys
    `-- lost.txt

Each boat has its own file.
"""
LINES = ASCII.replace("|--", "├──").replace("`--", "└──").replace("|", "│").replace("\n.\n", "\npier/\n")


def _above(document: Document, name: str) -> list[str]:
    index = next(at for at in range(len(document.segments)) if document.of(at).endswith(name))
    return [document.of(one).split()[-1] for one in document.above(index)]


@pytest.mark.parametrize("text", [ASCII, LINES, ASCII.replace("|-- ", "+- ").replace("`-- ", "\\- ")])
def test_a_name_hangs_on_that_of_its_folder(text: str) -> None:
    document = check_laws(text)
    assert _above(document, "oak.txt")[:2] == ["wood", "boats"]
    assert _above(document, "lost.txt")[0] == "keys"
    assert _above(document, "oars.txt")[0] == "boats"
    assert "boats" not in _above(document, "keys")


def test_a_name_that_npm_draws_with_a_branch_to_those_below_stands_above_these_alone() -> None:
    document = check_laws(
        "pier@1.0.0\n├─┬ boats@4.1\n│ ├── oars@1.3\n│ └─┬ wood@2.2\n│   └── oak@3.1\n└── keys@4.2\n"
    )
    assert _above(document, "oak@3.1")[:2] == ["wood@2.2", "boats@4.1"]
    assert _above(document, "oars@1.3") == ["boats@4.1", "pier@1.0.0"]
    assert _above(document, "keys@4.2") == ["pier@1.0.0"]


def test_a_table_with_bars_is_no_tree() -> None:
    document = check_laws("| Boat | Oars |\n|------|------|\n| Ash  | two  |\n| Oak  | four |\n")
    assert all(one.level == 0 for one in document.segments)
    assert len({one.parent for one in document.segments[1:]}) == 1
