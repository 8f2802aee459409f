"""Whether a content is HTML: a page or a part of one. Judged by its beginning; does not read it."""

import re

from summarizing.text.html.elements import BLOCKS, HIDDEN, INLINE, VOID

# So much of a content is looked at.
SAMPLE_CHARS = 20_000

# A page without doctype, html and body is HTML if this many of its tags are HTML's, and so much of it is tags.
MIN_TAGS = 5
MIN_KNOWN_SHARE = 0.9
MIN_SHARE = 0.08

_BEFORE_HTML = re.compile(
    r"\ufeff?+\s*+(?:(?:<\?xml[^>]{0,200}+>|<!--(?:[^-]++|-(?!->)){0,2000}+-->)\s*+){0,5}+"
)
_HTML = re.compile(r"(?i)<!doctype\s++html|<html[\s>]|<body[\s>]|<head>")
_ANY_TAG = re.compile(r"</?+([a-zA-Z][\w:.-]{0,40}+)(?:\s[^<>]{0,2000}+)?+/?+>")
_MARKDOWN = re.compile(r"(?m)^(?:\#{1,6}+ |```|[-*] [^\n<]|\d{1,3}+\. )|\]\(")


def is_html(content: str) -> bool:
    """Whether a content is a page or a part of one; Markdown, XML and code with some tags in it are not."""
    start = _BEFORE_HTML.match(content)
    sample = content[start.end() if start else 0 :][:SAMPLE_CHARS]
    if not sample.startswith("<"):
        return False
    if _HTML.match(sample):
        return True
    tags = list(_ANY_TAG.finditer(sample))
    if len(tags) < MIN_TAGS or tags[0].start() > 0 or tags[0][1].lower() not in BLOCKS | INLINE | VOID:
        return False
    names = [tag[1] for tag in tags]
    known = sum(name.lower() in BLOCKS | INLINE | VOID | HIDDEN for name in names)
    share = sum(tag.end() - tag.start() for tag in tags) / len(sample)
    has_ends = "</" in sample
    is_markdown = len(_MARKDOWN.findall(sample)) > 2
    return known >= MIN_KNOWN_SHARE * len(names) and share >= MIN_SHARE and has_ends and not is_markdown
