"""Which records a query does not ask for, since a key that it names is false there and true in others: "archived repositories".

Pure; linear in the text. Does not weigh them: scored_fields.py does.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from summarizing.relevance.query_terms import Match
from summarizing.text.document import Document, SegmentKind
from summarizing.text.language.language_words import language_words
from summarizing.text.language.stemming import words_of

# So much of a record is looked at.
MAX_ROW_CHARS = 2_000

_WORD = re.compile(r"[^\W\d_]+(?:'t)?")
_FLAG = re.compile(r'"(\w{1,60})":[ ]{0,9}(true|false)\b')


def without_false_flags(
    document: Document, own: Sequence[Mapping[int, float]], matches: Mapping[str, Sequence[Match]], query: str
) -> Sequence[Mapping[int, float]]:
    """Return what the segments have of a query's terms: records without what names a key that is false there, where it is true in others.

    `matches`: the terms that the words of the document match.
    """
    if not document.is_json or _denies(query):
        return own
    flags: dict[str, dict[int, bool]] = defaultdict(dict)
    for index, segment in enumerate(document.segments):
        if own[index] and segment.kind is SegmentKind.ROW:
            for flag in _FLAG.finditer(
                document.text, segment.start, min(segment.end, segment.start + MAX_ROW_CHARS)
            ):
                flags[flag[1]][index] = flag[2] == "true"
    found = list(own)
    for key, values in flags.items():
        terms = {match.term for word in words_of(key) for match in matches.get(word, ())}
        if terms and any(values.values()):
            for index in (index for index, is_set in values.items() if not is_set):
                found[index] = {term: count for term, count in found[index].items() if term not in terms}
    return found


def _denies(query: str) -> bool:
    """Whether a query asks for records in which a key is false, perhaps: it has a negation."""
    words = _WORD.findall(query.lower().replace("\u2019", "'"))
    return any(word.endswith("n't") or word in language_words().denying for word in words)
