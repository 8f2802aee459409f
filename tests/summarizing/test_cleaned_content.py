"""A content without what no summary is made of: a page in HTML as its main content, if that is found in time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from summarizing.budgets import Window
from summarizing.cleaned_content import (
    MAIN_CONTENT_ALONE,
    MAIN_CONTENT_NOT_SOUGHT,
    WHOLE_PAGE,
    CleanedContent,
    clean_content,
)
from summarizing.cpu_work import CpuWork
from summarizing.deadline import Deadlines
from summarizing.job import Job, MainContent, PageText, Request
from summarizing.offload import Offload
from summarizing.progress import Steps
from tests.support.manual_time import LetPass, until
from tests.support.parts import the_tokenizer

PAGE = "<!DOCTYPE html><html><body><nav>Menu of the site</nav><main><p>The ferry leaves at 07:40.</p></main></body></html>"


async def cleaned(find: MainContent, *, seconds: float | None = None, content: str = PAGE) -> CleanedContent:
    """Clean a page whose main content `find` finds, within so many seconds; reading it may take as long again."""

    async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    end = None if seconds is None else time.monotonic() + 2 * seconds
    job = Job(
        Request(content, target=1_000, main_content=find),
        Deadlines(reading=end),
        Steps(lambda done, total, message: None),
        CpuWork(Offload(at_once).threads_for("", len(content)), the_tokenizer()),
        None,
        Window(0),
    )
    return await clean_content(job, drops_suspicious=False)


@pytest.mark.parametrize(
    "page, notes",
    [
        (PageText("The ferry leaves.", is_main_content=True), (MAIN_CONTENT_ALONE,)),
        (PageText("The ferry leaves."), (WHOLE_PAGE,)),
        (PageText("The ferry leaves.", "Only a part was read."), ("Only a part was read",)),
        (PageText("The ferry leaves.", "Cut.", is_main_content=True), (MAIN_CONTENT_ALONE, "Cut")),
    ],
)
async def test_what_was_left_out_of_a_page_is_said(page: PageText, notes: tuple[str, ...]) -> None:
    async def find(html: str) -> PageText:
        assert html == PAGE
        return page

    found = await cleaned(find)
    assert (found.text, found.notes, found.unread) == ("The ferry leaves.", notes, ())
    assert found.fitting_tokens


async def test_a_page_without_text_and_a_text_that_is_no_page_are_cleaned_as_they_are() -> None:
    async def find(html: str) -> None:
        assert html == PAGE

    assert "Menu of the site" in (await cleaned(find)).text
    plain = await cleaned(find, content="The ferry leaves at 07:40.")
    assert (plain.text, plain.notes) == ("The ferry leaves at 07:40.", ())


async def test_the_search_for_the_main_content_takes_a_third_of_the_time_and_the_outcome_says_that_it_was_left(
    let_pass: LetPass,
) -> None:
    asked = asyncio.Event()

    async def never_finds(html: str) -> PageText | None:
        asked.set()
        await asyncio.Event().wait()
        return None

    cleaning = asyncio.create_task(cleaned(never_finds, seconds=300))
    await until(asked.is_set, "the search for the main content")
    let_pass(101)
    found = await cleaning
    assert "Menu of the site" in found.text
    assert "The ferry leaves at 07:40." in found.text
    assert found.notes[0] == MAIN_CONTENT_NOT_SOUGHT
    assert found.unread == ()
