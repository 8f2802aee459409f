"""The .env parser: the documented examples of Docker Compose's syntax, and laws over any text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settings import env_file
from settings.env_file import EnvFileError, parse
from tests.support.service import ROOT

# docs.docker.com, "Set, use, and manage variables in a Compose file with interpolation", under ".env file syntax".
DOCUMENTED = [
    ("VAR=VAL", "VAL"),
    ('VAR="VAL"', "VAL"),
    ("VAR='VAL'", "VAL"),
    ("VAR: VAL", "VAL"),
    ("VAR = VAL  ", "VAL"),
    ("VAR=VAL # comment", "VAL"),
    ("VAR=VAL# not a comment", "VAL# not a comment"),
    ('VAR="VAL # not a comment"', "VAL # not a comment"),
    ('VAR="VAL" # comment', "VAL"),
    ("VAR='$OTHER'", "$OTHER"),
    ("VAR='${OTHER}'", "${OTHER}"),
    (r"VAR='Let\'s go!'", "Let's go!"),
    (r'VAR="{\"hello\": \"json\"}"', '{"hello": "json"}'),
    (r'VAR="some\tvalue"', "some\tvalue"),
    (r"VAR='some\tvalue'", r"some\tvalue"),
    (r"VAR=some\tvalue", r"some\tvalue"),
    ("VAR='SOME\nVALUE'", "SOME\nVALUE"),
]

# The same page and "Interpolation" of the Compose file reference; SET is "set", EMPTY is set and empty.
INTERPOLATED = [
    ("$SET", "set"),
    ("${SET}", "set"),
    ("$SET$SET", "setset"),
    ("${SET}-${EMPTY}-", "set--"),
    ("${SET:-x}", "set"),
    ("${EMPTY:-x}", "x"),
    ("${UNSET:-x}", "x"),
    ("${EMPTY-x}", ""),
    ("${UNSET-x}", "x"),
    ("${SET:?no}", "set"),
    ("${EMPTY?no}", ""),
    ("${SET:+x}", "x"),
    ("${EMPTY:+x}", ""),
    ("${EMPTY+x}", "x"),
    ("${UNSET+x}", ""),
    ("${UNSET:-$SET}", "set"),
    ("${UNSET:-${SET}}", "set"),
    ("${UNSET:-${EMPTY:-x}}y", "xy"),
    ('${UNSET:-{"a": {}}}', '{"a": {}}'),
    ("${UNSET:-}", ""),
    ("$UNSET", ""),
    ("a$$SET", "a$SET"),
    ("$$", "$"),
    ("$5 and 5$ and $-", "$5 and 5$ and $-"),
]

OTHER_FORMS = [
    ("", {}),
    ("\n \n\t# a comment\n#", {}),
    ("\ufeffA=1".removeprefix("\ufeff"), {"A": "1"}),
    ("A=1\r\nB=2\r\n", {"A": "1", "B": "2"}),
    ("export A=1\n  export\tB = 2\nexported=3\nexport=4", {"A": "1", "B": "2", "exported": "3", "export": "4"}),
    ("A=\nB=''\nC=\"\"\nD= # comment\n", {"A": "", "B": "", "C": "", "D": ""}),
    ("A\nexport B\nC=1", {"C": "1"}),
    ("A=1\nA=2", {"A": "2"}),
    ('A=1\nB=$A\nC="${B}0"', {"A": "1", "B": "1", "C": "10"}),
    ("A=a=b:c\nB=http://h:80/p?q#f", {"A": "a=b:c", "B": "http://h:80/p?q#f"}),
    ("A-B.C[0]=1", {"A-B.C[0]": "1"}),
    ('A="1\n2" # two lines\nB=3', {"A": "1\n2", "B": "3"}),
    ('A="x"#y\nB=#z', {"A": "x", "B": "#z"}),
    (r'A="\\n\n\"\$B\x\0101"', {"A": '\\n\n"$B\\xA'}),
    (r"A='\\' # closed", {"A": "\\\\"}),
    ("A='it is \"said\"'\nB=\"it's\"", {"A": 'it is "said"', "B": "it's"}),
    ('A="${UNSET:-a \\"b\\"}"', {"A": 'a "b"'}),
]  # fmt: skip

WRONG = [
    ("A=1\nnonsense here\n", 2, "expected NAME=value"),
    ("=1", 1, "expected NAME=value"),
    ("A B=1", 1, "expected NAME=value"),
    ("A=1\n1X=5", 2, "expected a name that begins with a letter or _, got one that begins with a digit"),
    ("export 1X=5", 1, "expected a name that begins with a letter or _, got one that begins with a digit"),
    ("1X", 1, "expected a name that begins with a letter or _, got one that begins with a digit"),
    ("\n\nA$=1", 3, "expected NAME=value"),
    ("A # comment", 1, "expected NAME=value"),
    ("A='1\nB=2\n", 1, "A: expected a closing ', got none"),
    ('A=1\nB="1\\"', 2, 'B: expected a closing ", got none'),
    ("A='1' 2", 1, "A: expected nothing but a comment behind the closing '"),
    ("A='1\n2' x\n", 1, "A: expected nothing but a comment behind the closing '"),
    ("A=1\n\nB=${A", 3, "expected a } for each ${"),
    ("A=${}", 1, "expected ${NAME}, ${NAME:-default}"),
    ("A=${B/x/y}", 1, "expected ${NAME}, ${NAME:-default}"),
    ("A=${B:?set it}", 1, "required variable B is missing a value: set it"),
    ("A=${B?}", 1, "required variable B is missing a value"),
    ("A=" + "${B:-" * 12 + "}" * 12, 1, "expected at most 10 expressions within each other"),
    ("A=" + "${B:-" * 50_000, 1, "expected a } for each ${"),
]


@pytest.mark.parametrize("line, value", DOCUMENTED)
@pytest.mark.parametrize("around", ["{}", "# first\n\n{}\nNEXT=1\n"])
def test_a_documented_example_has_the_documented_value(line: str, value: str, around: str) -> None:
    assert parse(around.format(line), {"OTHER": "x"}).values["VAR"] == value


@pytest.mark.parametrize("written, value", INTERPOLATED)
@pytest.mark.parametrize("quote", ["", '"'])
def test_variables_are_interpolated_as_documented(written: str, value: str, quote: str) -> None:
    if quote:
        written = written.replace('"', '\\"')
    assert parse(f"A={quote}{written}{quote}", {"SET": "set", "EMPTY": ""}).values == {"A": value}


@pytest.mark.parametrize("text, values", OTHER_FORMS)
def test_further_forms_of_interpolation(text: str, values: dict[str, str]) -> None:
    assert parse(text, {}).values == values


@pytest.mark.parametrize("text, line, expected", WRONG)
def test_a_wrong_line_is_named_with_what_was_expected(text: str, line: int, expected: str) -> None:
    with pytest.raises(EnvFileError) as caught:
        parse(text, {}, "some/.env")
    assert str(caught.value).startswith(f"some/.env:{line}: {expected}")


def test_the_environment_takes_precedence_over_the_file() -> None:
    assert parse("A=file\nB=$A", {"A": "environment"}).values == {"A": "file", "B": "environment"}


def test_unset_names_are_listed_once() -> None:
    file = parse("A=$X-${Y}-$X\nB=${Z:-z}$$W\nX=1\nC=$X", {})
    assert file.unset == ("X", "Y")


def test_nothing_is_executed() -> None:
    assert parse("A=$(touch x)`touch y`;touch z", {}).values == {"A": "$(touch x)`touch y`;touch z"}


def test_the_example_sets_nothing_until_a_line_is_uncommented() -> None:
    text = (ROOT / ".env.example").read_text("utf-8")
    assert parse(text, {}).values == {}
    names = re.findall(r"(?m)^#([A-Z_]+)=", text)
    assert parse(re.sub(r"(?m)^#(?=[A-Z_]+=)", "", text), {}).values.keys() == set(names)
    assert names


# --- Laws ----------------------------------------------------------------------------------------------------------

NAMES = st.from_regex(r"[A-Z_][A-Z0-9_]{0,8}", fullmatch=True)
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30)


def in_single_quotes(value: str) -> str:
    return "'" + value.replace("'", "\\'") + "'"


def in_double_quotes(value: str) -> str:
    return '"' + re.sub(r'(["\\$])', r"\\\1", value) + '"'


@given(st.dictionaries(NAMES, ANY), st.dictionaries(NAMES, ANY))
def test_any_value_survives_double_quotes(values: dict[str, str], environment: dict[str, str]) -> None:
    text = "\n".join(f"{name}={in_double_quotes(value)} # x" for name, value in values.items())
    file = parse(text, environment)
    assert (file.values, file.unset) == (values, ())


@given(st.dictionaries(NAMES, ANY.filter(lambda value: "\\" not in value)))
def test_values_without_backslashes_survive_single_quotes(values: dict[str, str]) -> None:
    text = "\n".join(f"export {name} = {in_single_quotes(value)}" for name, value in values.items())
    assert parse(text, {}).values == values


@given(NAMES, st.from_regex(r"[A-Za-z0-9_./:=,@%+#-]{1,30}", fullmatch=True))
def test_plain_values_need_no_quotes(name: str, value: str) -> None:
    assert parse(f"{name}={value}", {}).values == {name: value}


PARTS = [
    "A",
    "B",
    "=",
    ":",
    "'",
    '"',
    "\\",
    "$",
    "{",
    "}",
    "${A",
    ":-",
    "?",
    "+",
    "#",
    " ",
    "\n",
    "\r\n",
    "export ",
    "é",
    "\0",
]


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_any_text_gives_values_or_one_error_with_its_line(text: str) -> None:
    outcome = values_or_problem(text)
    if isinstance(outcome, dict):
        assert all(name and "\n" not in name for name in outcome)
        return
    place = re.match(r"\.env:(\d+): \w", outcome)
    assert place
    assert 1 <= int(place[1]) <= text.count("\n") + 1
    assert "secret-value" not in outcome or "?" in text  # a message that the file itself asks for


def values_or_problem(text: str) -> dict[str, str] | str:
    try:
        return dict(parse(text, {"A": "secret-value"}).values)
    except EnvFileError as problem:
        return str(problem)


# --- As a file -----------------------------------------------------------------------------------------------------


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"\xef\xbb\xbfA=1\r\n")
    assert env_file.read(path, {}).values == {"A": "1"}


@pytest.mark.parametrize(
    "data, expected",
    [
        (b"A=\xff", "expected UTF-8, got other bytes"),
        (b"#" * (env_file.MAX_FILE_BYTES + 1), f"expected at most {env_file.MAX_FILE_BYTES} bytes, got more"),
        (b"A='", ":1: A: expected a closing '"),
    ],
)
def test_an_unreadable_file_is_named(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / ".env"
    path.write_bytes(data)
    with pytest.raises(EnvFileError) as caught:
        env_file.read(path, {})
    assert str(caught.value).startswith(str(path))
    assert expected in str(caught.value)


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EnvFileError, match="expected a file that can be read: Is a directory"):
        env_file.read(tmp_path, {})
