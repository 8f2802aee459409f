"""Reading of pages with a real embedding server: what answers in other words is found, and found again from the file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bench.real_texts.archives import archives
from bench.web.__main__ import PACKAGES
from bench.web.embeddings import MODEL
from bench.web.embeddings.running_server import an_embedding_server, model_file
from tests.support.service import Run
from tests.support.web_site import WebSite, says
from tests.test_web_service import result_of, web

SECTIONS = {
    "Opening times": "The museum lets visitors in from nine in the morning and shuts its gates at six.",
    "Arriving by automobile": "Vehicles are left in the underground garage below the north wing, at two euros an hour.",
    "Meals": "The café on the first floor serves soup, bread and coffee.",
    "Lost property": "Umbrellas and gloves that were found are kept at the desk for a month.",
}
# So long that each section is a passage of its own.
PAGE = "<h1>The museum</h1>" + "".join(
    f"<h2>{title}</h2><p>{' '.join([text] * 10)}</p>" for title, text in SECTIONS.items()
)
# Each question shares no word with the section that answers it.
QUESTIONS = {
    "Where can I park my car?": "Arriving by automobile",
    "Is there something to eat?": "Meals",
    "When does it close?": "Opening times",
}


@pytest.fixture
async def embeddings() -> AsyncIterator[str]:
    async with an_embedding_server(await model_file(archives(PACKAGES)["minilm"])) as url:
        yield url


async def test_a_real_model_finds_what_answers_in_other_words_also_after_a_restart(
    run: Run, tmp_path: Path, embeddings: str
) -> None:
    settings = web(
        tmp_path,
        EMBEDDING_SERVER_URL=embeddings,
        EMBEDDING_MODEL_NAME=MODEL,
        EMBEDDING_TOKENS_SIZE="256",
    )
    async with WebSite({"/museum.html": says(PAGE)}) as site:
        for _ in range(2):
            async with run(**settings) as service:
                said = await result_of(
                    service,
                    "web_read_from_page",
                    url=site.url("/museum.html"),
                    query=list(QUESTIONS),
                    maxResults=1,
                )
            found = [query["results"][0]["sectionPath"][-1] for query in said["structuredContent"]["queries"]]
            assert found == list(QUESTIONS.values())
            assert "note" not in said["structuredContent"]
        assert site.paths == ["/museum.html"]
