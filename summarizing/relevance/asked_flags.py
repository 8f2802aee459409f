"""Which records a query does not ask for, since a key that it names is false there and true in others: "archived repositories".

Pure; linear in the text. Does not weigh them: bm25f.py does.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from summarizing.relevance.query_terms import Match
from summarizing.text.document import Document, SegmentKind
from summarizing.text.stemming import words_of

# So much of a record is looked at.
MAX_ROW_CHARS = 2_000

_FLAG = re.compile(r'"(\w{1,60})":[ ]{0,9}(true|false)\b')


# A query that denies asks for those where it is false, perhaps: then nothing is left out. English, German, French and Spanish.
_DENIES = re.compile(
    r"\b(?:not|non|no|never|neither|false|without|\w{1,20}n['’]t|nicht|kein\w{0,2}|nie|ohne|pas|jamais|sans|nunca|sin)\b",
    re.IGNORECASE,
)


def without_false_flags(
    document: Document, own: Sequence[Mapping[int, float]], matches: Mapping[str, Sequence[Match]], query: str
) -> Sequence[Mapping[int, float]]:
    """Return what the segments have of a query's terms: records without what names a key that is false there, where it is true in others.

    `matches`: the terms that the words of the document match.
    """
    if not document.is_json or _DENIES.search(query):
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
