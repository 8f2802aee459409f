"""Which members of records a query does not ask for: where it names a key that they have ("titles"), what stands under their other keys.

Pure. Does not weigh them: bm25f.py does.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from summarizing.text.document import Document, SegmentKind
from summarizing.text.formats.config_scalars import KEY
from summarizing.text.formats.config_trees import MIN_RECORDS
from summarizing.text.language.stemming import words_of

# So much of a line is looked at for its key.
MAX_KEY_CHARS = 200


def members_under_other_keys(
    document: Document, having: Sequence[Collection[object]], words: Collection[str]
) -> list[int]:
    """Return the members of records without a word of the query, under keys that recur and that it does not name; none where it names no key.

    `having`: what each segment has of the query; `words`: the words of the document that match it.
    """
    keys = _keys(document)
    times = Counter(keys.values())
    recurring = {key for key, count in times.items() if count >= MIN_RECORDS}
    others = {key for key in recurring if not any(word in words for word in words_of(key))}
    if len(others) == len(recurring):
        return []
    return [index for index, key in keys.items() if key in others and not having[index]]


def _keys(document: Document) -> dict[int, str]:
    """Return the keys of the members, by their segments."""
    found: dict[int, str] = {}
    for index, segment in enumerate(document.segments):
        if segment.kind is SegmentKind.LINE:
            key = KEY.match(document.text, segment.start, min(segment.end, segment.start + MAX_KEY_CHARS))
            if key:
                found[index] = key[1]
    return found
