"""The text of a page on the web, for a URL in place of a file's name. web_tools/ knows what is fetched, and how."""

import asyncio

from settings.web_settings import WebSettings
from summarizing.job import PageText

SCHEMES = ("http://", "https://")

# How each requirements file is installed; the first one's environment is `make run-web`'s too.
INSTALLING = {
    "requirements/web.txt": "`make .venv-web/stamp` installs them for .venv-web/bin/python",
    "requirements/web-rendering.txt": "`.venv-web/bin/python -m pip install --require-hashes -r requirements/web-rendering.txt` "
    "installs them; or set WEB_RENDER_PAGES=false",
}


class PageUnreadable(Exception):
    """The page cannot be read: the message says why, and what to do."""


def is_url(file: str) -> bool:
    """Whether this is the address of a page, and no file's name."""
    return file.lower().startswith(SCHEMES)


def page_text(url: str, settings: WebSettings, user_agent: str) -> PageText:
    """Return the readable text of a page as Markdown. Raises PageUnreadable."""
    _check_packages(rendering=settings.web_render_pages)
    # An optional package, whose requirements are installed.
    from web_tools.page_source import open_page_source  # noqa: PLC0415
    from web_tools.pages import WebError  # noqa: PLC0415
    from web_tools.request_slots import RequestSlots  # noqa: PLC0415

    async def read() -> PageText:
        slots = RequestSlots(settings.concurrency, settings.request_timeout_ms)
        async with open_page_source(settings, slots, user_agent) as source:
            page = await source.read(url)
            return PageText(page.text, page.note, page.is_main_content)

    try:
        return asyncio.run(read())
    except WebError as problem:
        raise PageUnreadable(str(problem)) from None


def _check_packages(*, rendering: bool) -> None:
    """Raise PageUnreadable where a package is missing: in the process that reads pages it would be missed too late."""
    from web_tools.required_packages import missing_packages  # noqa: PLC0415 - an optional package

    for file, missing in missing_packages(rendering=rendering).items():
        raise PageUnreadable(
            f"pages are read with the packages of {file}, of which there is no {', '.join(missing)}; {INSTALLING[file]}"
        )
