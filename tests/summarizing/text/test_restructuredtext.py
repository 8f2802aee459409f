"""reStructuredText: a short page with badges and link targets is text, and these are references that say little."""

import pytest

from summarizing.text.document import SegmentKind
from summarizing.text.lines import looks_like_code
from summarizing.text.parsing import parse
from tests.summarizing.text.test_parsing import check_laws, texts_of

PAGE = """\
Requests
========

.. image:: https://img.example.org/pypi/v/requests.svg
   :target: https://pypi.example.org/project/requests/
   :alt: Version

.. image:: https://img.example.org/pypi/dm/requests.svg
   :target: https://pypi.example.org/project/requests/

Requests is a simple library.  See the docs_ for more.

Install
-------

Run ``pip install requests``.  It needs Python 3.9.

.. _docs: https://requests.example.org/
.. _`long name`: https://example.org/
.. |ci| image:: https://example.org/ci.svg

__ https://example.org/anonymous

.. _install:
"""


def test_images_and_targets_of_links_are_marginal_and_all_else_is_text() -> None:
    document = check_laws(PAGE)
    texts = texts_of(document)
    headings = [
        text for text, one in zip(texts, document.segments, strict=True) if one.kind is SegmentKind.HEADING
    ]
    assert headings == ["Requests", "Install"]
    plain = [
        text
        for text, one in zip(texts, document.segments, strict=True)
        if not one.is_marginal and one.kind is not SegmentKind.HEADING
    ]
    assert plain == [
        "Requests is a simple library.",
        "See the docs_ for more.",
        "Run ``pip install requests``.",
        "It needs Python 3.9.",
    ]


@pytest.mark.parametrize(
    "line", [".. note:: The pump must be off.", ".. _a sentence: with a colon: and words"]
)
def test_other_directives_are_text(line: str) -> None:
    assert not looks_like_code(line)
    (only,) = check_laws(f"The pump is old.\n\n{line}\n").segments[1:]
    assert only.is_marginal == line.startswith(".. _")


TABLE = """\
.. csv-table:: Ports of the service
   :header: "Name", "Port", "What it does"
   :widths: 10, 10, 30

   "http", 8007, "takes calls from agents, and says how it is"
   "metrics", 9100, "for Prometheus, not for people"
   "admin", 9443, "is closed by default
   and opened by hand"
"""


@pytest.mark.parametrize("indent", ["", "   "])
def test_the_rows_of_a_csv_table_hang_on_its_header(indent: str) -> None:
    table = "".join(f"{indent}{line}\n" if line else "\n" for line in TABLE.splitlines())
    document = check_laws(f"Ports\n=====\n\nThese are open.\n\n{table}\nAfter it comes text.\n")
    rows = [one for one in document.segments if one.kind is SegmentKind.ROW]
    assert [document.text[one.start : one.end].split(",")[0] for one in rows] == [
        '"http"',
        '"metrics"',
        '"admin"',
    ]
    (head,) = {one.parent for one in rows}
    assert document.segments[head].kind is SegmentKind.FRAME
    assert document.of(head).endswith(":widths: 10, 10, 30")
    assert document.of(head).startswith(".. csv-table:: Ports")
    assert document.text[rows[-1].start : rows[-1].end].endswith('opened by hand"')
    assert document.of(len(document.segments) - 1) == "After it comes text."


def test_rows_that_a_csv_table_calls_its_header_belong_to_that() -> None:
    table = ".. csv-table::\n   :header-rows: 1\n\n   Name, Port\n   http, 8007\n   metrics, 9100\n"
    document = check_laws(f"These are open.\n\n{table}\nAfter it comes text.\n")
    head = ".. csv-table:: :header-rows: 1 Name, Port"
    assert texts_of(document)[1:4] == [head, "http, 8007", "metrics, 9100"]
    assert document.requirements(3) == [1]


def test_a_csv_table_from_a_file_has_no_rows() -> None:
    table = ".. csv-table:: Ports\n   :file: ports.csv\n   :header-rows: 1\n"
    document = check_laws(f"These are open.\n\n{table}\nAfter it comes text.\n")
    assert SegmentKind.ROW not in {one.kind for one in document.segments}


def test_an_example_of_a_table_without_its_rows_is_an_example() -> None:
    example = ".. csv-table:: Frozen Delights!\n       :file: delights.csv"
    document = parse(f"Write a table like this::\n\n    {example}\n\nThen build it.\n")
    assert example in [document.of(index) for index in range(len(document.segments))]
