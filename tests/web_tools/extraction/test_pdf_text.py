"""The text of PDFs, under the titles of the outline or the numbers of the pages. The files are made here, by hand and by pypdf."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.errors import PyPdfError

from web_tools.extraction.pdf_text import read_pdf
from web_tools.extraction.read_page import Unreadable


def pdf(pages: Sequence[str]) -> bytes:
    """Return a PDF with one line of text for each line, written as ISO 32000 has it (7.5, "File structure")."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for page in pages:
        shown = "".join(f"({line}) Tj T* " for line in page.splitlines())
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {shown}ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    written, places = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    return f"{written}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode("latin1")


def changed(
    body: bytes, *, outline: Sequence[tuple[str, int, int]] = (), password: str = "", title: str = ""
) -> bytes:
    """Return a PDF with an outline of (title, page, number of the entry that it stands under or -1), a password, a title."""
    writer = PdfWriter(clone_from=PdfReader(BytesIO(body)))
    entries: list[Any] = []
    for name, page, above in outline:
        parent = entries[above] if above >= 0 else None
        entries.append(writer.add_outline_item(title=name, page_number=page, parent=parent))
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def never() -> bool:
    return False


def test_the_pages_of_a_pdf_have_their_numbers_for_headings() -> None:
    page = read_pdf(pdf(["Tea is hot.\nIt is made with water.", "# Coffee too."]), never)
    assert page.text == "## Page 1\n\nTea is hot.\nIt is made with water.\n\n## Page 2\n\n\\# Coffee too."


def test_one_page_alone_has_no_number() -> None:
    assert read_pdf(pdf(["Tea is hot."]), never).text == "Tea is hot."


def test_the_titles_of_the_outline_are_headings_where_they_stand() -> None:
    body = pdf(["A guide to tea", "1  Water\nSoft water is best.\n1.1 Salt\nNone.", "Leaves."])
    outline = [("Guide", 0, -1), ("1 Water", 1, 0), ("1.1 Salt", 1, 1), ("Colophon", 2, -1)]
    page = read_pdf(changed(body, outline=outline, title=" All about\ntea "), never)
    assert page.title == "All about tea"
    assert [line for line in page.text.splitlines() if line] == [
        *("# Guide", "A guide to tea", "## 1 Water", "Soft water is best.", "### 1.1 Salt", "None."),
        *("# Colophon", "Leaves."),
    ]


def test_pages_are_read_until_it_is_late_and_the_note_says_how_many() -> None:
    time_used = iter([0.1, 0.9])
    page = read_pdf(pdf(["One.", "Two.", "Three."]), lambda: next(time_used))
    assert page.text == "## Page 1\n\nOne.\n\n## Page 2\n\nTwo."
    assert page.note == "Only the first 2 of its 3 pages were read: reading takes long."


def test_a_pdf_with_an_empty_password_opens_and_one_with_another_does_not() -> None:
    owned = PdfWriter(clone_from=PdfReader(BytesIO(pdf(["Tea is hot."]))))
    owned.encrypt("", "owner", algorithm="RC4-128")
    written = BytesIO()
    owned.write(written)
    assert read_pdf(written.getvalue(), never).text == "Tea is hot."
    with pytest.raises(Unreadable, match="password"):
        read_pdf(changed(pdf(["Tea is hot."]), password="a"), never)


def test_a_pdf_of_pictures_alone_is_an_error() -> None:
    with pytest.raises(Unreadable, match="pictures"):
        read_pdf(pdf([""]), never)


def test_a_damaged_pdf_is_pypdfs_error() -> None:
    with pytest.raises(PyPdfError):
        read_pdf(b"%PDF-1.4\nnothing else", never)
