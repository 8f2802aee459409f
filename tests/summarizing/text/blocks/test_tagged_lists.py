"""Lists of terms as manual pages print them: a short term stands on the line where its description begins.

No part of a description comes without its own term, or under another one.
"""

import pytest

from summarizing.extractive.rendering import render
from summarizing.text.document import Document, SegmentKind
from summarizing.text.parsing import parse

SSH_CONFIG = """\
SSH_CONFIG(5)                      File Formats Manual                      SSH_CONFIG(5)

DESCRIPTION
     The possible keywords and their meanings are as follows:

     PermitLocalCommand
             Allow local command execution via the LocalCommand option or using the !command
             escape sequence in ssh(1).  The argument must be yes or no (the default).

     PKCS11Provider
             Specifies which PKCS#11 provider to use or none to indicate that no provider
             should be used.

     Port    Specifies the port number to connect on the remote host.  The default is 22.

     Tag     Specify a configuration tag name that may be later used by a Match directive to
             select a block of configuration.  It is empty by default.

             A tag may also be given on the command line.

     ProxyCommand
             Specifies the command to use to connect to the server.
"""

BASH = """\
BASH(1)                          General Commands Manual                          BASH(1)

DEFINITIONS
       The following definitions are used throughout the rest of this document.
       blank  A space or tab.
       word   A sequence of characters considered as a single unit by the shell.  Also known
              as a token.
       name   A word consisting only of alphanumeric characters and  underscores.

BUILTINS
       unset [-fv] [-n] [name ...]
              For each name, remove the corresponding variable or function.  If no options are
              supplied, each name refers to a variable.

OPTIONS
       Bash  also  interprets  a  number of options when it is invoked.  These  options  must
       appear on the command line.

       -c        If  the  -c  option is present, then commands are read from  the  first  non-option
                 argument command_string.
       -i        If the -i option is present, the shell is interactive.
       -v        Print shell input lines as they are read.
       -D        A  list  of  all  double-quoted  strings preceded by $ is printed on the standard
                 output.  This implies the -n option.
       [-+]O [shopt_option]
                 shopt_option is one of the shell options accepted  by  the  shopt  builtin.

PARAMETERS
       BASH   Expands to the full filename used to invoke this instance of bash.
       BASHOPTS
              A colon-separated list of enabled shell options.  Each word in the list is a  valid
              argument for the -s option.
       PWD    The current working directory as set by the cd command.
       RANDOM Each time this parameter is referenced, it expands to a random  integer  between  0
              and  32767.  Assigning a value to RANDOM seeds the sequence of random numbers.
       SHLVL  Incremented by one each time an instance of bash is started.
       SRANDOM
              This variable expands to a 32-bit pseudo-random number each time it is  referenced.
              The number generator cannot be seeded.
       TIMEFORMAT
              The  value  of  this parameter is used as a format string.  The escape sequences are
              as follows; the braces denote optional portions.
              %%        A literal %.
              %[p][l]R  The elapsed time in seconds.
              %P        The CPU percentage, computed as (%U + %S) / %R.
"""

FIND = """\
FIND(1)                          General Commands Manual                          FIND(1)

EXPRESSION
       -d     A synonym for -depth, for compatibility with FreeBSD, NetBSD, MacOS X and OpenBSD.

       -depth Process  each directory's contents before the directory itself.  The -delete action
              also implies -depth.

       -files0-from file
              Read the starting points from file instead of getting them on the command line.

       -mount Don't descend directories on other filesystems.  An alternate name for -xdev.

       -noleaf
              Do not optimize by assuming that directories contain 2 fewer subdirectories.
"""

TAR = """\
TAR(1)                               GNU TAR Manual                               TAR(1)

OPTIONS
       --ignore-command-error

       Ignore subprocess exit codes.

       --no-ignore-command-error
              Treat non-zero exit codes of children as error (default).

       -O, --to-stdout
              Extract files to standard output.

       --utc  Print file modification times in UTC.
"""

UNIT = """\
SYSTEMD.UNIT(5)                        systemd.unit                       SYSTEMD.UNIT(5)

CONDITIONS
       Checks\tWhat is checked for, in the order that the unit has.  An empty one resets all.

       Requires
\t\tConfigures requirement dependencies on other units.

       Wants\tConfigures weaker dependencies on other units.  None has to start.

       Upholds
\t\tConfigures dependencies that are kept running.
"""


def terms_of(document: Document, sentence: str) -> str:
    """Return what comes with a sentence: its own segment, and those without which it is not kept."""
    place = document.text.index(sentence)
    index = document.between(0, place + 1)[-1]
    return "\n".join(map(document.of, (index, *document.requirements(index))))


def has_term(text: str, term: str) -> bool:
    """Whether a line begins with a term."""
    return any(
        line.strip().split(" ")[0] == term.split(" ", maxsplit=1)[0] for line in text.expandtabs().split("\n")
    )


@pytest.mark.parametrize(
    "page, sentence, term, other",
    [
        (SSH_CONFIG, "Specifies the port number", "Port", "PKCS11Provider"),
        (SSH_CONFIG, "The default is 22.", "Port", "PKCS11Provider"),
        (SSH_CONFIG, "It is empty by default.", "Tag", "Port"),
        (SSH_CONFIG, "A tag may also be given", "Tag", "Port"),
        (SSH_CONFIG, "Specifies the command to use", "ProxyCommand", "Tag"),
        (BASH, "A space or tab.", "blank", "The"),
        (BASH, "Also known", "word", "blank"),
        (BASH, "A word consisting", "name", "word"),
        (BASH, "If no options", "unset", "name"),
        (BASH, "Print shell input", "-v", "-i"),
        (BASH, "This implies the -n", "-D", "-v"),
        (BASH, "shopt_option is one", "[-+]O", "-D"),
        (BASH, "A colon-separated list", "BASHOPTS", "BASH"),
        (BASH, "Each word in the list", "BASHOPTS", "BASH"),
        (BASH, "Assigning a value", "RANDOM", "PWD"),
        (BASH, "The number generator", "SRANDOM", "SHLVL"),
        (BASH, "The elapsed time", "%[p][l]R", "%%"),
        (FIND, "The -delete action", "-depth", "-d"),
        (FIND, "An alternate name", "-mount", "-files0-from"),
        (TAR, "Treat non-zero exit codes", "--no-ignore-command-error", "--ignore-command-error"),
        (TAR, "Print file modification", "--utc", "-O"),
        (UNIT, "An empty one resets", "Checks", "Wants"),
        (UNIT, "None has to start", "Wants", "Requires"),
        (UNIT, "Configures requirement", "Requires", "Checks"),
    ],
)
def test_each_sentence_of_a_description_comes_with_its_own_term_alone(
    page: str, sentence: str, term: str, other: str
) -> None:
    kept = terms_of(parse(page), sentence)
    assert has_term(kept, term)
    assert not has_term(kept, other)


@pytest.mark.parametrize(
    "text",
    [
        # Justified prose: the second word stands by chance where the descriptions do.
        (
            f"{BASH}\n       There  are variables that are used  by  the  shell  in  some  cases.  Bash  assigns\n"
            "       a default value to each of them.\n"
        ),
        f"{TAR}\n       Return codes of all archives are printed in full.\n\n       What else there is stands in another page.\n",
    ],
)
def test_prose_in_a_page_with_a_list_hangs_on_no_term(text: str) -> None:
    document = parse(text)
    last = len(document.segments) - 1
    assert [document.segments[at].kind.name for at in document.requirements(last)] == ["HEADING"] * len(
        document.requirements(last)
    )


TERMS = """\
OPTIONS
       -g, --gid GID
           The number of the group, which must not be negative, and
           has no other meaning.

       -h, --help
           Shows this.

       date of the end
           The day when the account ends, which is a number of days in
           this file.

       number of days
           The days before it is told, which are a number as well, in
           this file.
"""


def test_an_option_with_a_long_name_at_the_column_of_its_description_is_a_term_of_its_own() -> None:
    document = parse(TERMS)
    kinds = {document.of(at): one.kind for at, one in enumerate(document.segments)}
    assert kinds["-g, --gid GID"] is kinds["-h, --help"] is SegmentKind.LINE


def test_a_term_stays_on_a_line_of_its_own() -> None:
    document = parse(TERMS)
    lines = render(document, range(len(document.segments))).split("\n")
    assert {"-g, --gid GID", "-h, --help", "date of the end", "number of days"} <= set(lines)


def test_a_label_over_a_wrapped_description_stays_on_a_line_of_its_own() -> None:
    text = "Comment:\n This is the packaged version of the pump, which was written long ago by several people and is\n changed now and then by others.\n\nLicense: Tiny\n Redistribution of the pump is permitted.\n"
    document = parse(text)
    assert {document.segments[at].kind for at in (0, 1)} == {SegmentKind.SENTENCE}
    assert "Comment:" in render(document, range(len(document.segments))).split("\n")


def test_terms_that_end_with_a_colon_stay_on_lines_of_their_own() -> None:
    terms = (
        "Name:        a name\nSize:        several bytes, which may be given in any of the units that are known to\n"
        "             the tool\nKind:        one of those below\n"
        "acl local src fc00::/7       \t# private network range\nacl local src fe80::/10      \t# machines that are linked directly\n"
    )
    document = parse(f"Everything has a name, a size and a kind.\n\n{terms}")
    assert terms.rstrip() in render(document, range(len(document.segments)))


WRAPPED_TERM = """\
BOATS

       oars (integer; default: 4; since the days of the first harbour of
       2.6.15 or so)
              Oars are made of ash. They are light.

       sails (integer; default: 2; since the days of the second one)
              Sails are made of linen.

       mast   Masts are tall.
"""


def test_a_term_in_brackets_over_two_lines_is_one() -> None:
    document = parse(WRAPPED_TERM)
    index = next(at for at in range(len(document.segments)) if document.of(at).startswith("Oars"))
    (term,) = (document.of(one) for one in document.above(index) if document.of(one) != "BOATS")
    assert (
        " ".join(term.split())
        == "oars (integer; default: 4; since the days of the first harbour of 2.6.15 or so)"
    )
    kept = terms_of(document, "They are light")
    assert "2.6.15 or so)" in kept
    assert "sails" not in kept


def test_a_justified_paragraph_that_a_page_ends_is_no_list() -> None:
    told = "          such  an explosion starts out very small and grows\n               each time the wand is charged.\n\n"
    last = "               In a desperate case, when your back is up against\n          the  wall,  you might decide to go for broke and break it.\n"
    document = parse(f"{told * 3}{last}\n          This is not for the faint of heart.\n")
    assert [document.of(at) for at in range(len(document.segments))][-2].split() == last.split()


def test_the_end_of_a_sentence_over_an_example_is_no_term() -> None:
    example = "This one shows how to write all of the lines of the buffer to\nthat file:\n     C-a [ g SPACE G $ >.\n\n"
    document = parse(example * 3)
    assert (
        " ".join(document.of(0).split())
        == "This one shows how to write all of the lines of the buffer to that file:"
    )
