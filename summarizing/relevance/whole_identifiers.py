"""Identifiers of a query as they are written: `--retry`, `Restart=on-failure`, `~1.2`. Each is a term beside its parts.

A segment that has one whole says it of the thing that is asked for; "--retry-delay" has the parts of `--retry`, and is another option. A phrase as
a term follows Metzler and Croft, "A Markov Random Field Model for Term Dependencies" (2005); of other words that stand together it gained
nothing (docs/experiments.md). Pure; linear in the text.
"""

import re
from collections.abc import Sequence

from summarizing.relevance.query_terms import Counts, QueryTerms
from summarizing.relevance.words_found import EDGES
from summarizing.text.document import Document

# So many are looked for, since each takes a search of the text.
MAX_WHOLE = 16

_SIGN = re.compile(r"[^\w\s'\u2019]|_")


def whole_identifiers(query: str, terms: QueryTerms) -> list[re.Pattern[str]]:
    """Return what finds the identifiers of a query that have a sign in them; of a JSON Schema none."""
    if "{" in query:
        return []
    written = dict.fromkeys(run.strip(EDGES).rstrip(".") for run in terms.as_written)
    return [_pattern(run) for run in written if _SIGN.search(run)][:MAX_WHOLE]


def _pattern(run: str) -> re.Pattern[str]:
    """Return the pattern of an identifier that is not a part of a longer one."""
    before = r"(?<![\w-])" if run[0] == "-" or run[0].isalnum() else ""
    behind = r"(?!\w|-\w)" if run[-1].isalnum() else ""
    return re.compile(f"{before}{re.escape(run)}{behind}", re.IGNORECASE)


def with_whole(
    document: Document, own: Sequence[Counts], patterns: Sequence[re.Pattern[str]], first: int
) -> Sequence[Counts]:
    """Return the terms of each segment with the identifiers that it has whole, numbered from `first`."""
    if not patterns:
        return own
    found = list(own)
    for index, (segment, counts) in enumerate(zip(document.segments, own, strict=True)):
        if counts:
            whole = (len(one.findall(document.text, segment.start, segment.end)) for one in patterns)
            found[index] = {**counts, **{at: float(count) for at, count in enumerate(whole, first) if count}}
    return found
