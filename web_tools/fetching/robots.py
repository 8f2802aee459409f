"""What a site's robots.txt allows, for those who choose to obey it (RFC 9309). Off by default.

Fetches nothing but robots.txt, and that through the function it is given.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from yarl import URL

from concurrency.worker_threads import Worker
from web_tools.fetching.http_fetch import UnexpectedStatus
from web_tools.page_urls import shown
from web_tools.pages import FetchedPage, NotAllowed, PageProtected, WebError

# "Crawlers SHOULD NOT use the cached version for more than 24 hours" (RFC 9309, 2.4).
KEEP_SECONDS = 24 * 3600.0

# "The parsing limit MUST be at least 500 kibibytes" (RFC 9309, 2.5).
MAX_BYTES = 500 * 1024

# The first fetched go first. Few sites have more than a hundred rules; one has room for 40,000.
MAX_SITES = 1000
MAX_RULES = 100_000

ROBOTS_PATH = "/robots.txt"


class RobotsRefused(NotAllowed):
    """The site's robots.txt does not allow the page."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line: paths that match the pattern are allowed, or not."""

    is_allowed: bool
    pattern: str

    def matches(self, path: str) -> bool:
        """Whether a path begins as the pattern says; `*` stands for anything, `$` at its end for the path's end."""
        pattern, is_whole = self.pattern.removesuffix("$"), self.pattern.endswith("$")
        first, *pieces = pattern.split("*")
        if not path.startswith(first):
            return False
        place = len(first)
        last = pieces.pop() if is_whole and pieces else None
        for piece in pieces:
            found = path.find(piece, place)
            if found < 0:
                return False
            place = found + len(piece)
        if last is not None:
            return path.endswith(last) and len(path) - len(last) >= place
        return not is_whole or place == len(path)


class RobotsRules:
    """Asks the robots.txt of each page's site."""

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[FetchedPage]],
        product: str,
        worker: Worker,
        clock: Callable[[], float],
    ) -> None:
        """`product` is the name under which a robots.txt may speak of this service."""
        self._fetch = fetch
        self._product = product
        self._worker = worker
        self._clock = clock
        self._sites: dict[URL, tuple[float, tuple[Rule, ...]]] = {}

    async def check(self, url: URL) -> None:
        """Raise RobotsRefused for a page that must not be fetched."""
        rules = await self._rules_of(url.origin())
        # Some files hold thousands of rules.
        if not await self._worker(is_allowed, rules, url.raw_path_qs):
            raise RobotsRefused(
                f"{shown(url)}: the site's robots.txt does not allow it, and WEB_OBEY_ROBOTS is on: read another page"
            )

    async def _rules_of(self, origin: URL) -> tuple[Rule, ...]:
        fetched, rules = self._sites.get(origin, (0.0, ()))
        if origin not in self._sites or self._clock() - fetched > KEEP_SECONDS:
            rules = await self._fetched(origin)
            self._sites.pop(origin, None)
            self._sites[origin] = (self._clock(), rules)
            while len(self._sites) > 1 and self._are_too_many():
                del self._sites[next(iter(self._sites))]
        return rules

    def _are_too_many(self) -> bool:
        return (
            len(self._sites) > MAX_SITES or sum(len(rules) for _, rules in self._sites.values()) > MAX_RULES
        )

    async def _fetched(self, origin: URL) -> tuple[Rule, ...]:
        try:
            page = await self._fetch(str(origin.with_path(ROBOTS_PATH)))
        except PageProtected:
            return ()
        except WebError as error:
            # "Unavailable" (400 to 499): "MAY access any resources" (2.3.1.3).
            if isinstance(error, UnexpectedStatus) and error.status < 500:
                return ()
            # "Unreachable": "MUST assume complete disallow" (2.3.1.4). Asked anew for the next page.
            raise RobotsRefused(
                f"{shown(origin)}: its robots.txt could not be read, so no page is ({error})"
            ) from None
        text = page.body[:MAX_BYTES].decode("utf-8", "replace")
        rules: tuple[Rule, ...] = await self._worker(parse_rules, text, self._product)
        return rules


def is_allowed(rules: tuple[Rule, ...], path: str) -> bool:
    """Whether a path, with its query, may be fetched: "the most specific match found MUST be used", allowed before not allowed."""
    if path == ROBOTS_PATH:
        return True
    matching = (rule for rule in rules if rule.matches(path))
    best = max(matching, key=lambda rule: (len(rule.pattern), rule.is_allowed), default=None)
    return best is None or best.is_allowed


def parse_rules(text: str, product: str) -> tuple[Rule, ...]:
    """Return the rules of all groups for this product; where there is no such group, of those for all."""
    own, general = list[Rule](), list[Rule]()
    has_own = False
    agents = set[str]()
    in_rules = True
    for key, value in _lines(text):
        if key == "user-agent":
            if in_rules:
                agents.clear()
            agents.add(value.lower())
            in_rules = False
            has_own = has_own or value.lower() == product
        elif key in ("allow", "disallow"):
            in_rules = True
            rule = [Rule(key == "allow", _as_requested(value))] if value else []
            own += rule if product in agents else []
            general += rule if "*" in agents else []
    return tuple(own if has_own else general)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        yield key.strip().lower(), value.strip()


def _as_requested(pattern: str) -> str:
    """Return a pattern with the characters percent-encoded that are so in a request (RFC 9309, 2.2.2)."""
    return quote(pattern, safe="/%:?#[]@!$&'()*+,;=~")
