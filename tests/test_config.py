"""Every setting: its default, the values it refuses and the message, and its row in the documents."""

import re
from dataclasses import FrozenInstanceError, fields, replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import config
from config import IGNORED_NOTE, Config, ineffective_settings, settings
from settings.setting import ConfigError, Setting
from settings.web_settings import WebSettings
from summarizing import budgets
from tools import definitions

HERE = Path(__file__).parent.parent
NAMES = [setting.name for setting, _ in settings()]
SECRETS = [setting for setting, _ in settings() if setting.secret]
SECRET_NAMES = [setting.name for setting in SECRETS]
FILE_NAMES = [setting.file_name for setting in SECRETS]
SETTING_FIELDS = [each for each in fields(Config) if "setting" in each.metadata]
# What nothing reads while WEB_ENABLED is off.
WEB_NAMES = WebSettings.names_without_use()
KEY = "sk-or-v1-0123456789abcdef"
OTHER_KEY = "another-key-0123456789"

DEFAULTS = {
    "MCP_SUMMARIZER_PORT": 8007,
    "LLM_MODEL": "openai/gpt-4o-mini",
    "OPENROUTER_API_KEY": "",
    "OPENROUTER_BASE_URL": "https://openrouter.ai/api/v1",
    "DEFAULT_CHUNK_SIZE_TOKENS": 8_000,
    "DEFAULT_CHUNK_OVERLAP_TOKENS": 500,
    "LLM_PROMPT_OVERHEAD_PERCENT": 15,
    "DEFAULT_MAX_OUTPUT_TOKENS": 5_000,
    "MCP_SUMMARIZER_HOST": "127.0.0.1",
    "ON_FAILURE": "original",
    "SUSPICIOUS_PASSAGES": "mark",
    "MAX_CONCURRENT_LLM_CALLS": 5,
    "LLM_CONCURRENCY_CEILING": 64,
    "LLM_BREAKER_FAILURES": 5,
    "LLM_BREAKER_SECONDS": 5.0,
    "LOG_FORMAT": "json",
    "MCP_SUMMARIZER_API_KEYS": (),
    "MAX_JSON_DEPTH": 64,
    "MAX_BATCH_SIZE": 100,
    "MAX_CONCURRENT_REQUESTS": 64,
    "MAX_CONCURRENT_REQUESTS_PER_KEY": 0,
    "MAX_QUEUED_REQUESTS": 256,
    "MAX_OPEN_STREAMS": 1_024,
    "MAX_TASKS": 64,
    "TASK_TTL_SECONDS": 3_600.0,
    "TASK_CONTENT_CHARS": 100_000,
    "STORAGE_DIRECTORY": "",
    "ORIGINAL_TTL_SECONDS": 86_400,
    "MAX_ORIGINALS_BYTES": 268_435_456,
    "TIMELINE_TTL_SECONDS": 604_800,
    "MAX_TIMELINE_BYTES": 67_108_864,
    "MAX_HEADER_BYTES": 16_384,
    "MAX_BYTES_UNDER_WAY": 67_108_864,
    "BODY_TIMEOUT_SECONDS": 60.0,
    "BODY_STALL_SECONDS": 10.0,
    "IDLE_CONNECTION_SECONDS": 75.0,
    "SEND_TIMEOUT_SECONDS": 60.0,
    "PING_SECONDS": 15.0,
    "ANSWER_CACHE_SECONDS": 600,
    "ANSWER_CACHE_BYTES": 33_554_432,
    # Those of the web tools, as the document that asks for them has them.
    "WEB_ENABLED": False,
    "SIMILARITY_THRESHOLD": 0.72,
    "EMBEDDING_TOKENS_SIZE": 512,
    "REQUEST_TIMEOUT_MS": 20_000,
    "CONCURRENCY": 2,
    "GOOGLE_SAFE_SEARCH": "off",
    "WEB_OBEY_ROBOTS": False,
    "WEB_ALLOWED_NETWORKS": (),
}

# For each setting a good value as it is written and as it is read, and bad ones.
VALUES: dict[str, tuple[str, Any, list[str]]] = {
    "LLM_MODEL": ("a/b", "a/b", []),
    "OPENROUTER_API_KEY": (KEY, KEY, [f"Bearer {KEY}", KEY + "\u2028x", "schlüssel" + KEY, KEY + "\n" + KEY]),
    "OPENROUTER_BASE_URL": (
        "http://[::1]:1234/v1/",
        "http://[::1]:1234/v1",
        [
            "openrouter.ai/api/v1",
            "ftp://x/v1",
            "http://",
            "http://[::1/v1",
            "http://[v1.x]/v1",
            "http://x:70000",
            "http://x:no",
            "http://x/v1?key=1",
            "http://x/v1#a",
            "http://x/a b",
            "http://x/a\nb",
        ],
    ),
    "LLM_CONTEXT_TOKENS": ("32000", 32_000, ["2047", "128k", "-"]),
    "LLM_CONNECT_TIMEOUT_SECONDS": ("2.5", 2.5, ["0", "soon"]),
    "LLM_FIRST_BYTE_TIMEOUT_SECONDS": ("60", 60.0, ["0", "-inf"]),
    "LLM_TOTAL_TIMEOUT_SECONDS": ("300", 300.0, ["0", "1e9"]),
    "LLM_RETRY_AFTER_MAX_SECONDS": ("5", 5.0, ["0", "five"]),
    "MAX_CONCURRENT_LLM_CALLS": ("1", 1, ["0", "1001", "two"]),
    "LLM_CONCURRENCY_CEILING": ("5", 5, ["0", "1001", "many"]),
    "LLM_BREAKER_FAILURES": ("1", 1, ["0", "1001", "off"]),
    "LLM_BREAKER_SECONDS": ("0.5", 0.5, ["0", "soon"]),
    "ANSWER_CACHE_SECONDS": ("0", 0, ["-1", "86401", "1.5", "10m"]),
    "ANSWER_CACHE_BYTES": ("0", 0, ["-1", "1e6", "32MB"]),
    "WEB_ENABLED": ("True", True, ["1", "yes", "on"]),
    "TOOL_NAMES": ("Dotted", "dotted", ["dots", "web.search"]),
    "DATA_DIR": ("/var/lib/x y", "/var/lib/x y", []),
    "MAX_STORED_PAGES_BYTES": ("1048576", 1_048_576, ["1048575", "1e9", "1GB"]),
    "PAGE_FRESH_SECONDS": ("0", 0, ["-1", "2592001", "1d"]),
    "REQUEST_TIMEOUT_MS": ("100", 100, ["99", "600001", "20s"]),
    "CONCURRENCY": ("1", 1, ["0", "65", "two"]),
    "MAX_PAGE_BYTES": ("1024", 1_024, ["1023", "268435457", "1MB"]),
    "WEB_ALLOWED_NETWORKS": (
        "10.1.0.0/16, ,127.0.0.1,fd12::/48",
        (ip_network("10.1.0.0/16"), ip_network("127.0.0.1/32"), ip_network("fd12::/48")),
        ["localhost", "10.1.0.1/16", "10.1.0.0/33", "10.0.0.0 10.1.0.0", "*"],
    ),
    "WEB_OBEY_ROBOTS": ("true", True, ["maybe"]),
    "WEB_RENDER_PAGES": ("TRUE", True, ["chromium"]),
    "CHROMIUM_PATH": ("/usr/bin/chromium", "/usr/bin/chromium", []),
    "PAGE_RANKING": ("Semantic", "semantic", ["lexical", "rrf"]),
    "SIMILARITY_THRESHOLD": ("0.5", 0.5, ["-0.1", "1.1", "nan", "high"]),
    "EMBEDDING_TOKENS_SIZE": ("256", 256, ["63", "8193", "1k"]),
    "EMBEDDING_SERVER_URL": ("http://[::1]:9101/", "http://[::1]:9101", ["127.0.0.1:9101", "http://x?a=b"]),
    "EMBEDDING_SERVER_API_KEY": (KEY, KEY, [KEY + "\u2028x"]),
    "EMBEDDING_MODEL_NAME": ("a/b", "a/b", []),
    "SEARCH_PROVIDER": ("SearXNG", "searxng", ["bing", "google,brave"]),
    "SEARXNG_URL": ("https://search.example/", "https://search.example", ["search.example"]),
    "BRAVE_API_KEY": (KEY, KEY, [KEY + "\n" + KEY]),
    "TAVILY_API_KEY": (KEY, KEY, [KEY + "\n" + KEY]),
    "GOOGLE_API_KEY": (KEY, KEY, [KEY + "\n" + KEY]),
    "GOOGLE_SEARCH_ENGINE_ID": ("0123:abc", "0123:abc", []),
    "GOOGLE_SAFE_SEARCH": ("Strict", "strict", ["on", "active"]),
    "MCP_SUMMARIZER_HOST": ("0.0.0.0", "0.0.0.0", []),
    "MCP_SUMMARIZER_PORT": ("9000", 9000, ["65536", "-1", "80.0", "http", "٨٠", "1" * 5_000, "0x50"]),
    "ALLOWED_HOSTS": (
        " a:1, ,b:* ,mcp_summarizer.example, [::1]:80,[fe80::1]",
        ("a:1", "b:*", "mcp_summarizer.example:*", "[::1]:80", "[fe80::1]:*"),
        [
            "http://mcp-summarizer:8007",
            "a:1, https://b",
            "a/",
            "a:",
            "a:http",
            "a:0",
            "a:65536",
            "a:٨٠",
            "a b",
            "::1",
            "[::1",
            "*",
            "user@a",
        ],
    ),
    "ALLOWED_ORIGINS": (
        "https://a.example, http://localhost:*,http://[::1]:80, chrome-extension://abc",
        ("https://a.example", "http://localhost:*", "http://[::1]:80", "chrome-extension://abc"),
        [
            "https://x.example/",
            "https://x.example/app",
            "x.example",
            "x.example:443",
            "//x.example",
            "https://",
            "https://x:port",
            "https://x:99999",
            "null",
            "*",
            "https://a, b",
        ],
    ),
    "MCP_SUMMARIZER_API_KEYS": (
        f" {KEY}, ,{OTHER_KEY}\r\n{'k' * 512}",
        (KEY, OTHER_KEY, "k" * 512),
        [
            KEY[:15],
            f"{KEY},{KEY[:15]}",
            f"{KEY} {OTHER_KEY}",
            KEY + "\tx",
            "schlüssel" + KEY,
            KEY + "\u2028" + KEY,
            "k" * 513,
            ",",
            ",\n,",
        ],
    ),
    "MAX_BODY_BYTES": ("2048", 2048, ["1023", "1e6", "16MB"]),
    "MAX_BYTES_UNDER_WAY": ("16777216", 16_777_216, ["1023", "1e8", "64MB"]),
    "MAX_HEADER_BYTES": ("8190", 8_190, ["1023", "1048577", "16k"]),
    "MAX_JSON_DEPTH": ("16", 16, ["15", "501", "deep"]),
    "MAX_BATCH_SIZE": ("1", 1, ["0", "10001", "-1"]),
    "MAX_CONCURRENT_REQUESTS": ("1", 1, ["0", "10001", "many"]),
    "MAX_CONCURRENT_REQUESTS_PER_KEY": ("8", 8, ["-1", "10001", "some"]),
    "MAX_QUEUED_REQUESTS": ("0", 0, ["-1", "100001", "none"]),
    "MAX_OPEN_STREAMS": ("1", 1, ["0", "100001"]),
    "BODY_TIMEOUT_SECONDS": ("5", 5.0, ["0", "nan"]),
    "BODY_STALL_SECONDS": ("5", 5.0, ["0", "nan"]),
    "IDLE_CONNECTION_SECONDS": ("5", 5.0, ["0", "-5"]),
    "SEND_TIMEOUT_SECONDS": ("5", 5.0, ["0", "inf"]),
    "PING_SECONDS": ("0.1", 0.1, ["0", "often"]),
    "SHUTDOWN_GRACE_SECONDS": ("0.5", 0.5, ["0", "-1", "nan", "inf", "86401", "10s"]),
    "MAX_TASKS": ("0", 0, ["-1", "10001"]),
    "TASK_TTL_SECONDS": ("1.5", 1.5, ["0", "86401", "1h"]),
    "TASK_CONTENT_CHARS": ("0", 0, ["-1", "100k"]),
    "MCP_GATEWAY_CONFIG": ("/etc/gateway.json", "/etc/gateway.json", []),
    "STORAGE_DIRECTORY": ("/var/lib/x y", "/var/lib/x y", []),
    "ORIGINAL_TTL_SECONDS": ("2592000", 2_592_000, ["0", "2592001", "1.5", "1d"]),
    "MAX_ORIGINALS_BYTES": ("0", 0, ["-1", "1e9", "256MB"]),
    "TIMELINE_TTL_SECONDS": ("31536000", 31_536_000, ["0", "31536001", "1.5", "1d"]),
    "MAX_TIMELINE_BYTES": ("0", 0, ["-1", "1e9", "64MB"]),
    "DEFAULT_CHUNK_SIZE_TOKENS": ("4000", 4_000, ["199", "4_000", "4,000"]),
    "DEFAULT_CHUNK_OVERLAP_TOKENS": ("0", 0, ["-1", "10%"]),
    "LLM_PROMPT_OVERHEAD_PERCENT": ("0", 0, ["-1", "101", "15%"]),
    "DEFAULT_MAX_OUTPUT_TOKENS": ("16", 16, ["15", "0"]),
    "ON_FAILURE": ("Extractive", "extractive", ["fail", "original,error"]),
    "SUSPICIOUS_PASSAGES": ("Drop", "drop", ["delete", "on"]),
    "SUMMARIZE_DEADLINE_SECONDS": ("0", 0.0, ["-1", "soon", "86401"]),
    "LOG_FORMAT": ("TEXT", "text", ["xml"]),
    "LOG_LEVEL": ("debug", "debug", ["trace", "10"]),
}
BAD = [(name, raw) for name, (_, _, bad) in VALUES.items() for raw in bad]


def value_of(config: Config, name: str) -> Any:
    attribute = next(each for each in SETTING_FIELDS if each.metadata["setting"].name == name)
    return getattr(config, attribute.name)


def refusal(env: dict[str, str]) -> str:
    is_of_web_tools = any(name.removesuffix("_FILE") in WEB_NAMES for name in env)
    with pytest.raises(ConfigError) as caught:
        Config.from_env(env, reads_pages=is_of_web_tools)
    return str(caught.value)


def test_the_promised_names_and_defaults_are_kept() -> None:
    assert {name: value_of(Config.from_env({}), name) for name in DEFAULTS} == DEFAULTS


def test_every_setting_is_tested_here() -> None:
    assert list(VALUES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_read_from_its_name_with_spaces_around_it(name: str) -> None:
    raw, value, _ = VALUES[name]
    assert value_of(Config.from_env({name: f" {raw}\n"}), name) == value


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("raw", ["", "  "])
def test_an_empty_value_is_the_default(name: str, raw: str) -> None:
    assert Config.from_env({name: raw}) == Config()


@pytest.mark.parametrize("name, raw", BAD)
def test_a_wrong_value_gives_one_line_with_name_expected_and_got(name: str, raw: str) -> None:
    message = refusal({name: raw})
    assert re.fullmatch(rf"{name}: expected .+, got .+", message)
    assert name in SECRET_NAMES or repr(raw.strip()) in message


@pytest.mark.parametrize("name, raw", [(name, raw) for name, raw in BAD if name in SECRET_NAMES])
def test_a_refused_secret_is_not_shown(name: str, raw: str) -> None:
    message = refusal({name: raw})
    assert KEY[:10] not in message
    assert "kkk" not in message
    assert "printable ASCII" in message or "at least one key" in message


@pytest.mark.parametrize("name", SECRET_NAMES)
def test_a_secret_is_not_in_the_repr(name: str) -> None:
    config = Config.from_env({name: KEY})
    assert value_of(config, name) in (KEY, (KEY,))
    assert KEY not in repr(config) + str(config)


def test_a_key_that_is_too_short_is_named_by_its_position() -> None:
    assert refusal({"MCP_SUMMARIZER_API_KEYS": f"{KEY},too-short,{OTHER_KEY}"}) == (
        "MCP_SUMMARIZER_API_KEYS: expected 16 to 512 printable ASCII characters without spaces as key 2 of 3, "
        "got one that is not shown here"
    )


@pytest.mark.parametrize("key, backend", [("", "extractive"), (KEY, "openrouter")])
def test_the_key_decides_which_backend_serves(key: str, backend: str) -> None:
    assert Config.from_env({"OPENROUTER_API_KEY": key}).backend == backend


@pytest.mark.parametrize("overlap", [1_000, 1_001])
def test_an_overlap_of_the_chunk_size_or_more_is_refused(overlap: int) -> None:
    env = {"DEFAULT_CHUNK_SIZE_TOKENS": "1000", "DEFAULT_CHUNK_OVERLAP_TOKENS": str(overlap)}
    assert refusal(env) == (
        f"DEFAULT_CHUNK_OVERLAP_TOKENS: expected less than DEFAULT_CHUNK_SIZE_TOKENS (1000), got {overlap}"
    )
    assert Config.from_env(env | {"DEFAULT_CHUNK_OVERLAP_TOKENS": "999"}).default_chunk_overlap_tokens == 999


def test_a_concurrency_ceiling_below_the_initial_limit_is_refused() -> None:
    env = {"MAX_CONCURRENT_LLM_CALLS": "9", "LLM_CONCURRENCY_CEILING": "8"}
    assert refusal(env) == "LLM_CONCURRENCY_CEILING: expected at least MAX_CONCURRENT_LLM_CALLS (9), got 8"
    assert Config.from_env(env | {"LLM_CONCURRENCY_CEILING": "9"}).llm_concurrency_ceiling == 9


def test_a_byte_budget_smaller_than_one_body_is_refused() -> None:
    env = {"MAX_BODY_BYTES": "2048", "MAX_BYTES_UNDER_WAY": "2047"}
    assert refusal(env) == (
        "MAX_BYTES_UNDER_WAY: expected at least MAX_BODY_BYTES (2048), got 2047: raise it, or lower MAX_BODY_BYTES"
    )
    assert Config.from_env(env | {"MAX_BYTES_UNDER_WAY": "2048"}).max_bytes_under_way == 2048


@pytest.mark.parametrize("most", [1, 64])
def test_a_limit_per_key_above_the_limit_of_all_is_refused(most: int) -> None:
    env = {"MAX_CONCURRENT_REQUESTS": str(most), "MAX_CONCURRENT_REQUESTS_PER_KEY": str(most + 1)}
    assert refusal(env) == (
        f"MAX_CONCURRENT_REQUESTS_PER_KEY: expected at most MAX_CONCURRENT_REQUESTS ({most}), got {most + 1}: "
        "lower it, or set 0 for no limit of its own"
    )
    for share in (0, most):
        kept = Config.from_env(env | {"MAX_CONCURRENT_REQUESTS_PER_KEY": str(share)})
        assert kept.max_concurrent_requests_per_key == share


def test_a_chunk_size_above_half_the_context_is_refused() -> None:
    env = {"LLM_CONTEXT_TOKENS": "8000", "DEFAULT_CHUNK_SIZE_TOKENS": "4001"}
    assert (
        refusal(env)
        == "DEFAULT_CHUNK_SIZE_TOKENS: expected at most half of LLM_CONTEXT_TOKENS (4000), got 4001"
    )


def test_an_embedding_server_without_a_model_is_refused_where_the_web_tools_are_on() -> None:
    env = {"EMBEDDING_SERVER_URL": "http://127.0.0.1:9101"}
    assert refusal({**env, "WEB_ENABLED": "true"}) == (
        "EMBEDDING_MODEL_NAME: expected the name of a model, since EMBEDDING_SERVER_URL is set, got nothing"
    )
    assert Config.from_env(env).embedding_server_url
    assert Config.from_env({**env, "WEB_ENABLED": "true", "EMBEDDING_MODEL_NAME": "m"}).web_enabled


def test_ranking_by_meaning_alone_without_an_embedding_server_is_refused() -> None:
    env = {"WEB_ENABLED": "true", "PAGE_RANKING": "semantic"}
    assert (
        refusal(env) == "PAGE_RANKING: expected hybrid, since EMBEDDING_SERVER_URL is not set, got semantic"
    )
    server = {"EMBEDDING_SERVER_URL": "http://127.0.0.1:9101", "EMBEDDING_MODEL_NAME": "m"}
    assert Config.from_env({**env, **server}).page_ranking == "semantic"


@pytest.mark.parametrize("name, raw", [(name, raw) for name, raw in BAD if name in WEB_NAMES])
def test_while_the_web_tools_are_off_a_wrong_value_of_theirs_is_ignored_and_said(name: str, raw: str) -> None:
    config = Config.from_env({name: raw})
    assert replace(config, ignored_settings=()) == Config()
    assert ineffective_settings(config) == {name: IGNORED_NOTE}
    for is_enabled, reads_pages in (("true", False), ("false", True)):
        with pytest.raises(ConfigError, match=f"^{name}: expected "):
            Config.from_env({"WEB_ENABLED": is_enabled, name: raw}, reads_pages=reads_pages)


def test_a_name_that_is_almost_one_of_the_web_tools_is_refused_while_these_are_on() -> None:
    assert Config.from_env({"CONCURENCY": "auto"}) == Config()
    assert "did you mean CONCURRENCY?" in refusal({"CONCURENCY": "auto", "WEB_ENABLED": "true"})
    assert "did you mean WEB_ENABLED?" in refusal({"WEB_ENABLE": "true"})


def test_the_former_name_of_a_setting_is_told_the_new_one() -> None:
    assert "this one is called STORAGE_DIRECTORY now." in refusal({"DATA_DIRECTORY": "/data"})
    both = {"DATA_DIRECTORY": "/of/another", "STORAGE_DIRECTORY": "/data"}
    assert Config.from_env(both).storage_directory == "/data"


SEARCHERS = {
    "searxng": {"SEARXNG_URL": "http://127.0.0.1:8080"},
    "brave": {"BRAVE_API_KEY": KEY},
    "tavily": {"TAVILY_API_KEY": KEY},
    "google": {"GOOGLE_API_KEY": KEY, "GOOGLE_SEARCH_ENGINE_ID": "cx"},
}


@pytest.mark.parametrize("provider", SEARCHERS)
def test_a_search_provider_without_its_url_or_key_is_refused(provider: str) -> None:
    needed = SEARCHERS[provider]
    env = {"WEB_ENABLED": "true", "SEARCH_PROVIDER": provider, **needed}
    assert Config.from_env(env).chosen_search_provider == provider
    for name in needed:
        assert refusal({**env, name: ""}) == (
            f"{name}: expected a value, since SEARCH_PROVIDER is {provider}, got nothing"
        )


@pytest.mark.parametrize("provider", SEARCHERS)
def test_the_provider_whose_url_or_key_is_set_searches(provider: str) -> None:
    needed = SEARCHERS[provider]
    assert Config.from_env({"WEB_ENABLED": "true", **needed}).chosen_search_provider == provider
    assert not Config.from_env({"WEB_ENABLED": "true", **dict([*needed.items()][1:])}).chosen_search_provider


def test_limits_repeated_in_two_modules_are_equal() -> None:
    assert config.MIN_OUTPUT_TOKENS == definitions.MIN_TARGET_TOKENS
    assert config.MIN_CHUNK_TOKENS == budgets.LEAST_CHUNK_TOKENS


def test_settings_cannot_be_changed_afterwards() -> None:
    with pytest.raises(FrozenInstanceError):
        Config().port = 1  # type: ignore[misc]


def test_other_programs_names_in_the_environment_are_ignored() -> None:
    assert Config.from_env({"PATH": "/bin", "PORT": "nonsense"}) == Config()


@given(st.dictionaries(st.sampled_from(NAMES + FILE_NAMES), st.text(max_size=20)), st.binary(max_size=40))
def test_any_environment_gives_settings_or_one_line(env: dict[str, str], data: bytes) -> None:
    try:
        message = repr(Config.from_env(env, lambda path: data))
    except ConfigError as problem:
        message = f"{problem}"
    assert len(message.splitlines()) == 1
    assert message.partition(":")[0] in NAMES + FILE_NAMES or message.startswith("Config(")


# --- Secrets in files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written_as", [f"{KEY}\n", f"\ufeff{KEY}\r\n", f"\n  {KEY}  "])
@pytest.mark.parametrize("setting", SECRETS, ids=SECRET_NAMES)
def test_a_secret_can_be_read_from_a_file(setting: Setting, written_as: str, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(written_as.encode())
    config = Config.from_env({setting.file_name: f" {path}\n", setting.name: " "})
    assert value_of(config, setting.name) in (KEY, (KEY,))


def test_keys_in_a_file_are_separated_by_lines_or_commas() -> None:
    config = Config.from_env(
        {"MCP_SUMMARIZER_API_KEYS_FILE": "keys"},
        {"keys": f"{KEY}\n{OTHER_KEY},\n\n{KEY}x\n".encode()}.__getitem__,
    )
    assert config.api_keys == (KEY, OTHER_KEY, KEY + "x")


def test_only_secrets_are_read_from_files() -> None:
    def read(path: str) -> bytes:
        raise AssertionError(path)

    env = {f"{name}_FILE": "x" for name in NAMES if name not in SECRET_NAMES}
    assert Config.from_env(env | dict.fromkeys(FILE_NAMES, " "), read) == Config()


@pytest.mark.parametrize("setting", SECRETS, ids=SECRET_NAMES)
def test_a_secret_given_twice_is_refused(setting: Setting) -> None:
    message = refusal({setting.name: KEY, setting.file_name: "secret"})
    assert message == f"{setting.file_name}: expected either it or {setting.name}, got both"


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "it is empty"),
        (b" \r\n\t", "it is empty"),
        (b"\xef\xbb\xbf\n", "it is empty"),
        (KEY.encode("utf-16"), "it is not UTF-8"),
        (b"k" * 65_537, "it has more than 65536 bytes"),
    ],
)
@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_without_a_secret_is_refused_with_its_path_and_the_reason(
    name: str, data: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "secret"
    path.write_bytes(data)
    assert (
        refusal({name: str(path)}) == f"{name}: expected a text file that can be read, got '{path}': {reason}"
    )


@pytest.mark.parametrize(
    "path, reason",
    [("/no/such/file", "No such file or directory"), ("/", "Is a directory"), ("a\0b", "embedded null byte")],
)
@pytest.mark.parametrize("name", FILE_NAMES)
def test_an_unreadable_secret_file_is_refused_with_its_path_and_the_reason(
    name: str, path: str, reason: str
) -> None:
    assert refusal({name: path}) == f"{name}: expected a text file that can be read, got {path!r}: {reason}"


def test_an_endless_file_is_read_only_up_to_the_limit() -> None:
    assert "it has more than 65536 bytes" in refusal({"OPENROUTER_API_KEY_FILE": "/dev/zero"})


def test_a_wrong_key_in_a_file_is_refused_by_the_name_of_the_file_setting_and_not_shown(
    tmp_path: Path,
) -> None:
    path = tmp_path / "keys"
    path.write_text(f"{KEY}\n{OTHER_KEY[:15]}\n", "utf-8")
    message = refusal({"MCP_SUMMARIZER_API_KEYS_FILE": str(path)})
    assert message.startswith("MCP_SUMMARIZER_API_KEYS_FILE: expected 16 to 512 printable ASCII")
    assert message.endswith("as key 2 of 2, got one that is not shown here")


def test_the_models_key_is_not_a_list() -> None:
    message = refusal_of_file("OPENROUTER_API_KEY_FILE", f"{KEY}\n{OTHER_KEY}")
    assert message == (
        "OPENROUTER_API_KEY_FILE: expected printable ASCII characters without spaces and line breaks, got one that is not shown here"
    )


def refusal_of_file(name: str, holds: str) -> str:
    with pytest.raises(ConfigError) as caught:
        Config.from_env({name: "secret"}, lambda path: holds.encode())
    return str(caught.value)


# --- The documents ---------------------------------------------------------------------------------------------


def written(default: Any) -> str:
    """Return a default as a person writes it into the environment."""
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return ",".join(default)
    return f"{default:g}" if isinstance(default, float) else str(default)


@pytest.mark.parametrize("setting, default", settings(), ids=NAMES)
def test_the_documents_have_a_row_with_name_and_default_of_every_setting(
    setting: Setting, default: Any
) -> None:
    rows = [
        row
        for row in (HERE / "docs" / "settings.md").read_text("utf-8").splitlines()
        if row.startswith(f"| `{setting.name}` ")
    ]
    assert len(rows) == 1
    shown = rows[0].split("|")[2].strip().strip("`")
    assert shown == written(default) or (not written(default) and shown == "(empty)")
    assert rows[0].endswith(f" | {setting.meaning} |")


@pytest.mark.parametrize("setting, default", settings(), ids=NAMES)
def test_the_example_environment_has_every_setting_with_its_default(setting: Setting, default: Any) -> None:
    lines = (HERE / ".env.example").read_text("utf-8").splitlines()
    # Not in force: a copy must not overrule what the shell or another default says.
    shown = f"#{setting.name}={written(default)}"
    assert [line for line in lines if re.match(rf"#? ?{setting.name}=", line)] == [shown]
    said = lines[lines.index(shown) - 1]
    assert said.lower() == f"# {setting.meaning}".lower()


@pytest.mark.parametrize("setting", SECRETS, ids=SECRET_NAMES)
def test_the_documents_say_that_a_secret_can_be_read_from_a_file(setting: Setting) -> None:
    assert f"`{setting.file_name}`" in setting.meaning


def test_the_documents_name_no_unknown_setting() -> None:
    text = (HERE / ".env.example").read_text("utf-8")
    named = re.findall(r"(?m)^#? ?([A-Z][A-Z_]+)=", text)
    rows = re.findall(r"(?m)^\| `([A-Z][A-Z_]+)` ", (HERE / "docs" / "settings.md").read_text("utf-8"))
    assert set(named) | set(rows) <= set(NAMES)


@pytest.mark.parametrize("host", ["xn--a", "xn--ls8h.la", "☃.example", f"{'ü' * 60}.example", "1.2.3.999"])
def test_a_base_url_whose_host_cannot_be_called_stops_the_start(host: str) -> None:
    with pytest.raises(ConfigError, match="with a host that is an address or a valid name") as caught:
        Config.from_env({"OPENROUTER_BASE_URL": f"http://{host}/v1"})
    assert host in str(caught.value)


@pytest.mark.parametrize(
    "host", ["xn--bcher-kva.example", "bücher.example", "a_b", "www.xn--ls8h.la", "127.1"]
)
def test_a_base_url_with_a_host_that_can_be_called_is_taken(host: str) -> None:
    config = Config.from_env({"OPENROUTER_BASE_URL": f"http://{host}/v1"})
    assert config.openrouter_base_url == f"http://{host}/v1"


def test_a_password_in_the_base_url_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="without user and password") as caught:
        Config.from_env({"OPENROUTER_BASE_URL": "https://user:hidden-word@api.example/v1"})
    assert "hidden-word" not in str(caught.value)
