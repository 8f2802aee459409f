"""Secrets in elements of XML and HTML: `<password>X</password>`, `<entry key="password">X</entry>`, `<add key="Password" value="X"/>`. Pure.

Linear: each tag is looked at once. Knows no document: a part of one, or an element in a log, will do.
"""

import re
from collections.abc import Iterator

from gateway.masking.named_secrets import HAS_SIGN, means_secret, stands_for_a_secret
from gateway.masking.secret import Secret
from gateway.masking.stretches import matches

_TAG = re.compile(r"<(?P<name>[A-Za-z_][\w.:-]{0,80}+)(?P<attributes>(?:\s[^<>]{0,1000}+)?+)>")
_NAME_ATTRIBUTE = re.compile(r"""\s(?:name|key)=\\?["'](?P<name>[^"'<>\\]{1,100}+)\\?["']""", re.IGNORECASE)
# In HTML the name of a place in the page.
_ANCHORS = ("a", "A")
_VALUE_ATTRIBUTE = re.compile(r"""\svalue=\\?["'](?P<secret>[^"'<>\\]{1,1000}+)\\?["']""", re.IGNORECASE)
_CONTENT = re.compile(
    r"\s{0,200}+(?:<!\[CDATA\[\s{0,200}+(?P<data>[^\]<]{1,4000}+)\]\]>|(?P<plain>[^<>]{1,4000}+))\s{0,200}+<\\?/"
)


def element_secrets(text: str) -> Iterator[Secret]:
    """Yield the secrets, in the order of their starts."""
    for tag in matches(_TAG, text):
        attributes = tag.span("attributes")
        named = _NAME_ATTRIBUTE.search(text, *attributes)
        is_named = named is not None and means_secret(named["name"])
        if is_named and (value := _VALUE_ATTRIBUTE.search(text, *attributes)):
            yield from _secret(value, "secret")
        has_content = not tag["attributes"].endswith("/") and tag["name"] not in _ANCHORS
        if not has_content or not (is_named or means_secret(tag["name"])):
            continue
        if content := _CONTENT.match(text, tag.end()):
            yield from _secret(content, "data" if content["data"] is not None else "plain")


def _secret(found: re.Match[str], group: str) -> Iterator[Secret]:
    value = found[group].rstrip()
    is_prose = any(map(str.isspace, value)) and not any(map(HAS_SIGN.search, value.split()))
    if value and not stands_for_a_secret(value) and not is_prose:
        yield Secret(found.start(group), found.start(group) + len(value), "secret")
