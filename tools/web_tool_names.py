"""What the web tools are called: known without them, so that a call says what switches them on. Says nothing of what they do."""

from typing import NamedTuple


class Names(NamedTuple):
    """What the two tools are called."""

    search: str
    read: str


UNDERSCORES = Names("web_search", "web_read_from_page")
DOTTED = Names("web.search", "web.readFromPage")
"""The names of the requirements, which the APIs of OpenAI and Anthropic refuse."""
