"""The page in a real browser: a text is summarized by hand, and the summary stands beside its source."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from tests.support.browser import BrowserPage, open_browser
from tests.support.service import Run, Service, prose

# Characters outside the Basic Multilingual Plane: a browser counts two units for each, the service one character.
LONG = "\N{SAILBOAT}\N{ROCKET} " + prose(200)
QUESTION = "Bertram in Coldharbour"


@pytest.fixture
async def page() -> AsyncIterator[BrowserPage]:
    async with open_browser() as opened:
        yield opened


async def fill(page: BrowserPage, text: str, question: str = "") -> None:
    given = json.dumps([text, question])
    await page.run(
        f"{{ const [text, question] = {given}; const form = document.querySelector('#try form');"
        "form.content.value = text; form.question.value = question; form.requestSubmit(); }"
    )


async def test_a_text_is_summarized_beside_its_source(page: BrowserPage, service: Service) -> None:
    await page.open(f"{service.origin}/")
    await page.until("!document.getElementById('try').hidden")
    await fill(page, LONG, QUESTION)
    await page.until("document.querySelector('.summary .line')")
    assert "facts kept" in await page.run("document.querySelector('.outcome').textContent")
    assert await page.run("document.querySelector('.source').textContent.includes('lines left out')")
    # Each line leads to a place with its own words.
    pairs = await page.run(
        "[...document.querySelectorAll('.summary .line')].map(line => { line.click();"
        "return [line.textContent, document.querySelector('.led-to').textContent] })"
    )
    assert len(pairs) >= 5
    for line, place in pairs:
        assert line.split() == place.split()
    assert await page.run("document.querySelectorAll('.fact.kept').length") > 0
    assert page.complaints == []


async def test_words_of_the_question_that_the_text_has_nowhere_are_named(
    page: BrowserPage, service: Service
) -> None:
    await page.open(f"{service.origin}/")
    await page.until("!document.getElementById('try').hidden")
    await fill(page, LONG, f"{QUESTION} CVE-1999-0001")
    await page.until("document.querySelector('.summary .line')")
    said = await page.run("document.querySelector('.outcome').textContent")
    assert "nowhere in the text: CVE-1999-0001" in said


async def test_all_of_the_source_is_there_once_it_is_unfolded(page: BrowserPage, service: Service) -> None:
    await page.open(f"{service.origin}/")
    await fill(page, LONG)
    await page.until("document.querySelector('.source mark')")
    await page.run("document.querySelector('.unfold').click()")
    shown = await page.run(
        "(() => { const source = document.querySelector('.source').cloneNode(true);"
        "for (const note of source.querySelectorAll('summary')) note.remove(); return source.textContent })()"
    )
    assert shown == LONG


LISTING = "NAME                STATUS             RESTARTS   NODE\n" + "".join(
    f"web-{number:03}             Running            {number % 4}          node-{number % 7}\n"
    for number in range(300)
)
CSV = "id,customer,status,amount\n" + "".join(
    f"{number},c{number * 31 % 97},paid,{number}\n" for number in range(300)
)


@pytest.mark.parametrize("text, is_wrapped", [(LONG, True), (LISTING, False), (CSV, False)])
async def test_lines_of_prose_are_wrapped_and_rows_are_not_until_that_is_wanted(
    page: BrowserPage, service: Service, text: str, is_wrapped: bool
) -> None:
    await page.open(f"{service.origin}/")
    await fill(page, text)
    await page.until("document.querySelector('.source mark')")
    styles = (
        "[...document.querySelectorAll('.summary, .source')].map(each => getComputedStyle(each).whiteSpace)"
    )
    expected = "pre-wrap" if is_wrapped else "pre"
    assert await page.run(styles) == [expected, expected]
    await page.run("document.querySelector('[name=wrap]').click()")
    other = "pre" if is_wrapped else "pre-wrap"
    assert await page.run(styles) == [other, other]
    assert page.complaints == []


async def test_an_error_is_gone_once_something_else_is_entered_and_stands_beside_no_older_summary(
    page: BrowserPage, run: Run
) -> None:
    async with run(MAX_BODY_BYTES="20000") as service:
        await page.open(f"{service.origin}/")
        await fill(page, prose(40))
        await page.until("document.querySelector('.source mark')")
        await fill(page, prose(400))
        await page.until("!document.getElementById('trouble').hidden")
        assert await page.run("document.querySelector('.beside').hidden")
        await page.run(
            "document.querySelector('#try form').content.dispatchEvent(new Event('input', {bubbles: true}))"
        )
        assert await page.run("document.getElementById('trouble').hidden")


async def test_a_script_in_a_text_is_text(page: BrowserPage, service: Service) -> None:
    await page.open(f"{service.origin}/")
    await fill(
        page, f"<script>document.title='owned'</script><img src=x onerror=document.title='owned'>\n\n{LONG}"
    )
    await page.until("document.querySelector('.source mark')")
    assert await page.run("document.title") == "mcp-summarizer"
    assert page.complaints == []


async def test_a_service_with_keys_asks_for_one_and_goes_on(page: BrowserPage, run: Run) -> None:
    async with run(MCP_SUMMARIZER_API_KEYS="a-key-that-nobody-guesses") as service:
        await page.open(f"{service.origin}/")
        await fill(page, LONG)
        await page.until("!document.getElementById('key').hidden")
        assert "wants a key" in await page.run("document.getElementById('trouble').textContent")
        await page.run(
            "{ const form = document.getElementById('key');"
            "form.key.value = 'a-key-that-nobody-guesses'; form.requestSubmit(); }"
        )
        await page.until("document.querySelector('.source mark')")


async def test_a_wrong_key_is_said_to_be_wrong(page: BrowserPage, run: Run) -> None:
    async with run(MCP_SUMMARIZER_API_KEYS="a-key-that-nobody-guesses") as service:
        await page.open(f"{service.origin}/")
        await fill(page, LONG)
        await page.until("!document.getElementById('key').hidden")
        await page.run(
            "{ const form = document.getElementById('key'); form.key.value = 'a-wrong-one'; form.requestSubmit(); }"
        )
        await page.until("document.getElementById('trouble').textContent.includes('wrong')")


async def test_an_address_that_names_no_view_shows_the_first_one(page: BrowserPage, service: Service) -> None:
    await page.open(f"{service.origin}/#/nonsense")
    await page.until("!document.querySelector('nav').hidden")
    assert await page.run("!document.getElementById('try').hidden")


async def test_a_placeholder_stands_out_from_a_dark_field(page: BrowserPage, service: Service) -> None:
    await page.open(f"{service.origin}/")
    await page.prefer_dark()
    shades = await page.run(
        "[getComputedStyle(document.querySelector('[name=question]'), '::placeholder').color,"
        " getComputedStyle(document.querySelector('[name=question]')).backgroundColor]"
        ".map(color => Number(color.match(/[0-9]+/)[0]))"
    )
    # Greys: their ratio of luminance is at least 4.5, as WCAG 2.2 wants it (1.4.3).
    light, dark = ((((shade / 255) + 0.055) / 1.055) ** 2.4 for shade in shades)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


async def test_what_the_service_refuses_is_said(page: BrowserPage, run: Run) -> None:
    async with run(MAX_BODY_BYTES="1024") as service:
        await page.open(f"{service.origin}/")
        await fill(page, LONG)
        await page.until("!document.getElementById('trouble').hidden")
        assert "MAX_BODY_BYTES" in await page.run("document.getElementById('trouble').textContent")


async def test_that_the_service_cannot_be_reached_is_said_with_what_to_do(
    page: BrowserPage, run: Run
) -> None:
    async with run() as service:
        await page.open(f"{service.origin}/")
        await page.until("!document.querySelector('nav').hidden")
    await fill(page, LONG)
    await page.until("!document.getElementById('trouble').hidden")
    said = await page.run("document.getElementById('trouble').textContent")
    assert said == "The service cannot be reached: see whether it still runs, then try again."
