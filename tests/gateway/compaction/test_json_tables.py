"""JSON with one header for many objects can be read back to the same value, whatever it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.compaction.json_tables import MAX_CHARS, NotWritable, Writer, parsed_json
from tests.gateway.compaction.readers import json_of_tables, number
from tests.support.service import ROOT
from tests.support.timing import is_linear

NAMES = st.sampled_from(["a", "b", "c", "d", "columns", "rows", "same", "ä"])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(NAMES, inner, max_size=5)
        | st.lists(st.fixed_dictionaries({"a": inner, "b": inner}, optional={"c": inner}), max_size=6)
    ),
    max_leaves=40,
)


def as_written(text: str) -> Any:
    return json.loads(text, parse_int=number, parse_float=number, parse_constant=number)


def written(text: str, *, keeps_nulls: bool = True, with_tables: bool = True) -> str:
    parsed = parsed_json(text, keeps_nulls=keeps_nulls)
    assert parsed is not None
    return Writer(with_tables=with_tables).text(parsed.value)


def without_nulls(value: Any) -> Any:
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return value


@given(st.lists(VALUES) | st.dictionaries(NAMES, VALUES), st.booleans(), st.sampled_from([None, 2]))
def test_the_same_value_can_be_read_back(value: Any, keeps_nulls: bool, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    expected = as_written(text) if keeps_nulls else without_nulls(as_written(text))
    try:
        assert json_of_tables(written(text, keeps_nulls=keeps_nulls)) == expected
    except NotWritable:  # an object in it would be read as a table
        assert '"columns":' in json.dumps(value)
    assert as_written(written(text, keeps_nulls=keeps_nulls, with_tables=False)) == expected


def test_objects_of_one_shape_have_one_header_and_what_is_the_same_in_all_once() -> None:
    pods = [{"name": f"web-{i}", "namespace": "prod", "at": {"node": i, "zone": "a"}} for i in range(3)]
    assert json.loads(written(json.dumps(pods))) == {
        "columns": ["name", {"at": ["node"]}],
        "same": {"namespace": "prod", "at": {"zone": "a"}},
        "rows": [["web-0", [0]], ["web-1", [1]], ["web-2", [2]]],
    }


def test_what_a_row_has_beside_the_columns_stands_at_its_end_and_a_row_that_lacks_one_as_it_is() -> None:
    rows: list[Any] = [{"a": number, "b": -number} for number in range(30)]
    rows[7]["c"] = None
    del rows[9]["b"]
    table = json.loads(written(json.dumps(rows)))
    assert table["columns"] == ["a", "b"]
    assert table["rows"][7:10] == [[7, -7, {"c": None}], [8, -8], {"a": 9}]


def test_lists_in_the_rows_share_a_header() -> None:
    pods = [{"name": i, "ports": [{"port": i, "protocol": "TCP"}] * 2} for i in range(3)]
    assert json.loads(written(json.dumps(pods)))["columns"] == ["name", {"ports": [["port", "protocol"]]}]


@pytest.mark.parametrize("spelled", ["1.0", "0.10", "1e5", "-0", "123456789012345678901234567890.5", "NaN"])
def test_numbers_stay_as_they_are_written(spelled: str) -> None:
    assert written(f'{{ "a": {spelled}, "b": "{spelled}" }}') == f'{{"a":{spelled},"b":"{spelled}"}}'


def test_a_number_and_a_string_are_not_the_same_in_all_rows() -> None:
    text = '[{"a": 1, "b": {"c": 1}}, {"a": "1", "b": {"c": "1"}}, {"a": 1, "b": {"c": 1}}]'
    assert "same" not in written(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pods",
        "[1, 2",
        '{"a": 1, "a": 2}',
        "{a: 1}",
        "[" * 100_000,
        "[" + "1," * MAX_CHARS + "1]",
        "{}\n{}",
    ],
)
def test_other_texts_are_none(text: str) -> None:
    assert parsed_json(text, keeps_nulls=True) is None


def test_what_is_nested_too_deep_is_not_written() -> None:
    parsed = parsed_json("[" * 500 + "]" * 500, keeps_nulls=True)
    with pytest.raises(NotWritable):
        Writer(with_tables=True).text(parsed and parsed.value)


def test_json_lines_are_one_table() -> None:
    lines = "\n".join(json.dumps({"id": i, "level": "info"}) for i in range(5)) + "\n"
    assert [row["id"][1] for row in json_of_tables(written(lines))] == list("01234")


def test_the_time_grows_with_the_text() -> None:
    def pods(count: int) -> str:
        each = {"kind": "Pod", "labels": {f"l{i}": i for i in range(9)}, "ports": [{"port": 1}] * 3}
        return json.dumps([{**each, "name": i, f"only-{i}": i} for i in range(count)])

    assert is_linear(lambda count: written(pods(count)), 500)


def test_half_a_surrogate_pair_stays_an_escape() -> None:
    assert written(r'["\ud800", "\u00e4"]') == r'["\ud800","ä"]'


def test_a_lock_file_of_npm_is_read_back() -> None:
    text = (ROOT / "tests/clients/node/package-lock.json").read_text("utf-8")
    short = written(text)
    assert json_of_tables(short) == as_written(text)
    assert len(short) < 0.8 * len(text)
