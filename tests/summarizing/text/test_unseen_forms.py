"""Forms of plain text that are easily taken for others: underlines for fences, items for titles, margins for tables."""

import re

import pytest

from summarizing.extractive.concepts import frames
from summarizing.extractive.rendering import render
from summarizing.facts.text_reading import Reading
from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.lines import read_lines, without_separators
from tests.summarizing.text.test_parsing import check_laws, kinds, texts_of, tree

BODY = "This part says what the thing is and how it is used by those who have it.\n"


@pytest.mark.parametrize("sign", "`~-")
def test_a_line_as_long_as_the_title_above_it_is_no_fence(sign: str) -> None:
    title = "[pycmark parser]" if sign == "-" else "Literal blocks"
    text = "".join(f"{one}\n{sign * len(one)}\n\n{BODY}\n" for one in ("First part", title, "Third part"))
    above = tree(check_laws(text.replace("thing", "word", 1)))
    assert above[" ".join(BODY.split())] == "Third part"
    assert "Third part" in kinds(check_laws(text))


def test_a_line_of_dashes_that_nothing_closes_opens_no_block() -> None:
    titles = "".join(f"{number}. Part\n\n{BODY}\n" for number in range(1, 5))
    document = check_laws(f"Words,\n...of a figure\n--------------------------------\n\n{titles}")
    assert [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING] == [
        f"{number}. Part" for number in range(1, 5)
    ]


@pytest.mark.parametrize("title", ["* MOVING AROUND", "B. A simple example", "* 小结（SUMMARY）", "* 창"])
def test_an_item_that_is_underlined_as_far_as_it_goes_is_a_title(title: str) -> None:
    width = sum(2 if char > "\u2fff" else 1 for char in title)
    document = check_laws(
        f"Overview\n--------\n\n{BODY}\n{title}\n{'-' * width}\n\n{BODY.replace('This', 'Each')}"
    )
    assert tree(document)[" ".join(BODY.replace("This", "Each").split())] == title


def test_a_rule_below_a_list_makes_no_title_of_its_last_item() -> None:
    document = check_laws(f"{BODY}\n- a word\n- another one of the words\n----------\n\n{BODY}")
    assert kinds(document)["- another one of the words"] is SegmentKind.ITEM


def test_a_few_comments_do_not_hide_the_titles_of_an_outline() -> None:
    parts = "".join(f"* Part {name}\n\n** A problem of {name}\n\n{BODY}\n" for name in "abc")
    document = check_laws(f"{parts}  # Install it.\n  sudo install it\n\n  # Run it.\n  sudo run it\n")
    found = kinds(document)
    assert found["* Part b"] is found["** A problem of b"] is SegmentKind.HEADING


def test_stars_over_three_are_no_outline() -> None:
    items = "".join(
        f"Version {number}\n\n* A change of it.\n* Another change.\n\n" for number in range(9, 5, -1)
    )
    document = check_laws(f"*** NEWS FOR ALL ***\n\n{items}")
    assert kinds(document)["* A change of it."] is SegmentKind.ITEM


def test_code_in_an_indented_block_has_no_titles() -> None:
    parts = "".join(
        f"{name}\n{'-' * len(name)}\n\n{BODY}\n   # Make a {name}.\n   make({number})\n\n"
        for number, name in enumerate(("first thing", "second thing", "third thing"))
    )
    found = [one for one, kind in kinds(check_laws(parts)).items() if kind is SegmentKind.HEADING]
    assert found == ["first thing", "second thing", "third thing"]


def test_items_below_dates_are_a_change_log() -> None:
    text = "".join(
        f"2019-{month:02}-04  Ada Byron  <ada@example.org>\n\n\t* main.c: Fix it.\n"
        "\t* copy.c (copy_it): Take the name of the file that\n\tis copied.\n\n"
        for month in range(12, 3, -1)
    )
    document = check_laws(text)
    assert kinds(document)["2019-05-04 Ada Byron <ada@example.org>"] is SegmentKind.HEADING
    assert "* copy.c (copy_it): Take the name of the file that is copied." in texts_of(document)


@pytest.mark.parametrize("sign", ["o", "."])
def test_a_sign_before_each_entry_begins_an_item(sign: str) -> None:
    text = f"Changes\n\n  {sign} New effects were added to the program for those\n    who want them.\n  {sign} Turn it off.\n"
    assert texts_of(check_laws(text))[1:] == [
        f"{sign} New effects were added to the program for those who want them.",
        f"{sign} Turn it off.",
    ]


def test_a_wrapped_line_that_begins_with_o_is_no_item() -> None:
    text = (
        "  Puede mover el cursor con las teclas de flechas de su teclado, con el ratón\n"
        "  o con las letras que se ven en la pantalla de la terminal.\n"
    )
    assert len(texts_of(check_laws(text))) == 1


@pytest.mark.parametrize("end", ["?", "!"])
def test_the_title_of_a_chapter_may_be_a_question_or_a_call(end: str) -> None:
    text = "".join(
        f"Chapitre {number}. Que faire du support{end}\n\n{number}.1. Le début\n\n{BODY}\n"
        for number in (1, 2)
    )
    above = tree(check_laws(text))
    assert above["2.1. Le début"] == f"Chapitre 2. Que faire du support{end}"


def test_the_chapter_behind_the_sections_of_another_one_stands_above_its_own() -> None:
    text = f"3.8. The end\n\n{BODY}\n3.9. The very end\n\n{BODY}\nChapter 4. The next\n\n4.1. Its begin\n\n{BODY}"
    above = tree(check_laws(text))
    assert above["4.1. Its begin"] == "Chapter 4. The next"
    assert above["Chapter 4. The next"] == ""


def test_numbers_further_in_than_those_of_sections_are_items() -> None:
    part = (
        "5.{}. A section\n\n{}        1. Do this first\n\n           Then go on with what is said here.\n\n"
    )
    document = check_laws("".join(part.format(number, BODY) for number in range(1, 5)))
    assert all(
        document.of(number).startswith("5.")
        for number, one in enumerate(document.segments)
        if one.kind is SegmentKind.HEADING
    )


def test_an_unmarked_title_ends_no_section_that_is_underlined() -> None:
    parts = "".join(
        f"2.{number} Part\n========\n\n{BODY}\n'( EXPR )'\n     Force it.\n\n'EXPR , EXPR'\n     Take both.\n\n"
        for number in range(1, 5)
    )
    document = check_laws(f"Guide\n*****\n\n{parts}")
    expr = next(
        number for number, _ in enumerate(document.segments) if document.of(number) == "'EXPR , EXPR'"
    )
    assert "2.1 Part" in [document.of(above) for above in document.above(expr)]


def test_what_hangs_below_its_first_line_comes_with_it() -> None:
    text = (
        "  -dG : disable the use of it for all names that are looked up in files. It\n"
        "    can be used when it is suspected of doing something wrong.\n\n"
        "  -dK : dump the words that are known to it and say where each is used. The\n    list of classes is long. "
        + "It is written after all files were read, and the words in them were looked up. " * 5
        + "\n\n    A good way to stop is to ask for a check of the files that are read.\n"
    )
    document = check_laws(text)
    above = tree(document)
    first = next(one for one in above if one.startswith("-dK"))
    assert above["A good way to stop is to ask for a check of the files that are read."] == first
    assert above["The list of classes is long."] == first


def test_terms_with_tabs_are_one_each() -> None:
    text = (
        "\tC-v\tGo one screen forward\n\tM-v\tGo one screen back\n"
        "\tC-l\tClear the screen and draw all of the text anew, so that the\n"
        "\t\tline of the cursor is in the middle\n"
    )
    assert len(texts_of(check_laws(text))) == 3


def test_justified_lines_are_sentences() -> None:
    text = (
        "       Some  reminders  should be issued periodically for a  certain  time,\n"
        "       then  expire.   For example, suppose you have a class every  Friday,\n"
        "       and that your last class of them is on a day in   the  winter.   You\n"
        "       can use this.\n"
    )
    assert (
        texts_of(check_laws(text))[0]
        == "Some reminders should be issued periodically for a certain time, then expire."
    )


def test_bars_of_a_figure_are_no_margin() -> None:
    figure = "              |\n           Kerberos\n              |\n             RSA\n             auth\n"
    text = f"7. THE STACK\n\n{BODY}\n{figure}\n{BODY}\n8. THE END\n\n{BODY}"
    document = check_laws(text)
    assert "RSA" not in [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING]


def _headings(text: str) -> list[str]:
    document = check_laws(text)
    return [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING]


def test_the_title_of_a_section_may_be_wrapped() -> None:
    long = "3.2. What stands in the way of those who want to have a title on one line"
    text = f"3.1. A short one\n\n{BODY}\n{long}\nof the text\n\n{BODY.replace('This', 'Each')}"
    assert f"{long} of the text" in [" ".join(one.split()) for one in _headings(text)]


def test_releases_with_text_directly_below_are_titles() -> None:
    parts = "".join(
        f"3.{number} ({number} June 1995)\n* A change.\n* Another one.\n\n" for number in (9, 8, 7)
    )
    text = f"{parts}3.6 (1 June 1995)\nJust bugs.\n\n"
    assert _headings(text) == [
        "3.9 (9 June 1995)",
        "3.8 (8 June 1995)",
        "3.7 (7 June 1995)",
        "3.6 (1 June 1995)",
    ]
    assert tree(check_laws(text))["Just bugs."] == "3.6 (1 June 1995)"


def test_paragraphs_that_begin_with_numbers_are_no_releases() -> None:
    parts = "".join(f"{number} people came on {number} May\nand went home.\n\n" for number in (9, 8, 7))
    assert not _headings(parts)


def test_a_section_stands_under_no_title_that_its_number_does_not_begin_with() -> None:
    items = "".join(f"{number}. Step\n\n" for number in range(1, 4))
    text = f"{items}{BODY}\n" + "".join(
        f"5.{number}. Part\n\n{BODY}\n5.{number}.1. Piece\n\n{BODY}\n" for number in (1, 2)
    )
    document = check_laws(text)
    above = tree(document)
    assert above["5.2.1. Piece"] == "5.2. Part"
    assert above["5.2. Part"] == above["5.1. Part"] == ""


def test_signs_before_first_lines_alone_are_no_quotations() -> None:
    text = "".join(
        f"Words about it.\n\n>> Press the key {key}, and then look at what happens to\n   the lines around it.\n\n"
        for key in "abc"
    )
    assert ">> Press the key b, and then look at what happens to the lines around it." in texts_of(
        check_laws(text)
    )


def test_a_command_that_goes_on_with_a_greater_than_sign_is_no_quotation() -> None:
    document = check_laws(
        f"* Change the file.\n\n    $ cd ..\n    $ sed -e s/1/2/ old \\\n        >new\n\n* Build it.\n\n{BODY}"
    )
    text = render(document, range(len(document.segments)))
    assert "        >new" in text.split("\n")


def test_comments_in_an_example_are_no_titles() -> None:
    titles = "".join(f"{name} it\n------\n\n{BODY}\n" for name in ("Make", "Find"))
    document = check_laws(
        f"{titles}Add these lines:\n\n##\n## Post\n##\n\n:0\n* ^From: me\n\nKeep it\n-------\n\n{BODY}"
    )
    assert [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING] == [
        "Make it",
        "Find it",
        "Keep it",
    ]


def test_a_reference_goes_on_at_the_column_where_its_text_begins() -> None:
    one = """\
   [RFC{0}]          Josefsson, S., "The Base16, Base32, and Base64
                      Data Encodings", RFC {0}, October 2006.

"""
    document = check_laws(f"References\n==========\n\n{one.format(3548)}{one.format(4648)}")
    assert texts_of(document)[1:] == [" ".join(one.format(number).split()) for number in (3548, 4648)]


LEADS = [
    "2015.12.{0:02} - The {0}. release, which is the first one of a new series of them,",
    "Q: Who is number {0}, and what do they have to do with what the name server says",
]


@pytest.mark.parametrize("lead", LEADS)
def test_first_lines_of_hanging_paragraphs_are_no_titles(lead: str) -> None:
    entries = "".join(
        f"{lead.format(number)}\n    is now available to all who want it. It is said\n    that it has few faults, and none of them is large.\n\n"
        for number in range(9, 3, -1)
    )
    document = check_laws(entries)
    assert SegmentKind.HEADING not in kinds(document).values()
    whole = f"{lead.format(7)} is now available to all who want it."
    assert any(one.startswith(whole) for one in texts_of(document))


def test_wrapped_text_in_columns_is_no_table() -> None:
    lines = "CLIENT   -- Says who is connected and who is gone\n            on a server.  It is there when all was begun\n            with the option.  A client\n            has a line of its own.  See\n            the section below for all.\n"
    assert SegmentKind.ROW not in kinds(check_laws(f"{BODY}\n{lines}\n{BODY}")).values()


def test_a_year_at_the_end_of_an_item_is_part_of_it() -> None:
    text = f"{BODY}\n  * another fault that many had to do with was announced on 21 July\n    2005.\n\n{BODY}"
    assert any(one.endswith("21 July 2005.") for one in texts_of(check_laws(text)))


def test_words_of_korean_take_two_columns_a_letter() -> None:
    text = "한 화면을 움직이는 것은 유용합니다만 화면의 한 글월내에서 어떻게\n정해진 장소로 움직일 수 있겠습니까?\n"
    asked = ">> 키를 눌러서 깜박이를 화면의 밑바닥 아래로 움직여서, 어떤 일이\n   발생하는가를 보십시오.\n"
    wide = f"{BODY[:70]}\nof it.\n\n" * 9
    found = texts_of(check_laws(f"{wide}{text}\n{asked}\n{wide}"))
    assert {" ".join(one.split()) for one in (text, asked)} <= set(found)


def test_an_appendix_ends_the_chapter_before_it_in_chinese_too() -> None:
    parts = "".join(
        f"{title}\n\n{BODY}\n"
        for title in ("第 8 章 下一步", "8.1. 修复系统", "附录 A. 安装指南", "附录 B. 自动安装")
    )
    document = check_laws(parts.replace("thing", "word", 1))
    above = tree(document)
    assert above["附录 A. 安装指南"] == above["第 8 章 下一步"] == ""


@pytest.mark.parametrize(
    "text, segment",
    [
        (
            (
                'The default help file name is "/usr/local/lib/vim/help.txt"\n'
                'The files "$HOME/.vimrc" and "$HOME/.exrc" are used instead of "s:.vimrc" and\n'
                '"s:.exrc".  Additionally "/usr/local/etc/vimrc" is used first.\n'
                'If "/usr/local/share" exists it is used instead of "/usr/local/lib".\n'
            ),
            (
                'The files "$HOME/.vimrc" and "$HOME/.exrc" are used instead of "s:.vimrc" and "s:.exrc". '
                'Additionally "/usr/local/etc/vimrc" is used first.'
            ),
        ),
        (
            (
                "-- The --control / -C switch will make mpg123 abort now if terminal\n"
                "   control cannot be enabled.\n-- Revert to internal network code for plain HTTP.\n"
            ),
            "-- The --control / -C switch will make mpg123 abort now if terminal control cannot be enabled.",
        ),
        (
            "\tUse the values of --min-port and --max-port in outgoing\n\tTCP connections to upstream DNS servers.\n",
            "Use the values of --min-port and --max-port in outgoing TCP connections to upstream DNS servers.",
        ),
        (
            (
                "A: The DHCP client on windows Vista (and possibly later versions)\n"
                "   demands that the DHCP server send replies as broadcasts. Most other\n"
                "   clients don't do this.\n"
            ),
            (
                "A: The DHCP client on windows Vista (and possibly later versions) demands that the DHCP server send "
                "replies as broadcasts. Most other clients don't do this."
            ),
        ),
        (
            (
                ">> C-SPC\ub97c \uce58\uc2dc\uc624.  \uc774\ub9e5\uc2a4\ub294 \ud654\uba74\uc758 \ubc14\ub2e5\uc5d0 "
                '"Mark set"\uc774\ub77c\ub294 \uc54c\ub9bc\ub9d0\uc744\n   \ubcf4\uc5ec\uc904 \uac83\uc785\ub2c8\ub2e4.\n'
                ">> C-w\ub97c \uce58\uc2dc\uc624.\n"
            ),
            (
                ">> C-SPC\ub97c \uce58\uc2dc\uc624. \uc774\ub9e5\uc2a4\ub294 \ud654\uba74\uc758 \ubc14\ub2e5\uc5d0 "
                '"Mark set"\uc774\ub77c\ub294 \uc54c\ub9bc\ub9d0\uc744 \ubcf4\uc5ec\uc904 \uac83\uc785\ub2c8\ub2e4.'
            ),
        ),
    ],
)
def test_a_sentence_that_goes_on_in_the_next_line_is_not_cut_there(text: str, segment: str) -> None:
    # Excerpts of Vim's help, the change logs of mpg123 and dnsmasq, dnsmasq's FAQ, Emacs' tutorial.
    assert segment in texts_of(check_laws(text))


def test_an_indented_example_comes_with_the_sentence_before_it() -> None:
    document = check_laws(
        "The shell expands it for each file that is there.\n\n    indent $i.c -o $i.o\n\nIt works for one, too.\n\n"
        "File triggers have names of the form\n\n    /path/to/file\n\nand are activated by any change there.\n"
    )
    above = tree(document)
    assert above["indent $i.c -o $i.o"] == "The shell expands it for each file that is there."
    assert above["/path/to/file"] == "File triggers have names of the form"
    last = len(document.segments) - 1
    assert document.of(last).startswith("and are")
    assert "File triggers have names of the form" in map(document.of, document.requirements(last))


def test_an_example_directly_below_a_sentence_comes_with_it() -> None:
    # From Vim's help.
    text = (
        "For historic reasons terminal updating under Unix is expected to be slow (e.g.\n"
        "serial line terminal, shell window in suntools), the 'showcmd' and 'ruler'\n"
        "options are off by default.  If you have a fast terminal, try setting them\non: >\n\tset showcmd ruler\n\n"
        "When using Vim in an xterm the mouse clicks can be used by Vim by setting\n'mouse' to \"a\".\n"
    )
    document = check_laws(text)
    lead = "If you have a fast terminal, try setting them on: >"
    assert tree(document)["set showcmd ruler"] == lead
    assert texts_of(document).index(lead) in frames(document, Reading(document).facts_of)


def test_link_targets_over_two_lines_weigh_little() -> None:
    text = f"{BODY}\n[`http.maskData()`]:\n  https://nodejs.org/api/http.html#mask\n[changes]: https://example.org/changes\n"
    assert [one.is_marginal for one in check_laws(text).segments] == [False, True, True, True]


OPTIONS = """\
OPTIONS
       Options start with one or two dashes, and many of them need a value next to them.

       --create-file-mode <mode>
              (SFTP SCP FILE) When curl is used to create files remotely, this says which mode to set.

              Example:
               curl --create-file-mode 0777 -T localfile sftp://example.com/new

              See also --ftp-create-dirs.

       --crlf (FTP SMTP) Convert LF to CRLF in upload. Useful for MVS (OS/390).

              (SMTP added in 7.40.0)

              Example:
               curl --crlf -T file ftp://example.com/

              See also -B, --use-ascii.

       --crlfile <file>
              (TLS) Provide a file using PEM format with a list of certificates.

              Example:
               curl --crlfile rejects.txt https://example.com

              See also --cacert and --capath.
"""


def test_a_lead_in_within_indented_text_is_no_title_of_what_follows_its_example() -> None:
    document = check_laws(OPTIONS)
    assert kinds(document)["Example:"] is not SegmentKind.HEADING
    assert tree(document)["curl --crlfile rejects.txt https://example.com"] == "Example:"
    assert tree(document)["See also --ftp-create-dirs."] == "--create-file-mode <mode>"


def test_contents_with_two_signs_a_line_make_no_csv_of_the_text_below_them() -> None:
    contents = "".join(f"{number}. Part {number}\t\t|part-{number}|\n" for number in range(1, 30))
    paragraphs = "".join(f"{BODY.replace('thing', f'thing {number}')}\n" for number in range(150))
    document = check_laws(f"A guide\n{contents}\n{paragraphs}")
    assert SegmentKind.ROW not in {segment.kind for segment in document.segments[-100:]}


MANUAL_PAGE = """\
COPY(1)                      General Commands Manual                     COPY(1)

NAME
       copy - take a file somewhere else

DESCRIPTION
       The program copies what it is given to the place that comes last.

   Options.
       Each of them may stand before the names or behind them.

       -a     Copy all that there is in it.

       PLACES
              A list of places.

   Results
       There is one for each of the files that were named.

ENVIRONMENT
       HOME   Where it begins.

copy 2.1                         4 March 2021                            COPY(1)
"""


def with_tabs(page: str) -> str:
    """Return a page as `col` writes it: a tab in place of two spaces or more up to the next eighth column."""
    lines = ([line[at : at + 8] for at in range(0, len(line), 8)] for line in page.split("\n"))
    return "\n".join("".join(re.sub(" {2,8}$", "\t", part) for part in line) for line in lines)


@pytest.mark.parametrize("page", [MANUAL_PAGE, with_tabs(MANUAL_PAGE)], ids=["spaces", "tabs"])
def test_headings_of_a_manual_page_are_told_by_their_indentation(page: str) -> None:
    document = check_laws(page)
    above = tree(document)
    headings = [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING]
    assert headings == ["NAME", "DESCRIPTION", "Options.", "Results", "ENVIRONMENT"]
    assert above["Options."] == above["Results"] == "DESCRIPTION"
    assert above["HOME Where it begins."] == "ENVIRONMENT"


def test_headings_of_a_manual_page_may_stand_directly_below_others() -> None:
    document = check_laws(MANUAL_PAGE.replace("ENVIRONMENT\n", "ENVIRONMENT\n   Places\n"))
    above = tree(document)
    headings = [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING]
    assert headings[3:] == ["Results", "ENVIRONMENT", "Places"]
    assert (above["Places"], above["HOME Where it begins."]) == ("ENVIRONMENT", "Places")


def test_a_heading_of_a_manual_page_over_two_lines_is_not_two() -> None:
    first = "What is done where neither the one nor the other of the places can"
    document = check_laws(MANUAL_PAGE.replace("   Results\n", f"   {first}\n   be found\n"))
    assert all(kind is not SegmentKind.HEADING for one, kind in kinds(document).items() if first in one)


def test_the_first_and_the_last_line_of_a_manual_page_come_with_nothing() -> None:
    document = check_laws(f"{MANUAL_PAGE}\n{MANUAL_PAGE.replace('COPY', 'MOVE')}")
    around = [at for at, one in enumerate(document.segments) if one.is_marginal]
    assert [document.of(at)[:4] for at in around] == ["COPY", "copy", "MOVE", "copy"]
    assert frames(document, Reading(document).facts_of).issuperset(around)


def test_the_last_line_of_a_manual_page_without_a_version_comes_with_nothing() -> None:
    *page, _ = MANUAL_PAGE.rstrip().split("\n")
    foot = f"{'2020-04-27':>38}{'COPY(1)':>34}"
    document = check_laws("\n".join([*page, foot, ""]))
    assert [document.of(at)[:4] for at, one in enumerate(document.segments) if one.is_marginal] == [
        "COPY",
        "2020",
    ]


def test_entries_of_a_change_log_are_wrapped_where_names_in_parentheses_begin_them() -> None:
    entries = (
        "\t* lib/copy.c (copy_model_t): Add cm_xterm.\n\t(copy_to_term): New function.\n"
        "\t(copy_change, bg_change, term::copy_to): Handle\n\tcm_xterm.\n\t(copy_attr): Set also active_attr,\n\tactive_bg.\n"
    )
    text = "".join(
        f"2019-{month:02}-04  Ada Byron  <ada@example.org>\n\n{entries}\n" for month in range(12, 3, -1)
    )
    assert "(copy_change, bg_change, term::copy_to): Handle cm_xterm." in texts_of(check_laws(text))


def test_an_exclamation_mark_may_be_the_sign_of_an_item() -> None:
    document = check_laws(
        'Version 2\n\n  + A new option of it.\n  ! In the browser ".." is kept.\n  ! The order has\n    changed.\n'
    )
    assert '! In the browser ".." is kept.' in texts_of(document)


def test_what_stands_below_an_items_text_goes_on_with_its_sentence() -> None:
    text = (
        "* a part\n  - one of it that is here\n    * deeper one, first\n    * deeper one, second\n"
        "  - do not use the rules of Nets on a request if it is\n    Net that was disabled\n"
        "    * deeper one, third\n* other part\n  - other\n    * deeper one, fourth\n  - others\n    * deeper one, fifth\n"
    )
    assert "- do not use the rules of Nets on a request if it is Net that was disabled" in texts_of(
        check_laws(text)
    )


def test_days_with_long_names_directly_over_items_are_titles() -> None:
    text = "".join(
        f"2023-{month:02}-18 Augusta Ada King Byron <ada.king.byron@example.org>\n\t* Fix it in {month}\n\n"
        for month in range(12, 3, -1)
    )
    above = tree(check_laws(text))
    assert above["* Fix it in 7"] == "2023-07-18 Augusta Ada King Byron <ada.king.byron@example.org>"


def test_a_rule_ends_no_section_with_an_underlined_title() -> None:
    rule = "*" * 77
    parts = "".join(
        f"Changes in {number}\n------------\n\n{rule}\n\n1. Item {number}.\n\n{BODY}\n"
        for number in (3, 2, 1)
    )
    above = tree(check_laws(parts))
    assert above["1. Item 2."] == "Changes in 2"


def test_an_indented_line_is_no_title_where_titles_are_underlined() -> None:
    parts = "".join(
        f"{name}\n{'-' * len(name)}\n\n{BODY}\n::\n\n     ------ Buffer: foo ------\n     It is {name}.\n     ------ Buffer: foo ------\n\n"
        for name in ("first thing", "second thing", "third thing")
    )
    found = [one for one, kind in kinds(check_laws(parts)).items() if kind is SegmentKind.HEADING]
    assert found == ["first thing", "second thing", "third thing"]


def test_a_row_of_columns_goes_on_below_its_second_cell() -> None:
    short = "".join(
        f"       ^{sign}        Move  to  {sign} at once.\n" for sign in "ABCDEFGHIJKLMNOPQRSTUVW"
    )
    long = (
        "       M-x       Soft-key  -  Your  list is searched for a name by the\n"
        "                 name  of it and if that is defined, its value will be\n"
        "                 inserted.\n"
    )
    document = check_laws(f"{BODY}\n{short}{long}       ^X        Exit.\n")
    assert kinds(document)[" ".join(long.split())] is SegmentKind.ROW


def test_what_is_indented_below_items_of_few_words_goes_on_with_them() -> None:
    item = "*  arjsfx.c, arjtypes.c, environ.h, rearj.c,\n   arj_arcv.c, arj_file.c:\n   Merged with the code of 2004 and\n   TAB fixes."
    text = f"Version 3\n=========\n\n{item}\n\nVersion 2\n=========\n\n{BODY}"
    assert kinds(check_laws(text))[" ".join(item.split())] is SegmentKind.ITEM


@pytest.mark.parametrize("between", ["In this case:", "> mail it\ndoes not get corrected."])
def test_numbers_that_count_on_begin_items(between: str) -> None:
    text = f"It is so:\n5. NULL the words of the list, since it is used in\n   words of it.\n{between}\n4. renamed it to test\n3. rewrote it to use what is kept. The code was\n   too messy.\n"
    found = texts_of(check_laws(text))
    assert "4. renamed it to test" in found
    assert "3. rewrote it to use what is kept. The code was too messy." in found


def test_an_item_directly_below_the_title_of_a_release_is_no_part_of_it() -> None:
    text = "".join(
        f"V6.{number}, 12/{number}/91 [for all]\n22. Restore the prompt when the user\n    asks to do so.\n21. Better error for files.\n\n"
        for number in range(9, 4, -1)
    )
    found = kinds(check_laws(text))
    assert found["V6.7, 12/7/91 [for all]"] is SegmentKind.HEADING
    assert found["22. Restore the prompt when the user asks to do so."] is SegmentKind.ITEM


def test_lines_that_begin_with_a_word_and_parentheses_are_no_names() -> None:
    text = "Names should only be of the lower case characters ([a-z]),\nunderscore (_), dash (-) and slashes (/). Note that\ndot (.) are specifically not allowed in a name."
    assert "Note that dot (.) are specifically not allowed in a name." in texts_of(check_laws(text))


@pytest.mark.parametrize(
    "text",
    [
        "    Most of the config files of this tool are concerned with writing\n  SQL tables, and generate several templates.\n  These are of four kinds.\n",
        "    The basic handler is used in the implementation of the tables of\n  TCP (mib/tcpTable), and the\n  context (mib/context) and in various others\n  internals (agent/any).  These show how it is done.\n",
        "  RECOVER = A string explaining how to recover a game  on  this\n  system (no default value).\n",
    ],
)
def test_a_sentence_over_lines_that_look_like_others_is_not_cut(text: str) -> None:
    # Excerpts of Net-SNMP's FAQ and the guide to NetHack.
    found = texts_of(check_laws(f"{BODY}\n{text}\n{BODY}"))
    first = " ".join(text.split()).partition(". ")[0].rstrip(".") + "."
    assert first in found


def test_a_command_at_a_prompt_does_not_go_on_in_what_it_prints() -> None:
    text = (
        '\t$ snmpset -v1 -c public localhost sysLocation.0 s "right here"\n\tError in packet.\n'
        "\tReason: (noSuchName) There is no such variable name in this MIB.\n"
    )
    assert "Error in packet." in texts_of(check_laws(f"{BODY}\n{text}\n{BODY}"))


@pytest.mark.parametrize(
    "lead_in", ["这些命令使用 3 个分支来跟踪打包操作：", "以下 3 个文件：", "これらの 3 個"]
)
def test_a_sentence_of_chinese_with_a_count_is_no_title(lead_in: str) -> None:
    parts = "第 6 章 构建软件包\n\n{0}\n6.5. 相似命令\n\n{0}\n{1}\n\n  * main 用于源码树。\n\n6.6. 快速重构建\n\n{0}\n"
    assert tree(check_laws(parts.format(BODY, lead_in)))[lead_in] == "6.5. 相似命令"


def test_records_between_percent_signs_stand_under_their_own_first_lines() -> None:
    text = "%\n".join(
        f"Recipe: Soup of {name}\n Kind: Soups\n For:       {at} of you\n Takes:     300 g {name}\n            Salt\n"
        f" Cook the {name} in water. Put in the salt, and stir the soup\n until it is done.\n"
        for at, name in enumerate(("leek", "fish", "peas", "rice"), 3)
    )
    document = check_laws(text)
    above = tree(document)
    for name in ("leek", "fish", "peas", "rice"):
        assert above[f"Takes: 300 g {name} Salt"] == f"Recipe: Soup of {name}"
        assert above[f"Cook the {name} in water."] == f"Recipe: Soup of {name}"
    rendered = render(document, range(len(document.segments))).splitlines()
    assert {"Kind: Soups", "For:       5 of you", "Takes:     300 g peas"} <= set(map(str.strip, rendered))


POD = """\
=head1 DESCRIPTION

Words that are used in the description of the language, and what they mean.

=head2 A

=over 4

=item alias

A nickname for something, which behaves in all ways as the name does.

=over 4

=item * The first kind of it

=item * Another one

=back

Temporary ones are created in the loops of all the lists.

=item array

An ordered sequence of values, stored so that you can get at them by number.

=back

All others are told of in another place, which has more of them.
"""


def test_descriptions_in_perl_s_documentation_stand_under_their_terms_alone() -> None:
    above = tree(check_laws(POD))
    assert above["A nickname for something, which behaves in all ways as the name does."] == "=item alias"
    assert above["Temporary ones are created in the loops of all the lists."] == "=item alias"
    values = "An ordered sequence of values, stored so that you can get at them by number."
    assert above[values] == "=item array"
    assert above["=item array"] == above["=item alias"] == "=head2 A"
    others = "All others are told of in another place, which has more of them."
    assert above[others] == "=back"


def test_a_rule_of_underscores_is_no_part_of_the_line_above_it_and_makes_no_title_of_it() -> None:
    found = kinds(
        check_laws(f"{BODY}\nEnd of the terms\n     {'_' * 65}\n\n{BODY}\nAda\n{'_' * 47}\nBoats\n")
    )
    assert not any("_" in one for one in found)
    assert found["Ada"] is not SegmentKind.HEADING
    assert "End of the terms" in found


def test_fields_of_records_are_not_wrapped_text() -> None:
    text = (
        "Vorbereitungszeit: 2 Stunden (Marinieren)\nZubereitungszeit: ca. 45 Minuten\nDie Schenkel waschen, trockentupfen und in drei El Öl in einer\n"
        "Pfanne anbraten. Sie sind gar, wenn sie auf beiden Seiten braun\nsind.\n"
    )
    found = texts_of(check_laws(f"{BODY}\n{text}\n{BODY}"))
    assert {"Vorbereitungszeit: 2 Stunden (Marinieren)", "Zubereitungszeit: ca. 45 Minuten"} <= set(found)
    assert "Sie sind gar, wenn sie auf beiden Seiten braun sind." in found


def test_names_with_numbers_behind_them_are_not_wrapped_text() -> None:
    names = "          foo_get_name@Base 1.1\n          foo_get_longname@Base 1.2\n          foo_get_type@Base 1.1\n"
    text = f"        dpkg-gensymbols: warning: some new symbols appeared in the symbols file: ...\n         see output below\n        @@ -127,6 +127,7 @@\n{names}"
    assert "foo_get_longname@Base 1.2" in texts_of(check_laws(f"{BODY}\n{text}\n{BODY}"))


def test_a_percent_sign_between_comments_ends_nothing() -> None:
    lines = read_lines("% Set the size.\n%\n% And the place of it.\n%\nsize = 3\n")
    assert without_separators(lines) == lines


def test_what_a_sign_means_stands_behind_it_in_the_same_sentence() -> None:
    text = "The signs are:\n\n     ~.      Ends the session.\n\n     ~?      Displays a list of signs.\n"
    assert "~? Displays a list of signs." in texts_of(check_laws(text))


def headings_of(text: str) -> list[str]:
    return [one for one, kind in kinds(check_laws(text)).items() if kind is SegmentKind.HEADING]


def test_a_drawing_s_line_of_tildes_opens_no_fence() -> None:
    drawing = "\t    | one = 1   |\n\t    ~~~~~~~~~~~~~ |\n\t    | last = 9  |---.\n"
    parts = "".join(f"== Part {name}\n\n{BODY}\n{drawing}\n" for name in "abc")
    assert headings_of(parts) == ["== Part a", "== Part b", "== Part c"]


def test_a_fence_in_an_item_of_an_item_is_one() -> None:
    text = f"{BODY}\n- one\n    - two:\n\n      ~~~~ sh\n      # It runs.\n      run it\n      ~~~~\n"
    fenced = "~~~~ sh\n      # It runs.\n      run it\n      ~~~~"
    assert kinds(check_laws(text))[" ".join(fenced.split())] is SegmentKind.CODE


def test_a_comment_of_an_example_does_not_hide_numbered_titles() -> None:
    parts = "".join(
        f"{chapter}. Chapter of it\n\n{BODY}\n{chapter}.1. First part\n\n{BODY}\n{chapter}.2. Next part\n\n{BODY}\n"
        for chapter in (1, 2, 3)
    )
    found = headings_of(f"{parts}Write so:\n\n# What is left out.\nignore it\n\n{BODY}")
    assert [one for one in found if one[0] in "123"] == [
        f"{chapter}.{rest}"
        for chapter in (1, 2, 3)
        for rest in (" Chapter of it", "1. First part", "2. Next part")
    ]


def test_a_page_of_markdown_may_begin_with_html() -> None:
    badges = (
        '  <a href="http://example.org/a">\n    <img\n      src="https://example.org/b.svg"\n    />\n  </a>\n'
        * 6
    )
    code = "```js\nimport { a } from 'b';\nuse(a);\n```\n"
    text = f"<p align=center>\n{badges}</p>\n\n## What is it?\n\n{BODY}\n## Installation\n\n{code}\n## Usage\n\n{code}"
    assert headings_of(text) == ["## What is it?", "## Installation", "## Usage"]


def test_a_manual_page_is_text_whatever_its_lines_look_like() -> None:
    calls = "       It calls open(2) and then read(2)\n       close(2);\n\n       int see(int);\n\n" * 6
    text = f"SEE(2)          Calls          SEE(2)\n\nNAME\n       see - sees\n\nUSE\n{calls}"
    assert headings_of(text) == ["NAME", "USE"]


def test_entries_of_contents_with_numbers_of_several_parts_are_items() -> None:
    contents = "1. What it is\n    1.1. What is it?\n    1.2. Who has made it, and for whom was\n    it made? Who pays?\n        1.2.1. Why?\n2. Use of it\n"
    found = texts_of(check_laws(f"Contents\n\n{contents}\n{BODY}"))
    assert "1.1. What is it?" in found
    assert "1.2. Who has made it, and for whom was it made? Who pays?" in found
    assert "1.2.1. Why?" in found


def test_names_of_what_has_changed_are_one_item_with_what_is_said_of_them() -> None:
    text = "".join(
        f"2011-12-{day}  Ada Byron  <ada@example.org>\n\n\t* see.el (see-one)\n\t(see-two, see-three): Take it as it is.\n"
        "\t(see-four): Likewise.\n\t* hear.c (HEAR_SIZE, hear_it,\n\t(hear_all): Adds one.\n\n"
        for day in range(29, 20, -1)
    )
    found = texts_of(check_laws(text))
    assert "* see.el (see-one) (see-two, see-three): Take it as it is." in found
    assert "(see-four): Likewise." in found
    assert "* hear.c (HEAR_SIZE, hear_it, (hear_all): Adds one." in found


@pytest.mark.parametrize(
    "item",
    [
        "* Src/utils.c: Interrupt the loop when any of the flags is set; Sven,\n\t6926.",
        ". Support for points: A value of the register that is larger is divided by\n\t1000.  It is whole then.",
    ],
)
def test_a_number_in_an_item_s_sentence_begins_none(item: str) -> None:
    text = f"Changes\n\n\t* Src/a.c: Fix it.\n\n\t{item}\n\n\t* Src/b.c: Fix it, too.\n"
    assert " ".join(item.split()) in texts_of(check_laws(text))


@pytest.mark.parametrize(
    "text",
    [
        "STANDARDS\n\n       C89 specifies isalnum(), isalpha(), isblank(), iscntrl(),\n       isdigit(), isgraph(), and isupper()  (as an XSI extension).\n       C99 specifies all of them.\n",
        "It says:\n\n    filter[1426]: X-Bogosity: Spam, spamicity=0.998918,\n      register -s, 329 words\n",
    ],
)
def test_a_long_line_that_ends_with_a_comma_goes_on(text: str) -> None:
    assert not [one for one in texts_of(check_laws(text)) if one.endswith(",")]


def test_a_setting_is_no_part_of_the_comment_above_it() -> None:
    comments = f"# {BODY}# {BODY}\n" * 3
    text = f"{comments}# The name of the file to which it is all written\nfilename out.rdb\n\n{comments}"
    assert "filename out.rdb" in texts_of(check_laws(text))


def test_a_title_in_capitals_over_two_lines_is_one_title() -> None:
    titles = [
        "SCHOOLS AND THE WORK OF ALL WHO\nTEACH IN THEM",
        "THE ECONOMY",
        "EQUAL RIGHTS FOR ALL\nAMERICANS",
    ]
    found = headings_of("".join(f"{title}\n\n{BODY}\n" for title in titles))
    assert found == [" ".join(title.split()) for title in titles]


def test_an_example_below_a_line_that_announces_it_is_no_title() -> None:
    parts = "".join(
        f"FINDING {name}\n\nIt finds any of them. Find only one with:\n\n\t[{name[0]}\n\n{BODY}\n"
        for name in ("WORDS", "NAMES", "LINES")
    )
    assert headings_of(parts) == ["FINDING WORDS", "FINDING NAMES", "FINDING LINES"]


def test_a_section_s_chapter_is_not_the_version_on_the_first_page() -> None:
    parts = "".join(
        f"Глава {chapter}. Что это\n\n{chapter}.1. Первое\n\n    {BODY}\n{chapter}.2. Второе\n\n    It is {chapter}.\n\n"
        for chapter in (1, 2, 3)
    )
    document = check_laws(
        f"Questions\n\nAn Author\n\nVersion 11.0\n\n{BODY}\nJanuary 2021\n\n{BODY}\n{parts}"
    )
    above = tree(document)
    assert above["It is 2."] == "2.2. Второе"
    assert above["2.2. Второе"] == above["2.1. Первое"] == "Глава 2. Что это"


def test_tags_alone_say_nothing_of_the_heading_above_them() -> None:
    text = "".join(f'<a id="{name}"></a>\n\n### `{name}`\n\n{BODY}\n' for name in ("ONE", "TWO", "THREE"))
    document = check_laws(f"# Codes\n\n{text}")
    tags = {index for index, _ in enumerate(document.segments) if document.of(index).startswith("<a")}
    assert len(tags) == 3
    assert tags <= frames(document, Reading(document).facts_of)


@pytest.mark.parametrize(
    "sentence", ["It was noted as ( ? ).. to keep it.", "Both came to 3 as ? .... any thoughts on it?"]
)
def test_no_sentence_begins_with_dots_or_a_closing_sign(sentence: str) -> None:
    assert sentence in texts_of(check_laws(f"That is known. {sentence} There are two of them.\n"))


def test_a_brace_with_the_name_of_a_type_ends_what_stands_above_it() -> None:
    fields = "".join(f"  uint64_t counter_{number};\n" for number in range(3))
    text = f"#include <stdint.h>\n\ntypedef union epoll_data\n{{\n{fields}}} epoll_data_t;\n\nstruct event\n{{\n{fields}}} PACKED;\n"
    found = texts_of(check_laws(text))
    assert [one.split()[-1] for one in found] == ["<stdint.h>", "epoll_data_t;", "PACKED;"]
    assert found[1].startswith("typedef")


QUOTED_TITLE = (
    "# Boats\n\n## Oars\n\n### Light ones\n\nThey are made of ash.\n\n> ## Note\n> This is said of the new ones\n> alone.\n>\n"
    "> It holds everywhere.\n\nThey float.\n\n### Heavy ones\n\nThey are made of oak.\n\n## Sails\n\nThey are made of linen.\n"
)


def test_a_title_in_a_quotation_ends_no_section_and_stands_over_the_rest_of_it_alone() -> None:
    above = tree(check_laws(QUOTED_TITLE))
    assert above["They float."] == above["## Note"] == "### Light ones"
    assert above["This is said of the new ones > alone."] == above["It holds everywhere."] == "## Note"
    assert above["### Heavy ones"] == "## Oars"


def test_what_is_quoted_below_a_title_comes_only_with_it() -> None:
    body = "The crew has looked at what there was to see of\n> the {}, and it has told the owner of all that\n> it found there."
    things = {"# Boats": "boat", "## Oars": "oar", "## Sails": "sail"}
    parts = "".join(f"> {title}\n\n> {body.format(thing)}\n\n" for title, thing in things.items())
    above = tree(
        check_laws(f"Ada wrote to the crew some days ago:\n\n{parts}\nI have nothing to add to it.\n")
    )
    assert [above[" ".join(body.format(thing).split())] for thing in things.values()] == list(things)


def test_a_title_alone_below_a_rule_that_recurs_ends_what_stood_above() -> None:
    names = {"AOM": "boat", "FREETYPE": "oar", "Zlib": "sail", "Zstd": "mast"}
    parts = [
        f"{name}\n\nLicence of {word}s\n----------------\n\n{BODY.replace('thing', word)}"
        for name, word in names.items()
    ]
    document = check_laws("\n\n----\n\n".join(["The whole is free.\n", *parts]))
    above = tree(document)
    assert [above[f"Licence of {word}s"] for word in names.values()] == list(names)
    assert above["AOM"] == above["Zstd"] == ""


def test_what_the_parts_below_one_rule_are_parted_by_stands_below_its_titles() -> None:
    files = "".join(
        f"\n{'-' * 60}\n\nFiles: {name}.c\n\n{BODY.replace('thing', name)}"
        for name in ("boat", "oar", "sail")
    )
    text = "".join(
        f"----\n\n{name}\n\n{BODY.replace('thing', name)}{files if name == 'AVIF' else ''}\n"
        for name in ("AOM", "AVIF", "RAQM")
    )
    above = tree(check_laws(text))
    assert above["Files: oar.c"] == "AVIF"
    assert above["RAQM"] == ""


def test_what_opens_each_part_between_rules_names_its_release_over_numbers_that_begin_anew() -> None:
    parts = [
        f"This is what is new in Boat {at}.2 since\nthe release of Boat {at}.1, and the log of it has all the rest in its many lines, which anybody may read at home.\n\n"
        f"1. New Features of Hulls\n\na. The hull of {wood} is light.\n\n2. New Features of Sails\n\na. The sail of {wood} is wide.\n\n"
        for at, wood in zip(range(9, 5, -1), ("ash", "oak", "elm", "fir"), strict=True)
    ]
    document = check_laws(f"{'-' * 79}\n".join(parts))
    hull = texts_of(document).index("a. The hull of elm is light.")
    above = [document.of(at) for at in document.above(hull)]
    assert [one.partition(" since")[0] for one in above] == [
        "1. New Features of Hulls",
        "This is what is new in Boat 7.2",
    ]


def test_paragraphs_that_begin_alike_below_some_rules_stand_over_no_other_part() -> None:
    copper = [
        f"The price of copper rose by {at} percent, as a strike went on.\n\nDealers expect no change."
        for at in (3, 5, 2)
    ]
    wheat = "Wheat fell for the third month in a row.\n\nBakers have ordered their flour."
    document = check_laws("\n\n----------\n\n".join([*copper, wheat]) + "\n")
    assert not [*document.above(texts_of(document).index("Bakers have ordered their flour."))]


def test_bold_titles_stand_below_those_that_are_underlined() -> None:
    parts = "".join(
        f"Part {name}\n------\n\n{BODY.replace('thing', name)}\n**Words on {name}**\n\n{BODY.replace('thing', name * 2)}\n"
        for name in ("aa", "bb", "cc")
    )
    above = tree(check_laws(f"Tool\n====\n\n**Sponsors**\n\n{BODY}\n{parts}"))
    assert [above[f"Part {name}"] for name in ("aa", "bb", "cc")] == ["Tool"] * 3
    assert above["**Words on bb**"] == "Part bb"


@pytest.mark.parametrize("title", ["**{}**", "{}"])
def test_a_title_below_a_recurring_rule_is_above_all_whatever_marks_it(title: str) -> None:
    names = [title.format(name) for name in ("Boats", "Oars", "Sails")]
    parts = [f"{name}\n\nOn these\n--------\n\n{BODY.replace('thing', name)}" for name in names]
    above = tree(check_laws("\n\n----\n\n".join(["The whole is this.\n", *parts])))
    assert [above[name] for name in names] == [""] * 3


def test_rules_between_releases_put_none_of_them_below_another() -> None:
    releases = "".join(
        f"Version 1.{number}\n\n- A change.\n- Another one of {number}.\n\n----\n\n"
        for number in range(9, 4, -1)
    )
    above = tree(check_laws(f"Changes\n\n----\n\n{releases}Older versions\n\n{BODY}"))
    assert above["Version 1.6"] == above["Version 1.8"] != "Version 1.9"


def test_an_item_below_a_recurring_rule_is_no_title() -> None:
    parts = "".join(
        f"---\n\n- item {number}\n\n{BODY.replace('thing', str(number))}\n" for number in range(4)
    )
    assert kinds(check_laws(parts))["- item 2"] is SegmentKind.ITEM


CONFIGURATION = "space docs {\n  prefix = a/\n  path = /var/a;\n  list = yes;\n}\n"


@pytest.mark.parametrize("title", ["{0} it\n-------", "** {0} it\n"])
def test_a_text_with_titles_to_its_end_is_no_code_however_much_of_it_it_has(title: str) -> None:
    parts = "".join(f"{title.format(name)}\n\n{CONFIGURATION * 3}\n" for name in ("Make", "Find", "Keep"))
    document = check_laws(f"* Spaces\n\n{parts}" if title[0] == "*" else parts)
    headings = [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING]
    assert [one.rpartition(" ")[0].split()[-1] for one in headings][-3:] == ["Make", "Find", "Keep"]


def test_code_with_underlined_titles_in_its_description_alone_is_code() -> None:
    description = '"""Boats.\n\nOars\n----\n\nUse\n---\n"""\n'
    code = "".join(f"def row{at}(oar):\n    return oar.row({at})\n\n" for at in range(20))
    assert SegmentKind.HEADING not in kinds(check_laws(description + code)).values()


def test_a_day_in_brackets_at_the_beginning_of_wrapped_lines_makes_no_log() -> None:
    text = "These macros are those of Troff since its version 1.20\n(2009-01-05) and of the other tools since version 16\n(2016-02-17).\n"
    document = check_laws(f"{BODY}\nNotes\n=====\n\n{BODY}\n{text}")
    assert texts_of(document)[-1] == " ".join(text.split())


def test_a_line_of_a_listing_goes_on_where_its_bracket_is_open() -> None:
    one = "   gethostby{0}() [POSIX.1-2001 only (function removed in\n                       POSIX.1-2008)]\n"
    document = check_laws(f"Functions\n=========\n\n{one.format('name')}{one.format('addr')}   getlogin()\n")
    assert texts_of(document)[1:3] == [" ".join(one.format(name).split()) for name in ("name", "addr")]


def test_a_quotation_between_percent_signs_comes_with_whoever_said_it_and_apart_from_others() -> None:
    text = "%\n".join(
        f"A boat of {wood} is light.  A boat of stone is not.\n\t\t-- {name}\n"
        for wood, name in zip(("ash", "oak", "elm"), ("Averroes", "Seneca", "Solon"), strict=True)
    )
    document = check_laws(text)
    texts = texts_of(document)
    for at in (texts.index("A boat of oak is light."), texts.index("-- Seneca")):
        needed = {texts[one] for one in document.requirements(at)} | {texts[at]}
        assert {"-- Seneca", "A boat of stone is not."} <= needed
    rendered = render(document, range(len(texts)))
    assert rendered.count("\n\nA boat of") == 2


def test_a_paragraph_behind_terms_with_indented_descriptions_is_about_none_of_them() -> None:
    terms = "".join(
        f"BOAT_OF_{wood}:\n  A boat of this kind is made of {wood.lower()}.\n\n"
        for wood in ("ASH", "OAK", "ELM")
    )
    text = f"Boats\n-----\n\n{BODY}\n{terms}Normally a harbour changes the kinds of its boats when they are sold.\n"
    above = tree(check_laws(text))
    assert above["A boat of this kind is made of elm."] == "BOAT_OF_ELM:"
    assert above["Normally a harbour changes the kinds of its boats when they are sold."] == "Boats"


def test_the_title_of_a_chapter_may_go_on_in_a_second_line() -> None:
    chapters = "".join(
        f"Hoofdstuk {at}. {title}\n\n{at}.1. Boten\n\n{BODY}\n"
        for at, title in enumerate(
            ("Boten", "Verwachte wijzigingen in de volgende grote haven van\nAmsterdam", "Riemen"), 1
        )
    )
    above = tree(check_laws(chapters))
    title = "Hoofdstuk 2. Verwachte wijzigingen in de volgende grote haven van Amsterdam"
    assert above["2.1. Boten"] == title
    assert kinds(check_laws(chapters))[title] is SegmentKind.HEADING


def test_lisp_is_code_and_its_strings_no_paragraphs() -> None:
    text = "".join(
        f"""
;;;###autoload
(defun boat-{wood} (planks)
  "Mend the boat of {wood} with PLANKS.
This command tries to guess what is broken, and mends that alone,
so that it can be used at sea."
  (interactive)
  (boat-mend planks '{wood}))
"""
        for wood in ("ash", "oak", "elm", "fir")
    )
    document = check_laws(f";;; boat.el --- Boats\n\n(require 'oars)\n{text}\n(provide 'boat)\n")
    assert set(kinds(document).values()) == {SegmentKind.CODE}


def test_fields_of_a_record_come_with_the_first_one_and_are_not_joined() -> None:
    text = BODY + "".join(
        f"\nFiles: {wood}.c\n       {wood}.h\nCopyright: 2001 Averroes\n           2003-2022 Seneca <seneca@example.org>\nLicense: {licence}\n"
        for wood, licence in (("ash", "GPL-3+"), ("oak", "PostgreSQL"), ("elm", "ISC"))
    )
    document = check_laws(text)
    texts = texts_of(document)
    needed = {texts[at] for at in document.requirements(texts.index("License: PostgreSQL"))}
    assert "Files: oak.c" in needed
    assert "Files: ash.c" not in needed
    assert {"2003-2022 Seneca <seneca@example.org>", "License: ISC"} <= set(texts)


def test_fields_of_two_blocks_are_no_records() -> None:
    text = f"{BODY}\nNote: the boat\nTip: the oar\n\n{BODY}\nNote: the pier\nTip: the plank\n"
    document = check_laws(text)
    assert all(segment.anchor == NO_SEGMENT for segment in document.segments)


def test_a_sentence_that_goes_on_below_an_address_comes_with_its_beginning() -> None:
    text = (
        "If you still think that the boat is broken, please follow the short book\n\nhttps://example.org/boats.html\n\n"
        "to report properly all that is known of it. Without that, nobody will mend it.\n"
    )
    document = check_laws(text)
    texts = texts_of(document)
    needed = {
        texts[at] for at in document.requirements(texts.index("to report properly all that is known of it."))
    }
    assert needed == set(texts[:2])


def test_a_line_with_a_colon_over_a_list_in_the_midst_of_a_section_is_no_title() -> None:
    text = "".join(
        f"1.{at}. What is a boat of {wood}?\n\n    A boat of {wood} is:\n\n      * light, as all boats are\n\n      * of {wood}\n\n"
        f"    For us a boat of {wood} has no other planks than those of {wood}.\n\n"
        for at, wood in enumerate(("ash", "oak", "elm"), 1)
    )
    above = tree(check_laws(text))
    assert (
        above["For us a boat of oak has no other planks than those of oak."] == "1.2. What is a boat of oak?"
    )
    assert above["* of oak"] == "A boat of oak is:"
