"""JSON with slips: it is read, and comes out, as the JSON that was meant."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.cost_texts.shapes import SLIPS
from summarizing.extractive.json_rendering import render_json
from summarizing.text.document import Document
from summarizing.text.json.records import parse_json, parse_nearly_json
from tests.summarizing.extractive.test_json_rendering import CONTAINERS
from tests.support.timing import is_linear

# A string, or another sign with the space after it.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]\s*')
COMMAS = st.sampled_from([",", ",,", ", ,\n,", ",/* 1, 2 */", '// ["a,\n,', " /* {* */ ,// x,\n"])
# A comma may be missing before what begins with a sign of its own.
MISSING = st.sampled_from(["", " ", "\n", "/* ] */", "\r\n\t"])
SPARE = st.sampled_from(["", ",", " , ", "// , ]\n", ",/* ' */,"])


def read(text: str) -> Document:
    document = parse_nearly_json(text)
    assert document is not None
    return document


def whole(document: Document) -> str:
    return render_json(document, range(len(document.segments)))


def in_order(text: str) -> Any:
    """Return the values of JSON, of an object its members in their order."""
    return json.loads(text, object_pairs_hook=tuple)


def spoilt(text: str, data: st.DataObject) -> str:
    """Return JSON with slips between its values."""
    tokens = TOKEN.findall(text)
    for number, token in enumerate(tokens):
        following = tokens[number + 1][:1] if number + 1 < len(tokens) else ""
        if token.strip() == ",":
            tokens[number] = data.draw(COMMAS | MISSING if following in '"[{' else COMMAS)
        elif token.strip() in ("[", "{") or following in ("]", "}"):
            tokens[number] += data.draw(SPARE)
    return "".join(tokens)


@given(value=CONTAINERS, indent=st.sampled_from([None, 1]), data=st.data())
def test_json_with_slips_comes_out_as_the_json_that_was_meant(
    value: Any, indent: int | None, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent)
    clean = parse_json(text)
    assert clean is not None
    document = read(spoilt(text, data))
    # Short records share a segment, and comments make a record longer: the segments need not be the same.
    assert in_order(whole(document)) == in_order(whole(clean))
    assert sum(document.parts) == sum(clean.parts)


@given(value=CONTAINERS, data=st.data())
def test_segments_of_json_with_slips_stand_in_the_text_as_it_is_written(
    value: Any, data: st.DataObject
) -> None:
    text = spoilt(json.dumps(value), data)
    document = read(text)
    assert document.text == text
    at = 0
    for segment in document.segments:
        assert at <= segment.start < segment.end
        between = re.sub(r"//[^\n]*|/\*.*?\*/", "", text[at : segment.start])
        assert not between.strip(" \t\r\n,]}")
        at = segment.end


def test_a_record_without_its_comma_is_one_segment_as_it_is_written() -> None:
    rows = ['{"name":"Ann Lee""n":1}', '{"name":"Bob Ray","n":[2"c"]}', '{"name":"Cy Poe" /* why */ "n":4}']
    document = read(f"[{rows[0]}{rows[1]}\n{rows[2]}]")
    assert [document.of(number) for number in range(len(document.segments))] == ["[", *rows]
    assert json.loads(whole(document)) == [
        {"name": "Ann Lee", "n": 1},
        {"name": "Bob Ray", "n": [2, "c"]},
        {"name": "Cy Poe", "n": 4},
    ]


def test_json_lines_with_slips_stay_lines() -> None:
    document = read('{"a":1,}\n{"b":2} // two\n{"c":[3,,4]}\n{"d":"e" "f":5}\n')
    assert whole(document) == '{"a":1}\n{"b":2}\n{"c":[3,4]}\n{"d":"e","f":5}'


def test_a_comment_stays_in_the_text_for_those_who_look_there_for_what_is_stated() -> None:
    text = '{"port": 80, // since 12 May 2024\n "host": "a",}'
    assert read(text).text == text


@pytest.mark.timed
@pytest.mark.parametrize("slip", [*SLIPS.values(), "/*", "//", ",", ",]", '"', "[,", "1 \n", '" '])
def test_time_is_linear(slip: str) -> None:
    assert is_linear(lambda size: parse_nearly_json("[" + slip * (size // len(slip))), 100_000)
