"""Which charset bytes are read in: the byte order mark, UTF-8 where they are valid, the header, the page, and what they look like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.laws import examples
from web_tools.extraction.charsets import declared_charset, decoded

JAPANESE = "これは日本語の文章です。文字コードを当てるには、ある程度の長さが必要です。" * 4
RUSSIAN = "Это русский текст, который достаточно длинный, чтобы угадать кодировку. " * 4


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["", "utf-8", "latin1", "shift_jis", "no such"]),
)
@examples(200)
def test_valid_utf_8_beyond_ascii_is_read_as_such_whatever_the_header_says(text: str, charset: str) -> None:
    text = f"é{text}"
    assert decoded(text.encode(), charset) == text


@given(
    st.binary(max_size=300),
    st.text(max_size=20) | st.sampled_from(["utf-8", "utf-16", "big5", "unicode_escape"]),
)
@examples(200)
def test_any_bytes_under_any_header_become_a_text(body: bytes, charset: str) -> None:
    assert isinstance(decoded(body, charset), str)


@pytest.mark.parametrize(
    "body, charset, text",
    [
        ("\ufeffä".encode(), "latin1", "ä"),
        ("ä😉".encode("utf-16"), "utf-8", "ä😉"),
        ("\ufeffä😉".encode("utf-16-be"), "", "ä😉"),
        ("Preis: 5 € – „gut“".encode("cp1252"), "ISO-8859-1", "Preis: 5 € – „gut“"),
        (JAPANESE.encode("shift_jis"), "Shift_JIS", JAPANESE),
        (JAPANESE.encode("euc_jp"), " x-euc-jp ", JAPANESE),
        ("中文".encode("gb18030"), "gb2312", "中文"),
        (b"<meta charset='windows-1251'>" + "Привет".encode("cp1251"), "", "<meta charset='windows-1251'>Привет"),
        (b"<META HTTP-EQUIV=x CONTENT='text/html; charset=koi8-r'>" + "Привет".encode("koi8-r"), "", None),
        (b'<?xml version="1.0" encoding="iso-8859-2"?>' + "Łódź".encode("iso8859-2"), "", None),
        (b"<meta charset=utf-16>plain", "", "<meta charset=utf-16>plain"),
    ],
)  # fmt: skip
def test_what_is_told_is_read_as_browsers_read_it(body: bytes, charset: str, text: str | None) -> None:
    found = decoded(body, charset)
    assert found == text if text is not None else found.endswith(("Привет", "Łódź"))


@pytest.mark.parametrize(
    "text, codec", [(JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r")]
)
def test_where_nothing_is_told_or_it_does_not_fit_the_bytes_are_looked_at(text: str, codec: str) -> None:
    assert decoded(text.encode(codec), "") == text


@pytest.mark.parametrize(
    "text, codec", [("Köln, Fähre: 5 € für Gäste", "cp1252"), (JAPANESE, "shift_jis"), (RUSSIAN, "cp1251")]
)
def test_a_header_that_names_a_wrong_charset_damages_nothing(text: str, codec: str) -> None:
    assert decoded(text.encode(codec), "utf-8") == text


def test_bytes_that_do_not_fit_what_is_told_are_replaced_one_by_one() -> None:
    assert decoded("Fähre, Köln: ".encode() + b"caf\xe9", "utf-8") == "Fähre, Köln: caf\ufffd"


@pytest.mark.parametrize("label", ["unicode_escape", "idna", "utf-7", "rot13", "raw_unicode_escape"])
def test_codecs_that_no_browser_has_are_not_used(label: str) -> None:
    assert decoded(rb"\u0041 +AEE- xn--a", label) == r"\u0041 +AEE- xn--a"


@pytest.mark.parametrize(
    "head, name",
    [
        (b'<html><head><meta charset="big5">', "big5"),
        (b"<meta name=a content=b><meta http-equiv=Content-Type content='text/html;charset=euc-kr'>", "euc-kr"),
        (b" " * 1024 + b"<meta charset=big5>", ""),
        (b"<p>charset=big5</p>", ""),
    ],
)  # fmt: skip
def test_a_page_names_its_charset_in_its_first_bytes(head: bytes, name: str) -> None:
    assert declared_charset(head) == name
