"""The bench of reading pages: questions follow their rule, the right passage is recognized, and what goes out is counted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from bench.web import report
from bench.web.contestants import Contestant, ContestantError, Peer, Reading, peer
from bench.web.counting_proxy import Counts, Proxy, a_proxy
from bench.web.documentation import Block, Link, blocks
from bench.web.questions import LEAST_PAGE_CHARS, Question, letters, questions
from bench.web.site import a_site
from bench.web.trials import Growth, Pass, Trial, growth, pages_of, rank, together, trial

PAGE = """<html><head><title>not text</title><style>p {}</style></head><body>
<p>An unclosed paragraph <b>with</b> a <a href="b.html#x">link</a>
<h2 id="x">A heading<a href="#x">\N{PILCROW SIGN}</a></h2><p>Text &amp; more.</p><dl><dt id="f">f()</dt><dd>Does it.</dd></dl></body></html>"""


def test_blocks_have_their_links_and_the_anchors_before_them() -> None:
    assert blocks(PAGE) == [
        Block("p", "An unclosed paragraph with a link", (Link("b.html#x", 29),), ()),
        Block("h2", "A heading", (Link("#x", 9),), ("x",)),
        Block("p", "Text & more.", (), ()),
        Block("dt", "f()", (), ("f",)),
        Block("dd", "Does it.", (), ()),
    ]


FILLING = "<p>" + "Nothing of this has to do with anything that anybody would ever ask. " * 200 + "</p>"
ANSWER = "Whoever calls it twice gets two files, of which the second one is always empty."
SENTENCE = "Calling a function of this kind a second time leaves a file without any content behind."


def a_target(paragraph: str = ANSWER) -> str:
    return f"<body>{FILLING}<h2 id='opening'>Opening databases</h2><p>{paragraph}</p>{FILLING}</body>"


def cited(source: str, target: str) -> list[Question]:
    return questions({"a.html": f"<body><p>{source}</p></body>", "b.html": target}, 10)


def linked(sentence: str) -> str:
    return sentence.replace("second time", "<a href='b.html#opening'>second time</a>")


def test_a_sentence_that_links_to_a_place_asks_for_the_paragraph_there() -> None:
    first = "This one has no link at all, so nobody asks it."
    gold = letters("Whoever calls it twice gets two files, of which the")
    wanted = [Question("cited", "b.html", SENTENCE, gold)]
    assert cited(f"{first} {linked(SENTENCE)} {first}", a_target()) == wanted


@pytest.mark.parametrize(
    "source, target",
    [
        (SENTENCE, a_target()),  # no link
        (linked(SENTENCE) + " " + linked("See a second time."), a_target().replace("opening", "other")),
        (linked("See the second time."), a_target()),  # too short
        (linked(SENTENCE).removesuffix("."), a_target()),  # no sentence
        (linked(SENTENCE).replace("kind", "<a href='b.html'>kind</a>"), a_target()),  # two links
        (
            linked("When opening databases a second time, nothing is done at all."),
            a_target(),
        ),  # the heading's words
        (linked(SENTENCE), a_target("Too short a paragraph.")),
        (linked(SENTENCE), a_target() + f"<p>{ANSWER}</p>"),  # the gold twice
        (linked(SENTENCE), a_target().replace(FILLING, "")),  # a page too short
        (linked(SENTENCE), a_target() + FILLING * 4),  # a page too long
    ],
)
def test_what_the_rule_does_not_allow_is_no_question(source: str, target: str) -> None:
    assert cited(source, target) == []


def test_headings_of_a_faq_that_ask_are_questions() -> None:
    page = f"<body><h1>FAQ</h1><p>{ANSWER}</p><h2>Why is it empty?</h2><p>{ANSWER[::-1]}</p>{FILLING}</body>"
    found = questions({"faq.html": page}, 10)
    assert [(each.kind, each.query) for each in found] == [("faq", "Why is it empty?")]
    assert len(page) > LEAST_PAGE_CHARS


def test_the_order_of_the_pages_does_not_matter() -> None:
    pages = {
        "a.html": f"<p>{linked(SENTENCE)}</p>",
        "b.html": a_target(),
        "c-faq.html": f"<h1>Why?</h1><p>{ANSWER}</p>{FILLING}",
    }
    assert len(questions(pages, 10)) == 2
    assert questions(dict(reversed(pages.items())), 10) == questions(pages, 10)
    assert len(questions(pages, 1)) == 1


@pytest.mark.parametrize(
    "passages, place",
    [
        ((), 0),
        (('of *two*   [files](http://x.org/of_which "t"), of\nwhich',), 1),
        (("two", "files of which", "Two files; of WHICH."), 3),
        (("two [files](x.html#of) which",), 0),
    ],
)
def test_the_right_passage_is_known_by_its_letters_whatever_marks_stand_between(
    passages: tuple[str, ...], place: int
) -> None:
    assert rank(Question("cited", "p", "q", letters("two files, of which")), passages) == place


class Stub:
    """A contestant that finds what it is told to."""

    pid = 1

    def __init__(self, *, fails_for: str = "none", found: str = "twofiles") -> None:
        self.fails_for, self.found = fails_for, found
        self.asked: list[tuple[str, int]] = []

    async def read(self, url: str, queries: Sequence[str]) -> Reading:
        self.asked.append((url.rpartition("/")[2], len(queries)))
        if self.fails_for in url:
            return Reading.failed("down", len(queries), 0.5)
        return Reading(0.25, (("nothing", self.found),) * len(queries), note="by words")


ASKED = [
    Question("cited", "a", "1", "twofiles"),
    Question("faq", "b", "2", "other"),
    Question("cited", "a", "3", "twofiles"),
]


async def measured(stub: Contestant) -> Trial:
    async with a_site({}, has_etags=True) as site:
        return await trial("ours", stub, site, Proxy("", Counts()), questions=ASKED, articles=["c"])


async def test_cold_a_page_is_read_once_with_all_its_questions_and_then_each_is_asked_alone() -> None:
    stub = Stub()
    done = await measured(stub)
    assert stub.asked == [("a", 2), ("b", 1), ("a", 1), ("b", 1), ("a", 1), ("c", 1)]
    assert (done.cold.ranks, done.cached.ranks) == ([2, 2, 0], [2, 0, 2])
    assert [each.query for each in together(ASKED)] == ["1", "3", "2"]
    assert done.cold.right == done.cached.right == pytest.approx(2 / 3)
    assert (done.articles, done.cold.seconds) == ([0.25], [0.25, 0.25])


async def test_a_call_that_fails_has_found_nothing() -> None:
    done = await measured(Stub(fails_for="/a"))
    assert done.cold.ranks == [0, 0, 0]
    assert done.cold.errors == ["down"]
    assert done.cold.first_chars == [0, 0, len("nothingtwofiles")]


async def test_a_fuller_store_is_measured_with_the_same_questions() -> None:
    stub = Stub(fails_for="/y")
    async with a_site({}, has_etags=True) as site:
        done = await growth("ours", stub, site, ASKED, ["x", "y"])
    pages = [page for page, _ in stub.asked]
    assert pages == ["a", "b", "a", "b", "a", "x", "y", "a", "b", "a"]
    assert (len(done.few), len(done.many), done.failed) == (3, 3, 1)


def test_pages_are_taken_by_the_length_of_their_text() -> None:
    pages = {"short": "<p>x</p>", "fits": "<p>" + "x" * 50 + "</p>", "used": "<p>" + "x" * 50 + "</p>"}
    assert pages_of(pages, range(40, 60), ["used"]) == ["fits"]


def a_trial(name: str, right: int, seconds: float = 0.02) -> Trial:
    asked = Pass([seconds] * 10, [1] * right + [4] * (10 - right), [100] * 10)
    return Trial(name, asked, asked, [1.0])


def test_bars_compare_with_the_peer_at_its_best() -> None:
    trials = [a_trial("ours", 9), a_trial("peer", 7), a_trial("peer, no threshold", 8)]
    met = {bar.what: bar.is_met for bar in report.bars(trials, [])}
    assert met == {
        "ours: cached page, median": True,
        "ours: first crawl of 1,500 tokens, median": True,
        "right passage among the first 3: ahead of the peer at its best": True,
    }
    worse = report.bars([a_trial("ours", 8, 0.1), a_trial("peer", 8)], [Growth("ours", [1.0], [2.5])])
    assert [(bar.got, bar.is_met) for bar in worse] == [(100, False), (1, True), (0, False), (2.5, False)]
    page = report.page(ASKED, [], [Growth("ours", [1.0], [2.5])], "m", ["a note"])
    assert "| ours | 1000 ms | 2500 ms | 0 s | 0 | 0 MB |" in page
    assert "3 questions (2 cited, 1 faq) about 2 pages" in page


def test_the_page_has_a_row_for_each_pass() -> None:
    asked = Pass([0.02] * 3, [1, 4, 0], [100] * 3, notes=["by words"] * 3, embeddings=Counts(2, 5, 1))
    page = report.page(ASKED, [Trial("ours", asked, asked, [1.0])], [], "m", [])
    assert "| ours | cached | 33 % | 50 % | 0 % | 33 % | 67 % | 100 |" in page
    assert "| ours | cold | 33 % | 50 % | 0 % | 33 % | 67 % | 100 |" in page
    assert "2 (5), 2 (5)" in page
    assert "- ours, cold, notes, 3 times: by words" in page
    assert "- ours, cold: the embedding server refused 1 requests" in page


async def test_the_site_says_that_a_page_is_as_it_was() -> None:
    async with a_site({"d/a.html": b"<p>x</p>"}, has_etags=True) as site, httpx.AsyncClient() as http:
        first = await http.get(site.url("d/a.html"))
        again = await http.get(site.url("d/a.html"), headers={"If-None-Match": first.headers["ETag"]})
        gone = await http.get(site.url("b.html"))
        assert (first.text, again.status_code, gone.status_code) == ("<p>x</p>", 304, 404)
        assert site.answers == {200: 1, 304: 1, 404: 1}


async def test_the_proxy_counts_texts_and_refusals_and_changes_nothing() -> None:
    async def answered(request: web.Request) -> web.Response:
        given = await request.json()
        return web.json_response({"got": given}, status=400 if "long" in given["input"] else 200)

    app = web.Application()
    app.router.add_post("/v1/embeddings", answered)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        server = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with a_proxy(server) as proxy, httpx.AsyncClient() as http:
            before = proxy.so_far()
            good = await http.post(f"{proxy.url}/v1/embeddings", json={"input": ["a", "b"]})
            bad = await http.post(f"{proxy.url}/v1/embeddings", json={"input": "long"})
            assert (good.json(), good.status_code) == ({"got": {"input": ["a", "b"]}}, 200)
            assert bad.status_code == 400
            assert proxy.so_far() - before == Counts(2, 3, 1)
    finally:
        await runner.cleanup()


PEER = """
import json, sys
print("a line that is no message", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress"}))
    result = {"protocolVersion": "2025-06-18"}
    if message["method"] == "tools/call":
        query = message["params"]["arguments"]["query"]
        if query == "fail":
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"message": "no"}}), flush=True)
            continue
        queries = [query] if isinstance(query, str) else query
        answer = {"queries": [{"query": each, "results": [{"text": each + "!"}]} for each in queries]}
        result = {"content": [{"type": "text", "text": json.dumps(answer)}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


async def test_the_peer_is_spoken_to_over_its_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "node_modules" / "@dimitrk" / "mcp-search" / "dist" / "cli.js"
    script.parent.mkdir(parents=True)
    script.write_text(PEER, "utf-8")
    monkeypatch.setattr("bench.web.contestants.NODE", Path(sys.executable))
    async with peer(tmp_path, "http://127.0.0.1:9", {}) as contestant:
        assert isinstance(contestant, Peer)
        assert (await contestant.read("http://x/", ["one"])).passages == (("one!",),)
        assert (await contestant.read("http://x/", ["one", "two"])).passages == (("one!",), ("two!",))
        assert (await contestant.read("http://x/", ["fail"])).error == "no"


async def test_without_the_peer_the_error_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ContestantError, match=r"expected .*cli\.js"):
        async with peer(tmp_path, "", {}):
            pass


def test_a_result_that_is_an_error_found_nothing() -> None:
    refused = {"content": [{"type": "text", "text": "not public"}], "isError": True}
    assert Reading.of(refused, 2, 1.0) == Reading(1.0, ((), ()), error="not public")
