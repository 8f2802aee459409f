"""Records in brackets that no reader of values reads are told whole: what one of them says stands in no other."""

import re

import pytest

from summarizing.extractive.extractive_summary import extract
from summarizing.text.language.record_spans import records_in
from summarizing.text.language.sentence_spans import SentenceFinder
from summarizing.text.tokenizer import Tokenizer
from tests.support.timing import is_linear

NOTE = "Client {0} called on day {0}. The balance (in EUR) was asked for. A refund of {1} EUR was approved for client {0}."
RECORDS = {
    "bytes": "{{'id': {0}, 'note': '{note}', 'raw': b'x'}}",
    "sets": "{{'id': {0}, 'note': '{note}', 'roles': {{'admin', 'staff'}}}}",
    "dataclasses": "User(id={0}, note='{note}')",
    "hashes of Ruby": '{{:id=>{0}, :note=>"{note}"}}',
    "JSON with quotes that are not escaped": '{{"id": {0}, "note": "A "good" one. {note}"}}',
    "tuples": "(1+2j, '{note}', [[{0}, 2], [3, 4]])",
    "a dictionary's": "'client {0}': {{'note': '{note}', 'key': {{(1, 2): b''}}}}",
}


def written(kind: str) -> list[str]:
    return [RECORDS[kind].format(number, note=NOTE.format(number, 100 + number)) for number in range(40)]


@pytest.mark.parametrize(
    "around", ["[{}, {{1}}]", "({}, {{1}})", "Here:\n[{}]\nThat's all {{sic}}.", "users = {}", "[{{1}}, {}"]
)
@pytest.mark.parametrize("kind", RECORDS)
def test_a_record_that_is_told_is_told_whole(kind: str, around: str, tokenizer: Tokenizer) -> None:
    records = written(kind)
    summary = extract(around.format(", ".join(records)), 300, "", tokenizer).text
    told = [record for number, record in enumerate(records) if f"Client {number} called" in summary]
    assert len(told) > 1
    assert all(record in summary for record in told)
    assert len(told) == len(re.findall("A refund of", summary))


def test_sentences_around_records_are_sentences() -> None:
    records = "They had [{'a': 'One. Two.', 'b': b''}, {'a': 'Three. Four.', 'b': b''}]"
    for after in (".", ", and that was all.", " and nothing else."):
        text = f"They came. {records}{after} Then they left. So did we."
        spans = [text[start:end] for start, end in SentenceFinder(text).spans(0, len(text))]
        last = "{'a': 'Three. Four.', 'b': b''}]" + after
        assert spans == ["They came.", records[:39], last, "Then they left.", "So did we."]


@pytest.mark.parametrize(
    "prose",
    [
        "It was seen twice (Byron 1843), (Lovelace 1852). Both agree (see [1], [2], [3]). Then it stopped.",
        "The calls open(path), close(file) return nothing. The sets {a}, {b} and {c} are open. So is f(x, [1], [2]).",
        "He said (and it's true) that it rains. Don't go (he added), or you get wet. She's gone.",
    ],
)
def test_sentences_with_brackets_stay_sentences(prose: str) -> None:
    spans = [prose[start:end] for start, end in SentenceFinder(prose).spans(0, len(prose))]
    assert spans == [f"{sentence}." for sentence in prose.rstrip(".").split(". ")]


@pytest.mark.timed
@pytest.mark.parametrize("sign", ["}, {", "), A(", "'), ('", "'\\'", '{"a": ', "}", "}, '", "a.b"])
def test_time_is_linear(sign: str) -> None:
    assert is_linear(lambda size: list(records_in(sign * size, 0, len(sign) * size)), 20_000)
