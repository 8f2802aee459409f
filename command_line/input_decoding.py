"""Bytes of a file to its text: UTF-8, or what a byte order mark names. Guesses no encoding: one that is not certain is an error."""

import codecs
import re

# Undecodable bytes of the input are written out unchanged.
DECODING_ERRORS = "surrogateescape"

# Stray bytes in UTF-8 or ASCII (of a log, for example) are fewer; German in Latin-1 has 15 of 1,000, French 30.
MAX_STRAY_SHARE = 0.001

# The marks of UTF-32 first: its little-endian one begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)

_UNDECODABLE = re.compile("[\udc80-\udcff]")


# RFC 1952, 2.3.1: ID1, ID2 and the only compression method. No text in UTF-8 begins so.
_GZIP = b"\x1f\x8b\x08"


class NotText(Exception):
    """The input is not text: the message says why, and what to do."""


def decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the text, and what must be known of how it was read. Raises NotText.

    A few bytes that are not UTF-8 are passed through, as characters that `DECODING_ERRORS` makes bytes again.
    """
    named = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if named:
        return _wide_text(data, named), ()
    if data.startswith(_GZIP):
        raise NotText(
            "expected a text in UTF-8, got data compressed by gzip: decompress it first (zcat, gunzip)"
        )
    if (at := data.find(0)) >= 0:
        raise NotText(
            f"expected a text in UTF-8, got a NUL byte at offset {at}: this is binary data, or UTF-16 without a byte order mark "
            "(iconv makes UTF-8 of it); get the text out of a document first (pdftotext, pandoc)"
        )
    text = data.decode("utf-8", DECODING_ERRORS)
    first = _UNDECODABLE.search(text)
    if first is None:
        return text, ()
    return text, (_stray_bytes_note(data, text, first.start()),)


def _wide_text(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as problem:
        raise NotText(
            f"expected a text in UTF-8, got a {encoding} byte order mark and, at offset {problem.start}, bytes that are not "
            f"{encoding}: get the text out of binary data first (pdftotext, pandoc), or leave out what is damaged in a text "
            f"(iconv -c -f {encoding} -t UTF-8)"
        ) from None
    if (at := text.find("\0")) >= 0:
        raise NotText(
            f"expected a text in UTF-8, got a NUL character at offset {at} of {encoding}: get the text out of binary data first "
            f"(pdftotext, pandoc), or take such characters out of a text (iconv -f {encoding} -t UTF-8 | tr -d '\\000')"
        )
    return text


def _stray_bytes_note(data: bytes, text: str, first: int) -> str:
    """Return what the outcome says of bytes that are not UTF-8; raise NotText where they are no stray ones."""
    offset = len(text[:first].encode("utf-8"))
    wrong = len(text) - len(text.encode("utf-8", "ignore").decode())
    right = len(data) - wrong - len(text.encode("ascii", "ignore"))
    if wrong > right and wrong > MAX_STRAY_SHARE * len(data):
        raise NotText(
            f"expected a text in UTF-8, got {wrong} other bytes of {len(data)}: this is binary data, or text in another encoding (see "
            f"offset {offset}), which must be converted first (iconv -f WINDOWS-1252 -t UTF-8 in Western Europe, for example)"
        )
    what = "1 byte that is not UTF-8 is" if wrong == 1 else f"{wrong} bytes that are not UTF-8 are"
    return f"{what} passed through, the first at offset {offset}"
