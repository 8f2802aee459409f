"""The summarizer without a model: the segments of a text that answer a query, or say most, within a budget of tokens.

Of a long text each slice offers its best, and the summary is chosen from those. Pure. What a segment is worth:
summarizing/extractive/scored_text.py. Knows nothing of models, chunks and tasks.
"""

from collections.abc import Sequence
from typing import NamedTuple

from summarizing.extractive.json_excerpts import joined_json, json_excerpt
from summarizing.extractive.scored_text import Extract, ScoredText
from summarizing.facts.fact_sets import FactSet
from summarizing.facts.text_reading import Reading
from summarizing.text.document import Document
from summarizing.text.excerpt import excerpt, joined
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

# Few texts have more characters per token: a text that is longer than this allows is not counted first, even if it would fit.
MAX_CHARS_PER_TOKEN = 8


def extract(
    text: str, target: int, query: str, tokenizer: Tokenizer, document: Document | None = None
) -> Extract:
    """Return an extractive summary of a text in at most `target` tokens; of one that fits, the text itself.

    `document`: its segments, where it has been parsed already.
    """
    scored = _scored(parse(text) if document is None else document, query, tokenizer)
    if len(text) <= target * MAX_CHARS_PER_TOKEN and tokenizer.count(text) <= target:
        return scored.whole()
    return scored.summary(target)


def _scored(document: Document, query: str, tokenizer: Tokenizer) -> ScoredText:
    reading = Reading(document)
    reading.forget_places()
    return ScoredText(reading, query, tokenizer)


class Offer(NamedTuple):
    """The best of one slice of a text, for the summary to be chosen from."""

    document: Document
    stated: FactSet
    is_met: bool
    matched: bool


def offer(document: Document, budget: int, query: str, tokenizer: Tokenizer) -> Offer:
    """Return the best segments of a slice, in about `budget` tokens."""
    scored = _scored(document, query, tokenizer)
    return Offer(scored.excerpt(budget), FactSet.of(scored.stated), scored.is_met, scored.matched)


def whole_offer(document: Document, query: str, tokenizer: Tokenizer) -> Offer:
    """Return a whole slice as what it offers: every fact is kept."""
    scored = _scored(document, query, tokenizer)
    return Offer(document, FactSet.of(scored.stated), scored.is_met, scored.matched)


def choose_from(offers: Sequence[Offer], target: int, query: str, tokenizer: Tokenizer) -> Extract:
    """Return the best of what slices offer, in at most `target` tokens; where some meet the query, of those alone."""
    matching = [one for one in offers if one.is_met] or offers
    # Of the others it is known which headings they have.
    documents = [
        one.document if one.is_met or matching is offers else _nothing_of(one.document) for one in offers
    ]
    are_json = all(one.is_json for one in documents)
    document = joined_json(documents) if are_json else joined(documents)
    scored = _scored(document, query, tokenizer)
    chosen = scored.summary(target, FactSet.together(one.stated for one in matching))
    # Each slice was found to meet the query; that is not judged again for the excerpts together, which may have fewer of its words.
    matched = any(one.matched for one in offers)
    return chosen._replace(matched=matched)


def _nothing_of(document: Document) -> Document:
    return json_excerpt(document, ()) if document.is_json else excerpt(document, (), ())
