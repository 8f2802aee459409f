"""Lines of which it is uncertain whether they are titles: what follows comes only with them, and stands under no title before them."""

import pytest

from summarizing.text.document import SegmentKind
from tests.summarizing.text.test_parsing import check_laws, kinds, tree

BODY = "This part says what the thing is and how it is used by those who have it.\n"


def _headings(text: str) -> list[str]:
    return [one for one, kind in kinds(check_laws(text)).items() if kind is SegmentKind.HEADING]


def test_what_stands_below_a_line_that_may_be_a_title_comes_only_with_it() -> None:
    text = f"1. Scope\n\n{BODY}\n2. Terms\n\n{BODY.replace('This', 'Each')}\nOther Names\n\n{BODY.replace('This', 'No')}"
    above = tree(check_laws(text))
    assert above[" ".join(BODY.replace("This", "No").split())] == "Other Names"
    assert above["Other Names"] == "2. Terms"


def test_a_sentence_with_the_next_number_ends_the_section_before_it() -> None:
    titles = ["1. Getting it", "2. Building it", "3. There is nothing more to do.", "4. Problems"]
    text = "".join(f"{title}\n\n{BODY.replace('thing', title[:1])}\n" for title in titles)
    above = tree(check_laws(text))
    assert [above[" ".join(BODY.replace("thing", title[:1]).split())] for title in titles] == titles


def test_numbers_of_which_few_stand_before_titles_are_items() -> None:
    steps = ["Read the file.", "Copy it to another place.", "A new name", "Look at the result."]
    text = "".join(f"{number}. {step}\n\n   {BODY}\n" for number, step in enumerate(steps, 1))
    assert _headings(f"INSTALLATION\n\n{BODY}\n{text}LICENSE\n\n{BODY}") == ["INSTALLATION", "LICENSE"]


@pytest.mark.parametrize("rule", ["-----", "==========", "**********"])
def test_a_title_may_stand_in_a_rule(rule: str) -> None:
    text = "".join(f"{rule} {title} {rule}\n\n{BODY}\n" for title in ("REQUIREMENTS", "The first steps"))
    assert _headings(text) == [f"{rule} {title} {rule}" for title in ("REQUIREMENTS", "The first steps")]


def test_words_with_a_colon_end_no_part_whose_title_stands_in_a_rule() -> None:
    text = (
        f"Some words:\n\n{BODY}\n----- REQUIREMENTS -----\n\n{BODY}\n----- USE -----\n\n{BODY}\n"
        f"It can be used:\n\n{BODY.replace('This', 'Each')}"
    )
    document = check_laws(text)
    assert tree(document)["It can be used:"] == "----- USE -----"


def test_a_commit_that_is_quoted_ends_no_section() -> None:
    text = f"* Soon\n** Missing tests\ncommit 2c294c132528ede23d8ae4959783a67e9ff05ac5\n\n{BODY}\n** Another one\n{BODY}"
    assert _headings(text) == ["* Soon", "** Missing tests", "** Another one"]


def test_a_name_with_an_initial_has_no_number() -> None:
    names = ["Bob Halley", "Forrest J. Cavalier", "Scott Fritchie", "Ada Byron"]
    text = "".join(f"{name}:\n        Wrote the {name[:3]} of it, and mended a lot.\n\n" for name in names)
    document = check_laws(text)
    above = tree(document)
    assert all(above[f"Wrote the {name[:3]} of it, and mended a lot."] == f"{name}:" for name in names)
    assert not _headings(text) or len(_headings(text)) == len(names)


def test_the_head_of_columns_is_no_title() -> None:
    text = f"A part\n------\n\n{BODY}\nName of it   Value\n{'-' * 55}\n'one'        'two'\n'three'      'four'\n\n{BODY}\nPart b\n------\n\n{BODY}"
    assert _headings(text) == ["A part", "Part b"]


def test_a_title_in_capitals_may_be_longer_than_others() -> None:
    titles = (
        "REPAIR OF THE OARS",
        "LARGER PROVISION FOR THE HARBOUR AND FOR THE OTHER BOATS OF THOSE WHO ROW TO THE ISLANDS IN THE SUMMER",
        "CONDITION OF THE SAILS",
    )
    body = "The crew has looked at what there was to see of the {}, and it has told the owner of all that it found."
    text = "".join(
        f"{title}\n\n{body.format(thing)}\n\n"
        for title, thing in zip(titles, ("oar", "mast", "sail"), strict=True)
    )
    assert _headings(text) == list(titles)
    assert tree(check_laws(text))[body.format("mast")] == titles[1]


@pytest.mark.parametrize(
    "clause",
    [
        "THE BOAT IS LENT AS IT IS WITHOUT ANY PROMISE THAT IT FLOATS OR THAT THE OARS OF IT CAN BE FOUND IN THE HARBOUR.",
        "THE BOAT IS LENT AS IT IS WITHOUT ANY PROMISE THAT IT FLOATS OR THAT THE OARS OF IT CAN BE\nFOUND IN THE HARBOUR OR NEAR IT OR IN THE TOWN",
    ],
)
def test_a_clause_in_capitals_is_no_title(clause: str) -> None:
    text = f"TERMS\n\nThe crew may use the boat.\n\n{clause}\n\nThe owner may take it back at any time.\n"
    assert _headings(text) == ["TERMS"]
