"""Files that `tail` or `head` has joined: each is read as what it is, and what is told of one stands below its own name."""

import pytest

from summarizing.extractive.rendering import render
from summarizing.text.document import SegmentKind
from summarizing.text.parsing import parse

LOG = "".join(f"2026-11-29 10:{minute}:00 INFO worker {minute} started\n" for minute in range(10, 40))
FILES = {
    "/var/log/app.log": LOG + "2026-11-29 10:41:00 ERROR the disk is full\n",
    "README.md": "# Harbour\n\nIt counts ships.\n\n## Install\n\nRun `pip install harbour`.\n",
    "harbour.ini": "[count]\nevery = 3600\nkinds = sail\n",
    "/var/log/db.log": LOG.replace("worker", "writer") + "2026-11-29 10:42:00 ERROR a checkpoint failed\n",
}
TEXT = "\n".join(f"==> {name} <==\n{content}" for name, content in FILES.items())


@pytest.mark.parametrize(
    "said, file, title",
    [
        ("2026-11-29 10:41:00 ERROR the disk is full", "/var/log/app.log", ""),
        ("Run `pip install harbour`.", "README.md", "\n\n# Harbour\n\n## Install\n"),
        ("every = 3600", "harbour.ini", "\n\n[count]"),
        ("2026-11-29 10:42:00 ERROR a checkpoint failed", "/var/log/db.log", ""),
    ],
)
def test_what_a_file_says_stands_below_its_name(said: str, file: str, title: str) -> None:
    document = parse(TEXT)
    line = next(at for at in range(len(document.segments)) if document.of(at) == said)
    expected = f"==> {file} <=={title}\n{said}"
    assert render(document, {line, *document.requirements(line)}).startswith(expected)


def test_each_file_is_read_as_what_it_is() -> None:
    document = parse(TEXT)
    kinds = {document.of(at): one.kind for at, one in enumerate(document.segments)}
    assert kinds["Run `pip install harbour`."] is SegmentKind.SENTENCE
    assert kinds["## Install"] is kinds["[count]"] is SegmentKind.HEADING
    assert kinds["2026-11-29 10:10:00 INFO worker 10 started"] is SegmentKind.LINE


def test_the_command_that_joined_them_is_none_of_them() -> None:
    document = parse(f"$ tail -n 99 /var/log/*.log\n{TEXT}")
    heads = [
        document.of(at)
        for at, one in enumerate(document.segments)
        if one.level == 0 and one.kind is SegmentKind.HEADING
    ]
    assert heads == [f"==> {file} <==" for file in FILES]


def test_a_text_that_shows_joined_files_is_read_as_itself() -> None:
    text = "# Guide\n\n## Logs\n\nSee both:\n\n```\n$ tail *.log\n==> a.log <==\none\n\n==> b.log <==\ntwo\n```\n\n## Bills\n\nThe boat costs 300 EUR.\n"
    document = parse(text)
    titles = [document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING]
    assert titles == ["# Guide", "## Logs", "## Bills"]
