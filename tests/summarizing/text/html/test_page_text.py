"""HTML to text: what a reader sees comes out once and in order, in Markdown's form, whatever the page is made of."""

import re
import tracemalloc
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizing.extractive.extractive_summary import extract
from summarizing.text.document import SegmentKind
from summarizing.text.html.detection import is_html
from summarizing.text.html.page_text import PageReader, text_of_html
from summarizing.text.parsing import parse
from summarizing.text.tokenizer import Tokenizer
from tests.summarizing.text.test_parsing import kinds, tree
from tests.support.timing import is_linear

MARKUP = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<ul>",
        "<ol>",
        "<li>",
        "</li>",
        "</ul>",
        "<table>",
        "<tr>",
        "<td>",
        "<th>",
        "</td>",
        "</table>",
        "<h1>",
        "<h2>",
        "</h1>",
        "<pre>",
        "</pre>",
        "<a>",
        "</a>",
        "<b>",
        "</b>",
        "<i>",
        "<br>",
        "<hr>",
        "<img>",
        "<dl>",
        "<dt>",
        "<dd>",
        "</dl>",
        "<blockquote>",
        "</blockquote>",
        "<sup>",
        "</sup>",
        "<x-y>",
        "<caption>",
        "<nav>",
        "</nav>",
        "<section>",
        "</body>",
        "</html>",
        "<html>",
        "<body>",
        "</",
        "</>",
        "<>",
        "&",
        "&amp;",
        "&#",
        "</br>",
    ]
)
GARBAGE = st.lists(
    st.text(max_size=6)
    | MARKUP
    | st.sampled_from(
        [
            "<!--",
            "-->",
            "<!",
            "<!doctype",
            "<?",
            "<script>",
            "</script>",
            "<style>",
            "<title>",
            "</title>",
            "<template>",
            "<p",
            "hidden>",
            "<a",
            "href=",
            "<td",
            "rowspan=9>",
            "<svg>",
            "<head>",
            "</head>",
            "<select>",
            '"',
            "'",
            ">",
            "<",
            "=",
            "/",
            "&#9999999999;",
            "\x00",
            "\x02",
            "]]>",
            "<![CDATA[",
        ]
    )
).map("".join)
WORDS = st.lists(st.text(alphabet="abcdefgäß中1", min_size=1, max_size=5), max_size=40)


def page(body: str) -> str:
    return f"<!DOCTYPE html><html><head><meta charset=utf-8></head><body>{body}</body></html>"


@given(content=GARBAGE)
def test_nothing_raises(content: str) -> None:
    assert isinstance(text_of_html(content), str)
    assert isinstance(is_html(content), bool)


@given(words=WORDS, data=st.data())
def test_every_visible_word_comes_out_once_and_in_order(words: list[str], data: st.DataObject) -> None:
    content = "".join(
        f" {data.draw(MARKUP.filter(lambda tag: tag != '</'))} {escape(word)} " for word in words
    )
    text = text_of_html(f"<body>{content}</body>")
    found = re.findall(r"[a-gäß中1]+(?![.)]* \S*1\.)", re.sub(r"(?m)^(?:[ >-]|\d+\. )+", "", text))
    assert [word for word in found if word in words or not word.isdigit()] == words


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
def test_a_paragraph_is_its_words(text: str) -> None:
    assert text_of_html(f"<p>{escape(text)}</p>") == " ".join(text.split())


@pytest.mark.parametrize(
    "body, text",
    [
        ("<h2><div>Use</div></h2><p>It is used.", "## Use\n\nIt is used."),
        (
            "<h4>fn keep(f: F)<div>where F: Fn</div> now</h4><p>Keeps some.",
            "#### fn keep(f: F)\n\nwhere F: Fn\n\nnow\n\nKeeps some.",
        ),
        (
            "<h3>Never closed<div>It is text.</div><div>So is this.</div>",
            "### Never closed\n\nIt is text.\n\nSo is this.",
        ),
    ],
)
def test_the_first_words_of_a_heading_are_its_title_whatever_blocks_stand_in_it(body: str, text: str) -> None:
    assert text_of_html(body) == text


def test_a_prompt_before_a_command_makes_no_heading_of_it() -> None:
    body = "<h2>Build</h2><dl><dt># apt-get install it<dd>Install it.</dl><p>A word<br>## two</p><p>#3 is no heading"
    assert text_of_html(body) == (
        "## Build\n\n\\# apt-get install it\n    Install it.\n\nA word\n\\## two\n\n#3 is no heading"
    )
    headings = [one for one, kind in kinds(parse(text_of_html(body))).items() if kind is SegmentKind.HEADING]
    assert headings == ["## Build"]


def test_a_command_in_a_table_that_lays_out_the_page_is_no_heading() -> None:
    code = "<table><tr><td><pre># start --all</pre></td></tr></table>"
    document = parse(text_of_html(f"<h1>Use</h1><p>As follows:</p>{code}"))
    assert kinds(document)["\\# start --all"] is not SegmentKind.HEADING


def test_a_page_with_signatures_between_its_titles_is_no_code() -> None:
    part = "<h2>{0}()</h2><table><tr><td>void {0}</td><td>(</td><td>int</td><td>)</td></tr></table>"
    body = "".join(part.format(name) for name in ("begin", "read", "end")) + "<p>Initial value:<div>= {</div>"
    document = parse(text_of_html(f"<h1>list.c</h1>{body}"))
    assert kinds(document)["## read()"] is SegmentKind.HEADING
    assert tree(document)["void end"] == tree(document)["Initial value:"] == "## end()"
    assert tree(document)["= {"] == "Initial value:"


@pytest.mark.parametrize(
    "body, text",
    [
        ("<h1>One</h1><p>a</p><h3>Two</h3>b", "# One\n\na\n\n### Two\n\nb"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<p>wrapped\n   line <b>bold</b><i>x</i></p>", "wrapped line boldx"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<p>5 &lt; 6 &amp;&nbsp;7 &copy; &#8364; &bogus;</p>", "5 < 6 & 7 © € &bogus;"),
        ("<p>1 < 2 and 3 > 2</p>", "1 < 2 and 3 > 2"),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
        ('<p>Do:</p><ol start="3"><li>a</li><li><p>b</p><p>c</p></li></ol>', "Do:\n\n3. a\n4. b\n\n   c"),
        ("<ul><li><a href=/x>a</a></li><li><ul><li>b</ul></ul>", "- a\n  - b"),
        (
            "<dl><dt>term<dd>meaning<dd>other<dt>next<dd><p>x</p></dl>",
            "term\n    meaning\n    other\n\nnext\n    x",
        ),
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"),
        ("<pre>\n  a &lt; b\n\n\tc</pre>", "```\n  a < b\n\n\tc\n```"),
        ("<pre>```\na</pre>", "````\n```\na\n````"),
        ("<ul><li>x<pre>a\nb</pre></ul>", "- x\n\n  ```\n  a\n  b\n  ```"),
        ("<p>10<sup>6</sup> of 1<sup>st</sup> x<sup>-1</sup> H<sub>2</sub>O</p>", "10^6 of 1st x^-1 H2O"),
        ('<p>a <img alt="the map" src=x> b <img alt=""> c</p>', "a the map b c"),
        ("<p>by <time-ago>today</time-ago><x-card>b</x-card></p>", "by today b"),
        ("<tr><td>one</td><td>two</td></tr>", "one\n\ntwo"),
        ("<p>a</table></p>b", "a\n\nb"),
        ("<h2> </h2><p>a</p>", "a"),
        ("<pre></pre>a", "a"),
        ("<ul><li><h3>T</h3>b</ul>", "### T\n\n  b"),
        (f"<p>a{' ' * 20_000}b</p>", "a b"),
    ],
)
def test_blocks(body: str, text: str) -> None:
    assert text_of_html(page(body)) == text


@pytest.mark.parametrize(
    "body, text",
    [
        (
            "<table><caption>Ports<thead><tr><th>name<th>port<tbody><tr><td>web<td>80<tr><td>a|b<td></table>",
            "Ports\n\n| name | port |\n| --- | --- |\n| web | 80 |\n| a\\|b |  |",
        ),
        (
            "<table><tr><th>x<td>1</tr><tr><th>y<td><p>2</p><p>3</p><ul><li>p<li>q</ul></table>",
            "| x | 1 |\n| y | 2; 3; p; q |",
        ),
        (
            "<table><tr><td rowspan=2>a<td>1<tr><td>2<tr><td colspan=2>b</table>",
            "| a | 1 |\n| a | 2 |\n| b |  |",
        ),
        ("<table><tr><td>menu<td><h2>Title</h2><p>text</table>", "menu\n\n## Title\n\ntext"),
        (
            "<table><tr><td>a<td><table><tr><td>x<td>1<tr><td>y<td>2</table></table>",
            "a\n\n| x | 1 |\n| y | 2 |",
        ),
        ("<table><tr><td>alone</table>", "alone"),
        ("<table><tr><td>a<td><pre>b c</pre><tr><td>d<td>e</table>", "| a | b c |\n| d | e |"),
        ("<div><table><tr><td>a</div><td>b<tr><td>c<td>d</table>", "| a | b |\n| c | d |"),
    ],
)
def test_tables(body: str, text: str) -> None:
    assert text_of_html(page(body)) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>if (a < b) { x('</p>gone') }</script>",
        "<STYLE>p > b {}</STYLE >",
        "<!-- gone <p> -->",
        "<!-->",
        "<template><p>gone</template>",
        "<noscript>gone</noscript>",
        "<p hidden>gone",
        "<span aria-hidden='true'>gone <b>too</b></span>",
        '<div style="color: red; DISPLAY : none">gone<div>gone</div></div>',
        "<div style='visibility:hidden'>gone</div>",
        "<svg><title>gone</title><text>gone</text></svg>",
        "<select><option>gone</select>",
        "<button>gone</button>",
        "<?php gone ?>",
        "<![CDATA[gone]]>",
    ],
)
def test_what_a_reader_does_not_see_is_gone(hidden: str) -> None:
    assert text_of_html(page(f"<p>before</p>{hidden}<p>after</p>")) == "before\n\nafter"


def test_what_only_looks_hidden_stays() -> None:
    body = '<p class="overflow-hidden" title="display: none" data-x=hidden aria-hidden="false">seen</p>'
    assert text_of_html(page(body)) == "seen"


@pytest.mark.parametrize(
    "body, text",
    [
        (
            '<p>See <a href="https://a.example/b?c=1&amp;d=2">the paper</a>.</p>',
            "See [the paper](https://a.example/b?c=1&d=2).",
        ),
        ('<p>See <a href="../b.html">the page</a>.</p>', "See the page."),
        ('<p><a href="https://a.example/b/">https://a.example/b</a></p>', "https://a.example/b"),
        ('<p><a href="javascript:x()">do</a> <a name=x>it</a></p>', "do it"),
        (
            '<nav><h2>Menu</h2><ul><li><a href="https://a.example/">Home</a></ul></nav>text',
            "Menu \u00b7 Home\n\ntext",
        ),
        ('<div role="navigation"><h3>Next</h3></div><h3>Text</h3>', "Next\n\n### Text"),
        (
            '<ul><li><a href="https://a.example/1">Smith 2001</a><li>b</ul>',
            "- [Smith 2001](https://a.example/1)\n- b",
        ),
        ('<h2>Use<a class="headerlink" href="#use">¶</a></h2>', "## Use"),
        ('<pre>a <a href="https://a.example/">b</a></pre>', "```\na b\n```"),
        ('<a href="https://a.example/"><p>a</p><p>b</p></a>', "a\n\nb"),
    ],
)
def test_links_keep_their_address_where_they_lead_elsewhere_from_the_text(body: str, text: str) -> None:
    assert text_of_html(page(body)) == text


_ENTRIES = "".join(
    f'<li><a href="{name}.html">{name}</a>' for name in ("buffer", "dns", "events", "net", "url")
)
_MENU = "buffer \u00b7 dns \u00b7 events \u00b7 net \u00b7 url"


@pytest.mark.parametrize(
    "body, text",
    [
        (f"<p>See:<ul>{_ENTRIES}</ul>text", f"See:\n\n{_MENU}\n\ntext"),
        (f"<table><tr><td><ul>{_ENTRIES}</ul><td><h2>Net</h2>text</table>", f"{_MENU}\n\n## Net\n\ntext"),
        (f"<ul>{_ENTRIES}<li>and others that have no page of their own yet</ul>", None),
        (f"<ul>{_ENTRIES.replace('href=', 'href=https://a.example/')}</ul>", None),
        (
            "<header><h1>Site</h1></header><p>Skip<main><h2>Sockets</h2><ul><li>a</ul></main><p>x<footer>y</footer>",
            "Site \u00b7 Skip\n\n## Sockets\n\n- a\n\nx \u00b7 y",
        ),
        ("<div role=main><p>text</div><div role=search>b<p>c</div>", "text\n\nb \u00b7 c"),
        ("<p>Read on<p>here<main>ad</main><p>and<p>there", "Read on\n\nhere\n\nad\n\nand\n\nthere"),
        ("<nav><table><tr><td>a<td>b<tr><td>c<td>d</table>", "a | b | \u00b7 c | d |"),
        ("<div role=menu><div>a</div><nav>b</nav></div>c", "a \u00b7 b\n\nc"),
        ("<main>a</main>b<main>c</main>", "a\n\nb\n\nc"),
        ("<main>a<main>b", "a\n\nb"),
        ("<p>Lost?<div role=main><p>Found<main>it</main></div>", "Lost?\n\nFound\n\nit"),
    ],
)
def test_menus_and_what_stands_outside_of_the_main_part_are_one_line(body: str, text: str | None) -> None:
    found = text_of_html(page(body))
    assert found == text if text is not None else "\n" in found and "\u00b7" not in found


@given(
    st.lists(
        st.sampled_from(
            [
                "<nav>",
                "</nav>",
                "<main>",
                "</main>",
                "<div role=main>",
                "</div>",
                "<ul><li>",
                "</ul>",
                "<td>",
                "<table>",
                "</table>",
            ]
        )
    ),
    st.integers(0, 30),
)
def test_menus_of_any_nesting_keep_each_word(tags: list[str], at: int) -> None:
    words = [f"w{number}x" for number in range(len(tags))]
    content = "<body>" + "".join(f"{tag}{word}" for tag, word in zip(tags, words, strict=True))
    reader = PageReader(content)
    reader.read_to(at * 10)
    for text in (text_of_html(content), reader.text()):
        found = re.findall(r"w\d+x", text)
        assert found == words[: len(found)]
    assert re.findall(r"w\d+x", text_of_html(content)) == words


def test_blocks_in_code_begin_lines_of_it() -> None:
    assert (
        text_of_html("<body><pre>trait A {<div>  fn b();</div>}</pre>") == "```\ntrait A {\n  fn b();\n}\n```"
    )


def test_a_summary_of_a_page_does_not_begin_with_its_menu() -> None:
    prose = "".join(
        f"<p>A buffer of {number} bytes holds what was read before it is used." for number in range(9)
    )
    page_text = text_of_html(f"<body><div><p>Skip to content<ul>{_ENTRIES}</ul></div><main>{prose}</main>")
    assert page_text.startswith("Skip to content \u00b7 buffer")
    document = parse(page_text)
    assert [segment.is_marginal for segment in document.segments] == [True] + [False] * 9


def test_the_title_stands_above_where_no_first_heading_does() -> None:
    head = "<head><title>A &amp; B\n</title><meta name=x></head>"
    assert text_of_html(f"<html>{head}<body><h2>x</h2>y</body>") == "# A & B\n\n## x\n\ny"
    assert text_of_html(f"<html>{head}<body><h1>x</h1>y</body>") == "# x\n\ny"
    assert text_of_html("<head><title>A</title><p>body without a tag") == "# A\n\nbody without a tag"


@pytest.mark.parametrize(
    "content",
    [
        "<!DOCTYPE html>\n<title>x</title>",
        "\ufeff <!-- saved --> <!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'><p>",
        '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y">\n<html xmlns="http://www.w3.org/1999/xhtml">',
        "<HTML><BODY>x",
        "<body class=x>y</body>",
        "<p>one</p><p>two</p><ul><li>a</li><li>b</li></ul>",
        '<div class="a"><h2>x</h2><table><tr><td>1</td></tr></table></div>',
    ],
)
def test_pages_and_parts_of_them_are_html(content: str) -> None:
    assert is_html(content)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "plain text, 1 < 2",
        "# Title\n\nText with <b>bold</b> and <br> and <i>more</i> <b>of</b> <i>it</i>.",
        '<p align="center"><img src="a.png"></p>\n<h1 align="center">Name</h1>\n\n## Install\n\n```sh\nmake\n```\n\n- a\n- b\n',
        '<svg xmlns="http://www.w3.org/2000/svg"><g><path d="M0"/><path d="M1"/></g><title>x</title></svg>',
        '<?xml version="1.0"?><rss><channel><title>a</title><item><link>b</link></item></channel></rss>',
        "<project><name>a</name><version>1</version><url>b</url><build><plugin>c</plugin></build></project>",
        "import React from 'react'\nexport default () => <div><p>a</p><p>b</p><ul><li>c</li></ul></div>\n",
        'page = "<html><body><p>a</p></body></html>"\nprint(page)\n',
        "<Card><Title>a</Title><p>b</p><Foo.Bar>c</Foo.Bar><Card.Body>d</Card.Body></Card>",
        "<p>an opening only",
        "<me@example.org> wrote:\n> <b>a</b>\n",
        "<stdin>:1: error\n<stdin>:2: error",
    ],
)
def test_other_texts_are_not_html(content: str) -> None:
    assert not is_html(content)


HOSTILE = (
    *[
        "<",
        "<a ",
        "<a href=",
        "<!--",
        "<!",
        "</",
        "</p",
        "<p>",
        "<div>",
        "</div>",
        "<b>",
        "<b><p>",
        "<ul><li>",
        "<table><tr><td>",
        "<td rowspan=50>x",
    ],
    *[
        "<tr><td rowspan=9>xxxxx<td>y",
        "<tr><td colspan=50 rowspan=50>x<td>y",
        "<table><tr><th colspan=50>x<tr><td>1",
        "<script>",
        "<style",
        "<title>",
        "<a href=http://a.b>z",
        '<a =">"',
        "<a ='>'",
        "&",
        "&#",
        "&#9",
    ],
    *[
        "<pre>`",
        "<h1>a</h1>",
        "<dl><dt>a<dd>b",
        "<blockquote>a",
        "<p hidden>",
        "<x-y>a",
        "<p a='",
        "<p a=\"'",
        '<p = "',
        "<!-- -->",
        "<?",
    ],
    *[
        "<i>a</i> ",
        "<div><td>",
        "<select>",
        "<svg><title>a",
        "<p><b><i><u><s>",
        "<a><b></a>",
        "<sup>2",
        "<b></div>",
        "\n",
        "= ",
        "<table>a",
    ],
)


@pytest.mark.timed
@pytest.mark.parametrize("part", HOSTILE)
def test_time_is_linear_and_the_text_and_memory_stay_small(part: str) -> None:
    def read(size: int) -> None:
        content = f"<html>{part * (size // len(part))}>"
        text_of_html(content)
        is_html(content)

    assert is_linear(read, 40_000)
    content = f"<html>{part * (50_000 // len(part))}>"
    tracemalloc.start()
    text = text_of_html(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # What is nested, held or left open must not outgrow the 10 times a content that a call may take.
    assert peak < 10 * len(content) + 500_000
    assert len(text) < 6 * len(content)


@pytest.mark.parametrize(
    "begin, part",
    [
        ("<table>", "<tr><td colspan=50 rowspan=50>x<td>y"),
        ("", "<table><tr><th colspan=50>x<th>y<tr><td>1<td>2</table>"),
    ],
)
def test_empty_cells_that_others_span_make_no_page_much_longer(begin: str, part: str) -> None:
    content = f"<html>{begin}{part * (50_000 // len(part))}"
    assert len(text_of_html(content)) < 4 * len(content)


@pytest.mark.timed
@pytest.mark.parametrize(
    "part",
    [
        "<ul><li>",
        "<ol>",
        "<h1>",
        "<nav>",
        "<x-y>ab",
        "<td>ab",
        "<table><tr><td>ab<td>cd",
        "<tr>",
        "ab<i>",
        "ab\n",
    ],
)
def test_what_is_left_open_takes_little_memory(part: str) -> None:
    content = f"<html><table>{part * (200_000 // len(part))}"
    tracemalloc.start()
    text_of_html(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(content) + 500_000


@pytest.mark.unmeasured
def test_a_word_that_leads_to_another_view_is_no_part_of_code_or_text() -> None:
    """As Sphinx writes "[docs]" into source code and "[source]" behind a signature, and Doxygen "More..." behind a description."""
    back = '<a class="viewcode-back" href="../boats.html#Boat">[docs]</a>'
    code = f"<pre>import oars\n\n{back}<span>class</span> Boat:\n    x[<a href='#y'>y</a>]\n</pre>"
    text = '<dl><dt>sail(to)<a href="code.html#sail">[source]</a></dt><dd>Sets sail <a href="#ada">[1]</a>. <a href="#details">More...</a></dd></dl>'
    assert text_of_html(f"<body>{code}{text}</body>") == (
        "```\nimport oars\n\nclass Boat:\n    x[y]\n```\n\nsail(to)\n    Sets sail [1]."
    )


@pytest.mark.unmeasured
def test_links_that_are_cut_off_or_in_brackets_belong_to_what_is_said() -> None:
    """As sites shorten names, and as footnotes and quotations have signs."""
    names = '<p><a href="/user/7">Installation…</a> by <a href="/user/0">ada...</a></p>'
    signs = '<p>See <a href="/notes">[a]</a>: he said "it fail <a href="/wiki/sic">[sic]</a>".</p>'
    text = text_of_html(f"<body>{names}{signs}</body>")
    assert text == 'Installation… by ada...\n\nSee [a]: he said "it fail [sic]".'


def test_a_heading_in_a_row_of_its_own_stands_over_the_rows_below_it() -> None:
    """As Doxygen lists members."""
    rows = "<tr><td>bool</td><td>lit</td></tr><tr><td>&#160;</td><td>whether it burns</td></tr>"
    title = '<tr><td colspan="2"><h2>Attributes</h2></td></tr>'
    text = text_of_html(f"<body><table>{title}{rows}</table><table>{title}{rows}{rows}</table></body>")
    listed = "| bool | lit |\n|  | whether it burns |"
    assert text == f"## Attributes\n\n{listed}\n\n## Attributes\n\n{listed}\n{listed}"


def test_a_long_table_is_one_under_one_head() -> None:
    rows = "".join(f"<tr><td>a{number}<td>b{number}" for number in range(20_000))
    lines = text_of_html(f"<html><table><tr><th>Name<th>Value{rows}</table><p>End").split("\n")
    assert lines[:3] == ["| Name | Value |", "| --- | --- |", "| a0 | b0 |"]
    assert [line for line in lines[2:-2] if not re.fullmatch(r"\| a(\d+) \| b\1 \|", line)] == []
    assert (len(lines), lines[-2:]) == (20_004, ["", "End"])


@pytest.mark.unmeasured
def test_a_long_paragraph_has_all_of_its_words_once() -> None:
    words = [f"w{number}" for number in range(30_000)]
    text = text_of_html("<html><p>" + " ".join(f"<i>{word}</i>" for word in words))
    assert text == " ".join(words)
    assert text_of_html("<html><p>" + "\n \t".join(words)) == text


def test_a_number_of_thousands_of_digits_is_no_fault() -> None:
    assert text_of_html(f"<p>a &#{'9' * 5000}; b</p>").startswith("a &#999")


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "text ",
                "<ul><li>",
                "</li></ul>",
                "<h2>",
                "</h2>",
                "<img alt=sea>",
                "<table><tr><td>a<td>b",
                "</table>",
                "<script>x < y</script>",
                "<pre>",
                "</pre>",
                "&amp;",
                "<",
                "a\x02b",
                "<!-- -->",
            ]
        ),
        max_size=40,
    ).map("".join),
    st.lists(st.integers(0, 300), max_size=4),
)
def test_a_page_that_is_read_in_stretches_has_the_same_text(content: str, places: list[int]) -> None:
    reader = PageReader(content)
    for place in sorted(places):
        reader.read_to(place)
    reader.read_to(len(content))
    assert reader.text() == text_of_html(content)


def test_of_a_page_that_is_read_in_part_the_text_of_that_part_comes() -> None:
    content = page("".join(f"<h2>Part {number}</h2><p>Text of part {number}.</p>" for number in range(100)))
    reader = PageReader(content)
    reader.read_to(len(content) // 2)
    part = reader.text()
    assert text_of_html(content).startswith(part)
    assert "Text of part 40." in part
    assert "Text of part 60." not in part


ARTICLE = (
    "<h1>Tides of the North Sea</h1><p>The tide of the North Sea is driven by a wave that enters from the Atlantic between Scotland and "
    "Norway and travels anticlockwise around the basin.</p><h2>Measurement</h2><p>Gauges have recorded the level at Cuxhaven since 1843, "
    "which makes it one of the longest series in Europe.</p>"
)
LINKS = (
    '<div><h3>Related pages</h3><ul><li><a href="/storm">Storm surges of the last century</a></li><li><a href="/moon">How the moon '
    "moves the sea</a></li></ul></div><div><h3>Advertisement</h3><p>Book your holiday on the coast now: 20 % off! "
    '<a href="https://ads.example.com/x">Click here</a></p></div><p><a href="/imprint">Imprint</a> | <a href="/help">Contact</a></p>'
)


def test_links_and_short_lines_after_the_text_of_a_page_are_a_menu(tokenizer: Tokenizer) -> None:
    text = text_of_html(f"<body>{ARTICLE}{LINKS}</body>")
    *article, last = text.split("\n\n")
    assert article[-1].startswith("Gauges have recorded")
    assert last.startswith("Related pages \u00b7 Storm surges of the last century \u00b7 How the moon")
    assert last.endswith("Imprint | Contact")
    summary = extract(text, 95, "", tokenizer).text
    assert "1843" in summary
    assert "Related" not in summary
    assert "Advertisement" not in summary


@pytest.mark.parametrize(
    "end",
    [
        "<h2>Notes</h2><p>Short.</p><p>Shorter.</p>",
        '<h2>Sources</h2><ul><li><a href="https://example.org/1">The wave of 1976</a></li><li><a href="https://example.org/2">Levels</a></li></ul>',
        '<p>It is told <a href="/levels">on another page</a> how often the levels are read and who reads them in which office.</p>',
    ],
)
def test_what_does_not_lead_elsewhere_on_the_site_stays_text(end: str) -> None:
    text = text_of_html(f"<body>{ARTICLE}{end}</body>")
    assert "\u00b7" not in text


def test_links_after_less_text_than_they_have_stay_as_they_are() -> None:
    assert "### Related pages" in text_of_html(f"<body><h1>Tides</h1><p>High and low.</p>{LINKS}</body>")


def test_a_title_within_a_definition_stands_over_no_later_term() -> None:
    page = """<h2>Settings</h2><dl>
    <dt>log_destination</dt><dd><p>Where to write.</p><div class="note"><h3>Note</h3><p>Use one.</p></div></dd>
    <dt>log_directory</dt><dd><p>Where the files are.</p></dd></dl>"""
    document = parse(text_of_html(page))
    headings = [
        document.of(at) for at, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING
    ]
    assert headings == ["## Settings"]
    assert "Note" in document.text


@pytest.mark.parametrize(
    "name, is_title",
    [
        ('<h3 class="author"><span>Ann</span> <span>Lee</span></h3>', False),
        ("<H4 CLASS='small Editor'>Ann Lee</H4>", False),
        ('<h3 class="title">Ann Lee</h3>', True),
        ('<h3 id="author">Ann Lee</h3>', True),
    ],
)
def test_a_heading_that_names_an_author_stands_over_no_text(name: str, *, is_title: bool) -> None:
    text = text_of_html(
        f"<h1>The Pump Guide</h1><div>{name}</div><p>The pump moves water from the river.</p>"
    )
    document = parse(text)
    assert "Ann Lee" in text
    headings = [index for index, one in enumerate(document.segments) if one.kind is SegmentKind.HEADING]
    assert len(headings) == 1 + is_title
    assert document.segments[-1].parent == headings[-1]


def test_a_heading_of_class_author_over_a_text_of_its_own_is_one() -> None:
    page = '<h1>Guide</h1><h2 class="author">Writing for authors</h2>\n<p>How to write.</p><h3 class="author">Ann Lee</h3><h2>Use</h2>'
    assert text_of_html(page) == ("# Guide\n\n## Writing for authors\n\nHow to write.\n\nAnn Lee\n\n## Use")


def test_a_rule_of_signs_below_a_line_makes_no_title_of_it() -> None:
    document = parse(text_of_html("<h1>Help</h1><p>Example:<br>--------<br>No boats found.<br>-------"))
    assert [one for one, kind in kinds(document).items() if kind is SegmentKind.HEADING] == ["# Help"]


@pytest.mark.parametrize("signs", ["...", "***", "::", "--", "- - -", "====", "~~~"])
def test_a_paragraph_of_signs_alone_keeps_its_own_text(signs: str) -> None:
    assert text_of_html(f"<p>One.</p><p>{signs}</p><p>Two.</p>") == f"One.\n\n{signs}\n\nTwo."
    assert text_of_html(f"<ul><li>{signs}</li></ul>") == f"- {signs}"


@pytest.mark.parametrize("signs", ["-", "=====", "~~~~~", "....."])
def test_a_rule_of_signs_below_a_line_stands_apart_from_it(signs: str) -> None:
    """In Markdown it would underline that (CommonMark 4.3, "Setext headings")."""
    assert text_of_html(f"<p>Boats<br>{signs}<br>sail.</p>") == f"Boats\n\n{signs}\nsail."
    assert text_of_html(f"<blockquote>Boats<br>{signs}</blockquote>") == f"> Boats\n> \n> {signs}"


def test_a_table_of_javadoc_is_one_though_a_style_sheet_lays_it_out() -> None:
    rows = "".join(
        f'<div class="col-first even-row-color"><code>{kind}</code></div>\n'
        f'<div class="col-second even-row-color"><code><a href="#{name}()">{name}</a>()</code></div>\n'
        f'<div class="col-last even-row-color">\n<div class="block">{text}</div>\n</div>\n'
        for kind, name, text in (("int", "getMode", "Gets the mode."), ("long", "getSize", "Gets the size."))
    )
    page = (
        '<html><body><h2>Method Summary</h2><div class="summary-table three-column-summary">\n'
        '<div class="table-header col-first">Type</div><div class="table-header col-second">Method</div>'
        f'<div class="table-header col-last">Description</div>{rows}</div><p class="col-md-6">Of the tar.</p></body></html>'
    )
    assert text_of_html(page) == (
        "## Method Summary\n\n| Type | Method | Description |\n| --- | --- | --- |\n| int | getMode() | Gets the mode. |\n"
        "| long | getSize() | Gets the size. |\n\nOf the tar."
    )


def test_links_of_a_menu_that_stand_in_one_line_are_its_entries() -> None:
    menu = "<nav><a href=/>Home</a> <a href=/t>Team</a> <a href=/c>Contact</a></nav>"
    text = text_of_html(page(f"{menu}<p>We lend books to each <a href=/m>member</a> of the library."))
    assert text == "Home \u00b7 Team \u00b7 Contact\n\nWe lend books to each member of the library."
