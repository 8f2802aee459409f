"""Images and targets of links, as in reStructuredText: they are marginal, and a short page that has them is text."""

import pytest

from summarizing.text.document import SegmentKind
from summarizing.text.lines import looks_like_code
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
