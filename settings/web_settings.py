"""The settings of the web tools: name in the environment, default, unit and check of each. Part of `Config` (config.py).

Beside the list stands what must hold between several of them. Knows nothing of how they are used.
"""

from dataclasses import dataclass, fields
from ipaddress import IPv4Network, IPv6Network

from settings import value_parsers
from settings.setting import ConfigError, Setting, setting_field

# A page that was asked for a month ago is fetched again before it answers.
MAX_FRESH_SECONDS = 30 * 86_400

# Smaller ones hold no statement with what it is about; the largest that common embedding models read.
MIN_PASSAGE_TOKENS, MAX_PASSAGE_TOKENS = 64, 8_192

# The search providers, each with the settings that it needs. Without SEARCH_PROVIDER the first one that has them is asked.
NEEDED_TO_SEARCH = {
    "searxng": ("SEARXNG_URL",),
    "brave": ("BRAVE_API_KEY",),
    "tavily": ("TAVILY_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GOOGLE_SEARCH_ENGINE_ID"),
}

# The longest that clients wait for any call, five times over: more is a mistake in the unit.
MAX_TIMEOUT_MS = 600_000


@dataclass(frozen=True)
class WebSettings:
    """Which web tools there are, what they may reach, and where they keep pages."""

    web_enabled: bool = setting_field(
        "WEB_ENABLED",
        default=False,
        parse=value_parsers.switch,
        meaning="whether `web_search` and `web_read_from_page` are offered; they need the packages of requirements/web.txt, which "
        "`make run-web` installs",
    )
    tool_names: str = setting_field(
        "TOOL_NAMES",
        "underscores",
        value_parsers.one_of("underscores", "dotted"),
        "how the list of tools names these two: `web_search` and `web_read_from_page` (`underscores`), or `web.search` and "
        "`web.readFromPage` (`dotted`), for which some model APIs refuse the whole list; calls may use either",
    )
    # Pages are public, and reading them again costs their servers something: unlike originals they are kept by default.
    data_dir: str = setting_field(
        "DATA_DIR",
        "",
        str,
        "directory of the file with the pages that were read (`db/mpc.duckdb`); it is created if its parent exists; empty: STORAGE_DIRECTORY, and without "
        "that the user's data directory (on Linux `~/.local/share/mcp-summarizer`)",
    )
    # About forty thousand pages of 5,000 tokens, with vectors of 384 numbers.
    max_stored_pages_bytes: int = setting_field(
        "MAX_STORED_PAGES_BYTES",
        1024 * 1024 * 1024,
        value_parsers.whole(1024 * 1024),
        "room for the stored pages, in bytes of their texts, passages and vectors; the least recently read pages go first; the file has about this size",
    )
    # Most pages change less than once a day, and a caller can force a refresh.
    page_fresh_seconds: int = setting_field(
        "PAGE_FRESH_SECONDS",
        86_400,
        value_parsers.whole(0, MAX_FRESH_SECONDS),
        "how long a stored page answers before its server is asked whether it has changed, in seconds; a call with forceRefresh "
        "asks at once",
    )
    request_timeout_ms: int = setting_field(
        "REQUEST_TIMEOUT_MS",
        20_000,
        value_parsers.whole(100, MAX_TIMEOUT_MS),
        "time for a page, with all its redirects and the retry, or for one request to the search provider or the embedding server, in "
        "milliseconds; a request waits as long at most for its turn (CONCURRENCY)",
    )
    # Few enough that no page's server takes an agent for an attack.
    concurrency: int = setting_field(
        "CONCURRENCY",
        2,
        value_parsers.whole(1, 64),
        "requests of the web tools that are under way at once: to pages, searches and the embedding server together; the keys of callers "
        "take turns",
    )
    # Ten of the longest pages that people read; a PDF of a thousand pages.
    max_page_bytes: int = setting_field(
        "MAX_PAGE_BYTES",
        20 * 1024 * 1024,
        value_parsers.whole(1024, 256 * 1024 * 1024),
        "largest page that is read, in bytes, as it comes and again once unpacked",
    )
    web_allowed_networks: tuple[IPv4Network | IPv6Network, ...] = setting_field(
        "WEB_ALLOWED_NETWORKS",
        (),
        value_parsers.networks,
        "networks of an intranet whose pages may be read, comma-separated, as 10.1.0.0/16 or a single address; any other address "
        "that is not public is refused; whoever can call this service can read what is in these",
    )
    web_obey_robots: bool = setting_field(
        "WEB_OBEY_ROBOTS",
        default=False,
        parse=value_parsers.switch,
        meaning="whether pages that a site's robots.txt closes to `mcp-summarizer`, or to everybody, are left unread",
    )
    web_render_pages: bool = setting_field(
        "WEB_RENDER_PAGES",
        default=False,
        parse=value_parsers.switch,
        meaning="whether a page that says nothing without its scripts is opened in Chromium; needs requirements/web-rendering.txt and "
        "a Chromium",
    )
    chromium_path: str = setting_field(
        "CHROMIUM_PATH",
        "",
        str,
        "the Chromium to open such pages in, such as `/usr/bin/chromium`; empty: the one that Playwright has installed",
    )
    page_ranking: str = setting_field(
        "PAGE_RANKING",
        "hybrid",
        value_parsers.one_of("hybrid", "semantic"),
        "with an embedding server: passages are ranked by words and by meaning (`hybrid`), or by meaning alone, those under "
        "SIMILARITY_THRESHOLD left out (`semantic`); without one, by words",
    )
    similarity_threshold: float = setting_field(
        "SIMILARITY_THRESHOLD",
        0.72,
        value_parsers.share,
        "least cosine similarity of a passage to the query, from 0 to 1; for PAGE_RANKING `semantic` alone",
    )
    embedding_tokens_size: int = setting_field(
        "EMBEDDING_TOKENS_SIZE",
        512,
        value_parsers.whole(MIN_PASSAGE_TOKENS, MAX_PASSAGE_TOKENS),
        "size of the passages that pages are cut into, in tokens; at most what the embedding model reads",
    )
    embedding_server_url: str = setting_field(
        "EMBEDDING_SERVER_URL",
        "",
        value_parsers.http_url,
        "base URL of an OpenAI-compatible server with `/v1/embeddings`; pages and queries are sent there; empty: passages are ranked "
        "by words",
    )
    embedding_server_api_key: str = setting_field(
        "EMBEDDING_SERVER_API_KEY",
        "",
        value_parsers.secret,
        "its key, if it wants one; `EMBEDDING_SERVER_API_KEY_FILE` may name a file with it instead",
        secret=True,
    )
    embedding_model_name: str = setting_field(
        "EMBEDDING_MODEL_NAME",
        "",
        str,
        "the model it is asked for; needed with EMBEDDING_SERVER_URL; another one than the stored pages were embedded with stops the "
        "start",
    )
    search_provider: str = setting_field(
        "SEARCH_PROVIDER",
        "",
        value_parsers.one_of(*NEEDED_TO_SEARCH),
        "the search provider: `searxng`, `brave`, `tavily` or `google` (which ends on 2027-01-01); empty: the first of them whose URL or "
        "key is set, and without any no search",
    )
    searxng_url: str = setting_field(
        "SEARXNG_URL",
        "",
        value_parsers.http_url,
        "base URL of a SearXNG, whose settings must allow the format `json`",
    )
    brave_api_key: str = setting_field(
        "BRAVE_API_KEY",
        "",
        value_parsers.secret,
        "key for Brave's search API; `BRAVE_API_KEY_FILE` may name a file with it instead",
        secret=True,
    )
    tavily_api_key: str = setting_field(
        "TAVILY_API_KEY",
        "",
        value_parsers.secret,
        "key for Tavily's search API; `TAVILY_API_KEY_FILE` may name a file with it instead",
        secret=True,
    )
    google_api_key: str = setting_field(
        "GOOGLE_API_KEY",
        "",
        value_parsers.secret,
        "key for Google's Custom Search JSON API; `GOOGLE_API_KEY_FILE` may name a file with it instead",
        secret=True,
    )
    google_search_engine_id: str = setting_field(
        "GOOGLE_SEARCH_ENGINE_ID", "", str, "the search engine that Google is asked for (`cx`)"
    )
    google_safe_search: str = setting_field(
        "GOOGLE_SAFE_SEARCH",
        "off",
        value_parsers.one_of("off", "moderate", "strict"),
        "safe search of calls that do not say, at every provider: `off`, `moderate` or `strict`",
    )

    @classmethod
    def enabling_setting(cls) -> Setting:
        """Return the setting that switches the web tools on."""
        setting: Setting = cls.__dataclass_fields__["web_enabled"].metadata["setting"]
        return setting

    @classmethod
    def names_without_use(cls) -> frozenset[str]:
        """Return the names of the settings that nothing reads while the web tools are off; other programs read some of them."""
        names = {attribute.metadata["setting"].name for attribute in fields(WebSettings)}
        return frozenset(names - {cls.enabling_setting().name})

    @property
    def chosen_search_provider(self) -> str:
        """The search provider; empty: there is none."""
        ready = (provider for provider in NEEDED_TO_SEARCH if not self._lacks_to_search(provider))
        return self.search_provider or next(ready, "")

    def _lacks_to_search(self, provider: str) -> list[str]:
        """Return the names of the settings that a provider needs and that are not set."""
        return [name for name in NEEDED_TO_SEARCH[provider] if not getattr(self, name.lower())]

    def check_web_settings(self) -> None:
        """Raise ConfigError where a setting that another one needs is not set; where the tools are off, nothing is needed."""
        if not self.web_enabled:
            return
        if self.embedding_server_url and not self.embedding_model_name:
            raise ConfigError(
                "EMBEDDING_MODEL_NAME: expected the name of a model, since EMBEDDING_SERVER_URL is set, got nothing"
            )
        if self.page_ranking == "semantic" and not self.embedding_server_url:
            raise ConfigError(
                "PAGE_RANKING: expected hybrid, since EMBEDDING_SERVER_URL is not set, got semantic"
            )
        if self.search_provider and (lacking := self._lacks_to_search(self.search_provider)):
            raise ConfigError(
                f"{lacking[0]}: expected a value, since SEARCH_PROVIDER is {self.search_provider}, got nothing"
            )
