"""What compilers, linters, tests and searches print is read line by line: nothing joined, nothing under another's line."""

import pytest

from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.parsing import parse


def texts_of(document: Document) -> list[str]:
    return [document.of(index) for index in range(len(document.segments))]


def parent_of(document: Document, text: str) -> str:
    """Return what the segment that begins so hangs on, or nothing."""
    index = next(index for index, each in enumerate(texts_of(document)) if each.startswith(text))
    parent = document.segments[index].parent
    return "" if parent == NO_SEGMENT else document.of(parent)


MYPY = """\
src/requests/compat.py:21: error: Module "urllib3" does not explicitly export attribute "__version__"  [attr-defined]
src/requests/compat.py:49: error: Skipping analyzing "simplejson": module is installed, but missing library stubs or
src/requests/compat.py:49: note: See https://mypy.readthedocs.io/en/stable/running_mypy.html#missing-imports
src/requests/utils.py:90: error: Function is missing a type annotation for one or more arguments,
src/requests/utils.py:114: error: Call to untyped function "proxy_bypass_registry" in typed context  [no-untyped-call]
Found 4 errors in 2 files (checked 18 source files)
"""

TSC = """\
lib/request.js(3,21): error TS7016: Could not find a declaration file for module 'aws-sign2'. 'aws-sign2/index.js' implicitly has
lib/request.js(109,22): error TS2345: Argument of type 'this' is not assignable to parameter of type 'Stream'.
  Type 'Request' is missing the following properties from type 'Stream': addListener, emit, eventNames
lib/request.js(387,10): error TS2551: Property 'setHeader' does not exist on type 'Request'. Did you mean 'getHeader'?
"""

GCC = """\
gcc -Wall -Wextra -Wconversion -c -o crc32.o crc32.c
crc32.c: In function 'crc32_z':
crc32.c:758:20: warning: conversion from 'long unsigned int' to 'z_crc_t' may change value [-Wconversion]
  758 |             crc0 = crc;
      |                    ^~~
crc32.c:764:9: note: the value is used here
gcc -Wall -Wextra -Wconversion -c -o deflate.o deflate.c
deflate.c: In function 'deflate':
deflate.c:1085:25: warning: conversion from 'ulg' to 'uInt' may change value [-Wconversion]
 1085 |             uInt left = (s->gzhead->extra_len & 0xffff) - s->gzindex;
      |                         ^
deflate.c:1101:9: warning: comparison is always true
"""

GREP = """\
text/pages.py:12:from pages.document import Builder, groups,
text/pages.py:40:    # subtle: the kind of a segment and that of
text/pages.py:41:    # the segment above it are told apart here
text/pages.py:96:    return SegmentKind.ROW
"""


def test_each_message_about_a_place_in_a_file_is_a_line_of_its_own() -> None:
    for text in (MYPY, GREP):
        document = parse(text)
        assert texts_of(document) == [line.strip() for line in text.splitlines()]
        assert {segment.kind for segment in document.segments} == {SegmentKind.LINE}


def test_messages_hang_on_no_warning_before_them() -> None:
    document = parse("warning: two of the rules are incompatible, the first is ignored\n" + MYPY)
    assert {segment.parent for segment in document.segments} == {NO_SEGMENT}


def test_what_is_indented_below_a_message_hangs_on_it() -> None:
    assert parent_of(parse(TSC), "Type 'Request' is missing").startswith("lib/request.js(109,22)")
    assert parent_of(parse(TSC), "lib/request.js(387,10)") == ""
    assert parent_of(parse(GCC), "758 |").startswith("crc32.c:758:20")


def test_messages_hang_on_the_line_above_them_that_announces_them_up_to_the_next_without_a_place() -> None:
    document = parse(GCC)
    assert parent_of(document, "crc32.c:758") == "crc32.c: In function 'crc32_z':"
    assert parent_of(document, "crc32.c:764") == "crc32.c: In function 'crc32_z':"
    assert parent_of(document, "gcc -Wall -Wextra -Wconversion -c -o deflate.o") == ""
    assert parent_of(document, "deflate.c: In function") == ""
    assert parent_of(document, "deflate.c:1101") == "deflate.c: In function 'deflate':"


PYTEST = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0
collected 6 items

tests/test_basic.py::test_int_option[args0-I:[84]] PASSED                [ 16%]
tests/test_basic.py::test_int_option[args2-x is not valid] FAILED        [ 33%]
tests/test_info.py::test_parameter[Choice] PASSED                        [ 50%]
tests/test_info.py::test_parameter[INT ParamType] FAILED                 [ 66%]
tests/test_info.py::test_parameter[Group] PASSED                         [ 83%]
tests/test_info.py::test_command PASSED                                  [100%]

=================================== FAILURES ===================================
___________________ test_int_option[args2-x is not valid] ____________________

runner = <click.testing.CliRunner object at 0x7f5a03f18e10>, args = ['--i=x']

    def test_int_option(runner, args, expect):
        @click.command()
        @click.option("--i", default=42)
        def cli(i):
            click.echo(f"I:[{i * 2}]")

        result = runner.invoke(cli, args)
>       assert expect in result.output
E       assert "is not a valid integer" in "x is not a valid int.\\n"

tests/test_basic.py:227: AssertionError
________________________ test_parameter[INT ParamType] _________________________

obj = INT, expect = {'name': 'integer', 'param_type': 'Int'}

    def test_parameter(obj, expect):
        out = obj.to_info_dict()
>       assert out == expect
E       AssertionError: {'name': 'int'} differs

tests/test_info.py:241: AssertionError
=========================== short test summary info ============================
FAILED tests/test_basic.py::test_int_option[args2-x is not valid] - AssertionError
FAILED tests/test_info.py::test_parameter[INT ParamType] - AssertionError
==================== 2 failed, 4 passed in 19.21s ====================
"""


def titles_above(document: Document, text: str) -> set[str]:
    """Return the titles in rules above the segment that begins so."""
    index = next(index for index, each in enumerate(texts_of(document)) if each.startswith(text))
    above = [document.of(one) for one in document.above(index)]
    return {title.strip("=_ ") for title in above if title[0] in "=_"}


def test_titles_in_rules_as_wide_as_a_page_part_what_programs_print() -> None:
    document = parse(PYTEST)
    assert titles_above(document, "collected 6") == {"test session starts"}
    assert titles_above(document, "tests/test_info.py::test_command") == {"test session starts"}
    first, second = "test_int_option[args2-x is not valid]", "test_parameter[INT ParamType]"
    assert titles_above(document, "tests/test_basic.py:227") == {"FAILURES", first}
    assert titles_above(document, "obj = INT") == {"FAILURES", second}
    assert titles_above(document, "tests/test_info.py:241") == {"FAILURES", second}
    assert titles_above(document, "FAILED tests/test_info.py") == {"short test summary info"}


def test_a_title_that_fills_its_rule_is_one_among_others() -> None:
    name = "test_int_option[args2-Error: Invalid value for '--i': 'x' is not a valid integer.]"
    short = "___________________ test_int_option[args2-x is not valid] ____________________"
    document = parse(PYTEST.replace(short, f"_ {name} _"))
    assert titles_above(document, "tests/test_basic.py:227") == {"FAILURES", name}
    assert titles_above(document, "obj = INT") == {"FAILURES", "test_parameter[INT ParamType]"}


def test_what_programs_print_is_no_source_code_though_code_is_most_of_it() -> None:
    segments = parse(PYTEST).segments
    assert sum(segment.kind is SegmentKind.CODE for segment in segments) < len(segments) / 10


MOUNT = """\
proc on /proc type proc (rw,relatime)
sysfs on /sys type sysfs (rw,relatime)
devtmpfs on /dev type devtmpfs (rw,relatime,size=12334524k,nr_inodes=3083631,mode=755)
tmpfs on /dev/shm type tmpfs (rw,relatime,size=24684096k)
devpts on /dev/pts type devpts (rw,relatime,mode=600,ptmxmode=000)
"""

STRACE = """\
access("/etc/ld.so.preload", R_OK)      = -1 ENOENT (No such file or directory)
openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=36059, ...}, AT_EMPTY_PATH) = 0
statfs("/sys/fs/selinux", 0x7fff05d20f00) = -1 ENOENT (No such file or directory)
statfs("/selinux", 0x7fff05d20f00)      = -1 ENOENT (No such file or directory)
"""

RESULTS = """\
tests/test_arguments.py::test_bad_defaults[Yo-Error: Invalid value for '[A]...': Value must be an iterable.] PASSED [  3%]
tests/test_arguments.py::test_bad_defaults[-Error: Invalid value for '[A]...': Value must be an iterable.] PASSED [  3%]
tests/test_arguments.py::test_bad_defaults[True-Error: Invalid value for '[A]...': Value must be an iterable.] PASSED [  3%]
"""

LINT = """\
/srv/qs/lib/index.js
  3:1  warning  Unexpected var, use let or const instead  no-var
  4:1  warning  Unexpected var, use let or const instead  no-var
  5:1  warning  Unexpected var, use let or const instead  no-var
"""


@pytest.mark.parametrize("text", [MOUNT, STRACE, RESULTS, LINT])
def test_lines_that_programs_print_are_not_joined(text: str) -> None:
    document = parse(text)
    assert texts_of(document) == [line.strip() for line in text.splitlines()]
    assert {segment.kind for segment in document.segments} == {SegmentKind.LINE}


RESULTS_BY_SIGNS = """\
sprintfjs
  ✕ should return formatted strings for simple placeholders (13 ms)
  ✓ should return formatted strings for complex placeholders (1 ms)
  ✓ should return formatted strings for callbacks
"""

KERNEL = """\
[    0.000000] Linux version 6.1.0-13-amd64 (gcc-12 (Debian 12.2.0-14) 12.2.0) #1 SMP
[    0.249705] Console: colour dummy device 80x25
[    0.250356] x2apic enabled
[   12.268110] EXT4-fs error (device sda1): ext4_find_entry: reading directory lblock 0
"""

LINT_IN_COLUMNS = """\
/srv/qs/lib/parse.js
   3:1   warning  Unexpected var, use let or const instead           no-var
  19:17  error    'merge' has a complexity of 16. Maximum allowed 8  complexity
  20:5   warning  Unexpected var, use let or const instead           no-var

/srv/qs/lib/utils.js
  48:13  error    'encode' is assigned a value but never used        no-unused-vars
  50:1   warning  Unexpected var, use let or const instead           no-var
  51:1   warning  Unexpected var, use let or const instead           no-var
"""

PRETTY = """\
lib/request.js:9:20 - error TS7016: Could not find a declaration file for module 'aws-sign2'.
  Try to install the types of that module if they exist or add a new declaration file

lib/request.js:10:20 - error TS7016: Could not find a declaration file for module 'aws4'.
  Try to install the types of that module if they exist or add a new declaration file

Found 2 errors in the same file, starting at: lib/request.js:9
"""


PRETTY_WITH_CODE = """\
lib/request.js:9:20 - error TS7016: Could not find a declaration file for module 'aws-sign2'.
  Try `npm i --save-dev @types/aws-sign2` if it exists or add a new declaration (.d.ts) file

9 var aws2 = require('aws-sign2')
                     ~~~~~~~~~~~

lib/request.js:109:22 - error TS2345: Argument of type 'this' is not assignable to parameter of type 'Stream'.

109     stream.Stream.call(this)
                           ~~~~

lib/request.js:387:10 - error TS2551: Property 'setHeader' does not exist on type 'Request'.

387     self.setHeader('host', value)
             ~~~~~~~~~


Found 3 errors in the same file, starting at: lib/request.js:9
"""


def test_a_line_of_code_behind_a_blank_line_hangs_on_the_message_that_names_its_number() -> None:
    document = parse(PRETTY_WITH_CODE)
    assert {segment.kind for segment in document.segments} == {SegmentKind.LINE}
    assert parent_of(document, "9 var aws2").startswith("lib/request.js:9:20")
    assert parent_of(document, "109     stream").startswith("lib/request.js:109:22")
    assert parent_of(document, "~~~~") == "9 var aws2 = require('aws-sign2')"
    assert parent_of(document, "Found 3") == ""


DUMP = (
    "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t(a integer primary key, name text, at text);\n"
    + "".join(
        f"INSERT INTO t VALUES({number},'user{number}','2026-01-{number % 20 + 10}');\n"
        for number in range(1, 61)
    )
)


def test_statements_of_sql_are_no_rows_of_csv() -> None:
    document = parse(DUMP + "CREATE INDEX i on t(name);\nCOMMIT;\n")
    assert {segment.kind for segment in document.segments} == {SegmentKind.CODE}


@pytest.mark.parametrize("rule", ["# ####", "## ====", "# --------"])
def test_signs_alone_are_no_title(rule: str) -> None:
    document = parse(f"# Tarn\n\nA tool for ponds.\n\n{rule}\n\n## Use\n\nCall it.\n")
    titles = [document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING]
    assert titles == ["# Tarn", "## Use"]


def test_results_of_tests_with_a_sign_before_each_are_items() -> None:
    document = parse(RESULTS_BY_SIGNS)
    assert texts_of(document) == [line.strip() for line in RESULTS_BY_SIGNS.splitlines()]
    assert parent_of(document, "✕ should") == "sprintfjs"


def test_lines_with_seconds_since_the_start_are_a_log() -> None:
    assert {segment.kind for segment in parse(KERNEL).segments} == {SegmentKind.LINE}


def test_rows_that_are_indented_below_the_name_of_a_file_hang_on_it() -> None:
    document = parse(LINT_IN_COLUMNS)
    assert parent_of(document, "19:17  error") == "/srv/qs/lib/parse.js"
    assert parent_of(document, "48:13  error") == "/srv/qs/lib/utils.js"


def test_messages_with_sentences_below_them_are_no_change_log() -> None:
    document = parse(PRETTY)
    assert {segment.kind for segment in document.segments} == {SegmentKind.LINE}
    assert parent_of(document, "Try to install").startswith("lib/request.js:9:20")
    assert parent_of(document, "Found 2") == ""


BOX = """\
┌────┬────────┬────────────┐
│ id │  name  │    since   │
├────┼────────┼────────────┤
│ 1  │ Ada    │ 2026-01-02 │
│ 2  │ Grace  │ 2026-01-03 │
│ 3  │ Edsger │ 2026-01-04 │
└────┴────────┴────────────┘
"""


def test_the_rows_of_a_table_drawn_with_lines_hang_on_its_head() -> None:
    document = parse(BOX)
    assert parent_of(document, "│ 2  │ Grace") == "│ id │  name  │    since   │"
    assert {segment.kind for segment in document.segments} == {SegmentKind.FRAME, SegmentKind.ROW}


FAILURES = """======================================================================
ERROR: test_zero_qty (test_shop.CartTest.test_zero_qty)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "test_shop.py", line 248, in test_zero_qty
    with self.assertRaises(TypeError): Cart().add('a',1,0)
                                       ^^^^^^^^^^^^^^^^^^^
  File "shop.py", line 4, in add
    if qty<=0: raise ValueError("qty must be positive")
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: qty must be positive

======================================================================
FAIL: test_tax (test_shop.CartTest.test_tax)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "test_shop.py", line 246, in test_tax
    self.assertEqual(c.total(0.19),35.71)
AssertionError: 35.7 != 35.71

======================================================================
FAIL: test_total_of_37_items (test_shop.CartTest.test_total_of_37_items)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "test_shop.py", line 155, in test_total_of_37_items
    self.assertEqual(c.total(),55.0)
AssertionError: 55.5 != 55.0

----------------------------------------------------------------------
Ran 107 tests in 0.013s

FAILED (failures=2, errors=1)
"""


def test_a_title_between_rules_of_two_signs_stands_over_what_follows() -> None:
    document = parse(FAILURES)
    over = {
        document.of(index): document.of(next(reversed(list(document.above(index))), index))
        for index in range(len(document.segments))
    }
    assert over["ValueError: qty must be positive"].startswith("ERROR: test_zero_qty")
    assert over["AssertionError: 35.7 != 35.71"].startswith("FAIL: test_tax")
    assert over["AssertionError: 55.5 != 55.0"].startswith("FAIL: test_total_of_37_items")


def test_a_drawn_table_does_not_say_how_wide_a_text_is_wrapped() -> None:
    row = f"       \u2502{'Wert':40}\u2502{'Bedeutung':60}\u2502\n"
    sentence = "Dieser Generator versteht die folgenden Attributschalter f\u00fcr\n       Partitionen:"
    prose = "".join(
        f"       Die Partition Nummer {number} wird beim Hochfahren des Systems automatisch\n       eingeh\u00e4ngt und gepr\u00fcft.\n\n"
        for number in range(4)
    )
    text = f"BESCHREIBUNG\n{prose}{row * 20}\n       {sentence}\n\n       Ende des Abschnitts.\n"
    document = parse(text)
    assert sentence in [document.of(index) for index in range(len(document.segments))]
