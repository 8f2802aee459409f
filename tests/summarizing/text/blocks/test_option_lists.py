"""Options as `--help` prints them: each is a line of its own, whatever parts its names from what it does."""

from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse

CURL = """\
Usage: curl [options...] <url>
     --abstract-unix-socket <path> Connect via abstract Unix domain socket
     --alt-svc <file name> Enable alt-svc with this cache file
     --anyauth            Pick any authentication method
 -E, --cert <certificate[:password]> Client certificate file and password
     --ciphers <list of ciphers> SSL ciphers to use
     --connect-to <HOST1:PORT1:HOST2:PORT2> Connect to host
 -:, --next               Make next URL use its separate set of options
 -#, --progress-bar       Display transfer progress as a bar
     --retry-all-errors   Retry all errors (use with --retry)
     --retry-delay <seconds> Wait time between retries
     --retry-max-time <seconds> Retry only within this period
"""

PSQL = """\
Output format options:
  -A, --no-align           unaligned table output mode
      --csv                CSV (Comma-Separated Values) table output mode
  -R, --record-separator=STRING
                           record separator for unaligned output (default: newline)
  -z, --field-separator-zero
                           set field separator for unaligned output to zero byte
  -0, --record-separator-zero
                           set record separator for unaligned output to zero byte
"""

PROSE = """\
The options that tell which files are read and in which order they are
--include, for a pattern that a name must have, and its counterpart
--exclude, which may be given several times; both are read in the order
-i and
-x have.
"""

WRAPPED = """\
OPTIONS

   -q, --quiet
       Prints less. A second one has the effect of -q=2; with this one of
       --print-uris or -s should be used, or else nothing is printed.
   -y, --yes
       Answers each question, as
       --assume-no does not.
"""


def _lines(text: str) -> list[str]:
    document = parse(text)
    return [document.of(index) for index in range(len(document.segments))]


def test_each_option_is_a_line_whose_long_name_has_one_blank_behind_it() -> None:
    assert _lines(CURL) == [line.strip() for line in CURL.splitlines()]


def test_an_option_ends_the_description_above_it_however_long_that_is() -> None:
    assert "-0, --record-separator-zero" in _lines(PSQL)
    document = parse(PSQL)
    below = _lines(PSQL).index("-0, --record-separator-zero") + 1
    assert document.segments[below].parent == below - 1


def test_options_in_wrapped_sentences_begin_no_line() -> None:
    assert {one.kind for one in parse(PROSE).segments} == {SegmentKind.SENTENCE}
    assert not any(line.startswith(("--print-uris", "--assume-no")) for line in _lines(WRAPPED))
