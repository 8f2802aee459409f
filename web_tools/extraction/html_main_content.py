"""HTML to the readable part of a page, as Markdown: resiliparse finds what the main content is, html/page_text.py writes it.

resiliparse's own output has no tables, definitions or links. So its main content is only asked which words are in it, and of the whole page
in Markdown those blocks stay that mostly consist of them. Where it finds none, the whole page stays.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain, islice

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import HTMLTree

from summarizing.text.chunk_blocks import Kind, blocks, title_of
from summarizing.text.html.elements import VOID
from summarizing.text.html.page_text import PageReader
from summarizing.text.html.tokens import Tokens
from web_tools.extraction.read_page import ReadPage, TimeUsed, Unreadable, within_limit

# Blink nests no deeper (kMaximumHTMLParserDOMTreeDepth); resiliparse takes quadratic time.
MAX_DEPTH = 512

# HTML standard, 13.1.2.4, "Optional tags": what need not be closed may seem to be nested, and is not.
OPTIONAL_ENDS = frozenset(
    (
        *("html", "head", "body", "p", "li", "dt", "dd", "rp", "rt", "option", "optgroup"),
        *("tr", "td", "th", "thead", "tbody", "tfoot", "caption", "colgroup"),
    )
)

# The share of the time in which the text of a page is read: to find its main content in that takes up to twice as long.
READING_SHARE = 0.3

# So much of a page is read before the time is looked at: a fifth of a second of tables, the slowest.
STRETCH_CHARS = 200_000

# Words in a row that are looked for in the main content, and the share of a block's that must be there.
SHINGLE_WORDS = 3
MIN_SHARE = 0.5

# A page with scripts and less text than this is a skeleton that they fill.
SKELETON_WORDS = 50
SKELETON_PARAGRAPHS = 2

_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(r"\]\(https?://[^\s()]{0,300}\)")
_SCRIPT = re.compile(r"(?i)<script[\s>]")
_PARAGRAPH = re.compile(r"(?i)<p[\s>]")

# How pages tell search engines of a paywall: https://schema.org/isAccessibleForFree, in JSON-LD.
_JSON_LD = re.compile(r"(?i)<script\b[^>]{0,300}\bapplication/ld\+json\b[^>]{0,300}>")
_SCRIPT_END = re.compile(r"(?i)</script\b")
_NOT_FREE = re.compile(r"""(?i)"isAccessibleForFree"\s{0,9}:\s{0,9}"?(?:https?://schema\.org/)?false\b""")
PAYWALL = "Content protected: the page says that it is not free to read, so what was read may be its beginning alone."


def read_html(html: str, time_used: TimeUsed = lambda: 0.0) -> ReadPage:
    """Return the readable part of a page, or of as much of it as there is time for.

    Raises Unreadable where it has none and no scripts that would make it.
    """
    html = html.encode("utf-8", "replace").decode()  # resiliparse refuses lone surrogates
    whole, read = _text_in_time(html, time_used)
    unread, html = len(html) - read, html[:read]
    is_skeleton = _is_skeleton(html, whole)
    if not whole.strip() and not is_skeleton:
        raise Unreadable("it has no text")
    # To look for the main content in what is left out anyway takes most of the time of a long page.
    whole, left_out = within_limit(whole)
    notes = [*([] if _is_free(html) else [PAYWALL]), *([left_out] if left_out else [])]
    if unread:
        notes.append(
            f"Only the first {read:,} of the {read + unread:,} characters of its HTML were read: reading takes long."
        )
    if is_deep(html):
        notes.append(f"It nests more than {MAX_DEPTH} elements: its main content was not looked for.")
        return ReadPage(whole, _first_title(whole), " ".join(notes), is_skeleton=is_skeleton)
    tree = HTMLTree.parse(html)
    main = main_blocks(whole, extract_plain_text(tree, main_content=True, preserve_formatting=False))
    is_main_content = main.strip() not in ("", whole.strip())
    return ReadPage(
        main or whole,
        _title(tree, whole),
        " ".join(notes),
        is_main_content=is_main_content,
        is_skeleton=is_skeleton,
    )


def _text_in_time(html: str, time_used: TimeUsed) -> tuple[str, int]:
    """Return the text of a page, or of as much as can be read within READING_SHARE of the time, and how many characters were read."""
    reader, read = PageReader(html), 0
    while read < len(html) and (not read or time_used() < READING_SHARE):
        read = min(read + STRETCH_CHARS, len(html))
        reader.read_to(read)
    return reader.text(), read


def _is_free(html: str) -> bool:
    """Whether no JSON-LD of a page says that it is not free to read."""
    for begin in _JSON_LD.finditer(html):
        end = _SCRIPT_END.search(html, begin.end())
        if _NOT_FREE.search(html, begin.end(), end.start() if end else len(html)):
            return False
    return True


def is_deep(html: str) -> bool:
    """Whether elements are nested deeper than browsers keep them."""
    depth, counts = 0, Counter[str]()
    for _, tag in Tokens(html):
        if tag is None or tag.name in VOID or tag.name in OPTIONAL_ENDS:
            continue
        if not tag.is_end:
            counts[tag.name] += 1
            depth += 1
        elif counts[tag.name]:
            counts[tag.name] -= 1
            depth -= 1
        if depth > MAX_DEPTH:
            return True
    return False


def main_blocks(whole: str, main: str) -> str:
    """Return the blocks of a page, in Markdown, that mostly consist of words of its main content, and the title above them.

    A word counts as one of the main content's if it stands between the same words there (shingles: Broder, "On the resemblance and
    containment of documents", 1997). Blocks follow each other in both, so that even a block of one word has neighbours.
    """
    found = list(blocks(whole))
    words = [_WORD.findall(_ADDRESS.sub("]", whole[block.start : block.end])) for block in found]
    known = _known_words(list(chain.from_iterable(words)), set(_shingles(_WORD.findall(main))))
    ends = list(accumulate(map(len, words)))
    kept = [
        block
        for block, count, end in zip(found, map(len, words), ends, strict=True)
        if sum(known[end - count : end]) > MIN_SHARE * count
    ]
    if all(block.kind is Kind.HEADING for block in kept):
        return ""
    title = next((block for block in found if block.kind is Kind.HEADING and block.level == 1), None)
    if title is not None and title.start < kept[0].start:
        kept.insert(0, title)
    return "".join(whole[block.start : block.end] for block in kept).strip("\n")


def _known_words(words: Sequence[str], known: AbstractSet[int]) -> bytearray:
    """Return for each word 1 if it is in a shingle that is known, else 0."""
    found = bytearray(len(words))
    for at, shingle in enumerate(_shingles(words)):
        if shingle in known:
            found[at : at + SHINGLE_WORDS] = b"\1" * SHINGLE_WORDS
    return found


def _shingles(words: Sequence[str]) -> Iterator[int]:
    return map(hash, zip(*(words[first:] for first in range(SHINGLE_WORDS)), strict=False))


def _is_skeleton(html: str, text: str) -> bool:
    words = islice(_WORD.finditer(text), SKELETON_WORDS)
    paragraphs = islice(_PARAGRAPH.finditer(html), SKELETON_PARAGRAPHS + 1)
    is_short = len(list(words)) < SKELETON_WORDS and len(list(paragraphs)) <= SKELETON_PARAGRAPHS
    return is_short and _SCRIPT.search(html) is not None


def _title(tree: HTMLTree, text: str) -> str:
    return " ".join((tree.title or "").split()) or _first_title(text)


def _first_title(text: str) -> str:
    return next((title_of(text, block) for block in blocks(text) if block.kind is Kind.HEADING), "")
