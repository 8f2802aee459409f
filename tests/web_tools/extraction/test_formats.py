"""Which reader a page has, by its media type or its bytes, and what becomes of text and JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from web_tools.extraction.formats import read_page, with_lines
from web_tools.extraction.messages import ReadRequest
from web_tools.extraction.read_page import ReadPage, Unreadable

PAGE = "<!DOCTYPE html><title>Tea</title><h1>Tea</h1><p>Water at 80 degrees.</p>"
MARKDOWN = "# Tea\n\n" + '<p align="center"><img src="x"></p>\n\n' * 5 + "Water at 80 degrees.\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def read(body: bytes | str, media_type: str, charset: str = "") -> ReadPage:
    data = body.encode() if isinstance(body, str) else body
    return read_page(ReadRequest("https://example.org/", media_type, charset), data, lambda: 0.0)


@pytest.mark.parametrize(
    "media_type",
    ["text/html", "application/xhtml+xml", "text/plain", "", "application/octet-stream", "text/xml"],
)
def test_html_is_read_under_each_name_that_servers_give_it(media_type: str) -> None:
    assert read(PAGE, media_type) == ReadPage("# Tea\n\nWater at 80 degrees.", "Tea")


@pytest.mark.parametrize("media_type", ["text/markdown", "text/plain", "", "text/x-rst"])
def test_markdown_stays_as_it_is_and_has_its_first_heading_for_a_title(media_type: str) -> None:
    assert read(MARKDOWN, media_type) == ReadPage(MARKDOWN, "Tea")


@pytest.mark.parametrize(
    "media_type", ["text/csv", "application/yaml", "application/rss+xml", "application/javascript"]
)
def test_other_text_stays_as_it_is(media_type: str) -> None:
    text = "a,b\n1,2\n"
    assert read(text, media_type) == ReadPage(text)


@pytest.mark.parametrize(
    "media_type", ["image/png", "application/octet-stream", "", "text/plain", "video/mp4"]
)
def test_a_picture_is_no_text(media_type: str) -> None:
    with pytest.raises(Unreadable, match="expected HTML, XHTML, plain text, Markdown, JSON or PDF"):
        read(PNG, media_type)


def test_text_in_utf_16_is_told_from_a_picture_by_its_mark_or_its_header() -> None:
    assert read("Wasser".encode("utf-16"), "text/plain").text == "Wasser"
    assert read("Wasser".encode("utf-16-le"), "text/plain", "utf-16le").text == "Wasser"


@pytest.mark.parametrize(
    "body, media_type", [("", "text/plain"), (" \n", "application/json"), ("", "text/html")]
)
def test_an_empty_page_is_an_error(body: str, media_type: str) -> None:
    with pytest.raises(Unreadable, match=r"it is empty|it has no text"):
        read(body, media_type)


def test_json_in_one_line_gets_a_line_for_each_record() -> None:
    records = [{"name": f"a }}}}, b {number}", "list": [1, 2]} for number in range(50)]
    text = read(json.dumps(records), "application/vnd.api+json").text
    assert json.loads(text) == records
    assert text.splitlines()[1] == '{"name": "a }}, b 1", "list": [1, 2]},'
    assert len(text.splitlines()) == 50


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
@examples(200)
def test_the_lines_of_json_change_nothing_of_it(value: Any) -> None:
    text = json.dumps(value)
    assert json.loads(with_lines(text)) == value
    assert "".join(with_lines(text).split()) == "".join(text.split())


def test_json_that_has_lines_stays_as_it_is() -> None:
    text = json.dumps({"a": [{"b": 1.0e5}]}, indent=1)
    assert read(text, "application/json") == ReadPage(text)
