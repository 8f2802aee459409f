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


def test_a_sentence_refers_to_no_tag_alone_but_to_what_was_said_before_it() -> None:
    text = "# Boats\n\n<br/>\n\nIt is said here what they are.\n\nThey have oars.\n\n<br/>\n\nThis is why they are light.\n"
    document = check_laws(text)
    needed = {
        document.of(index): [document.of(one) for one in document.requirements(index)]
        for index in range(len(document.segments))
    }
    assert needed["It is said here what they are."] == ["# Boats"]
    assert "<br/>" not in needed["This is why they are light."]
    assert "They have oars." in needed["This is why they are light."]


def test_the_disclaimer_of_a_licence_and_a_space_alone_are_marginal() -> None:
    disclaimer = (
        "THE BOATS ARE LENT AS THEY ARE, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, " * 2
        + "AS YOU SEE."
    )
    said = (
        "A boat can be had for a day, and has to be back before the sun is down, " * 3
        + "or it is lent to you no more."
    )
    document = check_laws(f"# Boats\n\n{said}\n\n&nbsp;\n\n{said}\n\n{said}\n\n## Licence\n\n{disclaimer}\n")
    marginal = {document.of(index) for index, one in enumerate(document.segments) if one.is_marginal}
    assert marginal == {"&nbsp;", disclaimer}
    assert not any(one.is_marginal for one in check_laws(f"{disclaimer}\n\n{disclaimer}\n").segments)
    warning = "DO NOT OPEN THE VALVE WHILE THE GAUGE SHOWS MORE THAN 3 BAR, " * 3 + "SINCE STEAM BURNS."
    chinese = "船夫每天早上在湖边检查绳子和船桨，然后把天气写进 API 的记录里，" * 6 + "这样大家都知道。"
    for words in (warning, chinese):
        whole = check_laws(f"# Boats\n\n{said}\n\n{words}\n\n{said}\n\n{said}\n")
        assert not any(one.is_marginal for one in whole.segments)


_SECTIONS = "## Install\n\nRun it with npm. It needs Node 18.\n\n## Use\n\nCall it with an address. It returns a page.\n"


def _marginal(text: str) -> list[str]:
    document = check_laws(text)
    return [document.of(index) for index, one in enumerate(document.segments) if one.is_marginal]


def test_a_paragraph_over_buttons_is_marginal() -> None:
    banner = "We measure how the pages are used. You can change that at any time."
    text = f"{banner}\n[Accept all](#) [More](https://example.org/more)\n\nThe town has 64 guards.\n"
    assert "The town has 64 guards." not in _marginal(text)
    assert banner[:30] in _marginal(text)[0]
    assert not _marginal("The town has 64 guards, see\n[the list](https://example.org/list).\n\nIt is old.\n")


def test_what_a_link_between_tags_says_is_marginal() -> None:
    begin = '<div align="center">\n<br>\n<a href="https://example.org">\n<b>Fast builds for all.</b>\n'
    text = f"{begin}</a>\n<b>A library for requests.</b>\n</div>\n\n> It is small.\n\n{_SECTIONS}"
    assert "<b>Fast builds for all.</b>" in _marginal(text)
    assert "<b>A library for requests.</b>" not in _marginal(text)


def test_a_link_that_is_not_closed_makes_its_block_marginal_at_most() -> None:
    text = f'<a href="https://example.org">\n<b>Fast builds for all.</b>\n\nA library for requests.\n\n{_SECTIONS}'
    assert "A library for requests." not in _marginal(text)


def test_what_is_written_over_links_to_reply_is_told() -> None:
    posts = [f"The pool of street {number} is closed on Mondays." for number in range(3)]
    text = "".join(f"{post}\n[Reply](#) · [Report](#)\n\n" for post in ["Welcome to all of you.", *posts])
    assert not any(post in each for each in _marginal(text) for post in posts)
