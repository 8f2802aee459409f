"""Commands of Texinfo and LaTeX on lines of their own."""

from summarizing.text.formats.tex import lines_of_commands
from summarizing.text.lines import read_lines
from tests.summarizing.text.test_parsing import check_laws, texts_of

TEXINFO = """\
@c The boats are told first, since most of those who read this have
@c one.  Keep in mind to ask short questions because the
@c titles of questions will not be divided in contrast to items.
@enumerate
@item
Something is not working with the boat.  What should I do?

Well, you might have guessed it, the first place to look is in the
book of boats, which could be the part on what was mended, or the one on
oars in case you are experiencing problems with these.

@code{boat-check} says what is broken, and in which way it was broken, as
is described in
@ifset harbour
the papers of the harbour
@end ifset
@end enumerate
"""

LATEX = """\
\\section{Boats}
Boats are made of planks, and planks of ash or oak, as is said by
\\emph{all} who have made one.
\\begin{itemize}
\\item A boat of ash is light.
\\end{itemize}
Those who have one say that it is as light as any boat can be, and that
they would not give it away for one of oak, which is much heavier, or for
one of elm, though that is cheaper than all of the others.
\\begin{quote}
No boat is lighter, as all of them say who have tried to lift one, be it
on land or at sea, with two oars or with none of them at all.
\\end{quote}
"""


def test_no_sentence_goes_on_over_a_command_of_texinfo() -> None:
    found = texts_of(check_laws(TEXINFO))
    assert {"@enumerate", "@item", "@end enumerate", "@ifset harbour", "@end ifset"} <= set(found)
    assert "Something is not working with the boat." in found
    assert found[0].startswith("@c The boats")
    assert found[0].endswith("in contrast to items.")


def test_no_sentence_goes_on_over_a_command_of_latex() -> None:
    found = texts_of(check_laws(LATEX))
    assert {
        "\\begin{itemize}",
        "\\item A boat of ash is light.",
        "\\end{itemize}",
        "\\section{Boats}",
    } <= set(found)
    assert any(one.endswith("as is said by \\emph{all} who have made one.") for one in found)


def test_a_mention_or_one_example_makes_no_source_of_a_text() -> None:
    assert not lines_of_commands(read_lines("@anna has a boat, as has\n@bert who is her brother\n"))
    assert not lines_of_commands(read_lines("@end example\n@item\n"))
