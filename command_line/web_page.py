"""The text of a page on the web, for a URL in place of a file's name. What is fetched, and how, the wing web_tools/ knows."""

import asyncio

from settings.web_settings import WebSettings

SCHEMES = ("http://", "https://")


class PageUnreadable(Exception):
    """The page cannot be read: the message says why, and what to do."""


def is_url(file: str) -> bool:
    """Whether this is the address of a page, and no file's name."""
    return file.lower().startswith(SCHEMES)


def page_text(url: str, settings: WebSettings, user_agent: str) -> str:
    """Return the readable text of a page as Markdown. Raises PageUnreadable."""
    try:
        from web_tools.page_source import open_page_source  # noqa: PLC0415 - a wing, with packages of its own
        from web_tools.pages import WebError  # noqa: PLC0415 - as above
        from web_tools.request_slots import RequestSlots  # noqa: PLC0415 - as above
    except ModuleNotFoundError as missing:
        raise PageUnreadable(
            f"pages are read with the packages of requirements-web.txt, of which there is no {missing.name}; "
            "`make .venv-web/stamp` installs them for .venv-web/bin/python"
        ) from None

    async def read() -> str:
        slots = RequestSlots(settings.concurrency, settings.request_timeout_ms)
        async with open_page_source(settings, slots, user_agent) as source:
            return (await source.read(url)).text

    try:
        return asyncio.run(read())
    except WebError as problem:
        raise PageUnreadable(str(problem)) from None
