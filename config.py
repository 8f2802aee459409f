"""Every setting: its name in the environment, default, unit and check; `Config` holds their values, frozen.

Here is the list, and what must hold between several settings; those of HTTP, of the model's API and of the web tools are in
settings/http_settings.py, settings/model_settings.py and settings/web_settings.py. How one is read is in settings/setting.py, the
formats of values in settings/value_parsers.py. Knows nothing of how the settings are used. The environment is an argument, read once
at the start.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields, replace
from typing import Any

from settings import value_parsers
from settings.http_settings import HttpSettings
from settings.misspellings import compared, shortened, suggestion
from settings.model_settings import ModelSettings
from settings.setting import SERVICE_LINK, ConfigError, ReadFile, Setting, read_file, setting_field
from settings.web_settings import WebSettings

# What the service and the command line call themselves.
NAME = "mcp-summarizer"
VERSION = "0.1.0"

# What settings were called in version 0.1.0.
RENAMED = {"DATA_DIRECTORY": "STORAGE_DIRECTORY"}

# Equal to definitions.MIN_TARGET_TOKENS: below it not even one sentence fits. Repeated because settings
# know nothing of tools; a test holds the two equal.
MIN_OUTPUT_TOKENS = 16

# Equal to LEAST_CHUNK_TOKENS in summarizing/budgets.py, the smallest chunk; a test holds the two equal.
MIN_CHUNK_TOKENS = 200

# Thirty days: a text that must be kept longer belongs in the caller's own files.
MAX_ORIGINAL_SECONDS = 30 * 86_400

# A year: what must be kept longer belongs in an archive.
MAX_TIMELINE_SECONDS = 365 * 86_400

OWN_PREFIX = "MCP_SUMMARIZER_"

INEFFECTIVE_NOTE = "it has no effect without OPENROUTER_API_KEY: the embedded summarizer serves"
IGNORED_NOTE = "its value is not one of this setting, and is ignored while WEB_ENABLED is off: another program may read the name"

SHORTENED_NOTE = "expected the name of a setting: did you mean {}? It is ignored: another program may read it"


@dataclass(frozen=True)
class Config(HttpSettings, WebSettings, ModelSettings):
    """The settings of one process."""

    # A task keeps its result, in the worst case as large as its request, until it expires. 0 for one of several replicas.
    max_tasks: int = setting_field(
        "MAX_TASKS",
        64,
        value_parsers.whole(0, 10_000),
        "tasks that are stored at once, running and finished; 0: no tasks, and the extension is not offered to "
        "clients",
    )
    # An agent polls its task every few seconds; after an hour without a poll it will not come back.
    task_ttl_seconds: float = setting_field(
        "TASK_TTL_SECONDS",
        3_600.0,
        value_parsers.seconds,
        "how long a task is stored after it was last asked about, in seconds",
    )
    # About 25,000 tokens, four chunks of the default size: with a model, some ten seconds.
    task_content_chars: int = setting_field(
        "TASK_CONTENT_CHARS",
        100_000,
        value_parsers.whole(0),
        "calls with at least this many characters of content run as a task, for clients that declare the tasks "
        "extension",
    )
    mcp_gateway_config: str = setting_field(
        "MCP_GATEWAY_CONFIG",
        "",
        str,
        "file with the MCP servers (`mcpServers`, as clients have it) whose tools `/gateway/mcp` offers; empty: no gateway",
    )
    # Texts are private: unless a directory is set, they must not outlive the process.
    storage_directory: str = setting_field(
        "STORAGE_DIRECTORY",
        "",
        str,
        "directory for the files with the originals that are kept (`keep_original`, and results that the gateway "
        "shortens) and with what the gateway keeps: its timeline, its servers' tools, new refresh tokens; it is created if its parent exists; empty: they are kept in memory, and lost at a restart",
    )
    # An agent that is stopped in the evening continues in the morning; a private text should not be kept longer.
    original_ttl_seconds: int = setting_field(
        "ORIGINAL_TTL_SECONDS",
        86_400,
        value_parsers.whole(1, MAX_ORIGINAL_SECONDS),
        "how long an original is kept after it was last read, in seconds",
    )
    # Forty texts of the default MAX_BODY_BYTES, compressed; without STORAGE_DIRECTORY this is memory.
    max_originals_bytes: int = setting_field(
        "MAX_ORIGINALS_BYTES",
        256 * 1024 * 1024,
        value_parsers.whole(0),
        "size of the store of originals, compressed, in bytes; the key with the most bytes loses its least "
        "recently read ones first; 0: no originals are kept",
    )
    # A week: what an agent did on Friday is asked about on Monday.
    timeline_ttl_seconds: int = setting_field(
        "TIMELINE_TTL_SECONDS",
        7 * 86_400,
        value_parsers.whole(1, MAX_TIMELINE_SECONDS),
        "how long an event of the gateway's timeline is kept, in seconds",
    )
    # Some ten thousand calls of 5 KB each, compressed; without STORAGE_DIRECTORY this is memory.
    max_timeline_bytes: int = setting_field(
        "MAX_TIMELINE_BYTES",
        64 * 1024 * 1024,
        value_parsers.whole(0),
        "size of the timeline, compressed, in bytes; the oldest events go first; 0: no timeline is kept",
    )
    default_chunk_size_tokens: int = setting_field(
        "DEFAULT_CHUNK_SIZE_TOKENS",
        8_000,
        value_parsers.whole(MIN_CHUNK_TOKENS),
        "size of the chunks that the model reads, in tokens; at most half of LLM_CONTEXT_TOKENS",
    )
    default_chunk_overlap_tokens: int = setting_field(
        "DEFAULT_CHUNK_OVERLAP_TOKENS",
        500,
        value_parsers.whole(0),
        "what a chunk repeats of the one before if the cut is inside a paragraph, in tokens",
    )
    # Twenty chunks of 40,000 tokens: each prompt has about 280 tokens of instructions.
    llm_prompt_overhead_percent: int = setting_field(
        "LLM_PROMPT_OVERHEAD_PERCENT",
        15,
        value_parsers.whole(0, 100),
        "what the prompts' instructions may add to the tokens of a text, in per cent: smaller chunks are answered"
        " sooner, but the instructions are sent with each; 0: as few chunks as DEFAULT_CHUNK_SIZE_TOKENS allows",
    )
    default_max_output_tokens: int = setting_field(
        "DEFAULT_MAX_OUTPUT_TOKENS",
        5_000,
        value_parsers.whole(MIN_OUTPUT_TOKENS),
        "size of a summary if the caller names none, in tokens",
    )
    on_failure: str = setting_field(
        "ON_FAILURE",
        "original",
        value_parsers.one_of("original", "extractive", "error"),
        "what the caller gets if the model gave no answer at all: the content unchanged (`original`), a summary "
        "made without the model (`extractive`), or a tool error (`error`)",
    )
    suspicious_passages: str = setting_field(
        "SUSPICIOUS_PASSAGES",
        "mark",
        value_parsers.one_of("mark", "drop"),
        "what becomes of passages that look like instructions to a model: named in the outcome (`mark`), or also left out "
        "of what is summarized (`drop`)",
    )
    # Clients time out after 60 seconds or more: a partial summary before that is worth more than a full one after it.
    summarize_deadline_seconds: float = setting_field(
        "SUMMARIZE_DEADLINE_SECONDS",
        50.0,
        value_parsers.seconds_or_none,
        "time for one call from its arrival, in seconds: shortly before it is over, what the model has finished "
        "is kept and the rest is summarized without it; a call with nothing finished by then gets 503; not for "
        "calls that run as a task; 0: no deadline",
    )
    log_format: str = setting_field(
        "LOG_FORMAT",
        "json",
        value_parsers.one_of("json", "text"),
        "`json` for machines, `text` for people; `text` is also the default if standard output is a terminal",
    )
    log_level: str = setting_field(
        "LOG_LEVEL",
        "info",
        value_parsers.one_of("debug", "info", "warning", "error"),
        "lowest level that is logged",
    )

    ignored_settings: tuple[str, ...] = ()
    """The names of settings of the web tools whose values are wrong, which does not matter while these tools are off."""

    shortened_names: tuple[tuple[str, str], ...] = ()
    """Names of the environment that lack a word of a setting's, each with what may be meant."""

    @property
    def backend(self) -> str:
        """What summarizes: `openrouter` or `extractive`."""
        return "openrouter" if self.openrouter_api_key else "extractive"

    @classmethod
    def from_env(
        cls,
        env: Mapping[str, str],
        read: ReadFile = read_file,
        *,
        reads_pages: bool = False,
        from_file: Collection[str] = (),
    ) -> "Config":
        """Read every setting; an absent or empty one has its default. Raises ConfigError.

        A secret NAME can be read from the file that NAME_FILE names, with `read`. `reads_pages`: a page on the web will be read, even if
        WEB_ENABLED is off. `from_file`: the names that .env has, which are meant for this program: there one that lacks a word is refused.
        """
        is_enabled = WebSettings.enabling_setting().value_in(env, read)
        optional = frozenset() if reads_pages or is_enabled else WebSettings.names_without_use()
        given, ignored = dict[str, Any](), list[str]()
        for attribute in _setting_fields():
            setting: Setting = attribute.metadata["setting"]
            try:
                value = setting.value_in(env, read)
            except ConfigError:
                if setting.name not in optional:
                    raise
                ignored.append(setting.name)
                continue
            if value is not None:
                given[attribute.name] = value
        config = cls(**given, ignored_settings=tuple(ignored))
        config.check_http_settings()
        config.check_model_settings()
        config._check_chunk_sizes()
        config.check_web_settings()
        return replace(config, shortened_names=tuple(config._shortened_names(env, optional, from_file)))

    def _shortened_names(
        self, env: Mapping[str, str], optional: frozenset[str], from_file: Collection[str]
    ) -> Iterator[tuple[str, str]]:
        """Yield the names that lack a word of a setting's; refuse those that are meant for this program, and misspelled ones.

        None is looked for where the setting that it resembles is set or without use: then it may belong to another program, unless it has
        this service's prefix.
        """
        unset = [
            name
            for attribute in _setting_fields()
            if attribute.metadata["setting"].name not in optional
            and getattr(self, attribute.name) == attribute.default
            for name in attribute.metadata["setting"].names
        ]
        valid = [name for setting, _ in settings() for name in setting.names]
        candidates = [name for name in valid if name in unset or _is_own(name)]
        for name in compared((each for each in env.keys() - valid if env[each].strip()), OWN_PREFIX):
            likely = RENAMED.get(name.upper()) or suggestion(name, candidates)
            if likely in candidates:
                raise _misspelled(name, likely)
            known = valid if _is_own(name) else unset
            meant = () if SERVICE_LINK.match(env[name]) else _without_a_word(name, known)
            if not meant:
                continue
            if name in from_file or _is_own(name):
                raise _misspelled(name, *meant)
            yield name, " or ".join(meant)

    def _check_chunk_sizes(self) -> None:
        if self.default_chunk_overlap_tokens >= self.default_chunk_size_tokens:
            raise ConfigError(
                "DEFAULT_CHUNK_OVERLAP_TOKENS: expected less than DEFAULT_CHUNK_SIZE_TOKENS "
                f"({self.default_chunk_size_tokens}), got {self.default_chunk_overlap_tokens}"
            )
        if self.default_chunk_size_tokens > self.llm_context_tokens // 2:
            raise ConfigError(
                "DEFAULT_CHUNK_SIZE_TOKENS: expected at most half of LLM_CONTEXT_TOKENS "
                f"({self.llm_context_tokens // 2}), got {self.default_chunk_size_tokens}"
            )


def settings() -> list[tuple[Setting, Any]]:
    """Return every setting with its default, in the order of Config: the documents must list them all."""
    return [(attribute.metadata["setting"], attribute.default) for attribute in _setting_fields()]


def _setting_fields() -> list[Field[Any]]:
    return [attribute for attribute in fields(Config) if "setting" in attribute.metadata]


def _is_own(name: str) -> bool:
    """Whether a name has this service's prefix: no other program's settings have it."""
    return name.upper().startswith(OWN_PREFIX)


def _without_a_word(name: str, known: Sequence[str]) -> list[str]:
    """Return the settings of which this is the name less one word, or with this service's prefix before it."""
    rest = name.upper().removeprefix(OWN_PREFIX)
    return [rest] if rest in known else shortened(name, known) or shortened(rest, known)


def _misspelled(name: str, *meant: str) -> ConfigError:
    others = () if _is_own(name) else [each for each in meant if not _is_own(each)]
    otherwise = f", or set {' or '.join(others)} too, to another value than its default" if others else ""
    told = "this one is called {} now." if name.upper() in RENAMED else "did you mean {}?"
    return ConfigError(
        f"{name}: expected the name of a setting: {told.format(' or '.join(meant))} "
        f"If another program reads {name}, start this one without it{otherwise}"
    )


def ineffective_settings(config: Config) -> dict[str, str]:
    """Return the settings without effect, each with the reason: wrong values or names that are ignored, and what only a model would use."""
    ignored = dict.fromkeys(config.ignored_settings, IGNORED_NOTE)
    ignored |= {name: SHORTENED_NOTE.format(meant) for name, meant in config.shortened_names}
    if config.openrouter_api_key:
        return ignored
    defaults = Config()
    changed = {
        "LLM_MODEL": config.llm_model != defaults.llm_model,
        "OPENROUTER_BASE_URL": config.openrouter_base_url != defaults.openrouter_base_url,
    }
    return ignored | {name: INEFFECTIVE_NOTE for name, is_changed in changed.items() if is_changed}
