"""What is kept of a text says what the text says: its own headings above it, nothing above nothing, no sentence cut.

Over texts that nobody here wrote, and over generated ones.
"""

import gzip
import pydoc
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizing.extractive.rendering import render
from summarizing.text.document import NO_SEGMENT, Document, SegmentKind
from summarizing.text.language.sentence_spans import ends_sentence
from summarizing.text.parsing import parse
from tests.support.laws import examples

SEED = 14
CHOICES = 7
SHARE = 0.6
RULE_CHARS = 50

HOLDERS = (SegmentKind.HEADING, SegmentKind.FRAME)
FENCE = re.compile(r"(?:[-*+]\s+)?(`{3,}|~{3,49}(?!~))")
MARGIN = re.compile(r"\n[^\S\n]*(?:[>|](?:[ \t]|$))+", re.MULTILINE)


@cache
def real_texts() -> dict[str, str]:
    """Return Python's own documentation and sources, and what the system's packages bring where there are any."""
    library = Path(pydoc.__file__).parent
    names = (
        "argparse.py",
        "pydoc_data/topics.py",
        "typing.py",
        "logging/__init__.py",
        "tarfile.py",
        "LICENSE.txt",
    )
    found = {name: (library / name).read_text("utf-8") for name in names if (library / name).is_file()}
    for name in ("json", "argparse", "subprocess"):
        found[f"pydoc {name}"] = pydoc.plain(pydoc.render_doc(name))
    documents = Path("/usr/share/doc")
    for path in sorted(
        [*documents.glob("*/NEWS*"), *documents.glob("*/README*"), *documents.glob("*/changelog*")]
    )[:12]:
        content = path.read_bytes() if path.is_file() else b""
        plain = gzip.decompress(content) if path.suffix == ".gz" and content else content
        found[str(path)] = plain.decode("utf-8", "replace")[:200_000]
    return {name: text for name, text in found.items() if text.strip()}


def choices(document: Document) -> list[set[int]]:
    """Return several choices of segments, each with what it requires; none of a heading or a frame alone."""
    random = Random(SEED)
    own = [index for index, segment in enumerate(document.segments) if segment.kind not in HOLDERS]
    several = (
        [random.sample(own, max(1, int(len(own) * SHARE / 2**at))) for at in range(CHOICES)] if own else []
    )
    return [
        {part for index in chosen for part in (index, *document.requirements(index))} for chosen in several
    ]


GAP = "\x00"


def squeezed(text: str) -> str:
    # "..." may be a statement of its own, and is none inside a mark.
    return "".join(MARGIN.sub("\n", "\n" + text).split()).replace("[...]", GAP)


def closings(document: Document, kept: Collection[int]) -> str:
    """Return a pattern of what closes the fences whose opening lines are segments of their own."""
    openings = [document.of(index) for index in kept if document.segments[index].kind is SegmentKind.FRAME]
    found = {match[1] for match in map(FENCE.match, openings) if match}
    return "|".join(map(re.escape, found)) or "(?!)"


def places(document: Document, kept: Collection[int], rendered: str) -> dict[int, int]:
    """Return where each kept segment stands in what was rendered, white space aside.

    In their order, with ends of fences between, and the marks that docs/outcome.md promises.
    """
    whole, at, found = squeezed(rendered), 0, {}
    underline, last = "", NO_SEGMENT
    counts = rf"(?:\[\d+[a-z]+leftout\]|{closings(document, kept)})*"
    for index in sorted(kept):
        own = squeezed(document.of(index))
        place = whole.find(own, at)
        assert place >= 0, document.of(index)
        between = whole[at:place]
        end, start = cuts(document, last, index)
        of_code = {document.segments[at].kind for at in (index, *document.requirements(index))}
        code = f"{GAP}?" if SegmentKind.CODE in of_code else ""
        assert re.fullmatch(rf"{underline}{end}{counts}{code}[>|]*{start}", between), (between, end, start)
        last = index
        underline = (
            r"(?:=+|-+|([~^\"'+*.:#])\1{2,})?" if document.segments[index].kind is SegmentKind.HEADING else ""
        )
        found[index] = place
        at = place + len(own)
    assert re.fullmatch(underline + cuts(document, last, len(document.segments))[0] + counts, whole[at:])
    return found


def cuts(document: Document, last: int, index: int) -> tuple[str, str]:
    """Return the marks between two kept segments: behind the one if its paragraph goes on, before the other if its paragraph began earlier.

    One where both are of one paragraph, or the other is said of the one.
    """
    if last + 1 == index:
        return "", ""
    if last != NO_SEGMENT and index < len(document.segments):
        one, other = document.segments[last], document.segments[index]
        if one.block == other.block and one.kind is other.kind is SegmentKind.SENTENCE:
            return "", GAP
    end = GAP if last != NO_SEGMENT and goes_on(document, last) else ""
    if not end and last != NO_SEGMENT and document.of(last)[-1] in ":\uff1a":
        # Whether what it announces is left out is checked by examples: test_rendering.py.
        end = f"{GAP}?"
    start = GAP if index < len(document.segments) and goes_on(document, index - 1) else ""
    if not (end and start):
        return end, start
    one, other = document.segments[last], document.segments[index]
    return ("", start) if one.block == other.block or other.parent == last else (end, start)


def goes_on(document: Document, index: int) -> bool:
    """Whether the next segment is of the same paragraph or item, or is said of this term."""
    if index + 1 == len(document.segments):
        return False
    one, other = document.segments[index : index + 2]
    if other.kind is SegmentKind.SENTENCE and one.kind in (SegmentKind.LINE, SegmentKind.ITEM):
        return other.parent == index and not ends_sentence(document.of(index))
    is_further = other.kind is SegmentKind.CONTINUATION
    if is_further and other.parent == index and one.block != other.block:
        return "\n\n" not in re.sub(r"[ \t\r>|]", "", document.text[one.end : other.start])
    return one.block == other.block and (is_further or one.kind is other.kind is SegmentKind.SENTENCE)


def is_rule(text: str) -> bool:
    return len(text) >= RULE_CHARS and not text.strip(text[0])


def check(text: str) -> None:
    document = parse(text)
    for kept in choices(document):
        rendered = render(document, kept)
        places(document, kept, rendered)
        current: list[int] = []
        for index in sorted(kept):
            segment = document.segments[index]
            own = [
                above
                for above in document.above(index)
                if document.segments[above].kind is SegmentKind.HEADING
            ]
            assert set(own) <= kept
            if segment.kind is SegmentKind.HEADING:
                # A heading of its level or a higher one ends the section above, for a reader as well.
                current = [above for above in current if document.segments[above].level < segment.level]
                assert current == own[::-1], document.of(index)
                current.append(index)
            elif is_rule(document.of(index)):
                # It ends the sections above it, for a reader as well.
                current = own[::-1]
            else:
                assert current == own[::-1], document.of(index)
        _check_holders(document, kept)
        check_indents(document, kept, rendered)


def _check_holders(document: Document, kept: Collection[int]) -> None:
    """No heading and no frame stands there without something of its own; what closes a statement or a docstring does so with that."""
    held = {
        above
        for index in kept
        if document.segments[index].kind not in HOLDERS
        for above in document.above(index)
    }
    held |= {document.segments[index].anchor for index in kept}
    for index in kept:
        assert document.segments[index].kind not in HOLDERS or index in held, document.of(index)


def check_indents(document: Document, kept: Collection[int], rendered: str) -> None:
    """What hangs on headings alone is not indented: nothing that stands above it seems to hold it."""
    indents: dict[str, int] = {}
    for line in rendered.split("\n"):
        indent = len(line) - len(line.lstrip())
        own = squeezed(line).removesuffix(GAP)
        indents[own] = min(indent, indents.get(own, indent))
    for index in kept:
        own = document.of(index)
        above = (document.segments[number].kind for number in document.above(index))
        # A sentence may stand behind another one on its line.
        # In a diff the blank before a line is the sign of one that has not changed.
        is_line = (
            document.segments[index].kind is not SegmentKind.SENTENCE and "\n" not in own and own[0] != " "
        )
        if is_line and all(kind is SegmentKind.HEADING for kind in above):
            assert indents.get(squeezed(own), 0) == 0, own


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", real_texts())
def test_what_is_kept_of_a_real_text_stands_under_its_own_headings(name: str) -> None:
    check(real_texts()[name])


OPTION = "    option\n        What it does is written here."
BLOCKS = [
    "# A title",
    "## A part of it",
    "1. Scope",
    "1.1 Terms",
    "A part\n======",
    "Index: a.c\n======\n--- a.c\n+++ a.c\n@@ -1 +1 @@\n-one\n+two",
    "NOTES",
    "-" * 70,
    "It is a sentence that runs on over\nseveral lines. So does this one, which is\nlonger. This ends it.",
    "    It is indented and wrapped, as the pages of a manual\n    are. It has a second sentence.",
    "- an item\n  that goes on\n- another one: with words\n  - below it",
    "The following hold:\n\n  * first of them\n  * second of them",
    "| name | port |\n| --- | --- |\n| web | 80 |\n| db | 5432 |",
    "```\ncode = 1\nmore = code\n```",
    OPTION,
    "> What is quoted\n> goes on here. It ends.",
    "编译源码包需要很多时间，\n也需要空间。然后执行。",
]


@examples(300)
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=14))
@example(["# A title", "```\ncode = 1\nmore = code\n```", OPTION, "1. Scope", OPTION, "1. Scope"])
def test_what_is_kept_of_a_generated_text_stands_under_its_own_headings(blocks: list[str]) -> None:
    check("\n\n".join(blocks) + "\n")
