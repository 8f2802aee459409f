"""The readable part of HTML pages: the main content alone, with its structure, or all of a page where there is none."""

from __future__ import annotations

import difflib
import http.client
import inspect
import json
import pydoc
import re
import textwrap
from types import ModuleType

import pytest

from tests.support.timing import is_linear
from web_tools.extraction.html_main_content import MAX_DEPTH, PAYWALL, is_deep, main_blocks, read_html
from web_tools.extraction.read_page import Unreadable

PAGE = """<!DOCTYPE html><html><head><title>Brewing tea | The Tea Site</title>
<style>p {color: red}</style><script>var secret = "not shown"</script></head><body>
<header><a href="/">The Tea Site</a></header>
<nav class="menu"><ul><li><a href="/green">Green teas of the world</a></li><li><a href="/black">Black teas we sell</a></li></ul></nav>
<div class="cookie-banner"><p>We and our partners use cookies to make your visit better.</p></div>
<main><article>
<h1>Brewing tea<a class="headerlink" href="#brewing" title="Link to this heading">¶</a></h1>
<p>Tea is made with <a href="https://example.org/water">soft water</a>. It is ready in minutes.</p>
<h2 id="t">Temperatures<a class="headerlink" href="#t">#</a></h2>
<table><tr><th>Tea</th><th>Degrees</th></tr><tr><td>Green</td><td>80</td></tr><tr><td>Black</td><td>95</td></tr></table>
<dl><dt>Steep time</dt><dd>How long the leaves stay in the water.</dd></dl>
<pre><code>kettle --degrees 80
kettle --off</code></pre>
</article></main>
<aside class="sidebar"><h2>Most read this week</h2><p>Ten cups that the editors like most of all.</p></aside>
<footer class="footer"><p>Copyright 2026 by nobody in particular, all rights reserved.</p></footer>
</body></html>"""


def test_the_main_content_stays_with_its_headings_tables_terms_links_and_code() -> None:
    page = read_html(PAGE)
    assert page.title == "Brewing tea | The Tea Site"
    assert page.text == textwrap.dedent("""\
        # Brewing tea

        Tea is made with [soft water](https://example.org/water). It is ready in minutes.

        ## Temperatures

        | Tea | Degrees |
        | --- | --- |
        | Green | 80 |
        | Black | 95 |

        Steep time
            How long the leaves stay in the water.

        ```
        kettle --degrees 80
        kettle --off
        ```""")
    assert (page.note, page.is_skeleton) == ("", False)


@pytest.mark.unmeasured
@pytest.mark.parametrize("module", [http.client, json, textwrap, difflib])
def test_pages_of_pythons_own_documentation_keep_every_name_and_the_end_of_every_docstring(
    module: ModuleType,
) -> None:
    text = words(read_html(pydoc.HTMLDoc().page("", pydoc.HTMLDoc().docmodule(module))).text)
    members = [getattr(module, name) for name in module.__all__]
    documented = [each for each in members if inspect.isclass(each) or inspect.isfunction(each)]
    assert len(documented) > 4
    for each in documented:
        assert f" {each.__name__} " in text
        assert words(pydoc.getdoc(each))[-60:] in text


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


@pytest.mark.parametrize(
    "html, is_main_content",
    [
        (PAGE, True),
        ("<body><main><h1>Tea</h1><p>Tea is made with soft water, and is ready in minutes.</p></main></body>", False),
        ("<body><nav><p>Only a menu says anything on this page, so it is read.</p></nav></body>", False),
        ("<div>" * (MAX_DEPTH + 1) + "The text at the bottom.", False),
    ],
)  # fmt: skip
def test_it_is_said_whether_anything_around_the_main_content_was_left_out(
    html: str, *, is_main_content: bool
) -> None:
    assert read_html(html).is_main_content == is_main_content


def test_a_page_without_main_content_is_read_whole() -> None:
    page = read_html("<body><nav><p>Only a menu says anything on this page, so it is read.</p></nav></body>")
    assert page.text == "Only a menu says anything on this page, so it is read."


@pytest.mark.parametrize("html", ["<p></p>", "<body><img src=x></body>", "<div hidden>gone</div>"])
def test_a_page_without_text_is_an_error(html: str) -> None:
    with pytest.raises(Unreadable, match="no text"):
        read_html(html)


@pytest.mark.parametrize(
    "html, is_skeleton",
    [
        ('<div id="root"></div><script src="/app.js"></script>', True),
        ('<title>App</title><noscript>Enable JavaScript</noscript><div id="app">Loading…</div><SCRIPT>go()</SCRIPT>', True),
        ("<p>Short and done.</p>", False),
        (PAGE, False),
        ("<script></script>" + "<p>word</p>" * 3, False),
        ("<script></script><div>" + "word " * 60 + "</div>", False),
    ],
)  # fmt: skip
def test_a_page_that_only_scripts_would_fill_is_a_skeleton(html: str, *, is_skeleton: bool) -> None:
    assert read_html(html).is_skeleton == is_skeleton


@pytest.mark.parametrize(
    "told, is_free",
    [
        ('{"isAccessibleForFree": false}', False),
        ('{"hasPart": {"isAccessibleForFree" : "False"}}', False),
        ('{"isAccessibleForFree":"https://schema.org/False"}', False),
        ('{"isAccessibleForFree": true}', True),
        ("{}", True),
    ],
)
def test_a_page_that_says_that_it_is_not_free_is_read_with_a_note(told: str, *, is_free: bool) -> None:
    page = read_html(f'<script type="application/ld+json">{told}</script>{PAGE}')
    assert page.note == ("" if is_free else PAYWALL)
    assert "Steep time" in page.text


def test_a_page_about_paywalls_is_free() -> None:
    told = '<pre>"isAccessibleForFree": false</pre><script>x = {"isAccessibleForFree": false}</script>'
    assert read_html(f'<script type="application/ld+json">{{}}</script>{PAGE}{told}').note == ""


@pytest.mark.unmeasured
def test_a_page_that_is_nested_without_end_is_read_without_looking_for_its_main_content() -> None:
    page = read_html("<div>" * 100_000 + "The text at the bottom.")
    assert page.text == "The text at the bottom."
    assert "main content was not looked for" in page.note


@pytest.mark.parametrize(
    "html, deep",
    [
        ("<div>" * (MAX_DEPTH + 1), True),
        ("<div></b>" * (MAX_DEPTH + 1), True),
        ("<div>" * MAX_DEPTH, False),
        ("<div></div>" * 10_000, False),
        ("<p>one<li>two<td>three<br><img>" * 10_000, False),
    ],
)
def test_depth_counts_what_is_open(html: str, *, deep: bool) -> None:
    assert is_deep(html) == deep


def test_lone_surrogates_are_no_obstacle() -> None:
    assert read_html("<p>one \ud800 two</p>").text == "one ? two"


def test_a_block_stays_where_most_of_its_words_are_in_the_main_content() -> None:
    whole = "# Title\n\n## Menu\n\nHome of teas\n\n## Text\n\nThe leaves [stay here](https://example.org/a/b/c) long.\n\nAbout us all"
    assert main_blocks(whole, "Text The leaves stay here long.") == (
        "# Title\n\n## Text\n\nThe leaves [stay here](https://example.org/a/b/c) long."
    )
    assert main_blocks(whole, "") == ""


def test_a_page_is_read_until_it_is_late_and_the_note_says_how_much_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("web_tools.extraction.html_main_content.STRETCH_CHARS", 1_000)
    lines = [f"<p>The tea of the year {number} is as good as the one before.</p>" for number in range(100)]
    html = "".join(lines)
    time_used = iter([0.1, 0.5])
    page = read_html(html, lambda: next(time_used))
    read = [number for number in range(100) if f"year {number} is" in page.text]
    assert read == list(range(len(read)))
    assert 2_000 <= sum(len(lines[number]) for number in read) < 2_000 + 2 * len(lines[0])
    assert (
        page.note
        == f"Only the first 2,000 of the {len(html):,} characters of its HTML were read: reading takes long."
    )


@pytest.mark.timed
def test_time_is_linear_in_the_page() -> None:
    assert is_linear(
        lambda size: read_html(
            PAGE.replace("</article>", "<p>Some more words of tea.</p>" * size + "</article>")
        ),
        2_000,
    )
