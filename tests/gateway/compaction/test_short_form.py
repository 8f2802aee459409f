"""What code alone makes of a long result: a form that fits, else what is summarized; an exact result is never summarized."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.compaction.lossless_form import lossless_form, self_contained
from gateway.compaction.short_form import short_form
from summarizing.text.tokenizer import Tokenizer
from tests.support.service import ROOT

PODS = [{"name": f"pod-{i}", "namespace": "prod", "restarts": i % 4, "owner": None} for i in range(300)]
TABLE = json.dumps(PODS, indent=2)
PROSE = "The pod was restarted because its node had no memory left. " * 40


def test_a_table_that_fits_is_handed_over_and_says_what_was_done(tokenizer: Tokenizer) -> None:
    short = short_form([TABLE], 5_000, tokenizer, False)
    assert short.tokens == tokenizer.count(short.text)
    assert short.tokens < 5_000 < tokenizer.count(TABLE)
    assert short.done == "one header for 300 rows, without 300 nulls"
    assert json.loads(short.text)["rows"][7] == ["pod-7", 3]


def test_one_null_is_counted_in_the_singular(tokenizer: Tokenizer) -> None:
    pods = [*PODS[:1], *({**pod, "owner": "ann"} for pod in PODS[1:])]
    short = short_form([json.dumps(pods, indent=2)], 5_000, tokenizer, False)
    assert short.done == "one header for 300 rows, without 1 null"


def test_what_does_not_fit_is_summarized_from_rows_that_have_their_names(tokenizer: Tokenizer) -> None:
    short = short_form([TABLE, PROSE], 100, tokenizer, False)
    assert short.tokens is None
    rows, _, prose = short.text.partition("\n\n")
    assert json.loads(rows) == [
        {name: value for name, value in pod.items() if value is not None} for pod in PODS
    ]
    assert prose == PROSE


@pytest.mark.parametrize("is_exact", [False, True])
def test_json_lines_that_do_not_fit_stay_json_lines(is_exact: bool, tokenizer: Tokenizer) -> None:
    text = "".join(json.dumps({**pod, "events": ["started"] * 30}) + "\n" for pod in PODS)
    short = short_form([text], 600, tokenizer, is_exact)
    lines = [line for line in short.text.splitlines() if "left out" not in line]
    assert lines[0].startswith('{"name":"pod-0"')
    assert all(json.loads(line)["events"] == ["started"] * 30 for line in lines)


def test_of_an_exact_result_whole_rows_are_left_out(tokenizer: Tokenizer) -> None:
    short = short_form([TABLE], 500, tokenizer, True)
    assert short.tokens is not None
    assert short.tokens <= 500
    first, second, *_ = short.text.split("\n")
    assert (first, json.loads(second.rstrip(","))) == ("[", PODS[0])
    assert json.loads(short.text.split("\n")[-2]) == PODS[-1]
    assert short.done.endswith(" of its lines left out")


def test_an_exact_result_keeps_its_nulls(tokenizer: Tokenizer) -> None:
    short = short_form([json.dumps({"a": None, "b": [1, 2]}, indent=30)], 20, tokenizer, True)
    assert (short.text, short.done) == ('{"a":null,"b":[1,2]}', "without white space")


@given(
    st.lists(st.text() | st.sampled_from([TABLE[:200], PROSE, "a 1\n" * 9, "[1, 2]"]), max_size=3),
    st.booleans(),
)
def test_no_form_is_longer_than_its_texts(texts: list[str], keeps_nulls: bool) -> None:
    whole = "\n\n".join(texts)
    form = lossless_form(texts, keeps_nulls=keeps_nulls)
    assert form is None or len(form.text) < len(whole)
    assert len(self_contained(texts, keeps_nulls=keeps_nulls)) <= len(whole)


@pytest.mark.parametrize(
    "path", ["README.md", "summarizer.py", "docs/gateway.md", "docker-compose.yml", "LICENSE"]
)
def test_prose_and_code_have_no_lossless_form(path: str) -> None:
    text = (ROOT / path).read_text("utf-8")
    assert lossless_form([text], keeps_nulls=False) is None
    assert self_contained([text], keeps_nulls=False) == text


def test_lines_of_a_diff_stay_as_they_are(tokenizer: Tokenizer) -> None:
    diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n" * 200
    short = short_form([diff], 500, tokenizer, True)
    assert set(short.text.split("\n")) - set(diff.split("\n")) == {
        next(line for line in short.text.split("\n") if line.endswith("left out]"))
    }
