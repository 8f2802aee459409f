"""Bytes to characters: by a byte order mark, the header, the page's own word for it, and at last by the bytes themselves.

Names of charsets mean what they mean in browsers (WHATWG, Encoding Standard, 4.2): "latin1" is windows-1252. UTF-8 is recognized before
anything that a server or a page says: text in another charset that has any letter outside of ASCII is hardly ever valid UTF-8.
"""

import codecs
import re

from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

# HTML standard, 13.2.3.2: a page's own word for its charset stands in its first 1024 bytes.
PRESCAN_BYTES = 1_024

# What is left when nothing fits: every byte is a character there.
LAST_RESORT = "cp1252"

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OWN_WORD = re.compile(rb"""(?i)<meta\b[^>]{0,300}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})""")
_XML_WORD = re.compile(rb"""<\?xml\b[^>]{0,100}?\bencoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})""")


def decoded(body: bytes, charset: str) -> str:
    """Return the text of a body; `charset` is what the header says, "" where it says nothing.

    What is not valid becomes U+FFFD. Where that is most of what is not ASCII, the header or the page has named a wrong charset.
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    told = [name for name in map(_python_name, (charset, own_word(body))) if name]
    tried = told if body.isascii() else ["utf-8", *told]
    for name in tried:
        try:
            return body.decode(name)
        except UnicodeDecodeError:
            continue
    text = body.decode((told or [_guessed(body)])[0], "replace")
    return body.decode(_guessed(body), "replace") if told and _is_mostly_invalid(text) else text


def _is_mostly_invalid(text: str) -> bool:
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text.count("\ufffd") > beyond_ascii / 2


def own_word(body: bytes) -> str:
    """Return the charset that a page names itself; "" where it names none."""
    head = body[:PRESCAN_BYTES]
    found = _OWN_WORD.search(head) or _XML_WORD.match(head)
    # HTML standard, 13.2.3.3: who can read this in ASCII has no UTF-16 before them.
    name = found[1].decode("ascii", "replace") if found else ""
    return "utf-8" if name.lower().startswith("utf-16") else name


def _python_name(label: str) -> str:
    """Return the name of Python's codec for a label of the Encoding Standard; "" where that has no such label."""
    return map_encoding_to_html5(label.strip(), fallback_utf8=False) or "" if label else ""


def _guessed(body: bytes) -> str:
    return detect_encoding(body) or LAST_RESORT
