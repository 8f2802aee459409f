"""Lines with templates or headings can be read back, one by one, whatever the text."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.compaction.line_headings import with_headings
from gateway.compaction.line_templates import MAX_CHARS, with_templates
from tests.gateway.compaction.readers import lines_of_headings, lines_of_templates
from tests.support.timing import is_linear

DPKG_LOG = Path("/var/log/dpkg.log")

WORDS = st.sampled_from(
    [
        "status",
        "pod-7",
        "12:00:01",
        "{}",
        "#1",
        "#",
        "=",
        "<none>",
        "",
        "\t",
        "a=5",
        '"x 1"',
        "a.py:7:",
        "\r",
        "ä9",
    ]
)
LINES = st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=30)
TEXTS = st.one_of(LINES.map("\n".join), st.text(), LINES.map(lambda lines: "\n".join(3 * lines)))

LOG = "".join(
    f"2026-11-23T22:00:{i % 60:02}.{i:03}Z INFO  reconciler: reconciled pod default/web-{i} in {i % 83} ms\n"
    for i in range(200)
)


@given(TEXTS)
def test_lines_with_templates_are_read_back(text: str) -> None:
    found = with_templates(text)
    if found is not None:
        assert "\n".join(lines_of_templates(found.text, found.templates, found.place)) == text


@given(TEXTS)
@example("12:00:01 \n12:00:01 \n12:00:01 \n12:00:01 ")
def test_lines_with_headings_are_read_back_and_are_shorter(text: str) -> None:
    found = with_headings(text)
    if found is not None:
        assert "\n".join(lines_of_headings(found.text)) == text
        assert len(found.text) < len(text)


def test_a_log_has_its_templates_once() -> None:
    found = with_templates(LOG + "2026-11-23T22:09:00.000Z ERROR kubelet: out of disk\n")
    assert found is not None
    head, first, *_, last, end = found.text.split("\n")
    assert head == "#1 = {} INFO  reconciler: reconciled pod {} in {} ms"
    assert first == "#1 2026-11-23T22:00:00.000Z default/web-0 0"
    assert (last, end) == ("2026-11-23T22:09:00.000Z ERROR kubelet: out of disk", "")
    assert (found.templates, found.rows) == (1, 200)


def test_the_one_word_that_differs_is_a_value_and_what_is_the_same_in_all_lines_is_none() -> None:
    names = ["README.md", "LICENSE", "Makefile", "app.py"]
    listing = "\n".join(
        f"-rw-r--r-- 1 root root {size} Nov 24 01:09 {name}" for size, name in enumerate(names)
    )
    found = with_templates(listing)
    assert found is not None
    assert found.text.split("\n")[:2] == ["#1 = -rw-r--r-- 1 root root {} Nov 24 01:09 {}", "#1 0 README.md"]


def test_what_grep_finds_has_each_path_once() -> None:
    found = with_headings(
        "gateway/check.py:18:async def a(\ngateway/check.py:20:async def b(\nREADME.md:7:def c\n"
    )
    assert found is not None
    assert found.text == "# gateway/check.py:\n18:async def a(\n20:async def b(\n# README.md:\n7:def c\n"
    assert found.headings == 2


@pytest.mark.skipif(not DPKG_LOG.exists(), reason="Debian's package log is not on this machine")
def test_a_log_of_dpkg_has_each_second_once_and_is_read_back() -> None:
    text = DPKG_LOG.read_text("utf-8")
    found = with_headings(text)
    assert found is not None
    assert "\n".join(lines_of_headings(found.text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "one", "a\nb\nc", "    indented 1\n" * 9, "{} <> \u2039\u203a 1\n" * 9, "pod 1\n" * MAX_CHARS],
)
def test_other_texts_have_no_templates(text: str) -> None:
    assert with_templates(text) is None


@pytest.mark.parametrize(
    "line", ["x{0} y-{0} z", "{0}", "a " * 50 + "{0}", "x" * 200 + "{0}", "{0}" * 40 + " b"]
)
def test_the_time_grows_with_the_text(line: str) -> None:
    def work(count: int) -> None:
        text = "\n".join(line.format(number) for number in range(count))
        with_templates(text)
        with_headings(text)

    assert is_linear(work, 2_000)


def test_lines_of_many_long_words_take_a_few_times_their_size() -> None:
    words = [chr(ord("a") + number) * 100 for number in range(26)]
    text = "\n".join(" ".join([*words, "x" * number]) for number in range(1, 200))
    tracemalloc.start()
    try:
        with_templates(text)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 * len(text)
