"""TAP is read as results of tests, not as configuration: what failed is told, with what is known of it."""

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.formats.tap import counts_failures, result_of
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

NODE = """\
TAP version 13
# Subtest: adds 0 and 0
ok 1 - adds 0 and 0
  ---
  duration_ms: 1.104758
  ...
# Subtest: sprintf
    # Subtest: should return formatted strings for simple placeholders
    not ok 1 - should return formatted strings for simple placeholders
      ---
      duration_ms: 15.459056
      error: |-
        Expected values to be loosely deep-equal:

        1772409600000
      stack: |-
        TestContext.<anonymous> (/srv/shop/test/test.js:27:16)
        Test.run (node:internal/test_runner/test:796:25)
      ...
    # Subtest: should return formatted strings for callbacks
    ok 2 - should return formatted strings for callbacks
      ---
      duration_ms: 0.767808
      ...
    1..2
not ok 2 - sprintf
  ---
  duration_ms: 18.075755
  failureType: 'subtestsFailed'
  ...
# Subtest: later
ok 3 - later # SKIP
  ---
  duration_ms: 0.058586
  ...
1..3
# tests 4
# pass 2
# fail 2
"""

TAPE = """\
# parses a simple string
ok 1 should be deeply equivalent
not ok 2 should be deeply equivalent
  ---
    operator: deepEqual
    expected: |-
      { foo: '' }
  ...
ok 3 should not throw

1..3
# fail  1
"""


def parent_of(document: Document, text: str) -> str:
    """Return what the segment that begins so hangs on, or nothing."""
    index = next(at for at in range(len(document.segments)) if document.of(at).startswith(text))
    parent = document.segments[index].parent
    return "" if parent == NO_SEGMENT else document.of(parent)


def test_each_result_is_a_line_and_what_is_known_of_it_hangs_on_it() -> None:
    document = parse(NODE)
    assert {segment.kind for segment in document.segments} == {SegmentKind.LINE}
    assert parent_of(document, "duration_ms: 15") == (
        "not ok 1 - should return formatted strings for simple placeholders"
    )
    assert parent_of(document, "error: |-") == parent_of(document, "duration_ms: 15")
    assert parent_of(document, "failureType") == "not ok 2 - sprintf"
    assert parent_of(document, "ok 3 - later") == ""


def test_results_of_the_tests_in_a_test_hang_on_its_name() -> None:
    document = parse(NODE)
    assert parent_of(document, "not ok 1 -") == parent_of(document, "ok 2 -") == "# Subtest: sprintf"


def test_a_name_that_the_result_on_the_next_line_has_and_the_marks_of_yaml_are_not_told_again() -> None:
    document = parse(NODE)
    names = [document.of(at) for at in range(len(document.segments)) if "Subtest" in document.of(at)]
    assert names == ["# Subtest: sprintf"]
    assert not {"---", "..."} & {document.of(at) for at in range(len(document.segments))}


@pytest.mark.parametrize("name, end", [("closes #12", ""), ("adds", " # time=2.5ms"), ("sorts", " # SKIP")])
def test_a_name_is_that_of_a_result_whatever_stands_behind_it(name: str, end: str) -> None:
    document = parse(f"TAP version 14\n# Subtest: {name}\nok 1 - {name}{end}\n1..1\n")
    assert "Subtest" not in "".join(map(document.of, range(len(document.segments))))


def test_results_without_the_version_of_the_protocol_are_recognized_by_their_plan() -> None:
    assert parent_of(parse(TAPE), "operator") == "not ok 2 should be deeply equivalent"


def test_a_time_in_the_name_of_a_test_is_no_place_in_a_stack_trace() -> None:
    document = parse(
        "TAP version 13\nok 1 - starts\nnot ok 2 - parses 10:12:30\nok 3 - at (/srv/test.js:27:16)\n1..3\n"
    )
    marginal = [document.of(index) for index, one in enumerate(document.segments) if one.is_marginal]
    assert marginal == ["ok 3 - at (/srv/test.js:27:16)"]


def test_a_value_in_several_lines_is_one_segment_with_its_key_of_a_long_one_the_first_line() -> None:
    document = parse(NODE)
    segments = [document.of(at) for at in range(len(document.segments))]
    assert "error: |-\n        Expected values to be loosely deep-equal:\n\n        1772409600000" in segments
    long = "".join(f"        {number} is not {number + 1}\n" for number in range(40))
    document = parse(NODE.replace("        1772409600000\n", long))
    assert parent_of(document, "7 is not 8") == "error: |-\n        Expected values to be loosely deep-equal:"


def test_a_long_line_is_not_joined_with_the_one_below_it() -> None:
    document = parse(f"TAP version 14\nok 1 - adds {'1 and ' * 99}1\nok 2 - adds 2\n1..2\n")
    assert "ok 2 - adds 2" in [document.of(at) for at in range(len(document.segments))]


# What `node --test | tail -44` left of the results of 72 tests.
TAIL = """\
    Test.postRun (node:internal/test_runner/test:889:19)
    async Test.processPendingSubtests (node:internal/test_runner/test:526:7)
  ...
# Subtest: ships to BR
ok 69 - ships to BR
  ---
  duration_ms: 0.171133
  ...
# Subtest: ships to CH
not ok 70 - ships to CH
  ---
  duration_ms: 18.537329
  location: '/srv/shop/test/ship.test.js:2:60'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
    + actual - expected

      {
    +   cost: 14,
    -   cost: 12,
        days: 3
      }
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  stack: |-
    TestContext.<anonymous> (/srv/shop/test/ship.test.js:2:107)
    Test.runInAsyncScope (node:async_hooks:206:9)
    Test.run (node:internal/test_runner/test:796:25)
    Test.processPendingSubtests (node:internal/test_runner/test:526:18)
    Test.postRun (node:internal/test_runner/test:889:19)
    Test.run (node:internal/test_runner/test:835:12)
    async Test.processPendingSubtests (node:internal/test_runner/test:526:7)
  ...
# Subtest: ships to AT
ok 71 - ships to AT
  ---
  duration_ms: 0.159947
  ...
# Subtest: ships to NO
ok 72 - ships to NO
  ---
  duration_ms: 0.173667
  ...
1..72
# tests 75
# suites 0
# pass 69
# fail 4
# cancelled 0
# skipped 1
# todo 1
# duration_ms 1066.103577
"""


def test_what_is_known_of_a_result_hangs_on_it_where_the_beginning_is_cut_off() -> None:
    document = parse(TAIL)
    assert parent_of(document, "async Test") == parent_of(document, "not ok 70") == ""
    assert parent_of(document, "failureType") == parent_of(document, "stack") == "not ok 70 - ships to CH"


@pytest.mark.parametrize("target", [130, 160, 200])
def test_what_went_wrong_is_told_before_where_it_was_in_the_code(target: int, tokenizer: Tokenizer) -> None:
    summary = extract(TAIL, target, "which tests failed and why", tokenizer).text
    assert "not ok 70 - ships to CH\n" in summary
    assert "  failureType: 'testCodeFailure'\n" in summary
    assert "    +   cost: 14,\n    -   cost: 12,\n" in summary
    assert "Test.run" not in summary


@pytest.mark.parametrize(
    "line, result",
    [
        ("ok 2 - adds 1 and 1", "ok"),
        ("not ok 32 - adds 31 and 31", "not ok"),
        ("ok", "ok"),
        ("ok 83 - later # SKIP", "ok SKIP"),
        ("ok 84 # Skipped: no network", "ok SKIP"),
        ("not ok 13 # TODO bend space and time", "not ok TODO"),
        ("ok 14 - closes #123", "ok"),
        ("ok 15 - reads a line of C# 7", "ok"),
        ("not ok 16 - closes #123 # todo", "not ok TODO"),
        ("ok 17 - adds # time=2.5ms", "ok"),
        ("okay 2", None),
        ("# Subtest: ok", None),
    ],
)
def test_a_result_is_how_a_test_went_without_its_number_and_name(line: str, result: str | None) -> None:
    assert result_of(line) == result


def results() -> str:
    """Return the results of 90 tests with names of many forms; two have failed, one was passed over."""
    names = ["adds {0} and {0}", "parses {0}", "round trip of value {0} in base {0}"]
    parts = ["TAP version 13\n"]
    for number in range(1, 91):
        sign, end = ("not ok" if number in (32, 71) else "ok"), (" # SKIP" if number == 55 else "")
        name = names[number * 7 % 3].format(number)
        error = "  failureType: 'testCodeFailure'\n  error: '62 == 63'\n" if sign != "ok" else ""
        parts.append(
            f"# Subtest: {name}\n{sign} {number} - {name}{end}\n  ---\n  duration_ms: 0.{number}\n{error}  ...\n"
        )
    return "".join(parts) + "1..90\n# tests 90\n# pass 87\n# fail 2\n# skipped 1\n"


@pytest.mark.parametrize("query", ["", "which tests failed?"])
def test_of_many_results_the_failures_are_told(query: str, tokenizer: Tokenizer) -> None:
    summary = extract(results(), 200, query, tokenizer).text
    assert "not ok 32 -" in summary
    assert "not ok 71 -" in summary
    assert "# fail 2" in summary


def of_node(passed: int) -> str:
    """Return what `node --test` prints of many tests that passed and one that failed."""
    plain = [
        f"# Subtest: adds {number} and 1\nok {number} - adds {number} and 1\n  ---\n  duration_ms: 0.0{number}\n  type: 'test'\n  ...\n"
        for number in range(1, passed + 1)
    ]
    last = passed + 1
    failed = f"""\
# Subtest: rounds half to even
not ok {last} - rounds half to even
  ---
  duration_ms: 0.780537
  type: 'test'
  location: '/srv/shop/test/round.test.js:3:1'
  failureType: 'testCodeFailure'
  error: '3 == 2'
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 2
  actual: 3
  operator: '=='
  stack: |-
    TestContext.<anonymous> (/srv/shop/test/round.test.js:3:40)
    Test.run (node:internal/test_runner/test:1047:25)
  ...
"""
    totals = f"1..{last}\n# tests {last}\n# suites 0\n# pass {passed}\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 293.456202\n"
    return "TAP version 13\n" + "".join([*plain, failed, totals])


@pytest.mark.parametrize("target", [120, 160, 200, 400])
def test_how_many_tests_failed_is_told_before_how_many_passed(target: int, tokenizer: Tokenizer) -> None:
    assert "# fail 1" in extract(of_node(57), target, "", tokenizer).text.split("\n")


@pytest.mark.parametrize("line", ["# fail 1", "# fail  4", "# failed 1 of 22 tests"])
def test_each_runner_counts_failures_in_words_of_its_own(line: str) -> None:
    assert counts_failures(line)
    assert not counts_failures(line.replace("fail", "pass"))
