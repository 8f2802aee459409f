"""Data, code and markup of many forms are read as what they are: records by their names, statements whole, nothing joined or cut."""

from collections.abc import Callable

import pytest

from summarizing.extractive.rendering import render
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import tree


def texts_of(document: Document) -> list[str]:
    return [document.of(index) for index in range(len(document.segments))]


def needed(document: Document, text: str) -> set[str]:
    """Return what comes with the segment that has this text."""
    index = next(index for index in range(len(document.segments)) if text in document.of(index))
    return {document.of(one) for one in document.requirements(index)}


LUA = """\
-- Numbers to text, with a comma behind each three of their digits.
-- Those that have no more than three are as they were before.
-- A number of any size is taken, but not one below zero.
local function comma(value)
    local parts = {}
    while value >= 1000 do
        table.insert(parts, 1, value % 1000)
        value = math.floor(value / 1000)
    end
    if #parts == 0 then
        return tostring(value)
    end
    return value .. ',' .. table.concat(parts, ',')
end

local function plain(value)
    local text = tostring(value)
    if text == nil then
        return quote(value)
    end
    -- What is no number is told by its name, as the caller wants it.
    return text, 'no number'
end
"""


def test_code_whose_blocks_end_with_words_is_code() -> None:
    document = parse(LUA * 2)
    assert all(segment.kind in (SegmentKind.CODE, SegmentKind.FRAME) for segment in document.segments)


UNIONS = """\
/** The kinds of wood that a boat may be made of. */
export type Wood =
  | 'ash'
  | 'beech'
  | 'cedar'
  | 'elm'
  | 'larch'
  | 'oak'
  | 'pine'
  | 'teak'

/** What is known of a boat that lies at the pier. */
export interface Boat extends Floating<Wood> {
  wood: Wood
  oars?: number
  name: string
  rowed: boolean
}
"""


def test_types_that_are_unions_of_many_names_are_code() -> None:
    document = parse(UNIONS)
    assert all(segment.kind in (SegmentKind.CODE, SegmentKind.FRAME) for segment in document.segments)


BLOCK_COMMENTS = """\
/**
This is a container that takes no more room than what is in it
needs, and grows when more is put into it than there is room for.
*/
template <class T>
class Buffer : private Base<T> {
    /**
    The room that there is at least in it, whether it is filled or
    not, until it is asked to take less.
    */
    size_t least_;
};
"""


def test_a_comment_between_signs_is_whole_and_no_prose() -> None:
    document = parse(BLOCK_COMMENTS * 4)
    comment = next(text for text in texts_of(document) if "takes no more room" in text)
    assert "than there is room for." in comment
    assert all(segment.kind in (SegmentKind.CODE, SegmentKind.FRAME) for segment in document.segments)


def test_a_long_comment_is_cut_between_sentences() -> None:
    sentence = "# This says in many words what the setting below does and why anyone would\n# want to change it at all.\n"
    document = parse(f"{sentence * 5}port = 80\n\nhost = a\n\nuser = b\n")
    assert all(text.endswith(("at all.", "= 80", "= a", "= b")) for text in texts_of(document))


WRAPPED_YAML = """\
name: "tools"
comment: "This package has been shipped in source and binary form.\\nThe binaries\\
  \\ were created with a compiler that is old by now and expect to link to\\
  \\ libraries of that time. Redistribution and use in source and binary forms,\\
  \\ with or without modification, are permitted provided that the conditions\\
  \\ that follow are met by whoever does it, wherever that is, and that this\\
  \\ notice is kept."
packages:
- name: "one"
  licence: "MIT"
- name: "two"
  licence: "BSD"
"""


def test_a_string_over_several_lines_is_one_value() -> None:
    document = parse(WRAPPED_YAML)
    assert any(text.startswith("comment:") for text in needed(document, "notice is kept."))


PACKAGES = """\
Name            : zstd
Version         : 1.5.6-1
Required By     : android-tools  appstream  binutils
                  blender  blosc
Installed Size  : 1527.00 KiB

Name            : apparmor
Version         : 4.0.1-2
Required By     : None
Installed Size  : 4.11 MiB

Name            : apulse
Version         : 0.1.13-4
Required By     : None
Installed Size  : 0.30 MiB
"""


def test_keys_of_several_words_name_values_of_records() -> None:
    document = parse(PACKAGES)
    assert needed(document, "4.11 MiB") == {"Name            : apparmor"}
    assert "Required By     : android-tools  appstream  binutils" in needed(document, "blender")


TAG_VALUE = """\
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0

## Package Information
PackageName: lang
FilesAnalyzed: false

## Package Information
PackageName: saxon
PackageVersion: 8.8
FilesAnalyzed: false

## Licences
LicenseID: LicenseRef-1
ExtractedText: <text>Redistribution and use are permitted
provided that the following holds.

The notice is kept.</text>

LicenseID: LicenseRef-2
LicenseName: Cyber
"""


def test_records_between_blank_lines_are_known_by_their_keys_recurring() -> None:
    document = parse(TAG_VALUE)
    assert needed(document, "PackageVersion: 8.8") == {"## Package Information\nPackageName: saxon"}


HISTORY = """\
commit 096fffdb79807d34b99985b38df0a3df7f6a86c7
Author:     One <one@example.org>
AuthorDate: Wed Apr 20 10:03:36 2022 -0400
Commit:     One <one@example.org>
CommitDate: Wed Apr 20 10:03:36 2022 -0400

    use stat examples

commit 728d882ed007b3c8b785018874a0eb06e1143b66
Author:     Two <two@example.org>
AuthorDate: Wed Apr 20 09:50:19 2022 -0400
Commit:     Two <two@example.org>
CommitDate: Wed Apr 20 09:50:19 2022 -0400

    add timestamp docs
"""


def test_what_a_history_says_stands_under_its_commit() -> None:
    document = parse(HISTORY)
    assert needed(document, "add timestamp docs") == {"commit 728d882ed007b3c8b785018874a0eb06e1143b66"}
    assert needed(document, "AuthorDate: Wed Apr 20 09:50") == {
        "commit 728d882ed007b3c8b785018874a0eb06e1143b66",
        "add timestamp docs",
    }


def test_the_files_of_a_commit_come_with_its_hash_and_its_message() -> None:
    text = "".join(
        f"commit {name * 10}\nAuthor: One <one@example.org>\nDate:   Wed Apr 20 10:03:36 2022 -0400\n\n"
        f"    Subject of {name}\n\n    What was changed, and why it was.\n\n src/{name}.c | 12 +++---\n 1 file changed\n\n"
        for name in ("a1b2", "c3d4", "e5f6", "0a9b")
    )
    for line in ("src/c3d4.c", "1 file changed", "What was changed", "Author: One"):
        document = parse(text[text.index("commit c3d4") :] + text)
        assert needed(document, line) == {f"commit {'c3d4' * 10}", "Subject of c3d4"}


def test_each_line_of_a_short_history_is_a_segment() -> None:
    history = (
        "3d6fb7d Gateway: with a query, find_tools and call_tool stand in place of the list\n"
        "99a463c Test of the guard on real texts: numbers that the text does not have\n"
        "8c06d04 Progress on another connection may come after the answer\n"
    )
    document = parse(history)
    assert [document.of(index) for index in range(len(document.segments))] == history.splitlines()
    assert all(segment.parent == NO_SEGMENT for segment in document.segments)


def test_lines_that_begin_alike_are_not_wrapped_text() -> None:
    text = "".join(
        f"npm http fetch GET 200 https://registry.example.org/{name} {len(name)}90ms (cache updated)\n"
        for name in ("express", "vitest", "playwright", "mime-types", "on-finished")
    )
    assert texts_of(parse(text)) == text.splitlines()


def test_items_with_wide_gaps_behind_their_signs_are_no_columns() -> None:
    items = [
        f"-   **NEW**: Lists: extension {number} is added, which is still recognized but is\n    now deprecated."
        for number in range(9)
    ]
    short = [f"-   **FIX**: Paths: mended for {number}." for number in range(40)]
    document = parse("\n".join(short + items))
    assert {segment.kind for segment in document.segments} == {SegmentKind.ITEM}


def test_a_definition_in_an_example_is_no_title_where_titles_are_underlined() -> None:
    parts = "".join(
        f"{title}\n{'-' * 9}\n\nSome words of it say what it is for, and others how it is called.\n\n"
        f"It is one of several functions here, all of which are as short::\n\n    def {title.lower()}(x):\n"
        "        return x\n\n"
        for title in ("Selection", "Calls", "Groups")
    )
    document = parse(parts)
    headings = [
        document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING
    ]
    assert headings == ["Selection", "Calls", "Groups"]


XML = """\
<?xml version="1.0"?>
<protocol name="shell">
  <request name="move">
    <description summary="start a move">
\tThis must be used in response to some sort of action of the user, and
\tinterface elements that are not shown any more are ignored when it is
\tcalled.
    </description>
    <arg name="seat" type="object"
\t summary="the seat of the user"/>
  </request>
</protocol>
"""


LONG = "A click of the user is meant, not one of a program. " * 9 + "None else."


def test_paragraphs_and_tags_of_xml_are_whole() -> None:
    document = parse(XML.replace("called.", f"called. {LONG}"))
    paragraph = next(text for text in texts_of(document) if "must be used" in text)
    assert paragraph.endswith(LONG)
    assert any(
        text.endswith('summary="the seat of the user"/>') and "<arg" in text for text in texts_of(document)
    )


def test_a_paragraph_of_xml_is_whole_though_names_stand_among_its_words() -> None:
    hotspot = "The parameters hotspot_x and hotspot_y define the place of\n\tthe surface. Destroying wl_buffer before\n\twl_buffer.release is an error."
    text = XML.replace(
        "called.", f"called.\n\n\t{hotspot}\n\n\t- one_entry, of a list\n\t- another_one, {LONG}"
    )
    assert {hotspot, "- one_entry, of a list"} <= set(texts_of(parse(text)))


def test_lines_behind_tabs_keep_their_indentation_below_one_behind_blanks() -> None:
    document = parse(XML.replace("called.", f"called. {LONG}"))
    rendered = render(document, range(len(document.segments)))
    assert all(
        line.startswith(" ") for line in rendered.splitlines() if "interface" in line or "called" in line
    )


def test_a_line_behind_tabs_stays_below_one_behind_a_blank() -> None:
    text = " Of all:    1 onion, 2 leeks,\n            3 carrots, 1 root of ginger, 1/2 Romana-\n\t    lettuce, 2 chillies\n Time:      25 minutes\n"
    document = parse(text)
    rendered = render(document, range(len(document.segments))).splitlines()
    carrots, lettuce = (next(line for line in rendered if word in line) for word in ("carrots", "lettuce"))
    assert len(carrots) - len(carrots.lstrip()) == len(lettuce.expandtabs()) - len(lettuce.lstrip())


def test_a_text_between_tags_on_one_long_line_ends_there() -> None:
    record = "PackageName: %s\nPackageCopyrightText: <text>%s</text>\nPackageVersion: 1.%d\n"
    document = parse(
        "\n".join(record % (name, "By all. " * (35 - 30 * (at % 2)), at) for at, name in enumerate("abcd"))
    )
    assert all(f"PackageName: {name}" in texts_of(document) for name in "abcd")
    assert "PackageVersion: 1.2" in texts_of(document)


def test_a_tag_ends_with_a_long_line_of_attributes() -> None:
    text = XML.replace("the seat of the user", "the seat of the user " * 12)
    assert any(one.startswith("<arg") and one.endswith("/>") for one in texts_of(parse(text)))


SCHEMA = """\
title: Pump schema
type: object
properties:
  mode:
    type: string
    enum:
    - slow
    - fast
  note:
    description: |-
      What the pump is told to do when the water is low. By default
      it stops, and is started again by hand. Note: it is never
      started by a clock, whatever the settings of the other pumps
      around it say.
    type: string
  reason:
    description: >
      Why the pump was stopped by the one who stopped it, in the words
      that the paper on the wall has for it. No other words are to be
      taken, and none that are not true.
    type: string
required:
- mode
- reason
"""


def test_an_entry_of_a_list_belongs_to_its_key_be_it_indented_or_not() -> None:
    assert needed(parse(SCHEMA), "- fast") == {"enum:", "mode:", "properties:"}
    assert needed(parse(SCHEMA), "- reason") == {"required:"}


def test_the_text_of_a_block_scalar_belongs_to_its_key_and_is_no_measure_of_what_the_lines_are() -> None:
    document = parse(SCHEMA)
    value = next(text for text in texts_of(document) if text.startswith("description: >"))
    assert value.endswith("not true.")
    assert needed(document, "- slow") == {"enum:", "mode:", "properties:"}


QUOTED = """\
name: boats
description: "A \\"long\\" text that goes on
  over several lines, with a colon: here
  and ends."
note: 'It''s said that
  the port: 8007 is open

  and more'
server:
  port: 8007
  banner: "Welcome to
    the harbour: please
    wait"
  list:
    - "the first
      of two: here"
    - two
  open: "this is never closed
  other: value
last: 'of all'
"""


BRANCHES = """\
def fill(tank, pump):
    if tank.is_closed:
        raise ValueError("the tank is closed, and nothing flows into it until it is opened")
    if pump.is_fast:
        tank.take(pump.first_part_of_what_is_there(), "as fast as it goes", pump.name)
        tank.take(pump.second_part_of_what_is_there(), "as fast as it goes", pump.name)
        tank.take(pump.third_part_of_what_is_there(), "as fast as it goes", pump.name)
        tank.take(pump.fourth_part_of_what_is_there(), "as fast as it goes", pump.name)
        tank.take(pump.fifth_part_of_what_is_there(), "as fast as it goes", pump.name)
    # The slow one drips.
    elif pump.is_slow:
        tank.drip(pump)
    else:
        tank.wait(pump)


try:
    import valves
except ImportError:
    valves = None

try:
    import gauges
except ImportError:
    gauges = None
"""


def test_branches_come_with_the_statement_that_they_belong_to() -> None:
    document = parse(BRANCHES)
    for branch in ("tank.wait", "tank.drip"):
        assert "    if pump.is_fast:".strip() in needed(document, branch)
        assert not any("tank.is_closed" in text for text in needed(document, branch))
    assert any(
        text.startswith("try:\n    import gauges") and "gauges = None" in text for text in texts_of(document)
    )


def test_a_branch_stands_as_far_left_as_its_statement() -> None:
    document = parse(BRANCHES)
    index = next(index for index, text in enumerate(texts_of(document)) if "tank.wait" in text)
    lines = render(document, {index, *document.requirements(index)}).split("\n")
    assert lines[:4] == ["def fill(tank, pump):", "[...]", "    if pump.is_fast:", "[...]"]
    assert lines[4:6] == ["    else:", "        tank.wait(pump)"]


NEWS = """\
* Changes in release 3.2

** Bug fixes

  fill no longer hangs when given a tank that leaks.
  [bug introduced in pumps-2.1]

  drip now counts all of the drops that fall from both of the valves.
  This takes no more time than before the drops of both were counted.

  wait no longer sleeps for ever where the clock of the pump is stopped.
  [This was so from the beginning.]
"""


def test_a_line_in_brackets_or_with_a_reference_comes_with_the_line_that_it_is_about() -> None:
    document = parse(NEWS)
    assert any(text.startswith("fill") for text in needed(document, "pumps-2.1"))
    assert any(text.startswith("drip") for text in needed(document, "This takes"))
    assert any(text.startswith("wait") for text in needed(document, "from the beginning"))


CHANGE = """\
commit 0123456789abcdef0123456789abcdef01234567
Author: A Miller <miller@mill.example>
Date:   Fri Nov 27 21:47:45 2026 +0000

    The pump stops when the tank is full

diff --git a/pump.md b/pump.md
index da5d2a2..eddddfb 100644
--- a/pump.md
+++ b/pump.md
@@ -5,4 +5,4 @@ Pumps
 - It is started by hand.
-- It is stopped by hand.
+- It stops when the tank is full.
 - It is cleaned by hand.
"""


def test_a_change_comes_with_its_commits_message_and_lines_that_have_not_changed_keep_their_blank() -> None:
    document = parse(CHANGE)
    assert "The pump stops when the tank is full" in needed(document, "+- It stops")
    parts = {
        one: segment.is_marginal for one, segment in zip(texts_of(document), document.segments, strict=True)
    }
    assert not parts["-- It is stopped by hand.\n+- It stops when the tank is full."]
    assert parts[" - It is started by hand."]
    assert parts["+++ b/pump.md"]


@pytest.mark.parametrize(
    "reference",
    [
        "Previously, it stood still.",
        "Now they're ground finer.",
        "For example, rye is ground at dawn.",
        "Similar mills stand still.",
        "E.g., rye is ground at dawn.",
        "In other words, nobody sleeps.",
        "The law of the valley requires this.",
        "Zum Beispiel wird Roggen gemahlen.",
    ],
)
def test_a_sentence_that_refers_to_the_one_before_comes_with_it(reference: str) -> None:
    document = parse(f"The mill grinds all night. {reference} Wheat is ground first.\n")
    assert needed(document, reference) == {"The mill grinds all night."}
    assert not needed(document, "Wheat")


EXCEPTIONS = """\
## files

Most of these ignored files can be included specifically if included in the `files` globs.
Exceptions to this are:

* `.git`
* `yarn.lock`
  - and its copies

These cannot be included.

Everything else is packed.
"""


def test_a_paragraph_that_refers_to_the_list_before_it_comes_with_its_last_item_and_lead_in() -> None:
    document = parse(EXCEPTIONS)
    assert needed(document, "These cannot") == {
        "## files",
        "Exceptions to this are:",
        "* `yarn.lock`",
        "- and its copies",
        "Most of these ignored files can be included specifically if included in the `files` globs.",
    }
    assert needed(document, "Everything else") == {"## files"}


@pytest.mark.parametrize(
    "before", ["# One\n\nParts are:\n\n- a pump\n- a tank\n\n# Two\n\n", "# Two\n\n- a pump\n- a tank\n\n"]
)
def test_a_paragraph_refers_to_no_list_of_another_section_or_without_an_introduction(before: str) -> None:
    assert needed(parse(f"{before}This cannot be included.\n"), "This cannot") == {"# Two"}


ENTRIES = """\
* Changes in release 3.2

  fill keeps the number of the tank in its own list.
  With a pump of this year, those long numbers came from it.

  drip counts all of the drops.
  As a side effect, the drops of both valves have numbers now.
"""


def test_sentences_on_lines_of_one_entry_come_with_its_first() -> None:
    document = parse(ENTRIES)
    assert any(text.startswith("fill") for text in needed(document, "those long numbers"))
    assert any(text.startswith("drip") for text in needed(document, "side effect"))


def test_a_text_below_fields_is_read_as_text() -> None:
    """What a package says of itself, a mail: RFC 5322, 2.1, "the body [...] is separated from the header section by an empty line"."""
    fields = "".join(f"Requires-Dist: package-{number}>={number}.0\n" for number in range(60))
    body = '<div align="center">\n\n# Wick\n\nThis package keeps lamps lit. It has no other use.\n\n## Install\n\nTake any version.\n'
    document = parse(f"Name: wick\nVersion: 1.2\n{fields}\n{body}")
    texts = texts_of(document)
    assert "Requires-Dist: package-7>=7.0" in texts
    index = texts.index("It has no other use.")
    assert document.segments[index].kind is SegmentKind.SENTENCE
    assert [texts[above] for above in document.above(index)] == ["# Wick"]


def test_examples_below_a_head_of_fields_do_not_make_a_text_code() -> None:
    """As in what a package says of itself in reStructuredText: some of its lines are code, and fewer than half stand in literal blocks."""
    fields = "".join(f"Requires-Dist: package-{number}>={number}.0\n" for number in range(30))
    example = (
        ".. code-block:: python\n\n    import wick\n    wick.light(1)\n    x = wick.read()\n    x.close()\n\n"
    )
    kinds_of_lamps = ("Ash", "Bell", "Cask", "Dory", "Elm", "Fir", "Gull", "Hull", "Ivy")
    body = "".join(
        f"{kind}\n------\n\n{example}The {kind} is lit as all others are.\n\n" for kind in kinds_of_lamps
    )
    document = parse(f"Name: wick\nVersion: 1.2\n{fields}\n{body}")
    texts = texts_of(document)
    assert "Requires-Dist: package-7>=7.0" in texts
    above = document.above(texts.index("The Dory is lit as all others are."))
    assert [texts[one] for one in above] == ["Dory"]


def test_what_a_field_of_a_head_says_may_go_on_behind_blank_lines() -> None:
    licence = "License: Take it.\n        \n        Nobody answers for it, and nobody has to.\n"
    fields = "".join(f"Requires-Dist: package-{number}>={number}.0\n" for number in range(30))
    document = parse(
        f"Name: wick\nKeywords:\nVersion: 1.2\n{licence}{fields}\nThis package keeps lamps lit. It has no other use.\n"
    )
    assert "Requires-Dist: package-7>=7.0" in texts_of(document)
    assert document.segments[texts_of(document).index("It has no other use.")].kind is SegmentKind.SENTENCE


def test_keys_below_keys_are_data_though_blank_lines_stand_between() -> None:
    keys = "name: web\nversion: 1.2\nlicense: MIT\n\nports:\n  - port: 80\n    id: http\n\nlabels:\n  tier: front\n"
    document = parse(keys)
    assert needed(document, "tier: front") == {"labels:"}


def test_a_sentence_over_two_lines_among_names_of_files_is_whole() -> None:
    text = (
        "        * src/oars/ash.c, src/sails/large.c, src/keels.c, src/keels.h\n"
        "        Old versions of the routines row_all_boats and set_all_sails\n        were removed.\n\n"
        "        * doc/boats.tex\n        It is new.\n"
    )
    whole = "Old versions of the routines row_all_boats and set_all_sails\n        were removed."
    assert whole in texts_of(parse(text))
    names = "src/oars/with/a/long/path/that/fills/nearly/all/of/it.c\nsrc/sails.c 17\nsrc/keels.c 18\n"
    assert texts_of(parse(names)) == names.splitlines()


def test_a_key_that_recurs_over_other_lines_says_nothing_by_itself() -> None:
    text = "".join(f"tongue{at}:\n  type: prose\n  extensions:\n  - .x{at}\n  - .y{at}\n" for at in range(4))
    document = parse(text)
    kinds = {document.of(index): one.kind for index, one in enumerate(document.segments)}
    assert kinds["extensions:"] is SegmentKind.FRAME
    assert kinds["tongue2:"] is kinds["- .y2"] is SegmentKind.LINE


def test_the_code_below_a_call_of_a_traceback_is_a_line_of_its_own() -> None:
    trace = (
        "Traceback (most recent call last):\n"
        '  File "/pier/boats.py", line 12, in row_out\n    oars = the boat of ash(1)\n'
        '  File "/pier/oars.py", line 3, in ash\n    raise Broken("there is no oar of ash left on the pier")\n'
        "oars.Broken: there is no oar of ash left on the pier\n"
    )
    document = parse(f"The boat was not rowed out, since no oar was left, and it says so:\n\n{trace}")
    assert needed(document, "raise Broken") >= {
        "Traceback (most recent call last):",
        'File "/pier/oars.py", line 3, in ash',
    }


def test_each_part_of_a_long_comment_over_a_function_comes_with_the_function() -> None:
    comment = "".join(
        f"    /// Sets the argument number {number} as required, unless it is there.\n"
        for number in range(12)
    )
    functions = [
        f"{comment}    pub fn required_{name}(self) -> Self {{\n        self\n    }}\n"
        for name in ("one", "two", "three")
    ]
    document = parse("impl Arg {\n" + "\n".join(functions) + "}\n")
    parts = [at for at, one in enumerate(document.segments) if "number 4 as" in document.of(at)]
    names = ["required_one", "required_two", "required_three"]
    assert [
        name in document.of(document.segments[part].anchor) for name, part in zip(names, parts, strict=True)
    ] == [True] * 3
    assert "///" not in document.of(document.segments[parts[0]].anchor)


@pytest.mark.parametrize("case", [str, str.lower])
def test_statements_of_sql_are_whole_and_in_their_lines(case: Callable[[str], str]) -> None:
    """Those that define tables have few signs of code: their columns are words, with commas behind them."""
    tables = [
        f"CREATE TABLE {name} (\n    {name}_id integer NOT NULL PRIMARY KEY,\n    owner varchar(80) DEFAULT NULL\n"
        f"        REFERENCES owners ON DELETE CASCADE,\n    changed timestamp with time zone NOT NULL\n);\n"
        for name in ("boats", "oars", "sails")
    ]
    fill = "INSERT INTO boats\n    VALUES (1, NULL, now());\n"
    text = case("--\n-- Boats and what they have.\n--\n" + "\n".join([*tables, fill]))
    for statement in (*tables, fill):
        assert any(one.endswith(case(statement).strip()) for one in texts_of(parse(text)))


def test_sentences_that_begin_like_statements_of_sql_are_text() -> None:
    text = "Update the list set above. It is old.\n\nThe boats lie at the pier.\n\nDrop table cloths into the sea. It is deep.\n\nNobody sails.\n"
    assert "It is deep." in texts_of(parse(text))


SQL_OF_TYPES = """\
/* contrib/cube.sql */

-- Functions of the type for boxes

CREATE FUNCTION cube_in(cstring)
RETURNS cube
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON TYPE cube IS 'boxes ''(A, B, ..., C), (D, E, ..., F)''';

--
-- External functions
--

-- Comparison methods

CREATE FUNCTION cube_eq(cube, cube)
RETURNS bool
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- The index is of no use to values that are larger than a page, which are stored elsewhere.

CREATE INDEX by_size ON boxes (size);
"""


def test_a_long_comment_over_a_branch_is_no_note_of_another_statement() -> None:
    comment = "".join(
        f"    // Says what happens to the boat number {number} in this case, and why.\n"
        for number in range(9)
    )
    cases = "".join(
        f"{comment}    case {name}:\n        row({name});\n        break;\n" for name in ("ASH", "OAK", "ELM")
    )
    document = parse(f"void go(int wood) {{\n    switch (wood) {{\n{cases}    }}\n    land();\n}}\n" * 3)
    notes = [one for at, one in enumerate(document.segments) if document.of(at).startswith("//")]
    anchors = [document.of(one.anchor) for one in notes if one.anchor != NO_SEGMENT]
    assert not any(anchor.lstrip().startswith(("}", "land", "case")) for anchor in anchors)


def test_a_line_that_closes_a_bracket_comes_with_the_line_that_opened_it() -> None:
    block = (
        "    union proxy_addr {\n"
        "        struct {        /* for TCP/UDP over IPv4, len = 12 */\n            uint32_t src_addr;\n        } ipv4_addr;\n"
        "        struct {        /* for TCP/UDP over IPv6, len = 36 */\n            uint8_t  src_addr[16];\n        } ipv6_addr;\n"
        "    };\n"
    )
    sentence = "The sender must ensure that all of the header of the protocol is sent at once, whatever its length is.\n"
    document = parse(f"{sentence * 20}\nThe block of addresses is this union :\n\n{block}\n{sentence * 20}")
    closing = next(at for at in range(len(document.segments)) if document.of(at) == "} ipv6_addr;")
    assert "struct {        /* for TCP/UDP over IPv6, len = 36 */" in map(
        document.of, document.requirements(closing)
    )


def test_keys_of_toml_hang_on_their_section_also_where_arrays_have_most_lines() -> None:
    arrays = "".join(
        f'    "boats/{name}.py",\n' for name in ("ash", "elm", "oak", "fir", "yew", "box", "bay")
    )
    text = (
        f'[tool.mypy]\nstrict = false\nfollow_imports = "skip"\nfiles = [\n{arrays}]\n\n'
        f"[tool.coverage.run]\nbranch = true\ncover_pylib = false\nomit = [\n{arrays}]\n"
    )
    found = tree(parse(text))
    assert found["cover_pylib = false"] == "[tool.coverage.run]"
    assert found["strict = false"] == "[tool.mypy]"


def test_rows_of_a_matrix_are_no_sections() -> None:
    """As numpy prints one."""
    rows = [f"[ {number}.50   {number * 2}.00  -1.25 ]" for number in range(30)]
    document = parse("[" + "\n ".join(rows) + "]\n")
    assert {one.kind for one in document.segments} == {SegmentKind.LINE}


def test_constants_in_brackets_at_the_margin_are_code_and_rows_stand_below_their_own_variable() -> None:
    """As in constants of Go that a program wrote: nearly all lines are names with values."""
    constants = "".join(f"\tPUMP{at}    = 0x{at}f\n" for at in range(40))
    rows = "".join(
        f'\t{{{at}, "E{at}", "the pump of tank {at} is blocked, and so is its pipe"}},\n' for at in range(12)
    )
    text = f"package pumps\n\n// Numbers\nconst (\n{constants})\n\n// Errors\nvar errors = [...]struct {{\n\tnum int\n\tname string\n}}{{\n{rows}}}\n"
    document = parse(text)
    assert {segment.kind for segment in document.segments} <= {SegmentKind.CODE, SegmentKind.FRAME}
    assert any("var errors = " in text for text in needed(document, '"E7"'))
    assert not any("const (" in text for text in needed(document, '"E7"'))


def test_an_entry_of_yaml_is_whole_though_its_first_line_says_little() -> None:
    text = 'changes:\n  fixes:\n  - pump - Say "full" of "tank" gauge\n    was read\n  - tank - close it\n  notes:\n  - none\n'
    assert '- pump - Say "full" of "tank" gauge\n    was read' in texts_of(parse(text))


def test_an_example_in_a_docstring_is_whole_though_its_arguments_look_like_keys() -> None:
    rest = "".join(
        f"    def sail_{at}(self, wind):\n        return self.mast.set(wind, {at}, self.keel)\n\n"
        for at in range(20)
    )
    example = "boat = Boat(\n            wood='org.boats.Ash',\n            keel='deep',\n            mast='high'\n        )\n        log = boat.sail()"
    text = (
        f'class Boat:\n    """Make a boat that sails.\n\n    e.g.::\n\n        {example}\n    """\n\n{rest}'
    )
    assert any(f"{example}" in one for one in texts_of(parse(text)))
