"""Measure reading of pages: `make bench-web`; `python -m bench.web --only ours --questions 20` for a look at one contestant."""

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from bench.output import progress, say
from bench.real_texts.archives import ArchiveError, archives, read_named
from bench.service.processes import CannotStart
from bench.web import report
from bench.web.contestants import PASSAGE_TOKENS, Contestant, ContestantError, ours, peer
from bench.web.counting_proxy import Proxy, a_proxy
from bench.web.embeddings import MODEL
from bench.web.embeddings.running_server import an_embedding_server, model_file
from bench.web.questions import Question, questions
from bench.web.site import Site, a_site
from bench.web.trials import (
    ARTICLE_CHARS,
    ARTICLES,
    FILLER_CHARS,
    MANY_PAGES,
    Growth,
    growth,
    pages_of,
    trial,
)

PAGE = Path(__file__).parents[1] / "results" / "web.md"
PACKAGES = Path(__file__).parent / "packages.toml"

QUESTIONS = 80

# Where a package has its pages.
FOLDERS = {
    "python-docs": "usr/share/doc/python3.11/html/",
    "sqlite-docs": "usr/share/doc/sqlite3/",
    "cmake-docs": "usr/share/doc/cmake-data/html/",
}

# Its threshold for cosine similarity is .6 unless it is told otherwise.
PEER_WITHOUT_THRESHOLD = {"SIMILARITY_THRESHOLD": "0"}

Opened = Callable[[], AbstractAsyncContextManager[Contestant]]


def contestants(proxy: Proxy, folder: Path | None) -> dict[str, Opened]:
    """Return who is measured: the peer only where it is installed."""
    found: dict[str, Opened] = {report.OURS_LEXICAL: lambda: ours(""), report.OURS: lambda: ours(proxy.url)}
    if folder is not None:
        found["peer"] = lambda: peer(folder, proxy.url, {})
        found["peer, no threshold"] = lambda: peer(folder, proxy.url, PEER_WITHOUT_THRESHOLD)
    return found


def main() -> int:
    """Measure, write the report, and say with the exit code whether the bars are met."""
    options = _options()
    try:
        return asyncio.run(_measured(options))
    except (ArchiveError, CannotStart, ContestantError) as problem:
        progress(f"bench-web: {problem}")
        return 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.web", description=__doc__)
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="NAME", help="these contestants alone; writes no report"
    )
    parser.add_argument(
        "--peer",
        type=Path,
        metavar="FOLDER",
        help="where npm has installed @dimitrk/mcp-search; without it, ours alone",
    )
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument(
        "--filler", type=int, default=MANY_PAGES, help="pages that fill the store; 0 leaves that part out"
    )
    return parser.parse_args()


async def _measured(options: argparse.Namespace) -> int:
    pages = await asyncio.to_thread(documentation)
    asked = questions(pages, options.questions)
    used = {question.page for question in asked}
    articles = pages_of(pages, ARTICLE_CHARS, list(used))[:ARTICLES]
    filler = pages_of(pages, FILLER_CHARS, [*used, *articles])[: options.filler]
    progress(f"{len(pages)} pages, {len(asked)} questions about {len(used)}, {len(filler)} to fill the store")
    load = os.getloadavg()
    async with _surroundings(pages) as (site, proxy):
        chosen = {
            name: opened
            for name, opened in contestants(proxy, options.peer).items()
            if not options.only or name in options.only
        }
        trials = []
        for name, opened in chosen.items():
            async with opened() as contestant:
                trials.append(await trial(name, contestant, site, proxy, questions=asked, articles=articles))
        grown = [
            await _growth(name, opened, site, asked, filler)
            for name, opened in chosen.items()
            if filler and name.startswith(report.OURS)
        ]
    text = report.page(asked, trials, grown, _machine(load), _notes())
    say(text)
    if not options.only:
        PAGE.write_text(text + "\n", "utf-8")
    return 0 if all(each.is_met for each in report.bars(trials, grown)) else 1


@asynccontextmanager
async def _surroundings(pages: Mapping[str, str]) -> AsyncIterator[tuple[Site, Proxy]]:
    model = await model_file(archives(PACKAGES)["minilm"])
    served = {path: html.encode() for path, html in pages.items()}
    async with (
        an_embedding_server(model) as url,
        a_proxy(url) as proxy,
        a_site(served, has_etags=True) as site,
    ):
        yield site, proxy


async def _growth(
    name: str, opened: Opened, site: Site, asked: Sequence[Question], filler: Sequence[str]
) -> Growth:
    async with opened() as contestant:
        return await growth(name, contestant, site, asked, filler)


def documentation() -> dict[str, str]:
    """Return the pages by their paths on the site. Raises ArchiveError."""
    known, pages = archives(PACKAGES), dict[str, str]()
    for name, folder in FOLDERS.items():
        progress(f"reading {known[name].package} {known[name].version}")
        for path, content in read_named(known[name], [f"{folder}*.html"]).items():
            pages[f"{name}/{path.removeprefix(folder)}"] = content.decode("utf-8", "replace")
    return pages


def _machine(load: Sequence[float]) -> str:
    cores = len(os.sched_getaffinity(0))
    now = os.getloadavg()[0]
    return (
        f"Python {platform.python_version()}, {cores} cores; load {load[0]:.1f} before, {now:.1f} at the end."
    )


def _notes() -> list[str]:
    return [
        f"Pages: {', '.join(f'{each.package} {each.version}' for each in archives(PACKAGES).values() if each.registry == 'debian')}, served locally with ETags.",
        f"Embeddings: {MODEL} on llama.cpp, the same server for all; passages of {PASSAGE_TOKENS} tokens for all, as that model reads no more.",
        "The peer is @dimitrk/mcp-search (npm). `no threshold`: with SIMILARITY_THRESHOLD=0; its default is .6.",
        "Cold: a page's questions in one call on an empty store. Cached: each question alone, after that.",
    ]


if __name__ == "__main__":
    sys.exit(main())
