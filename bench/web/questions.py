"""Questions about pages whose answers are known, made by a rule and chosen by a hash: nobody picked them, and no result was looked at.

Two kinds:

- `cited`: a sentence of one page with a single link, which leads to a place of another page. The words are those of whoever wrote the
  sentence; at most half of the words of the place's heading are in it. The right passage is the one that the link leads to.
- `faq`: a heading that is a question, where a page is named FAQ. Its words are the page's own. The right passage is the answer.

The gold is the beginning of the first paragraph at that place, letters and digits alone, and stands in its page exactly once.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from bench.web.documentation import Block, blocks

# A shorter page has so few passages that three of them are half of it; a longer one takes minutes to embed.
LEAST_PAGE_CHARS, MOST_PAGE_CHARS = 12_000, 60_000

LEAST_QUERY_WORDS, MOST_QUERY_WORDS = 8, 40

# So much of the paragraph is the gold: enough to stand in the page once, little enough to be in one passage.
GOLD_WORDS = 10
LEAST_PARAGRAPH_WORDS = 12

# How far behind the place its first paragraph may begin: after a heading, a signature or a caption.
MOST_BLOCKS_BETWEEN = 3

MOST_OF_A_PAGE = 4

# Words so short carry no meaning: "a", "of", "the", "to".
LEAST_WORD_CHARS = 4


@dataclass(frozen=True)
class Question:
    """A question, and how to know the right passage."""

    kind: str
    page: str
    """The path of the page that has the answer."""
    query: str
    gold: str
    """Letters and digits that the right passage has."""


def letters(text: str) -> str:
    """Return a text's letters and digits alone, in small letters; the targets of Markdown's links are not text."""
    return "".join(char for char in _LINK_TARGET.sub("]", text).casefold() if char.isalnum())


_LINK_TARGET = re.compile(r"\]\([^()\s]*+(?:\s\"[^\"]*+\")?\)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])")
_WORD = re.compile(r"\w+")


def questions(pages: Mapping[str, str], most: int) -> list[Question]:
    """Return at most so many questions about pages, given as HTML by their paths: FAQs first."""
    read = {path: blocks(html) for path, html in pages.items()}
    answering = {path: found for path, found in read.items() if _has_fitting_length(found)}
    texts = {path: letters(" ".join(block.text for block in found)) for path, found in answering.items()}
    chosen = list[Question]()
    for made in (_of_faqs(answering), _cited(read, answering)):
        clear = [each for each in made if texts[each.page].count(each.gold) == 1]
        chosen += _chosen(clear, most - len(chosen))
    return chosen


def _chosen(made: Sequence[Question], most: int) -> list[Question]:
    """Return at most so many: of one page after another, in the order of a hash, at most MOST_OF_A_PAGE each."""
    chosen, of_page, known = list[Question](), Counter[str](), set[str]()
    for each in sorted(made, key=lambda one: (_hash(one.page), _hash(one.query))):
        if of_page[each.page] < MOST_OF_A_PAGE and not {each.gold, each.query} & known and len(chosen) < most:
            of_page[each.page] += 1
            known |= {each.gold, each.query}
            chosen.append(each)
    return chosen


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _has_fitting_length(found: Sequence[Block]) -> bool:
    return LEAST_PAGE_CHARS <= sum(len(block.text) for block in found) <= MOST_PAGE_CHARS


def _cited(
    read: Mapping[str, Sequence[Block]], answering: Mapping[str, Sequence[Block]]
) -> Iterator[Question]:
    places = {path: _places(found) for path, found in answering.items()}
    for path, found in read.items():
        for block in found:
            if block.element not in ("p", "li", "dd"):
                continue
            for begin, end in _sentences(block.text):
                links = [link for link in block.links if begin <= link.begin < end]
                if len(links) != 1 or not _is_query(query := block.text[begin:end]):
                    continue
                target, anchor = urldefrag(urljoin(path, links[0].target))
                place = places.get(target, {}).get(anchor)
                if target == path or place is None or not _differs(query, _heading(answering[target], place)):
                    continue
                if gold := _gold(answering[target], place):
                    yield Question("cited", target, query, gold)


def _of_faqs(answering: Mapping[str, Sequence[Block]]) -> Iterator[Question]:
    for path, found in answering.items():
        if "faq" in path.lower():
            for number, block in enumerate(found):
                if block.is_heading and block.text.endswith("?") and (gold := _gold(found, number)):
                    yield Question("faq", path, block.text, gold)


def _places(found: Sequence[Block]) -> dict[str, int]:
    return {anchor: number for number, block in enumerate(found) for anchor in block.anchors}


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for gap in _SENTENCE_END.finditer(text):
        yield begin, gap.start()
        begin = gap.end()
    yield begin, len(text)


def _heading(found: Sequence[Block], place: int) -> str:
    return next((block.text for block in reversed(found[: place + 1]) if block.is_heading), "")


def _gold(found: Sequence[Block], place: int) -> str:
    """Return the beginning of the first paragraph at a place; empty where there is none near it."""
    for number, block in enumerate(found[place : place + MOST_BLOCKS_BETWEEN + 1]):
        words = block.text.split()
        if block.element in ("p", "dd") and len(words) >= LEAST_PARAGRAPH_WORDS:
            return letters(" ".join(words[:GOLD_WORDS]))
        if number and block.is_heading:
            break
    return ""


def _is_query(sentence: str) -> bool:
    return (
        sentence.endswith((".", "!", "?")) and LEAST_QUERY_WORDS <= len(sentence.split()) <= MOST_QUERY_WORDS
    )


def _differs(query: str, heading: str) -> bool:
    told, named = _words(query), _words(heading)
    return bool(named) and 2 * len(told & named) <= len(named)


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) >= LEAST_WORD_CHARS}
