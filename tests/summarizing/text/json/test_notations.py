"""Values as Python prints them, and as JavaScript writes them, come out as JSON."""

import ast
import json
import pprint
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.extractive_summary import extract
from summarizing.extractive.json_rendering import render_json
from summarizing.text.document import Document
from summarizing.text.json.notations import as_json
from summarizing.text.json.records import parse_nearly_json
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer
from tests.summarizing.extractive.test_json_rendering import CONTAINERS
from tests.support.parts import the_tokenizer
from tests.support.timing import is_linear

PODS = [
    {
        "name": f"pod-{number}",
        "status": {"ready": number != 7, "reason": 'it\'s "starting"' if number == 7 else None},
        "containers": [{"image": f"registry.example/app:{number}.2", "memory": f"{number * 64}Mi"}],
    }
    for number in range(40)
]
TEXTS = st.text(st.sampled_from("ab '\"\\\n\té\x1b😀.,:()[]{}"), max_size=30)


def whole(text: str) -> str:
    document = parse_nearly_json(text)
    assert document is not None
    return render_json(document, range(len(document.segments)))


@given(value=CONTAINERS)
def test_what_python_prints_is_read_as_json(value: Any) -> None:
    assert json.loads(whole(repr(value))) == value


@given(values=st.lists(st.tuples(TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3)), min_size=1, max_size=5))
@pytest.mark.parametrize("width", [20, 80])
def test_tuples_escapes_and_strings_in_pieces_are_read_as_json(values: list[Any], width: int) -> None:
    printed = pprint.pformat([0, *values], width=width)
    assert json.loads(whole(printed)) == json.loads(json.dumps([0, *values]))


def test_segments_stand_in_the_text_as_it_is_written() -> None:
    text = pprint.pformat(PODS, sort_dicts=False)
    document = parse_nearly_json(text)
    assert isinstance(document, Document)
    assert document.text == text
    segments = [document.of(number) for number in range(len(document.segments))]
    assert [segments[0], *map(ast.literal_eval, segments[1:])] == ["[", *PODS]


def test_the_parts_of_a_long_string_are_those_of_the_text() -> None:
    said = " ".join(f"It's the sentence with the number {number}." for number in range(2_000))
    printed = pprint.pformat({"said": said, "by": "Ann"})
    assert json.loads(whole(printed)) == {"said": said, "by": "Ann"}
    summary = extract(printed, 60, "sentence number 47", the_tokenizer()).text
    assert "It's the sentence with the number 47." in json.loads(summary)["said"]


@pytest.mark.parametrize(
    "written, meant",
    [
        (
            "{a: 1, $b: 'x', c: undefined, /* it's */ d: [1, 2,],}",
            {"a": 1, "$b": "x", "c": None, "d": [1, 2]},
        ),
        ("[(1, 'a'), (2, None)]", [[1, "a"], [2, None]]),
        ("{1: True, 'b': {}}", {"1": True, "b": {}}),
        (
            "{ // the [first\n /* { */ a: 0xFF, b: +1, c: .5, d: 5., e: -0x10, f: -.5e3, g: 1e-2, h: 5.e+2 // last\n}",
            {"a": 255, "b": 1, "c": 0.5, "d": 5, "e": -16, "f": -500, "g": 0.01, "h": 500},
        ),
        ("[ /* none */ 'a', +2]", ["a", 2]),
        ("({'a': b'x\\x00'}, (None,))", [{"a": "b'x\\x00'"}, [None]]),
        ("[User(id=1, of=(2, 'a')), <Foo at 0x1>]", ["User(id=1, of=(2, 'a'))", "<Foo at 0x1>"]),
        ("[{\"id\": 1}, {'id': 2}]", [{"id": 1}, {"id": 2}]),
        (repr([{"at": date(2024, 5, 1)}]), [{"at": "datetime.date(2024, 5, 1)"}]),
        ("{'_id': ObjectId('5f'), 'n': <Foo at 0x1>}", {"_id": "ObjectId('5f')", "n": "<Foo at 0x1>"}),
    ],
)
def test_other_notations(written: str, meant: Any) -> None:
    assert json.loads(whole(written)) == meant


@pytest.mark.parametrize("text", [repr(PODS), pprint.pformat(PODS), repr(PODS).replace("'name'", "name")])
def test_a_summary_of_what_python_prints_is_json_in_which_each_value_stands_in_its_record(text: str) -> None:
    found = json.loads(extract(text, 120, "why is pod-7 not ready", the_tokenizer()).text)
    pods = {pod["name"]: pod for pod in found if isinstance(pod, dict)}
    assert pods["pod-7"]["status"] == PODS[7]["status"]
    assert all(pods[name].items() <= pod.items() for pod in PODS for name in [pod["name"]] if name in pods)


def test_what_is_cut_off_is_json_up_to_there() -> None:
    text = repr(PODS)
    found = json.loads(whole(text[: len(text) // 2]))
    assert [pod["name"] for pod in found[:19]] == [pod["name"] for pod in PODS[:19]]


@pytest.mark.parametrize(
    "text",
    [
        "[Docs](https://a.org)\n[Code](https://b.org)",
        "['a', 'b'] are the keys.",
        "(1) One.\n(2) Two.",
        "(see below)",
        "[call(x), y](https://a.org)",
        "{% if x %}a{% endif %}",
    ],
)
def test_other_texts_are_no_json(text: str) -> None:
    assert parse_nearly_json(text) is None


@given(value=CONTAINERS)
def test_json_stays_as_it_is(value: Any) -> None:
    assert as_json(json.dumps(value, indent=1)) == json.dumps(value, indent=1)


@pytest.mark.timed
@pytest.mark.parametrize(
    "run", ["'", "'a'\n", "f(", "f(g('", "{'a':1}", "\\'", "<a", "a.", "1:", ")", "+", "5.", "//\n"]
)
def test_time_is_linear(run: str) -> None:
    assert is_linear(lambda size: parse_nearly_json("['" + run * (size // len(run))), 100_000)


@pytest.mark.parametrize(
    "presented",
    [
        "The tool returned:\n{}",
        "```json\n{}\n```\n\nPod 7 waits.",
        "$ kubectl get pods -o json\n{}",
    ],
)
@pytest.mark.parametrize("text", [json.dumps(PODS), json.dumps(PODS, indent=2), repr(PODS)])
def test_json_that_a_few_words_present_is_json_between_these_words(text: str, presented: str) -> None:
    before, behind = presented.split("{}")
    told = extract(presented.format(text), 120, "why is pod-7 not ready", the_tokenizer()).text
    assert the_tokenizer().count(told) <= 120
    assert told.startswith(before)
    assert told.endswith(behind)
    found = json.loads(told.removeprefix(before).removesuffix(behind))
    assert PODS[7]["status"] in [pod["status"] for pod in found if "status" in pod]


def test_words_that_present_json_are_words_of_the_text() -> None:
    text = f"$ curl https://a.org/items\nHTTP/1.1 206\n\n{json.dumps(PODS, indent=1)}\ncurl: (18) transfer closed"
    told = extract(text, 120, "curl transfer closed", the_tokenizer())
    assert told.found.names == ("curl", "transfer", "closed")
    assert not told.found.is_unrelated
    assert told.text.endswith("curl: (18) transfer closed")
    assert "pod-" in told.text
    assert extract(text, 120, "volcano eruption", the_tokenizer()).found.is_unrelated


@pytest.mark.parametrize("words, is_json", [(100, True), (300, False)])
def test_more_than_a_few_words_above_json_are_a_text(words: int, is_json: bool) -> None:
    presenting = "They failed on 2024-05-01. ".ljust(words, ".")
    assert parse(f"{presenting}\n{json.dumps(PODS * 9)}").is_json == is_json


def test_presented_json_that_is_cut_off_ends_where_it_is_cut(tokenizer: Tokenizer) -> None:
    text = f"The tool returned:\n{json.dumps(PODS)}"
    told = extract(text[: text.rindex("containers") + 30], 120, "", tokenizer).text
    assert told.endswith('left out]"]')


def test_a_piece_from_the_midst_of_json_is_presented_by_no_half_record() -> None:
    text = json.dumps(PODS, indent=1)
    piece = text[text.index("reason") :]
    assert not any(parse(piece[cut:]).presented[0] for cut in range(0, 200, 7))


def test_a_text_with_an_example_of_json_is_a_text() -> None:
    text = "The tide is set in a file, and the harbour reads it at each start of its engines.\n" * 3
    assert not parse(f"{text}\n```json\n{json.dumps(PODS[:9])}\n```\n").is_json
