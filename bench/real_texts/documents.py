"""The documents: a file of a package, cut at a section of its own where it is long, with its questions.

sources/develop.toml and sources/release.toml say which; each entry's fields are those of `Document`. Not here: what facts are.
"""

import csv
import hashlib
import io
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.real_texts.archives import FOLDER, SOURCES, Archive, ArchiveError, archives, read
from bench.real_texts.program_output import bill_of_materials, manual_page, test_log

PARTS = ("develop", "release")
FURTHER = "further"
"""Documents of neither half, in sources/further.toml, too."""

# Raised when this file makes other texts than before: kept texts are then made again.
READING = 1


@dataclass(frozen=True)
class Document:
    """A document as sources/*.toml describe it."""

    id: str
    kind: str
    archive: str
    questions: Mapping[str, str]
    """What a user would ask: `literal` (the document's own terms), `everyday` (other words), `vague`.

    All three ask for the facts in `gold`.
    """
    gold: Mapping[str, Any]
    """How the facts asked for are found: see gold.py."""
    unrelated: Sequence[str]
    """Questions about something else: nothing in the document answers them."""
    part: str
    path: str | list[str] = ""
    language: str = "en"
    licence: str = ""
    """Where it is not the package's."""
    is_lines: bool = False
    """Whether each line says something by itself (a log, code, CSV, verse): a line's end is never the middle of a sentence."""
    is_html: bool = False
    convert: str = ""
    """`json`: take a part of a JSON value. Made by a program, see program_output.py: `man`, `tests` (a test run's log), `sbom`."""
    json_path: Sequence[str] = ()
    first: int = 0
    """Of JSON's members or CSV's rows, as many."""
    start: str = ""
    """The text begins where this pattern does."""
    end: str = ""
    """The text ends before the next place, after its start, where this pattern begins."""


def documents(parts: Sequence[str] = PARTS) -> Iterator[Document]:
    """Yield the documents of these parts, in the order of their files."""
    for part in parts:
        file = SOURCES / f"{part}.toml"
        for entry in tomllib.loads(file.read_text("utf-8")).get("document", []):
            yield Document(part=part, **entry)


def text_of(document: Document) -> str:
    """Return a document's text, from the kept copy if there is one."""
    archive = archives()[document.archive]
    described = f"{READING} {archive.sha256} {document!r}"
    kept = FOLDER / "texts" / f"{document.id}-{hashlib.sha256(described.encode()).hexdigest()[:16]}.txt"
    if not kept.exists():
        text = _made(document, archive)
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(f".{os.getpid()}")
        partial.write_bytes(text.encode())
        partial.replace(kept)
    return kept.read_bytes().decode()


def _made(document: Document, archive: Archive) -> str:
    if document.convert == "tests":
        return test_log(archive)
    if document.convert == "sbom":
        return _part_of_json(document, bill_of_materials(archive))
    paths = [document.path] if isinstance(document.path, str) else document.path
    files = read(archive, paths)
    if document.convert == "man":
        return "\n\n".join(map(manual_page, files))
    text = "\n\n".join(content.decode("utf-8", "replace").strip("\n") for content in files) + "\n"
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if document.convert == "json":
        return _part_of_json(document, text)
    if document.first:
        return "".join(text.splitlines(keepends=True)[: document.first + 1])
    return _cut(document, text)


def _part_of_json(document: Document, text: str) -> str:
    value = json.loads(text)
    for key in document.json_path:
        value = value[key]
    if isinstance(value, str):
        return _cut(document, value)
    if document.first and isinstance(value, dict):
        value = dict(list(value.items())[: document.first])
    elif document.first:
        value = value[: document.first]
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _cut(document: Document, text: str) -> str:
    if document.start:
        begins = re.search(document.start, text, re.MULTILINE)
        if begins is None:
            raise ArchiveError(
                f"{document.id}: expected a place that matches start = {document.start!r}, found none"
            )
        text = text[begins.start() :]
    if document.end:
        ends = re.compile(document.end, re.MULTILINE).search(text, 1)
        if ends is None:
            raise ArchiveError(
                f"{document.id}: expected a place that matches end = {document.end!r}, found none"
            )
        text = text[: ends.start()]
    return text


def rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV text by the names in its head row."""
    sample = text[: text.find("\n")]
    return list(csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=sample.count)))
