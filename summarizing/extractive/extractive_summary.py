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
from summarizing.relevance.words_found import WordsFound, found_together
from summarizing.text.document import Document
from summarizing.text.excerpt import excerpt, joined
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer

# Few texts have more characters per token: a text that is longer than this allows is not counted first, even if it would fit.
MAX_CHARS_PER_TOKEN = 8


def extract(text: str, target: int, query: str, tokenizer: Tokenizer) -> Extract:
    """Return an extractive summary of a text in at most `target` tokens; of one that fits, the text itself."""
    scored = ScoredText(_read(parse(text)), query, tokenizer)
    if len(text) <= target * MAX_CHARS_PER_TOKEN and tokenizer.count(text) <= target:
        return scored.whole()
    return scored.summary(target)


def _read(document: Document) -> Reading:
    reading = Reading(document)
    reading.forget_places()
    return reading


class Offer(NamedTuple):
    """The best of one slice of a text, for the summary to be chosen from."""

    document: Document
    stated: FactSet
    is_met: bool
    """Whether the slice has a word of the query; also where nothing is asked for."""
    found: WordsFound
    is_plain: bool = False
    """Whether its words of the query were not looked at, since those that had been found by then were too few."""


def offer(
    document: Document, budget: int, query: str, tokenizer: Tokenizer, others: Sequence[WordsFound] = ()
) -> Offer:
    """Return the best segments of a slice, in about `budget` tokens; `others`: what other slices are known to have of the query."""
    scored = ScoredText(_read(document), query, tokenizer, is_part=True)
    is_plain = scored.is_met and found_together([scored.found, *others]).is_unrelated
    best = scored.without_query() if is_plain else scored
    return Offer(
        best.excerpt(budget), FactSet.of(scored.stated), scored.is_met, scored.found, is_plain=is_plain
    )


def whole_offer(document: Document, query: str, tokenizer: Tokenizer) -> Offer:
    """Return a whole slice as what it offers: every fact is kept."""
    scored = ScoredText(_read(document), query, tokenizer, is_part=True)
    return Offer(document, FactSet.of(scored.stated), scored.is_met, scored.found)


def choose_from(offers: Sequence[Offer], target: int, query: str, tokenizer: Tokenizer) -> Extract:
    """Return the best of what slices offer, in at most `target` tokens; where they meet the query together, of those that have words of it."""
    found = found_together([one.found for one in offers])
    matching = [] if found.is_unrelated else [one for one in offers if one.is_met]
    # Of the others it is known which headings they have.
    documents = [one.document if one.is_met or not matching else _nothing_of(one.document) for one in offers]
    are_json = all(one.is_json for one in documents)
    document = joined_json(documents) if are_json else joined(documents)
    # What the slices have is not judged again for the excerpts together, which may have fewer of the words.
    asked = "" if found.is_unrelated else query
    scored = ScoredText(_read(document), asked, tokenizer, is_part=True)
    chosen = scored.summary(target, FactSet.together(one.stated for one in matching))
    return chosen._replace(found=found)


def _nothing_of(document: Document) -> Document:
    return json_excerpt(document, ()) if document.is_json else excerpt(document, (), ())
