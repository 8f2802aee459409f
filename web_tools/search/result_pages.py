"""As many results as were asked for, from as many pages of a provider as that takes. Sends nothing itself."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from web_tools.pages import WebError
from web_tools.search.provider import JsonObject


@dataclass(frozen=True)
class ResultPage:
    """One answer of a provider."""

    raw: JsonObject
    entries: list[JsonObject]
    """Its results."""
    is_last: bool


@dataclass(frozen=True)
class AllResults:
    """The answers of all pages as they came, and their results together."""

    raw: tuple[JsonObject, ...]
    entries: list[JsonObject]
    note: str = ""


async def all_results(
    page: Callable[[int], Awaitable[ResultPage]], url_field: str, count: int, most_pages: int
) -> AllResults:
    """Ask for pages, from number 0 on, until there are `count` results or no new ones.

    Of the results, a URL that came before is left out, and so is what is beyond `count`. Raises WebError where the first page fails; a
    later one is named in the note.
    """
    current = await page(0)
    answers, found, note = [current.raw], dict[str, JsonObject](), ""
    for number in range(1, most_pages + 1):
        before = len(found)
        for entry in current.entries:
            found.setdefault(text_of(entry, url_field), entry)
        if current.is_last or len(found) == before or len(found) >= count or number == most_pages:
            break
        try:
            current = await page(number)
        except WebError as error:
            note = f"page {number + 1} of the results is missing: {error}"
            break
        answers.append(current.raw)
    return AllResults(tuple(answers), list(found.values())[:count], note)


def objects(value: object) -> list[JsonObject]:
    """Return the results in an answer's list, without what is no object; none where it is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text_of(entry: JsonObject, name: str) -> str:
    """Return a text of a result; empty where it has none."""
    value = entry.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""
