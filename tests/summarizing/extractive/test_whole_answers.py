"""A summary without a model says whole things: an option with its text, no label alone, nothing of a menu, whatever images a title has."""

import re
from functools import cache

import pytest

from summarizing.extractive.concepts import frames
from summarizing.extractive.extractive_summary import extract
from summarizing.text.blocks.images import end_of_words
from summarizing.text.document import Document, Segment, SegmentKind
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer, load_tokenizer, read_vocabulary

MANUAL = """OPTIONS
       -c, --compress
              Pack what is written.  Slow machines take long for this.

       -j number, --jobs=number
              Run up to number copies at a time; the default is 1.  Zero means
              as many as there are processors.  What is written by copies that
              work in parallel may be mixed.

       -q, --quiet
              Say nothing.  Errors are told all the same.

       --sort-by=[FIELD,...]

              Sort the parts by these.  The default order is ascending.

       -z size, --size=size
              Cut files of more than size bytes.  Parts have numbers at the end
              of their names.
"""

BADGES = " ".join(
    f"[![badge {n}](https://img.example/{n}.svg?style=flat)](https://ci.example/{n})" for n in range(9)
)
README = f"""# tool &middot; {BADGES}

{BADGES}

Tool splits large files into parts that fit on a disk. It was written for archives of tapes, and joins the parts again.

## Contents

- [Install](#install)
- [Use of the parts](#use-of-the-parts)

## Install

Copy the file to a folder of your path. Nothing else is needed for it.

## Use of the parts

History

Parts are joined in the order of their names. A part that is missing is named before anything is written.
"""


@cache
def tokenizer() -> Tokenizer:
    return load_tokenizer(read_vocabulary())


def summary(text: str, target: int, query: str = "") -> str:
    return extract(text, target, query, tokenizer()).text


def test_what_is_said_of_an_option_comes_with_the_option_and_what_it_does() -> None:
    found = summary(MANUAL, 70, "work in parallel")
    assert "-j number, --jobs=number" in found
    assert "Run up to number copies at a time" in found
    assert "work in parallel may be mixed" in found


@pytest.mark.parametrize("target", range(20, 120, 10))
def test_an_option_is_never_named_without_what_it_does(target: int) -> None:
    lines = [line for line in summary(MANUAL, target).split("\n") if line]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if line.lstrip().startswith("-"):
            assert following.strip()[:1].isupper(), (line, following)


def test_a_term_that_ends_as_a_sentence_does_is_no_sentence() -> None:
    document = parse(MANUAL)
    above = {document.of(at): document.segments[at].parent for at in range(len(document.segments))}
    assert document.of(above["The default order is ascending."]) == "--sort-by=[FIELD,...]"


def test_options_that_are_asked_for_are_named_where_there_is_no_room_for_what_they_do() -> None:
    found = summary(MANUAL, 40, "options")
    for option in ("--compress", "--jobs=number", "--quiet", "--sort-by=[FIELD,...]", "--size=size"):
        assert option in found


def test_badges_are_no_part_of_a_title() -> None:
    document = parse(README)
    assert document.of(0) == "# tool"
    assert [document.segments[at].is_marginal for at in (1, 2)] == [True, True]
    assert summary(README, 40).startswith("# tool\n\nTool splits large files")


@pytest.mark.parametrize("target", range(30, 110, 10))
def test_contents_badges_and_labels_are_not_in_a_summary_of_everything(target: int) -> None:
    found = summary(README, target)
    assert not {"History", "## Contents", "- [Install](#install)"} & set(found.split("\n"))
    assert "img.example" not in found


def test_entries_of_a_table_of_contents_are_marginal() -> None:
    document = parse(README)
    marginal = [document.of(at) for at, one in enumerate(document.segments) if one.is_marginal]
    assert marginal[2:] == ["- [Install](#install)", "- [Use of the parts](#use-of-the-parts)"]


def test_a_text_of_links_alone_still_has_a_summary() -> None:
    links = "\n\n".join(
        f"[Page {n}](https://example.org/{n}) | [Notes {n}](https://example.org/n{n})" for n in range(30)
    )
    assert "example.org" in summary(links, 60)


@pytest.mark.parametrize(
    "title, words",
    [
        ("# tool", "# tool"),
        ("# tool ![x](y)", "# tool"),
        ("# ![logo](logo.png)", "# ![logo](logo.png)"),
        ("# ![logo](logo.png) tool", "# ![logo](logo.png) tool"),
        ('# tool <a href="u"><img src="v"/></a>', "# tool"),
        ("# tool [![x][y]][z] | [![x](y)](z)", "# tool"),
    ],
)
def test_a_title_ends_before_the_images_behind_it(title: str, words: str) -> None:
    assert title[: end_of_words(title)] == words


QUESTS = "\n\n".join(
    f"## Quest {number}\n\nGiver: Yrsa, level {number}.\n\nThe lamp is {'left' if number % 2 else 'in the hand'}."
    for number in range(11, 41)
)
WIKI = f"""# Lake people

## Yrsa Holm

She refused three offers of terms, ate what everyone ate, and lost her left hand to a falling bracket of the lamp above the gate on the
fortieth day, while the barges that were sent for grain still lay behind the ice and nobody knew whether any of them would come.

{QUESTS}
"""


@pytest.mark.parametrize("target", range(240, 480, 40))
def test_one_long_sentence_that_answers_is_kept_beside_many_short_ones_with_a_word_of_the_query(
    target: int,
) -> None:
    assert "lost her left hand" in summary(WIKI, target, "how did Yrsa lose her left hand")


HELP = """usage: pack [options] file

optional arguments:
  -h, --help            show this help message and exit
  --level LEVEL, --strength LEVEL, -l LEVEL
                        When packing, use so much force as this says
  --parts PARTS
                        Write so many parts. The last of them may be shorter than all others are. Where it would be empty none is written for it.
  --in-place, -i        Pack the file where it stands (no copy is kept)
"""


def test_what_an_option_does_is_never_said_under_another_option() -> None:
    document = parse(HELP)
    above = {document.of(at): document.segments[at].parent for at in range(len(document.segments))}
    assert document.of(above["When packing, use so much force as this says"]).startswith("--level")
    assert document.of(above["Write so many parts."]) == "--parts PARTS"
    assert "--in-place, -i        Pack the file where it stands (no copy is kept)" in above


def test_a_paragraph_that_is_one_link_is_marginal() -> None:
    document = parse(
        "# Tool\n\n[ Logo of the makers ](http://makers.example/)\n\nTool cuts files into parts.\n"
    )
    assert [one.is_marginal for one in document.segments] == [False, True, False]


def test_options_that_nothing_asks_for_are_not_named_without_what_they_do() -> None:
    text = MANUAL + "".join(
        f"\n       --part-{letter}\n              Cut the parts of kind {letter} first.  What is left of these comes behind all others, in the order of names.\n"
        for letter in "abcdefgh"
    )
    told = summary(text, 120, "--compress")
    assert "-c, --compress" in told
    assert not re.search(r"^ *--?\w\S* \[\.\.\.\]$", told, re.MULTILINE)


def test_an_option_that_a_few_words_describe_is_not_named_without_them() -> None:
    pairs = [(f"--part-{letter}", f"Cut the parts of kind {letter} first") for letter in "abcdefghij"]
    text = "OPTIONS\n" + "".join(f"   {option}\n          {said}\n\n" for option, said in pairs)
    told = summary(f"{text}CAPTIONS\n   The captions are kept.\n", 60, "captions").split("\n")
    named = [line.strip() for line in told if line.strip() in dict(pairs)]
    assert 0 < len(named) < len(pairs)
    assert all(dict(pairs)[option] in map(str.strip, told) for option in named)


def test_a_row_of_signs_alone_is_no_candidate() -> None:
    text = "|      +------+\n| ant  | bee  |"
    document = Document(text, [Segment(0, 15, SegmentKind.ROW), Segment(16, len(text), SegmentKind.ROW)])
    assert frames(document, [[], []]) == {0}


def test_indented_commands_of_markdown_are_told_line_by_line() -> None:
    commands = "    pip install -r doc/requirements.txt\n    python make.py docs"
    text = f"# Tool\n\nIt cuts files.\n\n## Docs\n\nTo get started:\n\n{commands}\n\n## Use\n\n- cut\n\n    Cuts a file into parts. Parts have numbers.\n\nThat is all.\n"
    document = parse(text)
    assert commands.strip() in [document.of(at) for at in range(len(document.segments))]
    assert "Parts have numbers." in [document.of(at) for at in range(len(document.segments))]
    assert commands in summary(text, 45, "requirements")
