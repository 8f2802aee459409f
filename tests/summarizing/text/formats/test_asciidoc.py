"""AsciiDoc: listings between lines of dashes, blocks that a plus attaches, labels."""

from hypothesis import given
from hypothesis import strategies as st

from summarizing.text.document import NO_SEGMENT, SegmentKind
from summarizing.text.formats.asciidoc import attached, is_asciidoc, listings
from summarizing.text.lines import read_lines
from summarizing.text.parsing import parse

PAGE = """OPTIONS
-------
`"start"`::
\tThis event has the arguments of the program.
+
------------
{
\t"event":"start",

\t"argv":["a","b"]
}
------------
+
It is sent once. It is the first.

Title of it::

\tThe text of it.

EXAMPLES
--------

A struct is shown:

----
struct lamp {
\tint height;
}
----

The end is told here.
"""


def _read(text: str) -> dict[str, tuple[SegmentKind, str]]:
    """Return each segment's kind and what it hangs on."""
    document = parse(text)
    return {
        " ".join(document.of(number).split()): (
            segment.kind,
            " ".join(document.of(segment.parent).split()) if segment.parent != NO_SEGMENT else "",
        )
        for number, segment in enumerate(document.segments)
    }


def test_a_listing_is_code_and_hangs_on_the_label_that_it_is_attached_to() -> None:
    found = _read(PAGE)
    listing = '------------ { "event":"start", "argv":["a","b"] } ------------'
    assert found[listing] == (SegmentKind.CODE, '`"start"`::')
    assert found["It is sent once."] == found["It is the first."] == (SegmentKind.SENTENCE, '`"start"`::')
    assert found["---- struct lamp { int height; } ----"] == (SegmentKind.CODE, "A struct is shown:")
    assert found["The end is told here."] == (SegmentKind.SENTENCE, "EXAMPLES")


def test_a_label_is_no_heading_and_carries_its_text() -> None:
    found = _read(PAGE)
    assert [text for text, (kind, _) in found.items() if kind is SegmentKind.HEADING] == [
        "OPTIONS",
        "EXAMPLES",
    ]
    assert found["The text of it."] == (SegmentKind.SENTENCE, "Title of it::")


def test_lines_around_an_example_or_a_sidebar_make_no_title() -> None:
    block = "[NOTE]\n====\nMind it\n====\n\n****\nMind you\n****\n\n"
    text = f"Lamps\n=====\n\n{block}[source,c]\n----\nint a;\n----\n\nThe end is told here.\n"
    found = _read(text)
    assert [one for one, (kind, _) in found.items() if kind is SegmentKind.HEADING] == ["Lamps"]
    assert {"Mind it", "Mind you"} <= found.keys()


def test_a_line_without_a_letter_is_no_title() -> None:
    assert SegmentKind.HEADING not in [
        segment.kind for segment in parse("Some words.\n\n}\n-----\n\nOthers.\n").segments
    ]


def test_a_diff_and_a_rule_are_no_signs_of_asciidoc() -> None:
    diff = " a\n+\n+b\n c\n+\n+d\n-\n+e\n"
    assert not is_asciidoc(read_lines(diff))
    assert not is_asciidoc(read_lines("One.\n\n------\n\nTwo.\n\n------\n\nThree.\n"))


@given(
    st.lists(
        st.sampled_from(
            ["+\n", "----\n", "-----\n", "a::\n", "\tb c.\n", "\n", "[source,c]\n", "d e.\n", "====\n"]
        )
    )
)
def test_only_the_signs_that_attach_are_taken_out(parts: list[str]) -> None:
    lines = read_lines("".join(parts))
    blocks = listings(lines)
    assert all(lines[first].text == lines[last].text for first, last in blocks.items())
    kept = attached(lines, blocks)
    spans = {(line.start, line.end) for line in kept}
    assert all(line.text in ("+", "====") for line in lines if (line.start, line.end) not in spans)
    assert sorted(spans) == [(line.start, line.end) for line in kept]


def test_a_title_s_name_stands_directly_above_it() -> None:
    text = (
        "= Manual\n\n[preface]\n== Introduction\n\nIt is said here.\n\n[[use-of-it]]\n== Use\n\nIt is used.\n"
    )
    document = parse(text)
    found = [
        document.of(index) for index, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING
    ]
    assert found == ["= Manual", "== Introduction", "== Use"]


QUOTING = """Finding the change that broke it
================================
:Author: Ada Ash

Overview
--------

The boat leaks since some day. This is how the day is found, in a few steps.

Driving it
----------

A day is looked at like this:

-------------
$ boat bisect start
-------------

The command tells which day it was:

-------------
commit 2ddcca36c8bcfa251724fe342c8327451988be0d
Author: Otto Oak <otto@oak.example>

    Oars of teak

diff --git a/Makefile b/Makefile
index 5cf8258..4492984 100644
--- a/Makefile
+++ b/Makefile
@@ -1,3 +1,3 @@
 VERSION = 2
-SUBLEVEL = 25
+SUBLEVEL = 26
-------------

And a second time:

-------------
commit 2ddcca36c8bcfa251724fe342c8327451988be0d
Author: Otto Oak <otto@oak.example>
-------------

What it costs
-------------

It takes as many steps as the number of days has binary digits, and never one more.
"""


def _headings(text: str) -> list[str]:
    document = parse(text)
    return [
        document.of(index) for index, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING
    ]


def test_commits_and_diffs_that_a_text_quotes_are_listings_below_its_own_titles() -> None:
    titles = ["Finding the change that broke it", "Overview", "Driving it", "What it costs"]
    assert _headings(QUOTING) == titles


def test_a_text_that_quotes_a_diff_without_marks_is_no_diff() -> None:
    text = QUOTING.replace("-------------\n", "")
    assert {"Overview", "Driving it"} <= set(_headings(text))


def test_a_title_in_a_box_of_dashes_is_no_listing() -> None:
    text = "".join(
        f"-----------\nBoats of {at}\n-----------\n\nThe oars of {at} are light.\n\n" for at in (1, 2, 3)
    )
    assert not is_asciidoc(read_lines(text))


def test_a_listing_of_one_line_may_begin_with_a_version() -> None:
    assert listings(read_lines("Prints:\n\n----\n2.4 is the newest boat\n----\n")) == {1: 3}
