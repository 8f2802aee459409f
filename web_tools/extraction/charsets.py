"""Bytes to characters: by a byte order mark, the header, the page's declaration, and at last by the bytes themselves.

Labels of charsets have the meaning that browsers give them (WHATWG, Encoding Standard, 4.2): "latin1" is windows-1252. What is valid UTF-8
is read as UTF-8 whatever is declared: text in another charset is hardly ever valid UTF-8 if it has a letter outside of ASCII.
"""

import codecs
import re

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

# HTML standard, 13.2.3.2: a page declares its charset in its first 1024 bytes.
PRESCAN_BYTES = 1_024

# What is left when nothing fits: every byte is a character there.
LAST_RESORT = "cp1252"

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARATION = re.compile(rb"""(?i)<meta\b[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})""")
_XML_DECLARATION = re.compile(rb"""<\?xml\b[^>]{0,100}?\bencoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})""")


def decoded(body: bytes, charset: str) -> str:
    """Return the text of a body; `charset` is that of the header, "" where it has none.

    What is not valid becomes U+FFFD. Where that is most of what is not ASCII, the header or the page has named a wrong charset.
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    named = [name for name in map(_python_name, (charset, declared_charset(body))) if name]
    tried = named if body.isascii() else ["utf-8", *named]
    for name in tried:
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            continue
    text = body.decode((named or [_guessed(body)])[0], "replace")
    return body.decode(_guessed(body), "replace") if named and _is_mostly_invalid(text) else text


def _is_mostly_invalid(text: str) -> bool:
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text.count("\ufffd") > beyond_ascii / 2


def declared_charset(body: bytes) -> str:
    """Return the charset that a page declares itself; "" where it declares none."""
    head = body[:PRESCAN_BYTES]
    found = _DECLARATION.search(head) or _XML_DECLARATION.match(head)
    # HTML standard, 13.2.3.3: a declaration that can be read as ASCII is not in UTF-16.
    name = found[1].decode("ascii", "replace") if found else ""
    return "utf-8" if name.lower().startswith("utf-16") else name


def _python_name(label: str) -> str:
    """Return the name of Python's codec for a label of the Encoding Standard; "" where that has no such label."""
    return map_encoding_to_html5(label.strip(), fallback_utf8=False) or "" if label else ""


def _guessed(body: bytes) -> str:
    return detect_encoding(body) or LAST_RESORT
