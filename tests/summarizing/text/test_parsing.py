"""Any text is read to segments that lose nothing, overlap nowhere and hang on what stands above them in their own section."""

import gzip
import pydoc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.text.document import NONE, Document, SegmentKind
from summarizing.text.parsing import parse
from tests.support.laws import examples

# What is between segments consists of these, of white space, and of the closing lines of blocks.
MARKUP = "`~|>=-+*_#:.^\"'\ufeff"


def texts_of(document: Document) -> list[str]:
    return [" ".join(document.of(index).split()) for index in range(len(document.segments))]


def tree(document: Document) -> dict[str, str]:
    """Return what each segment hangs on, both by their text."""
    texts = texts_of(document)
    return {
        texts[index]: texts[segment.parent] if segment.parent != NONE else ""
        for index, segment in enumerate(document.segments)
    }


def kinds(document: Document) -> dict[str, SegmentKind]:
    return {text: segment.kind for text, segment in zip(texts_of(document), document.segments, strict=True)}


def sections(document: Document) -> Iterator[int]:
    """Yield for each segment the heading that is the nearest above it."""
    current = NONE
    for index, segment in enumerate(document.segments):
        current = index if segment.kind is SegmentKind.HEADING else current
        yield current


def is_markup(between: str) -> bool:
    lines = [line.strip() for line in between.split("\n")]
    return all(line.lower().startswith("#+end_") or not line.strip(MARKUP + " \t\r\f\v") for line in lines)


def check_laws(text: str) -> Document:
    document = parse(text)
    assert document.text == text
    at = 0
    in_section = list(sections(document))
    for index, segment in enumerate(document.segments):
        assert at <= segment.start < segment.end, index
        assert is_markup(text[at : segment.start]), text[at : segment.start]
        assert document.of(index) == document.of(index).strip()
        assert NONE <= segment.parent < index
        assert NONE <= segment.anchor < len(document.segments)
        assert not segment.follows or index > 0
        if segment.parent != NONE and segment.kind is not SegmentKind.HEADING:
            assert in_section[segment.parent] == in_section[index], document.of(index)
        at = segment.end
    assert is_markup(text[at:]), text[at:]
    return document


@cache
def real_texts() -> dict[str, str]:
    """Return texts that nobody here wrote: Python's own, and what the system's packages bring where there are any."""
    found = {
        f"pydoc {name}": pydoc.plain(pydoc.render_doc(name))
        for name in ("json", "argparse", "zlib", "pathlib")
    }
    library = Path(pydoc.__file__).parent
    for name in (
        "textwrap.py",
        "json/decoder.py",
        "pydoc_data/topics.py",
        "tomllib/_parser.py",
        "xml/sax/handler.py",
    ):
        found[name] = (library / name).read_text("utf-8")
    documents = Path("/usr/share/doc")
    for path in (
        "coreutils/NEWS.gz",
        "bash/README.commands.gz",
        "dpkg/changelog.Debian.gz",
        "tzdata/changelog.Debian.gz",
    ):
        if (documents / path).is_file():
            found[path] = gzip.decompress((documents / path).read_bytes()).decode("utf-8", "replace")
    for licence in sorted(Path("/usr/share/common-licenses").glob("*")):
        found[licence.name] = licence.read_text("utf-8", "replace")
    return {name: text[:200_000] for name, text in found.items()}


def test_every_law_holds_on_real_texts() -> None:
    for text in real_texts().values():
        check_laws(text)


PIECES = [
    *("# Title\n", "Title\n=====\n", "A title\n\n", "1. One\n", "2.1 Scope\n\n", "NAME\n", "* org\n", "** deep\n", "- item\n", "  - nested\n"),
    *("A sentence ends here. ", "This one follows. ", "and goes on\nover a line. ", "z. B. nicht hier. ", "中文句子。", "\n", "\n\n", "    "),
    *("| a | b |\n", "|---|---|\n", "a,b,c\n", "k: v\n", "- name: x\n", "  id: 3\n", "[part]\n", "key = 1\n", "```\n", "~~~ py\n", "> quoted\n", " |  doc\n"),
    *("def f(x):\n", "    return x\n", "f(\n", ")\n", "}\n", "'''\n", "# note\n", "2024-01-02 10:00:01 INFO up\n", "Traceback (most recent call last):\n"),
    *("Ann: hi\n", "Bob: so?\n", "+---+---+\n", "==== ====\n", "NAME  AGE  CITY\n", "a     1    x\n", "---\n", "\t", "\r\n", "\f", "\ufeff", "x" * 50),
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=200))
@examples(400)
def test_every_law_holds_on_generated_texts(text: str) -> None:
    check_laws(text)


def test_release_notes_hang_on_their_release() -> None:
    text = (
        "* Noteworthy changes in release 9.5 (2024-03-28) [stable]\n\n** Bug fixes\n\n  chmod -R now avoids a race where an attacker may replace\n"
        "  a file with a symlink.  This was found\n  by nobody.\n\n** New Features\n\n  chgrp now accepts the --from=OWNER:GROUP option.\n\n"
        "* Noteworthy changes in release 9.4\n\n** Bug fixes\n\n  tail no longer loops. [bug introduced in coreutils-9.3]\n"
    )
    found = tree(check_laws(text))
    fix = "chmod -R now avoids a race where an attacker may replace a file with a symlink."
    assert found[fix] == "** Bug fixes"
    assert found["** New Features"] == "* Noteworthy changes in release 9.5 (2024-03-28) [stable]"
    assert parse(text).segments[3].follows


@pytest.mark.parametrize(
    "text",
    [
        "He met Dr. Smith, e.g. in St. Ives, at 3.15 p.m. sharp.",
        "See No. 5 and Fig. 3 of J. R. R. Tolkien's letter.",
        "Er kam am 3. Mai und der Krieg des 20. Jahrhunderts endete.",
        "So ... it went on… and on.",
        'He said "Stop!" and left.',
    ],
)
def test_no_sentence_is_cut(text: str) -> None:
    assert texts_of(check_laws(text)) == [text]


def test_a_list_hangs_on_its_lead_in_and_nested_items_on_the_upper_ones() -> None:
    text = "The following are needed:\n\n- a saw\n  - of steel\n- a nail\n\nThen begin.\n"
    found = tree(check_laws(text))
    assert found["- a saw"] == found["- a nail"] == "The following are needed:"
    assert found["- of steel"] == "- a saw"
    assert found["Then begin."] == ""


def test_rows_hang_on_their_head() -> None:
    text = "| Name | Port |\n|---|---|\n| web | 80 |\n\nNAME   READY   AGE\npod-a  1/1     3d\npod-b  0/1     4d\n"
    found = tree(check_laws(text))
    assert found["| web | 80 |"] == "| Name | Port | |---|---|"
    assert found["pod-b 0/1 4d"] == "NAME READY AGE"


def test_a_quoted_field_of_csv_keeps_its_line_breaks() -> None:
    found = tree(check_laws('id,name,note\n1,Ann,"two\nlines"\n2,Bob,none\n3,Cy,none\n'))
    assert found['1,Ann,"two lines"'] == "id,name,note"
