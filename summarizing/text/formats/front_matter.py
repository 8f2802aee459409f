"""What stands before a text: keys between two lines of dashes, as in YAML, or of plus signs, as in TOML, or a head of fields, as in a mail.

Pure. The keys are put by config_trees.py.
"""

import re
from collections.abc import Sequence

from summarizing.text.document import NO_SEGMENT
from summarizing.text.document_builder import Builder
from summarizing.text.formats.config_trees import put_config
from summarizing.text.lines import FIELD, Line, looks_like_prose, sample_of, share

# A head over a text has at least so many fields; fewer may be remarks ("Note: ...").
MIN_HEAD = 3

_KEY = re.compile(r"[\w-]{1,60}:(?:\s|$)")
# What opens it (in Hugo and Zola plus signs, for TOML), what closes it, and what its keys look like.
_FORMS = {
    "---": (("---", "..."), _KEY),
    "+++": (("+++",), re.compile(r"[\w.-]{1,60}\s?=\s|\[")),
}


def put_front_matter(builder: Builder, lines: Sequence[Line]) -> int:
    """Add the keys between two such lines at the beginning, or a head of fields over a text, and return the number of the line after them."""
    if lines[0].text not in _FORMS or lines[0].start > 1:
        return _put_head_of_fields(builder, lines)
    endings, key = _FORMS[lines[0].text]
    for number, line in enumerate(lines[1:100], 1):
        if line.text in endings:
            inner = lines[1:number]
            if not inner or share([key.match(line.text) for line in inner]) < 0.3:
                return 0
            with builder.marginal():
                put_config(builder, inner, NO_SEGMENT)
            # The text is in no table of the keys: "[extra]".
            builder.end_section(0, None)
            return number + 1
    return 0


def _put_head_of_fields(builder: Builder, lines: Sequence[Line]) -> int:
    end = head_of_fields(lines)
    if sum(not line.indent for line in lines[:end]) < MIN_HEAD:
        return 0
    put_config(builder, lines[:end], NO_SEGMENT)
    return end


def head_of_fields(lines: Sequence[Line]) -> int:
    """Return how many lines are a head of fields, as in a mail: "an empty line" ends it (RFC 5322, 2.1), and below it stand more sentences than fields.

    0 where there is none. What a field says goes on indented.
    """
    for number, line in enumerate(lines):
        if number and line.gap and not line.indent:
            body = [each.text for each in sample_of(lines[number:])]
            is_text = sum(map(looks_like_prose, body)) > sum(FIELD.match(text) is not None for text in body)
            return number if is_text else 0
        has_no_value = _KEY.match(line.text) and number + 1 < len(lines) and not lines[number + 1].indent
        if not ((number and line.indent) or FIELD.match(line.text) or has_no_value):
            return 0
    return 0
