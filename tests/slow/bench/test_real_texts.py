"""The judges of the real texts: they find what is wrong, and nothing where nothing is. No package is fetched."""

import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bench.real_texts import archives, baselines, guard
from bench.real_texts.__main__ import RELEASED
from bench.real_texts.archives import Archive, ArchiveError
from bench.real_texts.causes import Cause, causes
from bench.real_texts.checks import faults
from bench.real_texts.documents import FURTHER, PARTS, Document, documents
from bench.real_texts.gold import Gold, GoldError, checked, gold_of, kept
from bench.real_texts.json_checks import json_faults
from bench.real_texts.report import (
    Released,
    bars,
    cause_table,
    look,
    look_table,
    promises,
    spread_between_runs,
)
from bench.real_texts.source_layout.layout import read
from bench.real_texts.trials import OURS, Trial

NEWS = """\
* Noteworthy changes in release 9.1

** Bug fixes

  chmod no longer follows a symbolic link that stands in the directory
  it works on. It says so now.

  ls keeps the colors of files that a program has just removed from disk.

** New Features

  cksum now supports the -a option to select any digest algorithm that
  the other tools know.

* Noteworthy changes in release 9.0

** Bug fixes

  df no longer hangs on a file system that does not answer any question.
"""

MARKDOWN = """\
# Settings

| name | default |
| --- | --- |
| port | 8080 |
| host | localhost |

## Limits

- **body**: at most 4 MB. Larger ones are refused.
- **time**: 30 s

```text
# no heading
body: 4
```

Notes
-----

| place | who |
| --- | --- |
| Berlin | Ada |
"""

INDENTED = """\
password_lock:
    type: bool
    version: "2.6"
local:
    type: bool
    default: no
"""

HTML = """<html><body><h1>Guide</h1><nav><a href="#a">First</a></nav><h2 id="a">First</h2><p>One <b>bold</b>
sentence. Another one.</p><table><tr><th>key</th><th>value</th></tr><tr><td>a</td><td>1</td></tr></table>
<h2>Second</h2><p>Two things.</p></body></html>"""


def source(text: str, **form: bool) -> Any:
    return read(text, **form)


@pytest.mark.parametrize("text", [NEWS, MARKDOWN, INDENTED])
def test_a_source_is_a_summary_of_itself_without_a_fault(text: str) -> None:
    found = faults(source(text), text)
    assert (found.attributions, found.broken) == ([], [])


def test_html_is_a_summary_of_itself_without_a_fault_however_it_is_written() -> None:
    html = source(HTML, is_html=True)
    written = (
        "# Guide\n\n## First\n\nOne **bold** sentence. Another one.\n\n| key | value |\n| --- | --- |\n| a | 1 |\n\n"
        "## Second\n\nTwo things."
    )
    for summary in (html.text, written):
        found = faults(html, summary)
        assert (found.attributions, found.broken) == ([], [])


RIGHT = [
    "* Noteworthy changes in release 9.0\n\n** Bug fixes\n\n  df no longer hangs on a file system that does not answer any question.",
    # A wrapped sentence in one line, a line left out and said so.
    "** Bug fixes\n\n  chmod no longer follows a symbolic link that stands in the directory it works on.\n  [1 line left out]",
    "  It says so now.",
    (
        "* Noteworthy changes in release 9.1\n\n  cksum now supports the -a option to select any digest algorithm "
        "that\n  the other tools know."
    ),
]


@pytest.mark.parametrize("summary", RIGHT)
def test_what_the_source_says_there_is_no_fault(summary: str) -> None:
    found = faults(source(NEWS), summary)
    assert (found.attributions, found.broken) == ([], [])


@pytest.mark.parametrize(
    "summary",
    [
        (
            "* Noteworthy changes in release 9.0\n\n  cksum now supports the -a option to select any digest "
            "algorithm that the other tools know."
        ),
        "* Noteworthy changes in release 9.1\n\n** Bug fixes\n\n  df no longer hangs on a file system that does not answer any question.",
        "** New Features\n\n  It says so now.",
        # Two sentences of two sections in one line.
        "* Noteworthy changes in release 9.0\n\n  df no longer hangs on a file system that does not answer any question. It says so now.",
    ],
)
def test_a_line_under_another_heading_is_found(summary: str) -> None:
    assert faults(source(NEWS), summary).attributions


@pytest.mark.parametrize(
    "summary",
    [
        "chmod no longer follows a symbolic link that stands in the directory",
        "it works on. It says so now.",
        "no longer follows a symbolic link",
        "chmod keeps the colors of files that a program has just removed from disk.",
        "It says so now. ls keeps the colors",
    ],
)
def test_a_sentence_that_is_cut_or_spliced_is_found(summary: str) -> None:
    assert faults(source(NEWS), summary).broken


def test_a_row_under_the_head_of_another_table_is_found() -> None:
    right = "| place | who |\n| --- | --- |\n| Berlin | Ada |"
    assert not faults(source(MARKDOWN), right).attributions
    assert faults(source(MARKDOWN), right.replace("place | who", "name | default")).attributions


def test_a_line_indented_below_what_it_does_not_belong_to_is_found() -> None:
    assert not faults(source(INDENTED, is_lines=True), "local:\n    default: no").attributions
    assert faults(
        source(INDENTED, is_lines=True), "password_lock:\n    type: bool\n    default: no"
    ).attributions
    assert not faults(
        source(INDENTED, is_lines=True), "password_lock:\n[5 lines left out]\n    default: no"
    ).attributions


QUESTIONS = """\
1.1. What is a package, and how does one know that it
is a good one?

    It is a box with a name.

1.2. What is a name?

    It is what a box has on its lid.
"""


def test_a_title_over_two_lines_is_one_title() -> None:
    title = "1.1. What is a package, and how does one know that it is a good one?"
    assert not faults(source(QUESTIONS), f"{title}\n\n    It is a box with a name.").attributions
    assert not faults(source(QUESTIONS), QUESTIONS).attributions
    assert faults(source(QUESTIONS), f"{title}\n\n    It is what a box has on its lid.").attributions


COLUMNS = """The commands of both programs, side by side, are these, and no others will be added to either of them:

     apt-get remove package     ->  apt remove package
     apt-cache policy package   ->  apt list -a package
     apt-cache show package     ->  apt show package
     apt-cache showpkg package  ->  apt show -a package
"""


def test_lines_with_columns_at_the_same_places_are_rows_and_not_wrapped_text() -> None:
    rows = COLUMNS.splitlines()[2:]
    assert not any(faults(source(COLUMNS), row).broken for row in rows)


HISTORY = """\
1997/04/28: v3.11
\t    Changes to formail:
\t       - Don't log recipes that deliver nothing at all, even with 'c'
\t    Changes to procmail:
\t       - Cater for a race condition that occurs if two of them
\t\t try to create one file
1998/05/02: v3.12
\t    Changed the example in the manual, which used $f instead of $g
1999/06/03: v3.13
\t    Changes to procmail:
\t       - Autocreating the last member of the directory didn't work
\t\t due to the slash at its end
"""


def test_a_line_indented_less_than_the_one_above_is_not_its_end() -> None:
    whole = (
        "1997/04/28: v3.11\n\t    Changes to procmail:\n\t       - Cater for a race condition that occurs if two of "
        "them\n\t\t try to create one file\n1999/06/03: v3.13"
    )
    found = faults(source(HISTORY), whole)
    assert (found.attributions, found.broken) == ([], [])
    assert faults(source(HISTORY), "Cater for a race condition that occurs if two of them").broken


DATED = """\
Jul 01, 2008: The other program is being used by enough people, call it 1.0.0
Jun 20, 2008: If a link fails with an error, copy the file instead of linking
Jun 19, 2008: Additional long options
May 21, 2008: More progress on building where there is no shell.  Thanks to
\tScott for the patches
"""


def test_a_line_that_begins_with_a_date_begins_something() -> None:
    assert not faults(source(DATED), DATED.splitlines()[1]).broken
    assert faults(source(DATED), DATED.splitlines()[3]).broken


def test_a_row_of_a_grid_stands_under_its_head() -> None:
    grids = [
        f"|          | {name} | arm |\n|==========|=======|=====|\n| testing  | 1     | -   |\n"
        f"+----------+-------+-----+\n| unstable | 1     | {number}   |\n+----------+-------+-----+\n"
        for number, name in ((2, "alpha"), (3, "sparc"))
    ]
    grid = source("\n".join(grids))
    assert not faults(grid, "|          | alpha | arm |\n| unstable | 1     | 2   |").attributions
    assert faults(grid, "|          | alpha | arm |\n| unstable | 1     | 3   |").attributions


def test_a_list_s_number_is_not_looked_for_inside_the_number_of_a_heading() -> None:
    html = source(
        "<h2>Article 20</h2><p>No one.</p><h2>Article 21</h2><ol><li>Everyone has it.</li></ol>", is_html=True
    )
    found = faults(html, "## Article 21\n\n1. Everyone has it.")
    assert (found.attributions, found.broken) == ([], [])


def test_titles_alone_below_a_rule_that_recurs_stand_over_all_up_to_the_next() -> None:
    parts = [
        f"{name}\n\nLicence of it\n-------------\n\nIt is for {name.lower()}s.\n"
        for name in ("BOAT", "OAR", "SAIL", "MAST")
    ]
    text = "----\n\n" + "\n----\n\n".join(parts)
    assert not faults(
        source(text), "SAIL\n\nLicence of it\n-------------\n\nIt is for sails.\n\nMAST"
    ).attributions
    assert faults(source(text), "BOAT\n\nLicence of it\n-------------\n\nIt is for sails.").attributions


def test_a_title_within_a_definition_stands_over_that_alone() -> None:
    page = "<h2>Keys</h2><dl><dt>one</dt><dd><p>The first.</p><h3>Note</h3><p>Use it.</p></dd><dt>two</dt><dd>The other.</dd></dl><h3>Rest</h3><p>More.</p>"
    found = faults(source(page, is_html=True), "## Keys\n\ntwo\n    The other.\n\n### Rest\n\nMore.")
    assert not found.attributions
    assert faults(source(page, is_html=True), "## Keys\n\n### Rest\n\ntwo\n    The other.").attributions


def test_the_title_of_an_html_page_stands_above_all_of_it() -> None:
    text = (
        "<html><head><title>Tool</title></head><body><p>Prev</p><h1>Tool</h1><p>It works.</p></body></html>"
    )
    assert not faults(source(text, is_html=True), "# Tool\n\nPrev\n\n## Tool\n\nIt works.").attributions


COMPONENTS = {"components": [{"name": "a", "licence": "MIT"}, {"name": "b", "licence": "ISC"}], "count": 2}


@pytest.mark.parametrize(
    "summary, attributions, broken",
    [
        ('{"components": [{"name": "a"}, "[1 item left out]"]}', 0, 0),
        ('{"components": [{"name": "b", "licence": "ISC"}], "[1 member left out]": ""}', 0, 0),
        ('{"components": [{"name": "a", "licence": "ISC"}]}', 1, 0),
        ('{"components": [{"name": "b"}, {"name": "a"}]}', 1, 0),
        ('{"count": 3}', 1, 0),
        ('{"components": [{"name": "a"}', 0, 1),
    ],
)
def test_json_is_judged_as_json(summary: str, attributions: int, broken: int) -> None:
    found = json_faults(COMPONENTS, summary)
    assert (len(found.attributions), len(found.broken)) == (attributions, broken)


def test_between_the_marks_of_a_json_string_stand_whole_sentences() -> None:
    value = {"text": "One is here. Two is there. Three is gone."}
    assert not json_faults(value, '{"text": "One is here. [...] Three is gone."}').attributions
    assert json_faults(value, '{"text": "One is [...] Three is gone."}').attributions


def described(gold: Mapping[str, Any]) -> Document:
    return Document("x", "y", "z", {"literal": "?"}, gold, [], "develop")


def test_a_sentence_of_json_may_end_with_its_line() -> None:
    text = "It is refused.\n\nhttps://example.org says why"
    assert json_faults({"text": text}, json.dumps({"text": "It is refused. [...]"})).attributions == []
    assert json_faults({"text": text}, json.dumps({"text": "It is refused.\n\nhttps [...]"})).attributions


def test_markdown_s_underlines_state_their_level() -> None:
    source = read(
        "# Changes\n\n## 4.1\n\n* One thing was added here.\n\n4.0\n---\n\n* Another one was mended.\n\n## 3.9\n\n* A third.\n"
    )
    assert faults(source, "# Changes\n\n## 3.9\n\n* A third.").attributions == []
    assert faults(source, "4.0\n---\n\n* A third.").attributions


def test_a_title_in_capitals_between_two_sections_of_a_chapter_ends_with_the_former() -> None:
    text = "6.1. Values\n\nAll of them.\n\nPAM_ABORT\n\nStop at once.\n\n6.2. Options\n\nNone at all.\n"
    source = read(text)
    stands_under = {line.text: [source.title(one) for one in line.headings] for line in source.lines}
    assert stands_under["Stop at once."] == ["6.1.Values", "PAMABORT"]
    assert not faults(source, "PAM_ABORT\n\nStop at once.\n\n6.2. Options\n\nNone at all.\n").attributions


def test_the_version_of_something_alone_ends_the_release_above_it() -> None:
    newer = "".join(
        f"* Noteworthy changes in release 2.{at}\n\n** Bug fixes\n\n  No leak in {at}.\n\n" for at in (7, 6)
    )
    older = "".join(f"Version 2.5.{at}\n\n  - An oar of {at}.\n\n" for at in (4, 3, 2))
    summary = "* Noteworthy changes in release 2.7\n\n  No leak in 7.\n\nVersion 2.5.3\n\n  - An oar of 3.\n"
    assert not faults(source(newer + older), summary).attributions


def test_comments_of_a_configuration_are_no_headings() -> None:
    text = "# Set what you need.\n#\n# Else it is found out.\nport: 80\n\n# Which one.\n# Or none.\nhost: a\n# Or all.\nuser: b\n"
    assert faults(read(text), "# Set what you need.\nuser: b").attributions == []


VOTING = """\
The Committee votes as it is said above, and by no other means.
The period lasts for one week, or until the outcome is no longer in
doubt. Members may change their votes until the voting period
ends. There is a quorum of two. The Chair has a casting vote, which
is used where two options have the same number of votes.
"""


def test_a_wrapped_sentence_is_whole_before_and_behind_a_mark() -> None:
    source = read(VOTING)
    whole = (
        "Members may change their votes until the voting period\nends. [...] The Chair has a casting vote, which\n"
        "is used where two options have the same number of votes."
    )
    assert faults(source, whole).broken == []
    assert faults(source, whole.replace("their votes until", "until")).broken


def test_a_sentence_with_a_full_stop_in_quotation_marks_is_whole_between_marks() -> None:
    source = read("It takes numbers. Before, it took only those with '.' as the point. That has changed.\n")
    assert faults(source, "[...] Before, it took only those with '.' as the point. [...]").broken == []
    assert faults(source, "[...] Before, it took only those with '.' [...]").broken


def test_a_sentence_with_a_quoted_full_stop_is_whole_behind_another_one() -> None:
    source = read("There are two. Name it (say just '.' or 's' for the place). This is old. Do not do so.\n")
    assert (
        faults(source, "There are two. [...] Name it (say just '.' or 's' for the place). [...]").broken == []
    )
    assert faults(source, "There are two. [...] Name it (say just '.' [...] Do not do so.").broken


def test_a_command_that_goes_on_in_the_next_line_is_cut_there() -> None:
    text = "$ snmpset -v 2c -c public localhost sysLocation.0 s right \\\n  and_another_one_of_them\n"
    assert faults(read(text), text.splitlines()[0]).broken


def test_a_title_that_is_underlined_in_the_summary_is_no_line_of_the_text() -> None:
    parts = "".join(
        f"{title}\n{'-' * 8}\n\nIt says {title[-2]}.\n\n" for title in ("Is it a?", "Is it b?", "Is it c?")
    )
    text = parts.replace("It says b.", "It says b. Look at:\n\n    Is it c?")
    summary = "Is it b?\n--------\n\nIt says b.\n\nIs it c?\n--------\n\nIt says c."
    assert not faults(read(text), summary).attributions
    assert faults(read(text), summary.replace("It says b.", "It says a.")).attributions


def test_a_row_whose_first_column_is_a_bar_stands_below_no_other_row() -> None:
    rows = "The signs are:\n\n  F  S_fungus               (fungus)\n  G  S_gnome                (gnome)\n  |  S_grave                (grave)\n"
    assert not faults(read(rows), rows.replace("  G  S_gnome                (gnome)\n", "")).attributions
    pydoc = "Help on it:\n\n |  one(it)\n |      Returns one.\n |  \n |  two(it)\n |      Returns two.\n"
    assert faults(read(pydoc), "Help on it:\n\n |  one(it)\n |      Returns two.\n").attributions


def test_neighbouring_fields_and_lines_that_begin_alike_are_not_wrapped_text() -> None:
    fields = "image: owner/a-name-of-some-length-and-more:v3.2-of-today\nports: all of them are open here\nmore words so\n"
    assert faults(read(fields), "image: owner/a-name-of-some-length-and-more:v3.2-of-today").broken == []
    alike = "info http fetch was answered from the cache of packages (updated)\n" * 2
    log = alike + "info http asked for another one and got it from the cache (updated)\n"
    assert (
        faults(read(log), "info http asked for another one and got it from the cache (updated)").broken == []
    )


def test_where_links_lead_is_not_wrapped_text() -> None:
    targets = "Write to the [team] or see the [calendar].\n\n[calendar]: https://example.org/calendar/embed?source=a-calendar-with-a-long-name\n[team]: mailto:the-team@example.org\n"
    assert faults(read(targets), "[team]: mailto:the-team@example.org").broken == []
    assert faults(read(targets), "[...]\n\n[team]: mailto:the-team@example.org [...]").broken == []


def test_lines_that_each_say_something_may_not_be_joined() -> None:
    source = read("# The port.\nport 80\nhost a\n", is_lines=True)
    assert faults(source, "# The port.\nport 80").broken == []
    assert faults(source, "# The port. port 80").broken


def test_the_line_that_opens_a_fence_is_not_part_of_a_sentence() -> None:
    prose = (
        "A long sentence is wrapped where no other word had any room left in its line, as it is with kits\n"
        "and with others, here and there, as long as there are some of them left, of whatever kind they are.\n"
    )
    source = read(f"# A\n\n```ts\nand\n```\n\n{prose}\n# B\n\n```ts\nuse(it)\nand\n```\n")
    assert faults(source, "# B\n\n```ts\nand\n```").attributions == []


def test_a_comment_of_xml_is_not_read() -> None:
    source = read("<!-- what it is --><!ELEMENT it (#PCDATA)>\n\nMore of it.\n", is_lines=True)
    assert faults(source, "<!ELEMENT it (#PCDATA)>").broken == []


TWO_TITLES = {
    "a rule between blank lines is no listing": "3.1 (2026)\n==========\n\nOne thing is new.\n\n----\n\n3.0 (2025)\n==========\n\nTwo are.\n\n----\n\n2.9 (2024)\n==========\n\nThree are.\n",
    "an underline longer than its title": "Tools 1.47.0 (February 5, 2023)\n===============================\n\nOne thing is new.\n\nTools 1.46.6 (May 1, 2022)\n===============================\n\nTwo are.\n",
    "a title directly below a wide rule": f"Manual\n\n{'=' * 60}\nFIRST PART\n\nOne thing is new.\n\n{'=' * 60}\n2. Second\t\t*second*\n\nTwo are.\n",
    "one blank behind the date": "2010-07-19  Ada <a@example.org>\n\n\tOne thing is new.\n\n2010-07-18 Bob <b@example.org>\n\n\tTwo are.\n",
    "the date as a program prints it": "Thu May 27 2004  Ada <a@example.org>\n\n\tOne thing is new.\n\nMon Feb 28 15:23:23 EST 2005\n\n\tTwo are.\n",
    "capitals over two lines": "SCHOOLS AND THOSE\nWHO TEACH\n\nOne thing is new.\n\nEQUAL RIGHTS\nFOR ALL\n\nTwo are.\n",
    "three dots at the end": "5.1.  #if A B ...\n\nOne thing is new.\n\n5.2.  #ifn A B ...\n\nTwo are.\n",
    "capitals with a full stop": "  1. Who May Row the Boat.\n\nOne thing is new.\n\n  2. Lost Keys.\nTwo are.\n",
    "sections of an appendix": "附录 A. 提示\n\nOf both.\n\nA.1. 共享库\n\nOne thing is new.\n\nA.2. 管理 symbols\n\nTwo are.\n",
    "chapters of any language": "Глава 1. Что это\n\nOne thing is new.\n\nГлава 2. Зачем\n\nTwo are.\n",
}


@pytest.mark.parametrize("text", TWO_TITLES.values(), ids=TWO_TITLES)
def test_titles_of_many_forms_are_seen(text: str) -> None:
    above = {
        line.text.strip(): [source(text).title(one) for one in line.headings] for line in source(text).lines
    }
    assert above["One thing is new."]
    assert above["One thing is new."] != above["Two are."]
    summary = "\n".join(line for line in text.splitlines() if line.strip("=-"))
    assert not faults(source(text), summary).attributions
    second = [line.text for line in source(text).lines if line.heading][-1]
    lines = summary.splitlines()
    lines.insert(next(at for at, line in enumerate(lines) if "One thing" in line), second)
    assert faults(source(text), "\n".join(lines)).attributions


def test_borders_and_heads_of_tables_are_no_titles() -> None:
    text = "Packets\n-------\n\n== == ====\nOP LEN DATA\n== == ====\n\nMode        Score   First\n-------------------------\nfast        81.0    58 %\n\nMore of it.\n"
    assert [line.text for line in source(text).lines if line.heading] == ["Packets"]


def test_capitals_end_no_chapter() -> None:
    text = "Chapter 1. Use\n\n1. Begin\n\nIRC\n\nTalk there.\n\n2. Go on\n\nIt goes on.\n"
    stands_under = {
        line.text: [source(text).title(one) for one in line.headings] for line in source(text).lines
    }
    assert stands_under["It goes on."] == ["Chapter1.Use", "2.Goon"]


WHOLE_LINES = [
    "* see.c (see_it): take what stands before the blank and do not close it\n(hear): Likewise.\n",
    "::vim::beep\t\t\t\t\t\t*tcl-beep*\nHonk.  Does not return a result.\n",
    "\t\t\t\t\t\t*word_of_the_index*\nThis is the same as `word`.\n",
    '<description summary="the end of a session that has succeeded">\nThe event is sent when the user lets go.\n',
    '$ snmpset -v 2c -c public localhost sysLocation.0 s "right here"\nError in packet.\n',
    "# Wait for the button of the thing to be pushed by someone who owns it\nwps_state=2\n",
]


@pytest.mark.parametrize("text", WHOLE_LINES)
def test_the_end_of_what_stands_alone_is_no_wrap(text: str) -> None:
    for line in text.splitlines():
        assert faults(source(text), line).broken == []


def test_gold_is_what_the_script_finds() -> None:
    pattern = gold_of(described({"pattern": r"^  (\w+) now supports the (-\w)"}), NEWS)
    assert pattern.facts == [("cksum", "-a")]
    headed = gold_of(described({"head": r"^(\w+):", "value": r"default: (\w+)"}), INDENTED)
    assert (headed.facts, headed.heads) == ([("local", "no")], ["password_lock", "local"])
    table = gold_of(described({"csv": ["b"], "where": {"a": "^1"}}), "a,b\n1,x\n2,y\n10,z\n")
    assert table.facts == [("x",), ("z",)]
    listed = gold_of(
        described({"json": "components/*", "fields": ["name", "licence"], "where": {"licence": "ISC"}}),
        '{"components": [{"name": "a", "licence": "MIT"}, {"name": "b", "licence": "ISC"}]}',
    )
    assert (listed.facts, listed.heads) == ([("b", "ISC")], ["a", "b"])


@pytest.mark.parametrize(
    "fact, summary, is_kept",
    [
        (("12,345",), "it cost 12 345 dollars", True),
        (("CVE-2020-1",), "CVE-2020-12 is fixed", False),
        (("two words",), "one of two\nwords", True),
        (("port", "8080"), "| port | 8080 |", True),
        (("port", "8080"), "### port\n\nDefault: 8080", True),
        (("port", "8080"), "### port\n\n### host\n\nDefault: 8080", False),
        (("port", "8080"), "8080 is the port of another one; ### host\n8080", True),
        (("port", "8080"), "### port", False),
    ],
)
def test_a_fact_is_kept_where_all_of_it_stands_together(
    fact: tuple[str, ...], summary: str, is_kept: bool
) -> None:
    assert kept(Gold([fact], ["port", "host"]), summary) == [is_kept]


def test_a_script_that_finds_too_little_is_an_error() -> None:
    with pytest.raises(GoldError, match="x: expected 8 to 60 facts, its script finds 1"):
        checked(described({"pattern": "cksum"}), NEWS)


def test_bm25_is_what_the_formula_says() -> None:
    # Three units of 2, 1 and 3 words: "ferry" is in one of them, "the" in two.
    units = [["the", "ferry"], ["the"], ["a", "b", "c"]]
    ferry = math.log(1 + 2.5 / 1.5) * 2.5 / (1 + 1.5)
    short = math.log(1 + 1.5 / 2.5) * 2.5 / (1 + 1.5 * (0.25 + 0.75 / 2))
    assert baselines.scores(["ferry"], units) == pytest.approx([ferry, 0, 0])
    assert baselines.scores(["the"], units)[1] == pytest.approx(short)
    assert baselines.scores(["nobody"], units) == [0, 0, 0]
    assert baselines.scores(["ferry"], []) == []


def test_lead_takes_the_start_and_every_choice_fits() -> None:
    units = ["a b c", "d e", "f", "g h i j"]
    sizes = [len(unit.split()) for unit in units]
    order = baselines.lead(units, "", str.split)
    assert baselines.fill(units, sizes, order, 8) == "a b c\nd e"
    assert baselines.fill(units, sizes, [3, 2, 1, 0], 8) == "f\ng h i j"


def test_a_package_that_is_another_one_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    wanted = Archive("x", "npm", "left-pad", "1.0.0", "0" * 64, "MIT")
    monkeypatch.setattr(archives, "FOLDER", tmp_path)
    monkeypatch.setitem(
        archives._COMMANDS, "npm", lambda archive, folder: iter([["sh", "-c", f"echo x > {folder}/x.tgz"]])
    )
    with pytest.raises(
        ArchiveError, match=r"left-pad 1\.0\.0: expected a file with SHA-256 0000.*archives\.toml"
    ):
        archives.fetch(wanted)
    monkeypatch.setitem(
        archives._COMMANDS, "npm", lambda archive, folder: iter([["sh", "-c", "echo no network >&2; exit 1"]])
    )
    with pytest.raises(ArchiveError, match=r"could not be downloaded.*no network"):
        archives.fetch(wanted)
    assert not wanted.file.exists()


def test_the_set_is_as_large_and_as_wide_as_it_should_be() -> None:
    every = list(documents())
    with_further = [document.id for document in documents((*PARTS, FURTHER))]
    assert len(every) >= 40
    assert len(set(with_further)) == len(with_further) == len(every) + 44
    assert len({document.language for document in every} - {"en"}) >= 4
    for part in PARTS:
        own = [document for document in every if document.part == part]
        assert len(own) >= 20
        assert len({document.kind for document in own}) >= 12
    for document in every:
        assert set(document.questions) == {"literal", "everyday", "vague"}
        assert len(document.unrelated) >= 2


def test_every_package_is_pinned_and_every_licence_is_named() -> None:
    known = archives.archives()
    used = {document.archive for document in documents((*PARTS, FURTHER))} | {"mandoc"}
    assert set(known) == used
    for archive in known.values():
        assert re.fullmatch("[0-9a-f]{64}", archive.sha256)
        assert archive.licence


def can_be_read(pattern: str) -> bool:
    try:
        re.compile(pattern, re.MULTILINE)
    except re.error:
        return False
    return True


def test_every_pattern_of_the_sources_can_be_read() -> None:
    patterns = []
    for part in (*PARTS, FURTHER):
        text = (archives.SOURCES / f"{part}.toml").read_text("utf-8")
        for entry in tomllib.loads(text)["document"]:
            rules = {**entry["gold"], **{key: entry.get(key, "") for key in ("start", "end")}}
            patterns += [
                rules[key]
                for key in ("pattern", "head", "value", "after", "before", "start", "end")
                if rules.get(key)
            ]
    assert len(patterns) >= len(list(documents()))
    assert [pattern for pattern in patterns if not can_be_read(pattern)] == []


CLEAN: Released = {
    "looks": {},
    "recall": {"5": 0.0, "10": 0.5, "20": 0.0},
    "spread": 0.02,
    "guard": {},
    "at_most": {"wrong attributions": 0, "broken sentences": 0, "summaries over the target": 0},
}
GOOD = Trial("d", "develop", "k", OURS, 10, "literal", recall=0.49, target=100, tokens=90)


def test_the_bars_say_what_is_wrong() -> None:
    assert all(verdict.is_met for verdict in bars([GOOD], CLEAN))
    for bad in (
        replace(GOOD, attributions=["x"]),
        replace(GOOD, broken=["x"]),
        replace(GOOD, tokens=101),
        replace(GOOD, recall=0.47),
    ):
        assert [verdict.is_met for verdict in bars([bad], CLEAN)].count(False) == 1


def test_what_was_wrong_in_a_release_may_not_grow_and_is_named() -> None:
    known: Released = {**CLEAN, "at_most": {**CLEAN["at_most"], "wrong attributions": 2}}
    verdict = bars([replace(GOOD, attributions=["x", "y"])], known)[0]
    assert verdict.is_met
    assert verdict.what == "wrong attributions (wanted 0, released with 2)"
    assert not bars([replace(GOOD, attributions=["x", "y", "z"])], known)[0].is_met


def kept_all(**of: Any) -> list[Trial]:
    """Trials of a document at every ratio and of every wording, in which everything asked for is kept."""
    whole = replace(GOOD, recall=1.0, matched=True, **of)
    asked = [
        replace(whole, ratio=ratio, wording=wording)
        for ratio in (5, 10, 20)
        for wording in ("literal", "everyday", "vague")
    ]
    return [*asked, replace(whole, wording="unrelated", matched=False)]


BM25_OF_NOTHING = [replace(one, system="BM25", recall=0.0) for one in kept_all()]


def test_a_summary_that_keeps_all_meets_every_promise() -> None:
    assert all(verdict.is_met for verdict in promises([*kept_all(), *BM25_OF_NOTHING]))


@pytest.mark.parametrize(
    "wording, change, missed",
    [
        (
            "everyday",
            {"recall": 0.9},
            {"recall of literal questions less that of everyday ones, the most at a ratio"},
        ),
        ("unrelated", {"matched": True}, {'"nothing matched", share of questions about something else'}),
        ("vague", {"matched": False}, {'"nothing matched", share of real questions'}),
        ("vague", {"tokens": 101}, {"summaries over the target"}),
        ("vague", {"broken": ["x"]}, {"broken sentences"}),
    ],
)
def test_what_a_summary_lacks_is_a_promise_missed(
    wording: str, change: dict[str, Any], missed: set[str]
) -> None:
    trials = [replace(one, **change) if one.wording == wording else one for one in kept_all()]
    assert {verdict.what for verdict in promises([*trials, *BM25_OF_NOTHING]) if not verdict.is_met} == missed


def test_runs_that_differ_in_one_summary_are_said_to_differ() -> None:
    run = kept_all()
    assert "was the same in each" in spread_between_runs([run, run])
    assert "not the same in each" in spread_between_runs([run, [replace(run[0], recall=0.5), *run[1:]]])


def test_a_look_at_the_release_half_is_a_row_of_the_table_of_looks() -> None:
    seen = look([replace(one, recall=0.25, broken=["x"]) for one in kept_all()])
    assert seen == {
        "recall": {"5": 0.25, "10": 0.25, "20": 0.25},
        "wrong attributions": 0,
        "broken sentences": 10,
    }
    assert look_table({"3": seen}).splitlines()[-1] == "| 3 | 0.250 | 0.250 | 0.250 | 0 | 10 |"


def test_the_released_figures_are_of_the_same_kind() -> None:
    released = json.loads(RELEASED.read_text("utf-8"))
    assert released.keys() == CLEAN.keys()
    assert released["recall"].keys() == CLEAN["recall"].keys()
    assert released["at_most"].keys() == CLEAN["at_most"].keys()


@pytest.mark.parametrize(
    "text, titles",
    [
        # Underlines, not the signs of listings and fences.
        (
            "".join(
                f"[{name} parser]\n{'-' * (len(name) + 9)}\n\nWords.\n\n" for name in ("one", "two", "one")
            ),
            ["[one parser]", "[two parser]", "[one parser]"],
        ),
        (
            "Literal blocks\n``````````````\n\nWords.\n\nOther blocks\n````````````\n\nWords.\n",
            ["Literal blocks", "Other blocks"],
        ),
        # A numbered line that introduces something is an item.
        ("BEGIN\n\n   1. To mount it:\n\n      mount it\n\nEND\n\nWords.\n", ["BEGIN", "END"]),
        ("BEGIN\n\n   1. To mount it:\n      mount it\n\nEND\n\nWords.\n", ["BEGIN", "END"]),
        # In capitals, in the middle of the page, and alone.
        (
            "  14. Revised Versions.\n\n  Words\n\n                     END OF TERMS\n\n            AND MORE\n            WORDS\n\n     A PART\n\nWords\n",
            ["  14. Revised Versions.", "                     END OF TERMS"],
        ),
        # A chapter's number may be centred, what a sentence begins with is none.
        ("        第 2 章 安裝\n\n    第 10 行描述了\n    它可以\n\n", ["        第 2 章 安裝"]),
        # A title of an outline may have its text directly below, a sentence is none.
        (
            "* Changes\n\n** Bug fixes\nIt is done.\n\n** It was said,\nthat this is so.\n",
            ["* Changes", "** Bug fixes"],
        ),
        # So may a release with items.
        (
            "6.7 (23 September 2019)\n* It is new.\n\n6.6 (16 February 2019)\n* It was new.\n",
            ["6.7 (23 September 2019)", "6.6 (16 February 2019)"],
        ),
    ],
)
def test_the_titles_of_a_source_are_seen(text: str, titles: list[str]) -> None:
    assert [line.text for line in read(text).lines if line.heading] == titles


def test_sentences_with_rising_numbers_are_no_releases() -> None:
    text = "".join(f"* Part\n\n** A thing\n\nIt is gone (closes #{number}).\n\n" for number in range(3, 9))
    assert not any(line.ends for line in read(text).lines)


def test_a_link_with_the_letters_of_a_title_does_not_make_it_an_entry_of_the_contents() -> None:
    parts = "error\n=====\n\nIt is wrong.\n\n:Parents:\n    field_list_\n\nfield_list\n==========\n\nIt has fields.\n"
    assert not faults(read(parts), "error\n\nIt is wrong.\n\nfield_list\n\nIt has fields.\n").attributions


CHAPTERS = """\
   Table of Contents

   4. Paths

   5. Programs

                        Chapter 4. Paths

   4.1. Local ones
   4.2. Shared ones

4.1. Local ones

   What an administrator installs goes below the local folder.

    1. the simplest way is to begin anew and to choose another

4.2. Shared ones

   What a package installs goes below the shared folder.

                        Appendix A. Names

   Nobody else may use them.
"""


@pytest.mark.parametrize(
    "summary, wrong",
    [
        # The contents end where a chapter begins; a counted item among sections is no heading.
        ("5. Programs\n\nChapter 4. Paths\n\n4.2. Shared ones\n\nWhat a package installs goes below it.", 0),
        ("4.2. Shared ones\n\n   What a package installs goes below the shared folder.", 0),
        ("4. Paths\n\nAppendix A. Names\n\nNobody else may use them.", 0),
        ("   4.1. Local ones\n   4.2. Shared ones", 0),
        ("   4.1. Local ones\n\n4.1. Local ones\n\nWhat a package installs goes below the shared folder.", 1),
        ("   4.2. Shared ones\n\n4.2. Shared ones\n\nNobody else may use them.", 1),
    ],
)
def test_numbered_titles_are_told_from_entries_and_items(summary: str, wrong: int) -> None:
    assert len(faults(source(CHAPTERS), summary).attributions) == wrong


def test_a_comment_s_first_line_alone_is_not_joined_to_the_next() -> None:
    text = (
        "a.c:\n\n/*\n * Ada wrote this.\n * Use it as you like, and say who wrote it.\n */\n\n"
        "This path is /usr/share/and/what/stands/there/is/written/below/\nand so on.\n"
    )
    assert not faults(
        source(text), "a.c:\n\n/*\n * Ada wrote this.\n * Use it as you like, and say who wrote it.\n */"
    ).attributions


@pytest.mark.parametrize(
    "sentence", ["_Overriding_ them is still possible, though.", 'Its type is "text/x-rst".']
)
def test_an_emphasized_word_or_a_mark_of_a_note_does_not_hide_where_a_sentence_ends(sentence: str) -> None:
    text = f"Helpers are not called any more, whatever happens. {sentence} [#]_  This was _new_ then."
    assert not faults(source(text), sentence).broken
    assert faults(source(text), sentence[:20]).broken


def test_paragraphs_of_a_cell_are_no_cut_sentences() -> None:
    html = source(
        "<table><tr><td><p>point + point</p><p>Adds two points</p></td><td>b</td></tr></table>", is_html=True
    )
    assert not faults(html, "point + point\n\nAdds two points").broken
    assert faults(html, "Adds two").broken


def test_a_cell_may_begin_with_a_sign() -> None:
    page = '<h1>Keys</h1><table><tr><td>scope</td><td>(text)</td><td><p>"*user" - the user\'s own bus</p></td></tr></table><h1>Rest</h1><p>text</p>'
    html = source(page, is_html=True)
    found = faults(html, '# Keys\n\n(text)\n\n- "*user" - the user\'s own bus')
    assert found.broken == found.attributions == []
    assert faults(html, '# Rest\n\n(text)\n\n- "*user" - the user\'s own bus').attributions


@pytest.mark.parametrize("sign", ["\x01", "\u200b", "\ufeff"])
def test_signs_that_nobody_sees_are_not_compared(sign: str) -> None:
    assert not faults(
        source(f"The first line is the {sign}menu bar{sign}menu{sign} of the program."),
        "The first line is the menu barmenu of the program.",
    ).broken


def test_a_line_over_a_rule_is_whole() -> None:
    text = f"The address of the page stands here\nCopyright 2022 by the one who has written all of this page\n{'_' * 66}\n"
    assert not faults(source(text), "Copyright 2022 by the one who has written all of this page").broken


# Of the languages without a stemmer, which needs no package.
UNSTEMMED = "ja"

RELEASES = """\
# Plugins

- `ERR_LOAD`: status 500

# Notes

The weather was fine
on all of those days.

Nobody asked.

- `ERR_STREAM`: status 404

# Streams

- `ERR_CLOSED`: status 410
"""


@pytest.mark.parametrize(
    "query, summary, missing",
    [
        ("plugins and streams", "- `ERR_LOAD`: 500\n- `ERR_STREAM`: 404\n- `ERR_CLOSED`: 410", []),
        ("the streams", "- `ERR_LOAD`: 500\n- `ERR_STREAM`: 404", [Cause.OUTDONE]),
        ("trouble with plugins", "- `ERR_LOAD`: 500\n- `ERR_STREAM`: 404", [Cause.NO_WORD]),
        ("the streams", "- `ERR_LOAD`\n- `ERR_STREAM`: 404\n- `ERR_CLOSED`: 410", [Cause.TORN]),
    ],
)
def test_what_stood_in_the_way_of_a_missing_fact_is_named(
    query: str, summary: str, missing: list[Cause]
) -> None:
    rule = {"pattern": r"`(ERR_\w+)`: status (\d+)"}
    gold = gold_of(described(rule), RELEASES)
    words = baselines.words_of(UNSTEMMED)
    assert causes(gold, source(RELEASES), query, summary, words, matched=True) == missing


def test_all_that_is_missing_where_nothing_seemed_to_be_met_has_that_as_its_cause() -> None:
    gold = gold_of(described({"pattern": r"ERR_\w+"}), RELEASES)
    words = baselines.words_of(UNSTEMMED)
    found = causes(gold, source(RELEASES), "apple pie", "# Notes", words, matched=False)
    assert found == [Cause.UNMATCHED] * 3


def test_the_table_of_causes_counts_every_fact_once() -> None:
    trials = [
        replace(trial, facts=10, missing=[Cause.TORN, Cause.TORN, Cause.NO_WORD]) for trial in kept_all()
    ]
    asked_at_ten = [trial for trial in trials if trial.ratio == 10 and trial.wording == "literal"]
    row = f"| *all, literal* | {10 * len(asked_at_ten)} | {7 * len(asked_at_ten)} | 0 | {2 * len(asked_at_ten)} | {len(asked_at_ten)} | 0 |"
    assert row in cause_table(trials)


def test_a_word_that_a_hyphen_divides_at_a_line_end_may_be_written_in_one() -> None:
    divided = source(
        "The host may be given twice, as a possi\u2010\nble address and as a name of the machine.\n"
    )
    assert not faults(
        divided, "The host may be given twice, as a possible address and as a name of the machine."
    ).broken
    assert faults(divided, "The host may be given twice, as a possible address and as a name of").broken


UNDERLINED = """\
Services
========

A service is found by what it says of itself, and by those who ask for it.

# list of all services
request 00:00 0200

WPS_EVENT_ADDED

This event is sent when one was added to those that are there.

Operations
----------

An operation may be asked for by those who have found a service.
"""


@pytest.mark.parametrize("title", ["# list of all services", ""])
def test_where_titles_are_underlined_comments_and_capitals_end_no_section(title: str) -> None:
    under = "Operations\n----------\n\nAn operation may be asked for by those who have found a service."
    assert not faults(source(UNDERLINED), f"Services\n========\n\n{title}\n\n{under}").attributions
    moved = under.replace(
        "An operation",
        "A service is found by what it says of itself, and by those who ask for it. An operation",
    )
    assert faults(source(UNDERLINED), moved).attributions


def test_an_entry_of_the_contents_is_no_heading_however_it_is_wrapped() -> None:
    contents = "  * Moving of things, removing\n    of them\n\n  * Carrying them\n"
    parts = "Moving of things, removing of them\n==================================\n\nNo more.\n\nCarrying them\n=============\n\nYes.\n"
    entries = "* Moving of things, removing of them\n* Carrying them"
    assert not faults(source(f"{contents}\n{parts}"), entries).attributions
    assert faults(source(f"{contents}\n{parts}"), f"{entries.replace('* M', 'M')}\nYes.").attributions


# --- The guard -------------------------------------------------------------------------------------------------

TIDES = "\n\n".join(
    f"The {place} gauge was built in {1840 + 9 * number} by {name} Harrow. It reads {31 + 3 * number} cm at low water."
    for number, (place, name) in enumerate(
        [("Ashmere", "Ida"), ("Brackwater", "Tom"), ("Coldharbour", "Una"), ("Dunmarsh", "Will")]
    )
)


def test_the_guard_is_told_true_and_false_sentences_and_tells_them_apart() -> None:
    told = {each.way: each for each in guard.judge(TIDES, "tides")}
    assert told[guard.VERBATIM] == (guard.VERBATIM, 4, 4)
    assert told[guard.ALTERED] == (guard.ALTERED, 4, 0)
    assert told[guard.SWAPPED] == (guard.SWAPPED, 4, 0)


def test_the_same_sentences_are_told_in_every_run() -> None:
    assert guard.judge(TIDES, "tides") == guard.judge(TIDES, "tides")


def test_more_that_the_guard_judges_wrongly_misses_the_bar() -> None:
    released: Released = {**CLEAN, "guard": {guard.VERBATIM: 0.0, guard.SWAPPED: 0.1}}
    told = [guard.Told(guard.VERBATIM, 100, 95), guard.Told(guard.SWAPPED, 100, 11)]
    assert [verdict.is_met for verdict in guard.bars(told, released)] == [False, True]


LONG_TITLE = "PRIO - _POSIX_THREAD_PRIORITY_SCHEDULING - _SC_THREAD_PRIORITY"


def test_titles_of_a_manual_page_may_be_long_and_stand_directly_below_others() -> None:
    page = (
        f"OPTIONS\n   General\n       -v     Say more.\n\n   {LONG_TITLE}\n       It is there.\n\n"
        "   Advanced\n   Variables\n       HOME is one.\n"
    )
    source = read(page, is_manual=True)
    titles = [(line.heading, line.text.strip()) for line in source.lines if line.heading]
    assert titles == [(1, "OPTIONS"), (2, "General"), (2, LONG_TITLE), (2, "Advanced"), (2, "Variables")]
    assert faults(source, "OPTIONS\n\nGeneral\n\nIt is there.").attributions


def test_a_fence_with_a_language_directly_below_a_title_underlines_nothing() -> None:
    source = read("## Deploy\n```bash\nrun it\n```\n\n## Logs\n\n## Rest\n")
    assert [line.text for line in source.lines if line.heading] == ["## Deploy", "## Logs", "## Rest"]


ASCIIDOC = """\
SETTINGS
--------

Places
~~~~~~

$root::
\tWhere all of them are, in the file of settings.
+
{rule}
our $root = "/srv/boats/of/all/the/piers/of/here";
{rule}
+
Nothing is looked for elsewhere.

To include another file, put

{rule}
read("/etc/boats/of/all/the/piers/of/here.conf");
{rule}

somewhere. It is read first.

Masts
-----

Each of them has a sail.
"""


@pytest.mark.parametrize("width", [6, 48, 52])
def test_a_listing_of_asciidoc_is_no_title_however_wide_its_rules_are(width: int) -> None:
    text = source(ASCIIDOC.format(rule="-" * width))
    right = "SETTINGS\n\nPlaces\n\nNothing is looked for elsewhere.\n\nsomewhere. It is read first."
    assert not faults(text, right).attributions
    assert not faults(text, "Masts\n\nEach of them has a sail.").attributions
    assert faults(text, "Masts\n\nIt is read first.").attributions
    assert faults(text, "SETTINGS\n\nEach of them has a sail.").attributions


def test_a_script_between_wide_rules_is_no_text() -> None:
    rule = "-" * 52
    text = source(
        f"How to row\n==========\n\nUse this:\n\n{rule}\n#!/bin/sh\n\n# Be quiet.\n\nquiet=1\n# Or loud.\n\nloud=1\n"
        f"# Or both.\n\nrow\n{rule}\n\nHow to sail\n===========\n\nIt is windy.\n"
    )
    assert not faults(text, "How to row\n\nquiet=1\nrow").attributions
    assert faults(text, "How to row\n\nIt is windy.").attributions
    assert faults(text, "How to sail\n\nquiet=1").attributions


def test_wide_rules_around_titles_are_no_listings() -> None:
    rule = "-" * 60
    text = source(
        "".join(
            f"{rule}\nVersion 2.{at}\n{rule}\n\n* An oar of {at}.\n* A sail of {at}.\n\n" for at in (9, 8, 7)
        )
    )
    assert not faults(text, "Version 2.8\n\n* An oar of 8.").attributions
    assert faults(text, "Version 2.8\n\n* An oar of 7.").attributions


def test_an_example_with_a_label_of_asciidoc_is_no_title() -> None:
    parts = "".join(
        f'{one}\n{"~" * len(one)}\n\n.Recipe\n[caption="Rule: "]\n===========================\n`row -m {one}`\n===========================\n\n'
        f"That is how {one} works.\n\n"
        for one in ("Light oars by hand", "Sails")
    )
    text = source(f"All boats\n=========\n\nBoats\n-----\n\nThey float.\n\n{parts}")
    assert not faults(text, "All boats\n\nSails\n\nThat is how Sails works.").attributions
    assert faults(text, "Light oars by hand\n\nThat is how Sails works.").attributions


def test_of_titles_that_say_the_same_the_one_that_is_written_so_is_open() -> None:
    text = source(
        "# Boat\n\n## Short use\n\nRow it.\n\n### Examples\n\nWith oars.\n\n## Examples\n\nMore.\n\n### Sails\n\nSet them.\n"
    )
    assert not faults(
        text, "# Boat\n\n## Short use\n\nRow it.\n\n## Examples\n\n### Sails\n\nSet them."
    ).attributions
    assert faults(text, "# Boat\n\n## Short use\n\n### Examples\n\nSet them.").attributions


def test_comments_of_org_mode_end_no_section() -> None:
    text = source(
        "#+TITLE: Boats\n\n* Oars\n\n** Of ash\n\nThey are light.\n\n# Not needed.\n# Is it?\n\n# See elsewhere.\n\nThey float.\n\n"
        "* Sails\n\nThey are large.\n"
    )
    assert not faults(text, "* Oars\n\n** Of ash\n\nThey float.").attributions
    assert faults(text, "** Of ash\n\nThey are large.").attributions


def test_a_title_may_stand_directly_over_a_paragraph_that_a_wide_blank_begins() -> None:
    text = source(
        "前言\n\n\u3000\u3000这是关于船的书，任何人都可以阅读。\n\n0.\u3000定义\n\u3000\u3000「船」是指浮在水上的东西。\n\n"
        "1.\u3000使用\n\u3000\u3000可以用手划船，也可以扬帆。\n"
    )
    assert not faults(text, "前言\n\n0.\u3000定义\n\n「船」是指浮在水上的东西。").attributions
    assert faults(text, "0.\u3000定义\n\n可以用手划船，也可以扬帆。").attributions


def test_a_title_is_no_entry_of_contents_that_stand_under_another_one() -> None:
    text = source(
        "目录\n\n1. 词语\n2. 船\n\n表格清单\n\n1.1. 船的清单\n\n目录\n\n1. 词语\n2. 船\n\n2. 船\n\n    船浮在水上，任何人都可以划船。\n\n"
        "3. 码头\n\n    码头不动。\n"
    )
    assert not faults(text, "表格清单\n\n2. 船\n\n    船浮在水上，任何人都可以划船。").attributions
    assert faults(text, "表格清单\n\n2. 船\n\n    码头不动。").attributions


def test_the_stage_of_a_version_belongs_to_the_title_of_its_release() -> None:
    text = source(
        "Notes of the boat\n=================\n\n"
        + "".join(
            f"{one} (2022-1{at}-01)\n\n    * An oar of {one}.\n\n"
            for at, one in ((2, "5.4.0"), (1, "5.3.4alpha"), (0, "5.3.3"))
        )
    )
    assert not faults(
        text, "5.4.0 (2022-12-01)\n\n5.3.4alpha (2022-11-01)\n\n    * An oar of 5.3.4alpha."
    ).attributions
    assert faults(text, "5.4.0 (2022-12-01)\n\n    * An oar of 5.3.4alpha.").attributions


def test_a_day_may_be_written_in_any_language() -> None:
    days = (("Mon Aug  9", 9), ("sze j\u00fan  2", 2), ("Tue Jun  1", 1))
    text = source("".join(f"{day} 2004  Ada <ada@pier.example>\n\n\tAn oar of {at}.\n\n" for day, at in days))
    assert not faults(
        text,
        "Mon Aug  9 2004  Ada <ada@pier.example>\n\nsze j\u00fan  2 2004  Ada <ada@pier.example>\n\nAn oar of 2.",
    ).attributions
    assert faults(text, "Mon Aug  9 2004  Ada <ada@pier.example>\n\nAn oar of 2.").attributions


JAILS = "# Use of this file:\n#\n# [general]\n# port = 22\n#\n\n[oars]\nport = 80\n\n[general]\nport = 443\nbreadth = 3\n"


def test_a_section_in_a_comment_is_none() -> None:
    source = read(JAILS, is_lines=True)
    assert not faults(source, "# [general]\n# port = 22\n\n[oars]\nport = 80").attributions
    assert faults(source, "# [general]\n# port = 22\n\n[oars]\nbreadth = 3").attributions
    assert faults(source, "[general]\n# port = 22").attributions


LICENCE = (
    "1. Oars\n\nAn oar is light.\n\n2. Sails\n\nA sail is red.\n\nEXHIBIT A -The Boat Licence.\n\nA boat is free.\n\n"
    "EXHIBIT B. Masts\n\nA mast is high.\n"
)


def test_an_exhibit_stands_below_no_numbered_section() -> None:
    text = source(LICENCE)
    told = "1. Oars\n\nAn oar is light.\n\nEXHIBIT A -The Boat Licence.\n\nA boat is free."
    assert not faults(text, told).attributions
    assert faults(text, told.replace("A boat is free.", "A mast is high.")).attributions
    assert faults(text, told.replace("A boat is free.", "A sail is red.")).attributions


GROUPS = "".join(
    f"#\n# {group}\n#\n#\n\n# One of two.\n[{one}]\nport = {port}\n\n[{one}-tls]\nport = {port + 1}\n\n"
    for group, one, port in (("Boats", "oars", 80), ("Piers", "planks", 90))
)


def test_a_title_in_a_box_of_empty_comments_stands_over_the_sections_below_it() -> None:
    source = read(GROUPS, is_lines=True)
    told = "# Boats\n\n[oars]\nport = 80\n\n# Piers\n\n[planks-tls]\nport = 91"
    assert not faults(source, told).attributions
    assert not faults(source, "[oars-tls]\nport = 81\n\n# Piers\n# One of two.").attributions
    assert faults(source, told.replace("# Piers\n\n", "")).attributions
    assert faults(source, told.replace("[planks-tls]", "[planks]")).attributions


TERMS = """\
BOAT(7)

       oars (integer; default: 4; of wood, since the days of 2.4 alone)
              How many there are.

       sails (integer; default: 2; of linen or of wool, since the old days of
       2.6 alone)
              How many there are, and those that are set when the wind is not
              strong enough for the others.

       The boat has a mast and it may be put down when there is a storm or
       a bridge.

       boat [--oars number] [--sails number] [--mast | --no-mast] [--length
              metres] [--breadth metres]
"""


def test_a_term_over_its_description_is_whole_and_one_over_two_lines_is_not() -> None:
    source = read(TERMS, is_manual=True)
    whole = "oars (integer; default: 4; of wood, since the days of 2.4 alone)"
    assert not faults(source, f"{whole} [...]").broken
    cut = "sails (integer; default: 2; of linen or of wool, since the old days of"
    assert faults(source, cut).broken
    assert not faults(source, f"{cut}\n2.6 alone)").broken
    assert faults(source, "boat [--oars number] [--sails number] [--mast | --no-mast] [--length").broken


DRIVER = """\
The driver reads the settings of the module when it is opened, and it
writes none of them.

Level of safety, and which values it has:

    ============ =======================================================
    level        Meaning of it
    ============ =======================================================
               0 Threads may not share the module at all.
               1 Threads may share the module, but not connections.
    ============ =======================================================

    -----------------------------------------------------------------------
    ** Here it begins, with a title. **

     All of the text.
"""


@pytest.mark.parametrize(
    "line",
    [
        "    level        Meaning of it",
        "               0 Threads may not share the module at all.",
        "    ** Here it begins, with a title. **",
    ],
)
def test_no_sentence_begins_with_the_border_above_a_line(line: str) -> None:
    assert not faults(source(DRIVER), line).broken
    assert faults(
        source(DRIVER), "The driver reads the settings of the module when it is opened, and it"
    ).broken


NOTICES = """\
The program comes with parts that others made, each under its own terms, as
they are printed below, and none of these terms says anything of the others.

"Bent Oars" typeface
Copyright (c) Ada Lovelace, https://oars.example.org/fonts-alike
Used with permission

Whoever takes the program takes these terms as well, and has to pass them on
with it.
"""


def test_a_line_that_ends_with_an_address_over_a_capital_is_whole() -> None:
    assert not faults(source(NOTICES), '"Bent Oars" typeface\nUsed with permission').broken
    assert faults(source(NOTICES), "with it.").broken
    for wrapped in (NOTICES.replace("alike\n", "alike and others\n"), NOTICES.replace("Used", "used")):
        assert faults(source(wrapped), wrapped.splitlines()[5]).broken


def test_neighbouring_settings_are_not_wrapped_text() -> None:
    settings = 'title = "A report of what went wrong with the index on that day"\nauthors = ["Ada Lovelace"]\nlayout = "of a post"\n'
    assert not faults(source(f"Words.\n\n{settings}"), 'authors = ["Ada Lovelace"]').broken
    wrapped = "The result of the sum that is written there in the first line is the\nnumber that you see in the second one = 4 and nothing else.\n"
    assert faults(source(wrapped), "number that you see in the second one = 4 and nothing else.").broken


def test_an_underline_may_be_longer_than_its_title_where_others_are_as_long() -> None:
    parts = [
        ("Can I stop it?", 14),
        ("How can I switch it on?", 60),
        ("Can I start it again?", 21),
    ]
    text = "".join(f"{title}\n{'-' * width}\n\nWords of {width}.\n\n" for title, width in parts)
    assert [line.text for line in source(text).lines if line.heading] == [title for title, _ in parts]
    assert not faults(
        source(text), "Can I stop it?\n--------------\n\nHow can I switch it on?\n\nWords of 60."
    ).attributions
    assert faults(source(text), "Can I stop it?\n--------------\n\nWords of 60.").attributions
    ruled = text.replace("it on?\n", "it on.\n\n").replace("How", "\nHow")
    assert "How can I switch it on." not in [line.text for line in source(ruled).lines if line.heading]


def test_a_title_that_its_look_alone_makes_one_stands_below_one_with_a_sign() -> None:
    long = "Use the other term to find packages whose names have several parts in them; " * 3
    text = f"### Terms\n\nThey are all here.\n\nNote\n\n{long}\n\n?not\n\nFind what is not.\n"
    assert not faults(source(text), "### Terms\n\n?not\n\nFind what is not.").attributions
    assert faults(source(text), "Note\n\nThey are all here.").attributions


JOINED = """\
===== oars-1.2 =====

Licence of the Oars
===================

Terms
-----

Whoever has an oar may row with it as far as the pier.

===== sails-2.0 =====

Whoever has a sail may hoist it.
"""


def test_a_title_between_equals_signs_stands_over_all_of_a_joined_file() -> None:
    assert not faults(
        source(JOINED), "Terms\n-----\n\n===== sails-2.0 =====\n\nWhoever has a sail may hoist it."
    ).attributions
    assert faults(source(JOINED), "Terms\n-----\n\nWhoever has a sail may hoist it.").attributions


def test_a_title_in_an_indented_box_ends_no_section_at_the_margin() -> None:
    rule = f"  {'-' * 59}\n"
    boxes = "".join(
        f"{rule}  LICENCE OF THE {name.upper()} SEA Version 1.1\n{rule}\n  Whoever has the {name} sea may row on it.\n\n"
        for name in ("red", "old", "new")
    )
    title = "Agreement on all boats\n======================"
    text = f"{title}\n\nThis is agreed on by all.\n\nName: seas\nLicense: of each sea\n\n{boxes}"
    assert not faults(source(text), f"{title}\n\n  Whoever has the old sea may row on it.").attributions
    other = source(f"{text}\nOther boats\n===========\n\nNobody rows them.\n")
    assert faults(other, f"{title}\n\nNobody rows them.").attributions
