"""Manual pages: justified text with tabs between words is text, and what a sentence announces comes with it."""

import pytest

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.parsing import parse

HEAD = "FIND(1)\t\t\t    General Commands Manual\t\t       FIND(1)\n\n"
FIND = (
    HEAD
    + """\
NAME
       find - search for files in a directory hierarchy

DESCRIPTION
       The -H, -L and -P options control  the  treatment  of  symbolic\tlinks.
       Command-line  arguments\tfollowing these are taken to be names of files
       or directories to be examined, up to the\t first\targument  that\tbegins
       with  `-', or the argument `(' or `!'.

OPTIONS
       -delete
\t      Delete  files or directories; true if removal succeeded.

\t      Together with the -ignore_readdir_race option, find will\tignore
\t      errors  of  the  -delete\taction in the case the file has changed
\t      since the parent directory was read:  it\twill\t not\toutput
\t      an  error\t diagnostic,  not change the exit code to nonzero, and
\t      the return code of the -delete action will be true.

       -path pattern
\t      File  name matches shell pattern pattern.\t The metacharacters do
\t      not treat `/' or `.' specially; so, for example,
\t\t  find . -path "./sr*sc"
\t      will print an entry for a directory called  ./src/misc  (if  one
\t      exists).

       -printf format
\t      True; print format on the standard output.

\t      exec   Show diagnostic information relating to -exec,  -execdir,
\t\t     -ok and -okdir.

\t      all    Enable all of the other options.
"""
)

REBASE = (
    "GIT-REBASE(1)\t\t\t  Git Manual\t\t\t GIT-REBASE(1)\n\n"
    """\
DESCRIPTION
       If <branch> is specified, git rebase will perform an automatic git
       switch <branch> before doing anything else. Otherwise it remains on the
       current branch.

CONFIGURATION
       rebase.abbreviateCommands
\t   If set to true, git rebase will use abbreviated command names in
\t   the todo list resulting in something like this:

\t\t       p deadbee The oneline of the commit
\t\t       p fa1afe1 The oneline of the next commit

\t   Defaults to false.

       rebase.autoStash
\t   When set to true, create a temporary stash entry.
"""
)


def plain(document: Document) -> list[str]:
    """Return the text of each segment with one blank where there are several."""
    return [" ".join(document.of(index).split()) for index in range(len(document.segments))]


@pytest.mark.parametrize(
    "page, sentence",
    [
        (FIND, "The -H, -L and -P options control the treatment of symbolic links."),
        (
            FIND,
            (
                "Command-line arguments following these are taken to be names of files or directories to be examined, up to the first "
                "argument that begins with `-', or the argument `(' or `!'."
            ),
        ),
        (
            FIND,
            (
                "Together with the -ignore_readdir_race option, find will ignore errors of the -delete action in the case the file "
                "has changed since the parent directory was read: it will not output an error diagnostic, not change the exit "
                "code to nonzero, and the return code of the -delete action will be true."
            ),
        ),
        (FIND, "The metacharacters do not treat `/' or `.' specially; so, for example,"),
        (
            REBASE,
            "If <branch> is specified, git rebase will perform an automatic git switch <branch> before doing anything else.",
        ),
    ],
)
def test_a_sentence_that_goes_on_over_lines_is_one(page: str, sentence: str) -> None:
    assert sentence in plain(parse(page))


def test_terms_with_text_at_a_column_are_told_apart_still() -> None:
    found = plain(parse(FIND))
    assert "exec Show diagnostic information relating to -exec, -execdir, -ok and -okdir." in found
    assert "all Enable all of the other options." in found


def test_what_else_is_said_of_an_option_comes_with_what_the_first_sentence_announces() -> None:
    document = parse(REBASE)
    found = plain(document)
    needed = document.requirements(found.index("Defaults to false."))
    assert found.index("p deadbee The oneline of the commit") in needed
    assert NO_SEGMENT not in needed


LISTS = """\
# Set-up

## Shells

1. Install it.

2. To avoid that it links against another Python,
   add the following line into your configuration:

   * Bash:

     ~~~bash
     alias brew='env brew'
     ~~~

   * Fish:

     ~~~fish
     alias brew="env brew"
     ~~~

     * Older versions:

       ~~~fish
       alias brew "env brew"
       ~~~
"""


def test_an_item_in_an_item_is_no_indented_code_however_deep_it_stands() -> None:
    document = parse(LISTS)
    for label in ("* Bash:", "* Fish:", "* Older versions:"):
        index = plain(document).index(label)
        assert document.segments[index].kind is SegmentKind.ITEM
        assert document.segments[index + 1].parent == index
