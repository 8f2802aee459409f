"""Indented lines that stand as they are: reStructuredText's literal blocks, the usage of a command."""

import pytest

from summarizing.text.document import SegmentKind
from tests.summarizing.text.test_parsing import check_laws, kinds, texts_of, tree

BODY = "This part says what the thing is and how it is used by those who have it."


def test_a_literal_block_is_one_segment_below_what_announces_it() -> None:
    block = "first line of a long poem that goes on and on\n    and its second line, indented\n\n  the end."
    document = check_laws(f"A paragraph may end so::\n\n  {block}\n\n{BODY}\n")
    assert kinds(document)[" ".join(block.split())] is SegmentKind.CODE
    assert tree(document)[" ".join(block.split())] == "A paragraph may end so::"
    assert tree(document)[BODY] == ""


def test_a_line_in_a_literal_block_is_no_title() -> None:
    document = check_laws(
        f"Use it\n------\n\n{BODY}\n\nFor example::\n\n   Title\n   -----\n\n   Some words.\n\n{BODY.replace('This', 'Each')}\n"
    )
    assert tree(document)[BODY.replace("This", "Each")] == "Use it"


def test_what_stands_behind_an_item_with_a_literal_block_is_no_part_of_that() -> None:
    text = f"* The first way::\n\n      do it\n\n  {BODY}\n* The second way.\n"
    found = kinds(check_laws(text))
    assert found["do it"] is SegmentKind.CODE
    assert found[BODY] is not SegmentKind.CODE


@pytest.mark.parametrize(
    "directive, kind",
    [
        (".. code-block:: python", SegmentKind.CODE),
        (".. parsed-literal::", SegmentKind.CODE),
        (".. note::", SegmentKind.SENTENCE),
    ],
)
def test_of_directives_only_code_is_literal(directive: str, kind: SegmentKind) -> None:
    document = check_laws(f"{BODY}\n\n{directive}\n\n   {BODY.replace('This', 'Each')}\n")
    assert kinds(document)[BODY.replace("This", "Each")] is kind


def test_a_term_of_a_definition_announces_no_literal_block() -> None:
    document = check_laws(
        f"[[use]]\n== Use\n\n--all::\n\n    {BODY}\n\n--none::\n\n    {BODY.replace('This', 'Each')}\n"
    )
    assert kinds(document)[BODY] is SegmentKind.SENTENCE


def test_the_usage_of_a_command_is_one_line_over_all_of_its_lines() -> None:
    usage = "show [-abc] [-o FILE] [--colour WHEN] [--width COLUMNS]\n           [-t TYPE] [--verbose] NAME...\n           [-- ARGUMENTS]"
    document = check_laws(
        f"SHOW(1)   Commands   SHOW(1)\n\nSYNOPSIS\n       {usage}\n       show --version\n\nDESCRIPTION\n       {BODY}\n"
    )
    assert " ".join(usage.split()) in kinds(document)
    assert "show --version" in kinds(document)


def test_what_a_command_may_be_given_may_be_wrapped_and_stand_in_a_column() -> None:
    usage = "ld     [-o output] objfile...\n              [-Aarch] [-b format] [-Bstatic] [-m\n              emulation] [-n|-N]\n              [-d|-dc|-dp]"
    document = check_laws(f"LD(1)   Commands   LD(1)\n\nSYNOPSIS\n       {usage}\n")
    assert " ".join(usage.split()) in kinds(document)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_text_is_a_text_though_most_of_its_lines_are_examples(line_end: str) -> None:
    example = "Output::\n\n    {\n" + '        "Name": "web",\n' * 20 + "    }\n\n"
    title = "**Example {}: To describe one**"
    parts = "".join(f"{title.format(each)}\n\n{BODY}\n\n{example}" for each in range(4))
    document = check_laws(parts.replace("\n", line_end))
    assert kinds(document)[BODY] is SegmentKind.SENTENCE
    assert tree(document)["Output::"] == title.format(3)


@pytest.mark.parametrize(
    "example",
    [
        "    doveadm import -s oops INBOX",
        "```\ndoveadm import -s oops INBOX\n```",
        "E471  >\n    Argument required",
    ],
)
def test_below_an_example_this_is_what_the_example_does(example: str) -> None:
    document = check_laws(
        f"Mails can be restored from the storage.\n\n{example}\n\nThis finds a deleted mail and restores it.\n\nThe index is then made again.\n"
    )
    at = texts_of(document).index("This finds a deleted mail and restores it.")
    assert at - 1 in document.requirements(at)
    assert not document.requirements(at + 1)


def test_a_doctest_is_one_example_of_what_stands_before_it() -> None:
    """docutils: "Doctest blocks"; it is not indented, and what it prints may look like keys, items or sentences."""
    example = ">>> with boat('Ada') as it:\n...     it.sail('north')\n...     it.sail('home')\n>>> print(it)\nlog ONE\n  to the north."
    announced = "What a boat has done can be printed, as it was:"
    document = check_laws(f"Boats\n=====\n\n{announced}\n\n{example}\n\n{BODY}\n")
    assert example in [document.of(index) for index in range(len(document.segments))]
    assert tree(document)[" ".join(example.split())] == announced
